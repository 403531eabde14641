//! What a model is fitted to, and how well it predicts families that it never saw.

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_stats::correlation::spearman;
use lmrlab_stats::meta::Prediction;
use lmrlab_stats::ridge::{Observation, RidgeError, leave_groups_out};
use lmrlab_stats::{DEVIATIONS_95, Estimate};

use super::measures::{FEATURES, MEASURES, Measures};
use super::model::LEVEL;
use super::settings::Setting;

/// A setting that was measured and has played.
#[derive(Debug, Clone)]
struct Measured {
    family: usize,
    measures: Measures,
    errors_95: [f64; MEASURES.len()],
    estimate: Estimate,
    pairs: u64,
}

/// Settings with measures and games.
#[derive(Debug, Clone)]
pub struct Training {
    settings: Vec<Measured>,
    families: usize,
    match_nodes: u64,
    conditions: String,
}

/// How well predictions of families that were left out agree with the games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Validation {
    /// Spearman's rank correlation of predicted and measured Elo; 0 when all predictions are alike.
    pub rank_correlation: f64,
    /// Root of the mean square of predicted minus measured Elo.
    pub rmse: f64,
    /// Share of the measured results in the 80% interval, which includes the errors of the games.
    pub coverage: f64,
}

impl Training {
    /// The settings of a file.
    ///
    /// # Errors
    /// For a setting without measures or with too few games.
    pub fn of(settings: &[Setting], name: &str) -> Result<Self, Diagnostics> {
        let mut families: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        let mut errors = Vec::new();
        for setting in settings {
            let estimate = setting.pairs.as_ref().and_then(Estimate::regularized);
            let family = families
                .iter()
                .position(|family| *family == setting.family)
                .unwrap_or_else(|| {
                    families.push(&setting.family);
                    families.len() - 1
                });
            match (setting.measures, estimate, &setting.pairs) {
                (Some(measures), Some(estimate), Some(pairs)) => found.push(Measured {
                    family,
                    measures,
                    errors_95: setting.errors_95,
                    estimate,
                    pairs: pairs.pairs(),
                }),
                (None, ..) => errors.push(format!("`{}` has no measures", setting.policy)),
                _ => errors.push(format!("`{}` has no games", setting.policy)),
            }
        }
        let first = settings.first();
        let conditions = first.map_or("", |first| &first.conditions);
        let match_nodes = first.and_then(|first| first.match_nodes).unwrap_or(0);
        let is_other =
            |setting: &&Setting| setting.conditions != conditions || setting.match_nodes != Some(match_nodes);
        if let Some(other) = settings.iter().find(is_other).filter(|_| errors.is_empty()) {
            errors.push(format!(
                "`{}` has other conditions or match_nodes than the first line",
                other.policy
            ));
        }
        if errors.is_empty() {
            return Ok(Self {
                settings: found,
                families: families.len(),
                match_nodes,
                conditions: conditions.to_owned(),
            });
        }
        let help = "`lmrlab screen --settings FILE --games PAIRS --csv OUT` writes a file with both";
        let list = errors.into_iter().map(|error| Diagnostic::error(error).help(help));
        Err(Diagnostics::new(Source::new(name, ""), list.collect()))
    }

    /// How many settings there are.
    pub fn settings(&self) -> usize {
        self.settings.len()
    }

    /// In how many families.
    pub fn families(&self) -> usize {
        self.families
    }

    /// Pairs of games of all settings.
    pub fn pairs(&self) -> u64 {
        self.settings.iter().map(|setting| setting.pairs).sum()
    }

    /// Nodes a move of the games.
    pub(super) fn match_nodes(&self) -> u64 {
        self.match_nodes
    }

    /// How the measures were made.
    pub(super) fn conditions(&self) -> &str {
        &self.conditions
    }

    /// Mean half width of the 95% intervals of the measured Elo.
    pub fn mean_error_95(&self) -> f64 {
        let errors = self
            .settings
            .iter()
            .map(|setting| DEVIATIONS_95 * variance(&setting.estimate).sqrt());
        errors.sum::<f64>() / self.settings.len().max(1) as f64
    }

    /// Standard deviation of the Elo differences between settings, the errors of the games taken away; 0 when these explain all.
    pub fn true_spread(&self) -> f64 {
        let count = self.settings.len().max(1) as f64;
        let mean = self.settings.iter().map(|setting| setting.estimate.elo.0).sum::<f64>() / count;
        let squares = self
            .settings
            .iter()
            .map(|setting| (setting.estimate.elo.0 - mean).powi(2));
        let noise = self.settings.iter().map(|setting| variance(&setting.estimate));
        ((squares.sum::<f64>() - noise.sum::<f64>()) / count).max(0.0).sqrt()
    }

