//! `lmrlab factorial`: measures search features and reductions in every combination.

use std::path::PathBuf;

use clap::Args;

use super::keep_options::{KeepOptions, go_on};
use super::measure_options::{Measure, SubjectOptions, caution};
use super::page_option::PageOption;
use crate::print::{print_err, print_out};
use lmrlab_lab::factorial::{Cell, Effect, EffectKind, Effects, Factor, cells, elo_effects, node_effects};
use lmrlab_lab::measures::{Strength, nodes_to_depth};
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::variant::Variant;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::record::fixed::Fixed;
use lmrlab_runner::text_table::TextTable;

/// The most factors beside the reductions: 128 combinations.
const MAX_FACTORS: usize = 6;

/// Which policy, and which features around it.
#[derive(Debug, Args)]
#[command(
    about = "Switch search features and reductions on and off in every combination",
    after_help = "\
Examples:
  lmrlab factorial house --switches null_move,futility --measures nodes
  lmrlab factorial mediocre-2007 --switches null_move,killers+capture_history,history --pairs 200 --csv effects.csv

Every combination of the switches, with the policy and without reductions, searches the same positions and plays the same \
openings against the combination in which everything is on. A main effect is the effect of one factor, averaged over all \
combinations of the others: a ratio of nodes (0.5: half as many when it is on), a difference in Elo. An interaction is half \
the difference between the effects of one factor with the other on and off (nodes: the root of the ratio). The last rows \
give the effect of the reductions with and without each feature. Errors come from the spread over positions or openings.

Columns of --csv: effect (main, interaction, given), factor, other, level (on or off), nodes_factor, nodes_low_95, \
nodes_high_95, elo, elo_error_95, policy; of --cells: a column for each factor (0 or 1), nodes, n_ll, n_ld, n_dd_wl, n_wd, n_ww. \
Both are the same on every machine and for any number of threads. Ctrl-C keeps the combinations that are finished in --cells; \
with one of the two files, the same command with --resume goes on."
)]
pub(crate) struct Arguments {
    /// Switches of the search preset, separated by commas; `+` joins switches that go together
    #[arg(long, value_name = "LIST", required = true, value_delimiter = ',')]
    switches: Vec<Factor>,
    #[command(flatten)]
    subject: SubjectOptions,
    /// Write the effects to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write what was measured of each combination to this file
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepOptions,
    #[command(flatten)]
    page: PageOption,
}

/// Runs the command.
///
/// # Errors
/// When the policy, the preset, a switch or a file is wrong, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = [arguments.csv.as_ref(), arguments.cells.as_ref()];
    arguments.page.check(arguments.csv.as_deref(), "--csv")?;
    arguments.keep.check(&files)?;
    let whole = arguments.subject.whole()?;
    check(&arguments.switches, &whole)?;
    let plan = arguments.subject.plan(&[Measure::Nodes, Measure::Elo])?;
    let cells = cells(&whole, &arguments.switches);
    let variants: Vec<Variant> = cells.iter().map(|cell| cell.variant.clone()).collect();
    let beside = files.into_iter().flatten().next();
    let workers = arguments.keep.keeping(
        arguments.subject.workers()?,
        beside.map(PathBuf::as_path),
        &plan.comparison(&variants),
    )?;
    let levels: Vec<Vec<bool>> = cells.iter().map(|cell| cell.on.clone()).collect();
    let mut nodes = plan.nodes.as_ref().map(|_| Vec::new());
    let mut outcomes = plan.elo.as_ref().map(|_| Vec::new());
    let mut done = 0;
    for (variant, opponent) in variants.iter().zip(std::iter::repeat(variants.last()).flatten()) {
        workers.begin_row(done + 1, cells.len());
        if let (Some(nodes), Some((positions, depth))) = (&mut nodes, &plan.nodes) {
            nodes.push(nodes_to_depth(variant, positions, *depth, &workers));
        }
        if let (Some(outcomes), Some(contest)) = (&mut outcomes, &plan.elo) {
            outcomes.push(contest.outcomes(variant, opponent, &workers));
        }
        workers.end_row()?;
        if workers.is_stopped() {
            break;
        }
        done += 1;
    }
    if let Some(path) = &arguments.cells {
        let strengths = outcomes
            .as_ref()
            .map(|rows| rows.iter().map(|row| Strength::of(row)).collect::<Vec<_>>());
        let finished = &cells[..done];
        cell_sheet(&arguments.switches, finished, nodes.as_deref(), strengths.as_deref()).write(path)?;
    }
    if done < cells.len() {
        let place = match (&arguments.cells, beside) {
            (Some(cells), Some(file)) => format!("they are in {}.{}", cells.display(), go_on(file)),
            (None, Some(file)) => format!("the effects need all of them.{}", go_on(file)),
            _ => "without --csv or --cells none is kept.".to_owned(),
        };
        print_err(&format!(
            "Interrupted after {done} of {} combinations; {place}",
            cells.len()
        ));
        return Err(Failure::Interrupted);
    }
    let node_effects = nodes.map(|nodes| node_effects(&levels, &nodes));
    let elo_effects = outcomes.map(|outcomes| elo_effects(&levels, &outcomes));
    let mut names: Vec<&str> = arguments.switches.iter().map(|factor| factor.name.as_str()).collect();
    names.push("reductions");
    let both = Both {
        policy: &whole.name,
        names: &names,
        nodes: node_effects.as_ref(),
        elo: elo_effects.as_ref(),
    };
    if let Some(path) = &arguments.csv {
        both.csv().write(path)?;
    }
    print_out(&both.text());
    workers.finish()?;
    arguments.page.write(arguments.csv.as_deref())
}

