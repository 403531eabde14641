//! The engines of a command line, and their limits.

use std::path::Path;

use lmrlab_results::paths::find_program;
use lmrlab_runner::tournament::defaults::DEFAULT_HASH_MIB;

use super::super::openings::quoted;
use super::translation::{Pairs, Translation, of_key};

impl Translation {
    /// The two engines, each with its own words and those of `-each`.
    pub(super) fn engines(&mut self, here: &Path) {
        let mut engines = self.tables("engine");
        for table in self.tables("quick") {
            let programs = table.into_iter().filter(|(key, _)| key == "cmd");
            engines.extend(programs.map(|program| vec![program, ("tc".to_owned(), "10+0.1".to_owned())]));
        }
        if engines.len() > 2 {
            self.errors.push(format!(
                "`lmrlab match` plays two engines, and here are {}; describe them in the file of a tournament for `lmrlab run`, as \
                 `lmrlab init` writes one",
                engines.len()
            ));
            return;
        }
        let Ok([first, second]) = <[Pairs; 2]>::try_from(engines) else {
            self.errors
                .push("a match has two engines: `-engine cmd=A -engine cmd=B`".to_owned());
            return;
        };
        let [mut first, mut second] = [first, second].map(in_words_of_fastchess);
        // fastchess lets the words of `-each` replace those of an engine. So does this.
        let each = in_words_of_fastchess(self.tables("each").into_iter().flatten().collect());
        for engine in [&mut first, &mut second] {
            for (key, value) in &each {
                engine.retain(|(own, _)| own != key);
                engine.push((key.clone(), value.clone()));
            }
        }
        if name(&first) == name(&second) {
            let other = format!("{}_2", name(&first));
            second.retain(|(key, _)| key != "name");
            second.push(("name".to_owned(), other));
        }
        if [&first, &second]
            .iter()
            .any(|engine| of_key(engine, "option.Hash").is_none())
        {
            self.notes.push(format!(
                "an engine without `option.Hash`: lmrlab sets Hash to {DEFAULT_HASH_MIB} MiB and Threads to 1 where nothing else is \
                 said; other programs leave them as they are"
            ));
        }
        let limits = [self.limit(&first), self.limit(&second)];
        let common = match &limits {
            [Some(first), Some(second)] if first == second => Some(first.clone()),
            _ => None,
        };
        let shared: Pairs = each
            .into_iter()
            .filter(|(key, _)| !APART.contains(&key.as_str()))
            .collect();
        for (engine, limit) in [first, second].iter().zip(&limits) {
            let mut words = vec![self.program(engine, here)];
            words.extend(of_key(engine, "name").map(|name| word("name", name)));
            let own = engine
                .iter()
                .filter(|own| !shared.contains(own) && !APART.contains(&own.0.as_str()));
            words.extend(own.filter_map(|(key, value)| self.word(key, value)));
            if let (Some(limit), None) = (limit, &common) {
                words.push(word(limit.word, &limit.value));
                words.extend(limit.margin.as_ref().map(|margin| word("timemargin", margin)));
            }
            self.command.push(words.join(" "));
        }
        let shared: Vec<String> = shared.iter().filter_map(|(key, value)| self.word(key, value)).collect();
        if !shared.is_empty() {
            self.put("--each", shared.join(" "));
        }
        if let Some(common) = common {
            let milliseconds = (common.word == "st").then(|| milliseconds(&common.value)).flatten();
            self.put(common.option, milliseconds.unwrap_or(common.value));
            if let Some(margin) = common.margin {
                self.put("--timemargin", margin);
            }
        }
        let with_increment = |limit: &Limit| limit.word == "tc" && limit.value.contains('+');
        if limits.iter().flatten().any(with_increment) && !self.is_cutechess {
            self.notes.push(
                "`tc`: fastchess adds the increment before the first move, too; lmrlab begins with the base alone, as cutechess does"
                    .to_owned(),
            );
        }
    }

    /// The program of an engine. In fastchess, its path starts from the engine's folder.
    pub(super) fn program(&mut self, engine: &Pairs, here: &Path) -> String {
        let Some(cmd) = of_key(engine, "cmd") else {
            self.errors
                .push("`-engine` without `cmd=`: name the program".to_owned());
            return String::new();
        };
        let is_path = cmd.contains(std::path::is_separator);
        let path = match of_key(engine, "dir") {
            Some(dir) => {
                let inside = cmd.strip_prefix("./").unwrap_or(cmd);
                Path::new(dir).join(inside).display().to_string()
            }
            None => cmd.to_owned(),
        };
        // A name is looked up in PATH first. Then it may be a file in this folder.
        let is_file_here = !is_path && find_program(cmd, here).is_none() && here.join(&path).is_file();
        let is_bare = !path.contains(std::path::is_separator);
        let is_named_here = is_bare && (is_file_here || of_key(engine, "dir").is_some());
        word("cmd", &if is_named_here { format!("./{path}") } else { path })
    }

