//! `lmrlab trial`: many ideas in the same games.
//!
//! A trial in one setting is a tuning run; its method is a trial. In several settings, each has a folder of its own in the folder
//! of the trial.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use lmrlab_diagnostics::{Files, Source};
use lmrlab_policy::reference::PolicyReference;
use lmrlab_runner::parts::executor::Machines;
use toml::{Table, Value};

use super::adjudication_options::AdjudicationOptions;
use super::engine_words::host_keys;
use super::host_check::engine_of;
use super::machines::MachineOptions;
use super::run_keys::{self, number};
use super::tune;
use super::whole_number::count;
use crate::advice::with_resume;
use crate::frame::common::Options;
use crate::frame::print::{print_err, print_warnings};
use crate::frame::{Found, Frame, pages};
use crate::invocation::{invocation, working_folder};
use crate::open_outcome::{of_trial, settings_below};
use crate::trust;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::limits::Limits;
use lmrlab_lab::ideas::library::{known_ideas, named};
use lmrlab_lab::ideas::reported::mean_text;
use lmrlab_lab::positions::{LabPosition, PositionSet};
use lmrlab_lab::search::search;
use lmrlab_lab::variant::Variant;
use lmrlab_report::index::runs_below;
use lmrlab_results::folder::{
    INTERACTIONS, MANIFEST, ResultsFolder, TRIAL, TUNING_RESULT, folder_name, refuse_running,
};
use lmrlab_results::outcome::files::{self, About, OUTCOME};
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::player::uci::filled_facts;
use lmrlab_runner::project;
use lmrlab_runner::tournament::defaults::MAX_PAIRS;
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_tune::idea::{Idea, IdeaError, LIBRARY};
use lmrlab_tune::subject::Subject;
use lmrlab_tune::trial::Trial;
use lmrlab_tune::trial_outcome::host_label;
use lmrlab_tune::tuning_run::{Overrides, TuningRun};

/// The key of an idea about the search in the file of a trial.
const SEARCH: &str = "search";

/// The least number of nodes in searches that show whether an idea can act. A shorter search may give an idea no
/// chance.
const LEAST_NODES: u64 = 10_000;

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
/// there. Ideas that read a fact which the host does not fill are left out, too. In a trial with one setting such an
/// idea is an error.
///
/// A trial is a run like one of `lmrlab tune`: `lmrlab resume DIR` continues it, and --executor plays it on other
/// machines. With several settings, DIR has a folder for each.
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
    #[command(flatten)]
    adjudication: AdjudicationOptions,
}

/// A parser of ideas for the command line.
fn parsed(
    read: impl Fn(&str) -> Result<Idea, IdeaError> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<Idea, String> + Clone + Send + Sync + 'static {
    move |text| read(text).map_err(|error| format!("{}; {}", error.message, error.advice))
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
        return Err(Failure::input(
            format!(
                "--pairs {} cannot tell {} ideas{} from each other",
                arguments.pairs,
                ideas.len(),
                if arguments.interactions {
                    " and their interactions"
                } else {
                    ""
                }
            ),
            format!("play at least {least} pairs; a thousand tell differences of 15 Elo"),
        ));
    }
    let working = working_folder()?;
    let stem = Path::new(arguments.policy.policy()).file_stem();
    let stem = stem.map_or_else(String::new, |stem| folder_name(&stem.to_string_lossy()));
    let name = format!("{stem}-trial");
    let out = (frame.options.out.clone()).unwrap_or_else(|| project::results(&working).join(&name));
    let mut sessions = sessions((arguments, &frame.options), &ideas, &out, &working, &name)?;
    arguments.adjudication.doubt().iter().for_each(print_warnings);
    let machines = MachineOptions::of(&frame.options).machines()?;
    trust::record(starts(&sessions), None);
    let settings: Vec<PathBuf> = sessions.iter().map(|session| session.folder().to_owned()).collect();
    if settings == [out.as_path()] {
        return tune::play(sessions.remove(0), machines, frame);
    }
    remove_earlier(&out, &settings)?;
    for session in &mut sessions {
        session.create(&frame.invocation())?;
    }
    play_all(sessions, &settings, &out, machines, frame)
}

