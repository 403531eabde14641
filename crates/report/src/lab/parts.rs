//! The files of a folder that one command wrote.

use std::path::Path;

use lmrlab_results::failure::Failure;
use lmrlab_results::row::{Column, Row};
use serde::de::DeserializeOwned;

use super::file::LabFile;
use crate::rows::Shown;

/// A file of such a folder.
pub(super) struct FileOfFolder {
    pub(super) name: &'static str,
    columns: fn() -> Vec<Column>,
    check: fn(&LabFile, &str, bool) -> Result<(), Failure>,
    may_be_empty: bool,
}

impl FileOfFolder {
    /// A file with these rows. Some files have no rows when nothing was found.
    pub(super) const fn new<R: Row + DeserializeOwned>(name: &'static str, may_be_empty: bool) -> Self {
        Self {
            name,
            columns: R::columns,
            check: LabFile::check::<R>,
            may_be_empty,
        }
    }
}

/// The columns of one of these files.
pub(super) fn columns(files: &[FileOfFolder], name: &str) -> Vec<Shown<'static>> {
    let found = files.iter().find(|file| file.name == name);
    let columns = found.map_or_else(Vec::new, |file| (file.columns)());
    columns.into_iter().map(Shown::from).collect()
}

/// Files with their names.
pub(super) struct Parts {
    /// The name of the folder.
    pub(super) place: String,
    files: Vec<(&'static str, LabFile)>,
}

impl Parts {
    /// All files of a folder.
    pub(super) fn of_folder(folder: &Path, command: &str, names: &[&'static str]) -> Result<Self, Failure> {
        let missing: Vec<String> = names
            .iter()
            .filter(|name| !folder.join(name).exists())
            .map(|name| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            return Err(Failure::input(
                format!(
                    "`{}` looks like a folder of `{command}`, but has no {}",
                    folder.display(),
                    missing.join(", ")
                ),
                format!("let `lmrlab {command}` write it again"),
            ));
        }
        let mut files = Vec::new();
        for name in names {
            files.push((*name, LabFile::read(&folder.join(name))?));
        }
        Ok(Self {
            place: folder.file_name().map_or_else(
                || folder.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            ),
            files,
        })
    }

    /// Checks that the files are those that `command` writes.
    pub(super) fn check(&self, command: &str, files: &[FileOfFolder]) -> Result<(), Failure> {
        files.iter().try_for_each(|known| {
            let file = self.file(known.name);
            file.map_or(Ok(()), |file| (known.check)(file, command, known.may_be_empty))
        })
    }

    /// A file by its name.
    pub(super) fn file(&self, name: &str) -> Option<&LabFile> {
        self.files
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, file)| file)
    }

    /// The policies of the first file.
    pub(super) fn policies(&self) -> Vec<String> {
        self.files
            .first()
            .map_or_else(Vec::new, |(_, file)| file.names("policy"))
    }
}
