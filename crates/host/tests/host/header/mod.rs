//! Tests of `lmrlab.h`.

mod catalogue;
mod compilers;
pub(crate) mod driver;
mod fuzzing;
mod options;
mod traces;
