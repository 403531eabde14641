//! The engine that is tuned: where its parameters are, and how it plays with given values.

pub mod choice;
pub(crate) mod fishtest;
pub mod idea;
pub(crate) mod idea_switch;
pub mod parameter;
mod policy_file;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, nearest};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{PolicyReference, TABLES, overridden};

use crate::subject::choice::Choice;
use crate::subject::idea::Idea;
use crate::subject::idea_switch::IdeaSwitch;
use crate::subject::parameter::{Parameter, Place};
use crate::subject::policy_file::{changes, comments, extending};
use lmrlab_runner::conduct::pair_player::{Changed, Changes};
use lmrlab_runner::player::uci::HostedPolicy;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};

/// The engine with the parameters and choices that are tuned, or with the ideas of a trial.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The engine before tuning.
    pub start: Entrant,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The choices that are raced before the parameters are tuned.
    pub choices: Vec<Choice>,
    /// The ideas of a trial. A trial has no parameters and no choices.
    pub ideas: Vec<Idea>,
    /// The configuration files of the start, as they were when it was read.
    files: Files,
    /// Where names and relative paths start from.
    root: PathBuf,
}

impl Subject {
    /// An engine of which nothing is tuned yet. It was read from these files.
    pub fn new(start: Entrant, files: &Files, root: &Path) -> Self {
        Self {
            start,
            parameters: Vec::new(),
            choices: Vec::new(),
            ideas: Vec::new(),
            files: Files::recorded(files.texts()),
            root: root.to_owned(),
        }
    }

    /// Adds an idea to a trial.
    ///
    /// # Errors
    /// When the engine cannot play with it, or it changes what another idea changes.
    pub(crate) fn add(&mut self, idea: Idea) -> Result<(), Diagnostic> {
        idea.check_together(&self.ideas)?;
        let name = idea.name().to_owned();
        self.ideas.push(idea);
        self.with(&name).map(|_| ()).map_err(|wrong| Diagnostic {
            message: format!("the idea `{name}`: {}", wrong.message),
            ..wrong
        })
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
        self.point(|parameter| parameter.start, 0.0)
    }

