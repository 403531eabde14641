//! Which moves of a search get a curve.

use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, NodeKind, Observer};

use crate::node_kinds::KINDS;
use crate::sampler::Sampler;

/// How moves are sampled for curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveOptions {
    /// About how many moves get a curve.
    pub moves: u64,
    /// The seed of the random sample.
    pub seed: u64,
    /// The node limit of the search for a point.
    pub most_nodes: u64,
}

/// Of the sampled moves that fail low at full depth, one in this number gets a curve. All those that raise alpha get
/// one: they are few, and they show what a reduction misses.
pub(super) const FAILING_LOW: f64 = lmrlab_host::FAILING_LOW as f64;

/// Depths that have strata of their own; deeper nodes count as the last.
const DEPTHS: usize = 64;

/// Moves at nodes of the same depth and kind are one stratum: they are sampled with the same chance.
const STRATA: usize = DEPTHS * KINDS.len();

fn stratum(depth: u32, kind: NodeKind) -> usize {
    let kind = KINDS.iter().position(|other| *other == kind).unwrap_or(0);
    (depth as usize).min(DEPTHS - 1) * KINDS.len() + kind
}

/// Whether a move can be sampled: not the first one of its node, and not searched by quiescence alone.
pub(super) fn is_eligible(decision: &Decision<'_>) -> bool {
    decision.move_number >= 2 && decision.full_depth >= 1
}

/// What is known of the moves of a stratum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Stratum {
    moves: u64,
    nodes: u64,
    raising: u64,
}

/// The moves that can be sampled, by stratum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Population(Vec<Stratum>);

impl Population {
    pub(super) fn none() -> Self {
        Self(vec![Stratum::default(); STRATA])
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own.moves += other.moves;
            own.nodes += other.nodes;
            own.raising += other.raising;
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|stratum| stratum.moves).sum()
    }

    /// Chances with which about `moves` moves get a curve. The chance of a move is in proportion to the square root of
    /// the mean number of nodes of the moves in its stratum (Neyman 1934). So the many cheap moves near the horizon are
    /// sampled less.
    pub(super) fn chances(&self, moves: u64) -> Chances {
        let chance = |stratum: &Stratum, factor: f64| match stratum.moves {
            0 => 0.0,
            moves => (factor * ((1 + stratum.nodes) as f64 / moves as f64).sqrt()).min(1.0),
        };
        let curves = |factor: f64| {
            let of_stratum = |stratum: &Stratum| {
                let low = stratum.moves - stratum.raising.min(stratum.moves);
                chance(stratum, factor) * (stratum.raising as f64 + low as f64 / FAILING_LOW)
            };
            self.0.iter().map(of_stratum).sum::<f64>()
        };
        // A greater factor gives more curves, so bisection finds the factor.
        let (mut low, mut high) = (0.0, (1.0 + self.total() as f64).sqrt());
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if curves(middle) < moves as f64 {
                low = middle;
            } else {
                high = middle;
            }
        }
        Chances(self.0.iter().map(|stratum| chance(stratum, high)).collect())
    }
}

/// The chance of a move to be sampled, by stratum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chances(Vec<f64>);

impl Chances {
    /// How many moves a sampled one stands for.
    pub(super) fn weight(&self, decision: &Decision<'_>) -> f64 {
        1.0 / self.0[stratum(decision.depth, decision.kind)]
    }

    /// The samplers for a search of the position of this index.
    pub(super) fn samplers(&self, seed: u64, position: usize) -> Samplers {
        let stream = |stratum: usize| (position * (STRATA + 1) + stratum) as u64;
        let of_stratum = |(stratum, chance): (usize, &f64)| Sampler::new(0.0..*chance, seed, stream(stratum));
        Samplers {
            strata: self.0.iter().enumerate().map(of_stratum).collect(),
            failing_low: Sampler::new(0.0..1.0 / FAILING_LOW, seed, stream(STRATA)),
        }
    }
}

/// Decides which moves of a search are sampled.
pub(super) struct Samplers {
    strata: Vec<Sampler>,
    failing_low: Sampler,
}

impl Samplers {
    /// Whether a move is sampled.
    pub(super) fn take(&mut self, decision: &Decision<'_>) -> bool {
        is_eligible(decision) && self.strata[stratum(decision.depth, decision.kind)].takes_next()
    }

    /// Whether a sampled move that fails low at full depth gets a curve.
    pub(super) fn take_failing_low(&mut self) -> bool {
        self.failing_low.takes_next()
    }
}

/// Counts the moves that can be sampled.
pub(super) struct Counter {
    population: Population,
    /// By ply: the stratum of the move that is searched, and whether its first search is still running.
    open: Vec<Option<(usize, bool)>>,
}

impl Counter {
    pub(super) fn new() -> Self {
        Self {
            population: Population::none(),
            open: vec![None; 160],
        }
    }

    pub(super) fn finish(self) -> Population {
        self.population
    }
}

impl Observer for Counter {
    fn events(&self) -> Events {
        Events::MOVES
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let stratum = stratum(decision.depth, decision.kind);
        let is_eligible = is_eligible(decision);
        if let Some(open) = self.open.get_mut(decision.ply as usize) {
            *open = is_eligible.then_some((stratum, true));
        }
        self.population.0[stratum].moves += u64::from(is_eligible);
    }

    fn on_move_search(&mut self, search: &MoveSearch) {
        if let Some(Some((stratum, is_first))) = self.open.get_mut(search.ply as usize) {
            let stratum = &mut self.population.0[*stratum];
            stratum.nodes += search.nodes;
            // The result of the first search is near enough to the truth here.
            stratum.raising += u64::from(*is_first && search.score > search.alpha);
            *is_first = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn population(strata: &[(u64, u64, u64)]) -> Population {
        let mut population = Population::none();
        for (stratum, (moves, nodes, raising)) in population.0.iter_mut().zip(strata) {
            *stratum = Stratum {
                moves: *moves,
                nodes: *nodes,
                raising: *raising,
            };
        }
        population
    }

    #[test]
    fn a_move_of_four_times_the_nodes_has_twice_the_chance() {
        let population = population(&[(10_000, 9_999, 0), (1_000, 3_999, 0)]);
        let chances = population.chances(300).0;
        assert!((chances[1] / chances[0] - 2.0).abs() < 1e-6, "{chances:?}");
        // 300 curves of 1,200 sampled moves: all of them fail low.
        let sampled = 10_000.0 * chances[0] + 1_000.0 * chances[1];
        assert!((sampled - 1_200.0).abs() < 1e-3, "{sampled}");
    }

    #[test]
    fn no_chance_is_above_one() {
        let population = population(&[(100, 99, 50), (10, 1_000_000, 10)]);
        assert!(
            population.chances(1_000_000).0[..2]
                .iter()
                .all(|chance| (chance - 1.0).abs() < 1e-9)
        );
        assert_eq!(Population::none().chances(100).0, vec![0.0; STRATA]);
    }
}
