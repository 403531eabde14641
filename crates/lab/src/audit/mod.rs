//! The audit of reductions: a sample of late moves is searched again at full depth, by another engine.

mod blame;
mod breakdown;
mod files;
mod findings;
mod judged;
mod options;
mod report;
mod roc;
mod sample;
mod shadow;

pub use self::blame::{Blame, Suspect, blame};
pub use self::breakdown::Predictor;
pub use self::files::write_files;
pub use self::findings::Audit;
pub use self::judged::Judged;
pub use self::options::{AuditOptions, Judge};
pub use self::report::{blame_text, text};
pub use self::roc::{Estimated, GRID, Point, Roc};
pub use self::sample::{Predictors, Sample};

use self::shadow::Shadow;
use super::positions::LabPosition;
use super::search::{SearchLimit, search, search_observed};
use super::variant::Variant;
use super::workers::Workers;
use lmrlab_engine::search::observer::{Decision, Events, Observer};
use lmrlab_runner::failure::Failure;

/// The late moves that an audit of one policy samples when the user does not name a rate.
pub const DEFAULT_SAMPLE: u64 = 10_000;

/// The sampling rate, 0 to 1, at which an audit of these searches takes about [`DEFAULT_SAMPLE`] late moves of each variant.
/// It searches every position once more to count them.
pub fn default_rate(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    min_depth: u32,
    workers: &Workers,
) -> f64 {
    let positions: Vec<&LabPosition> = positions.iter().collect();
    let counts = workers.columns(variants, &positions, |variant, position| {
        let mut count = Population { min_depth, moves: 0 };
        search_observed(variant, &position.position, &limit.limits(), &mut count);
        count.moves
    });
    let moves: u64 = counts.results.iter().flatten().sum();
    let rate = (DEFAULT_SAMPLE * variants.len() as u64) as f64 / moves.max(1) as f64;
    // Three digits are enough, and can be typed again.
    let digits = libm::pow(10.0, 2.0 - libm::floor(libm::log10(rate)));
    (libm::ceil(rate * digits) / digits).min(1.0)
}

/// Counts the late moves that can be sampled.
struct Population {
    min_depth: u32,
    moves: u64,
}

impl Observer for Population {
    fn events(&self) -> Events {
        Events::REDUCTIONS
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        self.moves += u64::from(decision.depth >= self.min_depth);
    }
}

/// Audits each variant on all positions; when the workers are asked to stop, on those that are done for every variant.
///
/// # Errors
/// When an observed search does not have the nodes of the same search unobserved, which would be a bug.
pub fn audit(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &AuditOptions,
    workers: &Workers,
) -> Result<Vec<Audit>, Failure> {
    let indexed: Vec<(usize, &LabPosition)> = positions.iter().enumerate().collect();
    let found = workers.columns(variants, &indexed, |variant, (index, position)| {
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
        .zip(found.results)
        .map(|(variant, searches)| {
            let mut audit = Audit {
                samples: Vec::new(),
                predictors: Predictors::of(&variant.policy),
                population: 0,
                nodes: 0,
                positions: found.done.len(),
            };
            for ((samples, population, watched, plain), position) in searches.into_iter().zip(&found.done) {
                if watched != plain {
                    return Err(Failure::run(format!(
                        "the audit of {} changed the search of {}: {watched} nodes instead of {plain}; \
                         this is a bug in lmrlab, please report it",
                        variant.name, positions[*position].name
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
