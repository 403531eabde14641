//! Choices that are no numbers: rules on or off, ladders of re-searches, models of histories, switches of the search.
//!
//! They are decided before the numbers are tuned, one after the other, each by a race of its values against the start
//! ([`Goal::BeatBaseline`]): hopeless values stop playing early, and one is taken only when it is better for sure. What was
//! decided holds for the choices after it, and for the tuning of the numbers.
//!
//! In points, and so in the journal, a choice is a number like the others: 0 for the start, 1 for the first value, and so on.

use super::{Finding, Method, Probe};
use lmrlab_stats::race::{Fate, Goal, Race, RaceError};
use lmrlab_stats::{EloModel, Estimate, PairOutcome, Pentanomial};

/// Something to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// What may be chosen beside what the engine has: changes, as after the `@` of a reference.
    pub values: Vec<String>,
    /// Pairs of its race at most.
    pub pairs: u64,
    /// The difference in normalized Elo that matters.
    pub elo: f64,
    /// The probability with which a value is taken that is no better than the start.
    pub alpha: f64,
}

impl Choice {
    /// What stands for a value in tables; 0 is the start.
    pub fn value(&self, index: usize) -> &str {
        let index = index.checked_sub(1);
        index
            .and_then(|index| self.values.get(index))
            .map_or("start", String::as_str)
    }

    /// The race that decides it, at its beginning.
    ///
    /// # Errors
    /// When its numbers are not those of a race.
    pub fn race(&self) -> Result<Race, RaceError> {
        Race::new(
            Goal::BeatBaseline,
            self.values.len() + 1,
            EloModel::Normalized,
            self.elo,
            self.alpha,
        )
    }
}

/// What is known of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The value that was taken; 0 is the start.
    pub taken: usize,
    /// Of each value but the start: its pairs against the start, and what became of it.
    pub values: Vec<(Pentanomial, Fate)>,
}

impl Decision {
    /// What became of a value, in words, with what it gains over the start.
    pub fn told(&self, index: usize) -> String {
        let Some((pairs, fate)) = index.checked_sub(1).and_then(|at| self.values.get(at)) else {
            return String::new();
        };
        let fate = match fate {
            Fate::Accepted { .. } => "better",
            Fate::Dropped { .. } => "no better",
            _ => "undecided",
        };
        let gain = Estimate::of(pairs).map_or_else(String::new, |estimate| {
            let error = estimate
                .elo_error_95
                .map_or_else(|| "?".to_owned(), |error| format!("{:.1}", error.0));
            format!("{:+.1} ± {error} Elo (95%), ", estimate.elo.0)
        });
        format!("{gain}{} pairs, {fate}", pairs.pairs())
    }
}

/// The method for the numbers, when so many pairs have been played for the choices; `None` when there are no numbers.
pub type Numbers = Box<dyn Fn(u64) -> Option<Box<dyn Method>>>;

struct Racing {
    race: Race,
    decision: Decision,
    asked: Vec<usize>,
}

/// Choices first, then numbers.
pub struct Staged {
    choices: Vec<Choice>,
    /// The numbers of the start, as they can be played.
    start: Vec<f64>,
    decided: Vec<Decision>,
    racing: Option<Racing>,
    numbers: Numbers,
    method: Option<Box<dyn Method>>,
    played: u64,
}

impl Staged {
    /// Nothing has been played.
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

    /// What has been chosen, as the last part of a point.
    fn taken(&self) -> Vec<f64> {
        let decided = self.decided.iter().map(|decision| decision.taken as f64);
        let open = self.choices.len() - self.decided.len();
        decided.chain(std::iter::repeat_n(0.0, open)).collect()
    }

