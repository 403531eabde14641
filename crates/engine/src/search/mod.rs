//! The search: iterative deepening around a principal variation search.

mod certainty;
mod extensions;
mod kind;
mod late_move;
mod learning;
mod move_facts;
mod move_pruning;
mod node;
mod node_pruning;
pub mod observer;
mod quiescence;
pub mod scout;
mod window;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use cozy_chess::{Move, Piece};
use lmrlab_policy::facts::{Fact, FactSet};
use lmrlab_policy::history::HistoryModel;

use self::certainty::{Certainty, Effort};
use self::kind::Root;
use self::observer::{Observer, Progress, Watches};
use self::window::Window;
use crate::correction::CorrectionHistory;
use crate::depth::{Depth, Ply};
use crate::evaluation::EvaluationCache;
use crate::game::Game;
use crate::history::{FactTables, Killers};
use crate::limits::{Limits, TimeBudget};
use crate::move_key::Arrival;
use crate::move_picker::{Hints, MAX_MOVES, MovePicker};
use crate::ordering::OrderingTables;
use crate::policy_history::PolicyHistory;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::search_parameters::SearchParameters;
use crate::transposition::TranspositionTable;

/// A line of moves; as long as the search can be deep.
pub(crate) type Line = ArrayVec<Move, { Ply::MAX.index() + 1 }>;

/// What a search keeps from one move of a game to the next, and the room that it works in.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) table: TranspositionTable,
    pub(crate) killers: Killers,
    pub(crate) ordering: OrderingTables,
    pub(crate) correction: Option<CorrectionHistory>,
    pub(crate) policy_history: Option<PolicyHistory>,
    pub(crate) fact_tables: FactTables,
    evaluation_cache: EvaluationCache,
    frames: Box<[Frame]>,
    /// Keys of the game's positions and, behind them, of the line that is being searched.
    keys: Vec<u64>,
}

/// What is remembered about each ply of the line that is being searched.
#[derive(Debug, Clone)]
struct Frame {
    /// Static evaluation for the side to move; `None` when it is in check.
    static_eval: Option<Score>,
    /// The same, as the evaluation says it: without correction.
    raw_eval: Option<Score>,
    /// A move that the node leaves out, to see what the others are worth.
    excluded: Option<Move>,
    /// Whether the move that led here captured something.
    captured: bool,
    /// The move that led here; `None` at the root and after a null move.
    arrival: Option<Arrival>,
    /// The same move, as the library writes it.
    mv: Option<Move>,
    /// Plies by which that move was reduced.
    reduction: i32,
    /// Its number among the moves of the node before, from 1; 0 at the root and after a null move.
    move_number: u32,
    /// Beta cutoffs at this ply since the node two plies before was entered.
    cutoffs: u32,
    /// The move that last reached beta at this ply.
    refutation: Option<Move>,
    /// The best line from here on.
    line: Line,
}

impl Frame {
    const EMPTY: Self = Self {
        static_eval: None,
        raw_eval: None,
        excluded: None,
        captured: false,
        arrival: None,
        mv: None,
        reduction: 0,
        move_number: 0,
        cutoffs: 0,
        refutation: None,
        line: Line::new_const(),
    };
}

impl Memory {
    /// Empty. `history` is the table that the policy declares, `needs` the facts that it reads.
    pub(crate) fn new(
        hash_mib: u32,
        parameters: &SearchParameters,
        history: Option<HistoryModel>,
        needs: FactSet,
    ) -> Self {
        Self {
            table: TranspositionTable::new(hash_mib),
            killers: Killers::new(),
            ordering: OrderingTables::new(parameters),
            correction: parameters.correction_history.then(CorrectionHistory::new),
            policy_history: history.map(PolicyHistory::new),
            fact_tables: FactTables::new(needs),
            evaluation_cache: EvaluationCache::new(),
            frames: vec![Frame::EMPTY; Ply::MAX.index() + 4].into_boxed_slice(),
            keys: Vec::new(),
        }
    }

