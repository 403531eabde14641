//! A [`Description`] as TOML, with the keys of a tournament file. Reading it in a manifest gives the same description.

use std::path::PathBuf;
use std::time::Duration;

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::QuietOrdering;
use toml::{Table, Value};

use super::defaults::MODELS;
use super::description::{Conditions, Description, EngineDescription, EngineKind, OpeningBooks, RaceDescription};
use super::pgn_style::PgnStyle;
use super::race::GOALS;
use super::schedule::{Format, Order};
use crate::game::adjudication::Adjudication;
use crate::game::limit::{Limit, TimeLimit};
use crate::game::tablebases::TablebaseRules;
use crate::player::uci::external::{Deadlines, ExternalEngine, MoveList, Restart};
use lmrlab_stats::Sprt;

/// A table that is filled key by key; what is absent is left out.
#[derive(Default)]
struct Keys(Table);

impl Keys {
    fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    fn set_some(&mut self, key: &str, value: Option<impl Into<Value>>) -> &mut Self {
        if let Some(value) = value {
            self.set(key, value);
        }
        self
    }
}

/// Numbers of a description lie within the bounds of its reader, far below the greatest that TOML has.
fn integer(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// `seed`, as a string when it is greater than an integer of TOML can be.
pub fn seed(seed: u64) -> Value {
    i64::try_from(seed).map_or_else(|_| Value::String(seed.to_string()), Value::Integer)
}

fn milliseconds(time: Duration) -> Value {
    integer(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// The name of a value in a tournament file.
fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], wanted: T) -> &'static str {
    let named = names.iter().find(|(_, value)| *value == wanted);
    named.map_or("", |(name, _)| name)
}

/// A tournament with the keys of a tournament file.
pub fn tournament(description: &Description) -> Table {
    let mut keys = Keys::default();
    keys.set("name", &*description.name)
        .set("description", &*description.description)
        .set("format", name_of(&Format::NAMES, description.format))
        .set_some(
            "gauntlet_engine",
            description.gauntlet_engine.as_ref().map(|text| &*text.value),
        )
        .set_some("pairs", description.pairs.map(integer));
    conditions(&mut keys, &description.conditions);
    keys.set_some("pin", description.pin)
        .set("pgn", name_of(&PgnStyle::NAMES, description.pgn))
        .set_some("sprt", description.sprt.as_ref().map(sprt))
        .set_some("race", description.race.as_ref().map(race))
        .set("engine", description.engines.iter().map(engine).collect::<Vec<Table>>());
    keys.0
}

/// The variant as manifests have it; `None` for standard chess.
pub fn recorded_variant(conditions: &Conditions) -> Option<ChessVariant> {
    conditions.variant.filter(|variant| *variant != ChessVariant::Standard)
}

fn conditions(keys: &mut Keys, conditions: &Conditions) {
    keys.set("seed", seed(conditions.seed))
        .set_some(
            "threads",
            conditions.threads.map(|threads| integer(threads.get() as u64)),
        )
        .set("hash_mib", i64::from(conditions.hash_mib))
        .set("time_margin_ms", milliseconds(conditions.terms.margin))
        .set("faults_allowed", conditions.faults_allowed.to_toml())
        .set_some("variant", recorded_variant(conditions).map(ChessVariant::name))
        .set("openings", openings(&conditions.openings))
        .set("limit", limit(conditions.terms.limit));
    if conditions.adjudication != Adjudication::default() || conditions.tablebases.is_some() {
        let rules = adjudication(&conditions.adjudication, conditions.tablebases.as_ref());
        keys.set("adjudication", rules);
    }
}

/// `[openings]`.
pub fn openings(openings: &OpeningBooks) -> Table {
    let mut keys = Keys::default();
    keys.set("file", files(&openings.files))
        .set_some("added", (!openings.added.is_empty()).then(|| files(&openings.added)))
        .set_some("plies", openings.max_plies.map(i64::from))
        .set("order", name_of(&Order::NAMES, openings.order))
        .set_some("start", (openings.start > 1).then(|| integer(openings.start)));
    keys.0
}

/// The paths of books: one alone, or a list.
pub fn files(files: &[PathBuf]) -> Value {
    let mut paths: Vec<Value> = files.iter().map(|file| file.display().to_string().into()).collect();
    match paths.len() {
        1 => paths.remove(0),
        _ => paths.into(),
    }
}

