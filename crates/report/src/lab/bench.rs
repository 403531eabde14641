//! The pages of `bench`: trees by iteration, by position, and times.

use std::collections::BTreeMap;

use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{BenchRow, BenchTime, IterationRow};
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_stats::{CONFIDENCE, Paired, geometric_mean};
use maud::{Markup, html};

use super::dots::{Dot, Dots, Line, MOST_LINES};
use super::file::LabFile;
use super::measures::{Known, ratio_axis};
use super::notation::in_san;
use crate::chart::axis::{Axis, grouped};
use crate::chart::svg::SERIES_COLOURS;
use crate::chart::{Chart, Layer, Picture};
use crate::page::{Page, Section};
use crate::rows::shown;
use crate::table::{Column, Table, printable};

/// The page of --iterations.
pub(super) fn iterations(file: &LabFile) -> Result<Page, Failure> {
    file.check::<IterationRow>("bench", false)?;
    let policies = file.names("policy");
    let mut section = Section::new("iterations", "By iteration");
    if policies.len() > SERIES_COLOURS {
        section.say(format!(
            "The first {SERIES_COLOURS} policies are drawn; the table has all."
        ));
    }
    section.draw(lines(
        file,
        "nodes",
        "iteration-nodes",
        &format!("Nodes of each iteration: {}", listed(&policies)),
        "",
    ));
    section.draw(lines(
        file,
        "effective_branching_factor",
        "branching",
        &format!("Effective branching factor of each iteration: {}", listed(&policies)),
        "Nodes of an iteration divided by those of the one before. It often alternates between odd and even depths.",
    ));
    section.add(file.table(&shown::<IterationRow>("")));
    Ok(Page {
        title: format!("Bench of {}", listed(&policies)),
        subtitle: format!("{}: nodes by iteration", file.name),
        verdict: branching(file, &policies),
        sections: vec![section],
        reload_seconds: None,
    })
}

/// `a, b, c`. Of many names the first ones.
pub(super) fn listed(names: &[String]) -> String {
    let mut listed: Vec<String> = names.iter().take(6).map(|name| printable(name)).collect();
    if names.len() > 6 {
        listed.push(format!("{} more", names.len() - 6));
    }
    listed.join(", ")
}

fn branching(file: &LabFile, policies: &[String]) -> Markup {
    let said = policies.iter().filter_map(|policy| {
        let factors = file
            .of("policy", policy)
            .filter_map(|row| file.rows.number(row, "effective_branching_factor"));
        let mean = geometric_mean(factors)?;
        Some(format!("{} {}", printable(policy), unsigned(Some(mean), 2)))
    });
    let said: Vec<String> = said.collect();
    html! {
        @if said.is_empty() { p { "One iteration has no branching factor." } }
        @else { p { "Effective branching factor (geometric mean over the iterations): " (said.join(", ")) "." } }
    }
}

fn lines(file: &LabFile, column: &str, id: &str, title: &str, note: &str) -> Picture {
    let policies = file.names("policy");
    let mut layers = Vec::new();
    let (mut depths, mut values, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for (series, policy) in policies.iter().take(SERIES_COLOURS).enumerate() {
        let points: Vec<(f64, f64)> = file
            .of("policy", policy)
            .filter_map(|row| file.rows.number(row, "depth").zip(file.rows.number(row, column)))
            .collect();
        depths.extend(points.iter().map(|(depth, _)| *depth));
        values.extend(points.iter().map(|(_, value)| *value));
        if let Some((depth, value)) = points.last() {
            said.push(format!(
                "{}: {} at depth {depth}",
                printable(policy),
                grouped(*value, 2)
            ));
        }
        layers.extend(Layer::marked(series, points, |(depth, value)| {
            format!("{}: depth {depth}, {}", printable(policy), grouped(value, 2))
        }));
    }
    let y = match column {
        "nodes" => Axis::logarithmic("nodes (logarithmic)", values),
        _ => {
            layers.push(Layer::Level(1.0, "no growth".to_owned()));
            Axis::from_zero("effective branching factor", values)
        }
    };
    Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        description: format!("{}.", said.join("; ")),
        x: Axis::linear("depth of the iteration (plies)", depths),
        y,
        height: 260.0,
        legend: policies
            .iter()
            .take(SERIES_COLOURS)
            .enumerate()
            .map(|(series, policy)| (series, printable(policy)))
            .collect(),
        note: note.to_owned(),
        layers,
    }
    .draw()
}

/// The page of --csv.
pub(super) fn positions(file: &LabFile) -> Result<Page, Failure> {
    file.check::<BenchRow>("bench", false)?;
    let table = in_san(file, &["best"]).table(&shown::<BenchRow>(""));
    Ok(page(file, "Bench", ("nodes", "nodes"), sums(file), table))
}

/// The page of --times.
pub(super) fn times(file: &LabFile) -> Result<Page, Failure> {
    file.check::<BenchTime>("bench", false)?;
    let columns = [
        Column::words("Policy"),
        Column::numbers("Nodes"),
        Column::numbers("ms"),
        Column::numbers("Nodes/s"),
    ];
    let mut sums = Table::new(columns);
    for policy in file.names("policy") {
        let (nodes, time) = (file.sum(&policy, "nodes"), file.sum(&policy, "time_ms"));
        let speed = (time > 0.0).then(|| nodes / time * 1e3);
        sums.push([
            printable(&policy),
            grouped(nodes, 0),
            grouped(time, 0),
            unsigned(speed, 0),
        ]);
    }
    let table = file.table(&shown::<BenchTime>(""));
    Ok(page(file, "Times", ("time_ms", "time"), sums.markup(), table))
}

