//! The page of a transfer: Elo of an idea over surroundings and budgets, and what to expect in an unknown engine.

use std::str::FromStr;

use lmrlab_lab::transfer::{Matrix, MatrixCell, Question, Verdict};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_stats::Pentanomial;
use maud::html;

use super::file::LabFile;
use super::measures::COLUMNS;
use crate::chart::axis::Axis;
use crate::chart::{Cell, Chart, Layer, Mark, Picture};
use crate::page::{Page, Section};
use crate::rows::Shown;
use crate::table::printable;

const COUNTS: [&str; 5] = ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww"];

/// The page.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.needs("transfer", &["idea", "baseline", "surrounding", "match_nodes"])?;
    file.needs("transfer", &COUNTS)?;
    let matrix = matrix(file)?;
    let row = file.rows.rows.first().map_or(&[][..], Vec::as_slice);
    let [idea, baseline] = ["idea", "baseline"].map(|column| printable(file.rows.cell(row, column)));
    let sentences = match Verdict::of(&matrix, question(file, &matrix.budgets)?) {
        Ok(verdict) => verdict.sentences(),
        Err(error) => vec![format!("There is no prediction: {error}.")],
    };
    let mut map = Section::new("matrix", "Elo by surrounding and budget");
    map.draw(picture(&matrix, &format!("{idea} against {baseline}")));
    let mut table = Section::new("table", "All numbers");
    let mut shown = vec![
        Shown::new("surrounding", "Surrounding", "the search preset around both policies"),
        Shown::new("match_nodes", "Nodes a move", ""),
    ];
    shown.extend(COLUMNS);
    table.add(file.table(&shown));
    Ok(Page {
        title: format!("{idea} against {baseline} in many surroundings"),
        subtitle: format!(
            "{}: {} pairs in {} cells",
            file.name,
            matrix.pairs(),
            matrix.cells.len()
        ),
        verdict: html! {
            @for (number, sentence) in sentences.iter().rev().enumerate() {
                @if number == 0 { p { (sentence) } } @else { p.note { (sentence) } }
            }
        },
        sections: vec![map, table],
        reload_seconds: None,
    })
}

/// The prediction that the command was asked for. A file of an older version does not say: then the usual one.
fn question(file: &LabFile, budgets: &[u64]) -> Result<Question, Failure> {
    let usual = Question::usual(budgets);
    let row = file.rows.rows.first().map_or(&[][..], Vec::as_slice);
    let is_level = |level: &f64| (0.01..=0.999).contains(level);
    Ok(Question {
        nodes: asked(file, row, "at_nodes", usual.nodes, |nodes| *nodes > 0)?,
        level: asked(file, row, "level", usual.level, is_level)?,
        slope_prior: asked(file, row, "slope_prior", usual.slope_prior, |_| true)?,
    })
}

/// A value of a column, or the usual one when there is no such column.
fn asked<T: FromStr>(
    file: &LabFile,
    row: &[String],
    column: &str,
    usual: T,
    is_right: impl Fn(&T) -> bool,
) -> Result<T, Failure> {
    if file.rows.column(column).is_none() {
        return Ok(usual);
    }
    let cell = file.rows.cell(row, column);
    cell.parse().ok().filter(is_right).ok_or_else(|| {
        Failure::input(
            format!("`{}`: `{}` in column {column} is wrong", file.place, printable(cell)),
            "let `lmrlab transfer` write the file again",
        )
    })
}

/// The matrix of a file.
fn matrix(file: &LabFile) -> Result<Matrix, Failure> {
    let count = |row: &[String], column: &str| {
        let cell = file.rows.cell(row, column);
        cell.parse::<u64>().map_err(|_| {
            Failure::input(
                format!("`{}`: `{}` in column {column} is no count", file.place, printable(cell)),
                "let `lmrlab transfer` write the file again",
            )
        })
    };
    let mut budgets = Vec::new();
    for row in &file.rows.rows {
        let nodes = count(row, "match_nodes")?;
        if !budgets.contains(&nodes) {
            budgets.push(nodes);
        }
    }
    let mut matrix = Matrix::new(file.names("surrounding"), budgets);
    for row in &file.rows.rows {
        let nodes = count(row, "match_nodes")?;
        let name = file.rows.cell(row, "surrounding");
        let surrounding = matrix.surroundings.iter().position(|other| other == name);
        let mut counts = [0; 5];
        for (place, column) in counts.iter_mut().zip(COUNTS) {
            *place = count(row, column)?;
        }
        let is_it = |cell: &&mut MatrixCell| Some(cell.surrounding) == surrounding && cell.nodes == nodes;
        if let Some(cell) = matrix.cells.iter_mut().find(is_it) {
            cell.pairs = Pentanomial::new(counts);
        }
    }
    Ok(matrix)
}

fn picture(matrix: &Matrix, title: &str) -> Picture {
    let elo = |cell: &MatrixCell| cell.estimate().elo.0;
    let known: Vec<&MatrixCell> = matrix.cells.iter().filter(|cell| cell.pairs.pairs() > 0).collect();
    let finite = known.iter().map(|cell| elo(cell).abs()).filter(|elo| elo.is_finite());
    let most = finite.fold(1.0, f64::max);
    let said = |cell: &MatrixCell| {
        let estimate = cell.estimate();
        format!(
            "{} at {} nodes a move: {} ± {} Elo in {} pairs",
            matrix.surroundings.get(cell.surrounding).map_or("", String::as_str),
            cell.nodes,
            signed(Some(estimate.elo.0), 1),
            unsigned(estimate.elo_error_95.map(|error| error.0), 1),
            cell.pairs.pairs()
        )
    };
    let cells = known.iter().map(|cell| Cell {
        row: cell.surrounding,
        column: matrix
            .budgets
            .iter()
            .position(|nodes| *nodes == cell.nodes)
            .unwrap_or(0),
        level: (elo(cell) / most).clamp(-1.0, 1.0),
        text: signed(Some(elo(cell)), 0),
        hover: printable(&said(cell)),
        mark: Mark::None,
    });
    let described: Vec<String> = known.iter().map(|cell| said(cell)).collect();
    let names = matrix.surroundings.iter().map(|name| printable(name));
    Chart {
        id: "transfer-matrix".to_owned(),
        title: format!("Elo of {title} by surrounding and budget"),
        description: printable(&described.join("; ")),
        x: Axis::names("nodes a move", matrix.budgets.iter().map(u64::to_string).collect()),
        y: Axis::names("surrounding", names.collect()).reversed(),
        height: 30.0 + 28.0 * matrix.surroundings.len() as f64,
        legend: Vec::new(),
        note: "In the cells: Elo. Blue: the idea is stronger; orange: weaker. Errors show when a cell is pointed at."
            .to_owned(),
        layers: vec![Layer::Cells(cells.collect())],
    }
    .draw()
}
