//! Rules between the moves of a node, and between a move and the nodes below it.
//!
//! A move is written to the trace when its last search has ended: after all moves below it. So the moves below it stand before
//! it, one ply deeper, in the position to which it leads.

use lmrlab_host::Outcome;
use lmrlab_policy::facts::Fact;

use super::relations::{ROUNDING, null_window};
use super::tally::{Rule, Tallies};
use super::trace::{Trace, TracedMove};

/// A difference between evaluations that no correction explains, in centipawns.
const CLEAR_DIFFERENCE: f64 = 60.0;
/// No search is deeper than this, in plies.
const MOST_PLIES: f64 = 255.0;

/// Tests the rules on a trace of all late moves.
pub(super) fn test(trace: &Trace, tallies: &mut Tallies) {
    let tree = Tree::of(trace);
    for visit in &tree.visits {
        for pair in visit.windows(2) {
            if let [one, next] = pair {
                tree.siblings(one, next, tallies);
            }
        }
        tree.node(visit, tallies);
    }
    for (child, parent) in trace.moves.iter().zip(&tree.parents) {
        let Some((index, parent)) = parent.and_then(|index| Some((index, trace.moves.get(index)?))) else {
            continue;
        };
        tree.below(parent, child, tallies);
        let above = tree.parents.get(index).copied().flatten();
        if let Some(grandparent) = above.and_then(|index| trace.moves.get(index)) {
            tree.two_plies(grandparent, parent, child, tallies);
        }
    }
}

struct Tree<'t> {
    trace: &'t Trace,
    null_window: Option<f64>,
    /// For each move the one that led to its node, when it was traced.
    parents: Vec<Option<usize>>,
    /// The moves of each node, each time that it was searched.
    visits: Vec<Vec<&'t TracedMove>>,
}

