//! The regression against published examples, simulations and its own symmetries.

use super::heterogeneity::Variances;
use super::*;
use proptest::prelude::*;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Trials of the BCG vaccine: cases and others among the treated, cases and others among the controls, latitude. Source: G. A.
/// Colditz and others, 1994; `dat.bcg` of the R package metafor.
const BCG: [[f64; 5]; 13] = [
    [4.0, 119.0, 11.0, 128.0, 44.0],
    [6.0, 300.0, 29.0, 274.0, 55.0],
    [3.0, 228.0, 11.0, 209.0, 42.0],
    [62.0, 13536.0, 248.0, 12619.0, 52.0],
    [33.0, 5036.0, 47.0, 5761.0, 13.0],
    [180.0, 1361.0, 372.0, 1079.0, 44.0],
    [8.0, 2537.0, 10.0, 619.0, 19.0],
    [505.0, 87886.0, 499.0, 87892.0, 13.0],
    [29.0, 7470.0, 45.0, 7232.0, 27.0],
    [17.0, 1699.0, 65.0, 1600.0, 42.0],
    [186.0, 50448.0, 141.0, 27197.0, 18.0],
    [5.0, 2493.0, 3.0, 2338.0, 33.0],
    [27.0, 16886.0, 29.0, 17825.0, 33.0],
];

/// The logarithms of the risk ratios.
fn bcg(with_latitude: bool) -> Vec<Cell> {
    let cell = |(group, &[a, b, c, d, latitude]): (usize, &[f64; 5])| Cell {
        group,
        family: group,
        covariate: if with_latitude { latitude } else { 0.0 },
        effect: libm::log(a / (a + b) / (c / (c + d))),
        variance: 1.0 / a - 1.0 / (a + b) + 1.0 / c - 1.0 / (c + d),
    };
    BCG.iter().enumerate().map(cell).collect()
}

fn close(found: f64, published: f64, digits: f64) {
    assert!(
        (found - published).abs() <= 0.51 * digits,
        "{found}, published {published}"
    );
}

/// metafor: `rma(yi, vi, data=dat)` with its REML estimate 0.3132, `confint`, and `method="PM"`.
#[test]
fn the_bcg_trials_without_a_covariate() {
    let cells = bcg(false);
    let fit = MetaRegression::fit(&cells).unwrap();
    let found = fit.heterogeneity();
    close(found.q, 152.2330, 1e-4);
    assert_eq!(found.q_freedom, 12.0);
    assert!(found.q_probability < 1e-10);
    close(found.tau * found.tau, 0.3181, 1e-4);
    let [low, high] = found.tau_interval_95.map(|tau| tau * tau);
    close(low, 0.1197, 1e-4);
    close(high, 1.1115, 1e-4);
    close(found.i_squared, 0.9212, 1e-4);
    assert_eq!((found.omega, fit.slope()), (0.0, None));

    let reml = fit.model.fit(
        &cells,
        Variances {
            within: 0.0,
            between: 0.3132,
        },
    );
    close(reml.at(0.0), -0.7145, 1e-4);
    close(reml.variance_at(0.0).sqrt(), 0.1798, 1e-4);
}

/// metafor: `rma(yi, vi, mods = ~ ablat, data=dat)` with its REML estimate 0.0764.
#[test]
fn the_bcg_trials_by_latitude() {
    let cells = bcg(true);
    let fit = MetaRegression::fit(&cells).unwrap();
    close(fit.heterogeneity().q, 30.7331, 1e-4);
    assert_eq!(fit.heterogeneity().q_freedom, 11.0);
    let reml = fit.model.fit(
        &cells,
        Variances {
            within: 0.0,
            between: 0.0764,
        },
    );
    // The estimate of tau² has four digits here, and more of them there.
    close(reml.at(0.0), 0.2515, 2e-4);
    close(reml.variance_at(0.0).sqrt(), 0.2491, 2e-4);
    let (slope, variance) = reml.slope().unwrap();
    close(slope, -0.0291, 1e-4);
    close(variance.sqrt(), 0.0072, 1e-4);
}

