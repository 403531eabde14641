//! The one place where finished pairs become files.

use super::folder::{self, ResultsFolder};
use super::journal::GameRow;
use super::manifest::Manifest;
use super::pairs::PairRow;
use super::pgn;
use super::repair::{is_scheduled, read_pairs, read_waiting, timings_length};
use super::table::{Appended, Replacement, Table, header, replace_rows};
use super::tally::Tally;
use super::timings::TimingRow;
use super::{crosstable, csv_lines, race, standings, superiority};
use crate::conduct::workers::{Ended, FinishedPair};
use crate::failure::Failure;
use crate::openings::Openings;
use crate::tournament::Tournament;
use crate::tournament::description::PgnStyle;
use crate::tournament::race::RaceCourse;
use crate::tournament::schedule::{Pairing, Schedule, ScheduledPair};
use lmrlab_stats::{Sprt, Verdict};

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
    /// The race, if it is one.
    pub race: Option<RaceCourse>,
    /// The pairs in their order, those that are to come as the results so far have them.
    schedule: Schedule,
}

impl Progress {
    /// The lines of standings.csv, the best first.
    pub fn standings(&self) -> Vec<standings::StandingRow> {
        standings::standings(&self.tally, standings::ratings(&self.tally).as_ref())
    }

    /// Log-likelihood ratio of the test.
    pub fn llr(&self) -> Option<f64> {
        self.sprt
            .map(|sprt| sprt.llr(&self.tally.encounter(0, 1).pairs))
    }

    /// What the test or the race has come to, once it has come to something.
    pub fn decided(&self) -> Option<Ended> {
        let verdict = self
            .sprt
            .map(|sprt| sprt.status(&self.tally.encounter(0, 1).pairs))
            .filter(|verdict| *verdict != Verdict::Continue);
        let raced = self.race.as_ref().is_some_and(RaceCourse::is_over);
        verdict
            .map(Ended::Decided)
            .or(raced.then_some(Ended::RaceOver))
    }

    /// The pairs in the order in which they count. Those of a race that are to come may change with every pair that is
    /// recorded.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

/// A finished pair as the files have it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedPair {
    scheduled: ScheduledPair,
    games: [GameRow; 2],
    /// Nothing when the pair was read from a file.
    timings: Option<[TimingRow; 2]>,
}

impl RecordedPair {
    /// Its place in the schedule.
    pub fn index(&self) -> u64 {
        self.scheduled.index
    }

    /// Who played from where.
    pub fn scheduled(&self) -> ScheduledPair {
        self.scheduled
    }

    /// Its games.
    pub fn games(&self) -> &[GameRow; 2] {
        &self.games
    }
}

/// What the files say that is not in the games.
struct Heading {
    names: Vec<String>,
    openings: Openings,
    event: String,
    date: String,
    /// What the tag `TimeControl` says of each engine.
    time_controls: Vec<Option<String>>,
    timed: bool,
    pgn: PgnStyle,
}

impl Heading {
    fn new(tournament: &Tournament, manifest: &Manifest) -> Self {
        Self {
            names: tournament.names(),
            openings: tournament.openings.clone(),
            event: tournament.description.name.clone(),
            date: manifest.started.pgn_date(),
            time_controls: (0..tournament.engines.len())
                .map(|engine| tournament.terms_of(engine).limit.pgn())
                .collect(),
            timed: !tournament.is_deterministic(),
            pgn: tournament.description.pgn,
        }
    }

    /// Both games of a pair as PGN.
    fn pgn(&self, pairing: Pairing, games: &[GameRow; 2]) -> Result<String, Failure> {
        let mut text = String::new();
        let mut controls =
            [pairing.first, pairing.second].map(|engine| self.time_controls[engine].as_deref());
        for row in games {
            let heading = pgn::Heading {
                event: &self.event,
                date: &self.date,
                time_controls: controls,
                style: self.pgn,
            };
            let game = pgn::pgn(row, &heading).map_err(|error| {
                Failure::Run(format!("a game cannot be written as PGN: {error}"))
            })?;
            text.push_str(&game);
            controls.reverse();
        }
        Ok(text)
    }
}

impl Progress {
    fn new(tournament: &Tournament) -> Self {
        let schedule = tournament.schedule();
        Self {
            pairs: 0,
            scheduled_pairs: schedule.pairs(),
            tally: Tally::new(tournament.names()),
            sprt: tournament.description.sprt,
            race: tournament.pairings.race.as_ref().map(RaceCourse::new),
            schedule,
        }
    }

