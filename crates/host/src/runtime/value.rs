//! A compiled expression: a tree of operations, each in the cheapest form that fits.
//!
//! What depends on one or two counting facts alone is a table. Most published schemes are a function of the depth and of a
//! move number, often with logarithms. What depends on few conditions alone is a table, too: the interactions of up to three
//! of eight flags are a sum of 92 products.

use std::cell::Cell;
use std::sync::Arc;

use crate::runtime::arithmetic::{Binary, Unary, truth};
use crate::runtime::expression::{Expression, Grid, Interval};
use crate::runtime::facts::{CATALOGUE, Cost, Fact, FactSet, Facts, Flags, Kind};
use crate::runtime::values::Values;

/// An amount is split by at most this number of flags. Each flag doubles the number of parts.
const MOST_FLAGS: u32 = 3;
/// The most conditions of a table of conditions. Each doubles the number of values.
const MOST_CONDITIONS: usize = 8;
/// The least weight of an expression that becomes a table, and for each condition of a table of conditions. With less, a table
/// would not be faster.
const LEAST_WEIGHT: usize = 3;
const LEAST_WEIGHT_OF_CONDITION: usize = 4;
/// The number of values of a counting fact that have a cell: 0 to 63.
const SIDE: usize = 64;
/// The most cells of all tables of a policy: 8 MiB.
const MOST_CELLS: usize = 1 << 20;

/// The move for which a value is computed.
pub(crate) struct Move<'f, F> {
    pub(crate) flags: Flags,
    pub(crate) facts: &'f F,
    /// The reduction so far; 0 outside the rules.
    pub(crate) so_far: f64,
}

/// A number or a condition, ready to be computed.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Constant(f64),
    SoFar,
    Number(Fact),
    /// One fact and an operation with a constant.
    OfFact {
        fact: Fact,
        negated: bool,
        operation: Binary,
        constant: f64,
    },
    /// The first when the flag is false, the second when it is true.
    ByFlag(Flags, Box<[Self; 2]>),
    Lookup(Box<Lookup>),
    Conditions(Box<Conditions>),
    Unary(Unary, Box<Self>),
    Binary(Binary, Box<[Self; 2]>),
    /// The right operand is constant.
    WithConstant(Binary, Box<Self>, f64),
    If(Box<[Self; 3]>),
    Steps(Box<Self>, Box<[(Self, Self)]>),
    Table(Arc<Grid>, Box<[Self; 2]>),
    /// Flags, and those of them that must be set.
    Flags(Flags, Flags),
    /// A boolean that is not a flag, and its wanted value.
    Boolean(Fact, bool),
    Within(Interval),
    /// Holds when all of the tests hold (true), or when not all of them hold (false).
    All(Box<[Self]>, bool),
    /// Holds when at least one of the tests holds (true), or when none holds (false).
    Any(Box<[Self]>, bool),
}

impl Value {
    /// The number, or 1 and 0 for true and false.
    #[inline]
    pub(crate) fn value<F: Facts>(&self, of: &Move<'_, F>) -> f64 {
        let mut value = self;
        while let Self::ByFlag(flag, forms) = value {
            value = &forms[usize::from(of.flags.contains(*flag))];
        }
        match value {
            Self::Constant(value) => *value,
            Self::Lookup(lookup) => match lookup.value(of.facts) {
                Some(value) => value,
                None => lookup.otherwise.computed(of),
            },
            Self::OfFact {
                fact,
                negated,
                operation,
                constant,
            } => {
                let x = of.facts.number(*fact);
                operation.apply(if *negated { -x } else { x }, *constant)
            }
            other => other.computed(of),
        }
    }

    /// [`Value::value`] of everything. A function of its own, because recursion cannot be inlined.
    fn computed<F: Facts>(&self, of: &Move<'_, F>) -> f64 {
        match self {
            Self::SoFar => of.so_far,
            Self::Number(fact) => of.facts.number(*fact),
            Self::Conditions(table) => table.value(of),
            Self::Unary(operation, x) => operation.apply(x.value(of)),
            Self::Binary(operation, sides) => operation.apply(sides[0].value(of), sides[1].value(of)),
            Self::WithConstant(operation, x, y) => operation.apply(x.value(of), *y),
            Self::If(parts) => parts[if parts[0].holds(of) { 1 } else { 2 }].value(of),
            Self::Steps(x, steps) => {
                let x = x.value(of);
                let reached = steps.iter().rev().find(|(threshold, _)| x >= threshold.value(of));
                reached.map_or(0.0, |(_, value)| value.value(of))
            }
            Self::Table(grid, place) => grid.at(place[0].value(of), place[1].value(of)),
            Self::Flags(..) | Self::Boolean(..) | Self::Within(_) | Self::All(..) | Self::Any(..) => {
                truth(self.holds(of))
            }
            Self::Constant(_) | Self::OfFact { .. } | Self::ByFlag(..) | Self::Lookup(_) => self.value(of),
        }
    }

