//! Reads tables with the crate pyrrhic-rs, which many engines use. The attacks are those of the chess crate.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Diagnostics;

use lmrlab_diagnostics::failure::complaint;

/// The value of a position for the side to move.
#[allow(dead_code, reason = "where no tables are read, no position has a value")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// It loses.
    Loss,
    /// It loses, but the fifty-move rule makes that a draw.
    BlessedLoss,
    Draw,
    /// It wins, but the fifty-move rule makes that a draw.
    CursedWin,
    /// It wins.
    Win,
}

// The crate compiles only where C's `char` is signed, and works only where addresses have 64 bits.
#[cfg(all(
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_vendor = "apple", windows)
))]
mod implementation {
    use cozy_chess::{
        BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
        get_pawn_attacks, get_rook_moves,
    };
    use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};

    use crate::game::tablebases::reader::Value;

    #[derive(Clone)]
    struct Attacks;

    /// The attacks from a square by its index; none from an invalid index.
    fn from(square: u64, attacks: impl FnOnce(Square) -> BitBoard) -> u64 {
        let square = usize::try_from(square).ok().and_then(Square::try_index);
        square.map_or(0, |square| attacks(square).0)
    }

    impl EngineAdapter for Attacks {
        fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
            let color = match color {
                pyrrhic_rs::Color::White => Color::White,
                pyrrhic_rs::Color::Black => Color::Black,
            };
            from(square, |square| get_pawn_attacks(square, color))
        }

        fn knight_attacks(square: u64) -> u64 {
            from(square, get_knight_moves)
        }

        fn bishop_attacks(square: u64, occupied: u64) -> u64 {
            from(square, |square| get_bishop_moves(square, BitBoard(occupied)))
        }

        fn rook_attacks(square: u64, occupied: u64) -> u64 {
            from(square, |square| get_rook_moves(square, BitBoard(occupied)))
        }

        fn queen_attacks(square: u64, occupied: u64) -> u64 {
            Self::bishop_attacks(square, occupied) | Self::rook_attacks(square, occupied)
        }

        fn king_attacks(square: u64) -> u64 {
            from(square, get_king_moves)
        }
    }

    /// Tables that are open.
    pub(in super::super) struct Reader(TableBases<Attacks>);

    impl Reader {
        pub(super) fn of(paths: &str) -> Option<Self> {
            TableBases::new(paths).ok().map(Self)
        }

        /// The value of a position without castling rights; `None` when a table is not there.
        pub(in super::super) fn probe(&self, board: &Board) -> Option<Value> {
            let side = board.side_to_move();
            let en_passant = board.en_passant().map_or(0, |file| {
                // The crate takes a1 for "no en passant square".
                Square::new(file, Rank::Sixth.relative_to(side)) as u32
            });
            let pieces = |piece| board.pieces(piece).0;
            let value = self.0.probe_wdl(
                board.colors(Color::White).0,
                board.colors(Color::Black).0,
                pieces(Piece::King),
                pieces(Piece::Queen),
                pieces(Piece::Rook),
                pieces(Piece::Bishop),
                pieces(Piece::Knight),
                pieces(Piece::Pawn),
                en_passant,
                side == Color::White,
            );
            Some(match value.ok()? {
                WdlProbeResult::Loss => Value::Loss,
                WdlProbeResult::BlessedLoss => Value::BlessedLoss,
                WdlProbeResult::Draw => Value::Draw,
                WdlProbeResult::CursedWin => Value::CursedWin,
                WdlProbeResult::Win => Value::Win,
            })
        }
    }
}

#[cfg(not(all(
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_vendor = "apple", windows)
)))]
mod implementation {
    use cozy_chess::Board;

    use crate::game::tablebases::reader::Value;

    /// There is no reader on this system.
    pub(in super::super) struct Reader;

    impl Reader {
        pub(super) fn of(_paths: &str) -> Option<Self> {
            None
        }

        pub(in super::super) fn probe(&self, _board: &Board) -> Option<Value> {
            None
        }
    }
}

pub(super) use self::implementation::Reader;

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reader")
    }
}

/// What separates two folders in the crate's list of folders.
const SEPARATOR: char = ':';

impl Reader {
    /// Opens the tables in these folders. A process can do that once.
    pub(super) fn open(folders: &[PathBuf]) -> Result<Self, Diagnostics> {
        let paths: Vec<String> = folders.iter().map(|folder| path(folder)).collect::<Result<_, _>>()?;
        Self::of(&paths.join(&SEPARATOR.to_string())).ok_or_else(|| {
            complaint(
                "this build of lmrlab reads no tablebases",
                "they are read on x86-64 processors, and on macOS and Windows; leave out the tablebases here",
            )
        })
    }
}

/// A folder as the crate takes it. The path must not contain the separator. A relative path avoids the letter of a
/// drive.
fn path(folder: &Path) -> Result<String, Diagnostics> {
    let absolute = lmrlab_results::paths::absolute(folder);
    let from_here = || {
        let here = lmrlab_results::paths::absolute(Path::new("."));
        lmrlab_results::paths::relative(&here, &absolute)
    };
    let usable = |path: &Path| {
        path.to_str()
            .filter(|path| !path.contains(SEPARATOR))
            .map(str::to_owned)
    };
    usable(&absolute).or_else(|| usable(&from_here())).ok_or_else(|| {
        complaint(
            format!("tablebases cannot be read from `{}`", folder.display()),
            "its path may have no colon and must be valid Unicode; on Windows it has to be on the drive of the working directory",
        )
    })
}
