//! Plays the pairs of a matrix, round by round. The games of a round depend on all rounds before it, and not on the number of
//! threads.

use lmrlab_stats::meta::{Allocation, MetaError};

use super::meeting::{Batch, Meeting, play};
use super::{Matrix, Question, Surrounding, Verdict};
use crate::kept::Comparison;
use crate::measures::Contest;
use crate::variant::Variant;
use crate::workers::Workers;
use lmrlab_runner::failure::Failure;

/// Pairs that a cell gets at a time.
const BATCH: u64 = 4;

/// Batches of a round at least; later rounds grow with what was played.
const BATCHES: u64 = 16;

/// A round is at least this share of the pairs before it.
const SHARE: u64 = 8;

/// The games of an idea against a baseline.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The policy whose worth is asked for; its preset plays no part.
    pub idea: Variant,
    /// The policy that it is compared with.
    pub baseline: Variant,
    /// Where they meet.
    pub surroundings: Vec<Surrounding>,
    /// Openings, and the seed of the first surrounding; each has one more than the one before. Cells have budgets of their own, and
    /// get pairs one by one.
    pub contest: Contest,
    /// The budgets, in nodes a move.
    pub budgets: Vec<u64>,
    /// The prediction that is asked for.
    pub question: Question,
    /// Pairs at most.
    pub pairs: u64,
    /// The width of the interval, in Elo, at which no more are played.
    pub until_width: Option<f64>,
}

impl Experiment {
    /// The fewest pairs with which a prediction is made.
    pub fn least_pairs(&self) -> u64 {
        BATCH * (self.surroundings.len() * self.budgets.len()) as u64
    }

    /// What the games depend on.
    pub fn comparison(&self) -> Comparison {
        let names: Vec<&str> = self
            .surroundings
            .iter()
            .map(|surrounding| surrounding.name.as_str())
            .collect();
        let sides = [&self.idea, &self.baseline].map(|side| format!("{:?}", side.policy));
        let presets = self.surroundings.iter().map(|surrounding| {
            let parameters = surrounding.preset.parameters;
            let ordering = surrounding.preset.ordering.name();
            format!("{parameters:?} {} {ordering}", surrounding.hash_mib)
        });
        Comparison::of_texts([
            ("search", format!("{sides:?} {:?}", presets.collect::<Vec<_>>())),
            ("surroundings", format!("{names:?} {:?}", self.empty().budgets)),
            (
                "prediction",
                format!(
                    "{:?} {} {:?}",
                    self.contest, self.question.nodes, self.question.slope_prior
                ),
            ),
        ])
    }

    /// Plays until the pairs are spent, the interval is narrow enough, or the workers are asked to stop. `each` gets the matrix
    /// after every round.
    ///
    /// # Errors
    /// When a result cannot be kept, the prediction is impossible, and those of `each`.
    pub fn play(
        &self,
        workers: &Workers,
        each: &mut dyn FnMut(&Matrix) -> Result<(), Failure>,
    ) -> Result<Matrix, Failure> {
        let mut matrix = self.empty();
        let mut played = vec![0; matrix.cells.len()];
        let first = (0..matrix.cells.len()).map(|cell| (cell, BATCH));
        let mut round: Vec<(usize, u64)> = first.collect();
        let mut number = 0;
        while !round.is_empty() {
            number += 1;
            workers.begin_row(number, number + self.rounds_after(&round, &matrix));
            self.play_round(&round, &mut played, &mut matrix, workers)?;
            each(&matrix)?;
            if workers.is_stopped() {
                break;
            }
            round = self.next_round(&matrix)?;
        }
        Ok(matrix)
    }

    /// What a matrix says.
    ///
    /// # Errors
    /// When too few surroundings have games.
    pub fn verdict(&self, matrix: &Matrix) -> Result<Verdict, MetaError> {
        Verdict::of(matrix, self.question)
    }

    /// How many rounds follow this one, unless the interval is narrow enough before.
    fn rounds_after(&self, round: &[(usize, u64)], matrix: &Matrix) -> usize {
        let mut played = matrix.pairs() + round.iter().map(|(_, pairs)| pairs).sum::<u64>();
        let mut rounds = 0;
        while played < self.pairs {
            played += self.size_after(played);
            rounds += 1;
        }
        rounds
    }

    /// The pairs of the round after so many.
    fn size_after(&self, played: u64) -> u64 {
        (BATCHES * BATCH)
            .max(played / SHARE)
            .min(self.pairs.saturating_sub(played))
    }

    /// Each surrounding has an order of openings of its own: two that play alike would repeat their games, and count them twice.
    fn meetings(&self) -> Vec<Meeting> {
        let meeting = |(number, surrounding): (u64, &Surrounding)| Meeting {
            idea: surrounding.variant(&self.idea),
            baseline: surrounding.variant(&self.baseline),
            seed: self.contest.seed.wrapping_add(number),
        };
        (0..).zip(&self.surroundings).map(meeting).collect()
    }

