//! Tournament files: TOML in, a [`Tournament`] out, or everything that is wrong with the file at once.
//!
//! The keys are explained in `configs/tournaments/quickstart.toml`. Paths and names in a file start from the project
//! root, see [`project::root`].

mod engines;
pub mod limits;
mod race;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Source, Table, Text, nearest};

use super::Tournament;
use super::entrant::Entrant;
use super::schedule::{Format, Order};
use crate::failure::Failure;
use crate::game::adjudication::Adjudication;
use crate::game::limit::Terms;
use crate::openings::Openings;
use crate::player::uci::external::Deadlines;
use crate::project;
use crate::tournament::pgn_style::PgnStyle;
use lmrlab_stats::{EloModel, Sprt};

/// Pairs that a test may take when nobody says how many, and openings may be used again: more than reasonable bounds
/// need.
pub const SPRT_PAIRS: u64 = 100_000;
/// The greatest number of pairs for each pairing.
pub const MAX_PAIRS: u64 = 1_000_000_000;
/// The greatest number of threads.
pub const MAX_THREADS: u64 = 1_024;
/// The largest transposition table, in MiB.
pub const MAX_HASH_MIB: u32 = 65_536;
/// The transposition table when nobody says how large, in MiB.
pub const DEFAULT_HASH_MIB: u32 = 16;
/// The preset when nobody names one.
pub const DEFAULT_PRESET: &str = "standard";
/// Error probabilities of a test when nobody says otherwise.
pub const DEFAULT_ERROR: f64 = 0.05;
/// The longest name of a tournament or an engine, in characters.
pub const MAX_NAME: usize = 200;

/// The models of Elo with the names that they have in a tournament file.
pub const MODELS: [(&str, EloModel); 2] = [
    ("normalized", EloModel::Normalized),
    ("logistic", EloModel::Logistic),
];

/// What the command line says instead of the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overrides {
    /// Games at the same time.
    pub threads: Option<NonZeroUsize>,
    /// The seed.
    pub seed: Option<u64>,
    /// How much games.pgn tells.
    pub pgn: Option<PgnStyle>,
    /// Whether threads are pinned to processors.
    pub pin: Option<bool>,
}

/// Reads a tournament file and every file that it names. Comes with the warnings of all of them.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load(
    path: &Path,
    root: &Path,
    overrides: Overrides,
) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
    read_file(path, root, |reader, table| {
        reader.tournament(table, overrides)
    })
}

/// Reads a file and every file that it names, whatever `read` makes of them. Comes with the warnings of all of them.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn read_file<'r, T>(
    path: &Path,
    root: &'r Path,
    read: impl FnOnce(&mut Reader<'r>, Table<'_>) -> Option<T>,
) -> Result<(T, Vec<Diagnostics>), Failure> {
    let input = |report| Failure::Input(vec![report]);
    let source = Source::read(path).map_err(input)?;
    let document = Document::parse(source).map_err(input)?;
    let mut reader = Reader {
        root,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    let found = read(&mut reader, document.root());
    match document.finish(found) {
        Ok((found, warnings)) if reader.errors.is_empty() => {
            reader.warnings.insert(0, warnings);
            reader.warnings.retain(|warnings| !warnings.list.is_empty());
            Ok((found, reader.warnings))
        }
        Ok(_) => Err(Failure::Input(reader.errors)),
        Err(report) => {
            reader.errors.insert(0, report);
            reader.errors.retain(|report| !report.list.is_empty());
            Err(Failure::Input(reader.errors))
        }
    }
}

/// The number of threads that the machine has.
pub fn all_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The number of threads when nobody says otherwise: all that the machine has, and one less when time counts, so that
/// whatever else the machine does takes no time from the players.
pub fn usual_threads(timed: bool) -> NonZeroUsize {
    let all = all_threads();
    if timed {
        NonZeroUsize::new(all.get() - 1).unwrap_or(all)
    } else {
        all
    }
}

/// Whether a text can be the name of a tournament or an engine; if not, why.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        Err("a name needs at least one letter".to_owned())
    } else if name.chars().any(char::is_control) {
        Err("a name has no line breaks, tabs or other control characters".to_owned())
    } else if name.chars().count() > MAX_NAME {
        Err(format!("a name has at most {MAX_NAME} characters"))
    } else {
        Ok(())
    }
}

/// The greatest number of plies that an opening can have.
const MAX_OPENING_PLIES: i64 = 1_000;

