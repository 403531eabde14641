//! The engines of a file.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Text, TomlTable};
use lmrlab_engine::preset::QuietOrdering;
use toml::{Table, Value};

use super::conditions::{deadlines_keys, is_manifest, limit_keys};
use super::name_key;
use super::table::{Keys, Slot, Unusual, read, written};
use crate::player::uci::deadlines::Deadlines;
use crate::player::uci::external::{ExternalEngine, MoveList, Restart};
use crate::player::uci::{PARAMS_OPTION, POLICY_OPTION};
use crate::tournament::defaults::DEFAULT_PRESET;
use crate::tournament::description::{EngineDescription, EngineKind};

/// The keys that only the project's own engine has.
const OWN_KEYS: [&str; 2] = ["preset", "ordering"];

/// The keys that only an engine with a `command` has.
pub const EXTERNAL_KEYS: [&str; 8] = [
    "args",
    "dir",
    "env",
    "options",
    "restart",
    "ponder",
    "move_list",
    "deadlines",
];

/// All `[[engine]]` tables. `ordering` and `deadlines` of the file are for the engines without their own. A policy without a
/// `preset` plays in the `[host]`, if there is one.
pub(super) fn keys(keys: &mut Keys<'_>, it: &mut Vec<EngineDescription>) {
    let table = match keys {
        Keys::Read(table) => table,
        Keys::Write(table) => {
            let engines = it.iter().map(of_engine);
            table.insert("engine".to_owned(), engines.collect::<Vec<Table>>().into());
            return;
        }
    };
    let deadlines = super::deadlines(table).unwrap_or_default();
    let ordering = table.choice("ordering", &QuietOrdering::NAMES);
    let tables = table.tables("engine");
    let host = table.table("host").map(|host| {
        if (tables.iter()).all(|engine| engine.has("command") || engine.has("preset")) {
            host.report(
                Diagnostic::error("no engine plays in this host")
                    .at(host.span(), "each has a `command` or a `preset` of its own")
                    .help("remove the table, or write an `[[engine]]` with a `policy` alone"),
            );
        }
        let found = read(&host, no_program(deadlines), host_keys);
        host.close();
        found.unwrap_or(no_program(deadlines))
    });
    for table in tables {
        let found = read_engine(&table, deadlines, host.as_ref());
        table.close();
        it.extend(found.map(|mut engine| {
            engine.order_by(ordering);
            engine
        }));
    }
}

/// Reads the table of an engine, with the deadlines that hold where it has none.
pub fn engine(table: TomlTable<'_>, deadlines: Deadlines) -> Option<EngineDescription> {
    let found = read_engine(&table, deadlines, None);
    table.close();
    found
}

/// An engine with the keys of its table.
pub fn of_engine(engine: &EngineDescription) -> Table {
    written(engine, engine_keys)
}

/// Reads an engine. A policy without a `preset` plays in `host`, if there is one.
fn read_engine(table: &TomlTable<'_>, deadlines: Deadlines, host: Option<&EngineKind>) -> Option<EngineDescription> {
    let program = "is for an engine with a `command`";
    let own = "is for the project's own engine, and this one";
    let kind = if table.has("command") {
        refuse_keys(table, &OWN_KEYS, &format!("{own} has a `command`"));
        no_program(deadlines)
    } else if let Some(host) = host.filter(|_| !table.has("preset")) {
        let in_host = "this one plays in the host, and the table of the host may have the key";
        refuse_keys(table, &EXTERNAL_KEYS, &format!("{program}; {in_host}"));
        refuse_keys(table, &OWN_KEYS, &format!("{own} plays in the host"));
        host.clone()
    } else {
        refuse_keys(table, &EXTERNAL_KEYS, &format!("{program}, and this one has none"));
        EngineKind::Own {
            preset: Text::detached(DEFAULT_PRESET).at(table.span()),
            policy: Text::detached(""),
            ordering: None,
        }
    };
    let engine = EngineDescription {
        place: table.span(),
        ..EngineDescription::of(kind)
    };
    read(table, engine, engine_keys)
}

fn no_program(deadlines: Deadlines) -> EngineKind {
    EngineKind::External {
        command: Text::detached(""),
        policy: None,
        compiled: None,
        dir: None,
        engine: Box::new(ExternalEngine {
            deadlines,
            ..ExternalEngine::default()
        }),
    }
}

