//! Engines as the command line describes them: the name of a policy, or words `KEY=VALUE` as other match runners have them. A
//! word is a key of an engine, with its place on the line; the reader of settings reads it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Entry, Files, Node, Value, nearest};
use lmrlab_runner::game::limit::{Limit, Terms};
use lmrlab_runner::player::uci::deadlines::Deadlines;
use lmrlab_runner::tournament::defaults::DEFAULT_PRESET;
use lmrlab_runner::tournament::description::EngineDescription;
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::keys;
use lmrlab_runner::tournament::resolve::Resolver;

use super::typed_line::TypedLine;
use super::whole_number::whole_number;
use crate::frame::print_warnings;

/// The keys of an engine with their values and places.
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

/// Keys that only one engine can have.
const OF_ONE: [&str; 5] = ["command", "name", "policy", "preset", "ordering"];
/// Keys that engines without a program have, too.
const OF_ALL: [&str; 2] = ["limit", "time_margin_ms"];

/// The preset that policies play in, unless they have another one.
pub(crate) fn preset(name: &str, line: &mut TypedLine) -> Entries {
    let mut entries = Entries::new();
    if name != DEFAULT_PRESET {
        let place = line.option("--preset", name);
        put(&mut entries, &["preset"], Value::Text(name.to_owned()), [&place; 2]);
    }
    entries
}

/// What the value of `--each` says of all engines.
pub(crate) fn each(words: &str, line: &mut TypedLine) -> Result<Entries, Diagnostics> {
    let belongs = |key: &str| !OF_ONE.contains(&key);
    Ok(of_option("--each", words, line, belongs)?.0)
}

/// The host that the value of `--host` describes.
pub(crate) fn host(words: &str, line: &mut TypedLine) -> Result<Entries, Diagnostics> {
    let belongs = |key: &str| key == "command" || keys::EXTERNAL_KEYS.contains(&key);
    let (entries, place) = of_option("--host", words, line, belongs)?;
    if entries.contains_key("command") {
        return Ok(entries);
    }
    let missing = Diagnostic::error("a host needs the program: `cmd=..`").at(place, "");
    let missing = missing.help("as in --host 'cmd=./engine option.Hash=16'");
    Err(Diagnostics::new(line.source(), vec![missing]))
}

/// An engine that plays a policy in the host that the value of `--host` of a command describes.
pub(crate) fn hosted(words: &str, policy: &str, command: &str) -> Result<EngineDescription, Failure> {
    let mut line = TypedLine::new(command);
    let host = host(words, &mut line)?;
    let engine = engines(&[policy], &mut line, &host, &Entries::new())?.pop();
    engine.ok_or_else(|| Failure::input("no engine is described", ""))
}

/// The keys that the value of an option describes, and its place. Keys that belong to one engine are mistakes there.
fn of_option(
    option: &str,
    words: &str,
    line: &mut TypedLine,
    belongs: impl Fn(&str) -> bool,
) -> Result<(Entries, Range<usize>), Diagnostics> {
    let place = line.option(option, words);
    let mut wrong = Vec::new();
    let entries = self::words(words, &place, line, &mut wrong);
    let source = line.source();
    wrong.extend(entries.iter().filter(|(key, _)| !belongs(key)).map(|(key, entry)| {
        let word = source.piece(entry.key_span.clone()).unwrap_or(key);
        Diagnostic::error(format!("`{word}` belongs to one engine, and not into `{option}`"))
            .at(entry.key_span.clone(), "")
            .help("write it in the words of that engine, as in 'policy=house name=mine'")
    }));
    match wrong.is_empty() {
        true => Ok((entries, place)),
        false => Err(Diagnostics::new(source, wrong)),
    }
}

/// The engines that these arguments of the line describe. A policy that names neither a program nor a preset gets the keys of
/// `around`. Each engine gets those of `each` that it can have.
///
/// # Errors
/// The mistakes in their words. Also when no policy plays in the host, or `each` has words for programs, but no engine is a
/// program.
pub(crate) fn engines(
    arguments: &[&str],
    line: &mut TypedLine,
    around: &Entries,
    each: &Entries,
) -> Result<Vec<EngineDescription>, Diagnostics> {
    let mut wrong = Vec::new();
    let mut tables = Vec::new();
    let has = |keys: &Entries, key: &str| keys.contains_key(key);
    let (mut is_around, mut has_programs) = (false, false);
    for argument in arguments {
        let place = line.argument(argument);
        let described = |word: &str| word.starts_with("cmd=") || word.starts_with("policy=");
        let typed = split(argument);
        let typed = typed.unwrap_or_else(|| argument.split(' ').map(str::to_owned).collect());
        let mut keys = if typed.iter().any(|word| described(word)) {
            words(argument, &place, line, &mut wrong)
        } else {
            let policy = Value::Text((*argument).to_owned());
            let mut keys = Entries::new();
            put(&mut keys, &["policy"], policy, [&place; 2]);
            keys
        };
        if has(&keys, "policy") && !has(&keys, "command") && !has(&keys, "preset") {
            is_around = true;
            fill(&mut keys, around, |_| true);
        }
        let is_program = has(&keys, "command");
        has_programs |= is_program;
        fill(&mut keys, each, |key| is_program || OF_ALL.contains(&key));
        tables.push(Node {
            value: Value::Table(keys),
            span: place,
        });
    }
    if wrong.is_empty() && !is_around && has(around, "command") {
        wrong.push(
            Diagnostic::error("no engine plays in the host of `--host`")
                .help("name a policy, as in `lmrlab match house own --host 'cmd=./engine'`, or leave the option out"),
        );
    } else if wrong.is_empty() && !has_programs && !each.keys().all(|key| OF_ALL.contains(&key.as_str())) {
        wrong.push(
            Diagnostic::error("`--each` has words for programs, and no engine is a program").help(
                "a program is an engine 'cmd=./engine'; for policies, `--each` can have a limit and `timemargin=`",
            ),
        );
    }
    if !wrong.is_empty() {
        return Err(Diagnostics::new(line.source(), wrong));
    }
    let document = line.document(tables);
    let tables = document.root().tables("engine").into_iter();
    let engines: Vec<_> = tables.map(|table| keys::engine(table, Deadlines::default())).collect();
    let (engines, _) = document.finish(engines.into_iter().collect())?;
    Ok(engines)
}

