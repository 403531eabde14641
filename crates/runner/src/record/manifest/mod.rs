//! manifest.toml: everything that is needed to run a tournament again.

mod configuration;

use serde::Serialize;

use self::configuration::Configuration;

use super::FORMAT_VERSION;
use crate::failure::Failure;
use crate::tournament::Tournament;
use crate::utc::Utc;

/// What a manifest says.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// When the run began.
    pub started: Utc,
    text: Text,
}

impl Manifest {
    /// The manifest of a tournament that begins now, asked for with these words.
    pub fn new(tournament: &Tournament, command: &[String]) -> Self {
        let started = Utc::now();
        Self {
            started,
            text: Text::new(tournament, command, started),
        }
    }

    /// The text of manifest.toml.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn to_toml(&self) -> Result<String, Failure> {
        toml::to_string_pretty(&self.text)
            .map_err(|error| Failure::Run(format!("cannot write the manifest: {error}")))
    }
}

/// The keys of the file, in its order.
#[derive(Debug, Clone, Serialize)]
struct Text {
    format_version: u32,
    lmrlab: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'static str>,
    started: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    threads: usize,
    command: String,
    tournament: Configuration,
}

impl Text {
    fn new(tournament: &Tournament, command: &[String], started: Utc) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            lmrlab: env!("CARGO_PKG_VERSION"),
            commit: option_env!("LMRLAB_COMMIT"),
            started: started.to_string(),
            cpu: cpu_model(),
            threads: tournament.threads.get(),
            command: shell_words(command),
            tournament: Configuration::new(tournament),
        }
    }
}

/// The processor's name, where the system tells it.
fn cpu_model() -> Option<String> {
    let told = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}

/// Words as one would type them in a shell.
fn shell_words(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    words
        .iter()
        .map(|word| {
            if !word.is_empty() && word.chars().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', r"'\''"))
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let words = ["lmrlab", "match", "a b", "it's", "", "x@y=2.0"].map(str::to_owned);
        assert_eq!(
            shell_words(&words),
            r"lmrlab match 'a b' 'it'\''s' '' x@y=2.0"
        );
    }
}
