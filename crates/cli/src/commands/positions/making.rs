//! What the commands that make files of positions share: how they search, where they write, and how they end.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::super::out_option::OutOption;
use crate::print::{print_err, print_out};
use crate::stop_signal::on_stop;
use lmrlab_lab::workers::Workers;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file::OutputFile;

/// How positions are searched, and where they go.
#[derive(Debug, Args)]
pub(super) struct MakingOptions {
    /// Games or searches at the same time; 0 for one per processor
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    out: OutOption,
}

/// Positions in the making.
pub(super) struct Making<'o> {
    /// Who searches.
    pub(super) workers: Workers,
    /// Set by an interrupt.
    pub(super) stop: Arc<AtomicBool>,
    /// How many positions there are.
    pub(super) bar: ProgressBar,
    wanted: usize,
    out: &'o Path,
    file: OutputFile,
}

impl MakingOptions {
    /// A file that is there already is not overwritten without --force.
    pub(super) fn refuse_existing(&self) -> Result<(), Failure> {
        self.out.refuse_existing()
    }

    /// Begins to make so many positions, with a bar of this template.
    ///
    /// # Errors
    /// When threads cannot be started, or the file cannot be written.
    pub(super) fn begin(&self, wanted: usize, template: &str) -> Result<Making<'_>, Failure> {
        let workers = Workers::new(self.threads)?;
        let file = OutputFile::create(&self.out.path)?;
        let stop = Arc::new(AtomicBool::new(false));
        let setter = Arc::clone(&stop);
        // Without a handler an interrupt ends the program at once, which loses nothing that was promised either.
        let _ = on_stop(move || setter.store(true, Ordering::Relaxed));
        let bar = match self.quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(wanted as u64),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Ok(Making {
            workers,
            stop,
            bar,
            wanted,
            out: &self.out.path,
            file,
        })
    }
}

impl Making<'_> {
    /// Writes the lines of the positions, and says how many they are; `from` says where they come from.
    ///
    /// # Errors
    /// When the file cannot be written, and after an interrupt: the positions found so far are written then.
    pub(super) fn finish(self, lines: Vec<String>, from: &str) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let interrupted = self.stop.load(Ordering::Relaxed) && lines.len() < self.wanted;
        let out = self.out.display();
        if interrupted && lines.is_empty() {
            print_err("Interrupted before a position was found; nothing was written");
            return Err(Failure::Interrupted);
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.file.finish_with(&text)?;
        if interrupted {
            print_err(&format!(
                "Interrupted: {} of {} positions are in {out}",
                lines.len(),
                self.wanted
            ));
            return Err(Failure::Interrupted);
        }
        print_out(&format!("{} positions{from} in {out}\n", lines.len()));
        Ok(())
    }
}
