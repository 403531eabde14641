//! `lmrlab sweep`: measures a policy over a grid of parameters, rules and switches.

use clap::Args;

use super::measure_options::{RowsOptions, SubjectOptions};
use super::measured_rows::{self, Row, Rows, RowsCommand, with_changes};
use lmrlab_lab::effects::{Effect, EffectKind, elo_effects, node_effects};
use lmrlab_lab::measures::Measured;
use lmrlab_lab::sweep::{Axis, Point, grid};
use lmrlab_lab::variant::Variant;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{ResultFile, SWEEP};
use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_results::text_table::TextTable;
use lmrlab_stats::{ERROR_HEADING, INTERVAL_HEADING};

/// The most variants of a grid.
const MAX_VARIANTS: usize = 100_000;

/// Measure a policy over a grid of parameters, rules and search features.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab sweep log.toml --over divisor=1.8:3.0:0.2 --measures nodes,suite
  lmrlab sweep log.toml --over divisor=1.8:3.0:0.4 --over base=0:1:0.25 --out results/divisor-and-base
  lmrlab sweep house --over null_move=off,on --over killers+history=off,on --over reductions=off,on --measures nodes

NAME is a parameter or a rule of the policy, or a parameter or a switch of the search around it; `+` joins switches that go \
together. `reductions=off,on` has the policy and a search without reductions. Every point is compared with the policy as named. \
With two parameters, the page of --report has a map of each measure.

When every axis is off,on, the effects follow. A main effect is the effect of one factor, averaged over all combinations of the \
others: a ratio of nodes (0.5: half as many when it is on), a difference in Elo. An interaction is half the difference between the \
effects of one factor with the other on and off; for nodes, the square root of the ratio of these effects. The last rows give the effect of the last factor \
with and without each other one. Errors come from the spread over positions or openings.

The games are a gauntlet of the policy as named against the points: a run with a folder, with the rows in its sweep.csv. \
`lmrlab resume DIR` continues it.

Columns of the rows: one for each parameter (switches: 0 or 1), policy, and those of `lmrlab ablate` by measure. They are the same \
on every machine and for any number of threads.")]
pub(crate) struct Arguments {
    /// A parameter and its values, both ends included, or NAME=off,on; may be given several times
    #[arg(long, required = true, value_name = "NAME=MIN:MAX:STEP")]
    over: Vec<Axis>,
    #[command(flatten)]
    subject: SubjectOptions,
    #[command(flatten)]
    rows: RowsOptions,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    measured_rows::run(arguments)
}

impl RowsCommand for Arguments {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn file(&self) -> ResultFile {
        SWEEP
    }

    fn subject(&self) -> &SubjectOptions {
        &self.subject
    }

    fn output(&self) -> &RowsOptions {
        &self.rows
    }

    fn rows(&self, whole: &Variant) -> Result<Rows, Failure> {
        let row = |point: Point| Row {
            policy: match point.reduces_nothing(&self.over) {
                true => "none".to_owned(),
                false => with_changes(&self.subject.policy.to_string(), &point.policy),
            },
            preset: with_changes(&self.subject.search.preset, &point.preset),
            cells: point.values.iter().map(f64::to_string).collect(),
            engine: (self.over.iter().zip(&point.values))
                .map(|(axis, value)| format!("{}={}", axis.parameter, axis.value_text(*value)))
                .collect::<Vec<_>>()
                .join(" "),
            variant: point.variant,
        };
        Ok(Rows {
            whole: None,
            rows: points(whole, &self.over)?.into_iter().map(row).collect(),
        })
    }

    fn columns(&self) -> Vec<&str> {
        self.over.iter().map(|axis| axis.parameter.as_str()).collect()
    }

    fn headings(&self) -> (usize, Vec<&str>) {
        (0, self.columns())
    }

    fn shown(&self, cells: &[&str], _policy: &str) -> Vec<String> {
        let cells = self.over.iter().zip(cells);
        let shown = |(axis, cell): (&Axis, &&str)| {
            let value = cell.parse().map(|value| axis.value_text(value));
            value.unwrap_or_else(|_| (*cell).to_owned())
        };
        cells.map(shown).collect()
    }

    fn below(&self, rows: &Rows, measured: &[Measured]) -> String {
        match self.over.iter().all(|axis| axis.is_switch) {
            true => self.effects(rows, measured),
            false => String::new(),
        }
    }
}

impl Arguments {
    fn effects(&self, rows: &Rows, measured: &[Measured]) -> String {
        let levels: Vec<Vec<bool>> = (rows.rows.iter())
            .map(|row| row.cells.iter().map(|cell| cell == "1").collect())
            .collect();
        let has_nodes = measured.iter().all(|row| !row.nodes.is_empty());
        let nodes = has_nodes.then(|| {
            node_effects(
                &levels,
                &measured.iter().map(|row| row.nodes.clone()).collect::<Vec<_>>(),
            )
        });
        let outcomes: Option<Vec<_>> = (measured.iter())
            .map(|row| Some(row.strength.as_ref()?.outcomes.clone()))
            .collect();
        let elo = outcomes.map(|outcomes| elo_effects(&levels, &outcomes));
        let Some(any) = nodes.as_ref().or(elo.as_ref()) else {
            return String::new();
        };
        let mut columns = vec!["effect"];
        if nodes.is_some() {
            columns.extend(["nodes", INTERVAL_HEADING]);
        }
        if elo.is_some() {
            columns.extend(["Elo", ERROR_HEADING]);
        }
        let mut table = TextTable::new(1, columns);
        for (index, effect) in any.iter().enumerate() {
            let mut row = vec![self.effect_name(effect)];
            if let Some(effect) = nodes.as_ref().and_then(|nodes| nodes.get(index)) {
                let (factor, ends) = effect.size.factor();
                let ends = ends.map(|(low, high)| format!("{low:.3} - {high:.3}"));
                row.extend([format!("x {factor:.3}"), ends.unwrap_or_else(|| "-".to_owned())]);
            }
            if let Some(effect) = elo.as_ref().and_then(|elo| elo.get(index)) {
                row.extend([signed(Some(effect.size.mean), 1), unsigned(effect.size.error_95, 1)]);
            }
            table.push(row);
        }
        format!("\n{table}")
    }

    fn effect_name(&self, effect: &Effect) -> String {
        let name = |factor: usize| self.over.get(factor).map_or("", |axis| axis.parameter.as_str());
        match effect.kind {
            EffectKind::Main(factor) => name(factor).to_owned(),
            EffectKind::Interaction(first, second) => format!("{} with {}", name(first), name(second)),
            EffectKind::Given { other, on } => format!(
                "{} where {} is {}",
                name(self.over.len() - 1),
                name(other),
                if on { "on" } else { "off" }
            ),
        }
    }
}

fn points(base: &Variant, axes: &[Axis]) -> Result<Vec<Point>, Failure> {
    let size = axes
        .iter()
        .fold(1_usize, |size, axis| size.saturating_mul(axis.values.len()));
    if size > MAX_VARIANTS {
        return Err(Failure::input(
            format!("the grid has {size} points, more than {MAX_VARIANTS}"),
            "use larger steps",
        ));
    }
    for (index, axis) in axes.iter().enumerate() {
        let earlier = || axes[..index].iter().flat_map(|other| other.parameter.split('+'));
        if let Some(twice) = axis
            .parameter
            .split('+')
            .find(|name| earlier().any(|other| other == *name))
        {
            return Err(Failure::input(
                format!("`{twice}` is swept twice"),
                "name each parameter once",
            ));
        }
    }
    grid(base, axes).map_err(|(message, advice)| Failure::input(message, advice))
}
