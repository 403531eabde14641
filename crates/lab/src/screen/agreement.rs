//! How well the moves and scores of short searches agree with deep ones.

use super::choice::{Choice, choices};
use super::judge::Judge;
use super::judged::JudgedPosition;
use crate::measures::Paired;
use crate::variant::Variant;
use crate::workers::Workers;

/// Positions that one thread searches one after the other.
const CHUNK: usize = 25;

/// Where losses in centipawns count scores beyond this, they count this: a mate is not a hundred pawns.
const MOST_LOST: i32 = 1_000;

/// Searches of so many nodes, and the positions in which their moves are judged.
#[derive(Debug, Clone)]
pub struct Judging {
    /// The positions.
    pub positions: Vec<JudgedPosition>,
    /// Nodes of each search.
    pub nodes: u64,
    judge: Judge,
}

/// A choice, and what its move is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JudgedChoice {
    pub(crate) choice: Choice,
    /// The score of the move in centipawns, by a deep search.
    pub(crate) judged: i32,
}

/// The choices of a variant, and their difference from those of a reference on the same positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Positions.
    pub positions: usize,
    /// Mean loss of the chosen moves against the best judged move, in centipawns; scores beyond 1,000 count as 1,000.
    pub loss_cp: f64,
    /// The same in expected score, in percent of a game.
    pub loss: Paired,
    /// The loss minus that of the reference, in percent of a game.
    pub loss_difference: Paired,
    /// How often the chosen move was judged as good as the best, in percent.
    pub best: f64,
    /// The same minus that of the reference.
    pub best_difference: Paired,
    /// Mean distance between the expected scores by the short search and by the judge, in percent of a game.
    pub score_error: f64,
    /// The same minus that of the reference.
    pub score_error_difference: Paired,
    /// Mean of the completed iterations, in plies.
    pub depth: f64,
    /// The same minus that of the reference.
    pub depth_difference: f64,
}

/// The expected score of a game from a score in centipawns, 0 to 1: a pawn is worth 100 / 400 of a power of ten of odds.
/// (Chess Programming Wiki, *Pawn Advantage, Win Percentage, and Elo*.)
fn expected_score(centipawns: i32) -> f64 {
    1.0 / (1.0 + libm::exp10(-f64::from(centipawns) / 400.0))
}

impl Judging {
    /// Choices within so many nodes in these positions.
    pub fn new(positions: Vec<JudgedPosition>, nodes: u64) -> Self {
        Self {
            positions,
            nodes,
            judge: Judge::default(),
        }
    }

    /// All that results depend on.
    pub(crate) fn text(&self) -> String {
        let lines: Vec<String> = self.positions.iter().map(JudgedPosition::epd).collect();
        format!("{} nodes\n{}", self.nodes, lines.join("\n"))
    }

    /// What a variant chooses, position by position. When the workers are asked to stop, some are missing.
    pub(crate) fn choices(&self, variant: &Variant, workers: &Workers) -> Vec<JudgedChoice> {
        let chunks: Vec<&[JudgedPosition]> = self.positions.chunks(CHUNK).collect();
        let found = workers.measure("choices", &chunks, |chunk| {
            let positions = chunk.iter().map(|judged| &judged.position);
            let found = choices(variant, positions, self.nodes);
            let judged = chunk.iter().zip(found).filter_map(|(position, choice)| {
                let choice = choice?;
                Some(JudgedChoice {
                    choice,
                    judged: self.judge.score(position, choice.mv),
                })
            });
            Some(judged.collect::<Vec<_>>())
        });
        found.into_iter().flatten().flatten().collect()
    }

    /// What choices come to, against those of a reference.
    pub(crate) fn agreement(&self, found: &[JudgedChoice], reference: &[JudgedChoice]) -> Agreement {
        let of = |choices: &[JudgedChoice], value: fn(&JudgedPosition, &JudgedChoice) -> f64| {
            let pairs = self.positions.iter().zip(choices);
            pairs
                .map(|(position, choice)| value(position, choice))
                .collect::<Vec<f64>>()
        };
        let mean = |value| Paired::of(&of(found, value));
        let difference = |value| {
            let pairs = of(found, value).into_iter().zip(of(reference, value));
            Paired::of(&pairs.map(|(here, there)| here - there).collect::<Vec<f64>>())
        };
        Agreement {
            positions: found.len(),
            loss_cp: mean(loss_cp).mean,
            loss: mean(loss),
            loss_difference: difference(loss),
            best: mean(best).mean,
            best_difference: difference(best),
            score_error: mean(score_error).mean,
            score_error_difference: difference(score_error),
            depth: mean(depth).mean,
            depth_difference: difference(depth).mean,
        }
    }
}

fn loss_cp(position: &JudgedPosition, choice: &JudgedChoice) -> f64 {
    let limited = |score: i32| f64::from(score.clamp(-MOST_LOST, MOST_LOST));
    limited(position.best_score()) - limited(choice.judged)
}

fn loss(position: &JudgedPosition, choice: &JudgedChoice) -> f64 {
    100.0 * (expected_score(position.best_score()) - expected_score(choice.judged))
}

fn best(position: &JudgedPosition, choice: &JudgedChoice) -> f64 {
    100.0 * f64::from(u8::from(choice.judged >= position.best_score()))
}

fn score_error(position: &JudgedPosition, choice: &JudgedChoice) -> f64 {
    100.0 * (expected_score(position.best_score()) - expected_score(choice.choice.score)).abs()
}

fn depth(_: &JudgedPosition, choice: &JudgedChoice) -> f64 {
    f64::from(choice.choice.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_engine::position::Position;

    /// Worked out by hand: 400 centipawns are odds of ten to one, 0 are even.
    #[test]
    fn losses_are_in_centipawns_and_in_expected_score() {
        let mv = |word: &str| word.parse().unwrap();
        let scores = vec![(mv("e2e4"), 0), (mv("d2d4"), 400), (mv("a2a3"), -400)];
        let position = JudgedPosition::new("one".to_owned(), Position::initial(), 10, scores).unwrap();
        let judging = Judging::new(vec![position.clone(), position], 5);
        let chosen = |word, score, judged| JudgedChoice {
            choice: Choice {
                mv: mv(word),
                score,
                depth: 3,
            },
            judged,
        };
        let reference = [chosen("d2d4", 400, 400), chosen("e2e4", 0, 0)];
        let found = [chosen("a2a3", 0, -400), chosen("d2d4", 400, 400)];
        let agreement = judging.agreement(&found, &reference);
        let (even, ahead, behind) = (50.0, 1000.0 / 11.0, 100.0 / 11.0);
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        close(agreement.loss_cp, 400.0);
        close(agreement.loss.mean, (ahead - behind) / 2.0);
        close(
            agreement.loss_difference.mean,
            ((ahead - behind) - (ahead - even)) / 2.0,
        );
        close(agreement.best, 50.0);
        close(agreement.best_difference.mean, 0.0);
        close(agreement.score_error, (ahead - even) / 2.0);
        close(agreement.score_error_difference.mean, 0.0);
        close(agreement.depth, 3.0);
    }
}
