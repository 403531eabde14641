//! Programs: checked words with the values of the parameters, made fast.
//!
//! Constants are computed once. A fact and an operation with a constant become one operation. An expression of one or
//! two counting facts becomes a table.

use std::cell::Cell;

use crate::arithmetic::{Binary, Tables, Unary};
use crate::catalogue::FACTS;
use crate::code::{Jump, MAX_STACK, Word};
use crate::values::{Place, Places, SLOTS, Values};

/// Enough stack slots for nearly every program.
const FEW_SLOTS: usize = 8;
/// The number of values of each counting fact that have a cell: 0 to 63.
const SIDE: usize = 64;
/// The most cells of all tables of a policy: 2 MiB.
pub(crate) const MAX_CELLS: usize = 1 << 18;
/// The least weight of an expression that becomes a table. A lighter expression is computed faster.
const LEAST_WEIGHT: u32 = 3;

/// One step of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operation {
    Constant(f64),
    Bit(u64),
    Slot(u8),
    /// A number and an operation with a constant on its right.
    SlotBinary(u8, Binary, f64),
    SoFar,
    Lookup(Box<Lookup>),
    Unary(Unary),
    Binary(Binary),
    /// The right operand is constant.
    BinaryConstant(Binary, f64),
    Table,
    Duplicate,
    Drop,
    Jump(Jump, u32),
}

/// The move for which a program runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move<'v> {
    pub(crate) values: &'v Values,
    /// The reduction so far; 0 outside the rules.
    pub(crate) so_far: f64,
}

/// Turns words into programs.
#[derive(Debug)]
pub(crate) struct Compiler<'c> {
    /// The values of the parameters.
    pub(crate) parameters: &'c [f64],
    pub(crate) tables: &'c Tables,
    /// The factors of the numbers.
    pub(crate) scales: &'c [f64; SLOTS],
    /// The cells that tables may still have, at first [`MAX_CELLS`]. When too few are left, an expression is computed.
    pub(crate) cells_left: Cell<usize>,
}

/// An expression, ready to be computed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Program {
    Constant(f64),
    Lookup(Box<Lookup>),
    Operations { operations: Box<[Operation]>, slots: usize },
}

impl Program {
    #[inline]
    pub(crate) fn value(&self, of: Move<'_>, tables: &Tables) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Lookup(lookup) => lookup.value(of, tables),
            Self::Operations { operations, slots } if *slots <= FEW_SLOTS => run::<FEW_SLOTS>(operations, of, tables),
            Self::Operations { operations, .. } => run::<MAX_STACK>(operations, of, tables),
        }
    }

    /// Splits a condition into bounds of numbers, which all have to hold, and the rest; `None` when there is no rest.
    /// Most conditions are such bounds, and a bound is much cheaper than its operations.
    pub(crate) fn split(self) -> (Vec<Bounds>, Option<Self>) {
        let Self::Operations { operations, .. } = &self else {
            return (Vec::new(), Some(self));
        };
        let mut bounds = Vec::new();
        let mut taken = 0;
        while let Some(found) = operations.get(taken).and_then(Bounds::of) {
            taken += match operations.get(taken + 1) {
                None => 1,
                Some(Operation::Jump(Jump::And, target)) if ends(operations, *target) => 2,
                Some(_) => break,
            };
            bounds.push(found);
        }
        let mut left = operations.get(taken..).unwrap_or_default().to_vec();
        for operation in &mut left {
            if let Operation::Jump(_, target) = operation {
                *target = target.saturating_sub(taken as u32);
            }
        }
        let left = (!left.is_empty()).then(|| program(left));
        (bounds, left)
    }

    /// The table, when the expression is nothing else.
    pub(crate) fn lookup(&self) -> Option<&Lookup> {
        match self {
            Self::Lookup(lookup) => Some(lookup),
            _ => None,
        }
    }
}

/// Whether a condition that is false ends when it jumps to this operation.
fn ends(operations: &[Operation], target: u32) -> bool {
    match operations.get(target as usize) {
        None => true,
        // Jumps only lead forward.
        Some(Operation::Jump(Jump::And, next)) if *next > target => ends(operations, *next),
        Some(_) => false,
    }
}

