//! The engine that is tuned: where its parameters are, and how it plays with given values.

pub mod choice;
pub(crate) mod fishtest;
pub mod idea;
pub(crate) mod idea_switch;
pub mod parameter;
mod policy_file;

use std::path::Path;
use std::sync::Arc;

use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{PolicyReference, overridden};

use crate::subject::choice::Choice;
use crate::subject::idea::Idea;
use crate::subject::parameter::{Parameter, Place};
use crate::subject::policy_file::{changes, comments, extending};
use lmrlab_runner::conduct::pair_player::{Changed, Changes};
use lmrlab_runner::player::uci::HostedPolicy;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine};

/// The engine with the parameters and choices that are tuned.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The engine before tuning.
    pub start: Entrant,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The choices that are raced before the parameters are tuned.
    pub choices: Vec<Choice>,
    /// The engine with every combination of choices; the first choice changes fastest. Empty when there are no choices.
    pub variants: Vec<EntrantEngine>,
    /// The ideas of a trial. A trial has no parameters and no choices.
    pub ideas: Vec<Idea>,
}

impl Subject {
    fn of(&self, place: Place) -> impl Iterator<Item = (usize, &Parameter)> {
        let parameters = self.parameters.iter().enumerate();
        parameters.filter(move |(_, parameter)| parameter.place == place)
    }

    /// The names of the values of a point: those of the parameters, then of the choices, then of the ideas.
    pub fn names(&self) -> Vec<String> {
        let parameters = self.parameters.iter().map(|parameter| &parameter.name);
        let choices = self.choices.iter().map(|choice| &choice.name);
        let ideas = self.ideas.iter().map(|idea| idea.name().to_owned());
        parameters.chain(choices).cloned().chain(ideas).collect()
    }

    /// The point where tuning starts.
    pub fn origin(&self) -> Vec<f64> {
        let parameters = self.parameters.iter().map(|parameter| parameter.start);
        let (choices, ideas) = (self.choices.iter().map(|_| 0.0), self.ideas.iter().map(|_| 0.0));
        parameters.chain(choices).chain(ideas).collect()
    }

    /// A point as overrides, such as `base=1.1,-rule`: every number, then the choices that are not the start, and the
    /// ideas that are on.
    pub fn overrides(&self, values: &[f64]) -> String {
        let numbers = self.parameters.iter().zip(values);
        let mut items: Vec<String> = numbers
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        let (choices, ideas) = values[self.parameters.len()..].split_at(self.choices.len());
        let chosen = self.choices.iter().zip(choices).filter(|(_, value)| **value > 0.0);
        items.extend(chosen.map(|(choice, value)| choice.value(*value as usize).to_owned()));
        let on = self.ideas.iter().zip(ideas).filter(|(_, value)| **value > 0.0);
        items.extend(on.map(|(idea, _)| idea.name().to_owned()));
        items.join(",")
    }

    /// The point of these overrides; `None` when they are not those of a point.
    pub fn values(&self, overrides: &str) -> Option<Vec<f64>> {
        let mut rest = overrides;
        let mut values = Vec::new();
        for parameter in &self.parameters {
            let (item, left) = rest.split_once(',').unwrap_or((rest, ""));
            let value = item.strip_prefix(&parameter.name)?.strip_prefix('=')?;
            values.push(value.parse().ok()?);
            rest = left;
        }
        for choice in &self.choices {
            let found = (1..=choice.values.len()).filter_map(|value| Some((value, behind(rest, choice.value(value))?)));
            // The longest one: a value may be the beginning of another.
            let (value, left) = found.min_by_key(|(_, left)| left.len()).unwrap_or((0, rest));
            values.push(value as f64);
            rest = left;
        }
        for idea in &self.ideas {
            let left = behind(rest, idea.name());
            values.push(f64::from(u8::from(left.is_some())));
            rest = left.unwrap_or(rest);
        }
        rest.is_empty().then_some(values)
    }

