//! What all commands share that play a tournament: from its validated description to results on disk and on the terminal.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use lmrlab_diagnostics::Diagnostics;

use super::machines::{Machines, hosts_text};
use crate::advice::{of_interrupted, with_resume};
use crate::invocation::invocation;
use crate::output_files::refuse_unwritable;
use crate::pages::Fresh;
use crate::print::{print_err, print_note, print_out, print_warnings};
use crate::progress;
use crate::stop_signal::on_stop;
use crate::trust;
use lmrlab_results::failure::{Failure, warning};
use lmrlab_results::folder::{MANIFEST, ResultsFolder, refuse_running};
use lmrlab_results::manifest::Manifest;
use lmrlab_results::outcome::text::text;
use lmrlab_results::output_file;
use lmrlab_results::paths::absolute;
use lmrlab_results::replacement::replace;
use lmrlab_runner::conduct::event::Event;
use lmrlab_runner::conduct::{conduct, first_handshake};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::outcome;
use lmrlab_runner::outcome::sentences::ending;
use lmrlab_runner::player::traffic_log::TrafficLog;
use lmrlab_runner::player::uci::guard::Guard;
use lmrlab_runner::record::progress::{Ended, TournamentProgress};
use lmrlab_runner::record::recorded;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::defaults::MAX_THREADS;
use lmrlab_runner::tournament::faults_allowed::FaultsAllowed;
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use toml::Table;

/// A tournament that will be played.
pub(crate) struct Session {
    pub(crate) tournament: Tournament,
    pub(crate) warnings: Vec<Diagnostics>,
    pub(crate) out: PathBuf,
    pub(crate) force: bool,
    pub(crate) display: Display,
    pub(crate) machines: Machines,
    /// Whether it is one of several matches that separate the differences between the engines. Then it needs no note
    /// about them.
    pub(crate) takes_apart: bool,
    /// The experiment that the games belong to, for the manifest. Then the command prints its outcome in the place of that of
    /// the games.
    pub(crate) experiment: Option<Table>,
}

impl Session {
    /// Plays the tournament, and prints the outcome on standard output.
    pub(crate) fn play(self) -> Result<(), Failure> {
        self.play_until(listen)
    }

    /// The same. `listen` returns the interrupt that stops the run.
    pub(super) fn play_until(
        mut self,
        listen: impl FnOnce() -> Result<Arc<Interrupt>, Failure>,
    ) -> Result<(), Failure> {
        suggest_resume(&self.out, self.force)?;
        let folder = ResultsFolder::check(&self.out, self.force)?;
        let mut manifest = recorded::manifest(&self.tournament, &invocation(), folder.path())?;
        if let Some(experiment) = &self.experiment {
            manifest = manifest.with_experiment(experiment.clone())?;
        }
        self.check_log(&folder, "name another file, or overwrite it with --force")?;
        self.tournament.arena().tables().check()?;
        self.warn();
        let interrupt = listen()?;
        let guard = self.guard();
        trust::record(&self.tournament.engines, None);
        self.try_engines(&interrupt)?;
        let progress = TournamentProgress::of(&self.tournament);
        let recorded = Recorded::of(&self.tournament, &manifest);
        let recorder = Recorder::create(folder, progress, recorded, &manifest)?;
        self.conduct((recorder, &manifest), guard, &interrupt)
    }

    /// Resumes the tournament where an earlier run ended. `listen` returns the interrupt that stops the run. The
    /// manifest may have more openings than the one in the folder.
    pub(super) fn resume_until(
        mut self,
        manifest: &Manifest,
        listen: impl FnOnce() -> Result<Arc<Interrupt>, Failure>,
    ) -> Result<(), Failure> {
        let folder = ResultsFolder::existing(&self.out)?;
        self.check_log(&folder, "name another file")?;
        self.tournament.arena().tables().check()?;
        self.warn();
        let interrupt = listen()?;
        let guard = self.guard();
        self.try_engines(&interrupt)?;
        let progress = TournamentProgress::of(&self.tournament);
        let recorded = Recorded::of(&self.tournament, manifest);
        let recorder = Recorder::resume(folder.clone(), progress, recorded)?;
        // The journal is locked now, and has no pair of the new openings.
        if Manifest::load(&self.out)?.to_toml() != manifest.to_toml() {
            replace(&folder, MANIFEST, manifest.to_toml().as_bytes())?;
        }
        self.conduct((recorder, manifest), guard, &interrupt)
    }

