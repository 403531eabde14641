//! The project folder: where relative paths and names of policies, presets and openings start. What a project does not
//! have is found among the built-in files.

use std::path::{Path, PathBuf};

use crate::paths::from_here;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source, built_in, nearest};
use lmrlab_engine::preset::PRESET_FOLDER;
use lmrlab_policy::reference::POLICY_FOLDER;

/// The test positions that the project mined, below its root.
pub const TACTICS: &str = "positions/tactics.epd";

/// The folders of configuration files, below the root of a project. A folder with one of them is a project; one with any
/// other `configs` may be something else, such as a home directory.
const MARKS: [&str; 4] = [
    POLICY_FOLDER,
    PRESET_FOLDER,
    Runnable::TOURNAMENT.folder,
    Runnable::TUNING.folder,
];

/// The project folder: the nearest of `folder` and its ancestors that has `configs/policies`, or another folder of
/// configuration files.
fn root_above(folder: &Path) -> Option<&Path> {
    let is_project = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).is_dir());
    folder.ancestors().find(is_project)
}

/// The project folder of a run: that of the working directory. Outside of any project: that of the tournament file, or
/// else the folder of the tournament file itself.
pub fn root(working: &Path, tournament_file: Option<&Path>) -> PathBuf {
    let beside = tournament_file.map(|file| {
        let file = working.join(file);
        file.parent().unwrap_or(working).to_owned()
    });
    root_above(working)
        .or_else(|| beside.as_deref().and_then(root_above))
        .or(beside.as_deref())
        .unwrap_or(working)
        .to_owned()
}

/// The folder of runs that name none: `results` in the project of the working directory, or in the working directory.
/// Even for a tournament file elsewhere the results are here, where the next command looks.
pub fn results(working: &Path) -> PathBuf {
    from_here(&root(working, None).join("results"))
}

/// The project's file at this path below its root, or the built-in one when the project has none.
pub fn file(root: &Path, path: impl AsRef<Path>) -> PathBuf {
    from_here(&Files::on_disk().locate(root, path.as_ref()))
}

/// A path from the command line of a program that was started in `working`, which may not be the working directory of
/// this one. If no such file exists, the path may name a file in a project above, or a built-in file.
pub fn typed_file(working: &Path, path: &Path) -> PathBuf {
    let found = Files::on_disk().locate(working, path);
    let is_here = std::env::current_dir().is_ok_and(|here| here == working);
    if is_here && found == working.join(path) {
        path.to_owned()
    } else {
        from_here(&found)
    }
}

/// A kind of files that are run by name: a word for messages, and their folder below the root of a project.
#[derive(Debug, Clone, Copy)]
pub struct Runnable {
    word: &'static str,
    folder: &'static str,
}

impl Runnable {
    /// Tournament files.
    pub const TOURNAMENT: Self = Self {
        word: "tournament",
        folder: "configs/tournaments",
    };
    /// Files of tuning runs.
    pub const TUNING: Self = Self {
        word: "tuning run",
        folder: "configs/tuning",
    };

    /// Reads a file that is given by path or name, and finds the [`root`] for what it names.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub fn read(self, working: &Path, given: &Path) -> Result<(Source, PathBuf), Diagnostics> {
        let files = Files::on_disk();
        let mut path = typed_file(working, given);
        if let Some(name) = self.name(working, given) {
            let mut known = files.named(self.folder, working);
            path = match known.remove(name) {
                Some(path) => from_here(&path),
                None => {
                    let known: Vec<&str> = known.keys().map(String::as_str).collect();
                    return Err(self.unknown(name, &known));
                }
            };
        }
        let source = Source::read_from(&files, &path, &path.display().to_string())?;
        let beside = (!built_in::is_built_in(&path)).then_some(path.as_path());
        Ok((source, root(working, beside)))
    }

    /// The given path, if it is a name: it has no separators and no `.toml`, and no such file exists.
    fn name<'g>(self, working: &Path, given: &'g Path) -> Option<&'g str> {
        let name = given.to_str()?;
        let is_path = name.contains(['/', '\\']) || name.ends_with(".toml") || working.join(given).exists();
        (!is_path && !name.is_empty()).then_some(name)
    }

    fn unknown(self, name: &str, known: &[&str]) -> Diagnostics {
        let Self { word, folder } = self;
        let near = nearest(name, known.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let list = if known.is_empty() {
            format!("name a file; there is none in `{folder}`, here or above")
        } else {
            format!("name a file, or one of these: {}", known.join(", "))
        };
        let error = Diagnostic::error(format!("there is no {word} `{name}`")).help(near + &list);
        Diagnostics::new(Source::new(name, ""), vec![error])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_with_configs() {
        let dir = tempfile::tempdir().unwrap();
        // A folder of this name alone is no project.
        std::fs::create_dir(dir.path().join("configs")).unwrap();
        let project = dir.path().join("project");
        let deep = project.join("a/b");
        let other = dir.path().join("other");
        std::fs::create_dir_all(project.join("configs/tuning")).unwrap();
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        assert_eq!(root(&deep, None), project);
        assert_eq!(root(&deep, Some(&other.join("t.toml"))), project);
        assert_eq!(root(&other, Some(&deep.join("t.toml"))), project);
        assert_eq!(root(&other, Some(Path::new("t.toml"))), other);
        assert_eq!(root(&other, None), other);
    }
}
