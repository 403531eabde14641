//! `lmrlab record`: what authors of other engines reported, beside what we measure.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::{Files, Source, built_in};

use super::lab_options::{ResourceOptions, stop_on_ctrl_c};
use super::measure_options::openings;
use super::page_option::PageOption;
use super::transfer::{level, surrounding_names, twice};
use super::{print_err, print_out, print_warnings};
use crate::output_files::{refuse_existing, refuse_unwritable};
use crate::search_bar::SearchBar;
use lmrlab_lab::measures::Contest;
use lmrlab_lab::record::agreement::Agreement;
use lmrlab_lab::record::cells::Cells;
use lmrlab_lab::record::estimates::Estimates;
use lmrlab_lab::record::ideas::{IDEAS_FOLDER, Idea, RECORD_FOLDER, read_ideas};
use lmrlab_lab::record::measurement::{Measurement, RecordSurrounding};
use lmrlab_lab::record::reports::{REPORTS_FILE, Report, read_reports};
use lmrlab_lab::record::{BUDGETS, SHORT_TIME_CONTROL};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::project;
use lmrlab_runner::tournament::defaults::MAX_PAIRS;

/// The published cells among the built-in files.
const BUILT_IN_CELLS: &str = "record/cells.csv";
/// The cells that are published with the project, below its root.
const PUBLISHED_CELLS: &str = "results/published/record/cells.csv";

/// The file of the cells in a folder that publishes nothing.
const OWN_CELLS: &str = "record-cells.csv";

/// The file of the cells in the folder of another record.
const CELLS_FILE: &str = "cells.csv";

/// Which record, and how far it is measured.
#[derive(Debug, Args)]
#[command(
    about = "Measure ideas of the public record, and compare them with what was reported",
    after_help = "\
Examples:
  lmrlab record --no-play
  lmrlab record cut-node-more pv-less --pairs 4000 --threads 1
  lmrlab record --record my-record --pairs 500 --csv record.csv

The record is a folder: ideas/ has a file for each idea, with policies that have it and policies that lack it; reports.csv has what \
authors of engines reported. Every idea plays against its baselines in the surroundings of `lmrlab transfer`. The cells file has the \
pairs of every cell. It is written after each round, and the same command goes on where it was, whenever it is interrupted. The games \
of a cell are the first of `lmrlab match WITH AGAINST --preset P --nodes N --seed S`, with the seed from its line.

The table shows, for each idea: its pairs; the mean over its cells alone, with its 95% error; the worth when all ideas tell about each \
other; the interval for an engine that was not measured; the probability that the worth is positive; the mean of the reports over \
engines, corrected for early stops; the engines, and those whose result lies in the interval; and whether the signs agree, for ideas \
whose reports agree. The reports decide one thing of ours, how wide the intervals are; and those of an idea play no part in its own. \
docs/record.md explains both."
)]
pub(crate) struct Arguments {
    /// Ideas, by the names of their files [default: all]
    ideas: Vec<String>,
    /// The folder of the record [default: configs/record]
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// The pairs so far; written after each round [default: results/published/record/cells.csv of the project, or record-cells.csv
    /// outside of it; with --record DIR/cells.csv]
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    /// Cells of more ideas, which tell how large ideas are and how much they vary; only read [default: the published ones]
    #[arg(long, value_name = "FILE")]
    borrow: Option<PathBuf>,
    /// Pairs of games of each idea, with those that it has already
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(0..=MAX_PAIRS))]
    pairs: u64,
    /// Play nothing
    #[arg(long, conflicts_with = "pairs")]
    no_play: bool,
    /// Drop the cells of ideas that have changed since, and play them again
    #[arg(long, conflicts_with = "no_play")]
    replay: bool,
    /// Surroundings, as in `lmrlab transfer` [default: its 13]
    #[arg(long, value_name = "LIST")]
    presets: Option<String>,
    /// Budgets in nodes a move, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = BUDGETS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: Vec<u64>,
    /// Nodes a move of the engine that was not measured
    #[arg(long, value_name = "NODES", default_value_t = SHORT_TIME_CONTROL, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    at: u64,
    /// Probability of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, value_parser = level)]
    level: f64,
    /// The openings [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// What the seeds of the cells come from
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Write a line for each idea to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Overwrite the file of --csv
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    page: PageOption,
    #[command(flatten)]
    resources: ResourceOptions,
}

