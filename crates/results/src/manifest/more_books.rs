//! The manifest of a run that gets further books of openings.

use super::digest::with_digest;
use super::elsewhere::unwritable;
use super::{Header, Manifest, RecordedFile};
use crate::failure::Failure;

impl Manifest {
    /// This manifest with further books, and with `changes` of keys of the description. All else stays, also when the run began
    /// and with which command.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn with_books(&self, books: Vec<RecordedFile>, changes: toml::Table) -> Result<Self, Failure> {
        let mut tables: toml::Table = self.text.parse().map_err(|error: toml::de::Error| unwritable(&error))?;
        if let Some(toml::Value::Table(description)) = tables.get_mut(self.kind.table()) {
            description.extend(changes);
        }
        let mut file = self.header.file.clone();
        let behind = file.iter().rposition(|file| file.positions.is_some());
        let at = behind.map_or(0, |last| last + 1);
        file.splice(at..at, books);
        let files = toml::Value::try_from(&file).map_err(|error| unwritable(&error))?;
        tables.insert("file".to_owned(), files);
        let text = toml::to_string_pretty(&tables).map_err(|error| unwritable(&error))?;
        Ok(Self {
            header: Header {
                file,
                ..self.header.clone()
            },
            text: with_digest(&text).into(),
            ..self.clone()
        })
    }
}
