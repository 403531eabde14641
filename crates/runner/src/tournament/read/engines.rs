//! The engines of a file.

use std::ops::Range;
use std::path::PathBuf;

use lmrlab_diagnostics::{Diagnostic, Text, TomlTable};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::QuietOrdering;

use super::{conditions, name, optional, or_usual};
use crate::player::uci::external::{Deadlines, ExternalEngine, MoveList, Restart};
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

/// All `[[engine]]` tables. An engine without an `ordering` gets this one. A policy without a `preset` plays in the
/// `[host]`, if there is one.
pub(super) fn engines(
    table: &TomlTable<'_>,
    deadlines: Option<Deadlines>,
    common: Option<QuietOrdering>,
) -> Option<Vec<EngineDescription>> {
    let host = match table.table("host") {
        Some(host) => Some(self::host(host, deadlines.unwrap_or_default())),
        None if table.has("host") => return None,
        None => None,
    };
    let tables = table.tables("engine");
    if let Some(host) = table.table("host")
        && tables
            .iter()
            .all(|engine| engine.has("command") || engine.has("preset"))
    {
        host.report(
            Diagnostic::error("no engine plays in this host")
                .at(host.span(), "each has a `command` or a `preset` of its own")
                .help("remove the table, or write an `[[engine]]` with a `policy` alone"),
        );
    }
    let host = host.as_ref().map(Option::as_ref);
    let read: Vec<_> = (tables.into_iter())
        .map(|table| engine_in(table, deadlines.unwrap_or_default(), host))
        .collect();
    deadlines?;
    let mut engines: Vec<EngineDescription> = read.into_iter().collect::<Option<_>>()?;
    for engine in &mut engines {
        engine.order_by(common);
    }
    Some(engines)
}

/// `ordering`, of a tournament or of one engine.
pub(super) fn ordering(table: &TomlTable<'_>) -> Option<QuietOrdering> {
    if table.text("ordering").is_some_and(|text| text.value == "both") {
        table.report(
            Diagnostic::error("`ordering` of a tournament is `preset` or `own`")
                .at(table.place_of_value("ordering"), "`both` plays three matches")
                .help("the command line of a match takes `both`"),
        );
        return None;
    }
    table.choice("ordering", &QuietOrdering::NAMES)
}

/// An engine's table, with the deadlines that hold where it has none.
pub fn engine(table: TomlTable<'_>, deadlines: Deadlines) -> Option<EngineDescription> {
    engine_in(table, deadlines, None)
}

/// The same. Policies without a `preset` play in `host`, if there is one; `Some(None)` is a host with errors.
fn engine_in(
    table: TomlTable<'_>,
    deadlines: Deadlines,
    host: Option<Option<&ProgramKeys>>,
) -> Option<EngineDescription> {
    let name = optional(&table, "name", name(&table));
    let limit = optional(&table, "limit", table.table("limit").and_then(conditions::limit));
    let margin = conditions::margin(&table);
    let kind = if table.has("command") {
        external(&table, deadlines)
    } else if let Some(host) = host.filter(|_| !table.has("preset")) {
        hosted(&table, host)
    } else {
        own(&table)
    };
    let place = table.span();
    table.close();
    Some(EngineDescription {
        name: name?,
        limit: limit?,
        margin,
        kind: kind?,
        place,
    })
}

/// A program, and how it is treated.
struct ProgramKeys {
    command: Text,
    dir: Option<Text>,
    engine: Box<ExternalEngine>,
}

/// The table `[host]`: the program that policies play in.
fn host(table: TomlTable<'_>, deadlines: Deadlines) -> Option<ProgramKeys> {
    let command = table.require("command", table.text("command"));
    let program = program(&table, deadlines);
    let wrong = (program.as_ref()).is_some_and(|program| sets_policy(&table, &program.engine));
    table.close();
    command.and(program).filter(|_| !wrong)
}

/// A policy in a host.
fn hosted(table: &TomlTable<'_>, host: Option<&ProgramKeys>) -> Option<EngineKind> {
    report_foreign_keys(
        table,
        &EXTERNAL_KEYS,
        "is for an engine with a `command`; this one plays in the host, and the table of the host may have the key",
    );
    report_foreign_keys(
        table,
        &OWN_KEYS,
        "is for the project's own engine, and this one plays in the host",
    );
    let policy = table.require("policy", table.text("policy"))?;
    let ProgramKeys { command, dir, engine } = host?;
    Some(EngineKind::External {
        command: command.clone(),
        policy: Some(policy),
        compiled: None,
        dir: dir.clone(),
        engine: engine.clone(),
    })
}