    /// The engine with the choices of a point, but not with its numbers.
    fn variant(&self, values: &[f64]) -> &EntrantEngine {
        let (mut index, mut stride) = (0, 1);
        let chosen = values.iter().skip(self.parameters.len());
        for (choice, value) in self.choices.iter().zip(chosen) {
            index += stride * *value as usize;
            stride *= choice.values.len() + 1;
        }
        self.variants.get(index).unwrap_or(&self.start.engine)
    }

    /// The engine at a point.
    pub fn at(&self, values: &[f64]) -> Entrant {
        let mut entrant = Entrant {
            name: format!("{}-tuned", self.plain_name()),
            engine: self.variant(values).clone(),
        };
        match &mut entrant.engine {
            EntrantEngine::Own(own) => {
                own.policy_reference = with_changes(&own.policy_reference, &self.changes(Place::Policy, values));
                own.preset_reference = with_changes(&own.preset_reference, &self.changes(Place::Preset, values));
                self.set(Arc::make_mut(&mut own.policy), Arc::make_mut(&mut own.preset), values);
            }
            EntrantEngine::External { engine, policy, .. } => {
                if let Some(policy) = policy {
                    *policy = self.hosted(policy, values);
                }
                let engine = Arc::make_mut(engine);
                for (name, value) in self.options(values) {
                    engine.options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                    engine.options.push((name, value));
                }
            }
        }
        entrant
    }

    /// The engine with the values that tuning starts from.
    pub fn before(&self) -> Entrant {
        Entrant {
            name: self.start.name.clone(),
            ..self.at(&self.origin())
        }
    }

    /// The name of the start without overrides: another point has other overrides.
    fn plain_name(&self) -> String {
        let name = &self.start.name;
        let plain = match &self.start.engine {
            EntrantEngine::Own(own) => (*name == own.policy_name()).then(|| own.policy.name().to_owned()),
            EntrantEngine::External { policy, .. } => policy.as_ref().and_then(|policy| {
                let program = name.strip_suffix(&policy.name())?.strip_suffix('/')?;
                Some(format!("{program}/{}", policy.policy().name()))
            }),
        };
        plain.unwrap_or_else(|| name.clone())
    }

    /// The values of a point as overrides.
    fn changes(&self, place: Place, values: &[f64]) -> Vec<String> {
        let parameters = self.of(place);
        let changes = parameters.map(|(index, parameter)| format!("{}={}", parameter.name, values[index]));
        changes.collect()
    }

    /// The policy that a host plays at a point.
    fn hosted(&self, start: &HostedPolicy, values: &[f64]) -> HostedPolicy {
        let mut policy = start.policy().clone();
        // No value changes the search of a host.
        self.set(&mut policy, &mut Preset::default(), values);
        let reference = with_changes(start.reference(), &self.changes(Place::Policy, values));
        // A policy with other values is not larger than that of the start.
        HostedPolicy::new(&reference, policy).unwrap_or_else(|_| start.clone())
    }

    /// The policy that a host gets before a pair; `None` when it plays the same policy in all pairs.
    fn hosted_at(&self, values: &[f64]) -> Option<HostedPolicy> {
        let EntrantEngine::External { policy, .. } = self.variant(values) else {
            return None;
        };
        let varies = self.of(Place::Policy).next().is_some() || !self.ideas.is_empty() || !self.choices.is_empty();
        let policy = policy.as_ref().filter(|_| varies)?;
        Some(self.hosted(policy, values))
    }

