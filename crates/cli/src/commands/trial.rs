//! `lmrlab trial`: many ideas in the same games.
//!
//! A trial in one setting is a tuning run; its method is a trial. In several settings, each has a folder of its own in the folder
//! of the trial.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::{Diagnostic, Files};
use lmrlab_policy::reference::PolicyReference;
use toml::Table;

use super::shared::adjudication_options::AdjudicationOptions;
use super::shared::conditions::conditions;
use super::shared::engine_words::hosted;
use super::shared::machines::machines;
use super::shared::part_option;
use super::shared::whole_number::count;
use super::tune;
use crate::advice::with_resume;
use crate::frame::{Found, Frame, pages, print_note, print_warnings};
use crate::invocation::{invocation, working_folder};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::ideas::library::{known_ideas, named};
use lmrlab_lab::ideas::reported::mean_text;
use lmrlab_results::folder::{TUNING_RESULT, folder_name};
use lmrlab_results::outcome::files::{self, About};
use lmrlab_results::project;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::parts::executor::Executor;
use lmrlab_runner::parts::{PartChoice, Whole};
use lmrlab_runner::tournament::defaults::MAX_PAIRS;
use lmrlab_runner::tournament::description::{Conditions, EngineDescription};
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::trust;
use lmrlab_tune::methods::trial::Trial;
use lmrlab_tune::new_run::NewRun;
use lmrlab_tune::outcome::trial::label;
use lmrlab_tune::run::TuningRun;
use lmrlab_tune::run::steering::pairs_of_trial;
use lmrlab_tune::subject::idea::{Idea, LIBRARY};
use lmrlab_tune::trial_settings::{self, TrialSettings};

/// Try many ideas in the same games, and say what each is worth.
///
/// Examples:
///   lmrlab trial house --change base=1.1 --change capture_base=0.4 --change=-refutation --pairs 2000
///   lmrlab trial house --change=-refutation --presets minimal,fruit-2005,standard --nodes 1000,4000
///   lmrlab trial house --change=-refutation --presets standard --host 'cmd=./engine option.Hash=16'
///   lmrlab trial mediocre-2007 --idea cut-node-more --idea killer-less --idea root-later-start
///   lmrlab trial mine.toml --change new_rule=0.5 --search +history_pruning --search futility_base=60,futility_margin=70 --out results/ideas
///
/// In each pair of games one side has a random half of the ideas, and the other side has the others. So every pair
/// counts for every idea: the error of each is that of a match as long as the whole trial, about ±15 Elo after 1,000
/// pairs. The effect of an idea is its mean over all combinations of the other ideas. Ideas add up in Elo. Two ideas
/// that help or hinder each other are not seen, unless you ask for --interactions. Before you keep an idea, play a
/// match of the policy with it against the policy without it. To try a new rule, give it a parameter that is 0 in the
/// policy, as in `add = "new_rule * alpha_raises"`.
///
/// An --idea is what differs between the policies with and without it in `lmrlab idea show NAME`. When the policy of
/// the trial is without it, the idea is put in; when it has the idea, the idea is taken out of the sides that play
/// without it. Elo is that of the idea either way. Beside it stands the mean of what authors of other engines reported.
/// An idea that does not fit the policy is refused, with the reason and with the ideas that do.
///
/// With several --presets, --host or --nodes, each combination is a setting. A trial of --pairs pairs is played in
/// each. The table has each idea's Elo in each setting, and the mean. tau is the standard deviation between settings
/// beyond chance, in Elo. p is the probability of such differences by chance alone (Cochran's Q). Elo is that of the
/// nodes that were played: no number here is for longer searches.
///
/// An idea that cannot act in a setting is left out there, by name. It cannot act when it changes no search of the
/// bench's positions, alone or with all other ideas. A host has a search of its own, so ideas of --search are left out
/// there. Ideas that read a fact which the host does not fill are left out, too. An idea that can act in no setting is
/// an error.
///
/// A trial is a run like one of `lmrlab tune`: `lmrlab resume DIR` continues it, and --executor plays it on other
/// machines. --part plays a part of it, and `lmrlab merge` puts parts together. With several settings, DIR has a folder
/// for each.
///
/// DIR gets trial.csv, and with --interactions interactions.csv. They are the same on every machine and for any number
/// of threads.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The policy: a name in configs/policies or a file, with overrides after `@`
    policy: PolicyReference,
    /// An idea about the policy: `parameter=value`, `-rule` or `+rule`, with commas between changes that go together
    #[arg(long, value_name = "IDEA", allow_hyphen_values = true, value_parser = parsed(Idea::of_policy))]
    change: Vec<Idea>,
    /// An idea about the search: `parameter=value`, `-switch` or `+switch`, with commas between changes that go together
    #[arg(long, value_name = "IDEA", allow_hyphen_values = true, value_parser = parsed(Idea::of_search))]
    search: Vec<Idea>,
    /// An idea of the library, by its name in `lmrlab idea list`
    #[arg(long, value_name = "NAME")]
    idea: Vec<String>,
    /// Search presets to try the ideas in, separated by commas, with overrides after `@` [default: --preset]
    #[arg(long, value_name = "LIST", conflicts_with = "preset")]
    presets: Option<String>,
    /// Try the ideas of the policy in this engine, which includes lmrlab.h: words as those of an engine of `lmrlab match`, such as
    /// 'cmd=./engine option.Hash=16'. Each is a setting, beside those of --presets
    #[arg(long, value_name = "WORDS", conflicts_with = "preset")]
    host: Vec<String>,
    /// Pairs of games in each setting
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count(1..=MAX_PAIRS))]
    pairs: u64,
    /// Measure how every two ideas act together, too: the ideas of both sides are drawn, each side with its own. Errors grow by 40%
    #[arg(long)]
    interactions: bool,
    /// Nodes a move; several are separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "4000", value_parser = count(1..=MAX_NODES))]
    nodes: Vec<u64>,
    /// The openings [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the combinations and of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Play only part K of N of a trial in one setting, in a folder of its own; `lmrlab merge` puts parts together. Repeated,
    /// the command resumes the part
    #[arg(long, value_name = "K/N", conflicts_with_all = ["report", "executor"])]
    part: Option<PartChoice>,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
}

