//! Reads the outcome of a command from its folder again. The manifest says which command wrote it.

use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::audit::AuditTables;
use lmrlab_lab::bench::BenchTables;
use lmrlab_lab::experiment::{AblationTables, SweepTables};
use lmrlab_lab::explanation::ExplanationTables;
use lmrlab_lab::host_check::outcome::HostCheckTables;
use lmrlab_lab::ideas::outcome::IdeaTables;
use lmrlab_lab::profile::ProfileTables;
use lmrlab_lab::reductions::ReductionTables;
use lmrlab_lab::suite::SuiteTables;
use lmrlab_results::folder::MANIFEST;
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::{About, OUTCOME};
use lmrlab_runner::comparison::ComparisonTables;
use lmrlab_runner::rating::outcome::RatingTables;
use lmrlab_runner::run::Run;
use lmrlab_runner::sprt_outcome::{JudgedTables, MatchErrorTables, PlannedTables};
use lmrlab_tune::outcome::learning;
use lmrlab_tune::outcome::trial::TrialTables;
use lmrlab_tune::run::TuningRun;
use lmrlab_tune::settings;

/// The outcome in a folder, or of the tuning run or the trial in it; `None` when it has another result.
///
/// # Errors
/// When a file cannot be read, or this program knows no such command.
pub(crate) fn open(folder: &Path) -> Result<Option<Outcome>, Failure> {
    if let Some(settings) = settings::settings_in(folder) {
        return settings::outcome(&settings).map(Some);
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
