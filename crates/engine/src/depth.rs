//! Depth (remaining plies) and ply (plies from the root).

use std::ops::{Add, Sub};

/// Remaining depth in plies, before the move is made; quiescence is 0 and below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Depth(i32);

impl Depth {
    /// The horizon, where quiescence begins.
    pub(crate) const HORIZON: Self = Self(0);
    /// One ply.
    pub(crate) const ONE: Self = Self(1);
    /// The greatest nominal depth of a search.
    pub(crate) const MAX: Self = Self(Ply::MAX.get() - 1);

    /// A depth of `plies`.
    #[inline]
    pub(crate) const fn new(plies: i32) -> Self {
        Self(plies)
    }

    /// The number of plies.
    #[inline]
    pub(crate) const fn get(self) -> i32 {
        self.0
    }
}

impl Add<i32> for Depth {
    type Output = Self;
    #[inline]
    fn add(self, plies: i32) -> Self {
        Self(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Self;
    #[inline]
    fn sub(self, plies: i32) -> Self {
        Self(self.0 - plies)
    }
}

/// Distance from the root, in plies; the root is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Ply(i32);

impl Ply {
    /// The root.
    pub(crate) const ROOT: Self = Self(0);
    /// The greatest distance from the root.
    pub(crate) const MAX: Self = Self(128);

    /// The node `plies` from the root.
    #[inline]
    pub(crate) const fn new(plies: i32) -> Self {
        Self(plies)
    }

    /// The number of plies.
    #[inline]
    pub(crate) const fn get(self) -> i32 {
        self.0
    }

    /// The number of plies, as an index.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// One ply further from the root.
    #[inline]
    #[must_use]
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}
