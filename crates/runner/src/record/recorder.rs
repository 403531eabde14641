//! The recorder: the one place where the finished pairs of a run become files.

use std::time::Duration;

use super::fault_streaks::{FaultStreaks, Streak};
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
use lmrlab_results::csv_file::{csv_lines, csv_text, rows};
use lmrlab_results::folder::{self, ResultsFolder};
use lmrlab_results::journal::Journal;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::rows::timings::{self, TimingRow};

/// What the recorder of a run needs besides the steering.
pub struct Recorded<'r> {
    /// The names of the engines.
    pub names: Vec<String>,
    /// Whether the sides have overrides.
    pub has_overrides: bool,
    /// The writer of games.pgn, in a run that has it.
    pub pgn: Option<PgnWriter>,
    /// The faults after which the run stops.
    pub faults_allowed: FaultsAllowed,
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
            faults_allowed: description.conditions.faults_allowed,
            openings: None,
        }
    }
}

/// Writes pairs in their order: the journal first, then what is computed from it.
pub struct Recorder<S> {
    folder: ResultsFolder,
    games: Journal,
    timings: AppendedFile,
    computed: Computed,
    /// Which pairs come next, and where the run stands.
    pub steering: S,
    /// The names of the engines.
    pub names: Vec<String>,
    /// Finished pairs that cannot be recorded yet, because an earlier one is still being played.
    pub waiting: Waiting,
    /// Why the run stops: with the last pair, an engine has lost too many games in a row by its faults.
    pub stopped: Option<RunFailure>,
    /// The time that earlier processes of the run took.
    pub before: Duration,
}

/// What is computed from the journal.
struct Computed {
    pgn: Option<(PgnWriter, AppendedFile)>,
    /// The file with a line for each pair, in a run that has it.
    pairs: Option<AppendedFile>,
    /// Games lost in a row by faults.
    fault_streaks: FaultStreaks,
    /// The streak that is too long with the last pair.
    too_long: Option<Streak>,
}

impl Computed {
    /// Adds the next pair. Returns whether the pairs that come next have changed.
    fn add(&mut self, pair: &RecordedPair, steering: &mut impl Steering) -> Result<bool, Failure> {
        if let Some((writer, pgn)) = &mut self.pgn {
            let [first, second] = &pair.games;
            let text = writer.game(first)? + &writer.game(second)?;
            pgn.append(text.as_bytes())?;
        }
        let pairing = pair.pair.pairing;
        self.too_long = self.fault_streaks.count(&pair.games, [pairing.first, pairing.second]);
        let counted = steering.count(&pair.games)?;
        if let Some(pairs) = &mut self.pairs {
            pairs.append(&counted.line)?;
        }
        Ok(counted.changes)
    }
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
        folder.begin(manifest.to_toml(), |folder| Self::resume(folder, steering, recorded))
    }

    /// Continues a run, however it ended: cuts what is unfinished from the journal and computes all other files from it
    /// again. Nothing is recorded in `steering`. The folder stays locked as long as the recorder lasts.
    ///
    /// # Errors
    /// When the journal is not one of this run, another process writes to it, or a file cannot be written.
    pub fn resume(folder: &ResultsFolder, mut steering: S, recorded: Recorded<'_>) -> Result<Self, Failure> {
        let folder = folder.locked()?;
        let Recorded {
            names,
            has_overrides,
            pgn,
            faults_allowed,
            openings,
        } = recorded;
        let is_of = |games: &[GameRow; 2], pair: &Pair| {
            let fen = openings.and_then(|openings| openings.fen(pair.opening));
            fen.is_some() && is_of(games, pair, fen, &names)
        };
        let mut computed = Computed {
            pgn: None,
            pairs: None,
            fault_streaks: FaultStreaks::new(names.len(), faults_allowed),
            too_long: None,
        };
        if let Some(writer) = pgn {
            computed.pgn = Some((writer, AppendedFile::begin(&folder, folder::PGN)?));
        }
        if let Some((file, header)) = steering.pairs_file()? {
            computed
                .pairs
                .insert(AppendedFile::begin(&folder, file)?)
                .append(&header)?;
        }
        let mut known = steering.known();
        let games = Journal::open(&folder, has_overrides, &mut |games| {
            let Some(pair) = known.get(steering.recorded()).filter(|pair| is_of(&games, pair)) else {
                return Ok(false);
            };
            let timings = None;
            if computed.add(&RecordedPair { pair, games, timings }, &mut steering)? {
                known = steering.known();
            }
            Ok(true)
        })?;
        if let Some((_, pgn)) = &mut computed.pgn {
            pgn.put_in_place()?;
        }
        if let Some(pairs) = &mut computed.pairs {
            pairs.put_in_place()?;
        }
        let waiting = games.waiting().into_iter().filter_map(|games| {
            let number = games[0].pair.checked_sub(1)?;
            let pair = known.get(number)?;
            let is_next = number >= steering.recorded() && is_of(&games, &pair);
            let timings = None;
            is_next.then_some((number, RecordedPair { pair, games, timings }))
        });
        let waiting = waiting.collect();
        // What cannot be read is lost.
        let times: Vec<TimingRow> = rows::<TimingRow>(&folder.file(folder::TIMINGS))
            .take_while(|row| row.game <= 2 * steering.recorded())
            .collect();
        let timings = AppendedFile::replace(&folder, folder::TIMINGS, &csv_text(&times)?)?;
        Ok(Self {
            before: timings::end(times),
            games,
            timings,
            computed,
            steering,
            names,
            waiting,
            stopped: None,
            folder,
        })
    }

    /// Records the next pair. Each file gets both games at once. Returns whether the pairs that come next have changed.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn record(&mut self, pair: &RecordedPair) -> Result<bool, Failure> {
        self.games.append(&pair.games)?;
        if let Some(timings) = &pair.timings {
            self.timings.append(&csv_lines(timings)?)?;
        }
        let changes = self.computed.add(pair, &mut self.steering)?;
        let too_long = self.computed.too_long.filter(|_| !self.steering.is_decided());
        self.stopped = too_long.map(|streak| {
            let last = &pair.games[streak.last];
            RunFailure::FaultsInARow {
                engine: self.names[streak.engine].clone(),
                lost: streak.lost,
                by: self.computed.fault_streaks.allowed.counted.that_ended(streak.lost),
                game: last.game,
                fault: last.fault.clone(),
            }
        });
        Ok(changes)
    }

    /// Whether no more pairs are needed: the results decide the run, or it stops.
    pub fn is_over(&self) -> bool {
        self.stopped.is_some() || self.steering.is_decided()
    }

    /// Saves the pairs that wait.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_waiting(&self) -> Result<(), Failure> {
        self.games.keep_waiting(self.waiting.values().map(|pair| &pair.games))
    }

    /// Makes what was recorded survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that, or another process has changed a file of the run.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.games.sync()?;
        self.computed.pairs.as_ref().map_or(Ok(()), AppendedFile::check)?;
        self.timings.check()?;
        let pgn = self.computed.pgn.as_mut();
        pgn.map_or(Ok(()), |(_, file)| file.sync())
    }

    /// The folder, with its lock.
    pub fn folder(&self) -> &ResultsFolder {
        &self.folder
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
