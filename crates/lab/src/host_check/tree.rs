//! Finds the moves of each node, and the move that leads to it; tests the rules of the catalogue on a trace.
//!
//! A move is written to the trace when its last search has ended: after all moves below it. So the moves below it stand before
//! it, one ply deeper, in the position to which it leads.

use std::collections::HashMap;

use cozy_chess::{Move, Piece};
use lmrlab_host::MoveResult;
use lmrlab_policy::facts::Fact;

use super::rules::{self, BELOW, COUNTER, DEEPER, FEW, KILLER, MOVE, NEXT, NEXT_NODE, TWO_BELOW};
use super::tally::{Rule, Tallies};
use super::trace::{CheckedMove, Trace};

/// No search is deeper than this, in plies.
const MOST_PLIES: f64 = 255.0;

/// How much less deep engines search a node that the table does not know, at most, in plies.
const LESS_DEEP: f64 = 2.0;

/// Tests the rules on a trace of all late moves.
pub(super) fn test(trace: &mut Trace, tallies: &mut Tallies) {
    let tree = Tree::of(trace);
    tree.fill(trace);
    let trace = &*trace;
    let at = |index: Option<usize>| trace.moves.get(index?);
    for of in &trace.moves {
        rules::test(MOVE, of, of, tallies);
        rules::test_exact(of, tallies);
    }
    for visit in &tree.visits {
        for pair in visit.windows(2) {
            if let [Some(one), Some(next)] = [0, 1].map(|place| at(pair.get(place).copied())) {
                rules::test(NEXT, one, next, tallies);
                rules::test_same(one, next, tallies);
            }
        }
        for (fact, most, text) in FEW {
            let moves = visit.iter().filter_map(|index| at(Some(*index)));
            let set: Vec<&CheckedMove> = moves.filter(|of| of.value(*fact).is_some_and(|it| it != 0.0)).collect();
            if let Some(last) = set.last() {
                tallies.test(Rule::mostly(fact.info().name, text, 0.01), set.len() <= *most, || {
                    format!("{} is number {} of the node that has it", last.name(), set.len())
                });
            }
        }
    }
    for (child, parent) in trace.moves.iter().zip(&tree.parents) {
        let Some(above) = at(*parent) else { continue };
        rules::test(BELOW, above, child, tallies);
        let two_above = parent.and_then(|index| tree.parents.get(index).copied().flatten());
        if let Some(two_above) = at(two_above).filter(|_| !above.in_check()) {
            rules::test(TWO_BELOW, two_above, child, tallies);
        }
    }
    tree.test_order(trace, tallies);
}

/// Tests that the second searches of a trace are deeper than the full depth by one ply, as its policy says.
pub(super) fn test_deeper(trace: &mut Trace, tallies: &mut Tallies) {
    Tree::of(trace).fill(trace);
    for of in &trace.moves {
        rules::test(DEEPER, of, of, tallies);
    }
}

/// A ply, or the side to move and the move of the other side before.
type Place = (usize, Option<(Piece, Move)>);

#[derive(Default)]
struct Tree {
    /// For each move the one that led to its node, when it was traced.
    parents: Vec<Option<usize>>,
    /// The moves of each node, each time that it was searched.
    visits: Vec<Vec<usize>>,
}

impl Tree {
    fn of(trace: &Trace) -> Self {
        let mut tree = Self {
            parents: vec![None; trace.moves.len()],
            visits: Vec::new(),
        };
        // For each ply: the moves since the last one at a lesser ply, and the visit that has not ended.
        let mut open: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        let mut search = 0;
        for (index, of) in trace.moves.iter().enumerate() {
            let (Some(ply), Ok(seen)) = (ply(of), &of.seen) else {
                continue;
            };
            if search != of.record.search {
                open.clear();
                search = of.record.search;
            }
            let key = seen.after.key();
            for child in open.get(ply + 1).map_or(&[][..], |(moves, _)| moves) {
                let of = trace.moves.get(*child).and_then(|of| of.seen.as_ref().ok());
                let leads_there = of.is_some_and(|seen| seen.position.key() == key);
                if let Some(parent) = tree.parents.get_mut(*child).filter(|_| leads_there) {
                    *parent = Some(index);
                }
            }
            open.resize_with(ply + 1, Default::default);
            let Some((moves, visit)) = open.last_mut() else {
                continue;
            };
            moves.push(index);
            let current = visit.and_then(|visit| tree.visits.get_mut(visit));
            let last = current.as_ref().and_then(|visit| trace.moves.get(*visit.last()?));
            match (current, last.is_some_and(|last| is_same_visit(last, of))) {
                (Some(current), true) => current.push(index),
                _ => {
                    *visit = Some(tree.visits.len());
                    tree.visits.push(vec![index]);
                }
            }
        }
        tree
    }

