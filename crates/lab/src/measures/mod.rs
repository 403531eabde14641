//! Measures of the variants of a policy: sizes of trees, positions solved, reductions that miss a move, games won.
//!
//! Every variant is compared with a reference, position by position and opening by opening. This removes most of the noise.

mod columns;
mod contest;
pub(crate) mod paired;
mod texts;
mod tree;

use lmrlab_engine::limits::Limits;

pub(crate) use self::contest::play_pair;
pub use self::contest::{Contest, Strength};
pub use self::paired::Paired;
pub use self::tree::TreeSize;

use super::audit::{Audit, AuditOptions, Estimated, audit};
use super::kept::Comparison;
use super::positions::LabPosition;
use super::search::{SearchLimit, search};
use super::suite::{Answer, SolvedDifference, SuiteScore, TestPosition, answer};
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
    pub difference: SolvedDifference,
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
    /// What the results of these rows depend on, for results that are kept. One whole search, from which the others differ as their
    /// names say, is the first or the last row.
    pub fn comparison(&self, rows: &[Variant]) -> Comparison {
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let parts = [
            ("search", Some(format!("{:?} {:?}", rows.first(), rows.last()))),
            ("rows", Some(names.join("\n"))),
            ("nodes", self.nodes.as_ref().map(|nodes| format!("{nodes:?}"))),
            ("suite", self.suite.as_ref().map(|suite| format!("{suite:?}"))),
            ("audit", self.audit.as_ref().map(|audit| format!("{audit:?}"))),
            ("elo", self.elo.as_ref().map(|elo| format!("{elo:?}"))),
        ];
        Comparison::of_texts(parts.into_iter().filter_map(|(part, text)| Some((part, text?))))
    }

    /// Measures variants one after the other, and hands out each as soon as it is measured. The first is the reference that
    /// all, itself included, are compared with. When the workers are asked to stop, the present variant and those after it
    /// are left out.
    ///
    /// # Errors
    /// When an audit fails or a result cannot be kept, and those of `each`.
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
                suite: self.suite.as_ref().and_then(|(tests, _)| {
                    let (answers, of) = raw.answers.as_ref().zip(reference.answers.as_ref())?;
                    Some(Solved {
                        score: SuiteScore::of(tests, answers),
                        difference: SolvedDifference::between(of, answers),
                    })
                }),
                missed: self.missed(variant, workers)?,
                strength: self.elo.as_ref().zip(variants.first()).and_then(|(contest, first)| {
                    (index > 0).then(|| Strength::of(&contest.outcomes(variant, first, workers)))
                }),
            };
            workers.end_row()?;
            // Of a variant that was not measured to its end nothing is kept.
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
            let answers = workers.measure("suite", tests, |test| Some(answer(variant, test, &limits)));
            answers.into_iter().flatten().collect()
        });
        Raw { nodes, answers }
    }

    fn missed(&self, variant: &Variant, workers: &Workers) -> Result<Option<Missed>, Failure> {
        let Some((positions, depth, options)) = &self.audit else {
            return Ok(None);
        };
        const MEASURE: &str = "audit";
        if let Some(kept) = workers.kept(MEASURE, 0) {
            return Ok(Some(kept));
        }
        let limit = SearchLimit::Depth(*depth);
        let audits = audit(std::slice::from_ref(variant), positions, limit, options, workers)?;
        let missed = audits.first().map(|audit| Missed::of(audit, options.seed));
        if let Some(missed) = missed.as_ref().filter(|_| !workers.is_stopped()) {
            workers.keep(MEASURE, 0, missed);
        }
        Ok(missed)
    }
}

/// What is compared with the same of the reference.
#[derive(Debug, Clone, Default)]
struct Raw {
    nodes: Option<Vec<u64>>,
    answers: Option<Vec<Answer>>,
}

/// Nodes of a variant to a depth in plies, for each position. When the workers are asked to stop, some are missing.
pub fn nodes_to_depth(variant: &Variant, positions: &[LabPosition], depth: u32, workers: &Workers) -> Vec<u64> {
    let limits = Limits::depth(depth);
    let nodes = workers.measure("nodes", positions, |position| {
        Some(search(variant, &position.position, &limits).nodes)
    });
    nodes.into_iter().flatten().collect()
}
