//! A side of a run: the start with overrides such as `base=1.1,-rule`. They are read as those of any reference to a policy or a
//! preset are.
//!
//! A name that policy and preset have is one of the policy. `Search.` before a name says that it is one of the preset, as in
//! `-Search.history`, and `Policy.` that it is one of the policy.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, nearest};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{Override, PolicyReference, TABLES, overridden};
use lmrlab_runner::conduct::pair_player::{Changed, Changes};
use lmrlab_runner::player::uci::HostedPolicy;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};

use crate::subject::idea::Idea;
use crate::subject::idea_switch::IdeaSwitch;
use crate::subject::parameter::{Parameter, Place};
use crate::subject::{Subject, policy_of};

impl Subject {
    /// A point as overrides: every number, then the choices that are not the start, and the ideas that are on.
    pub fn overrides(&self, values: &[f64]) -> String {
        let (numbers, others) = values.split_at(self.parameters.len());
        let (choices, ideas) = others.split_at(self.choices.len());
        let numbers = self.parameters.iter().zip(numbers);
        let numbers =
            numbers.map(|(parameter, value)| self.placed(parameter.place, &format!("{}={value}", parameter.name)));
        let chosen = self.choices.iter().zip(choices).filter(|(_, value)| **value > 0.0);
        let chosen = chosen.map(|(choice, value)| choice.value(*value as usize).to_owned());
        let on = self.ideas.iter().zip(ideas).filter(|(_, value)| **value > 0.0);
        let on = on.map(|(idea, _)| self.overrides_of(idea));
        numbers.chain(chosen).chain(on).collect::<Vec<_>>().join(",")
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
        if self.place(change).is_ok_and(|(found, _)| found == place) {
            return change.to_owned();
        }
        let name = change.trim_start_matches(['-', '+']);
        let sign = &change[..change.len() - name.len()];
        format!("{sign}{}{name}", place.prefix())
    }

