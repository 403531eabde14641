//! Files that are built into a program.
//!
//! Their paths begin with [`MARK`], as in `built-in:configs/policies/house.toml`. What follows the mark is the path below the
//! root of the project. A program says once, at its start, which folders it has built in; see [`provide`].

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use include_dir::Dir;

/// What the path of a built-in file begins with.
pub const MARK: &str = "built-in:";

/// A folder of the project: its name, and what is in it.
pub type Folder = (&'static str, Dir<'static>);

static FOLDERS: OnceLock<&'static [Folder]> = OnceLock::new();

/// Makes the files in these folders known to the whole program. Only the first call counts.
pub fn provide(folders: &'static [Folder]) {
    // A second call has nothing to add: a program has one set of built-in files.
    let _ = FOLDERS.set(folders);
}

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
    let (_, folder) = FOLDERS.get()?.iter().find(|(name, _)| *name == wanted)?;
    Some(folder)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use include_dir::{DirEntry, File};

    use super::*;
    use crate::{Files, Source};

    static CONFIGS: [DirEntry<'static>; 1] = [DirEntry::Dir(Dir::new("policies", &POLICIES))];
    static POLICIES: [DirEntry<'static>; 2] = [
        DirEntry::File(File::new("policies/none.toml", b"reduce = 0")),
        DirEntry::File(File::new("policies/house.toml", b"reduce = 1")),
    ];
    static PROVIDED: [Folder; 1] = [("configs", Dir::new("", &CONFIGS))];

    fn read(files: &Files, path: &Path) -> String {
        match Source::read_from(files, path, &path.display().to_string()) {
            Ok(source) => source.text.to_string(),
            Err(report) => report.to_string(),
        }
    }

    #[test]
    fn built_in_files_are_read_by_their_paths() {
        provide(&PROVIDED);
        let house = path("configs/policies/house.toml");
        assert_eq!(house, Path::new("built-in:configs/policies/house.toml"));
        assert_eq!(text(&house), Some("reduce = 1"));
        assert_eq!(
            text(Path::new("built-in:configs\\policies\\house.toml")),
            Some("reduce = 1")
        );
        for absent in [
            "configs/policies/house.toml",
            "built-in:configs/x.toml",
            "built-in:configs",
            "built-in:x/y",
        ] {
            assert_eq!(text(Path::new(absent)), None, "{absent}");
        }
        assert_eq!(files(&path("configs/policies")).len(), 2);
        assert!(files(&path("configs")).is_empty() && files(Path::new("configs/policies")).is_empty());
        assert_eq!(join(Path::new("/a"), &house), house);
        assert_eq!(join(Path::new("/a"), "b"), Path::new("/a/b"));
        let absent = read(&Files::on_disk(), &path("configs/x.toml"));
        assert_eq!(absent, "error: `built-in:configs/x.toml` is not built in");
    }

    #[test]
    fn the_file_of_a_project_wins() {
        provide(&PROVIDED);
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        let files = Files::on_disk();
        let house = Path::new("configs/policies/house.toml");
        assert_eq!(files.locate(&deep, house), path(house));
        // What is not built in is meant to be here.
        assert_eq!(files.locate(&deep, Path::new("x.toml")), deep.join("x.toml"));

        let policies = folder.path().join("configs/policies");
        std::fs::create_dir_all(&policies).unwrap();
        std::fs::write(policies.join("house.toml"), "reduce = 2").unwrap();
        std::fs::write(policies.join("mine.toml"), "reduce = 3").unwrap();
        assert_eq!(files.locate(&deep, house), folder.path().join(house));
        let named = files.named("configs/policies", &deep);
        let texts: BTreeMap<_, _> = (named.iter())
            .map(|(name, path)| (name.as_str(), read(&files, path)))
            .collect();
        let wanted = [("house", "reduce = 2"), ("mine", "reduce = 3"), ("none", "reduce = 0")];
        assert_eq!(
            texts,
            BTreeMap::from(wanted.map(|(name, text)| (name, text.to_owned())))
        );
        assert_eq!(named["none"], path("configs/policies/none.toml"));
    }

    #[test]
    fn recorded_texts_stand_for_built_in_files() {
        provide(&PROVIDED);
        let house = path("configs/policies/house.toml");
        let files = Files::recorded([(house.clone(), "reduce = 9".into())]);
        assert_eq!(read(&files, &house), "reduce = 9");
        let named = files.named("configs/policies", Path::new("/nowhere"));
        assert_eq!(named, BTreeMap::from([("house".to_owned(), house)]));
        assert!(!files.has_file(&path("configs/policies/none.toml")));
    }
}
