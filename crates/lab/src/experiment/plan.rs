//! Measures of the variants of a policy: sizes of trees, positions solved, reductions that miss a move, games won.
//!
//! Every variant is compared with a reference, position by position and opening by opening. This removes most of the noise.

use std::slice::from_ref;

use lmrlab_engine::limits::Limits;
use lmrlab_stats::{Estimate, PairOutcome, Pentanomial};

use crate::audit::{Audit, AuditOptions, audit};
use crate::bench::{bench, compared};
use crate::host::Searched;
use crate::positions::LabPosition;
use crate::search::SearchLimit;
use crate::suite::{Answer, TestPosition, answers, gain, solved};
use crate::variant::Variant;
use crate::workers::Workers;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::rows::experiments::Measures;
use lmrlab_results::seen::Seen;

/// Resampled sets of positions for the interval of a missed rate.
const RESAMPLES: usize = 1_000;

/// What to measure, and on what.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Nodes to a depth in plies, over these positions.
    pub nodes: Option<(Vec<LabPosition>, u32)>,
    /// Positions to be solved within a given number of nodes.
    pub suite: Option<(Vec<TestPosition>, u64)>,
    /// Reductions that missed a move, in searches of these positions to a depth in plies.
    pub audit: Option<(Vec<LabPosition>, u32, AuditOptions)>,
    /// Games of each variant but the reference, which were played already: the result of each pair, from the side of the
    /// variant, in the order of the openings.
    pub games: Option<Vec<Vec<PairOutcome>>>,
}

impl Plan {
    /// Measures variants one after the other. The first variant is the reference: all variants, itself included, are
    /// compared with it. When the workers are asked to stop, the variant in progress and those after it are left out.
    ///
    /// # Errors
    /// When an audit fails.
    pub fn measure(&self, variants: &[Variant], workers: &Workers) -> Result<Vec<Measures>, Failure> {
        let mut all: Vec<Measures> = Vec::with_capacity(variants.len());
        let (mut first_searches, mut first_answers) = (None, None);
        for (index, variant) in variants.iter().enumerate() {
            workers.begin_row(index + 1, variants.len());
            let (mut row, only) = (Measures::default(), from_ref(variant));
            if let Some((positions, depth)) = &self.nodes {
                let found = bench(only, positions, SearchLimit::Depth(*depth), workers);
                let searches: Vec<Searched> = found.results.iter().flatten().map(Searched::from).collect();
                add_nodes(
                    &mut row,
                    &searches,
                    first_searches.get_or_insert_with(|| searches.clone()),
                );
            }
            if let Some((tests, limit)) = &self.suite {
                let found = answers(only, tests, &Limits::nodes(*limit), workers);
                let answers: Vec<Answer> = found.results.into_iter().flatten().collect();
                add_suite(&mut row, &answers, first_answers.get_or_insert_with(|| answers.clone()));
            }
            if let Some((positions, depth, options)) = &self.audit {
                for audit in audit(only, positions, SearchLimit::Depth(*depth), options, workers)? {
                    add_audit(&mut row, &audit, options.seed);
                }
            }
            if let (Some(games), Some(place)) = (&self.games, index.checked_sub(1))
                && let Some(outcomes) = games.get(place)
            {
                add_games(&mut row, outcomes);
            }
            // A variant that was not measured to its end has no row.
            if workers.is_stopped() {
                break;
            }
            all.push(row);
        }
        Ok(all)
    }

    /// What is searched, and how far.
    pub fn conditions(&self) -> Vec<String> {
        let nodes = self.nodes.as_ref();
        let suite = self.suite.as_ref();
        let audit = self.audit.as_ref();
        let parts = [
            nodes.map(|(positions, depth)| format!("nodes of {} positions to depth {depth}", positions.len())),
            suite.map(|(tests, nodes)| format!("{} test positions, {nodes} nodes each", tests.len())),
            audit.map(|(positions, depth, options)| {
                let share = Seen::Percent.number(options.rate);
                let positions = positions.len();
                format!("audit of {share} of the late moves in {positions} positions, depth {depth}")
            }),
        ];
        parts.into_iter().flatten().collect()
    }
}

/// The ratio is the geometric mean: every position counts alike, however large its tree.
fn add_nodes(row: &mut Measures, searches: &[Searched], reference: &[Searched]) {
    let compared = compared("", searches, reference);
    row.nodes = Some(compared.nodes);
    row.nodes_ratio = compared.nodes_ratio_geometric_mean.into();
    row.nodes_ratio_low_95 = compared.nodes_ratio_geometric_mean_low_95.into();
    row.nodes_ratio_high_95 = compared.nodes_ratio_geometric_mean_high_95.into();
}

fn add_suite(row: &mut Measures, answers: &[Answer], reference: &[Answer]) {
    let (gain, error) = gain(reference, answers);
    row.solved = Some(solved(answers) as u64);
    row.positions = Some(answers.len() as u64);
    row.solved_gain = Some(gain);
    row.solved_gain_error_95 = error.into();
}

fn add_audit(row: &mut Measures, audit: &Audit, seed: u64) {
    let counts = audit.judged(&audit.resamples(RESAMPLES, seed), |_| true);
    row.audit_dismissed = Some(counts.reduced_low_low + counts.reduced_low_high);
    row.audit_missed = Some(counts.reduced_low_high);
    row.missed_rate = counts.missed_rate.into();
    row.missed_rate_low_95 = counts.missed_lower_95.into();
    row.missed_rate_high_95 = counts.missed_upper_95.into();
}

fn add_games(row: &mut Measures, outcomes: &[PairOutcome]) {
    let mut pairs = Pentanomial::default();
    outcomes.iter().for_each(|outcome| pairs.record(*outcome));
    [row.n_ll, row.n_ld, row.n_dd_wl, row.n_wd, row.n_ww] = pairs.counts().map(Some);
    row.pairs = Some(outcomes.len() as u64);
    let estimate = Estimate::of(&pairs).unwrap_or(Estimate::NOTHING_KNOWN);
    row.elo = estimate.elo.0.into();
    row.elo_error_95 = estimate.elo_error_95.map(|error| error.0).into();
    row.los = estimate.los.into();
}
