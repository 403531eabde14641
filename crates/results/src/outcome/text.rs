//! An outcome as text for a terminal.

use std::fmt::Write as _;

use super::picture::{Lines, Map, Picture};
use super::table::Table;
use super::{Outcome, Part};
use crate::seen::Seen;
use crate::text_table::{TextColumn, TextTable};
use crate::visible::visible;

/// The most points of a curve that is written as text.
const MOST_PLACES: usize = 20;

/// The text of an outcome.
pub fn text(outcome: &Outcome) -> String {
    let mut blocks = vec![outcome.conditions.clone()];
    blocks.push(outcome.verdict.join("\n"));
    for section in outcome.sections.iter().filter(|section| !section.is_for_page) {
        let mut block = String::new();
        let mut above: Option<&Part> = None;
        for part in &section.parts {
            match part {
                // A sentence about a table stands apart from it.
                Part::Sentence(sentence) if matches!(above, Some(Part::Table(_))) => {
                    block.push_str(&format!("\n{sentence}\n"));
                }
                Part::Sentence(sentence) => block.push_str(&format!("{sentence}\n")),
                Part::Lines(lines) => {
                    let lines = lines
                        .lines()
                        .map(|line| format!("{}\n", format!("    {}", visible(line)).trim_end()));
                    block.extend(lines);
                }
                Part::Table(table) => block.push_str(&rows(table)),
                Part::Picture(picture) => match &**picture {
                    Picture::Map(map) => block.push_str(&cells(map)),
                    Picture::Lines(lines) if lines.in_text => block.push_str(&curves(lines)),
                    Picture::Lines(_) | Picture::Intervals(_) | Picture::Bars(_) | Picture::Board(_) => {}
                },
                Part::Reference(_) | Part::Facts(_) | Part::Texts(_) | Part::Games(_) => {}
            }
            if matches!(part, Part::Sentence(_) | Part::Lines(_) | Part::Table(_)) {
                above = Some(part);
            }
        }
        if !block.is_empty() {
            blocks.push(format!("{}\n{block}", section.heading));
        }
    }
    let notes = outcome
        .notes
        .iter()
        .map(|note| note.trim_end())
        .filter(|note| !note.is_empty());
    blocks.push(notes.collect::<Vec<_>>().join("\n"));
    let blocks = blocks
        .iter()
        .map(|block| block.trim_end())
        .filter(|block| !block.is_empty());
    let text = blocks.collect::<Vec<_>>().join("\n\n");
    if text.is_empty() { text } else { text + "\n" }
}

/// A table as text.
pub fn rows(table: &Table) -> String {
    let seen = table.seen();
    let columns = seen.iter().map(|column| match table.is_of_numbers(column.index) {
        true => TextColumn::numbers(column.heading()),
        false => TextColumn::words(column.heading()),
    });
    let mut text = TextTable::of(columns);
    let most = table.most.unwrap_or(usize::MAX);
    for row in table.rows.iter().take(most) {
        text.push(seen.iter().map(|column| table.cell(column, row)));
    }
    let mut text = text.to_string();
    if let Some(left @ 1..) = table.rows.len().checked_sub(most) {
        let lines = if left == 1 { "line" } else { "lines" };
        let _ = writeln!(text, "({left} more {lines} in {}.csv)", table.name);
    }
    text
}

/// Curves as text: a line for each, with its values below those of the axis. Curves with many points are left to the page.
fn curves(lines: &Lines) -> String {
    let mut places: Vec<f64> = lines
        .curves
        .iter()
        .flat_map(|curve| &curve.points)
        .map(|(at, _)| *at)
        .collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    if places.len() > MOST_PLACES {
        return String::new();
    }
    let headings = places.iter().map(|at| TextColumn::numbers(lines.x.seen.number(*at)));
    let mut text = TextTable::of(std::iter::once(TextColumn::words(&*lines.x.name)).chain(headings));
    for curve in &lines.curves {
        let value = |at: &f64| {
            let point = curve.points.iter().find(|(place, _)| place == at);
            point.map_or_else(String::new, |(_, known)| lines.y.text(*known))
        };
        text.push(std::iter::once(curve.name.clone()).chain(places.iter().map(value)));
    }
    format!("{}\n{text}\n", lines.title)
}

