//! Zugzwang: the best move leads to a position in which the opponent would rather pass, and a search that lets it pass
//! (null move pruning) does not find that move.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::Move;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand_pcg::Pcg64;

use super::judge::{Judge, With};
use super::{Found, Recipe, endgames};

/// Changes that are tried on the way from a random endgame to a zugzwang.
const TRIES: u32 = 400;

/// Searches of so small a part of the nodes decide which positions are worth a closer look.
const QUICK_PART: u64 = 20;

/// A score beyond this, in centipawns, wins or loses, and how far beyond does not matter.
const DECIDED: i32 = 300;

/// Whoever has a second move with more than this, in centipawns, wins anyhow.
const WON_ANYHOW: i32 = 250;

/// How often a zugzwang that null moves do not hide, or that was there to begin with, is made into another ...
const STEPS: u32 = 20;

/// ... and how many changes of one man are tried each time.
const CHANGES: u32 = 200;

/// Depths at which searches with and without null moves are compared, in plies.
const DEPTHS: RangeInclusive<u32> = 5..=14;

/// Makes zugzwangs of random endgames, or of known ones.
pub(super) struct Seeker<'s> {
    recipe: &'s Recipe,
    judge: Judge<'s>,
}

impl<'s> Seeker<'s> {
    pub(super) fn new(recipe: &'s Recipe, preset: &Arc<Preset>, stop: &'s AtomicBool) -> Self {
        Self {
            recipe,
            judge: Judge::new(preset, recipe.nodes, recipe.margin, stop),
        }
    }

    /// The positions that this number comes to: made of one of these zugzwangs, or of a random endgame when there are none.
    pub(super) fn seek(&mut self, number: u64, starts: &[Position]) -> Vec<Found> {
        let mut generator = Pcg64::new(u128::from(self.recipe.seed), u128::from(number));
        let (start, changes) = match starts.choose(&mut generator) {
            Some(start) => {
                let changes = (1..=STEPS).choose(&mut generator).unwrap_or(STEPS);
                (self.is_zugzwang(start).then(|| start.clone()), changes)
            }
            None => (self.climbed(&mut generator), 0),
        };
        match start {
            Some(start) => self.made_of(start, changes, &mut generator),
            None => Vec::new(),
        }
    }

    /// An endgame in which the side to move is in zugzwang: a random one, of which one man after another is changed as long
    /// as passing becomes more attractive.
    fn climbed(&mut self, generator: &mut Pcg64) -> Option<Position> {
        let mut position = endgames::random(generator)?;
        let quick = Limits::nodes((self.recipe.nodes / QUICK_PART).max(1));
        let mut gain = self.gain_of_passing(&position, &quick)?;
        for _ in 0..TRIES {
            if gain >= self.recipe.margin && self.is_zugzwang(&position) {
                return Some(position);
            }
            let Some(changed) = endgames::changed(&position, generator) else {
                continue;
            };
            if let Some(better) = self.gain_of_passing(&changed, &quick)
                && better >= gain
            {
                (position, gain) = (changed, better);
            }
        }
        None
    }

    /// Positions before zugzwangs that changes of one man after another make of this one, from so many changes on, if a search
    /// with null moves does not see them.
    fn made_of(
        &mut self,
        mut zugzwang: Position,
        changes: u32,
        generator: &mut Pcg64,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        for step in 0..changes + STEPS {
            if step >= changes {
                let mut before = endgames::before(&zugzwang);
                before.shuffle(generator);
                let mut hidden = before
                    .iter()
                    .map(|(position, mv)| self.judge(position, *mv));
                found.extend(hidden.find_map(|hidden| hidden));
            }
            let next = (0..CHANGES).find_map(|_| {
                let changed = endgames::changed(&zugzwang, generator)?;
                self.is_zugzwang(&changed).then_some(changed)
            });
            match next {
                Some(next) => zugzwang = next,
                None => break,
            }
        }
        found
    }

    /// The position, if this move, which puts the opponent in zugzwang, is its best one by the margin, matters, and is
    /// overlooked by a search with null moves as deep as one without that finds it.
    fn judge(&mut self, position: &Position, mv: Move) -> Option<Found> {
        if position.in_check() {
            return None;
        }
        let clear = self.judge.clearly_best(With::NoNullMove, position)?;
        let matters =
            clear.best == mv && clear.second.get() <= WON_ANYHOW && clear.score.get() >= -DECIDED;
        if !matters {
            return None;
        }
        let depth = DEPTHS.rev().find(|depth| {
            let limits = Limits::depth(*depth);
            let mut finds = |with| self.judge.search(with, position, &limits).best == Some(mv);
            finds(With::NoNullMove) && !finds(With::BlindNullMove)
        })?;
        Some(Found {
            position: position.clone(),
            best: mv,
            score: clear.score,
            second: clear.second,
            depth: Some(depth),
        })
    }

    /// Whether a side is in zugzwang: if the opponent had to move instead, it would stand better by the margin than after
    /// any move of its own.
    fn is_zugzwang(&mut self, position: &Position) -> bool {
        [QUICK_PART, 1].iter().all(|part| {
            let limits = Limits::nodes((self.recipe.nodes / part).max(1));
            let gain = self.gain_of_passing(position, &limits);
            gain.is_some_and(|gain| gain >= self.recipe.margin)
        })
    }

    /// By how much the side to move would stand better if the opponent had to move instead, in centipawns. Only where the
    /// search would make a null move: not in check, and not with pawns alone.
    fn gain_of_passing(&mut self, position: &Position, limits: &Limits) -> Option<i32> {
        let passed = position.pass()?;
        if !position.has_pieces(position.side_to_move()) {
            return None;
        }
        let mut score = |position| {
            let report = self.judge.search(With::NoNullMove, position, limits);
            report.score.get().clamp(-DECIDED, DECIDED)
        };
        Some(-score(&passed) - score(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::mine::Kind;

    #[test]
    fn who_would_rather_pass() {
        let recipe = Recipe {
            kind: Kind::Zugzwang,
            count: 1,
            games: 1,
            seed: 1,
            game_nodes: 1,
            nodes: 10_000,
            margin: 80,
        };
        let go = AtomicBool::new(false);
        let mut seeker = Seeker::new(&recipe, &Arc::default(), &go);
        for (fen, expected) in [
            // Knight against knight, and no pawn can move without loss.
            ("8/8/4p3/4P3/4N3/4Kp1n/5Pk1/8 w - - 0 1", true),
            // The same with a pawn that runs.
            ("8/8/4p3/4P3/P3N3/4Kp1n/5Pk1/8 w - - 0 1", false),
            // With pawns alone a search makes no null move, and nothing can be hidden.
            ("8/8/8/3k4/3P4/3K4/8/8 w - - 0 1", false),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                false,
            ),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(seeker.is_zugzwang(&position), expected, "{fen}");
        }
    }
}
