//! A run as a value: its description and its games, read from its folder without a lock and without changing it.
//!
//! ```no_run
//! use std::path::Path;
//! use lmrlab_runner::run::Run;
//!
//! let run = Run::open(Path::new("results/quickstart"))?;
//! for row in run.progress()?.standings() {
//!     println!("{} {} {:?}", row.rank, row.engine, row.elo);
//! }
//! # Ok::<(), lmrlab_diagnostics::failure::Failure>(())
//! ```

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, TomlTable};

use crate::openings::{BookOfRun, Openings};
use crate::record::pgn_writer::PgnWriter;
use crate::record::progress::TournamentProgress;
use crate::tournament::contrast::{self, NamedEngine};
use crate::tournament::defaults::MAX_PAIRS;
use crate::tournament::description::{Conditions, Description, EngineKind, Pairings};
use crate::tournament::resolve::Resolver;
use crate::tournament::schedule::Schedule;
use crate::tournament::{Tournament, keys};
use lmrlab_diagnostics::failure::{Failure, warning};
use lmrlab_results::folder::{
    self, COMPLETION, GAMES, JOURNAL_DIGESTS, ResultFile, ResultsFolder, TASKS, TUNING_RESULT,
};
use lmrlab_results::journal::{edited_line, read_pairs};
use lmrlab_results::manifest::{Invocation, Manifest, RunKind};
use lmrlab_results::part_tasks::read_tasks;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::rows::pairs::PairRow;

