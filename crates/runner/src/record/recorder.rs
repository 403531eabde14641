//! The one place where finished pairs become files.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use super::folder::{self, ResultsFolder};
use super::journal::GameRow;
use super::manifest::Manifest;
use super::pairs::PairRow;
use super::pgn::{Heading, pgn};
use super::tally::Tally;
use super::timings::TimingRow;
use super::{Row, crosstable, csv_lines, standings};
use crate::failure::Failure;
use crate::stats::{Sprt, Verdict};
use crate::tournament::Tournament;
use crate::tournament::workers::FinishedPair;

/// How far a run has come, over the pairs that have been recorded.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Pairs recorded.
    pub pairs: u64,
    /// Pairs of the whole schedule.
    pub scheduled_pairs: u64,
    /// What was counted.
    pub tally: Tally,
    /// The test that may end the run early; the first engine is that with index 0.
    pub sprt: Option<Sprt>,
}

impl Progress {
    /// Log-likelihood ratio of the test.
    pub fn llr(&self) -> Option<f64> {
        self.sprt
            .map(|sprt| sprt.llr(&self.tally.encounter(0, 1).pairs))
    }

    /// What the test says, once it says something.
    pub fn verdict(&self) -> Option<Verdict> {
        self.sprt
            .map(|sprt| sprt.status(&self.tally.encounter(0, 1).pairs))
            .filter(|verdict| *verdict != Verdict::Continue)
    }
}

/// Writes pairs in schedule order: the journal first, then what is computed from it.
pub struct Recorder {
    folder: ResultsFolder,
    names: Vec<String>,
    openings: crate::openings::Openings,
    event: String,
    date: String,
    /// What the tag `TimeControl` says of each engine.
    time_controls: Vec<Option<String>>,
    timed: bool,
    games: Table,
    pgn: Appended,
    pairs: Table,
    timings: Table,
    progress: Progress,
}

impl Recorder {
    /// Creates the folder with the manifest and files that are still empty.
    ///
    /// # Errors
    /// When one of them cannot be created.
    pub fn create(
        folder: ResultsFolder,
        tournament: &Tournament,
        manifest: &Manifest,
    ) -> Result<Self, Failure> {
        folder.create()?;
        let path = folder.file(folder::MANIFEST);
        std::fs::write(&path, manifest.to_toml()?)
            .map_err(|error| Failure::write(&path, &error))?;
        Ok(Self {
            games: Table::create::<GameRow>(&folder, folder::GAMES)?,
            pgn: Appended::create(&folder, folder::PGN)?,
            pairs: Table::create::<PairRow>(&folder, folder::PAIRS)?,
            timings: Table::create::<TimingRow>(&folder, folder::TIMINGS)?,
            names: tournament.names(),
            openings: tournament.openings.clone(),
            event: tournament.name.clone(),
            date: manifest.started.pgn_date(),
            time_controls: (0..tournament.engines.len())
                .map(|engine| tournament.terms_of(engine).limit.pgn())
                .collect(),
            timed: !tournament.is_deterministic(),
            progress: Progress {
                pairs: 0,
                scheduled_pairs: tournament.schedule().pairs(),
                tally: Tally::new(tournament.names()),
                sprt: tournament.sprt,
            },
            folder,
        })
    }

    /// Records the next pair of the schedule. Each file gets both games at once.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn record(&mut self, pair: &FinishedPair) -> Result<(), Failure> {
        let fen = self
            .openings
            .fen(pair.scheduled.opening)
            .unwrap_or_default();
        let row = |which: usize| {
            GameRow::new(
                pair.scheduled,
                which,
                fen,
                &self.names,
                self.timed,
                &pair.games[which].game,
            )
        };
        let rows = [row(0), row(1)];
        self.games.append(&rows)?;

        let timings = [0, 1].map(|which| TimingRow::new(rows[which].game, &pair.games[which]));
        self.timings.append(&timings)?;

        let mut text = String::new();
        let scheduled = pair.scheduled.pairing;
        let mut controls =
            [scheduled.first, scheduled.second].map(|engine| self.time_controls[engine].as_deref());
        for row in &rows {
            let heading = Heading {
                event: &self.event,
                date: &self.date,
                time_controls: controls,
            };
            let game = pgn(row, &heading).map_err(|error| {
                Failure::Run(format!("a game cannot be written as PGN: {error}"))
            })?;
            text.push_str(&game);
            controls.reverse();
        }
        self.pgn.append(text.as_bytes())?;

        let pairing = pair.scheduled.pairing;
        let progress = &mut self.progress;
        let before = *progress.tally.encounter(pairing.first, pairing.second);
        progress
            .tally
            .record(&rows)
            .map_err(|error| Failure::Run(format!("a pair cannot be counted: {error}")))?;
        progress.pairs += 1;
        let after = progress.tally.encounter(pairing.first, pairing.second);
        let row = PairRow::new(&rows, after, &before, progress.sprt.as_ref());
        self.pairs.append(&[row])
    }

    /// How far the run has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Writes the files that are only complete at the end.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn finish(self) -> Result<Progress, Failure> {
        let tally = &self.progress.tally;
        write_rows(
            &self.folder,
            folder::STANDINGS,
            &standings::standings(tally),
        )?;
        write_rows(
            &self.folder,
            folder::CROSSTABLE,
            &crosstable::crosstable(tally),
        )?;
        Ok(self.progress)
    }
}

fn write_rows<R: Row>(folder: &ResultsFolder, name: &str, rows: &[R]) -> Result<(), Failure> {
    Table::create::<R>(folder, name)?.append(rows)
}

/// A CSV file that begins with the names of its columns.
struct Table(Appended);

impl Table {
    fn create<R: Row>(folder: &ResultsFolder, name: &str) -> Result<Self, Failure> {
        let mut file = Appended::create(folder, name)?;
        file.append(format!("{}\n", R::COLUMNS.join(",")).as_bytes())?;
        Ok(Self(file))
    }

    fn append<R: Row>(&mut self, rows: &[R]) -> Result<(), Failure> {
        let lines = csv_lines(rows).map_err(|error| {
            Failure::Run(format!("cannot write `{}`: {error}", self.0.path.display()))
        })?;
        self.0.append(&lines)
    }
}

/// A file that only grows, by whole records: each append is one write, so that nothing waits in a buffer when the
/// process is killed.
struct Appended {
    file: File,
    path: PathBuf,
}

impl Appended {
    fn create(folder: &ResultsFolder, name: &str) -> Result<Self, Failure> {
        let path = folder.file(name);
        let file = File::create_new(&path).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self { file, path })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file
            .write_all(bytes)
            .map_err(|error| Failure::write(&self.path, &error))
    }
}
