//! `[host]`: facts of another engine beyond the catalogue, for a policy that only that engine can run.

use std::ops::Range;

use lmrlab_diagnostics::TomlTable;

use lmrlab_host::runtime::OwnFacts;
use lmrlab_host::runtime::words::is_word;

use crate::complaint::Complain;
use crate::facts::MOST_OWN;
use crate::parameter::is_free;

/// The place of each name that may be used, flags first.
pub(crate) type Places = Vec<(String, Range<usize>)>;

/// Reads the table. Names that are wrong are reported.
pub(crate) fn read(table: TomlTable<'_>, parameters: &[&str]) -> (OwnFacts, Places) {
    let mut places: Places = Vec::new();
    let mut names = |key: &str| -> Vec<String> {
        let texts = table.texts(key);
        if texts.len() > MOST_OWN {
            let message = format!("`host.{key}` has {} names", texts.len());
            let label = &format!("at most {MOST_OWN}");
            table.wrong(message, table.place_of_value(key), label, "");
        }
        for text in &texts {
            let name = &text.value;
            let other = if is_word(name) {
                Some("a word of compiled policies")
            } else if parameters.contains(&name.as_str()) {
                Some("already a parameter")
            } else if places.iter().any(|(other, _)| other == name) {
                Some("already in this table")
            } else {
                None
            };
            if is_free(&table, (name, text.span.clone()), "a fact of another engine", other) {
                places.push((name.clone(), text.span.clone()));
            }
        }
        texts.into_iter().map(|text| text.value).collect()
    };
    let own = OwnFacts {
        flags: names("flags"),
        numbers: names("numbers"),
    };
    if own == OwnFacts::default() && !table.has_unread_keys() {
        let message = "`[host]` declares no fact";
        let help = "name facts of the engine, as in `flags = [\"my_threat\"]`, or remove the table";
        table.wrong(message, table.span(), "empty", help);
    }
    table.close();
    (own, places)
}
