//! `lmrlab trial`: many ideas in the same games.

use std::path::PathBuf;

use clap::Args;
use lmrlab_policy::reference::PolicyReference;

use super::keep_options::{KeepOptions, go_on};
use super::lab_options::{SearchOptions, stop_on_ctrl_c};
use super::measure_options::{caution, openings};
use crate::print::{print_err, print_out};
use lmrlab_lab::measures::{Contest, Paired};
use lmrlab_lab::positions::PositionSet;
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::trial::{Cell, Idea, IdeaError, Setting, Together, comparison, effects};
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
  lmrlab trial house --change=-refutation --presets minimal,fruit-2005,standard --nodes 1000,4000
  lmrlab trial mine.toml --change new_rule=0.5 --search +history_pruning --search futility_base=60,futility_margin=70 --csv trial.csv

In each pair of games one side has a random half of the ideas, and the other side has the others. So every pair counts for \
every idea: the error of each is that of a match as long as the whole trial, about ±15 Elo after 1,000 pairs. The \
effect of an idea is an average over what else the sides have. Ideas that help or hinder each other show as \
noise, so play those that you keep against the whole before you believe in them. To try a new rule, give it a parameter that is 0 in \
the policy, as in `add = \"new_rule * alpha_raises\"`.

With several --presets or --nodes, each combination is a setting. A trial of --pairs pairs is played in each. The table has each \
idea's Elo in each setting, and the mean. tau is the standard deviation between settings beyond chance, in Elo. p is the probability of \
such differences by chance alone (Cochran's Q). Elo is that of the nodes that were played: no number here is for longer searches.

An idea that cannot act in a setting is left out there, by name. It cannot act when it changes no search of the bench's positions, \
alone or with all other ideas.

Columns of --csv: idea, of (policy or search), preset, match_nodes, elo, elo_error_95, pairs, policy; and of all settings, the same \
in each line of an idea: mean, mean_error_95, tau, q, q_freedom, q_probability. It is the same on every machine and for any \
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
    /// Search presets to try the ideas in, separated by commas, with overrides after `@` [default: --preset]
    #[arg(long, value_name = "LIST", conflicts_with = "preset")]
    presets: Option<String>,
    /// Pairs of games in each setting
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: u64,
    /// Nodes a move; several are separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "4000", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: Vec<u64>,
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
    let cells = cells(arguments, &ideas)?;
    let workers = arguments.keep.keeping(
        stop_on_ctrl_c(arguments.options.workers()?)?,
        arguments.csv.as_deref(),
        &comparison(&cells, &ideas),
    )?;
    let mut results = Vec::new();
    for (row, cell) in (1..).zip(&cells) {
        let trial = cell.trial().map_err(input)?;
        workers.begin_row(row, cells.len());
        let outcomes = trial.play(&workers);
        workers.end_row()?;
        results.push(CellResult {
            cell,
            played: outcomes.iter().flatten().count() as u64,
            effects: effects(&trial.combinations(), &outcomes),
        });
    }
    let results = Results {
        ideas: &ideas,
        cells: results,
    };
    let (played, all) = (results.played(), arguments.pairs * cells.len() as u64);
    if workers.is_stopped() && played < all {
        let place = match &arguments.csv {
            Some(file) => format!("they are kept.{}", go_on(file)),
            None => "without --csv none is kept.".to_owned(),
        };
        print_err(&format!("Interrupted after {played} of {all} pairs; {place}"));
        if results.cells.iter().any(|cell| cell.effects.is_some()) {
            print_out(&results.text());
        }
        return Err(Failure::Interrupted);
    }
    if results.cells.iter().all(|cell| cell.effects.is_none()) {
        return Err(Failure::input(
            format!("{played} pairs did not tell {} ideas from each other", ideas.len()),
            "play more pairs",
        ));
    }
    if let Some(path) = &arguments.csv {
        results.sheet().write(path)?;
    }
    print_out(&results.text());
    workers.finish()
}

fn input(error: IdeaError) -> Failure {
    Failure::input(error.message, error.advice)
}

