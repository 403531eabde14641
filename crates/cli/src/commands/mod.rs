//! The commands of `lmrlab`, one file each. What some of them share is in [`shared`].

mod ablate;
mod audit;
mod bench;
mod compare;
mod completions;
mod explain;
mod fastchess;
mod help;
mod host;
mod host_check;
mod host_init;
mod idea;
mod index;
mod init;
mod man;
mod match_;
mod merge;
mod openings;
mod part;
mod perft;
mod policy;
mod policy_compile;
mod policy_export;
mod preset;
mod profile;
mod rate;
mod report;
mod resume;
mod run;
mod shared;
mod show;
mod sprt;
mod suite;
mod sweep;
mod taken;
mod trial;
mod tune;

use std::error::Error as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lmrlab_diagnostics::Diagnostics;
use lmrlab_diagnostics::failure::Failure;

use crate::frame::print::print_out;
use crate::frame::{Frame, exit_code, print_err};

/// A workbench for late move reductions in chess engines.
#[derive(Debug, Parser)]
#[command(name = "lmrlab", version = env!("LMRLAB_VERSION"), about, max_term_width = help::WIDTH)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Declares the commands: the name of each, and its module.
macro_rules! commands {
    ($($(#[$attribute:meta])* $Name:ident: $module:ident,)+) => {
        /// The commands of users.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[$attribute])* $Name(Box<$module::Arguments>),)+
        }

        impl Command {
            pub(crate) fn run(&self, frame: &Frame) -> Result<(), Failure> {
                match self {
                    $(Self::$Name(arguments) => $module::run(arguments, frame),)+
                }
            }
        }
    };
}

commands! {
    Init: init,
    Run: run,
    Resume: resume,
    Show: show,
    Report: report,
    Compare: compare,
    Index: index,
    Match: match_,
    Fastchess: fastchess,
    Merge: merge,
    Suite: suite,
    Ablate: ablate,
    Sweep: sweep,
    Trial: trial,
    #[command(subcommand)]
    Idea: idea,
    #[command(subcommand)]
    Openings: openings,
    Perft: perft,
    #[command(subcommand)]
    Policy: policy,
    #[command(subcommand)]
    Preset: preset,
    #[command(subcommand)]
    Host: host,
    Explain: explain,
    Bench: bench,
    Profile: profile,
    Audit: audit,
    Tune: tune,
    Sprt: sprt,
    Rate: rate,
    Completions: completions,
    Man: man,
}

/// Runs the command line.
pub(crate) fn main() -> ExitCode {
    // Panics are caught and reported below and in the workers.
    std::panic::set_hook(Box::new(|_| {}));
    let (command, frame) = match help::parsed(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() => {
            refuse(&error);
            return ExitCode::from(USAGE);
        }
        // What `--help` and `--version` print.
        Err(text) => {
            print_out(&text.render().ansi().to_string());
            return exit_code(Ok(()));
        }
    };
    let result = std::panic::catch_unwind(move || command.run(&frame));
    exit_code(result.unwrap_or_else(|panic| Err(Failure::mistake("lmrlab", &*panic))))
}

/// The exit status after wrong words.
const USAGE: u8 = 2;

/// Says what is wrong with the words of a command.
fn refuse(error: &clap::Error) {
    // A value with a grammar of its own has a message with the place of the mistake.
    match error.source().and_then(|source| source.downcast_ref::<Diagnostics>()) {
        Some(mistakes) => print_err(&mistakes.render(true)),
        None => print_err(error.render().ansi().to_string().trim_end()),
    }
}
