//! Drawn pictures, as elements of a page and as files.

use super::style;
use super::style::WIDTH;
use super::svg::{Elements, escaped};

/// A drawn picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its name in links and as a file: letters, digits and dashes.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The same in words, for readers who cannot see it.
    pub description: String,
    size: (f64, f64),
    elements: String,
    /// Whether it shows a value.
    pub(crate) shows_values: bool,
    /// The symbols that its elements use by name. A page with several such pictures has them once.
    symbols: &'static str,
}

impl Picture {
    /// A picture of these elements.
    pub fn new(id: String, title: String, description: String, size: (f64, f64), elements: Elements) -> Self {
        Self {
            id,
            title,
            description,
            size,
            elements: elements.into_text(),
            shows_values: true,
            symbols: "",
        }
    }

    /// The picture with the symbols that its elements use. A file of the picture has them. A page must have them, too.
    pub fn with_symbols(self, symbols: &'static str) -> Self {
        Self { symbols, ..self }
    }

    /// The picture as an element of a page. The style sheet of the page has the colours.
    pub fn element(&self) -> String {
        format!(
            "<svg viewBox=\"0 0 {} {}\"{} role=\"img\" aria-label=\"{}. {}\">{}</svg>",
            self.size.0,
            self.size.1,
            if self.size.0 < WIDTH { " class=\"small\"" } else { "" },
            escaped(&self.title),
            escaped(&self.description),
            self.elements
        )
    }

    /// The picture as a file of its own, light or dark as the reader's system is set.
    pub fn file(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
             font-family=\"{fonts}\"><title>{title}</title><desc>{description}</desc><style>{light}@media(prefers-color-scheme:dark){{{dark}}}</style>{symbols}\
             <rect width=\"{w}\" height=\"{h}\" class=\"fo\"/>{elements}</svg>\n",
            w = self.size.0,
            h = self.size.1,
            fonts = style::FONTS,
            title = escaped(&self.title),
            description = escaped(&self.description),
            light = style::light(),
            dark = style::dark(),
            symbols = self.symbols,
            elements = self.elements,
        )
    }
}