/// A page of policies compared by a column, with its name in words.
fn page(file: &LabFile, title: &str, (column, what): (&str, &str), sums: Markup, table: Markup) -> Page {
    let policies = file.names("policy");
    let mut section = Section::new("policies", "By policy");
    if let [first, _, ..] = &policies[..] {
        section.draw(ratios(file, &policies, first, column, what));
    }
    section.add(sums);
    let mut all = Section::new("table", "Every position");
    all.add(table);
    Page {
        title: format!("{title} of {}", listed(&policies)),
        subtitle: format!("{}: {} positions", file.name, file.names("position").len()),
        verdict: compared(file, &policies, column, what),
        sections: vec![section, all],
        reload_seconds: None,
    }
}

/// By how much a policy differs from the first one: geometric mean over the positions that both have, and its interval.
fn ratio(file: &LabFile, first: &str, policy: &str, column: &str) -> (f64, Option<(f64, f64)>) {
    let values = |policy: &str| -> BTreeMap<String, f64> {
        let rows = file.of("policy", policy);
        let value = |row: &[String]| {
            let value = file.rows.number(row, column).filter(|value| *value > 0.0)?;
            Some((file.rows.cell(row, "position").to_owned(), value))
        };
        rows.filter_map(value).collect()
    };
    let (first, these) = (values(first), values(policy));
    let logs: Vec<f64> = these
        .iter()
        .filter_map(|(position, value)| Some((value / first.get(position)?).ln()))
        .collect();
    Paired::of(&logs).factor()
}

fn compared(file: &LabFile, policies: &[String], column: &str, what: &str) -> Markup {
    let Some((first, others)) = policies.split_first() else {
        return html! {};
    };
    let total = file.sum(first, column);
    let said: Vec<String> = others
        .iter()
        .take(6)
        .map(|policy| {
            let (value, ends) = ratio(file, first, policy, column);
            let ends = ends.map(|(low, high)| format!(" ({low:.2} to {high:.2})"));
            format!("{} × {value:.2}{}", printable(policy), ends.unwrap_or_default())
        })
        .collect();
    let unit = if column == "nodes" { "nodes" } else { "ms" };
    html! {
        p { (printable(first)) ": " (grouped(total, 0)) " " (unit) "." }
        @if !said.is_empty() {
            p { "Of its " (what) ", in the geometric mean over the positions with 95% intervals: " (said.join(", ")) "." }
        }
    }
}

fn ratios(file: &LabFile, policies: &[String], first: &str, column: &str, what: &str) -> Picture {
    let others: Vec<String> = policies.iter().skip(1).take(MOST_LINES).cloned().collect();
    let dots: Vec<Dot> = others
        .iter()
        .map(|policy| {
            let (value, interval) = ratio(file, first, policy, column);
            let name = printable(policy);
            let ends =
                interval.map(|(low, high)| format!(" ({CONFIDENCE}: {} to {})", grouped(low, 3), grouped(high, 3)));
            Dot {
                hover: format!("{name}: × {}{}", grouped(value, 3), ends.unwrap_or_default()),
                name,
                known: Known { value, interval },
                series: 0,
            }
        })
        .collect();
    let values: Vec<f64> = (dots.iter().flat_map(|dot| dot.known.extent())).chain([1.0]).collect();
    let first = printable(first);
    let said: Vec<&str> = dots.iter().map(|dot| dot.hover.as_str()).collect();
    Dots {
        id: format!("{what}-ratio"),
        title: format!(
            "{} of {}, against {first}",
            if what == "nodes" { "Nodes" } else { "Time" },
            listed(&others)
        ),
        description: format!("{}.", said.join("; ")),
        note: format!(
            "Left of 1: less than {first}. Geometric means over the positions; bars: {CONFIDENCE} intervals."
        ),
        x: ratio_axis(&format!("{what}, divided by that of {first}"), &values),
        names: String::new(),
        legend: Vec::new(),
        upright: Some((1.0, "equal".to_owned())),
    }
    .draw(&dots.into_iter().map(Line::Value).collect::<Vec<_>>())
}

/// One line for each policy, as the command prints it.
fn sums(file: &LabFile) -> Markup {
    let mut table = Table::new([
        Column::words("Policy"),
        Column::numbers("Nodes"),
        Column::numbers("Depth").meaning("Mean of the iterations, in plies"),
        Column::numbers("First move cuts").meaning("Share of the cutoffs that the first move made"),
        Column::numbers("Cutoff move").meaning("Mean number of the move that cut"),
        Column::numbers("Null moves cut"),
        Column::numbers("Quiescence").meaning("Share of the nodes"),
    ]);
    for policy in &file.names("policy") {
        let sum = |column: &str| file.sum(policy, column);
        let share = |part: &str, whole: &str| Some(sum(part) / sum(whole)).filter(|share| share.is_finite());
        let count = file.of("policy", policy).count().max(1) as f64;
        table.push([
            printable(policy),
            grouped(sum("nodes"), 0),
            unsigned(Some(sum("depth") / count), 2),
            percent(share("first_move_cutoffs", "cutoffs")),
            unsigned(share("cutoff_moves", "cutoffs"), 2),
            percent(share("null_move_cutoffs", "null_moves")),
            percent(share("quiescence_nodes", "nodes")),
        ]);
    }
    table.markup()
}
