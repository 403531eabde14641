//! The audit of reductions: a sample of late moves is searched again at full depth, on a copy of the tables of the search.

mod blame;
mod breakdown;
mod options;
mod outcome;
mod passes;
mod roc;
mod sample;
mod shadow;

pub use self::blame::blame;
pub use self::breakdown::Audit;
pub use self::options::{AuditOptions, DEFAULT_RATE, Judge};
pub use self::outcome::AuditTables;
pub use self::passes::{AuditEnd, audit_until_precise, next_rate};
pub use self::sample::Sample;
pub(crate) use self::sample::is_known_before;

use self::sample::facts_of;
use self::shadow::Shadow;
use super::positions::LabPosition;
use super::search::{SearchLimit, search, search_observed};
use super::variant::Variant;
use super::workers::Workers;
use lmrlab_diagnostics::failure::Failure;

/// Audits each variant on all positions. When the workers are asked to stop, the audits are of the positions that every
/// variant has completed.
///
/// # Errors
/// When a search has another number of nodes with the observer than without it. That would be a bug.
pub fn audit(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &AuditOptions,
    workers: &Workers,
) -> Result<Vec<Audit>, Failure> {
    let indexed: Vec<(usize, &LabPosition)> = positions.iter().enumerate().collect();
    let found = workers.columns(variants, &indexed, |variant, (index, position)| {
        let mut shadow = Shadow::new(facts_of(&variant.policy), *index, options);
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
            let (mut nodes, mut population) = (0, 0);
            let mut all_samples = Vec::new();
            for ((samples, of_search, watched, plain), position) in searches.into_iter().zip(&found.done) {
                if watched != plain {
                    return Err(Failure::run(format!(
                        "the audit of {} changed the search of {}: {watched} nodes instead of {plain}; \
                         this is a bug in lmrlab, please report it",
                        variant.name, positions[*position].name
                    )));
                }
                all_samples.extend(samples);
                population += of_search;
                nodes += watched;
            }
            Ok(Audit {
                samples: all_samples,
                facts: facts_of(&variant.policy),
                population,
                nodes: Some(nodes),
                nodes_checked: true,
                positions: found.done.len(),
            })
        })
        .collect()
}
