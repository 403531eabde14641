//! `lmrlab ablate`: measures a policy without each of its rules.

use std::time::Instant;

use clap::Args;

use super::measure_options::{Measure, RowsOptions, SubjectOptions, caution};
use crate::print::print_out;
use lmrlab_lab::ablation::{Choice, ablated};
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::variant::Variant;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::text_table::TextTable;

/// Which policy, and what to measure.
#[derive(Debug, Args)]
#[command(
    about = "Switch off each rule of a policy, and compare with the whole policy",
    after_help = "\
Examples:
  lmrlab ablate rebel-advanced --pairs 200 --match-nodes 5000 --csv ablation.csv
  lmrlab ablate mine.toml@divisor=2.0 --measures nodes,suite --suite wac.epd --pairs-of-rules

A row is the policy without a rule. A rule that gains Elo shows as a loss in the row without it. `ratio` is the nodes to \
--depth divided by those of the whole policy (geometric mean over the positions). `gain` is the number of positions solved \
minus that of the whole policy; its error comes from the positions that only one of the two solves (McNemar). `missed` is \
the share of the moves that were reduced and failed low, but would have raised alpha. The games of the row `-late` are \
those of `lmrlab match mine.toml@-late mine.toml --pairs N --nodes N --seed S`; behind overrides a comma takes the place \
of the `@`, as in mine.toml@divisor=2.0,-late.

Columns of --csv: switched (the rules: - off, + on), policy, then by measure nodes, nodes_ratio, nodes_ratio_low_95, \
nodes_ratio_high_95; solved, positions, solved_gain, solved_gain_error_95; audit_dismissed, \
audit_missed, missed_rate, missed_rate_low_95, missed_rate_high_95; n_ll, n_ld, n_dd_wl, n_wd, n_ww, elo, \
elo_error_95, los. It is the same on every machine and for any number of threads. Ctrl-C keeps the rows that are finished; the same command with --resume goes on."
)]
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
///
/// # Errors
/// When the policy, the preset or a file is wrong, when the policy has no rules, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.rows.check()?;
    let whole = arguments.subject.whole()?;
    let choice = Choice {
        pairs: arguments.pairs_of_rules,
        additions: arguments.additions,
    };
    let rows = ablated(&whole, choice);
    if rows.is_empty() {
        return Err(Failure::input(
            format!("`{}` has no rules to switch", arguments.subject.policy),
            "rules are the [[rule]] tables of a policy; `lmrlab sweep` varies its parameters",
        ));
    }
    let plan = arguments
        .subject
        .plan(&[Measure::Nodes, Measure::Suite, Measure::Audit, Measure::Elo])?;
    let variants: Vec<Variant> = std::iter::once(&whole)
        .chain(rows.iter().map(|row| &row.variant))
        .cloned()
        .collect();
    let workers = arguments.rows.keeping(arguments.subject.workers()?, &variants, &plan)?;
    let mut sheet = Sheet::new([&["switched", "policy"][..], &plan.csv_columns()].concat());
    let mut shown = TextTable::new(1, [&["rules"][..], &plan.headings()].concat());
    let mut written = Instant::now();
    let measured = plan.measure(&variants, &workers, &mut |index, measured| {
        let name = variants[index].name.clone();
        let switched = index.checked_sub(1).and_then(|index| rows.get(index));
        let switched = switched.map_or_else(String::new, |row| row.switched.join(" "));
        let label = if index == 0 {
            name.clone()
        } else {
            format!("  {switched}")
        };
        sheet.push([vec![switched, name], plan.csv_cells(measured)].concat());
        shown.push([vec![label], plan.cells(measured)].concat());
        arguments.rows.write_now_and_then(&sheet, &mut written)
    })?;
    arguments.rows.write(&sheet)?;
    print_out(&shown.to_string());
    if measured.len() < variants.len() {
        arguments.rows.tell_interrupted(measured.len(), variants.len());
        return Err(Failure::Interrupted);
    }
    print_out(&caution(rows.len()));
    workers.finish()?;
    arguments.rows.write_page()
}
