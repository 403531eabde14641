//! A tuning run, or a trial in one setting, and its folder: begin, resume, play to the end.
//!
//! Playing has three steps: pairs are played as [`Learning`] asks for them, [`final_matches`] plays the final matches, [`RunResult`]
//! writes the result. All that a run has learned is in its journal, games.csv, from which tuning.csv is computed. To resume a
//! run, the method learns from games.csv again; to show it, from tuning.csv, which runs of version 1 have, too.

mod files;
pub mod final_matches;
pub mod merged;
mod pairs;
pub mod result;
pub(crate) mod result_file;
pub mod steering;

use std::path::Path;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Document, Source};

use crate::plan::{self, Plan};
use crate::run::result::RunResult;
use crate::run::steering::Learning;
use crate::{Method, PairResult, Probe};
use lmrlab_diagnostics::failure::{Failure, Refusal};
use lmrlab_results::folder::{
    GAMES, MANIFEST, ResultsFolder, TUNING_PAIRS, TUNING_RESULT, folder_name, refuse_running,
};
use lmrlab_results::manifest::{Invocation, Manifest, RunKind};
use lmrlab_runner::conduct::event::RunObserver;
use lmrlab_runner::conduct::steering::Steering as _;
use lmrlab_runner::conduct::{conduct, first_handshake};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::parts::executor::Executor;
use lmrlab_runner::record::pgn_writer::PgnWriter;
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::record::recorded_files;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::description::Conditions;
use lmrlab_runner::tournament::keys;
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use lmrlab_runner::tournament::resolve::Resolver;

/// A run that can be played.
pub struct TuningRun {
    /// The plan.
    pub plan: Plan,
    /// The warnings about the files that it reads.
    pub warnings: Vec<Diagnostics>,
    folder: ResultsFolder,
    /// The description for the manifest, when the run is new.
    new: Option<toml::Table>,
    /// The recorder of a run that was begun and not yet played. Its journal is locked.
    begun: Option<Recorder<Learning>>,
}

impl TuningRun {
    /// A run of a tuning file, or of a text in place of one. It writes to `out` or, when absent, to a folder below
    /// `results`. `change` applies settings of the command line.
    ///
    /// # Errors
    /// When anything is wrong with the file, with what it names or with the folder.
    pub fn new(
        source: Source,
        root: &Path,
        out: Option<&Path>,
        change: impl FnOnce(&mut Conditions),
        force: bool,
    ) -> Result<Self, Failure> {
        let text = Arc::clone(&source.text);
        let files = source.files().clone();
        let document = Document::parse(source)?;
        let mut resolver = Resolver::new(&document, root, files);
        let table = document.root();
        let plan = match table.has_heading_of_manifest("tuning") {
            true => None,
            false => plan::read(&mut resolver, table, change),
        };
        let (plan, warnings) = resolver.finish(plan)?;
        let out = out.map_or_else(
            || {
                let here = std::env::current_dir().unwrap_or_else(|_| root.to_owned());
                lmrlab_results::project::results(&here).join(folder_name(&plan.name))
            },
            Path::to_owned,
        );
        if !force && out.join(MANIFEST.name()).exists() && !out.join(TUNING_RESULT.name()).exists() {
            refuse_running(&out)?;
            return Err(Refusal::InterruptedTuning(out).into());
        }
        Ok(Self {
            new: Some(description(&text, &plan)),
            plan,
            warnings,
            folder: ResultsFolder::check(&out, force)?,
            begun: None,
        })
    }

    /// A new run without its final matches.
    #[must_use]
    pub fn without_final_matches(mut self) -> Self {
        self.plan.final_matches = None;
        if let Some(description) = &mut self.new {
            let gate = toml::Table::from_iter([("play".to_owned(), false.into())]);
            description.insert("gate".to_owned(), gate.into());
        }
        self
    }

    /// The run in this folder. It is resumed with the configuration files as they were when it began.
    ///
    /// # Errors
    /// When there is none, it cannot be written to, or the openings or the program have changed.
    pub fn resumed(out: &Path, change: impl FnOnce(&mut Conditions), invocation: &Invocation) -> Result<Self, Failure> {
        let folder = ResultsFolder::existing(out)?;
        if folder.file(TUNING_PAIRS).exists() && !folder.file(GAMES).exists() {
            return Err(Failure::input(
                format!(
                    "`{}` holds a tuning run or a trial of lmrlab 1, which recorded no games: this version cannot resume it",
                    out.display()
                ),
                "resume it with lmrlab 1, or begin a new run; `lmrlab show` shows its results",
            ));
        }
        Self::recorded(out, change, invocation)
    }

