//! Counts the results of late moves.

use std::hash::Hash;

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Flags};
use lmrlab_policy::rule::RuleSet;
use rustc_hash::FxHashMap;

use super::ProfileOptions;
use super::bins::{Bin, Scale};
use super::reduction_counts::MoveCounts;
use crate::bench::Counts;
use crate::costs::Costs;
use crate::late_moves::{LateMove, Observed, Place, Searches, Watch};
use crate::named_fact::NamedFact;
use crate::sampler::Sampler;

/// Counts of moves by a key, and by the depth of their unreduced search in plies.
pub(super) type Counted<K> = FxHashMap<(K, i16), MoveCounts>;

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

fn count<K: Eq + Hash>(counted: &mut Counted<K>, key: K, searches: &Searches) {
    counted.entry((key, searches.full_depth)).or_default().count(searches);
}

/// The number of late moves that are counted together. If each were counted alone, the search would have pushed the
/// tables out of the processor's cache before.
const BATCH: usize = 1_024;

/// A move that is not counted yet, with the flags and the rules of a sampled one.
type Uncounted = (Place, Searches, Option<(Flags, RuleSet)>);

/// Counts late moves in batches, table by table.
#[derive(Debug)]
pub struct Counting {
    profile: Profile,
    /// The facts that are neither flags nor the place.
    watched: Vec<(NamedFact, Scale)>,
    /// Moves that are not counted yet.
    batch: Vec<Uncounted>,
    /// The values of the watched facts of the sampled ones, move by move.
    values: Vec<f64>,
}

impl Counting {
    /// Counts moves that come with the values of these facts.
    pub(crate) fn new(facts: &[NamedFact]) -> Self {
        Self {
            profile: Profile::default(),
            watched: facts.iter().map(|fact| (fact.clone(), Scale::of(fact))).collect(),
            batch: Vec::with_capacity(BATCH),
            values: Vec::with_capacity(BATCH * facts.len()),
        }
    }

    fn count(&mut self) {
        let profile = &mut self.profile;
        for (place, searches, _) in &self.batch {
            count(&mut profile.places, *place, searches);
        }
        let sampled = self
            .batch
            .iter()
            .filter_map(|(_, searches, sampled)| Some((searches, (*sampled)?)));
        for (searches, (flags, _)) in sampled.clone() {
            count(&mut profile.flags, flags, searches);
        }
        for (searches, (_, rules)) in sampled.clone() {
            count(&mut profile.rules, rules, searches);
        }
        for (index, (fact, scale)) in self.watched.iter().enumerate() {
            let values = self.values.iter().skip(index).step_by(self.watched.len());
            for ((searches, _), value) in sampled.clone().zip(values) {
                count(&mut profile.facts, (fact.clone(), scale.bin(*value)), searches);
            }
        }
        self.batch.clear();
        self.values.clear();
    }

    /// What was counted.
    pub(crate) fn finish(mut self) -> Profile {
        self.count();
        self.profile
    }
}

impl Watch for Counting {
    fn late_move(&mut self, late: &LateMove) {
        let sampled = late.is_sampled.then_some((late.flags, late.rules));
        self.batch.push((late.place, late.searches, sampled));
        self.values.extend_from_slice(&late.values);
        if self.batch.len() == BATCH {
            self.count();
        }
    }
}

/// The observer of a search with this policy. `position` is the number of the position in its set.
pub fn profiler(policy: &Policy, position: usize, options: &ProfileOptions) -> Observed<Counting> {
    let facts = policy.needs().iter().map(NamedFact::Known);
    let facts: Vec<NamedFact> = facts.filter(is_watched).collect();
    let sampler = Sampler::new(0.0..options.rate, options.seed, position as u64);
    Observed::new(Counting::new(&facts), facts, sampler, None)
}

/// Whether a fact has a table of its own: it is known before the search of the move, and it is neither a flag nor its place.
pub(crate) fn is_watched(fact: &NamedFact) -> bool {
    match fact {
        NamedFact::Known(fact) => {
            let is_place = matches!(fact, Fact::Depth | Fact::MoveNumber | Fact::MovesSearched);
            !fact.is_flag() && !is_place && !fact.is_given()
        }
        NamedFact::Own { .. } => true,
    }
}

impl Observed<Counting> {
    /// What was counted in the search.
    pub fn profile(self) -> Profile {
        Profile {
            nodes: Some(self.counter.counts.nodes()),
            counts: Some(self.counter.counts),
            costs: self.costs,
            ..self.watch.finish()
        }
    }
}
