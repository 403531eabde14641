//! Options of the commands that measure variants: what to measure, and on what.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use lmrlab_policy::reference::PolicyReference;

use super::keep_options::{KeepOptions, go_on};
use super::lab_options::{SearchOptions, positions, share, stop_on_ctrl_c, tell_mined};
use super::page_option::PageOption;
use crate::print::{print_err, print_warnings};
use lmrlab_lab::audit::AuditOptions;
use lmrlab_lab::measures::{Contest, Plan};
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::suite::questions;
use lmrlab_lab::variant::Variant;
use lmrlab_lab::workers::Workers;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::{MAX_DEPTH, MAX_NODES};
use lmrlab_runner::openings::Openings;
use lmrlab_runner::project;
use lmrlab_runner::tournament::defaults::{DEFAULT_OPENINGS, MAX_PAIRS};

/// What variants can be measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Measure {
    /// Nodes to a depth, over --positions
    Nodes,
    /// Positions of --suite solved
    Suite,
    /// Reductions that missed a move, as `lmrlab audit` finds them, over --positions
    Audit,
    /// Elo in games against the reference
    Elo,
}

/// What to measure, and on which positions.
#[derive(Debug, Args)]
struct MeasureOptions {
    /// What to measure, separated by commas [default: everything]
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    measures: Vec<Measure>,
    /// Nodes, audit: the positions, one FEN or EPD a line [default: those of the engine's bench]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Nodes, audit: depth of each search, in plies
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Suite: the test positions [default: positions/tactics.epd]
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Suite: nodes of each search
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    suite_nodes: u64,
    /// Audit: share of the late moves that is sampled
    #[arg(long, value_name = "SHARE", default_value_t = AuditOptions::default().rate, value_parser = share)]
    audit_rate: f64,
    /// Elo: pairs of games of each variant against the reference
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: u64,
    /// Elo: nodes a move
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    match_nodes: u64,
    /// Elo: the openings [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Elo: seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

impl MeasureOptions {
    fn plan(&self, possible: &[Measure]) -> Result<Plan, Failure> {
        if let Some(wrong) = self.measures.iter().find(|measure| !possible.contains(measure)) {
            let name = wrong.to_possible_value();
            return Err(Failure::input(
                format!(
                    "this command does not measure `{}`",
                    name.as_ref().map_or("", |name| name.get_name())
                ),
                "choose others with --measures",
            ));
        }
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let root = project::root(&here, None);
        let file = |given: &Option<PathBuf>, usual: &str| match given {
            Some(path) => project::typed_file(&here, path),
            None => project::file(&root, usual),
        };
        let mut plan = Plan::default();
        let wanted = if self.measures.is_empty() {
            possible
        } else {
            &self.measures
        };
        if wanted.contains(&Measure::Nodes) {
            let set = positions(self.positions.as_ref())?;
            plan.nodes = Some((set.positions, self.depth));
        }
        if wanted.contains(&Measure::Suite) {
            let set = positions(Some(&file(&self.suite, project::TACTICS)))?;
            tell_mined(&set);
            let tests = questions(&set).map_err(|report| Failure::Input(vec![report]))?;
            plan.suite = Some((tests, self.suite_nodes));
        }
        if wanted.contains(&Measure::Audit) {
            let set = positions(self.positions.as_ref())?;
            let options = AuditOptions {
                rate: self.audit_rate,
                ..AuditOptions::default()
            };
            plan.audit = Some((set.positions, self.depth, options));
        }
        if wanted.contains(&Measure::Elo) {
            let openings = openings(self.openings.as_ref())?;
            if self.pairs > openings.count() as u64 {
                print_err(&format!(
                    "warning: {} pairs, but only {} openings: later games repeat earlier ones, and error bars are too narrow",
                    self.pairs,
                    openings.count()
                ));
            }
            plan.elo = Some(Contest {
                openings,
                pairs: self.pairs,
                nodes: self.match_nodes,
                seed: self.seed,
            });
        }
        Ok(plan)
    }
}

/// The openings of a file, or the default ones. Warnings go to standard error.
pub(super) fn openings(given: Option<&PathBuf>) -> Result<Openings, Failure> {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let path = match given {
        Some(path) => project::typed_file(&here, path),
        None => project::file(&project::root(&here, None), DEFAULT_OPENINGS),
    };
    let (openings, warnings) = Openings::load(&path, None).map_err(|report| Failure::Input(vec![report]))?;
    print_warnings(&warnings);
    Ok(openings)
}

/// The policy whose variants are measured, what to measure, and in which search.
#[derive(Debug, Args)]
pub(super) struct SubjectOptions {
    /// The policy: a name in configs/policies or a file, with overrides after `@`
    pub(super) policy: PolicyReference,
    #[command(flatten)]
    measures: MeasureOptions,
    #[command(flatten)]
    search: SearchOptions,
}

impl SubjectOptions {
    /// The policy as it was named.
    pub(super) fn whole(&self) -> Result<Variant, Failure> {
        let mut variants = self.search.variants(std::slice::from_ref(&self.policy))?;
        variants.pop().ok_or_else(|| Failure::input("no policy is named", ""))
    }

