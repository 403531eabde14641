//! `lmrlab host`: policies in other engines.

use clap::{Args, Subcommand};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_host::for_c::HEADER;

use super::{host_check, host_init};
use crate::frame::Frame;

/// Play policies in your own engine: the header, an example, and a check.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    Header(Header),
    Init(host_init::Arguments),
    Check(host_check::Arguments),
}

/// Print lmrlab.h, which an engine in C or C++ includes. An engine in Rust uses the crate lmrlab-host.
///
/// Example:
///   lmrlab host header --out src/lmrlab.h
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Header {}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    match arguments {
        Arguments::Header(_) => frame.text(|| Ok(HEADER.to_owned())),
        Arguments::Init(arguments) => host_init::run(arguments, frame),
        Arguments::Check(arguments) => host_check::run(arguments, frame),
    }
}
