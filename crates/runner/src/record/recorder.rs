//! The recorder: the one place where the finished pairs of a tournament become files.

use std::path::Path;

use super::game_rows::{game_row, timing_row};
use super::pgn_writer::PgnWriter;
use super::progress::TournamentProgress;
use super::{crosstable, fates, los, standings};
use crate::game::pair::TimedGame;
use crate::openings::Openings;
use crate::tournament::Tournament;
use crate::tournament::description::Description;
use crate::tournament::pgn_style::PgnStyle;
use crate::tournament::schedule::ScheduledPair;
use lmrlab_results::appended::AppendedFile;
use lmrlab_results::csv_file::{CsvFile, csv_lines, header, replace_rows};
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{self, ResultsFolder};
use lmrlab_results::games::{GameFormat, GameJournal, GameRow};
use lmrlab_results::journal::Journal;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::replacement::Replacement;
use lmrlab_results::timings::{self, TimingRow};
use lmrlab_results::tournament_rows::PairRow;

/// A finished pair as the files have it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedPair {
    scheduled: ScheduledPair,
    games: [GameRow; 2],
    /// `None` when the pair was read from a journal.
    timings: Option<[TimingRow; 2]>,
    /// The moves in standard algebraic notation; `None` when the pair was read from a file.
    san: Option<[Vec<String>; 2]>,
}

impl RecordedPair {
    /// A pair that was just played from this position by engines of these names. The times of its moves are recorded when
    /// time counted.
    pub fn new(scheduled: ScheduledPair, fen: &str, names: &[String], timed: bool, games: [TimedGame; 2]) -> Self {
        let rows = [0, 1].map(|which| game_row(scheduled, which, fen, names, timed, &games[which].game));
        let timings = [0, 1].map(|which| timing_row(rows[which].game, &games[which]));
        Self {
            scheduled,
            games: rows,
            timings: Some(timings),
            san: Some(games.map(|timed| timed.game.moves.into_iter().map(|mv| mv.san).collect())),
        }
    }

    /// A pair that was read from a file.
    pub(crate) fn recorded(scheduled: ScheduledPair, games: [GameRow; 2], timings: Option<[TimingRow; 2]>) -> Self {
        Self {
            scheduled,
            games,
            timings,
            san: None,
        }
    }

    /// Its place in the schedule.
    pub fn scheduled(&self) -> ScheduledPair {
        self.scheduled
    }

    /// Its games.
    pub fn games(&self) -> &[GameRow; 2] {
        &self.games
    }

    /// Its games alone.
    pub fn into_games(self) -> [GameRow; 2] {
        self.games
    }

    /// The times of its games.
    pub(crate) fn timings(&self) -> [TimingRow; 2] {
        let unknown = || self.games.each_ref().map(|game| TimingRow::unknown(game.game));
        self.timings.clone().unwrap_or_else(unknown)
    }
}

/// `None` when the tournament writes no PGN.
fn pgn_writer(description: &Description, names: &[String], manifest: &Manifest) -> Option<PgnWriter> {
    match description.pgn {
        PgnStyle::None => None,
        PgnStyle::Compact | PgnStyle::Full => Some(PgnWriter::new(description, names, manifest)),
    }
}

/// Writes pairs in schedule order: the journal first, then what is computed from it.
pub struct Recorder {
    folder: ResultsFolder,
    games: GameJournal,
    pgn: Option<(PgnWriter, AppendedFile)>,
    pairs: CsvFile,
    timings: CsvFile,
    progress: TournamentProgress,
    /// Pairs that an earlier process finished before their turn.
    waiting: Vec<RecordedPair>,
}

impl Recorder {
    /// Creates the folder with the manifest and files that are still empty.
    ///
    /// # Errors
    /// When one of them cannot be created.
    pub fn create(folder: ResultsFolder, tournament: &Tournament, manifest: &Manifest) -> Result<Self, Failure> {
        let progress = TournamentProgress::of(tournament);
        Self::of_description(folder, &tournament.description, progress, manifest)
    }

    /// As [`Self::create`], for a tournament that is not played here: the files that it names are not needed.
    /// `progress` has no recorded pair.
    ///
    /// # Errors
    /// When a file cannot be created.
    pub fn of_description(
        folder: ResultsFolder,
        description: &Description,
        progress: TournamentProgress,
        manifest: &Manifest,
    ) -> Result<Self, Failure> {
        folder.begin(manifest.to_toml(), |folder| {
            Ok(Self {
                games: Journal::create(folder, folder::GAMES, GameFormat)?,
                pgn: match pgn_writer(description, progress.tally.names(), manifest) {
                    Some(writer) => Some((writer, AppendedFile::create(folder, folder::PGN)?)),
                    None => None,
                },
                pairs: CsvFile::create::<PairRow>(folder, folder::PAIRS)?,
                timings: CsvFile::create::<TimingRow>(folder, folder::TIMINGS)?,
                progress,
                waiting: Vec::new(),
                folder: folder.clone(),
            })
        })
    }

