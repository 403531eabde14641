//! A text, and the name under which messages show it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::configuration_files::Files;

/// A text together with the name under which a message shows it (usually a path).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name shown in messages.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The file that it is from, if any.
    path: Option<Arc<Path>>,
    /// Where the files that it names are read from.
    files: Files,
    /// Whether messages quote the text.
    is_quoted: bool,
    /// The sources that this one extends. Their places count on from the end of this text.
    parents: Vec<Source>,
}

impl Source {
    /// A source from a text in memory.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            path: None,
            files: Files::default(),
            is_quoted: true,
            parents: Vec::new(),
        }
    }

    /// The same text with a path. Relative paths in the text start from its folder.
    pub fn located(self, path: &Path) -> Self {
        Self {
            path: Some(path.into()),
            ..self
        }
    }

    /// The same text. Messages do not quote it, because the user did not write it.
    pub fn unquoted(self) -> Self {
        Self {
            is_quoted: false,
            ..self
        }
    }

    /// Whether messages quote the text.
    pub fn is_quoted(&self) -> bool {
        self.is_quoted
    }

    /// The same text. The files that it names are read from `files`.
    pub fn with_files(self, files: Files) -> Self {
        Self { files, ..self }
    }

    /// Where the files that the text names are read from.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The file that the text is from, if any.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The place at which the next parent's text starts.
    pub fn end(&self) -> usize {
        let texts = std::iter::once(self).chain(&self.parents);
        texts.map(|source| source.text.len() + 1).sum()
    }

    /// Adds a source that this one extends.
    pub fn add_parent(&mut self, parent: Self) {
        self.parents.push(parent);
    }

    /// The source that a place lies in, and the place within that source.
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

    /// The text at a place.
    pub fn piece(&self, span: Range<usize>) -> Option<&str> {
        let (source, span) = self.locate(span);
        source.text.get(span)
    }
}