    /// Where a change is, and the change without a prefix that says so.
    ///
    /// # Errors
    /// When neither the policy nor the preset has it.
    pub(crate) fn place<'c>(&self, change: &'c str) -> Result<(Place, Cow<'c, str>), Diagnostic> {
        let switch = change.strip_prefix(['-', '+']);
        let name = switch.or(change.split_once('=').map(|(name, _)| name));
        let name = name.unwrap_or_default().trim();
        let plain = Cow::Borrowed(change);
        let is_own = self.start.own().is_some();
        if let (Some(place), _) = Place::of_option(name)
            && is_own
        {
            return Ok((place, change.replacen(place.prefix(), "", 1).into()));
        }
        let Some((policy, _)) = policy_of(&self.start.engine) else {
            return Ok((Place::Option, plain));
        };
        let rules = policy.rules().iter().map(|rule| rule.name.as_str());
        let parameters = policy.parameters().iter().map(|parameter| parameter.name.as_str());
        let (kind, known): (_, Vec<&str>) = match switch.is_some() {
            true => ("rule", rules.collect()),
            false => ("parameter", parameters.collect()),
        };
        let is_table_key = name.split_once('.').is_some_and(|(table, _)| TABLES.contains(&table));
        if known.contains(&name) || is_table_key || (is_own && name.contains('.')) {
            return Ok((Place::Policy, plain));
        }
        if !is_own {
            let place = if switch.is_some() { Place::Policy } else { Place::Option };
            return Ok((place, plain));
        }
        if Declaration::named(name).is_some() {
            return Ok((Place::Preset, plain));
        }
        if name.is_empty() {
            let help = "changes are `-rule`, `+rule`, `-switch`, `+switch`, `name=value` and `table.key=value`, with commas between them";
            return Err(Diagnostic::error(format!("`{change}` is not a change")).help(help));
        }
        let of_preset = DECLARATIONS.iter().map(|declaration| declaration.name);
        let near = nearest(name, known.into_iter().chain(of_preset).chain(TABLES));
        let message = format!("the policy has no {kind} `{name}`, and the search preset has no such parameter");
        let error = Diagnostic::error(message);
        Err(match near {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        })
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
            match self.place(change)? {
                (Place::Policy, change) => of_policy.push(change),
                (Place::Preset | Place::Option, change) => others.push(change),
            }
        }
        let policy = policy_of(&self.start.engine).map(|(policy, reference)| {
            let changed = changed(reference, &of_policy);
            let policy = self.changed_policy((policy, reference), &changed)?;
            Ok::<_, Diagnostic>((changed, self.switched(policy, &on)?))
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

    /// The policy of the start, changed to what a reference with further overrides says.
    fn changed_policy(&self, (start, before): (&Policy, &str), reference: &str) -> Result<Policy, Diagnostic> {
        let [before, now] = [before, reference].map(str::parse::<PolicyReference>);
        let (before, now) = (before.map_err(first_of)?, now.map_err(first_of)?);
        let settings = now.settings().unwrap_or_default();
        // Numbers and rules change in a policy that is compiled.
        let policy = match settings == before.settings().unwrap_or_default() {
            true => start.clone(),
            false => {
                let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
                match compiled.get(&settings) {
                    Some(policy) => policy.clone(),
                    None => {
                        let policy = self.set(&now).map_err(first_of)?;
                        compiled.entry(settings).or_insert(policy).clone()
                    }
                }
            }
        };
        now.applied_to(policy).map_err(first_of)
    }

    /// The policy of a reference, with those of its overrides that set keys of tables.
    fn set(&self, reference: &PolicyReference) -> Result<Policy, Diagnostics> {
        let settings = reference
            .overrides()
            .filter(|change| matches!(change, Override::Setting { .. }));
        let settings: Vec<Cow<'_, str>> = settings.map(|change| change.to_string().into()).collect();
        let reference: PolicyReference = changed(reference.policy(), &settings).parse()?;
        let (policy, _) = match self.start.own() {
            Some(_) => reference.resolve_from(&self.files, &self.root)?,
            None => reference.resolve_for_host(&self.files, &self.root)?,
        };
        Ok(policy)
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
    let first = first.unwrap_or_else(|| Diagnostic::error("this cannot be chosen"));
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
            !self.choices.is_empty() || parameters.any(|parameter| parameter.name.eq_ignore_ascii_case(name))
        };
        let is_of_policy = |parameter: &Parameter| parameter.place == Place::Policy;
        let has_policies =
            !self.choices.is_empty() || !self.ideas.is_empty() || self.parameters.iter().any(is_of_policy);
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
        // One value is the beginning of the other.
        let choices = "[[choice]]\nname = \"search\"\nvalues = [\"-null_move\", \"-null_move,-killers\"]\n\
                       [[choice]]\nname = \"ladder\"\nvalues = [\"research.ladder=full\"]\n";
        let subject = planned(&format!("pairs = 9\n{numbers}{choices}")).unwrap().subject;
        for (point, preset, policy) in [
            ([1.1, 2.3, 0.0, 0.0], "", "base=1.1,divisor=2.3"),
            ([1e-7, 2.0, 1.0, 0.0], "@-null_move", "base=0.0000001,divisor=2"),
            (
                [1.0, 2.0, 2.0, 1.0],
                "@-null_move,-killers",
                "base=1,divisor=2,research.ladder=full",
            ),
        ] {
            let engine = subject.at(&point).unwrap();
            let own = engine.own().unwrap();
            assert_eq!(own.preset_reference, format!("standard{preset}"));
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
        let choice = "numbers = false\n[[choice]]\nname = \"tables\"\nvalues = [\"-Search.history\"]\n";
        let tuned = planned_of(house, &format!("pairs = 9\n{choice}")).unwrap().subject;
        let engine = tuned.at(&[1.0]).unwrap();
        assert_eq!(engine.own().unwrap().preset_reference, "standard@-history");
    }

    /// A file that is gone does not matter to a run that has compiled its policy, with and without a key of a table.
    #[test]
    fn a_policy_is_compiled_once_for_the_keys_of_tables() {
        let choice = "numbers = false\n[[choice]]\nname = \"ladder\"\nvalues = [\"research.ladder=full,base=1.1\"]\n";
        let mut subject = planned(&format!("pairs = 9\n{choice}")).unwrap().subject;
        subject.files = lmrlab_diagnostics::Files::recorded([]);
        subject.root = "/nowhere".into();
        let engine = subject.at(&[1.0]).unwrap();
        let policy = &engine.own().unwrap().policy;
        assert_eq!(policy.overrides(), ["base=1.1"]);
        assert!(subject.changed("research.ladder=none").is_err());
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
