//! Programs: compiled expressions that a search runs.
//!
//! A program is a list of operations on a stack of numbers; booleans are 0 and 1. The top of the stack is in a variable of
//! its own. A program does not allocate, and it asks for a fact only when it needs it: `and`, `or`, `if` and `steps` jump.

use std::sync::Arc;

use super::arithmetic::{Binary, Comparison, Unary, step};
use super::fold::constant_steps;
use super::interval::Interval;
use super::lookup_table::{LookupTable, is_worth_a_table};
use super::truth_table::{TruthTable, is_flag};
use super::typed_tree::{Boolean, Grid, Number};
use crate::facts::{Fact, Facts, Flags};

/// Enough stack slots for nearly every program.
const FEW_SLOTS: usize = 8;
/// Enough stack slots for every program. A tree has one pending operand a level. Its height is at most that of the syntax
/// tree (256) plus 6 levels for each of 64 nested calls, because 64 arguments are paired up to 6 levels.
const MANY_SLOTS: usize = 1024;

#[derive(Debug, Clone)]
enum Operation {
    /// Pushes a number.
    Constant(f64),
    /// Pushes a numeric fact.
    Number(Fact),
    /// Pushes a function of counting facts.
    Tabulated(Tabulated),
    /// Pushes a function of few conditions.
    Combined(Box<Combined>),
    /// Pushes a boolean fact that is a flag.
    Flag(Flags),
    /// Pushes a boolean fact that is not a flag.
    Boolean(Fact),
    /// Pushes a flag that the policy declares.
    OwnFlag(usize),
    /// Pushes a number that the policy declares.
    OwnNumber(usize),
    /// Pushes whether a numeric fact lies in an interval.
    Within(Interval),
    /// Replaces the top.
    Unary(Unary),
    /// Replaces the top and the one below it.
    Binary(Binary),
    /// Replaces the top, the right operand being constant.
    BinaryConstant(Binary, f64),
    /// Replaces the top, the left operand being constant.
    ConstantBinary(f64, Binary),
    /// Replaces the top two by the result of the comparison.
    Compare(Comparison),
    /// Replaces the top by its negation.
    Not,
    /// Replaces the top by its value on these steps.
    Steps(Box<[(f64, f64)]>),
    /// Replaces row and column by their cell.
    Table(Arc<Grid>),
    /// Drops the top.
    Drop,
    /// Jumps when the top is false, and drops it otherwise.
    AndThen(u32),
    /// Jumps when the top is true, and drops it otherwise.
    OrElse(u32),
    /// Drops the top, and jumps when it was false.
    Unless(u32),
    /// Jumps when the top is below the threshold, and drops it otherwise.
    Below(f64, u32),
    /// Jumps.
    Jump(u32),
}

/// A compiled expression.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    operations: Box<[Operation]>,
    slots: usize,
}

impl Program {
    /// Compiles a folded number.
    pub(crate) fn of_number(number: &Number) -> Self {
        let mut compiler = Compiler {
            tabulates: true,
            ..Compiler::default()
        };
        compiler.number(number);
        compiler.finish()
    }

    /// Compiles a folded number without lookup tables.
    fn untabulated(number: &Number) -> Self {
        let mut compiler = Compiler::default();
        compiler.number(number);
        compiler.finish()
    }

    /// Compiles a folded boolean.
    pub(crate) fn of_boolean(boolean: &Boolean) -> Self {
        let mut compiler = Compiler {
            tabulates: true,
            ..Compiler::default()
        };
        compiler.boolean(boolean);
        compiler.finish()
    }

    /// The value of a program made from a number.
    #[inline]
    pub(crate) fn number<F: Facts>(&self, flags: Flags, facts: &F) -> f64 {
        if self.slots <= FEW_SLOTS {
            self.run::<FEW_SLOTS, F>(flags, facts)
        } else {
            self.run::<MANY_SLOTS, F>(flags, facts)
        }
    }

