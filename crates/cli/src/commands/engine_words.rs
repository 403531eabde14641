//! Engines as the command line describes them, as tables of a tournament file: the name of a policy, or words `KEY=VALUE`
//! as other match runners have them.

use lmrlab_diagnostics::{Diagnostics, nearest};
use lmrlab_runner::failure::complaint;
use toml::{Table, Value};

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

/// The `[[engine]]` that an argument means. A policy's preset is `preset` unless it says otherwise.
///
/// # Errors
/// The words that are none.
pub(crate) fn engine(argument: &str, preset: &str) -> Result<Table, Vec<Diagnostics>> {
    let described = ["cmd=", "policy="]
        .iter()
        .any(|key| argument.trim_start().starts_with(key) || argument.contains(&format!(" {key}")));
    let mut table = Table::new();
    if described {
        words(argument, &mut table)?;
    } else {
        table.insert("policy".to_owned(), argument.into());
    }
    if table.contains_key("policy") {
        table.entry("preset").or_insert_with(|| preset.into());
    }
    Ok(table)
}

fn words(argument: &str, table: &mut Table) -> Result<(), Vec<Diagnostics>> {
    let split = split(argument, &format!("the engine `{argument}`"))?;
    let mut wrong = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for word in &split {
        let (word, value) = word.split_once('=').unwrap_or((word, ""));
        if seen.contains(&word) {
            wrong.push(complaint(
                format!("the engine `{argument}` has `{word}=` twice"),
                "keep one of the two; each engine is an argument of its own, in quotes",
            ));
            continue;
        }
        seen.push(word);
        let prefixed = [("option.", "options"), ("env.", "env")]
            .into_iter()
            .find_map(|(prefix, key)| Some((key, word.strip_prefix(prefix)?)))
            .filter(|(_, name)| !name.is_empty());
        if let Some((key, name)) = prefixed {
            insert(table, &[key, name], value.into());
            continue;
        }
        match WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, keys)) => match read(word, value) {
                Ok(value) => insert(table, keys, value),
                Err(report) => wrong.extend(report),
            },
            None => {
                let names = || WORDS.iter().map(|(name, _)| *name);
                let help = match nearest(word, names()) {
                    Some(near) => format!("did you mean `{near}=..`?"),
                    None => format!(
                        "the words are: {}, option.NAME, env.NAME",
                        names().collect::<Vec<_>>().join(", ")
                    ),
                };
                wrong.push(complaint(format!("`{word}` does not describe an engine"), help));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// The value of a word. A number that is none stays a text, which the reader of tournament files complains about.
fn read(word: &str, value: &str) -> Result<Value, Vec<Diagnostics>> {
    Ok(match word {
        "args" => split(value, "`args`")?.into(),
        "st" => match value.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() => ((seconds * 1_000.0).round() as i64).into(),
            _ => value.into(),
        },
        "answer" | "nodes" | "depth" | "timemargin" => match value.parse::<i64>() {
            Ok(number) => number.into(),
            Err(_) => value.into(),
        },
        _ => value.into(),
    })
}

/// Words as a shell splits them. On Windows `\` is a part of paths and keeps its meaning.
fn split(text: &str, what: &str) -> Result<Vec<String>, Vec<Diagnostics>> {
    let text = if cfg!(windows) { escaped(text) } else { text.to_owned() };
    shlex::split(&text).ok_or_else(|| vec![complaint(format!("{what} has a quote without its other half"), "")])
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

/// Sets a key in a table, or in a table in it.
fn insert(table: &mut Table, keys: &[&str], value: Value) {
    match keys {
        [key] => {
            table.insert((*key).to_owned(), value);
        }
        [key, inner] => {
            let inside = table.entry(*key).or_insert_with(|| Table::new().into());
            if let Some(inside) = inside.as_table_mut() {
                inside.insert((*inner).to_owned(), value);
            }
        }
        _ => {}
    }
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
