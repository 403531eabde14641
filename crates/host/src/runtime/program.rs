//! A program: a scheme made fast, with the values of its parameters and the rules in force.

use std::sync::Arc;

use crate::runtime::change::ChangeError;
use crate::runtime::condition::Condition;
use crate::runtime::expression::Expression;
use crate::runtime::facts::{Fact, FactSet, Facts, Flags};
use crate::runtime::reader::PolicyError;
use crate::runtime::scheme::{Scheme, own_word};
use crate::runtime::stage::{Stage, Step, mark_decided};
use crate::runtime::value::{Compiler, Move, Value};

/// A scheme with its parameters and rules in force, ready to run.
///
/// ```
/// use lmrlab_host::runtime::facts::Fact;
/// use lmrlab_host::runtime::{Program, Values};
///
/// let hash = "0".repeat(64);
/// let file = format!(
///     "lmrlab-policy 1 half {hash}\nunits lmrlab\nparam share 0.5 0 1\nflags +quiet\nwhen depth 3 >=\nreduce depth @share *\n\
///      finish scale=1 round=trunc min=0 max=none max_at_root=none max_in_pv=none max_if_extended=none floor=1 pv_bonus=0\n\
///      research ladder=null_then_full trigger=above_alpha updates_history=0 above=2 reduction=1 threat_feedback=none\nend\n"
/// );
/// let mut program = Program::read(file.as_bytes())?;
/// let mut facts = Values::default();
/// facts.set_flag(Fact::Quiet, true).set_number(Fact::Depth, 8.0);
/// assert_eq!(program.reduction(&facts), Some(4));
/// program.change("share=0.25")?;
/// assert_eq!(program.reduction(&facts), Some(2));
/// facts.set_flag(Fact::Quiet, false);
/// assert_eq!(program.reduction(&facts), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Program {
    scheme: Arc<Scheme>,
    compiled: Compiled,
}

/// The compiled form.
#[derive(Debug, Clone)]
struct Compiled {
    /// `None` when no move is late.
    when: Option<Condition>,
    base: Value,
    stages: Box<[Stage]>,
    /// The reduction before the limits of the move, when neither `reduce` nor a rule depends on the move.
    fixed: Option<i32>,
    /// Whether `[finish]` has limits besides the remaining depth.
    limits_nodes: bool,
    never_reduces: bool,
    /// When a move is searched again a ply deeper, and a ply shallower.
    deeper: Option<Condition>,
    shallower: Option<Condition>,
    reads: FactSet,
    required: FactSet,
}

impl Compiled {
    fn new(scheme: &Scheme) -> Self {
        let values: Vec<f64> = scheme.parameters.iter().map(|parameter| parameter.value).collect();
        let scheme = &scheme.map(&|expression| expression.with_parameters(&values));
        let compiler = Compiler::new();
        let (when, reduce) = (&scheme.when, &scheme.reduce);
        let mut reads = when.facts().union(reduce.facts());
        let base = compiler.amount(reduce);
        let mut stages = Vec::with_capacity(scheme.rules.len());
        for (index, rule) in scheme.rules.iter().enumerate() {
            if !rule.enabled {
                continue;
            }
            let is_read = rule.when != Expression::FALSE || rule.otherwise.is_some();
            if is_read {
                reads = reads.union(rule.facts());
            }
            if is_read {
                Stage::append(&mut stages, rule, index, &compiler);
            }
            if rule.stop && rule.when == Expression::TRUE {
                break;
            }
        }
        reads.remove(Fact::SoFar);
        let finish = &scheme.finish;
        mark_decided(&mut stages, finish);
        let condition = Condition::new(when, &compiler);
        let fixed = base.constant().filter(|_| stages.is_empty());
        let fixed = fixed.map(|raw| finish.whole(raw));
        let limits = finish.limits();
        let is_zero = fixed == Some(0)
            && finish.pv_bonus == 0
            && limits.iter().all(|(limit, _)| limit.is_none_or(|limit| limit >= 0));
        for (limit, fact) in limits {
            if limit.is_some() || (finish.pv_bonus > 0 && fact == Fact::Pv) {
                reads.insert(fact);
            }
        }
        reads.insert(Fact::Depth);
        let changes = [&scheme.deeper, &scheme.shallower].map(Option::as_ref);
        let of_changes = changes.into_iter().flatten().map(Expression::facts);
        let mut of_changes = of_changes.fold(FactSet::default(), FactSet::union);
        let mut required = reads;
        reads = reads.union(of_changes);
        // The call of `depth_change` passes it.
        of_changes.remove(Fact::BestScore);
        required = required.union(of_changes);
        // These two are not required: an engine that does not fill them extends no late move.
        reads.extend([Fact::Extended, Fact::Extension]);
        if condition.is_none() {
            (reads, required) = Default::default();
        }
        let [deeper, shallower] = changes.map(|change| Condition::new(change?, &compiler));
        Self {
            never_reduces: condition.is_none() || is_zero,
            reads,
            required,
            when: condition,
            base,
            stages: stages.into(),
            fixed,
            limits_nodes: finish.pv_bonus > 0 || limits.iter().any(|(limit, _)| limit.is_some()),
            deeper,
            shallower,
        }
    }
}

