//! An engine that is a program of its own: how it is started and what it is told.

use std::path::PathBuf;
use std::time::Duration;

/// How an external engine is started, what it is told, and how long it is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalEngine {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory that it runs in; that of lmrlab when absent.
    pub dir: Option<PathBuf>,
    /// Environment variables, in addition to those that lmrlab itself has.
    pub env: Vec<(String, String)>,
    /// UCI options, sent in this order before the first game.
    pub options: Vec<(String, String)>,
    /// When the process is started anew.
    pub restart: Restart,
    /// How it is told what has been played.
    pub move_list: MoveList,
    /// How long it is waited for.
    pub deadlines: Deadlines,
}

/// When the process of an engine is started anew; after a crash or a stall it always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restart {
    /// One process for each worker, as long as the run lasts.
    #[default]
    Never,
    /// A new process for every game: for engines that do not forget at `ucinewgame`.
    Game,
}

impl Restart {
    /// The values with the names that they have in a tournament file.
    pub const NAMES: [(&'static str, Self); 2] = [("never", Self::Never), ("game", Self::Game)];

    /// The name in a tournament file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Game => "game",
        }
    }
}

/// Which position and which moves an engine is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MoveList {
    /// The opening and all moves since, as UCI means it.
    #[default]
    Whole,
    /// The position after the last capture, pawn move or other move that cannot be undone, and the moves since: all
    /// that repetition and the fifty-move rule need, and less to read. An engine that learns something from earlier
    /// moves may play differently.
    Rebased,
}

impl MoveList {
    /// The values with the names that they have in a tournament file.
    pub const NAMES: [(&'static str, Self); 2] =
        [("whole", Self::Whole), ("rebased", Self::Rebased)];

    /// The name in a tournament file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Rebased => "rebased",
        }
    }
}

/// How long an engine is waited for at each step; whoever takes longer has stalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// From `go nodes` or `go depth` to `bestmove`. `None`: [`Deadlines::for_nodes`] or [`Deadlines::FOR_DEPTH`].
    pub answer: Option<Duration>,
    /// After a deadline and a `stop`, for an answer that is late: an engine that then answers goes on playing, any
    /// other is killed.
    pub late: Duration,
    /// From `quit` to the end of the process, which is then killed.
    pub quit: Duration,
}

impl Deadlines {
    /// For a move at a fixed depth, when nothing else is said.
    pub const FOR_DEPTH: Duration = Duration::from_secs(120);

    /// For a move of so many nodes when nothing else is said: 10 s, and 1 s more for every 10,000 nodes.
    pub fn for_nodes(nodes: u64) -> Duration {
        Duration::from_secs(10).saturating_add(Duration::from_millis(nodes / 10))
    }
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            answer: None,
            late: Duration::from_secs(1),
            quit: Duration::from_secs(1),
        }
    }
}
