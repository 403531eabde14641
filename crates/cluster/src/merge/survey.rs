//! Reads the parts of a run, and checks that they belong together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Diagnostics;
use rayon::prelude::*;

use crate::part::{Completion, PartFolder};
use lmrlab_results::failure::{Failure, complaint};
use lmrlab_results::folder::RESULTS;
use lmrlab_results::journal;
use lmrlab_results::manifest::{Manifest, Merged};
use lmrlab_results::part_of_run::{block, in_words};
use lmrlab_runner::conduct::pair_lines::{PlayedLines, TaskLines};
use lmrlab_runner::openings::Openings;
use lmrlab_runner::record::recorded_pair::is_of;
use lmrlab_runner::run::Run;

/// The greatest number of errors that are shown.
const MOST_COMPLAINTS: usize = 20;

/// A part that was found.
#[derive(Debug)]
pub struct Found {
    /// Its folder.
    pub folder: PartFolder,
    /// Its completion.toml; `None` when it was not played to its end.
    pub completion: Option<Completion>,
    /// The number of its recorded pairs. They are the first ones.
    pub recorded: u64,
}

impl Found {
    /// The part and its folder, in words.
    pub fn name(&self) -> String {
        name(&self.folder)
    }

    pub(super) fn run(&self) -> Run {
        Run::with_manifest(self.folder.path(), self.folder.manifest().clone())
    }

    /// The openings of its pairs.
    pub(super) fn openings(&self) -> Result<Openings, Failure> {
        openings(&self.run(), &self.folder)
    }

    pub(super) fn damaged(&self, what: &str) -> Failure {
        damaged(&self.folder, what).into()
    }
}

/// The parts of a run that can be merged.
#[derive(Debug)]
pub struct Survey {
    /// In the order of their numbers.
    pub parts: Vec<Found>,
    /// Which parts there are, and which are missing.
    pub merged: Merged,
}

impl Survey {
    /// Reads parts of a run and checks that they belong together. With `partial` some may be missing or unfinished.
    ///
    /// # Errors
    /// Every reason why they cannot be merged.
    pub fn of(paths: &[PathBuf], partial: bool) -> Result<Self, Failure> {
        let mut complaints = Complaints::default();
        let mut parts: Vec<PartFolder> = Vec::new();
        for path in paths {
            match open(path) {
                Ok(part) => parts.push(part),
                Err(failure) => complaints.add(failure),
            }
        }
        complaints.check()?;
        parts.sort_by_key(|part| part.part().number);
        belong_together(&parts)?;
        let Some(first) = parts.first() else {
            return Err(Failure::input("no part is named", "as in `lmrlab merge parts/*`"));
        };
        let of = first.part().of.unwrap_or(1);
        let run = Run::with_manifest(first.path(), first.manifest().clone());
        let pairs = run.scheduled_pairs()?;

        complaints.list.extend(double(&parts));
        let mut merged = Merged {
            parts: of,
            missing: missing(&parts, of),
            ..Merged::default()
        };
        if !partial {
            complaints.list.extend(missing_complaint(&merged, first.manifest()));
        }
        let found: Vec<Result<Found, Failure>> = parts.into_par_iter().map(look_at).collect();
        let mut parts = Vec::new();
        for found in found {
            match found {
                Ok(found) => parts.push(found),
                Err(failure) => complaints.add(failure),
            }
        }
        for found in parts.iter().filter(|found| found.completion.is_none()) {
            merged.unfinished.push(found.folder.part().number);
            if !partial {
                complaints.list.push(unfinished(found, pairs));
            }
        }
        complaints.check()?;
        merged.left_out = left_out(&parts, &merged, pairs);
        if parts.iter().all(|found| found.recorded == 0) {
            return Err(Failure::input(
                "none of these parts has a pair that was played",
                "`lmrlab resume FOLDER` plays one",
            ));
        }
        Ok(Self { parts, merged })
    }

    /// The manifest of the whole run, for its folder.
    pub(super) fn manifest(&self, out: &Path) -> Result<Manifest, Failure> {
        let first = self.parts.iter().min_by_key(|found| found.folder.manifest().began());
        let Some(first) = first else {
            return Err(Failure::run("there are no parts".to_owned()));
        };
        let manifest = first.folder.manifest();
        manifest.for_merged(first.folder.path(), self.merged.clone(), manifest.began(), out)
    }
}

/// What is wrong, so far.
#[derive(Default)]
struct Complaints {
    list: Vec<Diagnostics>,
}

