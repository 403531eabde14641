//! The values of facts over whole traces: their ranges, whether they change at all, and their scale.

use lmrlab_host::MoveResult;
use lmrlab_policy::facts::{Fact, Kind};

use super::check::Check;
use super::finding::WRONG;
use super::tally::{Rule, Tallies, advice};
use super::trace::{CheckedMove, Trace};

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

impl Check<'_> {
    /// Tests the values in these traces, except of facts that are known to be wrong.
    pub(super) fn values(&mut self, traces: &[Trace]) {
        let Some(first) = traces.first() else { return };
        for fact in [Fact::See, Fact::Material] {
            if !self.is_wrong(fact.info().name) {
                self.unit(first, fact);
            }
        }
        let (found, mut tallies) = (self.findings.len(), Tallies::default());
        let moves: Vec<&CheckedMove> = traces.iter().flat_map(|trace| &trace.moves).collect();
        let facts = first.places.known().filter(|fact| !fact.is_given());
        for fact in facts
            .filter(|fact| !self.is_wrong(fact.info().name))
            .collect::<Vec<_>>()
        {
            let name = fact.info().name;
            let values: Vec<f64> = moves.iter().filter_map(|of| of.value(fact)).collect();
            if let Some(range) = fact.range().filter(|_| fact.info().kind == Kind::Number) {
                let (least, greatest) = (f64::from(*range.start()), f64::from(*range.end()));
                let rule = Rule::mostly(name, "it is inside its range", 0.0);
                for (of, value) in moves.iter().filter_map(|of| Some((of, of.value(fact)?))) {
                    tallies.test(rule, (least..=greatest).contains(&value), || {
                        format!("{}: {name} is {value}, and the range {least} to {greatest}", of.name())
                    });
                }
            }
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if least < greatest {
                if let Some(bound) = bound(fact) {
                    self.history(fact, bound, &moves, greatest.max(-least));
                }
            } else if values.len() >= ENOUGH_MOVES && !MAY_BE_CONSTANT.contains(&fact) {
                let what = format!("it is {least} at all {} moves", values.len());
                let advice = advice(name) + " Leave it out of lmr_init when the engine has nothing of the kind.";
                self.warn(name, what, &advice);
            }
        }
        let ranges = tallies.findings().into_iter();
        (ranges.filter(|finding| finding.verdict == WRONG)).for_each(|finding| self.add(finding));
        if self.findings.len() == found {
            let what = format!("every fact changes and is in its range, on {} moves", moves.len());
            self.ok("values", what);
        }
    }

    /// Whether the scale of a history is far off. And whether moves that raise alpha have a lesser history than those that fail low:
    /// then its sign is wrong.
    fn history(&mut self, fact: Fact, bound: f64, moves: &[&CheckedMove], greatest: f64) {
        let name = fact.info().name;
        let is_small = moves.len() >= ENOUGH_FOR_SCALE && greatest < LEAST_SHARE * bound;
        if is_small || greatest > 4.0 * bound {
            let factor = if is_small { 16.0 } else { 0.25 };
            let what = format!("the greatest of {} values is {greatest}", moves.len());
            let advice = format!(
                "policies expect values within {bound}; a factor in lmr_init turns the engine's into these, such as `{name}*{factor}`"
            );
            self.warn(name, what, &advice);
            return;
        }
        let kind = match fact {
            Fact::CaptureHistory => Fact::Capture,
            _ => Fact::Quiet,
        };
        let mean = |raises: bool| {
            let of_kind = moves.iter().filter(|of| of.value(kind) != Some(0.0));
            let judged = of_kind.filter(|of| (of.outcome != MoveResult::FailedLow) == raises);
            let values: Vec<f64> = judged.filter_map(|of| of.value(fact)).collect();
            let count = values.len().max(1) as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
            (mean, squares / count.powi(2), values.len())
        };
        let ((raising, one, enough), (failing, two, _)) = (mean(true), mean(false));
        if enough >= ENOUGH_RAISES && raising < failing - CLEAR_ERRORS * (one + two).sqrt() {
            let what =
                format!("moves that raise alpha have {raising:.0} in the mean, and moves that fail low {failing:.0}");
            let advice = "a history is greater for moves that were good; a factor in lmr_init below 0 turns it, too";
            self.warn(name, what, advice);
        }
    }

    /// How far the engine's exchanges, or its material balances, are from lmrlab's: their values of pieces, or their unit.
    fn unit(&mut self, trace: &Trace, fact: Fact) {
        let name = fact.info().name;
        let moves = trace.moves.iter().filter(|of| of.own(Fact::Promotion) == 0.0);
        let values = moves.filter_map(|of| Some((of.value(fact)?, of.own_value(fact)?)));
        let values: Vec<(f64, f64)> = values.collect();
        let ratios = values.iter().filter(|(given, own)| *given != 0.0 && *own != 0.0);
        let mut ratios: Vec<f64> = ratios.map(|(given, own)| (given / own).abs()).collect();
        ratios.sort_by(f64::total_cmp);
        let same = values.iter().filter(|(given, own)| given == own).count();
        let Some(middle) = ratios.get(ratios.len() / 2).filter(|_| same < values.len()) else {
            return;
        };
        let what = format!(
            "{same} of {} values are lmrlab's; the middle ratio to lmrlab's is {middle:.2}",
            values.len()
        );
        if (0.5..=2.0).contains(middle) {
            self.note(name, what + "; values of pieces differ between engines");
        } else {
            let factor = 1.0 / middle;
            let advice = format!("centipawns are expected: the factor in lmr_init may be `{name}*{factor:.3}`");
            self.warn(name, what, &advice);
        }
    }
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