    /// The facts that this idea needs besides those of the trial's policy, and that the host does not fill.
    pub fn missing_facts(&self, idea: usize, filled: &[String]) -> Vec<String> {
        let Some(start) = self.start.hosted_policy() else {
            return Vec::new();
        };
        // The policy of the run also asks for the facts of all ideas, so it is compiled again without them.
        let Ok(plain) = HostedPolicy::new(start.reference(), start.policy().clone()) else {
            return Vec::new();
        };
        let of_plain: Vec<&str> = plain.missing(filled).collect();
        let mut missing: Vec<String> = Vec::new();
        for has in [0.0, 1.0] {
            let ideas = (0..self.ideas.len()).map(|place| if place == idea { has } else { 0.0 });
            let policy = self.hosted(&plain, &ideas.collect::<Vec<f64>>());
            missing.extend(policy.missing(filled).map(str::to_owned));
        }
        missing.retain(|fact| !of_plain.contains(&fact.as_str()));
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Asks a host at its first handshake for the facts that its policy reads at any point.
    pub(crate) fn ask_for_facts(&mut self) {
        let Some(start) = self.start.hosted_policy() else {
            return;
        };
        // A rule or a term with a parameter of zero may not need its facts.
        let bounds = |bound: fn(&Parameter) -> f64| self.parameters.iter().map(bound).collect::<Vec<f64>>();
        let numbers = [bounds(|p| p.min), bounds(|p| p.max), bounds(|p| p.start)];
        let starts = self.variants.iter().filter_map(|variant| match variant {
            EntrantEngine::External { policy, .. } => policy.as_ref(),
            EntrantEngine::Own(_) => None,
        });
        let starts: Vec<&HostedPolicy> = std::iter::once(start).chain(starts).collect();
        let mut policies: Vec<HostedPolicy> = Vec::new();
        for start in starts {
            for numbers in &numbers {
                for on in [0.0, 1.0] {
                    let choices = self.choices.iter().map(|_| 0.0);
                    let ideas = self.ideas.iter().map(|_| on);
                    let values: Vec<f64> = numbers.iter().copied().chain(choices).chain(ideas).collect();
                    policies.push(self.hosted(start, &values));
                }
            }
        }
        if let EntrantEngine::External {
            policy: Some(policy), ..
        } = &mut self.start.engine
        {
            policies.iter().for_each(|other| policy.ask_for(other));
        }
    }

    /// The policy and the preset before the changes. A host has no preset of this project, so its preset is the
    /// default. `None` for a program that is no host.
    pub fn changed(start: &Entrant) -> Option<(Policy, Preset)> {
        let preset = start
            .own()
            .map_or_else(Preset::default, |own| Preset::clone(&own.preset));
        Some((policy_of(start)?.0, preset))
    }

    fn set(&self, policy: &mut Policy, preset: &mut Preset, values: &[f64]) {
        for (index, parameter) in self.of(Place::Policy) {
            // The parameters exist, and the values are within their bounds.
            let _ = policy.set_parameter(&parameter.name, values[index]);
        }
        for (index, parameter) in self.of(Place::Preset) {
            let _ = preset
                .parameters
                .set(&parameter.name, libm::round(values[index]) as i32);
        }
        let drawn = values.iter().skip(self.parameters.len() + self.choices.len());
        let ideas = self.ideas.iter().zip(drawn).map(|(idea, value)| (idea, *value > 0.0));
        // Every idea was checked, and no two of them change the same thing.
        let _ = Idea::apply_all(ideas, policy, preset);
    }

    /// The options that a program gets before a pair. They include every option that a choice changes, because the
    /// program may still have another value of it.
    fn options(&self, values: &[f64]) -> Vec<(String, String)> {
        let mut options = match self.variant(values) {
            EntrantEngine::External { engine, .. } if !self.choices.is_empty() => engine.options.clone(),
            _ => Vec::new(),
        };
        for (index, parameter) in self.of(Place::Option) {
            options.retain(|(name, _)| !name.eq_ignore_ascii_case(&parameter.name));
            options.push((parameter.name.clone(), values[index].to_string()));
        }
        options
    }

    /// The text of a policy file that extends the policy of the start; `None` when the policy has not changed.
    /// `evidence` becomes comments.
    pub fn tuned_policy(&self, values: &[f64], root: &Path, folder: &Path, evidence: &str) -> Option<String> {
        let [(start, start_reference), (tuned, reference)] = [policy_of(&self.before())?, policy_of(&self.at(values))?];
        if tuned.hash() == start.hash() {
            return None;
        }
        let start_reference: PolicyReference = start_reference.parse().ok()?;
        let mut text = comments(evidence);
        text.push_str(&extending(
            &format!("{}-tuned", start.name()),
            &start_reference,
            root,
            folder,
        )?);
        let reference: Option<PolicyReference> = reference.parse().ok();
        text.push_str(&reference?.settings().unwrap_or_default());
        text.push_str(&changes(&tuned));
        Some(text)
    }

    /// The text of the preset file of a point; `None` when the preset has not changed. `evidence` becomes comments.
    pub fn tuned_preset(&self, values: &[f64], evidence: &str) -> Option<String> {
        let (EntrantEngine::Own(start), EntrantEngine::Own(own)) = (self.before().engine, self.at(values).engine)
        else {
            return None;
        };
        if own.preset.parameters == start.preset.parameters {
            return None;
        }
        let (base, _) = (start.preset_reference.split_once('@')).unwrap_or((start.preset_reference.as_str(), ""));
        let name = Path::new(base).file_stem()?.to_string_lossy();
        let text = own.preset.written(&format!("{name}-tuned"));
        Some(format!("{}\n{text}", comments(evidence)))
    }
}

/// What follows the first item of a list with commas; `None` when the list begins with another item.
fn behind<'t>(list: &'t str, item: &str) -> Option<&'t str> {
    match list.strip_prefix(item)? {
        "" => Some(""),
        left => left.strip_prefix(','),
    }
}