impl Complaints {
    fn add(&mut self, failure: Failure) {
        match failure {
            Failure::Input(reports) => self.list.extend(reports),
            Failure::Changed { message, help } => self.list.push(complaint(message, help)),
            other => self.list.push(complaint(other.in_a_line(), "")),
        }
    }

    fn check(&mut self) -> Result<(), Failure> {
        let mut list = std::mem::take(&mut self.list);
        if list.is_empty() {
            return Ok(());
        }
        let more = list.len().saturating_sub(MOST_COMPLAINTS);
        list.truncate(MOST_COMPLAINTS);
        if more > 0 {
            list.push(complaint(format!("{more} more parts cannot be merged"), ""));
        }
        Err(Failure::Input(list))
    }
}

fn name(part: &PartFolder) -> String {
    format!("{} in `{}`", part.name(), part.path().display())
}

fn open(path: &Path) -> Result<PartFolder, Failure> {
    let part = PartFolder::open(path)?;
    if part.part().of.is_some() {
        return Ok(part);
    }
    Err(Failure::input(
        format!("`{}` holds a part of a run on many machines", path.display()),
        "`lmrlab resume FOLDER`, with the folder of the whole run, plays and merges its parts",
    ))
}

/// Checks that parts are of one run, cut into the same number of parts.
fn belong_together(parts: &[PartFolder]) -> Result<(), Failure> {
    let differences = |one: &PartFolder, other: &PartFolder| {
        let mut differences = one.manifest().differences(other.manifest());
        if let (Some(one), Some(other)) = (one.part().of, other.part().of)
            && one != other
        {
            differences.insert(0, format!("number of parts: {one} against {other}"));
        }
        differences
    };
    // Groups of parts that belong together; usually there is one.
    let mut groups: Vec<Vec<&PartFolder>> = Vec::new();
    for part in parts {
        match groups.iter_mut().find(|group| differences(part, group[0]).is_empty()) {
            Some(group) => group.push(part),
            None => groups.push(vec![part]),
        }
    }
    // The first of the largest groups: most parts are assumed to be right.
    let Some(usual) = groups.iter().rev().max_by_key(|group| group.len()) else {
        return Ok(());
    };
    let usual = usual[0];
    let mut complaints = Complaints::default();
    for part in groups.iter().flatten().filter(|part| !std::ptr::eq(**part, usual)) {
        let found = differences(part, usual);
        if !found.is_empty() {
            complaints.list.push(complaint(
                format!(
                    "{} is of another run than {}: {}",
                    name(part),
                    name(usual),
                    found.join("; ")
                ),
                "merge only parts that were made from the same file, with the same options and the same lmrlab",
            ));
        }
    }
    complaints.check()
}

/// The errors about parts that are there more than once.
fn double(parts: &[PartFolder]) -> Vec<Diagnostics> {
    let mut folders: BTreeMap<u64, Vec<&PartFolder>> = BTreeMap::new();
    for part in parts {
        folders.entry(part.part().number).or_default().push(part);
    }
    let double = folders.values().filter(|folders| folders.len() > 1);
    double
        .map(|folders| {
            let paths: Vec<String> = folders
                .iter()
                .map(|part| format!("`{}`", part.path().display()))
                .collect();
            complaint(
                format!(
                    "{} is there {} times: {}",
                    folders[0].name(),
                    folders.len(),
                    paths.join(", ")
                ),
                "name one of the folders",
            )
        })
        .collect()
}

/// The numbers of the parts that are not there.
fn missing(parts: &[PartFolder], of: u64) -> Vec<u64> {
    let there: std::collections::BTreeSet<u64> = parts.iter().map(|part| part.part().number).collect();
    (1..=of).filter(|number| !there.contains(number)).collect()
}

fn missing_complaint(merged: &Merged, manifest: &Manifest) -> Option<Diagnostics> {
    let first = merged.missing.first()?;
    let (is, parts) = if merged.missing.len() == 1 {
        ("is", "part")
    } else {
        ("are", "parts")
    };
    Some(complaint(
        format!("{parts} {} of {} {is} missing", in_words(&merged.missing), merged.parts),
        format!(
            "name the folder of part {first}, play the part (another one began with `{}`), or ask for a partial merge",
            manifest.command()
        ),
    ))
}

fn unfinished(found: &Found, pairs: u64) -> Diagnostics {
    let part = &found.folder;
    let block = part.part().block(pairs).unwrap_or(0..0);
    complaint(
        format!(
            "{} is not finished: {} of {} pairs are played",
            found.name(),
            found.recorded,
            block.end - block.start
        ),
        format!(
            "play the rest with `lmrlab resume {}`, or ask for a partial merge",
            part.path().display()
        ),
    )
}

