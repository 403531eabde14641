//! `lmrlab screen`: which ideas deserve games, before any is played.

mod conditions;
mod fit;
mod subjects;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use lmrlab_policy::reference::PolicyReference;
use serde::Serialize;

use self::conditions::ConditionOptions;
use self::subjects::Subjects;
use super::counts::print_json;
use super::keep_options::{KeepOptions, go_on};
use super::lab_options::stop_on_ctrl_c;
use super::page_option::PageOption;
use super::{print_err, print_out};
use crate::search_bar::SearchBar;
use lmrlab_lab::kept::Comparison;
use lmrlab_lab::measures::{Measured, Plan};
use lmrlab_lab::screen::{
    Conditions, GAME_COLUMNS, HEADINGS, MODEL, Measures, Model, Screened, game_cells, prediction, verdict, worth,
};
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::workers::Workers;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::project;
use lmrlab_runner::record::fixed::Fixed;
use lmrlab_runner::text_table::TextTable;

/// Which policies, and what they are screened with.
#[derive(Debug, Args)]
#[command(
    about = "Say which ideas deserve games, before any is played",
    after_help = "\
Examples:
  lmrlab screen mine.toml mine.toml@-checks-less mine.toml@divisor=2.6
  lmrlab screen mine.toml house@-history --against house --csv screen.csv
  lmrlab screen --settings settings.csv --games results/screen/pairs.csv --csv measured.csv
  lmrlab screen --fit measured.csv --out model.toml
  lmrlab screen --fit measured.csv --games results/screen/pairs.csv --csv more-games.csv --out model.toml

Every policy chooses a move in each judged position within --nodes. A search of 100 times as many nodes says what the move is \
worth; these scores are in the file of the positions, and a move that it does not have is searched now. A part of the positions is \
searched to a depth and audited, and test positions are solved. From these measures, each against that of `logarithm`, a model \
predicts Elo with an 80% interval. The preset is `standard`. With other options than the model was fitted with, the measures are \
right and the prediction is not: a note says so.

The measures are differences to those of `logarithm` on the same positions. loss: expected score that the chosen moves give away, in \
percent of a game, with its error. best: how often the chosen move is the best that was judged. error: distance of the scores from \
the judge's, in percent of a game. depth: iterations within --nodes, in plies. nodes: to --depth, as a ratio. missed: dismissed moves \
that would have raised alpha, as `audit` has them (no difference). solved: test positions.

Columns of --csv: family, policy, the pairs of --games with their Elo, match_nodes, conditions, the measures, predicted_elo and its \
interval; docs/files.md says what they are. The file is the same on every machine and for any number of threads. Ctrl-C keeps the \
policies that are finished; the same command with --resume goes on."
)]
pub(crate) struct Arguments {
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required_unless_present_any = ["settings", "fit"], value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    /// Predict Elo against this policy [default: logarithm]
    #[arg(long, value_name = "POLICY")]
    against: Option<PolicyReference>,
    /// More policies: a CSV file with the columns family and policy
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// With --settings or --fit: the games of these policies, the pairs.csv of a gauntlet of `logarithm`
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Nodes a move of these games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    match_nodes: u64,
    /// Fit a model to the policies of this CSV file, and say what it is worth
    #[arg(long, value_name = "FILE", conflicts_with_all = ["policies", "settings", "against", "model", "resume"])]
    fit: Option<PathBuf>,
    /// With --fit: write the model to this file
    #[arg(long, value_name = "FILE", requires = "fit")]
    out: Option<PathBuf>,
    /// The model that predicts [default: configs/screen/model.toml]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    conditions: ConditionOptions,
    /// Write measures and predictions to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, conflicts_with = "games")]
    json: bool,
    #[command(flatten)]
    keep: KeepOptions,
    #[command(flatten)]
    page: PageOption,
    /// Positions searched at the same time; 0 for one per processor
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
/// When a policy, an option or a file is wrong, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check(arguments.csv.as_deref(), "--csv")?;
    if let Some(file) = &arguments.fit {
        return fit::run(file, arguments);
    }
    if arguments.games.is_some() && arguments.settings.is_none() {
        return Err(Failure::input(
            "--games needs --settings or --fit",
            "name a CSV file with the columns family and policy",
        ));
    }
    arguments.keep.check(&[arguments.csv.as_ref()])?;
    let conditions = arguments.conditions.read()?;
    // Policies that have played are measured for a fit, which needs no predictions.
    let model = match arguments.games {
        Some(_) => None,
        None => Some(arguments.read_model()?),
    };
    let subjects = Subjects::read(arguments)?;
    let plan = conditions.plan();
    let workers = arguments.workers()?;
    let comparison = Comparison::of(&subjects.variants, &plan);
    let beside = arguments.csv.as_deref();
    let workers = arguments.keep.keeping(stop_on_ctrl_c(workers)?, beside, &comparison)?;
    let mut found = Found::new(arguments, &conditions, &plan, model.as_ref());
    let mut written = Instant::now();
    let measured = plan.measure(&subjects.variants, &workers, &mut |index, measured| {
        found.add(&subjects, index, measured);
        match beside {
            Some(file) if written.elapsed().as_secs() > 0 => {
                written = Instant::now();
                found.sheet.write(file)
            }
            _ => Ok(()),
        }
    })?;
    if let Some(file) = beside {
        found.sheet.write(file)?;
    }
    found.print(&subjects.baseline, arguments.json)?;
    if measured.len() < subjects.variants.len() {
        tell_interrupted(found.done, &subjects, beside);
    } else {
        workers.finish()?;
    }
    arguments.page.write(beside)
}

