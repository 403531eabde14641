//! The final matches of a tuning run: the tuned values against the start, from openings that tuning has not used.

use std::path::{Path, PathBuf};

use crate::plan::{FinalMatches, Plan};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{GAMES, GATE_OPENINGS, MANIFEST, ResultsFolder};
use lmrlab_results::manifest::{Invocation, Manifest};
use lmrlab_results::replacement::replace;
use lmrlab_results::tuning::FinalMatchResult;
use lmrlab_runner::conduct::event::RunObserver;
use lmrlab_runner::conduct::{conduct, first_handshake};
use lmrlab_runner::game::limit::{Limit, Terms};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::openings::Openings;
use lmrlab_runner::parts::executor::Machines;
use lmrlab_runner::record::no_verdict::TooManyFaults;
use lmrlab_runner::record::progress::{Ended, TournamentProgress};
use lmrlab_runner::record::recorded;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::description::{Conditions, Description, OpeningBooks};
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use lmrlab_runner::tournament::schedule::{Format, Order};
use lmrlab_stats::{Estimate, Pentanomial, Verdict};

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

/// The result of one match.
#[derive(Debug, Clone)]
pub struct FinalMatch {
    /// What each side could spend on a move or a game.
    pub limit: Limit,
    /// Counts of pairs, from the tuned side.
    pub pairs: Pentanomial,
    /// The verdict of the test; `Continue` when the pairs ran out before it was decided.
    pub verdict: Verdict,
    /// The faults that leave the test without a verdict, when there are too many of them.
    pub no_verdict: Option<TooManyFaults>,
}

impl FinalMatch {
    fn of(limit: Limit, progress: &TournamentProgress) -> Self {
        Self {
            limit,
            pairs: progress.tally.encounter(0, 1).pairs,
            verdict: progress.verdict().unwrap_or(Verdict::Continue),
            no_verdict: progress.no_verdict(),
        }
    }

    /// The table of result.toml about it.
    pub fn result(&self) -> FinalMatchResult {
        let estimate = Estimate::of(&self.pairs);
        FinalMatchResult {
            limit: self.limit.to_string(),
            pentanomial: self.pairs.counts(),
            elo: estimate.map(|estimate| estimate.elo.0),
            elo_error_95: estimate.and_then(|estimate| Some(estimate.elo_error_95?.0)),
            verdict: match (&self.no_verdict, self.verdict) {
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
        let limit = run.description()?.0.conditions.terms.limit;
        final_matches.push(FinalMatch::of(limit, &run.progress()?));
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
    machines: &mut Machines,
    interrupt: &Interrupt,
    observe: &mut dyn FnMut() -> Box<dyn RunObserver<TournamentProgress>>,
    invocation: &Invocation,
) -> Result<Option<Vec<FinalMatch>>, Failure> {
    let (file, openings) = openings(plan, folder)?;
    let limits = [plan.conditions.terms.limit, plan.conditions.terms.limit.longer()];
    let mut final_matches: Vec<FinalMatch> = Vec::new();
    for (name, limit) in FOLDERS.into_iter().zip(limits) {
        if final_matches.iter().any(|one| one.verdict == Verdict::AcceptH0) {
            break;
        }
        let engines = vec![plan.subject.at(values), plan.subject.before()];
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
                        order: Order::Sequential,
                        ..OpeningBooks::of(file.clone())
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
            openings.clone(),
            plan.tablebases.clone(),
            (&plan.files, &plan.root),
        );
        let path = folder.path().join(name);
        let progress = play_match(&tournament, &path, machines, interrupt, observe, invocation)?;
        if progress.end() == Ended::Interrupted {
            return Ok(None);
        }
        final_matches.push(FinalMatch::of(limit, &progress));
    }
    Ok(Some(final_matches))
}

fn play_match(
    tournament: &Tournament,
    path: &Path,
    machines: &mut Machines,
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
        (Recorder::resume(folder, progress, recorded)?, manifest)
    } else {
        let folder = ResultsFolder::check(path, path.exists())?;
        let manifest = recorded::manifest(tournament, invocation, path)?;
        let recorded = Recorded::of(tournament, &manifest);
        (Recorder::create(folder, progress, recorded, &manifest)?, manifest)
    };
    let run = (&mut recorder, &manifest);
    let ended = conduct(tournament.arena(), run, None, machines, interrupt, &mut *observe());
    let progress = recorder.finish()?;
    ended.map(|()| progress)
}

/// The openings that are reserved for the matches, as a file in the folder of the run.
fn openings(plan: &Plan, folder: &ResultsFolder) -> Result<(PathBuf, Openings), Failure> {
    let (_, fresh) = plan.opening_order();
    let lines = fresh.iter().filter_map(|index| plan.openings.fen(*index as usize));
    let text: String = lines.flat_map(|fen| [fen, "\n"]).collect();
    replace(folder, GATE_OPENINGS, text.as_bytes())?;
    let path = folder.file(GATE_OPENINGS);
    let absolute = std::path::absolute(&path).unwrap_or(path);
    match Openings::load(&absolute, None, plan.conditions.variant) {
        Ok((openings, ..)) => Ok((absolute, openings)),
        Err(report) => Err(report.into()),
    }
}
