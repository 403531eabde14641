//! A command line that is being translated: its words, what becomes of a word, and the parts of the command so far.

use std::path::PathBuf;

use super::super::openings::quoted;

/// A word, or words of one option that are translated together.
#[derive(Debug)]
pub(super) struct Word {
    /// The option without its hyphen. The words of `engine` are those of `each`, too.
    pub(super) option: &'static str,
    /// An example of what follows: words `KEY=VALUE`, or a value, or nothing.
    pub(super) example: &'static str,
    pub(super) of: MatchRunner,
    pub(super) becomes: Becomes,
}

/// The programs that have a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchRunner {
    Both,
    Fastchess,
    Cutechess,
}

/// What becomes of a word. The text is what the example becomes; empty when lmrlab does that anyway.
#[derive(Debug)]
pub(super) enum Becomes {
    /// The function adds it to the command.
    Words(&'static str, fn(&mut Translation, &Given)),
    /// The same for an option that has a meaning when it is absent, too.
    Always(&'static str, fn(&mut Translation, &Given)),
    /// The option that the text begins with, with the same value.
    Renamed(&'static str),
    /// A word of an engine. The function gets its key and its value.
    OfEngine(&'static str, fn(&mut Translation, &str, &str) -> Option<String>),
    /// What lmrlab does anyway. Another value is refused, and the text says why.
    Usual(&'static str),
    /// Without it the games are the same. The text says what lmrlab does instead.
    Note(&'static str),
    /// Beside what becomes of the option by another word, the text says what is different.
    Also(&'static str),
    /// Without it the games are different. The text says what lmrlab offers instead.
    Refused(&'static str),
}

impl Word {
    /// Whether one of its examples has this key.
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.keys()
            .any(|own| own == key || own.starts_with(OPTION) && key.starts_with(OPTION) && key != OPTION)
    }

    /// The keys of its examples.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.example.split_whitespace().map(|word| pair(word).0)
    }

    /// Whether the program has it.
    pub(super) fn is_of(&self, is_cutechess: bool) -> bool {
        match self.of {
            MatchRunner::Both => true,
            MatchRunner::Fastchess => !is_cutechess,
            MatchRunner::Cutechess => is_cutechess,
        }
    }

    /// Whether its words have keys.
    pub(super) fn takes_keys(&self) -> bool {
        self.example.contains('=') || self.option == "engine"
    }
}

/// Before the name of a UCI option.
const OPTION: &str = "option.";

/// A command line that is being translated.
#[derive(Debug, Default)]
pub(super) struct Translation {
    pub(super) is_cutechess: bool,
    /// The folder that the line is typed in.
    pub(super) here: PathBuf,
    /// The options without their hyphen, with their words.
    pub(super) line: Vec<(String, Vec<String>)>,
    /// The words for each engine.
    pub(super) engines: Vec<String>,
    /// How more than two engines play each other.
    pub(super) is_gauntlet: bool,
    /// The rest of the command.
    pub(super) command: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) errors: Vec<String>,
}

/// What a line has of a [`Word`].
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The words, as they are on the line.
    pub(super) words: Vec<String>,
    /// The value of each key of the example; the last counts.
    values: Vec<Option<String>>,
}

impl Given {
    /// The values of the first keys of the example.
    pub(super) fn values<const N: usize>(&self) -> [Option<String>; N] {
        std::array::from_fn(|at| self.values.get(at).cloned().flatten())
    }

    /// The only word. Options with another number of words were refused.
    pub(super) fn value(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

impl Translation {
    /// What the line has of a word; `None` when nothing.
    pub(super) fn given(&self, word: &Word) -> Option<Given> {
        if !word.is_of(self.is_cutechess) {
            return None;
        }
        let mut of_option = self.line.iter().filter(|(option, _)| table_of(option) == word.option);
        let mut given = Given::default();
        if !word.takes_keys() {
            // When it is given several times, the last one counts.
            given.words.clone_from(&of_option.next_back()?.1);
            return Some(given);
        }
        given.values = vec![None; word.keys().count()];
        for param in of_option.flat_map(|(_, words)| words) {
            let (key, value) = pair(param);
            if word.has_key(key) {
                given.words.push(param.clone());
                let place = word.keys().position(|own| own == key);
                if let Some(place) = place.and_then(|at| given.values.get_mut(at)) {
                    *place = Some(value.to_owned());
                }
            }
        }
        let is_alone = word.has_key("file") && self.last(word.option).is_some_and(<[String]>::is_empty);
        (is_alone || !given.words.is_empty()).then_some(given)
    }

    pub(super) fn has(&self, option: &str) -> bool {
        self.last(option).is_some()
    }

    /// The words of an option. When it is given several times, the last one counts.
    pub(super) fn last(&self, option: &str) -> Option<&[String]> {
        let (_, words) = self.line.iter().rfind(|(given, _)| given == option)?;
        Some(words)
    }

    /// The number of an option, or the usual one when it has none; `None` when it is no number, which is an error.
    pub(super) fn number<T: std::str::FromStr>(&mut self, option: &str, usual: T) -> Option<T> {
        let Some(value) = self.last(option).and_then(<[String]>::first).cloned() else {
            return Some(usual);
        };
        let number = value.parse().ok();
        if number.is_none() {
            self.error(format!("`-{option} {value}`: a whole number belongs here"));
        }
        number
    }

    /// Whether it becomes a command, and not a tournament file.
    pub(super) fn is_match(&self) -> bool {
        self.line.iter().filter(|(option, _)| option == "engine").count() == 2
    }

    /// A path as it is written. In a file it does not start from the folder that the line is typed in.
    pub(super) fn path(&self, text: &str) -> String {
        if self.is_match() {
            return text.to_owned();
        }
        let whole: PathBuf = self.here.join(text).components().collect();
        whole.display().to_string()
    }

    /// Adds an option of lmrlab.
    pub(super) fn put(&mut self, option: &str, value: impl ToString) {
        self.command.extend([option.to_owned(), value.to_string()]);
    }

    pub(super) fn flag(&mut self, option: &str) {
        self.command.push(option.to_owned());
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    pub(super) fn error(&mut self, text: impl Into<String>) {
        self.errors.push(text.into());
    }
}

/// The key and the value of a word. A word without `=` has no value.
pub(super) fn pair(word: &str) -> (&str, &str) {
    word.split_once('=').unwrap_or((word, ""))
}

/// The option that lists the words of an option.
pub(super) fn table_of(option: &str) -> &str {
    if option == "each" { "engine" } else { option }
}

/// A message about the words of an option.
pub(super) fn about(option: &str, given: &Given, text: &str) -> String {
    let mut words = vec![option];
    for word in &given.words {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    format!("`-{}`: {text}", words.join(" "))
}

/// A word of an engine, in quotes within its argument when it needs them.
pub(super) fn word(key: &str, value: &str) -> String {
    let word = format!("{key}={value}");
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    match word.chars().all(plain) {
        true => word,
        false if word.contains(['"', '\\', '$', '`']) => quoted(&word),
        false => format!("\"{word}\""),
    }
}
