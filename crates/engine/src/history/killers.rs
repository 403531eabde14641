//! Killer moves.

use cozy_chess::Move;

use crate::depth::Ply;

/// Two moves per ply that caused cutoffs there (Akl, Newborn 1977).
#[derive(Debug, Clone)]
pub(crate) struct Killers(Box<[[Option<Move>; 2]]>);

impl Killers {
    pub(crate) fn new() -> Self {
        Self(vec![[None; 2]; Ply::MAX.index() + 2].into_boxed_slice())
    }

    /// Copies the entries of `other`.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill([None; 2]);
    }

    #[inline]
    pub(crate) fn at(&self, ply: Ply) -> [Option<Move>; 2] {
        self.0[ply.index()]
    }

    #[inline]
    pub(crate) fn insert(&mut self, ply: Ply, mv: Move) {
        let pair = &mut self.0[ply.index()];
        if pair[0] != Some(mv) {
            *pair = [Some(mv), pair[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_keep_two_different_moves() {
        let mut killers = Killers::new();
        let [a, b]: [Move; 2] = ["g1f3".parse().unwrap(), "b1c3".parse().unwrap()];
        killers.insert(Ply::ROOT, a);
        killers.insert(Ply::ROOT, a);
        assert_eq!(killers.at(Ply::ROOT), [Some(a), None]);
        killers.insert(Ply::ROOT, b);
        assert_eq!(killers.at(Ply::ROOT), [Some(b), Some(a)]);
    }
}
