//! A trial in several settings: a preset or a host, and the nodes of a move. Each setting is a run in a folder of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_diagnostics::Diagnostic;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::bench;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_results::folder::{INTERACTIONS, MANIFEST, MAX_MANIFEST, ResultsFolder, TRIAL, folder_name, refuse_running};
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::OUTCOME;
use lmrlab_results::text_file;
use lmrlab_runner::player::uci::Session;
use lmrlab_runner::tournament::description::{EngineDescription, EngineKind};
use toml::{Table, Value};

use crate::new_run::NewRun;
use crate::outcome::trial::{TrialTables, host_label};
use crate::run::TuningRun;

/// The key of an idea about the search in the file of a trial.
const SEARCH: &str = "search";

/// The least number of nodes in searches that show whether an idea can act. A shorter search may give an idea no
/// chance.
const LEAST_NODES: u64 = 10_000;

/// A trial as it is asked for.
pub struct Settings {
    /// For each number of nodes a move, the run without its engine and its ideas.
    pub runs: Vec<NewRun>,
    /// The ideas, as in the file of a run.
    pub ideas: Vec<Table>,
    /// The engine of each setting: a host, or the project's own engine with a preset.
    pub engines: Vec<EngineDescription>,
}

/// What one setting has.
struct Setting<'s> {
    engine: &'s EngineDescription,
    run: &'s NewRun,
    /// The name of the preset, or the file name of the host's program.
    label: String,
    is_host: bool,
    folder: PathBuf,
}

/// The name of the engine of a setting in tables: that of the preset, or the file name of the host's program.
pub fn label(engine: &EngineDescription) -> String {
    match &engine.kind {
        EngineKind::External { command, .. } => host_label(&command.value),
        EngineKind::Own { preset, .. } => preset.value.clone(),
    }
}

impl Settings {
    /// The runs of the settings, each with the ideas that can act in it, in `out` or in folders below it. `note` gets the
    /// ideas that are left out.
    ///
    /// # Errors
    /// When anything is wrong with the trial, or an idea acts nowhere.
    pub fn runs(
        &self,
        root: &Path,
        out: &Path,
        force: bool,
        note: &mut dyn FnMut(&str),
    ) -> Result<Vec<TuningRun>, Failure> {
        let count = self.engines.len() * self.runs.len();
        let is_single = count == 1;
        if !is_single && !force {
            refuse_runs(out)?;
        }
        // When the folder has settings of an earlier trial, the new trial has folders for settings, too.
        let has_folders = !is_single || (force && settings_in(out).is_some());
        let (mut runs, mut changes, mut start) = (Vec::new(), vec![false; self.ideas.len()], String::new());
        let mut names: Vec<String> = vec![String::new(); self.ideas.len()];
        let engines = self.engines.iter();
        let each = engines.flat_map(|engine| self.runs.iter().map(move |run| (engine, run)));
        for (number, (engine, run)) in (1..).zip(each) {
            let label = label(engine);
            let nodes = run.conditions.terms.limit.nodes().unwrap_or(0);
            let setting = Setting {
                engine,
                run,
                is_host: matches!(engine.kind, EngineKind::External { .. }),
                folder: match has_folders {
                    false => out.to_owned(),
                    true => out.join(format!("{number:02}-{}-{nodes}", folder_name(&label))),
                },
                label,
            };
            let is_foreign = |idea: &usize| setting.is_host && self.ideas[*idea].contains_key(SEARCH);
            let (foreign, fitting): (Vec<usize>, Vec<usize>) = (0..self.ideas.len()).partition(is_foreign);
            let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for idea in foreign {
                let name = self.ideas[idea].get(SEARCH).and_then(Value::as_str).unwrap_or_default();
                let reason = "which has a search of its own".to_owned();
                left_out.entry(reason).or_default().push(name.to_owned());
            }
            let mut run = None;
            if !fitting.is_empty() {
                let all = self.run(&setting, &fitting, (root, force))?;
                let mut acting = Vec::new();
                for (place, missing) in missing_facts(&all, is_single)?.into_iter().enumerate() {
                    let (idea, subject) = (fitting[place], &all.plan.subject);
                    names[idea] = subject.ideas[place].shown();
                    start.clone_from(&subject.start.name);
                    changes[idea] |= subject.changes(place).map_err(input)?;
                    let reason = match missing.is_empty() {
                        false => format!("which does not fill {}", missing.join(", ")),
                        true if changes[idea] && (setting.is_host || acts(&all, place)?) => {
                            acting.push(idea);
                            continue;
                        }
                        true => "where no search of the bench's positions changes".to_owned(),
                    };
                    left_out.entry(reason).or_default().push(names[idea].clone());
                }
                run = match acting.len() {
                    0 => None,
                    some if some == fitting.len() => Some(all),
                    _ => Some(self.run(&setting, &acting, (root, force))?),
                };
            }
            for (reason, ideas) in left_out {
                let (label, ideas) = (&setting.label, ideas.join(", "));
                note(&format!("left out at {label} {nodes}, {reason}: {ideas}"));
            }
            runs.extend(run);
        }
        if let Some((idea, _)) = (names.iter().zip(&changes)).find(|(_, changes)| !**changes) {
            return Err(Failure::input(
                format!("the idea `{idea}` changes nothing"),
                format!("`{start}` is like that already"),
            ));
        }
        if runs.is_empty() {
            return Err(Failure::input(
                "no idea can act in any setting",
                "name other ideas, or presets and hosts that have what the ideas change",
            ));
        }
        Ok(runs)
    }

