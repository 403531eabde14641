//! `[let]`: subexpressions with names. An expression that mentions the name gets a copy of the subexpression.

use std::collections::BTreeSet;

use lmrlab_diagnostics::{Document, Located, Text, TomlTable};

use crate::complaint::Complain;
use crate::expression::parser;
use crate::expression::scope::{Let, Scope};
use crate::parameter;

/// How many names `[let]` may have.
const MOST: usize = 256;

/// A subexpression that is not checked yet.
struct Unchecked {
    text: Text,
    /// The places of the other subexpressions that it mentions.
    mentions: BTreeSet<usize>,
}

/// Reads the table into `scope`, which has all other names. A subexpression may mention others, whatever their order.
pub(crate) fn read(document: &Document, table: &TomlTable<'_>, scope: &mut Scope) {
    let keys = table.keys();
    if let Some(key) = keys.get(MOST) {
        let message = format!("`[let]` has more than {MOST} names");
        table.wrong(message, key.span.clone(), "one too many", "");
        return;
    }
    let other = |name: &str| match scope.parameters.iter().any(|parameter| parameter.name == name) {
        true => Some("already a parameter"),
        false => scope
            .names()
            .any(|known| known == name)
            .then_some("already a fact of `[host]`"),
    };
    let is_free = |key: &Located<String>| {
        let (name, place) = (key.value.as_str(), key.span.clone());
        parameter::is_free(table, (name, place), "a subexpression", other(name))
    };
    let keys: Vec<_> = keys.into_iter().filter(is_free).collect();
    let texts: Vec<Option<Text>> = keys.iter().map(|key| table.text(&key.value)).collect();
    scope.lets = keys.into_iter().map(|key| Let::without_value(key.value)).collect();
    let unchecked = |text: Text| {
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let words: BTreeSet<&str> = text.value.split(|c| !is_of_word(c)).collect();
        let named = scope.lets.iter().enumerate();
        let mentions = named.filter(|(_, named)| words.contains(named.name.as_str()));
        let mentions = mentions.map(|(index, _)| index).collect();
        Unchecked { text, mentions }
    };
    let mut unchecked: Vec<Option<Unchecked>> = texts.into_iter().map(|text| text.map(unchecked)).collect();
    loop {
        let is_checked = |index: &usize| unchecked.get(*index).is_none_or(Option::is_none);
        let ready = |one: &Option<Unchecked>| one.as_ref().is_some_and(|one| one.mentions.iter().all(is_checked));
        let Some(index) = unchecked.iter().position(ready) else {
            break;
        };
        if let Some(Some(ready)) = unchecked.get_mut(index).map(Option::take) {
            check(document, &ready.text, index, scope);
        }
    }
    let left: Vec<&Let> = (scope.lets.iter().zip(&unchecked))
        .filter_map(|(named, one)| one.as_ref().map(|_| named))
        .collect();
    if let Some(first) = left.first() {
        let names: Vec<String> = left.iter().map(|named| format!("`{}`", named.name)).collect();
        let message = format!(
            "subexpressions cannot be computed, because some of them mention themselves or each other in a circle: {}",
            names.join(", ")
        );
        let help = "a subexpression is computed from others, not from itself: remove one of the mentions";
        table.wrong(message, table.place_of_value(&first.name), "the first of them", help);
    }
}

/// Gives a subexpression its value. All other subexpressions that it mentions are checked already.
fn check(document: &Document, text: &Text, index: usize, scope: &mut Scope) {
    let reading = parser::read(document, text, scope, |_, whole| whole.value);
    if let Some(named) = scope.lets.get_mut(index) {
        (named.value, named.lets) = (reading.value, reading.lets.into_iter().collect());
    }
}
