//! Ratings, against published examples and simulated games.

use super::*;
use crate::{Estimate, GameOutcome, Pentanomial};
use GameOutcome::{Draw, Loss, Win};
use proptest::prelude::*;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

fn record(games: &mut Games, white: usize, black: usize, [losses, draws, wins]: [u64; 3]) {
    for (outcome, count) in [(Loss, losses), (Draw, draws), (Win, wins)] {
        for _ in 0..count {
            games.record(white, black, outcome, None);
        }
    }
}

/// Games without an opening: White, Black, and how many games White lost, drew and won.
fn games_of(rows: &[(usize, usize, [u64; 3])]) -> Games {
    let mut games = Games::default();
    for &(white, black, outcomes) in rows {
        record(&mut games, white, black, outcomes);
    }
    games
}

/// Records two games of an opening with these outcomes of the first player, which has White in the first game.
fn record_pair(
    games: &mut Games,
    [first, second]: [usize; 2],
    [with_white, with_black]: [GameOutcome; 2],
    opening: u64,
) {
    let opening = Some(Opening::of(&opening.to_le_bytes()));
    games.record(first, second, with_white, opening);
    games.record(second, first, with_black.reversed(), opening);
}

fn elo(ratings: &Ratings, player: usize) -> f64 {
    find(ratings, player).elo.expect("rated")
}

fn find(ratings: &Ratings, player: usize) -> Rated {
    let mut players = ratings.pools.iter().flat_map(|pool| &pool.players);
    *players.find(|rated| rated.player == player).expect("played")
}

/// With two players, the error is that of a match counted in pairs.
#[test]
fn the_error_of_two_players_is_that_of_their_pairs() {
    for outcomes in [
        [(Win, Loss, 300), (Draw, Draw, 400), (Loss, Win, 200), (Win, Draw, 100)],
        [(Win, Win, 300), (Draw, Draw, 400), (Loss, Loss, 200), (Win, Draw, 100)],
    ] {
        let (mut games, mut pairs) = (Games::default(), Pentanomial::default());
        for (with_white, with_black, count) in outcomes {
            for _ in 0..count {
                record_pair(&mut games, [0, 1], [with_white, with_black], pairs.pairs());
                pairs.record(crate::PairOutcome::of(with_white, with_black));
            }
        }
        let ratings = Ratings::of(&games, &[Anchor { player: 1, elo: 0.0 }]);
        let error = find(&ratings, 0).error_95.expect("finite");
        let expected = Estimate::of(&pairs).and_then(|estimate| estimate.elo_error_95);
        let expected = expected.expect("bounded").0;
        assert!((error / expected - 1.0).abs() < 0.05, "{error} {expected}");
        let los = ratings.los(0, 1).expect("comparable");
        assert!((los + ratings.los(1, 0).expect("comparable") - 1.0).abs() < 1e-12);
    }
}

/// The error of the first of five engines, in 500 rounds. The others play alike if `alike`, which is as if there were one
/// of them. All pairs of a round have one opening if `shared`, or else each its own.
fn error_of_outlier(alike: bool, shared: bool) -> f64 {
    let mut random = Pcg64::new(1, 1);
    let mut pair = || [(); 2].map(|()| [Loss, Draw, Win][(random.next_u64() % 3) as usize]);
    let mut games = Games::default();
    for round in 0..500 {
        let against_all = pair();
        for first in 0..5 {
            for second in first + 1..5 {
                let outcomes = match first {
                    _ if !alike => pair(),
                    0 => against_all,
                    _ => [Draw, Draw],
                };
                let own = (5 * first + second) as u64;
                record_pair(
                    &mut games,
                    [first, second],
                    outcomes,
                    if shared { round } else { 25 * round + own },
                );
            }
        }
    }
    find(&Ratings::of(&games, &[]), 0).error_95.expect("finite")
}