/// What `[openings]` says.
pub struct ChosenOpenings {
    /// The file, as it was written.
    pub file: PathBuf,
    /// The positions in it.
    pub openings: Openings,
    /// Of openings from a PGN, so many plies; all when absent.
    pub max_plies: Option<u32>,
    /// The order in which they are used.
    pub order: Order,
}

/// Reads one tournament file; what is wrong with files that it names is kept apart from what is wrong with itself.
pub struct Reader<'r> {
    /// The folder that names and relative paths start from.
    pub root: &'r Path,
    /// What is wrong with the files that it names.
    pub errors: Vec<Diagnostics>,
    /// What is odd about them.
    pub warnings: Vec<Diagnostics>,
}

impl Reader<'_> {
    fn tournament(&mut self, table: Table<'_>, overrides: Overrides) -> Option<Tournament> {
        let name = table.require("name", self.name(&table));
        let description = table.text("description").map(|text| text.value);
        let format = table.choice("format", &Format::NAMES);
        let sprt = table.table("sprt").map(sprt);
        let race_table = table.table("race");
        let ends_itself = sprt.is_some() || format == Some(Format::Race);
        let pairs = match table.integer("pairs", 1..=MAX_PAIRS as i64) {
            None if ends_itself && !table.has("pairs") => Some(None),
            pairs => table.require("pairs", pairs.map(|pairs| Some(pairs as u64))),
        };
        let seed = table.integer("seed", 0..=i64::MAX).unwrap_or(0) as u64;
        let threads = table
            .integer("threads", 0..=MAX_THREADS as i64)
            .and_then(|threads| NonZeroUsize::new(threads as usize));
        let hash_mib = table
            .integer("hash_mib", 1..=i64::from(MAX_HASH_MIB))
            .map_or(DEFAULT_HASH_MIB, |hash| hash as u32);
        let openings = table.require("openings", table.table("openings"));
        let openings = openings.map(|openings| self.openings(openings));
        let limit = table.require("limit", table.table("limit"));
        let limit = limit.map(limits::limit);
        let margin = limits::margin(&table);
        let adjudication = match table.table("adjudication") {
            Some(table) => limits::adjudication(table),
            None => Some(Adjudication::default()),
        };
        let deadlines = limits::deadlines(&table, Deadlines::default());
        let pgn = if table.has("pgn") {
            table.choice("pgn", &PgnStyle::NAMES)
        } else {
            Some(PgnStyle::default())
        };
        let pgn = overrides.pgn.or(pgn);
        let pin = table.boolean("pin");
        let pin_is_wrong = table.has("pin") && pin.is_none();
        let engines = self.engines(&table, deadlines);
        let gauntlet = table.text("gauntlet_engine");
        if format.is_some_and(|format| format != Format::Gauntlet)
            && let Some(text) = &gauntlet
        {
            table.report(
                Diagnostic::error("`gauntlet_engine` is for gauntlets only")
                    .at(text.span.clone(), "no gauntlet, no such engine")
                    .help("write `format = \"gauntlet\"`, or remove the key"),
            );
        }
        let race = race::race(&table, race_table, format, engines.as_deref());
        let format = table.require("format", format);
        self.check_engine_count(&table, format, sprt.is_some());
        let gauntlet_engine = gauntlet_index(&table, gauntlet.as_ref(), engines.as_deref());
        table.close();
        let chosen = openings??;
        let limit = limit??;
        let terms = Terms {
            limit,
            margin: margin.unwrap_or(limit.default_margin()),
        };
        let engines = engines.filter(|_| !pin_is_wrong)?;
        let timed = engines
            .iter()
            .any(|engine| engine.terms(terms).limit.is_timed());
        Some(Tournament {
            name: name?,
            description: description.unwrap_or_default(),
            root: self.root.to_owned(),
            format: format?,
            gauntlet_engine: gauntlet_engine?,
            pairs: pairs?.unwrap_or_else(|| Tournament::longest_test(timed, &chosen.openings)),
            seed: overrides.seed.unwrap_or(seed),
            threads: overrides
                .threads
                .or(threads)
                .unwrap_or_else(|| usual_threads(timed)),
            openings_file: chosen.file,
            openings: chosen.openings,
            max_plies: chosen.max_plies,
            order: chosen.order,
            terms,
            adjudication: adjudication?,
            pin: overrides.pin.or(pin),
            pgn: pgn?,
            hash_mib,
            engines,
            sprt: match sprt {
                None => None,
                Some(sprt) => Some(sprt?),
            },
            race: race?,
        })
    }

    /// The key `name`.
    pub fn name(&self, table: &Table<'_>) -> Option<String> {
        let text = table.text("name")?;
        match check_name(&text.value) {
            Ok(()) => Some(text.value),
            Err(reason) => {
                table.report(
                    Diagnostic::error("this name cannot be used").at(text.span.clone(), reason),
                );
                None
            }
        }
    }

    /// The table `[openings]`, with the positions of the file that it names.
    pub fn openings(&mut self, table: Table<'_>) -> Option<ChosenOpenings> {
        let file = table.require("file", table.text("file"));
        let order = if table.has("order") {
            table.choice("order", &Order::NAMES)
        } else {
            Some(Order::Random)
        };
        let max_plies = table.integer("plies", 0..=MAX_OPENING_PLIES);
        let wrong = table.has("plies") && max_plies.is_none();
        table.close();
        let max_plies = max_plies.map(|plies| plies as u32);
        let file = PathBuf::from(file?.value);
        match Openings::load(&project::from_here(&self.root.join(&file)), max_plies) {
            Ok((openings, warnings)) => {
                self.warnings.push(warnings);
                (!wrong).then_some(())?;
                Some(ChosenOpenings {
                    file,
                    openings,
                    max_plies,
                    order: order?,
                })
            }
            Err(report) => {
                self.errors.push(report);
                None
            }
        }
    }

    fn check_engine_count(&self, table: &Table<'_>, format: Option<Format>, sprt: bool) {
        let count = table.tables("engine").len();
        let wrong = match format {
            _ if count < 2 => Some((
                "a tournament needs at least two engines".to_owned(),
                "write an `[[engine]]` with a `policy` for each of them",
            )),
            Some(Format::Match) if count != 2 => Some((
                format!("a match has exactly two engines, not {count}"),
                "write `format = \"round_robin\"` or `\"gauntlet\"`, or remove some of them",
            )),
            _ if sprt && count != 2 => Some((
                format!("an SPRT compares exactly two engines, not {count}"),
                "remove `[sprt]`, or some of the engines",
            )),
            _ => None,
        };
        if let Some((message, help)) = wrong {
            let mut diagnostic = Diagnostic::error(message).help(help);
            if let Some(last) = table.tables("engine").last() {
                diagnostic = diagnostic.at(last.span(), "");
            }
            table.report(diagnostic);
        }
    }
}

