//! The engines of a tournament file.

use std::collections::BTreeMap;
use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Table, Text};

use super::{DEFAULT_PRESET, Reader, limits};
use crate::player::uci::external::{Deadlines, ExternalEngine, MoveList, Restart};
use crate::tournament::entrant::{Entrant, Unusable, find_program};

/// The keys that only the project's own engine has.
const OWN_KEYS: [&str; 2] = ["policy", "preset"];

/// The keys that only an engine with a `command` has.
const EXTERNAL_KEYS: [&str; 7] = [
    "args",
    "dir",
    "env",
    "options",
    "restart",
    "move_list",
    "deadlines",
];

impl Reader<'_> {
    pub(super) fn engines(
        &mut self,
        table: &Table<'_>,
        deadlines: Option<Deadlines>,
    ) -> Option<Vec<Entrant>> {
        let tables = table.tables("engine");
        let count = tables.len();
        let mut engines = Vec::new();
        let mut places = BTreeMap::new();
        for engine in tables {
            let span = engine.span();
            if let Some(entrant) = self.engine(engine, deadlines.unwrap_or_default()) {
                if places.insert(entrant.name.clone(), ()).is_some() {
                    table.report(
                        Diagnostic::error(format!("two engines are called `{}`", entrant.name))
                            .at(span, "this one has the name of an earlier one")
                            .help("give it a `name` of its own"),
                    );
                } else {
                    engines.push(entrant);
                }
            }
        }
        (engines.len() == count && deadlines.is_some()).then_some(engines)
    }

    /// An `[[engine]]`.
    pub fn engine(&mut self, table: Table<'_>, deadlines: Deadlines) -> Option<Entrant> {
        let name = self.name(&table);
        let named = table.has("name");
        let limit = table.table("limit");
        let odds = limit.is_some();
        let limit = limit.and_then(limits::limit);
        let margin = limits::margin(&table);
        let entrant = if table.has("command") {
            self.external(&table, name.as_deref(), deadlines)
        } else {
            self.own(&table, name.as_deref())
        };
        table.close();
        if (named && name.is_none()) || (odds && limit.is_none()) {
            return None;
        }
        Some(Entrant {
            limit,
            margin,
            ..entrant?
        })
    }

    /// An engine that is a program of its own.
    fn external(
        &self,
        table: &Table<'_>,
        name: Option<&str>,
        deadlines: Deadlines,
    ) -> Option<Entrant> {
        self.strangers(
            table,
            &OWN_KEYS,
            "is for the project's own engine, and this one has a `command`",
        );
        let command = table.text("command");
        let program = command.as_ref().and_then(|command| {
            let program = find_program(&command.value, self.root);
            if program.is_none() {
                table.report(
                    Diagnostic::error(format!("there is no program `{}`", command.value))
                        .at(command.span.clone(), "nothing that can be executed")
                        .help(
                            "a name is looked up in PATH; a path with a `/` starts from the project root",
                        ),
                );
            }
            program
        });
        let args = table.texts("args").into_iter().map(|text| text.value);
        let args: Vec<String> = args.collect();
        let dir = table.text("dir");
        let found = dir.as_ref().map(|dir| self.directory(table, dir));
        let env = assignments(table, "env");
        let options = assignments(table, "options");
        let restart = choice(table, "restart", &Restart::NAMES);
        let move_list = choice(table, "move_list", &MoveList::NAMES);
        let deadlines = limits::deadlines(table, deadlines);
        let engine = ExternalEngine {
            program: program?,
            args,
            dir: match (table.has("dir"), found) {
                (true, found) => Some(found??),
                (false, _) => None,
            },
            env: env?,
            options: options?,
            restart: restart?,
            move_list: move_list?,
            deadlines: deadlines?,
        };
        Some(Entrant::external(name, &command?.value, engine))
    }

    fn directory(&self, table: &Table<'_>, dir: &Text) -> Option<std::path::PathBuf> {
        let path = std::path::absolute(self.root.join(&dir.value)).ok();
        let path = path.filter(|path| path.is_dir());
        if path.is_none() {
            table.report(
                Diagnostic::error(format!("`{}` is not a directory", dir.value))
                    .at(dir.span.clone(), "the engine is to run here"),
            );
        }
        path
    }

    /// Reports keys that belong to the other kind of engine.
    fn strangers(&self, table: &Table<'_>, keys: &[&str], why: &str) {
        for key in keys {
            if table.has(key) {
                table.report(
                    Diagnostic::error(format!("`{key}` {why}"))
                        .at(table.place_of(key), "remove this"),
                );
            }
        }
    }

    /// The project's own engine.
    fn own(&mut self, table: &Table<'_>, name: Option<&str>) -> Option<Entrant> {
        self.strangers(
            table,
            &EXTERNAL_KEYS,
            "is for an engine with a `command`, and this one has none",
        );
        let preset = table.text("preset");
        let policy = table.require("policy", table.text("policy"));
        let preset = if table.has("preset") {
            preset
        } else {
            Some(Text::detached(DEFAULT_PRESET))
        };
        let (Some(preset), Some(policy)) = (preset, policy) else {
            return None;
        };
        match Entrant::resolve(name, &preset.value, &policy.value, self.root) {
            Ok((entrant, warnings)) => {
                self.warnings.extend(warnings);
                Some(entrant)
            }
            Err(unusable) => {
                self.unusable(table, unusable, &preset, &policy);
                None
            }
        }
    }

    /// Says in the tournament file which name or path is the trouble, and keeps the trouble itself.
    fn unusable(&mut self, table: &Table<'_>, unusable: Unusable, preset: &Text, policy: &Text) {
        for (key, text, report) in [
            ("preset", preset, unusable.preset),
            ("policy", policy, unusable.policy),
        ] {
            let Some(report) = report else { continue };
            let span = if table.has(key) {
                text.span.clone()
            } else {
                table.span()
            };
            table.report(
                Diagnostic::error(format!("the {key} `{}` cannot be used", text.value))
                    .at(span, "the reason is below"),
            );
            // The same policy may be named more than once.
            if !self.errors.contains(&report) {
                self.errors.push(*report);
            }
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

/// Whether a text can be part of a command that ends with its line; if not, says so.
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
