//! Races compared with round robins.

use lmrlab_stats::race::{Goal, Race, RaceFate};
use lmrlab_stats::{EloModel, NormalizedElo, PairOutcome};
use rand_pcg::Pcg64;

use super::{Source, mean, moments, normal, pair, share, simulate};

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

fn run(sources: &[Vec<Source>], random: &mut Pcg64) -> Race {
    let mut race = Race::new(Goal::Best, sources.len(), EloModel::Normalized, ELO, ALPHA).expect("valid");
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
    let races = simulate(3, RUNS, |random| run(&sources, random));
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
                        of_opening = [(); 2].map(|()| normal(random) / 2_f64.sqrt());
                    }
                    // 1 between the first variant and a rival, 0 between rivals.
                    let sides = [duel.first, duel.second].map(|variant| f64::from(u8::from(variant == 0)));
                    let ahead =
                        (sides[0] - sides[1]) * (lead + self.correlation.sqrt() * (of_opening[0] - of_opening[1]));
                    let value = ahead + (1.0 - self.correlation).sqrt() * normal(random);
                    PairOutcome::ALL[UPPER_ENDS.iter().filter(|end| value > **end).count()]
                })
                .collect();
            race.record(&outcomes);
        }
        race
    }
}

#[test]
#[ignore = "takes minutes; see simulation/mod.rs"]
fn races_keep_their_error_rate_whether_variants_are_alike_or_not() {
    for (goal, model, elo, lead) in [
        (Goal::Best, EloModel::Normalized, 20.0, 20.0),
        (Goal::Best, EloModel::Normalized, 40.0, 40.0),
        // The first variant is the baseline.
        (Goal::BeatBaseline, EloModel::Logistic, LOGISTIC_ELO, 0.0),
    ] {
        for (variants, correlation) in [3, 5, 12]
            .into_iter()
            .flat_map(|count| [0.0, 0.5, 1.0].map(|part| (count, part)))
        {
            let alike = Alike {
                goal,
                variants,
                correlation,
                model,
                elo,
                lead,
            };
            let races = simulate(9, RUNS, |random| alike.run(random));
            let is_accepted = |race: &Race, variant| matches!(race.fate(variant), RaceFate::Accepted { .. });
            let error = share(&races, |race| match goal {
                Goal::Best => !is_accepted(race, 0),
                Goal::BeatBaseline => (1..variants).any(|variant| is_accepted(race, variant)),
            });
            let pairs = mean(&races, |race| race.pairs() as f64);
            println!("{alike:?}: wrong {error:.4}, {pairs:.0} pairs");
            let slack = if goal == Goal::Best { 0.0 } else { 0.01 };
            assert!(error <= ALPHA + slack, "{error}");
        }
    }
}