    /// The pairs of the present race; `None` when every race is over.
    fn duels(&mut self) -> Option<Vec<Probe>> {
        while let Some(choice) = self.choices.get(self.decided.len()) {
            if self.racing.is_none() {
                // A race that cannot be decides nothing; files with one are refused.
                let Ok(race) = choice.race() else {
                    self.decided.push(Decision {
                        taken: 0,
                        values: Vec::new(),
                    });
                    continue;
                };
                let fresh = (Pentanomial::default(), Fate::Racing);
                self.racing = Some(Racing {
                    race,
                    decision: Decision {
                        taken: 0,
                        values: vec![fresh; choice.values.len()],
                    },
                    asked: Vec::new(),
                });
            }
            let (most, place) = (choice.pairs, self.decided.len());
            let taken = self.taken();
            let Some(racing) = &mut self.racing else {
                return None;
            };
            let duels = racing.race.next();
            let round = duels.first().map(|duel| duel.round);
            let each = duels
                .iter()
                .filter(|duel| Some(duel.round) == round)
                .count();
            // Rounds count when they are complete.
            let left = most.saturating_sub(racing.race.pairs()) / (each as u64).max(1);
            let count = duels.len().min(
                usize::try_from(left)
                    .unwrap_or(usize::MAX)
                    .saturating_mul(each),
            );
            if count > 0 {
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

    /// Takes a method for the numbers that has learned already.
    pub fn go_on_with(&mut self, method: Box<dyn Method>) {
        self.method = Some(method);
    }

    fn numbers(&mut self) -> Option<&mut Box<dyn Method>> {
        if self.method.is_none() {
            self.method = (self.numbers)(self.played);
        }
        self.method.as_mut()
    }
}

impl Racing {
    fn record(&mut self, outcomes: &[PairOutcome]) {
        let before = self.race.pairs();
        self.race.record(outcomes);
        let counted = (self.race.pairs() - before) as usize;
        for (&value, outcome) in self.asked.iter().zip(outcomes).take(counted) {
            if let Some((pairs, _)) = value
                .checked_sub(1)
                .and_then(|at| self.decision.values.get_mut(at))
            {
                pairs.record(*outcome);
            }
        }
        let mut best = f64::NEG_INFINITY;
        for (index, (pairs, fate)) in self.decision.values.iter_mut().enumerate() {
            *fate = self.race.fate(index + 1);
            let score = pairs.score().unwrap_or(f64::NEG_INFINITY);
            if matches!(fate, Fate::Accepted { .. }) && score > best {
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

    fn record(&mut self, outcomes: &[PairOutcome]) {
        self.played += outcomes.len() as u64;
        match (&mut self.racing, &mut self.method) {
            (Some(racing), _) => racing.record(outcomes),
            (None, Some(method)) => method.record(outcomes),
            (None, None) => {}
        }
    }

    fn recommendation(&mut self) -> Vec<f64> {
        let mut values = match &mut self.method {
            Some(method) => method.recommendation(),
            None => self.start.clone(),
        };
        // The budget may end in the middle of a race, which may have decided already.
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
        method.map_or_else(Vec::new, |method| {
            method.findings(&values[..self.start.len()])
        })
    }

    fn decisions(&self) -> Vec<Decision> {
        let racing = self.racing.iter().map(|racing| &racing.decision);
        self.decided.iter().chain(racing).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::parameter::Parameter;
    use crate::simulation::games::Games;
    use crate::surface::Surface;

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
        let parameter = Parameter {
            name: "x".to_owned(),
            integer: false,
            start: 50.0,
            min: 0.0,
            max: 100.0,
            step: 5.0,
            r_end: None,
        };
        let factory = move |_| {
            numbers.then(|| Box::new(Surface::new(vec![parameter.clone()], 1)) as Box<dyn Method>)
        };
        Staged::new(vec![choice(2), choice(1)], vec![50.0], Box::new(factory))
    }

    /// Of the first choice the second value is worth 60 Elo and the first costs as much; of the second the value costs 60.
    fn elo(point: &[f64]) -> f64 {
        [0.0, -60.0, 60.0][point[1] as usize] - 60.0 * point[2]
    }

    fn played(staged: &mut Staged, pairs: usize) -> usize {
        let (games, mut chance) = (Games::new(), Chance::new(3, 3));
        let mut count = 0;
        while count < pairs {
            let probes = staged.next();
            if probes.is_empty() {
                break;
            }
            let outcomes: Vec<PairOutcome> = probes
                .iter()
                .map(|probe| games.play(elo(&probe.first) - elo(&probe.second), &mut chance))
                .collect();
            staged.record(&outcomes);
            count += outcomes.len();
        }
        count
    }

    #[test]
    fn takes_what_is_better_and_keeps_what_is_not() {
        let mut staged = staged(false);
        assert!(played(&mut staged, 20_000) < 6000);
        assert_eq!(staged.recommendation(), [50.0, 2.0, 0.0]);
        let decisions = staged.decisions();
        assert!(decisions[0].told(2).ends_with("better"));
        assert!(decisions[0].told(1).ends_with("no better"));
        assert!(decisions[1].told(1).ends_with("no better"));
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
