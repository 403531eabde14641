//! Counts the results of late moves.

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Flags};
use lmrlab_policy::rule::RuleSet;
use rustc_hash::FxHashMap;

use super::ProfileOptions;
use super::bins::{Bin, is_count};
use super::reduction_counts::MoveCounts;
use crate::costs::Costs;
use crate::late_moves::{LateMove, Observed, Place, Searches, Watch};
use crate::named_fact::NamedFact;
use crate::sampler::Sampler;
use lmrlab_results::rows::bench::TreeCounts;

/// What late moves have in common that are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Group {
    /// Their place. Each late move is in one of these groups; sampled ones are in others, too.
    Place(Place),
    /// The rules that applied.
    Rules(RuleSet),
    /// The free booleans that held.
    Flags(Flags),
    /// The value of another fact: one that the policy reads, or one of a host alone.
    Fact(NamedFact, Bin),
}

/// The results of the late moves of one search, or of several.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// Nodes of the searches; `None` when they are unknown.
    pub nodes: Option<u64>,
    /// Null moves, cutoffs and kinds of nodes, where the search counts them.
    pub counts: Option<TreeCounts>,
    /// The share of the late moves that a trace has, above 0.
    pub traced: Option<f64>,
    /// By group, and by the depth of the unreduced search of the moves in plies.
    pub groups: FxHashMap<(Group, i16), MoveCounts>,
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
        for (group, counts) in &other.groups {
            *self.groups.entry(group.clone()).or_default() += counts;
        }
        self.costs += &other.costs;
    }

    fn count(&mut self, group: Group, searches: &Searches) {
        self.groups
            .entry((group, searches.full_depth))
            .or_default()
            .count(searches);
    }
}

/// Counts late moves.
#[derive(Debug)]
pub struct Counting {
    pub(crate) profile: Profile,
    /// The facts that are neither flags nor the place, and whether they are counts.
    watched: Vec<(NamedFact, bool)>,
}

impl Counting {
    /// Counts moves that come with the values of these facts.
    pub(crate) fn new<'f>(facts: impl IntoIterator<Item = &'f NamedFact>) -> Self {
        let (facts, mut profile) = (facts.into_iter(), Profile::default());
        // A table that grows moves its counts.
        profile.groups.reserve(4_096);
        Self {
            profile,
            watched: facts.map(|fact| (fact.clone(), is_count(fact))).collect(),
        }
    }
}

impl Watch for Counting {
    fn late_move(&mut self, late: &LateMove) {
        let (profile, searches) = (&mut self.profile, &late.searches);
        profile.count(Group::Place(late.place), searches);
        if late.is_sampled {
            profile.count(Group::Flags(late.flags), searches);
            profile.count(Group::Rules(late.rules), searches);
            for ((fact, is_count), value) in self.watched.iter().zip(&late.values) {
                profile.count(Group::Fact(fact.clone(), Bin::of(*value, *is_count)), searches);
            }
        }
    }
}

/// The observer of a search with this policy. `position` is the number of the position in its set.
pub fn profiler(policy: &Policy, position: usize, options: &ProfileOptions) -> Observed<Counting> {
    let facts = policy.needs().iter().map(NamedFact::Known);
    let facts: Vec<NamedFact> = facts.filter(is_watched).collect();
    let sampler = Sampler::new(options.rate, options.seed, position as u64);
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
    /// What was counted in a search with this number of nodes.
    pub fn profile(self, nodes: u64) -> Profile {
        Profile {
            nodes: Some(nodes),
            counts: Some(self.counter.counts),
            costs: self.costs,
            ..self.watch.profile
        }
    }
}
