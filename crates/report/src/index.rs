//! A page that lists all results below a folder: runs, and what commands found.

use std::fs;
use std::path::{Path, PathBuf};

use maud::{Markup, html};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{MANIFEST, PARTS_FOLDER, REPORT};
use lmrlab_results::manifest::RunKind;
use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::files::About;
use lmrlab_results::paths::portable;
use lmrlab_runner::outcome;
use lmrlab_runner::run::Run;

use crate::page::{Page, Section};
use crate::results::Open;
use crate::table::{Heading, printable, table};

/// The depth to which folders in folders are searched for runs.
const DEEPEST: usize = 4;

/// Sentences of a verdict in the list; the page of the run has all.
const MOST_SENTENCES: usize = 2;

/// A result in the list.
struct Listed {
    folder: PathBuf,
    kind: String,
    started: String,
    verdict: String,
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

/// The list. The line of a result that cannot be read says so.
///
/// # Errors
/// When there are no results below the folder.
pub fn page(folder: &Path, open: Open) -> Result<Page, Failure> {
    let results = below(folder, About::is_in).into_iter();
    let mut runs: Vec<Listed> = results.map(|result| listed(result, open)).collect();
    if runs.is_empty() {
        return Err(Failure::input(
            format!("there are no results below `{}`", folder.display()),
            "name a folder with results of lmrlab, such as `results`",
        ));
    }
    runs.sort_by(|one, other| other.started.cmp(&one.started));
    let headings = ["Result", "Begun", "Kind", "Verdict"].map(|text| Heading {
        text,
        meaning: "",
        is_of_numbers: false,
    });
    let row = |run: &Listed| {
        let name = match run.folder.strip_prefix(folder).unwrap_or(&run.folder) {
            here if here.as_os_str().is_empty() => ".".to_owned(),
            below => portable(below),
        };
        let link: Markup = match run.folder.join(REPORT.name()).is_file() {
            true => html! { a href=(link(&name)) { (printable(&name)) } },
            false => html! { (printable(&name)) },
        };
        vec![
            link,
            html! { (run.started) },
            html! { (run.kind) },
            html! { (printable(&run.verdict)) },
        ]
    };
    let rows: Vec<Vec<Markup>> = runs.iter().map(row).collect();
    let mut section = Section::new("results", "Results");
    section.add(table(&headings, &rows));
    section.say("A name links to the page of the result, where there is one. lmrlab report writes such a page.");
    Ok(Page {
        title: format!("Results in {}", portable(folder)),
        subtitle: format!("{}, the latest first", counted(runs.len() as u64, "result")),
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

fn listed(folder: PathBuf, open: Open) -> Listed {
    let mut listed = Listed {
        folder,
        kind: String::new(),
        started: String::new(),
        verdict: String::new(),
    };
    listed.verdict = match verdict(&mut listed, open) {
        Ok(verdict) => verdict,
        Err(_) => format!("cannot be read; `lmrlab show {}` says why", listed.folder.display()),
    };
    listed
}

fn verdict(listed: &mut Listed, open: Open) -> Result<String, Failure> {
    let folder = &listed.folder;
    let time = |text: &str| text.replace('T', " ").replace('Z', "");
    let found = || open(folder).map(|found| found.map_or_else(Vec::new, |found| found.verdict));
    let mut sentences = Vec::new();
    if !folder.join(MANIFEST.name()).is_file() {
        let about = About::load(folder)?;
        sentences.extend((!about.conditions.is_empty()).then(|| format!("{}.", about.conditions)));
        sentences.extend(found()?.into_iter().take(MOST_SENTENCES));
        listed.started = time(&about.written);
        listed.kind = about.kind;
        return Ok(sentences.join(" "));
    }
    let run = Run::open(folder)?;
    listed.started = time(&run.manifest().began().to_string());
    sentences.extend(run.note());
    let verdict = if run.manifest().kind == RunKind::Tuning {
        let is_trial = run.manifest().description().contains_key("idea");
        listed.kind = if is_trial { "trial" } else { "tuning" }.to_owned();
        found()?
    } else {
        let (description, pairings) = run.description()?;
        listed.kind = outcome::kind(&description, &pairings).to_owned();
        if !run.has_games() && run.manifest().part.is_none() {
            outcome::of_files(folder).map_or_else(|_| Vec::new(), |found| found.verdict)
        } else {
            outcome::sentences::verdict(&run.progress()?, run.is_running())
        }
    };
    sentences.extend(verdict.into_iter().take(MOST_SENTENCES));
    Ok(sentences.join(" "))
}
