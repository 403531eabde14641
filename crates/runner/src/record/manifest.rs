//! manifest.toml: everything that is needed to run a tournament again.

use serde::Serialize;

use super::FORMAT_VERSION;
use crate::failure::Failure;
use crate::hash::sha256;
use crate::stats::EloModel;
use crate::tournament::Tournament;
use crate::tournament::limit::Limit;
use crate::tournament::schedule::Format;
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

/// The tournament with the keys of a tournament file.
#[derive(Debug, Clone, Serialize)]
struct Configuration {
    name: String,
    description: String,
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gauntlet_engine: Option<String>,
    pairs: u64,
    seed: u64,
    hash_mib: u32,
    openings: OpeningsText,
    limit: LimitText,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtText>,
    engine: Vec<EngineText>,
}

#[derive(Debug, Clone, Serialize)]
struct OpeningsText {
    file: String,
    order: &'static str,
    count: usize,
    sha256: String,
}

#[derive(Debug, Clone, Default, Serialize)]
struct LimitText {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tc: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct SprtText {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct EngineText {
    name: String,
    preset: String,
    policy: String,
    preset_hash: String,
    policy_hash: String,
    preset_text: String,
    policy_text: String,
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

impl Configuration {
    fn new(tournament: &Tournament) -> Self {
        Self {
            name: tournament.name.clone(),
            description: tournament.description.clone(),
            format: tournament.format.name(),
            gauntlet_engine: (tournament.format == Format::Gauntlet)
                .then(|| tournament.engines[tournament.gauntlet_engine].name.clone()),
            pairs: tournament.pairs,
            seed: tournament.seed,
            hash_mib: tournament.hash_mib,
            openings: OpeningsText {
                file: tournament.openings_file.display().to_string(),
                order: tournament.order.name(),
                count: tournament.openings.count(),
                sha256: tournament.openings.sha256().to_owned(),
            },
            limit: LimitText::from(tournament.limit),
            sprt: tournament.sprt.map(|sprt| SprtText {
                elo0: sprt.elo0(),
                elo1: sprt.elo1(),
                alpha: sprt.alpha(),
                beta: sprt.beta(),
                model: match sprt.model() {
                    EloModel::Logistic => "logistic",
                    EloModel::Normalized => "normalized",
                },
            }),
            engine: tournament
                .engines
                .iter()
                .map(|engine| EngineText {
                    name: engine.name.clone(),
                    preset: engine.preset_reference.clone(),
                    policy: engine.policy_reference.clone(),
                    preset_hash: sha256(engine.preset.text()),
                    policy_hash: engine.policy.hash(),
                    preset_text: engine.preset.text().to_owned(),
                    policy_text: engine.policy.text().to_owned(),
                })
                .collect(),
        }
    }
}

impl From<Limit> for LimitText {
    fn from(limit: Limit) -> Self {
        let mut text = Self::default();
        match limit {
            Limit::Nodes(nodes) => text.nodes = Some(nodes),
            Limit::Depth(depth) => text.depth = Some(depth),
            Limit::MoveTime(time) => text.move_time_ms = Some(time.as_millis() as u64),
            Limit::Clock(control) => text.tc = Some(control.to_string()),
        }
        text
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
