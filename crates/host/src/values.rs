//! The values of the facts about one move.

use crate::catalogue::{BOOLEANS, Fact, NUMBERS};

/// The most flags, and the most numbers, that an engine has beyond the catalogue.
pub const MAX_OWN: usize = 16;

/// The slots of numbers: the catalogue's, then the engine's own.
pub(crate) const SLOTS: usize = NUMBERS + MAX_OWN;

// The booleans, and the set of numbers, are words of 64 bits.
const _: () = assert!(BOOLEANS + MAX_OWN <= 64 && SLOTS <= 64);

/// A fact by its place: the bit of a boolean, or the slot of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Bit(u8),
    Slot(u8),
}

impl Place {
    pub(crate) const fn of(fact: Fact) -> Self {
        if fact.is_boolean() {
            Self::Bit(fact as u8)
        } else {
            Self::Slot(fact as u8 - BOOLEANS as u8)
        }
    }

    pub(crate) const fn own_flag(index: usize) -> Self {
        Self::Bit((BOOLEANS + index) as u8)
    }

    pub(crate) const fn own_number(index: usize) -> Self {
        Self::Slot((NUMBERS + index) as u8)
    }
}

/// A set of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Places {
    bits: u64,
    slots: u64,
}

impl Places {
    pub(crate) fn insert(&mut self, place: Place) {
        match place {
            Place::Bit(bit) => self.bits |= 1 << (bit & 63),
            Place::Slot(slot) => self.slots |= 1 << (slot & 63),
        }
    }

    pub(crate) fn remove(&mut self, place: Place) {
        match place {
            Place::Bit(bit) => self.bits &= !(1 << (bit & 63)),
            Place::Slot(slot) => self.slots &= !(1 << (slot & 63)),
        }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
            slots: self.slots | other.slots,
        }
    }

    pub(crate) fn contains(self, place: Place) -> bool {
        match place {
            Place::Bit(bit) => self.bits >> (bit & 63) & 1 != 0,
            Place::Slot(slot) => self.slots >> (slot & 63) & 1 != 0,
        }
    }
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
    pub fn flag(&mut self, fact: Fact, value: bool) -> &mut Self {
        if let Place::Bit(bit) = Place::of(fact) {
            self.set_bit(bit, value);
        }
        self
    }

    /// Sets a number, in the engine's unit; one that is not finite counts as 0. A boolean stays as it is.
    #[inline]
    pub fn number(&mut self, fact: Fact, value: f64) -> &mut Self {
        if let Place::Slot(slot) = Place::of(fact) {
            self.set_slot(slot, value);
        }
        self
    }

    /// Sets a flag of the engine's own, by its number from 0 on. Without such a flag nothing happens.
    #[inline]
    pub fn own_flag(&mut self, index: usize, value: bool) -> &mut Self {
        if let (true, Place::Bit(bit)) = (index < MAX_OWN, Place::own_flag(index)) {
            self.set_bit(bit, value);
        }
        self
    }

    /// Sets a number of the engine's own, as [`Values::own_flag`].
    #[inline]
    pub fn own_number(&mut self, index: usize, value: f64) -> &mut Self {
        if let (true, Place::Slot(slot)) = (index < MAX_OWN, Place::own_number(index)) {
            self.set_slot(slot, value);
        }
        self
    }

    /// Sets all booleans to false.
    #[inline]
    pub(crate) fn clear_flags(&mut self) {
        self.flags = 0;
    }

    /// While lmrlab looks for mistakes: a number that a policy reads and the engine does not fill is far from any right one.
    pub(crate) fn forget_numbers(&mut self) {
        self.numbers = [-1e9; SLOTS];
    }

    #[inline]
    fn set_bit(&mut self, bit: u8, value: bool) {
        let mask = 1 << (bit & 63);
        self.flags = self.flags & !mask | if value { mask } else { 0 };
    }

    #[inline]
    pub(crate) fn set_slot(&mut self, slot: u8, value: f64) {
        if let Some(number) = self.numbers.get_mut(usize::from(slot)) {
            *number = if value.is_finite() { value } else { 0.0 };
        }
    }

    /// All booleans.
    #[inline]
    pub(crate) fn bits(&self) -> u64 {
        self.flags
    }

    #[inline]
    pub(crate) fn is_set(&self, fact: Fact) -> bool {
        match Place::of(fact) {
            Place::Bit(bit) => self.flags >> bit & 1 != 0,
            Place::Slot(_) => false,
        }
    }

    #[inline]
    pub(crate) fn slot(&self, slot: u8) -> f64 {
        self.numbers.get(usize::from(slot)).copied().unwrap_or(0.0)
    }
}
