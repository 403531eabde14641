//! How games are played: openings, what players may spend, how long they are waited for, and when games are ended.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_engine::chess_variant::ChessVariant;

use super::{optional, or_usual};
use crate::game::adjudication::{Adjudication, DrawRule, MAX_SCORE_CP, ResignRule};
use crate::game::limit::{
    Limit, MAX_DEPTH, MAX_MOVES, MAX_NODES, MAX_TIME_MS, Terms, TimeControl, TimeControlError, TimeLimit,
};
use crate::game::tablebases::{MEN, TablebaseRules};
use crate::player::uci::external::Deadlines;
use crate::tournament::defaults::{DEFAULT_HASH_MIB, MAX_HASH_MIB, MAX_START, MAX_THREADS, default_openings};
use crate::tournament::description::{Conditions, OpeningBooks};
use crate::tournament::faults_allowed::FaultsAllowed;
use crate::tournament::schedule::Order;

/// The greatest number of plies that an opening can have.
const MAX_OPENING_PLIES: i64 = 1_000;

/// The keys for how games are played. All files that lead to games have them.
pub fn conditions(table: &TomlTable<'_>) -> Option<Conditions> {
    let seed = seed(table).unwrap_or(0);
    let threads = table
        .integer("threads", 0..=MAX_THREADS as i64)
        .and_then(|threads| NonZeroUsize::new(threads as usize));
    let hash_mib = table
        .integer("hash_mib", 1..=i64::from(MAX_HASH_MIB))
        .map_or(DEFAULT_HASH_MIB, |hash| hash as u32);
    let variant = variant(table);
    let usual_openings = default_openings(variant.flatten());
    let openings = match table.table("openings") {
        Some(table) => opening_books(table, usual_openings),
        None if table.has("openings") => None,
        None => Some(OpeningBooks::of(PathBuf::from(usual_openings))),
    };
    let limit = table.require("limit", table.table("limit"));
    let limit = limit.map(self::limit);
    let margin = margin(table);
    let adjudication = match table.table("adjudication") {
        Some(table) => adjudication(table),
        None => Some((Adjudication::default(), None)),
    };
    let faults_allowed = FaultsAllowed::read(table);
    let limit = limit??;
    let (adjudication, tablebases) = adjudication?;
    Some(Conditions {
        seed,
        threads,
        hash_mib,
        variant: variant?,
        openings: openings?,
        terms: Terms {
            limit,
            margin: margin.unwrap_or(limit.default_margin()),
        },
        adjudication,
        tablebases,
        faults_allowed: faults_allowed?,
    })
}

/// `seed`. One that no integer of TOML is as great as is a string.
fn seed(table: &TomlTable<'_>) -> Option<u64> {
    let text = table.scalar("seed")?;
    let seed = text.parse().ok();
    if seed.is_none() {
        table.report(Diagnostic::error(format!("`seed` is {text}")).at(
            table.place_of_value("seed"),
            format!("a whole number from 0 to {} belongs here", u64::MAX),
        ));
    }
    seed
}

/// `variant`. A manifest without it is of standard chess.
fn variant(table: &TomlTable<'_>) -> Option<Option<ChessVariant>> {
    if table.has("variant") {
        return table.choice("variant", &ChessVariant::NAMES).map(Some);
    }
    Some((table.document().root().has("format_version")).then_some(ChessVariant::Standard))
}

/// `[openings]`; each key has a default.
fn opening_books(table: TomlTable<'_>, usual_file: &str) -> Option<OpeningBooks> {
    let usual = vec![PathBuf::from(usual_file)];
    let files = or_usual(&table, "file", paths(&table, "file", "book"), usual);
    let added = or_usual(&table, "added", paths(&table, "added", "book"), Vec::new());
    if table.has("added") && !table.document().root().has("format_version") {
        table.report(
            Diagnostic::error("`added` is for the manifest of a run")
                .at(table.place_of("added"), "`lmrlab resume --openings` writes this key")
                .help("name all books in `file`"),
        );
    }
    let order = or_usual(&table, "order", table.choice("order", &Order::NAMES), Order::Random);
    let max_plies = optional(&table, "plies", table.integer("plies", 0..=MAX_OPENING_PLIES));
    let start = or_usual(&table, "start", table.integer("start", 1..=MAX_START as i64), 1);
    table.close();
    Some(OpeningBooks {
        files: files?,
        added: added?,
        max_plies: max_plies?.map(|plies| plies as u32),
        order: order?,
        start: start? as u64,
    })
}

/// The paths of some things, such as books: one, or a list.
fn paths(table: &TomlTable<'_>, key: &str, thing: &str) -> Option<Vec<PathBuf>> {
    if !table.is_list(key) {
        return Some(vec![PathBuf::from(table.text(key)?.value)]);
    }
    let files = table.texts(key);
    if files.is_empty() {
        table.report(
            Diagnostic::error(format!("`{key}` names no {thing}"))
                .at(table.place_of_value(key), "a list of at least one path belongs here"),
        );
        return None;
    }
    Some(files.into_iter().map(|file| PathBuf::from(file.value)).collect())
}

