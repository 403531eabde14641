//! Sequential tests and intervals.

use lmrlab_stats::{
    Elo, EloModel, Estimate, GameVariance, NormalizedElo, Outcomes, Pentanomial, SequentialEstimate, Sprt, Trinomial,
    Verdict,
};
use rand_pcg::Pcg64;

use super::{Source, game, mean, moments, pair, share, simulate};

const RUNS: u64 = 20_000;
const DRAWS: f64 = 0.5;
/// Openings that give one side 100 Elo.
const BIAS: f64 = 0.14;

/// Counts that simulated outcomes are put into.
trait Count<const N: usize>: Outcomes<N> + Copy + Default {
    fn of(counts: [u64; N]) -> Self;
    fn probabilities(score: f64) -> [f64; N];
}

impl Count<3> for Trinomial {
    fn of([losses, draws, wins]: [u64; 3]) -> Self {
        Self::new(losses, draws, wins)
    }

    fn probabilities(score: f64) -> [f64; 3] {
        game(score, DRAWS)
    }
}

impl Count<5> for Pentanomial {
    fn of(counts: [u64; 5]) -> Self {
        Self::new(counts)
    }

    fn probabilities(score: f64) -> [f64; 5] {
        pair(score, DRAWS, BIAS)
    }
}

struct Ended {
    verdict: Verdict,
    outcomes: u64,
    naive: Estimate,
    fair: SequentialEstimate,
}

/// A test from its first outcome to its verdict, or to its `limit` of outcomes. When the log-likelihood ratio is far from both bounds, it is computed
/// again only after enough outcomes to come near; `careful` computes it each time.
fn play<const N: usize, C: Count<N>>(
    sprt: &Sprt,
    source: &Source,
    random: &mut Pcg64,
    limit: u64,
    careful: bool,
) -> Ended {
    let (lower, upper) = sprt.bounds();
    let span = Elo(sprt.elo1()).expected_score() - Elo(sprt.elo0()).expected_score();
    let mut counts = [0; N];
    let (mut outcomes, mut next) = (0, 1);
    loop {
        counts[source.draw(random)] += 1;
        outcomes += 1;
        if !careful && outcomes < next.min(limit) {
            continue;
        }
        let results = C::of(counts);
        let llr = sprt.llr(&results);
        if llr <= lower || llr >= upper || outcomes == limit {
            return Ended {
                verdict: sprt.status(&results),
                outcomes,
                naive: Estimate::of(&results).expect("played"),
                fair: sprt.estimate(&results).expect("played"),
            };
        }
        // One outcome moves it by about the span, times at most one half, over the variance.
        let variance = GameVariance::of(&results).expect("played").value() / f64::from(C::GAMES);
        let most = span / variance;
        let distance = f64::min(upper - llr, llr - lower);
        next = outcomes + 1 + (distance / most) as u64;
    }
}

