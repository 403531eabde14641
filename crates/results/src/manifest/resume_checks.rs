//! Whether a run can be resumed: its files are there, and they have not changed.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, MAX_SOURCE_BYTES, built_in};

use super::{Invocation, Manifest, RecordedFile};
use crate::folder::MANIFEST;
use crate::paths::{absolute, find_program, from_here};
use crate::sha256::{sha256, sha256_of_file};
use crate::text_file;
use lmrlab_diagnostics::failure::{Failure, complaint, warning};

impl Manifest {
    /// The warning for readers of a run when the file was edited.
    pub fn edit_warning(&self, folder: &Path) -> Option<Diagnostics> {
        (self.edited).then(|| warning(format!("{}; the results below depend on it", edited_message(folder))))
    }

    /// Checks that the file is as the run wrote it. Otherwise the run cannot be resumed.
    ///
    /// # Errors
    /// When it was edited.
    pub fn check_unedited(&self, folder: &Path) -> Result<(), Failure> {
        if !self.edited {
            return Ok(());
        }
        Err(Failure::input(
            edited_message(folder),
            "put it back as it was, or begin a new run: games of different conditions cannot be put together",
        ))
    }

    /// Checks the openings and the programs, of which the manifest has only the SHA-256: that they are where the run looks for
    /// them and, with `resumes`, that they have not changed.
    ///
    /// # Errors
    /// The files that are missing or have changed, with their paths.
    pub fn check_files(&self, folder: &Path, resumes: bool) -> Result<(), Failure> {
        let root = self.root(folder);
        let wrong = |file: &RecordedFile| {
            let path = Path::new(&file.path);
            let is_program = file.positions.is_none();
            // The tasks of a part include its openings.
            if file.text.is_some() || (self.part.is_some() && !is_program) {
                return None;
            }
            let place = match is_program {
                false => {
                    Some(built_in::join(&root, path)).filter(|place| built_in::is_built_in(path) || place.exists())
                }
                true => find_program(&file.path, &root),
            };
            let Some(place) = place else {
                return Some(missing(file, &self.root, folder, &root));
            };
            let digest = || match built_in::text(&place) {
                Some(text) => Ok(sha256(text)),
                None => sha256_of_file(&place),
            };
            let has_changed = resumes && !digest().is_ok_and(|now| now == file.sha256);
            has_changed.then(|| {
                complaint(
                    format!("`{}` has changed since the run began", file.path),
                    "the manifest holds only its SHA-256; put the old file back, or begin a new run",
                )
            })
        };
        let wrong: Vec<_> = self.file.iter().filter_map(wrong).collect();
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(Failure::Input(wrong))
        }
    }

    /// Changes since the run began that do not prevent a resume: of the program, and of configuration files. The
    /// manifest has the texts of the configuration files.
    pub fn warnings(&self, root: &Path, invocation: &Invocation) -> Vec<Diagnostics> {
        let change = |file: &RecordedFile| {
            let began = file.text.as_deref()?.as_bytes();
            let path = built_in::join(root, &file.path);
            let now = match built_in::text(&path) {
                Some(text) => Some(text.as_bytes().to_owned()),
                None => text_file::read(&path, MAX_SOURCE_BYTES).ok(),
            };
            match now {
                Some(now) if now == began => None,
                Some(_) => Some(format!("`{}` has changed since the run began", file.path)),
                None => Some(format!(
                    "`{}`, with which the run began, cannot be read",
                    from_here(&path).display()
                )),
            }
        };
        let mut warnings: Vec<Diagnostics> = (self.file.iter().filter_map(change))
            .map(|change| warning(format!("{change}; the run uses the text in its manifest")))
            .collect();
        if self.bench != invocation.bench {
            warnings.push(warning(format!(
                "lmrlab {} (bench {}) began this run, and this is {} (bench {}): the project's own engine searches differently, so \
                 games before and after are not of the same engine",
                self.lmrlab, self.bench, invocation.version, invocation.bench,
            )));
        }
        warnings
    }
}

/// The error about a file that is not there. `written_root` is the root of the run as its manifest has it.
fn missing(file: &RecordedFile, written_root: &str, folder: &Path, root: &Path) -> Diagnostics {
    let shown = folder.display();
    let is_path = file.positions.is_some() || file.path.contains(std::path::is_separator);
    if !is_path {
        let message = format!(
            "the run in `{shown}` needs the program `{}`, which is not in PATH",
            file.path
        );
        return complaint(message, "install it, or add its folder to PATH");
    }
    let path = from_here(&absolute(&root.join(&file.path)));
    let message = format!(
        "the run in `{shown}` needs `{}`, and there is no {} `{}`",
        file.path,
        if file.positions.is_some() { "file" } else { "program" },
        path.display()
    );
    if Path::new(&file.path).is_absolute() {
        return complaint(message, "put the file back");
    }
    complaint(
        message,
        format!(
            "paths in its manifest start from `{written_root}`, relative to the folder of the run; that is `{}` now; if the \
             folder was moved, move it back, or copy the file to that path",
            root.components().collect::<PathBuf>().display()
        ),
    )
}

fn edited_message(folder: &Path) -> String {
    format!(
        "`{}` was edited: its SHA-256 is not the one in its last line",
        folder.join(MANIFEST.name()).display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_another_search_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let warnings = |key: &str| {
            let text = format!(
                "format_version = 3\nlmrlab = \"0.9.0\"\n{key}started = \"2026-11-25T14:27:35Z\"\ncommand = \"lmrlab\"\nroot = \".\"\n\
                 [tournament]\n"
            );
            std::fs::write(folder.path().join(MANIFEST.name()), text).unwrap();
            let invocation = Invocation {
                version: "1.0.0".to_owned(),
                commit: None,
                bench: 7,
                command: Vec::new(),
                report: false,
            };
            let warnings = Manifest::load(folder.path())
                .unwrap()
                .warnings(folder.path(), &invocation);
            warnings.iter().map(ToString::to_string).collect::<String>()
        };
        assert_eq!(warnings("bench = 7\n"), "");
        assert!(warnings("bench = 8\n").contains("lmrlab 0.9.0 (bench 8) began this run, and this is 1.0.0 (bench 7)"));
    }
}
