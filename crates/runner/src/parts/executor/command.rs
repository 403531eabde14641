//! The command of an executor, and how many parts it plays at a time.

use std::num::NonZeroU16;
use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The place of the part's folder in a command.
const FOLDER: &str = "{folder}";
/// The place of the host in a command.
const HOST: &str = "{host}";

/// The command of an executor, and how many parts it plays at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecutorCommand {
    /// The command that plays a part, with `{folder}` and, if hosts are listed, `{host}`. It is split into words as a
    /// shell does it, and started without a shell.
    pub command: String,
    /// The number of parts that are played at the same time; that of the run's threads when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<NonZeroU16>,
    /// The hosts in their order, and how many parts each of them plays at the same time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(deserialize_with = "read_hosts", serialize_with = "write_hosts")]
    pub hosts: Vec<(String, NonZeroU16)>,
    /// The greatest number of pairs in a part.
    #[serde(default = "default_pairs")]
    pub pairs: NonZeroU16,
}

fn default_pairs() -> NonZeroU16 {
    const { NonZeroU16::new(16).unwrap() }
}

fn read_hosts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, NonZeroU16)>, D::Error> {
    let number = |parts: toml::Value| parts.try_into().map_err(|error| de::Error::custom(error.message()));
    let hosts = toml::Table::deserialize(from)?.into_iter();
    let hosts = hosts.map(|(host, parts)| Ok((host, number(parts)?)));
    hosts.collect()
}

fn write_hosts<S: Serializer>(hosts: &[(String, NonZeroU16)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(hosts.iter().map(|(host, parts)| (host, parts)))
}

impl ExecutorCommand {
    /// An executor from the command line: a command, or the path of a file.
    ///
    /// # Errors
    /// When the command has a mistake, or the file cannot be read.
    pub fn argument(text: &str) -> Result<Self, Failure> {
        let path = Path::new(text);
        if path.extension().is_some_and(|extension| extension == "toml") || path.is_file() {
            return Self::read(Source::read(path)?);
        }
        let command = Self {
            command: text.to_owned(),
            parts: None,
            hosts: Vec::new(),
            pairs: default_pairs(),
        };
        command.check()?;
        Ok(command)
    }

    /// A file with a command.
    ///
    /// # Errors
    /// When it has a mistake.
    pub fn read(source: Source) -> Result<Self, Failure> {
        let command: Self = toml::from_str(&source.text).map_err(|error| {
            let mistake = Diagnostic::error(error.message().replace('\n', "; "))
                .at(error.span().unwrap_or(0..0), "")
                .help(
                    "an executor has `command`, `parts` or `hosts`, and `pairs`; docs/many-machines.md explains them",
                );
            Diagnostics::new(source.clone(), vec![mistake])
        })?;
        command.check()?;
        Ok(command)
    }

    fn check(&self) -> Result<(), Failure> {
        let words = shlex::split(&self.command).unwrap_or_default();
        let names = |place: &str| words.iter().any(|word| word.contains(place));
        let (what, help) = if words.first().is_none_or(String::is_empty) {
            ("is no command", "a quote does not end, or the program is missing")
        } else if !names(FOLDER) {
            (
                "does not name the folder of a part",
                "write a command such as `lmrlab resume {folder}`, or the path of a TOML file",
            )
        } else if names(HOST) == self.hosts.is_empty() {
            (
                "and the hosts do not fit",
                "`{host}` in the command stands for one of `hosts`, as in `hosts = { red = 16, blue = 4 }`",
            )
        } else if self.parts.is_some() && !self.hosts.is_empty() {
            (
                "has `parts` and `hosts`",
                "leave out `parts`: each host has its own number of parts",
            )
        } else {
            return Ok(());
        };
        let command = self.command.escape_debug();
        Err(Failure::input(format!("the executor `{command}` {what}"), help))
    }

    /// The text of a file, which [`ExecutorCommand::read`] reads.
    ///
    /// # Errors
    /// When TOML cannot hold them. This does not happen.
    pub fn text(&self) -> Result<String, Failure> {
        toml::to_string(self).map_err(|error| Failure::encode("the executor", &error))
    }

    /// A slot for each part that is played at the same time: the name of its host, if hosts are listed.
    pub(super) fn slots(&self, threads: usize) -> Vec<Option<String>> {
        if self.hosts.is_empty() {
            return vec![None; self.parts.map_or(threads, |parts| usize::from(parts.get()))];
        }
        let slots = self.hosts.iter().flat_map(|(host, parts)| {
            let of_host = 0..parts.get();
            of_host.map(move |number| (number, Some(host.clone())))
        });
        let mut slots: Vec<_> = slots.collect();
        // Each host gets one part before any gets two.
        slots.sort_by_key(|(number, _)| *number);
        slots.into_iter().map(|(_, host)| host).collect()
    }

    /// The words of the command for a part; the first is the program.
    pub(super) fn words(&self, host: Option<&str>, folder: &str) -> Vec<String> {
        let words = shlex::split(&self.command).unwrap_or_default().into_iter();
        words
            .map(|word| word.replace(HOST, host.unwrap_or_default()).replace(FOLDER, folder))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ExecutorCommand, String> {
        let source = Source::new("hosts.toml", text);
        ExecutorCommand::read(source).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_file_is_read_and_written() {
        for text in [
            "command = \"lmrlab resume {folder}\"\nparts = 4\npairs = 8\n",
            "command = \"ssh {host} lmrlab resume {folder}\"\npairs = 16\n\n[hosts]\nblue = 1\n\"me@red\" = 3\n",
        ] {
            assert_eq!(read(text).unwrap().text().unwrap(), text);
        }
    }

    #[test]
    fn each_host_has_its_slots() {
        let command = read("command = 'x {host} {folder}'\nhosts = { red = 3, blue = 1 }").unwrap();
        let slots = command.slots(7).into_iter().map(Option::unwrap);
        assert_eq!(slots.collect::<Vec<_>>(), ["red", "blue", "red", "red"]);
        assert_eq!(ExecutorCommand::argument("x {folder}").unwrap().slots(7).len(), 7);
    }

    #[test]
    fn words_are_split_before_anything_is_put_in() {
        let command = read("command = \"ssh {host} 'a b' \\\"'{folder}'\\\"\"\nhosts = { 'x; y' = 1 }").unwrap();
        assert_eq!(command.words(Some("x; y"), "/a b"), ["ssh", "x; y", "a b", "'/a b'"]);
    }

    #[test]
    fn mistakes_are_named() {
        let mistakes = [
            "kind = \"slurm\"\nslots = 4\n",
            "command = \"x {folder}\"\nparts = 0\n",
            "command = \"x {host} {folder}\"\nhosts = { red = 70000 }\n",
            "command = \"x {folder} 'y\"\n",
            "command = \"lmrlab resume\"\n",
            "command = \"ssh {hots} lmrlab resume {folder}\"\nhosts = { red = 1 }\n",
            "command = \"ssh {host} lmrlab resume {folder}\"\n",
            "command = \"x {host} {folder}\"\nparts = 2\nhosts = { red = 1 }\n",
        ];
        let said = mistakes.map(|text| read(text).unwrap_err());
        insta::assert_snapshot!(said.join("\n---\n"));
    }
}
