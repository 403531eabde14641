//! Where the games of a run are played: in this process, or on the machines of an executor.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use lmrlab_diagnostics::Source;

use crate::invocation::invocation;
use crate::print::{print_err, print_out, print_warnings};
use crate::trust;
use lmrlab_cluster::executor::settings::Settings;
use lmrlab_cluster::head::ledger::{self, HostTotal};
use lmrlab_cluster::head::{Cluster, PART_TIME, Told, take_back};
use lmrlab_cluster::part::Program;
use lmrlab_runner::conduct::in_order::{Record, Tasks, Waiting};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::conduct::workforce::{RunInPlay, ThisProcess, Workforce};
use lmrlab_runner::failure::{Failure, warning};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::number_text::counted;
use lmrlab_runner::record::folder::{EXECUTOR, GAMES, PARTS, ResultFile, UNUSED};
use lmrlab_runner::text_file;
use lmrlab_tune::gate::FOLDERS;

/// What `--executor` is for this process.
const HERE: &str = "here";
/// The longest file of settings that is read, in bytes.
const MAX_SETTINGS: u64 = 1 << 20;

/// Where to play.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct MachineOptions {
    /// Play on other machines, or in other processes: `local:4`, `slurm`, `command=..`, or a file of settings;
    /// docs/many-machines.md explains them [default: here, in this process; `resume`: as the run began]
    #[arg(long, value_name = "X")]
    executor: Option<String>,
    /// With an executor: how many seconds a part should take
    #[arg(long, value_name = "S", default_value_t = PART_TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    part_time: u64,
}

impl MachineOptions {
    /// The machines for a new run.
    ///
    /// # Errors
    /// When the options or the settings are wrong, or the executor cannot work here.
    pub(crate) fn machines(&self) -> Result<Machines, Failure> {
        match self.executor.as_deref() {
            None | Some(HERE) => Ok(Machines::Here),
            Some(text) => {
                let settings = Settings::argument(text)?;
                trust::record(&[], Some(&settings));
                self.cluster(&settings)
            }
        }
    }

    /// The machines for a run that goes on: those that it began with, unless others are asked for. Pairs of excluded hosts
    /// are taken back; the journal has so many lines for each pair.
    ///
    /// # Errors
    /// As [`Self::machines`]; and when a file of the run cannot be read or written.
    pub(crate) fn machines_of(&self, run: &Path, journal: ResultFile, lines: u64) -> Result<Machines, Failure> {
        if let Some(taken) = take_back(run, journal, lines)? {
            let hosts: Vec<&str> = taken.hosts.iter().map(String::as_str).collect();
            print_warnings(&warning(format!(
                "pairs from {} on are played again: some of them come from {}, which was excluded",
                taken.first,
                hosts.join(", ")
            )));
        }
        for gate in FOLDERS
            .map(|name| run.join(name))
            .iter()
            .filter(|gate| gate.join(PARTS.name()).exists())
        {
            take_back(gate, GAMES, 2)?;
        }
        match self.of_run(run)? {
            Some(settings) => self.cluster(&settings),
            None => self.machines(),
        }
    }

    /// The settings that a run began with, unless others are asked for.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn of_run(&self, run: &Path) -> Result<Option<Settings>, Failure> {
        let kept = run.join(EXECUTOR.name());
        if self.executor.is_some() || !kept.exists() {
            return Ok(None);
        }
        let shown = kept.display().to_string();
        let text = text_file::read_utf8(&kept, MAX_SETTINGS)
            .map_err(|error| Failure::input(format!("cannot read `{shown}`: {error}"), "name one with `--executor`"))?;
        let settings = Settings::read(Source::new(shown, text)).map_err(|report| Failure::Input(vec![report]))?;
        Ok(Some(settings))
    }

    fn cluster(&self, settings: &Settings) -> Result<Machines, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::run(format!("cannot tell where this program is: {error}")))?;
        let executor = settings.executor(&program)?;
        Ok(Machines::Cluster(Box::new(Cluster::new(
            (executor, settings.to_toml()),
            Program::this(&invocation())?,
            Duration::from_secs(self.part_time),
            Box::new(tell),
        ))))
    }
}

fn tell(told: &Told) {
    if told.is_warning() {
        print_err(&format!("warning: {told}"));
    } else {
        print_err(&told.to_string());
    }
}

/// Who plays.
pub(crate) enum Machines {
    /// Threads of this process.
    Here,
    /// The machines of an executor.
    Cluster(Box<Cluster>),
}

impl Workforce for Machines {
    fn play<P, R>(
        &mut self,
        run: RunInPlay<'_>,
        play: &P,
        record: &mut R,
        waiting: Waiting<P::Task, P::Result>,
        interrupt: &Interrupt,
    ) -> Result<(), Failure>
    where
        P: Portable,
        R: Record<Result = P::Result, Remark = P::Remark>,
        R::Tasks: Tasks<Task = P::Task>,
    {
        match self {
            Self::Here => ThisProcess.play(run, play, record, waiting, interrupt),
            Self::Cluster(cluster) => cluster.play(run, play, record, waiting, interrupt),
        }
    }
}

/// What each host has done for a run, as lines; nothing when it was played here.
///
/// # Errors
/// When parts.csv cannot be read.
pub(crate) fn hosts_text(run: &Path) -> Result<String, Failure> {
    let rows = ledger::read(&run.join(PARTS.name()))?;
    let totals = ledger::totals(&rows);
    let mut text = String::new();
    for (host, total) in &totals {
        text.push_str(&host_line(host, total));
    }
    let (pairs, overhead) = totals.values().fold((0, 0), |(pairs, overhead), total| {
        (pairs + total.pairs, overhead + total.overhead)
    });
    // One line a pair, after the header.
    let unused = text_file::read_utf8(&run.join(UNUSED.name()), MAX_SETTINGS).unwrap_or_default();
    let beyond = (unused.lines().count() as u64).saturating_sub(1);
    let (pairs, overhead) = (pairs.saturating_sub(beyond), overhead + beyond);
    if pairs > 0 {
        let share = overhead as f64 / pairs as f64 * 100.0;
        let overhead = counted(overhead, "pair");
        text.push_str(&format!(
            "Repeated or not needed: {overhead}, {share:.1}% of those that count\n"
        ));
    }
    Ok(text)
}

fn host_line(host: &str, total: &HostTotal) -> String {
    let HostTotal {
        parts,
        pairs,
        failed,
        milliseconds,
        ..
    } = total;
    let seconds = *milliseconds as f64 / 1_000.0;
    let failures = match failed {
        0 => String::new(),
        more => format!(", {} failed", counted(*more, "attempt")),
    };
    let (pairs, parts) = (counted(*pairs, "pair"), counted(*parts, "part"));
    format!("{host}: {pairs} in {parts}, {seconds:.0} s{failures}\n")
}

/// Prints what each host has done.
///
/// # Errors
/// As [`hosts_text`].
pub(crate) fn print_hosts(run: &Path) -> Result<(), Failure> {
    let text = hosts_text(run)?;
    if !text.is_empty() {
        print_out(&format!("\n{text}"));
    }
    Ok(())
}
