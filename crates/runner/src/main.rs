//! The command line of the workbench.

use std::process::ExitCode;

fn main() -> ExitCode {
    lmrlab_runner::commands::main()
}
