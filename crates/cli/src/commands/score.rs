//! `lmrlab score`: what policies would have done on the moves of a file of curves.

use std::path::PathBuf;

use clap::Args;
use lmrlab_policy::reference::PolicyReference;

use super::lab_options::named_policies_for_host;
use crate::output_files::refuse_existing;
use crate::print::{print_err, print_out};
use lmrlab_lab::curves::{Score, read, score, score_table, write_scores};
use lmrlab_lab::named_fact::NamedFact;
use lmrlab_results::failure::Failure;

/// Say what policies would have done on the moves of a file of curves: nodes, missed moves, false alarms.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab audit house --curves curves.csv
  lmrlab score house weiss mine.toml --curves curves.csv

`lmrlab audit --curves` has searched each move with each reduction. The reduction of a policy picks one of these searches. No search is \
made again, so that all policies are compared on the same moves, in the search of the policy that the curves are of.

What a policy would change in the rest of the tree is not seen. A history that only a policy keeps ([history]) counts as 0, unless \
the curves are of this policy. The facts of [host] are looked up in the file.")]
pub(crate) struct Arguments {
    /// Policies: names in configs/policies or files, with overrides after `@`; the others are compared with the first
    #[arg(required = true, value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    /// The curves, from `lmrlab audit --curves`
    #[arg(long, value_name = "FILE")]
    curves: PathBuf,
    /// Write a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Overwrite the file of --csv
    #[arg(long, requires = "csv")]
    force: bool,
    /// How often positions are resampled for the intervals
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,
    /// Seed of the resampling
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    refuse_existing(&arguments.csv, arguments.force)?;
    let mut wrong = Vec::new();
    let policies = named_policies_for_host(&arguments.policies, &mut wrong);
    if !wrong.is_empty() {
        return Err(Failure::Input(wrong));
    }
    let file = read(&arguments.curves)?;
    let scores: Vec<(&str, Score)> = policies
        .iter()
        .map(|(name, policy)| (name.as_str(), score(policy, &file)))
        .collect();
    for (name, score) in &scores {
        say_lacking(name, score);
    }
    let resamples = arguments.resamples as usize;
    if let Some(path) = &arguments.csv {
        write_scores(path, &scores, resamples, arguments.seed)?;
    }
    let text = score_table(&scores, resamples, arguments.seed);
    print_out(&format!(
        "{} curves of {}\n\n{text}",
        file.curves.len(),
        arguments.curves.display()
    ));
    Ok(())
}

/// Prints which facts of a policy the curves do not have.
pub(super) fn say_lacking(name: &str, score: &Score) {
    if !score.lacking.is_empty() {
        let facts: Vec<&str> = score.lacking.iter().map(NamedFact::name).collect();
        print_err(&format!(
            "note: the curves lack facts that {name} reads; they count as false or 0: {}",
            facts.join(", ")
        ));
    }
}
