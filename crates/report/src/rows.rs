//! Lines of CSV files as tables, with numbers rounded as on the terminal. The files have all digits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use lmrlab_results::csv_file::cells;
use lmrlab_results::failure::Failure;
use lmrlab_results::number_text::{chance, percent, signed, unsigned};
use lmrlab_results::row::{self as results, Row};
use lmrlab_results::text_file::read_utf8;
use maud::{Markup, html};

use crate::table::{Column, Table, WIDE, printable};

/// A column of a CSV file, as a page shows it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'n> {
    /// Its name in the file.
    pub name: &'n str,
    /// Its heading on the page.
    pub heading: &'n str,
    /// Its meaning, shown when the mouse is over the heading; may be empty.
    pub meaning: &'n str,
    /// The unit of its numbers: it decides how they are rounded. Without a unit they are shown as in the file.
    unit: Option<&'n str>,
    /// What an empty cell shows.
    when_empty: &'n str,
}

impl<'n> Shown<'n> {
    /// A column with its heading and meaning, its cells as they stand in the file.
    pub const fn new(name: &'n str, heading: &'n str, meaning: &'n str) -> Self {
        Self {
            name,
            heading,
            meaning,
            unit: None,
            when_empty: "",
        }
    }

    /// The column with this text in its empty cells: a row is not nameless.
    pub const fn when_empty(self, when_empty: &'n str) -> Self {
        Self { when_empty, ..self }
    }

    /// A cell of a column with fractions, for people. What is undefined is a dash where the terminal has one.
    fn rounded(&self, cell: &str) -> String {
        let Some(unit) = self.unit else {
            return cell.to_owned();
        };
        let Ok(number) = cell.parse::<f64>() else {
            let is_unknown = cell.is_empty() && (matches!(unit, "Elo" | "nElo") || self.name == "los");
            return if is_unknown { "-" } else { cell }.to_owned();
        };
        match unit {
            "share" if self.name == "los" => chance(Some(number)),
            "share" => percent(Some(number)),
            "Elo" | "nElo" if self.name.contains("error") || self.name == "tau" => unsigned(Some(number), 1),
            "Elo" | "nElo" => signed(Some(number), 1),
            "plies" => unsigned(Some(number), 2),
            "points" | "positions" | "nodes" | "ms" => unsigned(Some(number), 1),
            _ => unsigned(Some(number), 3),
        }
    }
}

impl From<results::Column> for Shown<'static> {
    fn from(column: results::Column) -> Self {
        // The names of rows are part of the program.
        let text = |text: Cow<'static, str>| match text {
            Cow::Borrowed(text) => text,
            Cow::Owned(_) => "",
        };
        Self {
            unit: Some(column.unit),
            when_empty: if column.name == "rule" { "(no rule)" } else { "" },
            ..Self::new(text(column.name), text(column.heading), column.meaning)
        }
    }
}

/// The columns of a row as a page shows them: first those in `first`, which are separated by spaces, in this order, then
/// the others in the order of the file.
pub fn shown<R: Row>(first: &str) -> Vec<Shown<'static>> {
    let place = |name: &str| first.split(' ').position(|first| first == name).unwrap_or(usize::MAX);
    let mut columns = R::columns();
    columns.sort_by_key(|column| place(&column.name));
    columns.into_iter().map(Shown::from).collect()
}

/// A CSV file in memory: names of columns, and cells as they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The lines after them.
    pub rows: Vec<Vec<String>>,
}

