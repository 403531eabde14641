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
    /// What the columns count, for the line above them.
    pub title: &'static str,
    /// What the rows count.
    pub corner: &'static str,
    /// The columns' heads, such as `7` or `8-13`.
    pub heads: Vec<String>,
    /// The rows' heads and cells, a cell for each column.
    pub rows: Vec<(String, Vec<PictureCell>)>,
}

/// One cell of a [`Picture`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureCell {
    /// What it says.
    pub text: String,
    /// How it is coloured.
    pub tone: Tone,
}

impl Picture {
    pub(super) fn of<T: PartialEq>(rows: &[Vec<T>], draw: impl Fn(&T) -> PictureCell) -> Self {
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
        let line = |run: &(usize, usize)| {
            let cells = columns
                .iter()
                .filter_map(|(column, _)| rows.get(run.0)?.get(*column).map(&draw));
            (label(*run, 1), cells.collect())
        };
        Self {
            title: "moves searched before",
            corner: "depth",
            heads: columns.iter().map(|run| label(*run, 0)).collect(),
            rows: lines.iter().map(line).collect(),
        }
    }

    /// The table as text. `paint` colours a cell's text, which already has its full width.
    pub fn render(&self, paint: impl Fn(&str, Tone) -> String) -> String {
        let sides = self.rows.iter().map(|(side, _)| side.len());
        let side = sides.max().unwrap_or(0).max(self.corner.len());
        let mut text = format!("{:side$}  {}\n{:>side$}", "", self.title, self.corner);
        let widths: Vec<usize> = (self.heads.iter().enumerate())
            .map(|(column, head)| {
                let cells = self.rows.iter().filter_map(|(_, cells)| cells.get(column));
                cells.map(|cell| cell.text.len()).fold(head.len().max(2), usize::max)
            })
            .collect();
        for (head, width) in self.heads.iter().zip(&widths) {
            text += &format!("  {head:>width$}");
        }
        text.push('\n');
        for (name, cells) in &self.rows {
            text += &format!("{name:>side$}");
            for (cell, width) in cells.iter().zip(&widths) {
                text += "  ";
                text += &paint(&format!("{:>width$}", cell.text), cell.tone);
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

/// Runs of equal neighbours, as first and last index.
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
