//! The evaluation by parts: the value of each group of terms.

use cozy_chess::Color;

use super::coefficients::Groups;
use super::evaluate::{relative, traced};
use crate::position::Position;
use crate::weights::terms::Group;

/// The parts of an evaluation, in centipawns, from the side to move's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// Piece values.
    pub material: i32,
    /// Piece-square values.
    pub piece_square: i32,
    /// Doubled, isolated, backward, defended pawns, and pawns side by side.
    pub pawn_structure: i32,
    /// Passed pawns.
    pub passed_pawns: i32,
    /// Mobility, the bishop pair, outposts, rooks on files, threats, space.
    pub activity: i32,
    /// Shelter of and attacks on the kings.
    pub king_safety: i32,
    /// The bonus for the right to move.
    pub tempo: i32,
}

/// The parts of the full evaluation. Their sum differs from the score of the search by rounding and by the scaling of
/// drawish endgames.
pub fn parts(position: &Position) -> Parts {
    let groups = groups(position);
    let value = |part: Group| {
        let balance = groups.of(part, Color::White) - groups.of(part, Color::Black);
        relative(balance.blend(position.phase), position.side_to_move())
    };
    Parts {
        material: value(Group::Material),
        piece_square: value(Group::PieceSquare),
        pawn_structure: value(Group::PawnStructure),
        passed_pawns: value(Group::PassedPawns),
        activity: value(Group::Activity),
        king_safety: value(Group::Shelter) + value(Group::Danger),
        tempo: value(Group::Tempo),
    }
}

/// One side's own parts of the full evaluation, in centipawns, without the other side's. Material, piece-square and tempo
/// are 0, because they are only computed as a balance.
pub(crate) fn parts_of(position: &Position, color: Color) -> Parts {
    let groups = groups(position);
    let value = |part: Group| groups.of(part, color).blend(position.phase);
    let danger = groups.of(Group::Danger, !color).blend(position.phase);
    Parts {
        pawn_structure: value(Group::PawnStructure),
        passed_pawns: value(Group::PassedPawns),
        activity: value(Group::Activity),
        king_safety: value(Group::Shelter) - danger,
        ..Parts::default()
    }
}

fn groups(position: &Position) -> Groups {
    let mut groups = Groups::default();
    traced(position, &mut groups);
    groups
}