/// Adds keys that an engine does not set itself. UCI options and the like are added by name.
fn fill(engine: &mut Entries, keys: &Entries, can_have: impl Fn(&str) -> bool) {
    for (key, entry) in keys.iter().filter(|(key, _)| can_have(key)) {
        match (engine.get_mut(key).map(|own| &mut own.node.value), &entry.node.value) {
            (None, _) => {
                engine.insert(key.clone(), entry.clone());
            }
            // An engine's own limit replaces the common one.
            (Some(Value::Table(own)), Value::Table(common)) if key != "limit" => {
                for (name, entry) in common {
                    own.entry(name.clone()).or_insert_with(|| entry.clone());
                }
            }
            (Some(_), _) => {}
        }
    }
}

/// The engines of single searches, which have no opponent. Each warning about them is printed once.
pub(crate) fn searching(
    line: &TypedLine,
    engines: &[EngineDescription],
    working: &Path,
) -> Result<Vec<Entrant>, Failure> {
    let document = line.document(Vec::new());
    let terms = Terms::new(Limit::of_nodes(1));
    let mut resolver = Resolver::new(&document, working, Files::on_disk());
    let found: Vec<Option<Entrant>> = (engines.iter()).map(|engine| resolver.engine(engine, terms)).collect();
    let (entrants, warnings) = resolver.finish(found.into_iter().collect())?;
    let again = |place: usize| warnings[..place].contains(&warnings[place]);
    let new = (0..warnings.len()).filter(|place| !again(*place));
    new.for_each(|place| print_warnings(&warnings[place]));
    Ok(entrants)
}

/// Reads the words of an engine; adds the mistakes in them to `wrong`.
fn words(argument: &str, place: &Range<usize>, line: &TypedLine, wrong: &mut Vec<Diagnostic>) -> Entries {
    let mut entries = Entries::new();
    let Some(split) = split(argument) else {
        wrong.push(Diagnostic::error("a quote has no other half").at(place.clone(), ""));
        return entries;
    };
    let mut seen: Vec<&str> = Vec::new();
    let mut from = place.start;
    // A value with quotes has another form on the line. Its place is then that of all words.
    let mut place_of = |part: &str| {
        let found = line.find(part, place, from);
        from = if found == *place { from } else { found.end };
        found
    };
    for word in &split {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let key_place = place_of(key);
        let value_place = match value {
            "" => key_place.clone(),
            _ => place_of(value),
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
        let keys = match key.split_once('.') {
            Some(("option", name)) if !name.is_empty() => Some(vec!["options", name]),
            Some(("env", name)) if !name.is_empty() => Some(vec!["env", name]),
            _ => (WORDS.iter().find(|(known, _)| *known == key)).map(|(_, keys)| keys.to_vec()),
        };
        match (keys, read(key, value, &value_place)) {
            (Some(keys), Ok(value)) => put(&mut entries, &keys, value, [&key_place, &value_place]),
            (Some(_), Err(error)) => wrong.push(error),
            (None, _) => wrong.push(unknown(key, key_place)),
        }
    }
    entries
}

fn unknown(key: &str, place: Range<usize>) -> Diagnostic {
    let names = || WORDS.iter().map(|(name, _)| *name);
    let help = match nearest(key, names()) {
        Some(near) => format!("did you mean `{near}=..`?"),
        None => format!(
            "the words are: {}, option.NAME, env.NAME",
            names().collect::<Vec<_>>().join(", ")
        ),
    };
    Diagnostic::error(format!("`{key}` does not describe an engine"))
        .at(place, "")
        .help(help)
}

/// Sets a key, in the tables that come before it, to a value. `places` are those of the key and of the value.
fn put(entries: &mut Entries, keys: &[&str], value: Value, places: [&Range<usize>; 2]) {
    let [key, inner @ ..] = keys else {
        return;
    };
    let [key_span, span] = places.map(Clone::clone);
    let value_here = if inner.is_empty() {
        value.clone()
    } else {
        Value::Table(Entries::new())
    };
    let node = Node {
        value: value_here,
        span,
    };
    let entry = entries.entry((*key).to_owned()).or_insert(Entry { key_span, node });
    if let Value::Table(table) = &mut entry.node.value {
        put(table, inner, value, places);
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
pub(crate) fn escaped(text: &str) -> String {
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
