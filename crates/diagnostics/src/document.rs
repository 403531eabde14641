//! A TOML document that knows the place of every value and collects all mistakes.
//!
//! A [`Document`] is read through [`TomlTable`](crate::TomlTable)s. Each getter notes the key, and
//! [`TomlTable::close`](crate::TomlTable::close) reports the keys that no getter has read, with the nearest known key.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::de::DeTable;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Source;
use crate::toml_value::{Node, convert_table, moved};

/// A value with its place, as bytes of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A string with its place, and with the places of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The string after TOML's escapes.
    pub value: String,
    /// Where the whole literal stands, quotes included.
    pub span: Range<usize>,
    /// Where its first byte stands, when no escape shifts the rest.
    inner: Option<usize>,
}

impl Text {
    /// A text without a place, such as an override from the command line.
    pub fn detached(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            span: 0..0,
            inner: None,
        }
    }

    /// The same text, for messages that point at this place.
    pub fn at(self, span: Range<usize>) -> Self {
        Self {
            span,
            inner: None,
            ..self
        }
    }

    /// A text in a file; `inner` is where its first byte stands, when no escape shifts the rest.
    pub(crate) fn new(value: String, span: Range<usize>, inner: Option<usize>) -> Self {
        Self { value, span, inner }
    }

    /// The place in the source of `part`, given as bytes of [`Text::value`].
    pub fn place(&self, part: Range<usize>) -> Range<usize> {
        match self.inner {
            Some(start) => start + part.start..start + part.end.max(part.start),
            None => self.span.clone(),
        }
    }
}

/// A parsed TOML file, and the errors and warnings about it so far.
#[derive(Debug)]
pub struct Document {
    source: Source,
    root: Node,
    diagnostics: RefCell<Vec<Diagnostic>>,
    missing: RefCell<Vec<Missing>>,
}

/// Whether a source has the name of a TOML file, or comes from no file.
fn is_named_as_toml(source: &Source) -> bool {
    source
        .path()
        .is_none_or(|path| path.extension().is_some_and(|extension| extension == "toml"))
}

/// The error about a file that is not TOML, neither by its name nor by its contents. It shows nothing of the file, because a
/// configuration from another person can name any file, such as one with passwords.
fn unquoted(source: &Source, error: &toml::de::Error) -> Diagnostics {
    let before = error
        .span()
        .and_then(|span| source.text.get(..span.start))
        .unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let message = format!(
        "`{}` is not a TOML file (line {line}: {})",
        source.name,
        error.message()
    );
    let report = Diagnostic::error(message).help("name a TOML file; the names of TOML files end in `.toml`");
    Diagnostics::new(source.clone(), vec![report])
}

/// A key that is missing.
#[derive(Debug)]
struct Missing {
    /// Where it should be.
    place: Range<usize>,
    /// The key, and its name with the tables that it should be in.
    key: String,
    name: String,
}

impl Document {
    /// Parses `source`.
    ///
    /// # Errors
    /// When it is not TOML. The list has every syntax error. If most lines have one, the file is not meant as TOML and
    /// may be secret, so the list has only the first. If the name of the file does not end in `.toml`, the error quotes
    /// nothing of the file.
    pub fn parse(source: Source) -> Result<Self, Diagnostics> {
        Self::parse_at(source, 0)
    }

    /// Parses `source`; all places count from `base`.
    ///
    /// # Errors
    /// As [`Document::parse`]. Their places count from 0.
    pub fn parse_at(source: Source, base: usize) -> Result<Self, Diagnostics> {
        let (table, errors) = DeTable::parse_recoverable(&source.text);
        if let Some(first) = errors.first()
            && !is_named_as_toml(&source)
        {
            return Err(unquoted(&source, first));
        }
        if !errors.is_empty() {
            let is_something_else = is_something_else(&source.text, &errors);
            let shown = if is_something_else { 1 } else { errors.len() };
            let list = errors
                .iter()
                .take(shown)
                .map(|error| {
                    let diagnostic = Diagnostic::error(format!("not valid TOML: {}", error.message()));
                    match error.span() {
                        Some(span) => diagnostic.at(span, ""),
                        None => diagnostic,
                    }
                })
                .collect();
            return Err(Diagnostics::new(source, list));
        }
        let span = table.span();
        let root = Node {
            value: convert_table(table.into_inner(), base),
            span: moved(span, base),
        };
        Ok(Self::from_parts(source, root))
    }

    /// The text that was parsed.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The parts of the document, to be merged with those of others.
    pub fn into_parts(self) -> (Source, Node) {
        (self.source, self.root)
    }

    /// Makes a document from merged parts.
    pub fn from_parts(source: Source, root: Node) -> Self {
        Self {
            source,
            root,
            diagnostics: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// Whether a place lies in the file itself rather than in one that it extends.
    pub fn is_own(&self, place: &Range<usize>) -> bool {
        place.start <= self.source.text.len()
    }

    /// The top-level table as a value, to merge documents.
    pub fn root_node(&self) -> &Node {
        &self.root
    }

    /// Adds a diagnostic.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// How much has been reported so far.
    pub(crate) fn reported(&self) -> usize {
        self.diagnostics.borrow().len() + self.missing.borrow().len()
    }

    /// Adds a key that is missing at this place. All missing keys of one place make one error.
    pub(crate) fn report_missing(&self, place: Range<usize>, key: &str, name: String) {
        let key = key.to_owned();
        self.missing.borrow_mut().push(Missing { place, key, name });
    }

    /// The diagnostics so far, sorted by place. A place that is read more than once has each diagnostic once.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut list = self.diagnostics.borrow().clone();
        list.extend(errors_of_missing(&self.missing.borrow()));
        let mut diagnostics = Diagnostics::new(self.source.clone(), list);
        diagnostics.list.dedup();
        diagnostics
    }

    /// `value` with the warnings, or all errors and warnings.
    ///
    /// # Errors
    /// When an error was reported, or `value` is `None` (which a reader returns only after it reported why).
    pub fn finish<T>(&self, value: Option<T>) -> Result<(T, Diagnostics), Diagnostics> {
        let diagnostics = self.diagnostics();
        match value {
            Some(value) if !diagnostics.has_errors() => Ok((value, diagnostics)),
            _ => Err(diagnostics),
        }
    }
}

fn errors_of_missing(missing: &[Missing]) -> impl Iterator<Item = Diagnostic> {
    let mut places: BTreeMap<(usize, usize), Vec<&Missing>> = BTreeMap::new();
    for missing in missing {
        let place = (missing.place.start, missing.place.end);
        places.entry(place).or_default().push(missing);
    }
    places.into_iter().map(|((start, end), here)| {
        let (message, label) = match here[..] {
            [Missing { key, name, .. }] => (format!("`{name}` is missing"), format!("no `{key}` here")),
            _ => {
                let names: Vec<String> = here.iter().map(|missing| format!("`{}`", missing.name)).collect();
                let (last, others) = names
                    .split_last()
                    .map_or(("", &[][..]), |(last, others)| (last, others));
                let message = format!("{} and {last} are missing", others.join(", "));
                (message, "no such keys here".to_owned())
            }
        };
        Diagnostic::error(message).at(start..end, label)
    })
}

/// Whether most lines of a text have a syntax error, so that it is hardly meant as TOML.
fn is_something_else(text: &str, errors: &[toml::de::Error]) -> bool {
    let line = |error: &toml::de::Error| {
        let before = text.get(..error.span()?.start)?;
        Some(before.matches('\n').count())
    };
    let wrong: BTreeSet<usize> = errors.iter().filter_map(line).collect();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    2 * wrong.len() > lines
}