fn damaged(part: &PartFolder, what: &str) -> Diagnostics {
    let number = part.part().number;
    let of = part.part().of.unwrap_or(number);
    complaint(
        format!("{} {what}", name(part)),
        format!(
            "copy the folder again from the machine that played it; or remove it, and play part {number} of {of} again"
        ),
    )
}

fn openings(run: &Run, part: &PartFolder) -> Result<Openings, Failure> {
    run.openings()?
        .ok_or_else(|| damaged(part, "does not name its openings").into())
}

/// Checks the files of a part.
fn look_at(part: PartFolder) -> Result<Found, Failure> {
    let refuse = |what: &str| damaged(&part, what).into();
    let completion = part.completion().map_err(|rejected| refuse(&rejected.0))?;
    let run = Run::with_manifest(part.path(), part.manifest().clone());
    let (_, progress) = run.not_counted()?;
    let (names, schedule) = (progress.tally.names(), progress.schedule());
    let openings = openings(&run, &part)?;
    let mut tasks = 0;
    part.each_task(
        &TaskLines {
            names,
            openings: &openings,
            has_overrides: false,
        },
        &mut |pair| {
            tasks += 1;
            schedule.pair(tasks - 1) == Some(pair)
        },
    )?;
    if tasks != schedule.pairs() {
        return Err(refuse(&format!(
            "has {tasks} pairs in its file of tasks, and {} by its manifest",
            schedule.pairs()
        )));
    }
    if let Some(completion) = completion {
        check_program(&part, &completion)?;
        part.check_results(&completion)
            .map_err(|rejected| refuse(&rejected.0))?;
        if completion.pairs != tasks {
            return Err(refuse(&format!("has {} results for {tasks} pairs", completion.pairs)));
        }
        return Ok(Found {
            recorded: completion.pairs,
            completion: Some(completion),
            folder: part,
        });
    }
    let results = part.folder().file(RESULTS);
    let mut recorded = 0;
    if results.exists() {
        let format = PlayedLines {
            names: names.to_vec(),
            has_overrides: false,
        };
        let edited = journal::edited_line(&results, &format).map_err(|failure| refuse(&unreadable(&failure)))?;
        if let Some(line) = edited {
            return Err(refuse(&format!(
                "has a {} whose line {line} was edited",
                RESULTS.name()
            )));
        }
        journal::read(&results, &format, &mut |[pair]| {
            let scheduled = schedule.pair(recorded);
            recorded += 1;
            match scheduled.is_some_and(|scheduled| is_of(pair.games(), &scheduled, names, &openings)) {
                true => Ok(()),
                false => Err(Failure::input(format!("line {} is of another pair", recorded + 1), "")),
            }
        })
        .map_err(|failure| refuse(&unreadable(&failure)))?;
    }
    Ok(Found {
        recorded,
        completion: None,
        folder: part,
    })
}

fn unreadable(failure: &Failure) -> String {
    format!("has a {} that is damaged: {}", RESULTS.name(), failure.in_a_line())
}

/// Whether the program that played a part is the one that the run asks for.
fn check_program(part: &PartFolder, completion: &Completion) -> Result<(), Failure> {
    let wanted = (part.manifest().program().0, part.part().bench);
    let played = (&*completion.lmrlab, completion.bench);
    if played == wanted {
        return Ok(());
    }
    let shown = |(version, bench): (&str, u64)| format!("lmrlab {version} with the bench fingerprint {bench}");
    Err(Failure::input(
        format!(
            "{} was played on {} by {}, and the run asks for {}",
            name(part),
            completion.host,
            shown(played),
            shown(wanted)
        ),
        "remove its folder, and play it again with the same build of lmrlab as the others",
    ))
}

/// The missing pairs: the first and the last of each range, from 1.
fn left_out(parts: &[Found], merged: &Merged, pairs: u64) -> Vec<[u64; 2]> {
    let missing = merged.missing.iter().map(|number| block(*number, merged.parts, pairs));
    let rests = parts.iter().filter_map(|found| {
        let block = found.folder.part().block(pairs)?;
        Some(block.start + found.recorded..block.end)
    });
    let mut stretches: Vec<_> = missing.chain(rests).filter(|stretch| !stretch.is_empty()).collect();
    stretches.sort_by_key(|stretch| stretch.start);
    let mut left_out: Vec<[u64; 2]> = Vec::new();
    for stretch in stretches {
        match left_out.last_mut() {
            Some([_, last]) if *last == stretch.start => *last = stretch.end,
            _ => left_out.push([stretch.start + 1, stretch.end]),
        }
    }
    left_out
}
