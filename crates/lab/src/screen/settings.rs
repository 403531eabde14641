//! The settings that a model is fitted to: policies in families, with their games and their measures, as a CSV file.

use std::collections::HashMap;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source};
use lmrlab_policy::reference::PolicyReference;
use lmrlab_runner::record::fixed::Fixed;
use lmrlab_stats::{Estimate, Pentanomial};

use super::measures::{MEASURES, Measures};

/// A policy with what is known of it.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Policies of one family are relatives; a cross-validation leaves whole families out.
    pub family: String,
    /// The policy.
    pub policy: PolicyReference,
    /// Its pairs of games against the reference.
    pub pairs: Option<Pentanomial>,
    /// Nodes a move of these games.
    pub match_nodes: Option<u64>,
    /// Its measures.
    pub measures: Option<Measures>,
    /// Half widths of their 95% intervals; 0 for a measure that has no such column.
    pub errors_95: [f64; MEASURES.len()],
    /// How these were made, in words.
    pub conditions: String,
}

/// The columns of games.
pub const GAME_COLUMNS: [&str; 7] = ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww", "elo", "elo_error_95"];

/// The cells below [`GAME_COLUMNS`]; empty without games.
pub fn game_cells(pairs: Option<&Pentanomial>) -> Vec<String> {
    let Some(pairs) = pairs else {
        return vec![String::new(); GAME_COLUMNS.len()];
    };
    let estimate = Estimate::regularized(pairs);
    let elo = estimate.map(|estimate| estimate.elo.0);
    let error = estimate.and_then(|estimate| estimate.elo_error_95).map(|error| error.0);
    let counts = pairs.counts().map(|count| count.to_string());
    let numbers = [elo, error].map(|number| Fixed::<3>(number).to_string());
    [&counts[..], &numbers].concat()
}

/// The text of a file of settings with other games. Measures do not depend on games, so they stay as they are.
///
/// # Errors
/// When the file cannot be read, has no columns of games, or has a policy without games.
pub fn with_games(path: &Path, name: &str, games: &HashMap<String, Pentanomial>) -> Result<String, Diagnostics> {
    let source = Source::read_from(&Files::on_disk(), path, name)?;
    let text = source.text.clone();
    let wrong = |reason: String| Diagnostics::new(source.clone(), vec![Diagnostic::error(reason)]);
    let unreadable = |error: csv::Error| wrong(format!("this is no CSV file: {error}"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(unreadable)?.clone();
    let place = |column: &str| {
        let place = headers.iter().position(|header| header == column);
        place.ok_or_else(|| wrong(format!("there is no column `{column}`")))
    };
    let policy = place("policy")?;
    let columns: Vec<usize> = GAME_COLUMNS
        .iter()
        .map(|column| place(column))
        .collect::<Result<_, _>>()?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let unwritable = |error: csv::Error| wrong(format!("cannot write it again: {error}"));
    writer.write_record(&headers).map_err(unwritable)?;
    for record in reader.records() {
        let mut record: Vec<String> = record.map_err(unreadable)?.iter().map(str::to_owned).collect();
        let found = games.get(&record[policy]);
        let pairs = found.ok_or_else(|| wrong(format!("`{}` has no games in --games", record[policy])))?;
        for (column, cell) in columns.iter().zip(game_cells(Some(pairs))) {
            record[*column] = cell;
        }
        writer.write_record(&record).map_err(unwritable)?;
    }
    let bytes = writer.into_inner().map_err(|error| wrong(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))
}

/// Reads the settings of a CSV file: `family` and `policy`, and where they are there the counts of pairs and the measures.
///
/// # Errors
/// When the file cannot be read, a column is missing, or a cell is wrong; with the line.
pub fn settings(path: &Path, name: &str) -> Result<Vec<Setting>, Diagnostics> {
    parse_settings(Source::read_from(&Files::on_disk(), path, name)?)
}

/// The same of a text.
///
/// # Errors
/// As [`settings`].
pub fn parse_settings(source: Source) -> Result<Vec<Setting>, Diagnostics> {
    let text = source.text.clone();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let wrong = |error: Diagnostic| Diagnostics::new(source.clone(), vec![error]);
    let headers =
        (reader.headers()).map_err(|error| wrong(Diagnostic::error(format!("this is no CSV file: {error}"))))?;
    let columns: HashMap<String, usize> = (headers.iter().enumerate())
        .map(|(index, name)| (name.to_owned(), index))
        .collect();
    for needed in ["family", "policy"] {
        if !columns.contains_key(needed) {
            let error = Diagnostic::error(format!("there is no column `{needed}`"))
                .at(0..line_end(&text, 0), "")
                .help("the first line names the columns; `family` and `policy` are needed");
            return Err(wrong(error));
        }
    }
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let start = record.position().map_or(0, |position| position.byte() as usize);
                let place = start..line_end(&text, start);
                match setting(&columns, &record) {
                    Ok(setting) => found.push(setting),
                    Err(reason) => errors.push(Diagnostic::error("this line is not a setting").at(place, reason)),
                }
            }
            Err(error) => errors.push(Diagnostic::error(format!("this is no CSV file: {error}"))),
        }
    }
    if errors.is_empty() && found.is_empty() {
        errors.push(Diagnostic::error(format!("`{}` has no settings", source.name)).help("name a policy in each line"));
    }
    match errors.is_empty() {
        true => Ok(found),
        false => Err(Diagnostics::new(source, errors)),
    }
}

