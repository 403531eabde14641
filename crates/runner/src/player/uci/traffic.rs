//! The lines between lmrlab and one program: the last ones of its game, and the log of all.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::uci_line::{printable, quoted};
use crate::player::Seat;
use crate::player::traffic_log::{Direction, TrafficLog};

/// Lines of a game that are stored.
const RECENT: usize = 50;
/// Bytes of a line that are stored.
const LONGEST: usize = 1_000;

/// The lines between lmrlab and one program.
#[derive(Debug, Default)]
pub(super) struct Traffic(Mutex<Heard>);

#[derive(Debug, Default)]
struct Heard {
    recent: VecDeque<Line>,
    engine: String,
    game: u64,
    begun: Option<Instant>,
    log: Option<Arc<TrafficLog>>,
    /// The beginning of a line of the error output.
    error: Vec<u8>,
}

#[derive(Debug)]
struct Line {
    direction: Direction,
    time: Instant,
    text: Vec<u8>,
}

impl Traffic {
    /// A game begins: later lines belong to it.
    pub(super) fn begin(&self, seat: &Seat<'_>) {
        self.with(|heard| {
            heard.recent.clear();
            seat.engine.clone_into(&mut heard.engine);
            heard.game = seat.game;
            heard.begun = Some(Instant::now());
            heard.log = seat.log.map(Arc::clone);
        });
    }

    /// lmrlab has sent these lines.
    pub(super) fn sent(&self, text: &str) {
        self.with(|heard| {
            for line in text.lines() {
                heard.add(Direction::Sent, line.as_bytes());
            }
        });
    }

    /// The program has printed this line.
    pub(super) fn add_received(&self, line: &[u8]) {
        self.with(|heard| heard.add(Direction::Received, line));
    }

    /// The program has printed this on its error output: lines, and perhaps the beginning of another.
    pub(super) fn error_output(&self, bytes: &[u8]) {
        self.with(|heard| {
            let mut lines = bytes.split(|byte| *byte == b'\n');
            let last = lines.next_back().unwrap_or_default();
            for line in lines {
                heard.begin_error(line);
                heard.end_error();
            }
            heard.begin_error(last);
        });
    }

    /// The program has ended: its incomplete lines are recorded as they are.
    pub(super) fn ended(&self, unfinished: &[u8]) {
        self.with(|heard| {
            heard.end_error();
            if !unfinished.is_empty() {
                heard.add(Direction::Received, unfinished);
            }
        });
    }

    /// The last lines of the game, the newest last: `12.345678 > go nodes 1000`, in seconds since its beginning.
    pub(super) fn recent(&self) -> Vec<String> {
        self.with(|heard| {
            let begun = heard.begun;
            let seconds = |time: Instant| begun.map_or(0.0, |begun| (time - begun).as_secs_f64());
            let lines = heard.recent.iter();
            let text = |line: &Line| {
                format!(
                    "{:.6} {} {}",
                    seconds(line.time),
                    line.direction.sign(),
                    printable(&line.text)
                )
            };
            lines.map(text).collect()
        })
    }

    /// The last lines that the program has printed, without empty ones, in backquotes.
    pub(super) fn received(&self, count: usize) -> Vec<String> {
        self.with(|heard| {
            let is_shown = |line: &&Line| line.direction == Direction::Received && !line.text.is_empty();
            let newest = heard.recent.iter().rev().filter(is_shown).take(count);
            let mut lines: Vec<String> = newest.map(|line| quoted(&line.text)).collect();
            lines.reverse();
            lines
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Heard) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Heard {
    fn add(&mut self, direction: Direction, line: &[u8]) {
        if let Some(log) = &self.log {
            log.write((&self.engine, self.game), direction, line);
        }
        // The memory of the oldest line is used again.
        let oldest = (self.recent.len() >= RECENT).then(|| self.recent.pop_front());
        let mut text = oldest.flatten().map(|line| line.text).unwrap_or_default();
        text.clear();
        text.extend_from_slice(&line[..line.len().min(LONGEST)]);
        let time = Instant::now();
        self.recent.push_back(Line { direction, time, text });
    }

    fn begin_error(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.error.len()).min(bytes.len());
        self.error.extend_from_slice(&bytes[..room]);
    }

    fn end_error(&mut self) {
        let line = std::mem::take(&mut self.error);
        if !line.trim_ascii().is_empty() {
            self.add(Direction::Error, line.trim_ascii_end());
        }
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
        traffic.sent("isready\ngo depth 3\n");
        for number in 0..60 {
            traffic.add_received(format!("info nodes {number}").as_bytes());
        }
        let recent = traffic.recent();
        assert_eq!(recent.len(), RECENT);
        assert!(recent[0].ends_with(" < info nodes 10"), "{recent:?}");
        traffic.begin(&seat(2));
        assert_eq!(traffic.recent(), [""; 0]);
        traffic.error_output(b"first\nsec");
        traffic.error_output(b"ond\n\nthi");
        traffic.ended(b"bestm");
        let lines: Vec<String> = (traffic.recent().iter())
            .map(|line| line.split_once(' ').unwrap().1.to_owned())
            .collect();
        assert_eq!(lines, ["! first", "! second", "! thi", "< bestm"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let traffic = Traffic::default();
        traffic.add_received(&[b'x'; 70_000]);
        traffic.error_output(&[b'y'; 70_000]);
        traffic.ended(b"");
        assert!(traffic.recent().iter().all(|line| line.len() < LONGEST + 20));
    }
}
