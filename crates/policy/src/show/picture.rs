//! A printed table, with equal neighbouring rows and columns merged.

use std::fmt;

/// The sign and the strength of a cell, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// No reduction, or no difference.
    Plain,
    /// An extension, or a smaller reduction than before. From 1 (faint) to 6.
    Below(u8),
    /// A reduction, or a larger one than before. From 1 (faint) to 6.
    Above(u8),
}

impl Tone {
    pub(super) fn of(plies: i32) -> Self {
        let strength = plies.unsigned_abs().min(6) as u8;
        match plies {
            0 => Self::Plain,
            plies if plies < 0 => Self::Below(strength),
            _ => Self::Above(strength),
        }
    }
}

/// A printed table, with equal neighbouring rows and columns merged. The caller chooses the colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The headings of the columns, such as `7` or `8-13`.
    headings: Vec<String>,
    /// The label of each row, and its cells.
    rows: Vec<(String, Vec<(String, Tone)>)>,
}

impl Picture {
    /// `text` writes a cell; 0 is a dot.
    pub(super) fn of(rows: &[Vec<f64>], text: impl Fn(f64) -> String) -> Self {
        let column = |index: usize| rows.iter().map(move |row| row.get(index));
        let width = rows.first().map_or(0, Vec::len);
        let columns = runs(width, |a, b| column(a).eq(column(b)));
        let lines = runs(rows.len(), |a, b| rows.get(a) == rows.get(b));
        let label = |(first, last): (usize, usize), offset: usize| {
            if first == last {
                format!("{}", first + offset)
            } else {
                format!("{}-{}", first + offset, last + offset)
            }
        };
        let cell = |value: f64| match value {
            0.0 => (".".to_owned(), Tone::Plain),
            value => (text(value), Tone::of(value as i32)),
        };
        let line = |run: &(usize, usize)| {
            let cells = columns
                .iter()
                .filter_map(|(column, _)| rows.get(run.0)?.get(*column).copied().map(cell));
            (label(*run, 1), cells.collect())
        };
        Self {
            headings: columns.iter().map(|run| label(*run, 0)).collect(),
            rows: lines.iter().map(line).collect(),
        }
    }

    /// The table as text. `paint` colours a cell's text, which already has its full width.
    pub fn render(&self, paint: impl Fn(&str, Tone) -> String) -> String {
        let corner = "depth";
        let side = self
            .rows
            .iter()
            .map(|(label, _)| label.len())
            .fold(corner.len(), usize::max);
        let mut text = format!("{:side$}  moves searched before\n{corner:>side$}", "");
        let widths: Vec<usize> = (self.headings.iter().enumerate())
            .map(|(column, heading)| {
                let cells = self.rows.iter().filter_map(|(_, cells)| cells.get(column));
                cells.map(|(cell, _)| cell.len()).fold(heading.len().max(2), usize::max)
            })
            .collect();
        for (heading, width) in self.headings.iter().zip(&widths) {
            text += &format!("  {heading:>width$}");
        }
        text.push('\n');
        for (label, cells) in &self.rows {
            text += &format!("{label:>side$}");
            for ((cell, tone), width) in cells.iter().zip(&widths) {
                text += "  ";
                text += &paint(&format!("{cell:>width$}"), *tone);
            }
            text.push('\n');
        }
        text
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(|cell, _| cell.to_owned()))
    }
}

/// Groups of equal neighbours: the first and the last index of each.
fn runs(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in 0..count {
        match runs.last_mut() {
            Some((_, last)) if alike(*last, index) => *last = index,
            _ => runs.push((index, index)),
        }
    }
    runs
}