impl Program {
    /// Compiles a scheme.
    pub fn new(scheme: Scheme) -> Self {
        Self {
            compiled: Compiled::new(&scheme),
            scheme: Arc::new(scheme),
        }
    }

    /// Reads and compiles a compiled policy. Each own fact gets its index in the order of the file.
    ///
    /// # Errors
    /// Those of [`Scheme::read`].
    pub fn read(bytes: &[u8]) -> Result<Self, PolicyError> {
        Ok(Self::new(Scheme::read(bytes)?))
    }

    /// The scheme, with its parameters and rules in force.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The facts that the program reads. A search need not provide others.
    #[inline]
    pub fn reads(&self) -> FactSet {
        self.compiled.reads
    }

    /// Those of them that an engine must fill; [`Fact::is_given`] says which of these a call passes.
    pub fn required(&self) -> FactSet {
        self.compiled.required
    }

    /// The same as an engine lists what it fills: names of the catalogue, then `flag:NAME` and `number:NAME`. Without what a call passes.
    pub fn to_fill(&self) -> Vec<String> {
        let required = self.required();
        let catalogue = required.iter().filter(|fact| !fact.is_given());
        let own = self.scheme.own.iter().filter(|(fact, _)| required.contains(*fact));
        let catalogue = catalogue.map(|fact| fact.name().to_owned());
        catalogue.chain(own.map(own_word)).collect()
    }

    /// Whether the program certainly reduces and extends no move.
    #[inline]
    pub fn never_reduces(&self) -> bool {
        self.compiled.never_reduces
    }

    /// The least depth, and the least number of moves searched before, at which a move can be late.
    pub fn reducible_from(&self) -> (i32, i32) {
        self.compiled.when.as_ref().map_or((0, 0), Condition::reducible_from)
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    /// Those of [`Scheme::set_parameter`]. The program stays unchanged.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ChangeError> {
        self.with(|scheme| scheme.set_parameter(name, value))
    }

    /// Switches a rule on or off.
    ///
    /// # Errors
    /// Those of [`Scheme::enable_rule`]. The program stays unchanged.
    pub fn enable_rule(&mut self, name: &str, enabled: bool) -> Result<(), ChangeError> {
        self.with(|scheme| scheme.enable_rule(name, enabled))
    }

    /// Changes parameters and rules.
    ///
    /// # Errors
    /// Those of [`Scheme::change`]. The program stays unchanged.
    pub fn change(&mut self, changes: &str) -> Result<(), ChangeError> {
        self.with(|scheme| scheme.change(changes))
    }

    fn with(&mut self, change: impl FnOnce(&mut Scheme) -> Result<(), ChangeError>) -> Result<(), ChangeError> {
        let mut scheme = Scheme::clone(&self.scheme);
        change(&mut scheme)?;
        *self = Self::new(scheme);
        Ok(())
    }

