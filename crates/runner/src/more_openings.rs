//! Adds books to a test that has used its openings, or will use them up. Then the test can be resumed.

use std::path::PathBuf;

use lmrlab_diagnostics::{Diagnostics, built_in};

use crate::record::recorded_files;
use crate::run::Run;
use crate::tournament::description::Conditions;
use crate::tournament::{Tournament, keys};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::{Invocation, RunKind};
use lmrlab_results::paths::{absolute, portable, relative};
use lmrlab_results::project;

/// The run with further books behind those that it has. A test with one pair for each opening gets one more pair for
/// each new opening. Nothing is written: only the returned run has the new manifest. Also returns warnings.
///
/// # Errors
/// When the run cannot be resumed or needs no more openings. When a book cannot be read, is of another variant, or has no new
/// position.
pub fn with_more_openings(
    run: &Run,
    books: &[PathBuf],
    invocation: &Invocation,
) -> Result<(Run, Vec<Diagnostics>), Failure> {
    let (tournament, _) = run.tournament(|_| (), invocation)?;
    let raises_pairs = check_needed(run, &tournament)?;
    let root = run.manifest().root(run.folder());
    let working = std::env::current_dir().unwrap_or_default();
    let named_from_root = |book: &PathBuf| {
        let path = project::typed_file(&working, book);
        match built_in::is_built_in(&path) {
            true => path,
            false => portable(&relative(&root, &absolute(&path))).into(),
        }
    };
    let mut conditions = tournament.description.conditions.clone();
    conditions.openings.added.extend(books.iter().map(named_from_root));
    let (openings, warnings) = run.read(RunKind::Tournament, |resolver, _| resolver.openings(&mut conditions))?;
    let named = conditions.openings;
    let mut changes = keys::of_conditions(&Conditions {
        openings: named.clone(),
        ..Conditions::default()
    });
    changes.retain(|key, _| key == "openings");
    if raises_pairs {
        let pairs = i64::try_from(openings.count()).unwrap_or(i64::MAX);
        changes.insert("pairs".to_owned(), pairs.into());
    }
    let had = tournament.openings.books().len();
    let added = recorded_files::openings(&named, &openings).split_off(had);
    let manifest = run.manifest().with(|manifest| manifest.add_books(added, changes))?;
    Ok((Run::with_manifest(run.folder(), manifest), warnings))
}

/// Checks that more openings make a difference. Returns whether the run is a test with one pair for each opening: then
/// more openings bring more pairs.
fn check_needed(run: &Run, tournament: &Tournament) -> Result<bool, Failure> {
    let refuse = |why: String, advice: &str| {
        let shown = run.folder().display();
        Err(Failure::input(
            format!("the run in `{shown}` takes no more openings: {why}"),
            advice,
        ))
    };
    let new_run = "begin a new run with these openings";
    if tournament.pairings.race.is_some() {
        return refuse("it is a race".to_owned(), new_run);
    }
    let progress = run.progress()?;
    if progress.decided().is_some() {
        return refuse(
            format!("its test was decided after {} pairs", progress.pairs),
            "resume it without more openings, or begin a new run",
        );
    }
    let openings = tournament.openings.count() as u64;
    let raises_pairs = tournament.description.sprt.is_some() && tournament.pairs == openings;
    if !raises_pairs && tournament.pairs <= openings {
        return refuse(
            format!("it plays {} pairs, and has {openings} openings", tournament.pairs),
            new_run,
        );
    }
    let last = progress
        .pairs
        .checked_sub(1)
        .and_then(|last| progress.schedule().pair(last));
    if last.is_some_and(|last| last.round >= openings) {
        return refuse(format!("it has used its {openings} openings more than once"), new_run);
    }
    Ok(raises_pairs)
}
