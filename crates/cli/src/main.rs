//! The command line of the workbench.

mod commands;
mod progress;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
