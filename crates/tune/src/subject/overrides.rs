//! A side of a run: the start with overrides such as `base=1.1,-rule`. They are read as those of any reference to a policy or a
//! preset are.
//!
//! A name that policy and preset have is one of the policy. `Search.` before a name says that it is one of the preset, as in
//! `-Search.history`, and `Policy.` that it is one of the policy.

use std::borrow::Cow;
use std::sync::Arc;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics};
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{PolicyReference, overridden};
use lmrlab_runner::conduct::pair_player::{Changed, Changes};
use lmrlab_runner::player::uci::HostedPolicy;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};

use crate::subject::idea::Idea;
use crate::subject::idea_switch::IdeaSwitch;
use crate::subject::parameter::{Parameter, Place};
use crate::subject::{Subject, policy_of};

impl Subject {
    /// A point as overrides: every number, and the ideas that are on.
    pub fn overrides(&self, values: &[f64]) -> String {
        let (numbers, ideas) = values.split_at(self.parameters.len());
        let numbers = self.parameters.iter().zip(numbers);
        let numbers =
            numbers.map(|(parameter, value)| self.placed(parameter.place, &format!("{}={value}", parameter.name)));
        let on = self.ideas.iter().zip(ideas).filter(|(_, value)| **value > 0.0);
        let on = on.map(|(idea, _)| self.overrides_of(idea));
        numbers.chain(on).collect::<Vec<_>>().join(",")
    }

    /// The overrides of an idea. That of the library is named by its name.
    pub(crate) fn overrides_of(&self, idea: &Idea) -> String {
        let Some(place) = idea.place() else {
            return idea.name().to_owned();
        };
        let changes = idea.name().split(',').map(|change| self.placed(place, change.trim()));
        changes.collect::<Vec<_>>().join(",")
    }

    /// A change in this place. It says the place when the name alone means another one.
    fn placed(&self, place: Place, change: &str) -> String {
        if self.place(change).0 == place {
            return change.to_owned();
        }
        let name = change.trim_start_matches(['-', '+']);
        let sign = &change[..change.len() - name.len()];
        format!("{sign}{}{name}", place.prefix())
    }

    /// Where a change is, and the change without a prefix that says so.
    fn place<'c>(&self, change: &'c str) -> (Place, Cow<'c, str>) {
        let switch = change.strip_prefix(['-', '+']);
        let name = switch.or(change.split_once('=').map(|(name, _)| name));
        let name = name.unwrap_or_default().trim();
        let is_own = self.start.own().is_some();
        if let (Some(place), _) = Place::of_option(name)
            && is_own
        {
            return (place, change.replacen(place.prefix(), "", 1).into());
        }
        let has_it = |(policy, _): (&Policy, &str)| match switch {
            Some(_) => policy.rules().iter().any(|rule| rule.name == name),
            None => policy.parameters().iter().any(|parameter| parameter.name == name),
        };
        let place = match is_own {
            _ if policy_of(&self.start.engine).is_some_and(has_it) => Place::Policy,
            true => Place::Preset,
            // The ideas of a host are all of its policy.
            false if !self.ideas.is_empty() => Place::Policy,
            false => Place::Option,
        };
        (place, change.into())
    }

    /// The engine with overrides: those of a point, or any others. An idea of the library is off when it is not named.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn with(&self, overrides: &str) -> Result<EntrantEngine, Diagnostic> {
        let (mut of_policy, mut others, mut on) = (Vec::new(), Vec::new(), Vec::new());
        let changes = overrides.split(',').map(str::trim);
        for change in changes.filter(|_| !overrides.is_empty()) {
            if self.switches().any(|(name, _)| name == change) {
                on.push(change);
                continue;
            }
            match self.place(change) {
                (Place::Policy, change) => of_policy.push(change),
                (Place::Preset | Place::Option, change) => others.push(change),
            }
        }
        let policy = policy_of(&self.start.engine).map(|(policy, reference)| {
            let reference = changed(reference, &of_policy);
            let parsed: PolicyReference = reference.parse().map_err(first_of)?;
            let policy = parsed.applied_to(policy.clone()).map_err(first_of)?;
            Ok::<_, Diagnostic>((reference, self.switched(policy, &on)?))
        });
        let policy = policy.transpose()?;
        match (&self.start.engine, policy) {
            (EntrantEngine::Own(own), Some((reference, policy))) => {
                let mut preset = Preset::clone(&own.preset);
                for change in &others {
                    let changed = preset.parameters.change(change);
                    changed.map_err(|error| Diagnostic::error(error.to_string()))?;
                }
                let preset_reference = changed(&own.preset_reference, &others);
                let ordering = own.ordering.unwrap_or(preset.ordering);
                Ok(EntrantEngine::Own(OwnEngine::new(
                    (&preset_reference, preset),
                    (&reference, policy),
                    ordering,
                )))
            }
            (EntrantEngine::Own(_), None) => Ok(self.start.engine.clone()),
            (EntrantEngine::External { command, engine, .. }, policy) => {
                let policy = policy.map(|(reference, policy)| HostedPolicy::new(&reference, policy));
                let policy = policy
                    .transpose()
                    .map_err(|refusal| Diagnostic::error(format!("the policy is too large for a host: {refusal}")))?;
                let mut engine = Arc::clone(engine);
                for (name, value) in others.iter().filter_map(|change| change.split_once('=')) {
                    let (name, value) = (name.trim(), value.trim().to_owned());
                    let options = &mut Arc::make_mut(&mut engine).options;
                    match options.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
                        Some((_, known)) => *known = value,
                        None => options.push((name.to_owned(), value)),
                    }
                }
                Ok(EntrantEngine::External {
                    command: command.clone(),
                    engine,
                    policy,
                })
            }
        }
    }

    /// A policy in which these ideas of the library are on, and the others off.
    fn switched(&self, policy: Policy, on: &[&str]) -> Result<Policy, Diagnostic> {
        let switches = self.switches().map(|(name, switch)| (switch, on.contains(&name)));
        let switches: Vec<_> = switches.filter(|(switch, on)| switch.acts(*on)).collect();
        if switches.is_empty() {
            return Ok(policy);
        }
        let switched = IdeaSwitch::all(&policy, switches.into_iter());
        switched.map(|(policy, _)| policy).map_err(|message| {
            Diagnostic::error(format!("the ideas do not go together: {message}")).help("leave some of them out")
        })
    }

    /// The ideas of the library, by their names.
    fn switches(&self) -> impl Iterator<Item = (&str, &IdeaSwitch)> {
        self.ideas.iter().filter_map(|idea| Some((idea.name(), idea.switch()?)))
    }
}

