//! Reads ideas with their reports and games. All are files of the folder configs/ideas, of the project or built in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source, nearest};
use lmrlab_policy::idea::{IDEA_FOLDER, Idea};
use lmrlab_results::paths::from_here;
use lmrlab_results::rows::ideas::IdeaRow;

use super::games::{GAMES_FILE, IdeaGames, parse_games};
use super::reported::row;
use super::reports::{REPORTS_FILE, Report, parse_reports};

/// An idea, and what is known about it.
#[derive(Debug, Clone)]
pub struct KnownIdea {
    /// The name of its file, without `.toml`.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The content of the file.
    pub idea: Idea,
    /// What was reported, in the order of the file.
    pub reports: Vec<Report>,
    /// Its line in a table, with what the reports say about it.
    pub row: IdeaRow,
    /// Games that were played here.
    pub games: Vec<IdeaGames>,
}

/// The ideas of the project with this root and the built-in ones, by name, with warnings.
///
/// # Errors
/// When a file is wrong; all mistakes of all files.
pub fn known_ideas(files: &Files, root: &Path) -> Result<(Vec<KnownIdea>, Vec<Diagnostics>), Vec<Diagnostics>> {
    let (mut ideas, mut warnings, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let mut folders: BTreeMap<PathBuf, (Vec<Report>, Vec<IdeaGames>)> = BTreeMap::new();
    for (name, path) in files.named(IDEA_FOLDER, root) {
        let folder = path.parent().unwrap_or(root).to_owned();
        let (reports, games) = folders.entry(folder).or_insert_with_key(|folder| {
            let reports = beside(files, folder, REPORTS_FILE, parse_reports, &mut wrong);
            (reports, beside(files, folder, GAMES_FILE, parse_games, &mut wrong))
        });
        match Idea::read(files, &path, &from_here(&path).display().to_string()) {
            Ok((idea, more)) => {
                warnings.push(more);
                let reports: Vec<Report> = reports.iter().filter(|report| report.idea == name).cloned().collect();
                ideas.push(KnownIdea {
                    row: row(&name, &idea, &reports),
                    reports,
                    games: games.iter().filter(|games| games.idea == name).cloned().collect(),
                    name,
                    path,
                    idea,
                });
            }
            Err(report) => wrong.push(report),
        }
    }
    warnings.retain(|report| !report.list.is_empty());
    if wrong.is_empty() {
        Ok((ideas, warnings))
    } else {
        Err(wrong)
    }
}

/// What a file of a folder says; nothing where there is no such file.
fn beside<T>(
    files: &Files,
    folder: &Path,
    name: &str,
    parse: fn(&Source) -> Result<Vec<T>, Diagnostics>,
    wrong: &mut Vec<Diagnostics>,
) -> Vec<T> {
    let path = folder.join(name);
    if !files.has_file(&path) {
        return Vec::new();
    }
    let source = Source::read_from(files, &path, &from_here(&path).display().to_string());
    source.and_then(|source| parse(&source)).unwrap_or_else(|mistakes| {
        wrong.push(mistakes);
        Vec::new()
    })
}

/// The idea of this name.
///
/// # Errors
/// When there is none.
pub fn named<'i>(ideas: &'i [KnownIdea], name: &str) -> Result<&'i KnownIdea, Diagnostics> {
    let known = || ideas.iter().map(|idea| idea.name.as_str());
    ideas.iter().find(|idea| idea.name == name).ok_or_else(|| {
        let help = match nearest(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the ideas are: {}", known().collect::<Vec<_>>().join(", ")),
        };
        let error = Diagnostic::error(format!("there is no idea `{name}`")).help(help);
        Diagnostics::new(Source::new("", ""), vec![error])
    })
}
