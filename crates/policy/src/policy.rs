//! A policy: compiled from a file, it computes the reduction of a move.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Source, nearest, number_text};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::compiled::CompiledPolicy;
use crate::definition::{Definition, Engine};
use crate::facts::{FactSet, Facts, Kind, OwnFact};
use crate::history::History;
use crate::own_facts::OwnFacts;
use crate::parameter::Parameter;
use crate::research::Research;
use crate::rule::{Rule, RuleInfo, RuleSet};

/// A policy file, checked and compiled, with the parameters and rules in force.
///
/// # How a reduction is computed
///
/// 1. If `when` does not hold, the move is not reduced.
/// 2. `reduce` gives the reduction in plies, as a number that may have a fraction.
/// 3. The enabled rules apply in the order of the file. If its `when` holds, a rule adds to the reduction (`add`), multiplies
///    it (`mul`) or replaces it (`set`). Then its `cap` limits the reduction. After a rule with `stop = true` no other rule
///    applies. If its `when` does not hold, a rule applies its `else_add`, `else_mul` or `else_set`, and nothing else.
/// 4. `[finish]` turns the number into whole plies: `scale`; `round`; `min` and `max`; `max_at_root`, `max_in_pv`,
///    `max_if_extended`; `floor`; `pv_bonus`.
#[derive(Debug, Clone)]
pub struct Policy {
    text: Arc<str>,
    definition: Arc<Definition>,
    parameters: Vec<Parameter>,
    rules: Vec<RuleInfo>,
    compiled: CompiledPolicy,
}

impl Policy {
    /// Reads and compiles a file. Warnings come with the policy.
    ///
    /// # Errors
    /// When the file cannot be read, or has errors; the list has all of them.
    pub fn load(path: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        Self::compile(Source::read(path)?)
    }

    /// Compiles a text. Warnings come with the policy.
    ///
    /// # Errors
    /// When the text has errors; the list has all of them. Facts of another engine are errors, too.
    pub fn compile(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        Self::compile_for(source, Engine::Lmrlab)
    }

    /// Compiles a text for any engine: it may have a table `[host]` with facts of an engine's own, for
    /// [`host_file::write`](crate::host_file::write). In the reductions of such a policy, these facts are 0 and false,
    /// unless [`Facts::own_flag`] and [`Facts::own_number`] give other values.
    ///
    /// # Errors
    /// When the text has errors; the list has all of them.
    pub fn compile_for_host(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        Self::compile_for(source, Engine::Host)
    }

    /// The parameters of a file, sorted by name, with the values of the file. To compile the policy takes longer.
    ///
    /// # Errors
    /// Those of [`Policy::load`].
    pub fn parameters_of(path: &Path) -> Result<Vec<Parameter>, Diagnostics> {
        let (definition, ..) = Definition::read(Source::read(path)?, Engine::Lmrlab)?;
        Ok(definition.parameters)
    }

    pub(crate) fn compile_for(source: Source, engine: Engine) -> Result<(Self, Diagnostics), Diagnostics> {
        let (definition, text, warnings) = Definition::read(source, engine)?;
        Ok((Self::new(text, definition), warnings))
    }

    /// The policy that never reduces.
    pub fn none() -> Self {
        let definition = Definition {
            name: "none".to_owned(),
            description: "No move is reduced.".to_owned(),
            provenance: String::new(),
            when: crate::expression::typed_tree::Boolean::Constant(false),
            reduce: crate::expression::typed_tree::Number::Constant(0.0),
            rules: Vec::new(),
            finish: crate::finish::Finish::default(),
            history: None,
            research: Research::default(),
            deeper: None,
            shallower: None,
            parameters: Vec::new(),
            own: OwnFacts::default(),
        };
        let text = "name = \"none\"\nwhen = \"false\"\nreduce = \"0\"\n";
        Self::new(text.into(), definition)
    }

    fn new(text: Arc<str>, definition: Definition) -> Self {
        let rules: Vec<_> = definition
            .rules
            .iter()
            .map(|rule| RuleInfo {
                name: rule.name.clone(),
                enabled: rule.enabled,
            })
            .collect();
        let enabled: Vec<_> = rules.iter().map(|rule| rule.enabled).collect();
        Self {
            text,
            compiled: CompiledPolicy::new(&definition, &definition.values(), &enabled),
            parameters: definition.parameters.clone(),
            rules,
            definition: Arc::new(definition),
        }
    }

    /// The checked file.
    pub(crate) fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The file's `name`.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The file's `description`; empty when it has none.
    pub fn description(&self) -> &str {
        &self.definition.description
    }

    /// The file's `source`: the author of the scheme, and where it is published; may be empty.
    pub fn provenance(&self) -> &str {
        &self.definition.provenance
    }

