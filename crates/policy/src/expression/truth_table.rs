//! A table of the values of an expression that depends on few conditions alone.
//!
//! The interactions of up to three of eight flags are a sum of 92 products. For each combination of the flags the value
//! is computed once, when the policy is compiled.

use super::arithmetic::step;
use super::lookup_table::weight;
use super::typed_tree::{Boolean, Number};
use crate::facts::{Cost, FactSet};

/// The most conditions. Each doubles the number of values.
const MOST: usize = 8;

/// The least weight of an expression for each of its conditions. With less, a table lookup would not be faster.
const LEAST_WEIGHT: usize = 4;

/// The conditions on which an expression depends, and its value for each combination of them.
#[derive(Debug)]
pub(super) struct TruthTable<'n> {
    /// Flags first.
    pub(super) conditions: Vec<&'n Boolean>,
    /// A condition adds 1, 2, 4 and so on to the place of the value when it holds.
    pub(super) values: Box<[f64]>,
}

impl<'n> TruthTable<'n> {
    /// Tabulates a folded expression; `None` unless it depends on few conditions and costs more than a table lookup.
    /// All conditions are computed then, so they must read free facts only.
    pub(super) fn new(number: &'n Number) -> Option<Self> {
        let mut conditions = Vec::new();
        of_number(number, &mut conditions)?;
        if conditions.is_empty() || weight(number) < LEAST_WEIGHT * conditions.len() {
            return None;
        }
        conditions.sort_by_key(|condition| !is_flag(condition));
        let values = (0..1 << conditions.len()).map(|place| {
            let combination = Combination {
                conditions: &conditions,
                place,
            };
            combination.number(number)
        });
        Some(Self {
            values: values.collect(),
            conditions,
        })
    }
}

/// Whether a condition is one of the flags of a move.
pub(super) fn is_flag(condition: &Boolean) -> bool {
    matches!(condition, Boolean::Fact(fact) if fact.is_flag())
}

/// Adds the conditions of an expression; `None` when it reads anything else, or has too many.
fn of_number<'n>(number: &'n Number, conditions: &mut Vec<&'n Boolean>) -> Option<()> {
    match number {
        Number::Constant(_) => Some(()),
        Number::Fact(_) | Number::Own(_) | Number::Parameter(_) => None,
        Number::Unary(_, x) => of_number(x, conditions),
        Number::Binary(_, x, y) | Number::Table(_, x, y) => {
            of_number(x, conditions)?;
            of_number(y, conditions)
        }
        Number::If(condition, x, y) => {
            of_boolean(condition, conditions)?;
            of_number(x, conditions)?;
            of_number(y, conditions)
        }
        Number::Steps(x, steps) => {
            of_number(x, conditions)?;
            steps.iter().try_for_each(|(at, value)| {
                of_number(at, conditions)?;
                of_number(value, conditions)
            })
        }
    }
}

fn of_boolean<'n>(boolean: &'n Boolean, conditions: &mut Vec<&'n Boolean>) -> Option<()> {
    match boolean {
        Boolean::Constant(_) => Some(()),
        Boolean::Own(_) => None,
        Boolean::Not(x) => of_boolean(x, conditions),
        Boolean::And(terms) | Boolean::Or(terms) => terms.iter().try_for_each(|term| of_boolean(term, conditions)),
        Boolean::Same(x, y) => {
            of_boolean(x, conditions)?;
            of_boolean(y, conditions)
        }
        Boolean::If(condition, x, y) => {
            of_boolean(condition, conditions)?;
            of_boolean(x, conditions)?;
            of_boolean(y, conditions)
        }
        Boolean::Fact(_) | Boolean::Compare(..) => {
            if conditions.contains(&boolean) {
                return Some(());
            }
            let mut facts = FactSet::default();
            boolean.collect_facts(&mut facts);
            let is_free = facts.iter().all(|fact| fact.info().cost == Cost::Free);
            conditions.push(boolean);
            (is_free && conditions.len() <= MOST).then_some(())
        }
    }
}

