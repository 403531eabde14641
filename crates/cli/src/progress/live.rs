//! The line with a bar at the bottom of the terminal, and the table below it. They are redrawn again and again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two drawings of lines that have not changed: their clock advances.
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(250);
/// Steps of the bar.
const STEPS: u64 = 1_000;

/// The bar of this process. There is one terminal, so there is one of them.
static LIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// What is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Status {
    /// The part that is done, from 0 to 1, drawn as a bar; `None` when the end is not known.
    pub(crate) done: Option<f64>,
    /// The parts of the line, the most important first. What has no room is cut.
    pub(crate) parts: Vec<String>,
    /// The lines of a table below it.
    pub(crate) table: Vec<String>,
}

/// Shows a status, in place of what was shown before.
pub(crate) fn show(status: Status) {
    let mut live = lock();
    let bar = live.get_or_insert_with(|| {
        let bar = ProgressBar::new(STEPS);
        bar.enable_steady_tick(BETWEEN_DRAWINGS);
        bar
    });
    let bar_of_it = if status.done.is_some() { "  {bar:20}" } else { "" };
    let table = if status.table.is_empty() { "" } else { "\n{prefix}" };
    let template = format!("{{elapsed_precise}}{bar_of_it}  {{wide_msg}}{table}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("█░"));
    }
    let done = status.done.unwrap_or(0.0).clamp(0.0, 1.0);
    bar.set_prefix(status.table.join("\n"));
    bar.set_message(status.parts.join(", "));
    bar.set_position((done * STEPS as f64) as u64);
}

/// Writes lines above the live ones. They stay.
pub(crate) fn above(text: &str) {
    let write = || {
        let mut error = anstream::stderr();
        let _ = std::io::Write::write_all(&mut error, format!("{text}\n").as_bytes());
    };
    match &*lock() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Removes the live lines.
pub(crate) fn clear() {
    if let Some(bar) = lock().take() {
        bar.finish_and_clear();
    }
}

fn lock() -> MutexGuard<'static, Option<ProgressBar>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}
