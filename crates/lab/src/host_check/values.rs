//! The values of facts over whole traces: their ranges, and whether they change at all.

use lmrlab_host::Outcome;
use lmrlab_policy::facts::{Fact, Kind};

use super::finding::Finding;
use super::tally::advice;
use super::test_policies::is_given;
use super::trace::{Trace, TracedMove};

/// Facts that may be the same in many moves of a good engine: it has no aspiration windows, it does not ask about the
/// first move of a node, or the fact is rarely set.
const MAY_BE_CONSTANT: [Fact; 4] = [Fact::RootWindow, Fact::TtMove, Fact::NullMate, Fact::NullThreat];
/// Moves that are enough to call a fact constant.
const ENOUGH_MOVES: usize = 2_000;
/// Moves with an open window, of which one has a score inside it.
const ENOUGH_OPEN: usize = 300;
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

struct Values {
    least: f64,
    greatest: f64,
    moves: usize,
    /// A move with a value outside the range, and the number of such moves.
    outside: Option<(String, usize)>,
}

/// Findings about the values in these traces, except for facts that are known to be wrong.
pub(super) fn findings(traces: &[&Trace], is_wrong: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let Some(first) = traces.first() else { return Vec::new() };
    let mut findings = Vec::new();
    let facts = first
        .facts()
        .filter(|fact| !is_given(*fact) && !is_wrong(fact.info().name));
    for fact in facts {
        let values = values(traces, fact);
        let name = fact.info().name;
        if let Some((example, count)) = values.outside {
            let range = fact
                .range()
                .map_or_else(String::new, |range| format!("{} to {}", range.start(), range.end()));
            let what = format!("{count} of {} values are outside the range {range}", values.moves);
            let advice = format!("{} The unit: {}.{}", advice(name), fact.info().unit, clamped(fact));
            findings.push(Finding::wrong(name, what, advice).seen(example));
        } else if values.least == values.greatest {
            if values.moves >= ENOUGH_MOVES && !MAY_BE_CONSTANT.contains(&fact) {
                let what = format!("it is {} at all {} moves", values.least, values.moves);
                let advice = format!(
                    "{} Leave it out of lmr_init when the engine has nothing of the kind.",
                    advice(name)
                );
                findings.push(Finding::warning(name, what, advice));
            }
        } else {
            findings.extend(scale(fact, &values).or_else(|| history_sign(traces, fact)));
        }
    }
    findings.extend(outcomes(traces));
    if findings.is_empty() {
        let moves: usize = traces.iter().map(|trace| trace.moves.len()).sum();
        findings.push(Finding::ok(
            "values",
            format!("every fact changes and is in its range, on {moves} moves"),
        ));
    }
    findings
}

/// What to do with rare values outside the range.
fn clamped(fact: Fact) -> &'static str {
    match fact {
        Fact::Correction => " Clamp rare values to the range; a factor would change the usual ones, too.",
        Fact::Phase => " Clamp it: after promotions there can be more pieces than in the initial position.",
        _ => "",
    }
}

/// Whether the scale of a history is far off.
fn scale(fact: Fact, values: &Values) -> Option<Finding> {
    let bound = match fact {
        Fact::History => USUAL_BOUND,
        Fact::CaptureHistory
        | Fact::ContinuationHistory
        | Fact::ContinuationHistory2
        | Fact::ContinuationHistory4
        | Fact::OrderingHistory => f64::from(*fact.range()?.end()),
        _ => return None,
    };
    let name = fact.info().name;
    let greatest = values.greatest.abs().max(values.least.abs());
    let what = format!("the greatest of {} values is {greatest}", values.moves);
    let advice = |factor: f64| {
        format!(
            "policies expect values within {bound}; a factor in lmr_init turns the engine's into these, such as `{name}*{factor}`"
        )
    };
    if values.moves >= ENOUGH_FOR_SCALE && greatest < LEAST_SHARE * bound {
        Some(Finding::warning(name, what, advice(16.0)))
    } else if greatest > 4.0 * bound {
        Some(Finding::warning(name, what, advice(0.25)))
    } else {
        None
    }
}

/// Whether moves that raise alpha have a lesser history than those that fail low: then its sign is wrong.
fn history_sign(traces: &[&Trace], fact: Fact) -> Option<Finding> {
    let kind = match fact {
        Fact::CaptureHistory => Fact::Capture,
        Fact::History
        | Fact::ContinuationHistory
        | Fact::ContinuationHistory2
        | Fact::ContinuationHistory4
        | Fact::OrderingHistory => Fact::Quiet,
        _ => return None,
    };
    let mean = |raises: bool| {
        let moves = traces
            .iter()
            .flat_map(|trace| trace.moves.iter().map(move |of| (trace, of)));
        let of_kind = moves.filter(|(trace, of)| trace.is(of, kind) != Some(false));
        let values = of_kind
            .filter(|(_, of)| (of.outcome != Outcome::FailedLow) == raises)
            .filter_map(|(trace, of)| trace.value(of, fact));
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count.max(1.0);
        (mean, variance / count.max(1.0), values.len())
    };
    let ((raising, one, enough), (failing, two, _)) = (mean(true), mean(false));
    let what = format!("moves that raise alpha have {raising:.0} in the mean, and moves that fail low {failing:.0}");
    let advice = "a history is greater for moves that were good; a factor in lmr_init below 0 turns it, too";
    let is_less = enough >= ENOUGH_RAISES && raising < failing - CLEAR_ERRORS * (one + two).sqrt();
    is_less.then(|| Finding::warning(fact.info().name, what, advice))
}

/// Whether moves have each outcome.
fn outcomes(traces: &[&Trace]) -> Vec<Finding> {
    let moves = || traces.iter().flat_map(|trace| &trace.moves);
    let is_open = |of: &&TracedMove| of.is_null == Some(false);
    let absent = |outcome, what: &str, enough: usize, among: usize| {
        let has_it = moves().any(|of| of.outcome == outcome);
        (among >= enough && !has_it).then(|| {
            let advice = format!("call lmr_close for each move. {}", advice("outcome"));
            Finding::wrong("outcome", format!("of {among} moves {what}"), advice)
        })
    };
    let all = moves().count();
    let open = moves().filter(is_open).count();
    let high = absent(Outcome::FailedHigh, "none fails high", ENOUGH_MOVES, all);
    let inside = "with an open window none has a score inside it";
    let inside = absent(Outcome::Inside, inside, ENOUGH_OPEN, open);
    high.into_iter().chain(inside).collect()
}

fn values(traces: &[&Trace], fact: Fact) -> Values {
    let range = match fact.info().kind {
        Kind::Boolean => None,
        Kind::Number => fact.range(),
    };
    let mut values = Values {
        least: f64::INFINITY,
        greatest: f64::NEG_INFINITY,
        moves: 0,
        outside: None,
    };
    for trace in traces {
        for of in &trace.moves {
            let Some(value) = trace.value(of, fact) else { continue };
            values.moves += 1;
            values.least = values.least.min(value);
            values.greatest = values.greatest.max(value);
            let is_inside = |value: f64| {
                range
                    .as_ref()
                    .is_none_or(|range| f64::from(*range.start()) <= value && value <= f64::from(*range.end()))
            };
            if !is_inside(value) {
                let name = || format!("{}: {} is {value}", of.name(), fact.info().name);
                let (_, count) = values.outside.get_or_insert_with(|| (name(), 0));
                *count += 1;
            }
        }
    }
    values
}