    /// Forgets everything, as before the first move of a game.
    pub(crate) fn new_game(&mut self) {
        self.table.new_game();
        self.killers.clear();
        self.ordering.clear();
        if let Some(history) = &mut self.correction {
            history.clear();
        }
        self.fact_tables.clear();
        if let Some(history) = &mut self.policy_history {
            history.clear();
        }
    }
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Report {
    /// The move to play; `None` when there is none (checkmate or stalemate).
    pub best: Option<Move>,
    /// Its score, for the side to move.
    pub score: Score,
    /// The last iteration that was begun and found a move, in plies.
    pub depth: u32,
    /// The furthest distance from the root, in plies.
    pub seldepth: u32,
    /// Moves made.
    pub nodes: u64,
    /// Time that it took.
    pub time: Duration,
    /// The principal variation, the best move first.
    pub pv: Vec<Move>,
}

/// One search of one position. Compiled once for searches that somebody watches and once for those that nobody does, so
/// that these pay nothing.
pub(crate) struct Search<'s, R, const WATCHED: bool> {
    parameters: SearchParameters,
    policy: &'s R,
    /// Least depth and least number of moves searched before at which the policy is asked.
    reach: (Depth, u32),
    /// Whether the policy's history also orders quiet moves.
    policy_orders: bool,
    memory: &'s mut Memory,
    observer: &'s mut dyn Observer,
    /// What the observer wants to hear of; read only by watched searches.
    watches: Watches,
    stop: &'s AtomicBool,
    started: Instant,
    budget: TimeBudget,
    node_limit: u64,
    nodes: u64,
    seldepth: Ply,
    stopped: bool,
    /// Where in `memory.keys` the root stands.
    root_index: usize,
    /// Repetitions are not looked for before this index: a null move lies there.
    repetition_floor: usize,
    /// No null move is made before this ply: one is being verified.
    null_move_from: Ply,
    /// Whether somebody asks for the number of legal moves of each node.
    counts_legal_moves: bool,
    /// Nodes spent on each root move.
    effort: Effort,
    root_depth: Depth,
    /// Width of the window that the root is searched with.
    root_window: i32,
    /// At the root only these moves are searched, unless there are none.
    search_moves: &'s [Move],
    /// Root moves that were best at the end of an iteration.
    were_best: ArrayVec<Move, MAX_MOVES>,
    best: Option<(Move, Score)>,
    /// Has room for the longest line from the start.
    best_line: Vec<Move>,
}

impl<'s, R: Reductions, const WATCHED: bool> Search<'s, R, WATCHED> {
    /// A search of the last of the positions with these keys; the others are those before it.
    pub(crate) fn new(
        parameters: SearchParameters,
        policy: &'s R,
        memory: &'s mut Memory,
        keys: &[u64],
        limits: &'s Limits,
        stop: &'s AtomicBool,
        observer: &'s mut dyn Observer,
    ) -> Self {
        memory.keys.clear();
        memory.keys.reserve(keys.len() + Ply::MAX.index() + 2);
        memory.keys.extend_from_slice(keys);
        let root_index = memory.keys.len() - 1;
        // What an earlier search left there would be read as this line's.
        memory.frames.fill(Frame::EMPTY);
        memory.table.new_search();
        if let Some(history) = &mut memory.policy_history {
            history.new_search();
        }
        let (least_depth, least_moves) = policy.reach();
        let watches = observer.watches();
        Self {
            parameters,
            policy,
            reach: (Depth::new(least_depth), least_moves as u32),
            policy_orders: policy.history().is_some_and(|history| history.orders_moves),
            memory,
            observer,
            watches,
            stop,
            started: Instant::now(),
            budget: limits.time_budget(),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            seldepth: Ply::ROOT,
            stopped: false,
            root_index,
            repetition_floor: 0,
            null_move_from: Ply::ROOT,
            counts_legal_moves: parameters.single_reply_extension
                || policy.needs().contains(Fact::LegalMoves)
                || (WATCHED && watches.moves),
            effort: Effort::default(),
            root_depth: Depth::HORIZON,
            root_window: 0,
            search_moves: &limits.search_moves,
            were_best: ArrayVec::new(),
            best: None,
            best_line: Vec::with_capacity(Ply::MAX.index() + 1),
        }
    }

    /// Whether the observer is told of every move.
    #[inline]
    fn watches_moves(&self) -> bool {
        WATCHED && self.watches.moves
    }

    /// Whether the observer is told of late moves.
    #[inline]
    fn watches_reductions(&self) -> bool {
        WATCHED && self.watches.reductions
    }

    /// Whether the observer is told of each search of a move.
    #[inline]
    fn watches_searches(&self) -> bool {
        self.watches_moves() || self.watches_reductions()
    }

    /// Whether the observer is told of the tree.
    #[inline]
    fn watches_nodes(&self) -> bool {
        WATCHED && self.watches.nodes
    }

    /// Searches deeper and deeper until a limit is met.
    pub(crate) fn run(mut self, game: &Game, limits: &Limits) -> Report {
        let root = game.position();
        let last = limits.depth.map_or(Depth::MAX, |depth| {
            Depth::new(depth.clamp(1, Depth::MAX.get() as u32) as i32)
        });
        let legal_moves = self.first_legal_move(root);
        let mut depth = Depth::ONE;
        let mut completed = Depth::HORIZON;
        let mut certainty = Certainty::default();
        while legal_moves.is_some() && depth <= last {
            self.root_depth = depth;
            if let Some(history) = &mut self.memory.policy_history {
                history.new_iteration(root.side_to_move());
            }
            self.aspirate(root, depth);
            if self.stopped {
                break;
            }
            completed = depth;
            if let Some((mv, score)) = self.best {
                if !self.were_best.contains(&mv) {
                    self.were_best.push(mv);
                }
                certainty.update(mv, score);
            }
            self.report_progress();
            if self.is_done(limits, &certainty) {
                break;
            }
            depth = depth + 1;
        }
        let (best, score) = match self.best {
            Some((mv, score)) => (Some(mv), score),
            None => (legal_moves, Score::DRAW),
        };
        Report {
            best,
            score,
            depth: completed.get().max(self.best.map_or(0, |_| 1)) as u32,
            seldepth: self.seldepth.get() as u32,
            nodes: self.nodes,
            time: self.started.elapsed(),
            pv: {
                let mut line = self.best_line;
                if line.first().copied() != best {
                    line.clear();
                    line.extend(best);
                }
                line
            },
        }
    }

