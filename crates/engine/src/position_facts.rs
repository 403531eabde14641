//! The facts of a move that follow from the position alone, for checks of other engines: see [`position_fact`].

use cozy_chess::{Move, Piece, Rank};
use lmrlab_policy::facts::Fact;

use crate::evaluation::{FULL_PHASE, distance, evaluate_alone, material_balance, passed_pawn_span, piece_square_gain};
use crate::position::Position;
use crate::search_parameters::EvaluationMethod;
use crate::see::{see, see_value};
use crate::threats::{creates_threat, escapes_threat};

/// The value of a fact for a legal move; a boolean is 0 or 1. `after` is the position after the move. `None` for facts that depend
/// on a search.
///
/// `captured_value`, `see`, `material`, `pst_delta` and `static_eval` use the values of this engine. Other engines have other values.
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
        // The destination of a castling king depends on the notation.
        Fact::KingZone | Fact::PstDelta if position.is_castling(mv) => return None,
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
        Fact::OpponentPieces => i32::try_from(position.piece_count(!us)).ok()?,
        Fact::CapturedValue => position.captured(mv).map_or(0, see_value),
        Fact::See => see(position, mv),
        Fact::Material => material_balance(position),
        Fact::PstDelta => piece_square_gain(position, piece, mv.from, mv.to),
        Fact::StaticEval => evaluate_alone(position, EvaluationMethod::Terms).get(),
        _ => return None,
    };
    Some(f64::from(value))
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::parse_uci_move;

    use super::*;

    fn facts<const COUNT: usize>(fen: &str, uci: &str, facts: [Fact; COUNT]) -> [f64; COUNT] {
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_uci_move(position.board(), uci).unwrap();
        facts.map(|fact| position_fact(&position, &position.after(mv), mv, fact).unwrap())
    }

    #[test]
    fn special_moves_have_their_facts() {
        use Fact::{
            AdvancedPawn, Capture, Castling, GivesCheck, LegalMoves, PassedPawn, PawnMove, PawnRank, Phase, Promotion,
            QueenPromotion, Quiet, See,
        };
        let kinds = [Capture, Quiet, Promotion, QueenPromotion, Castling, PawnMove, PawnRank];
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        assert_eq!(facts(en_passant, "e5d6", kinds), [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 6.0]);
        let pushed = [PassedPawn, AdvancedPawn, Quiet];
        assert_eq!(facts(en_passant, "e5e6", pushed), [1.0, 1.0, 1.0]);
        let blocked = "4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1";
        assert_eq!(facts(blocked, "e5e6", pushed), [0.0, 1.0, 1.0]);
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(facts(castling, "e1g1", kinds), [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(
            facts(castling, "h1h8", [GivesCheck, LegalMoves, Phase]),
            [1.0, 15.0, 2.0]
        );
        let promotion = "3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(facts(promotion, "e7e8r", kinds), [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 8.0]);
        assert_eq!(facts(promotion, "e7d8q", kinds), [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 8.0]);
        assert_eq!(facts("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", [See]), [-400.0]);
    }

    #[test]
    fn facts_of_a_search_have_no_value() {
        let position = Position::initial();
        let mv = parse_uci_move(position.board(), "e2e4").unwrap();
        let fact = |fact| position_fact(&position, &position.after(mv), mv, fact);
        assert_eq!(fact(Fact::TtHit), None);
        assert_eq!(fact(Fact::LegalMoves), Some(20.0));
    }
}
