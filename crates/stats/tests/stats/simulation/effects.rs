//! Many ideas in the same games: their effects are unbiased, and their intervals hold.

use lmrlab_stats::{EffectPair, PairOutcome, elo_effects};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::{mean, share, simulate, uniform};

const RUNS: u64 = 2000;

/// The effects of a pair in which one side has a random half of the ideas and the other side has the others.
fn complements(ideas: usize, random: &mut Pcg64) -> Vec<f64> {
    (0..ideas).map(|_| 2.0 * half(random)).collect()
}

/// The effects and interactions of a pair in which each side has its own random half of the ideas.
fn independent(ideas: usize, random: &mut Pcg64) -> Vec<f64> {
    let [first, second] = [(); 2].map(|()| (0..ideas).map(|_| half(random)).collect::<Vec<f64>>());
    let couples = (0..ideas).flat_map(|a| (a + 1..ideas).map(move |b| [a, b]));
    let alone = (0..ideas).map(|idea| first[idea] - second[idea]);
    alone
        .chain(couples.map(|[a, b]| first[a] * first[b] - second[a] * second[b]))
        .collect()
}

fn half(random: &mut Pcg64) -> f64 {
    if random.next_u64().is_multiple_of(2) { 0.5 } else { -0.5 }
}

/// Pairs with signs as in `design`. `draws` is the share of draws between equals. Half of the games of an opening are decided by
/// the same random number, so they are not independent.
fn trial(
    (effects, design): (&[f64], impl Fn(&mut Pcg64) -> Vec<f64>),
    pairs: usize,
    openings: usize,
    draws: f64,
    random: &mut Pcg64,
) -> Vec<EffectPair> {
    let of_opening: Vec<f64> = (0..openings).map(|_| uniform(random)).collect();
    (0..pairs)
        .map(|index| {
            let signs = design(random);
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

/// Simulates trials. Checks the bias and the coverage of the effects at the places `checked`.
fn check(name: &str, truths: &[f64], checked: &[usize], draw: impl Fn(&mut Pcg64) -> Vec<EffectPair> + Sync) {
    let runs = simulate(21, RUNS, |random| elo_effects(&draw(random)).expect("enough pairs"));
    for &place in checked {
        let truth = truths[place];
        let mean_elo = mean(&runs, |run| run[place].elo);
        let error = mean(&runs, |run| run[place].error_95);
        let coverage = share(&runs, |run| (run[place].elo - truth).abs() <= run[place].error_95);
        println!("{name}: {truth:+.0} is {mean_elo:+.1} ± {error:.1}, covered {coverage:.3}");
        assert!((mean_elo - truth).abs() < error / 10.0 && (0.935..=0.965).contains(&coverage));
    }
}

/// The Elo of the first six ideas; the others are worth nothing.
const ELO: [f64; 6] = [500.0, 20.0, -60.0, 150.0, 5.0, 0.0];

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
        effects[..6].copy_from_slice(&ELO);
        let name = format!("{ideas} ideas, {pairs} pairs, {openings} openings, {draws} drawn");
        check(&name, &effects, &[0, 1, 2, 3, 4, 5], |random| {
            let design = |random: &mut Pcg64| complements(ideas, random);
            trial((&effects, design), pairs, openings, draws, random)
        });
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn effects_and_interactions_are_unbiased_and_covered() {
    for (ideas, pairs, openings) in [(6, 1000, 1000), (6, 2000, 500)] {
        let mut effects = vec![0.0; ideas * (ideas + 1) / 2];
        effects[..6].copy_from_slice(&ELO);
        // The first idea with the second one.
        effects[ideas] = 100.0;
        let name = format!("{ideas} ideas and interactions, {pairs} pairs, {openings} openings");
        check(&name, &effects, &[0, 1, 2, 3, 4, 5, 6, 7, 20], |random| {
            let design = |random: &mut Pcg64| independent(ideas, random);
            trial((&effects, design), pairs, openings, 0.5, random)
        });
    }
}