/// Runs the command.
///
/// # Errors
/// When the record, an option or a file is wrong, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check(arguments.csv.as_deref(), "--csv")?;
    refuse_existing(&arguments.csv, arguments.force)?;
    let (all, reports) = arguments.read()?;
    let named = arguments.named(&all)?;
    let file = arguments.cells_file();
    let mut cells = Cells::read(&file)?;
    let borrowed = arguments.borrowed(&file)?;
    let mut interrupted = None;
    if !arguments.no_play && arguments.pairs > 0 {
        interrupted = arguments.play(named.clone(), &file, &mut cells)?;
    }
    let mut together = cells;
    let known: Vec<String> = together.ideas().into_iter().map(str::to_owned).collect();
    let more = borrowed
        .list
        .into_iter()
        .filter(|cell| !known.contains(&cell.name.idea));
    together.list.extend(more);
    let estimates =
        Estimates::of(&together, arguments.at).map_err(|error| Failure::Run(format!("no estimate: {error}")))?;
    let agreement = Agreement::of(&all, estimates.as_ref(), &reports, arguments.level).only(&named);
    print_out(&format!("{}\n", agreement.text()));
    print_out(&(agreement.sentences(estimates.as_ref(), arguments.at).join("\n") + "\n"));
    if arguments.ideas.is_empty() {
        tell_not_expressed(&all, &reports);
    }
    if let Some(csv) = &arguments.csv {
        agreement.sheet().write(csv)?;
    }
    if let Some(pairs) = interrupted {
        print_err(&format!(
            "Interrupted; {pairs} pairs are missing. Those so far are in {}. The same command goes on.",
            file.display()
        ));
    }
    arguments.page.write(arguments.csv.as_deref())
}

/// Says which ideas of the reports have no file.
fn tell_not_expressed(ideas: &[Idea], reports: &[Report]) {
    let mut missing: Vec<&str> = Vec::new();
    for report in reports {
        let idea = report.idea.as_str();
        if !ideas.iter().any(|known| known.id == idea) && !missing.contains(&idea) {
            missing.push(idea);
        }
    }
    if !missing.is_empty() {
        print_err(&format!(
            "note: no file expresses these ideas of the reports: {}",
            missing.join(", ")
        ));
    }
}

impl Arguments {
    /// The folder of the record, as this project or the program has it.
    fn folder(&self) -> PathBuf {
        match &self.record {
            Some(folder) => folder.clone(),
            None => {
                // A folder has no path of its own among the built-in files; the file of the reports is always there.
                let reports = project::file(&self.root(), Path::new(RECORD_FOLDER).join(REPORTS_FILE));
                reports.parent().unwrap_or(Path::new(RECORD_FOLDER)).to_owned()
            }
        }
    }

    fn root(&self) -> PathBuf {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        project::root(&here, None)
    }

    /// All ideas and reports.
    fn read(&self) -> Result<(Vec<Idea>, Vec<Report>), Failure> {
        let (files, folder, root) = (Files::on_disk(), self.folder(), self.root());
        let reports = folder.join(REPORTS_FILE);
        let ideas = read_ideas(&files, &folder.join(IDEAS_FOLDER), &root);
        let reports = read_reports(&files, &reports, &project::from_here(&reports).display().to_string());
        match (ideas, reports) {
            (Ok((ideas, warnings)), Ok(reports)) => {
                warnings.iter().for_each(print_warnings);
                Ok((ideas, reports))
            }
            (ideas, reports) => {
                let mut wrong = ideas.err().unwrap_or_default();
                wrong.extend(reports.err());
                Err(Failure::Input(wrong))
            }
        }
    }