fn line_end(text: &str, start: usize) -> usize {
    text[start..].find('\n').map_or(text.len(), |length| start + length)
}

fn setting(columns: &HashMap<String, usize>, record: &csv::StringRecord) -> Result<Setting, String> {
    let cell = |column: &str| {
        let cell = columns.get(column).and_then(|index| record.get(*index));
        cell.filter(|cell| !cell.is_empty())
    };
    let policy = cell("policy").ok_or("no policy is named")?;
    let mut pairs = [0; 5];
    let mut counted = 0;
    for (count, column) in pairs.iter_mut().zip(GAME_COLUMNS) {
        if let Some(text) = cell(column) {
            *count = text
                .parse()
                .map_err(|_| format!("`{text}` in column {column} is no count"))?;
            counted += 1;
        }
    }
    let measures = measures(&cell)?;
    Ok(Setting {
        family: cell("family").ok_or("no family is named")?.to_owned(),
        policy: policy.parse().map_err(|report: Diagnostics| {
            format!(
                "`{policy}` is no policy: {}",
                report.list.first().map_or("", |first| &first.message)
            )
        })?,
        pairs: (counted == pairs.len()).then(|| Pentanomial::new(pairs)),
        match_nodes: match cell("match_nodes") {
            Some(text) => Some(
                text.parse()
                    .map_err(|_| format!("`{text}` in column match_nodes is no number of nodes"))?,
            ),
            None => None,
        },
        measures,
        errors_95: errors_95(&cell)?,
        conditions: cell("conditions").unwrap_or_default().to_owned(),
    })
}

/// The measures of a line; `None` when it has none at all.
fn measures<'c>(cell: &impl Fn(&str) -> Option<&'c str>) -> Result<Option<Measures>, String> {
    if MEASURES.iter().all(|measure| cell(measure.column).is_none()) {
        return Ok(None);
    }
    let mut values = [0.0; MEASURES.len()];
    for (value, measure) in values.iter_mut().zip(MEASURES) {
        let column = measure.column;
        *value = match (cell(column), measure.empty) {
            (Some(text), _) => (text.parse().ok())
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| format!("`{text}` in column {column} is no number"))?,
            (None, Some(empty)) => empty,
            (None, None) => return Err(format!("column {column} is empty")),
        };
    }
    Ok(Some(Measures(values)))
}

/// The errors of the measures of a line.
fn errors_95<'c>(cell: &impl Fn(&str) -> Option<&'c str>) -> Result<[f64; MEASURES.len()], String> {
    let mut errors = [0.0; MEASURES.len()];
    for (error, measure) in errors.iter_mut().zip(MEASURES) {
        let Some(column) = measure.error_column else {
            continue;
        };
        if let Some(text) = cell(column) {
            let number = text.parse().ok();
            *error = number
                .filter(|number: &f64| number.is_finite() && *number >= 0.0)
                .ok_or_else(|| format!("`{text}` in column {column} is no error"))?;
        }
    }
    Ok(errors)
}
