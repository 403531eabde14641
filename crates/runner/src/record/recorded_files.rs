//! What the manifest of a tournament says of its openings and programs.

use std::path::Path;

use crate::openings::Openings;
use crate::tournament::description::OpeningBooks;
use crate::tournament::entrant::{Entrant, EntrantEngine};
use crate::tournament::{Tournament, keys};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::{Invocation, Manifest, RecordedFile, RunKind};
use lmrlab_results::sha256::sha256_of_file;

/// The manifest of a tournament that begins now, with its results in `folder`.
///
/// # Errors
/// When a program cannot be read.
pub fn manifest(tournament: &Tournament, invocation: &Invocation, folder: &Path) -> Result<Manifest, Failure> {
    let description = keys::of_tournament(&tournament.description);
    let mut files = openings(&tournament.description.conditions.openings, &tournament.openings);
    files.extend(programs(&tournament.engines)?);
    Manifest::of(
        RunKind::Tournament,
        description,
        files,
        (&tournament.files, &tournament.root),
        invocation,
        folder,
    )
}

/// The files of openings.
pub fn openings(books: &OpeningBooks, openings: &Openings) -> Vec<RecordedFile> {
    let files = books.all().zip(openings.books());
    files
        .map(|(file, book)| RecordedFile {
            path: file.display().to_string(),
            sha256: book.sha256.clone(),
            positions: Some(book.count),
            text: None,
        })
        .collect()
}

/// The programs among some engines, each once.
///
/// # Errors
/// When one cannot be read.
pub fn programs(engines: &[Entrant]) -> Result<Vec<RecordedFile>, Failure> {
    let mut files: Vec<RecordedFile> = Vec::new();
    for engine in engines {
        let EntrantEngine::External {
            command,
            engine: external,
            ..
        } = &engine.engine
        else {
            continue;
        };
        let path = command.clone();
        if files.iter().any(|file| file.path == path) {
            continue;
        }
        let sha256 = sha256_of_file(&external.program).map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", external.program.display()),
                "a run records the SHA-256 of its programs",
            )
        })?;
        files.push(RecordedFile {
            path,
            sha256,
            positions: None,
            text: None,
        });
    }
    Ok(files)
}
