//! The facts of a move that follow from the position alone, for checks of other engines: see [`position_fact`].

use cozy_chess::{Move, Piece, Rank};
use lmrlab_policy::facts::Fact;

use crate::evaluation::{FULL_PHASE, distance, evaluate_alone, material_balance, passed_pawn_span};
use crate::position::Position;
use crate::search_parameters::EvaluationMethod;
use crate::see::see;
use crate::threats::{creates_threat, escapes_threat};

/// The value of a fact for a legal move; a boolean is 0 or 1. `after` is the position after the move. `None` for facts that depend
/// on a search.
///
/// `see`, `material` and `static_eval` are those of this engine: another one has other values of pieces.
///
/// ```
/// use lmrlab_engine::position::Position;
/// use lmrlab_engine::position_facts::position_fact;
/// use lmrlab_policy::facts::Fact;
///
/// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")?;
/// let mv = "e1e8".parse()?;
/// let fact = |fact| position_fact(&position, &position.after(mv), mv, fact);
/// assert_eq!(fact(Fact::GivesCheck), Some(1.0));
/// assert_eq!(fact(Fact::Capture), Some(0.0));
/// assert_eq!(fact(Fact::Depth), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn position_fact(position: &Position, after: &Position, mv: Move, fact: Fact) -> Option<f64> {
    let us = position.side_to_move();
    let piece = position.piece_on(mv.from)?;
    let is_pawn = piece == Piece::Pawn;
    let rank = mv.to.rank().relative_to(us);
    let boolean = |value: bool| i32::from(value);
    let value = match fact {
        Fact::InCheck => boolean(position.in_check()),
        Fact::GivesCheck => boolean(after.in_check()),
        Fact::Capture => boolean(position.captured(mv).is_some()),
        Fact::Quiet => boolean(position.is_quiet(mv)),
        Fact::Promotion => boolean(mv.promotion.is_some()),
        Fact::QueenPromotion => boolean(mv.promotion == Some(Piece::Queen)),
        Fact::Castling => boolean(piece == Piece::King && position.is_castling(mv)),
        Fact::PawnMove => boolean(is_pawn),
        Fact::AdvancedPawn => boolean(is_pawn && rank >= Rank::Sixth),
        Fact::PassedPawn => {
            boolean(is_pawn && (passed_pawn_span(mv.to, us) & position.pieces(!us, Piece::Pawn)).is_empty())
        }
        // Where a king that castles arrives is a matter of notation.
        Fact::KingZone if position.is_castling(mv) => return None,
        Fact::KingZone => boolean(distance(position.board().king(!us), mv.to) <= 2),
        Fact::CreatesThreat => boolean(creates_threat(position, after)),
        Fact::EscapesThreat => boolean(escapes_threat(position, after)),
        Fact::LegalMoves => {
            let mut count = 0;
            position.board().generate_moves(|moves| {
                count += moves.len();
                false
            });
            i32::try_from(count).ok()?
        }
        Fact::PawnRank if is_pawn => rank as i32 + 1,
        Fact::PawnRank => 0,
        Fact::Phase => position.phase.min(FULL_PHASE),
        Fact::See => see(position, mv),
        Fact::Material => material_balance(position),
        Fact::StaticEval => evaluate_alone(position, EvaluationMethod::Terms).get(),
        _ => return None,
    };
    Some(f64::from(value))
}
