//! `lmrlab transfer`: what an idea is worth in an engine that was not measured.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_engine::preset::{Preset, QuietOrdering};
use lmrlab_policy::reference::PolicyReference;

use super::keep_options::{KeepOptions, go_on};
use super::lab_options::{ResourceOptions, named_policies, preset, share, stop_on_ctrl_c};
use super::measure_options::openings;
use super::page_option::PageOption;
use super::{print_err, print_out};
use crate::search_bar::SearchBar;
use lmrlab_lab::measures::Contest;
use lmrlab_lab::transfer::{
    BUDGETS, Experiment, LEAST_SURROUNDINGS, Matrix, Question, SURROUNDINGS, SlopePrior, Surrounding, SurroundingName,
    Verdict, split_list,
};
use lmrlab_lab::variant::Variant;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::tournament::defaults::MAX_PAIRS;

/// Pairs without --pairs, and the most of them with --until-width.
const PAIRS: [u64; 2] = [1_000, 20_000];

/// The largest transposition table, in MiB.
const MAX_HASH_MIB: u32 = 4_096;

/// Which policies, and where they meet.
#[derive(Debug, Args)]
#[command(
    about = "Say what an idea is worth in an engine that was not measured",
    after_help = "\
Examples:
  lmrlab transfer mine.toml none --pairs 2000 --csv transfer.csv
  lmrlab transfer house --without gives-check --until-width 30
  lmrlab transfer mine.toml house --presets standard,fruit-2005,rebel --nodes 1000,8000

The idea plays against the baseline in several surroundings (search presets) and at several budgets (nodes a move). Presets stand \
for engines of their era; the others are `standard` without one feature. Surroundings that differ in overrides alone are relatives, \
and a family of relatives counts for little more than one surrounding. Pairs go to the cells where they narrow the prediction \
most for their nodes.

A table shows Elo, its 95% error and the pairs of each cell. Below it: the trend with the logarithm of the nodes, and the prior that \
it has from --slope-prior; tau, the \
standard deviation between surroundings beyond chance; Cochran's Q; and what to expect in an engine that was not measured. The \
games of a cell are the first of `lmrlab match A B --preset P --nodes N --seed S`, where S is --seed for the first surrounding, \
and one more for each that follows.

Columns of --csv: idea, baseline, surrounding, match_nodes, n_ll, n_ld, n_dd_wl, n_wd, n_ww, elo, elo_error_95, los, at_nodes, level, \
slope_prior. It is the same on every machine and for any number of threads. Ctrl-C keeps the pairs that are finished; the same \
command with --resume goes on."
)]
pub(crate) struct Arguments {
    /// The idea: a policy in configs/policies or a file, with overrides after `@`
    idea: PolicyReference,
    /// The baseline, a policy
    #[arg(required_unless_present = "without", conflicts_with = "without")]
    baseline: Option<PolicyReference>,
    /// The baseline is the first policy without these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    without: Vec<String>,
    /// Surroundings, separated by commas: presets with overrides after `@`, of which hash=MIB is the transposition table
    /// [default: minimal, mediocre-2007, micromax-4, rebel, madchess-2015, fruit-2005, standard, and standard without null move,
    /// late move pruning, history, SEE, killers, and with a small table]
    #[arg(long, value_name = "LIST")]
    presets: Option<String>,
    /// Who orders quiet moves when a policy brings a history that orders them: `preset` the search, `own` the policy [default: what
    /// each preset says: `standard` the search, the presets of an era the policy]
    #[arg(long, value_name = "WHO", value_parser = who_orders)]
    ordering: Option<QuietOrdering>,
    /// Budgets in nodes a move, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = BUDGETS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: Vec<u64>,
    /// Pairs of games in all [default: 1000; with --until-width 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    /// Stop when the interval of the prediction is so narrow, from end to end
    #[arg(long, value_name = "ELO", value_parser = width)]
    until_width: Option<f64>,
    /// Nodes a move of the engine that was not measured [default: 1000000, and with a single budget that one]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    at: Option<u64>,
    /// Prior of the trend: ELO, its standard deviation around 0 for each factor of four of the nodes; `record`, as in the public
    /// record; or `none`
    #[arg(long, value_name = "ELO|record|none", default_value_t = SlopePrior::Record)]
    slope_prior: SlopePrior,
    /// Probability that the prediction's interval has
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, value_parser = level)]
    level: f64,
    /// The openings [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Write the cells to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepOptions,
    #[command(flatten)]
    page: PageOption,
    #[command(flatten)]
    resources: ResourceOptions,
}