    /// The run, or the part of one, of the manifest in this folder.
    ///
    /// # Errors
    /// When there is none, or the openings or the program have changed.
    pub fn recorded(
        out: &Path,
        change: impl FnOnce(&mut Conditions),
        invocation: &Invocation,
    ) -> Result<Self, Failure> {
        let folder = ResultsFolder::to_read(out)?;
        let run = Run::open(out)?;
        let manifest = run.manifest();
        manifest.check_unedited(out)?;
        manifest.check_files(out, true)?;
        let plan = plan_of(&run, change)?;
        Ok(Self {
            warnings: manifest.warnings(&plan.root, invocation),
            plan,
            folder,
            new: None,
            begun: None,
        })
    }

    /// The run in this folder, finished or not, for reading only. Warns when its files were edited.
    ///
    /// # Errors
    /// When there is none, or what it names is gone.
    pub fn opened(folder: &Path) -> Result<Self, Failure> {
        let run = Run::open(folder)?;
        let plan = plan_of(&run, |_| ())?;
        Ok(Self {
            warnings: match run.has_games() {
                true => run.edits()?,
                false => run.manifest().edit_warning(folder).into_iter().collect(),
            },
            plan,
            folder: ResultsFolder::to_read(folder)?,
            new: None,
            begun: None,
        })
    }

    /// The manifest of a new run, for this folder.
    ///
    /// # Errors
    /// When a file that it names cannot be read.
    pub fn new_manifest(&self, invocation: &Invocation, folder: &Path) -> Result<Manifest, Failure> {
        let plan = &self.plan;
        let mut files = recorded_files::openings(&plan.conditions.openings, &plan.openings);
        files.extend(recorded_files::programs(std::slice::from_ref(&plan.subject.start))?);
        Manifest::of(
            RunKind::Tuning,
            self.new.clone().unwrap_or_default(),
            files,
            (&plan.files, &plan.root),
            invocation,
            folder,
        )
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Creates the folder of a new run, or opens that of a run that is resumed.
    fn begin(&mut self, invocation: &Invocation) -> Result<Recorder<Learning>, Failure> {
        let plan = &self.plan;
        let folder = &self.folder;
        if self.has_begun() {
            let manifest = Manifest::load(folder.path())?;
            return Recorder::resume(folder, Learning::new(plan), recorded_of(plan, &manifest));
        }
        let manifest = self.new_manifest(invocation, folder.path())?;
        if folder.path().exists() {
            folder.create()?;
            final_matches::remove(folder.path())?;
        }
        let recorder = Recorder::create(
            folder.clone(),
            Learning::new(plan),
            recorded_of(plan, &manifest),
            &manifest,
        )?;
        self.new = None;
        Ok(recorder)
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
        self.plan.arena().tables().check()?;
        self.begun = Some(self.begin(invocation)?);
        Ok(())
    }

    /// Starts the engine once, before anything is written. Returns warnings.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn try_engine(&self, interrupt: &Interrupt) -> Result<Vec<Diagnostics>, Failure> {
        let engine = std::slice::from_ref(&self.plan.subject.start);
        first_handshake(engine, self.plan.conditions.hash_mib, interrupt)
    }

    /// Plays to the end. `None` when the run was asked to stop.
    ///
    /// # Errors
    /// When a file cannot be written, an engine panics, or too many games in a row end by faults. The earlier pairs stay
    /// recorded.
    pub fn play(
        &mut self,
        executor: Option<&Executor>,
        interrupt: &Interrupt,
        observer: &mut dyn RunObserver<Learning>,
        observe: &mut dyn FnMut() -> Box<dyn RunObserver<TournamentProgress>>,
        invocation: &Invocation,
    ) -> Result<Option<RunResult>, Failure> {
        let mut recorder = match self.begun.take() {
            Some(begun) => begun,
            None => self.begin(invocation)?,
        };
        let plan = &self.plan;
        let manifest = Manifest::load(self.folder.path())?;
        let run = (&mut recorder, &manifest);
        conduct(plan.arena(), run, None, executor, interrupt, observer)?;
        if !recorder.steering.is_complete() {
            return Ok(None);
        }
        let pairs = recorder.steering.recorded();
        let mut outcome = RunResult::of(&plan.subject, pairs, &mut *recorder.steering.method);
        if let Some(matches) = &plan.final_matches
            && outcome.found_something(&plan.subject)
        {
            let plan = (plan, matches);
            let (values, folder) = (&outcome.values, &self.folder);
            match final_matches::play(plan, values, folder, executor, interrupt, observe, invocation)? {
                Some(final_matches) => outcome.final_matches = final_matches,
                None => return Ok(None),
            }
        }
        // The final matches may have taken long, so the journal may have been changed.
        recorder.finish()?;
        outcome.write(plan, &self.folder)?;
        Ok(Some(outcome))
    }

