//! The lines between lmrlab and one program: the last ones of its game, and the log of all.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::uci_line::{printable, quoted};
use crate::player::Seat;
pub(super) use crate::player::traffic_log::Direction;
use crate::player::traffic_log::TrafficLog;

/// Lines of a game that are stored.
const RECENT: usize = 50;
/// Error lines before them that are stored: they say best what was wrong.
const ERRORS: usize = 3;
/// Bytes of a line that are stored.
const LONGEST: usize = 1_000;

/// The lines between lmrlab and one program.
#[derive(Debug, Default)]
pub(super) struct Traffic(Mutex<Heard>);

#[derive(Debug, Default)]
struct Heard {
    recent: VecDeque<Line>,
    /// The last error lines before the recent ones.
    errors: VecDeque<Line>,
    engine: String,
    game: u64,
    begun: Option<Instant>,
    log: Option<Arc<TrafficLog>>,
}

#[derive(Debug)]
struct Line {
    direction: Direction,
    time: Instant,
    text: Vec<u8>,
}

impl Heard {
    /// The stored lines, the newest last.
    fn lines(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.errors.iter().chain(&self.recent)
    }
}

impl Traffic {
    /// A game begins: later lines belong to it.
    pub(super) fn begin(&self, seat: &Seat<'_>) {
        self.with(|heard| {
            *heard = Heard {
                recent: VecDeque::new(),
                errors: VecDeque::new(),
                engine: seat.engine.to_owned(),
                game: seat.game,
                begun: Some(Instant::now()),
                log: seat.log.map(Arc::clone),
            };
        });
    }

    /// A line was sent or read.
    pub(super) fn add(&self, direction: Direction, line: &[u8]) {
        self.with(|heard| {
            if let Some(log) = &heard.log {
                log.write((&heard.engine, heard.game), direction, line);
            }
            // The memory of the oldest line is used again.
            let mut oldest = (heard.recent.len() >= RECENT)
                .then(|| heard.recent.pop_front())
                .flatten();
            if oldest.as_ref().is_some_and(|line| line.direction == Direction::Error) {
                heard.errors.extend(oldest);
                oldest = (heard.errors.len() > ERRORS)
                    .then(|| heard.errors.pop_front())
                    .flatten();
            }
            let mut text = oldest.map(|line| line.text).unwrap_or_default();
            text.clear();
            text.extend_from_slice(&line[..line.len().min(LONGEST)]);
            let time = Instant::now();
            heard.recent.push_back(Line { direction, time, text });
        });
    }

    /// The last lines of the game, the newest last: `12.345678 > go nodes 1000`, in seconds since its beginning.
    pub(super) fn recent(&self) -> Vec<String> {
        self.with(|heard| {
            let begun = heard.begun;
            let seconds = |time: Instant| begun.map_or(0.0, |begun| (time - begun).as_secs_f64());
            let text = |Line { direction, time, text }: &Line| {
                format!("{:.6} {} {}", seconds(*time), direction.sign(), printable(text))
            };
            heard.lines().map(text).collect()
        })
    }

    /// The last lines of this direction, without empty ones, in backquotes.
    pub(super) fn last(&self, direction: Direction, count: usize) -> Vec<String> {
        self.with(|heard| {
            let is_shown = |line: &&Line| line.direction == direction && !line.text.is_empty();
            let newest = heard.lines().rev().filter(is_shown).take(count);
            let mut lines: Vec<String> = newest.map(|line| quoted(&line.text)).collect();
            lines.reverse();
            lines
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Heard) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_of_a_game_are_remembered() {
        let traffic = Traffic::default();
        let seat = |game| Seat {
            game,
            engine: "one",
            log: None,
        };
        traffic.begin(&seat(1));
        for number in 0..60 {
            traffic.add(Direction::Received, format!("info nodes {number}").as_bytes());
        }
        traffic.add(Direction::Error, &[b'y'; 70_000]);
        let recent = traffic.recent();
        assert_eq!(recent.len(), RECENT);
        assert!(recent[0].ends_with(" < info nodes 11"), "{recent:?}");
        assert!(
            recent[49].contains(" ! yyy") && recent[49].len() < LONGEST + 20,
            "{recent:?}"
        );
        assert_eq!(
            traffic.last(Direction::Received, 2),
            ["`info nodes 58`", "`info nodes 59`"]
        );
        // However much an engine prints, its last error lines are there.
        for number in 0..200 {
            let direction = if number < 60 {
                Direction::Error
            } else {
                Direction::Received
            };
            traffic.add(direction, format!("line {number}").as_bytes());
        }
        let errors = ["`line 57`", "`line 58`", "`line 59`"];
        assert_eq!(traffic.last(Direction::Error, 5), errors);
        let recent = traffic.recent();
        assert_eq!(recent.len(), ERRORS + RECENT);
        assert!(
            recent[2].ends_with(" ! line 59") && recent[3].ends_with(" < line 150"),
            "{recent:?}"
        );
        traffic.begin(&seat(2));
        assert_eq!(traffic.recent(), [""; 0]);
    }
}
