//! Races: which of many engines is the best, or which beat a baseline. A hopeless engine stops playing.
//!
//! The next pairs depend only on the results so far, in schedule order. So a race is the same for any number of
//! threads, and after any interruption.

use super::schedule::{Pairing, Schedule};
use lmrlab_stats::race::{Goal, Race, RaceError, RaceFate};
use lmrlab_stats::{EloModel, PairOutcome};

/// The goals with the names that they have in a tournament file.
pub const GOALS: [(&str, Goal); 2] = [("best", Goal::Best), ("beat_baseline", Goal::BeatBaseline)];

/// The fates with the names that they have in files.
pub fn fate_name(fate: RaceFate) -> &'static str {
    match fate {
        RaceFate::Racing => "racing",
        RaceFate::Dropped { .. } => "dropped",
        RaceFate::Accepted { .. } => "accepted",
        RaceFate::Baseline => "baseline",
    }
}

/// A race: what it is to find, how surely, and where it stands.
#[derive(Debug, Clone)]
pub struct RaceCourse {
    /// The engine to beat, if that is the goal.
    pub baseline: Option<usize>,
    /// The scale of [`Self::elo`].
    pub model: EloModel,
    /// The difference that matters.
    pub elo: f64,
    /// The error rate.
    pub alpha: f64,
    engines: Vec<usize>,
    race: Race,
    /// Results of the block that is being played.
    outcomes: Vec<PairOutcome>,
    /// The number of the pair, from 1, after which each engine's fate was decided.
    decided: Vec<Option<u64>>,
    /// Whether it ended without a decision, because faults had ended too many games.
    stopped: bool,
}

impl RaceCourse {
    /// A race of `engines` engines of which nothing has been played. `baseline` is the engine to beat, if that is the goal. `elo`
    /// is the difference that matters, on the scale of `model`. `alpha` is the error rate.
    ///
    /// # Errors
    /// When there can be no such race, see [`Race::new`].
    pub fn new(
        goal: Goal,
        engines: usize,
        baseline: usize,
        model: EloModel,
        elo: f64,
        alpha: f64,
    ) -> Result<Self, RaceError> {
        let race = Race::new(goal, engines, model, elo, alpha)?;
        let baseline = (goal == Goal::BeatBaseline).then_some(baseline);
        // The library's baseline is the first of its variants.
        let mut order: Vec<usize> = (0..engines).collect();
        if let Some(baseline) = baseline.filter(|baseline| *baseline < engines) {
            order.remove(baseline);
            order.insert(0, baseline);
        }
        Ok(Self {
            baseline,
            model,
            elo,
            alpha,
            engines: order,
            race,
            outcomes: Vec::new(),
            decided: vec![None; engines],
            stopped: false,
        })
    }

    /// The pairings of the next round.
    pub fn pairings(&self) -> Vec<Pairing> {
        let block = self.race.next();
        let round = block.first().map(|duel| duel.round);
        block
            .iter()
            .take_while(|duel| Some(duel.round) == round)
            .map(|duel| Pairing {
                first: self.engines[duel.first],
                second: self.engines[duel.second],
            })
            .collect()
    }

    /// Counts the next pair of the schedule; `pair` is its number, from 1. Changes the schedule when the results so far
    /// require it. If they would decide an engine's fate and `may_decide` returns false, the race stops, and no fate
    /// changes.
    pub(crate) fn count(
        &mut self,
        pair: u64,
        outcome: PairOutcome,
        schedule: &mut Schedule,
        may_decide: impl FnOnce() -> bool,
    ) {
        if self.stopped {
            return;
        }
        self.outcomes.push(outcome);
        if self.outcomes.len() < self.race.next().len() && pair < schedule.pairs() {
            return;
        }
        let before = self.pairings();
        let mut race = self.race.clone();
        race.record(&self.outcomes);
        self.outcomes.clear();
        let variants = 0..self.engines.len();
        let decides = variants
            .clone()
            .any(|variant| race.fate(variant) != self.race.fate(variant));
        if decides && !may_decide() {
            self.stopped = true;
            return;
        }
        self.race = race;
        for (variant, &engine) in self.engines.iter().enumerate() {
            let fate = self.race.fate(variant);
            if matches!(fate, RaceFate::Dropped { .. } | RaceFate::Accepted { .. }) {
                self.decided[engine].get_or_insert(pair);
            }
        }
        let after = self.pairings();
        if after != before {
            schedule.go_on_with(pair, after);
        }
    }

