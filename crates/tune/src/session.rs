//! A tuning run and its folder: begin, resume, play to the end, analyse.
//!
//! Commands work with a [`Session`]. Playing has three steps: [`TuningRun`] plays the pairs that the method asks for,
//! [`gate`] plays the final matches, [`RunResult`] writes the result. All that a run has learned is in its journal,
//! tuning.csv. To show, analyse or resume a run, the method reads the journal again.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};

use super::gate;
use super::plan::{self, Plan};
use super::result::RunResult;
use super::surface::Surface;
use super::tuning_pairs::{self, TuningJournal, TuningPair};
use super::tuning_run::{Ended, TuningProgress, TuningRun};
use super::{Method, PairResult};
use lmrlab_results::failure::{Failure, Refusal};
use lmrlab_results::folder::{
    MANIFEST, ResultsFolder, TIMINGS, TUNING_PAIRS, TUNING_RESULT, folder_name, refuse_running,
};
use lmrlab_results::manifest::{Invocation, Manifest, RunKind};
use lmrlab_results::text_file;
use lmrlab_runner::conduct::event::Observer;
use lmrlab_runner::conduct::first_handshake;
use lmrlab_runner::conduct::worker_pool::WorkerPool;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::fault_log::EngineLogs;
use lmrlab_runner::record::recorded;
use lmrlab_runner::run::{Run, edited_journal};
use lmrlab_runner::tournament::description::Conditions;
use lmrlab_runner::tournament::faults_allowed::FaultsAllowed;
use lmrlab_runner::tournament::resolve::Resolver;
use lmrlab_runner::tournament::{read_document, write};

/// Settings of the command line that replace those of the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overrides {
    /// Games at the same time.
    pub threads: Option<NonZeroUsize>,
    /// The seed.
    pub seed: Option<u64>,
    /// Whether the gate is left out.
    pub no_gate: bool,
    /// Games in a row that the engine may lose by its faults.
    pub faults_allowed: Option<FaultsAllowed>,
}

impl Overrides {
    fn apply(self, conditions: &mut Conditions) {
        conditions.threads = self.threads.or(conditions.threads);
        conditions.seed = self.seed.unwrap_or(conditions.seed);
        conditions.faults_allowed = self.faults_allowed.unwrap_or(conditions.faults_allowed);
    }
}

/// A run that can be played.
pub struct Session {
    /// The plan.
    pub plan: Plan,
    /// The warnings about the files that it reads.
    pub warnings: Vec<Diagnostics>,
    folder: ResultsFolder,
    /// The description for the manifest, when the run is new.
    new: Option<toml::Table>,
    /// The journal of a run that was begun and not yet played: open and locked.
    begun: Option<Begun>,
}

/// The journal of a run, and its pairs so far.
type Begun = (TuningJournal, Vec<TuningPair>);

