//! A trial in several settings: a preset or a host, and the nodes of a move. Each setting is a run in a folder of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::bench;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_policy::reference::in_words;
use lmrlab_results::folder::{INTERACTIONS, MANIFEST, MAX_MANIFEST, ResultsFolder, TRIAL, folder_name, refuse_running};
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::OUTCOME;
use lmrlab_results::text_file;
use lmrlab_runner::player::uci::{HostedPolicy, Session};
use lmrlab_runner::tournament::description::{EngineDescription, EngineKind};
use lmrlab_runner::tournament::entrant::OwnEngine;
use toml::{Table, Value};

use crate::new_run::NewRun;
use crate::outcome::trial::{TrialTables, label};
use crate::run::TuningRun;
use crate::subject::idea::LIBRARY;

/// The least number of nodes in searches that show whether an idea can act. A shorter search may give an idea no
/// chance.
const LEAST_NODES: u64 = 10_000;

/// Ideas that cannot act in a setting, by the reason.
type LeftOut = BTreeMap<String, Vec<String>>;

/// A trial as it is asked for.
pub struct TrialSettings {
    /// For each number of nodes a move, the run without its engine and its ideas.
    pub runs: Vec<NewRun>,
    /// The ideas, as in the file of a run.
    pub ideas: Vec<Table>,
    /// The engine of each setting: a host, or the project's own engine with a preset.
    pub engines: Vec<EngineDescription>,
}

/// An idea in the file of a run, in words.
fn name(idea: &Table) -> String {
    let changes = ["policy", "search", LIBRARY].into_iter().find_map(|key| idea.get(key));
    in_words(changes.and_then(Value::as_str).unwrap_or_default())
}

impl TrialSettings {
    /// The runs of the settings, each with the ideas that can act in it, in `out` or in folders below it. `note` gets the
    /// ideas that are left out.
    ///
    /// # Errors
    /// When anything is wrong with the trial, or an idea can act in no setting.
    pub fn runs(
        &self,
        root: &Path,
        out: &Path,
        force: bool,
        note: &mut dyn FnMut(&str),
    ) -> Result<Vec<TuningRun>, Failure> {
        let is_single = self.engines.len() * self.runs.len() == 1;
        if !is_single && !force {
            refuse_runs(out)?;
        }
        // When the folder has settings of an earlier trial, the new trial has folders for settings, too.
        let has_folders = !is_single || (force && settings_in(out).is_some());
        let (mut runs, mut has_acted) = (Vec::new(), vec![false; self.ideas.len()]);
        let each = self
            .engines
            .iter()
            .flat_map(|engine| self.runs.iter().map(move |new| (engine, new)));
        for (number, (engine, new)) in (1..).zip(each) {
            let (label, nodes) = (label(engine), new.conditions.terms.limit.nodes().unwrap_or(0));
            let folder = match has_folders {
                false => out.to_owned(),
                true => out.join(format!("{number:02}-{}-{nodes}", folder_name(&label))),
            };
            let run = |ideas: &[usize]| {
                let ideas = ideas.iter().map(|&idea| self.ideas[idea].clone()).collect();
                TuningRun::new(new.source(engine, ideas)?, root, Some(&folder), |_| (), force)
            };
            let (acting, left_out) = self.acting(engine, &run)?;
            for (reason, ideas) in left_out {
                note(&format!("left out at {label} {nodes}, {reason}: {}", ideas.join(", ")));
            }
            acting.iter().for_each(|idea| has_acted[*idea] = true);
            if !acting.is_empty() {
                runs.push(run(&acting)?);
            }
        }
        match has_acted.iter().position(|has_acted| !has_acted) {
            None => Ok(runs),
            Some(idea) => Err(Failure::input(
                format!("the idea `{}` changes nothing in any setting", name(&self.ideas[idea])),
                "leave it out, or name presets and hosts with what it changes",
            )),
        }
    }

    /// The ideas that can act in a setting, by their places, and the others by the reason why they cannot. `run` makes the run of
    /// the setting with some of the ideas.
    fn acting(
        &self,
        engine: &EngineDescription,
        run: &dyn Fn(&[usize]) -> Result<TuningRun, Failure>,
    ) -> Result<(Vec<usize>, LeftOut), Failure> {
        let is_host = matches!(engine.kind, EngineKind::External { .. });
        let is_foreign = |idea: &usize| is_host && self.ideas[*idea].contains_key("search");
        let (foreign, fitting): (Vec<usize>, Vec<usize>) = (0..self.ideas.len()).partition(is_foreign);
        let (mut acting, mut left_out) = (Vec::new(), LeftOut::new());
        let mut leave_out = |idea: usize, reason: String| {
            left_out.entry(reason).or_default().push(name(&self.ideas[idea]));
        };
        for idea in foreign {
            leave_out(idea, "which has a search of its own".to_owned());
        }
        if fitting.is_empty() {
            return Ok((acting, left_out));
        }
        let all = run(&fitting)?;
        let subject = &all.plan.subject;
        let host = subject.start.hosted_policy().and(subject.start.external_engine());
        // When the host does not say what it fills, or cannot be started, the first handshake of the run reports it.
        let session = host.and_then(|host| Session::start(host, &AtomicBool::new(false)).ok());
        let filled = session.as_ref().and_then(Session::filled_facts);
        for (place, idea) in fitting.into_iter().enumerate() {
            let missing = filled.map_or_else(Vec::new, |filled| subject.missing_facts(place, filled));
            if !missing.is_empty() {
                leave_out(idea, format!("which does not fill {}", missing.join(", ")));
            } else if acts(&all, place)? {
                acting.push(idea);
            } else if is_host {
                leave_out(idea, "where the policy stays the same".to_owned());
            } else {
                leave_out(idea, "where no search of the bench's positions changes".to_owned());
            }
        }
        Ok((acting, left_out))
    }
}

