//! The engine's options: hash, policy, preset, and every parameter of both.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lmrlab_diagnostics::{Files, nearest};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::engine::{DEFAULT_HASH_MIB, Engine, HASH_MIB};
use lmrlab_engine::limits::MOVE_OVERHEAD;
use lmrlab_engine::preset::{Preset, QuietOrdering};
use lmrlab_engine::search_parameters::{DECLARATIONS, ParameterKind};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};

/// The greatest move overhead, in milliseconds.
const MAX_OVERHEAD_MS: u64 = 10_000;
/// The options that are neither a policy's parameter nor the search's.
const NAMES: [&str; 7] = [
    "Hash",
    "Threads",
    "Move Overhead",
    "UCI_Chess960",
    "Policy",
    "Preset",
    "Ordering",
];
/// The prefix of options for policy parameters.
const POLICY_PREFIX: &str = "Policy.";
/// The prefix of options for search parameters.
const SEARCH_PREFIX: &str = "Search.";

/// The current values of the options.
pub(super) struct Options {
    /// The size of the transposition table, in MiB.
    pub(super) hash_mib: u32,
    preset: Preset,
    policy: Policy,
    pub(super) move_overhead: Duration,
    pub(super) variant: ChessVariant,
    root: PathBuf,
}

impl Options {
    pub(super) fn new(preset: Arc<Preset>, policy: Arc<Policy>, root: PathBuf) -> Self {
        Self {
            hash_mib: DEFAULT_HASH_MIB,
            preset: Arc::unwrap_or_clone(preset),
            policy: Arc::unwrap_or_clone(policy),
            move_overhead: MOVE_OVERHEAD,
            variant: ChessVariant::default(),
            root,
        }
    }

    pub(super) fn preset(&self) -> Arc<Preset> {
        Arc::new(self.preset.clone())
    }

    pub(super) fn policy(&self) -> Arc<Policy> {
        Arc::new(self.policy.clone())
    }

    /// A fresh engine with these options; an error when there is no memory for its table.
    pub(super) fn engine(&self) -> Result<Engine, String> {
        let engine = Engine::try_new(self.preset(), self.policy(), self.hash_mib);
        engine.map_err(|error| format!("error: {error}"))
    }

