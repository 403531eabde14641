//! The documents say what the data say.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code may panic")]

use std::path::{Path, PathBuf};

use lmrlab_docs::document::Document;
use lmrlab_docs::published::{Published, read};
use lmrlab_docs::records::{self, Records};
use lmrlab_docs::{citations, pages, written_again};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Each page, with its text.
fn texts() -> Vec<(PathBuf, String)> {
    let pages = pages(&root()).unwrap();
    assert!(pages.len() > 10, "{pages:?}");
    let text = |page: PathBuf| {
        let text = read(&root().join(&page)).unwrap();
        (page, text)
    };
    pages.into_iter().map(text).collect()
}

#[test]
fn pages_are_made_of_the_published_data() {
    let published = Published::open(&root()).unwrap();
    let mut problems = Vec::new();
    let mut pictures = 0;
    for (page, text) in texts() {
        let path = root().join(records::path(&page));
        let records = if path.exists() {
            Records::read(&read(&path).unwrap()).unwrap()
        } else {
            Records::default()
        };
        let mut found = Vec::new();
        match written_again(&page, &text, &records, &published) {
            Ok(made) if made.text == text => {
                found.extend(citations::of_another_search(&made, &published));
            }
            Ok(made) => {
                let differs = text.lines().zip(made.text.lines()).position(|(old, new)| old != new);
                found.push(format!("{} is not what the data say", differs.unwrap_or(0) + 1));
            }
            Err(error) => problems.push(error),
        }
        if path.exists() && records.bench != lmrlab_engine::bench::FINGERPRINT {
            found.push("its records are of another search".to_owned());
        }
        for picture in Document::read(&text).unwrap().pictures {
            if !records.has_drawn(&picture, &root().join(&page).with_file_name(&picture.file)) {
                found.push(format!("{} is not as its commands drew it", picture.file));
            }
            pictures += 1;
        }
        problems.extend(found.iter().map(|problem| format!("{}:{problem}", page.display())));
    }
    assert!(pictures > 5, "{pictures} pictures");
    let help = "run `cargo run --release -p lmrlab-docs`";
    assert!(problems.is_empty(), "{}\n{help}", problems.join("\n"));
}

#[test]
fn the_documents_are_short() {
    let docs = texts().into_iter().filter(|(page, _)| page.starts_with("docs"));
    // Tables are made of data and of the columns of rows.
    let written = |text: &str| text.lines().filter(|line| !line.starts_with('|')).count();
    let lines: usize = docs.map(|(_, text)| written(&text)).sum();
    assert!(lines < 1_850, "{lines} lines in docs beside tables");
}
