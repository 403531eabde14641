//! The rules of a compiled policy, as the search goes through them.

use super::condition::Condition;
use super::number::CompiledNumber;
use crate::expression::arithmetic::Binary;
use crate::expression::interval::Interval;
use crate::expression::typed_tree::Boolean;
use crate::facts::{Cost, Fact, FactSet, Facts, Flags};
use crate::finish::Finish;

/// A rule that did something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The rule's place in the file.
    pub(crate) index: usize,
    /// Whether its condition did not hold.
    pub(crate) otherwise: bool,
    /// The reduction before and after it.
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// A rule, or rules that are applied in one go.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    kind: Kind,
    /// A reduction so far below this comes out of `[finish]` as the least one, whatever this stage and those after it do.
    pub(crate) hopeless_below: f64,
    /// Whether a fact is read that costs work.
    dear: bool,
}

/// What rules have become.
#[derive(Debug, Clone)]
enum Kind {
    Rule(CompiledRule),
    Thresholds(Thresholds),
    Bonuses(Box<[Bonus]>),
}

/// Whether the rules after a stage are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    Stop,
}

impl Stage {
    /// Puts a rule behind the others, or together with the last ones; false in that case.
    pub(crate) fn append(
        stages: &mut Vec<Self>,
        rule: CompiledRule,
        when: &Boolean,
        read: FactSet,
    ) -> bool {
        let last = stages.last_mut().map(|last| &mut last.kind);
        let kind = if let Some(new) = Thresholds::of(&rule, when) {
            if let Some(Kind::Thresholds(last)) = last
                && last.fact == new.fact
            {
                last.parts.extend(new.parts);
                return false;
            }
            Kind::Thresholds(new)
        } else if let Some(new) = Bonus::of(&rule) {
            if let Some(Kind::Bonuses(last)) = last {
                *last = last.iter().copied().chain([new]).collect();
                return false;
            }
            Kind::Bonuses(Box::new([new]))
        } else {
            Kind::Rule(rule)
        };
        stages.push(Self {
            kind,
            hopeless_below: f64::NEG_INFINITY,
            dear: read.iter().any(|fact| fact.info().cost == Cost::Work),
        });
        true
    }

    /// By how much the stage can lift a reduction at most; infinite when that depends on more than its conditions.
    fn most_added(&self) -> f64 {
        match &self.kind {
            Kind::Thresholds(thresholds) => {
                thresholds.parts.iter().map(|part| part.add.max(0.0)).sum()
            }
            Kind::Bonuses(bonuses) => bonuses.iter().map(|bonus| bonus.add.max(0.0)).sum(),
            Kind::Rule(rule) => rule.effect.most_added().max(rule.otherwise.most_added()),
        }
    }

    /// Changes the reduction so far. `fired` hears of each rule that changes or ends something.
    #[inline]
    pub(crate) fn apply<F: Facts>(
        &self,
        plies: &mut f64,
        flags: Flags,
        facts: &F,
        fired: &mut impl FnMut(Step),
    ) -> Flow {
        let rule = match &self.kind {
            Kind::Rule(rule) => rule,
            Kind::Thresholds(thresholds) => {
                thresholds.apply(plies, facts, fired);
                return Flow::On;
            }
            Kind::Bonuses(bonuses) => {
                for bonus in bonuses {
                    bonus.apply(plies, flags, fired);
                }
                return Flow::On;
            }
        };
        let before = *plies;
        let outcome = if rule.reads_so_far {
            let facts = InRule {
                facts,
                so_far: before,
            };
            rule.apply(before, flags, &facts)
        } else {
            rule.apply(before, flags, facts)
        };
        let otherwise = match outcome {
            Outcome::Idle => return Flow::On,
            Outcome::Held(after) => {
                *plies = after;
                false
            }
            Outcome::Otherwise(after) => {
                *plies = after;
                true
            }
        };
        fired(Step {
            index: rule.index,
            otherwise,
            before,
            after: *plies,
        });
        if rule.stop && !otherwise {
            Flow::Stop
        } else {
            Flow::On
        }
    }
}

/// Notes for each stage from where on nothing can lift a reduction above the least that `finish` gives, where that saves
/// work: a scheme that mostly subtracts need not ask for the dear facts of a move that it does not reduce anyway.
pub(crate) fn mark_hopeless(stages: &mut [Stage], finish: &Finish) {
    let Some(greatest) = finish.greatest_of_least() else {
        return;
    };
    let (mut to_come, mut dear) = (0.0, false);
    for stage in stages.iter_mut().rev() {
        to_come += stage.most_added();
        dear |= stage.dear;
        if dear {
            // Sums of constants may differ in their last digits with their order.
            let slack = 1e-6 * (1.0 + to_come + greatest.abs());
            stage.hopeless_below = greatest - to_come - slack;
        }
    }
}

/// Rules that stand together, each adding a constant while one and the same fact lies between two bounds: the fact is read
/// once.
#[derive(Debug, Clone)]
struct Thresholds {
    fact: Fact,
    parts: Vec<Threshold>,
}

