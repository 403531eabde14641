//! `--part K/N` of `run`, `match` and `trial`: makes a part of the run and plays it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::playing::Playing;
use crate::advice::{ANOTHER_FOLDER, refuse_another};
use crate::commands::part;
use crate::frame::{Frame, Options};
use crate::invocation::invocation;
use crate::trust;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{MANIFEST, ResultsFolder};
use lmrlab_results::manifest::{Manifest, PartOfRun};
use lmrlab_results::part_of_run::block;
use lmrlab_runner::conduct::pair_player::Arena;
use lmrlab_runner::parts::PartFolder;
use lmrlab_runner::record::recorded;
use lmrlab_runner::tournament::schedule::Pair;

/// Which part of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartChoice {
    number: u64,
    of: u64,
}

impl FromStr for PartChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        let (number, of) = numbers.ok_or("a part and the number of parts are needed, as in `3/64`")?;
        if of == 0 {
            return Err("there is at least one part, as in `1/1`".to_owned());
        }
        if !(1..=of).contains(&number) {
            return Err(format!("the parts have the numbers 1 to {of}"));
        }
        Ok(Self { number, of })
    }
}

impl fmt::Display for PartChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.number, self.of)
    }
}

/// The folder of the results: the one that the user names, or the usual one of the whole run or of its part.
pub(crate) fn results(part: Option<PartChoice>, whole: &Path, options: &Options) -> PathBuf {
    let usual = || part.map_or_else(|| whole.to_owned(), |part| part.folder(whole));
    options.out.clone().unwrap_or_else(usual)
}

impl PartChoice {
    /// The folder of the part, when `out` is the folder of the whole run.
    fn folder(self, out: &Path) -> PathBuf {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push("-parts");
        out.with_file_name(name).join(format!("{}-of-{}", self.number, self.of))
    }
}

/// A run that can be cut into parts: its pairs do not depend on results.
pub(crate) struct Whole<'w> {
    /// Its manifest, for the folder of the part.
    pub(crate) manifest: Manifest,
    pub(crate) arena: Arena<'w>,
    /// How many pairs it has.
    pub(crate) pairs: u64,
    /// Its pairs by their numbers, from 0.
    pub(crate) pair: &'w dyn Fn(u64) -> Option<Pair>,
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
        manifest: recorded::manifest(tournament, &invocation(), out)?,
        arena: tournament.arena(),
        pairs: schedule.pairs(),
        pair: &|number| schedule.pair(number),
    };
    play_of(whole, out, choice, frame)
}

/// Makes the part in `out` if it does not exist, and plays its remaining pairs.
pub(crate) fn play_of(whole: Whole<'_>, out: &Path, choice: PartChoice, frame: &Frame) -> Result<(), Failure> {
    let force = frame.options.force;
    let Whole {
        manifest, arena, pairs, ..
    } = &whole;
    if choice.of > *pairs {
        return Err(Failure::input(
            format!("`--part` asks for {} parts, and the run has {pairs} pairs", choice.of),
            format!("a part has at least one pair: ask for {pairs} parts at most"),
        ));
    }
    arena.tables().check()?;
    let wanted = PartOfRun {
        number: choice.number,
        of: Some(choice.of),
        bench: invocation().bench,
        tasks_sha256: String::new(),
    };
    let part = if !force && out.join(MANIFEST.name()).exists() {
        let part = PartFolder::open(out)?;
        check_same(&part, &manifest.for_part(out, wanted, out)?, choice)?;
        part
    } else {
        let folder = ResultsFolder::check(out, force)?;
        let tasks = block(choice.number, choice.of, *pairs).filter_map(whole.pair);
        PartFolder::create(folder, (out, manifest), wanted, arena, tasks)?
    };
    trust::record(arena.engines, None);
    part::play(&part, Some(arena.threads.count), frame)
}

/// Checks that the part in a folder is the one that the user asks for.
fn check_same(part: &PartFolder, wanted: &Manifest, choice: PartChoice) -> Result<(), Failure> {
    if (part.part().number, part.part().of) != (choice.number, Some(choice.of)) {
        return Err(Failure::input(
            format!(
                "`{}` holds {}, and {choice} is asked for",
                part.path().display(),
                part.name()
            ),
            ANOTHER_FOLDER,
        ));
    }
    refuse_another(
        part.path(),
        &format!("{choice} of another run"),
        part.manifest(),
        wanted,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_their_folders() {
        let choice: PartChoice = "3/64".parse().unwrap();
        assert_eq!(choice, PartChoice { number: 3, of: 64 });
        assert_eq!(
            choice.folder(Path::new("results/quickstart")),
            Path::new("results/quickstart-parts/3-of-64")
        );
        for wrong in ["", "3", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2", "1.5/2"] {
            assert!(wrong.parse::<PartChoice>().is_err(), "{wrong}");
        }
    }
}