    /// Whether another iteration is not worth its time, or not wanted.
    fn is_done(&self, limits: &Limits, certainty: &Certainty) -> bool {
        let Some((mv, score)) = self.best else {
            return false;
        };
        if let (Some(wanted), Some(moves)) = (limits.mate, score.moves_to_mate())
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        self.budget.soft.is_some_and(|soft| {
            let scale = certainty.time_scale(self.effort.share(mv));
            self.started.elapsed() >= soft.mul_f64(scale)
        })
    }

    /// What to play when the limits leave no time to search at all.
    fn first_legal_move(&self, root: &Position) -> Option<Move> {
        let known = self.memory.table.probe(root.key(), Ply::ROOT);
        let hints = Hints {
            hash_move: known.and_then(|known| known.mv),
            losing_captures_last: true,
            ..Hints::default()
        };
        let mut picker = MovePicker::new(root, hints);
        while let Some(mv) = picker.next(root, &()) {
            if self.is_wanted_at_root(mv) {
                return Some(mv);
            }
        }
        None
    }

    /// One iteration, in a window around the last score that is widened until it holds the new one.
    fn aspirate(&mut self, root: &Position, depth: Depth) {
        let mut delta = self.parameters.aspiration_window;
        let previous = self.best.map(|(_, score)| score);
        let mut window = match previous {
            Some(score)
                if delta > 0
                    && depth.get() >= self.parameters.aspiration_min_depth
                    && !score.is_mate() =>
            {
                Window::around(score, delta, delta)
            }
            _ => Window::OPEN,
        };
        loop {
            self.root_window = window.beta - window.alpha;
            let score = self.node::<Root>(root, window, depth, Ply::ROOT, false, false);
            if self.stopped {
                return;
            }
            delta = delta.saturating_mul(2).max(1);
            if score <= window.alpha && window.alpha > Score::MINUS_INFINITE {
                window.alpha = Window::around(score, widened(delta), 0).alpha;
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = Window::around(score, 0, widened(delta)).beta;
            } else {
                return;
            }
        }
    }

    /// Whether the limits let a root move be searched.
    fn is_wanted_at_root(&self, mv: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&mv)
    }

    fn report_progress(&mut self) {
        let Some((_, score)) = self.best else { return };
        self.observer.progress(&Progress {
            depth: self.root_depth.get() as u32,
            seldepth: self.seldepth.get() as u32,
            score,
            nodes: self.nodes,
            time: self.started.elapsed(),
            permille_full: self.memory.table.permille_full(),
            pv: &self.best_line,
        });
    }

    /// The position after a move that is about to be searched.
    #[inline]
    fn child_of(&self, position: &Position, mv: Move) -> Position {
        self.memory.table.prefetch(position.likely_key_after(mv));
        position.after(mv)
    }

    /// Makes a move: the node count is the number of these.
    #[inline]
    fn enter(&mut self, position: &Position, child: &Position, mv: Move, captures: bool, ply: Ply) {
        self.memory.evaluation_cache.prefetch(child);
        let piece = position.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let frame = &mut self.memory.frames[ply.index() + 1];
        frame.mv = Some(mv);
        frame.captured = captures;
        frame.arrival = Some(Arrival {
            color: position.side_to_move(),
            piece,
            to: mv.to,
        });
        self.memory.keys.push(child.key());
        self.nodes += 1;
    }

    #[inline]
    fn unmake(&mut self) {
        self.memory.keys.pop();
    }

    /// Notes whether the search has to end; once true, scores mean nothing any more.
    #[inline]
    fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes >= self.node_limit {
            self.stopped = true;
        } else if self.nodes & 511 == 0 {
            let late = self
                .budget
                .hard
                .is_some_and(|hard| self.started.elapsed() >= hard);
            self.stopped = late || self.stop.load(Ordering::Relaxed);
        }
        self.stopped
    }

    /// Whether the rules, or the first repetition within the search, make this position a draw.
    fn is_draw(&self, position: &Position) -> bool {
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
}

/// After a few failures the window is opened.
fn widened(delta: i32) -> i32 {
    if delta > 1_000 {
        4 * Score::INFINITE.get()
    } else {
        delta
    }
}
