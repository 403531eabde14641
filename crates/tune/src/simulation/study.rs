//! Many runs of a method on surfaces of one kind, and the loss that remains.

use rayon::prelude::*;

use super::landscape::{Landscape, Shape};
use super::pair_model::PairModel;
use crate::method::Method;
use crate::random::Random;
use crate::spsa::{Spsa, SpsaSettings};
use crate::surface::{Settings, Surface};

/// A method with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contender {
    /// SPSA with this `r_end`.
    Spsa(f64),
    /// The model of the surface.
    Surface(Settings),
}

impl Contender {
    /// The methods that a study compares.
    pub fn all() -> [Self; 3] {
        [Self::Spsa(0.002), Self::Spsa(0.02), Self::Surface(Settings::default())]
    }

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Spsa(r_end) => format!("spsa r_end {r_end}"),
            Self::Surface(_) => "surface".to_owned(),
        }
    }

    fn start(self, landscape: &Landscape, pairs: u64, seed: u64) -> Box<dyn Method> {
        let mut parameters = landscape.parameters().to_vec();
        match self {
            Self::Spsa(r_end) => {
                for parameter in &mut parameters {
                    parameter.r_end = Some(r_end);
                }
                Box::new(Spsa::new(parameters, pairs, SpsaSettings::default(), seed))
            }
            Self::Surface(settings) => Box::new(Surface::with(parameters, seed, settings)),
        }
    }
}

/// The runs of one method on surfaces of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// The kind of surface.
    pub shape: Shape,
    /// The number of parameters.
    pub dimensions: usize,
    /// The games of each run.
    pub games: u64,
    /// The method.
    pub contender: Contender,
    /// The number of runs.
    pub replications: u64,
    /// Seed of the surfaces and of the games. Methods with the same seed meet the same surfaces.
    pub seed: u64,
}

/// The result of a study, in Elo below the best point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Findings {
    /// Mean at the start.
    pub start: f64,
    /// Mean at the end.
    pub mean: f64,
    /// Standard error of the mean.
    pub mean_error: f64,
    /// 90th percentile at the end.
    pub percentile_90: f64,
    /// The worst run at the end.
    pub worst: f64,
}

impl Study {
    /// Makes the runs, on the threads of the present rayon pool. The result does not depend on their number.
    pub fn run(&self) -> Findings {
        let model = PairModel::new();
        let runs: Vec<(f64, f64)> = (0..self.replications)
            .into_par_iter()
            .map(|replication| self.replicate(replication, &model))
            .collect();
        let count = runs.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| runs.iter().map(of).sum::<f64>() / count;
        let start = mean(|run| run.0);
        let left = mean(|run| run.1);
        let squares: f64 = runs.iter().map(|run| (run.1 - left) * (run.1 - left)).sum();
        let mut sorted: Vec<f64> = runs.iter().map(|run| run.1).collect();
        sorted.sort_by(f64::total_cmp);
        let place = (runs.len() * 9).div_ceil(10).saturating_sub(1);
        Findings {
            start,
            mean: left,
            mean_error: libm::sqrt(squares / (count - 1.0).max(1.0) / count),
            percentile_90: sorted.get(place).copied().unwrap_or(0.0),
            worst: sorted.last().copied().unwrap_or(0.0),
        }
    }

    fn replicate(&self, replication: u64, model: &PairModel) -> (f64, f64) {
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(replication);
        let landscape = Landscape::new(self.shape, self.dimensions, seed);
        let pairs = self.games / 2;
        let mut method = self.contender.start(&landscape, pairs, seed);
        let mut random = Random::new(seed, 0x6761_6d65);
        let mut played = 0;
        while played < pairs {
            let probes = method.next();
            let left = probes.len().min((pairs - played) as usize);
            let results = landscape.play(&probes[..left], model, &mut random);
            method.record(&results);
            played += results.len() as u64;
        }
        (
            landscape.lost(&landscape.start()),
            landscape.lost(&method.recommendation()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_leaves_less_than_spsa() {
        let findings = Contender::all().map(|contender| {
            let study = Study {
                shape: Shape::Quadratic,
                dimensions: 2,
                games: 4000,
                contender,
                replications: 12,
                seed: 2,
            };
            study.run()
        });
        let [slow, fast, surface] = findings.map(|found| found.mean);
        assert!(surface < 0.5 * fast && fast < slow, "{findings:?}");
        assert!(findings.iter().all(|found| found.percentile_90 <= found.worst));
    }
}
