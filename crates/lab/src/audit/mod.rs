//! Were the reductions right? A sample of late moves is searched again at full depth, on a state of its own.

mod blame;
mod files;
mod roc;
mod sample;
mod shadow;
mod tables;
mod views;

pub use self::blame::{Blame, Suspect, blame};
pub use self::files::write_files;
pub use self::roc::{Estimated, GRID, Point, Resamples, Roc};
pub use self::sample::{Predictors, Sample};
pub use self::tables::{blame_text, text};
pub use self::views::{Judged, Predictor};

use self::shadow::Shadow;
use super::positions::LabPosition;
use super::search::{SearchLimit, search, search_observed};
use super::variant::Variant;
use super::workers::Workers;
use lmrlab_runner::failure::Failure;

/// Who judges a move at its full depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// A search that reduces nothing.
    Unreduced,
    /// A search with the same policy, which shows what not reducing this one move would have changed.
    Policy,
}

/// How an audit samples and judges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuditOptions {
    /// The share of the late moves that is sampled, 0 to 1.
    pub rate: f64,
    /// What the sample is drawn with.
    pub seed: u64,
    /// Moves of shallower nodes are left alone, in plies.
    pub min_depth: u32,
    /// Who judges.
    pub judge: Judge,
    /// By how many centipawns a shadow search must raise alpha to count.
    pub raise: i32,
    /// Where a shadow search gives up, in nodes.
    pub shadow_nodes: u64,
    /// How often the sample is resampled for intervals.
    pub resamples: usize,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            rate: 0.01,
            seed: 1,
            min_depth: 1,
            judge: Judge::Unreduced,
            raise: 0,
            shadow_nodes: 200_000,
            resamples: 1_000,
        }
    }
}

/// What an audit of one policy found.
#[derive(Debug, Clone)]
pub struct Audit {
    /// Every sampled move, position by position in the order of the search.
    pub samples: Vec<Sample>,
    /// What the samples' values stand for.
    pub predictors: Predictors,
    /// Late moves from which they were drawn.
    pub population: u64,
    /// Nodes of the observed searches.
    pub nodes: u64,
    /// How many positions were searched.
    pub positions: usize,
}

/// Audits each variant on all positions.
///
/// # Errors
/// When an observed search does not have the nodes of the same search unobserved, which would be a mistake of this program.
pub fn audit(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &AuditOptions,
    workers: &Workers,
) -> Result<Vec<Audit>, Failure> {
    let indexed: Vec<(usize, &LabPosition)> = positions.iter().enumerate().collect();
    let found = workers.table(variants, &indexed, |variant, (index, position)| {
        let judge = match options.judge {
            Judge::Unreduced => variant.unreduced(),
            Judge::Policy => variant.clone(),
        };
        let predictors = Predictors::of(&variant.policy);
        let mut shadow = Shadow::new(judge.engine(), predictors, *index, options);
        let limits = limit.limits();
        let watched = search_observed(variant, &position.position, &limits, &mut shadow);
        let plain = search(variant, &position.position, &limits);
        let (samples, population) = shadow.finish();
        (samples, population, watched.nodes, plain.nodes)
    });
    variants
        .iter()
        .zip(found)
        .map(|(variant, found)| {
            let mut audit = Audit {
                samples: Vec::new(),
                predictors: Predictors::of(&variant.policy),
                population: 0,
                nodes: 0,
                positions: positions.len(),
            };
            for ((samples, population, watched, plain), position) in found.into_iter().zip(positions) {
                if watched != plain {
                    return Err(Failure::Run(format!(
                        "the audit of {} changed the search of {}: {watched} nodes instead of {plain}; \
                         this is a mistake of lmrlab, please report it",
                        variant.name, position.name
                    )));
                }
                audit.samples.extend(samples);
                audit.population += population;
                audit.nodes += watched;
            }
            Ok(audit)
        })
        .collect()
}
