//! Reads results again: the outcome in the folder of a command or of a run, its page, its line in a list. The manifest says
//! which command wrote it.

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
use lmrlab_results::folder::{GAMES, MANIFEST};
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::{About, OUTCOME};
use lmrlab_results::report;
use lmrlab_results::report::index::Listed;
use lmrlab_results::report::page::{Page, RELOAD_SECONDS};
use lmrlab_runner::comparison::ComparisonTables;
use lmrlab_runner::outcome;
use lmrlab_runner::rating::outcome::RatingTables;
use lmrlab_runner::run::Run;
use lmrlab_runner::sprt_outcome::{JudgedTables, MatchErrorTables, PlannedTables};
use lmrlab_tune::outcome::learning;
use lmrlab_tune::outcome::trial::TrialTables;
use lmrlab_tune::run::TuningRun;
use lmrlab_tune::trial_settings;

/// The outcome in a folder, or of the tuning run or the trial in it; `None` when it has another result.
///
/// # Errors
/// When a file cannot be read, or this program knows no such command.
pub(crate) fn open(folder: &Path) -> Result<Option<Outcome>, Failure> {
    if let Some(settings) = trial_settings::settings_in(folder) {
        return trial_settings::outcome(&settings).map(Some);
    }
    if About::is_in(folder) {
        return written(folder).map(Some);
    }
    match folder.join(MANIFEST.name()).is_file() && Run::open(folder)?.manifest().kind == RunKind::Tuning {
        true => learning::outcome(&TuningRun::opened(folder)?).map(Some),
        false => Ok(None),
    }
}

/// The page of a folder. The games of these numbers can be replayed on it, and others where there is room.
///
/// # Errors
/// When it is not a result of lmrlab, cannot be read, or has no game of such a number.
pub(crate) fn page(folder: &Path, games: &[u64]) -> Result<Page, Failure> {
    if !games.is_empty() && !folder.join(GAMES.name()).exists() {
        return Err(Failure::input(
            format!("`{}` has no {} to take a game from", folder.display(), GAMES.name()),
            "games can be chosen from the folder of a run",
        ));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let page = |found: &Outcome| report::outcome::page(found, &name);
    let found = open(folder)?;
    if !folder.join(MANIFEST.name()).exists() {
        return match found {
            Some(found) => Ok(page(&found)),
            None if outcome::has_files(folder) => Ok(report::outcome::page(&outcome::of_files(folder)?, "")),
            None => Err(unknown(folder)),
        };
    }
    let run = Run::open(folder)?;
    let mut pages = Vec::new();
    if run.manifest().kind == RunKind::Tournament {
        // The games of an ablation or a sweep follow what was measured.
        pages.extend(found.as_ref().map(page));
        let games = outcome::for_page(outcome::found(&run)?, &run, games)?;
        pages.push(report::outcome::page(&games, ""));
    } else if let Some(found) = found {
        pages.push(page(&outcome::for_page(found, &run, games)?));
    }
    let reload_seconds = run.is_running().then_some(RELOAD_SECONDS);
    Ok(Page {
        reload_seconds,
        ..Page::joined(pages)
    })
}

fn unknown(folder: &Path) -> Failure {
    let shown = folder.display();
    let what = match (folder.exists(), folder.is_dir()) {
        (false, _) => format!("`{shown}` does not exist"),
        (true, false) => format!("`{shown}` is not a folder"),
        (true, true) => format!("`{shown}` holds no result of lmrlab"),
    };
    Failure::input(
        what,
        "name the folder of a run, or one that another command wrote with `--out`",
    )
}

/// What a list says of the result in a folder.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn listed(folder: &Path) -> Result<Listed, Failure> {
    if !folder.join(MANIFEST.name()).is_file() {
        let about = About::load(folder)?;
        let conditions = (!about.conditions.is_empty()).then(|| format!("{}.", about.conditions));
        let verdict = written(folder)?.verdict;
        return Ok(Listed {
            kind: about.kind,
            begun: about.written,
            verdict: conditions.into_iter().chain(verdict).collect(),
        });
    }
    let run = Run::open(folder)?;
    let begun = run.manifest().started.to_string();
    let (kind, verdict) = if run.manifest().kind == RunKind::Tournament {
        let found = outcome::found(&run)?;
        (found.conditions, found.verdict)
    } else {
        let is_trial = run.manifest().description().contains_key("idea");
        let found = open(folder)?.unwrap_or_default();
        let verdict = run.note().into_iter().chain(found.verdict);
        (if is_trial { "trial" } else { "tuning" }.to_owned(), verdict.collect())
    };
    Ok(Listed { kind, begun, verdict })
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