/// An engine that is a program of its own.
fn external(table: &TomlTable<'_>, deadlines: Deadlines) -> Option<EngineKind> {
    report_foreign_keys(
        table,
        &OWN_KEYS,
        "is for the project's own engine, and this one has a `command`",
    );
    let policy = optional(table, "policy", table.text("policy"));
    // A tournament file cannot know what is only in a manifest.
    let is_recorded = table.document().root().has("format_version");
    let compiled = is_recorded.then(|| table.text("compiled")).flatten();
    let ProgramKeys { command, dir, engine } = program(table, deadlines)?;
    let policy = policy?;
    if policy.is_some() && sets_policy(table, &engine) {
        return None;
    }
    Some(EngineKind::External {
        command,
        policy,
        compiled: compiled.map(|text| text.value),
        dir,
        engine,
    })
}

/// Whether the options of a program already name its policy. If so, reports a conflict with the key `policy`.
fn sets_policy(table: &TomlTable<'_>, engine: &ExternalEngine) -> bool {
    let is_of_policy = |option: &str| {
        let mut names = [POLICY_OPTION, PARAMS_OPTION].into_iter();
        names.any(|name| name.eq_ignore_ascii_case(option))
    };
    let found = engine.options.iter().find(|(name, _)| is_of_policy(name));
    if let Some((option, _)) = found {
        table.report(
            Diagnostic::error(format!(
                "`policy` sets the option `{option}`, and so do the engine's options"
            ))
            .at(table.place_of("options"), "")
            .help("remove the option; changes follow the name of the policy, as in `house@base=0.9,-check`"),
        );
    }
    found.is_some()
}

fn program(table: &TomlTable<'_>, deadlines: Deadlines) -> Option<ProgramKeys> {
    let command = table.text("command");
    let args = table.texts("args").into_iter().map(|text| text.value);
    let args: Vec<String> = args.collect();
    let dir = optional(table, "dir", table.text("dir"));
    let env = assignments(table, "env");
    let options = assignments(table, "options");
    let restart = table.choice("restart", &Restart::NAMES);
    let restart = or_usual(table, "restart", restart, Restart::default());
    let ponder = or_usual(table, "ponder", table.boolean("ponder"), false);
    let move_list = table.choice("move_list", &MoveList::NAMES);
    let move_list = or_usual(table, "move_list", move_list, MoveList::default());
    let deadlines = conditions::deadlines_beside(table, deadlines);
    let (command, dir) = (command?, dir?);
    let engine = Box::new(ExternalEngine {
        program: PathBuf::from(&command.value),
        args,
        dir: dir.as_ref().map(|dir| PathBuf::from(&dir.value)),
        env: env?,
        options: options?,
        restart: restart?,
        ponder: ponder?,
        move_list: move_list?,
        variant: ChessVariant::default(),
        deadlines: deadlines?,
    });
    Some(ProgramKeys { command, dir, engine })
}

/// The project's own engine.
fn own(table: &TomlTable<'_>) -> Option<EngineKind> {
    report_foreign_keys(
        table,
        &EXTERNAL_KEYS,
        "is for an engine with a `command`, and this one has none",
    );
    let usual = Text::detached(DEFAULT_PRESET).at(table.span());
    let preset = or_usual(table, "preset", table.text("preset"), usual);
    let policy = table.require("policy", table.text("policy"));
    let ordering = ordering(table);
    Some(EngineKind::Own {
        preset: preset?,
        policy: policy?,
        ordering,
    })
}

/// Reports keys that belong to the other kind of engine.
fn report_foreign_keys(table: &TomlTable<'_>, keys: &[&str], why: &str) {
    for key in keys {
        if table.has(key) {
            table.report(Diagnostic::error(format!("`{key}` {why}")).at(table.place_of(key), "remove this"));
        }
    }
}

/// `key = { NAME = VALUE, .. }`, in the order of the file; empty when the key is absent.
fn assignments(table: &TomlTable<'_>, key: &str) -> Option<Vec<(String, String)>> {
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
fn is_one_line(table: &TomlTable<'_>, text: &str, place: Range<usize>) -> bool {
    let fine = !text.chars().any(char::is_control);
    if !fine {
        table.report(
            Diagnostic::error("this has a line break or another control character")
                .at(place, "the engine could not read it"),
        );
    }
    fine
}
