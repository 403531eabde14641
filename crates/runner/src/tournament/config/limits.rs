//! What players may spend, how long they are waited for, and when games are ended, in a tournament file.

use std::time::Duration;

use lmrlab_diagnostics::{Diagnostic, Table};

use crate::game::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::game::limit::{Limit, MAX_DEPTH, MAX_MOVES, MAX_NODES, MAX_TIME_MS, TimeControl};
use crate::player::uci::external::Deadlines;

/// The greatest score that a rule of adjudication may ask for, in centipawns.
const MAX_SCORE_CP: i64 = 100_000;

/// A `[limit]`.
pub fn limit(table: Table<'_>) -> Option<Limit> {
    const KEYS: [&str; 4] = ["nodes", "depth", "move_time_ms", "tc"];
    let given: Vec<&str> = KEYS.into_iter().filter(|key| table.has(key)).collect();
    let limit = match given[..] {
        ["nodes"] => table
            .integer("nodes", 1..=MAX_NODES as i64)
            .map(|nodes| Limit::Nodes(nodes as u64)),
        ["depth"] => table
            .integer("depth", 1..=i64::from(MAX_DEPTH))
            .map(|depth| Limit::Depth(depth as u32)),
        ["move_time_ms"] => table
            .integer("move_time_ms", 1..=MAX_TIME_MS as i64)
            .map(|time| Limit::MoveTime(Duration::from_millis(time as u64))),
        [_] => table.text("tc").and_then(|text| {
            text.value
                .parse::<TimeControl>()
                .map_err(|error| {
                    table.report(
                        Diagnostic::error("this is not a time control")
                            .at(text.span.clone(), error.to_string()),
                    );
                })
                .ok()
                .map(Limit::Clock)
        }),
        [] => {
            table.report(
                Diagnostic::error("`limit` sets no limit")
                    .at(table.span(), "one key belongs here")
                    .help(
                        "write `nodes = 10000`, `depth = 8`, `move_time_ms = 100` or `tc = \"10+0.1\"`",
                    ),
            );
            None
        }
        [_, second, ..] => {
            table.report(
                Diagnostic::error(format!(
                    "`limit` has {} limits, and can have one",
                    given.len()
                ))
                .at(table.place_of(second), "one too many")
                .help(format!("keep one of {}", given.join(", "))),
            );
            None
        }
    };
    table.close();
    limit
}

/// `time_margin_ms`.
pub fn margin(table: &Table<'_>) -> Option<Duration> {
    milliseconds(table, "time_margin_ms", 0)
}

/// `[deadlines]`; what it does not mention is as in `usual`.
pub fn deadlines(table: &Table<'_>, usual: Deadlines) -> Option<Deadlines> {
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

fn milliseconds(table: &Table<'_>, key: &str, least: i64) -> Option<Duration> {
    table
        .integer(key, least..=MAX_TIME_MS as i64)
        .map(|time| Duration::from_millis(time as u64))
}

/// `[adjudication]`.
pub fn adjudication(table: Table<'_>) -> Option<Adjudication> {
    let draw = table.table("draw").map(|table| {
        let move_number = table.integer("move_number", 0..=i64::from(MAX_MOVES));
        let move_number = if table.has("move_number") {
            move_number
        } else {
            Some(0)
        };
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
    let resign = table.table("resign").map(|table| {
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
    let wrong = (table.has("draw") && draw.is_none())
        || (table.has("resign") && resign.is_none())
        || (table.has("max_moves") && max_moves.is_none());
    table.close();
    if wrong {
        return None;
    }
    let adjudication = Adjudication {
        draw: match draw {
            Some(rule) => Some(rule?),
            None => None,
        },
        resign: match resign {
            Some(rule) => Some(rule?),
            None => None,
        },
        max_moves: max_moves.map(|moves| moves as u32),
    };
    Some(adjudication)
}

fn counted(table: &Table<'_>) -> (Option<u32>, Option<i32>) {
    let count = table.integer("move_count", 1..=i64::from(MAX_MOVES));
    let count = table.require("move_count", count);
    let score = table.integer("score_cp", 0..=MAX_SCORE_CP);
    let score = table.require("score_cp", score);
    (
        count.map(|count| count as u32),
        score.map(|score| score as i32),
    )
}

fn switch(table: &Table<'_>, key: &str, usual: bool) -> Option<bool> {
    if table.has(key) {
        table.boolean(key)
    } else {
        Some(usual)
    }
}
