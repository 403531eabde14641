//! The observer that counts what becomes of late moves.

use std::collections::HashMap;
use std::hash::Hash;

use lmrlab_engine::search::observer::{
    Attempt, Decided, Decision, Left, Maker, NodeKind, NullMoveTried, Observer,
};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Flags, Kind};
use lmrlab_policy::rule::RuleSet;

use super::bins::Bin;
use super::tally::{Costs, Fate, Tally};
use crate::lab::bench::{Counter, Counts};

/// Where in a tree a move stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// What its node is expected to be.
    pub kind: NodeKind,
    /// Remaining depth of its node, in plies.
    pub depth: u32,
    /// Its number among the moves of the node, from 1.
    pub move_number: u32,
}

/// What became of the late moves of one search, or of several.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// Nodes, null moves and cutoffs.
    pub counts: Counts,
    /// By place.
    pub places: HashMap<Place, Tally>,
    /// By the rules that applied together.
    pub rules: HashMap<RuleSet, Tally>,
    /// By the free booleans that held together.
    pub flags: HashMap<Flags, Tally>,
    /// By the other facts that the policy reads.
    pub facts: HashMap<(Fact, Bin), Tally>,
    /// What searches cost.
    pub costs: Costs,
}

impl Profile {
    /// Adds what another search counted.
    pub fn merge(&mut self, other: &Self) {
        self.counts += &other.counts;
        merge(&mut self.places, &other.places);
        merge(&mut self.rules, &other.rules);
        merge(&mut self.flags, &other.flags);
        merge(&mut self.facts, &other.facts);
        self.costs += &other.costs;
    }
}

fn merge<K: Copy + Eq + Hash>(sums: &mut HashMap<K, Tally>, others: &HashMap<K, Tally>) {
    for (key, tally) in others {
        *sums.entry(*key).or_default() += tally;
    }
}

/// A late move that is being searched.
#[derive(Debug, Clone, Default)]
struct Pending {
    place: Option<Place>,
    flags: Flags,
    rules: RuleSet,
    bins: Vec<Bin>,
    reduction: i32,
    full_depth: i32,
    attempts: u32,
    failed_high: bool,
    first_nodes: u64,
    later_nodes: u64,
}

/// Counts what becomes of late moves.
#[derive(Debug)]
pub struct Profiler {
    counter: Counter,
    profile: Profile,
    /// The facts that are neither flags nor the place.
    watched: Vec<Fact>,
    /// By ply.
    pending: Vec<Pending>,
}

impl Profiler {
    /// For searches with this policy.
    pub fn new(policy: &Policy) -> Self {
        let watched = policy.needs().iter().filter(|fact| {
            let is_place = matches!(fact, Fact::Depth | Fact::MoveNumber | Fact::MovesSearched);
            !fact.is_flag() && !is_place && !fact.is_of_research() && !fact.is_of_rules()
        });
        Self {
            counter: Counter::default(),
            profile: Profile::default(),
            watched: watched.collect(),
            pending: vec![Pending::default(); 160],
        }
    }

    /// What was counted.
    pub fn finish(mut self) -> Profile {
        self.profile.counts = self.counter.counts;
        self.profile
    }
}

impl Observer for Profiler {
    const WATCHES_REDUCTIONS: bool = true;
    const WATCHES_NODES: bool = true;

    fn deciding(&mut self, decision: &Decision<'_>) {
        let Some(pending) = self.pending.get_mut(decision.ply as usize) else {
            return;
        };
        pending.place = Some(Place {
            kind: decision.kind,
            depth: decision.depth,
            move_number: decision.move_number,
        });
        pending.flags = decision.facts.flags();
        pending.rules = decision.rules;
        pending.reduction = decision.reduction;
        pending.full_depth = decision.full_depth;
        (pending.attempts, pending.failed_high) = (0, false);
        (pending.first_nodes, pending.later_nodes) = (0, 0);
        pending.bins.clear();
        pending.bins.extend(self.watched.iter().map(|fact| {
            Bin::of(
                *fact,
                match fact.info().kind {
                    Kind::Boolean => f64::from(u8::from(decision.facts.boolean(*fact))),
                    Kind::Number => decision.facts.number(*fact),
                },
            )
        }));
    }

    #[inline]
    fn searched(&mut self, attempt: &Attempt) {
        let above = attempt.score > attempt.alpha;
        if attempt.null_window && !above {
            self.profile.costs.count(attempt.depth, attempt.nodes);
        }
        let Some(pending) = self.pending.get_mut(attempt.ply as usize) else {
            return;
        };
        if pending.attempts == 0 {
            pending.failed_high = above;
            pending.first_nodes = attempt.nodes;
        } else {
            pending.later_nodes += attempt.nodes;
        }
        pending.attempts += 1;
    }

    fn decided(&mut self, late: &Decided<'_>) {
        let Some(pending) = self.pending.get_mut(late.ply as usize) else {
            return;
        };
        let Some(place) = pending.place.take() else {
            return;
        };
        let fate = Fate {
            reduction: pending.reduction,
            full_depth: pending.full_depth,
            failed_high: pending.failed_high,
            researched: pending.attempts > 1,
            raised: late.score > late.alpha,
            first_nodes: pending.first_nodes,
            later_nodes: pending.later_nodes,
        };
        let profile = &mut self.profile;
        profile.places.entry(place).or_default().count(&fate);
        profile.flags.entry(pending.flags).or_default().count(&fate);
        profile.rules.entry(pending.rules).or_default().count(&fate);
        for (fact, bin) in self.watched.iter().zip(&pending.bins) {
            profile.facts.entry((*fact, *bin)).or_default().count(&fate);
        }
    }

    #[inline]
    fn made(&mut self, ply: u32, mv: Option<cozy_chess::Move>, maker: Maker) {
        self.counter.made(ply, mv, maker);
    }

    #[inline]
    fn null_move(&mut self, tried: &NullMoveTried) {
        self.counter.null_move(tried);
    }

    #[inline]
    fn left(&mut self, node: &Left) {
        self.counter.left(node);
    }
}