/// A number that has to be within bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    slot: u8,
    least: f64,
    most: f64,
}

impl Bounds {
    /// The bounds that a comparison with a constant means.
    fn of(operation: &Operation) -> Option<Self> {
        let Operation::SlotBinary(slot, binary, y) = *operation else {
            return None;
        };
        let (least, most) = match binary {
            Binary::Less => (f64::NEG_INFINITY, y.next_down()),
            Binary::LessOrEqual => (f64::NEG_INFINITY, y),
            Binary::Greater => (y.next_up(), f64::INFINITY),
            Binary::GreaterOrEqual => (y, f64::INFINITY),
            Binary::Equal => (y, y),
            _ => return None,
        };
        y.is_finite().then_some(Self { slot, least, most })
    }

    #[inline]
    pub(crate) fn hold(&self, values: &Values) -> bool {
        let value = values.slot(self.slot);
        self.least <= value && value <= self.most
    }
}

fn run<const STACK: usize>(operations: &[Operation], of: Move<'_>, tables: &Tables) -> f64 {
    let mut stack = [0.0; STACK];
    let mut used = 0_usize;
    let mut top = 0.0;
    let mut left = operations.iter();
    // The reader has checked the heights, so the index is in range. The remainder removes the check.
    macro_rules! push {
        ($value:expr) => {{
            let value = $value;
            stack[used % STACK] = top;
            used += 1;
            top = value;
        }};
    }
    macro_rules! pop {
        () => {{
            used = used.wrapping_sub(1);
            stack[used % STACK]
        }};
    }
    while let Some(operation) = left.next() {
        match operation {
            Operation::Constant(value) => push!(*value),
            Operation::Bit(bit) => push!(f64::from(u8::from(of.values.bits() & bit != 0))),
            Operation::Slot(slot) => push!(of.values.slot(*slot)),
            Operation::SlotBinary(slot, binary, y) => push!(binary.apply(of.values.slot(*slot), *y)),
            Operation::SoFar => push!(of.so_far),
            Operation::Lookup(lookup) => push!(lookup.value(of, tables)),
            Operation::Unary(unary) => top = unary.apply(top, tables),
            Operation::Binary(binary) => top = binary.apply(pop!(), top),
            Operation::BinaryConstant(binary, y) => top = binary.apply(top, *y),
            Operation::Table => top = tables.cell(pop!(), top),
            Operation::Duplicate => push!(top),
            Operation::Drop => top = pop!(),
            Operation::Jump(jump, target) => {
                let taken = match jump {
                    Jump::Always => true,
                    Jump::Unless | Jump::And => top == 0.0,
                    Jump::Or => top != 0.0,
                };
                if *jump == Jump::Unless || (!taken && *jump != Jump::Always) {
                    top = pop!();
                }
                if taken {
                    left = operations.get(*target as usize..).unwrap_or_default().iter();
                }
            }
        }
    }
    top
}

