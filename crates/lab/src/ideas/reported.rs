//! What the reports say about an idea: one value for each engine, and their mean.
//!
//! A sequential test stops when it looks good, or bad. So what a passed test reports is too high, and what a failed test reports is
//! too low. Here every test with bounds gets the [estimate that allows for the stop](lmrlab_stats::SequentialEstimate). Reports often
//! do not say whether the bounds are in normalized Elo, logistic Elo or, where single games were counted, BayesElo. The scale is taken
//! on which the log-likelihood ratio ends nearest to the bound of the outcome. Error rates are taken as 5%, as is usual.

use std::collections::BTreeMap;

use lmrlab_policy::idea::Idea;
use lmrlab_results::number_text::{counted, elo_plus_minus};
use lmrlab_results::rows::ideas::IdeaRow;
use lmrlab_stats::meta::RandomEffectsMean;
use lmrlab_stats::{DEVIATIONS_95, Elo, EloModel, ResultSummary, SequentialEstimate, Sprt, Trinomial};

use super::reports::{Bounds, Counts, Report};

/// The probability that the forecast for another engine states.
pub const FORECAST_LEVEL: f64 = 0.8;

/// The result of one test, as the Elo that the idea is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestResult {
    /// Elo, corrected for the stop.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
    /// Elo as reported.
    pub as_reported: f64,
}

/// The Elo of an idea in each engine, by its name: the mean of the tests weighted by their precision, and its variance.
pub(super) fn by_engine(reports: &[Report]) -> BTreeMap<&str, (f64, f64)> {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (report, result) in reports
        .iter()
        .filter_map(|report| Some((report, TestResult::of(report)?)))
    {
        let precision = (result.error * result.error).recip();
        let (sum, weights) = sums.entry(&report.engine).or_default();
        *sum += precision * result.elo;
        *weights += precision;
    }
    for (sum, weights) in sums.values_mut() {
        let error = weights.recip().sqrt();
        (*sum, *weights) = (*sum / *weights, error * error);
    }
    sums
}

/// An idea as a line of a table, with what these reports say about it.
pub(super) fn row(name: &str, idea: &Idea, reports: &[Report]) -> IdeaRow {
    let engines = by_engine(reports);
    let values: Vec<(f64, f64)> = engines.into_values().collect();
    let mean = RandomEffectsMean::of(&values);
    let forecast = mean.as_ref().and_then(|mean| mean.prediction_interval(FORECAST_LEVEL));
    let tests = reports.iter().filter_map(TestResult::of).count();
    IdeaRow {
        idea: name.to_owned(),
        category: idea.category.clone(),
        elo: mean.as_ref().map(|mean| mean.value),
        elo_error_95: mean.as_ref().map(|mean| mean.error_95),
        engines: values.len() as u64,
        tests: tests as u64,
        sentence: idea.sentence.clone(),
        found: idea.found.clone().unwrap_or_default(),
        tau: mean.as_ref().map(|mean| mean.tau),
        q: mean.as_ref().map(|mean| mean.q),
        q_probability: mean.as_ref().map(|mean| mean.q_probability),
        forecast_low: forecast.as_ref().map(|interval| interval.low),
        forecast_high: forecast.as_ref().map(|interval| interval.high),
    }
}

/// The mean of the reports with its 95% error and the number of engines; `None` when no report is a test of the idea.
pub fn mean_text(row: &IdeaRow) -> Option<String> {
    let text = elo_plus_minus(Some(row.elo?), Some(row.elo_error_95?));
    Some(format!("{text} ({})", counted(row.engines, "engine")))
}

impl TestResult {
    /// The result of a report; `None` when it does not test the idea, or has no error.
    pub fn of(report: &Report) -> Option<Self> {
        let sign = report.sign()?;
        let plain = plain(report)?;
        let (elo, error) = corrected(report, plain).unwrap_or((plain.elo.0, plain.elo_error_95.0 / DEVIATIONS_95));
        Some(Self {
            elo: sign * elo,
            error,
            as_reported: sign * plain.elo.0,
        })
    }
}

/// A result without a correction.
fn plain(report: &Report) -> Option<ResultSummary> {
    let counted = report.counts.and_then(|counts| {
        let estimate = counts.estimate()?;
        Some([estimate.elo.0, estimate.elo_error_95?.0])
    });
    let [elo, error] = counted.or(report.elo.zip(report.elo_error_95).map(<[f64; 2]>::from))?;
    (elo.is_finite() && error > 0.0).then_some(ResultSummary {
        elo: Elo(elo),
        elo_error_95: Elo(error),
        games: report.games.unwrap_or(0),
    })
}

