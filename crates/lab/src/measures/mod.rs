//! Measures of the variants of a policy: sizes of trees, positions solved, reductions that miss a move, games won.
//!
//! Every variant is compared with a reference, position by position and opening by opening. This removes most of the noise.

mod columns;
mod strength;
mod tree;

use lmrlab_engine::limits::Limits;

pub use self::columns::{shown_cells, shown_headings};
pub use self::strength::Strength;
pub use self::tree::TreeSize;
pub use lmrlab_stats::Paired;

use super::audit::{Audit, AuditOptions, Estimated, audit};
use super::positions::LabPosition;
use super::search::{SearchLimit, search};
use super::suite::{Answer, SolvedDifference, TestPosition, answer, solved};
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
    /// Positions to be solved within a given number of nodes.
    pub suite: Option<(Vec<TestPosition>, u64)>,
    /// Reductions that missed a move, in searches of these positions to a depth in plies.
    pub audit: Option<(Vec<LabPosition>, u32, AuditOptions)>,
    /// Games of each variant but the reference, which were played already.
    pub games: Option<Vec<Strength>>,
}

/// What was measured of a variant; what the plan left out is not there.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its nodes by position; empty when they are not measured.
    pub nodes: Vec<u64>,
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
    /// Positions solved.
    pub solved: usize,
    /// Positions.
    pub positions: usize,
    /// What the reference solved and it did not, and the other way round.
    pub difference: SolvedDifference,
}

/// Sampled moves that were reduced and failed low, and those of them that would have raised alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Missed {
    /// Moves that were reduced and failed low.
    pub dismissed: u64,
    /// Of these, moves that would have raised alpha.
    pub missed: u64,
    /// The share; `None` when no sampled move was reduced and failed low.
    pub rate: Option<Estimated>,
}

impl Missed {
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
    /// Measures variants one after the other, and hands out each as soon as it is measured. The first variant is the
    /// reference: all variants, itself included, are compared with it. When the workers are asked to stop, the variant
    /// in progress and those after it are left out.
    ///
    /// # Errors
    /// When an audit fails, and the errors of `each`.
    pub fn measure(
        &self,
        variants: &[Variant],
        workers: &Workers,
        each: &mut dyn FnMut(usize, &Measured) -> Result<(), Failure>,
    ) -> Result<Vec<Measured>, Failure> {
        let mut all: Vec<Measured> = Vec::with_capacity(variants.len());
        let mut reference = Raw::default();
        for (index, variant) in variants.iter().enumerate() {
            workers.begin_row(index + 1, variants.len());
            let raw = self.raw(variant, workers);
            if index == 0 {
                reference = raw.clone();
            }
            let measured = Measured {
                tree: (raw.nodes.as_ref().zip(reference.nodes.as_ref())).map(|(nodes, of)| TreeSize::of(nodes, of)),
                suite: (raw.answers.as_ref().zip(reference.answers.as_ref())).map(|(answers, of)| Solved {
                    solved: solved(answers),
                    positions: answers.len(),
                    difference: SolvedDifference::between(of, answers),
                }),
                missed: self.missed(variant, workers)?,
                strength: (self.games.as_ref()).and_then(|games| games.get(index.checked_sub(1)?).cloned()),
                nodes: raw.nodes.unwrap_or_default(),
            };
            // A variant that was not measured to its end has no row.
            if workers.is_stopped() {
                break;
            }
            each(index, &measured)?;
            all.push(measured);
        }
        Ok(all)
    }

    fn raw(&self, variant: &Variant, workers: &Workers) -> Raw {
        let nodes = (self.nodes.as_ref()).map(|(positions, depth)| nodes_to_depth(variant, positions, *depth, workers));
        let answers = self.suite.as_ref().map(|(tests, nodes)| {
            let limits = Limits::nodes(*nodes);
            workers.map_until_stopped(tests, |test| answer(variant, test, &limits))
        });
        Raw { nodes, answers }
    }

    fn missed(&self, variant: &Variant, workers: &Workers) -> Result<Option<Missed>, Failure> {
        let Some((positions, depth, options)) = &self.audit else {
            return Ok(None);
        };
        let limit = SearchLimit::Depth(*depth);
        let audits = audit(std::slice::from_ref(variant), positions, limit, options, workers)?;
        Ok(audits.first().map(|audit| Missed::of(audit, options.seed)))
    }
}

/// What a variant and the reference are compared by.
#[derive(Debug, Clone, Default)]
struct Raw {
    nodes: Option<Vec<u64>>,
    answers: Option<Vec<Answer>>,
}

/// Nodes of a variant to a depth in plies, for each position. When the workers are asked to stop, some are missing.
fn nodes_to_depth(variant: &Variant, positions: &[LabPosition], depth: u32, workers: &Workers) -> Vec<u64> {
    let limits = Limits::depth(depth);
    workers.map_until_stopped(positions, |position| search(variant, &position.position, &limits).nodes)
}
