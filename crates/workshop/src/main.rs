//! `lmrlab-workshop`: the maintainers' tools that make the engine's evaluation, the test positions and the documents.
//!
//! `generate` plays games of the engine against itself and writes quiet positions; `collect` takes them from games of
//! runs. `fit` fits the weights of the evaluation's terms to them, `train` trains the neural network, and `judge`
//! compares networks. `mine` finds test positions. `docs` writes the documents from data. crates/workshop/README.md has
//! the recipes. Commands start from the project's root. `RAYON_NUM_THREADS` sets the number of threads; no result
//! depends on it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod descent;
mod docs;
mod mine;
mod network;
mod quiet;
mod samples;
mod self_play;
mod terms;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser};
use lmrlab_results::failure::Failure;

/// The maintainers' tools of lmrlab; crates/workshop/README.md has recipes.
#[derive(Debug, Parser)]
#[command(name = "lmrlab-workshop", version)]
enum Command {
    /// Play games, and write quiet positions with the results of their games.
    Generate(quiet::Generate),
    /// Write quiet positions from the games of runs.
    Collect(quiet::Collect),
    /// Fit the weights of the terms to quiet positions, and write them as Rust source of the engine.
    Fit(terms::Fit),
    /// Train the neural network on quiet positions, and write its file for the engine.
    Train(network::Train),
    /// Compare networks with the engine's, on positions from which none of them learned.
    Judge(network::judge::Judge),
    /// Find tactics in the engine's own games.
    Mine(mine::Mine),
    /// Write the documents again from data; play what is missing.
    Docs(docs::Docs),
}

/// The file to write.
#[derive(Debug, Args)]
struct OutOption {
    /// The file to write.
    #[arg(long = "out", value_name = "FILE")]
    path: PathBuf,
    /// Overwrite the file.
    #[arg(long)]
    force: bool,
}

impl OutOption {
    /// Refuses a file that exists already.
    fn refuse_existing(&self) -> Result<(), Failure> {
        if self.force || !self.path.exists() {
            return Ok(());
        }
        Err(Failure::input(
            format!("`{}` exists already", self.path.display()),
            "name another file, or overwrite it with --force",
        ))
    }
}

/// The command line of this program, for the header of a file.
fn command_line() -> String {
    let words = std::env::args().skip(1);
    words.fold("lmrlab-workshop".to_owned(), |line, word| line + " " + &word)
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Generate(arguments) => quiet::generate(&arguments),
        Command::Collect(arguments) => quiet::collect(&arguments),
        Command::Fit(arguments) => terms::run(&arguments),
        Command::Train(arguments) => network::run(&arguments),
        Command::Judge(arguments) => network::judge::run(&arguments),
        Command::Mine(arguments) => mine::run(&arguments),
        Command::Docs(arguments) => docs::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("{}", failure.render(""));
            ExitCode::from(failure.exit_status())
        }
    }
}
