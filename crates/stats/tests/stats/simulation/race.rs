//! The error rates of races.

use lmrlab_stats::race::{Goal, Race, RaceFate};
use lmrlab_stats::{EloModel, NormalizedElo, PairOutcome};
use rand_pcg::Pcg64;

use super::{mean, normal, share, simulate};

const RUNS: u64 = 2000;
/// The difference that matters, in logistic Elo: its likelihood is faster to compute. It is a little less than 20 in normalized Elo.
const LOGISTIC_ELO: f64 = 14.0;
const ALPHA: f64 = 0.05;

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
