//! A run as a value: its description and its games, read from its folder without a lock and without changing it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, Document};

use crate::failure::Failure;
use crate::record::folder::ResultsFolder;
use crate::record::manifest::{Invocation, Manifest, RunKind};
use crate::tournament::description::{Description, Pairings};
use crate::tournament::resolve::Resolver;
use crate::tournament::{Tournament, read, read_document};

/// A run that has ended, goes on, or was killed.
#[derive(Debug, Clone)]
pub struct Run {
    folder: PathBuf,
    manifest: Manifest,
}

impl Run {
    /// Reads the manifest in a results folder.
    ///
    /// # Errors
    /// When there is none, or it is not one that this program knows.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        ResultsFolder::to_read(folder)?;
        Ok(Self {
            manifest: Manifest::load(folder)?,
            folder: folder.to_owned(),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The tournament as it was asked for. The files that it names are not read.
    ///
    /// # Errors
    /// When it is none, or this program cannot have written it.
    pub fn description(&self) -> Result<(Description, Pairings), Failure> {
        self.read(|document, description| {
            let names: Option<Vec<String>> = (description.engines.iter())
                .map(|engine| engine.name.clone())
                .collect();
            let mut description = description;
            let pairings = description.name_engines(&names?, document)?;
            Some((Some((description, pairings)), Vec::new(), Vec::new()))
        })
        .map(|(found, _)| found)
    }

    /// The number of positions that the run's openings have; 0 when the manifest does not say.
    pub fn opening_count(&self) -> usize {
        let positions = self.manifest.files().iter().find_map(|file| file.positions);
        positions.unwrap_or(0)
    }

    /// The tournament with all that it names, to go on with: configuration files as they were when it began. Comes with
    /// warnings.
    ///
    /// # Errors
    /// When the openings or a program have changed or are gone, or the run is of an older version.
    pub fn tournament(
        &self,
        threads: Option<NonZeroUsize>,
        invocation: &Invocation,
    ) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
        let root = self.manifest.root(&self.folder);
        let (tournament, _) = self.read(|document, mut description| {
            let began = description.conditions.threads;
            description.conditions.threads = threads.or(began);
            let files = self.manifest.configuration(&root);
            let mut resolver = Resolver::new(document, &root, files);
            let engines = resolver.engines(&description);
            let tournament = Tournament::new(description, engines, &mut resolver);
            Some((tournament, resolver.errors, Vec::new()))
        })?;
        let now = Manifest::new(&tournament, invocation, &self.folder)?;
        self.manifest.check_unchanged(&now)?;
        Ok((tournament, self.manifest.warnings(&root, invocation)))
    }

    fn read<T>(
        &self,
        make: impl FnOnce(
            &Document,
            Description,
        ) -> Option<(Option<T>, Vec<Diagnostics>, Vec<Diagnostics>)>,
    ) -> Result<(T, Vec<Diagnostics>), Failure> {
        if self.manifest.kind != RunKind::Tournament {
            return Err(Failure::input(
                format!("`{}` is not a tournament", self.folder.display()),
                "it is a tuning run",
            ));
        }
        read_document(self.manifest.source(&self.folder), |document| {
            let table = document.root();
            let table = table.require("tournament", table.table(RunKind::Tournament.table()))?;
            make(document, read::tournament(table)?)
        })
    }
}