    /// The TOML text as it was read. When the file extends another one, it is a text with the same meaning that extends
    /// none.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// SHA-256 over [`Policy::text`] and the overrides in force, as 64 hexadecimal digits.
    ///
    /// Two policies with the same hash reduce alike. A parameter that has the same value as in the file is not an
    /// override.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.text.as_bytes());
        for item in self.overrides() {
            hasher.update(b"\0");
            hasher.update(item.as_bytes());
        }
        hasher.finalize().iter().fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// The overrides in force, as a [reference](crate::reference::PolicyReference) would write it: `name=value`,
    /// `-rule`, `+rule`.
    pub fn overrides(&self) -> Vec<String> {
        let parameters = self
            .parameters
            .iter()
            .filter(|parameter| parameter.value != parameter.default)
            .map(|parameter| format!("{}={}", parameter.name, parameter.value));
        let rules = self
            .rules
            .iter()
            .zip(&self.definition.rules)
            .filter(|(now, file)| now.enabled != file.enabled)
            .map(|(now, _)| format!("{}{}", if now.enabled { '+' } else { '-' }, now.name));
        parameters.chain(rules).collect()
    }

    /// The facts that the expressions in force mention. A search need not provide other facts.
    pub fn needs(&self) -> FactSet {
        self.compiled.needs
    }

    /// The facts of another engine that the policy declares in `[host]`: flags, then numbers.
    pub fn own_facts(&self) -> impl Iterator<Item = OwnFact<'_>> {
        let own = &self.definition.own;
        let kinds = [(Kind::Boolean, &own.flags), (Kind::Number, &own.numbers)];
        kinds.into_iter().flat_map(move |(kind, names)| {
            names
                .iter()
                .enumerate()
                .map(move |(index, name)| OwnFact { name, kind, index })
        })
    }

    /// The history table that the policy declares.
    pub fn history(&self) -> Option<&History> {
        self.definition.history.as_ref()
    }

    /// How a move is searched again.
    pub fn research(&self) -> Research {
        self.definition.research
    }

    /// Whether both reduce by the same conditions, expressions, rules and parameters. Their histories and their ways to search
    /// a move again do not count.
    pub fn reduces_like(&self, other: &Self) -> bool {
        let (one, two) = (&self.definition, &other.definition);
        let values = |policy: &Self| -> Vec<(String, f64)> {
            let parameters = policy.parameters.iter();
            parameters
                .map(|parameter| (parameter.name.clone(), parameter.value))
                .collect()
        };
        let same_rules = || {
            let [ours, theirs] = [self, other].map(Self::rules_in_force);
            ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(one, two)| one.acts_like(two))
        };
        (self.never_reduces() && other.never_reduces())
            || ((&one.when, &one.reduce, &one.finish, &one.own) == (&two.when, &two.reduce, &two.finish, &two.own)
                && values(self) == values(other)
                && same_rules())
    }

    fn rules_in_force(&self) -> Vec<&Rule> {
        let all = self.rules.iter().zip(&self.definition.rules);
        all.filter(|(rule, _)| rule.enabled).map(|(_, rule)| rule).collect()
    }

    /// Whether both search a move again in the same way.
    pub fn searches_again_like(&self, other: &Self) -> bool {
        let (one, two) = (&self.definition, &other.definition);
        (&one.research, &one.deeper, &one.shallower, &one.own) == (&two.research, &two.deeper, &two.shallower, &two.own)
    }

    /// The parameters, sorted by name.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The rules, in the order of the file.
    pub fn rules(&self) -> &[RuleInfo] {
        &self.rules
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    /// When there is no such parameter, or the value is outside its bounds or not finite. The policy stays unchanged.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), OverrideError> {
        let Some(parameter) = self.parameters.iter_mut().find(|p| p.name == name) else {
            return Err(OverrideError::UnknownParameter {
                name: name.to_owned(),
                known: self.parameters.iter().map(|p| p.name.clone()).collect(),
            });
        };
        if !(parameter.min..=parameter.max).contains(&value) {
            return Err(OverrideError::OutOfBounds {
                name: name.to_owned(),
                value,
                min: parameter.min,
                max: parameter.max,
            });
        }
        parameter.value = value;
        self.recompile();
        Ok(())
    }

    /// Switches a rule on or off.
    ///
    /// # Errors
    /// When there is no such rule. The policy stays unchanged.
    pub fn enable_rule(&mut self, name: &str, enabled: bool) -> Result<(), OverrideError> {
        let Some(rule) = self.rules.iter_mut().find(|rule| rule.name == name) else {
            return Err(OverrideError::UnknownRule {
                name: name.to_owned(),
                known: self.rules.iter().map(|rule| rule.name.clone()).collect(),
            });
        };
        rule.enabled = enabled;
        self.recompile();
        Ok(())
    }

    fn recompile(&mut self) {
        let values: Vec<_> = self.parameters.iter().map(|p| p.value).collect();
        let enabled: Vec<_> = self.rules.iter().map(|rule| rule.enabled).collect();
        self.compiled = CompiledPolicy::new(&self.definition, &values, &enabled);
    }

    /// Whether the policy certainly reduces no move, so that a search can skip late move reductions.
    #[inline]
    pub fn never_reduces(&self) -> bool {
        self.compiled.never_reduces()
    }

    /// The least depth, and the least number of moves searched before, at which a move can be reduced. Below either a search
    /// need not ask, which saves time: most nodes are near the horizon.
    pub fn reducible_from(&self) -> (i32, i32) {
        self.compiled.reducible_from()
    }

    /// The reduction of a move in whole plies: 0 for none, negative (an extension) only when the file allows it.
    #[inline]
    pub fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        self.compiled.reduction(facts)
    }

    /// The rules that apply to a move: their conditions hold, and no earlier rule stops.
    ///
    /// It takes `&dyn Facts` so that a second generic copy does not slow down [`Policy::reduction`].
    pub fn rules_applying(&self, facts: &dyn Facts) -> RuleSet {
        let mut rules = RuleSet::default();
        let plies = self.compiled.reduction_watched(&facts, |step| {
            if !step.otherwise {
                rules.insert(step.index);
            }
        });
        debug_assert_eq!(plies, self.reduction(&facts));
        rules
    }

    /// The change of the full depth by the ladder [`ByScore`](crate::research::Ladder::ByScore), in plies: deeper (1),
    /// unchanged (0) or shallower (-1). `facts` must have [`Fact::Score`] and [`Fact::Reduction`]. 0 with any other
    /// ladder.
    ///
    /// [`Fact::Score`]: crate::facts::Fact::Score
    /// [`Fact::Reduction`]: crate::facts::Fact::Reduction
    #[inline]
    pub fn depth_change<F: Facts>(&self, facts: &F) -> i32 {
        self.compiled.depth_change(facts)
    }

    /// Every step of the reduction of a move; `None` when `when` does not hold. It allocates: use it to explain, not to
    /// search.
    pub fn explain<F: Facts>(&self, facts: &F) -> Option<Explanation> {
        let steps = self.compiled.explain(facts)?;
        Some(Explanation {
            base: steps.base,
            rules: steps
                .rules
                .into_iter()
                .filter_map(|step| {
                    Some(AppliedRule {
                        name: self.rules.get(step.index)?.name.clone(),
                        otherwise: step.otherwise,
                        before: step.before,
                        plies: step.after,
                    })
                })
                .collect(),
            raw: steps.raw,
            scaled: steps.raw * self.definition.finish.scale,
            whole: steps.whole,
            plies: steps.plies,
        })
    }
}

