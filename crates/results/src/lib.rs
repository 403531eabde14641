//! What lmrlab writes, and how it is read again: the journal, the manifest, the other files of a run, and PGN.
//!
//! - [`folder`] names the files of a run. [`manifest`] says how to play it again, or resume it.
//! - [`journal`] writes games.csv, which survives a kill; [`rows::games`] has its lines.
//! - [`csv_file`] writes rows with named columns, [`appended`] and [`folder::replace`] are the two ways to write a file of a run.
//! - [`row`] says how rows are declared; [`rows`] declares those of all files, but for the lines of [`part_tasks`].
//! - [`outcome`] is what a command found; its text, files and JSON are there, its page is in [`report`]. [`seen`] says how a person sees a [`value`],
//!   and [`text_table`] writes tables of text.
//! - [`part_of_run`] and [`part_tasks`] are about parts of a run. [`differences`] compares two manifests.
//! - [`pgn`], [`epd`] and [`san`] read games, positions and moves. [`project`] finds the files of a project. [`text_file`] reads any
//!   text. [`output_file`] writes a file that a command makes. [`paths`] writes paths into files, [`shell_words`] commands, and [`visible`]
//!   foreign text.
//! - [`game_end`] names how games end.

pub mod appended;
pub mod csv_file;
pub mod differences;
pub mod epd;
#[cfg(test)]
mod files_page;
pub mod fixed;
pub mod folder;
pub mod game_end;
pub mod journal;
pub mod line_errors;
mod lock;
pub mod manifest;
pub mod number_text;
pub mod outcome;
pub mod output_file;
pub mod part_of_run;
pub mod part_tasks;
pub mod paths;
pub mod pgn;
pub mod project;
mod replacement;
pub mod report;
mod result_file;
pub mod row;
pub mod rows;
pub mod san;
pub mod seen;
pub mod sha256;
pub mod shell_words;
pub mod text_file;
pub mod text_table;
pub mod utc;
pub mod value;
pub mod visible;
pub mod written_score;

/// The version of the journal and of the manifest: a run is resumed only by a program of the same version. The other files
/// are computed from the journal, so they can change without a new version.
pub const FORMAT_VERSION: u32 = 3;
