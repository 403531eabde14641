//! The documents, compared with the program: the commands that pages show, and the data from which pages are made.
//!
//! `lmrlab-workshop docs` writes the pages. The tests of this crate and of the command line compare them.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod pages;
