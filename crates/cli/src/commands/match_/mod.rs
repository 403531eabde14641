//! `lmrlab match`: plays two policies against each other.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::QuietOrdering;

use super::idea::note_baseline;
use super::shared::adjudication_options::AdjudicationOptions;
use super::shared::engine_words::{Entries, each, engines, host, preset};
use super::shared::one_of::one_of;
use super::shared::tournament_options::TournamentOptions;
use super::shared::typed_line::TypedLine;
use super::shared::whole_number::count;
use crate::frame::{Frame, Options};
use crate::invocation::working_folder;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::reference::{IDEA_MARK, WITHOUT};
use lmrlab_results::folder::folder_name;
use lmrlab_results::project;
use lmrlab_runner::game::limit::{Limit, MAX_DEPTH, MAX_NODES, MAX_TIME_MS, Terms, TimeControl, TimeLimit};
use lmrlab_runner::tournament::defaults::{
    DEFAULT_ERROR, DEFAULT_NODES, MAX_PAIRS, MAX_START, MODELS, default_openings,
};
use lmrlab_runner::tournament::description::{Conditions, Description, EngineDescription, OpeningBooks};
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::schedule::Order;
use lmrlab_runner::tournament::{self, Tournament};
use lmrlab_stats::{EloModel, Sprt};

/// Pairs when neither their number nor a test is given.
const DEFAULT_PAIRS: u64 = 100;

