//! Compiled rules, in the order in which a search applies them.

use super::condition::Condition;
use super::number::CompiledNumber;
use crate::expression::arithmetic::Binary;
use crate::expression::interval::Interval;
use crate::expression::typed_tree::Boolean;
use crate::facts::{Cost, Fact, FactSet, Facts, Flags};
use crate::finish::Finish;

/// A rule that applied to a move.
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
    Rule(CompiledRule),
    Thresholds(Thresholds),
    Bonuses(Box<[Bonus]>),
}

/// Whether the stages after this one are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    Stop,
}

impl Stage {
    /// Appends a rule: as a stage of its own (true), or as a part of the last stage (false).
    pub(crate) fn append(stages: &mut Vec<Self>, rule: CompiledRule, when: &Boolean, read: FactSet) -> bool {
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
            decided_below: f64::NEG_INFINITY,
            expensive: read.iter().any(|fact| fact.info().cost == Cost::Work),
        });
        true
    }

    /// The most that the stage can add to a reduction; infinite unless it adds constants only.
    fn most_added(&self) -> f64 {
        match &self.kind {
            Kind::Thresholds(thresholds) => thresholds.parts.iter().map(|part| part.add.max(0.0)).sum(),
            Kind::Bonuses(bonuses) => bonuses.iter().map(|bonus| bonus.add.max(0.0)).sum(),
            Kind::Rule(rule) => rule.effect.most_added().max(rule.otherwise.most_added()),
        }
    }

    /// Changes the reduction so far. `applied` is called for each rule that changes the reduction or stops.
    #[inline]
    pub(crate) fn apply<F: Facts>(
        &self,
        plies: &mut f64,
        flags: Flags,
        facts: &F,
        applied: &mut impl FnMut(Step),
    ) -> Flow {
        let rule = match &self.kind {
            Kind::Rule(rule) => rule,
            Kind::Thresholds(thresholds) => {
                thresholds.apply(plies, facts, applied);
                return Flow::On;
            }
            Kind::Bonuses(bonuses) => {
                for bonus in bonuses {
                    bonus.apply(plies, flags, applied);
                }
                return Flow::On;
            }
        };
        let before = *plies;
        let outcome = if rule.reads_so_far {
            let facts = InRule { facts, so_far: before };
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
        applied(Step {
            index: rule.index,
            otherwise,
            before,
            after: *plies,
        });
        if rule.stop && !otherwise { Flow::Stop } else { Flow::On }
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

/// Neighbouring rules that each add a constant while the same fact lies between two bounds. The fact is read once.
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
    /// The rule in this form; `None` when it does anything else.
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
    fn apply<F: Facts>(&self, plies: &mut f64, facts: &F, applied: &mut impl FnMut(Step)) {
        let value = facts.number(self.fact);
        for part in &self.parts {
            if part.low <= value && value <= part.high {
                let before = *plies;
                *plies = Binary::Add.apply(before, part.add);
                applied(Step {
                    index: part.index,
                    otherwise: false,
                    before,
                    after: *plies,
                });
            }
        }
    }
}

/// A rule that adds a constant while flags have wanted values. Neighbouring rules of this kind are one stage.
#[derive(Debug, Clone, Copy)]
struct Bonus {
    mask: Flags,
    wanted: Flags,
    add: f64,
    /// The rule's place in the file.
    index: usize,
}

impl Bonus {
    /// The rule in this form; `None` when it does anything else.
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
    fn apply(&self, plies: &mut f64, flags: Flags, applied: &mut impl FnMut(Step)) {
        if flags.matches(self.mask, self.wanted) {
            let before = *plies;
            *plies = Binary::Add.apply(before, self.add);
            applied(Step {
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

/// What a rule did to a reduction.
enum Outcome {
    /// Nothing: its condition does not hold.
    Idle,
    /// Its condition holds.
    Held(f64),
    /// Its condition does not hold, and it has an effect for that.
    Otherwise(f64),
}

impl CompiledRule {
    /// The constant that the rule adds; `None` when it does anything else.
    fn only_adds(&self) -> Option<f64> {
        let CompiledEffect::Add(CompiledNumber::Constant(add)) = self.effect else {
            return None;
        };
        let nothing_else = matches!(self.otherwise, CompiledEffect::None) && self.cap.is_none() && !self.stop;
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

/// The facts about a move, with the reduction so far among them.
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

    #[inline]
    fn own_flag(&self, index: usize) -> bool {
        self.facts.own_flag(index)
    }

    #[inline]
    fn own_number(&self, index: usize) -> f64 {
        self.facts.own_number(index)
    }
}
