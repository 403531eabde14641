use super::*;
use proptest::prelude::*;

/// Fourteen observations in five groups. The expected values are those of a program in Python (numpy, scipy) that was written
/// from the description at the head of the module: explicit inverses, groups left out one after the other, Brent's method.
fn observations() -> Vec<Observation> {
    let groups = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4];
    let features = [
        [0.0, 4.91, -1.01],
        [0.3, 7.09, -0.98],
        [-0.27, 0.97, -1.31],
        [-0.89, 3.63, -1.1],
        [-0.45, -0.7, -1.2],
        [-0.99, 1.13, -1.16],
        [0.06, -0.53, -0.79],
        [1.34, 4.29, -1.16],
        [-0.49, 1.2, -1.01],
        [-0.62, 5.81, -0.82],
        [0.49, 5.47, -1.12],
        [0.36, 4.44, -1.02],
        [0.11, -2.55, -0.98],
        [-0.93, 3.38, -0.99],
    ];
    let effects = [
        -22.1, -17.8, 2.5, -29.1, 2.8, -12.6, -1.7, 12.5, -3.9, -30.8, -11.1, -6.3, 7.6, -15.3,
    ];
    let variances = [
        12.0, 24.6, 16.4, 16.7, 17.4, 18.2, 7.2, 13.2, 9.0, 12.5, 6.0, 24.3, 8.5, 18.1,
    ];
    let measured = effects.into_iter().zip(variances);
    groups
        .into_iter()
        .zip(features)
        .zip(measured)
        .map(|((group, features), (effect, variance))| Observation {
            group,
            features: features.to_vec(),
            effect,
            variance,
        })
        .collect()
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
}

#[test]
fn as_numpy_has_it() {
    let ridge = Ridge::fit(&observations(), &[1.0; 3]).unwrap();
    let expected = [
        -9.185_274_867_554_812,
        8.414_299_162_691_302,
        -9.356_976_557_533_898,
        -3.134_808_365_864_740_8,
    ];
    for (found, expected) in ridge.coefficients.iter().zip(expected) {
        close(*found, expected);
    }
    assert_eq!((ridge.penalty, ridge.freedom), (0.01, 3.0));
    close(ridge.scatter, 3.185_463_636_670_515);

    let (here, there) = ([0.5, 4.0, -1.1], [-0.2, 6.0, -0.9]);
    let prediction = ridge.predict(&here, 0.8);
    close(prediction.mean, -3.611_534_973_269_447);
    close(prediction.width() / 2.0, 6.092_751_777_649_404);
    let difference = ridge.predict_difference(&here, &there, 0.8);
    close(difference.mean, 20.791_941_600_409_704);
    close(difference.width() / 2.0, 8.505_221_687_093_739);
    let sum: f64 = ridge.contributions(&here).iter().sum();
    close(sum + ridge.coefficients[0], prediction.mean);

    let left_out = leave_groups_out(&observations(), &[1.0; 3], 0.8).unwrap();
    close(left_out[0].mean, -14.546_908_730_941_91);
    close(left_out[0].width() / 2.0, 11.134_412_306_351_212);
    close(left_out[9].mean, -31.188_996_392_117_39);
    close(left_out[9].width() / 2.0, 13.462_027_665_528_911);
}

#[test]
fn wrong_observations_are_refused() {
    let mut observations = observations();
    observations.truncate(6);
    assert_eq!(Ridge::fit(&observations, &[1.0; 3]), Err(RidgeError::TooFew));
    assert_eq!(Ridge::fit(&[], &[]), Err(RidgeError::TooFew));
    observations[0].variance = 0.0;
    assert_eq!(Ridge::fit(&observations, &[1.0; 3]), Err(RidgeError::Observation));
    observations[0].variance = 1.0;
    observations[1].features.pop();
    assert_eq!(Ridge::fit(&observations, &[1.0; 3]), Err(RidgeError::Observation));
}

#[test]
fn a_feature_that_never_changes_says_nothing() {
    let mut constant = observations();
    for observation in &mut constant {
        // The mean of these is not 0.1 to the last bit.
        observation.features.push(0.1);
    }
    let (without, with) = (
        Ridge::fit(&observations(), &[1.0; 3]).unwrap(),
        Ridge::fit(&constant, &[1.0; 4]).unwrap(),
    );
    let prediction = with.predict(&[0.5, 4.0, -1.1, 0.1], 0.8);
    close(prediction.mean, without.predict(&[0.5, 4.0, -1.1], 0.8).mean);
    assert!(
        with.predict(&[0.5, 4.0, -1.1, 0.0], 0.8).width() < 100.0,
        "another value is no surprise"
    );
}

#[test]
fn a_feature_without_reliability_has_no_part() {
    let mut other = observations();
    for (index, observation) in other.iter_mut().enumerate() {
        observation.features[2] = (index * 7 % 5) as f64;
    }
    let fit = |observations: &[Observation], last| Ridge::fit(observations, &[1.0, 1.0, last]).unwrap();
    let here = fit(&observations(), 0.0).predict(&[0.5, 4.0, -1.1], 0.8);
    close(fit(&other, 0.0).predict(&[0.5, 4.0, 3.0], 0.8).mean, here.mean);
    let half = fit(&observations(), 0.5).predict(&[0.5, 4.0, -1.1], 0.8);
    assert!((half.mean - here.mean).abs() > 0.01, "half a reliability counts");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn units_of_a_feature_do_not_matter(factor in 0.01..100.0f64, shift in -50.0..50.0f64) {
        let mut other = observations();
        for observation in &mut other {
            observation.features[1] = observation.features[1] * factor + shift;
        }
        let (here, there) = (Ridge::fit(&observations(), &[1.0; 3]).unwrap(), Ridge::fit(&other, &[1.0; 3]).unwrap());
        let found = there.predict(&[0.5, 4.0 * factor + shift, -1.1], 0.8);
        let expected = here.predict(&[0.5, 4.0, -1.1], 0.8);
        prop_assert!((found.mean - expected.mean).abs() < 1e-6);
        prop_assert!((found.low - expected.low).abs() < 1e-6);
    }
}
