//! A compiled policy: what a search runs, with the values of the parameters filled in.

pub(crate) mod condition;
mod fact_cache;
mod number;
mod rules;

use self::condition::Condition;
use self::fact_cache::{CachedFacts, worth_caching};
use self::number::CompiledNumber;
use self::rules::{CompiledEffect, CompiledRule, Flow, Stage, Step, mark_decided};
use crate::definition::Definition;
use crate::expression::typed_tree::{Boolean, Number};
use crate::facts::{Fact, FactSet, Facts, Flags};
use crate::finish::Finish;
use crate::rule::Effect;

#[derive(Debug, Clone)]
pub(crate) struct CompiledPolicy {
    /// `None` when it holds for no move.
    when: Option<Condition>,
    base: CompiledNumber,
    stages: Box<[Stage]>,
    finish: Finish,
    /// The reduction before the limits of `[finish]`, when neither `reduce` nor a rule depends on the move.
    fixed: Option<i32>,
    /// The same for each cell of `base`, when `base` is a table and there are no rules.
    whole_plies: Option<Box<[i16]>>,
    /// Whether `[finish]` has limits besides the remaining depth.
    limits_nodes: bool,
    /// When a move is searched again a ply deeper, and a ply shallower.
    deeper: Option<Condition>,
    shallower: Option<Condition>,
    /// Facts that a move's reduction may read more than once, and that cost something each time.
    cached: Option<FactSet>,
    pub(crate) needs: FactSet,
}

impl CompiledPolicy {
    /// Compiles `definition` with these parameter values and these rules enabled.
    pub(crate) fn new(definition: &Definition, values: &[f64], enabled: &[bool]) -> Self {
        let mut needs = FactSet::default();
        let when = definition.when.fold(values);
        let reduce = definition.reduce.fold(values);
        let base = CompiledNumber::compile(&reduce);
        let (mut seen, mut again) = (FactSet::default(), FactSet::default());
        let mut note = |read: FactSet| {
            for fact in worth_caching(seen, read) {
                again.insert(fact);
            }
            for fact in read.iter() {
                seen.insert(fact);
            }
        };
        note(when.facts());
        let mut read = FactSet::default();
        reduce.collect_facts(&mut read);
        note(read);
        let mut stages = Vec::with_capacity(definition.rules.len());
        for (index, rule) in definition.rules.iter().enumerate() {
            if !enabled.get(index).copied().unwrap_or(rule.enabled) {
                continue;
            }
            let when = rule.when.fold(values);
            let condition = match Condition::compile(&when) {
                Some(condition) => condition,
                None if rule.otherwise.is_some() => Condition::never(),
                None => continue,
            };
            let mut read = FactSet::default();
            when.collect_facts(&mut read);
            let mut amount = |number: &Number| {
                let number = number.fold(values);
                number.collect_facts(&mut read);
                CompiledNumber::compile(&number)
            };
            let mut effect = |effect: &Option<Effect>| match effect {
                None => CompiledEffect::None,
                Some(Effect::Add(number)) => CompiledEffect::Add(amount(number)),
                Some(Effect::Set(number)) => CompiledEffect::Set(amount(number)),
                Some(Effect::Multiply(number)) => CompiledEffect::Multiply(amount(number)),
            };
            let mut compiled = CompiledRule {
                effect: effect(&rule.effect),
                otherwise: effect(&rule.otherwise),
                cap: rule.cap.as_ref().map(amount),
                when: condition,
                stop: rule.stop,
                reads_so_far: false,
                index,
            };
            compiled.reads_so_far = read.contains(Fact::SoFar);
            read.remove(Fact::SoFar);
            needs = needs.union(read);
            if Stage::append(&mut stages, compiled, &when, read) {
                note(read);
            }
            if rule.stop && when == Boolean::Constant(true) {
                break;
            }
        }
        let finish = definition.finish;
        mark_decided(&mut stages, &finish);
        let mut condition = Condition::compile(&when);
        let limits = [finish.max_at_root, finish.max_in_pv, finish.max_if_extended];
        let fixed = match base {
            CompiledNumber::Constant(raw) if stages.is_empty() => Some(finish.whole(raw)),
            _ => None,
        };
        let whole_plies = match &base {
            CompiledNumber::Tabulated(base) if stages.is_empty() => {
                let whole = |raw: &f64| finish.whole(*raw) as i16;
                Some(base.table().cells().iter().map(whole).collect())
            }
            _ => None,
        };
        if fixed == Some(0) && limits.iter().flatten().all(|limit| *limit >= 0) && finish.pv_bonus == 0 {
            condition = None;
        }
        let mut depth_change = |given: &Option<Boolean>| {
            let given = given.as_ref()?.fold(values);
            given.collect_facts(&mut needs);
            Condition::compile(&given)
        };
        let (deeper, shallower) = (depth_change(&definition.deeper), depth_change(&definition.shallower));
        if condition.is_some() {
            when.collect_facts(&mut needs);
            reduce.collect_facts(&mut needs);
            for fact in [Fact::Depth, Fact::Extended, Fact::Extension] {
                needs.insert(fact);
            }
            if finish.max_at_root.is_some() {
                needs.insert(Fact::Root);
            }
            if finish.max_in_pv.is_some() || finish.pv_bonus > 0 {
                needs.insert(Fact::Pv);
            }
        } else {
            needs = FactSet::default();
        }
        Self {
            when: condition,
            base,
            stages: stages.into(),
            finish,
            fixed,
            whole_plies,
            limits_nodes: finish.pv_bonus > 0 || limits.iter().any(Option::is_some),
            deeper,
            shallower,
            cached: (again != FactSet::default()).then_some(again),
            needs,
        }
    }