    /// Whether a condition holds.
    #[inline]
    pub(crate) fn holds<F: Facts>(&self, of: &Move<'_, F>) -> bool {
        match self {
            Self::Within(interval) => interval.contains(of.facts.number(interval.fact)),
            Self::Boolean(fact, wanted) => of.facts.boolean(*fact) == *wanted,
            Self::Flags(mask, wanted) => of.flags.matches(*mask, *wanted),
            other => other.compound_holds(of),
        }
    }

    fn compound_holds<F: Facts>(&self, of: &Move<'_, F>) -> bool {
        match self {
            Self::All(tests, wanted) => tests.iter().all(|test| test.holds(of)) == *wanted,
            Self::Any(tests, wanted) => tests.iter().any(|test| test.holds(of)) == *wanted,
            Self::Within(_) | Self::Boolean(..) | Self::Flags(..) => self.holds(of),
            number => number.value(of) != 0.0,
        }
    }

    /// The constant, when it is one.
    pub(crate) fn constant(&self) -> Option<f64> {
        match self {
            Self::Constant(value) => Some(*value),
            _ => None,
        }
    }
}

/// Turns folded expressions into values.
pub(crate) struct Compiler {
    /// The cells that tables may still have. Without cells an expression is computed.
    cells_left: Cell<usize>,
}

impl Compiler {
    /// A compiler for one policy.
    pub(crate) fn new() -> Self {
        let cells_left = Cell::new(MOST_CELLS);
        Self { cells_left }
    }

    /// A compiler that makes no tables.
    fn without_tables() -> Self {
        let cells_left = Cell::new(0);
        Self { cells_left }
    }

    /// A number that a rule or `reduce` asks for.
    pub(crate) fn amount(&self, number: &Expression) -> Value {
        self.split(number, MOST_FLAGS)
    }

    fn split(&self, number: &Expression, flags_left: u32) -> Value {
        if let Some(lookup) = Lookup::new(number, self) {
            return Value::Lookup(Box::new(lookup));
        }
        if let Some(value) = simple(number) {
            return value;
        }
        match number.facts().iter().find(|fact| fact.is_flag()) {
            Some(flag) if flags_left > 0 => {
                let form = |value| {
                    let assumed =
                        |part: &Expression| (*part == Expression::Fact(flag)).then_some(Expression::Constant(value));
                    self.split(&number.given(&assumed), flags_left - 1)
                };
                Value::ByFlag(flag.into(), Box::new([form(0.0), form(1.0)]))
            }
            _ => self.value(number),
        }
    }

    /// Any folded expression.
    pub(crate) fn value(&self, expression: &Expression) -> Value {
        if expression.kind() == Some(Kind::Boolean) {
            return self.condition(expression, true);
        }
        if self.cells_left.get() > 0 {
            let lookup = || Lookup::new(expression, self).map(|lookup| Value::Lookup(Box::new(lookup)));
            let conditions = || Conditions::new(expression, self).map(|table| Value::Conditions(Box::new(table)));
            let is_worth_it = expression.weight() >= LEAST_WEIGHT;
            if let Some(table) = is_worth_it.then(lookup).flatten().or_else(conditions) {
                return table;
            }
        }
        if let Some(value) = simple(expression) {
            return value;
        }
        self.operation(expression)
    }

    /// An operation on other expressions.
    fn operation(&self, expression: &Expression) -> Value {
        let boxed = |part: &Expression| Box::new(self.value(part));
        match expression {
            Expression::Unary(operation, x) => Value::Unary(*operation, boxed(x)),
            Expression::Binary(operation, x, y) => match **y {
                Expression::Constant(y) => Value::WithConstant(*operation, boxed(x), y),
                _ => Value::Binary(*operation, Box::new([self.value(x), self.value(y)])),
            },
            Expression::If(parts) => Value::If(Box::new(parts.each_ref().map(|part| self.value(part)))),
            Expression::Steps(x, steps) => {
                let steps = steps.iter().map(|(at, value)| (self.value(at), self.value(value)));
                Value::Steps(boxed(x), steps.collect())
            }
            Expression::Table(grid, place) => {
                let place = place.each_ref().map(|part| self.value(part));
                Value::Table(Arc::clone(grid), Box::new(place))
            }
            // The other kinds are simple, or conditions.
            _ => Value::Constant(0.0),
        }
    }

