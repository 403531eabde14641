//! How often the errors of ratings hold when the pairings of an opening are dependent.

use lmrlab_stats::GameOutcome::{self, Draw, Loss, Win};
use lmrlab_stats::ratings::{Anchor, Games, Opening, Ratings};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::{normal, simulate};

const RUNS: u64 = 2000;
const ENGINES: usize = 5;
/// Where the latent value of a pair is cut into its points.
const CUTS: [f64; 4] = [-1.6, -0.6, 0.6, 1.6];

/// A round robin of equals. The value of a pair is how much better the opening suits its first engine, and a part that no other
/// pair has. The variance of both together is 1 for engines that have nothing in common.
struct Field {
    /// Share of the opening in the variance: the correlation between pairings of an engine and two others that are alike.
    correlation: f64,
    /// Correlation between what an opening does for any two engines except the first.
    alike: f64,
}

/// Shares of the intervals that have the true value: of ratings, and of differences of two.
#[derive(Debug)]
struct Coverage {
    ratings: f64,
    differences: f64,
}

impl Field {
    fn play(&self, openings: u64, random: &mut Pcg64) -> Games {
        let mut games = Games::default();
        for opening in 0..openings {
            let common = normal(random);
            let suits: [f64; ENGINES] = std::array::from_fn(|engine| {
                let alike = if engine > 0 { self.alike } else { 0.0 };
                alike.sqrt() * common + (1.0 - alike).sqrt() * normal(random)
            });
            for first in 0..ENGINES {
                for second in first + 1..ENGINES {
                    let shared = (self.correlation / 2.0).sqrt() * (suits[first] - suits[second]);
                    let value = shared + (1.0 - self.correlation).sqrt() * normal(random);
                    let points = CUTS.iter().filter(|&&cut| value > cut).count();
                    record(&mut games, [first, second], points, opening, random);
                }
            }
        }
        games
    }

    fn coverage(&self, openings: u64) -> Coverage {
        let counts = simulate(5, RUNS, |random| {
            let games = self.play(openings, random);
            let within = |anchor: Option<usize>| {
                let anchor_at_zero = anchor.map(|player| Anchor { player, elo: 0.0 });
                let ratings = Ratings::of(&games, anchor_at_zero.as_slice());
                let players = ratings.pools.iter().flat_map(|pool| &pool.players);
                players
                    .filter(|rated| Some(rated.player) != anchor)
                    .filter_map(|rated| Some(rated.elo?.abs() <= rated.error_95?))
                    .filter(|within| *within)
                    .count()
            };
            [within(None), (0..ENGINES).map(|player| within(Some(player))).sum()]
        });
        let all = |kind: usize| counts.iter().map(|counts| counts[kind]).sum::<usize>() as f64 / RUNS as f64;
        Coverage {
            ratings: all(0) / ENGINES as f64,
            differences: all(1) / (ENGINES * (ENGINES - 1)) as f64,
        }
    }
}

/// Records a pair of games with this many half points for the first engine. Where the games differ, chance says which is the better one.
fn record(games: &mut Games, [first, second]: [usize; 2], points: usize, opening: u64, random: &mut Pcg64) {
    let mut outcomes: [GameOutcome; 2] = [points / 2, points - points / 2].map(|points| [Loss, Draw, Win][points]);
    if random.next_u64().is_multiple_of(2) {
        outcomes.reverse();
    }
    let opening = Some(Opening::of(&opening.to_le_bytes()));
    games.record(first, second, outcomes[0], opening);
    games.record(second, first, outcomes[1].reversed(), opening);
}

#[test]
#[ignore = "takes minutes"]
fn the_errors_of_ratings_hold() {
    println!("alike correlation openings: ratings differences");
    for alike in [0.0, 0.9] {
        for correlation in [0.0, 0.5, 1.0] {
            let field = Field { correlation, alike };
            for openings in [4, 10, 30, 200] {
                let Coverage { ratings, differences } = field.coverage(openings);
                println!("{alike:5} {correlation:11} {openings:8}: {ratings:7.4} {differences:11.4}");
                if openings == 200 {
                    assert!((ratings - 0.95).abs() < 0.015, "{ratings}");
                    assert!((differences - 0.95).abs() < 0.015, "{differences}");
                }
            }
        }
    }
}
