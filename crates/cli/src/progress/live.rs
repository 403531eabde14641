//! The lines at the bottom of the terminal, which are redrawn again and again.
//!
//! A line is never wider than the terminal, so it never wraps. When the window gets narrower, most terminals wrap the
//! lines drawn before. The next drawing counts the rows that these take now, and clears all of them.

use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use console::{Term, measure_text_width, truncate_str};

/// Time between two drawings of lines that have not changed: their clock advances, and the window may have a new size.
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(250);

/// The lines of this process. There is one terminal, so there is one of them.
static LIVE: Mutex<Live> = Mutex::new(Live {
    content: None,
    drawn: Vec::new(),
});

struct Live {
    content: Option<Content>,
    /// The widths of the lines that are on the terminal, in columns.
    drawn: Vec<usize>,
}

/// The lines to show.
struct Content {
    begun: Instant,
    status: Status,
}

/// A line with a clock. Its parts are shown as far as there is room.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Status {
    /// The part that is done, from 0 to 1, drawn as a bar where there is room for one; `None` when the end is not
    /// known.
    pub(crate) done: Option<f64>,
    /// The parts, the most important first.
    pub(crate) parts: Vec<String>,
    /// The lines of a table below it.
    pub(crate) table: Vec<String>,
}

impl Status {
    /// The line, at most `width` columns wide.
    fn line(&self, elapsed: Duration, width: usize) -> String {
        let seconds = elapsed.as_secs();
        let mut line = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        for (index, part) in self.parts.iter().enumerate() {
            let separator = if index == 0 { "  " } else { ", " };
            let room = width.saturating_sub(measure_text_width(&line) + separator.len());
            if measure_text_width(part) <= room {
                line.push_str(separator);
                line.push_str(part);
            }
        }
        let room = width.saturating_sub(measure_text_width(&line) + 2).min(24);
        if let Some(done) = self.done
            && room >= 8
        {
            let full = ((done.clamp(0.0, 1.0) * room as f64) as usize).min(room);
            let clock = line.find(' ').unwrap_or(line.len());
            line.insert_str(clock, &format!("  {}{}", "█".repeat(full), "░".repeat(room - full)));
        }
        truncate_str(&line, width, "").into_owned()
    }
}

/// Shows a status, in place of what was shown before.
pub(crate) fn show(status: Status) {
    static TICKER: Once = Once::new();
    TICKER.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(BETWEEN_DRAWINGS);
                lock().redraw();
            }
        });
    });
    let mut live = lock();
    let begun = live.content.as_ref().map_or_else(Instant::now, |content| content.begun);
    live.content = Some(Content { begun, status });
    live.redraw();
}

/// Writes lines above the live ones. They stay.
pub(crate) fn above(text: &str) {
    let mut live = lock();
    let erased = live.erase();
    let mut error = anstream::stderr();
    let _ = std::io::Write::write_all(&mut error, format!("{erased}{text}\n").as_bytes());
    live.redraw();
}

/// Removes the live lines.
pub(crate) fn clear() {
    let mut live = lock();
    let erased = live.erase();
    live.content = None;
    let _ = Term::stderr().write_str(&erased);
}

fn lock() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// The text that clears the lines on the terminal and leaves the cursor where the first of them began.
    fn erase(&mut self) -> String {
        if self.drawn.is_empty() {
            return String::new();
        }
        let (_, width) = Term::stderr().size();
        let up = rows(&self.drawn, usize::from(width), keeps_lines_whole()) - 1;
        self.drawn.clear();
        let up = if up > 0 { format!("\x1b[{up}A") } else { String::new() };
        format!("\r{up}\x1b[J")
    }

    fn redraw(&mut self) {
        let mut text = self.erase();
        let Some(content) = &self.content else {
            return;
        };
        let (height, width) = Term::stderr().size();
        // The last column stays free: some terminals wrap after it.
        let width = usize::from(width).saturating_sub(1).max(1);
        let room = usize::from(height).saturating_sub(2);
        let mut lines = vec![content.status.line(content.begun.elapsed(), width)];
        let table = content.status.table.iter().take(room);
        lines.extend(table.map(|line| truncate_str(line, width, "").into_owned()));
        self.drawn = lines.iter().map(|line| measure_text_width(line)).collect();
        text.push_str(&lines.join("\r\n"));
        let _ = Term::stderr().write_str(&text);
    }
}

/// The rows that lines of these widths take in a window of this width, at least one. `whole`: the terminal does not
/// wrap lines.
fn rows(lines: &[usize], width: usize, whole: bool) -> usize {
    let each = |line: &usize| if whole { 1 } else { line.div_ceil(width.max(1)).max(1) };
    lines.iter().map(each).sum::<usize>().max(1)
}

/// Whether the terminal cuts lines, instead of wrapping them, when the window gets narrower.
fn keeps_lines_whole() -> bool {
    std::env::var_os("XTERM_VERSION").is_some() || std::env::var_os("TERM").is_some_and(|term| term == "linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> Status {
        Status {
            done: Some(0.5),
            parts: ["10/20 games", "5 s left", "a +12.3 ± 45.6 Elo", "2.0 games/s"]
                .map(str::to_owned)
                .to_vec(),
            table: Vec::new(),
        }
    }

    #[test]
    fn a_line_is_as_wide_as_there_is_room() {
        let at = |width: usize| status().line(Duration::from_secs(3_725), width);
        assert_eq!(at(10), "1:02:05");
        assert_eq!(at(39), "1:02:05  10/20 games, 5 s left");
        assert_eq!(
            at(79),
            "1:02:05  ███████░░░░░░░  10/20 games, 5 s left, a +12.3 ± 45.6 Elo, 2.0 games/s"
        );
        for width in 1..200 {
            assert!(measure_text_width(&at(width)) <= width, "{width}");
        }
    }

    #[test]
    fn a_narrower_window_makes_more_rows() {
        assert_eq!(rows(&[79, 10, 0], 200, false), 3);
        assert_eq!(rows(&[79, 10, 0], 40, false), 4);
        assert_eq!(rows(&[79, 10, 0], 40, true), 3);
        assert_eq!(rows(&[], 40, false), 1);
    }
}
