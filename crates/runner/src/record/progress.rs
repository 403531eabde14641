//! Where a run stands: the results of its recorded pairs, and the pairs that come next.

use super::no_verdict::TooManyFaults;
use super::pairs::pair_row;
use super::recorded_pair::is_of;
use super::tally::Tally;
use super::{crosstable, fates, los, standings};
use crate::conduct::steering::{Counted, KnownPairs, Steering};
use crate::tournament::Tournament;
use crate::tournament::race::RaceCourse;
use crate::tournament::schedule::{Pair, Schedule};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::csv_file::{csv_lines, header, replace_rows};
use lmrlab_results::folder::{self, ResultFile, ResultsFolder};
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::rows::pairs::PairRow;
use lmrlab_results::rows::standings::StandingRow;
use lmrlab_stats::{SequentialEstimate, Sprt, Verdict};

/// Why there are no more games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every scheduled pair was played.
    Complete,
    /// The test was decided.
    Decided(Verdict),
    /// Every engine of the race is dropped or accepted.
    RaceOver,
    /// The race would have decided, but faults had ended too many games of an engine.
    RaceStopped,
    /// The user asked to stop.
    Interrupted,
}

/// Where a run stands, over the pairs that are recorded.
///
/// It needs no engines, openings or files, so it can be computed from any journal: [`TournamentProgress::new`], then
/// [`TournamentProgress::count`] for each pair that [`read_pairs`](lmrlab_results::journal::read_pairs) hands out.
#[derive(Debug, Clone)]
pub struct TournamentProgress {
    /// Pairs recorded.
    pub pairs: u64,
    /// Pairs of the whole schedule.
    pub scheduled_pairs: u64,
    /// Everything that is counted over the games.
    pub tally: Tally,
    /// The test that may end the run early; its first engine is that with index 0.
    pub sprt: Option<Sprt>,
    /// The race, if it is one.
    pub race: Option<RaceCourse>,
    /// The pairs in their order. The later pairs of a race may still change.
    schedule: Schedule,
}

impl TournamentProgress {
    /// A run of engines with these names. Nothing is recorded yet. In a race `schedule` begins with the pairings of
    /// [`RaceCourse::pairings`]. Which openings the schedule has does not matter for what is counted.
    pub fn new(names: Vec<String>, schedule: Schedule, sprt: Option<Sprt>, race: Option<RaceCourse>) -> Self {
        Self {
            pairs: 0,
            scheduled_pairs: schedule.pairs(),
            tally: Tally::new(names),
            sprt,
            race,
            schedule,
        }
    }

    /// A tournament without recorded pairs.
    pub fn of(tournament: &Tournament) -> Self {
        Self::new(
            tournament.names(),
            tournament.schedule(),
            tournament.description.sprt,
            tournament.pairings.race.clone(),
        )
    }

    /// The next pair to be recorded; `None` after the last one.
    pub fn next_pair(&self) -> Option<Pair> {
        self.schedule.pair(self.pairs)
    }

    /// Counts the next pair; returns its line in pairs.csv.
    ///
    /// # Errors
    /// When these are not the games of [`Self::next_pair`]: they are of another pair or of engines with other names.
    pub fn count(&mut self, games: &[GameRow; 2]) -> Result<PairRow, Failure> {
        let names = self.tally.names();
        let next = self.next_pair().filter(|pair| is_of(games, pair, None, names));
        let Some(Pair { pairing, .. }) = next else {
            return Err(Failure::input(
                format!(
                    "games {} and {} are not those that this run has there",
                    games[0].game, games[1].game
                ),
                "games.csv was edited, or is of another run; bring the file back as lmrlab wrote it",
            ));
        };
        let before = *self.tally.encounter(pairing.first, pairing.second);
        self.tally.record(games, pairing);
        self.pairs += 1;
        if let Some(race) = &mut self.race {
            let may_decide = || TooManyFaults::of(&self.tally).is_none();
            race.count(self.pairs, Tally::outcome(games), &mut self.schedule, may_decide);
            self.scheduled_pairs = self.schedule.pairs();
        }
        let after = self.tally.encounter(pairing.first, pairing.second);
        Ok(pair_row(games, after, &before, self.sprt.as_ref()))
    }

    /// The lines of standings.csv, the best first.
    pub fn standings(&self) -> Vec<StandingRow> {
        standings::standings(&self.tally, standings::ratings(&self.tally).as_ref())
    }

