//! A command line that is being translated: its options, and the parts of the command so far.

use lmrlab_diagnostics::nearest;

use super::options::{Fate, OPTIONS};

/// Words `KEY=VALUE`, in their order.
pub(super) type Pairs = Vec<(String, String)>;

/// A command line that is being translated.
#[derive(Debug, Default)]
pub(super) struct Translation {
    pub(super) is_cutechess: bool,
    /// The options without their hyphen, with their words.
    pub(super) given: Vec<(String, Vec<String>)>,
    pub(super) command: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) errors: Vec<String>,
}

impl Translation {
    /// Groups the words by their options.
    pub(super) fn split(&mut self, words: Vec<String>) {
        // A log contains the whole line in quotes: then it is one word.
        let words = match &words[..] {
            [line] => shlex::split(line).unwrap_or(words),
            _ => words,
        };
        let mut words = words.into_iter().peekable();
        if let Some(program) = words.next_if(|word| !word.starts_with('-')) {
            self.is_cutechess = program.contains("cutechess");
        }
        for word in words {
            let is_number = word
                .strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            match (word.strip_prefix('-'), self.given.last_mut()) {
                (Some(option), _) if !is_number => {
                    if !OPTIONS.iter().any(|(known, _)| *known == option) {
                        let near = nearest(option, OPTIONS.iter().map(|(known, _)| *known));
                        let near = near.map_or_else(String::new, |near| format!("; did you mean `-{near}`?"));
                        let program = if self.is_cutechess { "cutechess" } else { "fastchess" };
                        self.errors.push(format!("{program} has no option `-{option}`{near}"));
                    }
                    self.given.push((option.to_owned(), Vec::new()));
                }
                (_, Some((_, params))) => params.push(word),
                (_, None) => self.errors.push(format!("`{word}` belongs to no option")),
            }
        }
    }

    /// Adds a message about each option that is not translated, once for each.
    pub(super) fn comment(&mut self) {
        for (option, fate) in OPTIONS {
            if !self.has(option) {
                continue;
            }
            match fate {
                Fate::Translated => {}
                Fate::Note(text) => self.notes.push(format!("`-{option}`: {text}")),
                Fate::Error(text) => self.errors.push(format!("`-{option}`: {text}")),
            }
        }
    }

    pub(super) fn has(&self, option: &str) -> bool {
        self.given.iter().any(|(given, _)| given == option)
    }

    /// The value of an option with one value. When it is given several times, the last one counts.
    pub(super) fn value(&mut self, option: &str) -> Option<String> {
        let (_, params) = self.given.iter().rfind(|(given, _)| given == option)?;
        match &params[..] {
            [value] => Some(value.clone()),
            _ => {
                let error = format!("`-{option}` has one value, and here it has {}", params.len());
                self.errors.push(error);
                None
            }
        }
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self, option: &str) -> Option<T> {
        let value = self.value(option)?;
        let number = value.parse().ok();
        if number.is_none() {
            self.errors
                .push(format!("`-{option} {value}`: a whole number belongs here"));
        }
        number
    }

    /// The words `KEY=VALUE` of an option, for each time that it is given.
    pub(super) fn tables(&mut self, option: &str) -> Vec<Pairs> {
        let is_cutechess = self.is_cutechess;
        let errors = &mut self.errors;
        let given = self.given.iter().filter(|(given, _)| given == option);
        given
            .map(|(_, params)| {
                let pairs = params.iter().filter_map(|word| match word.split_once('=') {
                    Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                        Some((key.to_owned(), value.to_owned()))
                    }
                    // The only word of cutechess without a value.
                    None if is_cutechess && word == "ponder" => Some(("ponder".to_owned(), "on".to_owned())),
                    _ => {
                        errors.push(format!("`-{option}`: `{word}` is not KEY=VALUE"));
                        None
                    }
                });
                pairs.collect()
            })
            .collect()
    }

    /// The values of an option for these keys; the last of a key counts. Other keys are errors.
    pub(super) fn values<const N: usize>(&mut self, option: &str, keys: [&str; N]) -> [Option<String>; N] {
        let mut values = [const { None }; N];
        for (key, value) in self.tables(option).into_iter().flatten() {
            let place = keys
                .iter()
                .position(|known| *known == key)
                .and_then(|at| values.get_mut(at));
            match place {
                Some(place) => *place = Some(value),
                None => self.errors.push(format!(
                    "`-{option}` has no `{key}=`; it has {}",
                    keys.join("=, ") + "="
                )),
            }
        }
        values
    }

    /// Adds an option of lmrlab.
    pub(super) fn put(&mut self, option: &str, value: impl ToString) {
        self.command.extend([option.to_owned(), value.to_string()]);
    }
}

/// The value of a key; the last counts.
pub(super) fn of_key<'p>(pairs: &'p Pairs, key: &str) -> Option<&'p str> {
    pairs
        .iter()
        .rfind(|(known, _)| known == key)
        .map(|(_, value)| value.as_str())
}