impl Session {
    /// A run of a tuning file, or of a text in place of one. It writes to `out` or, when absent, to a folder below
    /// `results`. `filled` are the facts that the host of a trial fills; ideas that read other facts are refused.
    ///
    /// # Errors
    /// When anything is wrong with the file, with what it names or with the folder.
    pub fn new(
        source: Source,
        root: &Path,
        out: Option<&Path>,
        overrides: Overrides,
        force: bool,
        filled: Option<&[String]>,
    ) -> Result<Self, Failure> {
        let text = Arc::clone(&source.text);
        let files = source.files().clone();
        let mut failed = None;
        let read = read_document(source, |document| {
            let table = document.root();
            if table.has_heading_of_manifest("tuning") {
                return None;
            }
            let mut resolver = Resolver::new(document, root, files);
            let plan = plan::read(&mut resolver, table, filled, |conditions| overrides.apply(conditions));
            failed = resolver.failed.take();
            Some((plan, resolver.errors, resolver.warnings))
        });
        if let Some(failed) = failed {
            return Err(failed.into());
        }
        let (mut plan, warnings) = read?;
        let mut description: toml::Table = text.parse().unwrap_or_default();
        description.insert("seed".to_owned(), write::seed(plan.conditions.seed));
        description.insert("threads".to_owned(), (plan.threads.get() as i64).into());
        if let Some(variant) = write::recorded_variant(&plan.conditions) {
            description.insert("variant".to_owned(), variant.name().into());
        }
        let mut add = |table: &str, keys: toml::Table| {
            if let Some(toml::Value::Table(table)) = description.get_mut(table) {
                table.extend(keys);
            }
        };
        let one = |key: &str, value: toml::Value| toml::Table::from_iter([(key.to_owned(), value)]);
        add("openings", one("file", write::files(&plan.conditions.openings.files)));
        if let Some(rules) = &plan.conditions.tablebases {
            add("adjudication", write::tablebases(rules));
        }
        if let Some(ordering) = plan.subject.start.own().and_then(|own| own.ordering) {
            add("engine", one("ordering", ordering.name().into()));
        }
        if let Some(hosted) = plan.subject.start.hosted_policy() {
            add("engine", one("compiled", hosted.sha256().into()));
        }
        if overrides.no_gate {
            plan.gate = None;
            description.insert("gate".to_owned(), one("play", false.into()).into());
        }
        let out = out.map_or_else(
            || {
                let here = std::env::current_dir().unwrap_or_else(|_| root.to_owned());
                lmrlab_runner::project::results(&here).join(folder_name(&plan.name))
            },
            Path::to_owned,
        );
        if !force && out.join(MANIFEST.name()).exists() && !out.join(TUNING_RESULT.name()).exists() {
            refuse_running(&out)?;
            return Err(Refusal::InterruptedTuning(out).into());
        }
        Ok(Self {
            plan,
            warnings,
            folder: ResultsFolder::check(&out, force)?,
            new: Some(description),
            begun: None,
        })
    }

    /// The run in this folder. It is resumed with the configuration files as they were when it began.
    ///
    /// # Errors
    /// When there is none, it cannot be written to, or the openings or the program have changed.
    pub fn resumed(out: &Path, overrides: Overrides, invocation: &Invocation) -> Result<Self, Failure> {
        ResultsFolder::existing(out)?;
        Self::recorded(out, overrides, invocation)
    }

    /// The run, or the part of one, of the manifest in this folder.
    ///
    /// # Errors
    /// When there is none, or the openings or the program have changed.
    pub fn recorded(out: &Path, overrides: Overrides, invocation: &Invocation) -> Result<Self, Failure> {
        let folder = ResultsFolder::to_read(out)?;
        let run = Run::open(out)?;
        let manifest = run.manifest();
        manifest.check_unedited(out)?;
        let plan = plan_of(&run, overrides)?;
        let now = Self {
            warnings: manifest.warnings(&plan.root, invocation),
            plan,
            folder,
            new: None,
            begun: None,
        };
        manifest.check_unchanged(&now.manifest(toml::Table::new(), invocation)?)?;
        Ok(now)
    }

    /// The run in this folder, finished or not, for reading only. Warns when its files were edited.
    ///
    /// # Errors
    /// When there is none, or what it names is gone.
    pub fn opened(folder: &Path) -> Result<Self, Failure> {
        let run = Run::open(folder)?;
        let plan = plan_of(&run, Overrides::default())?;
        let journal = folder.join(TUNING_PAIRS.name());
        let edited = match journal.exists() {
            true => tuning_pairs::edited_line(&journal, plan.subject.names())?,
            false => None,
        };
        let of_journal = edited.map(|line| edited_journal(&journal, line));
        Ok(Self {
            warnings: run
                .manifest()
                .edit_warning(folder)
                .into_iter()
                .chain(of_journal)
                .collect(),
            plan,
            folder: ResultsFolder::to_read(folder)?,
            new: None,
            begun: None,
        })
    }

