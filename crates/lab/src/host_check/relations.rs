//! Rules between the facts of one move, and between the facts and what became of the move.

use lmrlab_host::Outcome;
use lmrlab_policy::facts::Fact;

use super::tally::{Rule, Tallies};
use super::trace::{Trace, TracedMove};

/// Scores may be rounded when their unit is converted, in centipawns.
pub(super) const ROUNDING: f64 = 1.0;

/// Tests the rules on a trace.
pub(super) fn test(trace: &Trace, tallies: &mut Tallies) {
    let null_window = null_window(trace);
    for of in &trace.moves {
        let one = Move { trace, of };
        one.numbers(tallies);
        one.kinds(null_window, tallies);
        one.table_entry(tallies);
        one.scores(tallies);
        one.move_itself(tallies);
        one.root(tallies);
        one.result(null_window, tallies);
    }
}

/// The width of a null window, in the engine's unit: the least width. `None` when the engine gives no widths.
pub(super) fn null_window(trace: &Trace) -> Option<f64> {
    let widths = trace.moves.iter().filter_map(|of| trace.value(of, Fact::Window));
    widths.filter(|width| *width > 0.0).min_by(f64::total_cmp)
}

struct Move<'t> {
    trace: &'t Trace,
    of: &'t TracedMove,
}