/// A parser of ideas for the command line.
fn parsed(
    read: impl Fn(&str) -> Result<Idea, Diagnostic> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<Idea, String> + Clone + Send + Sync + 'static {
    move |text| read(text).map_err(|error| format!("{}; {}", error.message, error.help.unwrap_or_default()))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let ideas = ideas(arguments)?;
    if ideas.is_empty() {
        return Err(Failure::input(
            "no idea is named",
            "name ideas with --change (the policy), --search (the search around it) or --idea (the library)",
        ));
    }
    let least = Trial::least_pairs(ideas.len() as u64, arguments.interactions);
    if arguments.pairs < least {
        let interactions = ["", " and their interactions"][usize::from(arguments.interactions)];
        let (pairs, count) = (arguments.pairs, ideas.len());
        return Err(Failure::input(
            format!("--pairs {pairs} cannot tell {count} ideas{interactions} from each other"),
            format!("play at least {least} pairs; a thousand tell differences of 15 Elo"),
        ));
    }
    let (working, options) = (working_folder()?, &frame.options);
    let stem = Path::new(arguments.policy.policy()).file_stem();
    let stem = stem.map_or_else(String::new, |stem| folder_name(&stem.to_string_lossy()));
    let name = format!("{stem}-trial");
    let out = part_option::results(arguments.part, &project::results(&working).join(&name), options);
    let books = (arguments.openings.as_ref(), &*working);
    let mut nodes = arguments.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    let new = |nodes| NewRun {
        name: name.clone(),
        pairs: arguments.pairs,
        conditions: conditions((nodes, arguments.seed), books, &arguments.adjudication, options),
        interactions: arguments.interactions,
    };
    let trial = TrialSettings {
        runs: nodes.into_iter().map(new).collect(),
        ideas,
        engines: engines(arguments, options.preset())?,
    };
    arguments.adjudication.doubt().iter().for_each(print_warnings);
    if let Some(choice) = arguments.part {
        return play_part(&trial, (&working, &out), (choice, arguments.pairs), frame);
    }
    let mut runs = trial.runs(&working, &out, options.force, &mut print_note)?;
    let machines = machines(options, None)?;
    trust::record(starts(&runs), None);
    let folders: Vec<PathBuf> = runs.iter().map(|run| run.folder().to_owned()).collect();
    if folders == [out.as_path()] {
        return tune::play(runs.remove(0), machines, frame);
    }
    trial_settings::remove_earlier(&out, &folders)?;
    for run in &mut runs {
        run.create(&frame.invocation())?;
    }
    play_all(runs, &folders, &out, machines, frame)
}

/// Makes a part of a trial in one setting if it does not exist, and plays its remaining pairs.
fn play_part(
    trial: &TrialSettings,
    (working, out): (&Path, &Path),
    (choice, pairs): (PartChoice, u64),
    frame: &Frame,
) -> Result<(), Failure> {
    // The whole run has no folder here. A folder that does not exist is not refused.
    let runs = trial.runs(working, &out.join("whole"), frame.options.force, &mut print_note)?;
    let [run] = &runs[..] else {
        return Err(Failure::input(
            "`--part` is for a trial in one setting",
            "play each setting as a trial of its own: one preset or host, and one number of nodes",
        ));
    };
    run.warnings.iter().for_each(print_warnings);
    if !frame.options.quiet {
        run.plan.notes().iter().for_each(|note| print_note(note));
    }
    let whole = Whole {
        manifest: run.new_manifest(&invocation(), out)?,
        arena: run.plan.arena(),
        pairs,
        pair: &pairs_of_trial(&run.plan),
    };
    part_option::play_of(&whole, out, choice, frame)
}

