//! Tables and cells that are made from CSV files of published results.
//!
//! A table is described by words:
//!
//! - `FILE.csv`: the source of its rows; several files are read one after the other;
//! - `COLUMN==VALUE` and `COLUMN!=VALUE`: conditions for the rows that are shown;
//! - `sort=-COLUMN`: their order, the greatest number first;
//! - `halves`: two halves side by side;
//! - `HEADING=FORMAT`: a column of the page.
//!
//! A format is one or more of these with `, `, a space or ` to ` between them: `COLUMN` as in the file, `` `COLUMN` ``
//! as code, `COLUMN.2` with two decimals, `COLUMN%1` as a percentage with one decimal, `COLUMN~ERROR.1` as an estimate
//! with its error. Some columns are in no file: `pairs` is half of `games`, `nodes_a_move` is that of the manifest.

use lmrlab_results::number_text::{percent_with, signed, unsigned};

use super::published::Published;

/// A row: its values by their columns.
type Row = Vec<(String, String)>;

/// Makes a Markdown table.
///
/// # Errors
/// When a word is not understood, or when a file or column does not exist.
pub fn table(words: &[String], published: &Published) -> Result<String, String> {
    let rows = rows(words, published)?;
    let columns: Vec<(&str, &str)> = words
        .iter()
        .filter(|word| !word.contains("==") && !word.contains("!=") && !word.starts_with("sort=-"))
        .filter_map(|word| word.split_once('='))
        .collect();
    if columns.is_empty() {
        return Err("the table has no column such as `Elo=elo~elo_error_95`".to_owned());
    }
    let mut lines = Vec::new();
    for row in &rows {
        let cells = columns.iter().map(|(_, format)| cell(row, format));
        lines.push(cells.collect::<Result<Vec<String>, String>>()?);
    }
    let mut headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
    if words.iter().any(|word| word == "halves") {
        let right = lines.split_off(lines.len().div_ceil(2));
        let mut right = right.into_iter();
        for line in &mut lines {
            line.extend(right.next().unwrap_or_else(|| vec![String::new(); columns.len()]));
        }
        headings.extend(headings.clone());
    }
    let mut text = format!("| {} |\n|{}\n", headings.join(" | "), "---|".repeat(headings.len()));
    for line in lines {
        text += &format!("| {} |\n", line.join(" | "));
    }
    Ok(text)
}

/// The value of one cell, from a format, files, and conditions that only one row meets.
///
/// # Errors
/// As [`table`]. Also when not exactly one row meets the conditions.
pub fn value(words: &[String], published: &Published) -> Result<String, String> {
    let (format, words) = words.split_first().ok_or("no format")?;
    let rows = rows(words, published)?;
    match &rows[..] {
        [row] => cell(row, format),
        _ => Err(format!("{} rows are `{}`, not one", rows.len(), words.join(" "))),
    }
}

/// The files that the words of a table or a value name.
pub fn files(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str).filter(|word| word.ends_with(".csv"))
}

fn rows(words: &[String], published: &Published) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for file in files(words) {
        let text = published.text(file)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headings = reader.headers().map_err(|error| format!("{file}: {error}"))?.clone();
        for record in reader.records() {
            let record = record.map_err(|error| format!("{file}: {error}"))?;
            let pairs = headings.iter().zip(&record);
            let mut row: Row = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            derive(&mut row, file, published);
            rows.push(row);
        }
    }
    for word in words {
        if let Some((column, value)) = word.split_once("==") {
            try_retain(&mut rows, column, |cell| cell == value)?;
        } else if let Some((column, value)) = word.split_once("!=") {
            try_retain(&mut rows, column, |cell| cell != value)?;
        } else if let Some(column) = word.strip_prefix("sort=-") {
            let mut keyed = Vec::new();
            for row in rows {
                keyed.push((number(get(&row, column)?)?, row));
            }
            keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
            rows = keyed.into_iter().map(|(_, row)| row).collect();
        }
    }
    Ok(rows)
}

/// Adds the columns that are computed from others or from the manifest.
fn derive(row: &mut Row, file: &str, published: &Published) {
    if get(row, "pairs").is_err()
        && let Some(games) = get(row, "games").ok().and_then(|games| games.parse::<u64>().ok())
    {
        row.push(("pairs".to_owned(), (games / 2).to_string()));
    }
    if let Some(manifest) = published.manifest(file) {
        let description = manifest.description();
        let limit = description.get("limit");
        if let Some(nodes) = limit
            .and_then(|limit| limit.get("nodes"))
            .and_then(toml::Value::as_integer)
        {
            row.push(("nodes_a_move".to_owned(), thousands(nodes)));
        }
    }
}

fn thousands(number: i64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> = groups
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    groups.join(",")
}

fn try_retain(rows: &mut Vec<Row>, column: &str, keep: impl Fn(&str) -> bool) -> Result<(), String> {
    if let Some(row) = rows.first() {
        get(row, column)?;
    }
    rows.retain(|row| get(row, column).is_ok_and(&keep));
    Ok(())
}

fn get<'r>(row: &'r Row, column: &str) -> Result<&'r str, String> {
    let found = row.iter().find(|(name, _)| name == column);
    found
        .map(|(_, value)| value.as_str())
        .ok_or_else(|| format!("there is no column `{column}`"))
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

/// A cell of a page: the format with its words replaced by their values.
fn cell(row: &Row, format: &str) -> Result<String, String> {
    let words: Result<Vec<String>, String> = format
        .split(' ')
        .map(|word| {
            let (word, comma) = word.strip_suffix(',').map_or((word, ""), |word| (word, ","));
            Ok(formatted(row, word)? + comma)
        })
        .collect();
    Ok(words?.join(" "))
}

fn formatted(row: &Row, word: &str) -> Result<String, String> {
    let wrong = || format!("`{word}` is not a format");
    let decimals = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    let written = |column: &str, write: &dyn Fn(Option<f64>) -> String| match get(row, column)? {
        "" => Ok(String::new()),
        value => number(value).map(|value| write(Some(value))),
    };
    if let Some(column) = word.strip_prefix('`').and_then(|word| word.strip_suffix('`')) {
        return Ok(format!("`{}`", get(row, column)?));
    }
    if let Some((column, error)) = word.split_once('~') {
        let (error, places) = error.split_once('.').unwrap_or((error, "0"));
        let places = decimals(places)?;
        let value = written(column, &|value| signed(value, places))?;
        let error = written(error, &|error| unsigned(error, places))?;
        return Ok(match value.is_empty() || error.is_empty() {
            true => value,
            false => format!("{value} ± {error}"),
        });
    }
    if let Some((column, places)) = word.split_once('%') {
        let places = decimals(places)?;
        return written(column, &|value| percent_with(value, places));
    }
    if word == "to" {
        return Ok(word.to_owned());
    }
    if let Some((column, places)) = word.split_once('.') {
        let places = decimals(places)?;
        return written(column, &|value| unsigned(value, places));
    }
    Ok(get(row, word)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_pages_write_them() {
        let row: Row = [
            ("elo", "-0.4"),
            ("error", "12.25"),
            ("share", "0.0197"),
            ("name", "house"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        for (format, expected) in [
            ("elo~error", "+0 ± 12"),
            ("elo~error.1", "-0.4 ± 12.2"),
            ("share%2", "1.97%"),
            ("share.3", "0.020"),
            ("`name`", "`house`"),
            ("name, error", "house, 12.25"),
        ] {
            assert_eq!(cell(&row, format).as_deref(), Ok(expected));
        }
        assert!(cell(&row, "nothing").unwrap_err().contains("`nothing`"));
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
