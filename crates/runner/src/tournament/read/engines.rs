//! The engines of a file.

use std::ops::Range;
use std::path::PathBuf;

use lmrlab_diagnostics::{Diagnostic, Table, Text};
use lmrlab_engine::preset::QuietOrdering;

use super::{conditions, name};
use crate::player::uci::external::{Deadlines, ExternalEngine, MoveList, Restart};
use crate::tournament::defaults::DEFAULT_PRESET;
use crate::tournament::description::{EngineDescription, EngineKind};

/// The keys that only the project's own engine has.
const OWN_KEYS: [&str; 3] = ["policy", "preset", "ordering"];

/// The keys that only an engine with a `command` has.
const EXTERNAL_KEYS: [&str; 7] = ["args", "dir", "env", "options", "restart", "move_list", "deadlines"];

/// All `[[engine]]` tables; one without an `ordering` has this one.
pub(super) fn engines(
    table: &Table<'_>,
    deadlines: Option<Deadlines>,
    common: Option<QuietOrdering>,
) -> Option<Vec<EngineDescription>> {
    let read: Vec<_> = (table.tables("engine").into_iter())
        .map(|table| engine(table, deadlines.unwrap_or_default()))
        .collect();
    deadlines?;
    let mut engines: Vec<EngineDescription> = read.into_iter().collect::<Option<_>>()?;
    for engine in &mut engines {
        engine.order_by(common);
    }
    Some(engines)
}

/// `ordering`, of a tournament or of one engine.
pub(super) fn ordering(table: &Table<'_>) -> Option<QuietOrdering> {
    if table.text("ordering").is_some_and(|text| text.value == "both") {
        table.report(
            Diagnostic::error("`ordering` of a tournament is `preset` or `own`")
                .at(table.place_of_value("ordering"), "`both` plays three matches")
                .help("a match that is typed can ask for them"),
        );
        return None;
    }
    table.choice("ordering", &QuietOrdering::NAMES)
}

/// An engine's table, with the deadlines that hold where it has none.
pub fn engine(table: Table<'_>, deadlines: Deadlines) -> Option<EngineDescription> {
    let named = table.has("name");
    let name = name(&table);
    let limited = table.has("limit");
    let limit = table.table("limit").and_then(conditions::limit);
    let margin = conditions::margin(&table);
    let kind = if table.has("command") {
        external(&table, deadlines)
    } else {
        own(&table)
    };
    let place = table.span();
    table.close();
    if (named && name.is_none()) || (limited && limit.is_none()) {
        return None;
    }
    Some(EngineDescription {
        name,
        limit,
        margin,
        kind: kind?,
        place,
    })
}

/// An engine that is a program of its own.
fn external(table: &Table<'_>, deadlines: Deadlines) -> Option<EngineKind> {
    report_foreign_keys(
        table,
        &OWN_KEYS,
        "is for the project's own engine, and this one has a `command`",
    );
    let command = table.text("command");
    let args = table.texts("args").into_iter().map(|text| text.value);
    let args: Vec<String> = args.collect();
    let dir = table.text("dir");
    let dir_is_wrong = table.has("dir") && dir.is_none();
    let env = assignments(table, "env");
    let options = assignments(table, "options");
    let restart = choice(table, "restart", &Restart::NAMES);
    let move_list = choice(table, "move_list", &MoveList::NAMES);
    let deadlines = conditions::deadlines_beside(table, deadlines);
    let command = command?;
    let engine = Box::new(ExternalEngine {
        program: PathBuf::from(&command.value),
        args,
        dir: dir.as_ref().map(|dir| PathBuf::from(&dir.value)),
        env: env?,
        options: options?,
        restart: restart?,
        move_list: move_list?,
        deadlines: deadlines?,
    });
    (!dir_is_wrong).then_some(EngineKind::External { command, dir, engine })
}

/// The project's own engine.
fn own(table: &Table<'_>) -> Option<EngineKind> {
    report_foreign_keys(
        table,
        &EXTERNAL_KEYS,
        "is for an engine with a `command`, and this one has none",
    );
    let preset = table.text("preset");
    let policy = table.require("policy", table.text("policy"));
    let preset = if table.has("preset") {
        preset
    } else {
        Some(Text::detached(DEFAULT_PRESET).at(table.span()))
    };
    let ordering = ordering(table);
    Some(EngineKind::Own {
        preset: preset?,
        policy: policy?,
        ordering,
    })
}

/// Reports keys that belong to the other kind of engine.
fn report_foreign_keys(table: &Table<'_>, keys: &[&str], why: &str) {
    for key in keys {
        if table.has(key) {
            table.report(Diagnostic::error(format!("`{key}` {why}")).at(table.place_of(key), "remove this"));
        }
    }
}

/// `key = { NAME = VALUE, .. }`, in the order of the file; empty when the key is absent.
fn assignments(table: &Table<'_>, key: &str) -> Option<Vec<(String, String)>> {
    let Some(table) = table.table(key) else {
        return (!table.has(key)).then(Vec::new);
    };
    let mut keys = table.keys();
    keys.sort_by_key(|key| key.span.start);
    let values: Vec<_> = keys
        .iter()
        .map(|key| {
            let value = table.scalar(&key.value)?;
            (is_one_line(&table, &key.value, key.span.clone())
                && is_one_line(&table, &value, table.place_of_value(&key.value)))
            .then(|| (key.value.clone(), value))
        })
        .collect();
    table.close();
    values.into_iter().collect()
}

/// Whether a text can be part of a command that ends with its line; if not, reports an error.
fn is_one_line(table: &Table<'_>, text: &str, place: Range<usize>) -> bool {
    let fine = !text.chars().any(char::is_control);
    if !fine {
        table.report(
            Diagnostic::error("this has a line break or another control character")
                .at(place, "the engine could not read it"),
        );
    }
    fine
}

/// One of some names; the first when the key is absent.
fn choice<T: Copy + Default>(table: &Table<'_>, key: &str, names: &[(&str, T)]) -> Option<T> {
    if table.has(key) {
        table.choice(key, names)
    } else {
        Some(T::default())
    }
}