/// A combination of conditions that hold.
struct Combination<'c> {
    conditions: &'c [&'c Boolean],
    place: usize,
}

impl Combination<'_> {
    fn number(&self, number: &Number) -> f64 {
        match number {
            Number::Constant(value) => *value,
            Number::Fact(_) | Number::Own(_) | Number::Parameter(_) => 0.0,
            Number::Unary(operation, x) => operation.apply(self.number(x)),
            Number::Binary(operation, x, y) => operation.apply(self.number(x), self.number(y)),
            Number::If(condition, x, y) => match self.boolean(condition) {
                true => self.number(x),
                false => self.number(y),
            },
            Number::Steps(x, steps) => {
                let steps: Vec<_> = (steps.iter())
                    .map(|(at, value)| (self.number(at), self.number(value)))
                    .collect();
                step(self.number(x), &steps)
            }
            Number::Table(grid, row, column) => grid.at(self.number(row), self.number(column)),
        }
    }

    fn boolean(&self, boolean: &Boolean) -> bool {
        match boolean {
            Boolean::Constant(value) => *value,
            Boolean::Own(_) => false,
            Boolean::Not(x) => !self.boolean(x),
            Boolean::And(terms) => terms.iter().all(|term| self.boolean(term)),
            Boolean::Or(terms) => terms.iter().any(|term| self.boolean(term)),
            Boolean::Same(x, y) => self.boolean(x) == self.boolean(y),
            Boolean::If(condition, x, y) => match self.boolean(condition) {
                true => self.boolean(x),
                false => self.boolean(y),
            },
            Boolean::Fact(_) | Boolean::Compare(..) => {
                let index = self.conditions.iter().position(|condition| *condition == boolean);
                index.is_some_and(|index| self.place >> index & 1 != 0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::parser::parse;
    use crate::expression::scope::Scope;
    use crate::expression::type_checker::Checker;
    use crate::facts::Fact;

    fn folded(text: &str) -> Number {
        let syntax = parse(text, &mut Vec::new()).unwrap();
        let number = Checker::new(text, &Scope::default()).number(&syntax, "a test");
        number.unwrap().fold(&[])
    }

    #[test]
    fn an_expression_of_few_conditions_has_a_value_for_each_combination() {
        let number =
            folded("dot([1, 10, 100], [depth > 3, pv, cut]) + dot([0.5, 0.25], [pv and cut, depth > 3 or cut])");
        let table = TruthTable::new(&number).unwrap();
        // The flags come first: pv, cut, depth > 3.
        assert_eq!(
            table.conditions[..2],
            [&Boolean::Fact(Fact::Pv), &Boolean::Fact(Fact::Cut)]
        );
        assert_eq!(*table.values, [0.0, 10.0, 100.25, 110.75, 1.25, 11.25, 101.25, 111.75]);
    }

    #[test]
    fn other_expressions_are_computed() {
        let sum = |conditions: &[&str]| {
            let terms = conditions
                .iter()
                .map(|condition| format!("if({condition}, 1, 2) * if({condition}, 3, 5)"));
            TruthTable::new(&folded(&terms.collect::<Vec<_>>().join(" + "))).is_some()
        };
        let flags = ["pv", "cut", "all", "quiet", "capture", "castling", "killer", "root"];
        assert!(sum(&flags) && sum(&["tt_depth >= depth", "pv"]));
        assert!(!sum(&["king_zone", "pv"]), "a fact that is not free");
        assert!(!sum(&[flags.as_slice(), &["tt_hit"]].concat()), "nine conditions");
        for (text, reason) in [
            ("if(pv, depth, 2) + if(cut, 3, 4)", "a number"),
            ("if(pv, 1, 2)", "it is cheap"),
        ] {
            assert!(TruthTable::new(&folded(text)).is_none(), "{reason}");
        }
    }
}
