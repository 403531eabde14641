//! An expression as postfix words.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::expression::arithmetic::Unary;
use crate::expression::function::{binary_word, unary_word};
use crate::expression::parser::symbol;
use crate::expression::typed_tree::{Boolean, Grid, Number};
use crate::own_facts::OwnFacts;
use crate::parameter::Parameter;

use super::decimal;

/// The names that an expression may mention besides the catalogue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'p> {
    pub(super) parameters: &'p [Parameter],
    pub(super) own: &'p OwnFacts,
}

/// The words of one expression.
#[derive(Debug)]
pub(super) struct Code<'p> {
    names: Names<'p>,
    pub(super) words: Vec<String>,
    /// The height of the stack here, and its greatest height.
    height: usize,
    pub(super) slots: usize,
    /// The table that the expression reads.
    pub(super) grid: Option<Arc<Grid>>,
    /// The facts of another engine that the expression reads.
    pub(super) own: BTreeSet<&'p str>,
    /// Whether it has a natural logarithm, and a logarithm to base 2.
    pub(super) ln: bool,
    pub(super) log2: bool,
}

impl<'p> Code<'p> {
    fn new(names: Names<'p>) -> Self {
        Self {
            names,
            words: Vec::new(),
            height: 0,
            slots: 0,
            grid: None,
            own: BTreeSet::new(),
            ln: false,
            log2: false,
        }
    }

    /// The words of a normalised number.
    pub(super) fn of_number(number: &Number, names: Names<'p>) -> Self {
        let mut code = Self::new(names);
        code.number(number);
        code
    }

    /// The words of a normalised boolean.
    pub(super) fn of_boolean(boolean: &Boolean, names: Names<'p>) -> Self {
        let mut code = Self::new(names);
        code.boolean(boolean);
        code
    }

    fn push(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
        self.height += 1;
        self.slots = self.slots.max(self.height);
    }

    /// A word that leaves the stack as high as it is.
    fn keep(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    /// A word that leaves the stack one lower.
    fn pop(&mut self, word: &str) {
        self.keep(word);
        self.height -= 1;
    }

    /// Appends a jump; [`Code::land`] writes its length.
    fn jump(&mut self, kind: char) -> usize {
        self.words.push(kind.to_string());
        if kind != ':' {
            self.height -= 1;
        }
        self.words.len() - 1
    }

    /// Lets the jump at `place` lead to here.
    fn land(&mut self, place: usize) {
        let left_out = self.words.len() - 1 - place;
        if let Some(word) = self.words.get_mut(place) {
            word.push_str(&left_out.to_string());
        }
    }

    /// A fact of another engine.
    fn own(&mut self, names: &'p [String], index: usize) {
        let name = names.get(index).map_or("0", String::as_str);
        self.own.insert(name);
        self.push(name);
    }

    fn number(&mut self, number: &Number) {
        match number {
            Number::Constant(value) => self.push(decimal::text(*value)),
            Number::Fact(fact) => self.push(fact.info().name),
            Number::Parameter(index) => match self.names.parameters.get(*index) {
                Some(parameter) => self.push(format!("@{}", parameter.name)),
                None => self.push("0"),
            },
            Number::Own(index) => self.own(&self.names.own.numbers, *index),
            Number::Unary(operation, x) => {
                self.number(x);
                self.ln |= *operation == Unary::NaturalLogarithm;
                self.log2 |= *operation == Unary::BinaryLogarithm;
                self.keep(unary_word(*operation));
            }
            Number::Binary(operation, x, y) => {
                self.number(x);
                self.number(y);
                self.pop(binary_word(*operation));
            }
            Number::If(condition, yes, no) => self.choice(condition, |code| code.number(yes), |code| code.number(no)),
            Number::Steps(x, steps) => self.steps(x, steps),
            Number::Table(grid, row, column) => {
                self.number(row);
                self.number(column);
                self.pop("table");
                self.grid = Some(Arc::clone(grid));
            }
        }
    }

    fn steps(&mut self, x: &Number, steps: &[(Number, Number)]) {
        self.number(x);
        let mut ends = Vec::with_capacity(steps.len());
        for (threshold, value) in steps.iter().rev() {
            self.push("dup");
            self.number(threshold);
            self.pop(">=");
            let next = self.jump('?');
            self.pop("drop");
            self.number(value);
            ends.push(self.jump(':'));
            // When the jump is taken, `x` is on the stack and the value is not.
            self.land(next);
        }
        self.pop("drop");
        self.push("0");
        for end in ends {
            self.land(end);
        }
    }

    fn boolean(&mut self, boolean: &Boolean) {
        match boolean {
            Boolean::Constant(value) => self.push(if *value { "1" } else { "0" }),
            Boolean::Fact(fact) => self.push(fact.info().name),
            Boolean::Own(index) => self.own(&self.names.own.flags, *index),
            Boolean::Not(x) => {
                self.boolean(x);
                self.keep("not");
            }
            Boolean::And(terms) => self.lazy(terms, '&', "1"),
            Boolean::Or(terms) => self.lazy(terms, '|', "0"),
            Boolean::Compare(comparison, x, y) => {
                self.number(x);
                self.number(y);
                self.pop(symbol(*comparison));
            }
            Boolean::Same(x, y) => {
                self.boolean(x);
                self.boolean(y);
                self.pop("==");
            }
            Boolean::If(condition, yes, no) => {
                self.choice(condition, |code| code.boolean(yes), |code| code.boolean(no));
            }
        }
    }

    fn choice(&mut self, condition: &Boolean, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        self.boolean(condition);
        let otherwise = self.jump('?');
        yes(self);
        let end = self.jump(':');
        self.height -= 1;
        self.land(otherwise);
        no(self);
        self.land(end);
    }

    fn lazy(&mut self, terms: &[Boolean], jump: char, empty: &str) {
        let Some((last, rest)) = terms.split_last() else {
            self.push(empty);
            return;
        };
        let mut ends = Vec::with_capacity(rest.len());
        for term in rest {
            self.boolean(term);
            ends.push(self.jump(jump));
        }
        self.boolean(last);
        for end in ends {
            self.land(end);
        }
    }
}
