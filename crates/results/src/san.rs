//! Moves in standard algebraic notation, as files have them.

use cozy_chess::util::{display_san_move, parse_san_move, parse_uci_move};
use cozy_chess::{Board, Move, Piece};

/// The legal move that a word means, in standard algebraic notation or as UCI writes it. Castling may be written with
/// zeros, other moves with a hyphen: `e7-e5`, `Ng1-f3`. Marks such as `+`, `#` and `!` are ignored.
///
/// # Errors
/// Why there is none: the word means no legal move, or more than one.
pub fn read_move(board: &Board, word: &str) -> Result<Move, String> {
    let bare = word.trim_end_matches(['+', '#', '!', '?']);
    let san = match bare.strip_prefix('0') {
        Some(_) => bare.replace('0', "O"),
        None => bare.to_owned(),
    };
    let found = (parse_san_move(board, &san).or_else(|_| parse_uci_move(board, bare))).or_else(|_| {
        let joined = bare.replacen('-', "", 1);
        parse_san_move(board, &joined).or_else(|_| parse_uci_move(board, &joined))
    });
    match found {
        Ok(mv) if board.is_legal(mv) => Ok(mv),
        _ => Err(refusal(board, word, bare)),
    }
}

fn refusal(board: &Board, word: &str, bare: &str) -> String {
    let mut meant = Vec::new();
    board.generate_moves(|moves| {
        meant.extend(moves.into_iter().filter(|mv| may_mean(board, bare, *mv)));
        false
    });
    let names: Vec<String> = meant
        .into_iter()
        .map(|mv| display_san_move(board, mv).to_string())
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("`{word}` is ambiguous here: it may be {} or {last}", others.join(", "))
        }
        _ => format!("`{word}` is not a legal move here"),
    }
}

/// Whether a word may mean a move: it has the piece and the target, has the promotion or none, and does not contradict
/// the origin.
fn may_mean(board: &Board, word: &str, mv: Move) -> bool {
    let word = word.replace(['x', '='], "");
    let letter = match board.piece_on(mv.from) {
        None => return false,
        Some(Piece::Pawn) => String::new(),
        Some(piece) => char::from(piece).to_ascii_uppercase().to_string(),
    };
    let promoted = mv.promotion.map(|piece| char::from(piece).to_ascii_uppercase());
    let to = mv.to.to_string();
    let before = match promoted {
        Some(promoted) => word.strip_suffix(promoted).unwrap_or(&word),
        None => &word,
    };
    let from = before.strip_suffix(&to).and_then(|before| before.strip_prefix(&letter));
    from.is_some_and(|said| mv.from.to_string().contains(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, word: &str) -> String {
        let board: Board = fen.parse().unwrap();
        match read_move(&board, word) {
            Ok(mv) => display_san_move(&board, mv).to_string(),
            Err(reason) => reason,
        }
    }

    #[test]
    fn what_files_write() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (word, san) in [
            ("O-O", "O-O"),
            ("0-0-0+", "O-O-O"),
            ("e1g1", "O-O"),
            ("e1c1", "O-O-O"),
            ("Rxa8+!", "Rxa8+"),
            ("a1a8", "Rxa8+"),
            ("Ke2?!", "Ke2"),
            ("a1-a8", "Rxa8+"),
            ("Ke1-e2", "Ke2"),
        ] {
            assert_eq!(read(fen, word), san, "{word}");
        }
        let pawns = "3nk3/P1P5/8/8/8/8/8/K7 w - - 0 1";
        for word in ["a7-a8q", "a7-a8=Q+"] {
            assert_eq!(read(pawns, word), "a8=Q", "{word}");
        }
        assert_eq!(read(pawns, "c7-d8=N"), "cxd8=N");
        assert!(read(pawns, "a7--a8q").contains("not a legal move"));
    }

    #[test]
    fn what_is_ambiguous_is_said_with_the_moves_that_it_may_be() {
        for (fen, word, said) in [
            (
                "4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1",
                "Rd1",
                "`Rd1` is ambiguous here: it may be Rad1 or Rfd1",
            ),
            (
                "6k1/8/8/8/1Q1Q4/8/1Q6/6K1 w - - 0 1",
                "Qbd2",
                "`Qbd2` is ambiguous here: it may be Q2d2 or Qb4d2",
            ),
            (
                "3n4/P7/8/8/8/8/7k/K7 w - - 0 1",
                "a8",
                "it may be a8=N, a8=B, a8=R or a8=Q",
            ),
            (
                "4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1",
                "Re2",
                "`Re2` is not a legal move here",
            ),
            ("4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1", "", "`` is not a legal move here"),
            (
                "4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1",
                "zzz",
                "`zzz` is not a legal move here",
            ),
            // The knight on e2 is pinned.
            ("4k3/4r3/8/8/8/5N2/4N3/4K3 w - - 0 1", "Nd4", "Nd4"),
        ] {
            let found = read(fen, word);
            assert!(found.contains(said), "{fen}: {found}");
        }
    }
}
