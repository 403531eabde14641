//! The description of an external engine: program, options, deadlines.

use std::path::PathBuf;
use std::time::Duration;

use lmrlab_engine::chess_variant::ChessVariant;

/// An external engine: how to start it, what to send it, and how long to wait for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExternalEngine {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; by default that of lmrlab.
    pub dir: Option<PathBuf>,
    /// Environment variables, in addition to those of lmrlab.
    pub env: Vec<(String, String)>,
    /// UCI options, sent in this order before the first game.
    pub options: Vec<(String, String)>,
    /// When to restart the process.
    pub restart: Restart,
    /// Whether it thinks on the opponent's time, too. It needs a clock.
    pub ponder: bool,
    /// Which moves the `position` command lists.
    pub move_list: MoveList,
    /// The variant of chess that it plays.
    pub variant: ChessVariant,
    /// How long to wait at each step.
    pub deadlines: Deadlines,
}

#[cfg(all(test, unix))]
impl ExternalEngine {
    /// An engine that is a shell script.
    pub(super) fn script(text: &str) -> Self {
        Self {
            program: "/bin/sh".into(),
            args: vec!["-c".to_owned(), text.to_owned()],
            deadlines: Deadlines {
                start: Duration::from_secs(60),
                ..Deadlines::default()
            },
            ..Self::default()
        }
    }
}

/// When to restart an engine's process. After a crash or a stall it is always restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restart {
    /// Never: each worker keeps one process for the whole run.
    #[default]
    Never,
    /// A new process for every game: for engines that do not forget at `ucinewgame`.
    Game,
}

impl Restart {
    /// The values and their names in a tournament file.
    pub const NAMES: [(&'static str, Self); 2] = [("never", Self::Never), ("game", Self::Game)];
}

/// Which position and moves the `position` command has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MoveList {
    /// The opening and all moves since, as UCI intends.
    #[default]
    Whole,
    /// The position after the last irreversible move, and the moves since. Repetitions and the fifty-move rule need no
    /// more, and the command is shorter. An engine that learns from earlier moves may play differently.
    Rebased,
}

impl MoveList {
    /// The values and their names in a tournament file.
    pub const NAMES: [(&'static str, Self); 2] = [("whole", Self::Whole), ("rebased", Self::Rebased)];
}

/// How long to wait for an engine at each step. An engine that takes longer has stalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// From `go nodes` or `go depth` to `bestmove`. `None`: [`Deadlines::for_nodes`] or [`Deadlines::FOR_DEPTH`].
    pub answer: Option<Duration>,
    /// From `stop` after a missed deadline to a late `bestmove`. An engine that answers in this time keeps its process;
    /// any other is killed.
    pub late: Duration,
    /// From `quit` to the end of the process, which is killed after that.
    pub quit: Duration,
}

impl Deadlines {
    /// The default for a move at a fixed depth.
    pub const FOR_DEPTH: Duration = Duration::from_secs(120);

    /// The default for a move at fixed nodes: 10 s, and 1 s more for every 10,000 nodes.
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
