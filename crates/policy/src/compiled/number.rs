//! A compiled number: a constant, a table, one fact, or a program, whichever is cheapest.

use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::program::{Program, Tabulated};
use crate::expression::typed_tree::Number;
use crate::facts::{Fact, FactSet, Facts, Flags};

/// An expression is split by at most this many flags. Each flag doubles the number of parts.
const MOST_FLAGS: u32 = 3;

/// A number of plies, ready to be computed.
#[derive(Debug, Clone)]
pub(crate) enum CompiledNumber {
    Constant(f64),
    Tabulated(Tabulated),
    /// One fact and at most one operation with a constant.
    OfFact {
        fact: Fact,
        negated: bool,
        then: Option<(Binary, f64)>,
    },
    /// One number for when the flag is false, one for when it is true.
    ByFlag(Flags, Box<[Self; 2]>),
    Program(Program),
}

impl CompiledNumber {
    /// Compiles a folded number.
    pub(crate) fn compile(number: &Number) -> Self {
        Self::split(number, MOST_FLAGS)
    }

    fn split(number: &Number, flags_left: u32) -> Self {
        if let Number::Constant(value) = number {
            return Self::Constant(*value);
        }
        if let Some(table) = Tabulated::new(number) {
            return Self::Tabulated(table);
        }
        if let Some(amount) = Self::of_fact(number) {
            return amount;
        }
        let mut facts = FactSet::default();
        number.collect_facts(&mut facts);
        let flag = facts.iter().find(|fact| fact.is_flag());
        match flag {
            Some(flag) if flags_left > 0 => {
                let form = |value| Self::split(&number.assuming(flag, value), flags_left - 1);
                Self::ByFlag(flag.into(), Box::new([form(false), form(true)]))
            }
            _ => Self::Program(Program::of_number(number)),
        }
    }

    /// A fact, or its negation, alone or with a constant on its right.
    fn of_fact(number: &Number) -> Option<Self> {
        let (inner, then) = match number {
            Number::Binary(operation, x, y) => match &**y {
                Number::Constant(y) => (&**x, Some((*operation, *y))),
                _ => return None,
            },
            number => (number, None),
        };
        let (fact, negated) = match inner {
            Number::Fact(fact) => (*fact, false),
            Number::Unary(Unary::Negate, x) => match **x {
                Number::Fact(fact) => (fact, true),
                _ => return None,
            },
            _ => return None,
        };
        Some(Self::OfFact { fact, negated, then })
    }

    /// The number of plies for a move.
    #[inline]
    pub(crate) fn value<F: Facts>(&self, flags: Flags, facts: &F) -> f64 {
        let mut amount = self;
        while let Self::ByFlag(flag, forms) = amount {
            amount = &forms[usize::from(flags.contains(*flag))];
        }
        match amount {
            Self::Constant(value) => *value,
            Self::Tabulated(table) => table.value(flags, facts),
            Self::OfFact { fact, negated, then } => {
                let value = facts.number(*fact);
                let value = if *negated { Unary::Negate.apply(value) } else { value };
                match then {
                    Some((operation, constant)) => operation.apply(value, *constant),
                    None => value,
                }
            }
            Self::Program(program) => program.number(flags, facts),
            // The loop above has resolved it.
            Self::ByFlag(..) => 0.0,
        }
    }
}
