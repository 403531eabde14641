//! The evaluation by parts: the value of each group of terms.

use cozy_chess::Color;

use super::evaluate::traced;
use super::sides::danger;
use super::trace::Trace;
use crate::position::Position;
use crate::weights::terms::{Group, TERMS, WEIGHT_COUNT};
use crate::weights::{Tapered, WEIGHTS};

/// The value of a side's passed pawns, in centipawns.
pub(crate) fn passed_pawns(position: &Position, color: Color) -> i32 {
    Groups::of(position)
        .sum(Group::PassedPawns, color)
        .blend(position.phase)
}

/// The shelter of a side's king less the attacks on it, in centipawns.
pub(crate) fn king_safety(position: &Position, color: Color) -> i32 {
    let groups = Groups::of(position);
    let value = |part, color| groups.sum(part, color).blend(position.phase);
    value(Group::Shelter, color) - value(Group::Danger, !color)
}

/// Sums the weights of each part for each side.
#[derive(Debug, Default)]
pub(super) struct Groups {
    sums: [[Tapered; GROUPS]; 2],
}

const GROUPS: usize = Group::Tempo as usize + 1;

impl Groups {
    /// The sums of a position.
    pub(super) fn of(position: &Position) -> Self {
        let mut groups = Self::default();
        traced(position, &mut groups);
        groups
    }

    /// The value of a part for a side.
    pub(super) fn sum(&self, group: Group, color: Color) -> Tapered {
        let sum = self.sums[color as usize][group as usize];
        if group == Group::Danger { danger(sum) } else { sum }
    }
}

impl Trace for Groups {
    const ACTIVE: bool = true;

    fn add(&mut self, color: Color, weight: usize, count: i32) {
        self.sums[color as usize][GROUP_OF[weight] as usize] += WEIGHTS[weight] * count;
    }
}

/// The part that each weight belongs to.
static GROUP_OF: [Group; WEIGHT_COUNT] = {
    let mut groups = [Group::Material; WEIGHT_COUNT];
    let mut term = 0;
    while term < TERMS.len() {
        let mut index = 0;
        while index < TERMS[term].count {
            groups[TERMS[term].first + index] = TERMS[term].group;
            index += 1;
        }
        term += 1;
    }
    groups
};
