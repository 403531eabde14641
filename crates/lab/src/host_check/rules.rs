//! The catalogue of rules: one line for each, beside the fact that it is about.
//!
//! A line begins with the share of moves that may break the rule (at 1, all of few moves), the name of its check, and the rule in words. Then come the
//! facts that it reads, its condition, and what has to hold under that condition. A rule is tested where the engine fills all
//! its facts. Rules about two moves read facts of both.

use lmrlab_host::MoveResult;
use lmrlab_policy::facts::{CATALOGUE, Fact, Moment};

use super::tally::{Rule, Tallies};
use super::trace::CheckedMove;

/// Scores may be rounded when their unit is converted, in centipawns.
pub(super) const ROUNDING: f64 = 1.0;
/// A difference between evaluations that no correction explains, in centipawns.
const CLEAR_DIFFERENCE: f64 = 60.0;
/// From this size on, the sign of a score is clear, in centipawns.
const CLEAR_SCORE: f64 = 200.0;
/// A difference of piece-square values that shows in the evaluation, in centipawns.
const CLEAR_SQUARES: f64 = 20.0;
/// Nodes of a search that has a tree.
const SOME_NODES: u32 = 50;
/// A loss or gain that no difference between piece values explains, in centipawns.
const CLEAR_EXCHANGE: f64 = 150.0;
/// The same for a material balance.
const CLEAR_MATERIAL: f64 = 250.0;
/// The same for an evaluation.
const CLEAR_EVALUATION: f64 = 300.0;
/// How other engines' values of pieces are related to lmrlab's.
const ALIKE: std::ops::RangeInclusive<f64> = 0.6..=1.7;

/// A line of the catalogue.
pub(super) struct Line {
    rule: Rule,
    first: &'static [Fact],
    facts: &'static [Fact],
    holds: fn(&[f64], &[f64], &CheckedMove, &CheckedMove) -> Option<bool>,
}