/// Play two engines against each other.
///
/// Examples:
///   lmrlab match mediocre-2007 none --pairs 200 --nodes 20000
///   lmrlab match mine.toml@divisor=2.0 mine.toml --sprt 0,5 --tc 5+0.05
///   lmrlab match none 'cmd=stockfish name=sf option.Hash=16' --tc 1+0.01
///   lmrlab match house none --variant chess960
///   lmrlab match glaurung-2.2 none --ordering own --nodes 5000
///   lmrlab match idea:cut-node-more --pairs 500
///   lmrlab match idea:cut-node-more:house
///   lmrlab match house none --host 'cmd=./engine option.Hash=16'
///   lmrlab match 'cmd=./engine policy=house' 'cmd=./engine policy=own'
///   lmrlab match 'cmd=./new' 'cmd=./old args="--uci -q" tc=2+0.02' --tc 1+0.01 --sprt 0,5
///   lmrlab match 'cmd=./new' 'cmd=./old' --each 'tc=8+0.08 option.Hash=16' --rounds 20k --concurrency 4
///
/// An engine is a policy that the project's own engine plays with: a name (configs/policies/NAME.toml) or a path, with
/// overrides if any. It may be an idea of `lmrlab idea list`: idea:NAME or idea:NAME:BASELINE is the policy with the
/// idea, idea:NAME:BASELINE:without the one without it. The baseline `house` of an idea is the policy house-1. Or it is
/// described by words KEY=VALUE with spaces between them, as other match runners have them; quotes keep spaces
/// together:
///   cmd=PROGRAM          a UCI engine; a name is looked up in PATH
///   args='ARG ..'        its arguments
///   dir=DIR              where it runs
///   option.NAME=VALUE    a UCI option; Hash and Threads are set to --hash and 1 unless said here
///   env.NAME=VALUE       a variable of its environment
///   restart=on|off       a new process for every game, or (default) one for all
///   ponder=true          it thinks on the opponent's time, too; needs a clock (tc)
///   movelist=rebased     send it only the moves since the last one that cannot be undone
///   answer=MS            with a limit of nodes or depth, the longest time for a move
///   policy=P             with cmd: a policy that the engine plays, when it includes lmrlab.h (`lmrlab host header`); `own`: its own
///                        scheme
///   policy=P preset=P    instead of cmd: the project's own engine
///   ordering=preset|own  with a policy: as --ordering, for this engine
///   name=NAME            its name in tables and files
///   tc=, st=, nodes=, depth=, timemargin=   a limit of its own, as --tc, --movetime in seconds, --nodes, --depth
///   proto=uci            nothing else is known
/// Counts may be written as 20k, 2e4 or 1.5M. `lmrlab fastchess` translates whole command lines of fastchess and
/// cutechess. Figures are from the side of A.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The first engine: a policy, or words that describe an engine
    a: String,
    /// The second engine [default: when the first is an idea, as in idea:NAME, the policy without it]
    b: Option<String>,
    /// Pairs of games, one from each opening with both colours [default: 100; with --sprt until it is decided, with a clock
    /// after at most 100,000 pairs. At a fixed number of nodes or depth, the openings can run out before]
    #[arg(long, visible_alias = "rounds", value_name = "N", value_parser = count(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    /// Games in all, an even number: two for each pair. With --pairs or --rounds: games of each pair, which must be 2
    #[arg(long, value_name = "N", value_parser = even_games)]
    games: Option<u64>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Time margin: milliseconds that a move may be late [default: 0, or 100 with --movetime]
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(0..=MAX_TIME_MS))]
    timemargin: Option<u64>,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    #[command(flatten)]
    test: TestArgs,
    /// The openings, one FEN or EPD a line, or a PGN; repeated, several books that are used one after the other [default:
    /// positions/book.epd; with --variant chess960 the 960 start positions]
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// The variant of chess: standard or chess960 [default: what the castling rights of the openings need]
    #[arg(long, value_name = "VARIANT", value_parser = one_of(&ChessVariant::NAMES))]
    variant: Option<ChessVariant>,
    /// Of openings from a PGN, the first N plies of each game [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1_000))]
    plies: Option<u32>,
    /// The order in which the openings of a book are used [default: random]
    #[arg(long, value_parser = one_of(&Order::NAMES), value_name = "ORDER")]
    order: Option<Order>,
    /// Begin with the N-th opening of the order; those before it come after the last one [default: 1]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_START))]
    start: Option<u64>,
    /// Seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Let policies play in this engine, which includes lmrlab.h. Words as those of an engine, such as
    /// 'cmd=./engine option.Hash=16'. The policy `own` is the engine's own scheme
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["preset", "ordering"])]
    host: Option<String>,
    /// Settings of all engines that do not have their own: words such as 'tc=8+0.08 option.Hash=16 restart=on'. Those of a
    /// program are left out where a policy plays
    #[arg(long, value_name = "WORDS")]
    each: Option<String>,
    /// Which history orders quiet moves when a policy has one that can [default: as the preset says: `preset` in
    /// standard, `own` in presets of an era]. preset: the match is about the reductions alone; own: the policy's own history
    #[arg(long, value_parser = one_of(&QuietOrdering::NAMES), value_name = "WHICH")]
    ordering: Option<QuietOrdering>,
    #[command(flatten)]
    pub(super) options: TournamentOptions,
}

#[derive(Debug, Args)]
struct LimitArgs {
    /// Nodes a move [default: 10000, when no other limit is given]. The first of several limits that is reached ends the search
    #[arg(long, value_name = "N", value_parser = count(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// Plies of depth a move
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=MAX_TIME_MS))]
    movetime: Option<u64>,
    /// A clock: seconds for the game and for each move, as in 10+0.1, or for N moves, as in 40/60+0.6. 1:30 is a minute and a half
    #[arg(long, value_name = "[MOVES/]BASE[+INC]", conflicts_with = "movetime")]
    tc: Option<TimeControl>,
}

/// Reads a number of games, which is even.
fn even_games(text: &str) -> Result<u64, String> {
    let games = count(1..=2 * MAX_PAIRS)(text)?;
    if games % 2 == 0 {
        return Ok(games);
    }
    let pairs = games.div_ceil(2);
    Err(format!(
        "each opening is played twice, with both colours, so the number is even: write `--games {}` or `--pairs {pairs}`",
        2 * pairs
    ))
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
    /// The scale of ELO0 and ELO1: in standard deviations, independent of the draw rate, or the usual Elo [default: normalized]
    #[arg(long, value_parser = one_of(&MODELS), requires = "sprt")]
    model: Option<EloModel>,
}