    /// Starts each program once, before anything is written, and prints warnings about its options.
    fn try_engines(&self, interrupt: &Interrupt) -> Result<(), Failure> {
        let hash = self.tournament.description.conditions.hash_mib;
        let warnings = first_handshake(&self.tournament.engines, hash, interrupt)?;
        warnings.iter().for_each(print_warnings);
        Ok(())
    }

    fn conduct(
        &mut self,
        (mut recorder, manifest): (Recorder<TournamentProgress>, &Manifest),
        guard: Option<Guard>,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        self.note();
        let mut observer = progress::observer(self.display.quiet, self.display.json_lines);
        let log = self.log()?;
        let fresh = self.display.report.then(|| Fresh::begin(&self.out));
        let ended = conduct(
            self.tournament.arena(),
            (&mut recorder, manifest),
            log.clone(),
            &mut self.machines,
            interrupt,
            &mut *observer,
        );
        guard.into_iter().for_each(Guard::end);
        // After a failure, the recorded pairs still get their standings.
        let progress = recorder.finish();
        // A folder that was removed during the run gets no page.
        if let Some(fresh) = fresh.filter(|_| self.out.is_dir()) {
            let is_complete = progress
                .as_ref()
                .is_ok_and(|progress| progress.end() == Ended::Complete);
            fresh.end(self.experiment.is_some() && ended.is_ok() && is_complete);
        }
        if let Some(log) = log {
            log.end()?;
        }
        let hint = |failure| with_resume(failure, &self.out, &self.out);
        ended.map_err(hint)?;
        let mut progress = progress.map_err(hint)?;
        let ended = progress.end();
        if self.display.json_lines {
            observer.on_event(Event::Ended { ended: Some(ended) }, &mut progress);
            return interrupted_if(ended == Ended::Interrupted);
        }
        if self.experiment.is_some() && ended != Ended::Interrupted {
            return Ok(());
        }
        let (found, _) = outcome::of(&Run::open(&self.out)?, &mut |_| ())?;
        let mut text = format!("\n{}\n{}", text(&found), ending(ended, &progress, &self.out));
        let hosts = hosts_text(&self.out)?;
        if !hosts.is_empty() {
            text.push_str(&format!("{hosts}\n"));
        }
        if ended == Ended::Interrupted {
            text.push_str(&format!("Resume with: lmrlab resume {}\n", self.out.display()));
        }
        text.push_str(&format!("Results are in {}\n", self.out.display()));
        print_out(&text);
        interrupted_if(ended == Ended::Interrupted)
    }

    /// The log of the lines to and from programs, when one is asked for.
    fn log(&self) -> Result<Option<Arc<TrafficLog>>, Failure> {
        let log = self.display.log.as_ref().map(|path| TrafficLog::open(path));
        Ok(log.transpose()?.map(Arc::new))
    }

    /// Refuses a log that would be empty, and one that takes the place of another file. The inputs must have been read.
    /// `advice` is about another file.
    fn check_log(&self, folder: &ResultsFolder, advice: &str) -> Result<(), Failure> {
        let Some(log) = &self.display.log else {
            return Ok(());
        };
        if matches!(self.machines, Machines::Cluster(_)) {
            return Err(Failure::input(
                "`--log` is for games that are played in this process",
                "leave out `--log` or `--executor`; faults.log in the folder of the run has the last lines before each fault",
            ));
        }
        if !self.has_programs() {
            return Err(Failure::input(
                "`--log` writes what programs say, and no engine of this run is a program",
                "leave out `--log`, or write an engine as `cmd=PROGRAM`",
            ));
        }
        folder.refuse_own(log)?;
        output_file::refuse(log)?;
        // The folder of the run need not exist yet.
        if absolute(log).parent() != Some(&absolute(&self.out)) {
            refuse_unwritable(log)?;
        }
        let is_own = !output_file::is_file(log) || TrafficLog::is_one(log).unwrap_or(false);
        if is_own || self.force {
            return Ok(());
        }
        Err(Failure::input(
            format!("`{}` exists already and is no log of lmrlab", log.display()),
            advice,
        ))
    }

