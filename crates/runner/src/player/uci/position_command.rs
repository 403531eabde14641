//! The UCI `position` command of a game.

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;

use super::external::MoveList;

/// The `position` command, extended move by move.
pub(super) struct PositionCommand {
    style: MoveList,
    variant: ChessVariant,
    text: String,
    /// Number of the game's moves in `text`, and the position after them; `None` before the first call.
    reached: Option<(usize, Position)>,
    has_moves: bool,
}

impl PositionCommand {
    pub(super) fn new(style: MoveList, variant: ChessVariant) -> Self {
        Self {
            style,
            variant,
            text: String::new(),
            reached: None,
            has_moves: false,
        }
    }

    /// The command, without a line end.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Extends the command by the moves played since the last call.
    pub(super) fn follow(&mut self, game: &Game) {
        let (mut count, mut position) = self.reached.take().unwrap_or_else(|| {
            self.begin(game.start());
            (0, game.start().clone())
        });
        for mv in game.moves().iter().skip(count) {
            let text = self.variant.uci_move(position.board(), *mv);
            position.play(*mv);
            count += 1;
            if self.style == MoveList::Rebased && position.board().halfmove_clock() == 0 {
                self.begin(&position);
            } else {
                self.text.push_str(if self.has_moves { " " } else { " moves " });
                self.text.push_str(&text);
                self.has_moves = true;
            }
        }
        self.reached = Some((count, position));
    }

    fn begin(&mut self, position: &Position) {
        self.text.clear();
        self.text.push_str("position fen ");
        self.text.push_str(&self.variant.fen(position.board()));
        self.has_moves = false;
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::parse_uci_move;

    use super::*;

    fn command(style: MoveList, moves: &str) -> String {
        command_of((START, ChessVariant::Standard), style, moves)
    }

    fn command_of((start, variant): (&str, ChessVariant), style: MoveList, moves: &str) -> String {
        let mut game = Game::new(Position::from_fen(start).unwrap());
        let mut command = PositionCommand::new(style, variant);
        for text in moves.split_whitespace() {
            command.follow(&game);
            let mv = parse_uci_move(game.position().board(), text).unwrap();
            game.play(mv).unwrap();
        }
        command.follow(&game);
        command.text
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_whole_game_or_what_repetitions_need() {
        let moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1";
        assert_eq!(
            command(MoveList::Whole, moves),
            format!("position fen {START} moves {moves}")
        );
        assert_eq!(
            command(MoveList::Rebased, moves),
            "position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2 \
             moves g1f3 g8f6 f1c4 f8c5 e1g1"
        );
        assert_eq!(command(MoveList::Rebased, ""), format!("position fen {START}"));
    }

    #[test]
    fn chess960_names_the_rooks_by_their_files_and_castling_by_the_rook() {
        let array = |castling: &str| format!("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {castling} - 0 1");
        let x_fen = array("KQkq");
        let moves = "g1f3 h8g6 g2g3 g6f4 f1g2 b7b6 e1h1";
        assert_eq!(
            command_of((&x_fen, ChessVariant::Chess960), MoveList::Whole, moves),
            format!("position fen {} moves {moves}", array("HAgb"))
        );
        assert_eq!(
            command_of((&x_fen, ChessVariant::Chess960), MoveList::Rebased, moves),
            "position fen nrbkqbr1/p1pppppp/1p6/8/5n2/5NP1/PPPPPPBP/RNBQK2R w HAgb - 0 4 moves e1h1"
        );
        // The initial position of chess, played as Chess960.
        assert_eq!(
            command_of((START, ChessVariant::Chess960), MoveList::Whole, ""),
            format!("position fen {}", START.replace("KQkq", "HAha"))
        );
    }
}
