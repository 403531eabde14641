//! `--part K/N` of `run`, `match` and `trial`: makes a part of the run and plays it.

use std::path::{Path, PathBuf};

use super::playing::Playing;
use crate::commands::part;
use crate::frame::{Frame, Options};
use crate::invocation::invocation;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::parts::{PartChoice, Whole};
use lmrlab_runner::record::recorded_files;
use lmrlab_runner::trust;

/// The folder of the results: the one that the user names, or the usual one of the whole run or of its part.
pub(crate) fn results(part: Option<PartChoice>, whole: &Path, options: &Options) -> PathBuf {
    let usual = || part.map_or_else(|| whole.to_owned(), |part| part.folder(whole));
    options.out.clone().unwrap_or_else(usual)
}

/// Makes the part of a tournament if it does not exist, and plays its remaining pairs.
pub(crate) fn play(mut playing: Playing, choice: PartChoice, frame: &Frame) -> Result<(), Failure> {
    if playing.tournament.pairings.race.is_some() {
        return Err(Failure::input(
            "a race cannot be cut into parts: who plays whom depends on the results so far",
            "`--executor` plays a race on many machines",
        ));
    }
    playing.warn();
    playing.note(frame);
    let (tournament, out) = (&playing.tournament, &playing.out);
    let schedule = tournament.schedule();
    let whole = Whole {
        manifest: recorded_files::manifest(tournament, &invocation(), out)?,
        arena: tournament.arena(),
        pairs: schedule.pairs(),
        pair: &|number| schedule.pair(number),
    };
    play_of(&whole, out, choice, frame)
}

/// Makes the part in `out` if it does not exist, and plays its remaining pairs.
pub(crate) fn play_of(whole: &Whole<'_>, out: &Path, choice: PartChoice, frame: &Frame) -> Result<(), Failure> {
    let part = whole.part(choice, out, invocation().bench, frame.options.force)?;
    trust::record(whole.arena.engines, None);
    part::play(&part, Some(whole.arena.threads.count), frame)
}
