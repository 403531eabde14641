//! Games of PGN files, counted by player and by pair.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};

use cozy_chess::Color;

use crate::run::Run;
use lmrlab_results::failure::Failure;
use lmrlab_results::pgn::game_tags::{GameTags, scan};
use lmrlab_results::pgn::tag::unescaped;
use lmrlab_results::text_file::plain;
use lmrlab_stats::GameOutcome;
use lmrlab_stats::ratings::Games;

/// What was read, and which games could not be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Bytes read.
    pub bytes: u64,
    /// Games that count.
    pub games: u64,
    /// Pairs of games from the same position with colours swapped.
    pub pairs: u64,
    /// Games with the result `*`.
    pub unfinished: u64,
    /// Games without a result, or with one that PGN does not know.
    pub without_result: u64,
    /// Games in which White or Black has no name.
    pub without_players: u64,
    /// Games of a player against itself.
    pub against_itself: u64,
    /// Games that break off within a comment. They count when their tags say how they ended.
    pub cut_off: u64,
}

impl Report {
    /// Adds the counts of another report.
    pub fn add(&mut self, other: &Report) {
        self.bytes += other.bytes;
        self.games += other.games;
        self.pairs += other.pairs;
        self.unfinished += other.unfinished;
        self.without_result += other.without_result;
        self.without_players += other.without_players;
        self.against_itself += other.against_itself;
        self.cut_off += other.cut_off;
    }
}

/// Games with the same opening, players and colours that wait for their counterparts. The lowest bit is the colour of
/// the first player. Then come its outcomes, the oldest first, two bits each. A set bit marks the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Waiting(u64);

impl Waiting {
    fn new(color: usize) -> Waiting {
        Waiting(0b10 | color as u64)
    }

    fn color(self) -> usize {
        (self.0 & 1) as usize
    }

    /// Adds an outcome behind the others. At most 31 outcomes wait. Any further game counts as independent.
    fn push(&mut self, outcome: GameOutcome) {
        let end = 63 - self.0.leading_zeros();
        if end < 62 {
            self.0 ^= 1 << end;
            self.0 |= (outcome as u64) << end | 1 << (end + 2);
        }
    }

    /// Takes out the oldest outcome.
    fn pop(&mut self) -> Option<GameOutcome> {
        if self.0 >> 1 == 1 {
            return None;
        }
        let outcome = match self.0 >> 1 & 0b11 {
            0 => GameOutcome::Loss,
            1 => GameOutcome::Draw,
            _ => GameOutcome::Win,
        };
        self.0 = self.0 >> 3 << 1 | self.0 & 1;
        Some(outcome)
    }
}

/// Names, and games between them.
#[derive(Debug, Clone, Default)]
pub struct Collector {
    /// Names of the players, in the order of their first games.
    pub names: Vec<String>,
    /// Their games.
    pub games: Games,
    /// What was read.
    pub report: Report,
    /// Tags of the last file that could not be read, by line and name.
    pub broken_tags: Vec<(usize, String)>,
    by_name: HashMap<String, usize>,
    by_tag: HashMap<Vec<u8>, usize>,
    /// Games that wait for the same opening with colours swapped, by the hash of the players and the opening.
    waiting: HashMap<u64, Waiting>,
    hasher: RandomState,
}

impl Collector {
    /// Reads a stream of PGN to its end.
    ///
    /// A game counts when both players have names and a result is known. Two games are a pair when the same players had
    /// the same `FEN` tag with colours swapped. Games without that tag count as independent.
    ///
    /// # Errors
    /// When reading fails, or the stream is compressed.
    pub fn read(&mut self, source: impl Read) -> io::Result<()> {
        let scanned = scan(plain(source)?, |game| self.game(game))?;
        self.report.bytes += scanned.bytes;
        self.broken_tags.extend(scanned.broken_tags);
        Ok(())
    }

    /// Reads the games of a run from its journal, with its pairs.
    ///
    /// # Errors
    /// When the run is no tournament, or its journal cannot be read.
    pub fn read_run(&mut self, run: &Run) -> Result<(), Failure> {
        run.pairs(&mut |games| {
            let [first, second] = [&games[0].white, &games[0].black].map(|name| self.named(name.clone()));
            let outcomes = [
                games[0].result.outcome_for(Color::White),
                games[1].result.outcome_for(Color::Black),
            ];
            self.games.record(first, second, outcomes[0]);
            self.games.record(second, first, outcomes[1].reversed());
            self.games.note_pair(first, second, outcomes[0], outcomes[1]);
            self.report.games += 2;
            self.report.pairs += 1;
            Ok(())
        })
    }

    fn game(&mut self, game: &GameTags) {
        self.report.cut_off += u64::from(game.cut_off);
        let outcome = match game.result.trim_ascii() {
            b"1-0" => GameOutcome::Win,
            b"0-1" => GameOutcome::Loss,
            b"1/2-1/2" | b"1/2" => GameOutcome::Draw,
            b"*" => {
                self.report.unfinished += 1;
                return;
            }
            _ => {
                self.report.without_result += 1;
                return;
            }
        };
        let (Some(white), Some(black)) = (self.player(&game.white), self.player(&game.black)) else {
            self.report.without_players += 1;
            return;
        };
        if white == black {
            self.report.against_itself += 1;
            return;
        }
        self.report.games += 1;
        self.games.record(white, black, outcome);
        if !game.fen.is_empty() {
            self.match_up(white, black, outcome, &game.fen);
        }
    }

