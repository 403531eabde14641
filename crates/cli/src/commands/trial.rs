//! `lmrlab trial`: many ideas in the same games.

use std::path::PathBuf;

use clap::Args;
use lmrlab_policy::reference::PolicyReference;

use super::keep_options::{KeepOptions, go_on};
use super::lab_options::{SearchOptions, stop_on_ctrl_c};
use super::measure_options::{caution, openings};
use super::{print_err, print_out};
use lmrlab_lab::measures::{Contest, Paired};
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::trial::{Idea, IdeaError, Trial, effects};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::record::fixed::Fixed;
use lmrlab_runner::text_table::TextTable;
use lmrlab_runner::tournament::defaults::MAX_PAIRS;

/// The policy, and the ideas.
#[derive(Debug, Args)]
#[command(
    about = "Try many ideas in the same games, and say what each is worth",
    after_help = "\
Examples:
  lmrlab trial house --change base=1.1 --change capture_base=0.4 --change=-refutation --pairs 2000
  lmrlab trial mine.toml --change new_rule=0.5 --search +history_pruning --search futility_base=60,futility_margin=70 --csv trial.csv

In each pair of games one side has a random half of the ideas, and the other side has the others. So every pair tells about \
every idea: the error of each is that of a match as long as the whole trial, about ±15 Elo after 1,000 pairs. The \
effect of an idea is an average over what else the sides have. Ideas that help or hinder each other show as \
noise, so play those that you keep against the whole before you believe in them. To try a new rule, give it a parameter that is 0 in \
the policy, as in `add = \"new_rule * alpha_raises\"`.

Columns of --csv: idea, of (policy or search), elo, elo_error_95, pairs, policy. It is the same on every machine and for any \
number of threads. Ctrl-C keeps the pairs that are finished; the same command with --resume goes on."
)]
pub(crate) struct Arguments {
    /// The policy: a name in configs/policies or a file, with overrides after `@`
    policy: PolicyReference,
    /// An idea about the policy: `parameter=value`, `-rule` or `+rule`, with commas between changes that go together
    #[arg(long, value_name = "IDEA", allow_hyphen_values = true, value_parser = parsed(Idea::of_policy))]
    change: Vec<Idea>,
    /// An idea about the search: `parameter=value`, `-switch` or `+switch`, with commas between changes that go together
    #[arg(long, value_name = "IDEA", allow_hyphen_values = true, value_parser = parsed(Idea::of_search))]
    search: Vec<Idea>,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: u64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: u64,
    /// The openings [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the combinations and of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    options: SearchOptions,
    /// Write the effects to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepOptions,
}

/// A parser of ideas for the command line.
fn parsed(
    read: impl Fn(&str) -> Result<Idea, IdeaError> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<Idea, String> + Clone + Send + Sync + 'static {
    move |text| read(text).map_err(|error| format!("{}; {}", error.message, error.advice))
}

/// Runs the command.
///
/// # Errors
/// When the policy, the preset, an idea or a file is wrong, and when a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.keep.check(&[arguments.csv.as_ref()])?;
    let ideas: Vec<Idea> = arguments.change.iter().chain(&arguments.search).cloned().collect();
    if ideas.is_empty() {
        return Err(Failure::input(
            "no idea is named",
            "name ideas with --change (the policy) or --search (the search around it)",
        ));
    }
    if arguments.pairs < 2 * ideas.len() as u64 {
        return Err(Failure::input(
            format!(
                "--pairs {} cannot tell {} ideas from each other",
                arguments.pairs,
                ideas.len()
            ),
            "play at least twice as many pairs as there are ideas; a thousand tell differences of 15 Elo",
        ));
    }
    let mut variants = arguments.options.variants(std::slice::from_ref(&arguments.policy))?;
    let Some(whole) = variants.pop() else {
        return Err(Failure::input("no policy is named", ""));
    };
    let contest = Contest {
        openings: openings(arguments.openings.as_ref())?,
        pairs: arguments.pairs,
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let trial = Trial::new(&whole, &ideas, &contest).map_err(|error| Failure::input(error.message, error.advice))?;
    let workers = arguments.keep.keeping(
        stop_on_ctrl_c(arguments.options.workers()?)?,
        arguments.csv.as_deref(),
        &trial.comparison(),
    )?;
    let outcomes = trial.play(&workers);
    workers.end_row()?;
    let played = outcomes.iter().flatten().count();
    let found = effects(&trial.combinations(), &outcomes);
    if workers.is_stopped() && played < outcomes.len() {
        let place = match &arguments.csv {
            Some(file) => format!("they are kept.{}", go_on(file)),
            None => "without --csv none is kept.".to_owned(),
        };
        print_err(&format!(
            "Interrupted after {played} of {} pairs; {place}",
            outcomes.len()
        ));
        if let Some(found) = found {
            print_out(&text(&ideas, &found, played));
        }
        return Err(Failure::Interrupted);
    }
    let found = found.ok_or_else(|| {
        Failure::input(
            format!("{played} pairs did not tell {} ideas from each other", ideas.len()),
            "play more pairs",
        )
    })?;
    if let Some(path) = &arguments.csv {
        sheet(&ideas, &found, played, &whole.name).write(path)?;
    }
    print_out(&text(&ideas, &found, played));
    workers.finish()
}

fn sheet(ideas: &[Idea], found: &[Paired], played: usize, policy: &str) -> Sheet {
    let mut sheet = Sheet::new(["idea", "of", "elo", "elo_error_95", "pairs", "policy"]);
    for (idea, effect) in ideas.iter().zip(found) {
        sheet.push([
            idea.name().to_owned(),
            idea.kind().to_owned(),
            Fixed::<3>(Some(effect.mean)).to_string(),
            Fixed::<3>(effect.error_95).to_string(),
            played.to_string(),
            policy.to_owned(),
        ]);
    }
    sheet
}

/// The ideas with their effects, the best first.
fn text(ideas: &[Idea], found: &[Paired], played: usize) -> String {
    let mut table = TextTable::new(2, ["idea", "of", "Elo", "±95%"]);
    let mut rows: Vec<(&Idea, &Paired)> = ideas.iter().zip(found).collect();
    rows.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    for (idea, effect) in rows {
        table.push([
            idea.name().to_owned(),
            idea.kind().to_owned(),
            signed(Some(effect.mean), 1),
            unsigned(effect.error_95, 1),
        ]);
    }
    format!(
        "{table}{}Each of {played} pairs told about every idea. Play those that you keep against the whole.\n",
        caution(ideas.len())
    )
}