#[test]
fn opponents_that_play_alike_do_not_make_errors_smaller() {
    let ratio = error_of_outlier(true, true) / error_of_outlier(true, false);
    assert!((ratio - 2.0).abs() < 0.02, "{ratio}");
    let ratio = error_of_outlier(false, true) / error_of_outlier(false, false);
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

/// The fit follows a pair of games that alone connects players: it seems to have no error.
#[test]
fn a_single_opening_does_not_make_errors_smaller() {
    let mut random = Pcg64::new(1, 1);
    let (mut games, mut independent) = (Games::default(), Games::default());
    let mut play = |first, second, outcomes: [GameOutcome; 2], opening| {
        record_pair(&mut games, [first, second], outcomes, opening);
        independent.record(first, second, outcomes[0], None);
        independent.record(second, first, outcomes[1].reversed(), None);
    };
    // Two groups of three, with a pair between 2 and 3. And 6 played a pair with 0, and another with 1.
    for (first, second) in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)] {
        for opening in 0..100 {
            let outcomes = [(); 2].map(|()| [Loss, Draw, Win][(random.next_u64() % 3) as usize]);
            play(first, second, outcomes, opening);
        }
    }
    for (first, second) in [(2, 3), (6, 0), (6, 1)] {
        play(first, second, [Win, Loss], 0);
    }
    let anchor = Anchor { player: 0, elo: 0.0 };
    let [found, expected] = [&games, &independent].map(|games| Ratings::of(games, &[anchor]));
    for player in [4, 6] {
        let ratio = find(&found, player).error_95.expect("finite") / find(&expected, player).error_95.expect("finite");
        assert!((0.95..1.1).contains(&ratio), "{player}: {ratio}");
    }
}

#[test]
fn counts_are_merged_by_name() {
    let (mut apart, mut more, mut together) = (Games::default(), Games::default(), Games::default());
    record_pair(&mut apart, [0, 1], [Win, Draw], 1);
    record_pair(&mut more, [0, 1], [Loss, Draw], 1);
    record(&mut more, 0, 2, [1, 2, 3]);
    apart.merge(&more, &[1, 0, 2]);
    record_pair(&mut together, [0, 1], [Win, Draw], 1);
    record_pair(&mut together, [1, 0], [Loss, Draw], 1);
    record(&mut together, 1, 2, [1, 2, 3]);
    assert_eq!(apart, together);
    assert_eq!((together.openings(), together.games_without_opening()), (1, 6));
}

#[test]
fn who_won_or_lost_everything_has_an_infinite_rating() {
    // 1, 2 and 3 are a cycle; 0 beats 1, 4 beats 0, and 5 loses to 3.
    let won = [(1, 2), (2, 3), (3, 1), (0, 1), (4, 0), (3, 5)];
    let rows = won.map(|(winner, loser)| [(winner, loser, [0, 0, 1]), (loser, winner, [1, 0, 0])]);
    let games = games_of(rows.as_flattened());
    let ratings = Ratings::of(&games, &[]);
    let order: Vec<usize> = ratings.pools[0].players.iter().map(|rated| rated.player).collect();
    assert_eq!((order[0], order[1], order[5]), (4, 0, 5));
    assert_eq!(elo(&ratings, 4), f64::INFINITY);
    assert_eq!(elo(&ratings, 0), f64::INFINITY);
    assert_eq!(elo(&ratings, 5), f64::NEG_INFINITY);
    assert!(elo(&ratings, 1).abs() < 1e-6);
    assert_eq!(find(&ratings, 0).error_95, None);
    // Each won twice: in doubt with 1/8.
    assert_eq!(ratings.los(4, 5), Some(0.875));
    assert_eq!(ratings.los(5, 1), Some(0.125));
    assert_eq!(find(&ratings, 4).los_to_mean, Some(0.875));
}

