//! Measures of the variants of a policy: sizes of trees, positions solved, reductions that miss a move, games won.
//!
//! Every variant is compared with a reference, position by position and opening by opening. This removes most of the noise.

mod columns;
mod strength;

use lmrlab_engine::limits::Limits;

use self::columns::{audit_measured, nodes_measured, suite_measured};
pub use self::columns::{shown_cells, shown_headings};
pub use self::strength::Strength;

use super::audit::{AuditOptions, audit};
use super::positions::LabPosition;
use super::search::{SearchLimit, search};
use super::suite::{Answer, TestPosition, answer};
use super::variant::Variant;
use super::workers::Workers;
use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{AuditMeasured, NodesMeasured, SuiteMeasured};

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
    pub tree: Option<NodesMeasured>,
    /// What it solved.
    pub suite: Option<SuiteMeasured>,
    /// How many of its reductions missed something.
    pub missed: Option<AuditMeasured>,
    /// Its games against the reference; not for the reference itself.
    pub strength: Option<Strength>,
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
                tree: (raw.nodes.as_ref().zip(reference.nodes.as_ref())).map(|(nodes, of)| nodes_measured(nodes, of)),
                suite: (raw.answers.as_ref().zip(reference.answers.as_ref()))
                    .map(|(answers, of)| suite_measured(answers, of)),
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

    fn missed(&self, variant: &Variant, workers: &Workers) -> Result<Option<AuditMeasured>, Failure> {
        let Some((positions, depth, options)) = &self.audit else {
            return Ok(None);
        };
        let limit = SearchLimit::Depth(*depth);
        let audits = audit(std::slice::from_ref(variant), positions, limit, options, workers)?;
        Ok(audits.first().map(|audit| audit_measured(audit, options.seed)))
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
