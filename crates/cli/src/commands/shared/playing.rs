//! What all commands share that play a tournament: from its validated description to results on disk and on the terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::Diagnostics;
use lmrlab_runner::parts::executor::Executor;

use crate::advice::{of_interrupted, with_resume};
use crate::frame::output_files::refuse_unwritable;
use crate::frame::pages::Fresh;
use crate::frame::{Frame, Options, Work, listen, pages, print_note, print_warnings};
use crate::progress;
use lmrlab_diagnostics::failure::{Failure, warning};
use lmrlab_results::folder::{MANIFEST, ResultsFolder, refuse_running, replace};
use lmrlab_results::manifest::Manifest;
use lmrlab_results::outcome::text::text;
use lmrlab_results::output_file;
use lmrlab_results::paths::absolute;
use lmrlab_runner::conduct::event::Event;
use lmrlab_runner::conduct::{conduct, first_handshake};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::outcome;
use lmrlab_runner::player::traffic_log::TrafficLog;
use lmrlab_runner::record::progress::{Ended, TournamentProgress};
use lmrlab_runner::record::recorded_files;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::trust;
use toml::Table;

/// A tournament that will be played.
pub(crate) struct Playing {
    pub(crate) tournament: Tournament,
    pub(crate) warnings: Vec<Diagnostics>,
    pub(crate) out: PathBuf,
    pub(crate) machines: Option<Executor>,
    /// Whether it is one of several matches that separate the differences between the engines. Then it needs no note
    /// about them.
    pub(crate) takes_apart: bool,
    /// The experiment that the games belong to, for the manifest. Then the command prints its outcome in the place of that of
    /// the games.
    pub(crate) experiment: Option<Table>,
}

impl Playing {
    /// A tournament that this process plays.
    pub(crate) fn of(tournament: Tournament) -> Self {
        Self {
            tournament,
            warnings: Vec::new(),
            out: PathBuf::new(),
            machines: None,
            takes_apart: false,
            experiment: None,
        }
    }

    /// Plays the tournament, and prints the outcome.
    pub(crate) fn play(mut self, frame: &Frame) -> Result<(), Failure> {
        let force = frame.options.force;
        suggest_resume(&self.out, force)?;
        let folder = ResultsFolder::check(&self.out, force)?;
        let mut manifest = recorded_files::manifest(&self.tournament, &frame.invocation(), folder.path())?;
        if self.experiment.is_some() {
            manifest = manifest.with(|manifest| manifest.experiment.clone_from(&self.experiment))?;
        }
        self.check_log(
            &folder,
            &frame.options,
            "name another file, or overwrite it with --force",
        )?;
        let interrupt = self.begin()?;
        trust::record(&self.tournament.engines, None);
        self.try_engines(&interrupt)?;
        let progress = TournamentProgress::of(&self.tournament);
        let recorded = Recorded::of(&self.tournament, &manifest);
        let recorder = Recorder::create(folder, progress, recorded, &manifest)?;
        self.conduct((recorder, &manifest), &interrupt, frame)
    }

    /// Resumes the tournament where an earlier run ended. The manifest may have more openings than the one in the folder.
    pub(crate) fn resume(mut self, manifest: &Manifest, frame: &Frame) -> Result<(), Failure> {
        let folder = ResultsFolder::existing(&self.out)?;
        self.check_log(&folder, &frame.options, "name another file")?;
        let interrupt = self.begin()?;
        self.try_engines(&interrupt)?;
        let progress = TournamentProgress::of(&self.tournament);
        let recorded = Recorded::of(&self.tournament, manifest);
        let recorder = Recorder::resume(&folder, progress, recorded)?;
        // The journal is locked now, and has no pair of the new openings.
        if Manifest::load(&self.out)?.to_toml() != manifest.to_toml() {
            replace(&folder, MANIFEST, manifest.to_toml().as_bytes())?;
        }
        self.conduct((recorder, manifest), &interrupt, frame)
    }

    /// Checks the memory, prints the warnings, and prepares for signals.
    fn begin(&mut self) -> Result<Arc<Interrupt>, Failure> {
        // The tables of an executor are on other machines.
        if self.machines.is_none() {
            self.tournament.arena().tables().check()?;
        }
        self.warn();
        listen(Work::Pairs)
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
        interrupt: &Interrupt,
        frame: &Frame,
    ) -> Result<(), Failure> {
        self.note(frame);
        let mut observer = progress::observer(frame.options.quiet, frame.options.json_lines);
        let log = frame.options.log.as_ref().map(|path| TrafficLog::open(path));
        let log = log.transpose()?.map(Arc::new);
        let has_page = frame.options.report || manifest.report || pages::of_run(&self.out).is_file();
        let fresh = has_page.then(|| Fresh::begin(&self.out));
        let ended = conduct(
            self.tournament.arena(),
            (&mut recorder, manifest),
            log.clone(),
            self.machines.as_ref(),
            interrupt,
            &mut *observer,
        );
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
        if frame.options.json_lines {
            observer.on_event(Event::Ended { ended: Some(ended) }, &mut progress);
            return interrupted_if(ended == Ended::Interrupted);
        }
        if self.experiment.is_some() && ended != Ended::Interrupted {
            return Ok(());
        }
        let (found, _) = outcome::of(&Run::open(&self.out)?)?;
        frame.print(&format!("\n{}\nResults are in {}\n", text(&found), self.out.display()));
        interrupted_if(ended == Ended::Interrupted)
    }

    /// Refuses a log that would be empty, and one that takes the place of another file. The inputs must have been read.
    /// `advice` is about another file.
    fn check_log(&self, folder: &ResultsFolder, options: &Options, advice: &str) -> Result<(), Failure> {
        let Some(log) = &options.log else {
            return Ok(());
        };
        if self.machines.is_some() || !self.has_programs() {
            return Err(Failure::input(
                "`--log` writes what programs say that this process starts, and it starts none",
                "leave out `--log` or `--executor`, or write an engine as `cmd=PROGRAM`",
            ));
        }
        folder.refuse_own(log)?;
        output_file::refuse(log)?;
        // The folder of the run need not exist yet.
        if absolute(log).parent() != Some(&absolute(&self.out)) {
            refuse_unwritable(log)?;
        }
        let is_own = !output_file::is_file(log) || TrafficLog::is_one(log).unwrap_or(false);
        if is_own || options.force {
            return Ok(());
        }
        Err(Failure::input(
            format!("`{}` exists already and is no log of lmrlab", log.display()),
            advice,
        ))
    }

    fn has_programs(&self) -> bool {
        let mut engines = self.tournament.engines.iter();
        engines.any(|engine| engine.external_engine().is_some())
    }

    /// Prints the warnings about the tournament.
    pub(crate) fn warn(&mut self) {
        let confounders = if self.takes_apart {
            Vec::new()
        } else {
            self.tournament.confounders()
        };
        let messages = self.tournament.warnings().into_iter().chain(confounders);
        self.warnings.extend(messages.map(warning));
        self.warnings.iter().for_each(print_warnings);
    }

    /// Prints the notes about the tournament.
    pub(crate) fn note(&self, frame: &Frame) {
        if !frame.options.quiet {
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

/// The result of a command that may have been interrupted: an interrupted command must not end as a complete one.
pub(crate) fn interrupted_if(interrupted: bool) -> Result<(), Failure> {
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}
