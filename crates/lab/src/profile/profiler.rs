//! The observer that counts the results of late moves.

use std::hash::Hash;

use lmrlab_engine::search::observer::{
    Decision, Events, LateMoveResult, MadeBy, MoveSearch, NodeExit, NodeKind, NullMoveTried, Observer,
};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Flags};
use lmrlab_policy::rule::RuleSet;
use rustc_hash::FxHashMap;

use super::bins::{Bin, Scale};
use super::options::ProfileOptions;
use super::reduction_counts::{Costs, LateMove, MoveCounts};
use crate::bench::{Counter, Counts};
use crate::named_fact::NamedFact;
use crate::sampler::Sampler;

/// Where in a tree a move stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// What its node is expected to be.
    pub kind: NodeKind,
    /// Remaining depth of its node, in plies.
    pub depth: u8,
    /// Its number among the moves of the node, from 1.
    pub move_number: u8,
}

/// Counts of moves by a key, and by the depth of their unreduced search in plies.
pub type Counted<K> = FxHashMap<(K, i16), MoveCounts>;

/// The results of the late moves of one search, or of several.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// Nodes of the searches; `None` when they are unknown.
    pub nodes: Option<u64>,
    /// Null moves, cutoffs and kinds of nodes, where the search counts them.
    pub counts: Option<Counts>,
    /// The share of the late moves that a trace has, above 0.
    pub traced: Option<f64>,
    /// By place: every late move.
    pub places: Counted<Place>,
    /// By the rules that applied together: the sampled moves.
    pub rules: Counted<RuleSet>,
    /// By the free booleans that held together: the sampled moves.
    pub flags: Counted<Flags>,
    /// By the other facts that the policy reads, and those of a host alone: the sampled moves.
    pub facts: Counted<(NamedFact, Bin)>,
    /// What searches cost.
    pub costs: Costs,
}

impl Profile {
    /// Adds what another search counted.
    pub fn merge(&mut self, other: &Self) {
        self.nodes = self.nodes.into_iter().chain(other.nodes).reduce(|one, two| one + two);
        if let Some(counts) = &other.counts {
            *self.counts.get_or_insert_default() += counts;
        }
        merge(&mut self.places, &other.places);
        merge(&mut self.rules, &other.rules);
        merge(&mut self.flags, &other.flags);
        merge(&mut self.facts, &other.facts);
        self.costs += &other.costs;
    }
}

fn merge<K: Clone + Eq + Hash>(sums: &mut Counted<K>, others: &Counted<K>) {
    for (key, counts) in others {
        *sums.entry(key.clone()).or_default() += counts;
    }
}

/// Counts a move under a key.
pub(crate) fn count<K: Eq + Hash>(counted: &mut Counted<K>, key: K, late: &LateMove) {
    counted.entry((key, late.full_depth)).or_default().count(late);
}

/// A late move that is being searched.
#[derive(Debug, Clone, Default)]
struct Pending {
    place: Option<Place>,
    /// Whether it is in the sample. Only then are the next three fields set.
    sampled: bool,
    flags: Flags,
    rules: RuleSet,
    /// The values of the watched facts.
    values: Vec<f64>,
    /// How many of its searches have ended.
    attempts: u32,
    /// What they found so far.
    late: LateMove,
}

/// A sampled late move after its searches.
#[derive(Debug, Clone, Copy)]
struct Sampled {
    flags: Flags,
    rules: RuleSet,
    late: LateMove,
}

/// The number of late moves that are counted together. If each were counted alone, the search would have pushed the
/// tables out of the processor's cache before.
const BATCH: usize = 512;

/// The number of sampled moves that are counted together.
const SAMPLES: usize = 2_048;

/// Counts the results of late moves.
#[derive(Debug)]
pub struct Profiler {
    counter: Counter,
    profile: Profile,
    /// The facts that are neither flags nor the place.
    watched: Vec<(Fact, Scale)>,
    /// By ply.
    pending: Vec<Pending>,
    /// Which moves are in the sample.
    sampler: Sampler,
    /// Moves that are not counted yet.
    uncounted: Vec<(Place, LateMove)>,
    /// Sampled moves that are not counted yet.
    samples: Vec<Sampled>,
    /// Their values of the watched facts, move by move.
    values: Vec<f64>,
}