    /// The reduction of a move in whole plies, below 0 for an extension. `None` when `when` does not hold: the move is
    /// not late.
    #[inline]
    pub fn reduction<F: Facts>(&self, facts: &F) -> Option<i32> {
        self.reduction_of(facts, false, |_| {})
    }

    /// As [`Program::reduction`]; `applied` is called for each rule that changes the reduction or stops.
    #[inline]
    pub fn reduction_watched<F: Facts>(&self, facts: &F, applied: impl FnMut(Step)) -> Option<i32> {
        self.reduction_of(facts, true, applied)
    }

    #[inline]
    fn reduction_of<F: Facts>(&self, facts: &F, watched: bool, applied: impl FnMut(Step)) -> Option<i32> {
        let when = self.compiled.when.as_ref()?;
        let flags = facts.flags();
        if !when.is_open(flags, facts) {
            return None;
        }
        let of = Move {
            flags,
            facts,
            so_far: 0.0,
        };
        if !when.rest_holds(&of) {
            return None;
        }
        let whole = match self.compiled.fixed {
            Some(plies) => plies,
            None => self.scheme.finish.whole(self.raw(&of, watched, applied)),
        };
        Some(self.limit(whole, flags, facts))
    }

    /// The limits of `[finish]` that depend on the move.
    #[inline]
    fn limit<F: Facts>(&self, plies: i32, flags: Flags, facts: &F) -> i32 {
        if self.compiled.limits_nodes {
            self.scheme.finish.limit(plies, flags, facts)
        } else {
            self.scheme.finish.limit_to_depth(plies, flags, facts)
        }
    }

    /// The result of `reduce` and the rules, before `[finish]`. Unless it is `watched`, it stops as soon as the result of
    /// `[finish]` is certain.
    #[inline]
    fn raw<F: Facts>(&self, of: &Move<'_, F>, watched: bool, mut applied: impl FnMut(Step)) -> f64 {
        let mut plies = self.compiled.base.value(of);
        for stage in &self.compiled.stages {
            // Below this the other rules cannot change the result of `[finish]`.
            let is_decided = !watched && plies < stage.decided_below;
            if is_decided || !stage.apply(&mut plies, of, &mut applied) {
                break;
            }
        }
        plies
    }

    /// The change of the full depth by the ladder [`ByScore`](crate::runtime::research::Ladder::ByScore), in plies: deeper (1),
    /// unchanged (0) or shallower (-1). 0 with any other ladder. `facts` must have [`Fact::Score`], [`Fact::BestScore`] and
    /// [`Fact::Reduction`].
    #[inline]
    pub fn depth_change<F: Facts>(&self, facts: &F) -> i32 {
        if self.compiled.deeper.is_none() && self.compiled.shallower.is_none() {
            return 0;
        }
        let of = Move {
            flags: facts.flags(),
            facts,
            so_far: 0.0,
        };
        let holds = |condition: &Option<Condition>| i32::from(condition.as_ref().is_some_and(|c| c.holds(&of)));
        holds(&self.compiled.deeper) - holds(&self.compiled.shallower)
    }

    /// Every step of the reduction of a move; `None` when the move is not late. It allocates: use it to explain, not to
    /// search.
    pub fn explain<F: Facts>(&self, facts: &F) -> Option<Explanation> {
        let of = Move {
            flags: facts.flags(),
            facts,
            so_far: 0.0,
        };
        self.compiled.when.as_ref().filter(|when| when.holds(&of))?;
        let (scheme, mut rules) = (&self.scheme, Vec::new());
        let raw = self.raw(&of, true, |step| {
            rules.extend(scheme.rules.get(step.index).map(|rule| AppliedRule {
                name: rule.name.clone(),
                otherwise: step.otherwise,
                before: step.before,
                plies: step.after,
            }));
        });
        let whole = scheme.finish.whole(raw);
        Some(Explanation {
            base: self.compiled.base.value(&of),
            rules,
            raw,
            scaled: raw * scheme.finish.scale,
            whole,
            plies: self.limit(whole, of.flags, facts),
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

// Threads share programs.
#[cfg(test)]
const _: () = {
    const fn is_thread_safe<T: Send + Sync>() {}
    is_thread_safe::<Program>();
};
