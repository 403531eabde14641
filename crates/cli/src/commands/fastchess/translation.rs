//! A command line that is being translated: its words, and the parts of the command so far.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::nearest;

use super::super::engine_words::escaped;
use super::words::{Becomes, WORDS, Word};

/// Words `KEY=VALUE`, in their order.
pub(super) type Pairs = Vec<(String, String)>;

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
    /// Translates these words of a command line that is typed in the folder `here`.
    pub(super) fn of(words: Vec<String>, here: &Path) -> Self {
        let mut translation = Self {
            here: here.to_owned(),
            ..Self::default()
        };
        translation.split(words);
        if !translation.errors.is_empty() {
            return translation;
        }
        translation.engines();
        for word in WORDS {
            let given = translation.given(word);
            match (&word.becomes, given) {
                (Becomes::Words(_, translate), Some(given)) => translate(&mut translation, &given),
                (Becomes::Always(_, translate), given) => translate(&mut translation, &given.unwrap_or_default()),
                (Becomes::Note(text), Some(given)) => translation.notes.push(about(word.option, &given, text)),
                (Becomes::Refused(text), Some(given)) => translation.errors.push(about(word.option, &given, text)),
                _ => {}
            }
        }
        translation
    }

    /// Groups the words by their options, and refuses those that the program does not have.
    fn split(&mut self, words: Vec<String>) {
        // A log contains the whole line in quotes: then it is one word.
        let words = match &words[..] {
            [line] => split_line(line).unwrap_or(words),
            _ => words,
        };
        let mut words = words.into_iter().peekable();
        if let Some(program) = words.next_if(|word| !word.starts_with('-')) {
            let file = program.rsplit(['/', '\\']).next();
            self.is_cutechess = file.is_some_and(|file| file.contains("cutechess"));
        }
        for word in words {
            let is_number = word
                .strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            match (word.strip_prefix('-'), self.line.last_mut()) {
                (Some(option), _) if !is_number => self.line.push((option.to_owned(), Vec::new())),
                (_, Some((_, params))) => params.push(word),
                (_, None) => self.errors.push(format!("`{word}` belongs to no option")),
            }
        }
        self.expand_quick();
        for (option, params) in &self.line {
            let own = (WORDS.iter()).filter(|word| word.option == table_of(option) && word.is_of(self.is_cutechess));
            let own: Vec<&Word> = own.collect();
            if own.is_empty() {
                self.errors.push(unknown(self.is_cutechess, option));
            } else if takes_keys(&own) {
                let wrong = params
                    .iter()
                    .filter_map(|param| wrong_key(self.is_cutechess, option, param, &own));
                self.errors.extend(wrong);
            } else if let [own] = own[..]
                && let Becomes::Words(..) | Becomes::Always(..) = own.becomes
                && let (least, most) = counts(own)
                && !(least..=most).contains(&params.len())
            {
                let wanted = if most == 0 { "no value" } else { "one value" };
                let error = format!("`-{option}` has {wanted}, and here it has {}", params.len());
                self.errors.push(error);
            }
        }
    }

    /// `-quick` is short for other options.
    fn expand_quick(&mut self) {
        let mut line = Vec::new();
        for (option, params) in std::mem::take(&mut self.line) {
            if option != "quick" || self.is_cutechess {
                line.push((option, params));
                continue;
            }
            let values = |key: &str| -> Vec<String> {
                let values = params.iter().filter_map(|param| param.strip_prefix(key));
                values.map(str::to_owned).collect()
            };
            let programs = values("cmd=");
            let (Some(book), [first, second]) = (values("book=").pop(), &programs[..]) else {
                let error = "`-quick` has two programs and a book, as in `-quick cmd=./a cmd=./b book=b.epd`";
                self.errors.push(error.to_owned());
                continue;
            };
            let wrong = params
                .iter()
                .filter(|param| !param.starts_with("cmd=") && !param.starts_with("book="));
            let errors = wrong.map(|word| format!("`-quick` has no `{word}`; it has cmd=, book="));
            self.errors.extend(errors);
            let names = if first == second { ["1", "2"] } else { [""; 2] };
            for (program, name) in [first, second].into_iter().zip(names) {
                let words = [
                    format!("cmd={program}"),
                    format!("name={program}{name}"),
                    "tc=10+0.1".to_owned(),
                ];
                line.push(("engine".to_owned(), words.to_vec()));
            }
            let short = format!(
                "-openings file={book} order=random -rounds 25000 -games 2 -concurrency {} -recover -draw movenumber=30 movecount=8 \
                 score=8 -output format=cutechess",
                self.processors_but(2).max(1)
            );
            for words in short.split(" -") {
                let mut words = words.trim_start_matches('-').split(' ').map(str::to_owned);
                line.push((words.next().unwrap_or_default(), words.collect()));
            }
        }
        self.line = line;
    }

    /// What the line has of a word; `None` when nothing.
    pub(super) fn given(&self, word: &Word) -> Option<Given> {
        if !word.is_of(self.is_cutechess) {
            return None;
        }
        let of_option = self.line.iter().filter(|(option, _)| table_of(option) == word.option);
        if !takes_keys(&[word]) {
            // When it is given several times, the last one counts.
            return of_option.last().map(|(_, words)| Given {
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
        (!given.words.is_empty()).then_some(given)
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
fn table_of(option: &str) -> &str {
    if option == "each" { "engine" } else { option }
}

/// Whether these words of one option have keys.
fn takes_keys(words: &[&Word]) -> bool {
    words
        .iter()
        .any(|word| word.example.contains('=') || word.option == "engine")
}

/// The least and the greatest number of values of an option without keys.
fn counts(word: &Word) -> (usize, usize) {
    match word.option {
        "repeat" => (0, 1),
        "use-affinity" => (0, usize::MAX),
        "pgnout" => (1, 3),
        _ => [(0, 0), (1, 1)][usize::from(!word.example.is_empty())],
    }
}

/// A message about the words of an option.
fn about(option: &str, given: &Given, text: &str) -> String {
    let mut words = vec![option];
    for word in &given.words {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    format!("`-{}`: {text}", words.join(" "))
}

/// The error for an option that the program does not have.
fn unknown(is_cutechess: bool, option: &str) -> String {
    const OWN: [(&str, &str); 3] = [("-run", "--run"), ("-out", "--out DIR"), ("-force", "--force")];
    if let Some((_, own)) = OWN.iter().find(|(own, _)| *own == option) {
        return format!(
            "`-{option}`: it belongs to lmrlab: write it before the words of fastchess, as in `lmrlab fastchess {own} -engine ..`"
        );
    }
    let of = |is_cutechess: bool| {
        WORDS
            .iter()
            .filter(move |word| word.is_of(is_cutechess))
            .map(|word| word.option)
    };
    format!(
        "{} has no option `-{option}`{}",
        name(is_cutechess),
        if of(!is_cutechess).any(|other| other == option) {
            of_other(is_cutechess)
        } else {
            nearest(option, of(is_cutechess)).map_or_else(String::new, |near| format!("; did you mean `-{near}`?"))
        }
    )
}

fn name(is_cutechess: bool) -> &'static str {
    if is_cutechess { "cutechess" } else { "fastchess" }
}

/// What to do with a word of the other program.
fn of_other(is_cutechess: bool) -> String {
    let other = if is_cutechess { "fastchess" } else { "cutechess-cli" };
    format!(
        "; {} has it: begin the line with `{other}` if it is one of that program",
        name(!is_cutechess)
    )
}

/// The error for a word that the option does not have, or that has no value.
fn wrong_key(is_cutechess: bool, option: &str, param: &str, own: &[&Word]) -> Option<String> {
    let (key, value) = pair(param);
    let Some(word) = own.iter().find(|word| word.has_key(key)) else {
        if !param.contains('=') && !(is_cutechess && option == "engine") {
            return Some(format!("`-{option}`: `{param}` is not KEY=VALUE"));
        }
        let mut others = WORDS.iter().filter(|word| word.option == table_of(option));
        let help = if others.any(|word| word.has_key(key)) {
            of_other(is_cutechess)
        } else {
            let keys: Vec<String> = own
                .iter()
                .flat_map(|word| word.keys())
                .map(|key| format!("{key}="))
                .collect();
            format!("; it has {}", keys.join(", "))
        };
        return Some(format!("`-{option}` has no `{key}=`{help}"));
    };
    // The words of cutechess without a value take any.
    let needs_value =
        word.example.contains('=') && !(is_cutechess && (key == "name" || key.starts_with(super::words::OPTION)));
    (needs_value && value.is_empty()).then(|| format!("`-{option}`: `{param}` is not KEY=VALUE"))
}

/// The words of a line as a shell splits them. `\` keeps its meaning in a line of Windows: there it is followed by a part
/// of a path, where a line for other shells has a character that is not one of words.
fn split_line(line: &str) -> Option<Vec<String>> {
    let parts = line.split('\\').skip(1);
    let mut first = parts.map(|part| part.chars().next());
    let is_of_windows = cfg!(windows) || first.any(|c| c.is_some_and(|c| c.is_alphanumeric() || "._".contains(c)));
    match is_of_windows {
        true => shlex::split(&escaped(line)),
        false => shlex::split(line),
    }
}