impl LimitArgs {
    fn is_given(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some() || self.movetime.is_some() || self.tc.is_some()
    }

    /// All that are given. clap makes sure that `--movetime` and `--tc` are not given both.
    fn limit(&self) -> Limit {
        let time = self.movetime.map(|time| TimeLimit::Move(Duration::from_millis(time)));
        let time = time.or(self.tc.map(TimeLimit::Clock));
        Limit::new(self.nodes, self.depth, time).unwrap_or(Limit::of_nodes(DEFAULT_NODES))
    }
}

impl TestArgs {
    /// The test, if one is given.
    fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let rate = |rate: Option<f64>| rate.unwrap_or(DEFAULT_ERROR);
        let model = self.model.unwrap_or(EloModel::Normalized);
        let sprt = |(elo0, elo1)| Sprt::new(model, elo0, elo1, rate(self.alpha), rate(self.beta));
        let sprt = self.sprt.map(sprt).transpose();
        sprt.map_err(|error| Failure::input(error.to_string(), error.advice()))
    }
}

/// The two engines of a match, and the line that names them.
#[derive(Debug, Clone)]
pub(super) struct TypedEngines {
    line: TypedLine,
    pub(super) engines: Vec<EngineDescription>,
}

impl Arguments {
    /// The engines as they are described.
    pub(super) fn engines(&self, common: &Options) -> Result<TypedEngines, Failure> {
        self.engines_of(&[&*self.a, &*self.opponent()?], common)
    }

    /// The engines that these words describe.
    pub(super) fn engines_of(&self, arguments: &[&str], common: &Options) -> Result<TypedEngines, Failure> {
        let mut line = TypedLine::new("lmrlab match");
        let around = match &self.host {
            Some(words) => host(words, &mut line)?,
            None => preset(common.preset(), &mut line),
        };
        let each = match &self.each {
            Some(words) => each(words, &mut line)?,
            None => Entries::new(),
        };
        if each.contains_key("limit") && self.limit.is_given() {
            return Err(Failure::input(
                "`--each` has a limit, and another option has one, too",
                "keep one of the two",
            ));
        }
        let engines = engines(arguments, &mut line, &around, &each)?;
        Ok(TypedEngines { line, engines })
    }

    /// The number of pairs that the user gives, as pairs or as games.
    fn pairs(&self) -> Result<Option<u64>, Failure> {
        match (self.pairs, self.games) {
            (None, Some(games)) => Ok(Some(games / 2)),
            (pairs, None | Some(2)) => Ok(pairs),
            (Some(pairs), Some(games)) => Err(Failure::input(
                format!("`--games {games}` with {pairs} pairs, or rounds: each has two games, one with each colour"),
                "leave `--games` out for this number of pairs, or `--pairs` for this number of games",
            )),
        }
    }

    /// The words for the second engine.
    fn opponent(&self) -> Result<String, Failure> {
        match &self.b {
            Some(words) => Ok(words.clone()),
            None if self.a.starts_with(IDEA_MARK) && !self.a.contains('@') => Ok(format!("{}:{WITHOUT}", self.a)),
            None => Err(Failure::input(
                "a match needs a second engine",
                "name it after the first, as in `lmrlab match house none`; an idea can stand alone, as in `lmrlab match idea:pv-less`",
            )),
        }
    }