    /// The ideas that are asked for.
    fn named(&self, all: &[Idea]) -> Result<Vec<Idea>, Failure> {
        if let Some(again) = twice(&self.ideas) {
            return Err(Failure::input(
                format!("the idea `{again}` is named twice"),
                "name it once",
            ));
        }
        let names: Vec<&str> = all.iter().map(|idea| idea.id.as_str()).collect();
        for name in &self.ideas {
            if !names.contains(&name.as_str()) {
                let help = match lmrlab_diagnostics::nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the ideas are: {}", names.join(", ")),
                };
                return Err(Failure::input(format!("there is no idea `{name}`"), help));
            }
        }
        let is_named = |idea: &&Idea| self.ideas.is_empty() || self.ideas.contains(&idea.id);
        Ok(all.iter().filter(is_named).cloned().collect())
    }

    fn cells_file(&self) -> PathBuf {
        match (&self.cells, &self.record) {
            (Some(file), _) => file.clone(),
            (None, Some(folder)) => folder.join(CELLS_FILE),
            (None, None) => {
                let published = self.root().join(PUBLISHED_CELLS);
                let is_here = published.ancestors().nth(2).is_some_and(Path::is_dir);
                if is_here {
                    project::from_here(&published)
                } else {
                    PathBuf::from(OWN_CELLS)
                }
            }
        }
    }

    /// The cells of other ideas.
    fn borrowed(&self, own: &Path) -> Result<Cells, Failure> {
        match &self.borrow {
            Some(file) if !file.exists() => Err(Failure::input(
                format!("there is no file `{}`", file.display()),
                "name a file of cells that `lmrlab record` wrote with --borrow",
            )),
            Some(file) => Cells::read(file),
            None => {
                let published = self.root().join(PUBLISHED_CELLS);
                if published == own {
                    return Ok(Cells::default());
                }
                // Outside of the project they are those that are built in.
                match built_in::text(&built_in::path(BUILT_IN_CELLS)) {
                    Some(text) if !published.exists() => Cells::of_source(&Source::new(BUILT_IN_CELLS, text)),
                    _ => Cells::read(&published),
                }
            }
        }
    }

    /// Plays what is missing. `Some` is the number of pairs that are missing after an interruption.
    fn play(&self, ideas: Vec<Idea>, file: &Path, cells: &mut Cells) -> Result<Option<u64>, Failure> {
        let measurement = self.measurement(ideas)?;
        let stale = measurement.stale(cells);
        if let Some(first) = stale.0.first() {
            if !self.replay {
                return Err(Failure::input(
                    format!(
                        "`{}` has {} cells that were played with other policies, presets, openings or another seed, the first of them: {} on {} \
                         in {} at {} nodes",
                        file.display(),
                        stale.0.len(),
                        first.idea,
                        first.on,
                        first.surrounding,
                        first.nodes
                    ),
                    "--replay drops them and plays them again; --no-play uses them as they are",
                ));
            }
            stale.remove_from(cells);
        }
        let missing = |cells: &Cells| -> u64 {
            let missing = measurement.ideas.iter().map(|idea| measurement.missing(cells, idea));
            missing.sum()
        };
        if missing(cells) == 0 {
            return Ok(None);
        }
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
        }
        // One that is there is read and continued.
        if !file.exists() {
            refuse_unwritable(file)?;
        }
        let sizes = measurement.surroundings.iter().map(|of| of.surrounding.hash_mib);
        let bar = SearchBar::with_rows_called("round");
        let workers = stop_on_ctrl_c(self.resources.workers_with(sizes.max().unwrap_or(1), bar)?)?;
        measurement.play(cells, &workers, &mut |cells| cells.write(file))?;
        Ok(workers.is_stopped().then(|| missing(cells)))
    }

    fn measurement(&self, ideas: Vec<Idea>) -> Result<Measurement, Failure> {
        if let Some(twice) = twice(&self.nodes) {
            return Err(Failure::input(
                format!("--nodes has {twice} twice"),
                "name each budget once",
            ));
        }
        let root = self.root();
        let (mut surroundings, mut wrong) = (Vec::new(), Vec::new());
        for (name, preset, hash_mib) in surrounding_names(self.presets.as_deref(), self.resources.hash_mib)? {
            match RecordSurrounding::resolve(&name, &preset, hash_mib, &root) {
                Ok((surrounding, warnings)) => {
                    print_warnings(&warnings);
                    surroundings.push(surrounding);
                }
                Err(report) => wrong.push(report),
            }
        }
        if !wrong.is_empty() {
            return Err(Failure::Input(wrong));
        }
        Ok(Measurement {
            ideas,
            surroundings,
            budgets: self.nodes.clone(),
            contest: Contest {
                openings: openings(self.openings.as_ref())?,
                pairs: 0,
                nodes: 0,
                seed: self.seed,
            },
            predicted_nodes: self.at,
            pairs: self.pairs,
        })
    }
}
