//! The commands of UCI, and `bench`.

use std::rc::Rc;
use std::time::{Duration, Instant};

use cozy_chess::Color;
use cozy_chess::util::{display_uci_move, parse_uci_move};
use lmrlab_host::{Ladder, Trigger};

use super::{MAX_PLY, Search};

impl Search {
    pub(super) fn position(&mut self, words: &str) {
        let (start, moves) = words.split_once("moves").unwrap_or((words, ""));
        let fen = start.trim().strip_prefix("fen ").and_then(|fen| fen.parse().ok());
        self.set_position(fen.unwrap_or_default());
        for word in moves.split_ascii_whitespace() {
            match parse_uci_move(&self.board, word) {
                Ok(mv) if self.board.is_legal(mv) => self.board.play_unchecked(mv),
                _ => return println!("info string not a legal move: {word}"),
            }
            self.keys.push(self.board.hash());
        }
    }

    pub(super) fn go(&mut self, words: &str) {
        let (time, increment) = match self.board.side_to_move() {
            Color::White => ("wtime", "winc"),
            Color::Black => ("btime", "binc"),
        };
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let number = |name: &str| {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1)?.parse::<u64>().ok()
        };
        let share = number(time).map(|left| (left / 25 + number(increment).unwrap_or(0) / 2).min(left / 2));
        let millis = number("movetime").or(share);
        self.deadline = millis.map(|millis| Instant::now() + Duration::from_millis(millis.saturating_sub(20).max(1)));
        self.most_nodes = number("nodes").unwrap_or(u64::MAX);
        self.is_endless = number("depth").or(number("nodes")).or(millis).is_none();
        let most = MAX_PLY as u64 - 1;
        self.run(number("depth").unwrap_or(most).clamp(1, most) as i32, false);
        match self.best {
            Some(best) => println!("bestmove {}", display_uci_move(&self.board, best)),
            None => println!("bestmove 0000"),
        }
    }

    pub(super) fn set_option(&mut self, words: &str) {
        let words = words.strip_prefix("name ").unwrap_or(words);
        let (name, value) = words.split_once(" value").unwrap_or((words, ""));
        let answers = Rc::get_mut(&mut self.host).and_then(|host| host.set_option(name.trim(), value.trim()));
        match answers {
            Some(answers) => answers.iter().for_each(|answer| println!("{answer}")),
            None => println!("info string no such option: {name}"),
        }
        self.check_research();
    }

    /// A policy says how a reduced move is searched again. This engine knows two ladders and one trigger.
    pub(super) fn check_research(&self) {
        let Some(research) = self.host.research() else { return };
        let is_known = matches!(research.ladder, Ladder::NullThenFull | Ladder::ByScore);
        if !is_known || research.trigger != Trigger::AboveAlpha || research.threat_feedback.is_some() {
            println!(
                "info string this engine plays null_then_full or by_score, and above_alpha; nothing else of [research]"
            );
        }
    }

    /// Searches fixed positions. The number of nodes is a fingerprint of the search.
    pub(super) fn bench(&mut self, depth: i32) {
        let positions = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        let mut nodes = 0;
        for board in positions.into_iter().filter_map(|fen| fen.parse().ok()) {
            self.clear();
            self.set_position(board);
            self.run(depth, true);
            nodes += self.nodes;
        }
        println!("{nodes} nodes");
    }
}
