//! The engines of a command line, and their limits.

use std::path::Path;

use lmrlab_results::paths::find_program;
use lmrlab_runner::tournament::defaults::DEFAULT_HASH_MIB;

use super::super::openings::quoted;
use super::translation::{Becomes, KeyValues, Translation, pair};

impl Translation {
    /// The engines, each with its own words and those of `-each`.
    pub(super) fn engines(&mut self) {
        let line = self.line.clone();
        let words_of = |option: &str| {
            let given = line.iter().filter(|(given, _)| given == option);
            given
                .map(|(_, words)| words.iter().map(|word| pair(word)))
                .collect::<Vec<_>>()
        };
        let each: Vec<(&str, &str)> = words_of("each").into_iter().flatten().collect();
        let engines = words_of("engine").into_iter();
        let mut engines: Vec<KeyValues> = engines.map(|own| merged(own.chain(each.iter().copied()))).collect();
        if engines.len() < 2 {
            self.error("a match has two engines: `-engine cmd=A -engine cmd=B`");
            return;
        }
        let names: Vec<String> = engines.iter().map(name).collect();
        for (index, (engine, own)) in engines.iter_mut().zip(&names).enumerate() {
            let before = names[..index].iter().filter(|other| *other == own).count();
            if before > 0 {
                engine.retain(|(key, _)| key != "name");
                engine.push(("name".to_owned(), format!("{own}_{}", before + 1)));
            }
            self.names.push(name(engine));
        }
        if engines.len() > 2 {
            self.note(
                "more than two engines: in a round of lmrlab all pairings play the same opening; the other program takes a new one for each",
            );
        }
        let shared: KeyValues = (merged(each.into_iter()).into_iter())
            .filter(|(key, _)| !APART.contains(&key.as_str()))
            .filter(|common| engines.iter().all(|engine| engine.contains(common)))
            .collect();
        if engines.iter().any(|engine| of_key(engine, "option.Hash").is_none()) {
            self.note(format!(
                "an engine without `option.Hash`: lmrlab sets Hash to {DEFAULT_HASH_MIB} MiB and Threads to 1 where nothing else is \
                 said; other programs leave them as they are"
            ));
        }
        let limits: Vec<Option<Limit>> = engines.iter().map(|engine| self.limit(engine)).collect();
        let is_common = limits.windows(2).all(|two| two[0] == two[1]);
        for (engine, limit) in engines.iter().zip(&limits) {
            let mut words = vec![self.command_of(engine)];
            words.extend(of_key(engine, "name").map(|name| word("name", name)));
            let own = engine
                .iter()
                .filter(|own| !shared.contains(own) && !APART.contains(&own.0.as_str()));
            words.extend(own.filter_map(|(key, value)| self.word(key, value)));
            if let (Some(limit), false) = (limit, is_common) {
                words.extend(limit.parts.iter().map(|part| word(part.word, &part.value)));
                words.extend(limit.margin.as_ref().map(|margin| word("timemargin", margin)));
            }
            self.engines.push(words.join(" "));
        }
        let shared: Vec<String> = shared.iter().filter_map(|(key, value)| self.word(key, value)).collect();
        if !shared.is_empty() {
            self.put("--each", shared.join(" "));
        }
        if let (Some(Some(common)), true) = (limits.first(), is_common) {
            for part in &common.parts {
                let milliseconds = (part.word == "st").then(|| milliseconds(&part.value)).flatten();
                self.put(part.option, milliseconds.as_ref().unwrap_or(&part.value));
            }
            if let Some(margin) = &common.margin {
                self.put("--timemargin", margin);
            }
        }
        let mut parts = limits.iter().flatten().flat_map(|limit| &limit.parts);
        if parts.any(|part| part.word == "tc" && part.value.contains('+')) {
            self.note("`tc`: the other program adds the increment before the first move, too; lmrlab begins with the base alone");
        }
    }

    /// The program of an engine. Its path starts from the engine's folder, but cutechess looks a name up in PATH.
    fn command_of(&mut self, engine: &KeyValues) -> String {
        let Some(cmd) = of_key(engine, "cmd") else {
            self.error("`-engine` without `cmd=`: name the program");
            return String::new();
        };
        let is_name = !cmd.contains(std::path::is_separator);
        let dir = of_key(engine, "dir").filter(|_| !(is_name && self.is_cutechess && cfg!(not(windows))));
        let path = match dir {
            Some(dir) => {
                let inside = cmd.strip_prefix("./").unwrap_or(cmd);
                Path::new(dir).join(inside).display().to_string()
            }
            None => cmd.to_owned(),
        };
        // fastchess looks a name up in PATH first, cutechess in this folder.
        let is_file_here = is_name
            && of_key(engine, "dir").is_none()
            && (self.is_cutechess || find_program(cmd, &self.here).is_none())
            && self.here.join(&path).is_file();
        let is_named_here = !path.contains(std::path::is_separator) && (is_file_here || dir.is_some());
        word("cmd", &if is_named_here { format!("./{path}") } else { path })
    }

    /// A word of an engine; `None` when it only asks for the default.
    fn word(&mut self, key: &str, value: &str) -> Option<String> {
        let mut of_engine = (self.table.iter()).filter(|word| word.option == "engine" && word.is_of(self.is_cutechess));
        match of_engine.find(|word| word.has_key(key))?.becomes {
            Becomes::OfEngine(_, translate) => translate(self, key, value),
            _ => None,
        }
    }

