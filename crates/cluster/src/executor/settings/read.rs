//! Files of settings.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostic, Node, Table, Text, Value};
use lmrlab_runner::tournament::defaults::MAX_THREADS;

use super::super::template::{Placeholder, Template};
use super::{CommandSettings, Host, Kind, LocalSettings, SlurmSettings};

/// The kinds with the names that they have in a file.
const KINDS: [(&str, Reader); 3] = [("local", local), ("slurm", slurm), ("command", command)];

/// Reads the keys of a kind.
type Reader = fn(&Table<'_>) -> Option<Kind>;

/// The greatest number of slots or tasks: more than any cluster has.
const MAX_SLOTS: usize = 1_000_000;

/// Options of sbatch that have a key of their own, or that the executor needs itself.
const OWN_OPTIONS: [(&str, Option<&str>); 16] = [
    ("--partition", Some("partition")),
    ("--time", Some("time")),
    ("--mem", Some("memory")),
    ("--account", Some("account")),
    ("--cpus-per-task", Some("cpus_per_task")),
    ("--constraint", Some("constraint")),
    ("--exclude", Some("exclude")),
    ("--array", None),
    ("--parsable", None),
    ("--quiet", None),
    ("--wrap", None),
    ("--wait", None),
    ("--output", None),
    ("--error", None),
    ("--input", None),
    ("--nodes", None),
];

/// The top-level table of a file: the executor, and the pairs of a part.
pub(super) fn settings(table: Table<'_>) -> Option<(Kind, Option<usize>)> {
    let kind = table.require("kind", table.choice("kind", &KINDS))?;
    let pairs = optional(&table, "pairs", slot_count);
    let kind = kind(&table);
    table.close();
    Some((kind?, pairs?))
}

fn local(table: &Table<'_>) -> Option<Kind> {
    let slots = optional(table, "slots", slot_count);
    let threads = optional(table, "threads", threads);
    Some(Kind::Local(LocalSettings {
        slots: slots?,
        threads: threads?,
    }))
}

fn slurm(table: &Table<'_>) -> Option<Kind> {
    let usual = SlurmSettings::default();
    let slots = optional(table, "slots", slot_count);
    let array = optional(table, "array", slot_count);
    let cpus = optional(table, "cpus_per_task", threads);
    let partition = optional(table, "partition", plain);
    let time = optional(table, "time", |table, key| {
        let help = "such as \"90\" (minutes), \"1:30:00\" (hours) or \"2-12\" (days and hours)";
        checked(table, key, is_time, "no time that sbatch reads", help)
    });
    let memory = optional(table, "memory", |table, key| {
        let help = "a number of megabytes, or one with K, M, G or T, such as \"500M\"";
        checked(table, key, is_memory, "no amount of memory that sbatch reads", help)
    });
    let account = optional(table, "account", plain);
    let constraint = optional(table, "constraint", plain);
    let exclude: Vec<Option<String>> = (table.texts("exclude").iter())
        .map(|text| host_name(table, text))
        .collect();
    let extra: Vec<Option<String>> = table.texts("extra").iter().map(|text| option(table, text)).collect();
    let program = optional(table, "program", |table, key| {
        let help = "an absolute path, or a name that the nodes find in their PATH";
        let what = "depends on the working directory of a node";
        checked(table, key, is_program, what, help)
    });
    let commands = optional(table, "commands", |table, key| {
        let help = "the absolute path of the folder that has sbatch and squeue";
        let is_absolute = |text: &str| Path::new(text).is_absolute();
        checked(table, key, is_absolute, "not an absolute path", help)
    });
    let poll = optional(table, "poll", |table, key| count(table, key, 0..=3600));
    Some(Kind::Slurm(SlurmSettings {
        slots: slots?.unwrap_or(usual.slots),
        array: array?.unwrap_or(usual.array),
        cpus_per_task: cpus?.unwrap_or(usual.cpus_per_task),
        partition: partition?,
        time: time?,
        memory: memory?,
        account: account?,
        constraint: constraint?,
        exclude: exclude.into_iter().collect::<Option<_>>()?,
        extra: extra.into_iter().collect::<Option<_>>()?,
        program: program?,
        commands: commands?.map(PathBuf::from),
        poll: poll?.map_or(usual.poll, |seconds| Duration::from_secs(seconds as u64)),
    }))
}

fn command(table: &Table<'_>) -> Option<Kind> {
    let slots = optional(table, "slots", slot_count);
    let hosts = hosts(table, slots.flatten().unwrap_or(1));
    let play = table.require("play", template(table, "play"));
    let send = optional(table, "send", template);
    let fetch = optional(table, "fetch", template);
    let cancel = optional(table, "cancel", template);
    let timeout = optional(table, "timeout", |table, key| count(table, key, 1..=31_536_000));
    if let Some((hosts, play)) = hosts.as_ref().zip(play.as_ref())
        && let Some(error) = lacks_host(hosts, play, table.place_of_value("play"))
    {
        table.report(error);
    }
    slots?;
    Some(Kind::Command(CommandSettings {
        hosts: hosts?,
        play: play?,
        send: send?,
        fetch: fetch?,
        cancel: cancel?,
        timeout: timeout?.map(|seconds| Duration::from_secs(seconds as u64)),
    }))
}

/// The value of a key: `Some(None)` when the key is absent, `None` when its value is wrong.
fn optional<T>(table: &Table<'_>, key: &str, read: impl FnOnce(&Table<'_>, &str) -> Option<T>) -> Option<Option<T>> {
    if table.has(key) {
        read(table, key).map(Some)
    } else {
        Some(None)
    }
}

