//! The recorder: the one place where the finished pairs of a run become files.

use std::path::Path;
use std::time::Duration;

use super::fault_streaks::FaultStreaks;
use super::pgn_writer::PgnWriter;
use super::recorded_pair::{RecordedPair, Waiting, is_of};
use crate::conduct::steering::Steering;
use crate::openings::Openings;
use crate::tournament::Tournament;
use crate::tournament::description::Description;
use crate::tournament::faults_allowed::FaultsAllowed;
use crate::tournament::pgn_style::PgnStyle;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::{Failure, RunFailure};
use lmrlab_results::appended::AppendedFile;
use lmrlab_results::csv_file::CsvFile;
use lmrlab_results::folder::{self, ResultsFolder};
use lmrlab_results::games::{GameFormat, GameJournal, GameRow};
use lmrlab_results::journal::Journal;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::replacement::Replacement;
use lmrlab_results::rows::timings::{self, TimingRow};

/// What the recorder of a run needs besides the steering.
pub struct Recorded<'r> {
    /// The names of the engines.
    pub names: Vec<String>,
    /// Whether the sides have overrides.
    pub has_overrides: bool,
    /// The writer of games.pgn, in a run that has it.
    pub pgn: Option<PgnWriter>,
    /// The positions that the pairs begin with; `None` when the games are merged from parts, which are checked.
    pub openings: Option<&'r Openings>,
}

impl<'r> Recorded<'r> {
    /// Of a tournament.
    pub fn of(tournament: &'r Tournament, manifest: &Manifest) -> Self {
        Self {
            openings: Some(&tournament.openings),
            ..Self::merged(&tournament.description, tournament.names(), manifest)
        }
    }

    /// Of a tournament that is not played here: the files that it names are not needed.
    pub fn merged(description: &Description, names: Vec<String>, manifest: &Manifest) -> Self {
        Self {
            pgn: (description.pgn != PgnStyle::None).then(|| PgnWriter::new(description, &names, manifest)),
            names,
            has_overrides: false,
            openings: None,
        }
    }

    fn format(&self) -> GameFormat {
        GameFormat {
            has_overrides: self.has_overrides,
        }
    }
}

/// Writes pairs in their order: the journal first, then what is computed from it.
pub struct Recorder<S> {
    folder: ResultsFolder,
    games: GameJournal,
    pgn: Option<(PgnWriter, AppendedFile)>,
    /// The file with a line for each pair, in a run that has it.
    pairs: Option<AppendedFile>,
    timings: CsvFile,
    /// Which pairs come next, and where the run stands.
    pub steering: S,
    /// Games lost in a row by faults.
    fault_streaks: FaultStreaks,
    names: Vec<String>,
    /// Pairs that an earlier process finished before their turn.
    waiting: Waiting,
    /// The time that earlier processes of the run took.
    pub before: Duration,
}

impl<S: Steering> Recorder<S> {
    /// Creates the folder with the manifest and files that are still empty. Nothing is recorded in `steering`.
    ///
    /// # Errors
    /// When one of them cannot be created.
    pub fn create(
        folder: ResultsFolder,
        steering: S,
        recorded: Recorded<'_>,
        manifest: &Manifest,
    ) -> Result<Self, Failure> {
        let pairs_file = steering.pairs_file()?;
        folder.begin(manifest.to_toml(), |folder| {
            let games = Journal::create(folder, folder::GAMES, recorded.format())?;
            let names = recorded.names.clone();
            let pgn = match recorded.pgn {
                Some(writer) => Some((writer, AppendedFile::create(folder, folder::PGN)?)),
                None => None,
            };
            let mut pairs = None;
            if let Some((file, header)) = pairs_file {
                pairs.insert(AppendedFile::create(folder, file)?).append(&header)?;
            }
            Ok(Self {
                games,
                pgn,
                pairs,
                timings: CsvFile::create::<TimingRow>(folder, folder::TIMINGS)?,
                steering,
                fault_streaks: FaultStreaks::new(names.len()),
                names,
                waiting: Waiting::new(),
                before: Duration::ZERO,
                folder: folder.clone(),
            })
        })
    }

