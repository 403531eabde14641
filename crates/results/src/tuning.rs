//! The result of a tuning run: the keys of result.toml, and the data of its page.

use lmrlab_stats::{Estimate, Pentanomial};
use serde::{Deserialize, Serialize};

use crate::number_text::elo_with_error;

/// The text for a parameter that the prior determines more than the games.
pub const NOT_MEASURED: &str = "not yet known";

/// The keys of result.toml.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct TuningResult {
    pub pairs: u64,
    pub changed: bool,
    pub expected_gain_elo: Option<f64>,
    pub expected_gain_error_95: Option<f64>,
    pub verdict: Option<String>,
    pub parameter: Vec<ParameterResult>,
    pub choice: Vec<ChoiceResult>,
    pub gate: Vec<FinalMatchResult>,
}

/// The keys of a `[[parameter]]` of result.toml.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct ParameterResult {
    pub name: String,
    pub start: f64,
    pub tuned: f64,
    pub interval_95: Option<[f64; 2]>,
    pub measurable: Option<bool>,
}

/// The keys of a `[[choice]]` of result.toml.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct ChoiceResult {
    pub name: String,
    pub taken: String,
    pub no_verdict: Option<String>,
    pub value: Vec<ValueResult>,
}

/// The keys of a value of a choice in result.toml.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct ValueResult {
    pub value: String,
    pub pentanomial: [u64; 5],
    pub fate: String,
}

impl ValueResult {
    /// Its gain over the start, its pairs, the verdict.
    pub fn in_words(&self) -> String {
        let pairs = Pentanomial::new(self.pentanomial);
        let gain = Estimate::of(&pairs).map(|estimate| {
            let error = estimate.elo_error_95.map(|error| error.0);
            format!("{}, ", elo_with_error(estimate.elo.0, error))
        });
        let fate = match self.fate.as_str() {
            "accepted" => "better",
            "dropped" => "no better",
            _ => "undecided",
        };
        format!("{}{} pairs, {fate}", gain.unwrap_or_default(), pairs.pairs())
    }
}

/// The keys of a `[[gate]]` of result.toml: a final match.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct FinalMatchResult {
    pub limit: String,
    pub pentanomial: [u64; 5],
    pub elo: Option<f64>,
    pub elo_error_95: Option<f64>,
    pub verdict: String,
}

impl FinalMatchResult {
    /// The result in a line.
    pub fn line(&self) -> String {
        let elo = (self.elo).map_or_else(|| "no pairs".to_owned(), |elo| elo_with_error(elo, self.elo_error_95));
        let verdict = match self.verdict.as_str() {
            "gain" => "a gain",
            other => other,
        };
        format!("at {}: {elo}, pairs {:?}: {verdict}", self.limit, self.pentanomial)
    }
}

/// What the games show about a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// The 95% interval of its best value.
    pub interval: (f64, f64),
    /// The change that causes [`Self::effect`], in the parameter's unit.
    pub moved: f64,
    /// Elo lost by that change.
    pub effect: f64,
    /// Standard deviation of [`Self::effect`].
    pub deviation: f64,
    /// The share of the prior variance of [`Self::effect`] that the games have removed, from 0 to 1.
    pub share_of_games: f64,
}

impl Finding {
    /// Whether the interval and the deviation come more from the games than from the prior: the games have at least
    /// halved the variance. Before that they are no measurement.
    pub fn is_measured(&self) -> bool {
        self.share_of_games >= 0.5
    }

    /// Why a tuned value is not in the interval of the best value; `None` when it is.
    pub fn why_outside(&self, start: f64, tuned: f64) -> Option<&'static str> {
        let (low, high) = self.interval;
        if (low..=high).contains(&tuned) {
            None
        } else if tuned == start {
            Some("the start is outside; it stays until a gain is significant")
        } else {
            Some("the tuned value is outside; it goes only as far from the start as the gain is sure")
        }
    }

    /// The interval, where it comes from games.
    pub fn measured_interval(&self) -> Option<(f64, f64)> {
        self.is_measured().then_some(self.interval)
    }

    /// Whether the games show that the parameter matters: the effect is more than three standard deviations. Two would
    /// not be enough: the worse of two sides is taken, and the points depend on earlier outcomes.
    pub fn is_measurable(&self) -> bool {
        self.effect > 3.0 * self.deviation
    }
}

/// A parameter, and what the games show about it.
#[derive(Debug, Clone)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// Where tuning started.
    pub start: f64,
    /// The recommended value.
    pub tuned: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A change that is worth trying.
    pub step: f64,
    /// What the games show about it; `None` when the method does not know.
    pub finding: Option<Finding>,
}

impl TunedParameter {
    /// A value rounded for people; see [`short`].
    pub fn short(&self, value: f64) -> f64 {
        short(self.step, value)
    }
}

/// A value rounded to about a hundredth of a step, for people.
pub fn short(step: f64, value: f64) -> f64 {
    let digits = libm::ceil(1.0 - libm::log10(step)).clamp(0.0, 12.0);
    let unit = libm::pow(10.0, digits);
    libm::round(value * unit) / unit
}

/// What was recommended after some pairs.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The pairs that the method had learned from.
    pub pairs: u64,
    /// The recommended values, in the order of the parameters.
    pub values: Vec<f64>,
    /// The 95% intervals of the best values; `None` for parameters that the games show nothing about. Empty when they
    /// were not computed.
    pub intervals: Vec<Option<(f64, f64)>>,
}

/// The gain of a point over the start in Elo, and its standard deviation.
pub type StrengthModel = Box<dyn Fn(&[f64]) -> Option<(f64, f64)>>;

/// A tuning run, finished or not, as its page shows it.
pub struct TuningView {
    /// The name of the run.
    pub name: String,
    /// The engine that is tuned.
    pub engine: String,
    /// What a side can spend in a game.
    pub limit: String,
    /// What the final matches can find; `None` when there are none.
    pub gate: Option<String>,
    /// Whether the budget of pairs or of time is spent.
    pub is_complete: bool,
    /// What result.toml says of the games so far.
    pub result: TuningResult,
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// The recommended values during the run.
    pub moments: Vec<Moment>,
    /// The values of each side of each pair: those of the parameters come first.
    pub played: Vec<Vec<f64>>,
    /// The recommended point: the values of the parameters come first.
    pub point: Vec<f64>,
    /// The gain that the method expects at a point.
    pub model: StrengthModel,
    /// The choices without a race so far.
    pub not_raced: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_without_the_tuned_value_has_a_reason() {
        let finding = Finding {
            interval: (1.0, 2.0),
            moved: 0.5,
            effect: 20.0,
            deviation: 3.0,
            share_of_games: 0.4,
        };
        assert_eq!(finding.measured_interval(), None, "the prior is no measurement");
        for (start, tuned, reason) in [
            (0.0, 1.5, None),
            (0.0, 2.0, None),
            (0.0, 0.5, Some("goes only as far")),
            (0.5, 0.5, Some("it stays")),
        ] {
            let why = finding.why_outside(start, tuned);
            assert_eq!(why.is_some(), reason.is_some(), "{why:?}");
            assert!(why.is_none_or(|why| why.contains(reason.unwrap())), "{why:?}");
        }
    }
}