    /// The `option` lines.
    pub(super) fn describe(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "option name Hash type spin default {DEFAULT_HASH_MIB} min {} max {}",
                HASH_MIB.start(),
                HASH_MIB.end()
            ),
            "option name Threads type spin default 1 min 1 max 1".to_owned(),
            format!(
                "option name Move Overhead type spin default {} min 0 max {MAX_OVERHEAD_MS}",
                MOVE_OVERHEAD.as_millis()
            ),
            "option name UCI_Chess960 type check default false".to_owned(),
            format!("option name Preset type string default {}", self.preset.name()),
            format!("option name Policy type string default {}", self.policy.name()),
            format!(
                "option name Ordering type combo default {}{}",
                self.preset.ordering.name(),
                QuietOrdering::NAMES.map(|(name, _)| format!(" var {name}")).concat()
            ),
        ];
        // UCI has no fractions: a policy parameter is a string that holds a number.
        lines.extend(self.policy_parameters().into_iter().map(|(name, value)| {
            let value = value.map_or_else(|| "<empty>".to_owned(), |value| value.to_string());
            format!("option name {POLICY_PREFIX}{name} type string default {value}")
        }));
        lines.extend(DECLARATIONS.iter().map(|declaration| {
            let value = self
                .preset
                .parameters
                .get(declaration.name)
                .unwrap_or(declaration.default);
            let kind = match declaration.kind {
                ParameterKind::Switch => format!("check default {}", value != 0),
                ParameterKind::Integer { min, max } => {
                    format!("spin default {value} min {min} max {max}")
                }
                ParameterKind::Choice(words) => {
                    let now = usize::try_from(value).ok().and_then(|index| words.get(index));
                    let choices: String = words.iter().map(|word| format!(" var {word}")).collect();
                    format!("combo default {}{choices}", now.unwrap_or(&""))
                }
            };
            format!("option name {SEARCH_PREFIX}{} type {kind}", declaration.name)
        }));
        lines
    }

    /// The parameters of the policy with their values, then the parameters of other policies, without a value. The
    /// others are listed because match runners read the options only once. They do not send an option that was not
    /// listed, even after `Policy` has changed the policy.
    fn policy_parameters(&self) -> Vec<(String, Option<f64>)> {
        let own = self.policy.parameters().iter();
        let mut known: Vec<_> = own.map(|own| (own.name.clone(), Some(own.value))).collect();
        let others: BTreeSet<String> = Files::on_disk()
            .named(POLICY_FOLDER, &self.root)
            .values()
            .filter_map(|path| Policy::parameters_of(path).ok())
            .flatten()
            .map(|parameter| parameter.name)
            .filter(|name| known.iter().all(|(own, _)| own != name))
            .collect();
        known.extend(others.into_iter().map(|name| (name, None)));
        known
    }

    /// Sets an option. Returns lines for the user, such as warnings.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Vec<String>, String> {
        let failed = |message: String| format!("error: option {name}: {message}");
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("Hash") {
            self.hash_mib = value.parse().ok().filter(|mib| HASH_MIB.contains(mib)).ok_or_else(|| {
                failed(format!(
                    "`{value}` is not a number of mebibytes from {} to {}",
                    HASH_MIB.start(),
                    HASH_MIB.end()
                ))
            })?;
        } else if is("Threads") {
            if value != "1" {
                return Err(failed(format!("this engine searches with 1 thread, not `{value}`")));
            }
        } else if is("Move Overhead") {
            let overhead = value.parse().ok().filter(|ms| *ms <= MAX_OVERHEAD_MS);
            self.move_overhead = overhead.map(Duration::from_millis).ok_or_else(|| {
                failed(format!(
                    "`{value}` is not a number of milliseconds from 0 to {MAX_OVERHEAD_MS}"
                ))
            })?;
        } else if is("UCI_Chess960") {
            self.variant = match value {
                "true" => ChessVariant::Chess960,
                "false" => ChessVariant::Standard,
                _ => return Err(failed(format!("`{value}` is not true or false"))),
            };
        } else if is("Policy") {
            let (policy, warnings) = value
                .parse::<PolicyReference>()
                .map_err(|error| failed(error.to_string()))?
                .resolve(&self.root)
                .map_err(|diagnostics| failed(diagnostics.render(false)))?;
            self.policy = policy;
            let mut lines: Vec<String> = warnings.render(false).lines().map(str::to_owned).collect();
            lines.extend(
                self.policy
                    .parameters()
                    .iter()
                    .map(|parameter| format!("option {POLICY_PREFIX}{} is now {}", parameter.name, parameter.value)),
            );
            return Ok(lines);
        } else if is("Preset") {
            let (preset, _) =
                Preset::resolve(value, &self.root).map_err(|diagnostics| failed(diagnostics.render(false)))?;
            self.preset = preset;
        } else if is("Ordering") {
            let mut known = QuietOrdering::NAMES.into_iter();
            let (_, ordering) = known
                .find(|(name, _)| *name == value)
                .ok_or_else(|| failed(format!("`{value}` is not preset or own")))?;
            self.preset.ordering = ordering;
        } else if let Some(parameter) = strip_prefix(name, POLICY_PREFIX) {
            let number: f64 = value
                .parse()
                .map_err(|_| failed(format!("`{value}` is not a number")))?;
            self.policy
                .set_parameter(parameter, number)
                .map_err(|error| failed(error.to_string()))?;
        } else if let Some(parameter) = strip_prefix(name, SEARCH_PREFIX) {
            self.preset
                .parameters
                .set_text(parameter, value)
                .map_err(|error| failed(error.to_string()))?;
        } else {
            return Err(self.unknown(name));
        }
        Ok(Vec::new())
    }

    fn unknown(&self, name: &str) -> String {
        let parameters = self.policy.parameters().iter();
        let parameters = parameters.map(|parameter| format!("{POLICY_PREFIX}{}", parameter.name));
        let searches = DECLARATIONS
            .iter()
            .map(|declaration| format!("{SEARCH_PREFIX}{}", declaration.name));
        let known: Vec<String> = NAMES
            .map(str::to_owned)
            .into_iter()
            .chain(parameters)
            .chain(searches)
            .collect();
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("error: there is no option `{name}`; did you mean `{near}`?"),
            None => format!("error: there is no option `{name}`; `uci` lists them"),
        }
    }
}

fn strip_prefix<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let (start, rest) = name.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}
