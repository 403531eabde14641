//! Finds the moves of each node, and the move that leads to it; tests the rules between them.
//!
//! A move is written to the trace when its last search has ended: after all moves below it. So the moves below it stand before
//! it, one ply deeper, in the position to which it leads.

use lmrlab_host::Outcome;
use lmrlab_policy::facts::Fact;

use super::rules::{self, BELOW, MOVE, NEXT, SAME, TWO_BELOW};
use super::tally::{Rule, Tallies};
use super::trace::{Trace, TracedMove};

/// No search is deeper than this, in plies.
const MOST_PLIES: f64 = 255.0;

/// Tests the rules on a trace of all late moves.
pub(super) fn test(trace: &Trace, tallies: &mut Tallies) {
    for of in &trace.moves {
        rules::test(trace, MOVE, of, of, tallies);
    }
    let tree = Tree::of(trace);
    for visit in &tree.visits {
        for pair in visit.windows(2) {
            if let [one, next] = pair {
                rules::test(trace, NEXT, one, next, tallies);
                tree.same(one, next, tallies);
            }
        }
        tree.node(visit, tallies);
    }
    for (child, parent) in trace.moves.iter().zip(&tree.parents) {
        let Some((index, parent)) = parent.and_then(|index| Some((index, trace.moves.get(index)?))) else {
            continue;
        };
        rules::test(trace, BELOW, parent, child, tallies);
        let above = tree.parents.get(index).copied().flatten();
        if let Some(grandparent) = above.and_then(|index| trace.moves.get(index))
            && !parent.in_check()
        {
            rules::test(trace, TWO_BELOW, grandparent, child, tallies);
        }
    }
    tree.searched_again("research", 0, tallies);
}

/// Tests that the second searches of a trace are deeper than the full depth by one ply, as its policy says.
pub(super) fn test_deeper(trace: &Trace, tallies: &mut Tallies) {
    Tree::of(trace).searched_again("by_score", 1, tallies);
}

struct Tree<'t> {
    trace: &'t Trace,
    /// For each move the one that led to its node, when it was traced.
    parents: Vec<Option<usize>>,
    /// The moves of each node, each time that it was searched.
    visits: Vec<Vec<&'t TracedMove>>,
}

impl<'t> Tree<'t> {
    fn of(trace: &'t Trace) -> Self {
        let mut tree = Self {
            trace,
            parents: vec![None; trace.moves.len()],
            visits: Vec::new(),
        };
        // For each ply: the moves since the last one at a lesser ply, and the visit that has not ended.
        let mut open: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        let mut search = 0;
        for (index, of) in trace.moves.iter().enumerate() {
            let ply = trace
                .value(of, Fact::Ply)
                .filter(|ply| (0.0..=MOST_PLIES).contains(ply));
            let (Some(ply), Some(seen)) = (ply, &of.seen) else {
                continue;
            };
            let ply = ply as usize;
            if search != of.record.search {
                open.clear();
                search = of.record.search;
            }
            let key = seen.after.key();
            for child in open.get(ply + 1).map_or(&[][..], |(moves, _)| moves) {
                let leads_there =
                    |child: &TracedMove| child.seen.as_ref().is_some_and(|seen| seen.position.key() == key);
                if trace.moves.get(*child).is_some_and(leads_there)
                    && let Some(parent) = tree.parents.get_mut(*child)
                {
                    *parent = Some(index);
                }
            }
            open.resize_with(ply + 1, Default::default);
            let Some((moves, visit)) = open.last_mut() else {
                continue;
            };
            moves.push(index);
            let last = visit
                .and_then(|visit| tree.visits.get(visit))
                .and_then(|visit| visit.last());
            match (*visit, last.is_some_and(|last| tree.is_same_visit(last, of))) {
                (Some(visit), true) => {
                    if let Some(visit) = tree.visits.get_mut(visit) {
                        visit.push(of);
                    }
                }
                _ => {
                    *visit = Some(tree.visits.len());
                    tree.visits.push(vec![of]);
                }
            }
        }
        tree
    }

