//! How games are played: openings, what players may spend, how long they are waited for, and when games are ended.

use std::num::{NonZeroUsize, ParseIntError};
use std::path::PathBuf;

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_engine::chess_variant::ChessVariant;
use toml::{Table, Value};

use super::table::{Keys, Unusual, read, written};
use crate::game::adjudication::{Adjudication, DrawRule, MAX_SCORE_CP, ResignRule};
use crate::game::limit::{Limit, MAX_DEPTH, MAX_MOVES, MAX_NODES, TimeControl, TimeLimit};
use crate::game::tablebases::{MEN, TablebaseRules};
use crate::player::uci::deadlines::Deadlines;
use crate::tournament::defaults::{MAX_HASH_MIB, MAX_START, MAX_THREADS, default_openings};
use crate::tournament::description::{Conditions, OpeningBooks};
use crate::tournament::schedule::Order;

/// The greatest number of plies that an opening can have.
const MAX_OPENING_PLIES: u32 = 1_000;

/// Reads the keys for how games are played. All files that lead to games have them.
pub fn conditions(table: &TomlTable<'_>) -> Option<Conditions> {
    read(table, Conditions::default(), |to, it| {
        keys(to, it);
        to.need(&["limit"]);
    })
}

/// The conditions with the keys of a file.
pub fn of_conditions(conditions: &Conditions) -> Table {
    written(conditions, keys)
}

pub(super) fn keys(keys: &mut Keys<'_>, it: &mut Conditions) {
    let range = |_: ParseIntError| format!("a whole number from 0 to {} belongs here", u64::MAX);
    let parse = |text: &str| text.parse().map_err(range);
    keys.parsed("seed", "a seed", &mut it.seed, parse, |seed| seed_value(*seed));
    let mut threads = it.threads.map(|threads| threads.get() as u64);
    keys.integer("threads", 0..=MAX_THREADS, &mut threads);
    it.threads = threads.and_then(|threads| NonZeroUsize::new(threads as usize));
    keys.integer("hash_mib", 1..=MAX_HASH_MIB, &mut it.hash_mib);
    let mut margin = keys.known(it.terms.margin);
    keys.milliseconds("time_margin_ms", 0, &mut margin);
    let what = "a value of `faults_allowed`";
    keys.parsed("faults_allowed", what, &mut it.faults_allowed, str::parse, |allowed| {
        allowed.to_toml()
    });
    let mut variant = recorded_variant(it);
    keys.choice("variant", &ChessVariant::NAMES, &mut variant);
    if let Some(table) = keys.table() {
        // A manifest without it is of standard chess.
        it.variant = variant.or(is_manifest(table).then_some(ChessVariant::Standard));
        it.openings = OpeningBooks::of(PathBuf::from(default_openings(it.variant)));
    }
    keys.inside("openings", true, |keys| openings_keys(keys, &mut it.openings));
    let mut limit = keys.known(it.terms.limit);
    limit_keys(keys, &mut limit);
    it.terms.limit = limit.unwrap_or(it.terms.limit);
    it.terms.margin = margin.unwrap_or(it.terms.limit.default_margin());
    let has_rules = it.adjudication != Adjudication::default() || it.tablebases.is_some();
    keys.inside("adjudication", has_rules, |keys| {
        adjudication_keys(keys, &mut it.adjudication);
        tablebase_keys(keys, &mut it.tablebases);
    });
}

/// The variant as manifests have it; `None` for standard chess.
fn recorded_variant(conditions: &Conditions) -> Option<ChessVariant> {
    conditions.variant.filter(|variant| *variant != ChessVariant::Standard)
}

/// `seed`, as a string when it is greater than an integer of TOML can be.
fn seed_value(seed: u64) -> Value {
    i64::try_from(seed).map_or_else(|_| Value::String(seed.to_string()), Value::Integer)
}

/// Whether the table belongs to a manifest. Manifests have keys that no user writes.
pub(super) fn is_manifest(table: &TomlTable<'_>) -> bool {
    table.document().root().has("format_version")
}

/// `[openings]`; each key has a default.
fn openings_keys(keys: &mut Keys<'_>, it: &mut OpeningBooks) {
    keys.paths("file", "book", &mut it.files);
    keys.paths("added", "book", &mut Unusual(&mut it.added, Vec::new()));
    keys.integer("plies", 0..=MAX_OPENING_PLIES, &mut it.max_plies);
    keys.choice("order", &Order::NAMES, &mut it.order);
    keys.integer("start", 1..=MAX_START, &mut Unusual(&mut it.start, 1));
    if let Some(table) = keys.table()
        && table.has("added")
        && !is_manifest(table)
    {
        table.report(
            Diagnostic::error("`added` is for the manifest of a run")
                .at(table.place_of("added"), "`lmrlab resume --openings` writes this key")
                .help("name all books in `file`"),
        );
    }
}

