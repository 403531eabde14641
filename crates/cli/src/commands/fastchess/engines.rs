//! The engines of a command line, and their limits.

use std::path::Path;

use lmrlab_results::paths::find_program;
use lmrlab_runner::tournament::defaults::DEFAULT_HASH_MIB;

use super::super::openings::quoted;
use super::translation::{Becomes, KeyValues, Translation, pair};

/// The words that limit moves.
const LIMITS: [&str; 4] = ["tc", "st", "nodes", "depth"];

impl Translation {
    /// The engines, each with its own words, and the words of all in `--each`.
    pub(super) fn engines(&mut self) {
        let (mut each, mut engines) = (KeyValues::new(), Vec::new());
        for (option, words) in &self.line {
            match option.as_str() {
                "each" => add(&mut each, words),
                "engine" => {
                    engines.push(KeyValues::new());
                    engines.last_mut().into_iter().for_each(|engine| add(engine, words));
                }
                _ => {}
            }
        }
        if engines.len() < 2 {
            self.error("a match has two engines: `-engine cmd=A -engine cmd=B`");
            return;
        }
        if engines.len() > 2 {
            self.note(
                "more than two engines: in a round of lmrlab all pairings play the same opening; the other program takes a new one for each",
            );
        }
        set_margin(&mut each, &[]);
        let mut names = Vec::new();
        let (mut lacks_hash, mut has_increment) = (false, false);
        for mut own in engines {
            separate(&mut own, &each);
            set_margin(&mut own, &each);
            let all = [&own[..], &each].concat();
            let named = name(&all);
            let before = names.iter().filter(|other| **other == named).count();
            if before > 0 {
                put(&mut own, "name", &format!("{named}_{}", before + 1));
            }
            names.push(named);
            lacks_hash |= of_key(&all, "option.Hash").is_none();
            self.check_limits(&all);
            has_increment |= of_key(&all, "tc").is_some_and(|clock| clock.contains('+'));
            let mut words = vec![self.command_of(&all)];
            words.extend(of_key(&own, "name").map(|name| word("name", name)));
            words.extend(own.iter().filter_map(|(key, value)| self.word(key, value)));
            self.names.push(name(&[&own[..], &all].concat()));
            self.engines.push(words.join(" "));
        }
        if lacks_hash {
            self.note(format!(
                "an engine without `option.Hash`: lmrlab sets Hash to {DEFAULT_HASH_MIB} MiB and Threads to 1 where nothing else is \
                 said; other programs leave them as they are"
            ));
        }
        if has_increment {
            self.note("`tc`: the other program adds the increment before the first move, too; lmrlab begins with the base alone");
        }
        let each: Vec<String> = each.iter().filter_map(|(key, value)| self.word(key, value)).collect();
        if !each.is_empty() {
            self.put("--each", each.join(" "));
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

    /// Checks that the words of an engine limit its moves, and that one clock does.
    fn check_limits(&mut self, engine: &KeyValues) {
        let limit = |key: &str| limit_of(self.is_cutechess, key, of_key(engine, key)?);
        let (clock, time) = (limit("tc"), limit("st"));
        let is_limited = LIMITS.iter().any(|key| limit(key).is_some());
        let engine = name(engine);
        if clock.as_ref().is_some_and(|clock| clock.contains("hg")) {
            self.error("`tc=hg..`: lmrlab has no hourglass; write a clock, as in `tc=10+0.1`");
        }
        if let (Some(clock), Some(time)) = (clock, time) {
            self.error(format!(
                "the engine {engine} has tc={clock} and st={time}: a move is limited by one of them; keep one"
            ));
        }
        if !is_limited {
            self.error(format!("the engine {engine} has no limit: tc=, st=, nodes= or depth="));
        }
    }
}

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

pub(super) fn limit(line: &mut Translation, key: &str, value: &str) -> Option<String> {
    Some(word(key, &limit_of(line.is_cutechess, key, value)?))
}

/// The value of a limit as lmrlab writes it. For fastchess, 0 is no limit.
fn limit_of(is_cutechess: bool, key: &str, value: &str) -> Option<String> {
    let value = if key == "tc" { clock(value)? } else { value.to_owned() };
    let is_none = !is_cutechess && value.parse() == Ok(0.0);
    (!is_none).then_some(value)
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

/// Adds words. Of words with the same key, the last counts. Only the arguments of cutechess, of which each has a word, are all
/// kept.
fn add(pairs: &mut KeyValues, words: &[String]) {
    for (key, value) in words.iter().map(|word| pair(word)) {
        match key {
            "plies" => put(pairs, "depth", value),
            "arg" => put(pairs, key, &quoted(value)),
            // An empty name is none.
            "name" if value.is_empty() => {}
            _ => put(pairs, key, value),
        }
    }
}

/// Adds a word at the end.
fn put(pairs: &mut KeyValues, key: &str, value: &str) {
    let before = pairs.iter().position(|(own, _)| own == key);
    let before = before.map(|at| pairs.remove(at).1);
    let value = match before.filter(|_| key == "arg") {
        Some(before) => format!("{before} {value}"),
        None => value.to_owned(),
    };
    pairs.push((key.to_owned(), value));
}

/// Leaves an engine the words that `--each` does not replace. A word of lmrlab's `--each` does not count for an engine with a
/// word of its own: such an engine gets it, too.
fn separate(own: &mut KeyValues, each: &KeyValues) {
    own.retain(|(key, _)| key == "arg" || of_key(each, key).is_none());
    let has_limit = LIMITS.iter().any(|key| of_key(own, key).is_some());
    let is_own = |key: &str, own: &KeyValues| match key {
        "cmd" | "name" => true,
        "arg" => of_key(own, key).is_some(),
        _ => has_limit && LIMITS.contains(&key),
    };
    for (key, value) in each {
        if is_own(key, own) {
            put(own, key, value);
        }
    }
}

/// The default margin of the other programs is 0. That of lmrlab is not 0 with a time for each move.
fn set_margin(own: &mut KeyValues, each: &[(String, String)]) {
    let has_margin = own.iter().chain(each).any(|(key, _)| key == "timemargin");
    if of_key(own, "st").is_some() && !has_margin {
        put(own, "timemargin", "0");
    }
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