/// The settings, with the ideas that can act in each. Ideas that are left out are named on standard error.
fn cells(arguments: &Arguments, ideas: &[Idea]) -> Result<Vec<Cell>, Failure> {
    let presets = match &arguments.presets {
        Some(list) => preset_names(list)?,
        None => vec![arguments.options.preset.clone()],
    };
    let mut nodes = arguments.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    let openings = openings(arguments.openings.as_ref())?;
    let mut settings = Vec::new();
    for preset in presets {
        let variants = arguments
            .options
            .variants_in(&preset, std::slice::from_ref(&arguments.policy))?;
        let whole = variants
            .into_iter()
            .next()
            .ok_or_else(|| Failure::input("no policy is named", ""))?;
        settings.extend(nodes.iter().map(|&nodes| Setting {
            preset: preset.clone(),
            whole: whole.clone(),
            contest: Contest {
                openings: openings.clone(),
                pairs: arguments.pairs,
                nodes,
                seed: arguments.seed,
            },
        }));
    }
    for idea in ideas {
        let mut changes = false;
        for setting in &settings {
            changes |= idea.changes(&setting.whole).map_err(input)?;
        }
        if let (false, Some(setting)) = (changes, settings.first()) {
            return Err(Failure::input(
                format!("the idea `{}` changes nothing", idea.name()),
                format!("`{}` is like that already", setting.whole.name),
            ));
        }
    }
    let positions = PositionSet::bench()
        .map_err(|report| Failure::Input(vec![report]))?
        .positions;
    let mut cells = Vec::new();
    for setting in settings {
        let name = setting.name();
        let cell = Cell::new(setting, ideas, &positions).map_err(input)?;
        let idle = (0..ideas.len()).filter(|idea| !cell.acting.contains(idea));
        let idle: Vec<&str> = idle.filter_map(|idea| ideas.get(idea).map(Idea::name)).collect();
        if !idle.is_empty() {
            print_err(&format!(
                "note: left out at {name}, where no search of the bench's positions changes: {}",
                idle.join(", ")
            ));
        }
        if !cell.acting.is_empty() {
            cells.push(cell);
        }
    }
    if cells.is_empty() {
        return Err(Failure::input(
            "no idea can act in any setting: no search of the bench's positions changes",
            "name other ideas, or presets that have what the ideas change",
        ));
    }
    Ok(cells)
}

/// The presets of a list. What follows a comma and is a change (`name=value`, `+name`, `-name`) belongs to the preset before it.
fn preset_names(list: &str) -> Result<Vec<String>, Failure> {
    let mut names: Vec<String> = Vec::new();
    for word in list.split(',').map(str::trim) {
        let is_change = word.starts_with(['+', '-']) || (word.contains('=') && !word.contains('@'));
        match names.last_mut() {
            Some(last) if is_change && last.contains('@') => {
                last.push(',');
                last.push_str(word);
            }
            _ if word.is_empty() => {
                return Err(Failure::input(
                    format!("--presets `{list}` has an empty name"),
                    "write names with commas between them, such as `minimal,standard@-null_move`",
                ));
            }
            _ => names.push(word.to_owned()),
        }
    }
    match twice(&names) {
        Some(name) => Err(Failure::input(
            format!("--presets has `{name}` twice"),
            "name each preset once",
        )),
        None => Ok(names),
    }
}

fn twice(names: &[String]) -> Option<&String> {
    names
        .iter()
        .enumerate()
        .find_map(|(place, name)| names[..place].contains(name).then_some(name))
}

/// What was found in one setting.
struct CellResult<'c> {
    cell: &'c Cell,
    played: u64,
    /// The effects of the ideas that act there; `None` when too few pairs were played.
    effects: Option<Vec<Paired>>,
}

impl CellResult<'_> {
    /// The effect of an idea, if it acts here and was measured.
    fn effect(&self, idea: usize) -> Option<Paired> {
        let place = self.cell.acting.iter().position(|&acting| acting == idea)?;
        self.effects.as_ref()?.get(place).copied()
    }
}

/// What was found in all settings.
struct Results<'c> {
    ideas: &'c [Idea],
    cells: Vec<CellResult<'c>>,
}

