//! Where the games of a run are played: in this process, or on the machines of an executor.

use std::path::Path;

use clap::Args;
use lmrlab_diagnostics::Source;

use crate::invocation::invocation;
use crate::print::print_err;
use crate::trust;
use lmrlab_cluster::coordinator::parts_csv::{self, HostTotal};
use lmrlab_cluster::coordinator::{Cluster, Notice};
use lmrlab_cluster::executor::settings::Settings;
use lmrlab_cluster::part::Program;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{EXECUTOR, PARTS, UNUSED};
use lmrlab_results::number_text::counted;
use lmrlab_results::text_file;
use lmrlab_runner::conduct::in_order::Record;
use lmrlab_runner::conduct::pair_player::PairPlayer;
use lmrlab_runner::conduct::worker_pool::{RunInPlay, ThisProcess, WorkerPool};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::recorded_pair::Waiting;

/// What `--executor` is for this process.
const HERE: &str = "here";
/// The longest file of settings that is read, in bytes.
const MAX_SETTINGS: u64 = 1 << 20;
/// The longest unused.csv that is counted, in bytes.
const MAX_UNUSED: u64 = 1 << 30;

/// Where to play.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct MachineOptions {
    /// Play on other machines, or in other processes: `local:4`, `slurm`, `hosts=.. command=..`, or a file of settings;
    /// docs/many-machines.md explains them [default: here, in this process; `resume`: as the run began]
    #[arg(long, value_name = "X")]
    pub(super) executor: Option<String>,
}

impl MachineOptions {
    /// The machines for a new run.
    pub(crate) fn machines(&self) -> Result<Machines, Failure> {
        match self.executor.as_deref() {
            None | Some(HERE) => Ok(Machines::Here),
            Some(text) => {
                let settings = Settings::argument(text)?;
                trust::record(&[], Some(&settings));
                cluster(settings)
            }
        }
    }

    /// The machines for a run that is resumed: those that it began with, unless the user gives others.
    ///
    /// # Errors
    /// As [`Self::machines`]; and when the settings in the folder of the run cannot be read.
    pub(crate) fn machines_of(&self, run: &Path) -> Result<Machines, Failure> {
        match self.of_run(run)? {
            Some(settings) => cluster(settings),
            None => self.machines(),
        }
    }

    /// The settings that a run began with, unless the user gives others.
    pub(crate) fn of_run(&self, run: &Path) -> Result<Option<Settings>, Failure> {
        let saved = run.join(EXECUTOR.name());
        if self.executor.is_some() || !saved.exists() {
            return Ok(None);
        }
        let shown = saved.display().to_string();
        let text = text_file::read_utf8(&saved, MAX_SETTINGS)
            .map_err(|error| Failure::input(format!("cannot read `{shown}`: {error}"), "name one with `--executor`"))?;
        let settings = Settings::read(Source::new(shown, text))?;
        Ok(Some(settings))
    }
}

fn cluster(settings: Settings) -> Result<Machines, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::run(format!("cannot find the path of this program: {error}")))?;
    let executor = settings.executor(&program)?;
    let program = Program::this(&invocation())?;
    let cluster = Cluster::new(executor, settings, program, Box::new(show));
    Ok(Machines::Cluster(Box::new(cluster)))
}

fn show(notice: &Notice) {
    match notice {
        Notice::Warning(text) => print_err(&format!("warning: {text}")),
        Notice::News(text) => print_err(text),
    }
}

/// Where the games are played.
pub(crate) enum Machines {
    /// Threads of this process.
    Here,
    /// The machines of an executor.
    Cluster(Box<Cluster>),
}

impl WorkerPool for Machines {
    fn play(
        &mut self,
        run: RunInPlay<'_>,
        player: &PairPlayer<'_>,
        record: &mut dyn Record,
        waiting: Waiting,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        match self {
            Self::Here => ThisProcess.play(run, player, record, waiting, interrupt),
            Self::Cluster(cluster) => cluster.play(run, player, record, waiting, interrupt),
        }
    }
}

/// The work of each host for a run, as lines; empty when the run was played here.
pub(crate) fn hosts_text(run: &Path) -> Result<String, Failure> {
    let totals = parts_csv::totals(&parts_csv::read(&run.join(PARTS.name()))?);
    let mut text: String = totals.iter().map(|(host, total)| host_line(host, total)).collect();
    // The file has one line a pair, after the header.
    let unused = text_file::read_utf8(&run.join(UNUSED.name()), MAX_UNUSED).unwrap_or_default();
    let unused = (unused.lines().count() as u64).saturating_sub(1);
    if unused > 0 && !totals.is_empty() {
        text.push_str(&format!(
            "Played after the decision and not used: {}\n",
            counted(unused, "pair")
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
    } = total;
    let seconds = *milliseconds as f64 / 1_000.0;
    let failures = match failed {
        0 => String::new(),
        more => format!(", {} failed", counted(*more, "part")),
    };
    let (pairs, parts) = (counted(*pairs, "pair"), counted(*parts, "part"));
    format!("{host}: {pairs} in {parts}, {seconds:.0} s{failures}\n")
}