    fn empty(&self) -> Matrix {
        let names = self.surroundings.iter().map(|surrounding| surrounding.name.clone());
        Matrix::new(names.collect(), self.budgets.clone())
    }

    fn play_round(
        &self,
        round: &[(usize, u64)],
        played: &mut [u64],
        matrix: &mut Matrix,
        workers: &Workers,
    ) -> Result<(), Failure> {
        let meetings = self.meetings();
        let batches = round.iter().filter_map(|&(cell, pairs)| {
            let first = played[cell];
            played[cell] += pairs;
            Some(Batch {
                row: cell + 1,
                meeting: meetings.get(matrix.cells[cell].surrounding)?,
                nodes: matrix.cells[cell].nodes,
                pairs: first..first + pairs,
            })
        });
        let batches: Vec<Batch<'_>> = batches.collect();
        for (batch, outcomes) in batches.iter().zip(play(&batches, &self.contest, workers)) {
            let pairs = &mut matrix.cells[batch.row - 1].pairs;
            outcomes.into_iter().flatten().for_each(|outcome| pairs.record(outcome));
        }
        workers.end_row()
    }

    /// Which cells get how many pairs next; none when it is enough.
    fn next_round(&self, matrix: &Matrix) -> Result<Vec<(usize, u64)>, Failure> {
        let impossible = |error: MetaError| Failure::Run(format!("no prediction: {error}"));
        let verdict = self.verdict(matrix).map_err(impossible)?;
        if self
            .until_width
            .is_some_and(|width| verdict.prediction().width() <= width)
        {
            return Ok(Vec::new());
        }
        let played = matrix.pairs();
        let mut left = (BATCHES * BATCH)
            .max(played / SHARE)
            .min(self.pairs.saturating_sub(played));
        let known = verdict.regression().heterogeneity();
        let covariate = libm::log(self.question.nodes as f64);
        let mut allocation = Allocation::new(matrix.planned(), known, covariate).map_err(impossible)?;
        if let Some(deviation) = verdict.slope_deviation() {
            allocation = allocation.with_slope_prior(deviation);
        }
        let mut of_cell = vec![0; matrix.cells.len()];
        while left > 0 {
            let pairs = left.min(BATCH);
            of_cell[allocation.give(pairs as f64)] += pairs;
            left -= pairs;
        }
        Ok(of_cell
            .into_iter()
            .enumerate()
            .filter(|(_, pairs)| *pairs > 0)
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;
    use lmrlab_policy::Policy;
    use lmrlab_runner::openings::Openings;
    use std::sync::Arc;

    fn experiment() -> Experiment {
        let text = "name = \"one\"\nwhen = \"depth >= 2 and moves_searched >= 2 and quiet\"\nreduce = \"1\"\n";
        let (policy, _) = Policy::compile(Source::new("one.toml", text)).unwrap();
        let fens = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
                    rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n";
        let surrounding = |name: &str| Surrounding {
            name: name.to_owned(),
            preset: Arc::default(),
            hash_mib: 1,
        };
        Experiment {
            idea: Variant::new("one", policy),
            baseline: Variant::new("none", Policy::none()),
            surroundings: ["a", "b", "c"].map(surrounding).to_vec(),
            contest: Contest {
                openings: Openings::parse(Source::new("openings.epd", fens)).unwrap().0,
                pairs: 0,
                nodes: 0,
                seed: 1,
            },
            budgets: vec![60, 30],
            question: Question {
                nodes: 120,
                ..Question::usual(&[])
            },
            pairs: 110,
            until_width: None,
        }
    }

    #[test]
    fn rounds_come_to_the_pairs_and_do_not_depend_on_threads() {
        let experiment = experiment();
        let mut rounds = Vec::new();
        let played = experiment.play(&Workers::new(1).unwrap(), &mut |matrix| {
            rounds.push(matrix.pairs());
            Ok(())
        });
        assert_eq!(rounds, [24, 88, 110]);
        let again = experiment.play(&Workers::new(3).unwrap(), &mut |_| Ok(()));
        assert_eq!(played.unwrap(), again.unwrap());
    }

    /// Three times the same surrounding: each has played the same games.
    #[test]
    fn the_first_round_has_the_first_pairs_of_every_cell() {
        let experiment = Experiment {
            pairs: 24,
            ..experiment()
        };
        let matrix = experiment.play(&Workers::new(2).unwrap(), &mut |_| Ok(())).unwrap();
        assert_eq!(experiment.least_pairs(), 24);
        let cells = &matrix.cells;
        assert!(cells.iter().all(|cell| cell.pairs.pairs() == 4));
        assert_eq!(cells[0].pairs, cells[2].pairs);
        assert_eq!(cells[1].pairs, cells[5].pairs);
    }
}
