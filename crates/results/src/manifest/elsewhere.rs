//! Manifests that are made from another one: for a part of a run, for a merged run, and for a run with more openings.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::digest::with_digest;
use super::{EXPERIMENT, Header, MERGED, Manifest, Merged, PART, PartOfRun, RecordedFile};
use crate::paths::{absolute, portable, relative};
use crate::utc::Utc;
use lmrlab_diagnostics::failure::Failure;

impl Manifest {
    /// The manifest of a part of this run, for a folder of its own. `run` is the folder of this manifest.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn for_part(&self, run: &Path, part: PartOfRun, folder: &Path) -> Result<Self, Failure> {
        let table = toml::Table::try_from(&part).map_err(|error| unwritable(&error))?;
        Ok(Self {
            part: Some(part),
            merged: None,
            ..self.elsewhere(run, folder, (PART, table), &[])?
        })
    }

    /// The manifest of a whole run that is merged from its parts. This manifest is that of one part, in the folder
    /// `of_part`. The first part began at `started`.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn for_merged(&self, of_part: &Path, merged: Merged, started: Utc, folder: &Path) -> Result<Self, Failure> {
        let table = toml::Table::try_from(&merged).map_err(|error| unwritable(&error))?;
        let changes = [("started", started.to_string())];
        let manifest = self.elsewhere(of_part, folder, (MERGED, table), &changes)?;
        Ok(Self {
            part: None,
            merged: Some(merged),
            started,
            header: Header {
                started: started.to_string(),
                ..manifest.header.clone()
            },
            ..manifest
        })
    }

    /// This manifest with further books, and with `changes` of keys of the description. Everything else stays the same,
    /// also the time and the command with which the run began.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
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

    /// This manifest with the experiment that the games of the run belong to.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn with_experiment(&self, experiment: toml::Table) -> Result<Self, Failure> {
        let tables: toml::Table = self.text.parse().map_err(|error: toml::de::Error| unwritable(&error))?;
        Ok(Self {
            text: self.text_with(tables, (EXPERIMENT, experiment))?,
            ..self.clone()
        })
    }

    /// The manifest for another folder, with an additional table and other values of some keys.
    fn elsewhere(
        &self,
        folder: &Path,
        to: &Path,
        own: (&str, toml::Table),
        changes: &[(&str, String)],
    ) -> Result<Self, Failure> {
        let mut tables: toml::Table = self.text.parse().map_err(|error: toml::de::Error| unwritable(&error))?;
        let root = portable(&relative(&absolute(to), &self.root(folder)));
        tables.insert("root".to_owned(), root.clone().into());
        for (key, value) in changes {
            tables.insert((*key).to_owned(), value.clone().into());
        }
        tables.retain(|key, _| ![PART, MERGED].contains(&key));
        Ok(Self {
            header: Header {
                root,
                ..self.header.clone()
            },
            text: self.text_with(tables, own)?,
            ..self.clone()
        })
    }

    /// These tables with one more before the description, because its texts are long.
    fn text_with(&self, tables: toml::Table, (name, own): (&str, toml::Table)) -> Result<Arc<str>, Failure> {
        let mut sorted = toml::Table::new();
        for (key, value) in tables {
            if key == self.kind.table() {
                sorted.insert(name.to_owned(), own.clone().into());
            }
            sorted.insert(key, value);
        }
        let text = toml::to_string_pretty(&sorted).map_err(|error| unwritable(&error))?;
        Ok(with_digest(&text).into())
    }
}

/// The failure when TOML cannot be written.
fn unwritable(error: &dyn fmt::Display) -> Failure {
    Failure::encode("a manifest", &error)
}
