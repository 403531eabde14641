//! A policy: compiled from a file, it computes the reduction of a move.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_host::runtime::{Program, Rule, Scheme};
use sha2::{Digest, Sha256};

use crate::definition::{Definition, Engine};
use crate::facts::{FactSet, Facts, OwnFact};
use crate::history::History;
use crate::parameter::Parameter;
use crate::research::Research;
use crate::rule::RuleSet;

pub use lmrlab_host::runtime::{AppliedRule, ChangeError, Explanation};

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
    description: Arc<str>,
    provenance: Arc<str>,
    history: Option<History>,
    program: Program,
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
    /// unless the search gives other values.
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
        Ok(definition.scheme.parameters)
    }

    pub(crate) fn compile_for(source: Source, engine: Engine) -> Result<(Self, Diagnostics), Diagnostics> {
        let (definition, text, warnings) = Definition::read(source, engine)?;
        Ok((Self::new(text, definition), warnings))
    }

    /// The policy that never reduces.
    pub fn none() -> Self {
        let scheme = Scheme {
            name: "none".to_owned(),
            ..Scheme::default()
        };
        let definition = Definition {
            description: "No move is reduced.".to_owned(),
            scheme,
            ..Definition::default()
        };
        Self::new("name = \"none\"\nwhen = \"false\"\nreduce = \"0\"\n".into(), definition)
    }

    fn new(text: Arc<str>, definition: Definition) -> Self {
        Self {
            text,
            description: definition.description.into(),
            provenance: definition.provenance.into(),
            history: definition.history,
            program: Program::new(definition.scheme),
        }
    }

    /// What computes the reductions.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What the file says, with the overrides in force.
    pub(crate) fn scheme(&self) -> &Scheme {
        self.program.scheme()
    }

    /// The file's `name`.
    pub fn name(&self) -> &str {
        &self.scheme().name
    }

    /// The file's `description`; empty when it has none.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The file's `source`: the author of the scheme, and where it is published; may be empty.
    pub fn provenance(&self) -> &str {
        &self.provenance
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
            .parameters()
            .iter()
            .filter(|parameter| parameter.value != parameter.default)
            .map(|parameter| format!("{}={}", parameter.name, parameter.value));
        let rules = self.rules().iter().filter(|rule| rule.enabled != rule.default);
        let rules = rules.map(|rule| format!("{}{}", if rule.enabled { '+' } else { '-' }, rule.name));
        parameters.chain(rules).collect()
    }

    /// The facts that the expressions in force mention. A search need not provide other facts.
    pub fn needs(&self) -> FactSet {
        match self.never_reduces() {
            true => FactSet::default(),
            false => self.program.reads(),
        }
    }

    /// The facts of another engine that the policy declares in `[host]`: flags, then numbers.
    pub fn own_facts(&self) -> impl Iterator<Item = OwnFact<'_>> {
        self.scheme().own.iter().map(|(fact, name)| OwnFact { name, fact })
    }

    /// The history table that the policy declares.
    pub fn history(&self) -> Option<&History> {
        self.history.as_ref()
    }

    /// How a move is searched again.
    #[inline]
    pub fn research(&self) -> Research {
        self.scheme().research
    }

    /// Whether both reduce by the same conditions, expressions, rules and parameters. Their histories and their ways to search
    /// a move again do not count.
    pub fn reduces_like(&self, other: &Self) -> bool {
        let (one, two) = (self.scheme(), other.scheme());
        let parameter = |parameter: &Parameter| (parameter.name.clone(), parameter.value);
        let same_parameters = || {
            let [ours, theirs] = [self, other].map(|policy| policy.parameters().iter().map(parameter));
            ours.eq(theirs)
        };
        let same_rules = || {
            let [ours, theirs] = [self, other].map(Self::rules_in_force);
            ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(one, two)| one.acts_like(two))
        };
        (self.never_reduces() && other.never_reduces())
            || ((&one.when, &one.reduce, &one.finish, &one.own) == (&two.when, &two.reduce, &two.finish, &two.own)
                && same_parameters()
                && same_rules())
    }

    pub(crate) fn rules_in_force(&self) -> Vec<&Rule> {
        self.rules().iter().filter(|rule| rule.enabled).collect()
    }

    /// Whether both search a move again in the same way.
    pub fn searches_again_like(&self, other: &Self) -> bool {
        let (one, two) = (self.scheme(), other.scheme());
        (&one.research, &one.deeper, &one.shallower, &one.own) == (&two.research, &two.deeper, &two.shallower, &two.own)
    }

    /// The parameters, sorted by name.
    pub fn parameters(&self) -> &[Parameter] {
        &self.scheme().parameters
    }

    /// The rules, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.scheme().rules
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    /// When there is no such parameter, or the value is outside its bounds or not finite. The policy stays unchanged.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ChangeError> {
        self.program.set_parameter(name, value)
    }

    /// Switches a rule on or off.
    ///
    /// # Errors
    /// When there is no such rule. The policy stays unchanged.
    pub fn enable_rule(&mut self, name: &str, enabled: bool) -> Result<(), ChangeError> {
        self.program.enable_rule(name, enabled)
    }

    /// Whether the policy certainly reduces no move, so that a search can skip late move reductions.
    #[inline]
    pub fn never_reduces(&self) -> bool {
        self.program.never_reduces()
    }

    /// The least depth, and the least number of moves searched before, at which a move can be reduced. Below either a search
    /// need not ask, which saves time: most nodes are near the horizon.
    pub fn reducible_from(&self) -> (i32, i32) {
        self.program.reducible_from()
    }

    /// The reduction of a move in whole plies: 0 for none, negative (an extension) only when the file allows it.
    #[inline]
    pub fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        self.program.reduction(facts).unwrap_or(0)
    }

    /// The rules that apply to a move: their conditions hold, and no earlier rule stops.
    ///
    /// It takes `&dyn Facts` so that a second generic copy does not slow down [`Policy::reduction`].
    pub fn rules_applying(&self, facts: &dyn Facts) -> RuleSet {
        let mut rules = RuleSet::default();
        let plies = self.program.reduction_watched(&facts, |step| {
            if !step.otherwise {
                rules.insert(step.index);
            }
        });
        debug_assert_eq!(plies.unwrap_or(0), self.reduction(&facts));
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
        self.program.depth_change(facts)
    }

    /// Every step of the reduction of a move; `None` when `when` does not hold. It allocates: use it to explain, not to
    /// search.
    pub fn explain<F: Facts>(&self, facts: &F) -> Option<Explanation> {
        self.program.explain(facts)
    }
}

// Games run in parallel, each search with its own copy of a policy.
#[cfg(test)]
const _: () = {
    const fn is_thread_safe<T: Send + Sync>() {}
    is_thread_safe::<Policy>();
};