macro_rules! rules {
    ($(#[$doc:meta])* $table:ident($one:ident, $of:ident):
        $($allowed:literal $check:literal $text:literal
          [$($first:ident $first_value:ident),*] [$($fact:ident $value:ident),*] $when:expr => $holds:expr;)*) => {
        $(#[$doc])*
        pub(super) const $table: &[Line] = &[$(Line {
            rule: Rule::mostly($check, $text, $allowed),
            first: &[$(Fact::$first),*],
            facts: &[$(Fact::$fact),*],
            holds: |first, facts, $one, $of| {
                let (&[$($first_value),*], &[$($value),*]) = (first, facts) else { return None };
                let _ = ($one, $of);
                ($when).then(|| $holds)
            },
        }),*];
    };
}

rules! {
    /// Of one move.
    MOVE(of, _same):
    0.0 "depth" "it is 1 or more" [] [Depth depth] true => depth >= 1.0;
    0.05 "depth" "the full depth of the move is depth - 1 + extension" [] [Depth depth, Extension extension] true => of.full() == depth - 1.0 + extension;
    0.25 "depth" "the full depth of a move that is not extended is depth - 1" [] [Depth depth, Extended extended] extended == 0.0 => of.full() == depth - 1.0;
    0.25 "depth" "the full depth of a move is depth - 1 or more" [] [Depth depth] true => of.full() >= depth - 1.0;
    0.0 "move_number" "it is 1 or more" [] [MoveNumber number] true => number >= 1.0;
    0.0 "move_number" "it is moves_searched + 1" [] [MoveNumber number, MovesSearched searched] true => number == searched + 1.0;
    0.0 "moves_searched" "it is below the number of legal moves" [] [MovesSearched searched, LegalMoves legal] true => searched < legal;
    0.0 "move_number" "it is at most the number of legal moves" [] [MoveNumber number, LegalMoves legal] true => number <= legal;
    0.0 "quiet_number" "it is 1 or more at a quiet move" [] [Quiet quiet, QuietNumber number] quiet != 0.0 => number >= 1.0;
    0.0 "iteration" "it is 1 or more" [] [Iteration iteration] true => iteration >= 1.0;
    0.05 "iteration" "the root is not deeper" [] [Root root, Iteration iteration, Depth depth] root != 0.0 => depth <= iteration;
    // Most often the mistake is in the expected kind of a node.
    0.0 "cut" "one of pv, cut and all is set" [] [Pv pv, Cut cut, All all] true => pv + cut + all == 1.0;
    0.0 "cut" "it is not set in a node of the principal variation" [] [Pv pv, Cut cut] true => pv + cut <= 1.0;
    0.0 "all" "it is not set in a node of the principal variation" [] [Pv pv, All all] true => pv + all <= 1.0;
    0.0 "window" "it is above 0" [] [Window window] true => window > 0.0;
    // The window of a principal variation node may have become narrow.
    0.1 "pv" "it is set only when the window is open" [] [Pv pv, Window _window] pv != 0.0 => of.is_null == Some(false);
    0.0 "window" "a node that is not pv has a null window" [] [Pv pv, Window _window] pv == 0.0 => of.is_null == Some(true);
    0.01 "root_window" "no window is wider" [] [RootWindow root, Window window] true => window <= root + ROUNDING;
    0.0 "tt_depth" "it is -1 without tt_hit" [] [TtHit hit, TtDepth depth] hit == 0.0 => depth == -1.0;
    0.0 "tt_score" "it is 0 without tt_hit" [] [TtHit hit, TtScore score] hit == 0.0 => score == 0.0;
    0.3 "tt_score" "its sign is that of static_eval where both are clear" [] [TtHit hit, TtScore score, StaticEval eval] hit != 0.0 && !of.in_check() && score.abs().min(eval.abs()) >= CLEAR_SCORE => score * eval > 0.0;
    0.0 "tt_exact" "it is false without tt_hit" [] [TtHit hit, TtExact exact] hit == 0.0 => exact == 0.0;
    0.6 "tt_exact" "in a null window an exact score of enough depth ends the node, so such moves are rare" [] [TtExact exact, TtDepth known, Depth depth] exact != 0.0 && of.is_null == Some(true) => known < depth;
    0.25 "tt_exact" "tt_pv is set, too: a null window gives no exact score" [] [TtExact exact, TtPv pv] exact != 0.0 => pv != 0.0;
    0.75 "tt_exact" "in null windows it is false at most entries of the table" [] [TtHit hit, TtExact exact] hit != 0.0 && of.is_null == Some(true) => exact == 0.0;
    0.0 "tt_pv" "it is false without tt_hit" [] [TtHit hit, TtPv pv] hit == 0.0 => pv == 0.0;
    0.0 "tt_has_move" "it is false without tt_hit, but at the root" [] [TtHit hit, TtHasMove has, Root root] hit == 0.0 && root == 0.0 => has == 0.0;
    0.0 "tt_move" "tt_has_move is set, too" [] [TtMove it, TtHasMove has] it != 0.0 => has != 0.0;
    0.0 "tt_capture" "tt_has_move is set, too" [] [TtCapture capture, TtHasMove has] capture != 0.0 => has != 0.0;
    0.0 "tt_capture" "at the move of the table it is `capture`" [] [TtMove it, TtCapture captures, Capture capture] it != 0.0 => captures == capture;
    0.01 "best_score" "it is at most alpha: the best score so far, which may be below alpha, and before the first score the alpha of the start" [] [BestScore best, Alpha alpha] true => best <= alpha + ROUNDING;
    0.0 "eval_minus_alpha" "it is static_eval - alpha" [] [EvalMinusAlpha difference, StaticEval eval, Alpha alpha] true => (eval - alpha - difference).abs() <= ROUNDING;
    // Where `improvement` is defined as 0, some engines use an earlier evaluation. So both values are right there.
    0.05 "improving" "it is set when improvement is above 0, and not when it is below" [] [Improving improving, Improvement improvement] improvement != 0.0 => (improving != 0.0) == (improvement > 0.0);
    0.05 "improving" "it is false in check" [] [Improving improving, InCheck check] check != 0.0 => improving == 0.0;
    0.05 "improvement" "it is 0 in check" [] [Improvement improvement, InCheck check] check != 0.0 => improvement == 0.0;
    0.0 "correction" "it is 0 in check" [] [InCheck check, Correction correction] check != 0.0 => correction == 0.0;
    0.1 "positional" "it is static_eval - material, but in check" [] [Positional positional, StaticEval eval, Material material] !of.in_check() => (eval - material - positional).abs() <= ROUNDING;
    // In some engines mobility makes up for the squares.
    0.45 "pst_delta" "its sign is that of lmrlab's own number where that is clear" [] [PstDelta squares] of.own(Fact::Quiet) != 0.0 && of.own(Fact::PstDelta).abs() >= CLEAR_SQUARES && squares != 0.0 => squares * of.own(Fact::PstDelta) > 0.0;
    0.0 "killer" "the move is quiet" [] [Killer killer, Quiet quiet] killer != 0.0 => quiet != 0.0;
    0.0 "extension" "it is above 0 when extended is set, and else 0" [] [Extension extension, Extended extended] true => (extended != 0.0) == (extension > 0.0);
    0.0 "capture_history" "it is 0 for a move that does not capture" [] [Capture capture, CaptureHistory history] capture == 0.0 => history == 0.0;
    0.0 "captured_value" "it is 0 for a move that does not capture, and for no other" [] [CapturedValue value] of.seen.is_ok() => (of.own(Fact::Capture) != 0.0) == (value > 0.0);
    0.05 "captured_value" "it is about lmrlab's value of the piece" [] [CapturedValue value] of.own(Fact::CapturedValue) > 0.0 => ALIKE.contains(&(value / of.own(Fact::CapturedValue)));
    // Engines differ in what a promotion is worth in an exchange.
    0.03 "see" "its sign is that of lmrlab's own number where that is clear" [] [See see] of.own(Fact::Promotion) == 0.0 && of.own(Fact::See).abs() >= CLEAR_EXCHANGE => see * of.own(Fact::See) > 0.0;
    0.03 "material" "its sign is that of lmrlab's own number where that is clear" [] [Material material] of.own(Fact::Material).abs() >= CLEAR_MATERIAL => material * of.own(Fact::Material) > 0.0;
    // In check, an engine may give the last evaluation.
    0.15 "static_eval" "its sign is that of lmrlab's own number where that is clear" [] [StaticEval eval] !of.in_check() && of.own(Fact::StaticEval).abs() >= CLEAR_EVALUATION => eval * of.own(Fact::StaticEval) > 0.0;
    0.0 "search" "its number is that of its `go`, from 1 on" [] [] of.seen.is_ok() => of.root.is_some();
    0.0 "root" "it is set at the root of the search, and nowhere else" [] [Root it] of.root.is_some() => of.root.is_some_and(|root| if it != 0.0 { root.may_be } else { !root.is });
    0.0 "ply" "it is 0 at the root alone" [] [Ply ply] of.root.is_some() => of.root.is_some_and(|root| if ply == 0.0 { root.may_be } else { !root.is });
    0.0 "ply" "it is even when the side of the root is to move, and odd otherwise" [] [Ply ply] of.root.is_some() => of.root.is_some_and(|root| (ply % 2.0 == 0.0) == root.same_side);
    0.0 "moves_searched" "it counts all moves that were searched before" [] [] of.number().is_some() => of.number().is_some_and(|number| number > of.earlier.0);
    0.0 "after_null" "no null move leads to the root" [] [Root root, AfterNull null] root != 0.0 => null == 0.0;
    0.0 "null_mover" "it is false at the root" [] [Root root, NullMover mover] root != 0.0 => mover == 0.0;
    0.0 "null_mover" "it is false after the null move of the other side" [] [AfterNull null, NullMover mover] null != 0.0 => mover == 0.0;
    0.0 "was_best" "it is false below the root" [] [WasBest best, Root root] root == 0.0 => best == 0.0;
    0.0 "alpha_raises" "it is 0 outside of the principal variation, where a raise is a cutoff" [] [AlphaRaises raises, Pv pv] pv == 0.0 => raises == 0.0;
    0.0 "alpha_raises" "it is at most moves_searched" [] [AlphaRaises raises, MovesSearched searched] true => raises <= searched;
    0.0 "best_changes" "it is below the number of moves that were searched: the first best move is no change" [] [BestChanges changes, MovesSearched searched] changes > 0.0 => changes < searched;
    0.0 "parent_reduction" "it is 0 at the root" [] [Root root, ParentReduction reduction] root != 0.0 => reduction == 0.0;
    0.0 "parent_reduction" "it is 0 after a null move" [] [AfterNull null, ParentReduction reduction] null != 0.0 => reduction == 0.0;
    0.0 "parent_move_number" "it is 0 at the root" [] [Root root, ParentMoveNumber number] root != 0.0 => number == 0.0;
    0.0 "parent_move_number" "it is 0 after a null move" [] [AfterNull null, ParentMoveNumber number] null != 0.0 => number == 0.0;
    0.0 "parent_eval" "it is 0 at the root" [] [Root root, ParentEval eval] root != 0.0 => eval == 0.0;
    0.02 "opponent_worsening" "it is set when static_eval is above parent_eval, and not in check" [] [OpponentWorsening worsening, StaticEval eval, ParentEval parent] parent != 0.0 && (eval - parent).abs() > ROUNDING => (worsening != 0.0) == (eval > parent && !of.in_check());
    0.0 "opponent_worsening" "it is false at the root" [] [Root root, OpponentWorsening worsening] root != 0.0 => worsening == 0.0;
    // What the policy says, and what became of the move.
    0.0 "reduction" "it is what lmrlab computes from the policy and the traced facts" [] [] of.expected.is_some() => of.expected.is_some_and(|(plies, _)| i32::from(of.record.reduction) == plies);
    0.0 "late" "it is set when the condition of the policy holds for the traced facts" [] [] of.expected.is_some() => of.expected.is_some_and(|(_, late)| of.record.late == late);
    0.0 "late" "a move that is not late has no reduction" [] [] !of.record.late => of.record.reduction == 0;
    0.003 "outcome" "a move fails low when its first search does" [] [] !of.record.failed_high => of.outcome == MoveResult::FailedLow;
    0.01 "outcome" "in a null window, without a reduction, a move fails high when its first search does" [] [] of.record.failed_high && of.record.reduction == 0 && of.is_null == Some(true) => of.outcome == MoveResult::FailedHigh;
    0.3 "outcome" "without a reduction a move seldom fails low when its first search fails high" [] [] of.record.failed_high && of.record.reduction == 0 => of.outcome != MoveResult::FailedLow;
    1.0 "outcome" "some moves fail high" [] [] true => of.outcome == MoveResult::FailedHigh;
    1.0 "outcome" "with an open window some scores are inside it" [] [] of.is_null == Some(false) => of.outcome == MoveResult::Inside;
    0.0 "outcome" "no score is inside a null window" [] [] of.is_null == Some(true) => of.outcome != MoveResult::Inside;
    0.01 "nodes" "without a second search the nodes of all are those of the first" [] [] !of.record.failed_high => of.record.nodes == of.record.first_nodes;
    0.0 "nodes" "the first search has at least one, and all searches together have no fewer than the first" [] [] true => 0 < of.record.first_nodes && of.record.first_nodes <= of.record.nodes;
    // The table may end the second search before its first node.
    0.3 "research" "a reduced move is searched again when its first search fails high" [] [] of.record.failed_high && of.record.reduction > 0 => of.record.nodes > of.record.first_nodes;
    0.3 "research" "so is one that is reduced by one ply" [] [] of.record.failed_high && of.record.reduction == 1 => of.record.nodes > of.record.first_nodes;
    0.5 "research" "its second search is deeper, so most often it has a tree" [] [] of.record.failed_high && of.record.reduction > 0 && of.full() >= 3.0 && of.record.first_nodes >= SOME_NODES && of.record.nodes > of.record.first_nodes => of.record.nodes - of.record.first_nodes > 1;
    0.1 "research" "in a null window a move without a reduction is searched once, also when it fails high" [] [] of.record.failed_high && of.record.reduction == 0 && of.is_null == Some(true) => of.record.nodes == of.record.first_nodes;
    0.3 "research" "a later move with a score inside the window is searched again, with the full window" [] [] of.outcome == MoveResult::Inside && of.number().is_some_and(|number| number > 1.0) => of.record.nodes > of.record.first_nodes;
    // The schemes of some engines search again deeper, or less deep.
    // Some engines search a node less deep when the table does not have it, or at a lesser depth without its best move.
    0.5 "full_depth" "most moves are searched as deep as that" [] [] of.is_once() && of.record.reduction == 0 && of.at_least.is_some() => of.at_least >= Some(of.full());
    0.5 "reduction" "a move with a reduction below 0 is searched deeper" [] [] of.is_once() && of.record.reduction < 0 && of.deepest[0] >= Some(of.full()) => of.deepest[0] >= Some(of.full() - of.reduction());
    0.25 "research" "the second search of a reduced move is at its full depth" [] [] of.is_hosted && of.second().is_some() => of.second() == Some(of.full());
    0.5 "research" "a move with a score inside the window is searched with the full window" [] [] of.is_inside_again() => of.deepest[1].is_some();
    0.25 "research" "the search with the full window is at full depth" [] [] of.is_inside_again() && of.deepest[1].is_some() => of.deepest[1] >= Some(of.full() - f64::from(u8::from(!of.is_hosted)));
}

rules! {
    /// Of one move, with a policy that searches again a ply deeper.
    DEEPER(of, _same):
    0.25 "by_score" "with `deeper` the second search of a reduced move is a ply deeper than its full depth" [] [] of.second().is_some() => of.second() == Some(of.full() + 1.0);
}

rules! {
    /// Of one move with a shadow search.
    SHADOW(of, _same):
    0.0 "shadow" "each move that is traced has a shadow search that ends" [] [] true => of.judged().is_some();
    0.0 "shadow" "without a reduction it has the result of the first search" [] [] of.is_control() => of.judged().is_some_and(|(raises, _)| raises == of.record.failed_high);
    0.0 "shadow" "without a reduction it has the nodes of the first search" [] [] of.is_control() => of.judged().is_some_and(|(_, nodes)| nodes == u64::from(of.record.first_nodes));
    0.5 "shadow" "with a reduction it has other nodes, because it is deeper" [] [] of.record.reduction > 0 && of.record.first_nodes > 1 && of.judged().is_some() => of.judged().is_some_and(|(_, nodes)| nodes != u64::from(of.record.first_nodes));
}

/// Flags of few moves of a node, and the most moves of a node that may have them.
pub(super) const FEW: &[(Fact, usize, &str)] = &[
    (Fact::Killer, 2, "two moves of a node have it at most"),
    (Fact::TtMove, 1, "one move of a node has it"),
    (Fact::CounterMove, 1, "one move of a node has it"),
];

rules! {
    /// Of a move, and the next traced one of its node.
    NEXT(one, of):
    0.01 "alpha" "it rises when a score is inside the window" [Alpha before] [Alpha alpha] one.outcome == MoveResult::Inside => alpha > before;
    0.01 "alpha" "it stays when a move fails low" [Alpha before] [Alpha alpha] one.outcome == MoveResult::FailedLow && of.is_after(one) => alpha == before;
    0.01 "window" "alpha + window, which is beta, is the same for all moves of a node" [Alpha before, Window width] [Alpha alpha, Window window] true => (before + width - alpha - window).abs() <= ROUNDING;
    // Moves that raise alpha are few: they alone could all break the rule above unnoticed.
    0.01 "window" "it becomes less by as much as alpha rises" [Alpha before, Window width] [Alpha alpha, Window window] one.outcome == MoveResult::Inside => (before + width - alpha - window).abs() <= ROUNDING;
    0.01 "alpha_raises" "it counts the moves that raised alpha" [AlphaRaises before] [AlphaRaises raises] of.is_after(one) => raises == before + f64::from(u8::from(one.outcome == MoveResult::Inside));
    0.01 "best_changes" "it stays when a move fails low" [BestChanges before] [BestChanges changes] of.is_after(one) && one.outcome == MoveResult::FailedLow && of.is_null == Some(false) => changes == before;
    // Moves that were pruned between the two are counted, too.
    0.01 "quiet_number" "it counts the quiet moves up to this one" [QuietNumber before] [QuietNumber number] of.is_after(one) => number >= before + of.own(Fact::Quiet);
    0.01 "quiet_number" "it counts quiet moves alone" [QuietNumber before] [QuietNumber number, Quiet quiet] of.is_after(one) && quiet == 0.0 => number == before;
    0.995 "ordering_history" "some quiet moves in turn have other ones" [OrderingHistory before, Quiet earlier] [OrderingHistory history, Quiet quiet] earlier != 0.0 && quiet != 0.0 => history != before;
    0.4 "capture_history" "of two captures of the same piece in turn the first has the greater one, most often" [CaptureHistory before] [CaptureHistory history] of.own(Fact::CapturedValue) > 0.0 && of.own(Fact::CapturedValue) == one.own(Fact::CapturedValue) && of.is_after(one) && history != before => history < before;
    0.35 "ordering_history" "of two quiet moves in turn the first has the greater one, most often" [OrderingHistory before, Quiet earlier] [OrderingHistory history, Quiet quiet] of.is_after(one) && earlier != 0.0 && quiet != 0.0 && history != before => history < before;
    0.05 "child_cutoffs" "it does not fall within a node" [ChildCutoffs before] [ChildCutoffs cutoffs] true => cutoffs >= before;
    0.9 "child_cutoffs" "it rises when a move fails low, because a node below fails high" [ChildCutoffs before] [ChildCutoffs cutoffs] of.is_after(one) && one.outcome == MoveResult::FailedLow && one.record.nodes >= SOME_NODES => cutoffs > before;
}

rules! {
    /// Of the last move of a node, and the first one of the next node at its ply.
    NEXT_NODE(_one, _of):
    0.9 "child_cutoffs" "it begins anew when a node is entered two plies above" [ChildCutoffs before] [ChildCutoffs cutoffs] before >= 3.0 => cutoffs < before;
}

rules! {
    /// Of a quiet move that failed high, and the same one in a node of the same ply before another fails high there. Engines clear
    /// killers at other moments, and first moves are not traced.
    KILLER(_one, _of):
    0.9 "killer" "a quiet move that fails high is a killer in the next nodes of its ply" [] [Killer killer] true => killer != 0.0;
}

rules! {
    /// Of a quiet move that failed high, and the same one after the same move of the other side, before another fails high there.
    COUNTER(_one, _of):
    0.8 "counter_move" "a quiet move that fails high is the counter move to the move before it" [] [CounterMove counter] true => counter != 0.0;
}

rules! {
    /// Of a move, and one of the node that it leads to.
    BELOW(above, of):
    0.01 "parent_move_number" "it is the number of the move that led here" [] [ParentMoveNumber given, Depth depth] above.searches(depth) && above.number().is_some() => Some(given) == above.number();
    0.01 "parent_reduction" "it is the reduction of the move that led here" [] [ParentReduction given, Depth depth] above.searches(depth) => given == above.reduction() || (above.record.failed_high && given.abs() <= above.reduction().abs());
    0.5 "parent_reduction" "it is 0 when the move is searched again without a reduction" [] [ParentReduction given, Depth depth] above.record.failed_high && above.record.reduction > 0 && depth == above.full() => given == 0.0;
    // Some engines extend a node in check.
    0.01 "full_depth" "no move is searched deeper than its full depth minus its reduction" [] [Depth depth] above.is_once() && above.record.reduction == 0 && !of.in_check() => depth <= above.full();
    0.01 "reduction" "no move is searched deeper than its full depth minus its reduction" [] [Depth depth] above.is_once() && above.record.reduction != 0 && !of.in_check() => depth <= above.full() - above.reduction();
    0.1 "reduction" "so is a move that is reduced by more than 3 plies" [] [Depth depth] above.is_once() && above.record.reduction > 3 && !of.in_check() => depth <= above.full() - above.reduction();
    0.5 "reduction" "most moves are searched as deep as that" [] [Depth depth] above.is_once() && above.record.reduction > 0 && !of.in_check() => depth >= above.full() - above.reduction();
    // The last traced move of the node: each move before it has a node at least, when it was searched.
    0.1 "moves_searched" "it counts no move that was not searched" [] [Depth depth] above.is_once() && above.searches(depth) && of.number().is_some_and(|number| number > of.earlier.0 + 2.0) => of.number().is_some_and(|number| f64::from(above.record.nodes) >= of.earlier.1 as f64 + number - 1.0 - of.earlier.0);
    0.01 "iteration" "it is the same in the whole tree of an iteration" [Iteration before] [Iteration iteration] true => iteration == before;
    0.01 "root_window" "it is the same in the whole tree of an iteration" [RootWindow before] [RootWindow window] true => window == before;
    0.01 "after_null" "it is false after a move" [] [AfterNull null] true => null == 0.0;
    0.01 "null_mover" "it is false below a move of the side that made the null move" [NullMover before] [NullMover mover] before != 0.0 => mover == 0.0;
    0.01 "null_mover" "it is true two plies below the null move" [AfterNull null] [NullMover mover] null != 0.0 => mover != 0.0;
    0.05 "alpha" "below a null window it is -alpha - 1 of the move above" [Alpha before] [Alpha alpha, Window window, Pv pv, Depth depth] above.searches(depth) && pv == 0.0 => (before + alpha + window).abs() <= ROUNDING;
    // Some engines expect all late moves to fail low, even those without a reduction.
    0.05 "cut" "below a move that is not late, a cut node has an all node, an all node or a pv node has a cut node" [Pv pv, Cut before] [Cut cut, Pv open, Depth depth] above.is_plain() && above.searches(depth) && open == 0.0 => (cut != 0.0) == (pv != 0.0 || before == 0.0);
    0.05 "all" "below a move that is not late, a cut node has an all node, an all node or a pv node has a cut node" [Pv pv, All before] [All all, Pv open, Depth depth] above.is_plain() && above.searches(depth) && open == 0.0 => (all != 0.0) == (pv == 0.0 && before == 0.0);
    0.05 "parent_eval" "it is the static_eval of the node above with the other sign" [StaticEval eval] [ParentEval given, Depth depth] above.searches(depth) && !above.in_check() => (eval + given).abs() <= ROUNDING;
    0.05 "parent_eval" "it is 0 when the other side was in check" [] [ParentEval given] above.in_check() => given == 0.0;
    // With a correction of the evaluation on one side alone, more moves have another sign.
    0.25 "eval_delta" "its sign is that of the evaluation after the move minus that before" [EvalDelta delta, StaticEval before] [StaticEval after] !above.in_check() && !of.in_check() && (after + before).abs() >= CLEAR_DIFFERENCE => delta * (-after - before) > 0.0;
}

rules! {
    /// Of a move, and one of a node two plies below it.
    TWO_BELOW(above, of):
    0.1 "improving" "it is set when the evaluation is better than two plies before, and not when it is worse" [StaticEval before] [StaticEval now, Improving improving] !above.in_check() && !of.in_check() && (now - before).abs() > ROUNDING => (improving != 0.0) == (now > before);
    0.1 "improvement" "it is the evaluation minus that of two plies before" [StaticEval before] [StaticEval now, Improvement improvement] !above.in_check() && !of.in_check() && improvement != 0.0 => (improvement - now + before).abs() <= ROUNDING;
}

/// Tests rules on a move; `first` is the earlier or the higher of two.
pub(super) fn test(lines: &[Line], first: &CheckedMove, of: &CheckedMove, tallies: &mut Tallies) {
    let values =
        |of: &CheckedMove, facts: &[Fact]| -> Option<Vec<f64>> { facts.iter().map(|fact| of.value(*fact)).collect() };
    for line in lines {
        if let (Some(one), Some(two)) = (values(first, line.first), values(of, line.facts))
            && let Some(holds) = (line.holds)(&one, &two, first, of)
        {
            let first = (!std::ptr::eq(first, of)).then_some((first, line.first));
            tallies.test(line.rule, holds, || shown(first, of, line.facts));
        }
    }
}

/// Tests what lmrlab's own board says of a move. Engines have other values of pieces, so values in centipawns are not the same.
pub(super) fn test_exact(of: &CheckedMove, tallies: &mut Tallies) {
    for info in CATALOGUE.iter().filter(|info| info.unit != "centipawns") {
        if let (Some(given), Some(own)) = (of.value(info.fact), of.own_value(info.fact)) {
            let rule = Rule::mostly(info.name, "it is what lmrlab's board says", 0.0);
            tallies.test(rule, given == own, || {
                format!("{}, and {own} was expected", shown(None, of, &[info.fact]))
            });
        }
    }
}

/// Tests what is the same for two moves of a node. Moves of another depth, or with another `pv`, are not taken for those of one
/// node.
pub(super) fn test_same(one: &CheckedMove, next: &CheckedMove, tallies: &mut Tallies) {
    let of_node = CATALOGUE.iter().filter(|info| info.moment == Moment::Node);
    for fact in of_node
        .map(|info| info.fact)
        .filter(|fact| !matches!(fact, Fact::Depth | Fact::Pv))
    {
        if let (Some(first), Some(second)) = (one.value(fact), next.value(fact)) {
            let rule = Rule::mostly(fact.info().name, "it is the same for all moves of a node", 0.01);
            tallies.test(rule, first == second, || shown(Some((one, &[fact])), next, &[fact]));
        }
    }
}

/// What the example of a broken rule shows.
fn shown(first: Option<(&CheckedMove, &[Fact])>, of: &CheckedMove, facts: &[Fact]) -> String {
    let one = |of: &CheckedMove, facts: &[Fact]| {
        let value = |fact: &Fact| Some(format!("{} is {}", fact.info().name, of.value(*fact)?));
        let mut values: Vec<String> = facts.iter().filter_map(value).collect();
        let record = &of.record;
        values.push(format!(
            "the reduction is {}, the full depth {}, nodes {} and {} in all",
            record.reduction, record.full_depth, record.first_nodes, record.nodes
        ));
        let more = [
            of.second()
                .map(|depth| format!("the depth of the second search {depth}")),
            of.expected
                .map(|(plies, late)| format!("the policy says {plies}, late {late}")),
            of.judged().map(|(raises, nodes)| {
                let high = record.failed_high;
                format!("{nodes} nodes in the shadow search, raises alpha {high}, in the shadow search {raises}")
            }),
        ];
        values.extend(more.into_iter().flatten());
        format!("{}: {}", of.name(), values.join(", "))
    };
    match first {
        Some((first, of_first)) => format!("first or above, {}; then {}", one(first, of_first), one(of, facts)),
        None => one(of, facts),
    }
}