impl Move<'_> {
    fn value(&self, fact: Fact) -> Option<f64> {
        self.trace.value(self.of, fact)
    }

    fn is(&self, fact: Fact) -> Option<bool> {
        self.trace.is(self.of, fact)
    }

    /// Tests a rule. `facts` are those that the example shows.
    fn test(&self, tallies: &mut Tallies, rule: Rule, holds: bool, facts: &[Fact]) {
        tallies.test(rule, holds, || {
            let values = facts
                .iter()
                .filter_map(|fact| Some(format!("{} is {}", fact.info().name, self.value(*fact)?)));
            let mut values: Vec<String> = values.collect();
            let record = &self.of.record;
            values.push(format!("the reduction is {}", record.reduction));
            values.push(format!("the full depth is {}", record.full_depth));
            values.push(format!("the first search has {} nodes", record.first_nodes));
            values.push(format!("all searches have {}", record.nodes));
            format!("{}: {}", self.of.name(), values.join(", "))
        });
    }

    /// The first implies the second, when both are filled.
    fn implies(&self, tallies: &mut Tallies, check: &'static str, text: &'static str, one: Fact, other: Fact) {
        if let (Some(true), Some(second)) = (self.is(one), self.is(other)) {
            self.test(tallies, Rule::strict(check, text), second, &[one, other]);
        }
    }

    fn numbers(&self, tallies: &mut Tallies) {
        use Fact::{Depth, Iteration, LegalMoves, MoveNumber, MovesSearched, QuietNumber};
        if let Some(depth) = self.value(Depth) {
            self.test(
                tallies,
                Rule::strict("depth", "it is 1 or more"),
                depth >= 1.0,
                &[Depth],
            );
        }
        if let Some(number) = self.value(MoveNumber) {
            let rule = Rule::strict("move_number", "it is 1 or more");
            self.test(tallies, rule, number >= 1.0, &[MoveNumber]);
            if let Some(searched) = self.value(MovesSearched) {
                let rule = Rule::strict("move_number", "it is moves_searched + 1");
                self.test(tallies, rule, number == searched + 1.0, &[MoveNumber, MovesSearched]);
            }
        }
        let number = self
            .value(MoveNumber)
            .or(self.value(MovesSearched).map(|searched| searched + 1.0));
        if let (Some(quiet), Some(true)) = (self.value(QuietNumber), self.is(Fact::Quiet)) {
            let rule = Rule::strict("quiet_number", "it is 1 or more at a quiet move");
            self.test(tallies, rule, quiet >= 1.0, &[QuietNumber, Fact::Quiet]);
        }
        if let (Some(number), Some(legal)) = (number, self.value(LegalMoves)) {
            let rule = Rule::strict("moves_searched", "it is below the number of legal moves");
            self.test(tallies, rule, number <= legal, &[MovesSearched, MoveNumber, LegalMoves]);
        }
        if let Some(iteration) = self.value(Iteration) {
            let rule = Rule::strict("iteration", "it is 1 or more");
            self.test(tallies, rule, iteration >= 1.0, &[Iteration]);
            if let (Some(true), Some(depth)) = (self.is(Fact::Root), self.value(Depth)) {
                let rule = Rule::mostly("iteration", "the root is not deeper", 0.05);
                self.test(tallies, rule, depth <= iteration, &[Iteration, Depth]);
            }
        }
    }

    fn kinds(&self, null_window: Option<f64>, tallies: &mut Tallies) {
        use Fact::{All, Cut, Pv, RootWindow, Window};
        let kinds = [Pv, Cut, All];
        let set = kinds.iter().filter(|kind| self.is(**kind) == Some(true)).count();
        let filled = kinds.iter().filter(|kind| self.is(**kind).is_some()).count();
        // The mistake is mostly in what is expected of a node.
        let check = if self.is(Cut).is_some() { "cut" } else { "all" };
        if filled == kinds.len() {
            let rule = Rule::strict(check, "one of pv, cut and all is set");
            self.test(tallies, rule, set == 1, &kinds);
        } else if filled > 1 {
            let rule = Rule::strict(check, "at most one of pv, cut and all is set");
            self.test(tallies, rule, set <= 1, &kinds);
        }
        let Some(window) = self.value(Window) else { return };
        let rule = Rule::strict("window", "it is above 0");
        self.test(tallies, rule, window > 0.0, &[Window]);
        if let (Some(pv), Some(null)) = (self.is(Pv), null_window) {
            let is_open = window > 1.5 * null;
            if pv {
                // It may have become narrow.
                let rule = Rule::mostly("pv", "it is set when the window is open", 0.1);
                self.test(tallies, rule, is_open, &[Pv, Window]);
            } else {
                let rule = Rule::strict("window", "a node that is not pv has a null window");
                self.test(tallies, rule, !is_open, &[Pv, Window]);
            }
        }
        if let Some(root) = self.value(RootWindow) {
            let rule = Rule::mostly("root_window", "no window is wider", 0.01);
            self.test(tallies, rule, window <= root + ROUNDING, &[RootWindow, Window]);
        }
    }

    fn table_entry(&self, tallies: &mut Tallies) {
        use Fact::{Capture, Root, TtCapture, TtDepth, TtExact, TtHasMove, TtHit, TtMove, TtScore};
        if self.is(TtHit) == Some(false) {
            if let Some(depth) = self.value(TtDepth) {
                let rule = Rule::strict("tt_depth", "it is -1 without tt_hit");
                self.test(tallies, rule, depth == -1.0, &[TtDepth, TtHit]);
            }
            if let Some(score) = self.value(TtScore) {
                let rule = Rule::strict("tt_score", "it is 0 without tt_hit");
                self.test(tallies, rule, score == 0.0, &[TtScore, TtHit]);
            }
            if let Some(exact) = self.is(TtExact) {
                let rule = Rule::strict("tt_exact", "it is false without tt_hit");
                self.test(tallies, rule, !exact, &[TtExact, TtHit]);
            }
            if let (Some(has_move), Some(false)) = (self.is(TtHasMove), self.is(Root)) {
                let rule = Rule::strict("tt_has_move", "it is false without tt_hit, but at the root");
                self.test(tallies, rule, !has_move, &[TtHasMove, TtHit]);
            }
        }
        self.implies(tallies, "tt_move", "tt_has_move is set, too", TtMove, TtHasMove);
        self.implies(tallies, "tt_capture", "tt_has_move is set, too", TtCapture, TtHasMove);
        if let (Some(true), Some(capture), Some(captures)) = (self.is(TtMove), self.is(Capture), self.is(TtCapture)) {
            let rule = Rule::strict("tt_capture", "at the move of the table it is `capture`");
            self.test(tallies, rule, capture == captures, &[TtMove, TtCapture, Capture]);
        }
    }

    fn scores(&self, tallies: &mut Tallies) {
        use Fact::{Alpha, BestScore, Correction, EvalMinusAlpha, Improvement, Improving, StaticEval};
        if let (Some(alpha), Some(best)) = (self.value(Alpha), self.value(BestScore)) {
            let rule = Rule::mostly("best_score", "it is at most alpha", 0.01);
            self.test(tallies, rule, best <= alpha + ROUNDING, &[BestScore, Alpha]);
        }
        if let (Some(alpha), Some(eval), Some(difference)) =
            (self.value(Alpha), self.value(StaticEval), self.value(EvalMinusAlpha))
        {
            let rule = Rule::strict("eval_minus_alpha", "it is static_eval - alpha");
            let holds = (eval - alpha - difference).abs() <= ROUNDING;
            self.test(tallies, rule, holds, &[EvalMinusAlpha, StaticEval, Alpha]);
        }
        if let (Some(improving), Some(improvement)) = (self.is(Improving), self.value(Improvement)) {
            // Engines know an earlier evaluation where the fact is defined as 0.
            let rule = Rule::mostly(
                "improving",
                "it is set when improvement is above 0, and not when it is below",
                0.05,
            );
            let holds = improvement == 0.0 || improving == (improvement > 0.0);
            self.test(tallies, rule, holds, &[Improving, Improvement]);
        }
        if let (Some(true), Some(correction)) = (self.is(Fact::InCheck), self.value(Correction)) {
            let rule = Rule::strict("correction", "it is 0 in check");
            self.test(tallies, rule, correction == 0.0, &[Correction, Fact::InCheck]);
        }
    }

    fn move_itself(&self, tallies: &mut Tallies) {
        use Fact::{Capture, CaptureHistory, Extended, Extension, Killer, Quiet};
        self.implies(tallies, "killer", "the move is quiet", Killer, Quiet);
        if let (Some(extended), Some(extension)) = (self.is(Extended), self.value(Extension)) {
            let rule = Rule::strict("extension", "it is above 0 when extended is set, and else 0");
            self.test(tallies, rule, extended == (extension > 0.0), &[Extension, Extended]);
        }
        if let (Some(false), Some(history)) = (self.is(Capture), self.value(CaptureHistory)) {
            let rule = Rule::strict("capture_history", "it is 0 for a move that does not capture");
            self.test(tallies, rule, history == 0.0, &[CaptureHistory, Capture]);
        }
    }

    fn root(&self, tallies: &mut Tallies) {
        use Fact::{AfterNull, ParentMoveNumber, ParentReduction, Root, WasBest};
        self.implies_not(tallies, "after_null", "no null move leads to the root", Root, AfterNull);
        if self.is(Root) == Some(false) && self.is(WasBest) == Some(true) {
            self.test(
                tallies,
                Rule::strict("was_best", "it is false below the root"),
                false,
                &[WasBest, Root],
            );
        }
        for (fact, check) in [
            (ParentReduction, "parent_reduction"),
            (ParentMoveNumber, "parent_move_number"),
        ] {
            let Some(value) = self.value(fact) else { continue };
            for (kind, text) in [(Root, "it is 0 at the root"), (AfterNull, "it is 0 after a null move")] {
                if self.is(kind) == Some(true) {
                    self.test(tallies, Rule::strict(check, text), value == 0.0, &[fact, kind]);
                }
            }
        }
    }

    fn implies_not(&self, tallies: &mut Tallies, check: &'static str, text: &'static str, one: Fact, other: Fact) {
        if let (Some(true), Some(second)) = (self.is(one), self.is(other)) {
            self.test(tallies, Rule::strict(check, text), !second, &[one, other]);
        }
    }

    /// What became of the move.
    fn result(&self, null_window: Option<f64>, tallies: &mut Tallies) {
        use Fact::{Depth, Extended, Extension, Window};
        let record = &self.of.record;
        if !record.late {
            let rule = Rule::strict("late", "a move that is not late has no reduction");
            self.test(tallies, rule, record.reduction == 0, &[]);
        }
        let (full, depth) = (f64::from(record.full_depth), self.value(Depth));
        if let (Some(depth), Some(extension)) = (depth, self.value(Extension)) {
            let rule = Rule::mostly("depth", "the full depth of the move is depth - 1 + extension", 0.05);
            self.test(tallies, rule, full == depth - 1.0 + extension, &[Depth, Extension]);
        } else if let (Some(depth), None | Some(false)) = (depth, self.is(Extended)) {
            let rule = Rule::mostly(
                "depth",
                "the full depth of a move that is not extended is depth - 1",
                0.25,
            );
            self.test(tallies, rule, full == depth - 1.0, &[Depth, Extended]);
        }
        if !record.failed_high {
            let rule = Rule::mostly("outcome", "a move fails low when its first search does", 0.01);
            self.test(tallies, rule, self.of.outcome == Outcome::FailedLow, &[]);
            let rule = Rule::mostly(
                "nodes",
                "without a second search the nodes of all are those of the first",
                0.01,
            );
            self.test(tallies, rule, record.nodes == record.first_nodes, &[]);
        }
        let rule = Rule::strict(
            "nodes",
            "the first search has one or more, and all searches have as many or more",
        );
        self.test(
            tallies,
            rule,
            0 < record.first_nodes && record.first_nodes <= record.nodes,
            &[],
        );
        if let (Some(window), Some(null)) = (self.value(Window), null_window)
            && window <= 1.5 * null
        {
            let rule = Rule::strict("outcome", "no score is inside a null window");
            self.test(tallies, rule, self.of.outcome != Outcome::Inside, &[Window]);
        }
    }
}
