//! A model that predicts Elo against the reference from measures, and its file.

use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source};
use lmrlab_stats::meta::Prediction;
use lmrlab_stats::ridge::{Ridge, RidgeError};
use serde::{Deserialize, Serialize};

use super::conditions::REFERENCE;
use super::measures::{FEATURES, MEASURES, Measures};
use super::training::{Training, Validation};

/// The probability that the predictions' intervals have.
pub const LEVEL: f64 = 0.8;

/// The file of the model that is built in, below the project's root.
pub const MODEL: &str = "configs/screen/model.toml";

/// The format of the file.
const FORMAT: u32 = 1;

/// What the head of a model's file says.
const HEAD: &str = "\
# Predicts Elo from the measures of `lmrlab screen`. `lmrlab screen --fit` wrote this file; do not edit it by hand.
# An Elo is the intercept plus coefficient * (feature - mean) / scale of each feature.
";

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: u32,
    /// The policy that Elo is against.
    pub reference: String,
    /// How its measures were made, in words.
    pub conditions: String,
    /// Nodes a move of the games.
    pub match_nodes: u64,
    /// Settings that it was fitted to.
    pub settings: usize,
    /// Their families.
    pub families: usize,
    /// Their pairs of games.
    pub pairs: u64,
    /// The rank correlation of predicted and measured Elo over families that were left out.
    pub rank_correlation: f64,
    /// The rank correlation that a perfect prediction would have, about: the games have errors.
    pub ceiling: f64,
    /// The root mean square error of the same, in Elo.
    pub rmse: f64,
    /// Share of the measured results in its 80% interval.
    pub coverage: f64,
    penalty: f64,
    scatter: f64,
    freedom: f64,
    intercept: f64,
    feature: Vec<FeatureFit>,
    covariance: Vec<Vec<f64>>,
    /// Each measure alone.
    pub alone: Vec<Alone>,
}

/// A feature in the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FeatureFit {
    name: String,
    mean: f64,
    scale: f64,
    coefficient: f64,
}

/// What a measure is worth without the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alone {
    /// Its column.
    pub measure: String,
    /// The share of its variance between the settings that is not its own error.
    pub reliability: f64,
    /// Its own rank correlation with Elo.
    pub raw_correlation: f64,
    /// That of predictions from it alone, over families that were left out.
    pub rank_correlation: f64,
    /// The root mean square error of these, in Elo.
    pub rmse: f64,
}

impl Model {
    /// Fits a model.
    ///
    /// # Errors
    /// When there are too few families.
    pub fn fit(training: &Training) -> Result<Self, RidgeError> {
        let Ridge {
            means,
            scales,
            coefficients,
            covariance,
            penalty,
            scatter,
            freedom,
        } = Ridge::fit(&training.observations(), &training.reliabilities())?;
        let Validation {
            rank_correlation,
            rmse,
            coverage,
        } = training.validate()?;
        let numbers = means.into_iter().zip(scales).zip(coefficients.iter().skip(1));
        let feature = FEATURES
            .iter()
            .zip(numbers)
            .map(|(feature, ((mean, scale), coefficient))| FeatureFit {
                name: feature.name.to_owned(),
                mean,
                scale,
                coefficient: *coefficient,
            });
        let raw = training.raw_correlations().into_iter().zip(training.reliability());
        let alone = MEASURES.iter().zip(training.validate_alone()?).zip(raw);
        let alone = alone.map(|((measure, alone), (raw_correlation, reliability))| Alone {
            measure: measure.column.to_owned(),
            reliability,
            raw_correlation,
            rank_correlation: alone.rank_correlation,
            rmse: alone.rmse,
        });
        Ok(Self {
            format: FORMAT,
            reference: REFERENCE.to_owned(),
            conditions: training.conditions().to_owned(),
            match_nodes: training.match_nodes(),
            settings: training.settings(),
            families: training.families(),
            pairs: training.pairs(),
            rank_correlation,
            ceiling: training.ceiling(),
            rmse,
            coverage,
            penalty,
            scatter,
            freedom,
            intercept: coefficients.first().copied().unwrap_or(0.0),
            feature: feature.collect(),
            covariance: covariance.chunks(coefficients.len()).map(<[f64]>::to_vec).collect(),
            alone: alone.collect(),
        })
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no model of this program.
    pub fn read(path: &Path, name: &str) -> Result<Self, Diagnostics> {
        Self::parse(Source::read_from(&Files::on_disk(), path, name)?)
    }

    fn parse(source: Source) -> Result<Self, Diagnostics> {
        let help = "`lmrlab screen --fit SETTINGS --out FILE` writes a model";
        let wrong = |error: Diagnostic| Diagnostics::new(source.clone(), vec![error.help(help)]);
        let model: Self = toml::from_str(&source.text).map_err(|error| {
            let diagnostic = Diagnostic::error("this is no model");
            wrong(match error.span() {
                Some(span) => diagnostic.at(span, error.message()),
                None => Diagnostic::error(format!("this is no model: {}", error.message())),
            })
        })?;
        match model.is_usable() {
            true => Ok(model),
            false => Err(wrong(Diagnostic::error("this is no model of this version of lmrlab"))),
        }
    }

    fn is_usable(&self) -> bool {
        let size = FEATURES.len() + 1;
        let names = self.feature.iter().map(|feature| feature.name.as_str());
        let numbers = self.feature.iter().flat_map(|of| [of.mean, of.scale, of.coefficient]);
        let mut all = numbers.chain(self.covariance.iter().flatten().copied()).chain([
            self.scatter,
            self.freedom,
            self.intercept,
        ]);
        self.format == FORMAT
            && names.eq(FEATURES.iter().map(|feature| feature.name))
            && self.covariance.len() == size
            && self.covariance.iter().all(|row| row.len() == size)
            && all.all(f64::is_finite)
            && self.feature.iter().all(|feature| feature.scale > 0.0)
            && self.freedom >= 1.0
    }

    /// The file.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which would be a bug.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        Ok(format!("{HEAD}{}", toml::to_string(self)?))
    }

    /// Elo against the reference, with its 80% interval.
    pub fn predict(&self, measures: &Measures) -> Prediction {
        self.ridge().predict(&measures.features(), LEVEL)
    }

    /// Elo against another policy, with its 80% interval.
    pub fn predict_against(&self, measures: &Measures, other: &Measures) -> Prediction {
        self.ridge()
            .predict_difference(&measures.features(), &other.features(), LEVEL)
    }

    fn ridge(&self) -> Ridge {
        let numbers = |of: fn(&FeatureFit) -> f64| self.feature.iter().map(of).collect::<Vec<f64>>();
        let coefficients = numbers(|feature| feature.coefficient);
        Ridge {
            means: numbers(|feature| feature.mean),
            scales: numbers(|feature| feature.scale),
            coefficients: std::iter::once(self.intercept).chain(coefficients).collect(),
            covariance: self.covariance.concat(),
            penalty: self.penalty,
            scatter: self.scatter,
            freedom: self.freedom,
        }
    }

    /// The measure that alone predicts best, with its name.
    pub fn best_alone(&self) -> Option<(&'static str, &Alone)> {
        let best = (self.alone.iter()).max_by(|a, b| a.rank_correlation.total_cmp(&b.rank_correlation))?;
        let measure = MEASURES.iter().find(|measure| measure.column == best.measure)?;
        Some((measure.name, best))
    }
}
