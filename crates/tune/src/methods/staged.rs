//! Tuning in stages: first the choices, one race after the other, then the numbers.
//!
//! A decided choice is used in the later races and while the numbers are tuned. If faults have ended too many games
//! when a race would decide, the race stops without a decision.

use crate::methods::finding::Finding;
use lmrlab_runner::record::no_verdict::TooManyFaults;
use lmrlab_stats::Pentanomial;
use lmrlab_stats::race::{Race, RaceFate};

use crate::methods::{Method, PairResult, Probe};
use crate::subject::choice::{Choice, Decision};

/// Makes the method for the numbers. Its argument is the number of pairs that the choices took. `None` when there are
/// no numbers.
pub type Numbers = Box<dyn Fn(u64) -> Option<Box<dyn Method>>>;

struct Racing {
    race: Race,
    decision: Decision,
    /// The values that play in the present block.
    asked: Vec<usize>,
    /// For each value, with the start as the first: its games, and the games that its faults ended.
    games: Vec<Games>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Games {
    all: u64,
    faults: u64,
}

/// Choices first, then numbers: a method made of races and another method.
pub struct Staged {
    choices: Vec<Choice>,
    /// The start of the numbers, as values that can be played.
    start: Vec<f64>,
    decided: Vec<Decision>,
    racing: Option<Racing>,
    numbers: Numbers,
    method: Option<Box<dyn Method>>,
    played: u64,
}

impl Staged {
    /// A method before its first pair.
    pub fn new(choices: Vec<Choice>, start: Vec<f64>, numbers: Numbers) -> Self {
        Self {
            choices,
            start,
            decided: Vec::new(),
            racing: None,
            numbers,
            method: None,
            played: 0,
        }
    }

    /// The decisions so far; they are the last part of a point.
    fn taken(&self) -> Vec<f64> {
        let decided = self.decided.iter().map(|decision| decision.taken as f64);
        let open = self.choices.len() - self.decided.len();
        decided.chain(std::iter::repeat_n(0.0, open)).collect()
    }

    /// The pairs of the present race; `None` when every race is over.
    fn duels(&mut self) -> Option<Vec<Probe>> {
        while let Some(choice) = self.choices.get(self.decided.len()) {
            if self.racing.is_none() {
                // The reader of tuning files refuses choices without a valid race.
                let Ok(race) = choice.race() else {
                    self.decided.push(Decision::default());
                    continue;
                };
                let fresh = (Pentanomial::default(), RaceFate::Racing);
                self.racing = Some(Racing {
                    race,
                    decision: Decision {
                        values: vec![fresh; choice.values.len()],
                        ..Decision::default()
                    },
                    asked: Vec::new(),
                    games: vec![Games::default(); choice.values.len() + 1],
                });
            }
            let (most, place) = (choice.pairs, self.decided.len());
            let taken = self.taken();
            let Some(racing) = &mut self.racing else {
                return None;
            };
            let duels = racing.race.next();
            let round = duels.first().map(|duel| duel.round);
            let each = duels.iter().filter(|duel| Some(duel.round) == round).count();
            // Only complete rounds count.
            let left = most.saturating_sub(racing.race.pairs()) / (each as u64).max(1);
            let count = duels
                .len()
                .min(usize::try_from(left).unwrap_or(usize::MAX).saturating_mul(each));
            if count > 0 && racing.decision.no_verdict.is_none() {
                racing.asked = duels[..count].iter().map(|duel| duel.first).collect();
                let point = |value: usize| {
                    let mut choices = taken.clone();
                    choices[place] = value as f64;
                    self.start.iter().copied().chain(choices).collect()
                };
                let probes = racing.asked.iter().map(|&value| Probe {
                    first: point(value),
                    second: point(0),
                });
                return Some(probes.collect());
            }
            if let Some(racing) = self.racing.take() {
                self.decided.push(racing.decision);
            }
        }
        None
    }

