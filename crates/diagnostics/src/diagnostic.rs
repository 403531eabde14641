//! What is wrong with a file, where, and what would be right.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

/// The largest configuration file that is read, in bytes. Hand-written files are a thousand times smaller.
pub const MAX_SOURCE_BYTES: u64 = 1 << 20;

/// A text together with the name under which a message shows it (usually a path).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name shown in messages.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The file that it was read from, if any.
    path: Option<Arc<Path>>,
    /// The sources that this one extends. Places in them are counted as if their texts stood after this one.
    parents: Vec<Source>,
}

impl Source {
    /// A source from a text in memory.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            path: None,
            parents: Vec::new(),
        }
    }

    /// The same text as if it stood in a file at this path, from whose folder names of other files start.
    pub fn located(self, path: &Path) -> Self {
        Self {
            path: Some(path.into()),
            ..self
        }
    }

    /// The file that the text was read from, if any.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Where the text of the next parent starts.
    pub fn end(&self) -> usize {
        let texts = std::iter::once(self).chain(&self.parents);
        texts.map(|source| source.text.len() + 1).sum()
    }

    /// Adds a source that this one extends.
    pub fn add_parent(&mut self, parent: Self) {
        self.parents.push(parent);
    }

    /// Which text a place lies in, and where in it.
    pub fn locate(&self, span: Range<usize>) -> (&Self, Range<usize>) {
        let mut source = self;
        let mut start = 0;
        for parent in &self.parents {
            let next = start + source.text.len() + 1;
            if span.start < next {
                break;
            }
            (source, start) = (parent, next);
        }
        (source, span.start - start..span.end.saturating_sub(start))
    }

    /// The piece of text at a place.
    pub fn piece(&self, span: Range<usize>) -> Option<&str> {
        let (source, span) = self.locate(span);
        source.text.get(span)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be opened, is longer than [`MAX_SOURCE_BYTES`], or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::read_as(path, &path.display().to_string())
    }

    /// Reads a file that messages call `name`, as its user wrote it.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_as(path: &Path, name: &str) -> Result<Self, Diagnostics> {
        let refuse = |message: String, help: Option<&str>| {
            let mut diagnostic = Diagnostic::error(message);
            diagnostic.help = help.map(str::to_owned);
            Diagnostics::new(Source::new(name, ""), vec![diagnostic])
        };
        let metadata = std::fs::metadata(path)
            .map_err(|error| refuse(format!("cannot read `{name}`: {error}"), None))?;
        if metadata.is_dir() {
            return Err(refuse(
                format!("`{name}` is a folder, not a file"),
                Some("name a TOML file"),
            ));
        }
        let too_long = |length: &str| {
            refuse(
                format!(
                    "`{name}` {length} than the {MAX_SOURCE_BYTES} bytes that a configuration file may have"
                ),
                Some("is this the right file?"),
            )
        };
        if metadata.len() > MAX_SOURCE_BYTES {
            return Err(too_long(&format!("has {} bytes, more", metadata.len())));
        }
        // A device or a pipe has no length beforehand.
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| refuse(format!("cannot read `{name}`: {error}"), None))?;
        if bytes.len() as u64 > MAX_SOURCE_BYTES {
            return Err(too_long("is longer"));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            refuse(
                format!("`{name}` is not UTF-8 text (byte {at})"),
                Some("save the file as UTF-8"),
            )
        })?;
        Ok(Self {
            path: Some(path.into()),
            ..Self::new(name, text)
        })
    }
}

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but probably does not mean what its author meant.
    Warning,
}

/// One thing that is wrong, with its place in a [`Source`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// Where, as bytes of the source; `None` when no place can be named.
    pub span: Option<Range<usize>>,
    /// A few words beside the marked place.
    pub label: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            help: None,
        }
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message)
        }
    }

    /// Names the place, as bytes of the source, with a few words to stand beside it.
    #[must_use]
    pub fn at(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.span = Some(span);
        self.label = label.into();
        self
    }

    /// Says what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Everything that is wrong with one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    /// The text that the places refer to.
    pub source: Source,
    /// What is wrong, in the order of the text.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Collects `list`, sorted by place.
    pub fn new(source: Source, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|diagnostic| {
            diagnostic
                .span
                .as_ref()
                .map_or(usize::MAX, |span| span.start)
        });
        Self { source, list }
    }

    /// Whether one of them is an error rather than a warning.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The text for a person: each diagnostic with its line, the marked piece, and advice.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        }
        .decor_style(DecorStyle::Ascii);
        let mut text = String::new();
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                text.push_str("\n\n");
            }
            let level = match diagnostic.severity {
                Severity::Error => Level::ERROR,
                Severity::Warning => Level::WARNING,
            };
            let title = level.primary_title(&*diagnostic.message);
            let Some(span) = &diagnostic.span else {
                text.push_str(&renderer.render(&[Group::with_title(title)]));
                if let Some(help) = &diagnostic.help {
                    text.push('\n');
                    let title = Level::HELP.secondary_title(&**help);
                    text.push_str(&renderer.render(&[Group::with_title(title)]));
                }
                continue;
            };
            let (source, span) = self.source.locate(span.clone());
            let length = source.text.len();
            let start = span.start.min(length);
            let end = span.end.clamp(start, length);
            let mut annotation = AnnotationKind::Primary.span(start..end);
            if !diagnostic.label.is_empty() {
                annotation = annotation.label(&*diagnostic.label);
            }
            let mut group = title.element(
                Snippet::source(&*source.text)
                    .path(&*source.name)
                    .annotation(annotation),
            );
            if let Some(help) = &diagnostic.help {
                group = group.element(Level::HELP.message(&**help));
            }
            text.push_str(&renderer.render(&[group]));
        }
        text
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

/// The candidate nearest to `word`, when one is near enough to be what its author meant: at most a third of the letters
/// of the longer differ, or one is a part of the other, or they have more than half in common from the start. Case does
/// not count, nor which of `-` and `_` joins words.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase().replace('-', "_");
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.to_lowercase().replace('-', "_");
            let length = folded.chars().count().max(other.chars().count());
            let limit = length / 3;
            let same = folded
                .chars()
                .zip(other.chars())
                .take_while(|(x, y)| x == y);
            let begins_alike = 2 * same.count() >= length;
            let contains = other.contains(&folded) || folded.contains(&other);
            let long = other.len() > 3 && folded.len() > 3;
            let letters = strsim::damerau_levenshtein(&folded, &other);
            let distance = match long && (contains || begins_alike) {
                true => letters.min(1),
                false => letters,
            };
            let rank = (distance, !(long && contains), letters);
            (distance <= limit).then_some((rank, candidate))
        })
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const NAMES: [&str; 9] = [
        "phase",
        "see",
        "pv",
        "ln",
        "depth",
        "history",
        "capture_history",
        "moves_searched",
        "rebel-advanced",
    ];

    #[test]
    fn names_at_most_a_third_of_whose_letters_differ() {
        for (word, meant) in [
            ("base", None),
            ("x", None),
            ("pc", None),
            ("log", None),
            ("eval", None),
            ("historical", Some("history")),
            ("sea", Some("see")),
            ("dpeth", Some("depth")),
            ("Depth", Some("depth")),
            ("dept", Some("depth")),
            ("PV", Some("pv")),
            ("histroy", Some("history")),
            ("move_searchd", Some("moves_searched")),
            ("searched", Some("moves_searched")),
            ("rebel_advanced", Some("rebel-advanced")),
            ("rebel-advnaced", Some("rebel-advanced")),
        ] {
            assert_eq!(nearest(word, NAMES), meant, "{word}");
        }
    }
}