/// Whether an idea can act. It cannot when it changes nothing that the preset uses. Then searches of the bench's positions
/// are the same with it and without it. Both are searched without any other idea, and with all others: an idea may need
/// another one. Of a host the policy is compared.
fn acts(run: &TuningRun, idea: usize) -> Result<bool, Failure> {
    let (subject, conditions) = (&run.plan.subject, &run.plan.conditions);
    let nodes = conditions.terms.limit.nodes().unwrap_or(0);
    let limits = Limits::nodes(nodes.max(LEAST_NODES));
    for others in [0.0, 1.0] {
        let side = |has: f64| {
            let mut on = vec![others; subject.ideas.len()];
            on[idea] = has;
            subject.at(&on)
        };
        let (with, without) = (side(1.0)?, side(0.0)?);
        let (Some(with), Some(without)) = (with.own(), without.own()) else {
            let [with, without] = [&with, &without].map(|side| side.hosted_policy().map(HostedPolicy::sha256));
            if with != without {
                return Ok(true);
            }
            continue;
        };
        for fen in bench::POSITIONS {
            let position = Position::from_fen(fen).map_err(|error| Failure::run(error.to_string()))?;
            let game = Game::new(position);
            let report = |side: &OwnEngine| {
                let mut engine = Engine::new(Arc::clone(&side.preset), Arc::clone(&side.policy), conditions.hash_mib);
                let report = engine.search(&game, &limits, &AtomicBool::new(false));
                (report.nodes, report.depth, report.best, report.score)
            };
            if report(with) != report(without) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The folders of runs in a folder, in the order of their names.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    runs.retain(|path| path.join(MANIFEST.name()).is_file());
    runs.sort();
    runs
}

/// Refuses the folder of a run, and one with runs in it.
fn refuse_runs(out: &Path) -> Result<(), Failure> {
    let runs = runs_in(out);
    if runs.is_empty() && !out.join(MANIFEST.name()).exists() {
        return Ok(());
    }
    runs.iter().try_for_each(|run| refuse_running(run))?;
    let shown = out.display();
    Err(Failure::input(
        format!("`{shown}` holds runs already"),
        format!(
            "`lmrlab resume {shown}` resumes a trial; name another folder with `--out`, or replace it with `--force`"
        ),
    ))
}

/// The folders of a trial's settings; `None` when the folder is not that of a trial.
pub fn settings_in(folder: &Path) -> Option<Vec<PathBuf>> {
    if folder.join(MANIFEST.name()).exists() {
        return None;
    }
    let is_setting = |run: &PathBuf| {
        let name = run.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.split_once('-')).map(|(number, _)| number);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let mut runs = runs_in(folder);
    runs.retain(is_setting);
    // Only a look: a file that may be replaced must not be recorded as an input.
    let is_trial = |run: &PathBuf| {
        let text = text_file::peek_utf8(&run.join(MANIFEST.name()), MAX_MANIFEST);
        let table = text.ok().and_then(|text| text.parse::<Table>().ok());
        table.is_some_and(|table| {
            let method = table.get("tuning").and_then(|tuning| tuning.get("method"));
            method == Some(&"trial".into()) && !table.contains_key("part")
        })
    };
    (!runs.is_empty() && runs.iter().all(is_trial)).then_some(runs)
}

/// Removes the results that a trial in several settings replaces outside their folders: a run in `out` itself, and
/// settings that the trial does not have now.
///
/// # Errors
/// When one of them cannot be removed.
pub fn remove_earlier(out: &Path, settings: &[PathBuf]) -> Result<(), Failure> {
    let stale = match settings_in(out) {
        Some(earlier) => earlier.into_iter().filter(|run| !settings.contains(run)).collect(),
        None if out.join(MANIFEST.name()).exists() => vec![out.to_owned()],
        None => Vec::new(),
    };
    for folder in stale {
        ResultsFolder::check(&folder, true)?.create()?;
        // A folder with other files stays.
        let _ = std::fs::remove_dir(&folder);
    }
    for file in [TRIAL.name(), INTERACTIONS.name(), OUTCOME].map(|name| out.join(name)) {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Failure::write(&file, &error)),
            _ => {}
        }
    }
    Ok(())
}

/// The outcome of a trial in its settings, which have these folders.
///
/// # Errors
/// When a run cannot be read.
pub fn outcome(settings: &[PathBuf]) -> Result<Outcome, Failure> {
    let mut trials = Vec::new();
    for folder in settings {
        let run = TuningRun::opened(folder)?;
        let result = run.outcome()?;
        trials.push((run, result));
    }
    let trials = trials.iter().map(|(run, result)| (&run.plan, result));
    Ok(TrialTables::of(trials).outcome())
}
