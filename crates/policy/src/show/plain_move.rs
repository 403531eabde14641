//! A plain quiet move, with given facts.

use lmrlab_host::runtime::Values;

use super::given::Given;
use crate::facts::Fact;

/// The number of legal moves of the node of a plain move: about that of a middlegame position.
const LEGAL_MOVES: u32 = 40;

/// The width of an open window around a plain move, in centipawns.
pub const OPEN_WINDOW: u32 = 50;

/// A quiet move that gives no check, is not a pawn move and not a killer, changed by the given facts. The remaining depth of
/// its node is in plies; `moves_searched` moves of the node were searched before it.
///
/// Numbers are 0, with these exceptions:
/// - All moves before it are quiet too, so `quiet_number` equals `move_number`.
/// - The node has 40 legal moves, or more if the move's number asks for it.
/// - The node is one ply below the root, after the root's first move.
/// - All pieces are on the board.
/// - There is no transposition table entry: `tt_depth` is -1.
/// - A null window is 1 wide, an open one [`OPEN_WINDOW`].
pub fn plain_move(depth: u32, moves_searched: u32, given: &Given) -> Values {
    let root = given.holds(Fact::Root, false);
    let pv = given.holds(Fact::Pv, root);
    let promotion = given.holds(Fact::Promotion, given.holds(Fact::QueenPromotion, false));
    let number = moves_searched + 1;
    let numbers = [
        (Fact::Depth, depth),
        (Fact::MovesSearched, moves_searched),
        (Fact::MoveNumber, number),
        (Fact::QuietNumber, number),
        (Fact::LegalMoves, LEGAL_MOVES.max(number)),
        (Fact::Ply, u32::from(!root)),
        (Fact::ParentMoveNumber, u32::from(!root)),
        (Fact::Iteration, depth + u32::from(!root)),
        (Fact::Phase, 24),
        (Fact::OpponentPieces, 7),
        (Fact::RootWindow, OPEN_WINDOW),
        (Fact::Window, if pv { OPEN_WINDOW } else { 1 }),
    ];
    let mut values = Values::default();
    values
        .set_flag(Fact::Promotion, promotion)
        .set_flag(Fact::Quiet, !given.holds(Fact::Capture, false) && !promotion)
        .set_flag(Fact::Pv, pv)
        .set_number(Fact::TtDepth, -1.0);
    for (fact, value) in numbers {
        values.set_number(fact, f64::from(value));
    }
    for (fact, value) in given.facts() {
        values.set_flag(fact, value != 0.0).set_number(fact, value);
    }
    values
}
