//! Solving test positions.

use std::time::Duration;

use cozy_chess::Move;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::search::observer::{CompletedIteration, Observer};

use super::question::TestPosition;
use crate::search::search_observed;
use crate::variant::Variant;
use crate::workers::{Columns, Workers};

/// The answer of a search to a test position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The move; `None` where there is no legal one.
    pub mv: Option<Move>,
    /// Whether it is right.
    pub is_right: bool,
    /// Its points, where the position has points to give.
    pub points: Option<u32>,
    /// The last iteration, in plies.
    pub depth: u32,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// Time of the whole search.
    pub time: Duration,
    /// When the answer became right for good; `None` when it was wrong at the end.
    pub solution: Option<Solution>,
}

/// The end of the iteration from which on a search had a right move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution {
    /// The iteration, in plies.
    pub depth: u32,
    /// Nodes since the search began.
    pub nodes: u64,
    /// Time since then.
    pub time: Duration,
}

/// The answers of every variant to every test: `results[variant][test]`. When the workers are asked to stop, the
/// answers are to the tests that every variant has answered. Each search starts from empty tables, so neither the order
/// nor the number of threads matters.
pub fn answers(variants: &[Variant], tests: &[TestPosition], limits: &Limits, workers: &Workers) -> Columns<Answer> {
    workers.columns(variants, tests, |variant, test| answer(variant, test, limits))
}

/// How many of the answers are right.
pub(crate) fn solved(answers: &[Answer]) -> usize {
    answers.iter().filter(|answer| answer.is_right).count()
}

/// The answer of a variant to a test.
pub fn answer(variant: &Variant, test: &TestPosition, limits: &Limits) -> Answer {
    let mut watch = Watch { test, since: None };
    let report = search_observed(variant, &test.position, limits, &mut watch);
    let is_right = report.best.is_some_and(|mv| test.is_right(mv));
    let solution = is_right.then(|| {
        // The last iteration may find the move and then be cut off. Then no complete iteration has it.
        watch.since.unwrap_or(Solution {
            depth: report.depth,
            nodes: report.nodes,
            time: report.time,
        })
    });
    Answer {
        mv: report.best,
        is_right,
        points: report.best.and_then(|mv| test.points_of(mv)),
        depth: report.depth,
        nodes: report.nodes,
        time: report.time,
        solution,
    }
}

/// Records since when the best move is right.
struct Watch<'t> {
    test: &'t TestPosition,
    since: Option<Solution>,
}

impl Observer for Watch<'_> {
    fn on_iteration(&mut self, iteration: &CompletedIteration<'_>) {
        let is_right = iteration.pv.first().is_some_and(|mv| self.test.is_right(*mv));
        if !is_right {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(Solution {
                depth: iteration.depth,
                nodes: iteration.nodes,
                time: iteration.time,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::PositionSet;
    use crate::suite::question::questions;
    use lmrlab_diagnostics::Source;

    #[test]
    fn a_solution_that_is_lost_again_counts_from_when_it_is_found_again() {
        let mate = Source::new("suite.epd", "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8;");
        let (set, _) = PositionSet::parse(mate).unwrap();
        let test = questions(&set).unwrap().remove(0);
        let right = test.wanted()[0];
        let wrong: Move = "h1g2".parse().unwrap();
        let mut watch = Watch {
            test: &test,
            since: None,
        };
        for (depth, mv) in [(1, right), (2, wrong), (3, right), (4, right)] {
            watch.on_iteration(&CompletedIteration {
                depth,
                seldepth: depth,
                score: lmrlab_engine::score::Score::DRAW,
                nodes: u64::from(depth) * 100,
                time: Duration::ZERO,
                permille_full: 0,
                pv: &[mv],
            });
        }
        let since = watch.since.unwrap();
        assert_eq!((since.depth, since.nodes), (3, 300));
    }
}
