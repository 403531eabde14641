//! Compiled rules, in the order in which a search applies them.

use crate::runtime::arithmetic::Binary;
use crate::runtime::condition::Condition;
use crate::runtime::expression::{Expression, Interval};
use crate::runtime::facts::{Cost, Fact, Facts, Flags};
use crate::runtime::finish::Finish;
use crate::runtime::scheme::{Effect, Rule};
use crate::runtime::value::{Compiler, Move, Value, flag};

/// A rule that applied to a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The rule's place in the file.
    pub index: usize,
    /// Whether its condition did not hold.
    pub otherwise: bool,
    /// The reduction before it.
    pub before: f64,
    /// The reduction after it.
    pub after: f64,
}

/// One rule, or neighbouring rules that are applied together.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    kind: Kind,
    /// When the reduction so far is below this, neither this stage nor a later one can change the result: `[finish]`
    /// returns the least reduction.
    pub(crate) decided_below: f64,
    /// Whether it reads a fact of [`Cost::Work`].
    expensive: bool,
}

/// The compiled forms of rules.
#[derive(Debug, Clone)]
enum Kind {
    Rule(Box<CompiledRule>),
    /// Neighbouring rules that each add a constant, and test the same fact or none. The fact is read once.
    Bonuses(Option<Fact>, Vec<Bonus>),
}

/// A rule that adds a constant while flags have wanted values and a fact lies between two bounds.
#[derive(Debug, Clone, Copy)]
struct Bonus {
    mask: Flags,
    wanted: Flags,
    low: f64,
    high: f64,
    add: f64,
    /// The rule's place in the file.
    index: usize,
}

#[derive(Debug, Clone)]
struct CompiledRule {
    /// `None` when it never holds.
    when: Option<Condition>,
    effect: Option<(Effect, Value)>,
    /// What happens when the condition does not hold.
    otherwise: Option<(Effect, Value)>,
    cap: Option<Value>,
    stop: bool,
    /// The rule's place in the file.
    index: usize,
}

impl Stage {
    /// Appends a folded rule: as a stage of its own, or as a part of the last stage. A rule that does nothing is left out.
    pub(crate) fn append(stages: &mut Vec<Self>, rule: &Rule, index: usize, compiler: &Compiler) {
        let kind = match Bonus::of(rule, index) {
            Some((fact, bonus)) => {
                if let Some(Kind::Bonuses(last, bonuses)) = stages.last_mut().map(|last| &mut last.kind)
                    && *last == fact
                {
                    bonuses.push(bonus);
                    return;
                }
                Kind::Bonuses(fact, vec![bonus])
            }
            None => {
                let effect = |effect: &Option<(Effect, Expression)>| {
                    let (effect, amount) = effect.as_ref()?;
                    Some((*effect, compiler.amount(amount)))
                };
                let when = Condition::new(&rule.when, compiler);
                if when.is_none() && rule.otherwise.is_none() {
                    return;
                }
                Kind::Rule(Box::new(CompiledRule {
                    when,
                    effect: effect(&rule.effect),
                    otherwise: effect(&rule.otherwise),
                    cap: rule.cap.as_ref().map(|cap| compiler.amount(cap)),
                    stop: rule.stop,
                    index,
                }))
            }
        };
        stages.push(Self {
            kind,
            decided_below: f64::NEG_INFINITY,
            expensive: rule.facts().iter().any(|fact| fact.info().cost == Cost::Work),
        });
    }

    /// The most that the stage can add to a reduction; infinite unless it adds constants only.
    fn most_added(&self) -> f64 {
        match &self.kind {
            Kind::Bonuses(_, bonuses) => bonuses.iter().map(|bonus| bonus.add.max(0.0)).sum(),
            Kind::Rule(rule) => {
                let effects = [&rule.effect, &rule.otherwise].into_iter().flatten();
                let added = effects.map(|(effect, amount)| match (effect, amount.constant()) {
                    (Effect::Add, Some(add)) => add.max(0.0),
                    _ => f64::INFINITY,
                });
                added.fold(0.0, f64::max)
            }
        }
    }

