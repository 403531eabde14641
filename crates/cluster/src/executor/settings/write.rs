//! Settings as a file.

use std::time::Duration;

use toml::{Table, Value};

use super::super::template::Template;
use super::{CommandSettings, Host, LocalSettings, Settings, SlurmSettings};

pub(super) fn settings(settings: &Settings) -> String {
    let file = match settings {
        Settings::Local(settings) => local(settings),
        Settings::Slurm(settings) => slurm(settings),
        Settings::Command(settings) => command(settings),
    };
    file.table.to_string()
}

/// A table that is filled key by key.
#[derive(Default)]
struct File {
    table: Table,
}

impl File {
    fn kind(kind: &str) -> Self {
        Self::default().set("kind", kind)
    }

    fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.table.insert(key.to_owned(), value.into());
        self
    }

    fn set_if(self, key: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.set(key, value),
            None => self,
        }
    }

    fn set_texts(self, key: &str, texts: &[String]) -> Self {
        self.set_if(key, (!texts.is_empty()).then(|| texts.to_vec()))
    }
}

fn integer(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn seconds(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}

fn local(settings: &LocalSettings) -> File {
    File::kind("local")
        .set_if("slots", settings.slots.map(integer))
        .set_if("threads", settings.threads.map(integer))
}

fn slurm(settings: &SlurmSettings) -> File {
    let commands = settings.commands.as_ref().map(|path| path.display().to_string());
    File::kind("slurm")
        .set("slots", integer(settings.slots))
        .set("array", integer(settings.array))
        .set("cpus_per_task", integer(settings.cpus_per_task))
        .set_if("partition", settings.partition.clone())
        .set_if("time", settings.time.clone())
        .set_if("memory", settings.memory.clone())
        .set_if("account", settings.account.clone())
        .set_if("constraint", settings.constraint.clone())
        .set_texts("exclude", &settings.exclude)
        .set_texts("extra", &settings.extra)
        .set_if("program", settings.program.clone())
        .set_if("commands", commands)
        .set("poll", seconds(settings.poll))
}

fn command(settings: &CommandSettings) -> File {
    let text = |template: &Option<Template>| template.as_ref().map(|template| template.text().to_owned());
    let host = |host: &Host| {
        let table = File::default()
            .set("name", &*host.name)
            .set("slots", integer(host.slots));
        Value::Table(table.table)
    };
    let hosts: Vec<Value> = settings.hosts.iter().map(host).collect();
    File::kind("command")
        .set("play", settings.play.text())
        .set_if("send", text(&settings.send))
        .set_if("fetch", text(&settings.fetch))
        .set_if("cancel", text(&settings.cancel))
        .set_if("timeout", settings.timeout.map(seconds))
        .set("hosts", hosts)
}