/// A reference with some more changes.
fn changed(reference: &str, changes: &[Cow<'_, str>]) -> String {
    let changes = changes.iter();
    changes.fold(reference.to_owned(), |text, change| overridden(&text, change))
}

/// The first error of a file, without its place.
fn first_of(report: Diagnostics) -> Diagnostic {
    let first = report.list.into_iter().next();
    let first = first.unwrap_or_else(|| Diagnostic::error("this cannot be played"));
    Diagnostic {
        span: None,
        label: String::new(),
        ..first
    }
}

impl Changes for Subject {
    fn changed(&self, overrides: &str) -> Result<Changed, Failure> {
        let engine = self
            .with(overrides)
            .map_err(|wrong| Failure::run(format!("a side with `{overrides}` cannot be played: {}", wrong.message)))?;
        let EntrantEngine::External { engine, policy, .. } = engine else {
            let name = self.start.name.clone();
            return Ok(Changed::Own(Entrant { name, engine }));
        };
        // The program may still have the value of another side in each option that some side changes.
        let varies = |(name, _): &&(String, String)| {
            let mut parameters = self.parameters.iter();
            parameters.any(|parameter| parameter.name.eq_ignore_ascii_case(name))
        };
        let is_of_policy = |parameter: &Parameter| parameter.place == Place::Policy;
        let has_policies = !self.ideas.is_empty() || self.parameters.iter().any(is_of_policy);
        Ok(Changed::Program(
            engine.options.iter().filter(varies).cloned().collect(),
            policy.filter(|_| has_policies),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::{planned, planned_of};

    #[test]
    fn a_point_is_the_engine_with_its_overrides() {
        let numbers = "[[parameter]]\nname = \"base\"\n[[parameter]]\nname = \"divisor\"\n";
        let numbers = format!("pairs = 9\n{numbers}[[parameter]]\nname = \"futility_margin\"\n");
        let subject = planned(&numbers).unwrap().subject;
        for (point, policy, preset) in [
            ([1.1, 2.3, 50.0], "base=1.1,divisor=2.3", "futility_margin=50"),
            ([1e-7, 2.0, 60.0], "base=0.0000001,divisor=2", "futility_margin=60"),
        ] {
            let engine = subject.at(&point).unwrap();
            let own = engine.own().unwrap();
            assert_eq!(own.preset_reference, format!("standard@{preset}"));
            assert_eq!(own.policy_reference, format!("logarithm@{policy}"));
        }
        let ideas = "method = \"trial\"\n[[idea]]\npolicy = \"base=1.1\"\n[[idea]]\nsearch = \"-null_move\"\n";
        let trial = planned(&format!("pairs = 9\n{ideas}")).unwrap().subject;
        for (point, text) in [
            ([0.0, 0.0], ""),
            ([0.0, 1.0], "-null_move"),
            ([1.0, 1.0], "base=1.1,-null_move"),
        ] {
            assert_eq!(trial.overrides(&point), text);
        }
        assert!(trial.with("base=9,divisor=1").is_err());
    }

    #[test]
    fn a_name_of_policy_and_preset_says_which_it_is() {
        let house = "policy = \"house\"";
        let ideas = "method = \"trial\"\n[[idea]]\npolicy = \"-history\"\n[[idea]]\nsearch = \"-killers,-history\"\n";
        let trial = planned_of(house, &format!("pairs = 9\n{ideas}")).unwrap().subject;
        for (point, text, policy, preset) in [
            ([1.0, 0.0], "-history", "@-history", ""),
            ([0.0, 1.0], "-killers,-Search.history", "", "@-killers,-history"),
            (
                [1.0, 1.0],
                "-history,-killers,-Search.history",
                "@-history",
                "@-killers,-history",
            ),
        ] {
            assert_eq!(trial.overrides(&point), text);
            let engine = trial.at(&point).unwrap();
            let own = engine.own().unwrap();
            assert_eq!(own.policy_reference, format!("house{policy}"));
            assert_eq!(own.preset_reference, format!("standard{preset}"));
            let rule = own.policy.rules().iter().find(|rule| rule.name == "history").unwrap();
            assert_eq!(
                (rule.enabled, own.preset.parameters.history),
                (point[0] == 0.0, point[1] == 0.0)
            );
        }
    }

    #[test]
    fn a_side_that_cannot_be_played_has_a_reason() {
        let subject = planned("pairs = 9\n").unwrap().subject;
        let failure = subject.changed("base=99").err().unwrap().to_string();
        assert!(
            failure.contains("a side with `base=99` cannot be played: "),
            "{failure}"
        );
        assert!(
            failure.ends_with("99 is out of bounds for parameter `base`"),
            "{failure}"
        );
    }
}
