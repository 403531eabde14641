//! The command line of the workbench.

mod commands;
mod progress;
mod search_bar;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