/// Twice the cells with twice the variance are no more surroundings than before.
#[test]
fn cells_of_one_surrounding_are_not_counted_as_several() {
    let single = bcg(false);
    let doubled: Vec<Cell> = single
        .iter()
        .flat_map(|cell| {
            let half = Cell {
                variance: 2.0 * cell.variance,
                ..*cell
            };
            [half; 2]
        })
        .collect();
    let [one, two] = [&single, &doubled].map(|cells| MetaRegression::fit(cells).unwrap());
    let (a, b) = (one.predict(0.0, 0.8), two.predict(0.0, 0.8));
    assert!(
        (a.low - b.low).abs() < 1e-9 && (a.high - b.high).abs() < 1e-9,
        "{a:?} {b:?}"
    );
    assert!((one.heterogeneity().q - two.heterogeneity().q).abs() < 1e-9);
}

#[test]
fn too_little_is_refused() {
    let cells = bcg(false);
    assert_eq!(MetaRegression::fit(&[]), Err(MetaError::TooFew));
    assert_eq!(MetaRegression::fit(&cells[..2]), Err(MetaError::TooFew));
    assert!(MetaRegression::fit(&cells[..3]).is_ok());
    assert_eq!(MetaRegression::fit(&bcg(true)[..3]), Err(MetaError::TooFew));
    for (variance, effect, error) in [
        (0.0, 0.0, MetaError::Variance),
        (f64::NAN, 0.0, MetaError::Variance),
        (1.0, f64::INFINITY, MetaError::NotFinite),
    ] {
        let mut wrong = cells.clone();
        (wrong[0].variance, wrong[0].effect) = (variance, effect);
        assert_eq!(MetaRegression::fit(&wrong), Err(error));
    }
}

fn normal_deviate(random: &mut Pcg64) -> f64 {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let (radius, angle) = (1.0 - uniform(), uniform());
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
}

/// Cells of surroundings of these families at four budgets, and the effect of one more surrounding at a fifth.
fn simulated(families: &[usize], [tau, omega]: [f64; 2], random: &mut Pcg64) -> (Vec<Cell>, f64) {
    let of_families: Vec<f64> = (families.iter())
        .map(|_| tau * RELATIVES_CORRELATION.sqrt() * normal_deviate(random))
        .collect();
    let mut cells = Vec::new();
    for group in 0..families.len() {
        let own = of_families[families[group]] + tau * (1.0 - RELATIVES_CORRELATION).sqrt() * normal_deviate(random);
        for budget in 0..4 {
            let covariate = f64::from(budget);
            let deviation = 4.0 + 4.0 * covariate;
            let truth = 3.0 + 1.5 * covariate + own + omega * normal_deviate(random);
            cells.push(Cell {
                group,
                family: families[group],
                covariate,
                effect: truth + deviation * normal_deviate(random),
                variance: deviation * deviation,
            });
        }
    }
    let unknown = 3.0 + 1.5 * 5.0 + tau * normal_deviate(random) + omega * normal_deviate(random);
    (cells, unknown)
}

/// The 80% interval of the prediction has what comes in about 80% of the cases, and that of tau in about 95%; when nothing
/// differs they have more, because a variance cannot be negative.
#[test]
fn intervals_cover_what_they_promise() {
    const RUNS: u64 = 500;
    const STRANGERS: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const RELATIVES: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6];
    for (families, tau, omega, most) in [
        (STRANGERS, 10.0, 8.0, 0.85),
        (STRANGERS, 0.0, 0.0, 0.93),
        (RELATIVES, 10.0, 8.0, 0.85),
        (RELATIVES, 0.0, 0.0, 0.93),
    ] {
        let (mut predicted, mut taus, mut slopes) = (0, 0, 0);
        for run in 0..RUNS {
            let (cells, unknown) = simulated(&families, [tau, omega], &mut Pcg64::new(7, u128::from(run)));
            let fit = MetaRegression::fit(&cells).unwrap();
            let prediction = fit.predict(5.0, 0.8);
            let [low, high] = fit.heterogeneity().tau_interval_95;
            let slope = fit.slope().unwrap();
            predicted += u64::from(prediction.low <= unknown && unknown <= prediction.high);
            taus += u64::from(low <= tau && tau <= high);
            slopes += u64::from((slope.value - 1.5).abs() <= slope.error_95);
        }
        let [predicted, taus, slopes] = [predicted, taus, slopes].map(|count| count as f64 / RUNS as f64);
        assert!((0.75..most).contains(&predicted), "{tau} {omega}: {predicted}");
        assert!((0.92..=1.0).contains(&taus), "{tau} {omega}: {taus}");
        assert!((0.92..0.99).contains(&slopes), "{tau} {omega}: {slopes}");
    }
}