/// A run that has ended, is playing, or was killed.
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

    /// A run with this manifest. Its files are in `folder`, or will be.
    pub fn with_manifest(folder: &Path, manifest: Manifest) -> Self {
        Self {
            folder: folder.to_owned(),
            manifest,
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Whether a process is writing to it now.
    pub fn is_running(&self) -> bool {
        folder::is_running(&self.folder)
    }

    /// Whether it was played to its end.
    ///
    /// # Errors
    /// When its journal cannot be read, or is that of another run.
    pub fn has_ended(&self) -> Result<bool, Failure> {
        let has = |file: ResultFile| self.folder.join(file.name()).exists();
        Ok(match self.manifest.kind {
            _ if self.manifest.part.is_some() => has(COMPLETION),
            // A user removes the games when the run is over.
            RunKind::Tournament => !self.has_games() || self.progress()?.ended().is_some(),
            RunKind::Tuning => has(TUNING_RESULT),
        })
    }

    fn journal(&self) -> PathBuf {
        self.folder.join(GAMES.name())
    }

    /// Whether its games are there.
    pub fn has_games(&self) -> bool {
        self.journal().exists()
    }

    /// A note for readers of the results, in a sentence. It says that the folder has only a part of the run, or that
    /// the run was merged without some of its parts. `None` when the folder has the whole run.
    pub fn note(&self) -> Option<String> {
        if let Some(merged) = &self.manifest.merged {
            return merged.note();
        }
        let part = self.manifest.part.as_ref()?;
        let description = self.manifest.description();
        let name = description.get("name")?.as_str()?;
        let pairs = self.scheduled_pairs().ok();
        Some(match pairs.and_then(|pairs| part.block(pairs)) {
            Some(block) => format!(
                "This is {} of the run {name}: pairs {} to {} of {}.",
                part.name(),
                block.start + 1,
                block.end,
                pairs.unwrap_or_default()
            ),
            None => format!("This is {} of the run {name}.", part.name()),
        })
    }

    /// How many pairs the whole run has, when no result ends it before.
    ///
    /// # Errors
    /// When that is not known: the length of a tuning run may be given as a time.
    pub fn scheduled_pairs(&self) -> Result<u64, Failure> {
        if self.manifest.kind == RunKind::Tournament {
            return Ok(self.schedule()?.2.pairs());
        }
        let pairs = self.read(RunKind::Tuning, |_, table| {
            table.require("pairs", table.integer("pairs", 1..=MAX_PAIRS as i64))
        });
        Ok(pairs?.0 as u64)
    }

    /// All pairs of the whole run.
    fn schedule(&self) -> Result<(Description, Pairings, Schedule), Failure> {
        let (description, pairings) = self.description()?;
        let mut openings: Vec<usize> = self.manifest.file.iter().filter_map(|file| file.positions).collect();
        if openings.is_empty() {
            openings.push(1);
        }
        let pairs = description.pairs.unwrap_or(openings.iter().sum::<usize>() as u64);
        let schedule = description.schedule(&pairings, pairs, &openings);
        Ok((description, pairings, schedule))
    }

    /// The tournament as it was asked for. The files that it names are not read.
    ///
    /// # Errors
    /// When the run is no tournament, or this program cannot have written it.
    pub fn description(&self) -> Result<(Description, Pairings), Failure> {
        let read = self.read(RunKind::Tournament, |resolver, table| {
            let mut description = keys::tournament(table)?;
            for engine in description.engines.iter().filter(|engine| engine.name.is_none()) {
                let missing = Diagnostic::error("this engine of a manifest has no `name`");
                resolver.document.report(missing.at(engine.place.clone(), ""));
            }
            let names: Option<Vec<String>> = description.engines.iter().map(|engine| engine.name.clone()).collect();
            let pairings = description.name_engines(&names?, resolver.document)?;
            Some((description, pairings))
        });
        Ok(read?.0)
    }

    /// The results of the tournament so far.
    ///
    /// # Errors
    /// When the run is no tournament, or its journal is missing, cannot be read, or is that of another run.
    pub fn progress(&self) -> Result<TournamentProgress, Failure> {
        self.follow(&mut |_, _| ())
    }

    /// As [`Self::progress`]. `each` gets every pair of games with its line of pairs.csv.
    ///
    /// # Errors
    /// As [`Self::progress`].
    pub fn follow(&self, each: &mut dyn FnMut(&PairRow, [GameRow; 2])) -> Result<TournamentProgress, Failure> {
        let (_, mut progress) = self.not_counted()?;
        self.pairs(&mut |games| {
            let row = progress.count(&games)?;
            each(&row, games);
            Ok(())
        })?;
        Ok(progress)
    }

    /// The tournament, and a progress without any counted pair. For a part of a run, the progress has the pairs of the
    /// part.
    ///
    /// # Errors
    /// When the run is no tournament, or is a part and only the whole run knows which pairs it has.
    pub fn not_counted(&self) -> Result<(Description, TournamentProgress), Failure> {
        let (description, pairings, schedule) = self.schedule()?;
        let all = schedule.pairs();
        let left_out = match (&self.manifest.part, &self.manifest.merged) {
            (Some(part), _) => {
                let block = part.block(all).ok_or_else(|| self.played_for_another())?;
                vec![0..block.start, block.end..all]
            }
            (None, Some(merged)) => merged.left_out(),
            (None, None) => Vec::new(),
        };
        let schedule = schedule.without(&left_out);
        // A test is decided over the whole run, not over the pairs of a part.
        let sprt = description.sprt.filter(|_| self.manifest.part.is_none());
        let progress = TournamentProgress::new(pairings.names, schedule, sprt, pairings.race);
        Ok((description, progress))
    }

    fn played_for_another(&self) -> Failure {
        let shown = self.folder.display();
        Failure::input(
            format!("`{shown}` holds a part that a run on many machines has sent here"),
            "use `lmrlab show` with the folder of that run",
        )
    }

    /// Hands out the recorded pairs in their order.
    ///
    /// # Errors
    /// When the journal is missing or cannot be read, or `each` fails.
    pub fn pairs(&self, each: &mut dyn FnMut([GameRow; 2]) -> Result<(), Failure>) -> Result<(), Failure> {
        let journal = self.journal();
        if !journal.exists() {
            if self.manifest.part.is_some() {
                // No pair of it has been played yet.
                return Ok(());
            }
            return Err(Failure::input(
                format!("`{}` has no {}", self.folder.display(), GAMES.name()),
                "results are computed from the games; the other CSV files may still have them",
            ));
        }
        read_pairs(&journal, each)
    }

    /// A recorded game by its number, from 1; `None` when there is no such game.
    ///
    /// # Errors
    /// When the journal is missing or cannot be read.
    pub fn game(&self, number: u64) -> Result<Option<GameRow>, Failure> {
        let mut found = None;
        self.pairs(&mut |games| {
            found = found
                .take()
                .or_else(|| games.into_iter().find(|game| game.game == number));
            Ok(())
        })?;
        Ok(found)
    }

    /// Writes the games as games.pgn has them.
    ///
    /// # Errors
    /// When this program cannot have written the manifest.
    pub fn pgn_writer(&self) -> Result<PgnWriter, Failure> {
        if self.manifest.kind == RunKind::Tournament {
            let (description, pairings) = self.description()?;
            return Ok(PgnWriter::new(&description, &pairings.names, &self.manifest));
        }
        let read = self.read(RunKind::Tuning, |_, table| {
            let name = keys::name(&table)?;
            let (conditions, style) = (keys::conditions(&table)?, keys::pgn(&table)?);
            Some(PgnWriter::of(&name, &conditions, style, &self.manifest))
        });
        Ok(read?.0)
    }

    /// Warnings when the manifest or the journal was edited after the run wrote it.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn edits(&self) -> Result<Vec<Diagnostics>, Failure> {
        let journal = self.journal();
        let line = match self.manifest.part.is_some() && !journal.exists() {
            true => None,
            false => edited_line(&journal)?,
        };
        let of_journal = line.map(|line| edited_journal(&journal, line));
        let of_manifest = self.manifest.edit_warning(&self.folder);
        Ok(of_manifest.into_iter().chain(of_journal).collect())
    }

    /// The tournament with all that it names, to be resumed. It has the configuration files from when it began.
    /// `change` applies settings of the command line. Also returns warnings.
    ///
    /// # Errors
    /// When the openings or a program have changed or are gone, or the manifest was edited.
    pub fn tournament(
        &self,
        change: impl FnOnce(&mut Conditions),
        invocation: &Invocation,
    ) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
        self.manifest.check_unedited(&self.folder)?;
        self.manifest.check_files(&self.folder, true)?;
        let openings = self.openings()?;
        let (tournament, _) = self.read(RunKind::Tournament, |resolver, table| {
            let mut description = keys::tournament(table)?;
            change(&mut description.conditions);
            resolver.openings = openings;
            let engines = resolver.engines(&description);
            Tournament::new(description, engines, resolver)
        })?;
        let root = self.manifest.root(&self.folder);
        Ok((tournament, self.manifest.warnings(&root, invocation)))
    }

    /// What the tournament compares, in sentences. Engines that this version cannot read are left out.
    ///
    /// # Errors
    /// When the run is no tournament, or this program cannot have written it.
    pub fn comparison(&self) -> Result<Vec<String>, Failure> {
        let ((engines, field), _) = self.read(RunKind::Tournament, |resolver, table| {
            let description = keys::tournament(table)?;
            let engines = description.engines.iter().filter_map(|engine| {
                let EngineKind::Own {
                    preset,
                    policy,
                    ordering,
                } = &engine.kind
                else {
                    return None;
                };
                let (own, _) = resolver.own_engine(&preset.value, &policy.value, *ordering).ok()?;
                Some((engine.name.clone().unwrap_or_default(), own))
            });
            Some((engines.collect::<Vec<_>>(), description.engines.len()))
        })?;
        let sides: Vec<NamedEngine<'_>> = engines.iter().map(|(name, own)| (name.as_str(), own)).collect();
        Ok(contrast::sentences(&sides, field))
    }

    /// Reads the table of the manifest that describes a run of this kind, with the configuration files from when the run
    /// began. Also returns the warnings of all files.
    ///
    /// # Errors
    /// When the run is of another kind, or the description is wrong.
    pub fn read<T>(
        &self,
        kind: RunKind,
        make: impl FnOnce(&mut Resolver<'_>, TomlTable<'_>) -> Option<T>,
    ) -> Result<(T, Vec<Diagnostics>), Failure> {
        self.check_kind(kind)?;
        let document = Document::parse(self.manifest.source(&self.folder))?;
        let root = self.manifest.root(&self.folder);
        let mut resolver = Resolver::new(&document, &root, self.manifest.configuration(&root));
        let table = document.root();
        let table = table.require(kind.table(), table.table(kind.table()));
        let found = table.and_then(|table| make(&mut resolver, table));
        resolver.finish(found)
    }

    /// The openings that a part of a run needs. `None` for a whole run, which reads its file.
    ///
    /// # Errors
    /// When the file with the tasks of the part cannot be read.
    pub fn openings(&self) -> Result<Option<Openings>, Failure> {
        if self.manifest.part.is_none() {
            return Ok(None);
        }
        let path = self.folder.join(TASKS.name());
        let tasks = read_tasks(&path).map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", path.display()),
                "copy the folder of the part again",
            )
        })?;
        let positions = tasks.into_iter().map(|task| {
            let opening = usize::try_from(task.opening.saturating_sub(1)).unwrap_or(usize::MAX);
            (opening, task.fen.into_boxed_str())
        });
        let books = self.manifest.file.iter().filter_map(|file| {
            Some(BookOfRun {
                count: file.positions?,
                sha256: file.sha256.clone(),
            })
        });
        let books: Vec<BookOfRun> = books.collect();
        Ok((!books.is_empty()).then(|| Openings::some(books, positions)))
    }

    fn check_kind(&self, wanted: RunKind) -> Result<(), Failure> {
        let found = self.manifest.kind;
        if found == wanted {
            return Ok(());
        }
        let shown = self.folder.display();
        Err(Failure::input(
            format!("`{shown}` holds a {found}, and this command reads a {wanted}"),
            format!("`lmrlab show {shown}` prints its result"),
        ))
    }
}

/// The warning for readers of a run when a line of its journal was edited.
fn edited_journal(journal: &Path, line: u64) -> Diagnostics {
    warning(format!(
        "line {line} of `{}` was edited: its SHA-256 is not the one in {}; the results below depend on it",
        journal.display(),
        JOURNAL_DIGESTS.name(),
    ))
}
