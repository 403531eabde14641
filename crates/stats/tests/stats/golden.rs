//! Figures that fishtest and fastchess compute from the same counts.

use lmrlab_stats::{Counts, Elo, EloModel, Estimate, GameVariance, Pentanomial, Sprt, Trinomial, Verdict};

#[track_caller]
fn assert_close(ours: f64, theirs: f64, tolerance: f64) {
    assert!((ours - theirs).abs() <= tolerance, "{ours} is not {theirs}");
}

/// Checks the log-likelihood ratio of `elo0` against `elo1` in both models.
#[track_caller]
fn assert_llr<const N: usize>(results: &Counts<N>, elo: [f64; 2], logistic: f64, normalized: f64) {
    for (model, expected) in [(EloModel::Logistic, logistic), (EloModel::Normalized, normalized)] {
        let sprt = Sprt::new(model, elo[0], elo[1], 0.05, 0.05);
        let llr = sprt.map_or(f64::NAN, |sprt| sprt.llr(results));
        assert_close(llr, expected, 1e-10);
    }
}

/// fishtest's, with nothing empty.
#[test]
fn llr_of_pairs() {
    let pairs = Pentanomial::new([10789, 19328, 33806, 19402, 10543]);
    assert_llr(&pairs, [0.0, 2.0], -8.34820881516847, -6.070429067588585);
    assert_llr(&pairs, [-1.75, 0.25], -0.11102217673761142, -0.6271679157328218);
    let pairs = Pentanomial::new([12, 90, 181, 93, 9]);
    assert_llr(&pairs, [0.5, 2.5], -0.10510370586696974, -0.048467344769450686);
    assert_llr(&pairs, [-5.0, 0.0], 0.1052539174023744, 0.0064274530885495475);
}

/// fishtest's.
#[test]
fn llr_of_games() {
    assert_llr(
        &Trinomial::new([13624, 34333, 13543]),
        [0.0, 5.0],
        -17.051920555208962,
        -8.12208810685402,
    );
    assert_llr(
        &Trinomial::new([0, 20, 10]),
        [0.0, 10.0],
        0.8508894811044693,
        0.4881441741603903,
    );
    assert_llr(
        &Trinomial::new([0, 0, 0]),
        [-1.75, 0.25],
        5.591803441839984e-8,
        3.7278609187785686e-8,
    );
}

/// A high-precision solution of the model that fishtest and fastchess approximate.
#[test]
fn llr_with_empty_cells() {
    assert_llr(
        &Pentanomial::new([0; 5]),
        [0.0, 5.0],
        -1.035448350228153e-6,
        -1.035387601731372e-6,
    );
    assert_llr(
        &Pentanomial::new([0, 0, 50, 0, 0]),
        [0.0, 5.0],
        -0.7176058361124835,
        -0.017561248571758826,
    );
    assert_llr(
        &Pentanomial::new([3, 9, 0, 11, 4]),
        [0.0, 5.0],
        0.058415748899860356,
        0.05541984167297822,
    );
    assert_llr(
        &Pentanomial::new([3000, 0, 0, 0, 0]),
        [0.0, 5.0],
        -43.4841470599494,
        -61.67349161573387,
    );
    assert_llr(
        &Trinomial::new([0, 0, 4250]),
        [0.0, 5.0],
        60.72233255160657,
        60.72024477838082,
    );
    assert_llr(
        &Trinomial::new([356, 0, 34]),
        [0.0, 5.0],
        -4.674348675911308,
        -4.674179959283615,
    );
}

/// fastchess's, down to the decision.
#[test]
fn a_fastchess_table_of_pairs() {
    let pairs = Pentanomial::new([200, 3500, 9000, 3600, 210]);
    let estimate = Estimate::of(&pairs).expect("there are pairs");
    assert_close(estimate.score, 0.5018170805572381, 1e-15);
    assert_close(estimate.elo.0, 1.262642453337475, 1e-12);
    assert_close(estimate.elo_error_95.expect("bounded").0, 1.92792244362483, 1e-12);
    assert_close(estimate.normalized_elo.0, 2.454330049095203, 1e-12);
    assert_close(
        estimate.normalized_elo_error_95.expect("bounded").0,
        3.7474328099031236,
        1e-12,
    );
    assert_close(estimate.los, 0.9003680745267157, 1e-10);
    let variance = GameVariance::of(&pairs).expect("there are pairs").value();
    assert_close(variance / 2.0, 0.03308270669795777, 1e-15);
    assert_close(pairs.draw_ratio().expect("there are pairs"), 0.5451241671714112, 1e-15);
    assert_close(
        pairs.pairs_ratio().expect("some are decided"),
        1.0297297297297296,
        1e-15,
    );

    let sprt = Sprt::new(EloModel::Normalized, 0.0, 30.0, 0.1, 0.2).expect("valid bounds");
    assert_close(sprt.bounds().0, -1.504077396776274, 1e-15);
    assert_close(sprt.bounds().1, 2.0794415416798357, 1e-15);
    assert_close(sprt.llr(&pairs), -102.91876119084684, 1e-9);
    assert_eq!(sprt.status(&pairs), Verdict::AcceptH0);
}

/// fastchess's.
#[test]
fn a_fastchess_table_of_games() {
    let games = Trinomial::new([89, 123, 76]);
    let estimate = Estimate::of(&games).expect("there are games");
    assert_close(estimate.elo.0, -15.693520705432237, 1e-12);
    assert_close(estimate.elo_error_95.expect("bounded").0, 30.45800071698045, 1e-12);
    assert_close(estimate.normalized_elo.0, -20.756449777395378, 1e-12);
    assert_close(
        estimate.normalized_elo_error_95.expect("bounded").0,
        40.12602555757857,
        1e-12,
    );
    assert_close(estimate.los, 0.1553264349274983, 1e-10);
    assert_close(games.draw_ratio().expect("there are games"), 0.42708333333333337, 1e-15);
}

/// With no cell empty, fishtest's estimate is the same.
#[test]
fn a_fishtest_estimate() {
    let estimate = Estimate::of(&Pentanomial::new([5, 60, 400, 45, 3])).expect("there are pairs");
    assert_close(estimate.elo.0, -6.434727957381918, 1e-12);
    assert_close(estimate.elo_error_95.expect("bounded").0, 7.752435438325019, 1e-12);
    assert_close(estimate.los, 0.05181922143374984, 1e-10);
}

/// fishtest's calculator.
#[test]
fn the_plan_of_a_test() {
    let variance = GameVariance::new(0.49, Elo(191.0)).expect("possible games");
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 2.0, 0.05, 0.05).expect("valid bounds");
    let plan = sprt.plan(variance, Elo(-1.0), None);
    assert_close(plan.pass_probability, 0.0027623637443195113, 1e-9);
    assert_close(plan.expected_games, 22946.667625178936, 1e-3);
}
