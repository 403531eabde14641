//! Measures of the variants of a policy: sizes of trees, positions solved, reductions that miss a move, games won.
//!
//! Every variant is compared with a reference, position by position and opening by opening. This removes most of the noise.

mod columns;
mod contest;
pub(crate) mod paired;
mod tree;

use lmrlab_engine::limits::Limits;

pub use self::contest::{Contest, Strength};
pub use self::paired::Paired;
pub use self::tree::TreeSize;

use super::audit::{Audit, AuditOptions, Estimated, audit};
use super::positions::LabPosition;
use super::search::{SearchLimit, search_all};
use super::suite::{Difference, SuiteScore, TestPosition, answers};
use super::variant::Variant;
use super::workers::Workers;
use lmrlab_runner::failure::Failure;

/// Resampled sets of positions for the interval of a missed rate.
const RESAMPLES: usize = 1_000;

/// What to measure, and on what.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Nodes to a depth in plies, over these positions.
    pub nodes: Option<(Vec<LabPosition>, u32)>,
    /// Positions solved within so many nodes.
    pub suite: Option<(Vec<TestPosition>, u64)>,
    /// Reductions that missed a move, in searches of these positions to a depth in plies.
    pub audit: Option<(Vec<LabPosition>, u32, AuditOptions)>,
    /// Games against the reference.
    pub elo: Option<Contest>,
}

/// What was measured of a variant; what the plan left out is not there.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its tree against the reference's.
    pub tree: Option<TreeSize>,
    /// What it solved.
    pub suite: Option<Solved>,
    /// How many of its reductions missed something.
    pub missed: Option<Missed>,
    /// Its games against the reference; not for the reference itself.
    pub strength: Option<Strength>,
}

/// What a variant solved of a suite.
#[derive(Debug, Clone)]
pub struct Solved {
    /// How much.
    pub score: SuiteScore,
    /// What the reference solved and it did not, and the other way round.
    pub difference: Difference,
}

/// Sampled moves that were reduced and failed low, and those of them that would have raised alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Missed {
    /// Moves that failed low.
    pub dismissed: u64,
    /// Of these, moves that would have raised alpha.
    pub missed: u64,
    /// The share; `None` when no sampled move was reduced and failed low.
    pub rate: Option<Estimated>,
}

impl Missed {
    /// Of an audit.
    fn of(audit: &Audit, seed: u64) -> Self {
        let total = audit.total();
        Self {
            dismissed: total.dismissed(),
            missed: total.missed,
            rate: audit.missed_rate(&audit.resamples(RESAMPLES, seed)),
        }
    }
}

impl Plan {
    /// Measures variants. The first is the reference that all, itself included, are compared with.
    ///
    /// # Errors
    /// When an audit fails.
    pub fn measure(&self, variants: &[Variant], workers: &Workers) -> Result<Vec<Measured>, Failure> {
        let trees = self
            .nodes
            .as_ref()
            .map(|(positions, depth)| nodes_to_depth(variants, positions, *depth, workers));
        let solved = self.suite.as_ref().map(|(tests, nodes)| {
            let rows = answers(variants, tests, &Limits::nodes(*nodes), workers);
            let solved = |row| Solved {
                score: SuiteScore::of(tests, row),
                difference: Difference::between(&rows[0], row),
            };
            rows.iter().map(|row| solved(row)).collect::<Vec<_>>()
        });
        let missed = match &self.audit {
            None => None,
            Some((positions, depth, options)) => {
                let limit = SearchLimit::Depth(*depth);
                let audits = audit(variants, positions, limit, options, workers)?;
                let missed = audits.iter().map(|audit| Missed::of(audit, options.seed));
                Some(missed.collect::<Vec<_>>())
            }
        };
        let strengths = self.elo.as_ref().map(|contest| {
            let meetings: Vec<(&Variant, &Variant)> = variants
                .iter()
                .skip(1)
                .filter_map(|variant| Some((variant, variants.first()?)))
                .collect();
            contest.strengths(&meetings, workers)
        });
        Ok((0..variants.len())
            .map(|index| Measured {
                tree: trees.as_ref().map(|trees| TreeSize::of(&trees[index], &trees[0])),
                suite: solved.as_ref().map(|solved| solved[index].clone()),
                missed: missed.as_ref().map(|missed| missed[index]),
                strength: strengths
                    .as_ref()
                    .and_then(|strengths| strengths.get(index.checked_sub(1)?).copied()),
            })
            .collect())
    }
}

/// Nodes of every variant to a depth in plies: `nodes[variant][position]`.
pub fn nodes_to_depth(variants: &[Variant], positions: &[LabPosition], depth: u32, workers: &Workers) -> Vec<Vec<u64>> {
    search_all(variants, positions, SearchLimit::Depth(depth), workers)
        .iter()
        .map(|reports| reports.iter().map(|report| report.nodes).collect())
        .collect()
}