/// The steps of one reduction.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// What `reduce` gave, in plies.
    pub base: f64,
    /// The rules that applied, in their order.
    pub rules: Vec<AppliedRule>,
    /// The reduction after the rules, in plies.
    pub raw: f64,
    /// The same times the `scale` of `[finish]`.
    pub scaled: f64,
    /// After the rounding, `min` and `max` of `[finish]`, in plies.
    pub whole: i32,
    /// After the limits that depend on the move, such as the remaining depth, in plies: the reduction.
    pub plies: i32,
}

/// A rule that applied.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AppliedRule {
    /// The rule's name.
    pub name: String,
    /// True when its condition did not hold and its `else_` effect applied.
    pub otherwise: bool,
    /// The reduction before it, in plies.
    pub before: f64,
    /// The reduction after it, in plies.
    pub plies: f64,
}

/// Why a parameter or a rule could not be overridden.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}; {}", self.message(), self.advice())]
#[non_exhaustive]
pub enum OverrideError {
    /// No parameter has this name.
    UnknownParameter {
        /// The name that was given.
        name: String,
        /// All names that exist.
        known: Vec<String>,
    },
    /// The value is outside the parameter's bounds, or not finite.
    OutOfBounds {
        /// The parameter.
        name: String,
        /// The value that was given.
        value: f64,
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// No rule has this name.
    UnknownRule {
        /// The name that was given.
        name: String,
        /// All names that exist.
        known: Vec<String>,
    },
}

impl OverrideError {
    /// What to do about it.
    pub fn advice(&self) -> String {
        let (kind, name, known) = match self {
            Self::OutOfBounds { name, min, max, .. } => {
                return format!("`{name}` may be from {} to {}", number_text(*min), number_text(*max));
            }
            Self::UnknownParameter { name, known } if known.contains(&format!("{name}[0]")) => {
                return format!("it is a list: name an element, as in `{name}[0]`");
            }
            Self::UnknownParameter { name, known } => ("parameters", name, known),
            Self::UnknownRule { name, known } => ("rules", name, known),
        };
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("this policy has no {kind}"),
            None => format!("its {kind} are: {}", known.join(", ")),
        }
    }

    /// What is wrong, without the advice.
    pub fn message(&self) -> String {
        match self {
            Self::UnknownParameter { name, .. } => {
                format!("the policy has no parameter `{name}`")
            }
            Self::OutOfBounds { name, value, .. } => {
                format!("{} is out of bounds for parameter `{name}`", number_text(*value))
            }
            Self::UnknownRule { name, .. } => format!("the policy has no rule `{name}`"),
        }
    }
}

// Games run in parallel, each search with its own copy of a policy.
const _: () = {
    const fn is_thread_safe<T: Send + Sync>() {}
    is_thread_safe::<Policy>();
};