    /// Fills what a move knows of the moves below it and before it.
    fn fill(&self, trace: &mut Trace) {
        for (child, parent) in self.parents.iter().enumerate() {
            let Some(below) = trace.moves.get(child) else { continue };
            let (depth, is_open) = (below.value(Fact::Depth), below.is_null == Some(false));
            let most = depth.map(|depth| depth + if below.is_known() { 0.0 } else { LESS_DEEP });
            if let Some(above) = parent.and_then(|parent| trace.moves.get_mut(parent)) {
                let [all, open] = &mut above.deepest;
                *all = greater(*all, depth);
                *open = greater(*open, depth.filter(|_| is_open));
                above.at_least = greater(above.at_least, most);
            }
        }
        for visit in &self.visits {
            let mut nodes = 0;
            for (earlier, index) in visit.iter().enumerate() {
                if let Some(of) = trace.moves.get_mut(*index) {
                    nodes += u64::from(of.record.nodes);
                    of.earlier = (earlier as f64, nodes);
                }
            }
        }
    }

    /// Tests rules about moves and nodes that are searched in turn.
    fn test_order(&self, trace: &Trace, tallies: &mut Tallies) {
        let mut search = 0;
        // The last move at each ply; the last quiet move that failed high, at each ply, and after each move of the other side.
        let mut last: HashMap<usize, &CheckedMove> = HashMap::new();
        let mut high: HashMap<Place, &CheckedMove> = HashMap::new();
        for (of, parent) in trace.moves.iter().zip(&self.parents) {
            let (Some(ply), Ok(seen)) = (ply(of), &of.seen) else {
                continue;
            };
            if search != of.record.search {
                last.clear();
                high.clear();
                search = of.record.search;
            }
            // Some engines clear the killers of a ply when they enter a node two plies above: then that one has a move above it.
            high.retain(|(high, after), _| after.is_some() || *high < ply + 3);
            let before = last.insert(ply, of);
            if let Some(before) = before.filter(|_| of.earlier.0 == 0.0) {
                rules::test(NEXT_NODE, before, of, tallies);
            }
            if of.own(Fact::Quiet) == 0.0 {
                continue;
            }
            let above = parent.and_then(|parent| trace.moves.get(parent)?.seen.as_ref().ok());
            let answered = above.and_then(|seen| Some((seen.position.piece_on(seen.mv.from)?, seen.mv)));
            let counter = answered.map(|answered| (ply % 2, Some(answered)));
            for (lines, key) in [(KILLER, Some((ply, None))), (COUNTER, counter)] {
                let Some(key) = key else { continue };
                let one = high
                    .get(&key)
                    .filter(|one| one.seen.as_ref().is_ok_and(|one| one.mv == seen.mv));
                if let Some(one) = one {
                    rules::test(lines, one, of, tallies);
                }
                if of.outcome == MoveResult::FailedHigh {
                    high.insert(key, of);
                }
            }
        }
    }
}

fn ply(of: &CheckedMove) -> Option<usize> {
    let ply = of.value(Fact::Ply);
    ply.filter(|ply| (0.0..=MOST_PLIES).contains(ply))
        .map(|ply| ply as usize)
}

/// Whether a move is a later one of the same node, in the same search of it.
fn is_same_visit(last: &CheckedMove, of: &CheckedMove) -> bool {
    let key = |of: &CheckedMove| of.seen.as_ref().ok().map(|seen| seen.position.key());
    let same = |fact| last.value(fact) == of.value(fact);
    let is_later = matches!((last.number(), of.number()), (Some(last), Some(number)) if last < number);
    is_later && key(last) == key(of) && same(Fact::Depth) && same(Fact::Pv) && last.outcome != MoveResult::FailedHigh
}

fn greater(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.max(two)),
        (one, two) => one.or(two),
    }
}
