//! A page that lists all results below a folder: runs, and what commands found.

use std::fs;
use std::path::{Path, PathBuf};

use maud::{Markup, html};

use crate::folder::{MANIFEST, PARTS_FOLDER, REPORT};
use crate::number_text::counted;
use crate::outcome::files::About;
use crate::paths::portable;
use lmrlab_diagnostics::failure::Failure;

use crate::report::page::{Page, Section};
use crate::report::table::{Heading, printable, table};

/// The depth to which folders in folders are searched for runs.
const DEEPEST: usize = 4;

/// Sentences of a result in the list; its page has all.
const MOST_SENTENCES: usize = 3;

/// What a list says of a result.
#[derive(Debug, Clone, Default)]
pub struct Listed {
    /// What it is: `match`, `audit`.
    pub kind: String,
    /// When it began, in UTC.
    pub begun: String,
    /// What was found, in sentences.
    pub verdict: Vec<String>,
}

/// The folders of runs below this one, and those for which `is_wanted` holds; the folder itself, too; in the order of their names.
fn below(folder: &Path, is_wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    fn look(folder: &Path, deep: usize, is_wanted: fn(&Path) -> bool, found: &mut Vec<PathBuf>) {
        let is_run = folder.join(MANIFEST.name()).is_file();
        if is_run || is_wanted(folder) {
            found.push(folder.to_owned());
        }
        let Some(entries) = (deep < DEEPEST).then(|| fs::read_dir(folder).ok()).flatten() else {
            return;
        };
        let mut folders: Vec<PathBuf> = entries
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            // The parts that were sent to other machines belong to the run itself.
            .filter(|entry| !is_run || entry.file_name() != PARTS_FOLDER)
            .map(|entry| entry.path())
            .collect();
        folders.sort();
        folders
            .iter()
            .for_each(|folder| look(folder, deep + 1, is_wanted, found));
    }
    let mut found = Vec::new();
    look(folder, 0, is_wanted, &mut found);
    found
}

/// The list. `open` reads a result. The line of one that cannot be read says so.
///
/// # Errors
/// When there are no results below the folder.
pub fn page(folder: &Path, open: impl Fn(&Path) -> Result<Listed, Failure>) -> Result<Page, Failure> {
    let listed = |result: PathBuf| {
        let unreadable = || Listed {
            verdict: vec![format!("cannot be read; `lmrlab show {}` says why", result.display())],
            ..Listed::default()
        };
        (open(&result).unwrap_or_else(|_| unreadable()), result)
    };
    let mut results: Vec<(Listed, PathBuf)> = below(folder, About::is_in).into_iter().map(listed).collect();
    if results.is_empty() {
        return Err(Failure::input(
            format!("there are no results below `{}`", folder.display()),
            "name a folder with results of lmrlab, such as `results`",
        ));
    }
    results.sort_by(|(one, _), (other, _)| other.begun.cmp(&one.begun));
    let headings = ["Result", "Begun", "Kind", "Verdict"].map(|text| Heading {
        text,
        meaning: "",
        is_of_numbers: false,
    });
    let row = |(listed, result): &(Listed, PathBuf)| {
        let name = match result.strip_prefix(folder).unwrap_or(result) {
            here if here.as_os_str().is_empty() => ".".to_owned(),
            below => portable(below),
        };
        let link: Markup = match result.join(REPORT.name()).is_file() {
            true => html! { a href=(link(&name)) { (printable(&name)) } },
            false => html! { (printable(&name)) },
        };
        vec![
            link,
            html! { (listed.begun.replace('T', " ").replace('Z', "")) },
            html! { (printable(&listed.kind)) },
            html! { (printable(&listed.verdict[..listed.verdict.len().min(MOST_SENTENCES)].join(" "))) },
        ]
    };
    let rows: Vec<Vec<Markup>> = results.iter().map(row).collect();
    let mut section = Section::new("results", "Results");
    section.add(table(&headings, &rows));
    section.say("A name links to the page of the result, where there is one. lmrlab report writes such a page.");
    Ok(Page {
        title: format!("Results in {}", portable(folder)),
        subtitle: format!("{}, the latest first", counted(results.len() as u64, "result")),
        verdict: html! {},
        sections: vec![section],
        reload_seconds: None,
    })
}

/// A path as a link. Its special characters are escaped: it can neither name another protocol nor lead elsewhere.
fn link(name: &str) -> String {
    let mut link = String::from("./");
    for byte in format!("{name}/{}", REPORT.name()).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => link.push(char::from(byte)),
            other => link.push_str(&format!("%{other:02X}")),
        }
    }
    link
}
