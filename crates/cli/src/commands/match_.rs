//! `lmrlab match`: plays two policies against each other.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, value_parser};
use lmrlab_diagnostics::{Diagnostics, Document, Files, Node, Value};
use lmrlab_engine::preset::QuietOrdering;

use super::engine_words::engine;
use super::machines::MachineOptions;
use super::part_option::{self, PartChoice};
use super::tournament_session::{Display, Session, Tolerance, pgn_style, threads};
use super::typed_line::{Entries, TypedLine, put, put_inside};
use crate::invocation::working_folder;
use lmrlab_policy::reference::{IDEA_MARK, WITHOUT};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::{MAX_DEPTH, MAX_MOVES, MAX_NODES, MAX_TIME_MS, TimeControl};
use lmrlab_runner::project;
use lmrlab_runner::record::folder::folder_name;
use lmrlab_runner::tournament::defaults::{
    DEFAULT_HASH_MIB, DEFAULT_OPENINGS, DEFAULT_PRESET, MAX_HASH_MIB, MAX_PAIRS, MODELS,
};
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::faults_allowed::FaultsAllowed;
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use lmrlab_runner::tournament::resolve::Resolver;
use lmrlab_runner::tournament::schedule::Format;
use lmrlab_runner::tournament::{Tournament, read, read_parsed};
use lmrlab_stats::EloModel;

/// Nodes a move when no limit is given.
const DEFAULT_NODES: u64 = 10_000;
/// Pairs when neither their number nor a test is given.
const DEFAULT_PAIRS: u64 = 100;

/// Who is to play, and how.
#[derive(Debug, Args)]
#[command(
    about = "Play two engines against each other",
    after_help = "\
Examples:
  lmrlab match mediocre-2007 none --pairs 200 --nodes 20000
  lmrlab match mine.toml@divisor=2.0 mine.toml --sprt 0,5 --tc 5+0.05
  lmrlab match none 'cmd=stockfish name=sf option.Hash=16' --tc 1+0.01
  lmrlab match glaurung-2.2 none --ordering both --nodes 5000
  lmrlab match idea:cut-node-more --pairs 500
  lmrlab match idea:cut-node-more:house
  lmrlab match 'cmd=./new' 'cmd=./old args=\"--uci -q\" tc=2+0.02' --tc 1+0.01 --sprt 0,5

An engine is a policy that the project's own engine plays with: a name (configs/policies/NAME.toml) or a path, with \
overrides if any. It may be an idea of `lmrlab idea list`: idea:NAME or idea:NAME:BASELINE is the policy with the idea, \
idea:NAME:BASELINE:without the one without it. Or it is described by words KEY=VALUE with spaces between them, as other match runners have them; \
quotes keep spaces together:
  cmd=PROGRAM          a UCI engine; a name is looked up in PATH
  args='ARG ..'        its arguments
  dir=DIR              where it runs
  option.NAME=VALUE    a UCI option; Hash and Threads are set to --hash and 1 unless said here
  env.NAME=VALUE       a variable of its environment
  restart=game         a new process for every game
  movelist=rebased     send it only the moves since the last one that cannot be undone
  answer=MS            with a limit of nodes or depth, the longest time for a move
  policy=P preset=P    instead of cmd: the project's own engine
  ordering=preset|own  with a policy: as --ordering, for this engine
  name=NAME            its name in tables and files
  tc=, st=, nodes=, depth=, timemargin=   a limit of its own, as --tc, --movetime in seconds, --nodes, --depth
