//! The columns of a measured variant.

use lmrlab_results::rows::experiments::Measures;
use lmrlab_stats::{Estimate, PairOutcome, Paired, Pentanomial};

use crate::audit::Audit;
use crate::suite::{Answer, SolvedDifference, solved};

/// Resampled sets of positions for the interval of a missed rate.
const RESAMPLES: usize = 1_000;

/// From nodes by position. The ratio is the geometric mean: every position counts alike, however large its tree.
pub(super) fn add_nodes(row: &mut Measures, nodes: &[u64], reference: &[u64]) {
    let log = |nodes: &u64| libm::log((*nodes).max(1) as f64);
    let ratios = nodes.iter().zip(reference).map(|(here, there)| log(here) - log(there));
    let (ratio, ends) = Paired::of(&ratios.collect::<Vec<f64>>()).factor();
    let (low, high) = ends.unzip();
    row.nodes = Some(nodes.iter().sum());
    row.nodes_ratio = ratio.into();
    row.nodes_ratio_low_95 = low.into();
    row.nodes_ratio_high_95 = high.into();
}

pub(super) fn add_suite(row: &mut Measures, answers: &[Answer], reference: &[Answer]) {
    let difference = SolvedDifference::between(reference, answers);
    row.solved = Some(solved(answers) as u64);
    row.positions = Some(answers.len() as u64);
    row.solved_gain = Some(difference.gain());
    row.solved_gain_error_95 = difference.gain_error_95().into();
}

pub(super) fn add_audit(row: &mut Measures, audit: &Audit, seed: u64) {
    let counts = audit.judged(&audit.resamples(RESAMPLES, seed), |_| true);
    row.audit_dismissed = Some(counts.reduced_low_low + counts.reduced_low_high);
    row.audit_missed = Some(counts.reduced_low_high);
    row.missed_rate = counts.missed_rate.into();
    row.missed_rate_low_95 = counts.missed_lower_95.into();
    row.missed_rate_high_95 = counts.missed_upper_95.into();
}

pub(super) fn add_games(row: &mut Measures, outcomes: &[PairOutcome]) {
    let mut pairs = Pentanomial::default();
    outcomes.iter().for_each(|outcome| pairs.record(*outcome));
    [row.n_ll, row.n_ld, row.n_dd_wl, row.n_wd, row.n_ww] = pairs.counts().map(Some);
    row.pairs = Some(outcomes.len() as u64);
    let estimate = Estimate::of(&pairs).unwrap_or(Estimate::NOTHING_KNOWN);
    row.elo = estimate.elo.0.into();
    row.elo_error_95 = estimate.elo_error_95.map(|error| error.0).into();
    row.los = estimate.los.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_counts_alike() {
        let mut row = Measures::default();
        add_nodes(&mut row, &[10, 4_000], &[20, 2_000]);
        assert_eq!(row.nodes, Some(4_010));
        let ratio = row.nodes_ratio.0.unwrap();
        assert!((ratio - 1.0).abs() < 1e-12, "a half and a double");
    }
}
