//! A game: its moves, and its end by the rules.

use cozy_chess::{Color, Move};

use crate::position::Position;

/// A game: start position, moves, current position, and the keys for repetitions.
#[derive(Debug, Clone)]
pub struct Game {
    start: Position,
    current: Position,
    moves: Vec<Move>,
    /// Keys of all positions from the start to the current one, the current one last.
    keys: Vec<u64>,
}

/// Why the rules ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Threefold repetition.
    Repetition,
    /// The fifty-move rule.
    FiftyMoves,
    /// Neither side can mate.
    InsufficientMaterial,
}

impl Ending {
    /// The winner, given the side to move in the final position; `None` for a draw.
    pub fn winner(self, side_to_move: Color) -> Option<Color> {
        (self == Self::Checkmate).then_some(!side_to_move)
    }
}

/// An illegal move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {mv} is not legal in {fen}")]
pub struct IllegalMove {
    /// The move, in the library's notation.
    pub mv: Move,
    /// The position, as FEN.
    pub fen: String,
}

impl Game {
    /// A game that starts from this position.
    pub fn new(start: Position) -> Self {
        Self {
            keys: vec![start.key()],
            current: start.clone(),
            start,
            moves: Vec::new(),
        }
    }

    /// The position that the game started from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.current
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of all positions from the start to the current one.
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The move is illegal; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.current.board().is_legal(mv) {
            return Err(IllegalMove {
                mv,
                fen: self.current.to_string(),
            });
        }
        self.current.play(mv);
        self.moves.push(mv);
        self.keys.push(self.current.key());
        Ok(())
    }

    /// The end of the game by the rules, if any. Checkmate takes precedence over the fifty-move rule.
    pub fn ending(&self) -> Option<Ending> {
        let position = &self.current;
        if !position.board().generate_moves(|_| true) {
            return Some(if position.in_check() {
                Ending::Checkmate
            } else {
                Ending::Stalemate
            });
        }
        if position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if position.board().halfmove_clock() >= 100 {
            return Some(Ending::FiftyMoves);
        }
        let reversible = usize::from(position.board().halfmove_clock());
        let earlier = self
            .keys
            .iter()
            .rev()
            .skip(2)
            .step_by(2)
            .take(reversible / 2)
            .filter(|key| **key == position.key())
            .count();
        (earlier >= 2).then_some(Ending::Repetition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::util::parse_uci_move;

    fn play(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            assert_eq!(game.ending(), None, "before {text}");
            let mv = parse_uci_move(game.position().board(), text).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn fools_mate() {
        let game = play(START, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(game.ending(), Some(Ending::Checkmate));
        assert_eq!(
            Ending::Checkmate.winner(game.position().side_to_move()),
            Some(Color::Black)
        );
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        let game = play(START, &format!("{shuffle} {shuffle}"));
        assert_eq!(game.ending(), Some(Ending::Repetition));
    }

    #[test]
    fn an_en_passant_square_without_a_capture_is_no_other_position() {
        // After e2e4 no black pawn can capture: the position with and without the square is the same.
        let after = play(START, "e2e4");
        let bare = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
        assert_eq!(after.position().key(), bare.key());
    }

    #[test]
    fn an_en_passant_capture_is_another_position() {
        let with = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").unwrap();
        let without = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1").unwrap();
        assert_ne!(with.key(), without.key());
    }

    #[test]
    fn stalemate_fifty_moves_and_material() {
        assert_eq!(
            play("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7").ending(),
            Some(Ending::Stalemate)
        );
        assert_eq!(
            play("7k/8/6K1/8/8/8/8/R7 w - - 98 80", "a1a2 h8g8").ending(),
            Some(Ending::FiftyMoves)
        );
        assert_eq!(
            play("7k/8/8/8/8/8/1p6/K1B5 w - - 0 1", "a1b2").ending(),
            Some(Ending::InsufficientMaterial)
        );
    }

    #[test]
    fn mate_on_the_hundredth_ply_is_mate() {
        let game = play("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8");
        assert_eq!(game.ending(), Some(Ending::Checkmate));
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::new(Position::initial());
        let before = game.position().key();
        assert!(game.play("e2e5".parse().unwrap()).is_err());
        assert_eq!(game.position().key(), before);
        assert!(game.moves().is_empty());
    }
}
