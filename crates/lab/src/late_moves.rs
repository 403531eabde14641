//! Late moves: those about which a policy is asked. An observer sees them in a search of the project's own engine, and a trace has
//! those of a host.

use cozy_chess::Move;
use lmrlab_engine::search::observer::{
    Decision, Events, LateMoveResult, MadeBy, MoveSearch, NodeExit, NodeKind, NullMoveTried, Observer, ShadowResult,
    ShadowSearch,
};
use lmrlab_policy::facts::Flags;
use lmrlab_policy::rule::RuleSet;

use crate::bench::Counter;
use crate::costs::Costs;
use crate::named_fact::{NamedFact, values};
use crate::notation::uci;
use crate::sampler::Sampler;

/// Every kind of node, in the order of tables.
pub(crate) const KINDS: [NodeKind; 4] = [NodeKind::Root, NodeKind::Pv, NodeKind::Cut, NodeKind::All];

/// The name of a kind of node, as expressions call it.
pub(crate) fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Root => "root",
        NodeKind::Pv => "pv",
        NodeKind::Cut => "cut",
        NodeKind::All => "all",
    }
}

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

/// The searches of a late move, and what they found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Searches {
    /// Plies by which it was reduced; negative when it was extended.
    pub reduction: i16,
    /// The depth of its unreduced search, in plies.
    pub full_depth: i16,
    /// Whether its first search came back above alpha.
    pub failed_high: bool,
    /// Whether it was searched again.
    pub researched: bool,
    /// Whether its last search came back above alpha.
    pub raised: bool,
    /// Nodes of its first search.
    pub first_nodes: u64,
    /// Nodes of all later ones.
    pub later_nodes: u64,
}

/// A late move after its searches.
#[derive(Debug, Clone)]
pub struct LateMove {
    /// Its number among the late moves of the search, from 0.
    pub number: u64,
    /// Distance of its node from the root, in plies.
    pub ply: u32,
    /// What its node turned out to be, where that is known.
    pub outcome: Option<NodeKind>,
    /// Where it stands.
    pub place: Place,
    /// What its searches found.
    pub searches: Searches,
    /// Whether it is in the sample. Only then what follows is set.
    pub is_sampled: bool,
    /// The free booleans.
    pub flags: Flags,
    /// The rules that applied.
    pub rules: RuleSet,
    /// The values of the facts that are watched, in their order.
    pub values: Vec<f64>,
    /// Whether its shadow search raises alpha, and the nodes of that search. Without one neither is set.
    pub shadow: (Option<bool>, u64),
    /// The move as UCI writes it, and the position after it; set for moves with a shadow search.
    pub uci_move: String,
    /// The position after it.
    pub fen_after: String,
}

/// Receives the late moves of a search.
pub trait Watch {
    /// The searches of a late move have ended.
    fn late_move(&mut self, late: &LateMove);

    /// The moves of the node at this ply have been searched, and it turned out to be of this kind.
    fn node(&mut self, ply: u32, outcome: NodeKind) {
        let _ = (ply, outcome);
    }
}

/// The most plies of a line.
const PLIES: usize = 160;

/// The observer of a search that shows its late moves to a watch.
pub struct Observed<W> {
    pub(crate) watch: W,
    pub(crate) counter: Counter,
    pub(crate) costs: Costs,
    /// The number of late moves that could be sampled.
    pub(crate) population: u64,
    facts: Vec<NamedFact>,
    sampler: Sampler,
    shadow: Option<ShadowSearch>,
    /// By ply: the late move that is being searched, and how many of its searches have ended.
    open: Vec<Option<(LateMove, u32)>>,
}

impl<W> Observed<W> {
    /// Reads these facts of the moves that the sampler takes. With `shadow` these moves get shadow searches.
    pub(crate) fn new(watch: W, facts: Vec<NamedFact>, sampler: Sampler, shadow: Option<ShadowSearch>) -> Self {
        Self {
            watch,
            counter: Counter::default(),
            costs: Costs::default(),
            population: 0,
            facts,
            sampler,
            shadow,
            open: vec![None; PLIES],
        }
    }
}

impl<W: Watch> Observer for Observed<W> {
    fn events(&self) -> Events {
        let events = Events::REDUCTIONS.and(Events::NODES);
        match self.shadow {
            Some(_) => events.and(Events::FACTS),
            None => events,
        }
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let Some(open) = self.open.get_mut(decision.ply as usize) else {
            return;
        };
        // The memory of the values is used again.
        let mut values_before = open.take().map_or_else(Vec::new, |(late, _)| late.values);
        values_before.clear();
        let mut late = LateMove {
            number: self.population,
            ply: decision.ply,
            outcome: None,
            place: Place {
                kind: decision.kind,
                depth: decision.depth,
                move_number: decision.move_number,
            },
            searches: Searches {
                reduction: decision.reduction as i16,
                full_depth: decision.full_depth as i16,
                ..Searches::default()
            },
            is_sampled: self.sampler.takes_next(),
            flags: Flags::default(),
            rules: RuleSet::default(),
            values: values_before,
            shadow: (None, 0),
            uci_move: String::new(),
            fen_after: String::new(),
        };
        self.population += 1;
        if late.is_sampled {
            late.flags = decision.facts.flags();
            late.rules = decision.rules();
            late.values.extend(values(&self.facts, decision.facts, late.flags));
            if self.shadow.is_some() {
                late.uci_move = uci(decision.position, decision.mv);
            }
        }
        *open = Some((late, 0));
    }

    fn wants_shadow(&mut self, ply: u32) -> Option<ShadowSearch> {
        let open = self.open.get(ply as usize)?.as_ref();
        self.shadow.filter(|_| open.is_some_and(|(late, _)| late.is_sampled))
    }

    fn on_shadow(&mut self, result: &ShadowResult) {
        if let Some(Some((late, _))) = self.open.get_mut(result.ply as usize) {
            late.shadow = (result.raises, result.nodes);
        }
    }

    #[inline]
    fn on_move_search(&mut self, attempt: &MoveSearch) {
        let above = attempt.score > attempt.alpha;
        if attempt.null_window && !above {
            self.costs.count(attempt.depth, attempt.nodes);
        }
        let Some(Some((late, attempts))) = self.open.get_mut(attempt.ply as usize) else {
            return;
        };
        if *attempts == 0 {
            late.searches.failed_high = above;
            late.searches.first_nodes = attempt.nodes;
        } else {
            late.searches.later_nodes += attempt.nodes;
        }
        *attempts += 1;
    }

    fn on_late_move(&mut self, result: &LateMoveResult<'_>) {
        let Some(open) = self.open.get_mut(result.ply as usize) else {
            return;
        };
        if let Some((late, attempts)) = open {
            late.searches.researched = *attempts > 1;
            late.searches.raised = result.score > result.alpha;
            if late.is_sampled && self.shadow.is_some() {
                late.fen_after = result.child.to_string();
            }
            self.watch.late_move(late);
        }
    }

    #[inline]
    fn on_node_exit(&mut self, node: &NodeExit) {
        self.counter.on_node_exit(node);
        self.watch.node(node.ply, node.outcome);
    }

    #[inline]
    fn on_move_made(&mut self, ply: u32, mv: Option<Move>, made_by: MadeBy) {
        self.counter.on_move_made(ply, mv, made_by);
    }

    #[inline]
    fn on_null_move(&mut self, tried: &NullMoveTried) {
        self.counter.on_null_move(tried);
    }
}
