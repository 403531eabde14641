//! Progress of a run: a bar or lines on standard error, or JSON lines for scripts.

mod figures;
mod json_lines;
pub(crate) mod live;
mod paced;
mod pairs;
mod searches;
mod tuning;

use lmrlab_runner::conduct::event::{RunObserver, Silent};
use lmrlab_runner::record::progress::TournamentProgress;

pub(crate) use self::figures::duration;
use self::json_lines::JsonLines;
pub(crate) use self::pairs::PairsDisplay;
pub(crate) use self::searches::SearchBar;

/// The display of a run: nothing if `quiet`, JSON on standard output if `json_lines`, a bar if standard error is a
/// terminal, and otherwise lines.
pub(crate) fn observer(quiet: bool, json_lines: bool) -> Box<dyn RunObserver<TournamentProgress>> {
    if json_lines {
        Box::new(JsonLines::default())
    } else if quiet {
        Box::new(Silent)
    } else {
        Box::new(PairsDisplay::new(false))
    }
}
