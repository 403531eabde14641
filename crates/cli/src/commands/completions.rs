//! `lmrlab completions`: a script that completes commands and options in a shell.

use clap::Args;
use clap_complete::Shell;

use super::help;
use crate::frame::Frame;
use lmrlab_diagnostics::failure::Failure;

/// Print a script that completes commands and options in a shell.
///
/// Examples:
///   lmrlab completions bash > ~/.local/share/bash-completion/completions/lmrlab
///   lmrlab completions zsh > ~/.zfunc/_lmrlab        # with ~/.zfunc in fpath
///   lmrlab completions fish > ~/.config/fish/completions/lmrlab.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let mut command = help::shown();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    frame.text(|| Ok(String::from_utf8_lossy(&script).into_owned()))
}
