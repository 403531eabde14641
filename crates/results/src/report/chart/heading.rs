//! The title, the note and the legend above a chart.

use super::style::{LETTERS, TITLE, WIDTH};
use super::svg::{Dash, Elements, Ink, Words, shortened, text_width};

/// Writes title, legend and note; returns the height that they take.
pub(super) fn heading(out: &mut Elements, title: &str, legend: &[(usize, String)], note: &str) -> f64 {
    let mut y = 8.0;
    // Bold letters are wider.
    for line in wrapped(title, TITLE, (WIDTH - 20.0) / 1.12) {
        y += TITLE * 1.25;
        let words = Words {
            bold: true,
            ..Words::new(&line, TITLE)
        };
        out.words((10.0, y - 4.0), words);
    }
    for line in wrapped(note, LETTERS, WIDTH - 20.0) {
        y += LETTERS * 1.35;
        out.words((10.0, y - 3.0), Words::note(&line, LETTERS));
    }
    if !legend.is_empty() {
        y += LETTERS * 1.55;
        let mut x = 10.0;
        for (series, name) in legend {
            let name = shortened(name, LETTERS, 380.0);
            let width = 40.0 + text_width(&name, LETTERS) + 16.0;
            if x > 10.0 && x + width > WIDTH {
                x = 10.0;
                y += LETTERS * 1.55;
            }
            let middle = y - 0.35 * LETTERS - 3.0;
            let (ink, dash) = (Ink::Series(*series), Dash::of_series(*series));
            out.line((x, middle), (x + 30.0, middle), ink, 2.0, dash);
            out.mark((x + 15.0, middle), *series, 4.0, None);
            out.words((x + 37.0, y - 3.0), Words::new(&name, LETTERS));
            x += width;
        }
    }
    y + 10.0
}

/// A text in lines of at most this width. A longer word is shortened.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, size, width);
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(&word, size) + size < width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