    /// Which engine leads, as a sentence without its end. `None` when the games do not say.
    pub fn leader(&self) -> Option<String> {
        standings::leader(&self.standings())
    }

    /// Log-likelihood ratio of the test.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.llr(&self.tally.encounter(0, 1).pairs))
    }

    /// The faults that leave the test or the race without a verdict, when there are too many of them.
    pub fn no_verdict(&self) -> Option<TooManyFaults> {
        let decides = self.sprt.is_some() || self.race.as_ref().is_some_and(|race| !race.is_over());
        decides.then(|| TooManyFaults::of(&self.tally)).flatten()
    }

    /// The state of the test. It stays undecided while an engine's faults have ended too many games.
    pub fn verdict(&self) -> Option<Verdict> {
        let verdict = self.sprt?.status(&self.tally.encounter(0, 1).pairs);
        Some(match verdict {
            Verdict::AcceptH0 | Verdict::AcceptH1 if self.no_verdict().is_some() => Verdict::Continue,
            verdict => verdict,
        })
    }

    /// The strength after the test, corrected for the early stop. `None` while the test is not decided, because it did not stop early.
    pub fn corrected(&self) -> Option<SequentialEstimate> {
        let verdict = self.verdict()?;
        let estimate = self.sprt?.estimate(&self.tally.encounter(0, 1).pairs);
        estimate.filter(|_| verdict != Verdict::Continue)
    }

    /// The decision of the test or the race, once there is one.
    pub fn decided(&self) -> Option<Ended> {
        let verdict = self.verdict().filter(|verdict| *verdict != Verdict::Continue);
        let raced = self.race.as_ref().and_then(|race| match () {
            () if race.is_over() => Some(Ended::RaceOver),
            () if race.is_stopped() => Some(Ended::RaceStopped),
            () => None,
        });
        verdict.map(Ended::Decided).or(raced)
    }

    /// Why no more pairs will be played; `None` while some remain.
    pub fn ended(&self) -> Option<Ended> {
        let complete = self.pairs >= self.scheduled_pairs;
        self.decided().or(complete.then_some(Ended::Complete))
    }

    /// Why the run has ended, when no more pairs are played now.
    pub fn end(&self) -> Ended {
        self.ended().unwrap_or(Ended::Interrupted)
    }

    /// The engines of a race that the last pair has decided.
    pub fn just_decided(&self) -> impl Iterator<Item = usize> {
        let race = self.race.iter();
        race.flat_map(|race| race.decided_after(self.pairs))
    }

    /// Whether a test has used each opening once: more pairs need more openings.
    pub fn ran_out_of_openings(&self) -> bool {
        self.sprt.is_some() && self.pairs == self.scheduled_pairs && self.pairs == self.schedule.openings()
    }

    /// The pairs in the order in which they count. In a race, those to come may change with every recorded pair.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

impl Steering for TournamentProgress {
    fn pairs_file(&self) -> Result<Option<(ResultFile, Vec<u8>)>, Failure> {
        Ok(Some((folder::PAIRS, header::<PairRow>().into_bytes())))
    }

    fn recorded(&self) -> u64 {
        self.pairs
    }

    fn known(&self) -> KnownPairs {
        KnownPairs::scheduled(self.schedule.clone(), self.race.is_some())
    }

    fn count(&mut self, games: &[GameRow; 2]) -> Result<Counted, Failure> {
        let row = TournamentProgress::count(self, games)?;
        Ok(Counted {
            line: csv_lines(&[row])?,
            changes: self.just_decided().next().is_some(),
        })
    }

    fn is_decided(&self) -> bool {
        self.decided().is_some()
    }

    fn write_end(&self, folder: &ResultsFolder) -> Result<(), Failure> {
        let tally = &self.tally;
        let ratings = standings::ratings(tally);
        let standings = standings::standings(tally, ratings.as_ref());
        replace_rows(folder, folder::STANDINGS, &standings)?;
        replace_rows(folder, folder::CROSSTABLE, &crosstable::crosstable(tally))?;
        if let Some(ratings) = &ratings {
            replace_rows(folder, folder::LOS, &los::los(tally, ratings))?;
        }
        match &self.race {
            Some(race) => replace_rows(folder, folder::RACE, &fates::fates(tally, race)),
            None => Ok(()),
        }
    }
}
