//! Solving test positions.

use std::time::Duration;

use lmrlab_engine::limits::Limits;
use lmrlab_engine::search::observer::{CompletedIteration, Observer};
use lmrlab_results::fixed::Fixed;
use lmrlab_results::rows::suite::{AnswerRow, AnswerTime};
use lmrlab_stats::DEVIATIONS_95;

use super::question::TestPosition;
use crate::search::search_observed;
use crate::variant::Variant;
use crate::workers::{Columns, Workers};

/// The answer of a search to a test position: its lines of answers.csv and times.csv.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The move, and whether it is right.
    pub row: AnswerRow,
    /// How long it took.
    pub time: AnswerTime,
}

/// The end of the iteration from which on a search had a right move: the iteration, its nodes and its time.
type Solution = (u32, u64, Duration);

/// The answers of every variant to every test: `results[variant][test]`. When the workers are asked to stop, the
/// answers are to the tests that every variant has answered. Each search starts from empty tables, so neither the order
/// nor the number of threads matters.
pub fn answers(variants: &[Variant], tests: &[TestPosition], limits: &Limits, workers: &Workers) -> Columns<Answer> {
    workers.columns(variants, tests, |variant, (_, test)| answer(variant, test, limits))
}

/// How many of the answers are right.
pub(crate) fn solved(answers: &[Answer]) -> usize {
    answers.iter().filter(|answer| answer.row.right > 0).count()
}

/// Of the answers to the same tests: the positions, by their index, that one side solves and the other does not. Those that the second
/// solves come first.
pub(crate) fn changes(first: &[Answer], second: &[Answer]) -> [Vec<usize>; 2] {
    [(0, 1), (1, 0)].map(|right| {
        let pairs = first.iter().zip(second).enumerate();
        let changed = pairs.filter(|(_, (one, other))| (one.row.right, other.row.right) == right);
        changed.map(|(index, _)| index).collect()
    })
}

/// How many more positions the second solves, and half the width of the 95% interval: positions that both solve or both miss do not
/// count (McNemar 1947).
pub(crate) fn gain(first: &[Answer], second: &[Answer]) -> (i64, f64) {
    let [won, lost] = changes(first, second).map(|changed| changed.len() as i64);
    (won - lost, DEVIATIONS_95 * ((won + lost) as f64).sqrt())
}

/// The answer of a variant to a test.
pub fn answer(variant: &Variant, test: &TestPosition, limits: &Limits) -> Answer {
    let mut watch = Watch { test, since: None };
    let report = search_observed(variant, &test.position, limits, &mut watch);
    let is_right = report.best.is_some_and(|mv| test.is_right(mv));
    // The last iteration may find the move and then be cut off. Then no complete iteration has it.
    let solution = is_right.then(|| watch.since.unwrap_or((report.depth, report.nodes, report.time)));
    let best = report.best.as_slice();
    let row = AnswerRow {
        policy: variant.name.clone(),
        position: test.id.clone(),
        fen: test.position.to_string(),
        r#move: test.uci(best),
        right: u8::from(is_right),
        points: best.iter().find_map(|mv| test.points_of(*mv)).map(u64::from),
        most_points: test.most_points().map(u64::from),
        depth: report.depth,
        nodes: report.nodes,
        solution_depth: solution.map(|(depth, ..)| depth),
        solution_nodes: solution.map(|(_, nodes, _)| nodes),
        expected: test.uci(&test.wanted()),
        avoided: test.uci(test.avoided()),
    };
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let time = AnswerTime {
        policy: row.policy.clone(),
        position: row.position.clone(),
        fen: row.fen.clone(),
        time_ms: milliseconds(report.time).into(),
        solution_time_ms: Fixed(solution.map(|(.., time)| milliseconds(time))),
    };
    Answer { row, time }
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
            self.since = Some((iteration.depth, iteration.nodes, iteration.time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::PositionSet;
    use crate::suite::question::questions;
    use cozy_chess::Move;
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
        assert_eq!(watch.since, Some((3, 300, Duration::ZERO)));
    }
}