    /// The process that ends the engines if this program is killed; `None` when no engine is a program.
    fn guard(&self) -> Option<Guard> {
        guard_engines(self.has_programs())
    }

    fn has_programs(&self) -> bool {
        let mut engines = self.tournament.engines.iter();
        engines.any(|engine| engine.external_engine().is_some())
    }

    /// Prints the warnings about the tournament.
    pub(super) fn warn(&mut self) {
        let confounders = if self.takes_apart {
            Vec::new()
        } else {
            self.tournament.comparison().confounders
        };
        let messages = self.tournament.warnings().into_iter().chain(confounders);
        self.warnings.extend(messages.map(warning));
        self.warnings.iter().for_each(print_warnings);
    }

    /// Prints the notes about the tournament.
    pub(super) fn note(&self) {
        if !self.display.quiet {
            self.tournament.notes().iter().for_each(|note| print_note(note));
        }
    }
}

/// Refuses a folder with a run that has not ended, and says how to resume it. With `force` the run will be replaced.
pub(crate) fn suggest_resume(out: &Path, force: bool) -> Result<(), Failure> {
    // A file that will be replaced must not be recorded as an input.
    if force {
        return Ok(());
    }
    let Some(progress) = Run::open(out).ok().and_then(|run| run.progress().ok()) else {
        return Ok(());
    };
    if progress.ended().is_some() {
        return Ok(());
    }
    refuse_running(out)?;
    Err(Failure::input(
        format!(
            "`{}` holds a run that was interrupted after {} of {} pairs",
            out.display(),
            progress.pairs,
            progress.scheduled_pairs
        ),
        of_interrupted(out),
    ))
}

/// If programs take part, starts a process that ends them if this one is killed.
pub(crate) fn guard_engines(external: bool) -> Option<Guard> {
    if !external {
        return None;
    }
    Guard::start()
        .inspect_err(|error| {
            print_err(&format!(
                "warning: engines may outlive this run if it is killed: no guard could be started: {error}"
            ));
        })
        .ok()
}

/// The result of a command that may have been interrupted: an interrupted command must not end as a complete one.
pub(crate) fn interrupted_if(interrupted: bool) -> Result<(), Failure> {
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Lets Ctrl-C, and the other signals that end programs, ask the run to stop.
pub(crate) fn listen() -> Result<Arc<Interrupt>, Failure> {
    let interrupt = Arc::new(Interrupt::new());
    let asked = Arc::clone(&interrupt);
    on_stop(move || {
        if asked.request() {
            print_err("Finishing the running pairs; Ctrl-C again drops them and stops at once.");
        }
    })?;
    Ok(interrupt)
}

/// How a run is shown while it plays.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Display {
    /// Show no progress, only the outcome
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Write events to standard output as JSON lines, and nothing else
    #[arg(long)]
    pub(crate) json_lines: bool,
    /// Write report.html, a page with pictures, into the folder of the run, and update it while the run plays
    #[arg(long)]
    pub(crate) report: bool,
    /// Write all lines to and from engines that are programs into FILE, each with time, engine, game and direction. A log that
    /// is there is continued, and another file is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

/// What is tolerated of engines.
#[derive(Debug, Clone, Args)]
pub(crate) struct Tolerance {
    /// Stop with an error when an engine has lost N games in a row by crash, stall or illegal move. `crashes:N`: illegal moves
    /// do not count; `inf`: play on [default: 5, or as the file or the run says]
    #[arg(long, value_name = "N|crashes:N|inf")]
    pub(crate) faults_allowed: Option<FaultsAllowed>,
}

/// Reads the value of `--pgn`.
pub(crate) fn pgn_style(text: &str) -> Result<PgnStyle, String> {
    let known = PgnStyle::NAMES.iter().find(|(name, _)| *name == text);
    known
        .map(|(_, style)| *style)
        .ok_or_else(|| "one of none, compact, full is needed".to_owned())
}

/// Reads the value of `--threads`.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|threads| threads.get() as u64 <= MAX_THREADS)
        .ok_or_else(|| format!("a number from 1 to {MAX_THREADS} is needed"))
}
