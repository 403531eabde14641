//! The values of the facts about one move, filled by an engine.

use crate::runtime::arithmetic::Binary;
use crate::runtime::facts::{BOOLEAN_COUNT, FIRST_OWN_FLAG, Fact, Facts, Flags, MOST_OWN};

/// The slots of numbers: the catalogue's, then the engine's own.
const SLOTS: usize = FIRST_OWN_FLAG - BOOLEAN_COUNT;

// Booleans are a word of 64 bits.
const _: () = assert!(BOOLEAN_COUNT + MOST_OWN <= 64);

/// The bit of a boolean.
#[inline]
const fn bit(fact: Fact) -> u64 {
    match fact as usize {
        place if place < BOOLEAN_COUNT => 1 << place,
        place if place >= FIRST_OWN_FLAG => 1 << (BOOLEAN_COUNT + place - FIRST_OWN_FLAG),
        _ => 0,
    }
}

/// The slot of a number; beyond all slots for a boolean.
#[inline]
const fn slot(fact: Fact) -> usize {
    (fact as usize).wrapping_sub(BOOLEAN_COUNT)
}

/// The values of the facts about one move: false and 0 until they are set.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    flags: u64,
    numbers: [f64; SLOTS],
}

impl Default for Values {
    fn default() -> Self {
        Self {
            flags: 0,
            numbers: [0.0; SLOTS],
        }
    }
}

impl Values {
    /// Sets a boolean. A number stays as it is.
    #[inline]
    pub fn set_flag(&mut self, fact: Fact, value: bool) -> &mut Self {
        self.flags = self.flags & !bit(fact) | if value { bit(fact) } else { 0 };
        self
    }

    /// Sets a number, in the engine's unit; one that is not finite counts as 0. A boolean stays as it is.
    #[inline]
    pub fn set_number(&mut self, fact: Fact, value: f64) -> &mut Self {
        if let Some(number) = self.numbers.get_mut(slot(fact)) {
            *number = if value.is_finite() { value } else { 0.0 };
        }
        self
    }

    /// Sets all booleans to false.
    #[inline]
    pub fn clear_flags(&mut self) {
        self.flags = 0;
    }

    /// Sets all numbers to one that is far from any right one.
    pub fn forget_numbers(&mut self) {
        self.numbers = [-1e9; SLOTS];
    }
}

impl Facts for Values {
    #[inline]
    fn flags(&self) -> Flags {
        Flags::from_bits(self.flags)
    }

    #[inline]
    fn boolean(&self, fact: Fact) -> bool {
        self.flags & bit(fact) != 0
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        self.numbers.get(slot(fact)).copied().unwrap_or(0.0)
    }
}

/// Factors that turn an engine's numbers into lmrlab's units.
#[derive(Debug, Clone, PartialEq)]
pub struct Factors([f64; SLOTS]);

impl Default for Factors {
    /// All are 1.
    fn default() -> Self {
        Self([1.0; SLOTS])
    }
}

impl Factors {
    /// The factor of a number; 1 for a boolean.
    pub fn of(&self, fact: Fact) -> f64 {
        self.0.get(slot(fact)).copied().unwrap_or(1.0)
    }

    /// Sets the factor of a number.
    pub fn set(&mut self, fact: Fact, factor: f64) {
        if let Some(old) = self.0.get_mut(slot(fact)) {
            *old = factor;
        }
    }
}

/// Values with their factors applied.
#[derive(Debug, Clone, Copy)]
pub struct Scaled<'v> {
    /// The values in the engine's units.
    pub values: &'v Values,
    /// What turns them into lmrlab's.
    pub factors: &'v Factors,
}

impl Facts for Scaled<'_> {
    #[inline]
    fn flags(&self) -> Flags {
        self.values.flags()
    }

    #[inline]
    fn boolean(&self, fact: Fact) -> bool {
        self.values.boolean(fact)
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        Binary::Multiply.apply(self.values.number(fact), self.factors.of(fact))
    }
}
