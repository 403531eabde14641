//! Helper: tables of three men as tests make them: all positions of a table with the same side to move have the same value.

use std::fs;
use std::path::Path;

/// What a win-draw-loss table begins with.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// The value of a table in which the stronger side always wins, for each side to move.
const WON: [u8; 2] = [4, 0];
/// The same, but the fifty-move rule makes it a draw.
const CURSED: [u8; 2] = [3, 1];
const DRAWN: [u8; 2] = [2, 2];

/// Writes the tables: a queen wins, a rook and a pawn win only without the fifty-move rule, a bishop and a knight draw.
pub(crate) fn write(folder: &Path) {
    const KINGS: [u8; 2] = [14, 6];
    for (name, men, value) in [
        ("KQvK", [KINGS[0], KINGS[1], 5], WON),
        ("KRvK", [KINGS[0], KINGS[1], 4], CURSED),
        ("KBvK", [KINGS[0], KINGS[1], 3], DRAWN),
        ("KNvK", [KINGS[0], KINGS[1], 2], DRAWN),
        // The pawn comes first.
        ("KPvK", [1, KINGS[1], KINGS[0]], CURSED),
    ] {
        let has_pawns = men.contains(&1);
        // A table with pawns has four tables, one for each file of the first pawn up to the middle.
        let tables = if has_pawns { 4 } else { 1 };
        let mut content = MAGIC.to_vec();
        content.push(3 << 4 | u8::from(has_pawns) << 1 | 1);
        for _ in 0..tables {
            content.push(0);
            content.extend(men.iter().map(|man| man << 4 | man));
        }
        content.resize(content.len().next_multiple_of(2), 0);
        for _ in 0..tables {
            content.extend(value.into_iter().flat_map(|value| [0x80, value]));
        }
        content.resize(content.len().next_multiple_of(64), 0);
        // No reader compares the checksum.
        content.extend([0; 16]);
        fs::write(folder.join(name).with_extension("rtbw"), content).unwrap();
    }
}