fn gauntlet_index(
    table: &Table<'_>,
    wanted: Option<&Text>,
    engines: Option<&[Entrant]>,
) -> Option<usize> {
    let (Some(wanted), Some(engines)) = (wanted, engines) else {
        return Some(0);
    };
    engine_called(table, wanted, engines)
}

/// The engine with this name; says so when there is none.
fn engine_called(table: &Table<'_>, wanted: &Text, engines: &[Entrant]) -> Option<usize> {
    let names = || engines.iter().map(|engine| engine.name.as_str());
    let index = names().position(|name| name == wanted.value);
    if index.is_none() {
        let help = nearest(&wanted.value, names()).map_or_else(
            || {
                format!(
                    "the engines are: {}",
                    names().collect::<Vec<_>>().join(", ")
                )
            },
            |near| format!("did you mean `{near}`?"),
        );
        table.report(
            Diagnostic::error(format!("no engine is called `{}`", wanted.value))
                .at(wanted.span.clone(), "this engine does not take part")
                .help(help),
        );
    }
    index
}

/// The table `[sprt]`.
pub fn sprt(table: Table<'_>) -> Option<Sprt> {
    let any = f64::MIN..=f64::MAX;
    let elo0 = table.require("elo0", table.number("elo0", any.clone()));
    let elo1 = table.require("elo1", table.number("elo1", any.clone()));
    let alpha = error_probability(&table, "alpha");
    let beta = error_probability(&table, "beta");
    let model = model(&table);
    let span = table.span();
    let document = table.document();
    table.close();
    Sprt::new(model?, elo0?, elo1?, alpha?, beta?)
        .map_err(|error| document.report(Diagnostic::error(error.to_string()).at(span, "")))
        .ok()
}

/// An error probability, which has a usual value.
fn error_probability(table: &Table<'_>, key: &str) -> Option<f64> {
    let value = table.number(key, f64::MIN..=f64::MAX);
    if table.has(key) {
        value
    } else {
        Some(DEFAULT_ERROR)
    }
}

/// The scale of a test's Elo.
fn model(table: &Table<'_>) -> Option<EloModel> {
    let model = table.choice("model", &MODELS);
    if table.has("model") {
        model
    } else {
        Some(EloModel::Normalized)
    }
}
