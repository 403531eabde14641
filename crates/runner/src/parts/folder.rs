//! The folder of a part: written when a run is cut into parts, checked when it is read.

use std::fmt::Display;
use std::path::Path;

use super::completion::Completion;
use crate::conduct::pair_player::Arena;
use crate::record::recorded_pair::{RecordedPair, is_of};
use crate::tournament::schedule::{Pair, Pairing};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::csv_file;
use lmrlab_results::folder::{COMPLETION, GAMES, MANIFEST, ResultFile, ResultsFolder, TASKS, TIMINGS, replace};
use lmrlab_results::journal::{read_pairs, read_unedited};
use lmrlab_results::manifest::{Invocation, Manifest, PartOfRun, RunKind};
use lmrlab_results::part_tasks::{TaskRow, read_tasks};
use lmrlab_results::rows::timings::TimingRow;
use lmrlab_results::sha256::{sha256, sha256_of_bytes, sha256_of_file};
use lmrlab_results::text_file;

/// The longest completion.toml that is read, in bytes.
const MAX_COMPLETION: u64 = 1 << 20;

/// Why the results of a part are rejected: the rest of a sentence that begins with the part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Rejected(pub String);

/// The folder of a part.
#[derive(Debug, Clone)]
pub struct PartFolder {
    /// The folder, for writing results.
    pub folder: ResultsFolder,
    /// The manifest of the run, with the part.
    pub manifest: Manifest,
    /// What the manifest says of the part.
    pub part: PartOfRun,
}

impl PartFolder {
    /// Writes the folder of a part that is to be played, and takes its lock. `run` is the folder of the run with its
    /// manifest. The numbers of the pairs follow each other.
    ///
    /// # Errors
    /// When a file cannot be written, or another process makes a part there.
    pub fn create(
        folder: ResultsFolder,
        (run, manifest): (&Path, &Manifest),
        part: PartOfRun,
        arena: &Arena<'_>,
        pairs: impl IntoIterator<Item = Pair>,
    ) -> Result<Self, Failure> {
        let folder = folder.create()?;
        let mut tasks = csv::Writer::from_writer(Vec::new());
        let written = pairs.into_iter().try_for_each(|pair| {
            let [first_overrides, second_overrides] = match pair.overrides {
                Some(both) => both.map(|side| Some(side.to_string())),
                None => [None, None],
            };
            tasks.serialize(TaskRow {
                pair: pair.index + 1,
                round: pair.round + 1,
                opening: pair.opening as u64 + 1,
                fen: arena.openings.fen(pair.opening).unwrap_or_default().to_owned(),
                first: arena.names[pair.pairing.first].clone(),
                second: arena.names[pair.pairing.second].clone(),
                first_overrides,
                second_overrides,
            })
        });
        let tasks = written.and_then(|()| Ok(tasks.into_inner().map_err(csv::IntoInnerError::into_error)?));
        let tasks = tasks.map_err(|error| Failure::encode("the tasks of a part", &error))?;
        let part = PartOfRun {
            tasks_sha256: sha256_of_bytes(&tasks),
            ..part
        };
        let manifest = manifest.for_part(run, part.clone(), folder.path())?;
        replace(&folder, TASKS, &tasks)?;
        // The manifest is written last: a folder with a manifest can be played.
        replace(&folder, MANIFEST, manifest.to_toml().as_bytes())?;
        Ok(Self { folder, manifest, part })
    }

    /// The same part without its lock: another process may play it.
    #[must_use]
    pub fn unlocked(self) -> Self {
        Self {
            folder: ResultsFolder::unchecked(self.folder.path()),
            ..self
        }
    }

    /// The folder of a part that was written before.
    ///
    /// # Errors
    /// When it is not the folder of a part, or its manifest is damaged.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let folder = ResultsFolder::to_read(path)?;
        let manifest = Manifest::load(path)?;
        manifest.check_unedited(path)?;
        let Some(part) = manifest.part.clone() else {
            return Err(Failure::input(
                format!("`{}` holds a whole run, and not a part of one", path.display()),
                "name the folder of a part; `lmrlab resume` resumes a whole run",
            ));
        };
        Ok(Self { folder, manifest, part })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The part in words.
    pub fn name(&self) -> String {
        self.part.name()
    }

