//! Syzygy tablebases: they know the result of a position with few men, and end games there.
//!
//! A game ends when its position has few enough men, no castling rights and a halfmove clock of zero. Only then is the
//! value in the table that of the game. Win-draw-loss tables (`.rtbw`) are enough for that.

mod files;
mod reader;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cozy_chess::Color;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_engine::position::Position;

pub use self::files::MEN;
use self::files::{TableFiles, shown};
use self::reader::{Reader, Value};
use lmrlab_diagnostics::failure::complaint;
use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::paths::from_here;

/// Which tablebases end games, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TablebaseRules {
    /// The folders with the tables, seen from the root of the run; at least one.
    pub folders: Vec<PathBuf>,
    /// The most men that a position may have, with the kings; within [`MEN`]. When absent, as many as the largest table has.
    pub pieces: Option<u32>,
    /// Whether a win counts even if the fifty-move rule makes it a draw.
    pub ignore_50: bool,
}

/// The tablebases of a run. All tables that its games can need are there.
#[derive(Debug, Clone)]
pub struct Tablebases {
    opened: Arc<Opened>,
    pieces: u32,
    ignore_50: bool,
}

/// Tables that this process reads.
#[derive(Debug)]
struct Opened {
    folders: Vec<PathBuf>,
    reader: Reader,
}

/// The reader can open one set of tables in a process. It stays open until the process ends.
static OPENED: Mutex<Option<Arc<Opened>>> = Mutex::new(None);

impl Tablebases {
    /// Opens the tables for games with these rules. Relative folders start from `root`.
    ///
    /// # Errors
    /// When a folder or a table is not there, or a file is no table or is cut short.
    pub fn open(rules: &TablebaseRules, root: &Path) -> Result<Self, Diagnostics> {
        let folders: Vec<PathBuf> = rules
            .folders
            .iter()
            .map(|folder| seen_from_here(&root.join(folder)))
            .collect();
        let files = TableFiles::find(&folders)?;
        let pieces = files.complete_to(rules.pieces, &folders)?;
        Ok(Self {
            opened: opened(folders)?,
            pieces,
            ignore_50: rules.ignore_50,
        })
    }

    /// The most men that a position may have, with the kings.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Whether the tables have the result of this position.
    pub fn know(&self, position: &Position) -> bool {
        let board = position.board();
        let may_castle = |color| {
            let rights = board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        };
        board.halfmove_clock() == 0
            && board.occupied().len() <= self.pieces
            && ![Color::White, Color::Black].into_iter().any(may_castle)
    }

    /// How the game ends, if the tables have the result of the position.
    ///
    /// # Errors
    /// When a table cannot be read any more: what is wrong, in a sentence without its end.
    pub fn decision(&self, position: &Position) -> Result<Option<(GameResult, Termination)>, String> {
        if !self.know(position) {
            return Ok(None);
        }
        let board = position.board();
        let value = self.opened.reader.probe(board);
        let value = value.ok_or_else(|| format!("the tablebases have no value for {position}"))?;
        let side = board.side_to_move();
        let winner = match value {
            Value::Win => Some(side),
            Value::Loss => Some(!side),
            Value::CursedWin if self.ignore_50 => Some(side),
            Value::BlessedLoss if self.ignore_50 => Some(!side),
            Value::CursedWin | Value::Draw | Value::BlessedLoss => None,
        };
        Ok(Some((GameResult::won_by(winner), Termination::Tablebase)))
    }
}

fn opened(folders: Vec<PathBuf>) -> Result<Arc<Opened>, Diagnostics> {
    let mut place = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(opened) = &*place {
        if opened.folders == folders {
            return Ok(Arc::clone(opened));
        }
        return Err(complaint(
            format!("tablebases are read from {} already", shown(&opened.folders)),
            "use one set of folders for all games of a command",
        ));
    }
    let reader = Reader::open(&folders)?;
    let opened = Arc::new(Opened { folders, reader });
    *place = Some(Arc::clone(&opened));
    Ok(opened)
}

/// A folder relative to the working directory, for messages and for opening it.
fn seen_from_here(folder: &Path) -> PathBuf {
    match from_here(folder) {
        here if here.as_os_str().is_empty() => PathBuf::from("."),
        folder => folder,
    }
}