fn tell_interrupted(done: usize, subjects: &Subjects, beside: Option<&Path>) {
    let place = match beside {
        Some(file) => format!("they are in {}.{}", file.display(), go_on(file)),
        None => "without --csv none is kept.".to_owned(),
    };
    let all = subjects.count();
    print_err(&format!("Interrupted after {done} of {all} policies; {place}"));
}

impl Arguments {
    fn workers(&self) -> Result<Workers, Failure> {
        let workers = Workers::new(self.threads)?;
        Ok(match self.quiet {
            true => workers,
            false => workers.with_progress(SearchBar::with_rows_called("policy")),
        })
    }

    fn read_model(&self) -> Result<Model, Failure> {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let path = match &self.model {
            Some(path) => project::typed_file(&here, path),
            None => project::file(&project::root(&here, None), MODEL),
        };
        Model::read(&path, &path.display().to_string()).map_err(|report| Failure::Input(vec![report]))
    }
}

/// The columns of predictions.
const PREDICTED_COLUMNS: [&str; 3] = ["predicted_elo", "predicted_elo_low_80", "predicted_elo_high_80"];

/// What was found so far.
struct Found<'a> {
    conditions: String,
    match_nodes: u64,
    has_games: bool,
    plan: &'a Plan,
    model: Option<&'a Model>,
    /// The measures of the policy that the others are compared with; `None` while that is the reference.
    against: Option<Measures>,
    sheet: Sheet,
    table: TextTable,
    screened: Vec<Screened>,
    /// Policies that are finished.
    done: usize,
}

/// The result as JSON.
#[derive(Serialize)]
struct Json<'a> {
    against: &'a str,
    policies: &'a [Screened],
    model: &'a Model,
    conditions: &'a str,
}

impl<'a> Found<'a> {
    fn new(arguments: &Arguments, conditions: &Conditions, plan: &'a Plan, model: Option<&'a Model>) -> Self {
        let has_games = arguments.games.is_some();
        let games: &[&str] = if has_games { &GAME_COLUMNS } else { &[] };
        let columns = [&["family", "policy"], games, &["match_nodes", "conditions"]].concat();
        let (predicted, headings): (&[&str], &[&str]) = match model {
            Some(_) => (&PREDICTED_COLUMNS, &["policy", "Elo", "80% interval"]),
            None => (&[], &["policy"]),
        };
        Self {
            conditions: conditions.to_string(),
            match_nodes: arguments.match_nodes,
            has_games,
            plan,
            model,
            against: None,
            sheet: Sheet::new([&columns[..], &plan.csv_columns(), predicted].concat()),
            table: TextTable::new(1, [headings, &HEADINGS].concat()),
            screened: Vec::new(),
            done: 0,
        }
    }

    fn add(&mut self, subjects: &Subjects, index: usize, measured: &Measured) {
        let Some(measures) = Measures::of(measured) else {
            return;
        };
        let Some(subject) = subjects.subject(index) else {
            // The reference, or the policy that the others are compared with.
            self.against = (index > 0).then_some(measures);
            return;
        };
        let name = &subjects.variants[index].name;
        let mut cells = vec![subject.family.clone(), name.clone()];
        if self.has_games {
            cells.extend(game_cells(subject.pairs.as_ref()));
        }
        cells.extend([self.match_nodes.to_string(), self.conditions.clone()]);
        cells.extend(self.plan.csv_cells(measured));
        let mut shown = vec![name.clone()];
        if let Some(model) = self.model {
            let screened = Screened::of(name.clone(), prediction(model, &measures, self.against.as_ref()));
            let number = |value: f64| Fixed::<3>(Some(value)).to_string();
            cells.extend([screened.elo, screened.elo_low_80, screened.elo_high_80].map(number));
            shown.extend(screened.cells());
            self.screened.push(screened);
        }
        self.sheet.push(cells);
        let error = measured
            .agreement
            .and_then(|agreement| agreement.loss_difference.error_95);
        shown.extend(measures.cells(error));
        self.table.push(shown);
        self.done += 1;
    }

    fn print(&self, baseline: &str, json: bool) -> Result<(), Failure> {
        let Some(model) = self.model else {
            print_out(&self.table.to_string());
            return Ok(());
        };
        if self.conditions != model.conditions {
            print_err(&format!(
                "note: the model was fitted to other measures; its predictions do not hold here. It is for {}.",
                model.conditions
            ));
        }
        if json {
            return print_json(&Json {
                against: baseline,
                policies: &self.screened,
                model,
                conditions: &self.conditions,
            });
        }
        print_out(&format!(
            "Predicted Elo against {baseline}; measures against {}: {}\n\n{}\n",
            model.reference, self.conditions, self.table
        ));
        print_out(&verdict(&self.screened, baseline));
        print_out(&worth(model));
        Ok(())
    }
}