    /// Changes the reduction so far. `applied` is called for each rule that changes the reduction or stops. False when the
    /// later stages are not applied.
    #[inline]
    pub(crate) fn apply<F: Facts>(&self, plies: &mut f64, of: &Move<'_, F>, applied: &mut impl FnMut(Step)) -> bool {
        match &self.kind {
            Kind::Rule(rule) => rule.apply(plies, of, applied),
            Kind::Bonuses(fact, bonuses) => {
                let value = fact.map_or(0.0, |fact| of.facts.number(fact));
                for bonus in bonuses {
                    if of.flags.matches(bonus.mask, bonus.wanted) && bonus.low <= value && value <= bonus.high {
                        let before = *plies;
                        *plies = Binary::Add.apply(before, bonus.add);
                        applied(Step {
                            index: bonus.index,
                            otherwise: false,
                            before,
                            after: *plies,
                        });
                    }
                }
                true
            }
        }
    }
}

/// Sets [`Stage::decided_below`] for all stages that have an expensive fact to come. A scheme that mostly subtracts then
/// need not compute such facts for a move that gets the least reduction anyway.
pub(crate) fn mark_decided(stages: &mut [Stage], finish: &Finish) {
    let Some(greatest) = finish.greatest_of_least() else {
        return;
    };
    let (mut to_come, mut expensive) = (0.0, false);
    for stage in stages.iter_mut().rev() {
        to_come += stage.most_added();
        expensive |= stage.expensive;
        if expensive {
            // The order of a sum may change its last digits.
            let slack = 1e-6 * (1.0 + to_come + greatest.abs());
            stage.decided_below = greatest - to_come - slack;
        }
    }
}

impl Bonus {
    /// The rule in this form, and the fact that it tests; `None` when it does anything else.
    fn of(rule: &Rule, index: usize) -> Option<(Option<Fact>, Self)> {
        let add = match &rule.effect {
            Some((Effect::Add, Expression::Constant(add))) => *add,
            _ => return None,
        };
        if rule.otherwise.is_some() || rule.cap.is_some() || rule.stop {
            return None;
        }
        let (mut mask, mut wanted) = (Flags::NONE, Flags::NONE);
        let mut interval: Option<Interval> = None;
        for term in rule.when.terms() {
            if let Some((fact, value)) = flag(term).filter(|(fact, _)| !mask.has(*fact)) {
                mask = mask.with(fact, true);
                wanted = wanted.with(fact, value);
            } else if *term != Expression::TRUE {
                let new = Interval::of(term).filter(|new| interval.is_none() && !new.fact.is_of_rules())?;
                interval = Some(new);
            }
        }
        // The fact is read before the flags are tested.
        let is_free = |fact: Fact| fact.info().cost == Cost::Free;
        if mask != Flags::NONE && interval.is_some_and(|interval| !is_free(interval.fact)) {
            return None;
        }
        let bonus = Self {
            mask,
            wanted,
            low: interval.map_or(f64::NEG_INFINITY, |interval| interval.low),
            high: interval.map_or(f64::INFINITY, |interval| interval.high),
            add,
            index,
        };
        Some((interval.map(|interval| interval.fact), bonus))
    }
}

/// The reduction after an effect.
#[inline]
fn changed<F: Facts>(plies: f64, (effect, amount): &(Effect, Value), of: &Move<'_, F>) -> f64 {
    let amount = amount.value(of);
    match effect {
        Effect::Add => Binary::Add.apply(plies, amount),
        Effect::Multiply => Binary::Multiply.apply(plies, amount),
        Effect::Set => amount,
    }
}

impl CompiledRule {
    /// As [`Stage::apply`].
    #[inline]
    fn apply<F: Facts>(&self, plies: &mut f64, of: &Move<'_, F>, applied: &mut impl FnMut(Step)) -> bool {
        let before = *plies;
        let of = Move { so_far: before, ..*of };
        let holds = self.when.as_ref().is_some_and(|when| when.holds(&of));
        if holds {
            if let Some(effect) = &self.effect {
                *plies = changed(before, effect, &of);
            }
            if let Some(cap) = &self.cap {
                *plies = plies.min(cap.value(&of));
            }
        } else {
            let Some(effect) = &self.otherwise else {
                return true;
            };
            *plies = changed(before, effect, &of);
        }
        applied(Step {
            index: self.index,
            otherwise: !holds,
            before,
            after: *plies,
        });
        !(holds && self.stop)
    }
}
