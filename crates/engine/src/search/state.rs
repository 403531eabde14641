//! One search: its state, and the steps that every part of it uses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arrayvec::ArrayVec;
use cozy_chess::Move;
use lmrlab_policy::facts::Fact;

use super::memory::Memory;
use super::observer::{Events, Observer};
use super::stack::StackEntry;
use super::time_management::{RootMoveNodes, TimeBudget};
use crate::depth::{Depth, Ply};
use crate::history::move_key::PieceTo;
use crate::limits::Limits;
use crate::move_picker::MAX_MOVES;
use crate::position::Position;
use crate::preset::{Preset, QuietOrdering};
use crate::reductions::Reductions;
use crate::score::Score;
use crate::search_parameters::SearchParameters;
use crate::transposition::TableEntry;

/// One search of one position. It is compiled twice, with and without an observer, so that unobserved searches pay nothing.
pub(crate) struct Search<'s, R, const OBSERVED: bool> {
    pub(super) parameters: SearchParameters,
    pub(super) policy: &'s R,
    /// The least depth of a node, and the least number of moves searched before, at which the policy can reduce a move.
    pub(super) reducible_from: (Depth, u32),
    /// Whether the policy's history also orders quiet moves.
    pub(super) policy_orders: bool,
    pub(super) memory: &'s mut Memory,
    pub(super) observer: &'s mut dyn Observer,
    /// The events that the observer receives; read only by observed searches.
    pub(super) events: Events,
    pub(super) stop: &'s AtomicBool,
    pub(super) started: Instant,
    pub(super) budget: TimeBudget,
    pub(super) node_limit: u64,
    pub(super) nodes: u64,
    pub(super) seldepth: Ply,
    pub(super) stopped: bool,
    /// The index of the root in `memory.keys`.
    pub(super) root_index: usize,
    /// The index in `memory.keys` of the position after the last null move. Repetitions are not searched before it.
    pub(super) repetition_floor: usize,
    /// The first ply that may make a null move, while one is being verified.
    pub(super) null_move_from: Ply,
    /// Whether the policy, an extension or the observer reads the number of legal moves.
    pub(super) counts_legal_moves: bool,
    /// Nodes spent on each root move.
    pub(super) root_move_nodes: RootMoveNodes,
    pub(super) root_depth: Depth,
    /// Width of the root's window, in centipawns.
    pub(super) root_window: i32,
    /// UCI's `searchmoves`; empty for all.
    pub(super) search_moves: &'s [Move],
    /// Root moves that were best at the end of an iteration.
    pub(super) were_best: ArrayVec<Move, MAX_MOVES>,
    pub(super) best: Option<(Move, Score)>,
    /// The principal variation of the root; never reallocated.
    pub(super) best_pv: Vec<Move>,
    /// Tables for shadow searches; `None` before the first one.
    pub(super) shadow_memory: Option<Box<Memory>>,
}

impl<'s, R: Reductions, const OBSERVED: bool> Search<'s, R, OBSERVED> {
    /// A search of a position. `keys` are those of the game's positions, the root's last.
    pub(crate) fn new(
        preset: &Preset,
        policy: &'s R,
        memory: &'s mut Memory,
        keys: &[u64],
        limits: &'s Limits,
        stop: &'s AtomicBool,
        observer: &'s mut dyn Observer,
    ) -> Self {
        let parameters = preset.parameters;
        let may_order = preset.ordering == QuietOrdering::Own;
        memory.keys.clear();
        memory.keys.reserve(keys.len() + Ply::MAX.index() + 2);
        memory.keys.extend_from_slice(keys);
        let root_index = memory.keys.len() - 1;
        // Entries of an earlier search would be read as part of this line.
        memory.stack.fill(StackEntry::EMPTY);
        memory.table.new_search();
        if let Some(history) = &mut memory.policy_history {
            history.new_search();
        }
        let (least_depth, least_moves) = policy.reducible_from();
        let events = observer.events();
        if OBSERVED && events.facts {
            memory.fact_tables.complete();
        }
        Self {
            parameters,
            policy,
            reducible_from: (Depth::new(least_depth), least_moves as u32),
            policy_orders: may_order && policy.history().is_some_and(|history| history.orders_moves),
            memory,
            observer,
            events,
            stop,
            started: Instant::now(),
            budget: TimeBudget::default(),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            seldepth: Ply::ROOT,
            stopped: false,
            root_index,
            repetition_floor: 0,
            null_move_from: Ply::ROOT,
            counts_legal_moves: parameters.single_reply_extension
                || policy.needs().contains(Fact::LegalMoves)
                || (OBSERVED && (events.moves || events.facts)),
            root_move_nodes: RootMoveNodes::default(),
            root_depth: Depth::HORIZON,
            root_window: 0,
            search_moves: &limits.search_moves,
            were_best: ArrayVec::new(),
            best: None,
            best_pv: Vec::with_capacity(Ply::MAX.index() + 1),
            shadow_memory: None,
        }
    }

