//! Races compared with round robins.

use lmrlab_stats::race::{Goal, Race, RaceFate};
use lmrlab_stats::{EloModel, NormalizedElo, PairOutcome};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::{Source, mean, moments, pair, share, simulate};

const RUNS: u64 = 2000;
const DRAWS: f64 = 0.5;
const VARIANTS: usize = 8;
/// The difference that matters, in normalized Elo.
const ELO: f64 = 20.0;
/// A little less than that, in logistic Elo: its likelihood is faster to compute.
const LOGISTIC_ELO: f64 = 14.0;
const ALPHA: f64 = 0.05;

/// Sources for each pairing of variants with these strengths, in normalized Elo.
fn sources(strengths: &[f64]) -> Vec<Vec<Source>> {
    let (_, deviation) = moments(&pair(0.5, DRAWS, 0.0));
    let source = |difference: f64| {
        let lead = NormalizedElo(difference).t_value(2) * deviation;
        Source::new(&pair(0.5 + lead, DRAWS, 0.0))
    };
    let row = |a: &f64| strengths.iter().map(|b| source(a - b)).collect();
    strengths.iter().map(row).collect()
}

fn run(goal: Goal, sources: &[Vec<Source>], random: &mut Pcg64) -> Race {
    let (model, elo) = match goal {
        Goal::Best => (EloModel::Normalized, ELO),
        Goal::BeatBaseline => (EloModel::Logistic, LOGISTIC_ELO),
    };
    let mut race = Race::new(goal, sources.len(), model, elo, ALPHA).expect("valid");
    while !race.is_over() {
        let outcomes: Vec<_> = (race.next().iter())
            .map(|duel| sources[duel.first][duel.second].pair(random))
            .collect();
        race.record(&outcomes);
    }
    race
}

/// For each number of rounds, whether a round robin of that length has the first variant alone in front.
fn round_robin(sources: &[Vec<Source>], rounds: usize, random: &mut Pcg64) -> Vec<bool> {
    let mut points = vec![0_i64; sources.len()];
    (0..rounds)
        .map(|_| {
            for first in 0..sources.len() {
                for second in first + 1..sources.len() {
                    let lead = i64::from(sources[first][second].pair(random).half_points()) - 2;
                    points[first] += lead;
                    points[second] -= lead;
                }
            }
            points[1..].iter().all(|&other| other < points[0])
        })
        .collect()
}

