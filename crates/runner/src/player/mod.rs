//! Who plays: something that chooses a move when asked.

pub mod engine;
pub mod score;
pub mod uci;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cozy_chess::{Color, Move};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::{Clock, Limits};

pub use engine::EnginePlayer;
pub use score::WrittenScore;

/// What a player is asked: to choose a move in a game.
#[derive(Debug, Clone)]
pub struct Turn<'t> {
    /// The game so far.
    pub game: &'t Game,
    /// What the player may spend on the move.
    pub limits: Limits,
    /// The clock of the other side, when that side plays with one.
    pub opponent_clock: Option<Clock>,
    /// An answer that takes longer is late, and loses the game; `None` when time does not count.
    pub flag: Option<Duration>,
    /// Becomes true when the answer is no longer wanted; the player then answers at once, whatever it has.
    pub stop: &'t AtomicBool,
}

impl Turn<'_> {
    /// The question as UCI asks it; see [`go`].
    pub fn go(&self) -> String {
        let side = self.game.position().side_to_move();
        go(side, &self.limits, self.opponent_clock)
    }
}

/// A question as UCI asks it: `go nodes 1000`, `go wtime 1000 btime 900 winc 10 binc 10`. When one side alone has a
/// clock, the other is said to have the same.
pub fn go(side: Color, limits: &Limits, opponent_clock: Option<Clock>) -> String {
    use std::fmt::Write as _;
    let mut text = "go".to_owned();
    // Writing to a string cannot fail.
    if let Some(own) = limits.clock {
        let other = opponent_clock.unwrap_or(own);
        let (white, black) = match side {
            Color::White => (own, other),
            Color::Black => (other, own),
        };
        // An engine that reads 0 may think that it plays without a clock.
        let left = |clock: Clock| clock.remaining.as_millis().max(1);
        let _ = write!(text, " wtime {} btime {}", left(white), left(black));
        if !white.increment.is_zero() || !black.increment.is_zero() {
            let _ = write!(
                text,
                " winc {} binc {}",
                white.increment.as_millis(),
                black.increment.as_millis()
            );
        }
        if let Some(moves) = own.moves_to_go {
            let _ = write!(text, " movestogo {moves}");
        }
    }
    if let Some(depth) = limits.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(time) = limits.move_time {
        let _ = write!(text, " movetime {}", time.as_millis());
    }
    text
}

/// What a player answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move. Whether it is legal is the game's to say.
    pub mv: Move,
    /// How good the player says that this is, from its own side.
    pub score: WrittenScore,
    /// Depth of the search as the player tells it, in plies; 0 when it does not.
    pub depth: u32,
    /// Nodes searched as the player tells it; 0 when it does not.
    pub nodes: u64,
    /// From the question to the answer.
    pub time: Duration,
}

/// In which way a player did not answer as it should; it loses the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// It named no move although there are legal ones.
    NoMove,
    /// Its answer is no legal move.
    IllegalMove,
    /// Its answer came too late.
    Late,
    /// It died, or closed its output.
    Crash,
    /// It did not answer at all, until nobody waited any longer.
    Stall,
}

/// Why there is no answer that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// In which way.
    pub kind: FaultKind,
    /// What happened, in words that go on from the player's name: `was killed by signal 11`.
    pub what: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
        }
    }

    /// The player named no move.
    pub fn no_move() -> Self {
        Self::new(FaultKind::NoMove, "chose no move")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}

/// Someone who plays games, one after the other.
pub trait Player: Send {
    /// Forgets the games before, so that the next one is as if it were the first.
    ///
    /// # Errors
    /// When the player cannot go on.
    fn new_game(&mut self, stop: &AtomicBool) -> Result<(), Fault>;

    /// Chooses a move; there is at least one legal move.
    ///
    /// # Errors
    /// When the player does not answer as it should.
    fn choose(&mut self, turn: Turn<'_>) -> Result<Choice, Fault>;

    /// What was odd since the last time, but cost no game; in words that go on from the player's name.
    fn take_remarks(&mut self) -> Vec<String> {
        Vec::new()
    }
}