    /// Continues a run, however it ended: cuts what is unfinished from the journal and computes all other files from it
    /// again. Nothing is recorded in `steering`.
    ///
    /// # Errors
    /// When the journal is not one of this run, another process writes to it, or a file cannot be written.
    pub fn resume(folder: ResultsFolder, mut steering: S, recorded: Recorded<'_>) -> Result<Self, Failure> {
        let games = GameJournal::open(&folder, folder::GAMES, recorded.format())?;
        let (names, openings) = (recorded.names.clone(), recorded.openings);
        let is_of =
            |games: &[GameRow; 2], pair: &Pair| openings.is_some_and(|openings| is_of(games, pair, &names, openings));
        let mut pairs = None;
        if let Some((file, header)) = steering.pairs_file()? {
            let (text, _) = pairs.insert((Replacement::begin(&folder, file)?, file));
            text.write(&header)?;
        }
        let mut pgn = match recorded.pgn {
            Some(writer) => Some((writer, Replacement::begin(&folder, folder::PGN)?)),
            None => None,
        };
        let mut fault_streaks = FaultStreaks::new(names.len());
        let mut known = steering.known();
        let games = games.recover(&mut |games| {
            let Some(pair) = known.get(steering.recorded()).filter(|pair| is_of(&games, pair)) else {
                return Ok(false);
            };
            let counted = steering.count(&games)?;
            fault_streaks.count(&games, [pair.pairing.first, pair.pairing.second]);
            if counted.changes {
                known = steering.known();
            }
            if let Some((pairs, _)) = &mut pairs {
                pairs.write(&counted.line)?;
            }
            if let Some((writer, pgn)) = &mut pgn {
                for game in &games {
                    pgn.write(writer.game(game)?.as_bytes())?;
                }
            }
            Ok(true)
        })?;
        let pairs = match pairs {
            Some((text, file)) => {
                text.finish()?;
                Some(AppendedFile::open(&folder, file)?)
            }
            None => None,
        };
        let pgn = match pgn {
            Some((writer, pgn)) => {
                pgn.finish()?;
                Some((writer, AppendedFile::open(&folder, folder::PGN)?))
            }
            None => None,
        };
        let waiting = games.waiting().into_iter().filter_map(|games| {
            let number = games[0].pair.checked_sub(1)?;
            let pair = known.get(number)?;
            let is_next = number >= steering.recorded() && is_of(&games, &pair);
            is_next.then(|| (number, RecordedPair::recorded(pair, games, None)))
        });
        Ok(Self {
            waiting: waiting.collect(),
            before: timings::end(&folder.file(folder::TIMINGS)),
            games,
            pgn,
            pairs,
            timings: resumed_timings(&folder, 2 * steering.recorded())?,
            steering,
            fault_streaks,
            names,
            folder,
        })
    }

    /// Finished pairs that were not recorded when an earlier process ended; empty afterwards.
    pub fn take_waiting(&mut self) -> Waiting {
        std::mem::take(&mut self.waiting)
    }

    /// Records the next pair. Each file gets both games at once. Returns whether the pairs that come next have changed.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn record(&mut self, pair: &RecordedPair) -> Result<bool, Failure> {
        self.games.append(&pair.games)?;
        if let Some(timings) = &pair.timings {
            self.timings.append(timings)?;
        }
        if let Some((writer, pgn)) = &mut self.pgn {
            let [first, second] = &pair.games;
            let text = match &pair.san {
                Some([one, other]) => writer.played(first, one) + &writer.played(second, other),
                None => writer.game(first)? + &writer.game(second)?,
            };
            pgn.append(text.as_bytes())?;
        }
        let pairing = pair.pair.pairing;
        self.fault_streaks.count(&pair.games, [pairing.first, pairing.second]);
        let counted = self.steering.count(&pair.games)?;
        if let Some(pairs) = &mut self.pairs {
            pairs.append(&counted.line)?;
        }
        Ok(counted.changes)
    }

    /// The failure of a run in which an engine has lost too many games in a row. `games` is the last pair. `None` when the
    /// run may continue.
    pub fn too_many_faults(&self, games: &[GameRow; 2], allowed: FaultsAllowed) -> Option<RunFailure> {
        let streak = self.fault_streaks.reached(allowed)?;
        let last = &games[streak.last];
        Some(RunFailure::FaultsInARow {
            engine: self.names[streak.engine].clone(),
            lost: streak.lost,
            by: allowed.counted().that_ended(streak.lost),
            game: last.game,
            fault: last.fault.clone(),
        })
    }

    /// Saves finished pairs that cannot be recorded yet, because an earlier one is still being played.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_waiting<'p>(&mut self, pairs: impl Iterator<Item = &'p RecordedPair>) -> Result<(), Failure> {
        self.games.keep_waiting(pairs.map(RecordedPair::games))
    }

    /// Makes what was recorded survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that, or another process has changed a file of the run.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.games.sync()?;
        self.pairs.as_ref().map_or(Ok(()), AppendedFile::check)?;
        self.timings.0.check()?;
        let pgn = self.pgn.as_mut();
        pgn.map_or(Ok(()), |(_, file)| file.sync())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the files that are only complete at the end.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn finish(mut self) -> Result<S, Failure> {
        self.sync()?;
        self.steering.write_end(&self.folder)?;
        Ok(self.steering)
    }
}

/// timings.csv without the games that are not recorded; a new one when it cannot be read.
fn resumed_timings(folder: &ResultsFolder, games: u64) -> Result<CsvFile, Failure> {
    let path = folder.file(folder::TIMINGS);
    let Some(length) = timings::length_up_to(&path, games) else {
        let _ = std::fs::remove_file(&path);
        return CsvFile::create::<TimingRow>(folder, folder::TIMINGS);
    };
    let mut file = AppendedFile::open(folder, folder::TIMINGS)?;
    file.cut(length)?;
    Ok(CsvFile(file))
}
