//! Errors and warnings about a text, each with its place and with advice.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use crate::cut::cut_lines;
use crate::source::Source;

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but is probably not what its author meant.
    Warning,
}

/// An error or a warning, with its place in a [`Source`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The mistake, as one sentence without a full stop.
    pub message: String,
    /// Where, as bytes of the source; `None` when no place can be named.
    pub span: Option<Range<usize>>,
    /// The label beside the marked place: a few words, or empty.
    pub label: String,
    /// What to do about it.
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

    /// Sets the place, as bytes of the source, and the label beside it.
    #[must_use]
    pub fn at(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.span = Some(span);
        self.label = label.into();
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// All errors and warnings about one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    /// The text that the places refer to.
    pub source: Source,
    /// The errors and warnings, in the order of the text.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Collects `list`, sorted by place.
    pub fn new(source: Source, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|diagnostic| diagnostic.span.as_ref().map_or(usize::MAX, |span| span.start));
        Self { source, list }
    }

    /// Whether one of them is an error rather than a warning.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The message for the user: each diagnostic with its line, the marked place and the advice, in colour if `color`.
    /// In a source that is not quoted, the label of the place follows the message instead. Control characters are made
    /// visible, and long lines are cut: parts of a message may be from a foreign file.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
        let mut text = String::new();
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                text.push_str("\n\n");
            }
            let level = match diagnostic.severity {
                Severity::Error => Level::ERROR,
                Severity::Warning => Level::WARNING,
            };
            let place = diagnostic.span.clone().map(|span| self.source.locate(span));
            let Some((source, span)) = place.filter(|(source, _)| source.is_quoted()) else {
                let message = match diagnostic.label.as_str() {
                    "" => diagnostic.message.clone(),
                    label => format!("{}: {label}", diagnostic.message),
                };
                let title = level.primary_title(cut_lines(&message));
                text.push_str(&renderer.render(&[Group::with_title(title)]));
                if let Some(help) = &diagnostic.help {
                    text.push('\n');
                    let title = Level::HELP.secondary_title(cut_lines(help));
                    text.push_str(&renderer.render(&[Group::with_title(title)]));
                }
                continue;
            };
            let title = level.primary_title(cut_lines(&diagnostic.message));
            let length = source.text.len();
            let start = span.start.min(length);
            let end = span.end.clamp(start, length);
            let mut annotation = AnnotationKind::Primary.span(start..end);
            if !diagnostic.label.is_empty() {
                annotation = annotation.label(cut_lines(&diagnostic.label));
            }
            let mut group = title.element(
                Snippet::source(&*source.text)
                    .path(&*source.name)
                    .annotation(annotation),
            );
            if let Some(help) = &diagnostic.help {
                group = group.element(Level::HELP.message(cut_lines(help)));
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