    /// The truth of a program made from a boolean.
    #[inline]
    pub(crate) fn truth<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        self.number(flags, facts) != 0.0
    }

    fn run<const SLOTS: usize, F: Facts>(&self, flags: Flags, facts: &F) -> f64 {
        let mut stack = [0.0; SLOTS];
        let mut used = 0;
        let mut top = 0.0;
        let mut next = 0;
        // The compiler has counted the slots, so the index is in range. The remainder removes the bounds check.
        macro_rules! push {
            ($value:expr) => {{
                let value = $value;
                stack[used % SLOTS] = top;
                used += 1;
                top = value;
            }};
        }
        macro_rules! pop {
            () => {{
                used -= 1;
                stack[used % SLOTS]
            }};
        }
        while let Some(operation) = self.operations.get(next) {
            next += 1;
            match operation {
                Operation::Constant(value) => push!(*value),
                Operation::Number(fact) => push!(facts.number(*fact)),
                Operation::Tabulated(table) => push!(table.value(flags, facts)),
                Operation::Combined(combined) => push!(combined.value(flags, facts)),
                Operation::Flag(flag) => push!(number_of(flags.contains(*flag))),
                Operation::Boolean(fact) => push!(number_of(facts.boolean(*fact))),
                Operation::OwnFlag(index) => push!(number_of(facts.own_flag(*index))),
                Operation::OwnNumber(index) => push!(facts.own_number(*index)),
                Operation::Within(interval) => push!(number_of(interval.holds(facts))),
                Operation::Unary(operation) => top = operation.apply(top),
                Operation::Binary(operation) => top = operation.apply(pop!(), top),
                Operation::BinaryConstant(operation, y) => top = operation.apply(top, *y),
                Operation::ConstantBinary(x, operation) => top = operation.apply(*x, top),
                Operation::Compare(comparison) => top = number_of(comparison.holds(pop!(), top)),
                Operation::Not => top = number_of(top == 0.0),
                Operation::Steps(steps) => top = step(top, steps),
                Operation::Table(grid) => top = grid.at(pop!(), top),
                Operation::Drop => top = pop!(),
                Operation::AndThen(target) => {
                    if top == 0.0 {
                        next = *target as usize;
                    } else {
                        top = pop!();
                    }
                }
                Operation::OrElse(target) => {
                    if top == 0.0 {
                        top = pop!();
                    } else {
                        next = *target as usize;
                    }
                }
                Operation::Unless(target) => {
                    if top == 0.0 {
                        next = *target as usize;
                    }
                    top = pop!();
                }
                Operation::Below(threshold, target) => {
                    if top < *threshold {
                        next = *target as usize;
                    } else {
                        top = pop!();
                    }
                }
                Operation::Jump(target) => next = *target as usize,
            }
        }
        top
    }
}

/// A function of counting facts: looked up inside its table, computed outside it.
#[derive(Debug, Clone)]
pub(crate) struct Tabulated {
    table: LookupTable,
    program: Box<Program>,
}

impl Tabulated {
    /// Tabulates a folded expression; `None` unless it depends on one or two counting facts and on nothing else.
    pub(crate) fn new(number: &Number) -> Option<Self> {
        let arguments = LookupTable::arguments(number)?;
        let program = Program::untabulated(number);
        let table = LookupTable::new(arguments, |cell| program.number(Flags::NONE, cell));
        Some(Self {
            table,
            program: Box::new(program),
        })
    }

    /// The expression's value.
    #[inline]
    pub(crate) fn value<F: Facts>(&self, flags: Flags, facts: &F) -> f64 {
        match self.table.value(facts) {
            Some(value) => value,
            None => self.program.number(flags, facts),
        }
    }

    /// The table.
    #[inline]
    pub(crate) fn table(&self) -> &LookupTable {
        &self.table
    }
}

/// A function of few conditions, looked up.
#[derive(Debug, Clone)]
struct Combined {
    flags: Box<[Flags]>,
    others: Box<[Program]>,
    /// By the flags, then the other conditions, each a bit of the place.
    values: Box<[f64]>,
}

impl Combined {
    fn new(table: TruthTable<'_>) -> Self {
        let flags = table.conditions.iter().filter_map(|condition| match condition {
            Boolean::Fact(fact) if fact.is_flag() => Some(Flags::from(*fact)),
            _ => None,
        });
        let others = table.conditions.iter().filter(|condition| !is_flag(condition));
        Self {
            flags: flags.collect(),
            others: others.map(|condition| Program::of_boolean(condition)).collect(),
            values: table.values,
        }
    }

    fn value<F: Facts>(&self, flags: Flags, facts: &F) -> f64 {
        let (mut place, mut bit) = (0, 1);
        for flag in &self.flags {
            place += if flags.contains(*flag) { bit } else { 0 };
            bit <<= 1;
        }
        for condition in &self.others {
            place += if condition.truth(flags, facts) { bit } else { 0 };
            bit <<= 1;
        }
        self.values.get(place).copied().unwrap_or(0.0)
    }
}

#[inline]
fn number_of(truth: bool) -> f64 {
    f64::from(u8::from(truth))
}

#[derive(Default)]
struct Compiler {
    operations: Vec<Operation>,
    used: usize,
    slots: usize,
    /// Whether functions of counting facts become tables.
    tabulates: bool,
}

impl Compiler {
    fn finish(self) -> Program {
        debug_assert!(self.slots <= MANY_SLOTS && self.used == 1);
        Program {
            operations: self.operations.into(),
            slots: self.slots,
        }
    }

    fn push(&mut self, operation: Operation) {
        self.used += 1;
        self.slots = self.slots.max(self.used);
        self.operations.push(operation);
    }

    /// Emits an operation that leaves the stack one lower.
    fn pop(&mut self, operation: Operation) {
        self.used -= 1;
        self.operations.push(operation);
    }

    fn here(&self) -> u32 {
        self.operations.len() as u32
    }

    /// Sets the target of the jumps at `places` to here.
    fn land(&mut self, places: &[usize]) {
        let here = self.here();
        for place in places {
            if let Some(
                Operation::AndThen(target)
                | Operation::OrElse(target)
                | Operation::Unless(target)
                | Operation::Below(_, target)
                | Operation::Jump(target),
            ) = self.operations.get_mut(*place)
            {
                *target = here;
            }
        }
    }