/// The estimate that allows for the stop, with its standard error; `None` when there was no sequential test.
fn corrected(report: &Report, plain: ResultSummary) -> Option<(f64, f64)> {
    let tests = tests(report).into_iter().filter_map(|sprt| {
        let (ratio, estimate) = match &report.counts {
            Some(Counts::Pairs(pairs)) => (sprt.llr(pairs), sprt.estimate(pairs)?),
            Some(Counts::Games(games)) => (sprt.llr(games), sprt.estimate(games)?),
            None => (sprt.llr_of_summary(&plain)?, sprt.estimate_of_summary(&plain)?),
        };
        let (lower, upper) = sprt.bounds();
        let distance = match report.outcome.as_str() {
            "passed" => (ratio - upper).abs(),
            "failed" => (ratio - lower).abs(),
            _ => 0.0,
        };
        Some((distance, estimate))
    });
    let (_, SequentialEstimate { elo, low, high, .. }) = tests.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let error = (high.0 - low.0) / (2.0 * DEVIATIONS_95);
    (elo.0.is_finite() && error.is_finite() && error > 0.0).then_some((elo.0, error))
}

/// The tests that a report may be of, the most usual first.
fn tests(report: &Report) -> Vec<Sprt> {
    let Some(Bounds([elo0, elo1])) = report.bounds else {
        return Vec::new();
    };
    let rate = Sprt::DEFAULT_ERROR_RATE;
    let of = |model, scale: f64| Sprt::new(model, scale * elo0, scale * elo1, rate, rate).ok();
    let bayes = match &report.counts {
        Some(Counts::Games(games)) => elo_a_bayes_elo(games).and_then(|scale| of(EloModel::Logistic, scale)),
        _ => None,
    };
    let others = [EloModel::Normalized, EloModel::Logistic].map(|model| of(model, 1.0));
    bayes.into_iter().chain(others.into_iter().flatten()).collect()
}

/// Logistic Elo for each point of BayesElo, near zero, at the draw rate of these games; `None` when an outcome is missing.
///
/// BayesElo has draws as a margin around equality: a game is won with the probability 1 / (1 + 10^((margin - elo) / 400)). Source: Rémi
/// Coulom, *Bayesian Elo Rating*, 2005.
fn elo_a_bayes_elo(games: &Trinomial) -> Option<f64> {
    let counts = games.counts().map(|count| count as f64);
    if counts.contains(&0.0) {
        return None;
    }
    let all: f64 = counts.iter().sum();
    let [losses, _, wins] = counts.map(|count| count / all);
    // 10^(margin / 400), from odds of both sides.
    let odds = ((1.0 - losses) / losses * (1.0 - wins) / wins).sqrt();
    Some(4.0 * odds / ((1.0 + odds) * (1.0 + odds)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ideas::reports::parse_reports;
    use lmrlab_diagnostics::Source;

    /// By hand: with a quarter lost and a quarter won the odds are 3, and 4 * 3 / (1 + 3)² is 3/4.
    #[test]
    fn half_of_the_games_drawn_shrink_bayes_elo_by_a_quarter() {
        let scale = elo_a_bayes_elo(&Trinomial::new([250, 500, 250])).unwrap();
        assert!((scale - 0.75).abs() < 1e-12, "{scale}");
        let without = elo_a_bayes_elo(&Trinomial::new([500, 1, 500])).unwrap();
        assert!((without - 1.0).abs() < 1e-5, "{without}");
        assert_eq!(elo_a_bayes_elo(&Trinomial::new([5, 10, 0])), None);
    }

    /// A test of single games that ended at its bound in BayesElo.
    #[test]
    fn single_games_are_tested_in_bayes_elo() {
        let games = Trinomial::new([4_806, 6_431, 4_715]);
        let text = "idea,kind,engine,year,stage,tc,elo,elo_error_95,games,counts,bounds,outcome,url\n\
                    a,add,b,,,,,,,W/L/D 4715/4806/6431,\"[-1,4]\",failed,https://example.org\n";
        let report = &parse_reports(&Source::new("reports.csv", text)).unwrap()[0];
        let ratios: Vec<f64> = tests(report).iter().map(|sprt| sprt.llr(&games)).collect();
        let (lower, _) = tests(report)[0].bounds();
        let distances: Vec<f64> = ratios.iter().map(|ratio| (ratio - lower).abs()).collect();
        assert_eq!(ratios.len(), 3);
        assert!(distances[0] < 0.15, "{ratios:?}");
        assert!(distances[0] < distances[1] && distances[0] < distances[2], "{ratios:?}");
    }
}
