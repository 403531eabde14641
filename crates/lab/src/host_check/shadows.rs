//! Shadow searches: in the control group they repeat the first search of a move.

use super::finding::Finding;
use super::trace::{Trace, TracedMove};

/// With this number of reduced moves, the depth of their shadow searches can be judged.
const ENOUGH_REDUCED: usize = 30;
/// The share of reduced moves that may have as many nodes in the shadow search as in the first one.
const MOST_EQUAL: f64 = 0.5;

const CHECK: &str = "shadow";

/// Findings about the shadow searches of a trace.
pub(super) fn findings(trace: &Trace) -> Vec<Finding> {
    let mut findings = Vec::new();
    let judged = trace.moves.iter();
    let judged: Vec<(&TracedMove, Option<bool>, u64)> = judged
        .filter_map(|of| of.shadow.map(|(raises, nodes)| (of, raises, nodes)))
        .collect();
    let undecided = judged.iter().filter(|(_, raises, _)| raises.is_none()).count();
    if judged.is_empty() {
        let what = "there are no shadow searches, so `lmrlab audit` cannot judge the engine's reductions";
        let advice =
            "ask lmr_shadow before the first search of a move; an engine in Rust copies its search and calls `judged`";
        return vec![Finding::warning(CHECK, what, advice)];
    }
    if judged.len() < trace.moves.len() || undecided > 0 {
        let what = format!(
            "of {} moves, {} have no shadow search and {undecided} one that did not end",
            trace.moves.len(),
            trace.moves.len() - judged.len()
        );
        let advice =
            "when lmr_shadow is true, search the move at full depth and call lmr_judged, which does not return";
        findings.push(Finding::wrong(CHECK, what, advice));
    }
    // For these moves the first search and the shadow search are the same search: the same depth, and the same window.
    let has_null_window = |of: &TracedMove| of.is_null == Some(true) || of.number.is_some_and(|number| number >= 2.0);
    let control: Vec<_> = judged
        .iter()
        .filter(|(of, raises, _)| of.record.reduction == 0 && raises.is_some() && has_null_window(of))
        .collect();
    let disagree: Vec<_> = control
        .iter()
        .filter(|(of, raises, _)| *raises != Some(of.record.failed_high))
        .collect();
    let advice = "call lmr_shadow just before the first search; in the copy search the same move at full depth with the window from \
                  alpha to alpha + 1, and nothing else";
    if let Some((of, raises, _)) = disagree.first() {
        let what = format!(
            "{} of {} moves without a reduction have another result in the shadow search",
            disagree.len(),
            control.len()
        );
        let seen = format!(
            "{}: the first search {}, the shadow search {}",
            of.name(),
            result(of.record.failed_high),
            result(*raises == Some(true))
        );
        findings.push(Finding::wrong(CHECK, what, advice).seen(seen));
    } else if let Some((of, _, nodes)) = control
        .iter()
        .find(|(of, _, nodes)| *nodes != u64::from(of.record.first_nodes))
    {
        let what = "without a reduction the shadow search and the first search have other nodes".to_owned();
        let seen = format!(
            "{}: {} nodes, and {nodes} in the shadow search",
            of.name(),
            of.record.first_nodes
        );
        findings.push(Finding::wrong(CHECK, what, format!("{advice}; count nodes as for lmr_result")).seen(seen));
    }
    let reduced: Vec<_> = judged
        .iter()
        .filter(|(of, raises, _)| of.record.reduction > 0 && raises.is_some() && of.record.first_nodes > 1)
        .collect();
    let equal = reduced
        .iter()
        .filter(|(of, _, nodes)| *nodes == u64::from(of.record.first_nodes))
        .count();
    if reduced.len() >= ENOUGH_REDUCED && equal as f64 > MOST_EQUAL * reduced.len() as f64 {
        let what = format!(
            "{equal} of {} reduced moves have the same number of nodes in the shadow search as in the reduced one: it is not deeper",
            reduced.len()
        );
        findings.push(Finding::wrong(
            CHECK,
            what,
            "search in the copy at the full depth, without the reduction",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(
            CHECK,
            format!(
                "{} shadow searches, {} of reduced moves; {} moves without a reduction have the same result and nodes in both searches",
                judged.len(),
                reduced.len(),
                control.len()
            ),
        ));
    }
    findings
}

fn result(raises: bool) -> &'static str {
    if raises { "raises alpha" } else { "fails low" }
}