fn error_rates<const N: usize, C: Count<N>>(model: EloModel, name: &str) {
    let (_, deviation) = moments(&C::probabilities(0.5));
    let game_deviation = deviation * f64::from(C::GAMES).sqrt();
    let (elo0, elo1) = match model {
        EloModel::Logistic => (0.0, 10.0),
        EloModel::Normalized => (0.0, 12.0),
    };
    let sprt = Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("valid");
    for (elo, nominal) in [(elo0, 0.05), (f64::midpoint(elo0, elo1), 0.5), (elo1, 0.95)] {
        let truth = match model {
            EloModel::Logistic => Elo(elo),
            EloModel::Normalized => Elo::from_score(0.5 + NormalizedElo(elo).t_value(1) * game_deviation),
        };
        let probabilities = C::probabilities(truth.expected_score());
        let source = Source::new(&probabilities);
        let ended = simulate(1, RUNS, |random| play::<N, C>(&sprt, &source, random, u64::MAX, false));
        let careful = simulate(1, 200, |random| {
            play::<N, C>(&sprt, &source, random, u64::MAX, true).outcomes
        });
        let early = ended.iter().map(|ended| ended.outcomes);
        assert!(early.zip(careful).all(|(fast, careful)| fast == careful));

        let (_, deviation) = moments(&probabilities);
        let variance = GameVariance::of_deviation(deviation * f64::from(C::GAMES).sqrt());
        let plan = sprt.plan(variance, truth, None);
        let passed = share(&ended, |ended| ended.verdict == Verdict::AcceptH1);
        let sigma = (nominal * (1.0 - nominal) / RUNS as f64).sqrt();
        let games = mean(&ended, |ended| (ended.outcomes * u64::from(C::GAMES)) as f64);
        let covered = share(&ended, |ended| ended.fair.low <= truth && truth <= ended.fair.high);
        let above = share(&ended, |ended| ended.fair.elo > truth);
        let naive = share(&ended, |ended| {
            let error = ended.naive.elo_error_95.map_or(f64::INFINITY, |error| error.0);
            (ended.naive.elo.0 - truth.0).abs() <= error
        });
        println!(
            "{name} {model:?} true {:5.2} Elo: passes {:.4} (nominal {nominal}, {:+.1} sigma), games {games:.0} \
             (formula {:.0}); interval covers {:.4}, estimate too high {:.4}; naive interval covers {naive:.4}",
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
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn error_rates_are_the_nominal_ones() {
    for model in [EloModel::Logistic, EloModel::Normalized] {
        error_rates::<3, Trinomial>(model, "games");
        error_rates::<5, Pentanomial>(model, "pairs");
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn a_limited_test_ends_as_planned() {
    const PAIRS: u64 = 1_500;
    let (_, deviation) = moments(&pair(0.5, DRAWS, BIAS));
    let game_deviation = deviation * 2.0_f64.sqrt();
    for elo1 in [5.0, 20.0] {
        let sprt = Sprt::new(EloModel::Normalized, 0.0, elo1, 0.05, 0.05).expect("valid");
        for elo in [0.0, 10.0, 15.0, 20.0] {
            let truth = Elo::from_score(0.5 + NormalizedElo(elo).t_value(1) * game_deviation);
            let source = Source::new(&pair(truth.expected_score(), DRAWS, BIAS));
            let ended = simulate(3, RUNS / 5, |random| {
                play::<5, Pentanomial>(&sprt, &source, random, PAIRS, false)
            });
            let plan = sprt.plan(GameVariance::of_deviation(game_deviation), truth, Some(2 * PAIRS));
            let games = 2.0 * mean(&ended, |ended| ended.outcomes as f64);
            println!(
                "[0, {elo1}] at {elo} nElo: games {games:.0} (formula {:.0})",
                plan.expected_games
            );
            for (verdict, planned) in [
                (Verdict::AcceptH1, plan.pass_probability),
                (Verdict::AcceptH0, plan.fail_probability),
                (Verdict::Continue, plan.undecided_probability()),
            ] {
                let seen = share(&ended, |ended| ended.verdict == verdict);
                println!("  {verdict:?}: {seen:.4} (formula {planned:.4})");
                assert!((seen - planned).abs() <= 0.03, "{seen} is not {planned}");
            }
            assert!((games / plan.expected_games - 1.0).abs() < 0.05, "{games}");
        }
    }
}

fn coverage<const N: usize, C: Count<N>>(name: &str, outcomes: u64, differences: [f64; 4]) {
    for elo in differences {
        let truth = Elo(elo);
        let probabilities = C::probabilities(truth.expected_score());
        let source = Source::new(&probabilities);
        let (score, deviation) = moments(&probabilities);
        let normalized = NormalizedElo::from_score(score, deviation * f64::from(C::GAMES).sqrt());
        let estimates = simulate(2, RUNS, |random| {
            let mut counts = [0; N];
            for _ in 0..outcomes {
                counts[source.draw(random)] += 1;
            }
            Estimate::of(&C::of(counts)).expect("played")
        });
        let covers =
            |value: f64, error: Option<f64>, truth: f64| (value - truth).abs() <= error.unwrap_or(f64::INFINITY);
        let logistic = share(&estimates, |estimate| {
            let error = estimate.elo_error_95.map(|error| error.0);
            covers(estimate.elo.0, error, truth.0)
        });
        let simple = share(&estimates, |estimate| {
            let error = estimate.normalized_elo_error_95.map(|error| error.0);
            covers(estimate.normalized_elo.0, error, normalized.0)
        });
        let normal = share(&estimates, |estimate| {
            estimate
                .normalized_elo_interval_95
                .is_none_or(|[low, high]| low <= normalized && normalized <= high)
        });
        println!(
            "{name}: {outcomes} outcomes at {elo} Elo: Elo interval covers {logistic:.4}, nElo interval {normal:.4}, \
             and without the uncertainty of the deviation, as in fastchess, {simple:.4}"
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
    coverage::<3, Trinomial>("games", 2000, [0.0, 10.0, 60.0, 100.0]);
    coverage::<5, Pentanomial>("pairs", 1000, [0.0, 10.0, 30.0, 60.0]);
}