fn limit(limit: Limit) -> Table {
    let mut keys = Keys::default();
    keys.set_some("nodes", limit.nodes().map(integer))
        .set_some("depth", limit.depth().map(i64::from));
    match limit.time() {
        Some(TimeLimit::Move(time)) => keys.set("move_time_ms", milliseconds(time)),
        Some(TimeLimit::Clock(control)) => keys.set("tc", control.to_string()),
        None => &mut keys,
    };
    keys.0
}

/// `[adjudication]`; empty when nothing ends games early.
pub fn adjudication(rules: &Adjudication, tables: Option<&TablebaseRules>) -> Table {
    let mut keys = Keys::default();
    keys.set_some("max_moves", rules.max_moves.map(i64::from));
    if let Some(rule) = rules.draw {
        let mut draw = Keys::default();
        draw.set("move_number", i64::from(rule.move_number))
            .set("move_count", i64::from(rule.move_count))
            .set("score_cp", i64::from(rule.score_cp))
            .set("two_sided", rule.two_sided);
        keys.set("draw", draw.0);
    }
    if let Some(rule) = rules.resign {
        let mut resign = Keys::default();
        resign
            .set("move_count", i64::from(rule.move_count))
            .set("score_cp", i64::from(rule.score_cp))
            .set("two_sided", rule.two_sided);
        keys.set("resign", resign.0);
    }
    if let Some(tables) = tables {
        keys.0.extend(tablebases(tables));
    }
    keys.0
}

/// The keys of `[adjudication]` that tablebases have.
pub fn tablebases(rules: &TablebaseRules) -> Table {
    let mut keys = Keys::default();
    keys.set("tb", files(&rules.folders))
        .set_some("tb_pieces", rules.pieces.map(i64::from))
        .set_some("tb_ignore50", rules.ignore_50.then_some(true));
    keys.0
}

fn sprt(sprt: &Sprt) -> Table {
    let mut keys = Keys::default();
    keys.set("elo0", sprt.elo0())
        .set("elo1", sprt.elo1())
        .set("alpha", sprt.alpha())
        .set("beta", sprt.beta())
        .set("model", name_of(&MODELS, sprt.model()));
    keys.0
}

fn race(race: &RaceDescription) -> Table {
    let mut keys = Keys::default();
    keys.set("goal", name_of(&GOALS, race.goal))
        .set_some("baseline", race.baseline.as_ref().map(|text| &*text.value))
        .set("elo", race.elo)
        .set("alpha", race.alpha)
        .set("model", name_of(&MODELS, race.model));
    keys.0
}

fn engine(engine: &EngineDescription) -> Table {
    let mut keys = Keys::default();
    keys.set_some("name", engine.name.as_deref())
        .set_some("time_margin_ms", engine.margin.map(milliseconds));
    match &engine.kind {
        EngineKind::Own {
            preset,
            policy,
            ordering,
        } => {
            keys.set("preset", &*preset.value)
                .set("policy", &*policy.value)
                .set_some("ordering", ordering.map(QuietOrdering::name));
        }
        EngineKind::External {
            command,
            policy,
            compiled,
            dir,
            engine,
        } => {
            keys.set("command", &*command.value)
                .set_some("policy", policy.as_ref().map(|policy| &*policy.value))
                .set_some("compiled", compiled.as_deref())
                .set_some("dir", dir.as_ref().map(|dir| &*dir.value));
            external(&mut keys, engine);
        }
    }
    keys.set_some("limit", engine.limit.map(limit));
    keys.0
}

fn external(keys: &mut Keys, engine: &ExternalEngine) {
    let assignments = |pairs: &[(String, String)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect::<Table>()
    };
    keys.set("args", engine.args.clone())
        .set("restart", name_of(&Restart::NAMES, engine.restart))
        .set_some("ponder", engine.ponder.then_some(true))
        .set("move_list", name_of(&MoveList::NAMES, engine.move_list))
        .set("deadlines", deadlines(&engine.deadlines))
        .set("env", assignments(&engine.env))
        .set("options", assignments(&engine.options));
}

fn deadlines(deadlines: &Deadlines) -> Table {
    let mut keys = Keys::default();
    keys.set("start_ms", milliseconds(deadlines.start))
        .set("ready_ms", milliseconds(deadlines.ready))
        .set_some("answer_ms", deadlines.answer.map(milliseconds))
        .set("late_ms", milliseconds(deadlines.late))
        .set("quit_ms", milliseconds(deadlines.quit));
    keys.0
}