fn cells() -> impl Strategy<Value = Vec<Cell>> {
    let cell = (0_usize..5, 0_u8..4, -50.0..50.0, 1.0..400.0);
    prop::collection::vec(cell, 0..16).prop_map(|more| {
        // Five surroundings, so that a model can always be fitted.
        let always = (0..5).map(|group| (group, (group % 3) as u8, f64::from(group as u8), 30.0));
        let all = always.chain(more);
        all.map(|(group, covariate, effect, variance)| Cell {
            group,
            family: group.min(3),
            covariate: f64::from(covariate),
            effect,
            variance,
        })
        .collect()
    })
}

proptest! {
    #[test]
    fn a_line_added_to_the_effects_moves_the_prediction_alone(cells in cells(), a in -9.0..9.0, b in -9.0..9.0) {
        let moved: Vec<Cell> = cells
            .iter()
            .map(|cell| Cell { effect: cell.effect + a + b * cell.covariate, ..*cell })
            .collect();
        let (one, two) = (MetaRegression::fit(&cells).unwrap(), MetaRegression::fit(&moved).unwrap());
        let (before, after) = (one.predict(6.0, 0.8), two.predict(6.0, 0.8));
        let moved: f64 = before.mean + a + 6.0 * b - after.mean;
        prop_assert!(moved.abs() < 1e-3, "{before:?} {after:?}");
        prop_assert!((before.width() - after.width()).abs() < 1e-3 * (1.0 + before.width()), "{before:?} {after:?}");
        prop_assert!((one.heterogeneity().q - two.heterogeneity().q).abs() < 1e-6 * (1.0 + one.heterogeneity().q));
    }

    #[test]
    fn numbers_and_order_of_surroundings_do_not_matter(cells in cells()) {
        let renamed: Vec<Cell> = cells.iter().rev().map(|cell| Cell { group: 20 - 3 * cell.group, family: 9 - 2 * cell.family, ..*cell }).collect();
        let [one, two] = [&cells, &renamed].map(|cells| MetaRegression::fit(cells).unwrap().predict(2.0, 0.8));
        prop_assert!((one.low - two.low).abs() < 1e-4 && (one.high - two.high).abs() < 1e-4, "{one:?} {two:?}");
    }

    #[test]
    fn the_estimates_lie_in_their_intervals(cells in cells()) {
        let fit = MetaRegression::fit(&cells).unwrap();
        let found = fit.heterogeneity();
        let [low, high] = found.tau_interval_95;
        prop_assert!(low <= found.tau && found.tau <= high, "{found:?}");
        prop_assert!((0.0..=1.0).contains(&found.i_squared) && (0.0..=1.0).contains(&found.q_probability));
        let (narrow, wide) = (fit.predict(1.0, 0.5), fit.predict(1.0, 0.95));
        prop_assert!(narrow.low > wide.low && narrow.high < wide.high);
    }

    #[test]
    fn games_go_where_they_narrow_the_prediction_most(
        games in prop::collection::vec(1.0..100.0, 12),
        costs in prop::collection::vec(1.0..64.0, 12),
        tau in 0.0..40.0,
        omega in 0.0..20.0,
    ) {
        let planned = planned(&games, &costs);
        let mut allocation = Allocation::new(planned.clone(), &known(tau, omega), 6.0).unwrap();
        let before = allocation.variance();
        let chosen = allocation.give(4.0);
        let rate = (before - allocation.variance()) / costs[chosen];
        prop_assert!(rate > 0.0);
        for other in 0..planned.len() {
            let mut more = planned.clone();
            more[other].games += 4.0;
            let after = Allocation::new(more, &known(tau, omega), 6.0).unwrap().variance();
            prop_assert!((before - after) / costs[other] <= rate * (1.0 + 1e-6), "{other} is better than {chosen}");
        }
    }
}

