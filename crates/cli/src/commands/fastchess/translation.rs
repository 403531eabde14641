//! A command line that is being translated: its words, what becomes of a word, and the parts of the command so far.

use std::path::PathBuf;

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

/// What becomes of a word.
#[derive(Debug)]
pub(super) enum Becomes {
    /// The text is what the example becomes; empty when lmrlab does that anyway. The function adds it to the command.
    Words(&'static str, fn(&mut Translation, &Given)),
    /// The same for an option that has a meaning when it is absent, too.
    Always(&'static str, fn(&mut Translation, &Given)),
    /// The text is what the example becomes among the words of an engine. The function gets its key and its value.
    OfEngine(&'static str, fn(&mut Translation, &str, &str) -> Option<String>),
    /// Without it the games are the same. The text says what lmrlab does instead.
    Note(&'static str),
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
        let words = self.example.split_whitespace();
        words.map(|word| word.split_once('=').map_or(word, |(key, _)| key))
    }

    /// Whether the program has it.
    pub(super) fn is_of(&self, is_cutechess: bool) -> bool {
        match self.of {
            MatchRunner::Both => true,
            MatchRunner::Fastchess => !is_cutechess,
            MatchRunner::Cutechess => is_cutechess,
        }
    }
}

/// Before the name of a UCI option.
pub(super) const OPTION: &str = "option.";

/// Words `KEY=VALUE`, in their order.
pub(super) type KeyValues = Vec<(String, String)>;

/// A command line that is being translated.
#[derive(Debug, Default)]
pub(super) struct Translation {
    /// All words.
    pub(super) table: &'static [Word],
    pub(super) is_cutechess: bool,
    /// The folder that the line is typed in.
    pub(super) here: PathBuf,
    /// The options without their hyphen, with their words.
    pub(super) line: Vec<(String, Vec<String>)>,
    /// The words for each engine.
    pub(super) engines: Vec<String>,
    /// Their names.
    pub(super) names: Vec<String>,
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
    words: Vec<String>,
    /// The value of each key of the example; the last counts.
    values: Vec<Option<String>>,
}

impl Given {
    /// The words, as they are on the line.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// The values of the first keys of the example.
    pub(super) fn values<const N: usize>(&self) -> [Option<String>; N] {
        std::array::from_fn(|at| self.values.get(at).cloned().flatten())
    }

    /// The only word. Options with another number of words were refused.
    pub(super) fn value(&self) -> String {
        self.words.first().cloned().unwrap_or_default()
    }
}

impl Translation {
    /// What the line has of a word; `None` when nothing.
    pub(super) fn given(&self, word: &Word) -> Option<Given> {
        if !word.is_of(self.is_cutechess) {
            return None;
        }
        let mut of_option = self.line.iter().filter(|(option, _)| table_of(option) == word.option);
        if !takes_keys(&[word]) {
            // When it is given several times, the last one counts.
            return of_option.next_back().map(|(_, words)| Given {
                words: words.clone(),
                values: Vec::new(),
            });
        }
        let mut given = Given {
            words: Vec::new(),
            values: word.keys().map(|_| None).collect(),
        };
        for param in of_option.flat_map(|(_, params)| params) {
            let (key, value) = pair(param);
            if word.has_key(key) {
                given.words.push(param.clone());
                let place = word.keys().position(|own| own == key);
                if let Some(place) = place.and_then(|at| given.values.get_mut(at)) {
                    *place = Some(value.to_owned());
                }
            }
        }
        let is_alone = self.last(word.option).is_some_and(<[String]>::is_empty) && word.has_key("file");
        (is_alone || !given.words.is_empty()).then_some(given)
    }

    pub(super) fn has(&self, option: &str) -> bool {
        self.line.iter().any(|(given, _)| given == option)
    }

    /// The words of an option. When it is given several times, the last one counts.
    pub(super) fn last(&self, option: &str) -> Option<&[String]> {
        let (_, words) = self.line.iter().rfind(|(given, _)| given == option)?;
        Some(words)
    }

    /// A number of an option; `None` when it is absent or no number, which is an error.
    pub(super) fn number<T: std::str::FromStr>(&mut self, option: &str) -> Option<T> {
        let value = self.last(option)?.first()?.clone();
        let number = value.parse().ok();
        if number.is_none() {
            self.errors
                .push(format!("`-{option} {value}`: a whole number belongs here"));
        }
        number
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

/// Whether these words of one option have keys.
pub(super) fn takes_keys(words: &[&Word]) -> bool {
    words
        .iter()
        .any(|word| word.example.contains('=') || word.option == "engine")
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
