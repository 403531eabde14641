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
/// The greatest number of moves in a time control.
pub const MAX_MOVES: u32 = 10_000;

/// What a player may spend on a move: nodes, a depth or time, or several of them. The first one reached ends the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<TimeLimit>,
}

/// What a player may spend in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// A time for each move.
    Move(Duration),
    /// A clock for the whole game.
    Clock(TimeControl),
}

/// Time for a whole game or for a number of moves, and what each move adds to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// After this many moves `base` is added again; `None` when it is for the whole game.
    pub moves: Option<u32>,
    /// On the clock when the game begins.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl Limit {
    /// The limits that are given; `None` when there is none.
    pub fn new(nodes: Option<u64>, depth: Option<u32>, time: Option<TimeLimit>) -> Option<Self> {
        let is_limited = nodes.is_some() || depth.is_some() || time.is_some();
        is_limited.then_some(Self { nodes, depth, time })
    }

    /// A number of nodes for each move.
    pub const fn of_nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            depth: None,
            time: None,
        }
    }

    /// The number of nodes for each move.
    pub fn nodes(self) -> Option<u64> {
        self.nodes
    }

    /// The depth for each move, in plies.
    pub fn depth(self) -> Option<u32> {
        self.depth
    }

    /// The time for each move, or the clock.
    pub fn time(self) -> Option<TimeLimit> {
        self.time
    }

    /// The clock for the whole game.
    pub fn clock(self) -> Option<TimeControl> {
        match self.time {
            Some(TimeLimit::Clock(control)) => Some(control),
            Some(TimeLimit::Move(_)) | None => None,
        }
    }

    /// A limit four times as long; a depth gets two more plies.
    pub fn longer(self) -> Self {
        Self {
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(4)),
            depth: self.depth.map(|depth| depth + 2),
            time: self.time.map(|time| match time {
                TimeLimit::Move(time) => TimeLimit::Move(time * 4),
                TimeLimit::Clock(control) => TimeLimit::Clock(TimeControl {
                    base: control.base * 4,
                    increment: control.increment * 4,
                    ..control
                }),
            }),
        }
    }

    /// Whether the same position gets the same move on every machine and at every load.
    pub fn is_deterministic(self) -> bool {
        self.time.is_none()
    }

    /// The value of the PGN tag `TimeControl`; `1/T` for a fixed time for each move. `None` when time does not count.
    pub fn pgn(self) -> Option<String> {
        self.time.map(|time| match time {
            TimeLimit::Move(time) => format!("1/{}", time.as_secs_f64()),
            TimeLimit::Clock(control) => control.to_string(),
        })
    }

    /// Whether the player's time counts.
    pub fn is_timed(self) -> bool {
        !self.is_deterministic()
    }

    /// The default time margin. Many engines check the clock only now and then, and exceed a fixed time for each move.
    /// With a clock for the whole game they reserve some time.
    pub fn default_margin(self) -> Duration {
        match self.time {
            Some(TimeLimit::Move(_)) => Duration::from_millis(100),
            Some(TimeLimit::Clock(_)) | None => Duration::ZERO,
        }
    }
}

/// What one player may spend, and how late it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// What it may spend.
    pub limit: Limit,
    /// Its answers may be this late. A later one loses on time.
    pub margin: Duration,
}

impl Terms {
    /// A limit with the usual margin.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            margin: limit.default_margin(),
        }
    }
}

/// What one player has left during a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    terms: Terms,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

impl Allowance {
    /// At the beginning of a game.
    pub fn new(terms: Terms) -> Self {
        let clock = terms.limit.clock();
        let (remaining, moves_to_go) = clock.map_or((Duration::ZERO, None), |clock| (clock.base, clock.moves));
        Self {
            terms,
            remaining,
            moves_to_go,
        }
    }

    /// For the next move.
    pub fn limits(&self) -> Limits {
        let limit = self.terms.limit;
        Limits {
            nodes: limit.nodes,
            depth: limit.depth,
            move_time: match limit.time {
                Some(TimeLimit::Move(time)) => Some(time),
                Some(TimeLimit::Clock(_)) | None => None,
            },
            clock: self.clock(),
            ..Limits::default()
        }
    }

    /// The clock as it stands, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        self.terms.limit.clock().map(|control| Clock {
            remaining: self.remaining,
            increment: control.increment,
            moves_to_go: self.moves_to_go,
        })
    }

    /// The next move is lost on time when it takes longer than this; `None` when time does not count.
    pub fn flag(&self) -> Option<Duration> {
        let allowed = match self.terms.limit.time? {
            TimeLimit::Move(time) => time,
            TimeLimit::Clock(_) => self.remaining,
        };
        Some(allowed + self.terms.margin)
    }

    /// Subtracts the time of a move that was not late, and adds the increment.
    pub fn spend(&mut self, time: Duration) {
        let Some(control) = self.terms.limit.clock() else {
            return;
        };
        self.remaining = self.remaining.saturating_sub(time) + control.increment;
        if let Some(left) = &mut self.moves_to_go {
            *left -= 1;
            if *left == 0 {
                self.remaining += control.base;
                self.moves_to_go = control.moves;
            }
        }
    }
}

/// For a person: `10000 nodes a move`, or `10+0.1 s, depth 8`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map(|time| match time {
            TimeLimit::Move(time) => format!("{} ms a move", time.as_millis()),
            TimeLimit::Clock(control) => format!("{control} s"),
        });
        let nodes = self.nodes.map(|nodes| match nodes {
            1 => "1 node a move".to_owned(),
            _ => format!("{nodes} nodes a move"),
        });
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        f.write_str(
            &[time, nodes, depth]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(", "),
        )
    }
}

