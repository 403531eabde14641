//! The values of facts over whole traces: their ranges, whether they change at all, and their scale.

use lmrlab_host::MoveResult;
use lmrlab_policy::facts::{Fact, Kind};

use super::finding::{self, Finding, WRONG};
use super::tally::{Rule, Tallies, advice};
use super::trace::Trace;

/// Facts that may be the same in many moves of a good engine: it has no aspiration windows, it does not ask about the first move
/// of a node, it extends no other, or the fact is rarely set.
const MAY_BE_CONSTANT: [Fact; 7] = [
    Fact::RootWindow,
    Fact::TtMove,
    Fact::Extended,
    Fact::Extension,
    Fact::NullMover,
    Fact::NullMate,
    Fact::NullThreat,
];
/// Moves that are enough to call a fact constant.
const ENOUGH_MOVES: usize = 2_000;
/// The least number of moves that raise alpha: the mean history of fewer says nothing.
const ENOUGH_RAISES: usize = 100;
/// Standard errors of a clear difference.
const CLEAR_ERRORS: f64 = 3.0;
/// Moves in which a history has grown.
const ENOUGH_FOR_SCALE: usize = 4_000;
/// The least share of its bound that a history reaches in a long search.
const LEAST_SHARE: f64 = 0.02;
/// The bound of `history` in most engines, and in the models of policies.
const USUAL_BOUND: f64 = 16_384.0;

/// Findings about the values in these traces, except for facts that are known to be wrong.
pub(super) fn findings(traces: &[Trace], is_wrong: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut tallies = Tallies::default();
    let mut findings = Vec::new();
    let facts = traces.iter().take(1).flat_map(Trace::facts);
    for fact in facts.filter(|fact| !fact.is_given() && !is_wrong(fact.info().name)) {
        let name = fact.info().name;
        let mut values: Vec<f64> = Vec::new();
        for trace in traces {
            for of in &trace.moves {
                let Some(value) = trace.value(of, fact) else { continue };
                values.push(value);
                if let Some(range) = fact.range().filter(|_| fact.info().kind == Kind::Number) {
                    let (least, greatest) = (f64::from(*range.start()), f64::from(*range.end()));
                    let rule = Rule::mostly(name, "it is inside its range", 0.0);
                    tallies.test(rule, least <= value && value <= greatest, || {
                        format!("{}: {name} is {value}, and the range {least} to {greatest}", of.name())
                    });
                }
            }
        }
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least < greatest {
            let scale = scale(fact, values.len(), greatest.max(-least));
            findings.extend(scale.or_else(|| history_sign(traces, fact)));
        } else if values.len() >= ENOUGH_MOVES && !MAY_BE_CONSTANT.contains(&fact) {
            let what = format!("it is {least} at all {} moves", values.len());
            let advice = advice(name) + " Leave it out of lmr_init when the engine has nothing of the kind.";
            findings.push(finding::warning(name, what, &advice));
        }
    }
    let outside = tallies
        .findings()
        .into_iter()
        .filter(|finding| finding.verdict == WRONG);
    findings.extend(outside);
    if findings.is_empty() {
        let moves: usize = traces.iter().map(|trace| trace.moves.len()).sum();
        let what = format!("every fact changes and is in its range, on {moves} moves");
        findings.push(finding::ok("values", what));
    }
    findings
}

/// The bound of a history.
fn bound(fact: Fact) -> Option<f64> {
    match fact {
        Fact::History => Some(USUAL_BOUND),
        Fact::CaptureHistory
        | Fact::ContinuationHistory
        | Fact::ContinuationHistory2
        | Fact::ContinuationHistory4
        | Fact::OrderingHistory => Some(f64::from(*fact.range()?.end())),
        _ => None,
    }
}

/// Whether the scale of a history is far off.
fn scale(fact: Fact, moves: usize, greatest: f64) -> Option<Finding> {
    let (bound, name) = (bound(fact)?, fact.info().name);
    let is_small = moves >= ENOUGH_FOR_SCALE && greatest < LEAST_SHARE * bound;
    let factor = if is_small { 16.0 } else { 0.25 };
    let what = format!("the greatest of {moves} values is {greatest}");
    let advice = format!(
        "policies expect values within {bound}; a factor in lmr_init turns the engine's into these, such as `{name}*{factor}`"
    );
    (is_small || greatest > 4.0 * bound).then(|| finding::warning(name, what, &advice))
}

/// Whether moves that raise alpha have a lesser history than those that fail low: then its sign is wrong.
fn history_sign(traces: &[Trace], fact: Fact) -> Option<Finding> {
    bound(fact)?;
    let kind = if fact == Fact::CaptureHistory {
        Fact::Capture
    } else {
        Fact::Quiet
    };
    let mean = |raises: bool| {
        let mut values: Vec<f64> = Vec::new();
        for trace in traces {
            let of_kind = trace.moves.iter().filter(|of| trace.value(of, kind) != Some(0.0));
            let judged = of_kind.filter(|of| (of.outcome != MoveResult::FailedLow) == raises);
            values.extend(judged.filter_map(|of| trace.value(of, fact)));
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (mean, squares / count.max(1.0).powi(2), values.len())
    };
    let ((raising, one, enough), (failing, two, _)) = (mean(true), mean(false));
    let what = format!("moves that raise alpha have {raising:.0} in the mean, and moves that fail low {failing:.0}");
    let advice = "a history is greater for moves that were good; a factor in lmr_init below 0 turns it, too";
    let is_less = enough >= ENOUGH_RAISES && raising < failing - CLEAR_ERRORS * (one + two).sqrt();
    is_less.then(|| finding::warning(fact.info().name, what, advice))
}

/// How far the engine's exchanges, or its material balances, are from lmrlab's: their values of pieces, or their unit.
pub(super) fn unit(trace: &Trace, fact: Fact) -> Option<Finding> {
    let name = fact.info().name;
    let moves = trace.moves.iter().filter(|of| of.own(Fact::Promotion) == 0.0);
    let values = moves.filter_map(|of| Some((trace.value(of, fact)?, of.own_value(fact)?)));
    let values: Vec<(f64, f64)> = values.collect();
    let ratios = values.iter().filter(|(given, own)| *given != 0.0 && *own != 0.0);
    let mut ratios: Vec<f64> = ratios.map(|(given, own)| (given / own).abs()).collect();
    ratios.sort_by(f64::total_cmp);
    let middle = *ratios.get(ratios.len() / 2)?;
    let same = values.iter().filter(|(given, own)| given == own).count();
    let what = format!(
        "{same} of {} values are lmrlab's; the middle ratio to lmrlab's is {middle:.2}",
        values.len()
    );
    if same == values.len() {
        return None;
    }
    Some(match (0.5..=2.0).contains(&middle) {
        true => finding::note(name, what + "; values of pieces differ between engines"),
        false => {
            let factor = 1.0 / middle;
            let advice = format!("centipawns are expected: the factor in lmr_init may be `{name}*{factor:.3}`");
            finding::warning(name, what, &advice)
        }
    })
}