impl<'t> Tree<'t> {
    fn of(trace: &'t Trace) -> Self {
        let mut tree = Self {
            trace,
            null_window: null_window(trace),
            parents: vec![None; trace.moves.len()],
            visits: Vec::new(),
        };
        // For each ply: the moves since the last one at a lesser ply, and the visit that has not ended.
        let mut open: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        let mut search = 0;
        for (index, of) in trace.moves.iter().enumerate() {
            let ply = tree.value(of, Fact::Ply).filter(|ply| (0.0..=MOST_PLIES).contains(ply));
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

    fn value(&self, of: &TracedMove, fact: Fact) -> Option<f64> {
        self.trace.value(of, fact)
    }

    fn is(&self, of: &TracedMove, fact: Fact) -> Option<bool> {
        self.trace.is(of, fact)
    }

    /// The number of the move, from 1 on.
    fn number(&self, of: &TracedMove) -> Option<f64> {
        let searched = self.value(of, Fact::MovesSearched).map(|searched| searched + 1.0);
        searched.or_else(|| self.value(of, Fact::MoveNumber))
    }

    /// Whether a move is a later one of the same node, in the same search of it.
    fn is_same_visit(&self, last: &TracedMove, of: &TracedMove) -> bool {
        let key = |of: &TracedMove| of.seen.as_ref().map(|seen| seen.position.key());
        let same = |fact| self.value(last, fact) == self.value(of, fact);
        let is_later = matches!((self.number(last), self.number(of)), (Some(last), Some(number)) if last < number);
        is_later && key(last) == key(of) && same(Fact::Depth) && same(Fact::Pv) && last.outcome != Outcome::FailedHigh
    }

    /// What the example of a broken rule shows.
    fn two(&self, first: (&str, &TracedMove), second: (&str, &TracedMove), facts: &[Fact]) -> String {
        let values = |of: &TracedMove| {
            let values = facts
                .iter()
                .filter_map(|fact| Some(format!("{} {}", fact.info().name, self.value(of, *fact)?)));
            let record = &of.record;
            let mut values: Vec<String> = values.collect();
            values.push(format!("reduction {}", record.reduction));
            values.push(format!("full depth {}", record.full_depth));
            values.join(", ")
        };
        let one = |(word, of): (&str, &TracedMove)| format!("{word} {} has {}", of.name(), values(of));
        format!("{}; {}", one(first), one(second))
    }

    /// Two moves of a node, of which the second is the next that was traced.
    fn siblings(&self, one: &TracedMove, next: &TracedMove, tallies: &mut Tallies) {
        use Fact::{
            Alpha, AlphaRaises, Cut, InCheck, LegalMoves, MovesSearched, ParentMoveNumber, QuietNumber, StaticEval,
            TtDepth, TtHit, TtScore, Window,
        };
        let show = |facts: &[Fact]| self.two(("the earlier", one), ("the later", next), facts);
        for fact in [
            StaticEval,
            InCheck,
            TtHit,
            TtDepth,
            TtScore,
            Cut,
            LegalMoves,
            ParentMoveNumber,
        ] {
            if let (Some(first), Some(second)) = (self.value(one, fact), self.value(next, fact)) {
                let rule = Rule::mostly(fact.info().name, "it is the same for all moves of a node", 0.01);
                tallies.test(rule, first == second, || show(&[fact]));
            }
        }
        let is_next = match (self.number(one), self.number(next)) {
            (Some(one), Some(next)) => next == one + 1.0,
            _ => false,
        };
        if let (Some(first), Some(second)) = (self.value(one, Alpha), self.value(next, Alpha)) {
            match one.outcome {
                Outcome::Inside => {
                    let rule = Rule::mostly("alpha", "it rises when a score is inside the window", 0.01);
                    tallies.test(rule, second > first, || show(&[Alpha]));
                }
                _ if is_next => {
                    let rule = Rule::mostly("alpha", "it stays when a move fails low", 0.01);
                    tallies.test(rule, second == first, || show(&[Alpha]));
                }
                _ => {}
            }
            if let (Some(width), Some(next_width)) = (self.value(one, Window), self.value(next, Window)) {
                let holds = (first + width - second - next_width).abs() <= ROUNDING;
                let text = "alpha + window, which is beta, is the same for all moves of a node";
                tallies.test(Rule::mostly("window", text, 0.01), holds, || show(&[Alpha, Window]));
                if one.outcome == Outcome::Inside {
                    // Moves that raise alpha are few: they alone could all break the rule above unnoticed.
                    let text = "it becomes less by as much as alpha rises";
                    tallies.test(Rule::mostly("window", text, 0.01), holds, || show(&[Alpha, Window]));
                }
            }
        }
        if !is_next {
            return;
        }
        let raised = f64::from(u8::from(one.outcome == Outcome::Inside));
        if let (Some(first), Some(second)) = (self.value(one, AlphaRaises), self.value(next, AlphaRaises)) {
            let rule = Rule::mostly("alpha_raises", "it counts the moves that raised alpha", 0.01);
            tallies.test(rule, second == first + raised, || show(&[AlphaRaises, MovesSearched]));
        }
        if let (Some(first), Some(second)) = (self.value(one, QuietNumber), self.value(next, QuietNumber)) {
            let quiet = next.seen.as_ref().is_some_and(|seen| seen.position.is_quiet(seen.mv));
            let rule = Rule::mostly("quiet_number", "it counts the quiet moves up to this one", 0.01);
            // Moves that were pruned between the two are counted, too.
            let holds = second >= first + f64::from(u8::from(quiet));
            tallies.test(rule, holds, || show(&[QuietNumber, MovesSearched]));
        }
    }

    fn node(&self, visit: &[&TracedMove], tallies: &mut Tallies) {
        for (fact, most) in [(Fact::Killer, 2), (Fact::TtMove, 1)] {
            let set: Vec<&&TracedMove> = visit.iter().filter(|of| self.is(of, fact) == Some(true)).collect();
            if let (Some(_), Some(last)) = (visit.first().and_then(|of| self.is(of, fact)), set.last()) {
                let text = match most {
                    1 => "one move of a node has it",
                    _ => "two moves of a node have it at most",
                };
                let rule = Rule::mostly(fact.info().name, text, 0.01);
                tallies.test(rule, set.len() <= most, || {
                    format!("{} is number {} of the node that has it", last.name(), set.len())
                });
            }
        }
        for (earlier, of) in visit.iter().enumerate() {
            if let Some(number) = self.number(of) {
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

    /// A move, and one of the node below it.
    fn below(&self, parent: &TracedMove, child: &TracedMove, tallies: &mut Tallies) {
        use Fact::{
            AfterNull, All, Alpha, Cut, Depth, EvalDelta, InCheck, Iteration, MoveNumber, MovesSearched,
            ParentMoveNumber, ParentReduction, Pv, RootWindow, StaticEval,
        };
        let show = |facts: &[Fact]| self.two(("above,", parent), ("below,", child), facts);
        let (full, reduction) = (f64::from(parent.record.full_depth), f64::from(parent.record.reduction));
        let is_only_search = !parent.record.failed_high;
        // Other searches of the same position, such as that of a singular extension, have other depths and windows.
        let is_of_move = self
            .value(child, Depth)
            .is_none_or(|depth| depth == full - reduction || (!is_only_search && depth == full));
        if let (Some(number), Some(given), true) =
            (self.number(parent), self.value(child, ParentMoveNumber), is_of_move)
        {
            let rule = Rule::mostly("parent_move_number", "it is the number of the move that led here", 0.01);
            tallies.test(rule, given == number, || {
                show(&[ParentMoveNumber, MovesSearched, MoveNumber])
            });
        }
        if let (Some(given), true) = (self.value(child, ParentReduction), is_of_move) {
            let rule = Rule::mostly(
                "parent_reduction",
                "it is the reduction of the move that led here",
                0.01,
            );
            let holds = given == reduction || (!is_only_search && given.abs() <= reduction.abs());
            tallies.test(rule, holds, || show(&[ParentReduction]));
        }
        // Some engines extend a node in check.
        let in_check = child.seen.as_ref().is_some_and(|seen| seen.position.in_check());
        if let (Some(depth), true, false) = (self.value(child, Depth), is_only_search, in_check) {
            let expected = full - reduction;
            let check = if reduction == 0.0 { "full_depth" } else { "reduction" };
            let rule = Rule::mostly(
                check,
                "a move is searched at its full depth minus its reduction, and not deeper",
                0.01,
            );
            tallies.test(rule, depth <= expected, || show(&[Depth]));
            // Some engines search a node less deep when the table does not have it.
            let rule = Rule::mostly(check, "a move is searched at its full depth minus its reduction", 0.5);
            tallies.test(rule, depth >= expected, || show(&[Depth]));
        }
        for (fact, text) in [
            (Iteration, "it is the same in the whole tree of an iteration"),
            (RootWindow, "it is the same in the whole tree of an iteration"),
        ] {
            if let (Some(first), Some(second)) = (self.value(parent, fact), self.value(child, fact)) {
                tallies.test(Rule::strict(fact.info().name, text), first == second, || show(&[fact]));
            }
        }
        if let Some(after_null) = self.is(child, AfterNull) {
            let rule = Rule::mostly("after_null", "it is false after a move", 0.01);
            tallies.test(rule, !after_null, || show(&[AfterNull]));
        }
        let is_null = is_of_move && self.is(child, Pv) == Some(false);
        if let (Some(first), Some(second), Some(null), true) = (
            self.value(parent, Alpha),
            self.value(child, Alpha),
            self.null_window,
            is_null,
        ) {
            let rule = Rule::mostly("alpha", "below a null window it is -alpha - 1 of the move above", 0.05);
            let holds = (first + second + null).abs() <= ROUNDING;
            tallies.test(rule, holds, || show(&[Alpha, Cut]));
        }
        // Some engines expect all late moves to fail low, even those without a reduction.
        if is_null && is_only_search && reduction == 0.0 && !parent.record.late {
            let above = [Pv, Cut, All].map(|kind| self.is(parent, kind) == Some(true));
            let expected = match above {
                [true, false, false] | [false, false, true] => Some(Cut),
                [false, true, false] => Some(All),
                _ => None,
            };
            if let Some(given) = expected.and_then(|kind| self.is(child, kind)) {
                let text =
                    "below a move that is not late, a node after a cut node is an all node, and any other a cut node";
                tallies.test(Rule::mostly("cut", text, 0.05), given, || show(&[Pv, Cut, All]));
            }
        }
        if let (Some(delta), Some(before), Some(after)) = (
            self.value(parent, EvalDelta),
            self.value(parent, StaticEval),
            self.value(child, StaticEval),
        ) && self.is(child, InCheck) == Some(false)
            && self.is(parent, InCheck) == Some(false)
        {
            let expected = -after - before;
            if expected.abs() >= CLEAR_DIFFERENCE {
                let rule = Rule::mostly(
                    "eval_delta",
                    "its sign is that of the evaluation after the move minus that before",
                    0.1,
                );
                tallies.test(rule, delta * expected > 0.0, || show(&[EvalDelta, StaticEval]));
            }
        }
    }

    /// A move, and one of a node two plies below it.
    fn two_plies(&self, above: &TracedMove, between: &TracedMove, of: &TracedMove, tallies: &mut Tallies) {
        use Fact::{Improvement, Improving, InCheck, StaticEval};
        let checks = [above, between, of].map(|of| of.seen.as_ref().is_some_and(|seen| seen.position.in_check()));
        let (Some(before), Some(now), [false, false, false]) =
            (self.value(above, StaticEval), self.value(of, StaticEval), checks)
        else {
            return;
        };
        let show = |facts: &[Fact]| self.two(("two plies above,", above), ("the", of), facts);
        if let (Some(improving), true) = (self.is(of, Improving), (now - before).abs() > ROUNDING) {
            let text = "it is set when the evaluation is better than two plies before, and not when it is worse";
            let rule = Rule::mostly("improving", text, 0.1);
            tallies.test(rule, improving == (now > before), || {
                show(&[Improving, StaticEval, InCheck])
            });
        }
        if let Some(improvement) = self.value(of, Improvement).filter(|improvement| *improvement != 0.0) {
            let rule = Rule::mostly(
                "improvement",
                "it is the evaluation minus that of two plies before",
                0.1,
            );
            let holds = (improvement - now + before).abs() <= ROUNDING;
            tallies.test(rule, holds, || show(&[Improvement, StaticEval]));
        }
    }
}