    /// A point with the choices of the start, and with all ideas on (1) or off (0).
    fn point(&self, number: impl Fn(&Parameter) -> f64, ideas: f64) -> Vec<f64> {
        let choices = self.choices.iter().map(|_| 0.0);
        let ideas = self.ideas.iter().map(|_| ideas);
        self.parameters.iter().map(number).chain(choices).chain(ideas).collect()
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

    /// The engine with overrides: those of a point, or any others. An idea of the library is named by its name; when it is not
    /// named, it is off.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn with(&self, overrides: &str) -> Result<EntrantEngine, Diagnostic> {
        let (mut of_policy, mut others, mut on) = (Vec::new(), Vec::new(), Vec::new());
        let items = overrides.split(',').map(str::trim);
        for item in items.filter(|_| !overrides.is_empty()) {
            match self.switches().any(|(name, _)| name == item) {
                true => on.push(item),
                false if self.is_of_policy(item)? => of_policy.push(item),
                false => others.push(item),
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
                for item in &others {
                    let changed = preset.parameters.change(item);
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
                for (name, value) in others.iter().filter_map(|item| item.split_once('=')) {
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
        let changed = match (before.settings() == now.settings(), self.start.own()) {
            // Numbers and rules change in a policy that is compiled.
            (true, _) => now.applied_to(start.clone()),
            (false, Some(_)) => now.resolve_from(&self.files, &self.root).map(|(policy, _)| policy),
            (false, None) => now.resolve_for_host(&self.files, &self.root).map(|(policy, _)| policy),
        };
        changed.map_err(first_of)
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

    /// Whether a change is one of the policy. Otherwise it is one of the preset, or an option of a program.
    ///
    /// # Errors
    /// When neither a policy nor a preset has it.
    pub(crate) fn is_of_policy(&self, item: &str) -> Result<bool, Diagnostic> {
        let has_it = |idea: &&Idea| idea.name().split(',').any(|change| change.trim() == item);
        if let Some(idea) = self.ideas.iter().find(has_it) {
            return Ok(idea.kind() == "policy");
        }
        let switch = item.strip_prefix(['-', '+']);
        let name = switch.or(item.split_once('=').map(|(name, _)| name));
        let name = name.unwrap_or_default().trim();
        if let Some(parameter) = self.parameters.iter().find(|parameter| parameter.name == name) {
            return Ok(parameter.place == Place::Policy);
        }
        let Some((policy, _)) = policy_of(&self.start.engine) else {
            return Ok(false);
        };
        let rules = policy.rules().iter().map(|rule| rule.name.as_str());
        let parameters = policy.parameters().iter().map(|parameter| parameter.name.as_str());
        let (kind, known): (_, Vec<&str>) = match switch.is_some() {
            true => ("rule", rules.collect()),
            false => ("parameter", parameters.collect()),
        };
        let is_table_key = name.split_once('.').is_some_and(|(table, _)| TABLES.contains(&table));
        if self.start.own().is_none() {
            return Ok(switch.is_some() || is_table_key || known.contains(&name));
        }
        if name.contains('.') || known.contains(&name) {
            return Ok(true);
        }
        if Declaration::named(name).is_some() {
            return Ok(false);
        }
        if name.is_empty() {
            let help = "changes are `-rule`, `+rule`, `-switch`, `+switch`, `name=value` and `table.key=value`, with commas between them";
            return Err(Diagnostic::error(format!("`{item}` is not a change")).help(help));
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

    /// The engine at a point.
    ///
    /// # Errors
    /// When it cannot play there.
    pub fn at(&self, values: &[f64]) -> Result<Entrant, Failure> {
        let engine = self.with(&self.overrides(values));
        Ok(Entrant {
            name: format!("{}-tuned", self.plain_name()),
            engine: engine.map_err(|wrong| Failure::run(wrong.message))?,
        })
    }

    /// The engine with the values that tuning starts from.
    ///
    /// # Errors
    /// When it cannot play with them.
    pub fn before(&self) -> Result<Entrant, Failure> {
        Ok(Entrant {
            name: self.start.name.clone(),
            ..self.at(&self.origin())?
        })
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

    /// Whether an idea changes anything in a search.
    ///
    /// # Errors
    /// When the engine cannot play with it.
    pub fn changes(&self, idea: usize) -> Result<bool, Diagnostic> {
        let [without, with] = ["", self.ideas[idea].name()].map(|overrides| self.with(overrides));
        let searches = |engine: &EntrantEngine| {
            let preset = match engine {
                EntrantEngine::Own(own) => Some(own.preset.parameters),
                EntrantEngine::External { .. } => None,
            };
            (preset, policy_of(engine).map(|(policy, _)| policy.hash()))
        };
        Ok(searches(&without?) != searches(&with?))
    }

    /// The facts that this idea needs besides those of the trial's policy, and that the host does not fill.
    pub fn missing_facts(&self, idea: usize, filled: &[String]) -> Vec<String> {
        let Some(start) = self.start.hosted_policy() else {
            return Vec::new();
        };
        // The policy of the run also asks for the facts of all ideas, so it is compiled again without them.
        let plain = HostedPolicy::new(start.reference(), start.policy().clone());
        let of_plain: Vec<String> = plain
            .iter()
            .flat_map(|plain| plain.missing(filled))
            .map(str::to_owned)
            .collect();
        let mut missing: Vec<String> = Vec::new();
        for overrides in ["", self.ideas[idea].name()] {
            if let Ok(EntrantEngine::External { policy, .. }) = self.with(overrides) {
                missing.extend(
                    policy
                        .iter()
                        .flat_map(|policy| policy.missing(filled))
                        .map(str::to_owned),
                );
            }
        }
        missing.retain(|fact| !of_plain.contains(fact));
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Tries every combination of choices, with the numbers at the start and at both ends of their ranges, and with all ideas on and
    /// off. A host will be asked at its first handshake for the facts that its policy reads there.
    ///
    /// # Errors
    /// When the engine cannot play at one of these points.
    pub(crate) fn try_points(&mut self) -> Result<(), Diagnostic> {
        let numbers: [fn(&Parameter) -> f64; 3] = [|p| p.start, |p| p.min, |p| p.max];
        let combinations: usize = self.choices.iter().map(|choice| choice.values.len() + 1).product();
        for ideas in [0.0, 1.0].into_iter().take(if self.ideas.is_empty() { 1 } else { 2 }) {
            for number in numbers.into_iter().take(if self.parameters.is_empty() { 1 } else { 3 }) {
                for mut combination in 0..combinations {
                    let mut point = self.point(number, ideas);
                    for (choice, value) in self.choices.iter().zip(&mut point[self.parameters.len()..]) {
                        *value = (combination % (choice.values.len() + 1)) as f64;
                        combination /= choice.values.len() + 1;
                    }
                    if let EntrantEngine::External {
                        policy: Some(other), ..
                    } = self.with(&self.overrides(&point))?
                        && let EntrantEngine::External {
                            policy: Some(start), ..
                        } = &mut self.start.engine
                    {
                        start.ask_for(&other);
                    }
                }
            }
        }
        Ok(())
    }

    /// The text of a policy file that extends the policy of the start; `None` when the policy has not changed.
    /// `evidence` becomes comments.
    pub fn tuned_policy(&self, values: &[f64], root: &Path, folder: &Path, evidence: &str) -> Option<String> {
        let (before, tuned) = (self.before().ok()?, self.at(values).ok()?);
        let (start, start_reference) = policy_of(&before.engine)?;
        let (tuned, reference) = policy_of(&tuned.engine)?;
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
        text.push_str(&changes(tuned));
        Some(text)
    }

    /// The text of the preset file of a point; `None` when the preset has not changed. `evidence` becomes comments.
    pub fn tuned_preset(&self, values: &[f64], evidence: &str) -> Option<String> {
        let (before, tuned) = (self.before().ok()?, self.at(values).ok()?);
        let (start, own) = (before.own()?, tuned.own()?);
        if own.preset.parameters == start.preset.parameters {
            return None;
        }
        let (base, _) = (start.preset_reference.split_once('@')).unwrap_or((start.preset_reference.as_str(), ""));
        let name = Path::new(base).file_stem()?.to_string_lossy();
        let text = own.preset.written(&format!("{name}-tuned"));
        Some(format!("{}\n{text}", comments(evidence)))
    }
}

/// The policy of an engine, with the words that name it. `None` for a program that is no host.
pub(crate) fn policy_of(engine: &EntrantEngine) -> Option<(&Policy, &str)> {
    match engine {
        EntrantEngine::Own(own) => Some((&own.policy, &own.policy_reference)),
        EntrantEngine::External { policy, .. } => {
            let policy = policy.as_ref()?;
            Some((policy.policy(), policy.reference()))
        }
    }
}

/// A reference with some more changes.
fn changed(reference: &str, changes: &[&str]) -> String {
    changes
        .iter()
        .fold(reference.to_owned(), |text, change| overridden(&text, change))
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
    fn changed(&self, overrides: &str) -> Option<Changed> {
        let engine = self.with(overrides).ok()?;
        let EntrantEngine::External { engine, policy, .. } = engine else {
            let name = self.start.name.clone();
            return Some(Changed::Own(Entrant { name, engine }));
        };
        // The program may still have the value of another side in each option that some side changes.
        let varies = |(name, _): &&(String, String)| {
            let mut parameters = self.parameters.iter();
            !self.choices.is_empty() || parameters.any(|parameter| parameter.name.eq_ignore_ascii_case(name))
        };
        let is_of_policy = |parameter: &Parameter| parameter.place == Place::Policy;
        let has_policies =
            !self.choices.is_empty() || !self.ideas.is_empty() || self.parameters.iter().any(is_of_policy);
        Some(Changed::Program(
            engine.options.iter().filter(varies).cloned().collect(),
            policy.filter(|_| has_policies),
        ))
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::tests::planned;

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
}