impl Compiler<'_> {
    /// Compiles checked words.
    pub(crate) fn compile(&self, words: &[Word]) -> Program {
        let plain = self.fused(words);
        if let [Operation::Constant(value)] = plain.as_slice() {
            return Program::Constant(*value);
        }
        let whole = facts_of(&plain);
        if weight(&plain) >= LEAST_WEIGHT
            && let Some(arguments) = whole.and_then(Arguments::of)
            && self.has_cells_for(arguments)
        {
            return Program::Lookup(Box::new(Lookup::new(plain, arguments, self.tables)));
        }
        program(self.with_lookups(plain))
    }

    /// Takes the cells of a table; false when too few are left.
    fn has_cells_for(&self, arguments: Arguments) -> bool {
        let left = self.cells_left.get().checked_sub(SIDE * arguments.columns());
        if let Some(left) = left {
            self.cells_left.set(left);
        }
        left.is_some()
    }

    /// One operation a word, or fewer.
    fn fused(&self, words: &[Word]) -> Vec<Operation> {
        let mut is_target = vec![false; words.len() + 1];
        for word in words {
            if let Word::Jump(_, target) = word
                && let Some(is_target) = is_target.get_mut(*target)
            {
                *is_target = true;
            }
        }
        let mut operations: Vec<Operation> = Vec::with_capacity(words.len());
        // The index of the operation at each word.
        let mut places = Vec::with_capacity(words.len() + 1);
        // Operations before this index must not change, because a jump leads to it or leaves just before it.
        let mut barrier = 0;
        for (word, is_target) in words.iter().zip(&is_target) {
            if *is_target {
                barrier = operations.len();
            }
            places.push(operations.len() as u32);
            match word {
                Word::Number(value) => operations.push(Operation::Constant(*value)),
                Word::Parameter(index) => {
                    let value = self.parameters.get(*index).copied().unwrap_or(0.0);
                    operations.push(Operation::Constant(value));
                }
                Word::Bit(bit) => operations.push(Operation::Bit(1 << (bit & 63))),
                Word::Slot(slot) => {
                    let scale = self.scales.get(usize::from(*slot)).copied().unwrap_or(1.0);
                    operations.push(if scale == 1.0 {
                        Operation::Slot(*slot)
                    } else {
                        Operation::SlotBinary(*slot, Binary::Multiply, scale)
                    });
                }
                Word::SoFar => operations.push(Operation::SoFar),
                Word::Unary(unary) => match operations.get_mut(barrier..).and_then(<[_]>::last_mut) {
                    Some(Operation::Constant(x)) => *x = unary.apply(*x, self.tables),
                    _ => operations.push(Operation::Unary(*unary)),
                },
                Word::Binary(binary) => self.fuse_binary(&mut operations, barrier, *binary),
                Word::Table => operations.push(Operation::Table),
                Word::Duplicate => operations.push(Operation::Duplicate),
                Word::Drop => operations.push(Operation::Drop),
                Word::Jump(jump, target) => {
                    operations.push(Operation::Jump(*jump, *target as u32));
                    barrier = operations.len();
                }
            }
        }
        places.push(operations.len() as u32);
        retarget(&mut operations, &places);
        operations
    }

    fn fuse_binary(&self, operations: &mut Vec<Operation>, barrier: usize, binary: Binary) {
        let operands = operations.get(barrier..).unwrap_or_default();
        let fused = match operands {
            [.., Operation::Constant(x), Operation::Constant(y)] => {
                Some((2, Operation::Constant(binary.apply(*x, *y))))
            }
            [.., Operation::Slot(slot), Operation::Constant(y)] => Some((2, Operation::SlotBinary(*slot, binary, *y))),
            [.., Operation::Constant(y)] => Some((1, Operation::BinaryConstant(binary, *y))),
            _ => None,
        };
        let (operands, operation) = fused.unwrap_or((0, Operation::Binary(binary)));
        operations.truncate(operations.len() - operands);
        operations.push(operation);
    }

    /// Replaces what depends on one or two counting facts, and has no jumps, by tables.
    fn with_lookups(&self, operations: Vec<Operation>) -> Vec<Operation> {
        let ranges = tabular_ranges(&operations);
        let mut replaced = Vec::with_capacity(operations.len());
        let mut places = Vec::with_capacity(operations.len() + 1);
        let mut index = 0;
        let mut ranges = ranges.into_iter().peekable();
        while let Some(operation) = operations.get(index) {
            let range = ranges.next_if(|(range, _)| range.start == index);
            match range.filter(|(_, arguments)| self.has_cells_for(*arguments)) {
                Some((range, arguments)) => {
                    places.extend(range.clone().map(|_| replaced.len() as u32));
                    let part = operations.get(range.clone()).unwrap_or_default().to_vec();
                    replaced.push(Operation::Lookup(Box::new(Lookup::new(part, arguments, self.tables))));
                    index = range.end;
                }
                None => {
                    places.push(replaced.len() as u32);
                    replaced.push(operation.clone());
                    index += 1;
                }
            }
        }
        places.push(replaced.len() as u32);
        retarget(&mut replaced, &places);
        replaced
    }
}

