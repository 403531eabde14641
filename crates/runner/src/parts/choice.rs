//! The part of a run that a user chooses, and the run that is cut.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{MANIFEST, ResultsFolder};
use lmrlab_results::manifest::{Manifest, PartOfRun};
use lmrlab_results::part_of_run::block;

use super::folder::PartFolder;
use crate::conduct::pair_player::Arena;
use crate::tournament::schedule::Pair;

/// Which part of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartChoice {
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

impl PartChoice {
    /// The folder of the part, when `out` is the folder of the whole run.
    pub fn folder(self, out: &Path) -> PathBuf {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push("-parts");
        out.with_file_name(name).join(format!("{}-of-{}", self.number, self.of))
    }
}

/// A run that can be cut into parts: its pairs do not depend on results.
pub struct Whole<'w> {
    /// Its manifest, for the folder of the part.
    pub manifest: Manifest,
    /// Engines and conditions.
    pub arena: Arena<'w>,
    /// How many pairs it has.
    pub pairs: u64,
    /// Its pairs by their numbers, from 0.
    pub pair: &'w dyn Fn(u64) -> Option<Pair>,
}

impl Whole<'_> {
    /// The part in `out`: the one that an earlier command made there, or a new one. The search has the fingerprint `bench`.
    /// With `force`, a new part replaces what is there.
    ///
    /// # Errors
    /// When the run has too few pairs, its tables do not fit into memory, or the folder holds something else.
    pub fn part(&self, choice: PartChoice, out: &Path, bench: u64, force: bool) -> Result<PartFolder, Failure> {
        let PartChoice { number, of } = choice;
        let pairs = self.pairs;
        if of > pairs {
            return Err(Failure::input(
                format!("`--part` asks for {of} parts, and the run has {pairs} pairs"),
                format!("a part has at least one pair: ask for {pairs} parts at most"),
            ));
        }
        self.arena.tables().check()?;
        let wanted = PartOfRun {
            number,
            of: Some(of),
            bench,
            tasks_sha256: String::new(),
        };
        if !force && out.join(MANIFEST.name()).exists() {
            let part = PartFolder::open(out)?;
            check_same(&part, &wanted.name(), &self.manifest.for_part(out, wanted, out)?)?;
            return Ok(part);
        }
        let folder = ResultsFolder::check(out, force)?;
        let tasks = block(number, of, pairs).filter_map(self.pair);
        PartFolder::create(folder, (out, &self.manifest), wanted, &self.arena, tasks)
    }
}

/// Checks that the part in a folder is the one with this name and this manifest.
fn check_same(part: &PartFolder, name: &str, wanted: &Manifest) -> Result<(), Failure> {
    let differences = part.manifest.differences(wanted).join("; ");
    let what = if part.name() != name {
        format!("{}, and {name} is asked for", part.name())
    } else if differences.is_empty() {
        return Ok(());
    } else {
        format!("{name} of another run; the folder against the command line: {differences}")
    };
    Err(Failure::input(
        format!("`{}` holds {what}", part.path().display()),
        "name another folder with `--out`, or replace it with `--force`",
    ))
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