    fn numbers(&mut self) -> Option<&mut Box<dyn Method>> {
        if self.method.is_none() {
            self.method = (self.numbers)(self.played);
        }
        self.method.as_mut()
    }
}

impl Racing {
    fn record(&mut self, choice: &Choice, results: &[PairResult]) {
        let mut race = self.race.clone();
        let outcomes: Vec<_> = results.iter().map(|result| result.outcome).collect();
        race.record(&outcomes);
        let counted = (race.pairs() - self.race.pairs()) as usize;
        for (&value, result) in self.asked.iter().zip(results).take(counted) {
            if let Some((pairs, _)) = value.checked_sub(1).and_then(|at| self.decision.values.get_mut(at)) {
                pairs.record(result.outcome);
            }
            for (player, faults) in [value, 0].into_iter().zip(result.faults) {
                self.games[player].all += 2;
                self.games[player].faults += u64::from(faults);
            }
        }
        if (1..=choice.values.len()).any(|value| race.fate(value) != self.race.fate(value)) {
            let games = self.games.iter().enumerate();
            self.decision.no_verdict =
                TooManyFaults::among(games.map(|(value, games)| (choice.value(value), games.faults, games.all)));
            if self.decision.no_verdict.is_some() {
                return;
            }
        }
        self.race = race;
        let mut best = f64::NEG_INFINITY;
        for (index, (pairs, fate)) in self.decision.values.iter_mut().enumerate() {
            *fate = self.race.fate(index + 1);
            let score = pairs.score().unwrap_or(f64::NEG_INFINITY);
            if matches!(fate, RaceFate::Accepted { .. }) && score > best {
                best = score;
                self.decision.taken = index + 1;
            }
        }
    }
}

impl Method for Staged {
    fn next(&mut self) -> Vec<Probe> {
        if let Some(probes) = self.duels() {
            return probes;
        }
        let taken = self.taken();
        let Some(method) = self.numbers() else {
            return Vec::new();
        };
        let mut probes = method.next();
        for probe in &mut probes {
            probe.first.extend_from_slice(&taken);
            probe.second.extend_from_slice(&taken);
        }
        probes
    }

    fn record(&mut self, results: &[PairResult]) {
        self.played += results.len() as u64;
        match (&mut self.racing, self.choices.get(self.decided.len()), &mut self.method) {
            (Some(racing), Some(choice), _) => racing.record(choice, results),
            (None, _, Some(method)) => method.record(results),
            _ => {}
        }
    }

    fn recommendation(&mut self) -> Vec<f64> {
        let mut values = match &mut self.method {
            Some(method) => method.recommendation(),
            None => self.start.clone(),
        };
        // The budget may end during a race that already has a winner.
        let mut taken = self.taken();
        if let Some(racing) = &self.racing {
            taken[self.decided.len()] = racing.decision.taken as f64;
        }
        values.append(&mut taken);
        values
    }

    fn gain(&self, values: &[f64]) -> Option<(f64, f64)> {
        self.method.as_ref()?.gain(&values[..self.start.len()])
    }

    fn findings(&self, values: &[f64]) -> Vec<Finding> {
        let method = self.method.as_ref();
        method.map_or_else(Vec::new, |method| method.findings(&values[..self.start.len()]))
    }