    /// The correlation with measured Elo that a perfect prediction would have: the games have errors, too. (C. Spearman, *The
    /// proof and measurement of association between two things*, 1904: the attenuation by errors.)
    pub fn ceiling(&self) -> f64 {
        let count = self.settings.len().max(1) as f64;
        let noise = self
            .settings
            .iter()
            .map(|setting| variance(&setting.estimate))
            .sum::<f64>()
            / count;
        let spread = self.true_spread().powi(2);
        (spread / (spread + noise)).sqrt()
    }

    /// All features of every setting, with its Elo.
    pub(super) fn observations(&self) -> Vec<Observation> {
        self.with(Measures::features)
    }

    /// The model on families that it never saw.
    ///
    /// # Errors
    /// When there are too few families.
    pub fn validate(&self) -> Result<Validation, RidgeError> {
        self.validation(&self.observations(), &self.reliabilities())
    }

    /// Each measure alone, fitted as the model is.
    ///
    /// # Errors
    /// When there are too few families.
    pub fn validate_alone(&self) -> Result<[Validation; MEASURES.len()], RidgeError> {
        let mut found = [Validation {
            rank_correlation: 0.0,
            rmse: 0.0,
            coverage: 0.0,
        }; MEASURES.len()];
        for (measure, place) in found.iter_mut().enumerate() {
            *place = self.validation_alone(measure)?;
        }
        Ok(found)
    }

    /// Rank correlations of the measures themselves with Elo, without any fit.
    pub fn raw_correlations(&self) -> [f64; MEASURES.len()] {
        std::array::from_fn(|measure| {
            let pairs = self
                .settings
                .iter()
                .map(|setting| (setting.measures.0[measure], setting.estimate.elo.0));
            let (first, second): (Vec<f64>, Vec<f64>) = pairs.unzip();
            spearman(&first, &second).unwrap_or(0.0)
        })
    }

    fn with(&self, features: impl Fn(&Measures) -> Vec<f64>) -> Vec<Observation> {
        let observation = |setting: &Measured| Observation {
            group: setting.family,
            features: features(&setting.measures),
            effect: setting.estimate.elo.0,
            variance: variance(&setting.estimate),
        };
        self.settings.iter().map(observation).collect()
    }

    /// Of each measure the share of its variance between settings that is not its own error, 0 to 1.
    pub fn reliability(&self) -> [f64; MEASURES.len()] {
        let count = self.settings.len().max(1) as f64;
        std::array::from_fn(|measure| {
            let values = self.settings.iter().map(|setting| setting.measures.0[measure]);
            let mean = values.clone().sum::<f64>() / count;
            let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
            let errors = self
                .settings
                .iter()
                .map(|setting| setting.errors_95[measure] / DEVIATIONS_95);
            let noise = errors.map(|error| error * error).sum::<f64>() / count;
            match variance > 0.0 {
                true => (1.0 - noise / variance).max(0.0),
                false => 0.0,
            }
        })
    }

    /// The reliabilities of the features.
    pub(super) fn reliabilities(&self) -> Vec<f64> {
        let of_measure = self.reliability();
        FEATURES.iter().map(|feature| of_measure[feature.measure]).collect()
    }

    fn validation_alone(&self, measure: usize) -> Result<Validation, RidgeError> {
        let features = FEATURES.iter().filter(|feature| feature.measure == measure).count();
        let observations = self.with(|measures| measures.features_of(measure));
        self.validation(&observations, &vec![1.0; features])
    }

    fn validation(&self, observations: &[Observation], reliabilities: &[f64]) -> Result<Validation, RidgeError> {
        let predicted = leave_groups_out(observations, reliabilities, LEVEL)?;
        let pairs: Vec<(f64, f64)> = (predicted.iter().zip(observations))
            .map(|(predicted, observation)| (predicted.mean, observation.effect))
            .collect();
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let count = pairs.len().max(1) as f64;
        let squares: f64 = pairs
            .iter()
            .map(|(predicted, measured)| (predicted - measured).powi(2))
            .sum();
        let is_within = |(predicted, observation): &(&Prediction, &Observation)| {
            (predicted.low..=predicted.high).contains(&observation.effect)
        };
        Ok(Validation {
            rank_correlation: spearman(&first, &second).unwrap_or(0.0),
            rmse: (squares / count).sqrt(),
            coverage: predicted.iter().zip(observations).filter(is_within).count() as f64 / count,
        })
    }
}

/// The variance of a measured Elo.
fn variance(estimate: &Estimate) -> f64 {
    let error = estimate.elo_error_95.map_or(f64::INFINITY, |error| error.0);
    (error / DEVIATIONS_95).powi(2)
}