/// `10+0.1` or `40/60+0.6`, as in a PGN's `TimeControl` tag: moves, seconds for them or for the game, and seconds for
/// each move.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// `[MOVES/]BASE[+INCREMENT]`, times in seconds, or in minutes and seconds, as in `1:30`.
impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(count(moves)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let control = Self {
            moves,
            base: seconds(base)?,
            increment: seconds(increment)?,
        };
        if control.base.is_zero() {
            return Err("a clock needs some time".to_owned());
        }
        Ok(control)
    }
}

fn count(text: &str) -> Result<u32, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|moves| plain && (1..=MAX_MOVES).contains(moves))
        .ok_or_else(|| format!("`{text}` is not a number of moves from 1 to {MAX_MOVES}; write it as in `40/60+0.6`"))
}

/// Seconds, or minutes and seconds as in `1:30`.
fn seconds(text: &str) -> Result<Duration, String> {
    let (minutes, rest) = text.split_once(':').unwrap_or(("0", text));
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let minutes = minutes.parse::<u32>().ok().filter(|_| is_plain(minutes));
    let seconds = rest.parse::<f64>().ok().filter(|_| is_plain(rest));
    let (Some(minutes), Some(seconds)) = (minutes, seconds) else {
        return Err(format!(
            "`{text}` is not a number of seconds; write base and increment as in `10+0.1`"
        ));
    };
    let milliseconds = (f64::from(minutes) * 60.0 + seconds) * 1_000.0;
    match milliseconds > MAX_TIME_MS as f64 {
        true => Err(format!("`{text}` is more than a day")),
        // UCI counts in milliseconds.
        false => Ok(Duration::from_millis(milliseconds.round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["10+0.1", "60", "0.5+0.05", "86400+1", "40/60", "40/60+0.6"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for (text, written) in [
            ("1:30+0.5", "90+0.5"),
            ("40/1:9.65+0.1", "40/69.65+0.1"),
            ("0:05", "5"),
            ("1440:00", "86400"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written);
        }
        assert_eq!("8+0".parse::<TimeControl>().unwrap().to_string(), "8");
    }

    #[test]
    fn what_is_no_time_control() {
        for text in [
            "",
            "+",
            "10+",
            "+1",
            "0",
            "0+1",
            "-1",
            "1e9",
            "inf",
            "nan",
            "10s",
            "1.2.3",
            "86401",
            "0/60",
            "/60",
            "40/",
            "-1/60",
            "+4/60",
            "99999/60",
            "40/0",
            "1:",
            ":30",
            "1:2:3",
            "1.5:00",
            "1440:01",
            "9999999999:00",
            "0:00",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    fn timed(time: TimeLimit) -> Limit {
        Limit::new(None, None, Some(time)).unwrap()
    }

    fn spent(control: &str, times: &[u64]) -> Vec<(u128, Option<u32>)> {
        let limit = timed(TimeLimit::Clock(control.parse().unwrap()));
        let mut allowance = Allowance::new(Terms::new(limit));
        times
            .iter()
            .map(|time| {
                allowance.spend(Duration::from_millis(*time));
                let clock = allowance.clock().unwrap();
                (clock.remaining.as_millis(), clock.moves_to_go)
            })
            .collect()
    }

    #[test]
    fn clocks_run_down_and_are_wound_up() {
        assert_eq!(spent("1+0.01", &[100, 0]), [(910, None), (920, None)]);
        assert_eq!(
            spent("2/1", &[100, 200, 1_000]),
            [(900, Some(1)), (1_700, Some(2)), (700, Some(1))]
        );
        // Lateness within the margin does not make the clock negative.
        assert_eq!(spent("1+0.01", &[1_005]), [(10, None)]);
    }

    #[test]
    fn when_a_flag_falls() {
        let flag = |limit| Allowance::new(Terms::new(limit)).flag();
        assert_eq!(flag(Limit::of_nodes(1)), None);
        assert_eq!(flag(Limit::new(None, Some(1), None).unwrap()), None);
        let time = TimeLimit::Move(Duration::from_millis(50));
        assert_eq!(flag(timed(time)), Some(Duration::from_millis(150)));
        let clock = TimeLimit::Clock("1+9".parse().unwrap());
        assert_eq!(flag(timed(clock)), Some(Duration::from_secs(1)));
        let both = Limit::new(Some(5), Some(3), Some(clock)).unwrap();
        assert_eq!(flag(both), Some(Duration::from_secs(1)));
    }

    #[test]
    fn all_limits_are_asked_for_and_named() {
        let clock = TimeLimit::Clock("1+0.1".parse().unwrap());
        let limit = Limit::new(Some(5), Some(3), Some(clock)).unwrap();
        let limits = Allowance::new(Terms::new(limit)).limits();
        assert_eq!((limits.nodes, limits.depth), (Some(5), Some(3)));
        assert_eq!(limits.clock.unwrap().remaining, Duration::from_secs(1));
        assert_eq!(limit.to_string(), "1+0.1 s, 5 nodes a move, depth 3");
        assert_eq!(limit.longer().to_string(), "4+0.4 s, 20 nodes a move, depth 5");
        assert_eq!(Limit::new(None, None, None), None);
    }
}
