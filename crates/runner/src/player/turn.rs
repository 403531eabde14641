//! A turn: what a player is asked, and what it answers.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cozy_chess::{Color, Move};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::{Clock, Limits};

use super::fault::Fault;
use super::traffic_log::TrafficLog;
use super::uci::HostedPolicy;
use super::warning::Warning;
use lmrlab_results::written_score::WrittenScore;

/// A player of games, one after the other.
pub trait Player: Send {
    /// Forgets all earlier games.
    ///
    /// # Errors
    /// When the player cannot play another game.
    fn new_game(&mut self, seat: Seat<'_>, stop: &AtomicBool) -> Result<(), Fault>;

    /// Chooses a move. The position has at least one legal move.
    ///
    /// # Errors
    /// When the player commits a [`Fault`].
    fn choose(&mut self, turn: Turn<'_>) -> Result<ChosenMove, Fault>;

    /// The opponent thinks now. `turn` is the game after the player's own move, with the limits of its next move. A
    /// player that does not think on the opponent's time does nothing.
    fn ponder(&mut self, _turn: Turn<'_>) {}

    /// The game has ended. A player that thinks on the opponent's time stops that.
    fn game_over(&mut self, _stop: &AtomicBool) {}

    /// The last lines between a program and lmrlab in this game, the newest last. Empty for a player that is no program.
    fn recent_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// Changes the options of a program and the policy of a host, from the next game on.
    fn change(&mut self, _options: Vec<(String, String)>, _policy: Option<HostedPolicy>) {}

    /// The warnings since the last call.
    fn take_warnings(&mut self) -> Vec<Warning> {
        Vec::new()
    }
}

/// A player's place in a game.
#[derive(Debug, Clone, Copy)]
pub struct Seat<'s> {
    /// The number of the game, from 1.
    pub game: u64,
    /// What the run calls the player.
    pub engine: &'s str,
    /// Where all lines of programs are written.
    pub log: Option<&'s Arc<TrafficLog>>,
}

/// A request to choose a move.
#[derive(Debug, Clone)]
pub struct Turn<'t> {
    /// The game so far.
    pub game: &'t Game,
    /// What the player may spend on the move.
    pub limits: Limits,
    /// The clock of the other side, when that side plays with one.
    pub opponent_clock: Option<Clock>,
    /// The time after which the answer is late and loses the game; `None` when time does not count.
    pub flag: Option<Duration>,
    /// Set when the answer is no longer needed; the player then returns at once.
    pub stop: &'t AtomicBool,
}

impl Turn<'_> {
    /// The UCI `go` command of this turn; see [`go`].
    pub fn go(&self) -> String {
        let side = self.game.position().side_to_move();
        go(side, &self.limits, self.opponent_clock)
    }
}

/// The UCI `go` command: `go nodes 1000`, `go wtime 1000 btime 900 winc 10 binc 10`. When only one side has a clock, the
/// command gives the other side the same one.
pub fn go(side: Color, limits: &Limits, opponent_clock: Option<Clock>) -> String {
    let mut text = "go".to_owned();
    // Writing to a string cannot fail.
    if let Some(own) = limits.clock {
        let other = opponent_clock.unwrap_or(own);
        let (white, black) = match side {
            Color::White => (own, other),
            Color::Black => (other, own),
        };
        // Some engines take 0 to mean that there is no clock.
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

/// The move that a player chose, with what it says of its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move; it may be illegal.
    pub mv: Move,
    /// The player's score, from its own side.
    pub score: WrittenScore,
    /// Reported search depth, in plies; 0 when the player reports none.
    pub depth: u32,
    /// Reported nodes; 0 when the player reports none.
    pub nodes: u64,
    /// Time from the request to the answer.
    pub time: Duration,
}
