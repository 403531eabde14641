//! Zugzwang: the best move leads to a position in which the opponent would rather pass, and a search that lets it pass
//! (null move pruning) does not find that move.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::score::Score;
use lmrlab_policy::Policy;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand_pcg::Pcg64;

use super::doubts::Doubts;
use super::judge::{HASH_MIB, Judge, With};
use super::{Found, Recipe, endgames};

/// The search in whose tree zugzwangs are looked for has so many times the nodes of those that judge.
const TREE: u64 = 5;

/// Depth from which that search verifies its null moves, in plies.
const VERIFICATION_DEPTH: i32 = 6;

/// Searches of so small a part of the nodes decide which positions are worth a closer look.
const QUICK_PART: u64 = 20;

/// A score beyond this, in centipawns, wins or loses, and how far beyond does not matter.
const DECIDED: i32 = 300;

/// Whoever has a second move with more than this, in centipawns, wins anyhow.
const WON_ANYHOW: i32 = 250;

/// How often a zugzwang that null moves do not hide, or that was there to begin with, is made into another ...
const STEPS: u32 = 8;

/// ... and how many changes of one man are tried each time.
const CHANGES: u32 = 200;

/// Depths at which searches with and without null moves are compared, in plies.
const DEPTHS: RangeInclusive<u32> = 5..=14;

/// Looks for zugzwangs in the trees of random endgames.
pub(super) struct Seeker<'s> {
    recipe: &'s Recipe,
    /// Verifies its null moves.
    wary: Engine,
    judge: Judge<'s>,
    stop: &'s AtomicBool,
}

impl<'s> Seeker<'s> {
    pub(super) fn new(recipe: &'s Recipe, preset: &Arc<Preset>, stop: &'s AtomicBool) -> Self {
        let mut wary = (**preset).clone();
        wary.parameters.null_move = true;
        wary.parameters.null_move_verification_depth = VERIFICATION_DEPTH;
        Self {
            recipe,
            wary: Engine::new(Arc::new(wary), Arc::new(Policy::none()), HASH_MIB),
            judge: Judge::new(preset, recipe.nodes, recipe.margin, stop),
            stop,
        }
    }

    /// The positions that this number comes to: from one of these zugzwangs, or from the tree of a random endgame when there
    /// are none.
    pub(super) fn seek(&mut self, number: u64, starts: &[Position]) -> Vec<Found> {
        let mut generator = Pcg64::new(u128::from(self.recipe.seed), u128::from(number));
        let (starts, changes) = if let Some(start) = starts.choose(&mut generator) {
            (vec![start.clone()], (1..=STEPS).choose(&mut generator))
        } else {
            let root = endgames::random(&mut generator);
            (root.map_or_else(Vec::new, |root| self.in_tree(root)), None)
        };
        let mut found = Vec::new();
        for start in starts {
            if self.is_zugzwang(&start) {
                found.extend(self.made_of(start, changes.unwrap_or(0), &mut generator));
            }
        }
        found
    }

    /// Where in the tree of a search passing was doubted, with reason.
    fn in_tree(&mut self, root: Position) -> Vec<Position> {
        let mut doubts = Doubts::new(root.clone());
        let limits = Limits::nodes(TREE.saturating_mul(self.recipe.nodes));
        self.wary.new_game();
        self.wary
            .search_observed(&Game::new(root), &limits, self.stop, &mut doubts);
        doubts.positions
    }

    /// A position before a zugzwang that changes of one man after another made of this one, at least so many, if a search
    /// with null moves does not see it.
    fn made_of(
        &mut self,
        mut zugzwang: Position,
        changes: u32,
        generator: &mut Pcg64,
    ) -> Option<Found> {
        for step in 0..changes + STEPS {
            if step >= changes {
                let mut before = endgames::before(&zugzwang);
                before.shuffle(generator);
                let found = before
                    .iter()
                    .find_map(|(position, mv)| self.judge(position, *mv));
                if found.is_some() {
                    return found;
                }
            }
            zugzwang = (0..CHANGES).find_map(|_| {
                let changed = endgames::changed(&zugzwang, generator)?;
                self.is_zugzwang(&changed).then_some(changed)
            })?;
        }
        None
    }

    /// The position, if this move, which puts the opponent in zugzwang, is its best one by the margin, matters, and is
    /// overlooked by a search with null moves as deep as one without that finds it.
    fn judge(&mut self, position: &Position, mv: Move) -> Option<Found> {
        if position.in_check() {
            return None;
        }
        let depth = DEPTHS.rev().find(|depth| {
            let limits = Limits::depth(*depth);
            let mut finds = |with| self.judge.search(with, position, &limits).best == Some(mv);
            finds(With::NoNullMove) && !finds(With::BlindNullMove)
        })?;
        let clear = self.judge.clearly_best(With::NoNullMove, position)?;
        let matters =
            clear.best == mv && clear.second.get() <= WON_ANYHOW && clear.score.get() >= -DECIDED;
        matters.then(|| Found {
            position: position.clone(),
            best: mv,
            score: clear.score,
            second: clear.second,
            depth: Some(depth),
        })
    }

    /// Whether a side is in zugzwang: if the opponent had to move instead, it would stand better by the margin than after
    /// any move of its own. Only where the search would make a null move: not in check, and not with pawns alone.
    fn is_zugzwang(&mut self, position: &Position) -> bool {
        let Some(passed) = position.pass() else {
            return false;
        };
        let bounded = |score: Score| score.get().clamp(-DECIDED, DECIDED);
        position.has_pieces(position.side_to_move())
            && [QUICK_PART, 1].iter().all(|part| {
                let limits = Limits::nodes((self.recipe.nodes / part).max(1));
                let mut score =
                    |position| self.judge.search(With::NoNullMove, position, &limits).score;
                bounded(-score(&passed)) - bounded(score(position)) >= self.recipe.margin
            })
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
