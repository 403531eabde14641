//! `lmrlab --help`: the commands in groups.

use std::fmt::Write as _;

/// The groups of the commands, in the order of a user's work.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["init", "match", "fastchess", "run", "resume", "merge"]),
    ("Look at results", &["show", "report", "compare", "index"]),
    (
        "Study a policy",
        &[
            "policy", "preset", "host", "explain", "bench", "profile", "audit", "score", "suite", "idea",
        ],
    ),
    ("Compare and tune", &["ablate", "sweep", "trial", "learn", "tune"]),
    ("Judge numbers", &["sprt", "rate"]),
    ("Make and check files", &["openings", "perft", "completions", "man"]),
];

/// The same command line, but its help shows the commands in groups.
pub(super) fn grouped(command: clap::Command) -> clap::Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut list = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(list, "{header}{group}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map_or_else(String::new, ToString::to_string);
            let _ = writeln!(list, "  {literal}{name:<11}{literal:#}  {about}");
        }
        list.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}\n\n\
         `lmrlab COMMAND --help` explains a command."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = super::super::shown();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
