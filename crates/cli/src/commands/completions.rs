//! `lmrlab completions`: a script that completes commands and options in a shell.

use clap::Args;
use clap_complete::Shell;

use crate::print::print_out;

/// Print a script that completes commands and options in a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab completions bash > ~/.local/share/bash-completion/completions/lmrlab
  lmrlab completions zsh > ~/.zfunc/_lmrlab        # with ~/.zfunc in fpath
  lmrlab completions fish > ~/.config/fish/completions/lmrlab.fish")]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    print_out(&String::from_utf8_lossy(&script));
}
