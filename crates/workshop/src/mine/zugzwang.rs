//! Zugzwang: the opponent would rather pass than move, and a search with null moves overlooks the best move.

use std::ops::RangeInclusive;

use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

use super::searches::{Judge, With};
use super::{Found, endgames};

/// A score beyond this, in centipawns, wins or loses, and how far beyond does not matter.
const DECIDED: i32 = 300;

/// A score beyond this, in centipawns, is as good as mate.
const LOST: i32 = 1_500;

/// With a second move above this, in centipawns, the side to move wins anyway.
const WON_ANYWAY: i32 = 250;

/// Changes of one man that are tried until null moves mislead a search. When the first part of them has next to no effect,
/// another endgame is more promising.
const CHANGES: u32 = 400;
const FIRST_PART: u32 = 120;
const NO_EFFECT: i32 = 20;

/// Changes that are tried from there on, and how many of the positions on that way are judged at most.
const MORE_CHANGES: u32 = 100;
const MOST_JUDGED: usize = 8;

/// Depth of the searches whose scores are compared on the way, in plies, and the part of the nodes that they may take.
const DEPTH_ON_THE_WAY: u32 = 8;
const PART_ON_THE_WAY: u64 = 2;

/// Depths at which searches with and without null moves are compared in the end, in plies.
const DEPTHS: RangeInclusive<u32> = 5..=14;

/// Most positions that are made of one endgame: they resemble each other.
const MOST_OF_ONE: usize = 2;

/// Makes positions in which null moves hide a zugzwang of random endgames, or of others.
pub(super) struct Seeker {
    pub(super) judge: Judge,
}

impl Seeker {
    /// The positions made of one of these, or of a random endgame when there are none.
    pub(super) fn seek(&mut self, generator: &mut Pcg64, starts: &[Position]) -> Vec<Found> {
        let start = starts.choose(generator).cloned();
        let start = start.or_else(|| endgames::shut_in(generator));
        let misleading = start.and_then(|start| self.misleading(start, generator));
        misleading.map_or_else(Vec::new, |position| self.hiding(position, generator))
    }

    /// One man after another is changed until null moves mislead a search by the margin.
    fn misleading(&mut self, mut position: Position, generator: &mut Pcg64) -> Option<Position> {
        let mut error = self.error(&position).unwrap_or(i32::MIN);
        for tried in 0..CHANGES {
            if error >= self.judge.margin {
                return Some(position);
            }
            if tried >= FIRST_PART && error < NO_EFFECT {
                return None;
            }
            if let Some(changed) = endgames::changed(&position, generator)
                && let Some(next) = self.error(&changed)
                && next >= error
            {
                (position, error) = (changed, next);
            }
        }
        None
    }

    /// Further changes after which null moves still mislead: the positions on that way that pass the last test.
    fn hiding(&mut self, mut position: Position, generator: &mut Pcg64) -> Vec<Found> {
        let mut found: Vec<Found> = self.judge(&position).into_iter().collect();
        let mut judged = 1;
        for _ in 0..MORE_CHANGES {
            if judged == MOST_JUDGED || found.len() == MOST_OF_ONE {
                break;
            }
            let Some(changed) = endgames::changed(&position, generator) else {
                continue;
            };
            if self.error(&changed) >= Some(self.judge.margin) {
                position = changed;
                found.extend(self.judge(&position));
                judged += 1;
            }
        }
        found
    }

    /// By how much a search with blind null moves underrates the side to move, in centipawns. `None` where it is lost, or
    /// where the searches do not come to an end.
    fn error(&mut self, position: &Position) -> Option<i32> {
        let limits = Limits {
            nodes: Some((self.judge.nodes / PART_ON_THE_WAY).max(1)),
            ..Limits::depth(DEPTH_ON_THE_WAY)
        };
        let plain = self.judge.search(With::NoNullMove, position, &limits);
        if plain.depth < DEPTH_ON_THE_WAY || plain.score.get() < -DECIDED {
            return None;
        }
        let blind = self.judge.search(With::BlindNullMove, position, &limits);
        let bounded = |score: Score| score.get().clamp(-DECIDED, DECIDED);
        Some(bounded(plain.score) - bounded(blind.score))
    }