/// Lets each jump lead to the new place of its target.
fn retarget(operations: &mut [Operation], places: &[u32]) {
    for operation in operations {
        if let Operation::Jump(_, target) = operation {
            *target = places.get(*target as usize).copied().unwrap_or(u32::MAX);
        }
    }
}

fn program(operations: Vec<Operation>) -> Program {
    Program::Operations {
        slots: slots(&operations),
        operations: operations.into(),
    }
}

/// How much an operation leaves on the stack, less what it takes.
fn growth(operation: &Operation) -> isize {
    match operation {
        Operation::Constant(_)
        | Operation::Bit(_)
        | Operation::Slot(_)
        | Operation::SlotBinary(..)
        | Operation::SoFar
        | Operation::Lookup(_)
        | Operation::Duplicate => 1,
        Operation::Unary(_) | Operation::BinaryConstant(..) | Operation::Jump(Jump::Always, _) => 0,
        Operation::Binary(_) | Operation::Table | Operation::Drop | Operation::Jump(..) => -1,
    }
}

/// An upper bound of the slots that the operations need.
fn slots(operations: &[Operation]) -> usize {
    let mut heights: Vec<isize> = vec![isize::MIN; operations.len() + 1];
    let (mut height, mut most) = (0, 0);
    for (index, operation) in operations.iter().enumerate() {
        height = height.max(heights.get(index).copied().unwrap_or(0));
        let before = height;
        height += growth(operation);
        most = most.max(height);
        if let Operation::Jump(jump, target) = operation {
            let there = if matches!(jump, Jump::And | Jump::Or) {
                before
            } else {
                height
            };
            if let Some(at_target) = heights.get_mut(*target as usize) {
                *at_target = (*at_target).max(there);
            }
            if *jump == Jump::Always {
                height = isize::MIN / 2;
            }
        }
    }
    usize::try_from(most).unwrap_or(0)
}

/// The counting facts that the operations read; `None` when they read anything else.
fn facts_of(operations: &[Operation]) -> Option<Counted> {
    operations.iter().try_fold(Counted::default(), |facts, operation| {
        Some(facts.and(counted(operation)?))
    })
}

/// Counting facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counted(Places);

impl Counted {
    fn and(self, other: Self) -> Self {
        Self(self.0.union(other.0))
    }
}

fn counted(operation: &Operation) -> Option<Counted> {
    let of_slot = |slot: u8| {
        let mut places = Places::default();
        places.insert(Place::Slot(slot));
        counts(slot).then_some(Counted(places))
    };
    match operation {
        Operation::Slot(slot) | Operation::SlotBinary(slot, ..) => of_slot(*slot),
        Operation::Bit(_) | Operation::SoFar | Operation::Lookup(_) => None,
        _ => Some(Counted::default()),
    }
}

fn counts(slot: u8) -> bool {
    FACTS
        .iter()
        .any(|(fact, _)| Place::of(*fact) == Place::Slot(slot) && fact.counts())
}

/// Roughly how many operations there are; expensive functions count more.
fn weight(operations: &[Operation]) -> u32 {
    operations.iter().map(weight_of).sum()
}

fn weight_of(operation: &Operation) -> u32 {
    match operation {
        Operation::Unary(Unary::Negate | Unary::Not | Unary::Absolute) => 1,
        Operation::Unary(_) => 3,
        Operation::Binary(Binary::Power) | Operation::BinaryConstant(Binary::Power, _) => 4,
        Operation::SlotBinary(_, Binary::Power, _) => 4,
        Operation::Table => 2,
        Operation::Constant(_) | Operation::Slot(_) => 0,
        _ => 1,
    }
}

/// One or two counting facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Arguments {
    row: u8,
    /// The same as `row` when there is one.
    column: u8,
}

impl Arguments {
    /// `None` when there are no facts, or more than two.
    fn of(facts: Counted) -> Option<Self> {
        let mut slots = (0..SLOTS as u8).filter(|slot| facts.0.contains(Place::Slot(*slot)));
        let row = slots.next()?;
        let column = slots.next().unwrap_or(row);
        slots.next().is_none().then_some(Self { row, column })
    }

    /// The columns of their table.
    fn columns(self) -> usize {
        if self.row == self.column { 1 } else { SIDE }
    }
}

