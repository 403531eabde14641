//! Tasks and results that travel between machines, as lines of CSV files.

use super::in_order::Play;
use lmrlab_results::journal::LineFormat;

/// Plays tasks that may come from another machine. The results may go there.
pub trait Portable: Play<Task: Clone + PartialEq + Send + Sync, Result: Clone> {
    /// The lines of tasks: each task with its number.
    type TaskFormat: LineFormat<Line = (u64, Self::Task)>;
    /// The lines of results.
    type ResultFormat: LineFormat<Line = Self::Result>;

    /// Converts between tasks and lines.
    fn task_format(&self) -> Self::TaskFormat;

    /// Converts between results and lines.
    fn result_format(&self) -> Self::ResultFormat;

    /// Whether a result is one of this task.
    fn fits(&self, task: &Self::Task, result: &Self::Result) -> bool;

    /// A warning in words.
    fn warning_text(&self, warning: &Self::Warning) -> String;
}