    fn manifest(&self, description: toml::Table, invocation: &Invocation) -> Result<Manifest, Failure> {
        let plan = &self.plan;
        let mut files = recorded::openings(&plan.conditions.openings, &plan.openings);
        files.extend(recorded::programs(std::slice::from_ref(&plan.subject.start))?);
        Manifest::of(
            RunKind::Tuning,
            description,
            files,
            (&plan.files, &plan.root),
            invocation,
            self.folder.path(),
        )
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Creates the folder of a new run, and opens the journal.
    fn begin(&mut self, invocation: &Invocation) -> Result<Begun, Failure> {
        let names = self.plan.subject.names();
        let Some(description) = self.new.clone() else {
            return tuning_pairs::open(&self.folder, names);
        };
        let manifest = self.manifest(description, invocation)?;
        let folder = &self.folder;
        if folder.path().exists() {
            folder.create()?;
            for name in gate::FOLDERS {
                let path = folder.path().join(name);
                if path.is_dir() {
                    ResultsFolder::check(&path, true)?.create()?;
                    let _ = std::fs::remove_dir(&path);
                }
            }
        }
        let begun = folder.begin(manifest.to_toml(), |folder| tuning_pairs::open(folder, names))?;
        self.new = None;
        Ok(begun)
    }

    /// Whether its folder has the run. Then it can be resumed.
    pub fn has_begun(&self) -> bool {
        self.new.is_none()
    }

    /// Begins a new run without playing anything. It can be resumed, as soon as this session has ended.
    ///
    /// # Errors
    /// When its folder cannot be written, or its tables do not fit into memory.
    pub fn create(&mut self, invocation: &Invocation) -> Result<(), Failure> {
        self.plan.tables().check()?;
        self.begun = Some(self.begin(invocation)?);
        Ok(())
    }

    /// Plays to the end. `None` when the run was asked to stop.
    ///
    /// # Errors
    /// When the engine cannot be started; then nothing has changed. When a file cannot be written, an engine panics, or
    /// too many games in a row end by faults; then the earlier pairs stay recorded.
    pub fn play(
        &mut self,
        worker_pool: &mut impl WorkerPool,
        interrupt: &Interrupt,
        report: &mut dyn FnMut(TuningProgress<'_>),
        warn: &mut dyn FnMut(String),
        observe: &mut dyn FnMut() -> Box<dyn Observer>,
        invocation: &Invocation,
    ) -> Result<Option<RunResult>, Failure> {
        worker_pool.check(self.plan.tables())?;
        let engine = std::slice::from_ref(&self.plan.subject.start);
        for warnings in first_handshake(engine, self.plan.conditions.hash_mib, interrupt)? {
            warnings.list.into_iter().for_each(|warning| warn(in_a_line(warning)));
        }
        // The journal stays open and locked until the gate has ended, too.
        let (mut journal, played) = match self.begun.take() {
            Some(begun) => begun,
            None => self.begin(invocation)?,
        };
        let plan = &self.plan;
        let timings = self.folder.file(TIMINGS);
        let logs = EngineLogs::new(self.folder.path(), None);
        let run = TuningRun::new(plan, interrupt, &logs, time_before(&timings));
        let mut method = plan.method();
        let manifest = Manifest::load(self.folder.path())?;
        let mut pairs = 0;
        let ended = run.play(
            &mut *method,
            &played,
            (self.folder.path(), &manifest, &mut journal),
            worker_pool,
            &mut |progress| {
                pairs = progress.pairs;
                if progress.has_learned && progress.here > 0 {
                    let line = format!("{},{}\n", pairs, progress.elapsed.as_millis());
                    // Only a time budget needs this file, so an error is ignored.
                    let _ = append(&timings, &line);
                }
                report(progress);
            },
            warn,
        )?;
        if ended == Ended::Interrupted {
            return Ok(None);
        }
        let mut outcome = RunResult::of(&plan.subject, pairs, &mut *method);
        if let Some(gate) = &plan.gate
            && outcome.found_something(&plan.subject)
        {
            let trials = gate::play(
                (plan, gate),
                &outcome.values,
                &self.folder,
                worker_pool,
                interrupt,
                observe,
                invocation,
            )?;
            match trials {
                Some(trials) => outcome.trials = trials,
                None => return Ok(None),
            }
        }
        // The final matches may have taken long, so the journal may have been changed.
        journal.sync()?;
        outcome.write(plan, &self.folder)?;
        Ok(Some(outcome))
    }

    /// The outcome of the run so far, by its own method. Writes nothing.
    ///
    /// # Errors
    /// When a journal cannot be read.
    pub fn outcome(&self) -> Result<RunResult, Failure> {
        let (pairs, mut method) = self.replay(&mut |_, _| ())?;
        self.outcome_of(pairs.len() as u64, &mut *method)
    }

    /// The outcome of the run after `pairs` pairs, by this method.
    pub(crate) fn outcome_of(&self, pairs: u64, method: &mut dyn Method) -> Result<RunResult, Failure> {
        let mut outcome = RunResult::of(&self.plan.subject, pairs, method);
        outcome.trials = gate::trials(self.folder.path())?;
        Ok(outcome)
    }

    /// Lets the run's method learn from its pairs again. `each` sees the method after each batch, with the number of
    /// pairs that it has learned from. Returns the pairs and the method. Writes nothing.
    pub(crate) fn replay(
        &self,
        each: &mut dyn FnMut(u64, &mut dyn Method),
    ) -> Result<(Vec<TuningPair>, Box<dyn Method>), Failure> {
        let rows = tuning_pairs::read(&self.folder.file(TUNING_PAIRS), self.plan.subject.names())?;
        let mut method = self.plan.method();
        let mut results = rows.iter().map(TuningPair::result);
        let mut learned = 0;
        loop {
            let asked = method.next().len();
            let played: Vec<PairResult> = results.by_ref().take(asked).collect();
            if played.is_empty() {
                break;
            }
            method.record(&played);
            learned += played.len() as u64;
            each(learned, &mut *method);
        }
        Ok((rows, method))
    }

    /// Fits the model of the surface to the pairs of the run. Any method may have chosen the pairs. Writes nothing.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn analyse(&self) -> Result<RunResult, Failure> {
        let subject = &self.plan.subject;
        let rows = tuning_pairs::read(&self.folder.file(TUNING_PAIRS), subject.names())?;
        let pairs = rows.len() as u64;
        // The races come first. Their decisions do not change.
        let mut staged = self.plan.staged(Box::new(|_| None));
        let mut rows = rows.into_iter().map(|row| {
            let result = row.result();
            (row.probe, result)
        });
        loop {
            let asked = staged.next().len();
            let results: Vec<PairResult> = (rows.by_ref().take(asked)).map(|(_, result)| result).collect();
            if results.is_empty() {
                break;
            }
            staged.record(&results);
        }
        if !subject.parameters.is_empty() {
            let surface = Surface::of(subject.parameters.clone(), self.plan.conditions.seed, rows);
            staged.continue_with(Box::new(surface));
        }
        Ok(RunResult::of(subject, pairs, &mut staged))
    }
}

/// The plan of a run, with the configuration files as they were when it began.
fn plan_of(run: &Run, overrides: Overrides) -> Result<Plan, Failure> {
    let manifest = run.manifest();
    manifest.check_there(run.folder())?;
    let root = manifest.root(run.folder());
    let files = manifest.configuration(&root);
    let openings = run.openings()?;
    let mut failed = None;
    let read = run.read(RunKind::Tuning, |document, table| {
        let mut resolver = Resolver::new(document, &root, files);
        resolver.openings = openings;
        let plan = plan::read(&mut resolver, table, None, |conditions| overrides.apply(conditions));
        failed = resolver.failed.take();
        Some((plan, resolver.errors, Vec::new()))
    });
    failed.map_or_else(|| read.map(|(plan, _)| plan), |failed| Err(failed.into()))
}

fn in_a_line(warning: Diagnostic) -> String {
    let help = warning.help.map(|help| format!("; {help}"));
    warning.message + &help.unwrap_or_default()
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    text_file::refuse_other_kinds(path)?;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())
}

/// The longest file of times that is read, in bytes. It has one line for each batch.
const MAX_TIMES: u64 = 1 << 28;

/// The time that earlier processes of the run took.
fn time_before(path: &Path) -> Duration {
    let text = text_file::read_utf8(path, MAX_TIMES).unwrap_or_default();
    let last = text.lines().rev().find_map(|line| {
        let (_, milliseconds) = line.split_once(',')?;
        milliseconds.parse().ok()
    });
    Duration::from_millis(last.unwrap_or(0))
}