#[test]
fn who_cannot_be_compared_has_no_rating() {
    let games = games_of(&[(0, 1), (1, 2), (2, 0), (0, 3), (4, 3)].map(|(winner, loser)| (winner, loser, [0, 0, 1])));
    // 3 lost to the cycle, 4 beat 3: 4 cannot be compared with the others.
    let ratings = Ratings::of(&games, &[]);
    assert_eq!(find(&ratings, 4).elo, None);
    assert_eq!(ratings.los(4, 0), None);
    assert_eq!(ratings.los(4, 3), Some(0.75));
}

/// One game connects two pairs of players that drew a hundred games.
#[test]
fn games_of_others_make_no_superiority_likely() {
    let mut games = games_of(&[(0, 1, [0, 100, 0]), (2, 3, [0, 100, 0]), (0, 2, [0, 0, 1])]);
    let ratings = Ratings::of(&games, &[]);
    assert_eq!((ratings.los(0, 3), ratings.los(2, 1)), (Some(0.75), Some(0.25)));
    record(&mut games, 1, 2, [0, 0, 2]);
    assert_eq!(Ratings::of(&games, &[]).los(0, 3), Some(0.9375), "three wins");
}

/// Only the games between players with finite ratings give a draw rate.
#[test]
fn a_draw_rate_needs_games() {
    let draw_rate = |[losses, draws, wins]: [u64; 3], lost: u64| {
        let games = games_of(&[(0, 1, [losses, draws, wins]), (0, 2, [0, 0, lost])]);
        Ratings::of(&games, &[]).draw_rate
    };
    assert_eq!(draw_rate([0, 2, 0], 6), None);
    assert_eq!(draw_rate([0, 50, 0], 6), None, "decided games are left out");
    assert_eq!(draw_rate([1, 2, 1], 0), None, "few games");
    assert!((draw_rate([10, 20, 10], 6).expect("enough") - 0.5).abs() < 1e-9);
}

#[test]
fn pools_who_never_met_are_rated_apart() {
    let games = games_of(&[(0, 1, [1, 2, 3]), (1, 0, [1, 2, 3]), (2, 3, [10, 10, 30])]);
    let ratings = Ratings::of(&games, &[Anchor { player: 3, elo: 3000.0 }]);
    assert_eq!(ratings.pools.len(), 2);
    assert_eq!(ratings.pools[0].players.len(), 2);
    assert!((elo(&ratings, 3) - 3000.0).abs() < 1e-9 && elo(&ratings, 2) > 3000.0);
    assert!((elo(&ratings, 0) + elo(&ratings, 1)).abs() < 1e-9);
    assert_eq!(ratings.los(0, 2), None);
}

#[test]
fn several_anchors_keep_their_ratings_and_the_others_are_fitted_to_them() {
    let mut games = Games::default();
    for (first, second) in [(0, 1), (0, 2), (1, 2), (2, 3)] {
        record(&mut games, first, second, [20, 40, 40]);
        record(&mut games, second, first, [30, 40, 30]);
    }
    let anchors = [(0, 3000.0), (1, 2900.0)].map(|(player, elo)| Anchor { player, elo });
    let ratings = Ratings::of(&games, &anchors);
    let white = ratings.white_advantage.expect("both had White").elo;
    assert_eq!((elo(&ratings, 0), elo(&ratings, 1)), (3000.0, 2900.0));
    assert!(anchors.iter().all(|anchor| ratings.is_anchored(*anchor)));
    assert_eq!(find(&ratings, 1).error_95, Some(0.0));
    assert_eq!(ratings.los(0, 1), None);
    assert!(find(&ratings, 2).error_95.is_some_and(|error| error > 0.0));
    // With the greatest likelihood, players that are fitted have the points that their ratings expect.
    let expected = |player: usize, other: usize, white: f64| {
        100.0 / (1.0 + 10_f64.powf((elo(&ratings, other) - elo(&ratings, player) - white) / 400.0))
    };
    let both = |player: usize, other: usize| expected(player, other, white) + expected(player, other, -white);
    assert!((both(3, 2) - 90.0).abs() < 1e-6, "{}", both(3, 2));
    let of_third = both(2, 0) + both(2, 1) + both(2, 3);
    assert!((of_third - (90.0 + 90.0 + 110.0)).abs() < 1e-6, "{of_third}");
}