    /// The outcome of the run so far, by its own method. Writes nothing.
    ///
    /// # Errors
    /// When tuning.csv or the journal of a final match cannot be read.
    pub fn outcome(&self) -> Result<RunResult, Failure> {
        let mut method = self.plan.method();
        let pairs = self.replay(&mut *method, &mut |_, _| ())?;
        self.outcome_of(pairs.len() as u64, &mut *method)
    }

    /// The outcome of the run after `pairs` pairs, by this method.
    pub(crate) fn outcome_of(&self, pairs: u64, method: &mut dyn Method) -> Result<RunResult, Failure> {
        let mut outcome = RunResult::of(&self.plan.subject, pairs, method);
        outcome.final_matches = final_matches::final_matches(self.folder.path())?;
        Ok(outcome)
    }

    /// Lets a method learn from the pairs of tuning.csv again. `each` sees the method after each batch, with the number of
    /// pairs that it has learned from. Returns the pairs. Writes nothing.
    pub(crate) fn replay(
        &self,
        method: &mut dyn Method,
        each: &mut dyn FnMut(u64, &mut dyn Method),
    ) -> Result<Vec<(Probe, PairResult)>, Failure> {
        // A run of version 1 has them, too.
        let pairs = pairs::read(&self.folder.file(TUNING_PAIRS), &self.plan.subject.names())?;
        let mut learned = 0;
        loop {
            let asked = method.next().len();
            let played: Vec<PairResult> = pairs[learned..].iter().take(asked).map(|pair| pair.1).collect();
            if played.is_empty() {
                return Ok(pairs);
            }
            method.record(&played);
            learned += played.len();
            each(learned as u64, method);
        }
    }
}

/// What the recorder of a run needs besides the steering.
fn recorded_of<'p>(plan: &'p Plan, manifest: &Manifest) -> Recorded<'p> {
    Recorded {
        names: vec![plan.subject.start.name.clone()],
        has_overrides: true,
        pgn: (plan.pgn != PgnStyle::None).then(|| PgnWriter::of(&plan.name, &plan.conditions, plan.pgn, manifest)),
        faults_allowed: plan.conditions.faults_allowed,
        openings: Some(&plan.openings),
    }
}

/// The text of a tuning file as a table for the manifest, with what was not in it.
fn description(text: &str, plan: &Plan) -> toml::Table {
    let mut description: toml::Table = text.parse().unwrap_or_default();
    description.extend(keys::of_conditions(&Conditions {
        threads: Some(plan.threads),
        ..plan.conditions.clone()
    }));
    if let Some(toml::Value::Table(engine)) = description.get_mut("engine") {
        let ordering = plan.subject.start.own().and_then(|own| own.ordering);
        let ordering = ordering.map(|ordering| ("ordering".to_owned(), ordering.name().into()));
        let hosted = plan.subject.start.hosted_policy();
        let compiled = hosted.map(|hosted| ("compiled".to_owned(), hosted.sha256().into()));
        engine.extend(ordering.into_iter().chain(compiled));
    }
    description
}

/// The plan of a run, with the configuration files as they were when it began.
fn plan_of(run: &Run, change: impl FnOnce(&mut Conditions)) -> Result<Plan, Failure> {
    let manifest = run.manifest();
    manifest.check_files(run.folder(), false)?;
    let openings = run.openings()?;
    let (plan, _) = run.read(RunKind::Tuning, |resolver, table| {
        resolver.openings = openings;
        plan::read(resolver, table, change)
    })?;
    Ok(plan)
}
