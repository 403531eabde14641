//! `lmrlab sweep`: measures a policy over a grid of its parameters.

use std::time::Instant;

use clap::Args;

use super::measure_options::{Measure, RowsOptions, SubjectOptions, caution};
use crate::print::print_out;
use lmrlab_lab::heat_map::HeatMap;
use lmrlab_lab::measures::Measured;
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::sweep::{Axis, Point, grid};
use lmrlab_lab::variant::Variant;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::text_table::TextTable;

/// The most variants of a grid.
const MAX_VARIANTS: usize = 100_000;

/// Which policy, over which grid, and what to measure.
#[derive(Debug, Args)]
#[command(
    about = "Measure a policy over a grid of its parameters",
    after_help = "\
Examples:
  lmrlab sweep log.toml --over divisor=1.8:3.0:0.2 --measures nodes,suite
  lmrlab sweep log.toml --over divisor=1.8:3.0:0.4 --over base=0:1:0.25 --csv sweep.csv

Every point is compared with the policy as named. With two parameters, each measure is also drawn as a heat map: the first \
parameter downwards, the second to the right.

Columns of --csv: one for each parameter, policy, and those of `lmrlab ablate` by measure. It is the same on every machine \
and for any number of threads. Ctrl-C keeps the rows that are finished; the same command with --resume goes on."
)]
pub(crate) struct Arguments {
    /// A parameter and its values, both ends included; may be given several times
    #[arg(long, required = true, value_name = "NAME=MIN:MAX:STEP")]
    over: Vec<Axis>,
    #[command(flatten)]
    subject: SubjectOptions,
    #[command(flatten)]
    rows: RowsOptions,
}

/// Runs the command.
///
/// # Errors
/// When the policy, the preset, a parameter or a file is wrong, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.rows.check()?;
    let base = arguments.subject.whole()?;
    let points = points(&base, &arguments.over)?;
    let plan = arguments
        .subject
        .plan(&[Measure::Nodes, Measure::Suite, Measure::Audit, Measure::Elo])?;
    let variants: Vec<Variant> = std::iter::once(&base)
        .chain(points.iter().map(|point| &point.variant))
        .cloned()
        .collect();
    let workers = arguments.rows.keeping(arguments.subject.workers()?, &variants, &plan)?;
    let names: Vec<&str> = arguments.over.iter().map(|axis| axis.parameter.as_str()).collect();
    let mut sheet = Sheet::new([&names[..], &["policy"], &plan.csv_columns()].concat());
    let mut shown = TextTable::new(0, [&names[..], &plan.headings()].concat());
    let mut written = Instant::now();
    let measured = plan.measure(&variants, &workers, &mut |index, measured| {
        let Some(point) = index.checked_sub(1).and_then(|index| points.get(index)) else {
            return Ok(());
        };
        let values: Vec<String> = point.values.iter().map(f64::to_string).collect();
        let name = vec![point.variant.name.clone()];
        sheet.push([values.clone(), name, plan.csv_cells(measured)].concat());
        shown.push([values, plan.cells(measured)].concat());
        arguments.rows.write_now_and_then(&sheet, &mut written)
    })?;
    let measured = measured.get(1..).unwrap_or_default();
    arguments.rows.write(&sheet)?;
    print_out(&shown.to_string());
    if measured.len() < points.len() {
        arguments.rows.tell_interrupted(measured.len(), points.len());
        return Err(Failure::Interrupted);
    }
    if let [down, right] = &arguments.over[..] {
        for (title, value) in MAPS {
            if let Some(map) = map(title, down, right, measured, value) {
                print_out(&format!("\n{}", map.text()));
            }
        }
    }
    print_out(&caution(points.len()));
    workers.finish()?;
    arguments.rows.write_page()
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
        if axes[..index].iter().any(|other| other.parameter == axis.parameter) {
            return Err(Failure::input(
                format!("`{}` is swept twice", axis.parameter),
                "name each parameter once",
            ));
        }
    }
    grid(base, axes).map_err(|error| Failure::input(error.message(), error.advice()))
}

/// What is drawn, where it was measured: its title, and its value of a variant.
type Drawn = (&'static str, fn(&Measured) -> Option<f64>);

const MAPS: [Drawn; 4] = [
    ("nodes against the policy as named", |measured| {
        Some(measured.tree?.log_ratio.factor().0)
    }),
    ("positions solved", |measured| {
        Some(measured.suite.as_ref()?.score.solved as f64)
    }),
    ("share of dismissed moves that were missed", |measured| {
        Some(measured.missed?.rate?.value)
    }),
    ("Elo against the policy as named", |measured| {
        Some(measured.strength?.estimate.elo.0)
    }),
];

fn map(
    title: &str,
    down: &Axis,
    right: &Axis,
    measured: &[Measured],
    value: fn(&Measured) -> Option<f64>,
) -> Option<HeatMap> {
    let values: Option<Vec<f64>> = measured.iter().map(value).collect();
    Some(HeatMap {
        title: title.to_owned(),
        down: (down.parameter.clone(), down.values.clone()),
        right: (right.parameter.clone(), right.values.clone()),
        values: values?,
    })
}
