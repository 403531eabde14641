//! Engines as the command line describes them: the name of a policy, or words `KEY=VALUE` as other match runners have
//! them.

use std::path::Path;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostics, nearest};

use lmrlab_runner::failure::complaint;
use lmrlab_runner::game::limit::{Limit, MAX_DEPTH, MAX_NODES, MAX_TIME_MS};
use lmrlab_runner::player::uci::external::{Deadlines, ExternalEngine, MoveList, Restart};
use lmrlab_runner::tournament::config::check_name;
use lmrlab_runner::tournament::entrant::{Entrant, find_program};

/// The keys without those that begin with `option.` or `env.`.
const KEYS: [&str; 14] = [
    "cmd",
    "args",
    "dir",
    "name",
    "restart",
    "movelist",
    "answer",
    "policy",
    "preset",
    "tc",
    "st",
    "nodes",
    "depth",
    "timemargin",
];

/// The engine that an argument means, with the warnings of its files. A policy's preset is `preset` unless it says
/// otherwise; paths start from `folder`.
///
/// # Errors
/// What is wrong with the words or the files that they name.
pub(crate) fn entrant(
    argument: &str,
    preset: &str,
    folder: &Path,
) -> Result<(Entrant, Vec<Diagnostics>), Vec<Diagnostics>> {
    let described = ["cmd=", "policy="]
        .iter()
        .any(|key| argument.trim_start().starts_with(key) || argument.contains(&format!(" {key}")));
    if described {
        let mut words = Words::new(argument).map_err(|report| vec![report])?;
        let engine = words.entrant(preset, folder);
        match (engine, words.wrong) {
            (Some(engine), wrong) if wrong.is_empty() => Ok(engine),
            (_, wrong) => Err(wrong),
        }
    } else {
        resolve(None, preset, argument, folder)
    }
}

fn resolve(
    name: Option<&str>,
    preset: &str,
    policy: &str,
    folder: &Path,
) -> Result<(Entrant, Vec<Diagnostics>), Vec<Diagnostics>> {
    Entrant::resolve(name, preset, policy, folder).map_err(|unusable| {
        [unusable.preset, unusable.policy]
            .into_iter()
            .flatten()
            .map(|report| *report)
            .collect()
    })
}

/// The words of one engine.
struct Words<'w> {
    argument: &'w str,
    words: Vec<(String, String)>,
    wrong: Vec<Diagnostics>,
}

impl<'w> Words<'w> {
    fn new(argument: &'w str) -> Result<Self, Diagnostics> {
        let split = shlex::split(argument).ok_or_else(|| {
            complaint(
                format!("the engine `{argument}` has a quote without its other half"),
                "",
            )
        })?;
        let mut words = Vec::new();
        let mut wrong = Vec::new();
        for word in split {
            match word.split_once('=') {
                Some((key, value)) if is_key(key) => {
                    words.push((key.to_owned(), value.to_owned()));
                }
                _ => {
                    let key = word.split('=').next().unwrap_or_default();
                    let help = match nearest(key, KEYS) {
                        Some(near) => format!("did you mean `{near}=..`?"),
                        None => format!("the keys are: {}, option.NAME, env.NAME", KEYS.join(", ")),
                    };
                    wrong.push(complaint(
                        format!("`{word}` is no description of an engine"),
                        help,
                    ));
                }
            }
        }
        Ok(Self {
            argument,
            words,
            wrong,
        })
    }

    /// The value of a key; when it is there more than once, the last.
    fn value(&self, key: &str) -> Option<String> {
        let mut words = self.words.iter().rev();
        words
            .find(|(known, _)| known == key)
            .map(|(_, value)| value.clone())
    }

    /// The words whose keys begin with `prefix`, without it.
    fn all(&self, prefix: &str) -> Vec<(String, String)> {
        self.words
            .iter()
            .filter_map(|(key, value)| Some((key.strip_prefix(prefix)?.to_owned(), value.clone())))
            .collect()
    }

    fn refuse(&mut self, message: impl Into<String>, help: &str) {
        self.wrong.push(complaint(
            format!("{} in `{}`", message.into(), self.argument),
            help,
        ));
    }

    /// The value of a key, read; `usual` when it is not there.
    fn read<T>(
        &mut self,
        key: &str,
        usual: Option<T>,
        wanted: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let Some(text) = self.value(key) else {
            return usual;
        };
        let value = read(&text);
        if value.is_none() {
            self.refuse(format!("`{key}={text}` cannot be used"), wanted);
        }
        value
    }