Figures are from the side of A."
)]
pub(crate) struct Arguments {
    /// The first engine: a policy, or words that describe an engine
    a: String,
    /// The second engine [default: when the first is an idea, as in idea:NAME, the policy without it]
    b: Option<String>,
    /// Pairs of games, one from each opening with both colours [default: 100; with --sprt until it is decided
    /// or, at a fixed number of nodes or depth, the openings run out]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Time margin: a move may be so many milliseconds late [default: 0, or 100 with --movetime]
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(0..=MAX_TIME_MS))]
    timemargin: Option<u64>,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    #[command(flatten)]
    test: TestArgs,
    /// The openings, one FEN or EPD a line, or a PGN [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Of openings from a PGN, the first N plies of each game [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1_000))]
    plies: Option<u32>,
    /// Seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Games to play in parallel [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// Keep each thread, with the engines that it starts, on a processor of its own (Linux) [default: when programs
    /// play by nodes or depth with a thread for each processor]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pin: Option<bool>,
    /// Where the results go [default: results/A-vs-B]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The search around both policies: a name (configs/engines/NAME.toml) or a path
    #[arg(long, value_name = "PRESET", default_value = DEFAULT_PRESET)]
    preset: String,
    /// Who orders quiet moves when a policy brings a history that orders them [default: as the preset says: `preset` in
    /// standard, `own` in presets of an era]
    #[arg(long, value_enum, value_name = "WHO")]
    ordering: Option<OrderingChoice>,
    /// Transposition table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH_MIB,
          value_parser = value_parser!(u32).range(1..=i64::from(MAX_HASH_MIB)))]
    hash: u32,
    /// Play only part K of N, of about as many pairs each, in a folder of its own; `lmrlab merge` puts parts together. Started
    /// again, it goes on or says that it is done [default of --out: results/A-vs-B-parts/K-of-N]
    #[arg(long, value_name = "K/N", conflicts_with_all = ["json_lines", "every", "report", "executor"])]
    part: Option<PartChoice>,
    /// Replace the results of an earlier run
    #[arg(long)]
    force: bool,
    /// Comments in games.pgn: full (score, depth, nodes, time of each move), compact (no comments), or none (no file)
    #[arg(long, value_name = "STYLE", value_parser = pgn_style)]
    pgn: Option<PgnStyle>,
    #[command(flatten)]
    tolerance: Tolerance,
    #[command(flatten)]
    machines: MachineOptions,
    #[command(flatten)]
    display: Display,
}

/// Who orders quiet moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderingChoice {
    /// The preset's histories: the match is about the reductions alone
    Preset,
    /// The policy's own history
    Own,
    /// Three matches that tell the parts apart: the reductions with the preset's ordering, the ordering without reductions,
    /// and both together
    Both,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct LimitArgs {
    /// Nodes a move [default: 10000, when no other limit is given]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// Plies of depth a move
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=MAX_TIME_MS))]
    movetime: Option<u64>,
    /// A clock: seconds for the game and for each move, as in 10+0.1, or for so many moves, as in 40/60+0.6
    #[arg(long, value_name = "[MOVES/]BASE[+INC]")]
    tc: Option<TimeControl>,
}

#[derive(Debug, Args)]
struct AdjudicationArgs {
    /// Draw a game when each side has made N moves and the scores of both have stayed within CP centipawns for COUNT
    /// moves
    #[arg(long, value_name = "N,COUNT,CP", value_parser = whole_numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// End a game when a side reports that it is CP centipawns behind for COUNT moves
    #[arg(long, value_name = "COUNT,CP", value_parser = whole_numbers::<2>)]
    resign: Option<[u32; 2]>,
    /// With --resign: both sides must report that score
    #[arg(long, requires = "resign")]
    resign_two_sided: bool,
    /// Draw a game in which each side has made N moves
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=i64::from(MAX_MOVES)))]
    maxmoves: Option<u32>,
}

impl AdjudicationArgs {
    fn entries(&self, line: &mut TypedLine) -> Entries {
        let mut entries = Entries::new();
        if let Some(numbers) = self.draw {
            let place = line.option("--draw", &numbers.map(|number| number.to_string()).join(","));
            let [move_number, move_count, score_cp] = numbers;
            for (key, value) in [
                ("move_number", move_number),
                ("move_count", move_count.max(1)),
                ("score_cp", score_cp),
            ] {
                put_inside(&mut entries, "draw", key, integer(value), place.clone());
            }
        }
        if let Some(numbers) = self.resign {
            let place = line.option("--resign", &numbers.map(|number| number.to_string()).join(","));
            let [move_count, score_cp] = numbers;
            for (key, value) in [("move_count", move_count.max(1)), ("score_cp", score_cp)] {
                put_inside(&mut entries, "resign", key, integer(value), place.clone());
            }
            if self.resign_two_sided {
                let place = line.flag("--resign-two-sided");
                put_inside(&mut entries, "resign", "two_sided", Value::Boolean(true), place);
            }
        }
        if let Some(moves) = self.maxmoves {
            let place = line.option("--maxmoves", &moves.to_string());
            put(&mut entries, "max_moves", integer(moves), place);
        }
        entries
    }
}

