//! The project folder: where relative paths and names of policies, presets and openings start.

use std::path::{Path, PathBuf};

/// The project folder: the nearest of `folder` and its ancestors that has a `configs` folder.
pub fn root_above(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|ancestor| ancestor.join("configs").is_dir())
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

/// A path for messages: relative to the working directory if it is below it.
pub fn from_here(path: &Path) -> PathBuf {
    std::env::current_dir()
        .ok()
        .and_then(|here| path.strip_prefix(here).ok())
        .unwrap_or(path)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_with_configs() {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("project");
        let deep = project.join("a/b");
        let other = dir.path().join("other");
        std::fs::create_dir_all(project.join("configs")).unwrap();
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        assert_eq!(root(&deep, None), project);
        assert_eq!(root(&deep, Some(&other.join("t.toml"))), project);
        assert_eq!(root(&other, Some(&deep.join("t.toml"))), project);
        assert_eq!(root(&other, Some(Path::new("t.toml"))), other);
        assert_eq!(root(&other, None), other);
    }
}