    /// The match of these engines as a tournament file would describe it. No file is read, and it has no name yet.
    pub(super) fn description(
        &self,
        TypedEngines { mut engines, .. }: TypedEngines,
        common: &Options,
    ) -> Result<Description, Failure> {
        let limit = shared_limit(&mut engines).unwrap_or(self.limit.limit());
        let sprt = self.test.sprt()?;
        Ok(Description {
            pairs: self.pairs()?.or(sprt.is_none().then_some(DEFAULT_PAIRS)),
            conditions: Conditions {
                seed: self.seed,
                threads: common.threads,
                hash_mib: common.hash_mib(),
                variant: self.variant,
                openings: OpeningBooks {
                    files: match self.openings.is_empty() {
                        true => vec![PathBuf::from(default_openings(self.variant))],
                        false => self.openings.clone(),
                    },
                    added: Vec::new(),
                    max_plies: self.plies,
                    order: self.order.unwrap_or(Order::Random),
                    start: self.start.unwrap_or(1),
                },
                terms: Terms {
                    limit,
                    margin: (self.timemargin).map_or(limit.default_margin(), Duration::from_millis),
                },
                adjudication: self.adjudication.rules(),
                tablebases: self.adjudication.tablebases(),
                faults_allowed: common.faults_allowed.unwrap_or_default(),
            },
            pgn: self.options.pgn.unwrap_or_default(),
            pin: self.options.pin,
            sprt,
            engines,
            ..Description::default()
        })
    }

    /// The match between these engines, and the warnings of all files.
    pub(super) fn tournament(
        &self,
        mut engines: TypedEngines,
        ordering: Option<QuietOrdering>,
        common: &Options,
    ) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
        for engine in &mut engines.engines {
            engine.order_by(ordering);
        }
        let document = engines.line.document(Vec::new());
        let mut description = self.description(engines, common)?;
        // A path on the command line starts from the working directory. A name is looked up in the folders above it.
        let working = working_folder()?;
        if self.openings.is_empty() {
            let book = project::file(&project::root(&working, None), default_openings(self.variant));
            description.conditions.openings.files = vec![book];
        }
        let name = |description: &mut Description, engines: &mut [Entrant]| {
            tell_apart(engines);
            let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
            description.name = names.join(" vs ");
        };
        let resolved = tournament::resolved(Some(description), name, &document, &working, Files::on_disk());
        let (tournament, mut warnings) = resolved?;
        warnings.extend(self.adjudication.doubt());
        Ok((tournament, warnings))
    }

    /// The usual folder of the results.
    pub(super) fn usual_folder(&self, tournament: &Tournament) -> Result<PathBuf, Failure> {
        let names: Vec<String> = tournament.names().iter().map(|name| folder_name(name)).collect();
        Ok(project::results(&working_folder()?).join(names.join("-vs-")))
    }
}

/// Plays the match and prints its outcome.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let engines = arguments.engines(&frame.options)?;
    let found = arguments.tournament(engines, arguments.ordering, &frame.options)?;
    let usual = arguments.usual_folder(&found.0)?;
    note_baseline(&arguments.a)?;
    arguments.b.as_deref().map_or(Ok(()), note_baseline)?;
    arguments.options.play(found, &usual, frame)
}

/// The limit of all engines, when each has the same one: it becomes the limit of the match, and they lose theirs.
fn shared_limit(engines: &mut [EngineDescription]) -> Option<Limit> {
    let limit = engines.first()?.limit?;
    if engines.iter().any(|engine| engine.limit != Some(limit)) {
        return None;
    }
    for engine in engines {
        engine.limit = None;
    }
    Some(limit)
}

/// When two engines from different files have the same name, they are named by the words that the user typed. If these
/// are the same, they get numbers.
fn tell_apart(engines: &mut [Entrant]) {
    let same =
        |engines: &[Entrant]| engines.first().map(|engine| &engine.name) == engines.get(1).map(|engine| &engine.name);
    let differ = |engines: &[Entrant]| {
        let [first, second] = [engines.first(), engines.get(1)].map(|engine| engine.map(Entrant::reference));
        first != second
    };
    if same(engines) && differ(engines) {
        for engine in engines.iter_mut() {
            engine.name = engine.reference();
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
