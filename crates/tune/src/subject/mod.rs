//! The engine that is tuned, and the points of a run: values of its parameters, or ideas that are on.

pub(crate) mod fishtest;
pub mod idea;
pub(crate) mod idea_switch;
mod overrides;
pub mod parameter;
mod tuned_files;

use std::collections::BTreeSet;

use lmrlab_diagnostics::Diagnostic;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::policy::Policy;

use crate::subject::idea::Idea;
use crate::subject::parameter::Parameter;
use lmrlab_runner::player::uci::HostedPolicy;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine};

/// The engine with the parameters that are tuned, or with the ideas of a trial.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The engine before tuning.
    pub start: Entrant,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The ideas of a trial. A trial has no parameters.
    pub ideas: Vec<Idea>,
}

impl Subject {
    /// An engine of which nothing is tuned yet.
    pub fn new(start: Entrant) -> Self {
        Self {
            start,
            parameters: Vec::new(),
            ideas: Vec::new(),
        }
    }

    /// Adds an idea to a trial.
    ///
    /// # Errors
    /// When the engine cannot play with it, or it changes what another idea changes.
    pub(crate) fn add(&mut self, idea: Idea) -> Result<(), Diagnostic> {
        idea.check_together(&self.ideas)?;
        let (name, overrides) = (idea.name().to_owned(), self.overrides_of(&idea));
        self.ideas.push(idea);
        self.with(&overrides).map_err(|wrong| Diagnostic {
            message: format!("the idea `{name}`: {}", wrong.message),
            ..wrong
        })?;
        for ideas in [0.0, 1.0] {
            self.with(&self.overrides(&vec![ideas; self.ideas.len()]))?;
        }
        Ok(())
    }

    /// The names of the values of a point: those of the parameters, or of the ideas.
    pub fn names(&self) -> Vec<String> {
        let parameters = self.parameters.iter().map(|parameter| &parameter.name);
        let ideas = self.ideas.iter().map(|idea| idea.name().to_owned());
        parameters.cloned().chain(ideas).collect()
    }

    /// The point where tuning starts.
    pub fn origin(&self) -> Vec<f64> {
        let parameters = self.parameters.iter().map(|parameter| parameter.start);
        parameters.chain(self.ideas.iter().map(|_| 0.0)).collect()
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

    /// The facts that this idea needs besides those of the trial's policy, and that the host does not fill.
    pub fn missing_facts(&self, idea: usize, filled: &[String]) -> Vec<String> {
        let Some(start) = self.start.hosted_policy() else {
            return Vec::new();
        };
        let of = |policy: &HostedPolicy| policy.missing(filled).map(str::to_owned).collect::<BTreeSet<String>>();
        let mut missing = BTreeSet::new();
        for overrides in ["", &self.overrides_of(&self.ideas[idea])] {
            if let Ok(EntrantEngine::External {
                policy: Some(policy), ..
            }) = self.with(overrides)
            {
                missing.extend(of(&policy));
            }
        }
        // The policy of the run also asks for the facts of all ideas, so it is compiled again without them.
        let plain = HostedPolicy::new(start.reference(), start.policy().clone());
        let of_plain = plain.map_or_else(|_| BTreeSet::new(), |plain| of(&plain));
        missing.difference(&of_plain).cloned().collect()
    }

    /// A host will be asked at its first handshake for the facts that its policy reads at any point: with the ideas off and on, and
    /// with the numbers at the start and at both ends of their ranges.
    ///
    /// # Errors
    /// When the host cannot play at one of these points.
    pub(crate) fn ask_for_facts(&mut self) -> Result<(), Diagnostic> {
        let Some(mut start) = self.start.hosted_policy().cloned() else {
            return Ok(());
        };
        let numbers: [fn(&Parameter) -> f64; 3] = [|p| p.start, |p| p.min, |p| p.max];
        for (number, on) in numbers.into_iter().flat_map(|number| [(number, 0.0), (number, 1.0)]) {
            let numbers = self.parameters.iter().map(number);
            let point: Vec<f64> = numbers.chain(self.ideas.iter().map(|_| on)).collect();
            if let EntrantEngine::External {
                policy: Some(other), ..
            } = self.with(&self.overrides(&point))?
            {
                start.ask_for(&other);
            }
        }
        if let EntrantEngine::External { policy, .. } = &mut self.start.engine {
            *policy = Some(start);
        }
        Ok(())
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