    /// Continues a run, however it ended: cuts what is unfinished from the journal and computes all other files from it
    /// again.
    ///
    /// # Errors
    /// When the journal is not one of this tournament, another process writes to it, or a file cannot be written.
    pub fn resume(folder: ResultsFolder, tournament: &Tournament, manifest: &Manifest) -> Result<Self, Failure> {
        let games = GameJournal::open(&folder, folder::GAMES, GameFormat)?;
        let names = tournament.names();
        let mut progress = TournamentProgress::of(tournament);
        let mut pairs = Replacement::begin(&folder, folder::PAIRS)?;
        pairs.write(header::<PairRow>().as_bytes())?;
        let mut pgn = match pgn_writer(&tournament.description, &names, manifest) {
            Some(writer) => Some((writer, Replacement::begin(&folder, folder::PGN)?)),
            None => None,
        };
        let games = games.recover(&mut |games| {
            let is_next = |scheduled| is_scheduled(&games, scheduled, &names, &tournament.openings);
            if !progress.next_pair().is_some_and(is_next) {
                return Ok(false);
            }
            let row = progress.count(&games)?;
            let lines = csv_lines(&[row]).map_err(|error| Failure::encode("a pair", &error))?;
            pairs.write(&lines)?;
            if let Some((writer, pgn)) = &mut pgn {
                for game in &games {
                    pgn.write(writer.game(game)?.as_bytes())?;
                }
            }
            Ok(true)
        })?;
        pairs.finish()?;
        let pgn = match pgn {
            Some((writer, pgn)) => {
                pgn.finish()?;
                Some((writer, AppendedFile::open(&folder, folder::PGN)?))
            }
            None => None,
        };
        let waiting = games.waiting().into_iter().filter_map(|games| {
            let scheduled = progress.schedule().pair(games[0].pair.checked_sub(1)?)?;
            let is_next = scheduled.index >= progress.pairs;
            let fits = is_scheduled(&games, scheduled, &names, &tournament.openings);
            (is_next && fits).then(|| RecordedPair::recorded(scheduled, games, None))
        });
        Ok(Self {
            waiting: waiting.collect(),
            games,
            pgn,
            pairs: CsvFile(AppendedFile::open(&folder, folder::PAIRS)?),
            timings: resumed_timings(&folder, 2 * progress.pairs)?,
            progress,
            folder,
        })
    }

    /// Finished pairs that were not recorded when an earlier process ended; empty afterwards.
    pub fn take_waiting(&mut self) -> Vec<RecordedPair> {
        std::mem::take(&mut self.waiting)
    }

    /// Records the next pair of the schedule. Each file gets both games at once.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn record(&mut self, pair: &RecordedPair) -> Result<(), Failure> {
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
        let row = self.progress.count(&pair.games)?;
        self.pairs.append(&[row])
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
        self.pairs.0.check()?;
        self.timings.0.check()?;
        let pgn = self.pgn.as_mut();
        pgn.map_or(Ok(()), |(_, file)| file.sync())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the run stands.
    pub fn progress(&self) -> &TournamentProgress {
        &self.progress
    }

    /// Writes the files that are only complete at the end.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn finish(mut self) -> Result<TournamentProgress, Failure> {
        self.sync()?;
        let tally = &self.progress.tally;
        let ratings = standings::ratings(tally);
        let standings = standings::standings(tally, ratings.as_ref());
        replace_rows(&self.folder, folder::STANDINGS, &standings)?;
        let crosstable = crosstable::crosstable(tally);
        replace_rows(&self.folder, folder::CROSSTABLE, &crosstable)?;
        if let Some(ratings) = &ratings {
            replace_rows(&self.folder, folder::LOS, &los::los(tally, ratings))?;
        }
        if let Some(race) = &self.progress.race {
            replace_rows(&self.folder, folder::RACE, &fates::fates(tally, race))?;
        }
        Ok(self.progress)
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

/// Whether these are the games of a scheduled pair.
pub fn is_scheduled(pair: &[GameRow; 2], scheduled: ScheduledPair, names: &[String], openings: &Openings) -> bool {
    let fen = openings.fen(scheduled.opening).unwrap_or_default();
    let engines = [scheduled.pairing.first, scheduled.pairing.second].map(|engine| &names[engine]);
    pair.iter().enumerate().all(|(which, row)| {
        row.game == 2 * scheduled.index + which as u64 + 1
            && row.fen == fen
            && row.white == *engines[which]
            && row.black == *engines[1 - which]
    })
}