/// Removes the results that `--force` replaces outside the folders of the present settings: a run in the folder itself,
/// and settings that the trial does not have now.
fn remove_earlier(out: &Path, settings: &[PathBuf]) -> Result<(), Failure> {
    let stale = match settings_below(out) {
        Some(earlier) => earlier.into_iter().filter(|run| !settings.contains(run)).collect(),
        None if out.join(MANIFEST.name()).exists() => vec![out.to_owned()],
        None => Vec::new(),
    };
    for folder in stale {
        ResultsFolder::check(&folder, true)?.create()?;
        // A folder with other files stays.
        let _ = std::fs::remove_dir(&folder);
    }
    for file in [TRIAL.name(), INTERACTIONS.name(), OUTCOME].map(|name| out.join(name)) {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Failure::write(&file, &error)),
            _ => {}
        }
    }
    Ok(())
}

/// Plays the settings one after the other, and prints their results together.
fn play_all(
    sessions: Vec<TuningRun>,
    settings: &[PathBuf],
    out: &Path,
    mut machines: Machines,
    frame: &Frame,
) -> Result<(), Failure> {
    for mut session in sessions {
        let played = tune::played(&mut session, &mut machines, frame);
        let played = played.map_err(|failure| with_resume(failure, session.folder(), out))?;
        // All settings have begun.
        if played.is_none() {
            let mut so_far = of_trial(settings)?;
            so_far
                .notes
                .push(format!("Resume with: lmrlab resume {}", out.display()));
            return frame.show(Found::interrupted(so_far));
        }
    }
    let mut outcome = of_trial(settings)?;
    files::write(out, &outcome, &About::of("trial", &outcome, &invocation()))?;
    if frame.options.report || settings.iter().any(|setting| pages::belongs_to(setting)) {
        pages::write_into(out, " of all settings")?;
    }
    outcome.notes.push(format!("Results are in {}", out.display()));
    frame.show(outcome.into())
}

/// The engines of some runs.
fn starts(sessions: &[TuningRun]) -> impl Iterator<Item = &Entrant> {
    sessions.iter().map(|session| &session.plan.subject.start)
}

/// Plays the remaining pairs of a trial in several settings. The programs that it starts must be known, or trusted.
///
/// # Errors
/// When a setting cannot be resumed.
pub(super) fn resume(
    out: &Path,
    settings: &[PathBuf],
    overrides: Overrides,
    machines: Machines,
    frame: &Frame,
) -> Result<(), Failure> {
    let left = settings.iter().filter(|run| !run.join(TUNING_RESULT.name()).exists());
    let sessions = left.map(|run| TuningRun::resumed(run, overrides, &invocation()));
    let sessions: Vec<TuningRun> = sessions.collect::<Result<_, _>>()?;
    trust::check(out, starts(&sessions), None, frame.options.trust)?;
    play_all(sessions, settings, out, machines, frame)
}

fn input(error: IdeaError) -> Failure {
    Failure::input(error.message, error.advice)
}