    fn decisions(&self) -> Vec<Decision> {
        let racing = self.racing.iter().map(|racing| &racing.decision);
        self.decided.iter().chain(racing).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::random::Random;
    use crate::methods::simulated;
    use crate::methods::surface::Surface;
    use crate::subject::parameter::Parameter;

    fn choice(values: usize) -> Choice {
        Choice {
            name: "ladder".to_owned(),
            values: (0..values).map(|value| format!("-{value}")).collect(),
            pairs: 3000,
            elo: 20.0,
            alpha: 0.05,
        }
    }

    fn staged(numbers: bool) -> Staged {
        let parameter = Parameter::example();
        let factory = move |_| numbers.then(|| Box::new(Surface::new(vec![parameter.clone()], 1)) as Box<dyn Method>);
        Staged::new(vec![choice(2), choice(1)], vec![50.0], Box::new(factory))
    }

    fn fate(decision: &Decision, index: usize) -> String {
        choice(2).result(decision).value[index - 1].fate.clone()
    }

    /// In the first choice, the first value loses 60 Elo and the second gains 60. In the second, the value loses 60.
    fn elo(point: &[f64]) -> f64 {
        [0.0, -60.0, 60.0][point[1] as usize] - 60.0 * point[2]
    }

    fn played(staged: &mut Staged, pairs: usize) -> usize {
        played_with(staged, pairs, &mut |_| [0; 2])
    }

    /// The same, with the faults that `faults` returns for the point of a value.
    fn played_with(staged: &mut Staged, pairs: usize, faults: &mut dyn FnMut(&[f64]) -> [u8; 2]) -> usize {
        let mut random = Random::new(3, 3);
        let mut count = 0;
        while count < pairs {
            let probes = staged.next();
            if probes.is_empty() {
                break;
            }
            let results: Vec<PairResult> = probes
                .iter()
                .map(|probe| PairResult {
                    outcome: simulated::play(elo(&probe.first) - elo(&probe.second), &mut random),
                    faults: faults(&probe.first),
                    opening: 0,
                })
                .collect();
            staged.record(&results);
            count += results.len();
        }
        count
    }

    #[test]
    fn takes_what_is_better_and_keeps_what_is_not() {
        let mut staged = staged(false);
        assert!(played(&mut staged, 20_000) < 6000);
        assert_eq!(staged.recommendation(), [50.0, 2.0, 0.0]);
        let decisions = staged.decisions();
        assert_eq!(fate(&decisions[0], 2), "accepted");
        assert_eq!(fate(&decisions[0], 1), "dropped");
        assert_eq!(fate(&decisions[1], 1), "dropped");
        assert_eq!(staged.gain(&[50.0, 2.0, 0.0]), None);
    }

    #[test]
    fn numbers_come_after_and_play_with_what_was_taken() {
        let mut staged = staged(true);
        assert!(played(&mut staged, 6000) >= 6000);
        let probes = staged.next();
        assert!(probes.iter().all(|probe| probe.first[1..] == [2.0, 0.0]));
        assert!(probes.iter().any(|probe| probe.first[0] != 50.0));
        assert_eq!(staged.recommendation()[1..], [2.0, 0.0]);
    }

    #[test]
    fn a_race_does_not_decide_on_faults() {
        for (faulty, expected) in [
            (1.0, "50% of the games of `-0` were ended by its faults"),
            (2.0, "50% of the games of `-1` were ended by its faults"),
            (0.0, "25% of the games of `start` were ended by its faults"),
        ] {
            let mut staged = staged(false);
            let mut faults = |point: &[f64]| match (point[1], faulty) {
                (value, _) if value == faulty && value > 0.0 => [1, 0],
                // The start plays against each value.
                (1.0, 0.0) => [0, 1],
                _ => [0; 2],
            };
            assert!(played_with(&mut staged, 20_000, &mut faults) < 6000);
            let decisions = staged.decisions();
            assert_eq!(decisions[0].taken, 0);
            assert_eq!(decisions[0].no_verdict.as_ref().unwrap().to_string(), expected);
            assert!((1..=2).all(|value| fate(&decisions[0], value) == "racing"));
            // The race after it is decided.
            assert_eq!(decisions[1].no_verdict, None);
            assert_eq!(fate(&decisions[1], 1), "dropped");
            assert_eq!(staged.recommendation(), [50.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_race_that_is_too_long_changes_nothing() {
        let mut short = staged(false);
        for choice in &mut short.choices {
            choice.pairs = 9;
        }
        // Rounds of two pairs, and of one.
        assert_eq!(played(&mut short, 1000), 8 + 9);
        assert_eq!(short.recommendation(), [50.0, 0.0, 0.0]);
    }
}