    /// Whether the observer receives every move.
    #[inline]
    pub(super) fn observes_moves(&self) -> bool {
        OBSERVED && self.events.moves
    }

    /// Whether the observer receives late moves.
    #[inline]
    pub(super) fn observes_reductions(&self) -> bool {
        OBSERVED && self.events.reductions
    }

    /// Whether the observer receives each search of a move.
    #[inline]
    pub(super) fn observes_searches(&self) -> bool {
        self.observes_moves() || self.observes_reductions()
    }

    /// Whether the observer receives the nodes of the tree.
    #[inline]
    pub(super) fn observes_nodes(&self) -> bool {
        OBSERVED && self.events.nodes
    }

    /// Whether a root move is to be searched: UCI's `searchmoves` names it, or there is no `searchmoves`.
    pub(super) fn is_in_search_moves(&self, mv: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&mv)
    }

    /// The position after a move. Prefetches its transposition table entry.
    #[inline]
    pub(super) fn child_of(&self, position: &Position, mv: Move) -> Position {
        self.memory.table.prefetch(position.likely_key_after(mv));
        position.after(mv)
    }

    /// Makes a move and counts it as a node.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, child: &Position, mv: Move, ply: Ply) {
        self.memory.evaluation.prefetch(child);
        let null_mover = self.memory.stack[ply.index()].null_mover;
        let stack_entry = &mut self.memory.stack[ply.index() + 1];
        stack_entry.null_mover = null_mover;
        stack_entry.mv = Some(mv);
        stack_entry.piece_to = Some(PieceTo::of(position, mv));
        self.memory.keys.push(child.key());
        self.nodes += 1;
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.memory.keys.pop();
    }

    /// Whether the search must stop. Scores returned after that are meaningless.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes >= self.node_limit {
            self.stopped = true;
        } else if self.nodes & 511 == 0 {
            let late = self.budget.hard.is_some_and(|hard| self.started.elapsed() >= hard);
            self.stopped = late || self.stop.load(Ordering::Relaxed);
        }
        self.stopped
    }

    /// Whether the position is a draw by the rules, or a repetition within the search.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        if position.is_insufficient_material() {
            return true;
        }
        let clock = usize::from(position.board().halfmove_clock());
        if clock >= 100 {
            // A checkmate on the last ply counts.
            return !position.in_check() || position.board().generate_moves(|_| true);
        }
        let keys = &self.memory.keys;
        let here = keys.len() - 1;
        let first = here.saturating_sub(clock).max(self.repetition_floor);
        let mut seen_before_root = false;
        let mut index = here;
        while index >= first + 2 {
            index -= 2;
            if keys[index] == position.key() {
                if index >= self.root_index || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// Probes the transposition table, if the preset has one.
    pub(super) fn probe(&self, position: &Position, ply: Ply) -> Option<TableEntry> {
        if self.parameters.transposition_table {
            self.memory.table.probe(position.key(), ply)
        } else {
            None
        }
    }

    /// Stores an entry in the transposition table, if the preset has one.
    pub(super) fn store(&mut self, position: &Position, ply: Ply, tt_entry: TableEntry) {
        if self.parameters.transposition_table {
            self.memory.table.store(position.key(), ply, tt_entry);
        }
    }
}