/// The ideas as in the file of a trial.
fn ideas(arguments: &Arguments) -> Result<Vec<Table>, Failure> {
    let table = |key: &str, text: &str| run_keys::table([(key, text.into())]);
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

/// The runs of the settings, each with the ideas that can act in it. Ideas that are left out are named on standard error.
fn sessions(
    (arguments, options): (&Arguments, &Options),
    ideas: &[Table],
    out: &Path,
    working: &Path,
    name: &str,
) -> Result<Vec<TuningRun>, Failure> {
    let arounds = arounds(arguments, options)?;
    let mut nodes = arguments.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    let settings: Vec<(&Around, u64)> = arounds
        .iter()
        .flat_map(|around| nodes.iter().map(move |&nodes| (around, nodes)))
        .collect();
    let positions = PositionSet::bench()?.positions;
    if settings.len() > 1 && !options.force && (out.join(MANIFEST.name()).exists() || !runs_below(out).is_empty()) {
        let shown = out.display();
        runs_below(out).iter().try_for_each(|run| refuse_running(run))?;
        return Err(Failure::input(
            format!("`{shown}` holds runs already"),
            format!(
                "`lmrlab resume {shown}` resumes a trial; name another folder with `--out`, or replace it with `--force`"
            ),
        ));
    }
    // When the folder has settings of an earlier trial, the new trial has folders for settings, too.
    let has_folders = settings.len() > 1 || (options.force && settings_below(out).is_some());
    let (mut sessions, mut changes, mut start) = (Vec::new(), vec![false; ideas.len()], String::new());
    let mut names: Vec<String> = vec![String::new(); ideas.len()];
    for (number, &(around, nodes)) in (1..).zip(&settings) {
        let label = &around.label;
        let folder = match has_folders {
            false => out.to_owned(),
            true => out.join(format!("{number:02}-{}-{nodes}", folder_name(label))),
        };
        let filled = around.filled.as_deref();
        // With only one setting, an idea that cannot act in it is an error.
        let alone = filled.filter(|_| settings.len() == 1);
        let session = |places: &[usize]| {
            let ideas: Vec<Table> = places.iter().map(|&place| ideas[place].clone()).collect();
            let source = run_file((arguments, options), &ideas, (around, nodes), working, name)?;
            TuningRun::new(
                source,
                working,
                Some(&folder),
                Overrides::default(),
                options.force,
                alone,
            )
        };
        let (fitting, foreign): (Vec<usize>, Vec<usize>) =
            (0..ideas.len()).partition(|&idea| !(around.is_host && ideas[idea].contains_key(SEARCH)));
        let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if !foreign.is_empty() {
            let foreign = foreign.iter().filter_map(|&idea| ideas[idea].get(SEARCH)?.as_str());
            let foreign = foreign.map(str::to_owned).collect();
            left_out.insert("which has a search of its own".to_owned(), foreign);
        }
        let all = (!fitting.is_empty()).then(|| session(&fitting)).transpose()?;
        let mut acting = Vec::new();
        if let Some(subject) = all.as_ref().map(|all| &all.plan.subject) {
            if let Some((policy, preset)) = Subject::changed(&subject.start) {
                start.clone_from(&subject.start.name);
                for (&idea, found) in fitting.iter().zip(&subject.ideas) {
                    names[idea] = found.shown();
                    changes[idea] |= found.changes(&policy, &preset).map_err(input)?;
                }
            }
            for (place, &idea) in fitting.iter().enumerate() {
                let missing = filled.map_or_else(Vec::new, |filled| subject.missing_facts(place, filled));
                let acts = || around.is_host || acts(subject, place, nodes, options.hash_mib(), &positions);
                let reason = match missing.is_empty() {
                    false => format!("which does not fill {}", missing.join(", ")),
                    true if changes[idea] && acts() => {
                        acting.push(idea);
                        continue;
                    }
                    true => "where no search of the bench's positions changes".to_owned(),
                };
                left_out.entry(reason).or_default().push(names[idea].clone());
            }
        }
        for (reason, ideas) in left_out {
            print_err(&format!(
                "note: left out at {label} {nodes}, {reason}: {}",
                ideas.join(", ")
            ));
        }
        match all {
            Some(all) if acting.len() == fitting.len() => sessions.push(all),
            Some(_) if !acting.is_empty() => sessions.push(session(&acting)?),
            _ => {}
        }
    }
    if let Some(idea) = (names.iter().zip(&changes)).find_map(|(idea, changes)| (!changes).then_some(idea)) {
        return Err(Failure::input(
            format!("the idea `{idea}` changes nothing"),
            format!("`{start}` is like that already"),
        ));
    }
    if sessions.is_empty() {
        return Err(Failure::input(
            "no idea can act in any setting",
            "name other ideas, or presets and hosts that have what the ideas change",
        ));
    }
    Ok(sessions)
}

/// The engine in which the policy plays.
struct Around {
    /// The name of the preset, or the file name of the host's program.
    label: String,
    /// The keys of this engine in the file.
    keys: Table,
    is_host: bool,
    /// The facts that the host fills; `None` when they are not known.
    filled: Option<Vec<String>>,
}

/// The presets and the hosts of all settings.
fn arounds(arguments: &Arguments, options: &Options) -> Result<Vec<Around>, Failure> {
    let presets = match &arguments.presets {
        Some(list) => preset_names(list)?,
        None if arguments.host.is_empty() => vec![options.preset().to_owned()],
        None => Vec::new(),
    };
    let mut arounds: Vec<Around> = (presets.into_iter())
        .map(|preset| Around {
            keys: run_keys::table([("preset", preset.as_str().into())]),
            label: preset,
            is_host: false,
            filled: None,
        })
        .collect();
    for words in &arguments.host {
        let keys = host_keys(words, "lmrlab trial")?;
        let label = host_label(keys.get("command").and_then(Value::as_str).unwrap_or_default());
        if arounds.iter().any(|other| other.label == label) {
            return Err(Failure::input(
                format!("two settings are called `{label}`"),
                "name each program once; results are distinguished by the names of the program files, so two programs need two names",
            ));
        }
        arounds.push(Around {
            label,
            filled: filled(words),
            keys,
            is_host: true,
        });
    }
    if arounds.iter().all(|around| around.is_host) && !arguments.search.is_empty() {
        return Err(Failure::input(
            "--search is about the project's own search, and the policy plays in hosts alone",
            "leave these ideas out, or add --presets",
        ));
    }
    Ok(arounds)
}

/// The facts that the host of these words fills. `None` when the host does not say so, or cannot be started. In the
/// second case the first handshake of the run reports the error.
fn filled(words: &str) -> Option<Vec<String>> {
    let (engine, _) = engine_of(words, &working_folder().ok()?).ok()?;
    filled_facts(&engine, &AtomicBool::new(false)).ok()?
}

/// The run in a setting, as a file of a tuning run.
fn run_file(
    (arguments, options): (&Arguments, &Options),
    ideas: &[Table],
    (around, nodes): (&Around, u64),
    working: &Path,
    name: &str,
) -> Result<Source, Failure> {
    let mut engine = around.keys.clone();
    engine.insert("policy".to_owned(), arguments.policy.to_string().into());
    let mut run = run_keys::table([
        ("name", name.into()),
        ("method", "trial".into()),
        ("pairs", number(arguments.pairs)),
        ("seed", number(arguments.seed)),
        ("hash_mib", options.hash_mib().into()),
        ("openings", run_keys::openings(working, arguments.openings.as_ref())),
        ("limit", run_keys::nodes(nodes)),
        ("engine", engine.into()),
        ("idea", ideas.to_vec().into()),
    ]);
    if arguments.interactions {
        run.insert("interactions".to_owned(), true.into());
    }
    run_keys::adjudicate(&mut run, &arguments.adjudication);
    if let Some(threads) = options.threads {
        run.insert("threads".to_owned(), number(threads.get() as u64));
    }
    run_keys::source(&run)
}

/// Whether an idea can act. It cannot when it changes nothing that the preset uses. Then searches of all positions are
/// the same with it and without it. Both are searched without any other idea, and with all others: an idea may need
/// another one.
fn acts(subject: &Subject, idea: usize, nodes: u64, hash_mib: u32, positions: &[LabPosition]) -> bool {
    let limits = Limits::nodes(nodes.max(LEAST_NODES));
    [0.0, 1.0].into_iter().any(|others| {
        let side = |has: f64| {
            let mut on = vec![others; subject.ideas.len()];
            on[idea] = has;
            let engine = subject.at(&on);
            engine.own().map(|own| Variant {
                name: engine.name.clone(),
                policy: Arc::clone(&own.policy),
                preset: Arc::clone(&own.preset),
                hash_mib,
            })
        };
        let (Some(with), Some(without)) = (side(1.0), side(0.0)) else {
            return false;
        };
        positions.iter().any(|position| {
            let report = |variant: &Variant| {
                let report = search(variant, &position.position, &limits);
                (report.nodes, report.depth, report.best, report.score)
            };
            report(&with) != report(&without)
        })
    })
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
