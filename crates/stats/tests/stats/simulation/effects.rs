//! Many ideas in the same games: their effects are unbiased, and their intervals hold.

use lmrlab_stats::{EffectPair, PairOutcome, elo_effects};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::simulate;

const RUNS: u64 = 2000;

fn uniform(random: &mut Pcg64) -> f64 {
    random.next_u64() as f64 / 2_f64.powi(64)
}

/// Pairs in which one side has a random half of the ideas and the other side has the others. `draws` is the share of draws
/// between equals. Half of the games of an opening are decided by the same random number, so they are not independent.
fn trial(effects: &[f64], pairs: usize, openings: usize, draws: f64, random: &mut Pcg64) -> Vec<EffectPair> {
    let of_opening: Vec<f64> = (0..openings).map(|_| uniform(random)).collect();
    (0..pairs)
        .map(|index| {
            let signs: Vec<f64> = (effects.iter())
                .map(|_| if random.next_u64().is_multiple_of(2) { 1.0 } else { -1.0 })
                .collect();
            let lead: f64 = signs.iter().zip(effects).map(|(sign, effect)| sign * effect).sum();
            let opening = index % openings;
            let score = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
            let loss = 1.0 - score - draws * score.min(1.0 - score);
            let win = score - draws * score.min(1.0 - score);
            let points: usize = [(); 2]
                .map(|()| {
                    match if random.next_u64().is_multiple_of(2) {
                        of_opening[opening]
                    } else {
                        uniform(random)
                    } {
                        number if number < loss => 0,
                        number if number < 1.0 - win => 1,
                        _ => 2,
                    }
                })
                .iter()
                .sum();
            EffectPair {
                signs,
                outcome: PairOutcome::ALL[points],
                opening,
            }
        })
        .collect()
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn effects_of_many_ideas_are_unbiased_and_covered() {
    for (ideas, pairs, openings, draws) in [
        (6, 1000, 1000, 0.0),
        (6, 1000, 1000, 0.5),
        (6, 2000, 500, 0.5),
        (12, 1000, 1000, 0.5),
        (30, 1500, 1500, 0.5),
    ] {
        let mut effects = vec![0.0; ideas];
        effects[..6].copy_from_slice(&[500.0, 20.0, -60.0, 150.0, 5.0, 0.0]);
        let runs = simulate(21, RUNS, |random| {
            elo_effects(&trial(&effects, pairs, openings, draws, random)).expect("enough pairs")
        });
        for (place, truth) in effects.iter().enumerate().take(6) {
            let count = runs.len() as f64;
            let mean = runs.iter().map(|run| run[place].elo).sum::<f64>() / count;
            let error = runs.iter().map(|run| run[place].error_95).sum::<f64>() / count;
            let inside = |run: &&Vec<lmrlab_stats::EloEffect>| (run[place].elo - truth).abs() <= run[place].error_95;
            let coverage = runs.iter().filter(inside).count() as f64 / count;
            println!(
                "{ideas} ideas, {pairs} pairs, {openings} openings, {draws} drawn: {truth:+.0} is {mean:+.1} ± {error:.1}, \
                 covered {coverage:.3}"
            );
            assert!((mean - truth).abs() < error / 10.0 && (0.935..=0.965).contains(&coverage));
        }
    }
}
