//! `lmrlab host`: policies in other engines.

use clap::{Args, Subcommand};
use lmrlab_host::for_c::HEADER;
use lmrlab_results::failure::Failure;

use super::out_option::FileOrOutput;
use super::{host_check, host_init};

/// Play policies in your own engine: the header, an example, and a check.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Print lmrlab.h, which an engine in C or C++ includes. An engine in Rust uses the crate lmrlab-host.
    Header(Header),
    Init(host_init::Arguments),
    Check(host_check::Arguments),
}

/// Where the header goes.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab host header --out src/lmrlab.h")]
pub(crate) struct Header {
    #[command(flatten)]
    out: FileOrOutput,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments {
        Arguments::Header(header) => {
            header.out.refuse_existing()?;
            header.out.write(HEADER)
        }
        Arguments::Init(arguments) => host_init::run(arguments),
        Arguments::Check(arguments) => host_check::run(arguments),
    }
}
