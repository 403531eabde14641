//! Rules between the facts of one move, and between the facts and what became of the move.

use lmrlab_host::Outcome;
use lmrlab_policy::facts::Fact;

use super::tally::{Rule, Tallies};
use super::trace::{Trace, TracedMove};

/// Scores may be rounded when their unit is converted, in centipawns.
pub(super) const ROUNDING: f64 = 1.0;

pub(super) fn test(trace: &Trace, tallies: &mut Tallies) {
    let null_window = null_window(trace);
    for of in &trace.moves {
        let mut one = Move { trace, of, tallies };
        one.numbers();
        one.kinds(null_window);
        one.table_entry();
        one.scores();
        one.move_itself();
        one.root();
        one.result(null_window);
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
    tallies: &'t mut Tallies,
}

impl Move<'_> {
    fn value(&self, fact: Fact) -> Option<f64> {
        self.trace.value(self.of, fact)
    }

    fn is(&self, fact: Fact) -> Option<bool> {
        self.trace.is(self.of, fact)
    }

    /// Counts whether a rule holds. `facts` are those that the example shows.
    fn count(&mut self, rule: Rule, holds: bool, facts: &[Fact]) {
        let (trace, of) = (self.trace, self.of);
        self.tallies.test(rule, holds, || {
            let values = facts
                .iter()
                .filter_map(|fact| Some(format!("{} is {}", fact.info().name, trace.value(of, *fact)?)));
            let mut values: Vec<String> = values.collect();
            values.push(format!("the reduction is {}", of.record.reduction));
            values.push(format!("the full depth is {}", of.record.full_depth));
            values.push(format!("the first search has {} nodes", of.record.first_nodes));
            values.push(format!("all searches have {}", of.record.nodes));
            format!("{}: {}", of.name(), values.join(", "))
        });
    }

    /// Tests a rule about these facts, when the engine fills them all. `holds` gets their values, 0 or 1 for a boolean. It returns
    /// `None` where the rule says nothing.
    fn test<const N: usize>(&mut self, rule: Rule, facts: [Fact; N], holds: impl FnOnce([f64; N]) -> Option<bool>) {
        let values = facts.map(|fact| self.value(fact));
        if values.iter().all(Option::is_some)
            && let Some(holds) = holds(values.map(Option::unwrap_or_default))
        {
            self.count(rule, holds, &facts);
        }
    }

    /// Tests a rule that always holds.
    fn strict<const N: usize>(
        &mut self,
        check: &'static str,
        text: &'static str,
        facts: [Fact; N],
        holds: impl FnOnce([f64; N]) -> bool,
    ) {
        self.test(Rule::strict(check, text), facts, |values| Some(holds(values)));
    }

    /// Tests a rule that this share of the moves may break.
    fn mostly<const N: usize>(
        &mut self,
        (check, allowed): (&'static str, f64),
        text: &'static str,
        facts: [Fact; N],
        holds: impl FnOnce([f64; N]) -> bool,
    ) {
        self.test(Rule::mostly(check, text, allowed), facts, |values| Some(holds(values)));
    }

    /// Tests a rule about the first fact, for moves at which the second fact, a boolean, is `condition`.
    fn when(
        &mut self,
        (fact, condition): (Fact, bool),
        check: &'static str,
        text: &'static str,
        about: Fact,
        holds: impl FnOnce(f64) -> bool,
    ) {
        self.test(Rule::strict(check, text), [about, fact], |[value, flag]| {
            ((flag != 0.0) == condition).then(|| holds(value))
        });
    }

    /// The first implies the second.
    fn implies(&mut self, check: &'static str, text: &'static str, one: Fact, other: Fact) {
        self.test(Rule::strict(check, text), [one, other], |[one, other]| {
            (one != 0.0).then_some(other != 0.0)
        });
    }

    fn numbers(&mut self) {
        use Fact::{Depth, Iteration, LegalMoves, MoveNumber, MovesSearched, Quiet, QuietNumber, Root};
        self.strict("depth", "it is 1 or more", [Depth], |[depth]| depth >= 1.0);
        self.strict("move_number", "it is 1 or more", [MoveNumber], |[number]| number >= 1.0);
        let text = "it is moves_searched + 1";
        self.strict(
            "move_number",
            text,
            [MoveNumber, MovesSearched],
            |[number, searched]| number == searched + 1.0,
        );
        let text = "it is 1 or more at a quiet move";
        self.when((Quiet, true), "quiet_number", text, QuietNumber, |number| number >= 1.0);
        let searched = self.value(MovesSearched).map(|searched| searched + 1.0);
        if let Some((number, legal)) = self.value(MoveNumber).or(searched).zip(self.value(LegalMoves)) {
            let rule = Rule::strict("moves_searched", "it is below the number of legal moves");
            self.count(rule, number <= legal, &[MovesSearched, MoveNumber, LegalMoves]);
        }
        self.strict("iteration", "it is 1 or more", [Iteration], |[iteration]| {
            iteration >= 1.0
        });
        if self.is(Root) == Some(true) {
            let text = "the root is not deeper";
            self.mostly(("iteration", 0.05), text, [Iteration, Depth], |[iteration, depth]| {
                depth <= iteration
            });
        }
    }

    fn kinds(&mut self, null_window: Option<f64>) {
        use Fact::{All, Cut, Pv, RootWindow, Window};
        let kinds = [Pv, Cut, All];
        let set = kinds.iter().filter(|kind| self.is(**kind) == Some(true)).count();
        let filled = kinds.iter().filter(|kind| self.is(**kind).is_some()).count();
        // Most often the mistake is in the expected kind of a node.
        let check = if self.is(Cut).is_some() { "cut" } else { "all" };
        if filled == kinds.len() {
            self.count(Rule::strict(check, "one of pv, cut and all is set"), set == 1, &kinds);
        } else if filled > 1 {
            let rule = Rule::strict(check, "at most one of pv, cut and all is set");
            self.count(rule, set <= 1, &kinds);
        }
        self.strict("window", "it is above 0", [Window], |[window]| window > 0.0);
        if let Some(null) = null_window {
            // The window of a principal variation node may have become narrow.
            let rule = Rule::mostly("pv", "it is set only when the window is open", 0.1);
            self.test(rule, [Pv, Window], |[pv, window]| {
                (pv != 0.0).then_some(window > 1.5 * null)
            });
            let rule = Rule::strict("window", "a node that is not pv has a null window");
            self.test(rule, [Pv, Window], |[pv, window]| {
                (pv == 0.0).then_some(window <= 1.5 * null)
            });
        }
        let text = "no window is wider";
        self.mostly(("root_window", 0.01), text, [RootWindow, Window], |[root, window]| {
            window <= root + ROUNDING
        });
    }

    fn table_entry(&mut self) {
        use Fact::{Capture, Root, TtCapture, TtDepth, TtExact, TtHasMove, TtHit, TtMove, TtScore};
        let miss = (TtHit, false);
        self.when(miss, "tt_depth", "it is -1 without tt_hit", TtDepth, |depth| {
            depth == -1.0
        });
        self.when(miss, "tt_score", "it is 0 without tt_hit", TtScore, |score| {
            score == 0.0
        });
        self.when(miss, "tt_exact", "it is false without tt_hit", TtExact, |exact| {
            exact == 0.0
        });
        if self.is(Root) == Some(false) {
            let text = "it is false without tt_hit, but at the root";
            self.when(miss, "tt_has_move", text, TtHasMove, |has| has == 0.0);
        }
        self.implies("tt_move", "tt_has_move is set, too", TtMove, TtHasMove);
        self.implies("tt_capture", "tt_has_move is set, too", TtCapture, TtHasMove);
        let rule = Rule::strict("tt_capture", "at the move of the table it is `capture`");
        self.test(rule, [TtMove, TtCapture, Capture], |[of_table, captures, capture]| {
            (of_table != 0.0).then_some(capture == captures)
        });
    }

    fn scores(&mut self) {
        use Fact::{Alpha, BestScore, Correction, EvalMinusAlpha, Improvement, Improving, InCheck, StaticEval};
        let text = "it is at most alpha";
        self.mostly(("best_score", 0.01), text, [BestScore, Alpha], |[best, alpha]| {
            best <= alpha + ROUNDING
        });
        let facts = [EvalMinusAlpha, StaticEval, Alpha];
        self.strict(
            "eval_minus_alpha",
            "it is static_eval - alpha",
            facts,
            |[difference, eval, alpha]| (eval - alpha - difference).abs() <= ROUNDING,
        );
        // Where `improvement` is defined as 0, some engines use an earlier evaluation. So both values are right there.
        let text = "it is set when improvement is above 0, and not when it is below";
        self.mostly(
            ("improving", 0.05),
            text,
            [Improving, Improvement],
            |[improving, improvement]| improvement == 0.0 || (improving != 0.0) == (improvement > 0.0),
        );
        let in_check = (InCheck, true);
        self.when(in_check, "correction", "it is 0 in check", Correction, |correction| {
            correction == 0.0
        });
    }

    fn move_itself(&mut self) {
        use Fact::{Capture, CaptureHistory, Extended, Extension, Killer, Quiet};
        self.implies("killer", "the move is quiet", Killer, Quiet);
        let text = "it is above 0 when extended is set, and else 0";
        self.strict("extension", text, [Extension, Extended], |[extension, extended]| {
            (extended != 0.0) == (extension > 0.0)
        });
        let text = "it is 0 for a move that does not capture";
        self.when((Capture, false), "capture_history", text, CaptureHistory, |history| {
            history == 0.0
        });
    }

    fn root(&mut self) {
        use Fact::{AfterNull, ParentMoveNumber, ParentReduction, Root, WasBest};
        let rule = Rule::strict("after_null", "no null move leads to the root");
        self.test(rule, [Root, AfterNull], |[root, null]| {
            (root != 0.0).then_some(null == 0.0)
        });
        let rule = Rule::strict("was_best", "it is false below the root");
        self.test(rule, [WasBest, Root], |[best, root]| {
            (root == 0.0).then_some(best == 0.0)
        });
        for (fact, check) in [
            (ParentReduction, "parent_reduction"),
            (ParentMoveNumber, "parent_move_number"),
        ] {
            for (kind, text) in [(Root, "it is 0 at the root"), (AfterNull, "it is 0 after a null move")] {
                self.when((kind, true), check, text, fact, |value| value == 0.0);
            }
        }
    }

    /// What became of the move.
    fn result(&mut self, null_window: Option<f64>) {
        use Fact::{Depth, Extended, Extension, Window};
        let (record, outcome) = (&self.of.record, self.of.outcome);
        if !record.late {
            let rule = Rule::strict("late", "a move that is not late has no reduction");
            self.count(rule, record.reduction == 0, &[]);
        }
        let full = f64::from(record.full_depth);
        if self.value(Extension).is_some() {
            let text = "the full depth of the move is depth - 1 + extension";
            self.mostly(("depth", 0.05), text, [Depth, Extension], |[depth, extension]| {
                full == depth - 1.0 + extension
            });
        } else if let (Some(depth), None | Some(false)) = (self.value(Depth), self.is(Extended)) {
            let text = "the full depth of a move that is not extended is depth - 1";
            self.count(
                Rule::mostly("depth", text, 0.25),
                full == depth - 1.0,
                &[Depth, Extended],
            );
        }
        if !record.failed_high {
            let rule = Rule::mostly("outcome", "a move fails low when its first search does", 0.01);
            self.count(rule, outcome == Outcome::FailedLow, &[]);
            let text = "without a second search the nodes of all are those of the first";
            self.count(
                Rule::mostly("nodes", text, 0.01),
                record.nodes == record.first_nodes,
                &[],
            );
        }
        let text = "the first search has at least one, and all searches together have no fewer than the first";
        let holds = 0 < record.first_nodes && record.first_nodes <= record.nodes;
        self.count(Rule::strict("nodes", text), holds, &[]);
        if let Some(null) = null_window {
            let rule = Rule::strict("outcome", "no score is inside a null window");
            self.test(rule, [Window], |[window]| {
                (window <= 1.5 * null).then_some(outcome != Outcome::Inside)
            });
        }
    }
}
