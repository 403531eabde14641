//! Sequential tests and intervals.

use lmrlab_stats::{Counts, Elo, EloModel, Estimate, GameVariance, NormalizedElo, SequentialEstimate, Sprt, Verdict};
use rand_pcg::Pcg64;

use super::{Source, game, mean, moments, pair, share, simulate};

const RUNS: u64 = 20_000;
const DRAWS: f64 = 0.5;
/// Openings that give one side 100 Elo.
const BIAS: f64 = 0.14;

/// The probabilities of the scores of an outcome with this expected score.
type Probabilities<const N: usize> = fn(f64) -> [f64; N];

fn of_games(score: f64) -> [f64; 3] {
    game(score, DRAWS)
}

fn of_pairs(score: f64) -> [f64; 5] {
    pair(score, DRAWS, BIAS)
}

/// The standard deviation of a game where outcomes have these probabilities.
fn game_deviation<const N: usize>(probabilities: &[f64; N]) -> f64 {
    moments(probabilities).1 * f64::from(Counts::<N>::GAMES).sqrt()
}

struct Ended {
    verdict: Verdict,
    outcomes: u64,
    fair: SequentialEstimate,
}

/// A test from its first outcome to its verdict, or to its `limit` of outcomes. When the log-likelihood ratio is far from both
/// bounds, it is computed again only after enough outcomes to come near.
fn play<const N: usize>(sprt: &Sprt, source: &Source, random: &mut Pcg64, limit: u64) -> Ended {
    let (lower, upper) = sprt.bounds();
    let span = Elo(sprt.elo1()).expected_score() - Elo(sprt.elo0()).expected_score();
    let mut counts = [0; N];
    let (mut outcomes, mut next) = (0, 1);
    loop {
        counts[source.draw(random)] += 1;
        outcomes += 1;
        if outcomes < next.min(limit) {
            continue;
        }
        let results = Counts::new(counts);
        let llr = sprt.llr(&results);
        if llr <= lower || llr >= upper || outcomes == limit {
            return Ended {
                verdict: sprt.status(&results),
                outcomes,
                fair: sprt.estimate(&results).expect("played"),
            };
        }
        // One outcome moves it by about the span, times at most one half, over the variance.
        let variance = GameVariance::of(&results).expect("played").value() / f64::from(Counts::<N>::GAMES);
        let most = span / variance;
        let distance = f64::min(upper - llr, llr - lower);
        next = outcomes + 1 + (distance / most) as u64;
    }
}

fn error_rates<const N: usize>(model: EloModel, name: &str, probabilities: Probabilities<N>) {
    let deviation = game_deviation(&probabilities(0.5));
    let (elo0, elo1) = match model {
        EloModel::Logistic => (0.0, 10.0),
        EloModel::Normalized => (0.0, 12.0),
    };
    let sprt = Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("valid");
    for (elo, nominal) in [(elo0, 0.05), (f64::midpoint(elo0, elo1), 0.5), (elo1, 0.95)] {
        let truth = match model {
            EloModel::Logistic => Elo(elo),
            EloModel::Normalized => Elo::from_score(0.5 + NormalizedElo(elo).t_value(1) * deviation),
        };
        let probabilities = probabilities(truth.expected_score());
        let source = Source::new(&probabilities);
        let ended = simulate(1, RUNS, |random| play::<N>(&sprt, &source, random, u64::MAX));
        let variance = GameVariance::of_deviation(game_deviation(&probabilities));
        let plan = sprt.plan(variance, truth, None);
        let passed = share(&ended, |ended| ended.verdict == Verdict::AcceptH1);
        let sigma = (nominal * (1.0 - nominal) / RUNS as f64).sqrt();
        let games = mean(&ended, |ended| (ended.outcomes * u64::from(Counts::<N>::GAMES)) as f64);
        let covered = share(&ended, |ended| ended.fair.low <= truth && truth <= ended.fair.high);
        let above = share(&ended, |ended| ended.fair.elo > truth);
        println!(
            "{name} {model:?} true {:5.2} Elo: passes {:.4} (nominal {nominal}, {:+.1} sigma), games {games:.0} \
             (formula {:.0}); interval covers {:.4}, estimate too high {:.4}",
            truth.0,
            passed,
            (passed - nominal) / sigma,
            plan.expected_games,
            covered,
            above,
        );
        assert!((passed - nominal).abs() <= 3.0 * sigma, "{passed} is not {nominal}");
        assert!((games / plan.expected_games - 1.0).abs() < 0.05, "{games}");
        assert!((covered - 0.95).abs() <= 0.005, "{covered}");
        assert!((above - 0.5).abs() <= 0.02, "{above}");
        // Half of the expected games decide some of the tests, as planned.
        let outcomes = (plan.expected_games / f64::from(2 * Counts::<N>::GAMES)) as u64;
        let limited = simulate(1, RUNS, |random| play::<N>(&sprt, &source, random, outcomes));
        let passed = share(&limited, |ended| ended.verdict == Verdict::AcceptH1);
        let plan = sprt.plan(variance, truth, Some(outcomes * u64::from(Counts::<N>::GAMES)));
        assert!((passed - plan.pass_probability).abs() < 0.02, "{passed} {plan:?}");
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn error_rates_are_the_nominal_ones() {
    for model in [EloModel::Logistic, EloModel::Normalized] {
        error_rates(model, "games", of_games);
        error_rates(model, "pairs", of_pairs);
    }
}

fn coverage<const N: usize>(name: &str, probabilities: Probabilities<N>, outcomes: u64, differences: [f64; 4]) {
    for elo in differences {
        let truth = Elo(elo);
        let probabilities = probabilities(truth.expected_score());
        let source = Source::new(&probabilities);
        let normalized = NormalizedElo::from_score(truth.expected_score(), game_deviation(&probabilities));
        let estimates = simulate(2, RUNS, |random| {
            let mut counts = [0; N];
            for _ in 0..outcomes {
                counts[source.draw(random)] += 1;
            }
            Estimate::of(&Counts::new(counts)).expect("played")
        });
        let logistic = share(&estimates, |estimate| {
            let error = estimate.elo_error_95.map_or(f64::INFINITY, |error| error.0);
            (estimate.elo.0 - truth.0).abs() <= error
        });
        let normal = share(&estimates, |estimate| {
            estimate
                .normalized_elo_interval_95
                .is_none_or(|[low, high]| low <= normalized && normalized <= high)
        });
        println!(
            "{name}: {outcomes} outcomes at {elo} Elo: Elo interval covers {logistic:.4}, nElo interval {normal:.4}"
        );
        for covered in [logistic, normal] {
            assert!((covered - 0.95).abs() <= 0.005, "{covered}");
        }
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn intervals_cover_the_truth() {
    // Further apart, no pairs have that share of draws and that bias.
    coverage("games", of_games, 2000, [0.0, 10.0, 60.0, 100.0]);
    coverage("pairs", of_pairs, 1000, [0.0, 10.0, 30.0, 60.0]);
}
