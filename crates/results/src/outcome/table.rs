//! Tables: rows with their columns.

use std::borrow::Cow;

use super::notation::{line_in_san, moves_in_san};
use crate::row::{Column, Row};
use crate::seen::Seen;
use crate::value::{Field, Value};

/// Rows, and what a person sees of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The name of its file, without `.csv`.
    pub name: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows: a value for each column.
    pub rows: Vec<Vec<Value>>,
    /// The most rows in the text of a command. The file has all.
    pub most: Option<usize>,
}

/// A value, with its 95% interval where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known {
    /// The value.
    pub value: f64,
    /// The low and the high end of its interval.
    pub interval: Option<(f64, f64)>,
}

impl Known {
    /// A value without an interval.
    pub const fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }

    /// The value of a row in a column, with its interval; `None` when it is unknown.
    pub fn of<R: Row>(row: &R, column: &str) -> Option<Self> {
        let table = Table::of("", std::slice::from_ref(row));
        table.known(table.rows.first()?, column)
    }

    /// A value with half the width of its interval.
    pub fn with_error(value: f64, error: Option<f64>) -> Self {
        let interval = error.map(|error| (value - error, value + error));
        Self { value, interval }
    }

    /// Its interval, if it has a width.
    pub fn spread(self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| low < high)
    }

    /// The value, and the ends of its interval.
    pub fn extent(self) -> [f64; 3] {
        let (low, high) = self.interval.unwrap_or((self.value, self.value));
        [self.value, low, high]
    }
}

/// Where the interval of a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Half its width.
    Error(usize),
    /// Its ends.
    Ends(usize, usize),
}

/// A column that a person sees.
#[derive(Debug, Clone)]
pub struct SeenColumn<'t> {
    /// The column.
    pub column: &'t Column,
    /// Its place among the columns of the file.
    pub index: usize,
    around: Option<Around>,
}

impl SeenColumn<'_> {
    fn text(&self, row: &[Value]) -> String {
        let seen = self.column.seen;
        let text = |index: usize| row.get(index).map_or_else(String::new, |value| seen.text(value));
        let number = |index: usize| row.get(index).and_then(Value::number);
        let value = text(self.index);
        match self.around {
            Some(Around::Error(error)) => match number(error) {
                Some(error) => format!("{value} ± {}", seen.half_width(error)),
                None => value,
            },
            Some(Around::Ends(low, high)) if number(low) < number(high) => {
                format!("{value} ({} to {})", text(low), text(high))
            }
            _ => value,
        }
    }

    /// Its heading.
    pub fn heading(&self) -> &str {
        &self.column.heading
    }
}

impl Table {
    /// A table of these rows. Its file is `name` with `.csv`.
    pub fn of<R: Row>(name: &str, rows: &[R]) -> Self {
        Self {
            name: name.to_owned(),
            columns: R::columns(),
            rows: rows.iter().map(Row::values).collect(),
            most: None,
        }
    }

