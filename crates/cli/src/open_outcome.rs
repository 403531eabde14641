//! Reads the outcome of a command from its folder again. The manifest says which command wrote it.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::ablation::AblationTables;
use lmrlab_lab::audit::AuditTables;
use lmrlab_lab::bench::BenchTables;
use lmrlab_lab::explanation::ExplanationTables;
use lmrlab_lab::host_check::outcome::HostCheckTables;
use lmrlab_lab::ideas::outcome::IdeaTables;
use lmrlab_lab::profile::ProfileTables;
use lmrlab_lab::reductions::ReductionTables;
use lmrlab_lab::suite::SuiteTables;
use lmrlab_lab::sweep::SweepTables;
use lmrlab_report::index::runs_below;
use lmrlab_results::folder::{MANIFEST, MAX_MANIFEST};
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::{About, OUTCOME};
use lmrlab_results::text_file;
use lmrlab_runner::comparison::ComparisonTables;
use lmrlab_runner::rating::outcome::RatingTables;
use lmrlab_runner::run::Run;
use lmrlab_runner::sprt_outcome::{JudgedTables, MatchErrorTables, PlannedTables};
use lmrlab_tune::learning;
use lmrlab_tune::trial_outcome::TrialTables;
use lmrlab_tune::tuning_run::TuningRun;
use toml::Table;

/// The outcome in a folder, or of the tuning run or the trial in it; `None` when it has another result.
///
/// # Errors
/// When a file cannot be read, or this program knows no such command.
pub(crate) fn open(folder: &Path) -> Result<Option<Outcome>, Failure> {
    if let Some(settings) = settings_below(folder) {
        return of_trial(&settings).map(Some);
    }
    if About::is_in(folder) {
        return written(folder).map(Some);
    }
    match folder.join(MANIFEST.name()).is_file() && Run::open(folder)?.manifest().kind == RunKind::Tuning {
        true => learning::outcome(&TuningRun::opened(folder)?).map(Some),
        false => Ok(None),
    }
}

/// The outcome in a folder with its manifest.
fn written(folder: &Path) -> Result<Outcome, Failure> {
    let about = About::load(folder)?;
    let conditions = &about.conditions;
    Ok(match about.kind.as_str() {
        "ablate" => AblationTables::read(folder)?.outcome(conditions),
        "audit" => AuditTables::read(folder)?.outcome(conditions),
        "bench" => BenchTables::read(folder)?.outcome(conditions),
        "compare" => ComparisonTables::read(folder)?.outcome(conditions),
        "explain" => ExplanationTables::read(folder)?.outcome(conditions),
        "idea" => IdeaTables::read(folder)?.outcome(),
        "policy" => ReductionTables::read(folder)?.outcome(conditions),
        "profile" => ProfileTables::read(folder)?.outcome(conditions),
        "rate" => RatingTables::read(folder)?.outcome(conditions),
        "sweep" => SweepTables::read(folder)?.outcome(conditions),
        "suite" => SuiteTables::read(folder)?.outcome(conditions),
        "host-check" => HostCheckTables::read(folder)?.outcome(conditions),
        "sprt" => JudgedTables::read(folder)?.outcome(conditions),
        "sprt-plan" => PlannedTables::read(folder)?.outcome(conditions),
        "sprt-match" => MatchErrorTables::read(folder)?.outcome(conditions),
        "trial" => TrialTables::read(folder)?.outcome(),
        other => {
            return Err(Failure::input(
                format!(
                    "`{}` is of `{other}`, which this program does not know",
                    folder.join(OUTCOME).display()
                ),
                "use the version of lmrlab that wrote the folder",
            ));
        }
    })
}

/// The folders of a trial's settings; `None` when the folder is not that of a trial.
pub(crate) fn settings_below(folder: &Path) -> Option<Vec<PathBuf>> {
    if !folder.is_dir() || folder.join(MANIFEST.name()).exists() {
        return None;
    }
    let is_setting = |run: &PathBuf| {
        let name = run.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.split_once('-')).map(|(number, _)| number);
        run.parent() == Some(folder) && number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let runs: Vec<PathBuf> = runs_below(folder).into_iter().filter(is_setting).collect();
    // Only a look: a file that may be replaced must not be recorded as an input.
    let is_trial = |run: &PathBuf| {
        let text = text_file::peek_utf8(&run.join(MANIFEST.name()), MAX_MANIFEST);
        let table = text.ok().and_then(|text| text.parse::<Table>().ok());
        table.is_some_and(|table| table.get("tuning").and_then(|tuning| tuning.get("method")) == Some(&"trial".into()))
    };
    (!runs.is_empty() && runs.iter().all(is_trial)).then_some(runs)
}

/// The outcome of a trial in its settings, which have these folders.
pub(crate) fn of_trial(settings: &[PathBuf]) -> Result<Outcome, Failure> {
    let mut trials = Vec::new();
    for run in settings {
        let session = TuningRun::opened(run)?;
        let result = session.outcome()?;
        trials.push((session, result));
    }
    let trials = trials.iter().map(|(session, result)| (&session.plan, result));
    Ok(TrialTables::of(trials).outcome())
}
