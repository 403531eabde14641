//! Reads the parts of a run, and checks that they belong together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::parts::PartFolder;
use crate::run::Run;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_diagnostics::failure::{Failure, complaint};
use lmrlab_results::manifest::{Manifest, Merged, RunKind};
use lmrlab_results::part_of_run::{block, in_words, ranges};

/// A part that was found.
#[derive(Debug)]
pub struct Found {
    /// Its folder.
    pub folder: PartFolder,
    /// Whether it was played to its end.
    pub is_complete: bool,
    /// The number of its recorded pairs. They are the first ones.
    pub recorded: u64,
}

/// The parts of a run that can be merged.
#[derive(Debug)]
pub struct Survey {
    /// The part that began first.
    pub first: PartFolder,
    /// In the order of their numbers.
    pub parts: Vec<Found>,
    /// Which parts there are, and which are missing.
    pub merged: Merged,
}

impl Survey {
    /// Reads parts of a run and checks that they belong together. With `partial` some may be missing or unfinished.
    ///
    /// # Errors
    /// Why they cannot be merged.
    pub fn of(paths: &[PathBuf], partial: bool) -> Result<Self, Failure> {
        let mut parts = paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(|part| part.part.number);
        let Some(first) = parts.first() else {
            return Err(Failure::input("no part is named", "as in `lmrlab merge parts/*`"));
        };
        parts.iter().try_for_each(|part| belongs_to(part, first))?;
        let earliest = parts.iter().min_by_key(|part| part.manifest.started);
        let earliest = earliest.unwrap_or(first).clone();
        let of = first.part.of.unwrap_or(1);
        let pairs = Run::with_manifest(first.path(), first.manifest.clone()).scheduled_pairs()?;

        let mut wrong: Vec<Diagnostics> = double(&parts).collect();
        let there: BTreeSet<u64> = parts.iter().map(|part| part.part.number).collect();
        let mut merged = Merged {
            parts: of,
            missing: (1..=of).filter(|number| !there.contains(number)).collect(),
            ..Merged::default()
        };
        if !partial {
            wrong.extend(missing_complaint(&merged, &first.manifest));
        }
        let parts = parts.into_iter().map(look_at).collect::<Result<Vec<_>, _>>()?;
        for found in parts.iter().filter(|found| !found.is_complete) {
            merged.unfinished.push(found.folder.part.number);
            if !partial {
                wrong.push(unfinished(found, pairs));
            }
        }
        if !wrong.is_empty() {
            return Err(Failure::Input(wrong));
        }
        merged.left_out = left_out(&parts, &merged, pairs);
        if parts.iter().all(|found| found.recorded == 0) {
            return Err(Failure::input(
                "none of these parts has a pair that was played",
                "`lmrlab resume FOLDER` plays one",
            ));
        }
        Ok(Self {
            first: earliest,
            parts,
            merged,
        })
    }

    /// The manifest of the whole run, for its folder.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn manifest(&self, out: &Path) -> Result<Manifest, Failure> {
        self.first.manifest.with(|manifest| {
            manifest.part = None;
            manifest.merged = Some(self.merged.clone());
            manifest.move_to(self.first.path(), out);
        })
    }
}

fn open(path: &Path) -> Result<PartFolder, Failure> {
    let part = PartFolder::open(path)?;
    if part.part.of.is_some() {
        return Ok(part);
    }
    Err(Failure::input(
        format!("`{}` holds a part of a run on many machines", path.display()),
        "`lmrlab resume FOLDER`, with the folder of the whole run, plays and merges its parts",
    ))
}

/// Checks that a part is of the same run as the first one, and that the run was cut into the same number of parts.
fn belongs_to(part: &PartFolder, first: &PartFolder) -> Result<(), Failure> {
    let mut differences = part.manifest.differences(&first.manifest);
    if let (Some(one), Some(other)) = (part.part.of, first.part.of)
        && one != other
    {
        differences.insert(0, format!("number of parts: {one} against {other}"));
    }
    if differences.is_empty() {
        return Ok(());
    }
    Err(Failure::input(
        format!(
            "{} is of another run than {}: {}",
            part.with_path(),
            first.with_path(),
            differences.join("; ")
        ),
        "merge only parts that were made from the same file, with the same options and the same lmrlab",
    ))
}

/// The errors about parts that are there more than once. The parts are in the order of their numbers.
fn double(parts: &[PartFolder]) -> impl Iterator<Item = Diagnostics> {
    let twice = parts.windows(2).filter(|two| two[0].part.number == two[1].part.number);
    twice.map(|two| {
        let message = format!("{} is also in `{}`", two[0].with_path(), two[1].path().display());
        complaint(message, "name one of the folders")
    })
}

fn missing_complaint(merged: &Merged, manifest: &Manifest) -> Option<Diagnostics> {
    let first = merged.missing.first()?;
    let (is, parts) = match merged.missing.len() {
        1 => ("is", "part"),
        _ => ("are", "parts"),
    };
    Some(complaint(
        format!("{parts} {} of {} {is} missing", in_words(&merged.missing), merged.parts),
        format!(
            "name the folder of part {first}, or play the part (another one began with `{}`){}",
            manifest.command,
            or_partial(manifest)
        ),
    ))
}

/// The end of an advice: only tournaments are merged without some of their parts.
fn or_partial(manifest: &Manifest) -> &'static str {
    match manifest.kind {
        RunKind::Tournament => ", or ask for a partial merge",
        RunKind::Tuning => "",
    }
}

fn unfinished(found: &Found, pairs: u64) -> Diagnostics {
    let part = &found.folder;
    let block = part.part.block(pairs).unwrap_or(0..0);
    complaint(
        format!(
            "{} is not finished: {} of {} pairs are played",
            part.with_path(),
            found.recorded,
            block.end - block.start
        ),
        format!(
            "play the rest with `lmrlab resume {}`{}",
            part.path().display(),
            or_partial(&part.manifest)
        ),
    )
}

/// Checks how far a part is.
fn look_at(part: PartFolder) -> Result<Found, Failure> {
    let (completion, recorded) = part.progress().map_err(|why| part.refused(&why))?;
    Ok(Found {
        is_complete: completion.is_some(),
        recorded,
        folder: part,
    })
}

/// The missing pairs: the first and the last of each range, from 1.
fn left_out(parts: &[Found], merged: &Merged, pairs: u64) -> Vec<[u64; 2]> {
    let missing = merged.missing.iter().map(|number| block(*number, merged.parts, pairs));
    let rests = parts.iter().filter_map(|found| {
        let block = found.folder.part.block(pairs)?;
        Some(block.start + found.recorded..block.end)
    });
    let mut missing: Vec<u64> = missing.chain(rests).flatten().map(|pair| pair + 1).collect();
    missing.sort_unstable();
    ranges(missing.into_iter())
}
