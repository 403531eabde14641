//! The map of the code in CONTRIBUTING.md against the code.

use std::collections::BTreeMap;
use std::fs;

use super::reader::root;

/// The map: what it says of each crate.
fn map() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let map = text.split("## The files\n").nth(1).unwrap();
    let mut sections = BTreeMap::new();
    let mut section = None;
    for line in map
        .lines()
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
    {
        let line = line.strip_prefix("    ").unwrap();
        if !line.starts_with(' ') {
            section = line.strip_prefix("crates/").map(str::to_owned);
        }
        if let Some(section) = &section {
            let said: &mut String = sections.entry(section.clone()).or_default();
            *said += line;
            said.push('\n');
        }
    }
    sections
}

/// Whether a character may be part of a module's name.
fn in_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[test]
fn the_map_names_every_module_of_every_crate() {
    let map = map();
    let mut missing = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        let said = map
            .get(&name)
            .unwrap_or_else(|| panic!("the map does not name crates/{name}"));
        for entry in fs::read_dir(folder.path().join("src")).unwrap() {
            let entry = entry.unwrap();
            let module = entry.file_name().into_string().unwrap().replace(".rs", "");
            let is_named = said.split(|c| !in_a_name(c)).any(|word| word == module);
            if !is_named && !["lib", "main", "snapshots"].contains(&module.as_str()) {
                missing.push(format!("crates/{name}/src/{module}"));
            }
        }
    }
    assert!(missing.is_empty(), "not on the map in CONTRIBUTING.md: {missing:?}");
}

#[test]
fn the_folders_on_the_map_exist() {
    let mut strange = Vec::new();
    for (name, said) in map() {
        let folders = said
            .split_whitespace()
            .filter_map(|word| word.trim_end_matches([',', ';', ':']).strip_suffix('/'));
        for folder in folders {
            let source = root().join("crates").join(&name).join("src");
            let tops = fs::read_dir(&source)
                .unwrap()
                .map(|entry| entry.unwrap().path().join(folder));
            if !source.join(folder).is_dir() && !tops.into_iter().any(|path| path.is_dir()) {
                strange.push(format!("crates/{name}: {folder}/"));
            }
        }
    }
    assert!(
        strange.is_empty(),
        "on the map in CONTRIBUTING.md, and not there: {strange:?}"
    );
}

/// The paths that the text names in full.
#[test]
fn the_paths_in_the_text_exist() {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let words = text.split(|c: char| c.is_whitespace() || "`(),;:".contains(c));
    let paths: Vec<&str> = words
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| {
            ["crates/", "configs/", "docs/", "scripts/"]
                .iter()
                .any(|start| word.starts_with(start))
        })
        .collect();
    let strange: Vec<_> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(strange.is_empty(), "in CONTRIBUTING.md, and not there: {strange:?}");
    assert!(paths.len() > 20, "{paths:?}");
}