fn count(table: &Table<'_>, key: &str, range: RangeInclusive<usize>) -> Option<usize> {
    let value = table.integer(key, *range.start() as i64..=*range.end() as i64)?;
    usize::try_from(value).ok()
}

fn slot_count(table: &Table<'_>, key: &str) -> Option<usize> {
    count(table, key, 1..=MAX_SLOTS)
}

/// The threads of a part, which are those of a run.
fn threads(table: &Table<'_>, key: &str) -> Option<usize> {
    count(table, key, 1..=MAX_THREADS as usize)
}

/// A text that is neither empty nor has a control character.
fn plain(table: &Table<'_>, key: &str) -> Option<String> {
    let what = "empty, or with control characters";
    checked(table, key, is_plain, what, "write a name, or remove the key")
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

fn checked(table: &Table<'_>, key: &str, is_right: impl Fn(&str) -> bool, what: &str, help: &str) -> Option<String> {
    let text = table.text(key)?;
    if is_right(&text.value) {
        return Some(text.value);
    }
    let error = Diagnostic::error(format!("`{}` cannot be `{key}`", text.value.escape_debug()));
    table.report(error.at(text.span, what).help(help));
    None
}

/// Minutes, minutes:seconds, hours:minutes:seconds, and days- before hours, hours:minutes or hours:minutes:seconds.
fn is_time(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.len() <= 6 && text.chars().all(|c| c.is_ascii_digit());
    let rest = match text.split_once('-') {
        Some((days, rest)) if is_number(days) => rest,
        Some(_) => return false,
        None => text,
    };
    rest.split(':').count() <= 3 && rest.split(':').all(is_number)
}

fn is_memory(text: &str) -> bool {
    let digits = text
        .strip_suffix(['K', 'M', 'G', 'T', 'k', 'm', 'g', 't'])
        .unwrap_or(text);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

fn is_program(text: &str) -> bool {
    is_plain(text) && (!text.contains('/') || Path::new(text).is_absolute())
}

/// One more option for sbatch.
fn option(table: &Table<'_>, text: &Text) -> Option<String> {
    let option = &text.value;
    let wrong = |message: String, label: &str, help: String| {
        table.report(Diagnostic::error(message).at(text.span.clone(), label).help(help));
    };
    if !option.starts_with("--") || !is_plain(option) {
        let help = "write one word, with `=` before a value, such as \"--qos=short\"".to_owned();
        wrong(
            format!("`{}` is not a long option", option.escape_debug()),
            "an option of sbatch belongs here",
            help,
        );
        return None;
    }
    let name = option.split('=').next().unwrap_or_default();
    if let Some((_, key)) = OWN_OPTIONS.iter().find(|(own, _)| *own == name) {
        let help = match key {
            Some(key) => format!("write it as `{key} = ..`"),
            None => "remove it: lmrlab sets it".to_owned(),
        };
        wrong(format!("`{name}` cannot be an extra option"), "not here", help);
        return None;
    }
    Some(option.clone())
}

/// A command from a file. It has to name the part: by its folder or, for `cancel`, also by the name of its job.
fn template(table: &Table<'_>, key: &str) -> Option<Template> {
    let text = table.text(key)?;
    let (may_name, example) = match key {
        "cancel" => (true, "such as `ssh {host} pkill -f {quoted_folder}`"),
        _ => (false, "such as `ssh {host} lmrlab resume {quoted_folder} --trust`"),
    };
    let read = Template::parse(&text).and_then(|template| {
        let named = [Placeholder::Folder, Placeholder::QuotedFolder];
        if named.into_iter().any(|folder| template.mentions(folder))
            || (may_name && template.mentions(Placeholder::Name))
        {
            return Ok(template);
        }
        Err(Diagnostic::error("this command does not say which part it is about")
            .at(text.span.clone(), "no `{folder}` here")
            .help(example))
    });
    read.map_err(|error| table.report(error)).ok()
}

/// The error of a command for several hosts that does not contain the host.
fn lacks_host(hosts: &[Host], play: &Template, place: Range<usize>) -> Option<Diagnostic> {
    (hosts.len() > 1 && !play.mentions(Placeholder::Host)).then(|| {
        Diagnostic::error(format!(
            "there are {} hosts, and this command is the same for all",
            hosts.len()
        ))
        .at(place, "no `{host}` here")
        .help("mention `{host}`, or name one host with as many slots")
    })
}

/// `hosts`: names, or tables with names and slots. The default number is `slots`.
fn hosts(table: &Table<'_>, slots: usize) -> Option<Vec<Host>> {
    let entries = match &table.document().root_node().value {
        Value::Table(entries) => entries.get("hosts"),
        _ => None,
    };
    let nodes = entries.and_then(|entry| match &entry.node.value {
        Value::List(nodes) => Some(nodes),
        _ => None,
    });
    let is_table = |node: &Node| matches!(node.value, Value::Table(_));
    let has_tables = nodes.is_some_and(|nodes| nodes.iter().any(is_table));
    let read: Vec<(Text, Option<Host>)> = if has_tables {
        (table.tables("hosts").into_iter())
            .filter_map(|host| {
                let name = host.require("name", host.text("name"));
                let own = optional(&host, "slots", slot_count);
                host.close();
                let (text, slots) = (name?, own?.unwrap_or(slots));
                let read = host_name(table, &text);
                Some((text, read.map(|name| Host { name, slots })))
            })
            .collect()
    } else {
        (table.texts("hosts").into_iter())
            .map(|text| {
                let read = host_name(table, &text);
                (text, read.map(|name| Host { name, slots }))
            })
            .collect()
    };
    let mut seen = BTreeSet::new();
    for (text, host) in &read {
        if let Some(host) = host
            && !seen.insert(&host.name)
        {
            let error = Diagnostic::error(format!("`{}` is named twice", host.name)).at(text.span.clone(), "again");
            table.report(error.help("give it more `slots` instead"));
        }
    }
    if read.is_empty() && !table.has("hosts") {
        return table.require("hosts", None);
    }
    if nodes.is_some_and(Vec::is_empty) {
        let error = Diagnostic::error("there are no hosts").at(table.place_of_value("hosts"), "nothing here");
        table.report(error.help("such as `hosts = [\"red\", \"blue\"]`"));
    }
    // Entries that are no host have already been reported.
    if read.is_empty() {
        return None;
    }
    read.into_iter().map(|(_, host)| host).collect()
}

fn host_name(table: &Table<'_>, text: &Text) -> Option<String> {
    match check_host(&text.value) {
        Ok(()) => Some(text.value.clone()),
        Err(why) => {
            let error = Diagnostic::error(format!("`{}` cannot be a host", text.value.escape_debug()));
            table.report(error.at(text.span.clone(), why));
            None
        }
    }
}

/// Whether this can be the name of a host; if not, why. A name such as `-oProxyCommand=..` would be an option of ssh.
fn check_host(name: &str) -> Result<(), &'static str> {
    let allowed = |c: char| c.is_alphanumeric() || "._-@:/%+[]".contains(c);
    if name.is_empty() {
        Err("a host needs a name")
    } else if name.starts_with('-') {
        Err("a command would take this for an option")
    } else if !name.chars().all(allowed) {
        Err("a host has letters, digits and . _ - @ : / % + [ ] only")
    } else {
        Ok(())
    }
}