/// One side wins every game with one colour: strengths and advantage grow together without a limit. Each list has the games
/// (White, Black, losses, draws and wins of White) and the score of player 0 against the others in turn.
#[test]
fn an_advantage_that_grows_with_the_strengths_is_none() {
    type Rows<'a> = &'a [(usize, usize, [u64; 3])];
    let cases: [(Rows<'_>, &[f64]); 3] = [
        (&[(0, 1, [0, 0, 10]), (1, 0, [8, 0, 2])], &[0.9]),
        // All with White, draws with Black.
        (&[(0, 1, [0, 0, 10]), (1, 0, [0, 10, 0])], &[0.75]),
        // Every loss is with Black, along a cycle of three.
        (&[(0, 1, [0, 0, 1]), (1, 2, [0, 0, 1]), (2, 0, [0, 0, 1])], &[0.5, 0.5]),
    ];
    for (rows, scores) in cases {
        let ratings = Ratings::of(&games_of(rows), &[]);
        assert_eq!(ratings.white_advantage, None, "{rows:?}");
        for (score, other) in scores.iter().zip(1..) {
            let difference = elo(&ratings, 0) - elo(&ratings, other);
            let expected = 400.0 * (score / (1.0 - score)).log10();
            assert!(
                (difference - expected).abs() < 1e-6,
                "{rows:?}: {difference} {expected}"
            );
        }
    }
}

/// Most games are won by the same side with the same colour, but one on either side makes the maximum finite.
#[test]
fn a_great_advantage_is_a_number_where_it_exists() {
    let games = games_of(&[(0, 1, [1, 0, 9_999]), (1, 0, [1, 0, 9_999])]);
    let advantage = Ratings::of(&games, &[]).white_advantage.expect("both lost with White");
    assert!((advantage.elo - 400.0 * 9_999.0_f64.log10()).abs() < 1e-6);
    assert!(advantage.error_95.is_some());
}

/// Far beyond the scale of a single pairing: each player is 191 Elo stronger than the next.
#[test]
fn a_long_ladder_has_its_ratings() {
    let mut games = Games::default();
    for player in 0..399 {
        record(&mut games, player, player + 1, [1, 0, 3]);
        record(&mut games, player + 1, player, [3, 0, 1]);
    }
    let ratings = Ratings::of(&games, &[]);
    let step = 400.0 * 3.0_f64.log10();
    for player in 0..399 {
        let difference = elo(&ratings, player) - elo(&ratings, player + 1);
        assert!((difference - step).abs() < 1e-6, "{difference}");
    }
}

/// Two players are 191 Elo above a third one.
#[test]
fn equal_ratings_are_sorted_by_score() {
    let mut games = Games::default();
    for (player, other, [losses, draws, wins]) in [(0, 1, [1, 0, 3]), (0, 2, [40, 0, 40]), (2, 1, [20, 0, 60])] {
        record(&mut games, player, other, [losses, draws, wins]);
        record(&mut games, other, player, [wins, draws, losses]);
    }
    let ratings = Ratings::of(&games, &[]);
    let order: Vec<usize> = ratings.pools[0].players.iter().map(|rated| rated.player).collect();
    assert_eq!(order, [2, 0, 1]);
}

#[test]
fn nothing_but_draws() {
    let games = games_of(&[(0, 1, [0, 50, 0]), (1, 0, [0, 50, 0])]);
    let ratings = Ratings::of(&games, &[]);
    assert_eq!((elo(&ratings, 0), ratings.draw_rate), (0.0, Some(1.0)));
    assert_eq!(find(&ratings, 0).error_95, None);
    assert_eq!(ratings.white_advantage.expect("both had White").error_95, None);
    assert_eq!(ratings.los(0, 1), Some(0.5));
    assert_eq!(Ratings::of(&Games::default(), &[]).pools, []);
}

/// Neighbours in a chain are as far apart as if there were no other players, however long it is. Here each played the
/// next one equally often with White and with Black, and won as often as it lost.
#[test]
fn a_long_chain_has_errors() {
    let mut games = Games::default();
    for player in 0..399 {
        record(&mut games, player, player + 1, [5, 0, 5]);
        record(&mut games, player + 1, player, [5, 0, 5]);
    }
    let ratings = Ratings::of(&games, &[]);
    let covariance = ratings.covariance.as_ref().expect("positive definite");
    let [near, far] = [(140, 141), (0, 399)].map(|(a, b)| covariance.of_difference(a, b));
    // Twenty games with the variance of a quarter each.
    assert!((near - 0.2).abs() < 1e-9, "{near}");
    assert!((far / (399.0 * 0.2) - 1.0).abs() < 1e-9, "{far}");
    // From the middle, and from an end, to the mean of all.
    let end = 0.2 * 400.0 / 3.0;
    let found = [covariance.of_player(0), covariance.of_player(200)];
    assert!((found[0] / end - 1.0).abs() < 1e-2, "{found:?}");
    assert!((found[1] / (end / 4.0) - 1.0).abs() < 1e-2, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_games_give_defined_ratings(
        rows in proptest::collection::vec((0_usize..6, 0_usize..6, 0_u64..4, 0_u64..4, 0_u64..4), 0..20),
        pairs in proptest::collection::vec((0_usize..6, 0_usize..6, 0_usize..3, 0_usize..3, 0_u64..4), 0..10),
    ) {
        let outcomes = [Loss, Draw, Win];
        let mut games = Games::default();
        for (white, black, losses, draws, wins) in rows {
            record(&mut games, white, black, [losses, draws, wins]);
        }
        for (player, other, with_white, with_black, opening) in pairs {
            record_pair(&mut games, [player, other], [outcomes[with_white], outcomes[with_black]], opening);
        }
        let ratings = Ratings::of(&games, &[]);
        let totals = games.totals();
        let rated: Vec<Rated> = ratings.pools.iter().flat_map(|pool| pool.players.clone()).collect();
        prop_assert_eq!(rated.len(), totals.iter().filter(|total| total.games() > 0).count());
        for a in &rated {
            prop_assert!(a.elo.is_none_or(|elo| !elo.is_nan()), "{:?}", a);
            prop_assert!(a.error_95.is_none_or(|error| error >= 0.0 && error.is_finite()), "{:?}", a);
            for b in &rated {
                let chance = ratings.los(a.player, b.player);
                prop_assert!(chance.is_none_or(|chance| (0.0..=1.0).contains(&chance)), "{chance:?}");
            }
        }
        // Points are what the ratings expect, in total zero above one half.
        for pool in &ratings.pools {
            let finite: Vec<f64> = pool.players.iter().filter_map(|p| p.elo).filter(|elo| elo.is_finite()).collect();
            let mean = finite.iter().sum::<f64>() / finite.len().max(1) as f64;
            prop_assert!(mean.abs() < 1e-6, "{mean}");
        }
        // Points are what the ratings expect: each player's, and White's where its advantage is given.
        let mut rest = [0.0; 7];
        for pairing in &ratings.fit.pairings {
            for color in 0..2 {
                let games = pairing.by_color[color];
                let points = games.wins() as f64 + games.draws() as f64 / 2.0;
                let more = points - games.games() as f64 * ratings.fit.expected(pairing, color);
                rest[pairing.first] += more;
                rest[pairing.second] -= more;
                rest[6] += encounters::sign(color) * more;
            }
        }
        let parameters = if ratings.white_advantage.is_some() { 7 } else { 6 };
        prop_assert!(rest[..parameters].iter().all(|rest: &f64| rest.abs() < 1e-6), "{rest:?}");
        let finite = |white: WhiteAdvantage| white.elo.abs() < 3000.0;
        prop_assert!(ratings.white_advantage.is_none_or(finite), "{:?}", ratings.white_advantage);
    }
}