/// A number as a value of a document; clap has seen to it that it fits.
fn integer(number: impl TryInto<i64>) -> Value {
    Value::Integer(number.try_into().unwrap_or(i64::MAX))
}

/// Reads COUNT whole numbers with commas between them.
fn whole_numbers<const COUNT: usize>(text: &str) -> Result<[u32; COUNT], String> {
    text.split(',')
        .map(|number| number.trim().parse().ok().filter(|number| *number <= 100_000))
        .collect::<Option<Vec<u32>>>()
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("{COUNT} whole numbers up to 100000 are needed, with commas between them"))
}

#[derive(Debug, Args)]
struct TestArgs {
    /// Stop when an SPRT of these two hypotheses is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Probability of accepting A when it is no better than ELO0 [default: 0.05]
    #[arg(long, value_name = "P", requires = "sprt")]
    alpha: Option<f64>,
    /// Probability of rejecting A when it is better by ELO1 [default: 0.05]
    #[arg(long, value_name = "P", requires = "sprt")]
    beta: Option<f64>,
    /// The scale of ELO0 and ELO1 [default: normalized]
    #[arg(long, value_enum, requires = "sprt")]
    model: Option<Model>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Model {
    /// In standard deviations, independent of the draw rate
    Normalized,
    /// The usual Elo
    Logistic,
}

impl From<Model> for EloModel {
    fn from(model: Model) -> EloModel {
        match model {
            Model::Normalized => EloModel::Normalized,
            Model::Logistic => EloModel::Logistic,
        }
    }
}

impl LimitArgs {
    /// clap sees to it that there is at most one.
    fn entries(&self, line: &mut TypedLine) -> Entries {
        let (option, key, value) = if let Some(depth) = self.depth {
            ("--depth", "depth", integer(depth))
        } else if let Some(time) = self.movetime {
            ("--movetime", "move_time_ms", integer(time))
        } else if let Some(control) = self.tc {
            ("--tc", "tc", Value::Text(control.to_string()))
        } else {
            ("--nodes", "nodes", integer(self.nodes.unwrap_or(DEFAULT_NODES)))
        };
        let shown = match &value {
            Value::Text(text) => text.clone(),
            other => other.to_string(),
        };
        let is_default = self.nodes.is_none() && key == "nodes";
        let place = if is_default { 0..0 } else { line.option(option, &shown) };
        let mut entries = Entries::new();
        put(&mut entries, key, value, place);
        entries
    }
}

impl TestArgs {
    fn put(&self, entries: &mut Entries, line: &mut TypedLine) {
        let Some((elo0, elo1)) = self.sprt else { return };
        let place = line.option("--sprt", &format!("{elo0},{elo1}"));
        let mut put = |key: &str, value, place| put_inside(entries, "sprt", key, value, place);
        put("elo0", Value::Float(elo0), place.clone());
        put("elo1", Value::Float(elo1), place);
        for (option, key, value) in [("--alpha", "alpha", self.alpha), ("--beta", "beta", self.beta)] {
            if let Some(value) = value {
                put(key, Value::Float(value), line.option(option, &value.to_string()));
            }
        }
        if let Some(model) = self.model {
            let model = EloModel::from(model);
            let name = (MODELS.iter().find(|(_, known)| *known == model)).map_or("", |(name, _)| name);
            put("model", Value::Text(name.to_owned()), line.option("--model", name));
        }
    }
}

/// The two engines of a match, and the line that names them.
#[derive(Debug, Clone)]
pub(super) struct TypedEngines {
    line: TypedLine,
    /// Their tables.
    pub(super) engines: Vec<Node>,
}

impl TypedEngines {
    /// The table of each engine.
    pub(super) fn tables(&mut self) -> impl Iterator<Item = &mut Entries> {
        self.engines.iter_mut().filter_map(|engine| match &mut engine.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        })
    }
}

impl Arguments {
    /// Whether `--ordering both` asks for three matches.
    pub(super) fn plays_orderings_apart(&self) -> bool {
        matches!(self.ordering, Some(OrderingChoice::Both))
    }

