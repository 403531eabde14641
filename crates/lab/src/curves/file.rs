//! The file of curves: CSV, a line for each sampled move.

use std::fmt::Display;
use std::io::{BufReader, Read};
use std::path::Path;
use std::str::FromStr;

use lmrlab_policy::facts::{Fact, Kind};
use lmrlab_results::csv_file::write_with;
use lmrlab_results::failure::Failure;
use lmrlab_results::fixed::Shortest;
use lmrlab_results::lab_rows::CurveRow;
use lmrlab_results::row::Row;
use lmrlab_results::text_file::open_file;

use super::curve::{Curve, Point};
use crate::named_fact::NamedFact;
use crate::node_kinds::{kind_name, kind_named};

/// What the columns of the facts begin with.
const FACT: &str = "fact_";

/// The curves of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveFile {
    /// The facts behind the values of the curves.
    pub facts: Vec<NamedFact>,
    /// The sampled moves; those of a position follow each other.
    pub curves: Vec<Curve>,
}

/// Writes a file of curves.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, file: &CurveFile) -> Result<(), Failure> {
    let names: Vec<String> = file.facts.iter().map(|fact| format!("{FACT}{}", fact.name())).collect();
    let rows = file.curves.iter().map(|curve| {
        let values: Vec<Shortest> = curve.values.iter().map(|value| Shortest(Some(*value))).collect();
        (row(curve), values)
    });
    write_with(path, &names, rows)
}

fn row(curve: &Curve) -> CurveRow {
    fn list<T: Display>(curve: &Curve, value: impl Fn(&Point) -> T) -> String {
        let values: Vec<String> = curve.points.iter().map(|point| value(point).to_string()).collect();
        values.join(" ")
    }
    CurveRow {
        position: curve.position.clone(),
        ply: curve.ply,
        depth: curve.depth,
        full_depth: curve.full_depth,
        move_number: curve.move_number,
        r#move: curve.mv.clone(),
        expected: kind_name(curve.kind).to_owned(),
        outcome: curve.outcome.map_or("", kind_name).to_owned(),
        reduction: curve.reduction,
        weight: curve.weight.into(),
        node_share: curve.share.into(),
        least: curve.least,
        first_raises: list(curve, |point| u8::from(point.first_raises)),
        first_nodes: list(curve, |point| point.first_nodes),
        raises: list(curve, |point| u8::from(point.raises)),
        nodes: list(curve, |point| point.nodes),
    }
}

/// Reads a file of curves.
///
/// # Errors
/// When it cannot be read, is no file of curves, or has a wrong line. The message names the first wrong line.
pub fn read(path: &Path) -> Result<CurveFile, Failure> {
    let wrong = |what: String| {
        Failure::input(
            format!("cannot read the curves of `{}`: {what}", path.display()),
            "`lmrlab audit POLICY --curves FILE` writes such a file",
        )
    };
    let file = open_file(path).map_err(|error| wrong(error.to_string()))?;
    parse(BufReader::new(file)).map_err(wrong)
}

fn parse(text: impl Read) -> Result<CurveFile, String> {
    let mut reader = csv::Reader::from_reader(text);
    let no_csv = |error: csv::Error| format!("this is not a CSV file: {error}");
    let headers = reader.headers().map_err(no_csv)?.clone();
    let columns = CurveRow::names();
    for (place, column) in columns.iter().enumerate() {
        if headers.get(place) != Some(column) {
            return Err(format!(
                "this is no file of curves: column {} is not `{column}`",
                place + 1
            ));
        }
    }
    let facts = headers.iter().skip(columns.len()).map(fact_named);
    let facts: Vec<NamedFact> = facts.collect::<Result<_, String>>()?;
    let mut curves = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(no_csv)?;
        let line = record.position().map_or(0, csv::Position::line);
        let curve = curve(&record, columns.len()).map_err(|what| format!("line {line}: {what}"))?;
        curves.push(curve);
    }
    if curves.is_empty() {
        return Err("this file has no curves".to_owned());
    }
    Ok(CurveFile { facts, curves })
}

fn fact_named(column: &str) -> Result<NamedFact, String> {
    let known = column.strip_prefix(FACT).and_then(|name| {
        let own = || NamedFact::own_named(name, Kind::Number);
        Fact::named(name).map(NamedFact::Known).or_else(own)
    });
    known.ok_or_else(|| format!("the column `{column}` is no fact of this version"))
}

fn curve(record: &csv::StringRecord, columns: usize) -> Result<Curve, String> {
    let row: CurveRow = record.deserialize(None).map_err(|error| error.to_string())?;
    let kind = |name: &str| kind_named(name).ok_or_else(|| format!("`{name}` is no kind of node"));
    let first_raises: Vec<u8> = list("first_raises", &row.first_raises)?;
    let first_nodes: Vec<u64> = list("first_nodes", &row.first_nodes)?;
    let raises: Vec<u8> = list("raises", &row.raises)?;
    let nodes: Vec<u64> = list("nodes", &row.nodes)?;
    if [first_nodes.len(), raises.len(), nodes.len()] != [first_raises.len(); 3] {
        let message = "`first_raises`, `first_nodes`, `raises` and `nodes` must have the same number of values";
        return Err(message.to_owned());
    }
    let last = i64::from(row.least) + nodes.len() as i64;
    if row.least > 0 || last <= 0 || !(-1_000..1_000).contains(&row.least) {
        return Err(format!(
            "`least` is {}, and there are {} points: a reduction of 0 should be among them",
            row.least,
            nodes.len()
        ));
    }
    let (Some(weight), true) = (row.weight.0, (0..1_000).contains(&row.full_depth)) else {
        return Err("`weight` is empty, or `full_depth` is no depth".to_owned());
    };
    if !(weight.is_finite() && weight > 0.0) {
        return Err(format!("`weight` is {weight}: it should be greater than 0"));
    }
    let points = first_raises.iter().zip(&first_nodes).zip(raises.iter().zip(&nodes));
    let points = points.map(|((first_raises, first_nodes), (raises, nodes))| Point {
        first_raises: *first_raises != 0,
        first_nodes: *first_nodes,
        raises: *raises != 0,
        nodes: *nodes,
    });
    let values = record.iter().skip(columns).map(|cell| match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{cell}` should be a number: the value of a fact")),
    });
    Ok(Curve {
        points: points.collect(),
        values: values.collect::<Result<_, String>>()?,
        position: row.position,
        ply: row.ply,
        depth: row.depth,
        full_depth: row.full_depth,
        move_number: row.move_number,
        mv: row.r#move,
        kind: kind(&row.expected)?,
        outcome: match row.outcome.as_str() {
            "" => None,
            name => Some(kind(name)?),
        },
        reduction: row.reduction,
        weight,
        share: row.node_share.0,
        least: row.least,
    })
}

fn list<T: FromStr>(column: &str, text: &str) -> Result<Vec<T>, String> {
    let values = text.split_ascii_whitespace().map(|word| {
        let value = word.parse();
        value.map_err(|_| format!("`{column}` has `{word}`, where a number should be"))
    });
    values.collect()
}
