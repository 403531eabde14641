//! Late move reduction policies.