fn engine_keys(keys: &mut Keys<'_>, it: &mut EngineDescription) {
    name_key(keys, &mut it.name);
    keys.milliseconds("time_margin_ms", 0, &mut it.margin);
    match &mut it.kind {
        EngineKind::Own {
            preset,
            policy,
            ordering,
        } => {
            keys.text("preset", preset);
            keys.text("policy", policy);
            keys.choice("ordering", &QuietOrdering::NAMES, ordering);
        }
        EngineKind::External {
            command,
            policy,
            compiled,
            dir,
            engine,
        } => {
            keys.text("command", command);
            keys.text("policy", policy);
            // A tournament file cannot know what is only in a manifest.
            if keys.table().is_none_or(is_manifest) {
                keys.string("compiled", compiled);
            }
            program_keys(keys, dir, engine);
            if let (Some(table), Some(_)) = (keys.table(), policy) {
                check_policy(table, engine);
            }
        }
    }
    limit_keys(keys, &mut it.limit);
    if keys.table().is_some_and(|table| !table.has("command")) {
        keys.need(&["policy"]);
    }
}

/// `[host]`: the program that policies play in.
fn host_keys(keys: &mut Keys<'_>, it: &mut EngineKind) {
    let EngineKind::External {
        command, dir, engine, ..
    } = it
    else {
        return;
    };
    keys.text("command", command);
    program_keys(keys, dir, engine);
    keys.need(&["command"]);
    keys.table().iter().for_each(|table| check_policy(table, engine));
}

/// How a program is started and treated.
fn program_keys(keys: &mut Keys<'_>, dir: &mut Option<Text>, engine: &mut ExternalEngine) {
    keys.text("dir", dir);
    keys.strings("args", &mut engine.args);
    keys.choice("restart", &Restart::NAMES, &mut engine.restart);
    keys.boolean("ponder", &mut Unusual(&mut engine.ponder, false));
    keys.choice("move_list", &MoveList::NAMES, &mut engine.move_list);
    deadlines_keys(keys, &mut engine.deadlines);
    assignment_key(keys, "env", &mut engine.env);
    assignment_key(keys, "options", &mut engine.options);
}

/// Reports options of a program that name its policy, as the key `policy` does.
fn check_policy(table: &TomlTable<'_>, engine: &ExternalEngine) {
    let is_of_policy = |option: &str| {
        let mut names = [POLICY_OPTION, PARAMS_OPTION].into_iter();
        names.any(|name| name.eq_ignore_ascii_case(option))
    };
    if let Some((option, _)) = engine.options.iter().find(|(name, _)| is_of_policy(name)) {
        table.report(
            Diagnostic::error(format!(
                "`policy` sets the option `{option}`, and so do the engine's options"
            ))
            .at(table.place_of("options"), "")
            .help("remove the option; changes follow the name of the policy, as in `house@base=0.9,-check`"),
        );
    }
}

/// Reports keys that belong to the other kind of engine.
fn refuse_keys(table: &TomlTable<'_>, keys: &[&str], why: &str) {
    for key in keys.iter().filter(|key| table.has(key)) {
        table.report(Diagnostic::error(format!("`{key}` {why}")).at(table.place_of(key), "remove this"));
    }
}

/// `key = { NAME = VALUE, .. }`, in the order of the file.
fn assignment_key(keys: &mut Keys<'_>, key: &str, slot: &mut impl Slot<Vec<(String, String)>>) {
    let write = |pairs: &Vec<(String, String)>| {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        pairs.collect::<Table>().into()
    };
    let read = |table: &TomlTable<'_>, key: &str| {
        let table = table.table(key)?;
        let mut names = table.keys();
        names.sort_by_key(|name| name.span.start);
        let pairs = names.into_iter().filter_map(|name| {
            let value = table.scalar(&name.value)?;
            check_line(&table, &name.value, name.span.clone());
            check_line(&table, &value, table.place_of_value(&name.value));
            Some((name.value, value))
        });
        Some(pairs.collect())
    };
    keys.key(key, slot, read, write);
}

/// Reports a text that cannot be part of a command that ends with its line.
fn check_line(table: &TomlTable<'_>, text: &str, place: Range<usize>) {
    if text.chars().any(char::is_control) {
        table.report(
            Diagnostic::error("this has a line break or another control character")
                .at(place, "the engine could not read it"),
        );
    }
}
