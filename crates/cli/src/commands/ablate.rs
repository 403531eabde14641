//! `lmrlab ablate`: measures a policy without each of its rules.

use clap::Args;

use super::shared::experiment::{self, RuleOptions, Varied};
use super::shared::measure_options::SubjectOptions;
use crate::frame::Frame;
use lmrlab_diagnostics::failure::Failure;

/// Switch off each rule of a policy, and compare with the whole policy.
///
/// Examples:
///   lmrlab ablate rebel-advanced --pairs 200 --match-nodes 5000 --out results/rules
///   lmrlab ablate mine.toml@divisor=2.0 --measures nodes,suite --suite wac.epd --pairs-of-rules --out results/nodes
///
/// A row is the policy without a rule. A rule that gains Elo shows as a loss in the row without it. `Ratio` is the
/// nodes to --depth divided by those of the whole policy (geometric mean over the positions). `Gain` is the number of
/// positions solved minus that of the whole policy; its error comes from the positions that only one of the two solves
/// (McNemar). `Missed` is the share of the moves that were reduced and failed low, but would have raised alpha. The
/// games are a gauntlet of the whole policy against the others: a run in DIR, which is results/POLICY-ablate unless
/// --out names it. `lmrlab resume DIR` continues it.
///
/// DIR gets ablation.csv. It is the same on every machine and for any number of threads.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    subject: SubjectOptions,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    experiment::run(&arguments.subject, Varied::Rules(arguments.rules.clone()), frame)
}
