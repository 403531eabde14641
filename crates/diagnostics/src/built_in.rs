//! Files that are built in, so that the programs work from any folder: all of configs and positions.
//!
//! Their paths begin with [`MARK`], as in `built-in:configs/policies/house.toml`. What follows the mark is the path below the
//! root of the project.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

/// What the path of a built-in file begins with.
pub const MARK: &str = "built-in:";

/// The folders of the project that are built in: the name of each, and what is in it.
static FOLDERS: [(&str, Dir<'static>); 2] = [
    ("configs", include_dir!("$CARGO_MANIFEST_DIR/configs")),
    ("positions", include_dir!("$CARGO_MANIFEST_DIR/positions")),
];

/// The path of the built-in file or folder that is at `path` in the project.
pub fn path(path: impl AsRef<Path>) -> PathBuf {
    PathBuf::from(format!("{MARK}{}", path.as_ref().display()))
}

/// Whether this is the path of a built-in file or folder.
pub fn is_built_in(path: &Path) -> bool {
    below_root(path).is_some()
}

/// The path in the project of a built-in file; any other path stays as it is.
pub fn without_mark(path: &Path) -> PathBuf {
    let in_project = path.to_str().and_then(|path| path.strip_prefix(MARK));
    in_project.map_or_else(|| path.to_owned(), PathBuf::from)
}

/// As [`Path::join`], but a built-in path stays as it is.
pub fn join(folder: &Path, path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    if is_built_in(path) {
        path.to_owned()
    } else {
        folder.join(path)
    }
}

/// The text of a built-in file; `None` when there is none at this path.
pub fn text(path: &Path) -> Option<&'static str> {
    let (name, rest) = below_root(path)?;
    folder_named(&name)?.get_file(rest)?.contents_utf8()
}

/// The paths of the built-in files in a built-in folder; none when there is no such folder.
pub fn files(path: &Path) -> Vec<PathBuf> {
    let found = below_root(path).and_then(|(name, rest)| {
        let folder = folder_named(&name)?;
        // The folder itself has no entry of its own.
        if rest.is_empty() {
            Some(folder)
        } else {
            folder.get_dir(rest)
        }
    });
    let names = (found.into_iter())
        .flat_map(Dir::files)
        .filter_map(|file| file.path().file_name());
    names.map(|name| path.join(name)).collect()
}

/// The first folder of a built-in path, and the rest of it.
fn below_root(path: &Path) -> Option<(String, String)> {
    // `Path::join` writes backslashes on Windows.
    let path = path.to_str()?.strip_prefix(MARK)?.replace('\\', "/");
    let (name, rest) = path.split_once('/').unwrap_or((&path, ""));
    Some((name.to_owned(), rest.to_owned()))
}

fn folder_named(wanted: &str) -> Option<&'static Dir<'static>> {
    let (_, folder) = FOLDERS.iter().find(|(name, _)| *name == wanted)?;
    Some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Files, Source};

    const HOUSE: &str = "configs/policies/house.toml";

    fn read(files: &Files, path: &Path) -> String {
        match Source::read_from(files, path, &path.display().to_string()) {
            Ok(source) => source.text.to_string(),
            Err(report) => report.to_string(),
        }
    }

    #[test]
    fn built_in_files_are_read_by_their_paths() {
        let house = path(HOUSE);
        assert_eq!(house, Path::new("built-in:configs/policies/house.toml"));
        let windows = Path::new("built-in:configs\\policies\\house.toml");
        assert!(text(&house).is_some_and(|text| text.contains("reduce")) && text(windows) == text(&house));
        for absent in [HOUSE, "built-in:configs/x.toml", "built-in:configs", "built-in:x/y"] {
            assert_eq!(text(Path::new(absent)), None, "{absent}");
        }
        assert!(files(&path("configs/policies")).contains(&house));
        assert!(files(&path("configs")).is_empty() && files(Path::new("configs/policies")).is_empty());
        assert_eq!(join(Path::new("/a"), &house), house);
        assert_eq!(join(Path::new("/a"), "b"), Path::new("/a/b"));
        let absent = read(&Files::on_disk(), &path("configs/x.toml"));
        assert_eq!(absent, "error: `built-in:configs/x.toml` is not built in");
    }

    #[test]
    fn the_file_of_a_project_wins() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        let files = Files::on_disk();
        assert_eq!(files.locate(&deep, Path::new(HOUSE)), path(HOUSE));
        // What is not built in is meant to be here.
        assert_eq!(files.locate(&deep, Path::new("x.toml")), deep.join("x.toml"));

        let policies = folder.path().join("configs/policies");
        std::fs::create_dir_all(&policies).unwrap();
        std::fs::write(policies.join("house.toml"), "reduce = 2").unwrap();
        std::fs::write(policies.join("mine.toml"), "reduce = 3").unwrap();
        assert_eq!(files.locate(&deep, Path::new(HOUSE)), folder.path().join(HOUSE));
        let named = files.named("configs/policies", &deep);
        assert_eq!(read(&files, &named["house"]), "reduce = 2");
        assert_eq!(read(&files, &named["mine"]), "reduce = 3");
        assert_eq!(named["none"], path("configs/policies/none.toml"));
    }

    #[test]
    fn recorded_texts_stand_for_built_in_files() {
        let house = path(HOUSE);
        let files = Files::recorded([(house.clone(), "reduce = 9".into())]);
        assert_eq!(read(&files, &house), "reduce = 9");
        let named = files.named("configs/policies", Path::new("/nowhere"));
        assert_eq!(named.into_iter().collect::<Vec<_>>(), [("house".to_owned(), house)]);
        assert!(!files.has_file(&path("configs/policies/none.toml")));
    }
}