impl Results<'_> {
    fn played(&self) -> u64 {
        self.cells.iter().map(|cell| cell.played).sum()
    }

    fn effects(&self, idea: usize) -> Vec<(usize, Paired)> {
        let cells = self.cells.iter().enumerate();
        cells
            .filter_map(|(place, cell)| Some((place, cell.effect(idea)?)))
            .collect()
    }

    fn comparisons(&self) -> usize {
        (0..self.ideas.len()).map(|idea| self.effects(idea).len()).sum()
    }

    fn together(&self, idea: usize) -> Option<Together> {
        Together::of(&self.effects(idea), self.comparisons())
    }

    fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "idea",
            "of",
            "preset",
            "match_nodes",
            "elo",
            "elo_error_95",
            "pairs",
            "policy",
            "mean",
            "mean_error_95",
            "tau",
            "q",
            "q_freedom",
            "q_probability",
        ]);
        let number = |value: Option<f64>| Fixed::<3>(value).to_string();
        for (place, idea) in self.ideas.iter().enumerate() {
            let mean = self.together(place).map(|together| together.mean);
            for (cell, effect) in self.effects(place) {
                let CellResult { cell, played, .. } = &self.cells[cell];
                sheet.push([
                    idea.name().to_owned(),
                    idea.kind().to_owned(),
                    cell.setting.preset.clone(),
                    cell.setting.contest.nodes.to_string(),
                    number(Some(effect.mean)),
                    number(effect.error_95),
                    played.to_string(),
                    cell.setting.whole.name.clone(),
                    number(mean.map(|mean| mean.value)),
                    number(mean.map(|mean| mean.error_95)),
                    number(mean.map(|mean| mean.tau)),
                    number(mean.map(|mean| mean.q)),
                    mean.map_or_else(String::new, |mean| mean.q_freedom.to_string()),
                    Fixed::<6>(mean.map(|mean| mean.q_probability)).to_string(),
                ]);
            }
        }
        sheet
    }

    /// The ideas with their effects, the best first.
    fn text(&self) -> String {
        let mut order: Vec<(usize, f64)> = (0..self.ideas.len())
            .filter_map(|idea| {
                let effects = self.effects(idea);
                let mean = self.together(idea).map(|together| together.mean.value);
                Some((idea, mean.or_else(|| Some(effects.first()?.1.mean))?))
            })
            .collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let several = self.cells.len() > 1;
        let mut headings: Vec<String> = ["idea", "of"].map(str::to_owned).to_vec();
        match several {
            true => {
                headings.extend(self.cells.iter().map(|cell| cell.cell.setting.name()));
                headings.extend(["mean", "tau", "p"].map(str::to_owned));
            }
            false => headings.extend(["Elo", "±95%"].map(str::to_owned)),
        }
        let mut table = TextTable::new(2, headings);
        let mut apart = String::new();
        for (idea, _) in order {
            let mut row = vec![self.ideas[idea].name().to_owned(), self.ideas[idea].kind().to_owned()];
            let with_error =
                |mean: f64, error: Option<f64>| format!("{} ±{}", signed(Some(mean), 1), unsigned(error, 1));
            let effects = self.cells.iter().map(|cell| cell.effect(idea));
            if several {
                let dash = || "-".to_owned();
                row.extend(
                    effects.map(|effect| effect.map_or_else(dash, |effect| with_error(effect.mean, effect.error_95))),
                );
                let together = self.together(idea);
                row.extend(
                    together
                        .as_ref()
                        .map_or([dash(), dash(), dash()], |Together { mean, .. }| {
                            let tau = unsigned(Some(mean.tau), 1);
                            [
                                with_error(mean.value, Some(mean.error_95)),
                                tau,
                                probability(mean.q_probability),
                            ]
                        }),
                );
                for cell in together.iter().flat_map(|together| &together.apart) {
                    let cell = &self.cells[*cell];
                    let elo = signed(cell.effect(idea).map(|effect| effect.mean), 1);
                    let (name, setting) = (self.ideas[idea].name(), cell.cell.setting.name());
                    apart.push_str(&format!("`{name}` stands out at {setting}: {elo} Elo.\n"));
                }
            } else {
                for effect in effects.flatten() {
                    row.extend([signed(Some(effect.mean), 1), unsigned(effect.error_95, 1)]);
                }
            }
            table.push(row);
        }
        let caution = caution(self.comparisons());
        let played = self.played();
        let note = match several {
            true => format!(
                "± is the 95% error. Each setting has {} pairs, and each pair counts for every idea. Elo is for the nodes that were played. tau is the standard \
                 deviation between settings beyond chance, p the probability of such differences by chance.\n",
                self.cells.iter().map(|cell| cell.played).max().unwrap_or(0)
            ),
            false => {
                format!("Each of {played} pairs counts for every idea. Play those that you keep against the whole.\n")
            }
        };
        format!("{table}{apart}{caution}{note}")
    }
}

/// A probability with three decimals.
fn probability(p: f64) -> String {
    match p < 0.0005 {
        true => "<0.001".to_owned(),
        false => format!("{p:.3}"),
    }
}
