//! A TOML table that is read key by key and reports unknown keys.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use crate::diagnostic::Diagnostic;
use crate::document::{Document, Located, Text};
use crate::exact_number::number_text;
use crate::nearest::nearest;
use crate::toml_value::{Entry, Node, Value};

/// One table of a [`Document`], read key by key. A getter returns `None` or an empty list when the key is absent. It
/// reports a wrong value and leaves it out.
#[derive(Debug)]
pub struct TomlTable<'d> {
    document: &'d Document,
    entries: Option<&'d BTreeMap<String, Entry>>,
    span: Range<usize>,
    path: String,
    asked: RefCell<Vec<String>>,
}

impl Document {
    /// The top-level table.
    pub fn root(&self) -> TomlTable<'_> {
        TomlTable::new(self, self.root_node(), String::new())
    }
}

impl<'d> TomlTable<'d> {
    fn new(document: &'d Document, node: &'d Node, path: String) -> Self {
        Self {
            document,
            entries: match &node.value {
                Value::Table(entries) => Some(entries),
                _ => None,
            },
            span: node.span.clone(),
            path,
            asked: RefCell::default(),
        }
    }

    /// The document that this table is part of.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// The table's name in the file; empty for the top level.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where the table stands.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Adds a diagnostic to the document.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.document.report(diagnostic);
    }

    /// The keys of the table with their places, sorted by name. Counts as asking for all of them.
    pub fn keys(&self) -> Vec<Located<String>> {
        let keys: Vec<_> = self
            .entries
            .into_iter()
            .flatten()
            .map(|(key, entry)| Located {
                value: key.clone(),
                span: entry.key_span.clone(),
            })
            .collect();
        self.asked.borrow_mut().extend(keys.iter().map(|key| key.value.clone()));
        keys
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// An unknown table with a name similar to `key`, when `key` is missing. [`Self::close`] reports it.
    pub fn misspelt(&self, key: &str, known: &[&str]) -> Option<TomlTable<'d>> {
        let entries = self.entries.filter(|entries| !entries.contains_key(key))?;
        let (name, entry) = entries.iter().find(|(name, entry)| {
            matches!(entry.node.value, Value::Table(_))
                && !known.contains(&name.as_str())
                && nearest(name, known.iter().copied()) == Some(key)
        })?;
        Some(TomlTable::new(self.document, &entry.node, self.name(name)))
    }

    /// The place of a key, or of the whole table when the key is not there.
    pub fn place_of(&self, key: &str) -> Range<usize> {
        self.entry(key).map_or(self.span(), |entry| entry.key_span.clone())
    }

    /// The place of a key's value, or of the whole table when the key is not there.
    pub fn place_of_value(&self, key: &str) -> Range<usize> {
        self.entry(key).map_or(self.span(), |entry| entry.node.span.clone())
    }

    fn entry(&self, key: &str) -> Option<&'d Entry> {
        self.asked.borrow_mut().push(key.to_owned());
        self.entries.and_then(|entries| entries.get(key))
    }

    fn name(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Returns `value`; when it is `None`, reports that the node is of another kind.
    fn of_kind<T>(&self, key: &str, node: &Node, wanted: &str, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.wrong_kind(key, node, wanted);
        }
        value
    }

    fn wrong_kind(&self, key: &str, node: &Node, wanted: &str) {
        let mut diagnostic = Diagnostic::error(format!("`{}` is {}, not {wanted}", self.name(key), node.value.kind()))
            .at(node.span.clone(), format!("{wanted} belongs here"));
        let unquoted = matches!(node.value, Value::Integer(_) | Value::Float(_) | Value::Boolean(_));
        if wanted == "a string"
            && unquoted
            && let Some(literal) = self.document.source().piece(node.span.clone())
        {
            diagnostic = diagnostic.help(format!("put it in quotes: `\"{literal}\"`"));
        }
        self.report(diagnostic);
    }

    /// Whether there is a table with this heading, which only the manifest of a run has; reports it. In a file of a
    /// user, the keys of this table stand at the top level.
    pub fn has_heading_of_manifest(&self, heading: &str) -> bool {
        let entry = self.entries.and_then(|entries| entries.get(heading));
        let Some(entry) = entry.filter(|entry| matches!(entry.node.value, Value::Table(_))) else {
            return false;
        };
        let error = Diagnostic::error(format!("only the manifest of a run has `[{heading}]`"))
            .at(entry.key_span.clone(), "the keys below it belong to the top level")
            .help("remove this line; `lmrlab resume DIR` resumes a run that has a manifest");
        self.report(error);
        true
    }

    /// Returns `value`; reports the key as missing when `value` is `None` and the key is absent.
    pub fn require<T>(&self, key: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.entry(key).is_none() {
            let place = if self.path.is_empty() { 0..0 } else { self.span() };
            let unknown: Vec<_> = self
                .entries
                .into_iter()
                .flatten()
                .filter(|(other, _)| !self.asked.borrow().contains(other))
                .collect();
            let near = nearest(key, unknown.iter().map(|(other, _)| other.as_str()));
            match near.and_then(|near| unknown.iter().find(|(other, _)| *other == near)) {
                Some((other, entry)) => {
                    let error = Diagnostic::error(format!("`{}` is missing", self.name(key)))
                        .at(entry.key_span.clone(), format!("is this `{key}`?"))
                        .help(format!("rename `{other}` to `{key}`"));
                    self.report(error);
                    // `close` need not report the misspelt key again.
                    self.asked.borrow_mut().push((*other).clone());
                }
                None => self.document.report_missing(place, key, self.name(key)),
            }
        }
        value
    }

    /// A string.
    pub fn text(&self, key: &str) -> Option<Text> {
        let node = &self.entry(key)?.node;
        self.of_kind(key, node, "a string", self.text_of(node))
    }

    fn text_of(&self, node: &Node) -> Option<Text> {
        let Value::Text(value) = &node.value else {
            return None;
        };
        let literal = self.document.source().piece(node.span.clone());
        // A command line has no quotes of TOML; a multi-line string may open with a line break that is not part of it.
        let inner = literal
            .and_then(|literal| {
                if literal == value {
                    return Some(0);
                }
                let quotes = if literal.starts_with("\"\"\"") || literal.starts_with("'''") {
                    3
                } else {
                    1
                };
                let rest = literal.get(quotes..)?;
                let skipped = rest.len() - rest.strip_prefix('\n').unwrap_or(rest).len();
                (rest.get(skipped..)?.starts_with(value.as_str())).then_some(quotes + skipped)
            })
            .map(|offset| node.span.start + offset);
        Some(Text::new(value.clone(), node.span.clone(), inner))
    }

    /// A string, a number or a boolean, as text.
    pub fn scalar(&self, key: &str) -> Option<String> {
        let node = &self.entry(key)?.node;
        let text = match &node.value {
            Value::Text(value) => Some(value.clone()),
            Value::Integer(value) => Some(value.to_string()),
            Value::Float(value) => Some(value.to_string()),
            Value::Boolean(value) => Some(value.to_string()),
            Value::List(_) | Value::Table(_) | Value::Other(_) => None,
        };
        self.of_kind(key, node, "a string, a number or a boolean", text)
    }

    /// A boolean.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        let node = &self.entry(key)?.node;
        let value = match node.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        };
        self.of_kind(key, node, "`true` or `false`", value)
    }

    /// An integer within `range`.
    pub fn integer(&self, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let node = &self.entry(key)?.node;
        let value = match node.value {
            Value::Integer(value) => Some(value),
            _ => None,
        };
        let value = self.of_kind(key, node, "an integer", value)?;
        if range.contains(&value) {
            return Some(value);
        }
        let (low, high) = (*range.start() as f64, *range.end() as f64);
        self.out_of_range(key, node, &value.to_string(), low, high);
        None
    }

    /// A number (integer or with a fraction) within `range`.
    pub fn number(&self, key: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let node = &self.entry(key)?.node;
        let value = self.of_kind(key, node, "a number", node.value.number())?;
        if value.is_finite() && range.contains(&value) {
            return Some(value);
        }
        self.out_of_range(key, node, &number_text(value), *range.start(), *range.end());
        None
    }

    fn out_of_range(&self, key: &str, node: &Node, value: &str, low: f64, high: f64) {
        let bounds = match (
            low <= i64::MIN as f64 || low == f64::MIN,
            high >= i64::MAX as f64 || high == f64::MAX,
        ) {
            (true, true) => "a finite number".to_owned(),
            (true, false) => format!("at most {}", number_text(high)),
            (false, true) => format!("at least {}", number_text(low)),
            (false, false) => format!("from {} to {}", number_text(low), number_text(high)),
        };
        self.report(
            Diagnostic::error(format!("`{}` is {value}, out of range", self.name(key)))
                .at(node.span.clone(), format!("must be {bounds}")),
        );
    }

    /// One of `choices`, given as name and meaning.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?;
        if let Some((_, value)) = choices.iter().find(|(name, _)| *name == text.value) {
            return Some(*value);
        }
        let names: Vec<_> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        let mut diagnostic = Diagnostic::error(format!("`{}` is not a value of `{}`", text.value, self.name(key)))
            .at(text.span.clone(), format!("one of {}", names.join(", ")));
        if let Some(near) = nearest(&text.value, choices.iter().map(|(name, _)| *name)) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
        None
    }

    /// A table.
    pub fn table(&self, key: &str) -> Option<TomlTable<'d>> {
        self.table_of(key, &self.entry(key)?.node)
    }

    fn table_of(&self, key: &str, node: &'d Node) -> Option<TomlTable<'d>> {
        let is_table = matches!(node.value, Value::Table(_));
        let table = is_table.then(|| TomlTable::new(self.document, node, self.name(key)));
        self.of_kind(key, node, "a table", table)
    }

    /// A list of tables (`[[key]]`); empty when the key is absent.
    pub fn tables(&self, key: &str) -> Vec<TomlTable<'d>> {
        let nodes = self.list(key, "a list of tables");
        nodes.iter().filter_map(|node| self.table_of(key, node)).collect()
    }

    /// Whether the value of a key is a list.
    pub fn is_list(&self, key: &str) -> bool {
        self.entry(key)
            .is_some_and(|entry| matches!(entry.node.value, Value::List(_)))
    }

    /// A list of strings; empty when the key is absent.
    pub fn texts(&self, key: &str) -> Vec<Text> {
        let nodes = self.list(key, "a list of strings");
        let text = |node| self.of_kind(key, node, "a string", self.text_of(node));
        nodes.iter().filter_map(text).collect()
    }

    /// A list of numbers; empty when the key is absent.
    pub fn numbers(&self, key: &str) -> Vec<Located<f64>> {
        let nodes = self.list(key, "a list of numbers").iter();
        nodes
            .filter_map(|node| {
                Some(Located {
                    value: self.finite(key, node)?,
                    span: node.span.clone(),
                })
            })
            .collect()
    }

    /// A list of lists of numbers, such as the rows of a table; empty when the key is absent.
    pub fn rows(&self, key: &str) -> Vec<Located<Vec<f64>>> {
        let nodes = self.list(key, "a list of rows");
        nodes
            .iter()
            .filter_map(|node| {
                let Value::List(cells) = &node.value else {
                    self.wrong_kind(key, node, "a list of numbers");
                    return None;
                };
                Some(Located {
                    value: cells.iter().filter_map(|cell| self.finite(key, cell)).collect(),
                    span: node.span.clone(),
                })
            })
            .collect()
    }

    /// A finite number of a list; reports any other value.
    fn finite(&self, key: &str, node: &Node) -> Option<f64> {
        let number = node.value.number().filter(|value| value.is_finite());
        self.of_kind(key, node, "a finite number", number)
    }

    fn list(&self, key: &str, wanted: &str) -> &'d [Node] {
        match self.entry(key) {
            None => &[],
            Some(Entry {
                node: Node {
                    value: Value::List(nodes),
                    ..
                },
                ..
            }) => nodes,
            Some(entry) => {
                self.wrong_kind(key, &entry.node, wanted);
                &[]
            }
        }
    }

    /// A value with what it reads of the table; `None` when something there is wrong, which is reported.
    pub fn right<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
        let before = self.document().reported();
        let value = read();
        (self.document().reported() == before).then_some(value)
    }

    /// Whether there are keys that were not asked for yet.
    pub fn has_unread_keys(&self) -> bool {
        let asked = self.asked.borrow();
        let mut keys = self.entries.into_iter().flatten().map(|(key, _)| key);
        keys.any(|key| !asked.contains(key))
    }

    /// Reports every key that was never asked for.
    pub fn close(self) {
        let asked = self.asked.borrow();
        for (key, entry) in self.entries.into_iter().flatten() {
            if asked.contains(key) {
                continue;
            }
            let place = if self.path.is_empty() {
                "at the top level".to_owned()
            } else {
                format!("in `{}`", self.path)
            };
            let mut diagnostic = Diagnostic::error(format!("unknown key `{key}` {place}"))
                .at(entry.key_span.clone(), "nothing reads this");
            let mut known: Vec<&str> = asked.iter().map(String::as_str).collect();
            known.sort_unstable();
            known.dedup();
            diagnostic = match nearest(key, known.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("the keys here are: {}", known.join(", "))),
            };
            self.document.report(diagnostic);
        }
    }
}