    /// The engines as a tournament file would have them.
    pub(super) fn engines(&self) -> Result<TypedEngines, Failure> {
        let mut line = TypedLine::new("lmrlab match");
        let preset = (self.preset != DEFAULT_PRESET).then(|| line.option("--preset", &self.preset));
        let mut engines = Vec::new();
        let mut errors = Vec::new();
        for words in [&self.a, &self.opponent()?] {
            match engine(words, &mut line, (&self.preset, preset.clone())) {
                Ok(engine) => engines.push(engine),
                Err(report) => errors.push(report),
            }
        }
        if errors.is_empty() {
            Ok(TypedEngines { line, engines })
        } else {
            Err(Failure::Input(errors))
        }
    }

    /// The words for the second engine.
    fn opponent(&self) -> Result<String, Failure> {
        match &self.b {
            Some(words) => Ok(words.clone()),
            None if self.a.starts_with(IDEA_MARK) && !self.a.contains('@') => Ok(format!("{}:{WITHOUT}", self.a)),
            None => Err(Failure::input(
                "a match needs a second engine",
                "name it behind the first, as in `lmrlab match house none`; an idea can stand alone, as in `lmrlab match idea:pv-less`",
            )),
        }
    }

    /// The match as a tournament file would have it, with the places of the words.
    fn document(&self, openings: &Path, engines: TypedEngines, ordering: Option<QuietOrdering>) -> Document {
        let TypedEngines { mut line, engines } = engines;
        let line = &mut line;
        let mut entries = Entries::new();
        let none = 0..0;
        let mut own = |key: &str, value: Value| put(&mut entries, key, value, none.clone());
        // It gets its name when the engines have theirs.
        own("name", Value::Text("match".to_owned()));
        own("format", Value::Text(Format::Match.name().to_owned()));
        own("engine", Value::List(engines));
        own("limit", Value::Table(self.limit.entries(line)));
        own("adjudication", Value::Table(self.adjudication.entries(line)));
        own("seed", integer(self.seed));
        own("hash_mib", integer(self.hash));
        own("pgn", Value::Text(self.pgn.unwrap_or_default().name().to_owned()));
        let file = openings.display().to_string();
        let place = self
            .openings
            .as_ref()
            .map_or(0..0, |_| line.option("--openings", &file));
        let file = Value::Text(file);
        put_inside(&mut entries, "openings", "file", file, place);
        if let Some(plies) = self.plies {
            let place = line.option("--plies", &plies.to_string());
            put_inside(&mut entries, "openings", "plies", integer(plies), place);
        }
        self.test.put(&mut entries, line);
        let pairs = self.pairs.or(self.test.sprt.is_none().then_some(DEFAULT_PAIRS));
        let faults = |allowed: FaultsAllowed| {
            let text = allowed.to_string();
            text.parse().map_or(Value::Text(text), Value::Integer)
        };
        let more: [(&str, &str, Option<Value>); 6] = [
            (
                "--ordering",
                "ordering",
                ordering.map(|ordering| Value::Text(ordering.name().to_owned())),
            ),
            ("--pairs", "pairs", pairs.map(integer)),
            ("--pin", "pin", self.pin.map(Value::Boolean)),
            (
                "--threads",
                "threads",
                self.threads.map(|threads| integer(threads.get())),
            ),
            (
                "--faults-allowed",
                "faults_allowed",
                self.tolerance.faults_allowed.map(faults),
            ),
            ("--timemargin", "time_margin_ms", self.timemargin.map(integer)),
        ];
        for (option, key, value) in more {
            if let Some(value) = value {
                let is_default = option == "--pairs" && self.pairs.is_none();
                let shown = value.to_string();
                let place = if is_default {
                    0..0
                } else {
                    line.option(option, shown.trim_matches('"'))
                };
                put(&mut entries, key, value, place);
            }
        }
        line.document(entries)
    }