    /// The run of a setting with some of the ideas.
    fn run(&self, setting: &Setting<'_>, ideas: &[usize], (root, force): (&Path, bool)) -> Result<TuningRun, Failure> {
        let ideas = ideas.iter().map(|&idea| self.ideas[idea].clone()).collect();
        let source = setting.run.source(setting.engine, ideas)?;
        TuningRun::new(source, root, Some(&setting.folder), |_| (), force)
    }
}

/// For each idea of a run, the facts that it needs and that the host does not fill. With one setting such an idea is an
/// error.
fn missing_facts(run: &TuningRun, is_single: bool) -> Result<Vec<Vec<String>>, Failure> {
    let subject = &run.plan.subject;
    let host = subject.start.hosted_policy().and(subject.start.external_engine());
    // When the host does not say what it fills, or cannot be started, the first handshake of the run reports it.
    let session = host.and_then(|host| Session::start(host, &AtomicBool::new(false)).ok());
    let Some(filled) = session.as_ref().and_then(Session::filled_facts) else {
        return Ok(vec![Vec::new(); subject.ideas.len()]);
    };
    let missing: Vec<Vec<String>> = (0..subject.ideas.len())
        .map(|place| subject.missing_facts(place, filled))
        .collect();
    let mut ideas = missing.iter().zip(&subject.ideas);
    let Some((missing_here, idea)) = ideas.find(|(missing, _)| is_single && !missing.is_empty()) else {
        return Ok(missing);
    };
    let facts: Vec<String> = missing_here.iter().map(|fact| format!("`{fact}`")).collect();
    Err(Failure::input(
        format!(
            "the idea `{}` cannot be tried on `{}`: it reads facts that the engine does not fill: {}",
            idea.name(),
            subject.start.name,
            facts.join(", ")
        ),
        "leave the idea out, or let the engine fill them",
    ))
}

fn input(error: Diagnostic) -> Failure {
    Failure::input(error.message, error.help.unwrap_or_default())
}

/// Whether an idea can act. It cannot when it changes nothing that the preset uses. Then searches of the bench's positions
/// are the same with it and without it. Both are searched without any other idea, and with all others: an idea may need
/// another one.
fn acts(run: &TuningRun, idea: usize) -> Result<bool, Failure> {
    let (subject, conditions) = (&run.plan.subject, &run.plan.conditions);
    let nodes = conditions.terms.limit.nodes().unwrap_or(0);
    let limits = Limits::nodes(nodes.max(LEAST_NODES));
    for others in [0.0, 1.0] {
        let side = |has: f64| {
            let mut on = vec![others; subject.ideas.len()];
            on[idea] = has;
            let engine = subject.at(&on)?;
            Ok::<_, Failure>(
                engine
                    .own()
                    .map(|own| (Arc::clone(&own.preset), Arc::clone(&own.policy))),
            )
        };
        let (Some(with), Some(without)) = (side(1.0)?, side(0.0)?) else {
            return Ok(false);
        };
        for fen in bench::POSITIONS {
            let position = Position::from_fen(fen).map_err(|error| Failure::run(error.to_string()))?;
            let game = Game::new(position);
            let report = |(preset, policy): &(_, _)| {
                let mut engine = Engine::new(Arc::clone(preset), Arc::clone(policy), conditions.hash_mib);
                let report = engine.search(&game, &limits, &AtomicBool::new(false));
                (report.nodes, report.depth, report.best, report.score)
            };
            if report(&with) != report(&without) {
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
