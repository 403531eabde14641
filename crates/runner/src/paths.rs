//! Paths that are written into files: absolute, from folder to folder, and as every system reads them.

use std::path::{Component, Path, PathBuf};

/// An absolute path, without `.` and `..` where the file system allows that.
pub fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // The folder itself may not be there yet, but those above it are.
    let there = absolute.ancestors().find_map(|ancestor| {
        let real = dunce::canonicalize(ancestor).ok()?;
        let rest = absolute.strip_prefix(ancestor).ok()?;
        Some(real.join(rest))
    });
    there.unwrap_or(absolute)
}

/// A path as every system understands it.
pub fn portable(path: &Path) -> String {
    path.display().to_string().replace(std::path::MAIN_SEPARATOR, "/")
}

/// The way from one folder to another, both absolute; between two drives there is none, and `to` stays absolute.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from
        .components()
        .zip(to.components())
        .take_while(|(one, other)| one == other)
        .count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    if path.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_folder_to_another() {
        let way = |from, to| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(way("/a/b/results/x", "/a/b"), "../..");
        assert_eq!(way("/a/b", "/a/b"), ".");
        assert_eq!(way("/a/b", "/c/d"), "../../c/d");
        assert_eq!(way("/a", "/a/b/c"), "b/c");
    }
}
