//! The lines about strength and the SPRT that runs and `lmrlab sprt` share.

use lmrlab_results::number_text::{chance, exact_plus_minus, interval_end, signed};
use lmrlab_stats::{CONFIDENCE, Elo, EloModel, Estimate, GameVariance, SequentialEstimate, Sprt, Verdict};

/// The draw rate of equal engines, for the length of a test that has not been played.
pub const USUAL_DRAWS: f64 = 0.3;

/// What a test with this limit of pairs can find, and how often.
pub fn prospects(sprt: &Sprt, pairs: u64) -> String {
    let variance = GameVariance::new(USUAL_DRAWS, Elo(0.0)).unwrap_or(GameVariance::of_deviation(0.5));
    let (elo0, elo1) = (sprt.elo0(), sprt.elo1());
    let plan = |elo: f64| sprt.plan(variance, variance.on_scale(sprt.model(), elo), Some(2 * pairs));
    let (scale, draws) = match sprt.model() {
        EloModel::Normalized => ("nElo", String::new()),
        EloModel::Logistic => ("Elo", format!(" (with {} draws)", whole_percent(USUAL_DRAWS))),
    };
    let middle = f64::midpoint(elo0, elo1);
    let [low, between, high] = [elo0, middle, elo1].map(|elo| {
        let plan = plan(elo);
        let ends = [
            plan.pass_probability,
            plan.fail_probability,
            plan.undecided_probability(),
        ];
        ends.map(whole_percent)
    });
    format!(
        "SPRT [{elo0}, {elo1}] {scale}, at most {pairs} pairs: a true difference of {elo1} {scale} passes in {}, fails in {}, \
         stays undecided in {}; of {middle} in {}; of {elo0} in {}{draws}",
        high[0],
        high[1],
        high[2],
        between.join(", "),
        low.join(", "),
    )
}

fn whole_percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// A verdict as a phrase.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AcceptH1 => "accepted: H1, stronger than by elo0",
        Verdict::AcceptH0 => "rejected: H0, not stronger by elo1",
        Verdict::Continue => "no verdict yet",
    }
}

/// The strength after the test, as a line without its end.
pub fn estimate(estimate: &SequentialEstimate) -> String {
    format!(
        "Test  | Elo {} [{}, {}] ({CONFIDENCE}), LOS {}, corrected for the early stop",
        signed(Some(estimate.elo.0), 2),
        interval_end(estimate.low.0, 2),
        interval_end(estimate.high.0, 2),
        chance(Some(estimate.los)),
    )
}

/// The strength with a little in empty cells ([`Estimate::regularized`]), as a line without its end.
pub fn regularized(estimate: &Estimate) -> String {
    format!(
        "        {}, LOS {}, with 0.001 in empty cells, as fishtest prints it",
        exact_plus_minus(Some(estimate.elo.0), estimate.elo_error_95.map(|error| error.0)),
        chance(Some(estimate.los)),
    )
}

/// What a dash among Elo, its error and the error of normalized Elo means, as a line without its end. `None` when all are known.
pub fn unknown([elo, error, normalized_error]: [Option<f64>; 3]) -> Option<&'static str> {
    if elo.is_none() {
        Some("note: `-`: no Elo, because one side won everything")
    } else if error.is_none() {
        Some("note: `-`: no error, because the interval of the score reaches 0% or 100%: there are too few games")
    } else if normalized_error.is_none() {
        Some("note: `-`: no error in nElo, because all outcomes were alike")
    } else {
        None
    }
}

/// Elo, its error and the error of normalized Elo, where they are known.
pub(crate) fn figures(estimate: &Estimate) -> [Option<f64>; 3] {
    [
        Some(estimate.elo.0).filter(|elo| elo.is_finite()),
        estimate.elo_error_95.map(|error| error.0),
        estimate.normalized_elo_error_95.map(|error| error.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::Pentanomial;

    #[test]
    fn a_dash_is_explained() {
        let unknown = |counts| unknown(figures(&Estimate::of(&Pentanomial::new(counts)).unwrap()));
        assert!(unknown([0, 0, 0, 0, 2]).is_some_and(|note| note.contains("won everything")));
        assert!(unknown([0, 1, 0, 0, 0]).is_some_and(|note| note.contains("too few games")));
        assert!(unknown([0, 0, 9, 0, 0]).is_some_and(|note| note.contains("no error in nElo")));
        assert_eq!(unknown([0, 2, 9, 3, 0]), None);
    }

    #[test]
    fn a_test_says_what_it_can_find() {
        let line = |model, elo0, elo1, pairs| prospects(&Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap(), pairs);
        insta::assert_snapshot!(
            [
                line(EloModel::Normalized, 0.0, 20.0, 1_500),
                line(EloModel::Normalized, -5.0, 0.0, 5_000),
                line(EloModel::Logistic, 0.0, 5.0, 100_000),
            ]
            .join("\n")
        );
    }
}