    /// Whether everything has been decided.
    pub fn is_over(&self) -> bool {
        self.race.is_over()
    }

    /// Whether it ended without a decision, because too many games were ended by faults.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Rounds that count.
    pub fn rounds(&self) -> u64 {
        self.race.rounds()
    }

    /// What has become of an engine.
    pub fn fate(&self, engine: usize) -> RaceFate {
        let variant = self.engines.iter().position(|&one| one == engine);
        self.race.fate(variant.unwrap_or(usize::MAX))
    }

    /// The number of the pair, from 1, after which an engine's fate was decided; `None` while it is undecided.
    pub fn decided_at(&self, engine: usize) -> Option<u64> {
        self.decided.get(engine).copied().flatten()
    }

    /// The engines that were decided just after this pair.
    pub fn decided_after(&self, pair: u64) -> impl Iterator<Item = usize> {
        (0..self.decided.len()).filter(move |&engine| self.decided[engine] == Some(pair))
    }

    /// Number of engines that are not decided.
    pub fn racing(&self) -> usize {
        (0..self.decided.len())
            .filter(|&engine| self.fate(engine) == RaceFate::Racing)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a race in which an engine's number is its strength; returns the schedule and where the race stands.
    fn play(goal: Goal, rounds: u64) -> (Schedule, RaceCourse) {
        play_until(goal, rounds, u64::MAX)
    }

    /// The same; from pair `stop_at` on, nothing may be decided.
    fn play_until(goal: Goal, rounds: u64, stop_at: u64) -> (Schedule, RaceCourse) {
        let mut course = RaceCourse::new(goal, 4, 2, EloModel::Normalized, 40.0, 0.05).unwrap();
        let mut schedule = Schedule::new(course.pairings(), rounds, vec![0, 1, 2]);
        let mut index = 0;
        while let Some(pair) = schedule.pair(index) {
            let lead = pair.pairing.first as i64 - pair.pairing.second as i64;
            let number = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let outcome = match (number % 10) as i64 + lead {
                7.. => PairOutcome::WinDraw,
                ..3 => PairOutcome::LossDraw,
                _ => PairOutcome::Even,
            };
            index += 1;
            if course.is_stopped() {
                break;
            }
            course.count(index, outcome, &mut schedule, || index < stop_at);
        }
        (schedule, course)
    }

    #[test]
    fn the_baseline_can_be_any_engine() {
        let (schedule, course) = play(Goal::BeatBaseline, 100_000);
        assert!(schedule.iter().all(|pair| pair.pairing.second == 2));
        assert_eq!(course.fate(2), RaceFate::Baseline);
        assert!(matches!(course.fate(3), RaceFate::Accepted { .. }));
        for worse in [0, 1] {
            assert!(matches!(course.fate(worse), RaceFate::Dropped { .. }));
        }
    }

    #[test]
    fn a_race_stops_where_it_would_decide_and_may_not() {
        let (_, free) = play(Goal::Best, 100_000);
        let mut decisions: Vec<u64> = (0..4).filter_map(|engine| free.decided_at(engine)).collect();
        decisions.sort_unstable();
        decisions.dedup();
        assert!(decisions.len() >= 2, "{decisions:?}");
        for (index, &pair) in decisions.iter().enumerate() {
            let (_, course) = play_until(Goal::Best, 100_000, pair);
            assert!(course.is_stopped() && !course.is_over());
            // Only the earlier decisions stand.
            let made: Vec<u64> = (0..4).filter_map(|engine| course.decided_at(engine)).collect();
            assert!(made.iter().all(|at| decisions[..index].contains(at)), "{made:?}");
            let undecided = (0..4).filter(|&engine| free.decided_at(engine) >= Some(pair));
            assert!(
                undecided
                    .into_iter()
                    .all(|engine| course.fate(engine) == RaceFate::Racing)
            );
        }
    }
}
