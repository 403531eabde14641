//! The result of a tuning run: the keys of result.toml, which docs/files.md explains.

use serde::Serialize;

/// The keys of result.toml.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TuningResult {
    pub(crate) pairs: u64,
    pub(crate) changed: bool,
    pub(crate) expected_gain_elo: Option<f64>,
    pub(crate) expected_gain_error_95: Option<f64>,
    pub(crate) verdict: Option<String>,
    pub(crate) parameter: Vec<ParameterResult>,
    #[serde(rename = "gate")]
    pub(crate) final_matches: Vec<FinalMatchResult>,
}

/// The keys of a `[[parameter]]` of result.toml.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ParameterResult {
    pub(crate) name: String,
    pub(crate) start: f64,
    pub(crate) tuned: f64,
    pub(crate) interval_95: Option<[f64; 2]>,
    pub(crate) measurable: Option<bool>,
}

/// The keys of a `[[gate]]` of result.toml: a final match.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FinalMatchResult {
    pub(crate) limit: String,
    pub(crate) pentanomial: [u64; 5],
    pub(crate) elo: Option<f64>,
    pub(crate) elo_error_95: Option<f64>,
    pub(crate) verdict: String,
}