    /// A test that holds when the condition has this value.
    pub(crate) fn condition(&self, term: &Expression, wanted: bool) -> Value {
        let tests = |terms: &[Expression]| terms.iter().map(|term| self.condition(term, true)).collect();
        if let Some((mask, flags)) = flags_of(term, wanted) {
            return Value::Flags(mask, flags);
        }
        match term {
            Expression::Constant(value) => Value::Constant(truth((*value != 0.0) == wanted)),
            Expression::Fact(fact) => Value::Boolean(*fact, wanted),
            Expression::Unary(Unary::Not, x) => self.condition(x, !wanted),
            Expression::And(terms) => Value::All(tests(terms), wanted),
            Expression::Or(terms) => Value::Any(tests(terms), wanted),
            term if !wanted => Value::All(Box::new([self.condition(term, true)]), false),
            term => match Interval::of(term).filter(|interval| !interval.fact.is_of_rules()) {
                Some(interval) => Value::Within(interval),
                None => self.operation(term),
            },
        }
    }

    /// Takes cells; false when too few are left.
    fn takes_cells(&self, count: usize) -> bool {
        let left = self.cells_left.get().checked_sub(count);
        self.cells_left.set(left.unwrap_or(self.cells_left.get()));
        left.is_some()
    }
}

/// A constant, a fact, or a fact or its negation with a constant on its right.
fn simple(number: &Expression) -> Option<Value> {
    let of_fact = |inner: &Expression, operation, constant| {
        let (fact, negated) = match inner {
            Expression::Fact(fact) => (*fact, false),
            Expression::Unary(Unary::Negate, x) => match **x {
                Expression::Fact(fact) => (fact, true),
                _ => return None,
            },
            _ => return None,
        };
        (!fact.is_of_rules() && !fact.is_boolean()).then_some(Value::OfFact {
            fact,
            negated,
            operation,
            constant,
        })
    };
    match number {
        Expression::Constant(value) => Some(Value::Constant(*value)),
        // Folding has replaced parameters by their values.
        Expression::Parameter(_) => Some(Value::Constant(0.0)),
        Expression::Fact(fact) if fact.is_of_rules() => Some(Value::SoFar),
        Expression::Fact(fact) => Some(Value::Number(*fact)),
        Expression::Binary(operation, x, y) => match **y {
            Expression::Constant(y) => of_fact(x, *operation, y),
            _ => None,
        },
        Expression::Unary(Unary::Negate, _) => of_fact(number, Binary::Multiply, 1.0),
        _ => None,
    }
}

/// The mask and the wanted values of flags that a condition tests, when it has this value; `None` when it tests anything else.
fn flags_of(term: &Expression, value: bool) -> Option<(Flags, Flags)> {
    let terms = match term {
        Expression::And(terms) if value => terms.as_slice(),
        _ => std::slice::from_ref(term),
    };
    let (mut mask, mut wanted) = (Flags::NONE, Flags::NONE);
    for term in terms {
        let (fact, positive) = flag(term)?;
        let positive = positive == value;
        if mask.has(fact) && wanted.has(fact) != positive {
            return None;
        }
        mask = mask.with(fact, true);
        wanted = wanted.with(fact, positive);
    }
    Some((mask, wanted))
}

/// A flag and its wanted value, when the term is a flag or its negation.
pub(crate) fn flag(term: &Expression) -> Option<(Fact, bool)> {
    term.literal().filter(|(fact, _)| fact.is_flag())
}

/// The values of a function of one or two counting facts.
#[derive(Debug, Clone)]
pub(crate) struct Lookup {
    row: Fact,
    /// The same as `row` when the function has only one argument.
    column: Fact,
    cells: Arc<[f64]>,
    /// What computes the values outside the table.
    otherwise: Value,
}

impl Lookup {
    /// Tabulates a folded number; `None` unless it depends on one or two counting facts and on nothing else.
    fn new(number: &Expression, compiler: &Compiler) -> Option<Self> {
        let facts = number.facts();
        let mut all = facts.iter();
        let row = all.next()?;
        let column = all.next();
        let counts = !facts.has_own() && row.counts() && column.is_none_or(Fact::counts);
        let columns = if column.is_some() { SIDE } else { 1 };
        if !counts || all.next().is_some() || !compiler.takes_cells(SIDE * columns) {
            return None;
        }
        let otherwise = Compiler::without_tables().value(number);
        let mut facts = Values::default();
        let cells = (0..SIDE * columns).map(|index| {
            facts.set_number(row, (index / columns) as f64);
            if let Some(column) = column {
                facts.set_number(column, (index % columns) as f64);
            }
            otherwise.value(&Move {
                flags: Flags::NONE,
                facts: &facts,
                so_far: 0.0,
            })
        });
        Some(Self {
            row,
            column: column.unwrap_or(row),
            cells: cells.collect(),
            otherwise,
        })
    }

