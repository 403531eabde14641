//! What the reports say about an idea: one value for each engine, and their mean.
//!
//! A sequential test stops when it looks good, or bad. So what a passed test reports is too high, and what a failed test reports is
//! too low. Here every test with bounds gets the [estimate that allows for the stop](lmrlab_stats::SequentialEstimate). Reports often
//! do not say whether the bounds are in normalized Elo, logistic Elo or, where single games were counted, BayesElo. The scale is taken
//! on which the log-likelihood ratio ends nearest to the bound of the outcome. Error rates are taken as 5%, as is usual.

use std::collections::BTreeMap;

use lmrlab_results::number_text::{counted, signed};
use lmrlab_stats::meta::RandomEffectsMean;
use lmrlab_stats::{DEVIATIONS_95, Elo, EloModel, Outcomes, ResultSummary, SequentialEstimate, Sprt, Trinomial};

use super::reports::{Counts, Outcome, Report};

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

/// All results of an idea in an engine, such as those at a short and a long time control.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineResult {
    /// The engine.
    pub engine: String,
    /// Elo: the mean of its tests, weighted by their precision.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

/// The reports of an idea.
#[derive(Debug, Clone, PartialEq)]
pub struct Reported {
    /// Tests of the idea.
    pub tests: Vec<TestResult>,
    /// One result for each engine, by name.
    pub engines: Vec<EngineResult>,
    /// The mean over engines.
    pub mean: RandomEffectsMean,
}

impl Reported {
    /// The result of the reports of an idea; `None` when no report is a test of it.
    pub fn of(reports: &[Report], idea: &str) -> Option<Self> {
        let of_idea = reports.iter().filter(|report| report.idea == idea);
        let results = of_idea.filter_map(|report| Some((report.engine.as_str(), TestResult::of(report)?)));
        let results: Vec<(&str, TestResult)> = results.collect();
        let mut by_engine: BTreeMap<&str, Vec<TestResult>> = BTreeMap::new();
        for (engine, result) in &results {
            by_engine.entry(engine).or_default().push(*result);
        }
        let engines: Vec<EngineResult> = by_engine
            .into_iter()
            .map(|(engine, results)| {
                let weights: f64 = results.iter().map(TestResult::precision).sum();
                let sum: f64 = results.iter().map(|result| result.precision() * result.elo).sum();
                EngineResult {
                    engine: engine.to_owned(),
                    elo: sum / weights,
                    error: weights.recip().sqrt(),
                }
            })
            .collect();
        let values: Vec<(f64, f64)> = engines
            .iter()
            .map(|engine| (engine.elo, engine.error * engine.error))
            .collect();
        Some(Self {
            tests: results.into_iter().map(|(_, result)| result).collect(),
            engines,
            mean: RandomEffectsMean::of(&values)?,
        })
    }

    /// The mean with its 95% error and the number of engines.
    pub fn mean_text(&self) -> String {
        let engines = counted(self.engines.len() as u64, "engine");
        format!(
            "{} ± {:.1} ({engines})",
            signed(Some(self.mean.value), 1),
            self.mean.error_95
        )
    }

    /// The interval for another engine; `None` with fewer than three engines.
    pub fn forecast_text(&self) -> Option<String> {
        let interval = self.mean.prediction_interval(FORECAST_LEVEL)?;
        Some(format!(
            "{} to {}",
            signed(Some(interval.low), 1),
            signed(Some(interval.high), 1)
        ))
    }
}

impl TestResult {
    /// The result of a report; `None` when it does not test the idea, or has no error.
    pub fn of(report: &Report) -> Option<Self> {
        let sign = report.kind.sign()?;
        let plain = plain(report)?;
        let (elo, error) = corrected(report, plain).unwrap_or((plain.elo.0, plain.elo_error_95.0 / DEVIATIONS_95));
        Some(Self {
            elo: sign * elo,
            error,
            as_reported: sign * plain.elo.0,
        })
    }

    fn precision(&self) -> f64 {
        (self.error * self.error).recip()
    }
}

/// A result without a correction.
fn plain(report: &Report) -> Option<ResultSummary> {
    let counted = report.counts.and_then(|counts| {
        let estimate = counts.estimate()?;
        Some([estimate.elo.0, estimate.elo_error_95?.0])
    });
    let [elo, error] = counted.or(report.elo)?;
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
        let distance = match report.outcome {
            Outcome::Passed => (ratio - upper).abs(),
            Outcome::Failed => (ratio - lower).abs(),
            Outcome::Other => 0.0,
        };
        Some((distance, estimate))
    });
    let (_, SequentialEstimate { elo, low, high, .. }) = tests.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let error = (high.0 - low.0) / (2.0 * DEVIATIONS_95);
    (elo.0.is_finite() && error.is_finite() && error > 0.0).then_some((elo.0, error))
}

/// The tests that a report may be of, the most usual first.
fn tests(report: &Report) -> Vec<Sprt> {
    let Some([elo0, elo1]) = report.bounds else {
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

    /// By hand: with a quarter lost and a quarter won the odds are 3, and 4 * 3 / (1 + 3)² is 3/4.
    #[test]
    fn half_of_the_games_drawn_shrink_bayes_elo_by_a_quarter() {
        let scale = elo_a_bayes_elo(&Trinomial::new(250, 500, 250)).unwrap();
        assert!((scale - 0.75).abs() < 1e-12, "{scale}");
        let without = elo_a_bayes_elo(&Trinomial::new(500, 1, 500)).unwrap();
        assert!((without - 1.0).abs() < 1e-5, "{without}");
        assert_eq!(elo_a_bayes_elo(&Trinomial::new(5, 10, 0)), None);
    }

    /// A test of single games that ended at its bound in BayesElo.
    #[test]
    fn single_games_are_tested_in_bayes_elo() {
        let games = Trinomial::new(4_806, 6_431, 4_715);
        let report = Report {
            idea: "a".to_owned(),
            kind: super::super::reports::Kind::Add,
            engine: "b".to_owned(),
            elo: None,
            games: None,
            counts: Some(Counts::Games(games)),
            bounds: Some([-1.0, 4.0]),
            outcome: Outcome::Failed,
            year: String::new(),
            time_control: String::new(),
            url: String::new(),
        };
        let ratios: Vec<f64> = tests(&report).iter().map(|sprt| sprt.llr(&games)).collect();
        let (lower, _) = tests(&report)[0].bounds();
        let distances: Vec<f64> = ratios.iter().map(|ratio| (ratio - lower).abs()).collect();
        assert_eq!(ratios.len(), 3);
        assert!(distances[0] < 0.15, "{ratios:?}");
        assert!(distances[0] < distances[1] && distances[0] < distances[2], "{ratios:?}");
    }
}
