//! The evaluation as a function of its weights, for tuning.

use cozy_chess::Color;

use super::endgame::{self, FULL_SCALE};
use super::evaluate::{relative, traced};
use super::sides::danger;
use super::trace::Trace;
use crate::position::Position;
use crate::weights::terms::{Group, TERMS, Term, WEIGHT_COUNT};
use crate::weights::{FULL_PHASE, Tapered, WEIGHTS};

/// The count of every weight in a position, and all else that its evaluation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coefficients {
    /// Linear weights: index, and White's count minus Black's. Sorted by index; no count is 0.
    pub linear: Vec<(u16, i16)>,
    /// Attack units of White's and of Black's attack: index and count. Sorted by index; no count is 0.
    pub danger: [Vec<(u16, i16)>; 2],
    /// The phase, from 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// The scale in 64ths when White stands better, and when Black does.
    pub scale: [i32; 2],
    /// The part without weights, from White's point of view, in centipawns.
    pub fixed: i32,
    /// Whether White is to move.
    pub white_to_move: bool,
}

impl Coefficients {
    /// The coefficients of a position.
    pub fn of(position: &Position) -> Self {
        let mut counts = Counts {
            of: [[0; WEIGHT_COUNT]; 2],
        };
        traced(position, &mut counts);
        let mut linear = Vec::new();
        let mut danger = [Vec::new(), Vec::new()];
        for index in 0..WEIGHT_COUNT {
            let (white, black) = (counts.of[0][index], counts.of[1][index]);
            if Term::of(index).group == Group::Danger {
                for (side, count) in danger.iter_mut().zip([white, black]) {
                    if count != 0 {
                        side.push((index as u16, count));
                    }
                }
            } else if white != black {
                linear.push((index as u16, white - black));
            }
        }
        Self {
            linear,
            danger,
            phase: position.phase.min(FULL_PHASE),
            scale: Color::ALL.map(|stronger| endgame::scale_for(position, stronger)),
            fixed: endgame::mop_up(position),
            white_to_move: position.side_to_move() == Color::White,
        }
    }

    /// The evaluation with the engine's own weights, for the side to move. Equals the search's, which is clamped to
    /// non-mate scores.
    pub fn evaluate(&self) -> i32 {
        let sum = |list: &[(u16, i16)]| {
            list.iter().fold(Tapered::ZERO, |sum, &(index, count)| {
                sum + WEIGHTS[usize::from(index)] * i32::from(count)
            })
        };
        let [white, black] = [0, 1].map(|side: usize| danger(sum(&self.danger[side])));
        let total = sum(&self.linear) + white - black;
        let sum = total.blend(self.phase);
        let white = sum * self.scale[usize::from(sum < 0)] / FULL_SCALE + self.fixed;
        relative(white, if self.white_to_move { Color::White } else { Color::Black })
    }
}

/// The engine's weights, in the order of [`TERMS`]: middlegame and endgame.
pub fn weights() -> Vec<[i32; 2]> {
    WEIGHTS
        .iter()
        .map(|weight| [weight.middlegame(), weight.endgame()])
        .collect()
}

/// Counts every weight for each side.
struct Counts {
    of: [[i16; WEIGHT_COUNT]; 2],
}

impl Trace for Counts {
    const ACTIVE: bool = true;

    fn add(&mut self, color: Color, weight: usize, count: i32) {
        self.of[color as usize][weight] += count as i16;
    }
}

/// Sums the weights of each part for each side.
#[derive(Debug, Default)]
pub(super) struct Groups {
    sums: [[Tapered; GROUPS]; 2],
}

const GROUPS: usize = Group::Tempo as usize + 1;

impl Groups {
    /// The value of a part for a side.
    pub(super) fn of(&self, group: Group, color: Color) -> Tapered {
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