    /// What is to be measured, with its files read. `possible` are the measures that the command knows; by default it measures
    /// all of them.
    pub(super) fn plan(&self, possible: &[Measure]) -> Result<Plan, Failure> {
        self.measures.plan(possible)
    }

    pub(super) fn workers(&self) -> Result<Workers, Failure> {
        stop_on_ctrl_c(self.search.workers()?)
    }
}

/// The file of the rows.
#[derive(Debug, Args)]
pub(super) struct RowsOptions {
    /// Write the rows to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepOptions,
    #[command(flatten)]
    page: PageOption,
}

impl RowsOptions {
    /// Refuses a file that must not be written.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.page.check(self.csv.as_deref(), "--csv")?;
        self.keep.check(&[self.csv.as_ref()])
    }

    /// Writes the page of the rows, if it is wanted.
    pub(super) fn write_page(&self) -> Result<(), Failure> {
        self.page.write(self.csv.as_deref())
    }

    /// The same threads, which keep every result of these rows beside the file, if one is named.
    pub(super) fn keeping(&self, workers: Workers, rows: &[Variant], plan: &Plan) -> Result<Workers, Failure> {
        self.keep.keeping(workers, self.csv.as_deref(), &plan.comparison(rows))
    }

    /// Writes the rows, if a file is named.
    pub(super) fn write(&self, rows: &Sheet) -> Result<(), Failure> {
        self.csv.as_ref().map_or(Ok(()), |file| rows.write(file))
    }

    /// Writes the rows so far, if a file is named and the last time is a while ago.
    pub(super) fn write_now_and_then(&self, rows: &Sheet, last: &mut Instant) -> Result<(), Failure> {
        if last.elapsed() < BETWEEN_WRITES {
            return Ok(());
        }
        self.write(rows)?;
        *last = Instant::now();
        Ok(())
    }

    /// After Ctrl-C: how much is done, and where it is.
    pub(super) fn tell_interrupted(&self, done: usize, all: usize) {
        let place = match &self.csv {
            Some(file) => format!("they are in {}.{}", file.display(), go_on(file)),
            None => "without --csv none is kept.".to_owned(),
        };
        print_err(&format!("Interrupted after {done} of {all} rows; {place}"));
    }
}

/// Time between two times that unfinished rows are written.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);

/// What to keep in mind with so many 95% intervals; nothing for a few.
pub(super) fn caution(rows: usize) -> String {
    if rows < 5 {
        return String::new();
    }
    let positives = rows.div_ceil(20);
    let plural = if positives == 1 { "" } else { "s" };
    format!("With {rows} comparisons, expect about {positives} false positive{plural} at 95%.\n")
}
