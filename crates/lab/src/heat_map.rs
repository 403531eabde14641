//! A map of values over two parameters, for a terminal.

use lmrlab_runner::text_table::TextTable;

/// Values over two parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// What the values are.
    pub title: String,
    /// The parameter that changes downwards, with its values.
    pub down: (String, Vec<f64>),
    /// The parameter that changes to the right, with its values.
    pub right: (String, Vec<f64>),
    /// The values, line by line.
    pub values: Vec<f64>,
}

/// From low to high, dark blue to yellow: the colour of the cell and of its text, by their numbers in the palette of
/// 256 colours.
const COLORS: [(u8, u8); 7] = [(17, 15), (19, 15), (25, 15), (31, 15), (71, 16), (148, 16), (226, 16)];

impl HeatMap {
    /// As a table. The colour of a cell shows how high its value is. Infinite values have the colour of the nearer end.
    pub fn text(&self) -> String {
        let (down, rows) = &self.down;
        let (right, columns) = &self.right;
        let finite = || self.values.iter().copied().filter(|value| value.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let decimals = match high - low {
            _ if finite().all(|value| value.fract() == 0.0) => 0,
            span if span < 3.0 => 3,
            span if span < 300.0 => 1,
            _ => 0,
        };
        let corner = format!("{down} \\ {right}");
        let headings = std::iter::once(corner).chain(columns.iter().map(f64::to_string));
        let mut table = TextTable::new(1, headings);
        for (row, values) in rows.iter().zip(self.values.chunks(columns.len().max(1))) {
            let cells = values.iter().map(|value| format!("{value:.decimals$}"));
            table.push(std::iter::once(row.to_string()).chain(cells));
        }
        let painted = |row: usize, column: usize, cell: String| {
            let index = column.checked_sub(1).map(|column| row * columns.len() + column);
            match index.and_then(|index| self.values.get(index)) {
                Some(value) => {
                    let (background, ink) = shade(*value, low, high);
                    format!("\x1b[48;5;{background};38;5;{ink}m{cell}\x1b[0m")
                }
                None => cell,
            }
        };
        format!("{}\n{}", self.title, table.painted(painted))
    }
}

fn shade(value: f64, low: f64, high: f64) -> (u8, u8) {
    let part = if high > low {
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    } else {
        0.5
    };
    let last = COLORS.len() - 1;
    COLORS[((part * last as f64).round() as usize).min(last)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> HeatMap {
        HeatMap {
            title: "nodes".to_owned(),
            down: ("divisor".to_owned(), vec![1.8, 2.0]),
            right: ("base".to_owned(), vec![0.0, 0.5, 1.0]),
            values: vec![1.0, 0.5, 0.25, 2.0, f64::INFINITY, 1.5],
        }
    }

    #[test]
    fn values_stand_under_their_parameters_on_colours() {
        let colored = map().text();
        assert!(colored.contains("\x1b[48;5;17;38;5;15m  0.250\x1b[0m"), "{colored:?}");
        assert!(colored.contains("\x1b[48;5;226;38;5;16m"));
        let mut bare = String::new();
        let mut inside = false;
        for character in colored.chars() {
            match character {
                '\x1b' => inside = true,
                'm' if inside => inside = false,
                _ if inside => {}
                _ => bare.push(character),
            }
        }
        assert_eq!(
            bare,
            "nodes\n\
             divisor \\ base      0    0.5      1\n\
             1.8             1.000  0.500  0.250\n\
             2               2.000    inf  1.500\n"
        );
    }
}