impl Rows {
    /// Rows as the file of them would have them.
    pub fn of<R: Row>(rows: &[R]) -> Self {
        Self {
            columns: R::names(),
            rows: rows.iter().map(cells).collect(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, lmrlab cannot have written it, or it is cut short.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let place = path.display();
        let wrong = |what: String| Failure::input(what, "a page needs a CSV file as lmrlab writes it");
        let text = read_utf8(path, MAX_BYTES).map_err(|error| wrong(format!("cannot read `{place}`: {error}")))?;
        if text.trim().is_empty() {
            return Err(Failure::input(
                format!("`{place}` is empty"),
                "the first line of a CSV file of lmrlab names its columns",
            ));
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut rows = Self::default();
        let cut_short = |line: u64, what: String| {
            Failure::input(
                format!("`{place}` is cut short: line {line} {what}"),
                "copy the file again, or let its command write it again",
            )
        };
        for record in reader.records() {
            let record = record.map_err(|error| wrong(format!("`{place}` is no CSV file: {error}")))?;
            let line = record.position().map_or(1, csv::Position::line);
            let cells: Vec<String> = record.iter().map(str::to_owned).collect();
            if rows.columns.is_empty() {
                // Columns of lmrlab have names such as `elo_error_95`. The axis of a sweep may have any name.
                let is_plain = |cell: &String| {
                    cell.starts_with(|c: char| c.is_ascii_lowercase())
                        && cell
                            .chars()
                            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                };
                if cells.len() == 1 || !cells.iter().any(is_plain) {
                    return Err(Failure::input(
                        format!("`{place}` is no CSV file of lmrlab"),
                        "name the folder of a run, or a CSV file as lmrlab writes it",
                    ));
                }
                rows.columns = cells;
            } else if cells.len() == rows.columns.len() {
                rows.rows.push(cells);
            } else {
                let what = format!("has {} of {} cells", cells.len(), rows.columns.len());
                return Err(cut_short(line, what));
            }
        }
        if !text.ends_with('\n') {
            return Err(cut_short(text.lines().count() as u64, "does not end".to_owned()));
        }
        Ok(rows)
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// A cell; empty when there is no such column.
    pub fn cell<'r>(&self, row: &'r [String], name: &str) -> &'r str {
        self.column(name)
            .and_then(|column| row.get(column))
            .map_or("", String::as_str)
    }

    /// A cell as a number; `None` when it is empty or no number.
    pub fn number(&self, row: &[String], name: &str) -> Option<f64> {
        self.cell(row, name)
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }

    /// The rows as a table of these columns. Columns that the file does not have are left out. A wide table also leaves
    /// out columns that are empty, and those with 0 or the same word in every row: a line below the table names these.
    pub fn table(&self, shown: &[Shown<'_>]) -> Markup {
        let there: Vec<(usize, &Shown<'_>)> = shown
            .iter()
            .filter_map(|shown| Some((self.column(shown.name)?, shown)))
            .collect();
        let is_wide = there.len() > WIDE && !self.rows.is_empty();
        let (alike, there): (Vec<_>, Vec<_>) =
            (there.into_iter()).partition(|(column, shown)| is_wide && self.is_alike(*column, shown));
        let is_number = |column: usize| {
            self.cells(column)
                .all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok())
        };
        let mut table = Table::new(there.iter().map(|(column, shown)| {
            let column = match is_number(*column) {
                true => Column::numbers(shown.heading),
                false => Column::words(shown.heading),
            };
            column.meaning(shown.meaning)
        }));
        let has_fractions: Vec<bool> = there
            .iter()
            .map(|(column, shown)| shown.unit == Some("share") || self.cells(*column).any(|cell| cell.contains('.')))
            .collect();
        for row in &self.rows {
            table.push(
                there
                    .iter()
                    .zip(&has_fractions)
                    .map(|((column, shown), has_fractions)| {
                        let cell = row.get(*column).map_or("", String::as_str);
                        match has_fractions {
                            true => shown.rounded(cell),
                            false if cell.is_empty() => shown.when_empty.to_owned(),
                            false => cell.to_owned(),
                        }
                    }),
            );
        }
        let mut same: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (column, shown) in alike {
            let value = self.cells(column).next().unwrap_or_default();
            same.entry(value).or_default().push(shown.heading);
        }
        same.remove("");
        let same = same
            .iter()
            .map(|(value, headings)| printable(&format!("{value} in every row: {}.", headings.join("; "))));
        html! {
            (table.markup())
            @for sentence in same { p.note { (sentence) } }
        }
    }

    /// Whether all cells of a column are empty, the count 0, or the same word. With a single row, a word is always
    /// shown.
    fn is_alike(&self, column: usize, shown: &Shown<'_>) -> bool {
        let first = self.cells(column).next().unwrap_or_default();
        let says_little = match first.parse::<f64>() {
            Ok(_) => first == "0" && shown.unit.is_some_and(|unit| unit != "share"),
            Err(_) => first.is_empty() || self.rows.len() > 1,
        };
        says_little && self.cells(column).all(|cell| cell == first)
    }

    /// The cells of a column.
    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows
            .iter()
            .filter_map(move |row| row.get(column).map(String::as_str))
    }
}

/// The longest CSV file that is read whole, in bytes.
const MAX_BYTES: u64 = 1 << 28;

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_results::lab_rows::{ProfileTotal, ProfiledRule};
    use lmrlab_results::tournament_rows::StandingRow;

    fn rows(text: &str) -> Rows {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        Rows {
            columns: lines.next().unwrap_or_default(),
            rows: lines.collect(),
        }
    }

    fn cells(markup: &Markup) -> Vec<&str> {
        let cells = markup.0.split("<td").skip(1);
        cells.map(|cell| cell.split(['>', '<']).nth(1).unwrap()).collect()
    }

    #[test]
    fn numbers_are_rounded_as_on_the_terminal() {
        let standings = rows(
            "engine,games,score,elo,elo_error_95,los,points,mean_depth\nhouse,120,0.892630,367.9217,64.5347,1.000000,107.0,5.63\n\
             none,120,0.107370,-367.9217,,0.000000,13.0,5.40",
        );
        let table = standings.table(&shown::<StandingRow>(""));
        assert_eq!(
            cells(&table),
            [
                "house",
                "120",
                "107.0",
                "89.3%",
                "+367.9",
                "64.5",
                "&gt;99.9%",
                "5.63",
                "none",
                "120",
                "13.0",
                "10.7%",
                "-367.9",
                "-",
                "&lt;0.1%",
                "5.40"
            ]
        );
        let profile = rows(
            "policy,moves,mean_reduction,failed_high_rate\nhouse,9097,1.9206183170618316,0.04486285448628545\nnone,0,,",
        );
        let table = profile.table(&shown::<ProfileTotal>(""));
        assert_eq!(cells(&table), ["house", "9097", "1.92", "4.5%", "none", "0", "", ""]);
    }

    #[test]
    fn moves_without_a_rule_have_a_name() {
        let table = rows("policy,rule,moves\nhouse,checks,3\nhouse,,4").table(&shown::<ProfiledRule>(""));
        assert_eq!(cells(&table), ["house", "checks", "3", "house", "(no rule)", "4"]);
    }

    #[test]
    fn a_wide_table_says_once_what_every_row_says() {
        let names = "policy moves reduced extended plies failed_high researched confirmed reduced_nodes research_nodes saved_nodes nodes";
        let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
        let row = |moves: &str| {
            let mut row = vec!["3".to_owned(); names.len()];
            (row[0], row[1], row[3], row[11]) = ("house".to_owned(), moves.to_owned(), "0".to_owned(), String::new());
            row
        };
        let wide = Rows {
            rows: vec![row("1"), row("2")],
            columns: names.clone(),
        };
        let table = wide.table(&shown::<ProfileTotal>(""));
        assert_eq!(cells(&table).len(), 2 * 9);
        assert!(
            table.0.contains("0 in every row: Extended.") && table.0.contains("house in every row: Policy."),
            "{}",
            table.0
        );
        assert!(!table.0.contains(">Nodes<"), "an empty column: {}", table.0);
    }
}
