//! What a player may spend on a move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use lmrlab_engine::limits::{Clock, Limits};

/// The greatest number of nodes for a move.
pub const MAX_NODES: u64 = 1_000_000_000_000;
/// The greatest depth for a move, in plies.
pub const MAX_DEPTH: u32 = 100;
/// The longest time for a move or on a clock, in milliseconds: a day.
pub const MAX_TIME_MS: u64 = 86_400_000;

/// What a player may spend on a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// So many nodes for each move.
    Nodes(u64),
    /// So many plies of depth for each move.
    Depth(u32),
    /// So much time for each move.
    MoveTime(Duration),
    /// A clock for the whole game.
    Clock(TimeControl),
}

/// Time for a whole game, and what each move adds to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// On the clock when the game begins.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl Limit {
    /// Whether the same position gets the same move on every machine and at every load.
    pub fn is_deterministic(self) -> bool {
        matches!(self, Self::Nodes(_) | Self::Depth(_))
    }

    /// For one move, with so much time left on the player's clock.
    pub fn for_move(self, remaining: Duration) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Depth(depth) => Limits::depth(depth),
            Self::MoveTime(time) => Limits {
                move_time: Some(time),
                ..Limits::default()
            },
            Self::Clock(control) => Limits {
                clock: Some(control.clock(remaining)),
                ..Limits::default()
            },
        }
    }
}

/// For a person: `10000 nodes a move`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(1) => f.write_str("1 node a move"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::MoveTime(time) => write!(f, "{} ms a move", time.as_millis()),
            Self::Clock(control) => write!(f, "{control} s"),
        }
    }
}

impl TimeControl {
    /// A clock with so much time left.
    pub fn clock(self, remaining: Duration) -> Clock {
        Clock {
            remaining,
            increment: self.increment,
            moves_to_go: None,
        }
    }
}

/// `10+0.1`, as in a PGN's `TimeControl` tag: seconds for the game and for each move.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Why a text is not a [`TimeControl`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeControlError(String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TimeControlError {}

/// `BASE+INCREMENT` or `BASE`, in seconds.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control = Self {
            base: seconds(base)?,
            increment: seconds(increment)?,
        };
        if control.base.is_zero() {
            return Err(TimeControlError("a clock needs some time".to_owned()));
        }
        Ok(control)
    }
}

fn seconds(text: &str) -> Result<Duration, TimeControlError> {
    let plain = !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value = text.parse::<f64>().ok().filter(|_| plain).ok_or_else(|| {
        TimeControlError(format!(
            "`{text}` is not a number of seconds; write base and increment as in `10+0.1`"
        ))
    })?;
    if value * 1_000.0 > MAX_TIME_MS as f64 {
        return Err(TimeControlError(format!(
            "{text} seconds are more than a day"
        )));
    }
    // To the millisecond, which is as fine as UCI can say it.
    Ok(Duration::from_millis((value * 1_000.0).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["10+0.1", "60", "0.5+0.05", "86400+1"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("8+0".parse::<TimeControl>().unwrap().to_string(), "8");
    }

    #[test]
    fn what_is_no_time_control() {
        for text in [
            "", "+", "10+", "+1", "0", "0+1", "-1", "1e9", "inf", "nan", "10s", "1.2.3", "86401",
            "40/60",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
