//! Engines as the command line describes them: the name of a policy, or words `KEY=VALUE` as other match runners have them. The
//! words become a table of a tournament file, and the reader of these files reads it.

use std::collections::BTreeMap;
use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Entry, Node, Value, nearest};
use lmrlab_runner::player::uci::external::Deadlines;
use lmrlab_runner::tournament::description::EngineDescription;
use lmrlab_runner::tournament::read;

use super::typed_line::TypedLine;

/// The keys of a table with their values and places.
type Entries = BTreeMap<String, Entry>;

/// The words, and the keys of a tournament file that they mean.
const WORDS: [(&str, &[&str]); 15] = [
    ("cmd", &["command"]),
    ("args", &["args"]),
    ("dir", &["dir"]),
    ("name", &["name"]),
    ("restart", &["restart"]),
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
];

/// The engines that these arguments of the line mean. A policy's preset is that of `preset`, a name with its place, unless it
/// has its own.
///
/// # Errors
/// What is wrong with their words.
pub(crate) fn engines(
    arguments: &[&str],
    line: &mut TypedLine,
    preset: (&str, Option<Range<usize>>),
) -> Result<Vec<EngineDescription>, Vec<Diagnostics>> {
    let mut tables = Vec::new();
    let mut wrong = Vec::new();
    for argument in arguments {
        match engine(argument, line, preset.clone()) {
            Ok(table) => tables.push(table),
            Err(diagnostics) => wrong.push(Diagnostics::new(line.source(), diagnostics)),
        }
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

/// The table that an argument of the line means.
fn engine(argument: &str, line: &mut TypedLine, preset: (&str, Option<Range<usize>>)) -> Result<Node, Vec<Diagnostic>> {
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
        put(&mut entries, "policy", Value::Text(argument.to_owned()), place.clone());
    }
    if entries.contains_key("policy") && !entries.contains_key("command") && !entries.contains_key("preset") {
        let (preset, at) = preset;
        put(
            &mut entries,
            "preset",
            Value::Text(preset.to_owned()),
            at.unwrap_or_else(|| place.clone()),
        );
    }
    Ok(Node {
        value: Value::Table(entries),
        span: place,
    })
}

/// Reads the words of an engine into its table, and returns what is wrong with them.
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
        // A value with quotes in it or around it stands there in another form: then its place is that of all words.
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
            put_inside(entries, table, name, Value::Text(value.to_owned()), value_place);
            set_key_place(entries, table, &key_place);
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
            (Ok(value), [table, key]) => {
                put_inside(entries, table, key, value, value_place);
                set_key_place(entries, table, &key_place);
            }
            (Ok(value), keys) => {
                for key in keys {
                    put(entries, key, value.clone(), value_place.clone());
                    set_key_place(entries, key, &key_place);
                }
            }
            (Err(error), _) => wrong.push(error),
        }
    }
    wrong
}

/// Sets a key of a table to a value that stands at this place.
fn put(entries: &mut Entries, key: &str, value: Value, place: Range<usize>) {
    let entry = Entry {
        key_span: place.clone(),
        node: Node { value, span: place },
    };
    entries.insert(key.to_owned(), entry);
}

/// Sets a key of a table within a table.
fn put_inside(entries: &mut Entries, table: &str, key: &str, value: Value, place: Range<usize>) {
    if !entries.contains_key(table) {
        put(entries, table, Value::Table(Entries::new()), place.clone());
    }
    if let Some(Value::Table(inside)) = entries.get_mut(table).map(|entry| &mut entry.node.value) {
        put(inside, key, value, place);
    }
}

/// Says where the word stands that a key comes from.
fn set_key_place(entries: &mut Entries, key: &str, place: &Range<usize>) {
    if let Some(entry) = entries.get_mut(key) {
        entry.key_span = place.clone();
    }
}

/// The value of a word.
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
        "st" => {
            let seconds = value.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
            let seconds = seconds.ok_or_else(|| wanted("a number of seconds"))?;
            Value::Integer((seconds * 1_000.0).round() as i64)
        }
        "answer" | "nodes" | "depth" | "timemargin" => {
            Value::Integer(value.parse().map_err(|_| wanted("a whole number"))?)
        }
        _ => Value::Text(value.to_owned()),
    })
}

/// Words as a shell splits them; `None` when a quote has no other half. On Windows `\` is a part of paths and keeps its
/// meaning.
fn split(text: &str) -> Option<Vec<String>> {
    let text = if cfg!(windows) { escaped(text) } else { text.to_owned() };
    shlex::split(&text)
}

/// The text with every `\` doubled that a shell would take for an escape.
fn escaped(text: &str) -> String {
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
