//! The map of the code in CONTRIBUTING.md, and crates/docs/README.md, against the code.

use std::fs;

use super::reader::root;

/// The paths that the texts name in full.
#[test]
fn the_paths_in_the_texts_exist() {
    let texts = ["CONTRIBUTING.md", "crates/docs/README.md"].map(|name| fs::read_to_string(root().join(name)).unwrap());
    let text = texts.concat();
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
    assert!(strange.is_empty(), "named, and not there: {strange:?}");
    assert!(paths.len() > 20, "{paths:?}");
}