    /// The match between these engines, and the warnings of all files.
    ///
    /// # Errors
    /// When an option or a file is wrong.
    pub(super) fn tournament(
        &self,
        engines: TypedEngines,
        ordering: Option<QuietOrdering>,
    ) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
        // A path on the command line is meant from where the command is typed; names are found in the folders above.
        let working = working_folder()?;
        let openings = match &self.openings {
            Some(path) => path.clone(),
            None => project::file(&project::root(&working, None), DEFAULT_OPENINGS),
        };
        let document = self.document(&openings, engines, ordering);
        read_parsed(&document, |document| {
            let mut description = read::tournament(document.root())?;
            let mut resolver = Resolver::new(document, &working, Files::on_disk());
            let mut engines = resolver.engines(&description);
            if let Some(engines) = &mut engines {
                tell_apart(engines);
                let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
                description.name = names.join(" vs ");
            }
            let tournament = Tournament::new(description, engines, &mut resolver);
            Some((tournament, resolver.errors, resolver.warnings))
        })
    }

    /// Where the results go; `suffix` follows the names of the engines when the user names no folder.
    pub(super) fn results(&self, tournament: &Tournament, suffix: &str) -> Result<PathBuf, Failure> {
        if let Some(out) = &self.out {
            return Ok(out.clone());
        }
        let names: Vec<String> = tournament.names().iter().map(|name| folder_name(name)).collect();
        Ok(project::results(&working_folder()?).join(names.join("-vs-") + suffix))
    }

    /// The tournament as it is to be played, with its results in `out`.
    pub(super) fn session(
        &self,
        (tournament, warnings): (Tournament, Vec<Diagnostics>),
        out: PathBuf,
    ) -> Result<Session, Failure> {
        Ok(Session {
            tournament,
            warnings,
            out,
            force: self.force,
            display: self.display.clone(),
            machines: self.machines.machines()?,
            takes_apart: self.ordering == Some(OrderingChoice::Both),
            prints_summary: true,
        })
    }

    /// Whether earlier results are replaced.
    pub(super) fn replaces(&self) -> bool {
        self.force
    }

    /// What was asked for that three matches cannot have.
    pub(super) fn against_both(&self) -> Option<(&'static str, &'static str)> {
        [
            (
                self.test.sprt.is_some(),
                "--sprt",
                "the parts are compared after the same number of pairs: name it with `--pairs`",
            ),
            (
                self.part.is_some(),
                "--part",
                "leave it out, or play matches with `--ordering preset` and `--ordering own` in parts",
            ),
            (
                self.display.json_lines,
                "--json-lines",
                "leave it out; the three folders have the results as CSV files",
            ),
        ]
        .into_iter()
        .find_map(|(given, option, advice)| given.then_some((option, advice)))
    }
}

/// Plays the match and prints its outcome.
///
/// # Errors
/// When an option or a file is wrong, and when the run fails.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let ordering = match arguments.ordering {
        None => None,
        Some(OrderingChoice::Preset) => Some(QuietOrdering::Preset),
        Some(OrderingChoice::Own) => Some(QuietOrdering::Own),
        // These are three matches, which `ordering_parts` plays.
        Some(OrderingChoice::Both) => None,
    };
    let found = arguments.tournament(arguments.engines()?, ordering)?;
    let out = arguments.results(&found.0, "")?;
    match arguments.part {
        Some(choice) => {
            let out = arguments.out.clone().unwrap_or_else(|| choice.folder(&out));
            part_option::play(arguments.session(found, out)?, choice)
        }
        None => arguments.session(found, out)?.play(),
    }
}

/// Two engines with the same name, from different files, get the words that the user typed; otherwise they get numbers.
fn tell_apart(engines: &mut [Entrant]) {
    let same =
        |engines: &[Entrant]| engines.first().map(|engine| &engine.name) == engines.get(1).map(|engine| &engine.name);
    let differ = |engines: &[Entrant]| {
        let [first, second] = [engines.first(), engines.get(1)].map(|engine| engine.map(Entrant::reference));
        first != second
    };
    if same(engines) && differ(engines) {
        for engine in engines.iter_mut() {
            engine.name = engine.reference().to_owned();
        }
    }
    if same(engines) {
        for (index, engine) in engines.iter_mut().enumerate() {
            engine.name = format!("{}#{}", engine.name, index + 1);
        }
    }
}

/// Reads `ELO0,ELO1`.
pub(super) fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    text.split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)))
        .ok_or_else(|| "two numbers with a comma between them are needed, as in `0,5`".to_owned())
}
