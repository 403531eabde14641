//! The conditions of games that a command plays at a fixed number of nodes.

use std::path::{Path, PathBuf};

use lmrlab_results::project;
use lmrlab_runner::game::limit::{Limit, Terms};
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;
use lmrlab_runner::tournament::description::{Conditions, OpeningBooks};

use super::adjudication_options::AdjudicationOptions;
use crate::frame::Options;

/// The conditions with the openings that were typed, or the default ones of the project.
pub(crate) fn conditions(
    (nodes, seed): (u64, u64),
    (openings, working): (Option<&PathBuf>, &Path),
    adjudication: &AdjudicationOptions,
    options: &Options,
) -> Conditions {
    Conditions {
        seed,
        threads: options.threads,
        hash_mib: options.hash_mib(),
        openings: OpeningBooks::of(match openings {
            Some(path) => project::typed_file(working, path),
            None => project::file(&project::root(working, None), DEFAULT_OPENINGS),
        }),
        terms: Terms::new(Limit::of_nodes(nodes)),
        adjudication: adjudication.rules(),
        tablebases: adjudication.tablebases(),
        ..Conditions::default()
    }
}
