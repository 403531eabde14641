//! A tuning run and its folder: begin, resume, play to the end, analyse.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostics, Source};
use serde::{Deserialize, Serialize};

use super::Method as _;
use super::gate;
use super::plan::{self, Plan};
use super::play::{Ended, Progress, Run};
use super::report::Outcome;
use super::surface::Surface;
use super::tuning_pairs;
use lmrlab_runner::conduct::event::Observer;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::FORMAT_VERSION;
use lmrlab_runner::record::folder::{
    MANIFEST, ResultsFolder, TIMINGS, TUNING_FILE, TUNING_PAIRS, folder_name,
};
use lmrlab_runner::record::manifest::{Invocation, absolute, relative};
use lmrlab_runner::record::replacement::replace;
use lmrlab_runner::sha256::{sha256, sha256_of_file};
use lmrlab_runner::tournament::entrant::EntrantEngine;
use lmrlab_stats::PairOutcome;

/// The value of the manifest's key `kind`.
const KIND: &str = "tuning";

/// Settings of the command line that replace those of the file.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Overrides {
    /// The seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether the gate is left out.
    pub no_gate: bool,
}

/// Everything that is needed to go on with a run.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format_version: u32,
    lmrlab: String,
    started: String,
    kind: String,
    /// The project's root, from the folder of the run.
    root: String,
    threads: usize,
    /// The file of the run; absent in runs of earlier versions, which have it in tuning.toml only.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    overrides: Overrides,
    /// SHA-256 of all that the games depend on: the file of the run, the openings, the policy, the preset or the program.
    hashes: Hashes,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Hashes {
    file: String,
    openings: String,
    engine: Vec<String>,
}

impl Hashes {
    fn of(plan: &Plan, text: &str) -> Self {
        let engine = match &plan.subject.start.engine {
            EntrantEngine::Own(own) => {
                vec![
                    own.policy.hash(),
                    sha256(&format!("{:?}", own.preset.parameters)),
                ]
            }
            EntrantEngine::External { engine, .. } => {
                sha256_of_file(&engine.program).into_iter().collect()
            }
        };
        Self {
            file: sha256(text),
            openings: plan.openings.sha256().to_owned(),
            engine,
        }
    }
}

/// A run that can be played.
pub struct Session {
    /// The plan.
    pub plan: Plan,
    /// The warnings about the files that it reads.
    pub warnings: Vec<Diagnostics>,
    folder: ResultsFolder,
    /// The text of the file and the command line's words, when the run is new.
    new: Option<(String, Overrides)>,
}

/// Whether the folder is that of a tuning run.
pub fn is_tuning(folder: &ResultsFolder) -> bool {
    let text = read(&folder.file(MANIFEST)).unwrap_or_default();
    text.parse::<toml::Table>()
        .is_ok_and(|manifest| manifest.get("kind").and_then(toml::Value::as_str) == Some(KIND))
}

impl Session {
    /// A run of this file that writes to `out`, or to a folder below results when absent.
    ///
    /// # Errors
    /// When anything is wrong with the file, with what it names or with the folder.
    pub fn new(
        file: &Path,
        root: &Path,
        out: Option<&Path>,
        threads: Option<NonZeroUsize>,
        overrides: Overrides,
        force: bool,
    ) -> Result<Self, Failure> {
        let (plan, warnings) = load(file, root, threads, overrides)?;
        let text = read(file)?;
        let out = out.map_or_else(
            || {
                let name = folder_name(&plan.name);
                lmrlab_runner::project::from_here(&root.join("results").join(name))
            },
            Path::to_owned,
        );
        Ok(Self {
            plan,
            warnings,
            folder: ResultsFolder::check(&out, force)?,
            new: Some((text, overrides)),
        })
    }

