//! What `run` and `match` have in common: from a validated tournament to results on disk and on the terminal.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use lmrlab_policy::diagnostic::{Diagnostic, Diagnostics, Source};

use super::{color_on_stderr, print_err, print_out};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::player::uci::guard::Guard;
use crate::progress;
use crate::record::folder::ResultsFolder;
use crate::record::manifest::Manifest;
use crate::record::recorder::Recorder;
use crate::summary;
use crate::tournament::Tournament;
use crate::tournament::config::MAX_THREADS;
use crate::tournament::entrant::{Entrant, EntrantEngine};
use crate::tournament::workers::conduct;

/// A tournament that is about to be played.
pub(crate) struct Session {
    pub(crate) tournament: Tournament,
    pub(crate) warnings: Vec<Diagnostics>,
    pub(crate) out: PathBuf,
    pub(crate) force: bool,
    pub(crate) quiet: bool,
}

impl Session {
    /// Plays it, and prints the outcome on standard output.
    pub(crate) fn play(mut self) -> Result<(), Failure> {
        let folder = ResultsFolder::check(&self.out, self.force)?;
        self.warn();
        let interrupt = Arc::new(Interrupt::new());
        listen(&interrupt)?;
        let command: Vec<String> = std::env::args_os()
            .enumerate()
            .map(|(index, word)| {
                // Where the program lies says nothing about the run.
                if index == 0 {
                    "lmrlab".into()
                } else {
                    word.to_string_lossy().into_owned()
                }
            })
            .collect();
        let manifest = Manifest::new(&self.tournament, &command);
        let mut recorder = Recorder::create(folder, &self.tournament, &manifest)?;
        let guard = self.guard();
        let mut observer = progress::on_stderr(self.quiet);
        let ended = conduct(&self.tournament, &mut recorder, &interrupt, &mut *observer);
        drop(guard);
        // What was recorded before a failure is worth its standings, too.
        let progress = recorder.finish();
        let (ended, progress) = (ended?, progress?);
        let mut text = format!("\n{}\n", summary::standings_table(&progress));
        if let Some(block) = summary::match_block(&progress) {
            text.push_str(&block);
            text.push('\n');
        }
        text.push_str(&summary::ending(ended, &progress));
        text.push_str(&format!("Results are in {}\n", self.out.display()));
        print_out(&text);
        Ok(())
    }

    /// When programs take part, a process that ends them should this one be killed.
    fn guard(&self) -> Option<Guard> {
        let external = |entrant: &Entrant| matches!(entrant.engine, EntrantEngine::External { .. });
        if !self.tournament.engines.iter().any(external) {
            return None;
        }
        let guard = std::env::current_exe().and_then(|program| Guard::start(&program));
        match guard {
            Ok(guard) => Some(guard),
            Err(error) => {
                print_err(&format!(
                    "warning: engines may outlive this run if it is killed: no guard could be started: {error}"
                ));
                None
            }
        }
    }

    fn warn(&mut self) {
        if let Some(message) = self.tournament.repetition_warning() {
            self.warnings.push(Diagnostics::new(
                Source::new("", ""),
                vec![Diagnostic::warning(message)],
            ));
        }
        for warnings in &self.warnings {
            if !warnings.list.is_empty() {
                print_err(&warnings.render(color_on_stderr()));
            }
        }
    }
}

/// Lets Ctrl-C ask the run to stop.
fn listen(interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    let interrupt = Arc::clone(interrupt);
    ctrlc::set_handler(move || {
        if interrupt.request() {
            print_err("\nFinishing the running pairs; Ctrl-C again drops them and stops at once.");
        }
    })
    .map_err(|error| Failure::Run(format!("cannot listen for Ctrl-C: {error}")))
}

/// The working directory.
pub(crate) fn working_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::input(format!("the working directory cannot be used: {error}"), "")
    })
}

/// Reads the value of `--threads`.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|threads| threads.get() as u64 <= MAX_THREADS)
        .ok_or_else(|| format!("a number from 1 to {MAX_THREADS} is needed"))
}