/// The policy of an engine, with the words that name it.
fn policy_of(engine: &Entrant) -> Option<(Policy, String)> {
    match &engine.engine {
        EntrantEngine::Own(own) => Some((Policy::clone(&own.policy), own.policy_reference.clone())),
        EntrantEngine::External { policy, .. } => {
            let policy = policy.as_ref()?;
            Some((policy.policy().clone(), policy.reference().to_owned()))
        }
    }
}

/// A reference with some more changes.
pub(crate) fn with_changes(reference: &str, changes: &[String]) -> String {
    changes
        .iter()
        .fold(reference.to_owned(), |text, change| overridden(&text, change))
}

impl Changes for Subject {
    fn changed(&self, overrides: &str) -> Option<Changed> {
        let values = self.values(overrides)?;
        Some(match &self.start.engine {
            EntrantEngine::Own(_) => Changed::Own(self.at(&values)),
            EntrantEngine::External { .. } => Changed::Program(self.options(&values), self.hosted_at(&values)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::planned;

    fn subject(more: &str) -> Subject {
        planned(&format!("pairs = 9\n{more}")).unwrap().subject
    }

    #[test]
    fn a_point_is_read_from_its_overrides() {
        let numbers = "[[parameter]]\nname = \"base\"\n[[parameter]]\nname = \"divisor\"\n";
        // One value is the beginning of the other.
        let choices = "[[choice]]\nname = \"search\"\nvalues = [\"-null_move\", \"-null_move,-killers\"]\n\
                       [[choice]]\nname = \"ladder\"\nvalues = [\"research.ladder=full\"]\n";
        let tuned = subject(&format!("{numbers}{choices}"));
        for (point, text) in [
            ([1.1, 0.3, 0.0, 0.0], "base=1.1,divisor=0.3"),
            ([1.0, 1e-7, 1.0, 0.0], "base=1,divisor=0.0000001,-null_move"),
            (
                [1.0, 2.0, 2.0, 1.0],
                "base=1,divisor=2,-null_move,-killers,research.ladder=full",
            ),
        ] {
            assert_eq!(tuned.overrides(&point), text);
            assert_eq!(tuned.values(text).unwrap(), point);
        }
        for wrong in ["", "base=1.1", "base=x,divisor=1", "base=1,divisor=1,-killers"] {
            assert_eq!(tuned.values(wrong), None, "{wrong}");
        }
        let ideas = "method = \"trial\"\n[[idea]]\npolicy = \"base=1.1\"\n[[idea]]\nsearch = \"-null_move\"\n";
        let trial = subject(ideas);
        for (point, text) in [
            ([0.0, 0.0], ""),
            ([0.0, 1.0], "-null_move"),
            ([1.0, 1.0], "base=1.1,-null_move"),
        ] {
            assert_eq!(trial.overrides(&point), text);
            assert_eq!(trial.values(text).unwrap(), point);
        }
    }
}