    /// Counts the next pair; returns its line in pairs.csv.
    fn count(&mut self, pairing: Pairing, games: &[GameRow; 2]) -> Result<PairRow, Failure> {
        let before = *self.tally.encounter(pairing.first, pairing.second);
        self.tally
            .record(games)
            .map_err(|error| Failure::Run(format!("a pair cannot be counted: {error}")))?;
        self.pairs += 1;
        if let Some(race) = &mut self.race {
            race.count(self.pairs, Tally::outcome(games), &mut self.schedule);
            self.scheduled_pairs = self.schedule.pairs();
        }
        let after = self.tally.encounter(pairing.first, pairing.second);
        Ok(PairRow::new(games, after, &before, self.sprt.as_ref()))
    }
}

/// Writes pairs in schedule order: the journal first, then what is computed from it.
pub struct Recorder {
    folder: ResultsFolder,
    heading: Heading,
    games: Table,
    pgn: Option<Appended>,
    pairs: Table,
    timings: Table,
    progress: Progress,
    /// Pairs that an earlier part of the run finished too early.
    waiting: Vec<RecordedPair>,
    /// Whether there is a file with pairs that wait.
    has_waiting: bool,
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
        // Without a manifest there is no run, and with one it can be continued: it comes first, and whole.
        let mut file = Replacement::begin(&folder, folder::MANIFEST)?;
        file.write(manifest.to_toml().as_bytes())?;
        file.finish()?;
        let heading = Heading::new(tournament, manifest);
        let games = Table::create::<GameRow>(&folder, folder::GAMES)?;
        lock(&games, &folder)?;
        Ok(Self {
            games,
            pgn: match heading.pgn {
                PgnStyle::None => None,
                PgnStyle::Compact | PgnStyle::Full => Some(Appended::create(&folder, folder::PGN)?),
            },
            pairs: Table::create::<PairRow>(&folder, folder::PAIRS)?,
            timings: Table::create::<TimingRow>(&folder, folder::TIMINGS)?,
            heading,
            progress: Progress::new(tournament),
            waiting: Vec::new(),
            has_waiting: false,
            folder,
        })
    }

    /// Goes on with a run that ended anyhow: cuts what is unfinished from the journal, and computes all other files from
    /// it anew.
    ///
    /// # Errors
    /// When the journal is not one of this tournament, another process writes to it, or a file cannot be written.
    pub fn resume(
        folder: ResultsFolder,
        tournament: &Tournament,
        manifest: &Manifest,
    ) -> Result<Self, Failure> {
        let path = folder.file(folder::GAMES);
        if !path.exists() {
            // Killed between the manifest and the journal.
            Table::create::<GameRow>(&folder, folder::GAMES)?;
        }
        let length = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let mut games = Table(Appended::reopen(&folder, folder::GAMES, length)?);
        lock(&games, &folder)?;

        let heading = Heading::new(tournament, manifest);
        let mut progress = Progress::new(tournament);
        let mut pairs = Replacement::begin(&folder, folder::PAIRS)?;
        pairs.write(header::<PairRow>().as_bytes())?;
        let mut pgn = match heading.pgn {
            PgnStyle::None => None,
            PgnStyle::Compact | PgnStyle::Full => Some(Replacement::begin(&folder, folder::PGN)?),
        };
        let length = read_pairs(&path, &mut |games| {
            let scheduled = progress.schedule.pair(progress.pairs).filter(|scheduled| {
                is_scheduled(&games, *scheduled, &heading.names, &heading.openings)
            });
            let Some(scheduled) = scheduled else {
                return Ok(false);
            };
            let row = progress.count(scheduled.pairing, &games)?;
            let lines = csv_lines(&[row])
                .map_err(|error| Failure::Run(format!("a pair cannot be written: {error}")))?;
            pairs.write(&lines)?;
            if let Some(pgn) = &mut pgn {
                pgn.write(heading.pgn(scheduled.pairing, &games)?.as_bytes())?;
            }
            Ok(true)
        })?;
        games.0.cut(length)?;
        if length == 0 {
            games.0.append(header::<GameRow>().as_bytes())?;
        }
        let pairs_length = pairs.finish()?;
        let pgn_length = match pgn {
            Some(pgn) => Some(pgn.finish()?),
            None => None,
        };
        let timings = folder.file(folder::TIMINGS);
        let timings = match timings_length(&timings, 2 * progress.pairs) {
            Some(length) => Table(Appended::reopen(&folder, folder::TIMINGS, length)?),
            None => {
                let _ = std::fs::remove_file(&timings);
                Table::create::<TimingRow>(&folder, folder::TIMINGS)?
            }
        };
        let waiting_file = folder.file(folder::WAITING);
        let waiting = read_waiting(&waiting_file)
            .into_iter()
            .filter_map(|games| {
                let scheduled = progress.schedule.pair(games[0].pair.checked_sub(1)?)?;
                let is_next = scheduled.index >= progress.pairs;
                let fits = is_scheduled(&games, scheduled, &heading.names, &heading.openings);
                (is_next && fits).then_some(RecordedPair {
                    scheduled,
                    games,
                    timings: None,
                })
            })
            .collect();
        Ok(Self {
            games,
            pgn: match pgn_length {
                Some(length) => Some(Appended::reopen(&folder, folder::PGN, length)?),
                None => None,
            },
            pairs: Table(Appended::reopen(&folder, folder::PAIRS, pairs_length)?),
            timings,
            heading,
            progress,
            waiting,
            has_waiting: waiting_file.exists(),
            folder,
        })
    }

    /// A finished pair as the files will have it.
    pub fn prepare(&self, pair: &FinishedPair) -> RecordedPair {
        let heading = &self.heading;
        let fen = heading.openings.fen(pair.scheduled.opening);
        let games = [0, 1].map(|which| {
            let played = &pair.games[which].game;
            GameRow::new(
                pair.scheduled,
                which,
                fen.unwrap_or_default(),
                &heading.names,
                heading.timed,
                played,
            )
        });
        let timings = [0, 1].map(|which| TimingRow::new(games[which].game, &pair.games[which]));
        RecordedPair {
            scheduled: pair.scheduled,
            games,
            timings: Some(timings),
        }
    }

    /// Pairs that were finished, but not recorded, when an earlier part of the run ended; empty afterwards.
    pub fn take_waiting(&mut self) -> Vec<RecordedPair> {
        std::mem::take(&mut self.waiting)
    }

    /// Records the next pair of the schedule. Each file gets both games at once.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn record(&mut self, pair: &RecordedPair) -> Result<(), Failure> {
        let pairing = pair.scheduled.pairing;
        self.games.append(&pair.games)?;
        if let Some(timings) = &pair.timings {
            self.timings.append(timings)?;
        }
        if let Some(pgn) = &mut self.pgn {
            let text = self.heading.pgn(pairing, &pair.games)?;
            pgn.append(text.as_bytes())?;
        }
        let row = self.progress.count(pairing, &pair.games)?;
        self.pairs.append(&[row])
    }

    /// Keeps finished pairs that cannot be recorded yet, because an earlier one is still being played.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_waiting<'p>(
        &mut self,
        pairs: impl Iterator<Item = &'p RecordedPair>,
    ) -> Result<(), Failure> {
        let rows: Vec<GameRow> = pairs.flat_map(|pair| pair.games.clone()).collect();
        if !rows.is_empty() {
            self.has_waiting = true;
            replace_rows(&self.folder, folder::WAITING, &rows)?;
        } else if self.has_waiting {
            self.has_waiting = false;
            let path = self.folder.file(folder::WAITING);
            std::fs::remove_file(&path).map_err(|error| Failure::write(&path, &error))?;
        }
        Ok(())
    }

    /// Lets what was recorded survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.games.0.sync()?;
        self.pgn.as_mut().map_or(Ok(()), Appended::sync)
    }

    /// How far the run has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Writes the files that are only complete at the end.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn finish(mut self) -> Result<Progress, Failure> {
        self.sync()?;
        let tally = &self.progress.tally;
        let ratings = standings::ratings(tally);
        let standings = standings::standings(tally, ratings.as_ref());
        replace_rows(&self.folder, folder::STANDINGS, &standings)?;
        let crosstable = crosstable::crosstable(tally);
        replace_rows(&self.folder, folder::CROSSTABLE, &crosstable)?;
        if let Some(ratings) = &ratings {
            let superiority = superiority::superiority(tally, ratings);
            replace_rows(&self.folder, folder::SUPERIORITY, &superiority)?;
        }
        if let Some(race) = &self.progress.race {
            replace_rows(&self.folder, folder::RACE, &race::race(tally, race))?;
        }
        Ok(self.progress)
    }
}

/// Sees to it that no other process writes to the same journal.
fn lock(games: &Table, folder: &ResultsFolder) -> Result<(), Failure> {
    use rustix::fs::{FlockOperation, flock};
    match flock(games.0.file(), FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Failure::input(
            format!(
                "another lmrlab is writing to `{}` at this moment",
                folder.path().display()
            ),
            "wait for it, or end it first",
        )),
        // Some file systems have no locks; there the user takes care.
        _ => Ok(()),
    }
}
