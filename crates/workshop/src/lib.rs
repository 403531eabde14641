//! What keeps the documents true: the commands that pages show, the data that they print, and who checks them.
//!
//! `lmrlab-workshop docs` writes pages; the tests of this crate and of the command line compare them.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod pages;
