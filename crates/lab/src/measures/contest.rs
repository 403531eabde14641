//! Games between variants, played in this process and written to no file.

use lmrlab_engine::position::Position;

use crate::variant::Variant;
use crate::workers::Workers;
use cozy_chess::Color;
use lmrlab_runner::game::adjudication::Adjudication;
use lmrlab_runner::game::limit::{Limit, Terms};
use lmrlab_runner::game::play::{Side, play};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::openings::Openings;
use lmrlab_runner::player::EnginePlayer;
use lmrlab_runner::tournament::schedule::Order;
use lmrlab_stats::{Estimate, PairOutcome, Pentanomial};

/// The conditions of the games. The same conditions give the same games as `lmrlab match`.
#[derive(Debug, Clone)]
pub struct Contest {
    /// Where games begin.
    pub openings: Openings,
    /// Pairs of games of each meeting, each from an opening of its own while they last.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// What the order of the openings comes from.
    pub seed: u64,
}

/// The games of a variant against the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// Pairs of games by their score.
    pub pairs: Pentanomial,
    /// The estimate from these pairs.
    pub estimate: Estimate,
}

impl Contest {
    /// Plays a variant against another one from every opening; the outcomes are from the side of the first. No pair begins
    /// after the workers were asked to stop; the outcomes are worth nothing then.
    pub fn outcomes(&self, first: &Variant, second: &Variant, workers: &Workers) -> Vec<PairOutcome> {
        let starts = self.starts(self.seed);
        let starts: Vec<Position> = (0..self.pairs).filter_map(|pair| starts.of(pair)).collect();
        let outcomes = workers.measure("elo", &starts, |start| play_pair(first, second, start, self.nodes));
        outcomes.into_iter().flatten().collect()
    }

    /// Where pairs begin, in the order of a seed.
    pub(crate) fn starts(&self, seed: u64) -> Starts<'_> {
        Starts {
            openings: &self.openings,
            order: Order::Random.of(self.openings.count(), seed),
        }
    }
}

/// Where pairs begin, each from an opening of its own while they last.
pub(crate) struct Starts<'o> {
    openings: &'o Openings,
    order: Vec<u32>,
}

impl Starts<'_> {
    /// The opening of the pair of this number, from 0.
    pub(crate) fn of(&self, pair: u64) -> Option<Position> {
        let opening = self.order.get(pair as usize % self.order.len().max(1))?;
        Position::from_fen(self.openings.fen(*opening as usize)?).ok()
    }
}

/// Plays a pair of games with so many nodes a move.
pub(crate) fn play_pair(first: &Variant, second: &Variant, start: &Position, nodes: u64) -> Option<PairOutcome> {
    let player =
        |variant: &Variant| EnginePlayer::new(variant.preset.clone(), variant.policy.clone(), variant.hash_mib);
    let (mut first, mut second) = (player(first), player(second));
    let terms = Terms::new(Limit::Nodes(nodes));
    let game = |white: &mut EnginePlayer, black: &mut EnginePlayer| {
        play(
            Side { player: white, terms },
            Side { player: black, terms },
            start,
            &Adjudication::default(),
            &Interrupt::new(),
        )
    };
    let as_white = game(&mut first, &mut second)?.result;
    let as_black = game(&mut second, &mut first)?.result;
    Some(PairOutcome::of(
        as_white.outcome_for(Color::White),
        as_black.outcome_for(Color::Black),
    ))
}

impl Strength {
    /// From outcomes of pairs.
    pub fn of(outcomes: &[PairOutcome]) -> Self {
        let mut pairs = Pentanomial::default();
        for outcome in outcomes {
            pairs.record(*outcome);
        }
        Self {
            pairs,
            estimate: Estimate::of(&pairs).unwrap_or(Estimate::NOTHING_KNOWN),
        }
    }
}
