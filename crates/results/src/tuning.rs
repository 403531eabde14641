//! The result of a tuning run: the keys of result.toml, and all that its page shows.

use serde::{Deserialize, Serialize};

/// What is said of a parameter while the prior says more about it than the games.
pub const NOT_MEASURED: &str = "too few games to say";

/// The keys of result.toml.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct TuningResult {
    pub pairs: u64,
    pub changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_gain_elo: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_gain_error_95: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_95: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measurable: Option<bool>,
}

/// The keys of a `[[choice]]` of result.toml.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct ChoiceResult {
    pub name: String,
    pub taken: String,
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// The keys of a `[[gate]]` of result.toml: a final match.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/files.md explains the keys")]
pub struct FinalMatchResult {
    pub limit: String,
    pub pentanomial: [u64; 5],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_error_95: Option<f64>,
    pub verdict: String,
}

/// What the games say about a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// The 95% interval of its best value.
    pub interval: (f64, f64),
    /// The change, in the parameter's unit, that [`Self::effect`] is about.
    pub moved: f64,
    /// Elo lost by that change.
    pub effect: f64,
    /// Standard deviation of [`Self::effect`].
    pub deviation: f64,
    /// The share of the prior variance of [`Self::effect`] that the games have removed, from 0 to 1.
    pub share_of_games: f64,
}

impl Finding {
    /// Whether interval and deviation come from games more than from the prior: the games have at least halved the variance.
    /// Before that they are no measurement.
    pub fn is_measured(&self) -> bool {
        self.share_of_games >= 0.5
    }

    /// Whether the games show that the parameter matters: the effect is more than three standard deviations. Two would not
    /// do, because the worse of two sides is taken and the points depend on earlier outcomes.
    pub fn is_measurable(&self) -> bool {
        self.effect > 3.0 * self.deviation
    }
}

/// A parameter, and what is known of it.
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
    /// What the games say about it; nothing when the method does not know.
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
    /// The 95% intervals of the best values; empty where they were not computed.
    pub intervals: Vec<(f64, f64)>,
}

/// A value of a choice, and its race.
#[derive(Debug, Clone)]
pub struct RacedValue {
    /// The name of the choice.
    pub choice: String,
    /// The value.
    pub value: String,
    /// Whether it was taken.
    pub is_taken: bool,
    /// Its games against the start, in words.
    pub result: String,
}

/// A final match: tuned against start.
#[derive(Debug, Clone)]
pub struct FinalMatch {
    /// What each side could spend.
    pub limit: String,
    /// The Elo of the tuned values over the start, and the error of 95%; nothing without pairs.
    pub elo: Option<(f64, Option<f64>)>,
    /// The result in a line.
    pub line: String,
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
    /// Whether all pairs of the budget were played.
    pub is_complete: bool,
    /// What result.toml says of the games so far.
    pub result: TuningResult,
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// The way that the recommended values went.
    pub moments: Vec<Moment>,
    /// The values of each side of each pair: those of the parameters come first.
    pub played: Vec<Vec<f64>>,
    /// The recommended point: the values of the parameters come first.
    pub point: Vec<f64>,
    /// What the method believes about points, if it has a model.
    pub model: StrengthModel,
    /// The values of the choices that were raced.
    pub raced: Vec<RacedValue>,
    /// The choices whose race has not begun.
    pub not_raced: Vec<String>,
    /// The final matches so far.
    pub final_matches: Vec<FinalMatch>,
}