/// Four surroundings at three budgets.
fn planned(games: &[f64], costs: &[f64]) -> Vec<PlannedCell> {
    let cell = |(index, (&games, &unit_cost)): (usize, (&f64, &f64))| PlannedCell {
        group: index / 3,
        family: index / 3,
        covariate: (index % 3) as f64,
        games,
        unit_variance: 10_000.0,
        unit_cost,
    };
    games.iter().zip(costs).enumerate().map(cell).collect()
}

fn known(tau: f64, omega: f64) -> Heterogeneity {
    Heterogeneity {
        tau,
        tau_interval_95: [0.0, tau],
        omega,
        q: 0.0,
        q_freedom: 3.0,
        q_probability: 1.0,
        i_squared: 0.0,
    }
}

/// Without differences between surroundings all of one budget are worth the same: none is forgotten.
#[test]
fn surroundings_that_are_worth_the_same_get_as_many_games() {
    let mut allocation = Allocation::new(planned(&[4.0; 12], &[1.0; 12]), &known(0.0, 0.0), 1.0).unwrap();
    let mut of_group = [0; 4];
    for _ in 0..40 {
        of_group[allocation.give(4.0) / 3] += 1;
    }
    assert_eq!(of_group, [10; 4]);
}

/// A prediction at a large budget needs games there and at the small one, and more of the cheap ones.
#[test]
fn cheap_games_are_preferred_and_the_middle_is_left_out() {
    let costs = [1.0, 4.0, 16.0].repeat(4);
    let mut allocation = Allocation::new(planned(&[4.0; 12], &costs), &known(5.0, 0.0), 4.0).unwrap();
    let mut of_budget = [0; 3];
    for _ in 0..300 {
        of_budget[allocation.give(4.0) % 3] += 1;
    }
    let [cheap, middle, dear] = of_budget;
    assert!(cheap > dear && dear > middle, "{of_budget:?}");
}

/// The slope of the BCG trials is -0.029 with an error of about 0.007; without the trend nothing is left of it.
#[test]
fn a_slope_beyond_chance() {
    let cells = bcg(true);
    let fit = MetaRegression::fit(&cells).unwrap();
    let (slope, variance) = fit.fitted.slope().unwrap();
    let beyond = fit.slope_beyond_chance();
    assert!((beyond * beyond - (slope * slope - variance)).abs() < 1e-12 && beyond > 0.02);
    let flat: Vec<Cell> = cells
        .iter()
        .map(|cell| Cell {
            effect: cell.effect - slope * cell.covariate,
            ..*cell
        })
        .collect();
    assert_eq!(MetaRegression::fit(&flat).unwrap().slope_beyond_chance(), 0.0);
    assert_eq!(MetaRegression::fit(&bcg(false)).unwrap().slope_beyond_chance(), 0.0);
}

/// A prior that says nothing changes nothing, and one that says everything leaves no slope.
#[test]
fn a_prior_of_the_slope() {
    let cells = bcg(true);
    let plain = MetaRegression::fit(&cells).unwrap();
    let wide = MetaRegression::fit_with_slope_prior(&cells, Some(1e6)).unwrap();
    let narrow = MetaRegression::fit_with_slope_prior(&cells, Some(1e-9)).unwrap();
    let (slope, narrow_slope) = (plain.slope().unwrap(), narrow.slope().unwrap());
    assert!((wide.slope().unwrap().value - slope.value).abs() < 1e-9);
    assert!(narrow_slope.value.abs() < 1e-9 && narrow_slope.error_95 < 1e-7);
    assert_eq!(plain.heterogeneity(), narrow.heterogeneity());
    let far = |fit: &MetaRegression| fit.predict(200.0, 0.8).width();
    assert!(far(&narrow) < 0.5 * far(&plain), "{} {}", far(&narrow), far(&plain));
    // Half of the precision of the slope is that of the prior.
    let (_, variance) = plain.fitted.slope().unwrap();
    let half = MetaRegression::fit_with_slope_prior(&cells, Some(variance.sqrt())).unwrap();
    assert!((half.slope().unwrap().value - slope.value / 2.0).abs() < 1e-9);
}
