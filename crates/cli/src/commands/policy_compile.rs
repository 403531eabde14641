//! `lmrlab policy compile`: writes a policy as a file that another engine reads.

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::host_file::{self, Units};
use lmrlab_policy::reference::PolicyReference;

use crate::frame::Frame;

use super::shared::one_of::one_of;
use super::shared::policy_file::load_for_host;

/// Write a policy as a file that another engine reads while it runs.
///
/// Examples:
///   lmrlab policy compile house --out house.lmr
///   lmrlab policy compile house@divisor=2.1,-gives-check --out mine.lmr
///   lmrlab policy compile my-engine.toml --units host --out my-engine.lmr
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// A policy: a name in configs/policies or a file, with overrides after `@`.
    policy: PolicyReference,
    /// Units of the policy's numbers: centipawns and plies, so the engine converts its facts, or those of the engine.
    #[arg(long, value_parser = one_of(&UNITS), default_value = "lmrlab")]
    units: Units,
}

/// The values of `--units`.
const UNITS: [(&str, Units); 2] = [("lmrlab", Units::Lmrlab), ("host", Units::Host)];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.text(|| text_of(arguments))
}

fn text_of(arguments: &Arguments) -> Result<String, Failure> {
    let policy = load_for_host(&arguments.policy)?;
    host_file::write(&policy, arguments.units).map_err(|refusal| {
        Failure::input(
            format!("`{}` is too large for a host: {refusal}", arguments.policy),
            "use fewer rules or shorter expressions, or write it as source with `lmrlab policy export`",
        )
    })
}