    /// The part and its folder, in words.
    pub fn with_path(&self) -> String {
        format!("{} in `{}`", self.name(), self.path().display())
    }

    /// The version and the bench fingerprint of the program that is to play it.
    fn wanted(&self) -> (&str, u64) {
        (&self.manifest.lmrlab, self.part.bench)
    }

    /// Checks that this program plays as the program that cut the run into parts.
    ///
    /// # Errors
    /// When the search or the version is a different one.
    pub fn check_program(&self, program: &Invocation) -> Result<(), Failure> {
        let found = (&*program.version, program.bench);
        if found == self.wanted() {
            return Ok(());
        }
        Err(Failure::input(
            format!(
                "{} is for {}, and this is {}",
                self.with_path(),
                in_words(self.wanted()),
                in_words(found)
            ),
            "use the same build of lmrlab on all machines: games of different searches cannot be put together",
        ))
    }

    /// The pairs to play, by engines of these names, with the positions that they begin with.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn tasks(&self, names: &[String]) -> Result<Vec<(Pair, String)>, Rejected> {
        let path = self.folder.file(TASKS);
        let damaged = |what: &dyn Display| damaged(TASKS, what);
        let sha256 = sha256_of_file(&path).map_err(|error| damaged(&error))?;
        if sha256 != self.part.tasks_sha256 {
            return Err(damaged(&"its SHA-256 is not the one in the manifest"));
        }
        let has_overrides = self.manifest.kind == RunKind::Tuning;
        let mut tasks: Vec<(Pair, String)> = Vec::new();
        for mut task in read_tasks(&path).map_err(|error| damaged(&error))? {
            let fen = std::mem::take(&mut task.fen);
            let pair = pair_of(task, names, has_overrides);
            let pair = pair.filter(|pair| tasks.last().is_none_or(|(last, _)| last.index + 1 == pair.index));
            let pair = pair.ok_or_else(|| damaged(&"it has a pair that this run does not have there"))?;
            tasks.push((pair, fen));
        }
        match tasks.is_empty() {
            true => Err(damaged(&"it has no tasks")),
            false => Ok(tasks),
        }
    }

    /// The refusal of the part for this reason.
    pub fn refused(&self, why: &Rejected) -> Failure {
        let number = self.part.number;
        let of = self.part.of.unwrap_or(number);
        Failure::input(
            format!("{} {why}", self.with_path()),
            format!(
                "copy the folder again from the machine that played it; or remove it, and play part {number} of {of} again"
            ),
        )
    }

    /// How the part was played to its end; `None` when it was not. Rejects the results of another program or part, and
    /// those that have changed since.
    ///
    /// # Errors
    /// Why they are rejected.
    fn completion(&self) -> Result<Option<Completion>, Rejected> {
        let path = self.folder.file(COMPLETION);
        if !path.exists() {
            return Ok(None);
        }
        let text = text_file::read_utf8(&path, MAX_COMPLETION).map_err(|error| damaged(COMPLETION, &error))?;
        let completion: Completion = toml::from_str(&text).map_err(|error| damaged(COMPLETION, &error.message()))?;
        let played = (&*completion.lmrlab, completion.bench);
        if played != self.wanted() {
            return Err(Rejected(format!(
                "was played on {} by {}, and the run asks for {}",
                completion.host,
                in_words(played),
                in_words(self.wanted())
            )));
        }
        if completion.manifest_sha256 != sha256(self.manifest.to_toml()) {
            return Err(Rejected("has the results of another part".to_owned()));
        }
        let sha256 = sha256_of_file(&self.folder.file(GAMES)).map_err(|error| damaged(GAMES, &error))?;
        if sha256 != completion.games_sha256 {
            return Err(damaged(GAMES, &"its SHA-256 is not the one in completion.toml"));
        }
        Ok(Some(completion))
    }

    /// Records that the part was played to its end, with the digests of its files.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn complete(&self, completion: Completion) -> Result<(), Failure> {
        let path = self.folder.file(GAMES);
        let games = sha256_of_file(&path);
        let completion = Completion {
            manifest_sha256: sha256(self.manifest.to_toml()),
            games_sha256: games.map_err(|error| Failure::run(format!("cannot read `{}`: {error}", path.display())))?,
            ..completion
        };
        let text = toml::to_string(&completion).map_err(|error| Failure::encode(COMPLETION.name(), &error))?;
        replace(&self.folder, COMPLETION, text.as_bytes())
    }

    /// How the part was played to its end, `None` when it was not, and how many of its pairs are recorded.
    ///
    /// # Errors
    /// Why its results are rejected.
    pub fn progress(&self) -> Result<(Option<Completion>, u64), Rejected> {
        let completion = self.completion()?;
        let games = self.folder.file(GAMES);
        let mut recorded = completion.as_ref().map_or(0, |completion| completion.pairs);
        if completion.is_none() && games.exists() {
            let counted = read_unedited(&games, &mut |_| {
                recorded += 1;
                Ok(())
            });
            counted.map_err(|failure| damaged(GAMES, &failure.in_a_line()))?;
        }
        Ok((completion, recorded))
    }

    /// Hands out the results of the first pairs, as many as there are, by engines of these names. Returns how many pairs have
    /// none.
    ///
    /// # Errors
    /// When they cannot be read, or are not those of these pairs.
    pub fn each_result(&self, names: &[String], each: &mut dyn FnMut(RecordedPair)) -> Result<usize, Rejected> {
        let path = self.folder.file(GAMES);
        let mut tasks = self.tasks(names)?.into_iter();
        if !path.exists() {
            return Ok(tasks.len());
        }
        let mut times = csv_file::rows::<TimingRow>(&self.folder.file(TIMINGS)).peekable();
        let mut wrong = None;
        read_pairs(&path, &mut |games| {
            let task = tasks.next().filter(|(pair, fen)| is_of(&games, pair, Some(fen), names));
            let Some((pair, _)) = task else {
                wrong = wrong.or(Some(games[0].pair));
                return Ok(());
            };
            let timings = games.each_ref().map(|game| times.next_if(|row| row.game == game.game));
            let timings = match timings {
                [Some(first), Some(second)] => Some([first, second]),
                _ => None,
            };
            each(RecordedPair { pair, games, timings });
            Ok(())
        })
        .map_err(|failure| damaged(GAMES, &failure.in_a_line()))?;
        match wrong {
            Some(pair) => Err(Rejected(format!("has games of pair {pair} that are not its games"))),
            None => Ok(tasks.len()),
        }
    }

    /// What came back, by engines of these names: how the part was played to its end, and the results in the order of its
    /// pairs. `None` when it was not played to its end.
    ///
    /// # Errors
    /// Why the results are rejected.
    pub fn returned(&self, names: &[String]) -> Result<Option<(Completion, Vec<RecordedPair>)>, Rejected> {
        let Some(completion) = self.completion()? else {
            return Ok(None);
        };
        let mut results = Vec::new();
        match self.each_result(names, &mut |result| results.push(result))? {
            0 => Ok(Some((completion, results))),
            missing => Err(Rejected(format!("has no results of {missing} pairs"))),
        }
    }
}

fn damaged(file: ResultFile, what: &dyn Display) -> Rejected {
    Rejected(format!("has a {} that is damaged: {what}", file.name()))
}

fn pair_of(task: TaskRow, names: &[String], has_overrides: bool) -> Option<Pair> {
    let engine = |name: &str| names.iter().position(|known| known == name);
    // An empty cell is the engine as it is.
    let overrides = [task.first_overrides, task.second_overrides].map(|side| side.unwrap_or_default().into());
    Some(Pair {
        index: task.pair.checked_sub(1)?,
        round: task.round.checked_sub(1)?,
        opening: usize::try_from(task.opening.checked_sub(1)?).ok()?,
        pairing: Pairing {
            first: engine(&task.first)?,
            second: engine(&task.second)?,
        },
        overrides: has_overrides.then_some(overrides),
    })
}

fn in_words((version, bench): (&str, u64)) -> String {
    format!("lmrlab {version} with the bench fingerprint {bench}")
}
