//! Engines as the command line describes them: the name of a policy, or words `KEY=VALUE` as other match runners have them. The
//! words become a table of a tournament file, and the reader of these files reads it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Entry, Files, Node, Value, nearest};
use lmrlab_runner::game::limit::{Limit, Terms};
use lmrlab_runner::player::uci::external::Deadlines;
use lmrlab_runner::tournament::description::EngineDescription;
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::resolve::Resolver;
use lmrlab_runner::tournament::{read, read_parsed};

use super::typed_line::TypedLine;
use super::whole_number::whole_number;

/// The keys of a table with their values and places.
pub(crate) type Entries = BTreeMap<String, Entry>;

/// The words, and the keys of a tournament file that they mean.
const WORDS: [(&str, &[&str]); 17] = [
    ("cmd", &["command"]),
    ("args", &["args"]),
    ("dir", &["dir"]),
    ("name", &["name"]),
    ("restart", &["restart"]),
    ("ponder", &["ponder"]),
    ("movelist", &["move_list"]),
    ("answer", &["deadlines", "answer_ms"]),
    ("policy", &["policy"]),
    ("preset", &["preset"]),
    ("ordering", &["ordering"]),
    ("tc", &["limit", "tc"]),
    ("st", &["limit", "move_time_ms"]),
    ("nodes", &["limit", "nodes"]),
    ("depth", &["limit", "depth"]),
    ("timemargin", &["time_margin_ms"]),
    ("proto", &[]),
];

/// What policies play in, when they do not say it themselves.
#[derive(Debug, Clone)]
pub(crate) enum Around {
    /// The project's own engine with a preset: its name, and its place on the line unless it is the default.
    Preset(String, Option<Range<usize>>),
    /// A host: the keys of its program.
    Host(Entries),
}

/// What `--each` says of all engines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Each {
    entries: Entries,
}