    /// The run in this folder, which goes on.
    ///
    /// # Errors
    /// When there is none, it cannot be written to, or a file that it depends on has changed.
    pub fn resumed(out: &Path, threads: Option<NonZeroUsize>) -> Result<Self, Failure> {
        let folder = ResultsFolder::existing(out)?;
        let manifest = Manifest::load(&folder)?;
        if let Some(text) = &manifest.text
            && !folder.file(TUNING_FILE).exists()
        {
            // Killed just after the manifest.
            replace(&folder, TUNING_FILE, text.as_bytes())?;
        }
        Self::of(folder, &manifest, threads)
    }

    /// The run in this folder, finished or not, for reading only.
    ///
    /// # Errors
    /// When there is none, or a file that it depends on has changed.
    pub fn opened(folder: &Path) -> Result<Self, Failure> {
        let folder = ResultsFolder::to_read(folder)?;
        let manifest = Manifest::load(&folder)?;
        Self::of(folder, &manifest, None)
    }

    fn of(
        folder: ResultsFolder,
        manifest: &Manifest,
        threads: Option<NonZeroUsize>,
    ) -> Result<Self, Failure> {
        let root = absolute(&folder.path().join(&manifest.root));
        let file = folder.file(TUNING_FILE);
        let threads = threads.or(NonZeroUsize::new(manifest.threads));
        let (plan, warnings) = load(&file, &root, threads, manifest.overrides)?;
        let now = Hashes::of(&plan, &read(&file)?);
        let changed = [
            (now.file != manifest.hashes.file, "its copy of the file"),
            (now.openings != manifest.hashes.openings, "the openings"),
            (now.engine != manifest.hashes.engine, "the engine"),
        ];
        if let Some((_, what)) = changed.into_iter().find(|(changed, _)| *changed) {
            return Err(refused(&folder, &format!("{what} changed since it began")));
        }
        Ok(Self {
            plan,
            warnings,
            folder,
            new: None,
        })
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Creates the folder of a new run.
    fn begin(&mut self) -> Result<(), Failure> {
        let Some((text, overrides)) = self.new.take() else {
            return Ok(());
        };
        let folder = &self.folder;
        folder.create()?;
        for name in gate::FOLDERS {
            let path = folder.path().join(name);
            if path.is_dir() {
                ResultsFolder::check(&path, true)?.create()?;
                let _ = std::fs::remove_dir(&path);
            }
        }
        let manifest = Manifest {
            format_version: FORMAT_VERSION,
            lmrlab: env!("CARGO_PKG_VERSION").to_owned(),
            started: lmrlab_runner::utc::Utc::now().to_string(),
            kind: KIND.to_owned(),
            root: relative(&absolute(folder.path()), &absolute(&self.plan.root))
                .display()
                .to_string(),
            threads: self.plan.threads.get(),
            overrides,
            hashes: Hashes::of(&self.plan, &text),
            text: Some(text.clone()),
        };
        let manifest = toml::to_string_pretty(&manifest)
            .map_err(|error| Failure::Run(format!("cannot write the manifest: {error}")))?;
        // A folder with a manifest is a run that can go on, so the manifest comes first, and whole.
        replace(folder, MANIFEST, manifest.as_bytes())?;
        replace(folder, TUNING_FILE, text.as_bytes())
    }

    /// Plays to the end. `None` when somebody asked to stop.
    ///
    /// # Errors
    /// When a file cannot be written or an engine panics; what was played is kept.
    pub fn play(
        &mut self,
        interrupt: &Interrupt,
        report: &mut dyn FnMut(Progress<'_>),
        remark: &mut dyn FnMut(String),
        observe: &mut dyn FnMut() -> Box<dyn Observer>,
        invocation: &Invocation,
    ) -> Result<Option<Outcome>, Failure> {
        self.begin()?;
        let plan = &self.plan;
        // The journal stays open, and locked, until the gate is over too.
        let (mut journal, played) = tuning_pairs::open(&self.folder, plan.subject.names())?;
        let timings = self.folder.file(TIMINGS);
        let run = Run::new(plan, interrupt, time_before(&timings));
        let mut method = plan.method();
        let mut pairs = 0;
        let ended = run.play(
            &mut *method,
            &played,
            &mut journal,
            &mut |progress| {
                pairs = progress.pairs;
                if progress.here > 0 {
                    let line = format!("{},{}\n", pairs, progress.elapsed.as_millis());
                    // Only a budget of time depends on it.
                    let _ = append(&timings, &line);
                }
                report(progress);
            },
            remark,
        )?;
        if ended == Ended::Interrupted {
            return Ok(None);
        }
        let mut outcome = Outcome::of(&plan.subject, pairs, &mut *method);
        if let Some(gate) = &plan.gate
            && outcome.found_something(&plan.subject)
        {
            let trials = gate::play(
                plan,
                gate,
                &outcome.values,
                &self.folder,
                interrupt,
                observe,
                invocation,
            )?;
            match trials {
                Some(trials) => outcome.trials = trials,
                None => return Ok(None),
            }
        }
        outcome.write(plan, &self.folder)?;
        Ok(Some(outcome))
    }

    /// Fits the model of the surface to the pairs of the run, whatever method chose them. Writes nothing.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn analyse(&self) -> Result<Outcome, Failure> {
        let subject = &self.plan.subject;
        let rows = tuning_pairs::read(&self.folder.file(TUNING_PAIRS), subject.names())?;
        let pairs = rows.len() as u64;
        // Races, which come first, are decided as they were.
        let mut staged = self.plan.staged(Box::new(|_| None));
        let mut rows = rows.into_iter().map(|row| {
            let outcome = row.outcome();
            (row.probe, outcome)
        });
        loop {
            let asked = staged.next().len();
            let outcomes: Vec<PairOutcome> = (rows.by_ref().take(asked))
                .map(|(_, outcome)| outcome)
                .collect();
            if outcomes.is_empty() {
                break;
            }
            staged.record(&outcomes);
        }
        let surface = Surface::of(subject.parameters.clone(), self.plan.conditions.seed, rows);
        staged.go_on_with(Box::new(surface));
        Ok(Outcome::of(subject, pairs, &mut staged))
    }
}

impl Manifest {
    fn load(folder: &ResultsFolder) -> Result<Self, Failure> {
        let text = read(&folder.file(MANIFEST))?;
        let manifest: Self =
            toml::from_str(&text).map_err(|error| refused(folder, &error.to_string()))?;
        let this = env!("CARGO_PKG_VERSION");
        if manifest.format_version != FORMAT_VERSION || manifest.lmrlab != this {
            let begun = format!("lmrlab {} began it, and this is {this}", manifest.lmrlab);
            return Err(refused(folder, &begun));
        }
        Ok(manifest)
    }
}

/// A run that cannot go on.
fn refused(folder: &ResultsFolder, why: &str) -> Failure {
    let folder = folder.path().display();
    Failure::input(
        format!("the tuning run in `{folder}` cannot go on: {why}"),
        "begin it anew",
    )
}

fn load(
    file: &Path,
    root: &Path,
    threads: Option<NonZeroUsize>,
    overrides: Overrides,
) -> Result<(Plan, Vec<Diagnostics>), Failure> {
    let source = Source::read(file).map_err(|report| Failure::Input(vec![report]))?;
    let (mut plan, warnings) = plan::load(source, root, |conditions| {
        conditions.threads = threads.or(conditions.threads);
        conditions.seed = overrides.seed.unwrap_or(conditions.seed);
    })?;
    if overrides.no_gate {
        plan.gate = None;
    }
    Ok((plan, warnings))
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display()), ""))
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    file.write_all(line.as_bytes())
}

/// The time that earlier parts of the run took.
fn time_before(path: &Path) -> Duration {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let last = text.lines().rev().find_map(|line| {
        let (_, milliseconds) = line.split_once(',')?;
        milliseconds.parse().ok()
    });
    Duration::from_millis(last.unwrap_or(0))
}