/// A value on the stack: the operations that compute it, and what they read.
#[derive(Debug, Clone)]
struct Part {
    start: usize,
    end: usize,
    facts: Option<Counted>,
    weight: u32,
}

impl Part {
    fn arguments(&self) -> Option<Arguments> {
        Arguments::of(self.facts?)
    }

    fn is_tabular(&self) -> bool {
        self.weight >= LEAST_WEIGHT && self.arguments().is_some()
    }
}

/// The largest ranges of operations that can become tables, in their order.
fn tabular_ranges(operations: &[Operation]) -> Vec<(std::ops::Range<usize>, Arguments)> {
    let mut is_target = vec![false; operations.len() + 1];
    for operation in operations {
        if let Operation::Jump(_, target) = operation
            && let Some(is_target) = is_target.get_mut(*target as usize)
        {
            *is_target = true;
        }
    }
    let mut found: Vec<Part> = Vec::new();
    let mut stack: Vec<Part> = Vec::new();
    for (index, (operation, is_target)) in operations.iter().zip(&is_target).enumerate() {
        let breaks = matches!(operation, Operation::Jump(..) | Operation::Duplicate | Operation::Drop);
        if *is_target || breaks {
            found.extend(stack.drain(..).filter(Part::is_tabular));
        }
        if breaks {
            continue;
        }
        let mut part = Part {
            start: index,
            end: index + 1,
            facts: counted(operation),
            weight: weight_of(operation),
        };
        let takes = usize::try_from(1 - growth(operation)).unwrap_or(0);
        let operands = stack.split_off(stack.len().saturating_sub(takes));
        if operands.len() < takes {
            // An operand was computed before the last jump or target of a jump.
            part.facts = None;
        }
        for operand in &operands {
            part.start = part.start.min(operand.start);
            part.weight += operand.weight;
            part.facts = part.facts.zip(operand.facts).map(|(one, two)| one.and(two));
        }
        let more_than_two = part.facts.is_some_and(|facts| facts != Counted::default()) && part.arguments().is_none();
        if more_than_two {
            part.facts = None;
        }
        if part.facts.is_none() {
            found.extend(operands.into_iter().filter(Part::is_tabular));
        }
        stack.push(part);
    }
    found.extend(stack.into_iter().filter(Part::is_tabular));
    found.sort_by_key(|part| part.start);
    let ranges = found.into_iter();
    ranges
        .filter_map(|part| Some((part.start..part.end, part.arguments()?)))
        .collect()
}

/// The values of a function of one or two counting facts: looked up inside the table, computed outside it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lookup {
    row: u8,
    column: u8,
    cells: Box<[f64]>,
    program: Program,
}

impl Lookup {
    fn new(operations: Vec<Operation>, arguments: Arguments, tables: &Tables) -> Self {
        let Arguments { row, column } = arguments;
        let program = program(operations);
        let columns = arguments.columns();
        let cells = (0..SIDE * columns).map(|index| {
            let mut values = Values::default();
            values.set_slot(row, (index / columns) as f64);
            if row != column {
                values.set_slot(column, (index % columns) as f64);
            }
            let of = Move {
                values: &values,
                so_far: 0.0,
            };
            program.value(of, tables)
        });
        Self {
            row,
            column,
            cells: cells.collect(),
            program,
        }
    }

    /// All values, row by row.
    pub(crate) fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The index of the value for a move; `None` outside the table.
    #[inline]
    pub(crate) fn place(&self, values: &Values) -> Option<usize> {
        let row = index(values.slot(self.row))?;
        if self.row == self.column {
            return Some(row);
        }
        Some(row * SIDE + index(values.slot(self.column))?)
    }

    #[inline]
    fn value(&self, of: Move<'_>, tables: &Tables) -> f64 {
        match self.place(of.values).and_then(|place| self.cells.get(place)) {
            Some(value) => *value,
            None => self.program.value(of, tables),
        }
    }
}

/// The index of a number; `None` when it has no cell.
#[inline]
fn index(value: f64) -> Option<usize> {
    let index = value as usize;
    (index < SIDE && index as f64 == value).then_some(index)
}