    /// Looks for the other game of the pair.
    fn match_up(&mut self, white: usize, black: usize, outcome: GameOutcome, fen: &[u8]) {
        let first = white.min(black);
        let (color, outcome) = if white == first {
            (0, outcome)
        } else {
            (1, outcome.reversed())
        };
        let second = white.max(black);
        let key = self.hasher.hash_one((first, second, fen));
        let mut waiting = match self.waiting.entry(key) {
            Entry::Vacant(vacant) => {
                let mut waiting = Waiting::new(color);
                waiting.push(outcome);
                vacant.insert(waiting);
                return;
            }
            Entry::Occupied(waiting) => waiting,
        };
        if waiting.get().color() == color {
            waiting.get_mut().push(outcome);
            return;
        }
        // The oldest first: repeated openings come back in the order in which they were played.
        let Some(partner) = waiting.get_mut().pop() else {
            return;
        };
        if *waiting.get() == Waiting::new(1 - color) {
            waiting.remove();
        }
        let outcomes = if color == 0 {
            (outcome, partner)
        } else {
            (partner, outcome)
        };
        self.games.note_pair(first, second, outcomes.0, outcomes.1);
        self.report.pairs += 1;
    }

    /// The number of a player; `None` for a name that is empty or unknown.
    fn player(&mut self, tag: &[u8]) -> Option<usize> {
        if let Some(&known) = self.by_tag.get(tag) {
            return Some(known);
        }
        let name = unescaped(tag).trim().to_owned();
        if name.is_empty() || name == "?" {
            return None;
        }
        let number = self.named(name);
        self.by_tag.insert(tag.to_vec(), number);
        Some(number)
    }

    fn named(&mut self, name: String) -> usize {
        *self.by_name.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() - 1
        })
    }

    /// Adds the games of another collector.
    pub fn merge(&mut self, other: Collector) {
        let numbers: Vec<usize> = other.names.into_iter().map(|name| self.named(name)).collect();
        self.games.merge(&other.games, &numbers);
        self.report.add(&other.report);
    }

    /// The number of a player by name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, result: &str, fen: &str) -> String {
        format!(
            "[Event \"e\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{result}\n\n"
        )
    }

    fn read(text: &str) -> Collector {
        let mut collector = Collector::default();
        collector.read(text.as_bytes()).expect("a slice");
        collector
    }

    #[test]
    fn what_cannot_be_used_is_counted() {
        let text = [
            game("A", "B", "1-0", ""),
            game("A", "B", "*", ""),
            game("A", "?", "1-0", ""),
            game("A", "A", "1-0", ""),
            game("A", "B", "won", ""),
            game("B", " A ", "1/2-1/2", ""),
        ]
        .concat();
        let collector = read(&text);
        assert_eq!(collector.names, ["A", "B"]);
        assert_eq!(
            collector.report,
            Report {
                bytes: text.len() as u64,
                games: 2,
                unfinished: 1,
                without_result: 1,
                without_players: 1,
                against_itself: 1,
                ..Report::default()
            }
        );
    }

    #[test]
    fn those_who_wait_are_served_in_order() {
        let mut waiting = Waiting::new(1);
        let outcomes = [GameOutcome::Win, GameOutcome::Loss, GameOutcome::Draw];
        for round in 0..11 {
            waiting.push(outcomes[round % 3]);
        }
        for round in 0..11 {
            assert_eq!(waiting.color(), 1);
            assert_eq!(waiting.pop(), Some(outcomes[round % 3]));
        }
        assert_eq!((waiting, waiting.pop()), (Waiting::new(1), None));
        for _ in 0..100 {
            waiting.push(GameOutcome::Win);
        }
        let stored = std::iter::from_fn(|| waiting.pop()).count();
        assert_eq!(stored, 31);
    }

    #[test]
    fn pairs_are_games_from_one_position() {
        let text = [
            game("A", "B", "1-0", "f1"),
            game("A", "B", "0-1", "f2"),
            game("B", "A", "1/2-1/2", "f1"),
            game("A", "C", "1-0", "f1"),
            game("B", "A", "1-0", "f2"),
            game("B", "A", "1-0", "f2"),
        ]
        .concat();
        let collector = read(&text);
        assert_eq!((collector.report.games, collector.report.pairs), (6, 2));
        let mut expected = Games::default();
        for (white, black, outcome) in [
            (0, 1, GameOutcome::Win),
            (0, 1, GameOutcome::Loss),
            (1, 0, GameOutcome::Draw),
            (0, 2, GameOutcome::Win),
            (1, 0, GameOutcome::Win),
            (1, 0, GameOutcome::Win),
        ] {
            expected.record(white, black, outcome);
        }
        expected.note_pair(0, 1, GameOutcome::Win, GameOutcome::Draw);
        expected.note_pair(1, 0, GameOutcome::Win, GameOutcome::Win);
        assert_eq!(collector.games, expected);
    }

    #[test]
    fn files_can_be_read_apart() {
        let (first, second) = (game("A", "B", "1-0", "f"), game("C", "A", "0-1", ""));
        let mut apart = read(&second);
        apart.merge(read(&first));
        assert_eq!(apart.names, ["C", "A", "B"]);
        let together = read(&(second + &first));
        assert_eq!((&apart.names, &apart.games), (&together.names, &together.games));
    }
}