impl Each {
    /// Keys that only one engine can have.
    const OF_ONE: [&'static str; 5] = ["command", "name", "policy", "preset", "ordering"];
    /// Keys that engines without a program have, too.
    const OF_ALL: [&'static str; 2] = ["limit", "time_margin_ms"];

    /// Reads the value of `--each`.
    pub(crate) fn read(words: &str, line: &mut TypedLine) -> Result<Self, Vec<Diagnostics>> {
        let belongs = |key: &str| !Self::OF_ONE.contains(&key);
        let foreign = (
            "belongs to one engine",
            "write it in the words of that engine, as in 'cmd=./engine name=mine'",
        );
        let (entries, _) = of_option("--each", words, line, belongs, foreign)?;
        Ok(Self { entries })
    }

    /// Whether it limits moves.
    pub(crate) fn has_limit(&self) -> bool {
        self.entries.contains_key("limit")
    }

    fn has_keys_of_programs(&self) -> bool {
        !self.entries.keys().all(|key| Self::OF_ALL.contains(&key.as_str()))
    }

    /// Adds the keys that an engine does not set itself.
    fn put(&self, engine: &mut Entries) {
        let is_program = engine.contains_key("command");
        for (key, entry) in &self.entries {
            if !is_program && !Self::OF_ALL.contains(&key.as_str()) {
                continue;
            }
            match (engine.get_mut(key).map(|own| &mut own.node.value), &entry.node.value) {
                (None, _) => {
                    engine.insert(key.clone(), entry.clone());
                }
                // An engine's own limit replaces the common one.
                (Some(Value::Table(own)), Value::Table(each)) if key != "limit" => {
                    for (name, entry) in each {
                        own.entry(name.clone()).or_insert_with(|| entry.clone());
                    }
                }
                (Some(_), _) => {}
            }
        }
    }
}

/// The keys that the value of an option describes, and its place. Keys that do not belong there are mistakes; `foreign` says
/// what they are, and the advice.
fn of_option(
    option: &str,
    words: &str,
    line: &mut TypedLine,
    belongs: impl Fn(&str) -> bool,
    foreign: (&str, &str),
) -> Result<(Entries, Range<usize>), Vec<Diagnostics>> {
    let place = line.option(option, words);
    let mut entries = Entries::new();
    let mut wrong = self::words(words, &place, line, &mut entries);
    let source = line.source();
    wrong.extend(entries.iter().filter(|(key, _)| !belongs(key)).map(|(key, entry)| {
        let word = source.piece(entry.key_span.clone()).unwrap_or(key);
        Diagnostic::error(format!("`{word}` {}", foreign.0))
            .at(entry.key_span.clone(), "")
            .help(foreign.1)
    }));
    match wrong.is_empty() {
        true => Ok((entries, place)),
        false => Err(vec![Diagnostics::new(source, wrong)]),
    }
}

/// The host that the value of `--host` describes.
pub(crate) fn host(words: &str, line: &mut TypedLine) -> Result<Entries, Vec<Diagnostics>> {
    let belongs = |key: &str| key == "command" || read::EXTERNAL_KEYS.contains(&key);
    let foreign = (
        "belongs to an engine, and not to its host",
        "write it in the words of the engine, as in 'policy=house name=mine'",
    );
    let (entries, place) = of_option("--host", words, line, belongs, foreign)?;
    if entries.contains_key("command") {
        return Ok(entries);
    }
    let missing = Diagnostic::error("a host needs the program: `cmd=..`").at(place, "");
    let missing = missing.help("as in --host 'cmd=./engine option.Hash=16'");
    Err(vec![Diagnostics::new(line.source(), vec![missing])])
}

/// The keys of the host that the value of `--host` of a command describes, as in a file.
pub(crate) fn host_keys(words: &str, command: &str) -> Result<toml::Table, Failure> {
    let keys = host(words, &mut TypedLine::new(command)).map_err(Failure::Input)?;
    let keys = keys.iter();
    Ok(keys
        .map(|(key, entry)| (key.clone(), toml::Value::from(&entry.node.value)))
        .collect())
}

/// The engines that these arguments of the line describe, with the keys of `each`. Their policies play in `around`,
/// unless they say otherwise.
///
/// # Errors
/// The mistakes in their words. Also when `each` has words for programs, but no engine is a program.
pub(crate) fn engines(
    arguments: &[&str],
    line: &mut TypedLine,
    around: &Around,
    each: &Each,
) -> Result<Vec<EngineDescription>, Vec<Diagnostics>> {
    let mut tables = Vec::new();
    let mut wrong = Vec::new();
    let mut is_used = false;
    let mut has_programs = false;
    for argument in arguments {
        match engine(argument, line) {
            Ok((mut entries, place)) => {
                if entries.contains_key("policy") && !entries.contains_key("command") && !entries.contains_key("preset")
                {
                    is_used = true;
                    put_around(&mut entries, around, &place);
                }
                has_programs |= entries.contains_key("command");
                each.put(&mut entries);
                tables.push(Node {
                    value: Value::Table(entries),
                    span: place,
                });
            }
            Err(diagnostics) => wrong.push(Diagnostics::new(line.source(), diagnostics)),
        }
    }
    let unused = [
        (
            !is_used && matches!(around, Around::Host(_)),
            "no engine plays in the host of `--host`",
            "name a policy, as in `lmrlab match house own --host 'cmd=./engine'`, or leave the option out",
        ),
        (
            !has_programs && each.has_keys_of_programs(),
            "`--each` has words for programs, and no engine is a program",
            "a program is an engine 'cmd=./engine'; for policies, `--each` can have a limit and `timemargin=`",
        ),
    ];
    if let (true, Some((_, what, help))) = (wrong.is_empty(), unused.into_iter().find(|(is_unused, ..)| *is_unused)) {
        wrong.push(Diagnostics::new(
            line.source(),
            vec![Diagnostic::error(what).help(help)],
        ));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let document = line.document(tables);
    let tables = document.root().tables("engine").into_iter();
    let engines: Vec<_> = tables.map(|table| read::engine(table, Deadlines::default())).collect();
    let engines = document.finish(engines.into_iter().collect());
    engines.map(|(engines, _)| engines).map_err(|wrong| vec![wrong])
}

/// The engines of single searches, which have no opponent, and the warnings about them.
pub(crate) fn searching(
    line: &TypedLine,
    engines: &[EngineDescription],
    working: &Path,
) -> Result<(Vec<Entrant>, Vec<Diagnostics>), Failure> {
    read_parsed(&line.document(Vec::new()), |document| {
        let terms = Terms::new(Limit::of_nodes(1));
        let can_ponder = engines.iter().map(|engine| engine.check_pondering(terms, document));
        if can_ponder.filter(|can| !can).count() > 0 {
            return None;
        }
        let mut resolver = Resolver::new(document, working, Files::on_disk());
        let found: Vec<Option<Entrant>> = engines.iter().map(|engine| resolver.engine(engine)).collect();
        Some((found.into_iter().collect(), resolver.errors, resolver.warnings))
    })
}

/// Adds to the table of a policy what it plays in.
fn put_around(entries: &mut Entries, around: &Around, place: &Range<usize>) {
    match around {
        Around::Preset(preset, at) => {
            let at = at.clone().unwrap_or_else(|| place.clone());
            put(entries, "preset", Value::Text(preset.clone()), [&at; 2]);
        }
        Around::Host(host) => {
            for (key, entry) in host {
                entries.entry(key.clone()).or_insert_with(|| entry.clone());
            }
        }
    }
}

/// The table that an argument of the line describes, and its place.
fn engine(argument: &str, line: &mut TypedLine) -> Result<(Entries, Range<usize>), Vec<Diagnostic>> {
    let place = line.argument(argument);
    let described = ["cmd=", "policy="]
        .iter()
        .any(|key| argument.trim_start().starts_with(key) || argument.contains(&format!(" {key}")));
    let mut entries = Entries::new();
    if described {
        let wrong = words(argument, &place, line, &mut entries);
        if !wrong.is_empty() {
            return Err(wrong);
        }
    } else {
        put(&mut entries, "policy", Value::Text(argument.to_owned()), [&place; 2]);
    }
    Ok((entries, place))
}

/// Reads the words of an engine into its table, and returns the mistakes in them.
fn words(argument: &str, place: &Range<usize>, line: &TypedLine, entries: &mut Entries) -> Vec<Diagnostic> {
    let Some(split) = split(argument) else {
        return vec![Diagnostic::error("a quote has no other half").at(place.clone(), "")];
    };
    let mut wrong = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut from = place.start;
    for word in &split {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let key_place = line.find(key, place, from);
        // A value with quotes has another form on the line. Its place is then that of all words.
        let value_place = line.find(value, place, key_place.end.min(place.end));
        if key_place != *place {
            from = key_place.end;
        }
        if !value.is_empty() && value_place != *place {
            from = value_place.end;
        }
        let value_place = if value.is_empty() {
            key_place.clone()
        } else {
            value_place
        };
        if seen.contains(&key) {
            wrong.push(
                Diagnostic::error(format!("`{key}=` is there twice"))
                    .at(key_place, "the second")
                    .help("keep one of the two; each engine is an argument of its own, in quotes"),
            );
            continue;
        }
        seen.push(key);
        let prefixed = [("option.", "options"), ("env.", "env")]
            .into_iter()
            .find_map(|(prefix, table)| Some((table, key.strip_prefix(prefix)?)))
            .filter(|(_, name)| !name.is_empty());
        if let Some((table, name)) = prefixed {
            let value = Value::Text(value.to_owned());
            put_inside(entries, table, name, value, [&key_place, &value_place]);
            continue;
        }
        let Some((_, keys)) = WORDS.iter().find(|(known, _)| *known == key) else {
            let names = || WORDS.iter().map(|(name, _)| *name);
            let help = match nearest(key, names()) {
                Some(near) => format!("did you mean `{near}=..`?"),
                None => format!(
                    "the words are: {}, option.NAME, env.NAME",
                    names().collect::<Vec<_>>().join(", ")
                ),
            };
            wrong.push(
                Diagnostic::error(format!("`{key}` does not describe an engine"))
                    .at(key_place, "")
                    .help(help),
            );
            continue;
        };
        match (read(key, value, &value_place), *keys) {
            (Ok(value), [table, key]) => put_inside(entries, table, key, value, [&key_place, &value_place]),
            (Ok(value), [key]) => put(entries, key, value, [&key_place, &value_place]),
            (Ok(_), _) => {}
            (Err(error), _) => wrong.push(error),
        }
    }
    wrong
}

/// Sets a key to a value. `places` are those of the key and of the value.
fn put(entries: &mut Entries, key: &str, value: Value, places: [&Range<usize>; 2]) {
    let [key_span, span] = places.map(Clone::clone);
    let node = Node { value, span };
    entries.insert(key.to_owned(), Entry { key_span, node });
}

/// Sets a key of a table within a table. The place of the table is that of its last key.
fn put_inside(entries: &mut Entries, table: &str, key: &str, value: Value, places: [&Range<usize>; 2]) {
    if !entries.contains_key(table) {
        put(entries, table, Value::Table(Entries::new()), [places[1]; 2]);
    }
    if let Some(entry) = entries.get_mut(table) {
        entry.key_span = places[0].clone();
        if let Value::Table(inside) = &mut entry.node.value {
            put(inside, key, value, [places[1]; 2]);
        }
    }
}

fn read(key: &str, value: &str, place: &Range<usize>) -> Result<Value, Diagnostic> {
    let wanted = |what: &str| {
        let message = format!("`{key}={value}` is not {what}");
        Diagnostic::error(message).at(place.clone(), format!("{what} belongs here"))
    };
    Ok(match key {
        "args" => {
            let words = split(value)
                .ok_or_else(|| Diagnostic::error("a quote in `args` has no other half").at(place.clone(), ""))?;
            let node = |word| Node {
                value: Value::Text(word),
                span: place.clone(),
            };
            Value::List(words.into_iter().map(node).collect())
        }
        // The name of other match runners for it.
        "restart" if value == "on" => Value::Text("game".to_owned()),
        "restart" if value == "off" => Value::Text("never".to_owned()),
        "proto" if value != "uci" => return Err(wanted("`uci`, the only protocol")),
        "st" => {
            let seconds = value.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
            let seconds = seconds.ok_or_else(|| wanted("a number of seconds"))?;
            Value::Integer((seconds * 1_000.0).round() as i64)
        }
        "ponder" => match value {
            "true" | "on" => Value::Boolean(true),
            "false" | "off" => Value::Boolean(false),
            _ => return Err(wanted("`true` or `false`")),
        },
        "answer" | "nodes" | "depth" | "timemargin" => {
            let number = whole_number(value).ok().and_then(|number| i64::try_from(number).ok());
            Value::Integer(number.ok_or_else(|| wanted("a whole number"))?)
        }
        _ => Value::Text(value.to_owned()),
    })
}

/// Words as a shell splits them; `None` when a quote is not closed. On Windows `\` is a part of paths and keeps its
/// meaning.
fn split(text: &str) -> Option<Vec<String>> {
    let text = if cfg!(windows) { escaped(text) } else { text.to_owned() };
    shlex::split(&text)
}

/// The text with every `\` doubled, so the shell rules do not take it for an escape.
pub(super) fn escaped(text: &str) -> String {
    let (mut single, mut double) = (false, false);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '\\' if !single => escaped.push(c),
            _ => {}
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn paths_of_windows_keep_their_backslashes() {
        for (text, words) in [
            (r"cmd=C:\chess\sf.exe name=a", &[r"cmd=C:\chess\sf.exe", "name=a"][..]),
            (
                r#"cmd="C:\my engines\sf.exe" dir='C:\my engines\'"#,
                &[r"cmd=C:\my engines\sf.exe", r"dir=C:\my engines\"],
            ),
            (r#"a="it's" b='\"' c=\x"#, &["a=it's", r#"b=\""#, r"c=\x"]),
        ] {
            assert_eq!(shlex::split(&escaped(text)).unwrap(), words, "{text}");
        }
    }
}
