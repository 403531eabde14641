//! An idea of a trial: changes to a policy, or to the search around it.

use std::path::Path;

use lmrlab_diagnostics::Files;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::reference::{Override, in_words};
use lmrlab_policy::{Policy, PolicyReference};

use crate::subject::idea_switch::{IdeaSwitch, NoSwitch};

/// Why an idea cannot be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdeaError {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub advice: String,
}

/// Changes that are tried together.
#[derive(Debug, Clone, PartialEq)]
pub struct Idea {
    name: String,
    changes: Changes,
}

#[derive(Debug, Clone, PartialEq)]
enum Changes {
    Policy(Vec<Override>),
    Search(Vec<String>),
    /// An idea of the library, with what others reported about it.
    Library(IdeaSwitch, String),
}

/// The key of an idea of the library in the file of a trial.
pub const LIBRARY: &str = "library";

impl Idea {
    /// Changes to the policy, as after an `@`: `parameter=value`, `-rule`, `+rule`, with commas between them.
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn of_policy(text: &str) -> Result<Self, IdeaError> {
        let wrong = |message: String| IdeaError {
            message,
            advice: "write parameter=value, -rule or +rule, with commas between the changes of one idea".to_owned(),
        };
        let reference: PolicyReference = format!("policy@{text}")
            .parse()
            .map_err(|error| wrong(format!("`{text}` is no change of a policy: {error}")))?;
        let changes: Vec<Override> = reference.overrides().cloned().collect();
        if changes.iter().any(|change| matches!(change, Override::Setting { .. })) {
            return Err(wrong(format!(
                "`{text}` sets a key of a table, which cannot be drawn for each pair"
            )));
        }
        if changes.is_empty() {
            return Err(wrong("an idea without a change".to_owned()));
        }
        Ok(Self {
            name: text.to_owned(),
            changes: Changes::Policy(changes),
        })
    }

    /// Changes to the search, as after the `@` of a preset: `parameter=value`, `-switch`, `+switch`, with commas between them.
    ///
    /// # Errors
    /// When the text is none of these, or names no parameter of the search.
    pub fn of_search(text: &str) -> Result<Self, IdeaError> {
        let changes: Vec<String> = text.split(',').map(|change| change.trim().to_owned()).collect();
        let idea = Self {
            name: text.to_owned(),
            changes: Changes::Search(changes),
        };
        idea.apply(&mut Policy::none(), &mut Preset::default())?;
        Ok(idea)
    }

    /// An idea of the library, as a switch for a policy. `reported` is shown beside its Elo.
    pub(crate) fn of_library(
        name: &str,
        reported: String,
        start: &Policy,
        (files, root): (&Files, &Path),
    ) -> Result<Self, NoSwitch> {
        Ok(Self {
            name: name.to_owned(),
            changes: Changes::Library(IdeaSwitch::of(name, start, files, root)?, reported),
        })
    }

    /// Its changes as the user wrote them, or its name in the library.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name for people: `killers off` for `-killers`.
    pub fn shown(&self) -> String {
        in_words(&self.name)
    }

    /// What it changes: `policy` or `search`.
    pub fn kind(&self) -> &'static str {
        match self.changes {
            Changes::Policy(_) | Changes::Library(..) => "policy",
            Changes::Search(_) => "search",
        }
    }

    /// For an idea of the library: what it changes in a policy with this name, and what others reported about it.
    pub(crate) fn of_others(&self, policy: &str) -> Option<(String, &str)> {
        match &self.changes {
            Changes::Library(switch, reported) => Some((switch.words(policy), reported)),
            _ => None,
        }
    }

    /// Whether it changes anything in a search.
    ///
    /// # Errors
    /// When it cannot be applied.
    pub fn changes(&self, policy: &Policy, preset: &Preset) -> Result<bool, IdeaError> {
        let (mut with, mut around) = (policy.clone(), preset.clone());
        self.apply(&mut with, &mut around)?;
        // An idea of the library has already been compared with the policy.
        let is_of_others = matches!(self.changes, Changes::Library(..));
        Ok(is_of_others || with.overrides() != policy.overrides() || around.parameters != preset.parameters)
    }

    /// Refuses an idea that changes the same thing as one of these.
    pub(crate) fn check_together(&self, others: &[Self]) -> Result<(), IdeaError> {
        let shared = others.iter().find_map(|other| Some((other, self.shares(other)?)));
        shared.map_or(Ok(()), |(other, what)| {
            Err(IdeaError {
                message: format!(
                    "the ideas `{}` and `{}` both change `{what}`",
                    other.name(),
                    self.name()
                ),
                advice: "a side can have both ideas at once: remove one of them".to_owned(),
            })
        })
    }

    /// Applies the ideas that are on. An idea of the library that is off is removed from a policy that has it.
    pub(crate) fn apply_all<'i>(
        ideas: impl Iterator<Item = (&'i Self, bool)> + Clone,
        policy: &mut Policy,
        preset: &mut Preset,
    ) -> Result<(), IdeaError> {
        let switches = ideas.clone().filter_map(|(idea, on)| match &idea.changes {
            Changes::Library(switch, _) if switch.acts(on) => Some((switch, on)),
            _ => None,
        });
        if switches.clone().next().is_some() {
            (*policy, _) = IdeaSwitch::all(policy, switches).map_err(|message| IdeaError {
                message: format!("the ideas do not go together: {message}"),
                advice: "leave some of them out".to_owned(),
            })?;
        }
        ideas
            .filter(|(_, on)| *on)
            .try_for_each(|(idea, _)| idea.apply(policy, preset))
    }

    /// Applies its own changes. Those of the library are applied before.
    fn apply(&self, policy: &mut Policy, preset: &mut Preset) -> Result<(), IdeaError> {
        match &self.changes {
            Changes::Library(..) => {}
            Changes::Policy(changes) => {
                for change in changes {
                    match change {
                        Override::Parameter { name, value } => policy.set_parameter(name, *value),
                        Override::Rule { name, enabled } => policy.enable_rule(name, *enabled),
                        Override::Setting { .. } => Ok(()),
                    }
                    .map_err(|error| IdeaError {
                        message: format!("the idea `{}`: {}", self.name, error.message()),
                        advice: error.advice(),
                    })?;
                }
            }
            Changes::Search(changes) => {
                for change in changes {
                    preset.parameters.change(change).map_err(|error| IdeaError {
                        message: format!("the idea `{}`: {error}", self.name),
                        advice:
                            "write parameter=value, -switch or +switch, with commas between the changes of one idea"
                                .to_owned(),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// A thing that both ideas change.
    fn shares(&self, other: &Self) -> Option<String> {
        if self.kind() != other.kind() {
            return None;
        }
        let theirs = other.targets();
        self.targets().into_iter().find(|target| theirs.contains(target))
    }

    fn targets(&self) -> Vec<String> {
        match &self.changes {
            Changes::Policy(changes) => changes
                .iter()
                .map(|change| match change {
                    Override::Parameter { name, .. } => name.clone(),
                    Override::Rule { name, .. } => format!("rule {name}"),
                    Override::Setting { table, key, .. } => format!("{table}.{key}"),
                })
                .collect(),
            Changes::Library(switch, _) => switch.targets(),
            Changes::Search(changes) => changes
                .iter()
                .map(|change| {
                    let name = change.split('=').next().unwrap_or_default();
                    name.trim_start_matches(['+', '-']).trim().to_owned()
                })
                .collect(),
        }
    }
}