    /// The function's value for a move; `None` outside the table.
    #[inline]
    fn value<F: Facts>(&self, facts: &F) -> Option<f64> {
        let row = index(count(self.row, facts))?;
        let place = match self.row == self.column {
            true => row,
            false => row * SIDE + index(count(self.column, facts))?,
        };
        self.cells.get(place).copied()
    }
}

/// A counting fact. The most frequent ones are constants here, so that the compiler can inline the calls that read
/// them.
#[inline]
fn count<F: Facts>(fact: Fact, facts: &F) -> f64 {
    match fact {
        Fact::Depth => facts.number(Fact::Depth),
        Fact::MoveNumber => facts.number(Fact::MoveNumber),
        Fact::MovesSearched => facts.number(Fact::MovesSearched),
        other => facts.number(other),
    }
}

/// The index of a number; `None` when it has no cell.
#[inline]
fn index(value: f64) -> Option<usize> {
    let index = value as usize;
    (index < SIDE && index as f64 == value).then_some(index)
}

/// A number for each combination of a few conditions.
#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    flags: Box<[Flags]>,
    others: Box<[Value]>,
    /// By the flags, then the other conditions, each a bit of the place.
    values: Arc<[f64]>,
}

impl Conditions {
    /// Tabulates a folded number; `None` unless it depends on few conditions and costs more than a table lookup. All
    /// conditions are computed then, so they must read free facts only.
    fn new(number: &Expression, compiler: &Compiler) -> Option<Self> {
        let mut conditions = Vec::new();
        conditions_of(number, &mut conditions)?;
        if conditions.is_empty() || number.weight() < LEAST_WEIGHT_OF_CONDITION * conditions.len() {
            return None;
        }
        if !compiler.takes_cells(1 << conditions.len()) {
            return None;
        }
        conditions.sort_by_key(|condition| flag(condition).is_none());
        // Each condition becomes a flag, so that the flags are the place of the value.
        let place = |part: &Expression| conditions.iter().position(|condition| *condition == part);
        let with_flags = number.given(&|part| Some(Expression::Fact(CATALOGUE.get(place(part)?)?.fact)));
        let value = Compiler::without_tables().value(&with_flags);
        let nothing = Values::default();
        let values = (0..1 << conditions.len()).map(|place| {
            value.value(&Move {
                flags: Flags::from_bits(place),
                facts: &nothing,
                so_far: 0.0,
            })
        });
        let flags = conditions.iter().filter_map(|condition| flag(condition));
        let others = conditions.iter().filter(|condition| flag(condition).is_none());
        Some(Self {
            flags: flags.map(|(fact, _)| fact.into()).collect(),
            others: others.map(|condition| compiler.condition(condition, true)).collect(),
            values: values.collect(),
        })
    }

    fn value<F: Facts>(&self, of: &Move<'_, F>) -> f64 {
        let (mut place, mut bit) = (0, 1);
        for flag in &self.flags {
            place += if of.flags.contains(*flag) { bit } else { 0 };
            bit <<= 1;
        }
        for condition in &self.others {
            place += if condition.holds(of) { bit } else { 0 };
            bit <<= 1;
        }
        self.values.get(place).copied().unwrap_or(0.0)
    }
}

/// Adds the conditions of an expression, without their negations; `None` when it reads anything else, or has too many.
fn conditions_of<'e>(expression: &'e Expression, conditions: &mut Vec<&'e Expression>) -> Option<()> {
    match expression {
        Expression::Parameter(_) => None,
        Expression::Fact(fact) if !fact.is_boolean() => None,
        Expression::Binary(operation, x, _) if operation.compares() && x.kind() == Some(Kind::Number) => {
            add_condition(expression, conditions)
        }
        Expression::Fact(_) => add_condition(expression, conditions),
        _ => {
            let mut all = Some(());
            expression.for_each_part(&mut |part| {
                all = all.and_then(|()| conditions_of(part, conditions));
            });
            all
        }
    }
}

fn add_condition<'e>(condition: &'e Expression, conditions: &mut Vec<&'e Expression>) -> Option<()> {
    if !conditions.contains(&condition) {
        let is_free = |facts: FactSet| facts.iter().all(|fact| fact.info().cost == Cost::Free);
        conditions.push(condition);
        return (is_free(condition.facts()) && conditions.len() <= MOST_CONDITIONS).then_some(());
    }
    Some(())
}
