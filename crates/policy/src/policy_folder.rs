//! The folder in which policies are found by name.

use std::path::Path;

/// Where named policies are, below the root of a project.
pub const POLICY_FOLDER: &str = "configs/policies";

/// The names of the policies in a folder, sorted.
pub fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            Some(name.to_str()?.strip_suffix(".toml")?.to_owned())
        })
        .collect();
    names.sort_unstable();
    names
}
