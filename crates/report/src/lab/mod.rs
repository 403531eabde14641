//! The pages of the results that the commands of the lab wrote.
//!
//! | module | what it is the page of |
//! |---|---|
//! | `ablation`, `sweep` | what rules, parameters and features are worth, by the `measures` of a file |
//! | `best` | what the numbers say about the best of several points |
//!
//! The columns of a file show which command wrote it. Pictures of values with intervals are `dots`.

mod ablation;
mod best;
mod dots;
mod file;
mod measures;
mod sweep;

use std::path::{Path, PathBuf};

use lmrlab_results::failure::Failure;

use crate::page::Page;
use file::LabFile;

/// Makes the page of a file.
type Make = fn(&LabFile) -> Result<Page, Failure>;

/// Columns that only files of one kind have together, and the page of such a file.
const SIGNS: [(&[&str], Make); 1] = [(&["switched"], ablation::page)];

/// The page of a CSV file. It fails when files of its kind have no page.
pub(crate) fn file(path: &Path) -> Result<Page, Failure> {
    let file = LabFile::read(path)?;
    match SIGNS.iter().find(|(columns, _)| file.has(columns)) {
        Some((_, make)) => make(&file),
        None if sweep::is_one(&file) => sweep::page(&file),
        None => Err(unknown(&file.place)),
    }
}

/// The page of a folder with CSV files of any kind. `None` when it holds no CSV file.
pub(crate) fn folder(folder: &Path) -> Result<Option<Page>, Failure> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", folder.display()),
                "name a folder that can be read",
            )
        })?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Ok(None);
    }
    let pages: Vec<Page> = files.iter().map(|path| file(path)).collect::<Result<_, _>>()?;
    Ok(Some(Page::joined(pages)))
}

/// The commands with files of which each has a page.
pub(crate) const WRITERS: &str = "ablate and sweep";

/// The error for a file without a page.
fn unknown(place: &str) -> Failure {
    Failure::input(
        format!("there is no page of a file with the columns of `{place}`"),
        format!("pages are made of the folders that have a manifest, and of files of {WRITERS}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(name: &str, text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Page::joined(vec![file(&path).unwrap()]).html()
    }

    #[test]
    fn names_from_files_stay_text() {
        let long = "x".repeat(10_000);
        for name in [
            "<script>alert(1)</script>",
            "a\u{202e}b\u{1b}[31m",
            "\"quoted\" & 'so'",
            "]]>--></style>",
            &long,
        ] {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            for (file, text) in [
                (
                    "ablation.csv",
                    format!(
                        "switched,policy,nodes_ratio,nodes_ratio_low_95,nodes_ratio_high_95,elo,elo_error_95\n,{quoted},1,1,1,,\n\
                         {quoted},{quoted},1.5,1.2,1.9,-20,5\n-b,{quoted},0.5,0.4,0.6,3,5\n"
                    ),
                ),
                (
                    "sweep.csv",
                    format!(
                        "base,policy,nodes_ratio,nodes_ratio_low_95,nodes_ratio_high_95\n1,{quoted},1,1,1\n2,{quoted},2,1,3\n"
                    ),
                ),
            ] {
                let page = html(file, &text);
                assert!(
                    !page.contains("<script>alert") && !page.contains('\u{202e}') && !page.contains('\u{1b}'),
                    "{file}: {name}"
                );
                assert!(!page.contains("]]>--></style>"), "{file}: {name}");
                for picture in page.split("<svg ").skip(1) {
                    let picture = picture.split("</svg>").next().unwrap();
                    let file = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {picture}</svg>");
                    let tree = roxmltree::Document::parse(&file);
                    assert!(tree.is_ok(), "{tree:?}");
                }
            }
        }
    }
}
