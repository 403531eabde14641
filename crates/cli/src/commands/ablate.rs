//! `lmrlab ablate`: measures a policy without each of its rules.

use clap::Args;

use super::measure_options::{RowsOptions, SubjectOptions};
use super::measured_rows::{self, Row, Rows, RowsCommand, with_changes};
use lmrlab_lab::ablation::ablated;
use lmrlab_lab::variant::Variant;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{ABLATION, ResultFile};

/// Switch off each rule of a policy, and compare with the whole policy.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab ablate rebel-advanced --pairs 200 --match-nodes 5000 --out results/rules
  lmrlab ablate mine.toml@divisor=2.0 --measures nodes,suite --suite wac.epd --pairs-of-rules --csv ablation.csv

A row is the policy without a rule. A rule that gains Elo shows as a loss in the row without it. `ratio` is the nodes to \
--depth divided by those of the whole policy (geometric mean over the positions). `gain` is the number of positions solved \
minus that of the whole policy; its error comes from the positions that only one of the two solves (McNemar). `missed` is \
the share of the moves that were reduced and failed low, but would have raised alpha. The games are a gauntlet of the whole \
policy against the others: a run with a folder, with the rows in its ablation.csv. `lmrlab resume DIR` continues it.

Columns of the rows: switched (the rules: - off, + on), policy, then by measure nodes, nodes_ratio, nodes_ratio_low_95, \
nodes_ratio_high_95; solved, positions, solved_gain, solved_gain_error_95; audit_dismissed, \
audit_missed, missed_rate, missed_rate_low_95, missed_rate_high_95; n_ll, n_ld, n_dd_wl, n_wd, n_ww, elo, \
elo_error_95, los. It is the same on every machine and for any number of threads.")]
pub(crate) struct Arguments {
    /// Also switch every two rules together
    #[arg(long)]
    pairs_of_rules: bool,
    /// Also switch on the rules that are off
    #[arg(long)]
    additions: bool,
    #[command(flatten)]
    subject: SubjectOptions,
    #[command(flatten)]
    rows: RowsOptions,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    measured_rows::run(arguments)
}

/// A switched rule in the name of an engine, which must not begin with a sign.
fn engine_name(switched: &str) -> String {
    match switched.strip_prefix('-') {
        Some(rule) => format!("{rule}=off"),
        None => format!("{}=on", switched.trim_start_matches('+')),
    }
}

impl RowsCommand for Arguments {
    fn name(&self) -> &'static str {
        "ablate"
    }

    fn file(&self) -> ResultFile {
        ABLATION
    }

    fn subject(&self) -> &SubjectOptions {
        &self.subject
    }

    fn output(&self) -> &RowsOptions {
        &self.rows
    }

    fn rows(&self, whole: &Variant) -> Result<Rows, Failure> {
        let rows = ablated(whole, self.pairs_of_rules, self.additions);
        if rows.is_empty() {
            return Err(Failure::input(
                format!("`{}` has no rules to switch", self.subject.policy),
                "rules are the [[rule]] tables of a policy; `lmrlab sweep` varies its parameters",
            ));
        }
        let row = |(switched, variant): (Vec<String>, Variant)| Row {
            policy: with_changes(&self.subject.policy.to_string(), &switched),
            preset: self.subject.search.preset.clone(),
            variant,
            engine: (switched.iter().map(|rule| engine_name(rule)))
                .collect::<Vec<_>>()
                .join(" "),
            cells: vec![switched.join(" ")],
        };
        Ok(Rows {
            whole: Some(vec![String::new()]),
            rows: rows.into_iter().map(row).collect(),
        })
    }

    fn columns(&self) -> Vec<&str> {
        vec!["switched"]
    }

    fn headings(&self) -> (usize, Vec<&str>) {
        (1, vec!["rules"])
    }

    fn shown(&self, cells: &[&str], policy: &str) -> Vec<String> {
        vec![match cells.concat() {
            nothing if nothing.is_empty() => policy.to_owned(),
            switched => format!("  {switched}"),
        }]
    }
}
