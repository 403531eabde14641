//! What a command found: a title, the verdict in sentences, tables of rows, pictures.
//!
//! | module | what it is for |
//! |---|---|
//! | [`table`] | rows with their columns, and what a person sees of them |
//! | [`picture`] | pictures, described by values: how they are drawn is a matter of the page |
//! | [`text`] | an outcome as text |
//! | [`notation`] | moves as a person reads them |
//! | [`files`] | an outcome as a folder of CSV files with a manifest |
//!
//! The crate report makes a page of an outcome.

pub mod files;
pub mod notation;
pub mod picture;
pub mod table;
pub mod text;

use self::picture::Picture;
use self::table::Table;
use crate::rows::games::GameRow;

/// What a command found.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// What it is: `Profile of house`.
    pub title: String,
    /// What was searched or played, and how: `24 positions, depth 10, preset standard`.
    pub conditions: String,
    /// What matters most, in sentences.
    pub verdict: Vec<String>,
    /// What was found, in parts.
    pub sections: Vec<Section>,
    /// What a reader has to know to read the numbers.
    pub notes: Vec<String>,
    /// The tables of the files, whole.
    pub tables: Vec<Table>,
}

/// A part of an outcome with a heading.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Its heading; in the text of a command, a line above what it holds.
    pub heading: String,
    /// What it holds.
    pub parts: Vec<Part>,
    /// Whether the text of a command leaves it to the page.
    pub is_for_page: bool,
}

/// What a section is made of.
#[derive(Debug, Clone)]
pub enum Part {
    /// A sentence. Words between backticks are code.
    Sentence(String),
    /// Lines of a file, such as a policy.
    Lines(String),
    /// Rows that a person reads.
    Table(Table),
    /// Rows for reference: folded on a page. The text of a command leaves them to the files.
    Reference(Table),
    /// A picture. The text of a command has maps as tables, and leaves the others to the page.
    Picture(Box<Picture>),
    /// Names with their values, for a page.
    Facts(Vec<(String, String)>),
    /// Texts with their names, folded on a page. Lines that some of them do not have are marked.
    Texts(Vec<(String, String)>),
    /// Games that can be replayed on a page.
    Games(Replays),
}

/// Games that can be replayed.
#[derive(Debug, Clone)]
pub struct Replays {
    /// The folder of their run.
    pub folder: String,
    /// The games, each with its PGN.
    pub games: Vec<(GameRow, String)>,
}

impl Section {
    /// A section without parts.
    pub fn new(heading: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            parts: Vec::new(),
            is_for_page: false,
        }
    }

    /// A section of pages alone, such as one of many maps.
    pub fn for_page(heading: impl Into<String>) -> Self {
        Self {
            is_for_page: true,
            ..Self::new(heading)
        }
    }

    /// The section with a sentence behind the other parts.
    #[must_use]
    pub fn say(mut self, sentence: impl Into<String>) -> Self {
        self.parts.push(Part::Sentence(sentence.into()));
        self
    }

    /// The section with lines of a file behind the other parts.
    #[must_use]
    pub fn lines(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Lines(text.into()));
        self
    }

    /// The section with a table behind the other parts.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.parts.push(Part::Table(table));
        self
    }

    /// The section with a table for reference behind the other parts.
    #[must_use]
    pub fn reference(mut self, table: Table) -> Self {
        self.parts.push(Part::Reference(table));
        self
    }

    /// The section with pictures behind the other parts.
    #[must_use]
    pub fn draw(mut self, pictures: impl IntoIterator<Item = impl Into<Picture>>) -> Self {
        let pictures = pictures.into_iter().map(|picture| Box::new(picture.into()));
        self.parts.extend(pictures.map(Part::Picture));
        self
    }
}

impl Outcome {
    /// The tables as one JSON object: an array of objects for each table, by its name.
    pub fn json(&self) -> serde_json::Value {
        let tables = self.tables.iter().map(|table| (table.name.clone(), table.json()));
        serde_json::Value::Object(tables.collect())
    }
}
