//! The description of an external engine: program, options, how it is started and played.

use std::path::PathBuf;
#[cfg(all(test, unix))]
use std::time::Duration;

use super::deadlines::Deadlines;
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