impl Profiler {
    /// A profiler for a search with this policy. `position` is the number of the position in its set.
    pub fn new(policy: &Policy, position: usize, options: &ProfileOptions) -> Self {
        let watched = policy.needs().iter().filter(|fact| {
            let is_place = matches!(fact, Fact::Depth | Fact::MoveNumber | Fact::MovesSearched);
            !fact.is_flag() && !is_place && !fact.is_of_research() && !fact.is_of_rules()
        });
        let watched = watched.map(|fact| (fact, Scale::of(&NamedFact::Known(fact))));
        let watched: Vec<_> = watched.collect();
        Self {
            counter: Counter::default(),
            profile: Profile::default(),
            pending: vec![Pending::default(); 160],
            sampler: Sampler::new(0.0..options.rate, options.seed, position as u64),
            uncounted: Vec::with_capacity(BATCH),
            samples: Vec::with_capacity(SAMPLES),
            values: Vec::with_capacity(SAMPLES * watched.len()),
            watched,
        }
    }

    /// Counts the late moves of the last batch.
    fn count(&mut self) {
        for (place, late) in self.uncounted.drain(..) {
            count(&mut self.profile.places, place, &late);
        }
    }

    /// Counts the sampled moves of the last batch, table by table.
    fn count_samples(&mut self) {
        let profile = &mut self.profile;
        for sample in &self.samples {
            count(&mut profile.flags, sample.flags, &sample.late);
        }
        for sample in &self.samples {
            count(&mut profile.rules, sample.rules, &sample.late);
        }
        for (index, (fact, scale)) in self.watched.iter().enumerate() {
            let values = self.values.iter().skip(index).step_by(self.watched.len());
            for (sample, value) in self.samples.iter().zip(values) {
                let key = (NamedFact::Known(*fact), scale.bin(*value));
                count(&mut profile.facts, key, &sample.late);
            }
        }
        self.samples.clear();
        self.values.clear();
    }

    /// What was counted.
    pub fn finish(mut self) -> Profile {
        self.count();
        self.count_samples();
        self.profile.nodes = Some(self.counter.counts.nodes());
        self.profile.counts = Some(self.counter.counts);
        self.profile
    }
}

impl Observer for Profiler {
    fn events(&self) -> Events {
        Events::REDUCTIONS.and(Events::NODES)
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let Some(pending) = self.pending.get_mut(decision.ply as usize) else {
            return;
        };
        pending.place = Some(Place {
            kind: decision.kind,
            depth: decision.depth as u8,
            move_number: decision.move_number as u8,
        });
        pending.attempts = 0;
        pending.late = LateMove {
            reduction: decision.reduction as i16,
            full_depth: decision.full_depth as i16,
            ..LateMove::default()
        };
        pending.sampled = self.sampler.takes_next();
        if !pending.sampled {
            return;
        }
        pending.flags = decision.facts.flags();
        pending.rules = decision.rules();
        pending.values.clear();
        let value = |(fact, scale): &(Fact, Scale)| match scale {
            Scale::Single => f64::from(u8::from(decision.facts.boolean(*fact))),
            Scale::Counts | Scale::Wide => decision.facts.number(*fact),
        };
        pending.values.extend(self.watched.iter().map(value));
    }

    #[inline]
    fn on_move_search(&mut self, attempt: &MoveSearch) {
        let above = attempt.score > attempt.alpha;
        if attempt.null_window && !above {
            self.profile.costs.count(attempt.depth, attempt.nodes);
        }
        let Some(pending) = self.pending.get_mut(attempt.ply as usize) else {
            return;
        };
        if pending.attempts == 0 {
            pending.late.failed_high = above;
            pending.late.first_nodes = attempt.nodes;
        } else {
            pending.late.later_nodes += attempt.nodes;
        }
        pending.attempts += 1;
    }

    fn on_late_move(&mut self, result: &LateMoveResult<'_>) {
        let Some(pending) = self.pending.get_mut(result.ply as usize) else {
            return;
        };
        let Some(place) = pending.place.take() else {
            return;
        };
        let late = LateMove {
            researched: pending.attempts > 1,
            raised: result.score > result.alpha,
            ..pending.late
        };
        self.uncounted.push((place, late));
        if pending.sampled {
            self.samples.push(Sampled {
                flags: pending.flags,
                rules: pending.rules,
                late,
            });
            self.values.extend_from_slice(&pending.values);
            if self.samples.len() == SAMPLES {
                self.count_samples();
            }
        }
        if self.uncounted.len() == BATCH {
            self.count();
        }
    }

    #[inline]
    fn on_move_made(&mut self, ply: u32, mv: Option<cozy_chess::Move>, made_by: MadeBy) {
        self.counter.on_move_made(ply, mv, made_by);
    }

    #[inline]
    fn on_null_move(&mut self, tried: &NullMoveTried) {
        self.counter.on_null_move(tried);
    }

    #[inline]
    fn on_node_exit(&mut self, node: &NodeExit) {
        self.counter.on_node_exit(node);
    }
}