/// Runs the command.
///
/// # Errors
/// When a policy, a surrounding, an option or a file is wrong, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check(arguments.csv.as_deref(), "--csv")?;
    arguments.keep.check(&[arguments.csv.as_ref()])?;
    let experiment = arguments.experiment()?;
    let sizes = experiment.surroundings.iter().map(|surrounding| surrounding.hash_mib);
    let bar = SearchBar::with_rows_called("round");
    let workers = arguments.resources.workers_with(sizes.max().unwrap_or(1), bar)?;
    let beside = arguments.csv.as_deref();
    let workers = arguments
        .keep
        .keeping(stop_on_ctrl_c(workers)?, beside, &experiment.comparison())?;
    let matrix = experiment.play(&workers, &mut |matrix| arguments.write(&experiment, matrix))?;
    print_out(&format!(
        "{} against {}: Elo, its 95% error, and the pairs\n\n{}\n",
        experiment.idea.name,
        experiment.baseline.name,
        matrix.text()
    ));
    match experiment.verdict(&matrix) {
        Ok(verdict) => {
            print_out(&(verdict.sentences().join("\n") + "\n"));
            tell_width(&experiment, &verdict);
        }
        // Only an interrupted matrix has too few cells.
        Err(error) => print_err(&format!("No prediction yet: {error}.")),
    }
    tell_repeated(&experiment, &matrix);
    if workers.is_stopped() {
        let place = match beside {
            Some(file) => format!("they are in {}.{}", file.display(), go_on(file)),
            None => "without --csv none is kept.".to_owned(),
        };
        print_err(&format!("Interrupted after {} pairs; {place}", matrix.pairs()));
        return Err(Failure::Interrupted);
    }
    workers.finish()?;
    arguments.page.write(beside)
}

/// With --until-width: says so when the interval is wider.
fn tell_width(experiment: &Experiment, verdict: &Verdict) {
    let width = verdict.prediction().width();
    if let Some(wanted) = experiment.until_width.filter(|wanted| width > *wanted) {
        print_err(&format!(
            "The interval is {width:.1} Elo wide, not {wanted}. What surroundings differ by stays in it, however many pairs are \
             played."
        ));
    }
}

/// Says so when openings had to be used again.
fn tell_repeated(experiment: &Experiment, matrix: &Matrix) {
    let openings = experiment.contest.openings.count() as u64;
    let most = matrix.cells.iter().map(|cell| cell.pairs.pairs()).max().unwrap_or(0);
    if most > openings {
        print_err(&format!(
            "warning: a cell has {most} pairs, but there are only {openings} openings: later games repeat earlier ones, and error \
             bars are too narrow"
        ));
    }
}

impl Arguments {
    fn write(&self, experiment: &Experiment, matrix: &Matrix) -> Result<(), Failure> {
        let Some(file) = &self.csv else {
            return Ok(());
        };
        let sheet = matrix.sheet([&experiment.idea.name, &experiment.baseline.name], &experiment.question);
        sheet.write(file)
    }

    fn experiment(&self) -> Result<Experiment, Failure> {
        let mut wrong = Vec::new();
        let sides = self.sides(&mut wrong);
        let surroundings = self.surroundings(&mut wrong);
        if !wrong.is_empty() {
            return Err(Failure::Input(wrong));
        }
        let [idea, baseline] = sides?;
        let surroundings = surroundings?;
        if let Some(twice) = twice(&self.nodes) {
            return Err(Failure::input(
                format!("--nodes has {twice} twice"),
                "name each budget once",
            ));
        }
        let experiment = Experiment {
            idea,
            baseline,
            surroundings,
            contest: Contest {
                openings: openings(self.openings.as_ref())?,
                pairs: 0,
                nodes: 0,
                seed: self.seed,
            },
            question: self.question()?,
            budgets: self.nodes.clone(),
            pairs: self.pairs.unwrap_or(PAIRS[usize::from(self.until_width.is_some())]),
            until_width: self.until_width,
        };
        let least = experiment.least_pairs();
        if experiment.pairs < least {
            return Err(Failure::input(
                format!(
                    "{} pairs are too few for {} surroundings at {} budgets",
                    experiment.pairs,
                    experiment.surroundings.len(),
                    experiment.budgets.len()
                ),
                format!("name --pairs {least} or more, or fewer cells with --presets and --nodes"),
            ));
        }
        Ok(experiment)
    }

