//! The engines of a command line, and their limits.

use std::path::{Path, PathBuf, is_separator};

use lmrlab_results::paths::find_program;
use lmrlab_runner::tournament::defaults::DEFAULT_HASH_MIB;

use super::super::openings::quoted;
use super::translation::{Becomes, Translation, pair, word};
use super::words::WORDS;

/// Words `KEY=VALUE`, in their order.
type KeyValues = Vec<(String, String)>;

/// The words that limit moves.
const LIMITS: [&str; 4] = ["tc", "st", "nodes", "depth"];

impl Translation {
    /// The engines, each with its own words, and the words of all in `--each`.
    pub(super) fn engines(&mut self) {
        let words = |wanted| self.line.iter().filter(move |(option, _)| option == wanted);
        let engines = words("engine").map(|(_, own)| {
            let mut engine = KeyValues::new();
            let each = words("each").flat_map(|(_, each)| each);
            own.iter().chain(each).for_each(|word| add(&mut engine, word));
            // The default margin of the other programs is 0. That of lmrlab is not 0 with a time for each move.
            if of_key(&engine, "st").is_some() && of_key(&engine, "timemargin").is_none() {
                put(&mut engine, "timemargin", "0");
            }
            engine
        });
        let mut engines: Vec<KeyValues> = engines.collect();
        match engines.len() {
            2 => {}
            0 | 1 => return self.error("a match has two engines: `-engine cmd=A -engine cmd=B`"),
            _ => self.note(
                "more than two engines: in a round of lmrlab all pairings play the same opening; the other program takes a new one for each",
            ),
        }
        let mut names: Vec<String> = Vec::new();
        for engine in &mut engines {
            let named = name(engine);
            let before = names.iter().filter(|other| **other == named).count();
            if before > 0 {
                put(engine, "name", &format!("{named}_{}", before + 1));
            }
            if !LIMITS.iter().any(|key| self.limit(key, of_key(engine, key)).is_some()) {
                self.error(format!("the engine {named} has no limit: tc=, st=, nodes= or depth="));
            }
            names.push(named);
        }
        if engines.iter().any(|engine| of_key(engine, "option.Hash").is_none()) {
            self.note(format!(
                "an engine without `option.Hash`: lmrlab sets Hash to {DEFAULT_HASH_MIB} MiB and Threads to 1 where nothing else is \
                 said; other programs leave them as they are"
            ));
        }
        let clocks = engines.iter().filter_map(|engine| of_key(engine, "tc"));
        if clocks.into_iter().any(|clock| clock.contains('+')) {
            self.note("`tc`: the other program adds the increment before the first move, too; lmrlab begins with the base alone");
        }
        let common = common(&engines);
        for engine in &engines {
            let mut words = vec![self.command_of(engine)];
            words.extend(of_key(engine, "name").map(|name| word("name", name)));
            let own = engine.iter().filter(|pair| !common.contains(pair) && !is_own(pair));
            words.extend(own.filter_map(|(key, value)| self.word(key, value)));
            self.engines.push(words.join(" "));
        }
        let each: Vec<String> = (common.iter())
            .filter_map(|(key, value)| self.word(key, value))
            .collect();
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
        let is_name = !cmd.contains(is_separator);
        // fastchess looks a name up in PATH first, cutechess in this folder.
        let is_here =
            || self.here.join(cmd).is_file() && (self.is_cutechess || find_program(cmd, &self.here).is_none());
        let path = match of_key(engine, "dir") {
            Some(dir) if !(is_name && self.is_cutechess && cfg!(not(windows))) => {
                Path::new(dir).join(cmd.strip_prefix("./").unwrap_or(cmd))
            }
            None if is_name && is_here() => PathBuf::from(cmd),
            _ if is_name => return word("cmd", cmd),
            _ => PathBuf::from(cmd),
        };
        let path = path.display().to_string();
        match path.contains(is_separator) {
            true => word("cmd", &self.path(&path)),
            false => word("cmd", &self.path(&format!("./{path}"))),
        }
    }

    /// A word of an engine; `None` when it only asks for the default.
    fn word(&mut self, key: &str, value: &str) -> Option<String> {
        let mut of_engine = (WORDS.iter()).filter(|word| word.option == "engine" && word.is_of(self.is_cutechess));
        match of_engine.find(|word| word.has_key(key))?.becomes {
            Becomes::OfEngine(_, translate) => translate(self, key, value),
            _ => None,
        }
    }

    /// The value of a limit as lmrlab writes it. For fastchess, 0 is no limit.
    pub(super) fn limit(&self, key: &str, value: Option<&str>) -> Option<String> {
        let value = if key == "tc" { clock(value?)? } else { value?.to_owned() };
        (self.is_cutechess || value.parse() != Ok(0.0)).then_some(value)
    }
}

/// Adds a word. Of words with the same key, the last counts. Only the arguments of cutechess, of which each has a word, all stay.
fn add(pairs: &mut KeyValues, word: &str) {
    match pair(word) {
        ("plies", value) => put(pairs, "depth", value),
        ("arg", value) => {
            let before = of_key(pairs, "arg").map_or_else(String::new, |before| format!("{before} "));
            put(pairs, "arg", &format!("{before}{}", quoted(value)));
        }
        // An empty name is none.
        ("name", "") => {}
        (key, value) => put(pairs, key, value),
    }
}

/// Adds a word at the end.
fn put(pairs: &mut KeyValues, key: &str, value: &str) {
    pairs.retain(|(own, _)| own != key);
    pairs.push((key.to_owned(), value.to_owned()));
}

/// Whether `--each` cannot have a word.
fn is_own((key, _): &(String, String)) -> bool {
    key == "cmd" || key == "name"
}

/// The words that all engines have. In lmrlab an engine's own limit replaces the common one, so limits are common as a whole.
fn common(engines: &[KeyValues]) -> KeyValues {
    let mut common = engines.first().cloned().unwrap_or_default();
    common.retain(|pair| !is_own(pair) && engines.iter().all(|engine| engine.contains(pair)));
    let is_limit = |(key, _): &&(String, String)| LIMITS.contains(&key.as_str());
    let limits = |words: &KeyValues| words.iter().filter(is_limit).count();
    if engines.iter().any(|engine| limits(engine) != limits(&common)) {
        common.retain(|pair| !is_limit(&pair));
    }
    common
}

/// The value of a key.
fn of_key<'p>(pairs: &'p KeyValues, key: &str) -> Option<&'p str> {
    let (_, value) = pairs.iter().find(|(known, _)| known == key)?;
    Some(value)
}

/// The name of an engine.
fn name(engine: &KeyValues) -> String {
    let stem = || Path::new(of_key(engine, "cmd").unwrap_or_default()).file_stem();
    let name = of_key(engine, "name").map(str::to_owned);
    name.or_else(|| Some(stem()?.to_string_lossy().into_owned()))
        .unwrap_or_default()
}

/// A clock as lmrlab writes it: without the unit `s`, and without a number of moves that is not one; `None` for one without an end.
fn clock(value: &str) -> Option<String> {
    let value = value.split_once('/').map_or(value, |(moves, rest)| match moves {
        "inf" | "infinite" | "0" => rest,
        _ => value,
    });
    let parts = value.split('+').map(|part| part.strip_suffix('s').unwrap_or(part));
    (!matches!(value, "inf" | "infinite")).then(|| parts.collect::<Vec<_>>().join("+"))
}
