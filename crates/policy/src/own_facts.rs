//! `[host]`: facts of another engine beyond the catalogue, for a policy that only that engine can run.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Table};

use crate::expression::function::{self, KEYWORDS};
use crate::facts::{Fact, MOST_OWN};
use crate::parameter::is_identifier;

/// The most characters of a name.
const MAX_NAME: usize = 64;
/// Words of compiled policies that are not functions of the language.
const WORDS: [&str; 3] = ["dup", "drop", "neg"];

/// The facts that a policy declares; lmrlab's own search knows none of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct OwnFacts {
    pub(crate) flags: Vec<String>,
    pub(crate) numbers: Vec<String>,
}

/// The place of each name that may be used, flags first.
pub(crate) type Places = Vec<(String, Range<usize>)>;

impl OwnFacts {
    /// Reads the table. Names that are wrong are reported.
    pub(crate) fn read(table: Table<'_>, parameters: &[&str]) -> (Self, Places) {
        let mut places: Places = Vec::new();
        let mut names = |key: &str| -> Vec<String> {
            let texts = table.texts(key);
            if texts.len() > MOST_OWN {
                table.report(
                    Diagnostic::error(format!("`host.{key}` has {} names", texts.len()))
                        .at(table.place_of_value(key), format!("at most {MOST_OWN}")),
                );
            }
            for text in &texts {
                let name = &text.value;
                let taken = if Fact::named(name).is_some() {
                    Some("already a fact of the catalogue")
                } else if function::named(name).is_some() || KEYWORDS.contains(&name.as_str()) {
                    Some("already a word of the language")
                } else if WORDS.contains(&name.as_str()) {
                    Some("a word of compiled policies")
                } else if parameters.contains(&name.as_str()) {
                    Some("already a parameter")
                } else if places.iter().any(|(other, _)| other == name) {
                    Some("already in this table")
                } else if !is_identifier(name) || name.len() > MAX_NAME {
                    Some("not a name")
                } else {
                    None
                };
                let Some(label) = taken else {
                    places.push((name.clone(), text.span.clone()));
                    continue;
                };
                table.report(
                    Diagnostic::error(format!("a fact of another engine cannot be called `{name}`"))
                        .at(text.span.clone(), label)
                        .help(format!(
                            "choose another name of up to {MAX_NAME} letters, digits and `_`, with a letter first"
                        )),
                );
            }
            texts.into_iter().map(|text| text.value).collect()
        };
        let own = Self {
            flags: names("flags"),
            numbers: names("numbers"),
        };
        if own == Self::default() && !table.has_unread_keys() {
            table.report(
                Diagnostic::error("`[host]` declares no fact")
                    .at(table.span(), "empty")
                    .help("name facts of the engine, as in `flags = [\"my_threat\"]`, or remove the table"),
            );
        }
        table.close();
        (own, places)
    }
}