fn check(factors: &[Factor], whole: &Variant) -> Result<(), Failure> {
    if factors.len() > MAX_FACTORS {
        return Err(Failure::input(
            format!(
                "{} factors make {} combinations",
                factors.len(),
                1_u64 << (factors.len() + 1).min(63)
            ),
            format!("name at most {MAX_FACTORS}; `+` joins switches that go together"),
        ));
    }
    let mut switches: Vec<&String> = factors.iter().flat_map(|factor| &factor.switches).collect();
    switches.sort_unstable();
    if let Some(twice) = switches.windows(2).find(|two| two[0] == two[1]) {
        return Err(Failure::input(
            format!("the switch `{}` is named twice", twice[0]),
            "name each once",
        ));
    }
    if whole.policy.never_reduces() {
        return Err(Failure::input(
            format!("`{}` never reduces anything", whole.name),
            "name a policy that reduces: it is compared with a search without reductions",
        ));
    }
    Ok(())
}

fn cell_sheet(factors: &[Factor], cells: &[Cell], nodes: Option<&[Vec<u64>]>, strengths: Option<&[Strength]>) -> Sheet {
    let names = factors.iter().map(|factor| factor.name.as_str());
    let mut columns: Vec<&str> = names.chain(["reductions"]).collect();
    if nodes.is_some() {
        columns.push("nodes");
    }
    if strengths.is_some() {
        columns.extend(["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww"]);
    }
    let mut sheet = Sheet::new(columns);
    for (index, cell) in cells.iter().enumerate() {
        let mut row: Vec<String> = cell.on.iter().map(|on| u8::from(*on).to_string()).collect();
        if let Some(nodes) = nodes {
            row.push(nodes[index].iter().sum::<u64>().to_string());
        }
        if let Some(strengths) = strengths {
            let counts = strengths[index].pairs.counts();
            row.extend(counts.map(|count| count.to_string()));
        }
        sheet.push(row);
    }
    sheet
}

/// The effects on nodes and on Elo, which are in the same order.
struct Both<'e> {
    policy: &'e str,
    names: &'e [&'e str],
    nodes: Option<&'e Effects>,
    elo: Option<&'e Effects>,
}

impl Both<'_> {
    fn effects(&self) -> impl Iterator<Item = (EffectKind, Option<&Effect>, Option<&Effect>)> {
        let any = self.nodes.or(self.elo).map_or(&[][..], |effects| &effects.0);
        any.iter().enumerate().map(|(index, effect)| {
            (
                effect.kind,
                self.nodes.and_then(|nodes| nodes.0.get(index)),
                self.elo.and_then(|elo| elo.0.get(index)),
            )
        })
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "effect",
            "factor",
            "other",
            "level",
            "nodes_factor",
            "nodes_low_95",
            "nodes_high_95",
            "elo",
            "elo_error_95",
            "policy",
        ]);
        let last = self.names.len() - 1;
        for (kind, nodes, elo) in self.effects() {
            let (effect, factor, other, level) = match kind {
                EffectKind::Main(factor) => ("main", self.names[factor], "", ""),
                EffectKind::Interaction(first, second) => ("interaction", self.names[first], self.names[second], ""),
                EffectKind::Given { other, on } => (
                    "given",
                    self.names[last],
                    self.names[other],
                    if on { "on" } else { "off" },
                ),
            };
            let factors = nodes.map(|effect| effect.size.factor());
            let ends = factors.and_then(|(_, ends)| ends);
            sheet.push([
                effect.to_owned(),
                factor.to_owned(),
                other.to_owned(),
                level.to_owned(),
                Fixed::<6>(factors.map(|(factor, _)| factor)).to_string(),
                Fixed::<6>(ends.map(|(low, _)| low)).to_string(),
                Fixed::<6>(ends.map(|(_, high)| high)).to_string(),
                Fixed::<3>(elo.map(|effect| effect.size.mean)).to_string(),
                Fixed::<3>(elo.and_then(|effect| effect.size.error_95)).to_string(),
                self.policy.to_owned(),
            ]);
        }
        sheet
    }

    fn text(&self) -> String {
        let mut columns = vec!["effect"];
        if self.nodes.is_some() {
            columns.extend(["nodes", "95% interval"]);
        }
        if self.elo.is_some() {
            columns.extend(["Elo", "±95%"]);
        }
        let mut table = TextTable::new(1, columns);
        let last = self.names.len() - 1;
        let mut rows = 0;
        for (kind, nodes, elo) in self.effects() {
            rows += 1;
            let label = match kind {
                EffectKind::Main(factor) => self.names[factor].to_owned(),
                EffectKind::Interaction(first, second) => {
                    format!("{} with {}", self.names[first], self.names[second])
                }
                EffectKind::Given { other, on } => format!(
                    "{} where {} is {}",
                    self.names[last],
                    self.names[other],
                    if on { "on" } else { "off" }
                ),
            };
            let mut row = vec![label];
            if let Some(effect) = nodes {
                let (factor, ends) = effect.size.factor();
                let ends = ends.map(|(low, high)| format!("{low:.3} - {high:.3}"));
                row.extend([format!("x {factor:.3}"), ends.unwrap_or_else(|| "-".to_owned())]);
            }
            if let Some(effect) = elo {
                row.extend([signed(Some(effect.size.mean), 1), unsigned(effect.size.error_95, 1)]);
            }
            table.push(row);
        }
        format!("{table}{}", caution(rows))
    }
}
