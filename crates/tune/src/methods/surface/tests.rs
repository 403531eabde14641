//! The method on surfaces with a known best point.

use super::*;
use crate::methods::simulated::Hill;
use lmrlab_stats::PairOutcome;

/// A run on a surface.
fn tuned(hill: &Hill, pairs: u64, seed: u64) -> Surface {
    let mut random = Random::new(seed, 1);
    let mut surface = Surface::new(hill.parameters.clone(), seed);
    while surface.played < pairs {
        let probes = surface.next();
        surface.record(&hill.play(&probes, &mut random));
    }
    surface
}

#[test]
fn comes_near_the_best_point() {
    let hill = Hill::new(&[true, false], 4);
    let mut surface = tuned(&hill, 4000, 4);
    let values = surface.recommendation();
    let (start, left) = (hill.lost(&hill.start()), hill.lost(&values));
    assert!(left < 0.1 * start, "{left} of {start}");
    let (gain, deviation) = surface.gain(&values).unwrap();
    assert!((gain - (start - left)).abs() < 4.0 * deviation, "{gain} ± {deviation}");
    let (low, high) = surface.findings(&values)[0].interval;
    assert!(low < values[0] && values[0] < high && high - low < 50.0);
}

#[test]
fn knows_what_matters() {
    let mut measurable = [0; 2];
    for seed in 0..8 {
        let hill = Hill::new(&[true, false], seed);
        let mut surface = tuned(&hill, 2000, seed);
        let values = surface.recommendation();
        let findings = surface.findings(&values);
        for (count, finding) in measurable.iter_mut().zip(findings) {
            *count += u32::from(finding.is_measurable());
        }
    }
    let [with, without] = measurable;
    assert!(with >= 7 && without <= 1, "{measurable:?}");
}

#[test]
fn without_evidence_nothing_is_changed() {
    let hill = Hill::new(&[true; 3], 1);
    let mut surface = Surface::new(hill.parameters.clone(), 1);
    assert_eq!(surface.recommendation(), hill.start());
    for _ in 0..3 {
        let count = surface.next().len();
        surface.record(&vec![PairOutcome::Even.into(); count]);
    }
    assert_eq!(surface.recommendation(), hill.start());
}

#[test]
fn points_are_within_bounds_and_whole_where_they_have_to_be() {
    let mut parameters = Hill::new(&[true; 2], 1).parameters;
    parameters[0].integer = true;
    parameters[0].start = 0.0;
    let mut surface = Surface::new(parameters, 3);
    for round in 0..8 {
        let probes = surface.next();
        for values in probes.iter().flat_map(|probe| [&probe.first, &probe.second]) {
            assert_eq!(values[0].fract(), 0.0);
            assert!(values.iter().all(|value| (0.0..=100.0).contains(value)));
        }
        let outcome = PairOutcome::ALL[round % 5];
        surface.record(&vec![outcome.into(); probes.len()]);
    }
}

#[test]
fn outcomes_that_are_missing_do_not_count() {
    let hill = Hill::new(&[true; 2], 1);
    let mut surface = Surface::new(hill.parameters.clone(), 3);
    assert_eq!(surface.next().len(), LEAST_BATCH as usize);
    surface.record(&[PairOutcome::WinWin.into(); 5]);
    assert_eq!(surface.played, 5);
    assert_eq!(surface.blocks.len(), 5);
}