    /// Emits a jump, which drops the top unless it jumps, and returns its place.
    fn jump(&mut self, operation: Operation) -> usize {
        let place = self.operations.len();
        match operation {
            Operation::Jump(_) => self.operations.push(operation),
            _ => self.pop(operation),
        }
        place
    }

    fn number(&mut self, number: &Number) {
        if self.tabulates
            && is_worth_a_table(number)
            && let Some(table) = Tabulated::new(number)
        {
            self.push(Operation::Tabulated(table));
            return;
        }
        if self.tabulates
            && let Some(table) = TruthTable::new(number)
        {
            self.push(Operation::Combined(Box::new(Combined::new(table))));
            return;
        }
        match number {
            Number::Constant(value) => self.push(Operation::Constant(*value)),
            Number::Fact(fact) => self.push(Operation::Number(*fact)),
            Number::Own(index) => self.push(Operation::OwnNumber(*index)),
            // Folding has replaced parameters by their values.
            Number::Parameter(_) => self.push(Operation::Constant(0.0)),
            Number::Unary(operation, x) => {
                self.number(x);
                self.operations.push(Operation::Unary(*operation));
            }
            Number::Binary(operation, x, y) => match (&**x, &**y) {
                (x, Number::Constant(y)) => {
                    self.number(x);
                    self.operations.push(Operation::BinaryConstant(*operation, *y));
                }
                (Number::Constant(x), y) => {
                    self.number(y);
                    self.operations.push(Operation::ConstantBinary(*x, *operation));
                }
                (x, y) => {
                    self.number(x);
                    self.number(y);
                    self.pop(Operation::Binary(*operation));
                }
            },
            Number::If(condition, yes, no) => {
                self.choice(condition, |it| it.number(yes), |it| it.number(no));
            }
            Number::Steps(x, steps) => self.steps(x, steps),
            Number::Table(grid, row, column) => {
                self.number(row);
                self.number(column);
                self.pop(Operation::Table(Arc::clone(grid)));
            }
        }
    }

    fn steps(&mut self, x: &Number, steps: &[(Number, Number)]) {
        self.number(x);
        if let Some(steps) = constant_steps(steps) {
            self.operations.push(Operation::Steps(steps.into()));
            return;
        }
        let mut ends = Vec::with_capacity(steps.len());
        for (threshold, value) in steps.iter().rev() {
            let threshold = match threshold {
                Number::Constant(threshold) => *threshold,
                // Thresholds hold no facts, so folding has made constants of them.
                _ => 0.0,
            };
            let next = self.jump(Operation::Below(threshold, 0));
            self.number(value);
            ends.push(self.jump(Operation::Jump(0)));
            self.land(&[next]);
            // The jump `next` ends here. The value of `x` is still on the stack.
        }
        self.pop(Operation::Drop);
        self.push(Operation::Constant(0.0));
        self.land(&ends);
    }

    fn boolean(&mut self, boolean: &Boolean) {
        match boolean {
            Boolean::Constant(value) => self.push(Operation::Constant(number_of(*value))),
            Boolean::Fact(fact) if fact.is_flag() => self.push(Operation::Flag((*fact).into())),
            Boolean::Fact(fact) => self.push(Operation::Boolean(*fact)),
            Boolean::Own(index) => self.push(Operation::OwnFlag(*index)),
            Boolean::Not(x) => {
                self.boolean(x);
                self.operations.push(Operation::Not);
            }
            Boolean::And(terms) => self.lazy(terms, Operation::AndThen(0), true),
            Boolean::Or(terms) => self.lazy(terms, Operation::OrElse(0), false),
            Boolean::Compare(comparison, x, y) => {
                if let Some(interval) = Interval::of(boolean) {
                    self.push(Operation::Within(interval));
                    return;
                }
                self.number(x);
                self.number(y);
                self.pop(Operation::Compare(*comparison));
            }
            Boolean::Same(x, y) => {
                self.boolean(x);
                self.boolean(y);
                self.pop(Operation::Compare(Comparison::Equal));
            }
            Boolean::If(condition, yes, no) => {
                self.choice(condition, |it| it.boolean(yes), |it| it.boolean(no));
            }
        }
    }

    fn choice(&mut self, condition: &Boolean, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        self.boolean(condition);
        let otherwise = self.jump(Operation::Unless(0));
        yes(self);
        let end = self.jump(Operation::Jump(0));
        self.used -= 1;
        self.land(&[otherwise]);
        no(self);
        self.land(&[end]);
    }

    fn lazy(&mut self, terms: &[Boolean], jump: Operation, empty: bool) {
        let Some((last, rest)) = terms.split_last() else {
            self.push(Operation::Constant(number_of(empty)));
            return;
        };
        let mut ends = Vec::with_capacity(rest.len());
        for term in rest {
            self.boolean(term);
            ends.push(self.jump(jump.clone()));
        }
        self.boolean(last);
        self.land(&ends);
    }
}