    /// Whether no move is ever reduced or extended.
    #[inline]
    pub(crate) fn never_reduces(&self) -> bool {
        self.when.is_none()
    }

    /// The least depth and the least number of moves searched before at which a move can be reduced.
    pub(crate) fn reducible_from(&self) -> (i32, i32) {
        self.when.as_ref().map_or((0, 0), Condition::reducible_from)
    }

    /// Whole plies.
    #[inline]
    pub(crate) fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        self.reduction_of(facts, false, |_| {})
    }

    /// Whole plies; `applied` is called for each rule that changes the reduction or stops.
    #[inline]
    pub(crate) fn reduction_watched<F: Facts>(&self, facts: &F, applied: impl FnMut(Step)) -> i32 {
        self.reduction_of(facts, true, applied)
    }

    #[inline]
    fn reduction_of<F: Facts>(&self, facts: &F, watched: bool, applied: impl FnMut(Step)) -> i32 {
        let Some(when) = &self.when else {
            return 0;
        };
        let flags = facts.flags();
        if !when.is_open(flags, facts) {
            return 0;
        }
        match self.cached {
            None => self.reduction_within(when, flags, facts, watched, applied),
            Some(cached) => {
                let facts = CachedFacts::new(facts, cached);
                self.reduction_within(when, flags, &facts, watched, applied)
            }
        }
    }

    /// The reduction of a move that passes the cheap tests of `when`.
    #[inline]
    fn reduction_within<F: Facts>(
        &self,
        when: &Condition,
        flags: Flags,
        facts: &F,
        watched: bool,
        applied: impl FnMut(Step),
    ) -> i32 {
        if !when.rest_holds(flags, facts) {
            return 0;
        }
        let whole = match self.fixed {
            Some(plies) => plies,
            None => match self.looked_up(facts) {
                Some(plies) => plies,
                None => self.finish.whole(self.raw(flags, facts, watched, applied)),
            },
        };
        self.limit(whole, flags, facts)
    }

    /// The reduction before the limits of `[finish]`, when it is in the table of whole plies.
    #[inline]
    fn looked_up<F: Facts>(&self, facts: &F) -> Option<i32> {
        match (&self.whole_plies, &self.base) {
            (Some(plies), CompiledNumber::Tabulated(base)) => {
                plies.get(base.table().place(facts)?).copied().map(i32::from)
            }
            _ => None,
        }
    }

    /// The limits of `[finish]` that depend on the move.
    #[inline]
    fn limit<F: Facts>(&self, plies: i32, flags: Flags, facts: &F) -> i32 {
        if self.limits_nodes {
            self.finish.limit(plies, flags, facts)
        } else {
            self.finish.limit_to_depth(plies, flags, facts)
        }
    }

    /// The change of the full depth of the re-search, in plies.
    #[inline]
    pub(crate) fn depth_change<F: Facts>(&self, facts: &F) -> i32 {
        if self.deeper.is_none() && self.shallower.is_none() {
            return 0;
        }
        let flags = facts.flags();
        let holds = |condition: &Option<Condition>| {
            let holds = condition.as_ref().is_some_and(|c| c.holds(flags, facts));
            i32::from(holds)
        };
        holds(&self.deeper) - holds(&self.shallower)
    }

    /// The result of `reduce` and the rules, before `[finish]`. `applied` is called for each rule that changes the
    /// reduction or stops. Unless it is `watched`, it stops as soon as the result of `[finish]` is certain.
    #[inline]
    fn raw<F: Facts>(&self, flags: Flags, facts: &F, watched: bool, mut applied: impl FnMut(Step)) -> f64 {
        let mut plies = self.base.value(flags, facts);
        for stage in &self.stages {
            if !watched && plies < stage.decided_below {
                // The other rules cannot change the result of `[finish]`.
                break;
            }
            match stage.apply(&mut plies, flags, facts, &mut applied) {
                Flow::On => {}
                Flow::Stop => break,
            }
        }
        plies
    }

    /// How the reduction comes about.
    pub(crate) fn explain<F: Facts>(&self, facts: &F) -> Option<Steps> {
        let when = self.when.as_ref()?;
        let flags = facts.flags();
        if !when.holds(flags, facts) {
            return None;
        }
        let mut rules = Vec::new();
        let raw = self.raw(flags, facts, true, |step| rules.push(step));
        let whole = self.finish.whole(raw);
        Some(Steps {
            base: self.base.value(flags, facts),
            rules,
            raw,
            whole,
            plies: self.limit(whole, flags, facts),
        })
    }
}

/// How a reduction came about.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    pub(crate) base: f64,
    pub(crate) rules: Vec<Step>,
    pub(crate) raw: f64,
    pub(crate) whole: i32,
    pub(crate) plies: i32,
}
