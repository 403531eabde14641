//! The documents that are made from data: README.md, the pages of docs and the list of published runs.
//!
//! Three kinds of text in a page come from other files:
//!
//! - The output of a command in a `console` block ([`document`]). results/published/commands has the output of each
//!   command ([`records`]). Lines `...` of a page stand for lines that the page leaves out.
//! - A table or a number from the files in results/published ([`marks`], [`published`]).
//! - A picture ([`document::Picture`]).
//!
//! [`written_again`] makes a page from these data. [`citations`] finds runs of another search. `lmrlab-docs` writes the pages. The tests of this crate and of the command line compare them.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod citations;
pub mod comparison;
pub mod document;
pub mod marks;
pub mod published;
pub mod records;
pub mod table;

use std::path::{Path, PathBuf};

use self::document::Document;
use self::published::Published;
use self::records::Records;

/// The pages, as paths from the project's root.
///
/// # Errors
/// When the folder of the pages cannot be read.
pub fn pages(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = root.join("docs");
    let entries = folder
        .read_dir()
        .map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut pages: Vec<PathBuf> = names
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "md"))
        .map(|name| Path::new("docs").join(name))
        .collect();
    pages.extend(["README.md", "results/published/README.md"].map(PathBuf::from));
    pages.sort();
    Ok(pages)
}

/// A page made from the present data.
#[derive(Debug)]
pub struct Page {
    /// Its text.
    pub text: String,
    /// The published files that its marks name, with the line of each.
    pub cited: Vec<(usize, String)>,
}

/// Makes a page again from its records and from the published results. `name` is its path from the root.
///
/// # Errors
/// When a mark of the page cannot be read, when it names something that does not exist, or when a command has no
/// record. The message has the place.
pub fn written_again(name: &Path, text: &str, records: &Records, published: &Published) -> Result<Page, String> {
    let document = Document::read(text).map_err(|error| format!("{}:{error}", name.display()))?;
    let text = records
        .filled_in(&document, text)
        .map_err(|error| format!("{}:{error}", name.display()))?;
    marks::filled_in(&text, published).map_err(|error| format!("{}:{error}", name.display()))
}