    /// The table with columns of numbers before the column at a place, such as the parameters of a sweep. `values` has their
    /// values for each row.
    #[must_use]
    pub fn with_columns<'v>(
        mut self,
        at: usize,
        names: &[String],
        values: impl IntoIterator<Item = &'v [f64]>,
    ) -> Self {
        self.columns.splice(at..at, names.iter().map(Column::named));
        for (row, values) in self.rows.iter_mut().zip(values) {
            row.splice(at..at, values.iter().map(Field::value));
        }
        self
    }

    /// The table without the columns of these names, for a person.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        for column in &mut self.columns {
            if names.contains(&&*column.name) {
                column.seen = Seen::InFile;
            }
        }
        self
    }

    /// The table with these columns alone, for a person. Intervals stay, and so do columns of what is seldom counted.
    #[must_use]
    pub fn showing(mut self, names: &[&str]) -> Self {
        for column in &mut self.columns {
            let stays = matches!(column.seen, Seen::Interval | Seen::IfAny);
            if !stays && !names.contains(&&*column.name) {
                column.seen = Seen::InFile;
            }
        }
        self
    }

    /// The table without the columns that are empty in every row, for a person.
    #[must_use]
    pub fn without_empty(mut self) -> Self {
        for (place, column) in self.columns.iter_mut().enumerate() {
            if self.rows.iter().all(|row| row[place].is_empty()) {
                column.seen = Seen::InFile;
            }
        }
        self
    }

    /// The table with another heading of a column.
    #[must_use]
    pub fn headed(mut self, name: &str, heading: impl Into<Cow<'static, str>>) -> Self {
        if let Some(index) = self.place(name) {
            self.columns[index].heading = heading.into();
        }
        self
    }

    /// A table for a person with one row for each text in column `down`. The values of a column stand in a column for each text
    /// of `across`, with their intervals. Other columns are those of the first row with this text.
    #[must_use]
    pub fn spread(&self, down: &str, across: &[&str], value: &str) -> Self {
        let text = |row: &[Value]| {
            across
                .iter()
                .map(|name| self.text(row, name))
                .collect::<Vec<_>>()
                .join(" ")
        };
        // A place that the rows before do not have stands behind its neighbour.
        let (mut places, mut next, mut last) = (Vec::<String>::new(), 0, String::new());
        for row in &self.rows {
            let (name, text) = (self.text(row, down), text(row));
            next = if name == last { next } else { 0 };
            let known = places.iter().position(|place| *place == text);
            if known.is_none() {
                places.insert(next, text);
            }
            next = known.unwrap_or(next) + 1;
            last = name;
        }
        let error = format!("{value}_error_95");
        let mut table = self.bare();
        let at = self.place(value).unwrap_or(0);
        let kinds = [value, error.as_str()].map(|name| self.place(name).map(|place| &self.columns[place]));
        let columns = places.iter().flat_map(|place| {
            kinds.into_iter().flatten().map(move |column| Column {
                name: column.name.replacen(value, place, 1).into(),
                heading: place.clone().into(),
                ..column.clone()
            })
        });
        table.columns.splice(at..at, columns.collect::<Vec<_>>());
        for name in self.names(down) {
            let rows: Vec<&Vec<Value>> = self.rows.iter().filter(|row| self.text(row, down) == name).collect();
            let Some(mut row) = rows.first().map(|row| row.to_vec()) else {
                continue;
            };
            let cells = places.iter().flat_map(|place| {
                let of_place = rows.iter().find(|row| text(row) == *place);
                let cell =
                    |column: &Column| of_place.map_or(Value::Missing, |row| self.value(row, &column.name).clone());
                kinds.into_iter().flatten().map(cell).collect::<Vec<_>>()
            });
            row.splice(at..at, cells.collect::<Vec<_>>());
            table.rows.push(row);
        }
        table.without(across).without(&[value, &error])
    }

    /// The rows that have this text in a column.
    #[must_use]
    pub fn only(&self, name: &str, text: &str) -> Self {
        let place = self.place(name);
        let has =
            |row: &&Vec<Value>| place.is_some_and(|place| matches!(&row[place], Value::Text(value) if value == text));
        Self {
            rows: self.rows.iter().filter(has).cloned().collect(),
            ..self.bare()
        }
    }

    /// The table with this text in the empty cells of a column.
    #[must_use]
    pub fn when_empty(mut self, name: &str, text: &str) -> Self {
        if let Some(place) = self.place(name) {
            for row in self.rows.iter_mut().filter(|row| row[place].is_empty()) {
                row[place] = Value::Text(text.to_owned());
            }
        }
        self
    }

    /// The table with at most this number of rows in the text of a command.
    #[must_use]
    pub fn at_most(self, most: usize) -> Self {
        Self {
            most: Some(most),
            ..self
        }
    }

    /// The columns without rows.
    fn bare(&self) -> Self {
        Self {
            name: self.name.clone(),
            columns: self.columns.clone(),
            rows: Vec::new(),
            most: self.most,
        }
    }

    /// The place of a column. The columns that [`Self::with_columns`] adds may have any name, so the last place counts.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().rposition(|column| column.name == name)
    }

    /// A value of a row; missing when there is no such column.
    pub fn value<'t>(&self, row: &'t [Value], name: &str) -> &'t Value {
        let value = self.place(name).and_then(|place| row.get(place));
        value.unwrap_or(&Value::Missing)
    }

    /// The same as a number.
    pub fn number(&self, row: &[Value], name: &str) -> Option<f64> {
        self.value(row, name).number()
    }

    /// The same as text.
    pub fn text(&self, row: &[Value], name: &str) -> String {
        self.value(row, name).to_string()
    }

    /// The same with its interval, which other columns have.
    pub fn known(&self, row: &[Value], name: &str) -> Option<Known> {
        let value = self.number(row, name)?;
        let at = |place: usize| row.get(place).and_then(Value::number);
        let interval = match self.around(name) {
            Some(Around::Error(error)) => at(error).map(|error| (value - error, value + error)),
            Some(Around::Ends(low, high)) => at(low).zip(at(high)),
            None => None,
        };
        Some(Known { value, interval })
    }

    /// The cell of a row in a column that a person sees.
    pub fn cell(&self, column: &SeenColumn<'_>, row: &[Value]) -> String {
        let (text, fen) = (column.text(row), || self.text(row, "fen"));
        match column.column.seen {
            Seen::Moves => moves_in_san(&fen(), &text),
            Seen::Line => line_in_san(&fen(), &text),
            _ => text,
        }
    }

    /// The texts in a column, each once, in the order of the rows.
    pub fn names(&self, name: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for row in &self.rows {
            let text = self.text(row, name);
            if !names.contains(&text) {
                names.push(text);
            }
        }
        names
    }

    /// The columns that a person sees.
    pub fn seen(&self) -> Vec<SeenColumn<'_>> {
        let columns = self.columns.iter().enumerate();
        let seen = columns.filter(|(index, column)| match column.seen {
            Seen::Interval | Seen::InFile => false,
            Seen::IfAny => !self.is_of_nothing(*index),
            _ => true,
        });
        seen.map(|(index, column)| SeenColumn {
            column,
            index,
            around: (self.place(&column.name) == Some(index))
                .then(|| self.around(&column.name))
                .flatten(),
        })
        .collect()
    }

    /// Whether a column has numbers alone.
    pub fn is_of_numbers(&self, index: usize) -> bool {
        !self
            .rows
            .iter()
            .any(|row| matches!(row.get(index), Some(Value::Text(_))))
    }

    /// Whether all values of a column are undefined or the count 0.
    pub fn is_of_nothing(&self, index: usize) -> bool {
        let mut values = self.rows.iter().filter_map(|row| row.get(index));
        !self.rows.is_empty() && values.all(|value| matches!(value, Value::Missing | Value::Whole(0)))
    }

    /// Where the interval of a column stands: by the names of the columns.
    fn around(&self, name: &str) -> Option<Around> {
        let place = |end: &str| {
            let stem = name.rsplit_once('_').map_or(name, |(stem, _)| stem);
            let place = self.place(&format!("{name}_{end}_95"));
            place.or_else(|| self.place(&format!("{stem}_{end}_95")))
        };
        let ends = || {
            place("low")
                .zip(place("high"))
                .or_else(|| place("lower").zip(place("upper")))
        };
        place("error")
            .map(Around::Error)
            .or_else(|| ends().map(|(low, high)| Around::Ends(low, high)))
    }

    /// The rows as JSON: an object for each.
    pub fn json(&self) -> serde_json::Value {
        // A column that `with_columns` added may have the name of another.
        let name = |(index, column): (usize, &Column)| match self.place(&column.name) == Some(index) {
            true => column.name.to_string(),
            false => format!("parameter {}", column.name),
        };
        let names = self.columns.iter().enumerate().map(name);
        let object = |row: &Vec<Value>| names.clone().zip(row.iter().map(Value::json)).collect();
        self.rows
            .iter()
            .map(|row| serde_json::Value::Object(object(row)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::standings::StandingRow;

    #[test]
    fn a_table_shows_the_columns_that_are_named_and_what_is_seldom_counted() {
        let table = Table::of::<StandingRow>("standings", &[]).showing(&["engine", "elo"]);
        let seen = table.columns.iter().filter(|column| column.seen != Seen::InFile);
        let seen: Vec<&str> = seen.map(|column| &*column.name).collect();
        let faults = ["time_losses", "illegal_moves", "crashes", "stalls"];
        assert_eq!(seen, [&["engine", "elo", "elo_error_95"][..], &faults].concat());
    }
}