    /// The limits of an engine.
    fn limit(&mut self, engine: &KeyValues) -> Option<Limit> {
        const KINDS: [(&str, &str); 4] = [
            ("tc", "--tc"),
            ("st", "--movetime"),
            ("nodes", "--nodes"),
            ("depth", "--depth"),
        ];
        let is_cutechess = self.is_cutechess;
        let parts = KINDS.into_iter().filter_map(|(word, option)| {
            let value = of_key(engine, word)?;
            let value = if word == "tc" { clock(value)? } else { value.to_owned() };
            // For fastchess, 0 is no limit.
            let is_none = !is_cutechess && value.parse() == Ok(0.0);
            (!is_none).then_some(Part { option, word, value })
        });
        let parts: Vec<Part> = parts.collect();
        let value = |word: &str| parts.iter().find(|part| part.word == word).map(|part| &*part.value);
        if value("tc").is_some_and(|clock| clock.contains("hg")) {
            self.error("`tc=hg..`: lmrlab has no hourglass; write a clock, as in `tc=10+0.1`");
        }
        if let (Some(clock), Some(time)) = (value("tc"), value("st")) {
            let error = format!(
                "the engine {} has tc={clock} and st={time}: a move is limited by one of them; keep one",
                name(engine)
            );
            self.error(error);
        }
        if parts.is_empty() {
            self.error(format!(
                "the engine {} has no limit: tc=, st=, nodes= or depth=",
                name(engine)
            ));
            return None;
        }
        // The default margin of the other programs is 0. That of lmrlab is not 0 with a time for each move.
        let margin = of_key(engine, "timemargin").map(str::to_owned);
        let margin = margin.or_else(|| value("st").map(|_| "0".to_owned()));
        Some(Limit { parts, margin })
    }
}

/// The limits of an engine, and its time margin.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Limit {
    parts: Vec<Part>,
    margin: Option<String>,
}

/// A limit, as an option and as a word.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    option: &'static str,
    word: &'static str,
    value: String,
}

/// Words of an engine that are translated apart from the others.
const APART: [&str; 7] = ["cmd", "name", "tc", "st", "nodes", "depth", "timemargin"];

/// For a word that is translated apart from the others.
pub(super) fn apart(_: &mut Translation, _: &str, _: &str) -> Option<String> {
    None
}

/// The same word.
pub(super) fn as_it_is(_: &mut Translation, key: &str, value: &str) -> Option<String> {
    Some(word(key, value))
}

/// The arguments of a program.
pub(super) fn args(_: &mut Translation, _: &str, value: &str) -> Option<String> {
    Some(word("args", value))
}

pub(super) fn restart(line: &mut Translation, key: &str, value: &str) -> Option<String> {
    match (value, line.is_cutechess) {
        ("on", _) => return Some(word(key, value)),
        // With `auto`, cutechess restarts an engine that asks for it. A UCI engine cannot ask.
        ("off", _) | ("auto", true) => {}
        _ => line.error(format!("`restart={value}`: it is `on` or `off`")),
    }
    None
}

/// cutechess lets an engine ponder whatever the value is.
pub(super) fn ponder(_: &mut Translation, _: &str, _: &str) -> Option<String> {
    Some("ponder=true".to_owned())
}

pub(super) fn protocol(line: &mut Translation, _: &str, value: &str) -> Option<String> {
    if value != "uci" {
        line.error(format!("`proto={value}`: lmrlab plays engines that speak UCI"));
    }
    None
}

/// The words of an engine, each once: the last counts. Only the arguments of cutechess, of which each has a word, are all
/// kept.
fn merged<'w>(words: impl Iterator<Item = (&'w str, &'w str)>) -> KeyValues {
    let mut pairs = KeyValues::new();
    for (key, value) in words {
        let key = if key == "plies" { "depth" } else { key };
        let before = pairs.iter().position(|(own, _)| own == key);
        let before = before.map(|at| pairs.remove(at).1);
        let value = match (key, before) {
            ("arg", None) => quoted(value),
            ("arg", Some(before)) => format!("{before} {}", quoted(value)),
            _ => value.to_owned(),
        };
        // An empty name is none.
        if !(key == "name" && value.is_empty()) {
            pairs.push((key.to_owned(), value));
        }
    }
    pairs
}

/// The value of a key.
fn of_key<'p>(pairs: &'p KeyValues, key: &str) -> Option<&'p str> {
    let (_, value) = pairs.iter().find(|(known, _)| known == key)?;
    Some(value)
}

/// The name of an engine.
fn name(engine: &KeyValues) -> String {
    let stem = || {
        Some(
            Path::new(of_key(engine, "cmd")?)
                .file_stem()?
                .to_string_lossy()
                .into_owned(),
        )
    };
    let name = of_key(engine, "name").map(str::to_owned);
    name.or_else(stem).unwrap_or_default()
}

/// A word of an engine, in quotes within its argument when it needs them.
pub(super) fn word(key: &str, value: &str) -> String {
    let word = format!("{key}={value}");
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    let in_quotes = |text: &str| match text.contains(['"', '\\', '$', '`']) {
        true => quoted(text),
        false => format!("\"{text}\""),
    };
    if word.chars().all(plain) {
        word
    } else if key.chars().all(plain) {
        format!("{key}={}", in_quotes(value))
    } else {
        in_quotes(&word)
    }
}

/// A clock as lmrlab writes it: without the unit `s`, and without a number of moves that is not one; `None` for one without an end.
fn clock(value: &str) -> Option<String> {
    let value = value.split_once('/').map_or(value, |(moves, rest)| match moves {
        "inf" | "infinite" | "0" => rest,
        _ => value,
    });
    let parts: Vec<&str> = value
        .split('+')
        .map(|part| part.strip_suffix('s').unwrap_or(part))
        .collect();
    (!matches!(value, "inf" | "infinite")).then(|| parts.join("+"))
}

fn milliseconds(seconds: &str) -> Option<String> {
    let seconds: f64 = seconds.parse().ok()?;
    Some((seconds * 1_000.0).round().to_string())
}
