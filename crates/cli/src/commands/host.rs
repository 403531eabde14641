//! `lmrlab host`: policies in engines of others.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lmrlab_host::for_c::HEADER;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;

use super::{host_check, host_init};
use crate::output_files::refuse_existing;
use crate::print::print_out;

/// The subcommands of `host`.
#[derive(Debug, Subcommand)]
#[command(about = "Play policies in your own engine: the header, an example, and a check")]
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
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite this file.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// When the input is wrong, a file cannot be written, or the checked engine is wrong.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments {
        Arguments::Header(header) => {
            let file = header.out.as_ref().filter(|file| file.as_os_str() != "-");
            refuse_existing(file, header.force)?;
            match file {
                Some(file) => output_file::write(file, HEADER),
                None => {
                    print_out(HEADER);
                    Ok(())
                }
            }
        }
        Arguments::Init(arguments) => host_init::run(arguments),
        Arguments::Check(arguments) => host_check::run(arguments),
    }
}
