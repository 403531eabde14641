//! Which men are on the board, and the name of the table for them.

use cozy_chess::{Board, Color, Piece};

/// The men besides the king, in the order in which the name of a table lists them.
const ORDER: [(Piece, char); 5] = [
    (Piece::Queen, 'Q'),
    (Piece::Rook, 'R'),
    (Piece::Bishop, 'B'),
    (Piece::Knight, 'N'),
    (Piece::Pawn, 'P'),
];

/// The name of a table without its extension, such as `KRPvKR`. The side with more men comes first. With equally many
/// men, the side with the better men comes first.
pub(super) type Material = String;

/// The name for two sides, given by the indices of their men in [`ORDER`], each in ascending order.
fn name(sides: [&[usize]; 2]) -> Material {
    let [one, other] = sides;
    let swapped = (other.len(), one) > (one.len(), other);
    let [first, second] = if swapped { [other, one] } else { [one, other] };
    let men = |side: &[usize]| -> String { side.iter().filter_map(|man| Some(ORDER.get(*man)?.1)).collect() };
    format!("K{}vK{}", men(first), men(second))
}

/// The table for a position.
pub(super) fn of(board: &Board) -> Material {
    let men = |color: Color| -> Vec<usize> {
        let count = |piece| (board.colors(color) & board.pieces(piece)).len() as usize;
        ORDER
            .iter()
            .enumerate()
            .flat_map(|(man, (piece, _))| std::iter::repeat_n(man, count(*piece)))
            .collect()
    };
    name([&men(Color::White), &men(Color::Black)])
}

/// The tables with this number of men, kings included.
pub(super) fn all(men: u32) -> Vec<Material> {
    let men = (men as usize).saturating_sub(2);
    let mut names = Vec::new();
    for fewer in 0..=men / 2 {
        let smaller = sides(fewer);
        for first in sides(men - fewer) {
            let seconds = smaller.iter().filter(|second| fewer < men - fewer || first <= **second);
            names.extend(seconds.map(|second| name([&first, second])));
        }
    }
    names
}

/// All sides with this number of men beside the king.
fn sides(men: usize) -> Vec<Vec<usize>> {
    (0..men).fold(vec![Vec::new()], |sides, _| {
        let longer = |side: Vec<usize>| {
            let least = side.last().copied().unwrap_or(0);
            (least..ORDER.len()).map(move |man| [&side[..], &[man]].concat())
        };
        sides.into_iter().flat_map(longer).collect()
    })
}

/// Adds the tables of this position and of all that captures lead to. Two kings need no table.
pub(super) fn reached(board: &Board, found: &mut Vec<Material>) {
    if board.occupied().len() <= 2 {
        return;
    }
    let material = of(board);
    if !found.contains(&material) {
        found.push(material);
    }
    let before = board.occupied().len();
    let them = board.colors(!board.side_to_move());
    board.generate_moves(|moves| {
        for mv in moves {
            let is_pawn_aside = moves.piece == Piece::Pawn && mv.from.file() != mv.to.file();
            if !them.has(mv.to) && !is_pawn_aside {
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            debug_assert_eq!(after.occupied().len() + 1, before);
            reached(&after, found);
        }
        false
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_published_tables() {
        // The numbers of tables that are published for each number of men.
        assert_eq!([3, 4, 5, 6, 7].map(|men| all(men).len()), [5, 30, 110, 365, 1001]);
        let four = all(4);
        for name in ["KQQvK", "KPPvK", "KQvKQ", "KQvKP", "KRvKB", "KPvKP"] {
            assert!(four.iter().any(|other| other == name), "{name}");
        }
        assert!(all(5).contains(&"KBNvKQ".to_owned()));
        assert!(all(6).contains(&"KQPvKRR".to_owned()));
    }

    #[test]
    fn the_table_of_a_position_has_the_stronger_side_first() {
        let name = |fen: &str| of(&fen.parse().unwrap());
        assert_eq!(name("8/8/8/8/8/k7/7q/K7 w - - 0 1"), "KQvK");
        assert_eq!(name("8/8/8/8/8/k6r/7q/K6Q w - - 0 1"), "KQRvKQ");
        assert_eq!(name("8/8/8/8/8/k6r/7p/K6Q w - - 0 1"), "KRPvKQ");
        assert_eq!(name("8/8/8/8/8/k6q/7p/K5RR w - - 0 1"), "KQPvKRR");
    }

    #[test]
    fn captures_lead_to_smaller_tables() {
        let mut found = Vec::new();
        // White takes the pawn en passant or the rook; after the first, Black may take the queen.
        reached(&"8/8/8/1pP5/8/k7/7r/2K4Q w - b6 0 1".parse().unwrap(), &mut found);
        found.sort();
        assert_eq!(found, ["KQPvKP", "KQPvKR", "KQPvKRP", "KRvKP"]);
    }
}