/// A map as text: its title, then its values.
fn cells(map: &Map) -> String {
    let columns = map.columns.iter().map(TextColumn::numbers);
    let mut text = TextTable::of(std::iter::once(TextColumn::words(&*map.down)).chain(columns));
    for (index, name) in map.rows.iter().enumerate() {
        let mut row = vec![Seen::AsWritten.text(&crate::value::Value::Missing); map.columns.len()];
        for cell in map.cells.iter().filter(|cell| cell.row == index) {
            if let Some(place) = row.get_mut(cell.column) {
                place.clone_from(&cell.text);
            }
        }
        text.push(std::iter::once(name.clone()).chain(row));
    }
    format!("{}; across: {}\n{text}\n", map.title, map.right)
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, reason = "the rows of this test are declared as those of files")]

    use super::*;
    use crate::fixed::Fixed;
    use crate::outcome::Section;
    use crate::outcome::picture::{Curve, Intervals, MapCell, Mark, Quantity};
    use crate::outcome::table::Known;

    crate::row::rows! {
        /// A row with a column of each kind.
        ExampleRow {
            policy: String = "Policy", "", "its name";
            moves: u64 = "Moves", "moves", "late moves";
            reduced: u64 = "Reduced moves", "moves", "for programs", InFile;
            reduced_rate: Option<f64> = "Reduced", "share", "share of the moves";
            elo: Fixed<3> = "Elo", "Elo", "gained";
            elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of its interval";
            ratio: Option<f64> = "Ratio", "", "of nodes";
            ratio_low_95: Option<f64> = "from", "", "low end of its interval";
            ratio_high_95: Option<f64> = "to", "", "high end of its interval";
        }
    }

    fn row(policy: &str, elo: Option<f64>, ratio: f64) -> ExampleRow {
        ExampleRow {
            policy: policy.to_owned(),
            moves: 1_234,
            reduced: 617,
            reduced_rate: Some(0.5),
            elo: elo.into(),
            elo_error_95: elo.map(|_| 4.25).into(),
            ratio: Some(ratio),
            ratio_low_95: (ratio - 0.1).into(),
            ratio_high_95: (ratio + 0.1).into(),
        }
    }

    fn example() -> Outcome {
        let rows = [row("none", None, 1.0), row("house", Some(-12.345), 0.25)];
        let table = Table::of("example", &rows);
        let map = Map {
            title: "Plies lost".to_owned(),
            down: "depth".to_owned(),
            right: "move number".to_owned(),
            rows: ["3", "4"].map(str::to_owned).to_vec(),
            columns: ["1", "2-4"].map(str::to_owned).to_vec(),
            cells: vec![MapCell {
                row: 1,
                column: 1,
                level: 1.0,
                text: "0.50".to_owned(),
                detail: String::new(),
                mark: Mark::None,
            }],
            note: String::new(),
        };
        let curve = Curve {
            name: "house".to_owned(),
            points: vec![(1.0, Known::exact(2.0)), (2.0, Known::with_error(3.0, Some(0.5)))],
            has_band: false,
        };
        let lines = Lines {
            title: "Nodes".to_owned(),
            x: Quantity::new("depth", Seen::AsWritten),
            y: Quantity::new("nodes", Seen::Decimals(1)),
            curves: vec![curve],
            in_text: true,
            ..Lines::default()
        };
        let intervals = Intervals::of("Elo", &table, "policy", "elo", Quantity::elo("Elo", "none"));
        Outcome {
            title: "Example".to_owned(),
            conditions: "2 positions, depth 3".to_owned(),
            verdict: vec!["house: -12.3 ± 4.3 Elo.".to_owned()],
            sections: vec![
                Section::new("Totals")
                    .table(table.clone().at_most(1))
                    .say("Read the `guide`."),
                Section::new("For reference").reference(table.clone()),
                Section::new("Pictures").draw([Picture::from(map), lines.into(), intervals.into()]),
            ],
            notes: vec!["An example.".to_owned()],
            tables: vec![table],
        }
    }

    #[test]
    fn text_of_an_outcome() {
        insta::assert_snapshot!(text(&example()));
    }

    #[test]
    fn json_of_an_outcome_has_all_columns_and_rows() {
        insta::assert_snapshot!(serde_json::to_string_pretty(&example().json()).unwrap());
    }

    #[test]
    fn a_folder_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let rows = vec![row("none", None, 1.0), row("a,\"b\"", Some(f64::INFINITY), 0.25)];
        let mut outcome = example();
        outcome.tables = vec![Table::of("example", &rows)];
        let invocation = crate::manifest::Invocation {
            version: "1.2.3".to_owned(),
            commit: None,
            bench: 42,
            command: vec!["lmrlab".to_owned(), "example".to_owned()],
            report: false,
        };
        let about = super::super::files::About::of("example", &outcome, &invocation);
        super::super::files::write(folder.path(), &outcome, &about).unwrap();
        assert_eq!(super::super::files::About::load(folder.path()).unwrap(), about);
        let read: Vec<ExampleRow> = super::super::files::read(folder.path(), "example").unwrap();
        // What is not finite is undefined in a file.
        assert_eq!((&read[0], read[1].elo), (&rows[0], Fixed(None)));
        let file = folder.path().join("example.csv");
        let whole = std::fs::read_to_string(&file).unwrap();
        for (wrong, said) in [
            (
                whole.replace("0.5", "much"),
                "has `much` in line 2, column `reduced_rate`, which is no number",
            ),
            (whole.replace("reduced_rate", "rate"), "has no column `reduced_rate`"),
            (whole.trim_end().to_owned(), "is cut short: line 3 does not end"),
            (whole[..whole.len() - 8].to_owned() + "\n", "is cut short: line 3 has"),
        ] {
            std::fs::write(&file, wrong).unwrap();
            let error = super::super::files::read::<ExampleRow>(folder.path(), "example").unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}