/// A `[limit]`: one or more of its keys.
pub(super) fn limit(table: TomlTable<'_>) -> Option<Limit> {
    let nodes = table.integer("nodes", 1..=MAX_NODES as i64);
    let depth = table.integer("depth", 1..=i64::from(MAX_DEPTH));
    let move_time = milliseconds(&table, "move_time_ms", 1);
    let clock = table.has("tc").then(|| table.text("tc")).flatten().and_then(|text| {
        let wrong = |error: TimeControlError| {
            table.report(Diagnostic::error("this is not a time control").at(text.span.clone(), error.to_string()));
        };
        text.value.parse::<TimeControl>().map_err(wrong).ok()
    });
    let nodes = optional(&table, "nodes", nodes.map(|nodes| nodes as u64));
    let depth = optional(&table, "depth", depth.map(|depth| depth as u32));
    let move_time = optional(&table, "move_time_ms", move_time.map(TimeLimit::Move));
    let clock = optional(&table, "tc", clock.map(TimeLimit::Clock));
    let is_timed_twice = table.has("move_time_ms") && table.has("tc");
    if is_timed_twice {
        table.report(
            Diagnostic::error("`limit` has a time for each move and a clock")
                .at(table.place_of("tc"), "one too many")
                .help("keep one of move_time_ms, tc"),
        );
    }
    let (document, place) = (table.document(), table.span());
    table.close();
    let limit = Limit::new(nodes?, depth?, move_time?.or(clock?));
    if limit.is_none() {
        document.report(
            Diagnostic::error("`limit` sets no limit")
                .at(place, "one key belongs here")
                .help("write `nodes = 10000`, `depth = 8`, `move_time_ms = 100` or `tc = \"10+0.1\"`"),
        );
    }
    limit.filter(|_| !is_timed_twice)
}

/// `time_margin_ms`.
pub(super) fn margin(table: &TomlTable<'_>) -> Option<Duration> {
    milliseconds(table, "time_margin_ms", 0)
}

/// `[deadlines]` of a file; what it does not mention is as usual.
pub fn deadlines(table: &TomlTable<'_>) -> Option<Deadlines> {
    deadlines_beside(table, Deadlines::default())
}

/// `[deadlines]`; what it does not mention is as in `usual`.
pub(super) fn deadlines_beside(table: &TomlTable<'_>, usual: Deadlines) -> Option<Deadlines> {
    let Some(table) = table.table("deadlines") else {
        return (!table.has("deadlines")).then_some(usual);
    };
    let mut wrong = false;
    let mut read = |key: &str, usual: Duration| {
        let time = milliseconds(&table, key, 1);
        wrong |= table.has(key) && time.is_none();
        time.unwrap_or(usual)
    };
    let deadlines = Deadlines {
        start: read("start_ms", usual.start),
        ready: read("ready_ms", usual.ready),
        answer: Some(read("answer_ms", Duration::ZERO))
            .filter(|time| !time.is_zero())
            .or(usual.answer),
        late: read("late_ms", usual.late),
        quit: read("quit_ms", usual.quit),
    };
    table.close();
    (!wrong).then_some(deadlines)
}

fn milliseconds(table: &TomlTable<'_>, key: &str, least: i64) -> Option<Duration> {
    table
        .integer(key, least..=MAX_TIME_MS as i64)
        .map(|time| Duration::from_millis(time as u64))
}

fn adjudication(table: TomlTable<'_>) -> Option<(Adjudication, Option<TablebaseRules>)> {
    let draw = table.table("draw").and_then(|table| {
        let move_number = table.integer("move_number", 0..=i64::from(MAX_MOVES));
        let move_number = or_usual(&table, "move_number", move_number, 0);
        let (move_count, score_cp) = counted(&table);
        let two_sided = switch(&table, "two_sided", true);
        table.close();
        Some(DrawRule {
            move_number: move_number? as u32,
            move_count: move_count?,
            score_cp: score_cp?,
            two_sided: two_sided?,
        })
    });
    let resign = table.table("resign").and_then(|table| {
        let (move_count, score_cp) = counted(&table);
        let two_sided = switch(&table, "two_sided", false);
        table.close();
        Some(ResignRule {
            move_count: move_count?,
            score_cp: score_cp?,
            two_sided: two_sided?,
        })
    });
    let max_moves = table.integer("max_moves", 1..=i64::from(MAX_MOVES));
    let max_moves = optional(&table, "max_moves", max_moves.map(|moves| moves as u32));
    let (draw, resign) = (optional(&table, "draw", draw), optional(&table, "resign", resign));
    let tablebases = tablebases(&table);
    table.close();
    let adjudication = Adjudication {
        draw: draw?,
        resign: resign?,
        max_moves: max_moves?,
    };
    Some((adjudication, tablebases?))
}

/// `tb`, `tb_pieces` and `tb_ignore50`.
fn tablebases(table: &TomlTable<'_>) -> Option<Option<TablebaseRules>> {
    let pieces = table.integer("tb_pieces", i64::from(MEN[0])..=i64::from(MEN[1]));
    let pieces = optional(table, "tb_pieces", pieces.map(|pieces| pieces as u32));
    let ignore_50 = switch(table, "tb_ignore50", false);
    if !table.has("tb") {
        for key in ["tb_pieces", "tb_ignore50"].into_iter().filter(|key| table.has(key)) {
            table.report(
                Diagnostic::error(format!("`{key}` goes with `tb`, which is not here"))
                    .at(table.place_of(key), "")
                    .help("write `tb = \"DIR\"` with the folder of the tables, too"),
            );
        }
        return Some(None);
    }
    Some(Some(TablebaseRules {
        folders: paths(table, "tb", "folder")?,
        pieces: pieces?,
        ignore_50: ignore_50?,
    }))
}

fn counted(table: &TomlTable<'_>) -> (Option<u32>, Option<i32>) {
    let count = table.integer("move_count", 1..=i64::from(MAX_MOVES));
    let count = table.require("move_count", count);
    let score = table.integer("score_cp", 0..=i64::from(MAX_SCORE_CP));
    let score = table.require("score_cp", score);
    (count.map(|count| count as u32), score.map(|score| score as i32))
}

fn switch(table: &TomlTable<'_>, key: &str, usual: bool) -> Option<bool> {
    or_usual(table, key, table.boolean(key), usual)
}
