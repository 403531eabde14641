//! A trace as a file of curves.

use lmrlab_host::{Outcome, takes_failing_low};

use super::facts::FactPlaces;
use super::findings::{kind, move_number, whole};
use super::trace::{HostTrace, TracedMove, TracedPoint, move_name, point};
use crate::audit::Predictors;
use crate::curves::{Curve, CurveFile, Point};
use lmrlab_policy::facts::Fact;

/// Each curve of a move that fails low at full depth stands for this number of such moves.
const FAILING_LOW: f64 = lmrlab_host::FAILING_LOW as f64;

/// The curves of a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct HostCurves {
    /// The curves, search by search.
    pub file: CurveFile,
    /// Sampled moves without a point of reduction 0, or that the engine did not finish: a limit stopped a search.
    pub undecided: u64,
    /// Sampled moves with a point of the engine's own reduction.
    pub compared: u64,
    /// Of these, those where the engine's own searches had another result or number of nodes.
    pub different: u64,
    /// The first of these, in words.
    pub first_difference: Option<String>,
    /// Nodes of all points.
    pub shadow_nodes: u64,
}

impl HostTrace {
    /// Whether the shadow searches of a move have points of a curve.
    pub fn has_curves(&self) -> bool {
        self.moves.iter().any(|traced| !traced.points.is_empty())
    }

    /// How many curves the searches would have, if every move were sampled: an estimate from the moves of the trace.
    pub fn expected_curves(&self) -> f64 {
        let raising = self.moves.iter().filter(|traced| traced.outcome != Outcome::FailedLow);
        let raising = raising.count() as f64;
        let sampled = raising + (self.moves.len() as f64 - raising) / FAILING_LOW;
        sampled / self.rate()
    }

    /// The rate; 1 when it is 0, as in a trace that a program other than a host wrote.
    fn rate(&self) -> f64 {
        if self.header.rate > 0.0 { self.header.rate } else { 1.0 }
    }

    /// The curves of the moves. `name_of` names the position of a search, by its number from 0 on.
    pub fn curves(&self, name_of: impl Fn(usize) -> String) -> HostCurves {
        let places = FactPlaces::of(&self.header);
        let facts = Predictors::among(places.filled());
        let mut found = HostCurves {
            file: CurveFile {
                facts: facts.facts().to_vec(),
                curves: Vec::new(),
            },
            undecided: self.unfinished,
            compared: 0,
            different: 0,
            first_difference: None,
            shadow_nodes: 0,
        };
        let mut moves: Vec<&TracedMove> = self.moves.iter().collect();
        moves.sort_by_key(|traced| traced.record.search);
        for traced in moves {
            let record = &traced.record;
            let of_move = places.facts(record);
            let move_number = move_number(&of_move);
            if move_number < 2 || !(1..1_000).contains(&record.full_depth) {
                continue;
            }
            found.shadow_nodes += traced.points.iter().map(|of| of.point.nodes).sum::<u64>();
            found.compare(traced);
            let Some((least, points)) = contiguous(&traced.points) else {
                found.undecided += 1;
                continue;
            };
            let raises = traced.points.iter().any(|of| of.reduction == 0 && of.point.raises);
            if !raises && !takes_failing_low(record.id) {
                continue;
            }
            let mv = record.position.as_ref().map(|position| position.uci_move.clone());
            found.file.curves.push(Curve {
                position: name_of((record.search as usize).saturating_sub(1)),
                ply: whole(of_move.known(Fact::Ply)),
                depth: whole(of_move.known(Fact::Depth)),
                full_depth: record.full_depth.into(),
                move_number,
                mv: mv.unwrap_or_default(),
                kind: kind(&of_move),
                outcome: None,
                reduction: record.reduction.into(),
                weight: if raises { 1.0 } else { FAILING_LOW } / self.rate(),
                share: None,
                least,
                points,
                values: facts.facts().iter().map(|fact| of_move.value(fact)).collect(),
            });
        }
        found
    }
}

impl HostCurves {
    /// Compares the point of the engine's own reduction with what the engine itself found.
    fn compare(&mut self, traced: &TracedMove) {
        let record = &traced.record;
        let own = point(record, traced.outcome);
        let reduction = i32::from(record.reduction);
        let Some(shadow) = traced.points.iter().find(|of| of.reduction == reduction) else {
            return;
        };
        self.compared += 1;
        if shadow.point == own {
            return;
        }
        self.different += 1;
        self.first_difference.get_or_insert_with(|| {
            format!(
                "{}, reduced by {reduction}: the engine {}, the copy {}",
                move_name(record),
                in_words(&own),
                in_words(&shadow.point)
            )
        });
    }
}

fn in_words(point: &Point) -> String {
    let result = |raises| if raises { "raises alpha" } else { "fails low" };
    format!(
        "{} with {} nodes and then {} with {}",
        result(point.first_raises),
        point.first_nodes,
        result(point.raises),
        point.nodes
    )
}

/// The points without a gap around a reduction of 0, and the least of their reductions; `None` when that of 0 is missing.
fn contiguous(points: &[TracedPoint]) -> Option<(i32, Vec<Point>)> {
    let at = |reduction: i32| points.iter().find(|of| of.reduction == reduction).map(|of| of.point);
    let below: Vec<Point> = (1..).map_while(|plies| at(-plies)).collect();
    let least = -(below.len() as i32);
    at(0)?;
    let from_zero = (0..).map_while(at);
    Some((least, below.into_iter().rev().chain(from_zero).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_a_gap_are_left_out() {
        let of = |reductions: &[i32]| {
            let point = |reduction: &i32| TracedPoint {
                reduction: *reduction,
                point: Point {
                    first_raises: false,
                    first_nodes: 1,
                    raises: false,
                    nodes: (100 + reduction) as u64,
                },
            };
            let points: Vec<TracedPoint> = reductions.iter().map(point).collect();
            contiguous(&points).map(|(least, points)| (least, points.iter().map(|of| of.nodes).collect::<Vec<_>>()))
        };
        assert_eq!(of(&[0, -1, 1, 2]), Some((-1, vec![99, 100, 101, 102])));
        assert_eq!(of(&[0, -2, 2]), Some((0, vec![100])));
        assert_eq!(of(&[0, 1, 3]), Some((0, vec![100, 101])));
        assert_eq!(of(&[-1, 1]), None);
        assert_eq!(of(&[]), None);
    }
}
