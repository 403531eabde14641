//! The command line, and its help: commands in groups, and the common options once.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory, FromArgMatches, Subcommand};

use super::Cli;
use super::taken;
use crate::frame::{Frame, Options};

/// The groups of the commands, in the order of a user's work.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["init", "match", "fastchess", "run", "resume", "merge"]),
    ("Look at results", &["show", "report", "compare", "index"]),
    (
        "Study a policy",
        &[
            "policy", "preset", "host", "explain", "bench", "profile", "audit", "suite", "idea",
        ],
    ),
    ("Compare and tune", &["ablate", "sweep", "trial", "tune"]),
    ("Judge numbers", &["sprt", "rate"]),
    ("Make and check files", &["openings", "perft", "completions", "man"]),
];

/// The most columns of a help.
pub(super) const WIDTH: usize = 120;

/// Reads a command line.
pub(super) fn parsed(
    words: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<(super::Command, Frame), clap::Error> {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    let mut command = taken::with_common(Cli::command());
    // Every engine starts through this program, so what only a help shows is left out.
    if words.len() <= 2
        || words
            .iter()
            .any(|word| ["-h", "--help", "help"].iter().any(|help| word == help))
    {
        command = grouped(for_terminals(explained(command), &taken::all()));
    }
    let matches = command.try_get_matches_from(words)?;
    let mut innermost = &matches;
    while let Some((_, below)) = innermost.subcommand() {
        innermost = below;
    }
    let options = Options::of(innermost);
    Ok((Cli::from_arg_matches(&matches)?.command, Frame { options }))
}

/// The command line for users, as manual pages have it: without the commands that `lmrlab` itself calls.
pub(super) fn shown() -> Command {
    let whole = Cli::command();
    let mut shown = Command::new("lmrlab").version(env!("LMRLAB_VERSION"));
    if let Some(about) = whole.get_about() {
        shown = shown.about(about.clone());
    }
    let commands = super::Command::augment_subcommands(shown);
    taken::with_common(explained(commands))
}

/// The documentation of a command and of those below it: its first sentence, and the rest behind the options.
fn explained(command: Command) -> Command {
    let about = command
        .get_about()
        .map(|about| about.to_string().trim_end_matches('.').replace('\n', " "));
    let long = command.get_long_about().map(ToString::to_string);
    let rest = long
        .as_deref()
        .and_then(|text| text.split_once("\n\n"))
        .map(|(_, rest)| flowing(rest));
    let mut command = command.long_about(None::<&str>);
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(rest) = rest {
        command = command.after_help(rest);
    }
    for below in command.get_subcommands_mut() {
        *below = explained(std::mem::take(below));
    }
    command
}

/// A text with a line for each paragraph. Indented lines stay.
fn flowing(text: &str) -> String {
    let mut flowing = String::new();
    for line in text.lines() {
        let follows = !line.is_empty() && !line.starts_with(' ') && !flowing.is_empty() && !flowing.ends_with("\n\n");
        let of_paragraph = follows && !flowing.lines().next_back().is_some_and(|above| above.starts_with(' '));
        if of_paragraph {
            flowing.truncate(flowing.trim_end().len());
            flowing.push(' ');
        }
        flowing.push_str(line);
        flowing.push('\n');
    }
    flowing.trim_end().to_owned()
}

/// The same commands; their help names the common options in one line.
fn for_terminals(mut command: Command, common: &[Arg]) -> Command {
    let is_common = |option: &Arg| common.iter().any(|common| common.get_id() == option.get_id());
    let names: Vec<String> = command
        .get_arguments()
        .filter(|option| is_common(option))
        .map(usage)
        .collect();
    command = command.mut_args(|option| match is_common(&option) {
        true => option.hide_short_help(true).hide_long_help(true),
        false => option,
    });
    if !names.is_empty() {
        let mut after = command
            .get_after_help()
            .map_or_else(String::new, |text| format!("{text}\n\n"));
        let _ = write!(after, "Common options: {} (see `lmrlab --help`)", names.join(" "));
        command = command.after_help(after);
    }
    for below in command.get_subcommands_mut() {
        *below = for_terminals(std::mem::take(below), common);
    }
    command
}

/// An option as the help of a command names it: `--out DIR`.
fn usage(option: &Arg) -> String {
    let values = option.get_value_names().filter(|_| option.get_action().takes_values());
    let values = values.into_iter().flatten().map(|value| format!(" {value}"));
    format!(
        "--{}{}",
        option.get_long().unwrap_or_default(),
        values.collect::<String>()
    )
}

/// The same command line, but its help shows the commands in groups, and the common options.
fn grouped(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut list = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(list, "{header}{group}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(String::new, ToString::to_string);
            let _ = writeln!(list, "  {literal}{name:<11}{literal:#}  {about}");
        }
        list.push('\n');
    }
    let common = Command::new("").disable_help_flag(true).max_term_width(WIDTH);
    let common = common.args(taken::all()).help_template("{options}").render_help();
    let _ = writeln!(list, "{header}Common options:{header:#}\n{}", common.ansi());
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n{header}Options:{header:#}\n{{options}}\n\n\
         `lmrlab COMMAND --help` explains a command, and names the common options that it takes."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    #[test]
    fn every_command_is_in_one_group() {
        let command = shown();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn commands_have_examples() {
        let whole = shown();
        for path in [
            "run",
            "match",
            "perft",
            "openings make",
            "openings check",
            "policy check",
            "policy show",
        ] {
            let command = path
                .split(' ')
                .try_fold(&whole, |command, name| command.find_subcommand(name));
            let help = command.and_then(Command::get_after_help).map(ToString::to_string);
            assert!(
                help.is_some_and(|help| help.contains("Example")),
                "{path} has no example"
            );
        }
    }

    /// Every file below a folder with one of these endings.
    fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, endings, found);
            } else if path
                .extension()
                .is_some_and(|ending| endings.iter().any(|one| ending == *one))
            {
                found.push(path);
            }
        }
    }

    /// As in `lmrlab preset cat`.
    #[test]
    fn the_commands_in_texts_and_messages_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut all = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
        files(&root.join("docs"), &["md"], &mut all);
        for entry in std::fs::read_dir(root.join("crates")).unwrap() {
            files(&entry.unwrap().path().join("src"), &["rs", "md"], &mut all);
        }
        let command = shown();
        let mut count = 0;
        for path in &all {
            let text = std::fs::read_to_string(path).unwrap();
            for rest in text.split("`lmrlab ").skip(1) {
                let words = rest.split('`').next().unwrap_or_default().split_whitespace();
                let is_command = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
                let words: Vec<&str> = words.take(2).take_while(is_command).collect();
                let Some(first) = words.first() else { continue };
                let of_first = command.find_subcommand(first);
                assert!(of_first.is_some(), "{}: there is no command {words:?}", path.display());
                // What follows may be a file or a policy, unless the command has others below it.
                let (Some(second), Some(above)) = (words.get(1), of_first.filter(|above| above.has_subcommands()))
                else {
                    continue;
                };
                let may_stand_alone = above.get_arguments().any(Arg::is_positional);
                let is_known = may_stand_alone || above.find_subcommand(second).is_some();
                assert!(is_known, "{}: there is no command {words:?}", path.display());
                count += 1;
            }
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn paragraphs_flow_and_indented_lines_stay() {
        let text = "Examples:\n  a\n  b\n\nOne\ntwo.\nThree:\n  c\nFour.";
        assert_eq!(flowing(text), "Examples:\n  a\n  b\n\nOne two. Three:\n  c\nFour.");
    }
}