fn compare(name: &str, strengths: &[f64]) {
    let sources = sources(strengths);
    let races = simulate(3, RUNS, |random| run(Goal::Best, &sources, random));
    let error = share(&races, |race| !matches!(race.fate(0), RaceFate::Accepted { .. }));
    let pairs = mean(&races, |race| race.pairs() as f64);
    let robins = simulate(4, RUNS, |random| round_robin(&sources, 1000, random));
    let rounds = (1..=1000)
        .find(|&rounds| share(&robins, |robin| !robin[rounds - 1]) <= error)
        .expect("a round robin of that length is as sure");
    let pairings = strengths.len() * (strengths.len() - 1) / 2;
    let share = pairs / (rounds * pairings) as f64;
    println!(
        "{name}: the race errs in {error:.4} (stated {ALPHA}) and needs {pairs:.0} pairs; a round robin that errs as \
         often needs {} ({rounds} rounds): {:.1}%",
        rounds * pairings,
        100.0 * share
    );
    assert!(error <= ALPHA, "{error}");
    assert!(share <= 0.5, "{share}");
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn a_race_needs_at_most_half_of_a_round_robin() {
    let mut level = [0.0; VARIANTS];
    level[0] = ELO;
    compare("one ahead of seven equals, by just what matters", &level);
    let ladder: Vec<f64> = (0..VARIANTS).map(|step| -ELO * step as f64).collect();
    compare("a ladder", &ladder);
    let spread: Vec<f64> = [0.0, 20.0, 25.0, 35.0, 50.0, 60.0, 80.0, 110.0].map(|x: f64| -x).into();
    compare("spread out", &spread);
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn a_race_against_a_baseline_keeps_its_error_rate() {
    let equal = sources(&[0.0; VARIANTS]);
    let races = simulate(5, RUNS, |random| run(Goal::BeatBaseline, &equal, random));
    let accepted = |race: &Race, variant| matches!(race.fate(variant), RaceFate::Accepted { .. });
    let wrong = share(&races, |race| (1..VARIANTS).any(|variant| accepted(race, variant)));
    let pairs = mean(&races, |race| race.pairs() as f64);
    println!("no variant is better: one is accepted in {wrong:.4} (stated {ALPHA}), {pairs:.0} pairs");
    assert!(
        wrong <= ALPHA + 3.0 * (ALPHA * (1.0 - ALPHA) / RUNS as f64).sqrt(),
        "{wrong}"
    );

    let mut some = [0.0; VARIANTS];
    some[1] = ELO;
    some[2] = 2.0 * ELO;
    let sources = sources(&some);
    let races = simulate(6, RUNS, |random| run(Goal::BeatBaseline, &sources, random));
    for variant in [1, 2] {
        let found = share(&races, |race| accepted(race, variant));
        println!("better by {}: accepted in {found:.4}", some[variant]);
        assert!(found >= 1.0 - ALPHA, "{found}");
    }
}

/// A race in which the first variant is ahead of rivals that are alike. The outcome of a pair is a normal number, cut at
/// [`UPPER_ENDS`]. A part of its variance comes from the opening, and this part is the same for all rivals. With the
/// correlation 1, all rivals play the same games.
#[derive(Debug)]
struct Alike {
    goal: Goal,
    variants: usize,
    /// The part of the variance, 0 to 1, that comes from the opening. It is the correlation of two rivals' results against
    /// the first variant.
    correlation: f64,
    model: EloModel,
    /// The difference that matters, on the scale of the model.
    elo: f64,
    /// The lead of the first variant, in normalized Elo.
    lead: f64,
}

/// Where the five outcomes of a pair begin and end, in standard deviations: those of two games of which half are drawn.
const UPPER_ENDS: [f64; 4] = [-1.534, -0.489, 0.489, 1.534];
/// The gain in score of a lead of one standard deviation, in deviations of the score.
const SLOPE: f64 = 0.954;

fn standard_normal(random: &mut Pcg64) -> f64 {
    let [a, b] = [(); 2].map(|()| (random.next_u64() as f64 + 1.0) / 2_f64.powi(64));
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

impl Alike {
    fn run(&self, random: &mut Pcg64) -> Race {
        let mut race = Race::new(self.goal, self.variants, self.model, self.elo, ALPHA).expect("valid");
        let lead = NormalizedElo(self.lead).t_value(2) / SLOPE;
        let (mut round, mut of_opening) = (u64::MAX, [0.0; 2]);
        while !race.is_over() {
            let outcomes: Vec<PairOutcome> = (race.next().iter())
                .map(|duel| {
                    if duel.round != round {
                        round = duel.round;
                        of_opening = [(); 2].map(|()| standard_normal(random) / 2_f64.sqrt());
                    }
                    // 1 between the first variant and a rival, 0 between rivals.
                    let sides = [duel.first, duel.second].map(|variant| f64::from(u8::from(variant == 0)));
                    let ahead =
                        (sides[0] - sides[1]) * (lead + self.correlation.sqrt() * (of_opening[0] - of_opening[1]));
                    let value = ahead + (1.0 - self.correlation).sqrt() * standard_normal(random);
                    PairOutcome::ALL[UPPER_ENDS.iter().filter(|end| value > **end).count()]
                })
                .collect();
            race.record(&outcomes);
        }
        race
    }
}

/// Races of few and many variants, with results that are independent, alike or the same.
fn fields(goal: Goal, model: EloModel, elo: f64, lead: f64) -> impl Iterator<Item = Alike> {
    [3, 5, 12].into_iter().flat_map(move |variants| {
        [0.0, 0.5, 1.0].map(|correlation| Alike {
            goal,
            variants,
            correlation,
            model,
            elo,
            lead,
        })
    })
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn races_of_variants_that_are_alike_keep_their_error_rate() {
    for elo in [20.0, 40.0] {
        let (goal, model) = (Goal::Best, EloModel::Normalized);
        for alike in fields(goal, model, elo, elo) {
            let races = simulate(9, RUNS, |random| alike.run(random));
            let error = share(&races, |race| !matches!(race.fate(0), RaceFate::Accepted { .. }));
            let pairs = mean(&races, |race| race.pairs() as f64);
            println!("{alike:?}: wrong {error:.4}, {pairs:.0} pairs");
            assert!(error <= ALPHA, "{error}");
        }
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn races_of_variants_that_are_alike_against_a_baseline_keep_their_error_rate() {
    // The first variant is the baseline.
    for alike in fields(Goal::BeatBaseline, EloModel::Logistic, LOGISTIC_ELO, 0.0) {
        let races = simulate(10, RUNS, |random| alike.run(random));
        let is_accepted = |race: &Race, variant| matches!(race.fate(variant), RaceFate::Accepted { .. });
        let error = share(&races, |race| {
            (1..alike.variants).any(|variant| is_accepted(race, variant))
        });
        println!("{alike:?}: one is accepted in {error:.4}");
        assert!(error <= ALPHA + 0.01, "{error}");
    }
}
