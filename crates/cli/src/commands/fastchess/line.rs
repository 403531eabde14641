//! The words of a command line, by their options. Words that the program does not have are refused.

use lmrlab_diagnostics::nearest;

use super::super::shared::engine_words::escaped;
use super::translation::{Becomes, Translation, Word, pair, table_of};
use super::words::WORDS;

/// Options of fastchess that have words, and defaults for all of them.
const MAY_BE_ALONE: [&str; 2] = ["pgnout", "epdout"];

impl Translation {
    /// Groups the words by their options, and refuses those that the program does not have.
    pub(super) fn split(&mut self, words: Vec<String>) {
        // A log contains the whole line in quotes: then it is one word.
        let words = match &words[..] {
            [line] => split_line(line),
            _ => Some(words),
        };
        let Some(words) = words else {
            self.errors.push("a quote has no other half".to_owned());
            return;
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
        let wrong = self.line.iter();
        let wrong: Vec<String> = wrong
            .filter_map(|(option, params)| self.mistake(option, params))
            .collect();
        self.errors.extend(wrong);
    }

    /// What is wrong with an option and its words.
    fn mistake(&self, option: &str, params: &[String]) -> Option<String> {
        let all = || WORDS.iter().filter(|word| word.option == table_of(option));
        let own: Vec<&Word> = all().filter(|word| word.is_of(self.is_cutechess)).collect();
        let Some(first) = own.first() else {
            return Some(self.unknown(option, all().next().is_some()));
        };
        if own.iter().any(|word| word.takes_keys()) {
            if params.is_empty() && !MAY_BE_ALONE.contains(&option) {
                return Some(format!("`-{option}` needs words, as in `-{option} {}`", first.example));
            }
            let has = |words: &[&Word], key: &str| words.iter().any(|word| word.has_key(key));
            let key = params.iter().map(|param| pair(param).0).find(|key| !has(&own, key))?;
            let keys: Vec<&str> = own.iter().flat_map(|word| word.keys()).collect();
            let help = match has(&all().collect::<Vec<_>>(), key) {
                true => self.of_other(),
                false => format!("; it has {}=", keys.join("=, ")),
            };
            return Some(format!("`-{option}` has no `{key}=`{help}"));
        }
        let is_ignored = matches!(first.becomes, Becomes::Note(_) | Becomes::Refused(_));
        let (least, most) = counts(first);
        let wanted = if most == 0 { "no value" } else { "one value" };
        let is_right = is_ignored || (least..=most).contains(&params.len());
        (!is_right).then(|| format!("`-{option}` has {wanted}, and here it has {}", params.len()))
    }

    /// The error for an option that the program does not have.
    fn unknown(&self, option: &str, is_of_other: bool) -> String {
        let own = WORDS.iter().filter(|word| word.is_of(self.is_cutechess));
        let near = nearest(option, own.map(|word| word.option));
        let help = match near {
            _ if is_of_other => self.of_other(),
            Some(near) => format!("; did you mean `-{near}`?"),
            None => String::new(),
        };
        let program = if self.is_cutechess { "cutechess" } else { "fastchess" };
        format!("{program} has no option `-{option}`{help}")
    }

    /// What to do with a word of the other program.
    fn of_other(&self) -> String {
        let (other, begin) = match self.is_cutechess {
            true => ("fastchess", "fastchess"),
            false => ("cutechess", "cutechess-cli"),
        };
        format!("; {other} has it: begin the line with `{begin}` if it is one of that program")
    }
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