    /// Both policies; `wrong` gets the mistakes in their files.
    fn sides(&self, wrong: &mut Vec<Diagnostics>) -> Result<[Variant; 2], Failure> {
        let named: Vec<PolicyReference> = std::iter::once(&self.idea).chain(&self.baseline).cloned().collect();
        let policies = named_policies(&named, wrong);
        let mut sides = policies.into_iter().map(|(name, policy)| Variant {
            policy,
            ..Variant::new(name, lmrlab_policy::Policy::none())
        });
        let nothing = || Failure::input("a policy is missing", "");
        let idea = sides.next().ok_or_else(nothing)?;
        if self.baseline.is_some() {
            return Ok([idea, sides.next().ok_or_else(nothing)?]);
        }
        let mut baseline = idea.clone();
        for rule in &self.without {
            baseline = baseline
                .with_rule(rule, false)
                .map_err(|error| Failure::input(error.message(), error.advice()))?;
        }
        Ok([idea, baseline])
    }

    /// The surroundings; `wrong` gets the mistakes in their names and files.
    fn surroundings(&self, wrong: &mut Vec<Diagnostics>) -> Result<Vec<Surrounding>, Failure> {
        let mut surroundings = Vec::new();
        for (name, of, hash_mib) in surrounding_names(self.presets.as_deref(), self.resources.hash_mib)? {
            let found: Option<Arc<Preset>> = preset(&of, wrong);
            surroundings.extend(found.map(|mut preset| {
                if let Some(ordering) = self.ordering {
                    Arc::make_mut(&mut preset).ordering = ordering;
                }
                Surrounding { name, preset, hash_mib }
            }));
        }
        Ok(surroundings)
    }

    fn question(&self) -> Result<Question, Failure> {
        let usual = Question::usual(&self.nodes);
        let nodes = self.at.unwrap_or(usual.nodes);
        if self.nodes.len() == 1 && nodes != usual.nodes {
            return Err(Failure::input(
                format!("--at {nodes} needs a trend, and --nodes has a single budget"),
                "name two budgets or more, or leave --at away",
            ));
        }
        Ok(Question {
            nodes,
            level: self.level,
            slope_prior: self.slope_prior,
        })
    }
}

/// The surroundings of a list, or the usual ones: the name, the preset and the transposition table in MiB of each.
pub(super) fn surrounding_names(list: Option<&str>, usual_hash: u32) -> Result<Vec<(String, String, u32)>, Failure> {
    let names = match list {
        Some(list) => split_list(list),
        None => SURROUNDINGS.map(str::to_owned).to_vec(),
    };
    if let Some(twice) = twice(&names) {
        return Err(Failure::input(
            format!("--presets has `{twice}` twice"),
            "name each surrounding once",
        ));
    }
    if names.len() < LEAST_SURROUNDINGS {
        return Err(Failure::input(
            format!(
                "a prediction needs {LEAST_SURROUNDINGS} surroundings, and --presets has {}",
                names.len()
            ),
            "name more; without --presets there are 13",
        ));
    }
    let surrounding = |name: String| {
        let parts = SurroundingName::of(&name);
        let hash_mib = match &parts.hash_mib {
            None => usual_hash,
            Some(size) => size
                .parse()
                .ok()
                .filter(|size| (1..=MAX_HASH_MIB).contains(size))
                .ok_or_else(|| {
                    Failure::input(
                        format!("surrounding `{name}`: `{size}` is no size of a transposition table"),
                        format!("name 1 to {MAX_HASH_MIB} MiB, as in `standard@hash=1`"),
                    )
                })?,
        };
        Ok((name, parts.preset, hash_mib))
    };
    names.into_iter().map(surrounding).collect()
}

/// The first value that is there again.
pub(super) fn twice<T: PartialEq>(values: &[T]) -> Option<&T> {
    let mut numbered = values.iter().enumerate();
    numbered.find_map(|(index, value)| values[..index].contains(value).then_some(value))
}

fn width(text: &str) -> Result<f64, String> {
    let width = text.parse().ok();
    width
        .filter(|width: &f64| width.is_finite() && *width > 0.0)
        .ok_or_else(|| "name a number of Elo above 0, such as `30`".to_owned())
}

fn who_orders(text: &str) -> Result<QuietOrdering, String> {
    let found = QuietOrdering::NAMES.into_iter().find(|(name, _)| *name == text);
    found
        .map(|(_, ordering)| ordering)
        .ok_or_else(|| "name `preset` or `own`".to_owned())
}

pub(super) fn level(text: &str) -> Result<f64, String> {
    share(text)
        .ok()
        .filter(|level| (0.01..=0.999).contains(level))
        .ok_or_else(|| "name a probability from 0.01 to 0.999, such as `0.8`".to_owned())
}
