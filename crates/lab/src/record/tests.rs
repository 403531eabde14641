//! The record end to end, without a file.