    /// Whether the opponent would rather pass than move, by the margin, somewhere on the principal variation.
    fn has_zugzwang(&mut self, position: &Position) -> bool {
        let limits = Limits::nodes(self.judge.nodes);
        let line = self.judge.search(With::NoNullMove, position, &limits).pv;
        let mut at = position.clone();
        line.into_iter().enumerate().any(|(index, mv)| {
            at.play(mv);
            let gain = (index % 2 == 0).then(|| self.gain_of_passing(&at)).flatten();
            gain >= Some(self.judge.margin)
        })
    }

    /// By how much the side to move would stand better if the opponent had to move instead, in centipawns. Only where the
    /// search would make a null move: not in check, and not with pawns alone.
    fn gain_of_passing(&mut self, position: &Position) -> Option<i32> {
        let passed = position.pass()?;
        if !position.has_pieces(position.side_to_move()) {
            return None;
        }
        let limits = Limits::nodes(self.judge.nodes);
        let mut score = |position| {
            let report = self.judge.search(With::NoNullMove, position, &limits);
            report.score.get().clamp(-LOST, LOST)
        };
        Some(-score(&passed) - score(position))
    }

    /// The position, if it is a good question about zugzwang: one move is clearly best, quiet, and matters; a zugzwang
    /// follows; and at some depth a search without null moves finds the move where one with blind null moves does not.
    fn judge(&mut self, position: &Position) -> Option<Found> {
        let clear = self.judge.clearly_best(With::NoNullMove, position, &[])?;
        let matters =
            position.is_quiet(clear.best) && clear.second.get() <= WON_ANYWAY && clear.score.get() >= -DECIDED;
        if !matters || !self.has_zugzwang(position) {
            return None;
        }
        let depth = DEPTHS.rev().find(|depth| {
            let limits = Limits::depth(*depth);
            let mut finds = |with| self.judge.search(with, position, &limits).best == Some(clear.best);
            !finds(With::BlindNullMove) && finds(With::NoNullMove)
        })?;
        Some(Found {
            position: position.clone(),
            best: clear.best,
            score: clear.score,
            second: clear.second,
            depth: Some(depth),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use lmrlab_engine::preset::Preset;

    /// The depth at which a search sees through these positions depends on its evaluation.
    fn seeker() -> Seeker {
        let mut preset = Preset::default();
        preset.parameters.network_evaluation = false;
        preset.parameters.threat_history = false;
        preset.parameters.pruning_history_ply = 0;
        preset.parameters.alpha_raise_max_depth = 0;
        let judge = Judge::new(&Arc::new(preset), 10_000, 100);
        Seeker { judge }
    }

    #[test]
    fn who_would_rather_pass() {
        let mut seeker = seeker();
        for (fen, expected) in [
            // Knight against knight, and no pawn can move without loss.
            ("8/8/4p3/4P3/4N3/4Kp1n/5Pk1/8 w - - 0 1", true),
            // The same with a pawn that runs.
            ("8/8/4p3/4P3/P3N3/4Kp1n/5Pk1/8 w - - 0 1", false),
            // With pawns alone a search makes no null move, and nothing can be hidden.
            ("8/8/8/3k4/3P4/3K4/8/8 w - - 0 1", false),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let gain = seeker.gain_of_passing(&position);
            assert_eq!(gain.is_some_and(|gain| gain >= 80), expected, "{fen}");
        }
    }

    #[test]
    fn a_hidden_zugzwang_is_judged_as_one() {
        let mut seeker = seeker();
        // Black's king, rook and pawn can hardly move, and its pawn moves run out first.
        let hidden = Position::from_fen("8/8/8/2p2P2/8/2K1P2p/2R4p/6kr w - - 0 1").unwrap();
        let found = seeker.judge(&hidden).expect("a zugzwang");
        assert_eq!(found.best.to_string(), "f5f6");
        assert!(found.depth.is_some());
        // Without the cage there is nothing to hide.
        let open = Position::from_fen("8/8/8/2p2P2/8/2K1P2p/2R4p/r5k1 w - - 0 1").unwrap();
        assert!(seeker.judge(&open).is_none());
    }
}