/// `[limit]`: one or more of its keys.
pub(super) fn limit_keys(keys: &mut Keys<'_>, it: &mut Option<Limit>) {
    keys.inside("limit", it.is_some(), |keys| {
        let mut nodes = it.and_then(Limit::nodes);
        let mut depth = it.and_then(Limit::depth);
        let (mut move_time, mut clock) = match it.and_then(Limit::time) {
            Some(TimeLimit::Move(time)) => (Some(time), None),
            Some(TimeLimit::Clock(clock)) => (None, Some(clock)),
            None => (None, None),
        };
        keys.integer("nodes", 1..=MAX_NODES, &mut nodes);
        keys.integer("depth", 1..=MAX_DEPTH, &mut depth);
        keys.milliseconds("move_time_ms", 1, &mut move_time);
        let write = |clock: &TimeControl| clock.to_string().into();
        keys.parsed("tc", "a time control", &mut clock, str::parse, write);
        *it = Limit::new(
            nodes,
            depth,
            move_time.map(TimeLimit::Move).or(clock.map(TimeLimit::Clock)),
        );
        let Some(table) = keys.table() else {
            return;
        };
        if table.has("move_time_ms") && table.has("tc") {
            table.report(
                Diagnostic::error("`limit` has a time for each move and a clock")
                    .at(table.place_of("tc"), "one too many")
                    .help("keep one of move_time_ms, tc"),
            );
        }
        if !["nodes", "depth", "move_time_ms", "tc"]
            .iter()
            .any(|key| table.has(key))
        {
            table.report(
                Diagnostic::error("`limit` sets no limit")
                    .at(table.span(), "one key belongs here")
                    .help("write `nodes = 10000`, `depth = 8`, `move_time_ms = 100` or `tc = \"10+0.1\"`"),
            );
        }
    });
}

/// Reads `[deadlines]` of a file; what it does not mention is as usual.
pub fn deadlines(table: &TomlTable<'_>) -> Option<Deadlines> {
    read(table, Deadlines::default(), deadlines_keys)
}

/// `[deadlines]`; what it does not mention stays.
pub(super) fn deadlines_keys(keys: &mut Keys<'_>, it: &mut Deadlines) {
    keys.inside("deadlines", true, |keys| {
        keys.milliseconds("start_ms", 1, &mut it.start);
        keys.milliseconds("ready_ms", 1, &mut it.ready);
        keys.milliseconds("answer_ms", 1, &mut it.answer);
        keys.milliseconds("late_ms", 1, &mut it.late);
        keys.milliseconds("quit_ms", 1, &mut it.quit);
    });
}

fn adjudication_keys(keys: &mut Keys<'_>, it: &mut Adjudication) {
    keys.integer("max_moves", 1..=MAX_MOVES, &mut it.max_moves);
    keys.inside("draw", it.draw.is_some(), |keys| {
        let draw = it.draw.get_or_insert(DrawRule {
            move_number: 0,
            move_count: 1,
            score_cp: 0,
            two_sided: true,
        });
        keys.integer("move_number", 0..=MAX_MOVES, &mut draw.move_number);
        score_keys(keys, &mut draw.move_count, &mut draw.score_cp, &mut draw.two_sided);
    });
    keys.inside("resign", it.resign.is_some(), |keys| {
        let resign = it.resign.get_or_insert(ResignRule {
            move_count: 1,
            score_cp: 0,
            two_sided: false,
        });
        score_keys(
            keys,
            &mut resign.move_count,
            &mut resign.score_cp,
            &mut resign.two_sided,
        );
    });
}

fn score_keys(keys: &mut Keys<'_>, move_count: &mut u32, score_cp: &mut i32, two_sided: &mut bool) {
    keys.integer("move_count", 1..=MAX_MOVES, move_count);
    keys.integer("score_cp", 0..=MAX_SCORE_CP as i32, score_cp);
    keys.boolean("two_sided", two_sided);
    keys.need(&["move_count", "score_cp"]);
}

/// The keys of `[adjudication]` that tablebases have.
fn tablebase_keys(keys: &mut Keys<'_>, it: &mut Option<TablebaseRules>) {
    const OTHERS: [&str; 2] = ["tb_pieces", "tb_ignore50"];
    let table = keys.table();
    if !table.map_or(it.is_some(), |table| table.has("tb")) {
        for (table, key) in OTHERS
            .iter()
            .filter_map(|key| Some((table.filter(|table| table.has(key))?, key)))
        {
            table.report(
                Diagnostic::error(format!("`{key}` goes with `tb`, which is not here"))
                    .at(table.place_of(key), "")
                    .help("write `tb = \"DIR\"` with the folder of the tables, too"),
            );
        }
        return;
    }
    let rules = it.get_or_insert_default();
    keys.paths("tb", "folder", &mut rules.folders);
    keys.integer("tb_pieces", MEN[0]..=MEN[1], &mut rules.pieces);
    keys.boolean("tb_ignore50", &mut Unusual(&mut rules.ignore_50, false));
}
