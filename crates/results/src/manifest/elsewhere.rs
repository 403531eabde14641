//! The manifest of a run for another folder: of a part of it, or of the run that was put together from parts.

use std::fmt;
use std::path::Path;

use super::digest::with_digest;
use super::{Header, MERGED, Manifest, Merged, PART, PartOfRun};
use crate::failure::Failure;
use crate::paths::{absolute, portable, relative};
use crate::utc::Utc;

impl Manifest {
    /// The manifest of a part of this run, for a folder of its own. `run` is the folder of this manifest.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn for_part(&self, run: &Path, part: PartOfRun, folder: &Path) -> Result<Self, Failure> {
        let table = toml::Table::try_from(&part).map_err(|error| unwritable(&error))?;
        Ok(Self {
            part: Some(part),
            merged: None,
            ..self.elsewhere(run, folder, (PART, table), &[])?
        })
    }

    /// The manifest of the whole run, put together from its parts. This manifest is that of one part, in the folder `of_part`.
    /// The first part began at `started`.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
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

    /// The manifest for another folder, with a table of its own and other values of some keys.
    fn elsewhere(
        &self,
        folder: &Path,
        to: &Path,
        (name, own): (&str, toml::Table),
        changes: &[(&str, String)],
    ) -> Result<Self, Failure> {
        let mut tables: toml::Table = self.text.parse().map_err(|error: toml::de::Error| unwritable(&error))?;
        let root = portable(&relative(&absolute(to), &self.root(folder)));
        tables.insert("root".to_owned(), root.clone().into());
        for (key, value) in changes {
            tables.insert((*key).to_owned(), value.clone().into());
        }
        // Before the description, because its texts are long.
        let mut sorted = toml::Table::new();
        for (key, value) in tables {
            if key == self.kind.table() {
                sorted.insert(name.to_owned(), own.clone().into());
            }
            if ![PART, MERGED].contains(&key.as_str()) {
                sorted.insert(key, value);
            }
        }
        let text = toml::to_string_pretty(&sorted).map_err(|error| unwritable(&error))?;
        Ok(Self {
            header: Header {
                root,
                ..self.header.clone()
            },
            text: with_digest(&text).into(),
            ..self.clone()
        })
    }
}

/// What there is to say when TOML cannot be written.
pub(super) fn unwritable(error: &dyn fmt::Display) -> Failure {
    Failure::encode("a manifest", &error)
}
