//! For tests: a surface of strength with a known best point, and random outcomes of pairs.

use lmrlab_stats::{Elo, PairOutcome};

use crate::methods::random::Random;
use crate::methods::{PairResult, Probe};
use crate::subject::parameter::Parameter;

/// A random outcome of a pair. The first player is stronger by `elo`. A quarter of the games is drawn.
pub(crate) fn play(elo: f64, random: &mut Random) -> PairOutcome {
    let win = (Elo(elo).expected_score() - 0.125).clamp(0.0, 0.75);
    let half_points = (0..2).map(|_| match random.uniform() - win {
        ..0.0 => 2,
        ..0.25 => 1,
        _ => 0,
    });
    PairOutcome::ALL[half_points.sum::<usize>()]
}

/// A quadratic surface. Parameters have the range 0 to 100 and a step of 5. The start is 20 Elo below the best point.
/// Along each parameter that matters, the best point is 2 to 6 steps away.
pub(crate) struct Hill {
    pub(crate) parameters: Vec<Parameter>,
    best: Vec<f64>,
    /// Elo lost at one step from the best point along each parameter.
    curvature: Vec<f64>,
}

impl Hill {
    /// A surface with a parameter for each entry of `matters`.
    pub(crate) fn new(matters: &[bool], seed: u64) -> Self {
        let mut random = Random::new(seed, 5);
        let parameter = |index: usize, start: f64| Parameter {
            name: format!("parameter_{index}"),
            start,
            ..Parameter::example()
        };
        let parameters: Vec<Parameter> = (0..matters.len())
            .map(|index| parameter(index, 35.0 + 30.0 * random.uniform()))
            .collect();
        let steps: Vec<f64> = matters.iter().map(|_| 2.0 + 4.0 * random.uniform()).collect();
        let place = |(parameter, steps): (&Parameter, &f64)| parameter.start + 5.0 * steps * random.sign();
        let best = parameters.iter().zip(&steps).map(place).collect();
        let share = 20.0 / matters.iter().filter(|matters| **matters).count() as f64;
        let curvature = |(matters, steps): (&bool, &f64)| if *matters { share / (steps * steps) } else { 0.0 };
        Self {
            curvature: matters.iter().zip(&steps).map(curvature).collect(),
            best,
            parameters,
        }
    }

    /// The values where tuning starts.
    pub(crate) fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The Elo difference between the best point and this point; at least 0.
    pub(crate) fn lost(&self, point: &[f64]) -> f64 {
        let along = point.iter().zip(&self.best).zip(&self.curvature);
        along
            .map(|((value, best), curvature)| curvature * ((value - best) / 5.0) * ((value - best) / 5.0))
            .sum()
    }

    /// Plays these pairs by the differences in strength on this surface.
    pub(crate) fn play(&self, probes: &[Probe], random: &mut Random) -> Vec<PairResult> {
        let lead = |probe: &Probe| self.lost(&probe.second) - self.lost(&probe.first);
        probes.iter().map(|probe| play(lead(probe), random).into()).collect()
    }
}
