//! `lmrlab sweep`: measures a policy over a grid of parameters, rules and switches.

use clap::Args;

use super::shared::experiment::{self, Varied};
use super::shared::measure_options::SubjectOptions;
use crate::frame::Frame;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::experiment::Axis;

/// Measure a policy over a grid of parameters, rules and search features.
///
/// Examples:
///   lmrlab sweep log.toml --over divisor=1.8:3.0:0.2 --measures nodes,suite
///   lmrlab sweep log.toml --over divisor=1.8:3.0:0.4 --over base=0:1:0.25 --out results/divisor-and-base
///   lmrlab sweep house --over null_move=off,on --over killers+history=off,on --over reductions=off,on --measures nodes
///
/// NAME is a parameter or a rule of the policy, or a parameter or a switch of the search around it; `+` joins switches
/// that go together. `reductions=off,on` has the policy and a search without reductions. Every point is compared with
/// the policy as named. With two parameters, the page of --report has a map of each measure.
///
/// The games are a gauntlet of the policy as named against the points: a run in DIR, which is results/POLICY-sweep
/// unless --out names it. `lmrlab resume DIR` continues it.
///
/// DIR gets sweep.csv. It is the same on every machine and for any number of threads.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// A parameter and its values, both ends included, or NAME=off,on; may be given several times
    #[arg(long, required = true, value_name = "NAME=MIN:MAX:STEP")]
    over: Vec<Axis>,
    #[command(flatten)]
    subject: SubjectOptions,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    experiment::run(&arguments.subject, Varied::Parameters(arguments.over.clone()), frame)
}