    /// A word of an engine; `None` when it only asks for the default.
    pub(super) fn word(&mut self, key: &str, value: &str) -> Option<String> {
        match key {
            "dir" | "args" => Some(word(key, value)),
            _ if key.starts_with("option.") => Some(word(key, value)),
            "restart" => match value {
                "on" => Some(word(key, value)),
                // With `auto`, cutechess restarts an engine that asks for it. A UCI engine cannot ask.
                "off" | "auto" => None,
                _ => {
                    self.errors.push(format!("`restart={value}`: it is `on` or `off`"));
                    None
                }
            },
            "proto" if value == "uci" => None,
            "proto" => {
                self.errors
                    .push(format!("`proto={value}`: lmrlab plays engines that speak UCI"));
                None
            }
            "ponder" if !matches!(value, "off" | "false") => Some("ponder=true".to_owned()),
            "ponder" => None,
            "whitepov" | "book" | "bookdepth" | "initstr" | "rcfile" => {
                self.errors
                    .push(format!("`{key}={value}`: lmrlab has nothing like it; leave it out"));
                None
            }
            "stderr" => {
                (self.notes).push("`stderr=`: lmrlab prints what a faulty engine wrote there".to_owned());
                None
            }
            _ => {
                self.errors
                    .push(format!("`{key}={value}` does not describe an engine of fastchess"));
                None
            }
        }
    }

    /// The limit of an engine.
    fn limit(&mut self, engine: &Pairs) -> Option<Limit> {
        const KINDS: [(&str, &str, &str); 4] = [
            ("tc", "--tc", "tc"),
            ("st", "--movetime", "st"),
            ("nodes", "--nodes", "nodes"),
            ("depth", "--depth", "depth"),
        ];
        let limits = KINDS.into_iter().filter_map(|(key, option, word)| {
            let value = clock(of_key(engine, key)?)?;
            let margin = of_key(engine, "timemargin").map(str::to_owned);
            // The default margin of fastchess is 0. That of lmrlab is not 0 with a time for each move.
            let margin = margin.or_else(|| (word == "st").then(|| "0".to_owned()));
            Some(Limit {
                option,
                word,
                value,
                margin,
            })
        });
        let mut limits: Vec<Limit> = limits.collect();
        if limits.len() > 1 {
            let words: Vec<String> = limits
                .iter()
                .map(|limit| format!("{}={}", limit.word, limit.value))
                .collect();
            self.errors.push(format!(
                "the engine {} has {}: lmrlab limits a move by one of them; keep one",
                name(engine),
                words.join(" and ")
            ));
        }
        if limits.is_empty() {
            self.errors.push(format!(
                "the engine {} has no limit: tc=, st=, nodes= or depth=",
                name(engine)
            ));
        }
        limits.pop()
    }
}

/// The limit of an engine, as options and as words.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Limit {
    option: &'static str,
    word: &'static str,
    value: String,
    margin: Option<String>,
}

/// Words of an engine that are translated apart from the others.
const APART: [&str; 7] = ["cmd", "name", "tc", "st", "nodes", "depth", "timemargin"];

/// The words of cutechess under their names in fastchess. cutechess has a word for each argument.
fn in_words_of_fastchess(words: Pairs) -> Pairs {
    let arguments: Vec<String> = (words.iter().filter(|(key, _)| key == "arg"))
        .map(|(_, argument)| quoted(argument))
        .collect();
    let mut settled: Pairs = words.into_iter().filter(|(key, _)| key != "arg").collect();
    for (key, _) in &mut settled {
        if key == "plies" {
            "depth".clone_into(key);
        }
    }
    if !arguments.is_empty() {
        settled.push(("args".to_owned(), arguments.join(" ")));
    }
    settled
}

/// The name of an engine.
fn name(engine: &Pairs) -> String {
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
    if word.chars().all(plain) {
        word
    } else if word.contains(['"', '\\', '$', '`']) {
        quoted(&word)
    } else if key.contains(' ') {
        format!("\"{word}\"")
    } else {
        format!("{key}=\"{value}\"")
    }
}

/// A limit as lmrlab writes it: a clock without the unit `s` and without `inf/`; `None` for one without an end.
fn clock(value: &str) -> Option<String> {
    let value = value.split_once('/').map_or(value, |(moves, rest)| match moves {
        "inf" | "infinite" => rest,
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