/// Plays the settings one after the other, and prints their results together.
fn play_all(
    runs: Vec<TuningRun>,
    folders: &[PathBuf],
    out: &Path,
    machines: Option<Executor>,
    frame: &Frame,
) -> Result<(), Failure> {
    for mut run in runs {
        let played = tune::played(&mut run, machines.as_ref(), frame);
        let played = played.map_err(|failure| with_resume(failure, run.folder(), out))?;
        // All settings have begun.
        if played.is_none() {
            let mut so_far = trial_settings::outcome(folders)?;
            so_far
                .notes
                .push(format!("Resume with: lmrlab resume {}", out.display()));
            return frame.show(Found::interrupted(so_far));
        }
    }
    let mut outcome = trial_settings::outcome(folders)?;
    files::write(out, &outcome, &About::of("trial", &outcome, &invocation()))?;
    if frame.options.report || folders.iter().any(|folder| pages::belongs_to(folder)) {
        pages::write_into(out, " of all settings")?;
    }
    outcome.notes.push(format!("Results are in {}", out.display()));
    frame.show(outcome.into())
}

/// The engines of some runs.
fn starts(runs: &[TuningRun]) -> impl Iterator<Item = &Entrant> {
    runs.iter().map(|run| &run.plan.subject.start)
}

/// Plays the remaining pairs of a trial in several settings. The programs that it starts must be known, or trusted.
///
/// # Errors
/// When a setting cannot be resumed.
pub(super) fn resume(
    out: &Path,
    folders: &[PathBuf],
    change: impl Fn(&mut Conditions),
    machines: Option<Executor>,
    frame: &Frame,
) -> Result<(), Failure> {
    let left = folders.iter().filter(|run| !run.join(TUNING_RESULT.name()).exists());
    let runs = left.map(|run| TuningRun::resumed(run, &change, &invocation()));
    let runs: Vec<TuningRun> = runs.collect::<Result<_, _>>()?;
    trust::check(out, starts(&runs), None, frame.options.trust)?;
    play_all(runs, folders, out, machines, frame)
}

/// The ideas as in the file of a trial.
fn ideas(arguments: &Arguments) -> Result<Vec<Table>, Failure> {
    let table = |key: &str, text: &str| Table::from_iter([(key.to_owned(), text.into())]);
    let written = arguments.change.iter().chain(&arguments.search);
    let mut ideas: Vec<Table> = written.map(|idea| table(idea.kind(), idea.name())).collect();
    if arguments.idea.is_empty() {
        return Ok(ideas);
    }
    let root = project::root(&working_folder()?, None);
    let (library, warnings) = known_ideas(&Files::on_disk(), &root).map_err(Failure::Input)?;
    warnings.iter().for_each(print_warnings);
    for name in &arguments.idea {
        let known = named(&library, name)?;
        let mut idea = table(LIBRARY, name);
        let reported = mean_text(&known.row).unwrap_or_else(|| "-".to_owned());
        idea.insert("reported".to_owned(), reported.into());
        ideas.push(idea);
    }
    Ok(ideas)
}

/// The engines in which the policy plays: presets, then hosts.
fn engines(arguments: &Arguments, usual: &str) -> Result<Vec<EngineDescription>, Failure> {
    let presets = match &arguments.presets {
        Some(list) => preset_names(list)?,
        None if arguments.host.is_empty() => vec![usual.to_owned()],
        None => Vec::new(),
    };
    if presets.is_empty() && !arguments.search.is_empty() {
        return Err(Failure::input(
            "--search is about the project's own search, and the policy plays in hosts alone",
            "leave these ideas out, or add --presets",
        ));
    }
    let policy = arguments.policy.to_string();
    let own = presets.iter().map(|preset| EngineDescription::own(&policy, preset));
    let mut engines: Vec<EngineDescription> = own.collect();
    for words in &arguments.host {
        let host = hosted(words, &policy, "lmrlab trial")?;
        let name = label(&host);
        if engines.iter().any(|other| label(other) == name) {
            return Err(Failure::input(
                format!("two settings are called `{name}`"),
                "name each program once; results are distinguished by the names of the program files, so two programs need two names",
            ));
        }
        engines.push(host);
    }
    Ok(engines)
}

/// The presets of a list. A change (`name=value`, `+name`, `-name`) after a comma belongs to the preset before it.
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
    let mut places = names.iter().enumerate();
    match places.find(|(place, name)| names[..*place].contains(name)) {
        Some((_, name)) => Err(Failure::input(
            format!("--presets has `{name}` twice"),
            "name each preset once",
        )),
        None => Ok(names),
    }
}
