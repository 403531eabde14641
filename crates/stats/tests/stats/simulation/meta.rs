//! Predictions for an unknown surrounding, from simulated matrices whose truth is known.

use super::{mean, share, simulate};
use lmrlab_stats::meta::{Cell, MetaRegression, RELATIVES_CORRELATION};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// The effect at covariate 0, and its slope.
const TRUTH: (f64, f64) = (3.0, 1.5);

/// Where the unknown surrounding is predicted.
const UNKNOWN_AT: f64 = 5.0;

fn deviate(random: &mut Pcg64) -> f64 {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let (radius, angle) = (1.0 - uniform(), uniform());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Surroundings, tau, omega, and how many of the surroundings are relatives.
#[derive(Clone, Copy)]
struct Made(usize, f64, f64, usize);

impl Made {
    fn matrix(self, random: &mut Pcg64) -> Vec<Cell> {
        let mut cells = Vec::new();
        let [of_family, alone] = [RELATIVES_CORRELATION, 1.0 - RELATIVES_CORRELATION].map(|part| self.1 * part.sqrt());
        let shared = of_family * deviate(random);
        for group in 0..self.0 {
            let is_relative = group < self.3;
            let with_family = if is_relative {
                shared
            } else {
                of_family * deviate(random)
            };
            let own = with_family + alone * deviate(random);
            for covariate in [0.0, 1.0, 2.0, 3.0] {
                let error = 4.0 + 4.0 * covariate;
                cells.push(Cell {
                    group,
                    family: if is_relative { 0 } else { group },
                    covariate,
                    effect: TRUTH.0 + TRUTH.1 * covariate + own + self.2 * deviate(random) + error * deviate(random),
                    variance: error * error,
                });
            }
        }
        cells
    }

    fn unknown(self, random: &mut Pcg64) -> f64 {
        TRUTH.0 + TRUTH.1 * UNKNOWN_AT + self.1 * deviate(random) + self.2 * deviate(random)
    }
}

#[test]
#[ignore = "takes a minute"]
fn intervals_cover_what_they_promise() {
    println!("surroundings  tau  omega  relatives   in 80%   width   tau in 95%   slope in 95%   mean tau");
    for made in [
        Made(13, 10.0, 0.0, 0),
        Made(13, 10.0, 8.0, 0),
        Made(13, 0.0, 0.0, 0),
        Made(6, 20.0, 0.0, 0),
        Made(4, 10.0, 0.0, 0),
        Made(13, 10.0, 0.0, 7),
        Made(13, 20.0, 8.0, 7),
    ] {
        let runs = simulate(11, 10_000, |random| {
            let fit = MetaRegression::fit(&made.matrix(random)).unwrap();
            let prediction = fit.predict(UNKNOWN_AT, 0.8);
            let unknown = made.unknown(random);
            let slope = fit.slope().unwrap();
            let found = *fit.heterogeneity();
            let [low, high] = found.tau_interval_95;
            (
                prediction.low <= unknown && unknown <= prediction.high,
                prediction.width(),
                low <= made.1 && made.1 <= high,
                (slope.value - TRUTH.1).abs() <= slope.error_95,
                found.tau,
            )
        });
        let predicted = share(&runs, |run| run.0);
        println!(
            "{:12} {:4} {:6} {:10} {predicted:8.3} {:7.1} {:12.3} {:14.3} {:10.1}",
            made.0,
            made.1,
            made.2,
            made.3,
            mean(&runs, |run| run.1),
            share(&runs, |run| run.2),
            share(&runs, |run| run.3),
            mean(&runs, |run| run.4),
        );
        assert!(predicted > 0.78);
        assert!(share(&runs, |run| run.2) > 0.93 && share(&runs, |run| run.3) > 0.93);
    }
}
