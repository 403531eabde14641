//! The final matches of a tuning run: the tuned values against the start, from openings that tuning has not used.

use std::path::Path;

use crate::plan::{FinalMatches, Plan};
use crate::run::result_file::FinalMatchResult;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{GAMES, MANIFEST, ResultsFolder};
use lmrlab_results::manifest::{Invocation, Manifest};
use lmrlab_runner::conduct::event::RunObserver;
use lmrlab_runner::conduct::{conduct, first_handshake};
use lmrlab_runner::game::limit::{Limit, Terms};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::parts::executor::Executor;
use lmrlab_runner::record::progress::{Ended, TournamentProgress};
use lmrlab_runner::record::recorded_files;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::description::{Conditions, Description, OpeningBooks};
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use lmrlab_runner::tournament::schedule::Format;
use lmrlab_stats::{Estimate, Verdict};

/// The folders of the two matches: at the limit of the run, and at one four times as long.
const FOLDERS: [&str; 2] = ["gate-1", "gate-4"];

/// Removes the matches of a run that is replaced.
///
/// # Errors
/// When another process is writing to one of them, or the file system refuses.
pub fn remove(folder: &Path) -> Result<(), Failure> {
    for path in FOLDERS.map(|name| folder.join(name)) {
        if path.is_dir() {
            ResultsFolder::check(&path, true)?.create()?;
            let _ = std::fs::remove_dir(&path);
        }
    }
    Ok(())
}

/// One match, and its results so far.
#[derive(Debug, Clone)]
pub struct FinalMatch {
    /// What each side could spend on a move or a game.
    pub limit: Limit,
    /// Its pairs, from the tuned side.
    pub progress: TournamentProgress,
}

impl FinalMatch {
    /// The verdict of the test; `Continue` when the pairs ran out before it was decided.
    pub fn verdict(&self) -> Verdict {
        self.progress.verdict().unwrap_or(Verdict::Continue)
    }

    /// The table of result.toml about it.
    pub(crate) fn result(&self) -> FinalMatchResult {
        let pairs = self.progress.tally.encounter(0, 1).pairs;
        let estimate = Estimate::of(&pairs);
        FinalMatchResult {
            limit: self.limit.to_string(),
            pentanomial: pairs.counts(),
            elo: estimate.map(|estimate| estimate.elo.0),
            elo_error_95: estimate.and_then(|estimate| Some(estimate.elo_error_95?.0)),
            verdict: match (self.progress.no_verdict(), self.verdict()) {
                (Some(faults), _) => format!("no verdict, {faults}"),
                (None, Verdict::AcceptH1) => "gain".to_owned(),
                (None, Verdict::AcceptH0) => "no gain".to_owned(),
                (None, Verdict::Continue) => "undecided".to_owned(),
            },
        }
    }
}

/// The results of the matches of a run so far. Writes nothing.
///
/// # Errors
/// When one of them cannot be read.
pub fn final_matches(folder: &Path) -> Result<Vec<FinalMatch>, Failure> {
    let mut final_matches = Vec::new();
    for name in FOLDERS {
        let path = folder.join(name);
        if !path.join(GAMES.name()).exists() {
            break;
        }
        let run = Run::open(&path)?;
        final_matches.push(FinalMatch {
            limit: run.description()?.0.conditions.terms.limit,
            progress: run.progress()?,
        });
    }
    Ok(final_matches)
}

/// Plays the matches, or resumes them. The second match is played unless the first one showed no gain. `None` when the run
/// was asked to stop.
///
/// # Errors
/// When a file cannot be written or an engine panics.
pub fn play(
    (plan, matches): (&Plan, &FinalMatches),
    values: &[f64],
    folder: &ResultsFolder,
    executor: Option<&Executor>,
    interrupt: &Interrupt,
    observe: &mut dyn FnMut() -> Box<dyn RunObserver<TournamentProgress>>,
    invocation: &Invocation,
) -> Result<Option<Vec<FinalMatch>>, Failure> {
    let limits = [plan.conditions.terms.limit, plan.conditions.terms.limit.longer()];
    let mut final_matches: Vec<FinalMatch> = Vec::new();
    for (name, limit) in FOLDERS.into_iter().zip(limits) {
        if final_matches.iter().any(|one| one.verdict() == Verdict::AcceptH0) {
            break;
        }
        let engines = vec![plan.subject.at(values)?, plan.subject.before()?];
        let tournament = Tournament::match_of(
            Description {
                name: name.to_owned(),
                description: format!("{}: tuned against start", plan.name),
                format: Format::Match,
                gauntlet_engine: None,
                pairs: Some(matches.pairs),
                conditions: Conditions {
                    threads: Some(plan.threads),
                    openings: OpeningBooks {
                        start: plan.first_reserved(),
                        ..plan.conditions.openings.clone()
                    },
                    terms: Terms {
                        limit,
                        margin: plan.conditions.terms.margin,
                    },
                    ..plan.conditions.clone()
                },
                pgn: PgnStyle::None,
                pin: None,
                sprt: Some(matches.sprt),
                race: None,
                engines: engines.iter().map(Entrant::description).collect(),
            },
            engines,
            plan.openings.clone(),
            plan.tablebases.clone(),
            (&plan.files, &plan.root),
        );
        let path = folder.path().join(name);
        let progress = play_match(&tournament, &path, executor, interrupt, observe, invocation)?;
        if progress.end() == Ended::Interrupted {
            return Ok(None);
        }
        final_matches.push(FinalMatch { limit, progress });
    }
    Ok(Some(final_matches))
}

fn play_match(
    tournament: &Tournament,
    path: &Path,
    executor: Option<&Executor>,
    interrupt: &Interrupt,
    observe: &mut dyn FnMut() -> Box<dyn RunObserver<TournamentProgress>>,
    invocation: &Invocation,
) -> Result<TournamentProgress, Failure> {
    // Tuning has checked that the options are within their bounds.
    first_handshake(
        &tournament.engines,
        tournament.description.conditions.hash_mib,
        interrupt,
    )?;
    let progress = TournamentProgress::of(tournament);
    let (mut recorder, manifest) = if path.join(MANIFEST.name()).exists() {
        let folder = ResultsFolder::existing(path)?;
        let manifest = Manifest::load(folder.path())?;
        manifest.check_unedited(path)?;
        let recorded = Recorded::of(tournament, &manifest);
        (Recorder::resume(&folder, progress, recorded)?, manifest)
    } else {
        let folder = ResultsFolder::check(path, path.exists())?;
        let manifest = recorded_files::manifest(tournament, invocation, path)?;
        let recorded = Recorded::of(tournament, &manifest);
        (Recorder::create(folder, progress, recorded, &manifest)?, manifest)
    };
    let run = (&mut recorder, &manifest);
    let ended = conduct(tournament.arena(), run, None, executor, interrupt, &mut *observe());
    let progress = recorder.finish()?;
    ended.map(|()| progress)
}