    /// Whether a move is a later one of the same node, in the same search of it.
    fn is_same_visit(&self, last: &TracedMove, of: &TracedMove) -> bool {
        let key = |of: &TracedMove| of.seen.as_ref().map(|seen| seen.position.key());
        let same = |fact| self.trace.value(last, fact) == self.trace.value(of, fact);
        let is_later = matches!((last.number, of.number), (Some(last), Some(number)) if last < number);
        is_later && key(last) == key(of) && same(Fact::Depth) && same(Fact::Pv) && last.outcome != Outcome::FailedHigh
    }

    fn same(&self, one: &TracedMove, next: &TracedMove, tallies: &mut Tallies) {
        for fact in SAME {
            if let (Some(first), Some(second)) = (self.trace.value(one, *fact), self.trace.value(next, *fact)) {
                let rule = Rule::mostly(fact.info().name, "it is the same for all moves of a node", 0.01);
                tallies.test(rule, first == second, || {
                    let shown = |of| rules::shown(self.trace, of, &[*fact]);
                    format!("first {}; then {}", shown(one), shown(next))
                });
            }
        }
    }

    fn node(&self, visit: &[&TracedMove], tallies: &mut Tallies) {
        for (fact, most, text) in [
            (Fact::Killer, 2, "two moves of a node have it at most"),
            (Fact::TtMove, 1, "one move of a node has it"),
            (Fact::CounterMove, 1, "one move of a node has it"),
        ] {
            let set = visit.iter().filter(|of| self.trace.is(of, fact) == Some(true));
            let set: Vec<&&TracedMove> = set.collect();
            if let Some(last) = set.last() {
                let rule = Rule::mostly(fact.info().name, text, 0.01);
                tallies.test(rule, set.len() <= most, || {
                    format!("{} is number {} of the node that has it", last.name(), set.len())
                });
            }
        }
        for (earlier, of) in visit.iter().enumerate() {
            if let Some(number) = of.number {
                let rule = Rule::strict("moves_searched", "it counts all moves that were searched before");
                tallies.test(rule, number > earlier as f64, || {
                    format!(
                        "{}: {earlier} moves were traced before it, and its number is {number}",
                        of.name()
                    )
                });
            }
        }
    }

    /// Tests how deep moves are searched again after their first search failed high. Only searches with a traced move are seen, so the
    /// deepest one tells.
    fn searched_again(&self, check: &'static str, deeper: i32, tallies: &mut Tallies) {
        let mut deepest: Vec<[Option<f64>; 2]> = vec![[None; 2]; self.trace.moves.len()];
        for (child, parent) in self.trace.moves.iter().zip(&self.parents) {
            let Some(deepest) = parent.and_then(|parent| deepest.get_mut(parent)) else {
                continue;
            };
            let depth = self.trace.value(child, Fact::Depth);
            let [all, open] = deepest;
            *all = greater(*all, depth);
            if child.is_null == Some(false) {
                *open = greater(*open, depth);
            }
        }
        for (of, [depth, open]) in self.trace.moves.iter().zip(deepest) {
            let in_check = of.seen.as_ref().is_some_and(|seen| seen.after.in_check());
            let Some(depth) = depth.filter(|_| of.record.failed_high && !in_check) else {
                continue;
            };
            let show = |depth: f64| {
                format!(
                    "{}, and it is searched at depth {depth}",
                    rules::shown(self.trace, of, &[])
                )
            };
            let full = of.full() + f64::from(deeper);
            if of.record.reduction > 0 && depth > of.full() - of.reduction() {
                let text = match deeper {
                    0 => "the second search of a reduced move is at its full depth",
                    _ => "with `deeper` the second search of a reduced move is a ply deeper than its full depth",
                };
                tallies.test(Rule::mostly(check, text, 0.25), depth == full, || show(depth));
            }
            if of.outcome == Outcome::Inside && deeper == 0 {
                let text = "a move with a score inside the window is searched with the full window";
                tallies.test(Rule::mostly(check, text, 0.5), open.is_some(), || show(depth));
                if let Some(open) = open {
                    let text = "the search with the full window is at full depth";
                    tallies.test(Rule::mostly(check, text, 0.25), open >= full, || show(open));
                }
            }
        }
    }
}

fn greater(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.max(two)),
        (one, two) => one.or(two),
    }
}