    fn entrant(&mut self, preset: &str, folder: &Path) -> Option<(Entrant, Vec<Diagnostics>)> {
        for (key, value) in self.words.clone() {
            if key.chars().chain(value.chars()).any(char::is_control) {
                self.refuse(
                    format!("`{key}` has a control character"),
                    "line breaks and the like are not possible here",
                );
            }
        }
        let name = self.value("name");
        if let Some(Err(reason)) = name.as_deref().map(check_name) {
            self.refuse("the name cannot be used", &reason);
        }
        let limit = self.limit();
        let margin = self.milliseconds("timemargin");
        let (entrant, warnings) = match (self.value("cmd"), self.value("policy")) {
            (Some(command), None) => (self.external(&command, name.as_deref(), folder)?, vec![]),
            (None, Some(policy)) => {
                let preset = self.value("preset").unwrap_or_else(|| preset.to_owned());
                match resolve(name.as_deref(), &preset, &policy, folder) {
                    Ok(resolved) => resolved,
                    Err(reports) => {
                        self.wrong.extend(reports);
                        return None;
                    }
                }
            }
            _ => {
                self.refuse(
                    "`cmd` and `policy` both, or neither",
                    "one of them is needed",
                );
                return None;
            }
        };
        let entrant = Entrant {
            limit,
            margin,
            ..entrant
        };
        Some((entrant, warnings))
    }

    fn external(&mut self, command: &str, name: Option<&str>, folder: &Path) -> Option<Entrant> {
        if self.value("preset").is_some() {
            self.refuse(
                "`preset` with `cmd`",
                "a preset is for the project's own engine",
            );
        }
        let program = find_program(command, folder);
        if program.is_none() {
            self.refuse(
                format!("there is no program `{command}`"),
                "a name is looked up in PATH; a path has a `/`",
            );
        }
        let args = self.read(
            "args",
            Some(Vec::new()),
            "a quote lacks its other half",
            shlex::split,
        );
        let dir = self.value("dir").map(|dir| folder.join(dir));
        if let Some(dir) = dir.as_ref().filter(|dir| !dir.is_dir()) {
            self.refuse(format!("`{}` is not a directory", dir.display()), "");
        }
        let restart = self.read(
            "restart",
            Some(Restart::Never),
            "`restart=never` or `restart=game`",
            |text| named(&Restart::NAMES, text),
        );
        let move_list = self.read(
            "movelist",
            Some(MoveList::Whole),
            "`movelist=whole` or `movelist=rebased`",
            |text| named(&MoveList::NAMES, text),
        );
        let deadlines = Deadlines {
            answer: self.milliseconds("answer"),
            ..Deadlines::default()
        };
        let engine = ExternalEngine {
            program: program?,
            args: args?,
            dir,
            env: self.all("env."),
            options: self.all("option."),
            restart: restart?,
            move_list: move_list?,
            deadlines,
        };
        Some(Entrant::external(name, command, engine))
    }

    fn milliseconds(&mut self, key: &str) -> Option<Duration> {
        self.read(key, None, "a whole number of milliseconds", |text| {
            let time = text.parse().ok().filter(|time| *time <= MAX_TIME_MS)?;
            Some(Duration::from_millis(time))
        })
    }

    fn limit(&mut self) -> Option<Limit> {
        let within = |text: &str, most: u64| {
            text.parse::<u64>()
                .ok()
                .filter(|number| (1..=most).contains(number))
        };
        let limits = [
            self.read("tc", None, "a clock, as in `tc=40/60+0.6`", |text| {
                text.parse().ok().map(Limit::Clock)
            }),
            self.read("st", None, "seconds a move, as in `st=0.1`", |text| {
                let seconds = text.parse::<f64>().ok()?;
                let milliseconds = (seconds * 1_000.0).round();
                (1.0..=MAX_TIME_MS as f64)
                    .contains(&milliseconds)
                    .then(|| Limit::MoveTime(Duration::from_millis(milliseconds as u64)))
            }),
            self.read("nodes", None, "a number of nodes", |text| {
                within(text, MAX_NODES).map(Limit::Nodes)
            }),
            self.read("depth", None, "a number of plies", |text| {
                within(text, u64::from(MAX_DEPTH)).map(|depth| Limit::Depth(depth as u32))
            }),
        ];
        let mut limits = limits.into_iter().flatten();
        let limit = limits.next();
        if limits.next().is_some() {
            self.refuse("more than one limit", "keep one of tc, st, nodes, depth");
        }
        limit
    }
}

fn is_key(key: &str) -> bool {
    KEYS.contains(&key)
        || ["option.", "env."]
            .iter()
            .any(|prefix| key.len() > prefix.len() && key.starts_with(prefix))
}

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    let (_, value) = names.iter().find(|(name, _)| *name == text)?;
    Some(*value)
}