#[derive(Debug, Clone, Copy)]
struct Threshold {
    low: f64,
    high: f64,
    add: f64,
    /// The rule's place in the file.
    index: usize,
}

impl Thresholds {
    /// A rule of that kind.
    fn of(rule: &CompiledRule, when: &Boolean) -> Option<Self> {
        let (interval, add) = (Interval::of(when)?, rule.only_adds()?);
        if interval.fact.is_of_rules() {
            return None;
        }
        let part = Threshold {
            low: interval.low,
            high: interval.high,
            add,
            index: rule.index,
        };
        Some(Self {
            fact: interval.fact,
            parts: vec![part],
        })
    }

    #[inline]
    fn apply<F: Facts>(&self, plies: &mut f64, facts: &F, fired: &mut impl FnMut(Step)) {
        let value = facts.number(self.fact);
        for part in &self.parts {
            if part.low <= value && value <= part.high {
                let before = *plies;
                *plies = Binary::Add.apply(before, part.add);
                fired(Step {
                    index: part.index,
                    otherwise: false,
                    before,
                    after: *plies,
                });
            }
        }
    }
}

/// A rule that adds a constant while free booleans are as it wants them. Such rules that stand together are one stage.
#[derive(Debug, Clone, Copy)]
struct Bonus {
    mask: Flags,
    wanted: Flags,
    add: f64,
    /// The rule's place in the file.
    index: usize,
}

impl Bonus {
    /// A rule of that kind.
    fn of(rule: &CompiledRule) -> Option<Self> {
        let (mask, wanted) = rule.when.only_flags()?;
        Some(Self {
            mask,
            wanted,
            add: rule.only_adds()?,
            index: rule.index,
        })
    }

    #[inline]
    fn apply(&self, plies: &mut f64, flags: Flags, fired: &mut impl FnMut(Step)) {
        if flags.matches(self.mask, self.wanted) {
            let before = *plies;
            *plies = Binary::Add.apply(before, self.add);
            fired(Step {
                index: self.index,
                otherwise: false,
                before,
                after: *plies,
            });
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct CompiledRule {
    pub(crate) when: Condition,
    pub(crate) effect: CompiledEffect,
    /// What happens when the condition does not hold.
    pub(crate) otherwise: CompiledEffect,
    pub(crate) cap: Option<CompiledNumber>,
    pub(crate) stop: bool,
    /// Whether it mentions the reduction so far.
    pub(crate) reads_so_far: bool,
    /// The rule's place in the file.
    pub(crate) index: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum CompiledEffect {
    None,
    Add(CompiledNumber),
    Set(CompiledNumber),
    Multiply(CompiledNumber),
}

impl CompiledEffect {
    /// As [`Stage::most_added`]; not less than 0.
    fn most_added(&self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Add(CompiledNumber::Constant(add)) => add.max(0.0),
            Self::Add(_) | Self::Set(_) | Self::Multiply(_) => f64::INFINITY,
        }
    }

    #[inline]
    fn apply<F: Facts>(&self, plies: f64, flags: Flags, facts: &F) -> f64 {
        match self {
            Self::None => plies,
            Self::Add(amount) => Binary::Add.apply(plies, amount.value(flags, facts)),
            Self::Set(amount) => amount.value(flags, facts),
            Self::Multiply(amount) => Binary::Multiply.apply(plies, amount.value(flags, facts)),
        }
    }
}

/// What a rule made of a reduction.
enum Outcome {
    /// Nothing: its condition does not hold.
    Idle,
    /// Its condition holds.
    Held(f64),
    /// Its condition does not hold, and it has an effect for that.
    Otherwise(f64),
}

impl CompiledRule {
    /// The constant that it adds, when that is all it ever does.
    fn only_adds(&self) -> Option<f64> {
        let CompiledEffect::Add(CompiledNumber::Constant(add)) = self.effect else {
            return None;
        };
        let nothing_else =
            matches!(self.otherwise, CompiledEffect::None) && self.cap.is_none() && !self.stop;
        nothing_else.then_some(add)
    }

    #[inline]
    fn apply<F: Facts>(&self, plies: f64, flags: Flags, facts: &F) -> Outcome {
        if self.when.holds(flags, facts) {
            let after = self.effect.apply(plies, flags, facts);
            return Outcome::Held(match &self.cap {
                Some(cap) => after.min(cap.value(flags, facts)),
                None => after,
            });
        }
        match &self.otherwise {
            CompiledEffect::None => Outcome::Idle,
            effect => Outcome::Otherwise(effect.apply(plies, flags, facts)),
        }
    }
}

/// A move, and the reduction so far.
struct InRule<'f, F> {
    facts: &'f F,
    so_far: f64,
}

impl<F: Facts> Facts for InRule<'_, F> {
    #[inline]
    fn flags(&self) -> Flags {
        self.facts.flags()
    }

    #[inline]
    fn boolean(&self, fact: Fact) -> bool {
        self.facts.boolean(fact)
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        if fact == Fact::SoFar {
            self.so_far
        } else {
            self.facts.number(fact)
        }
    }
}
