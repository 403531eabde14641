//! An idea of a trial: changes to a policy, or to the search around it.

use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Files};
use lmrlab_engine::search_parameters::SearchParameters;
use lmrlab_policy::reference::{Override, in_words};
use lmrlab_policy::{Policy, PolicyReference};

use crate::subject::idea_switch::{IdeaSwitch, NoSwitch};
use crate::subject::parameter::Place;

/// Changes that are tried together.
#[derive(Debug, Clone, PartialEq)]
pub struct Idea {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Policy,
    Search,
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
    pub fn of_policy(text: &str) -> Result<Self, Diagnostic> {
        let wrong = |message: String| {
            let advice = "write parameter=value, -rule or +rule, with commas between the changes of one idea";
            Diagnostic::error(message).help(advice)
        };
        let reference: PolicyReference = format!("policy@{text}")
            .parse()
            .map_err(|error| wrong(format!("`{text}` is no change of a policy: {error}")))?;
        let is_setting = |change: &Override| matches!(change, Override::Setting { .. });
        match reference.overrides().any(is_setting) {
            true => Err(wrong(format!(
                "`{text}` sets a key of a table, which cannot be drawn for each pair"
            ))),
            false => Ok(Self::of(text, Kind::Policy)),
        }
    }

    /// Changes to the search, as after the `@` of a preset: `parameter=value`, `-switch`, `+switch`, with commas between them.
    ///
    /// # Errors
    /// When the text is none of these, or names no parameter of the search.
    pub fn of_search(text: &str) -> Result<Self, Diagnostic> {
        let mut parameters = SearchParameters::default();
        let mut changes = text.split(',').map(str::trim);
        changes
            .try_for_each(|change| parameters.change(change))
            .map_err(|error| {
                let advice = "write parameter=value, -switch or +switch, with commas between the changes of one idea";
                Diagnostic::error(format!("the idea `{text}`: {error}")).help(advice)
            })?;
        Ok(Self::of(text, Kind::Search))
    }

    /// An idea of the library, as a switch for a policy. `reported` is shown beside its Elo.
    pub(crate) fn of_library(
        name: &str,
        reported: String,
        start: &Policy,
        (files, root): (&Files, &Path),
    ) -> Result<Self, NoSwitch> {
        let switch = IdeaSwitch::of(name, start, files, root)?;
        Ok(Self::of(name, Kind::Library(switch, reported)))
    }

    fn of(name: &str, kind: Kind) -> Self {
        let name = name.to_owned();
        Self { name, kind }
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
        match self.kind {
            Kind::Policy | Kind::Library(..) => "policy",
            Kind::Search => "search",
        }
    }

    /// Where its changes are. `None` for an idea of the library, which is named by its name.
    pub(crate) fn place(&self) -> Option<Place> {
        match self.kind {
            Kind::Policy => Some(Place::Policy),
            Kind::Search => Some(Place::Preset),
            Kind::Library(..) => None,
        }
    }

    /// The switch of an idea of the library.
    pub(crate) fn switch(&self) -> Option<&IdeaSwitch> {
        match &self.kind {
            Kind::Library(switch, _) => Some(switch),
            _ => None,
        }
    }

    /// For an idea of the library: what it changes in a policy with this name, and what others reported about it.
    pub(crate) fn of_others(&self, policy: &str) -> Option<(String, &str)> {
        match &self.kind {
            Kind::Library(switch, reported) => Some((switch.words(policy), reported)),
            _ => None,
        }
    }

    /// Refuses an idea that changes the same thing as one of these.
    pub(crate) fn check_together(&self, others: &[Self]) -> Result<(), Diagnostic> {
        let ours = self.targets();
        for other in others.iter().filter(|other| other.kind() == self.kind()) {
            if let Some(what) = other.targets().into_iter().find(|target| ours.contains(target)) {
                let message = format!("the ideas `{}` and `{}` both change `{what}`", other.name, self.name);
                return Err(Diagnostic::error(message).help("a side can have both ideas at once: remove one of them"));
            }
        }
        Ok(())
    }

    /// The names of the things that it changes.
    fn targets(&self) -> Vec<String> {
        if let Some(switch) = self.switch() {
            return switch.targets();
        }
        let target = |change: &str| match (change.trim().strip_prefix(['+', '-']), self.kind()) {
            (Some(rule), "policy") => format!("rule {rule}"),
            (Some(switch), _) => switch.to_owned(),
            (None, _) => change.split('=').next().unwrap_or_default().trim().to_owned(),
        };
        self.name.split(',').map(target).collect()
    }
}
