//! A small chess engine that hosts policies by the crate lmrlab-host, as docs/host-tutorial.md does it in C.
//!
//!     cargo run --release -p lmrlab-host --example small-engine -- [bench]
//!
//! Alpha-beta with principal variation search, a transposition table and a history. The lines that make it a host are in
//! `main`, `ask`, `fill`, `judge` and `search_move` here, and in `set_option` of uci.rs.

mod board;
mod uci;

use std::collections::VecDeque;
use std::io;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use self::board::{after, evaluate, is_capture, is_quiet, moves, value};
use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, GameStatus, Move, Piece, Square};
use lmrlab_host::{Fact, Host, LateMove, MoveResult, Random, Shadow};

const MAX_PLY: usize = 100;
const INFINITE: i32 = 32_000;
const MATE: i32 = 31_000;
const WON: i32 = MATE - MAX_PLY as i32;
const ENTRIES: usize = 1 << 16;
const MAX_HISTORY: i32 = 8_000;

/// The facts that `fill` fills. The history goes up to 8,000 here, and up to 65,536 in lmrlab.
const FACTS: &str = "root pv cut all improving in_check gives_check capture quiet promotion pawn_move tt_move tt_hit depth ply \
    moves_searched move_number quiet_number tt_depth alpha best_score window improvement parent_reduction iteration static_eval \
    eval_minus_alpha ordering_history*65536/8000 flag:recaptures number:replies";
/// The facts of this engine alone, in the order of the list.
const RECAPTURES: Fact = Fact::OWN_FLAGS[0];
const REPLIES: Fact = Fact::OWN_NUMBERS[0];

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    score: i32,
    depth: i32,
    best: Option<Move>,
    /// Whether the score is a lower bound, and an upper one; an exact score is both.
    bounds: (bool, bool),
}

/// The record of a ply. Other nodes read it.
#[derive(Clone, Copy, Default)]
struct Ply {
    eval: i32,
    in_check: bool,
    cut: bool,
    /// Where the move goes that is searched.
    to: Option<Square>,
    /// The reduction of the search that runs; 0 in all other searches.
    reduction: i32,
}

/// A node, and its move that is searched.
struct Node<'b> {
    board: &'b Board,
    ply: usize,
    depth: i32,
    alpha: i32,
    beta: i32,
    best: i32,
    improvement: i32,
    entry: Option<Entry>,
    mv: Move,
    searched: i32,
    quiets: i32,
}

impl Node<'_> {
    fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// The engine. A clone of it searches on without any effect on this one.
#[derive(Clone)]
struct Search {
    host: Rc<Host>,
    board: Board,
    /// The keys of the game and of the line.
    keys: Vec<u64>,
    table: Vec<Option<Entry>>,
    history: Vec<i32>,
    plies: [Ply; MAX_PLY + 2],
    /// Decides which moves are traced; `None` in a shadow search, which is not traced.
    random: Option<Random>,
    /// False in the shadow searches that reduce nothing.
    reduces: bool,
    /// The lines of the GUI. A thread reads them, so a search sees them.
    input: Option<Rc<Receiver<String>>>,
    /// Lines that came during a search.
    waiting: VecDeque<String>,
    most_nodes: u64,
    deadline: Option<Instant>,
    is_endless: bool,
    stopped: bool,
    nodes: u64,
    iteration: i32,
    best: Option<Move>,
}

impl Search {
    fn new(host: Host) -> Self {
        let mut new = Self {
            host: Rc::new(host),
            board: Board::startpos(),
            keys: Vec::new(),
            table: Vec::new(),
            history: Vec::new(),
            plies: [Ply::default(); MAX_PLY + 2],
            random: Some(Random::new(1)),
            reduces: true,
            input: None,
            waiting: VecDeque::new(),
            most_nodes: u64::MAX,
            deadline: None,
            is_endless: false,
            stopped: false,
            nodes: 0,
            iteration: 0,
            best: None,
        };
        new.clear();
        new.set_position(Board::startpos());
        new
    }

    fn clear(&mut self) {
        self.table = vec![None; ENTRIES];
        self.history = vec![0; 2 * 64 * 64];
    }

    fn set_position(&mut self, board: Board) {
        self.keys = vec![board.hash()];
        self.board = board;
    }

    /// Searches the position and prints each iteration, unless it is silent.
    fn run(&mut self, most_depth: i32, is_silent: bool) {
        let (board, start) = (self.board.clone(), Instant::now());
        (self.nodes, self.stopped) = (0, false);
        self.host.new_search();
        self.best = moves(&board, |_| true).first().copied();
        for depth in 1..=most_depth {
            self.iteration = depth;
            let score = self.search(&board, -INFINITE, INFINITE, depth, 0);
            let Some(best) = self.best.filter(|_| !self.stopped) else {
                break;
            };
            if !is_silent {
                let score = match MATE - score.abs() {
                    plies if score.abs() >= WON => format!("mate {}", (plies + 1) / 2 * score.signum()),
                    _ => format!("cp {score}"),
                };
                let (nodes, time, best) = (self.nodes, start.elapsed().as_millis(), display_uci_move(&board, best));
                println!("info depth {depth} score {score} nodes {nodes} time {time} pv {best}");
            }
        }
    }

    /// Counts a node; false when the search has to end.
    fn enter(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes >= self.most_nodes;
        if self.nodes.is_multiple_of(1024) {
            let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= is_late || self.is_interrupted();
        }
        !self.stopped
    }

    /// Whether the GUI ends the search. Other commands wait for its end, but an endless search ends for them.
    fn is_interrupted(&mut self) -> bool {
        while let Some(line) = self.input.as_ref().and_then(|input| input.try_recv().ok()) {
            match line.trim() {
                "isready" if self.waiting.is_empty() => println!("readyok"),
                "stop" => return true,
                _ => self.waiting.push_back(line),
            }
        }
        self.waiting.iter().any(|line| self.is_endless || line == "quit")
    }

    fn history(&mut self, board: &Board, mv: Move) -> &mut i32 {
        let place = (board.side_to_move() as usize * 64 + mv.from as usize) * 64 + mv.to as usize;
        &mut self.history[place]
    }

    fn reward(&mut self, board: &Board, mv: Move, bonus: i32) {
        let value = self.history(board, mv);
        *value += bonus - *value * bonus.abs() / MAX_HISTORY;
    }

    /// A position that occurred before, or fifty moves without a capture or a pawn move.
    fn is_draw(&self, board: &Board) -> bool {
        let clock = usize::from(board.halfmove_clock());
        let mut before = self.keys.iter().rev().skip(2).take(clock.saturating_sub(1)).step_by(2);
        before.any(|key| *key == board.hash()) || (clock >= 100 && board.status() == GameStatus::Drawn)
    }

    /// Captures and promotions; in check, every move.
    fn quiesce(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if !self.enter() {
            return 0;
        }
        let in_check = !board.checkers().is_empty();
        let mut best = if in_check { ply as i32 - MATE } else { evaluate(board) };
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);
        for mv in self.ordered(board, None, |mv| in_check || !is_quiet(board, mv)) {
            let score = -self.quiesce(&after(board, mv), -beta, -alpha, ply + 1);
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        best
    }

    fn ordered(&mut self, board: &Board, first: Option<Move>, is_wanted: impl Fn(Move) -> bool) -> Vec<Move> {
        let mut moves = moves(board, is_wanted);
        moves.sort_by_cached_key(|mv| {
            -if Some(*mv) == first {
                i32::MAX
            } else if is_quiet(board, *mv) {
                *self.history(board, *mv)
            } else {
                100_000 + 16 * value(board.piece_on(mv.to)) - value(board.piece_on(mv.from))
            }
        });
        moves
    }

    fn search(&mut self, board: &Board, alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(board, alpha, beta, ply);
        }
        if !self.enter() || (ply > 0 && self.is_draw(board)) {
            return 0;
        }
        let (place, key, is_pv) = (board.hash() as usize % ENTRIES, board.hash(), beta - alpha > 1);
        let entry = self.table[place].filter(|entry| entry.key == key);
        if let Some(Entry {
            score,
            depth: known,
            bounds,
            ..
        }) = entry
            && !is_pv
            && known >= depth
            && (if score >= beta { bounds.0 } else { bounds.1 })
        {
            return score;
        }

        let in_check = !board.checkers().is_empty();
        let (two_before, before) = (
            self.plies.get(ply.wrapping_sub(2)).copied(),
            self.plies.get(ply.wrapping_sub(1)),
        );
        let eval = if in_check {
            two_before.map_or(0, |two_before| two_before.eval)
        } else {
            evaluate(board)
        };
        let is_cut = !is_pv && before.is_some_and(|before| !before.cut);
        let known = two_before.filter(|two_before| !in_check && !two_before.in_check);
        let improvement = known.map_or(0, |two_before| eval - two_before.eval);
        self.plies[ply] = Ply {
            eval,
            in_check,
            cut: is_cut,
            to: None,
            reduction: 0,
        };
        let moves = self.ordered(board, entry.and_then(|entry| entry.best), |_| true);
        let Some(first) = moves.first() else {
            return if in_check { ply as i32 - MATE } else { 0 };
        };
        let (mut best_move, mut late_move) = (None, LateMove::default());
        let mut node = Node {
            board,
            ply,
            depth,
            alpha,
            beta,
            best: alpha,
            improvement,
            entry,
            mv: *first,
            searched: 0,
            quiets: 0,
        };
        for mv in &moves {
            node.mv = *mv;
            node.quiets += i32::from(is_quiet(board, *mv));
            let score = self.search_move(&node, &after(board, *mv), &mut late_move);
            if self.stopped {
                return 0;
            }
            // Fail-soft: from the first score on it may be below alpha.
            node.best = if node.searched == 0 {
                score
            } else {
                node.best.max(score)
            };
            if score > node.alpha {
                (node.alpha, best_move) = (score, Some(*mv));
                if ply == 0 {
                    self.best = best_move;
                }
            }
            if score >= beta {
                let tried = moves.iter().take(node.searched as usize + 1);
                for tried in tried.filter(|tried| is_quiet(board, *mv) && is_quiet(board, **tried)) {
                    self.reward(board, *tried, if tried == mv { bonus(depth) } else { -bonus(depth) });
                }
                break;
            }
            node.searched += 1;
        }
        let (score, best) = (node.best, best_move.or(entry.and_then(|entry| entry.best)));
        // The score of a mate depends on its distance from the root.
        if score.abs() < WON {
            let bounds = (score > alpha, score < beta);
            self.table[place] = Some(Entry {
                key,
                score,
                depth,
                best,
                bounds,
            });
        }
        node.best
    }

    /// Searches the position after a move of the ply. The score is that of the side that moved.
    fn descend(&mut self, after: &Board, (alpha, beta): (i32, i32), depth: i32, ply: usize) -> i32 {
        self.keys.push(after.hash());
        let score = -self.search(after, -beta, -alpha, depth, ply + 1);
        self.keys.pop();
        score
    }

    /// Searches the node's move: the first with the node's window, a later one with a null window, and again if its score
    /// is inside the window.
    fn search_move(&mut self, node: &Node<'_>, after: &Board, late_move: &mut LateMove) -> i32 {
        let (ply, window, null_window) = (node.ply, (node.alpha, node.beta), (node.alpha, node.alpha + 1));
        self.plies[ply].to = Some(node.mv.to);
        let unreduced = node.depth - 1;
        if node.searched == 0 {
            return self.descend(after, window, unreduced, ply);
        }
        let (host, before) = (Rc::clone(&self.host), self.nodes);
        self.ask(node, after, late_move);
        if late_move.is_sampled() && host.shadow() != Shadow::None {
            self.judge(node, after, late_move);
        }
        let reduction = late_move.reduction;
        self.plies[ply].reduction = reduction;
        let mut score = self.descend(after, null_window, unreduced - reduction, ply);
        self.plies[ply].reduction = 0;
        late_move.result(score > node.alpha, self.nodes - before);
        let mut full = unreduced;
        if reduction > 0 && score > node.alpha && !self.stopped {
            // Without a policy it is 0, and so it is with the ladder null_then_full.
            let change = host.depth_change(late_move, score, node.best);
            full += change;
            if reduction + change > 0 {
                score = self.descend(after, null_window, full, ply);
            }
            let updates_history = host.research().is_some_and(|research| research.updates_history);
            if updates_history && is_quiet(node.board, node.mv) && !self.stopped {
                let sign = if score > node.alpha { 1 } else { -1 };
                self.reward(node.board, node.mv, sign * bonus(node.depth));
            }
        }
        if score > node.alpha && score < node.beta {
            score = self.descend(after, window, full, ply);
        }
        if !self.stopped {
            let outcome = match score {
                score if score <= node.alpha => MoveResult::FailedLow,
                score if score < node.beta => MoveResult::Inside,
                _ => MoveResult::FailedHigh,
            };
            print_failure(host.close(late_move, unreduced, outcome, self.nodes - before));
        }
        score
    }

    /// Sets the reduction of a late move, by the policy in force or by the engine's own scheme.
    fn ask(&mut self, node: &Node<'_>, after: &Board, late_move: &mut LateMove) {
        let host = Rc::clone(&self.host);
        // At depth 1 a quiescence search follows, reduced or not.
        let random = self.random.as_mut().filter(|_| node.depth > 1);
        let is_wanted = host.open(late_move, random);
        if node.depth == 1 || !self.reduces {
            return;
        }
        if is_wanted {
            self.fill(node, after, late_move);
        }
        if host.policy().is_some() {
            host.reduction(late_move);
        } else {
            let in_check = self.plies[node.ply].in_check || !after.checkers().is_empty();
            late_move.late = node.depth >= 3 && node.searched >= 3 && is_quiet(node.board, node.mv) && !in_check;
            if late_move.late {
                late_move.reduction = own_reduction(node);
            }
        }
    }

    /// The facts about the node's move.
    fn fill(&mut self, node: &Node<'_>, after: &Board, late_move: &mut LateMove) {
        let (board, mv) = (node.board, node.mv);
        let Ply {
            eval, in_check, cut, ..
        } = self.plies[node.ply];
        let before = node.ply.checked_sub(1).and_then(|ply| self.plies.get(ply).copied());
        let (is_capture, is_quiet) = (is_capture(board, mv), is_quiet(board, mv));
        let past = if is_quiet { *self.history(board, mv) } else { 0 };
        late_move
            .flag(Fact::Root, node.ply == 0)
            .flag(Fact::Pv, node.is_pv())
            .flag(Fact::Cut, cut)
            .flag(Fact::All, !node.is_pv() && !cut)
            .flag(Fact::Improving, node.improvement > 0)
            .flag(Fact::InCheck, in_check)
            .flag(Fact::GivesCheck, !after.checkers().is_empty())
            .flag(Fact::Capture, is_capture)
            .flag(Fact::Quiet, is_quiet)
            .flag(Fact::Promotion, mv.promotion.is_some())
            .flag(Fact::PawnMove, board.piece_on(mv.from) == Some(Piece::Pawn))
            .flag(Fact::TtMove, node.entry.is_some_and(|entry| entry.best == Some(mv)))
            .flag(Fact::TtHit, node.entry.is_some())
            .number(Fact::Depth, node.depth)
            .number(Fact::Ply, node.ply as u32)
            .number(Fact::MovesSearched, node.searched)
            .number(Fact::MoveNumber, node.searched + 1)
            .number(Fact::QuietNumber, node.quiets)
            .number(Fact::TtDepth, node.entry.map_or(-1, |entry| entry.depth))
            .number(Fact::Alpha, node.alpha)
            .number(Fact::BestScore, node.best)
            .number(Fact::Window, node.beta - node.alpha)
            .number(Fact::Improvement, node.improvement)
            .number(Fact::ParentReduction, before.map_or(0, |before| before.reduction))
            .number(Fact::Iteration, self.iteration)
            .number(Fact::StaticEval, eval)
            .number(Fact::EvalMinusAlpha, eval - node.alpha)
            .number(Fact::OrderingHistory, past)
            .flag(
                RECAPTURES,
                is_capture && before.is_some_and(|before| before.to == Some(mv.to)),
            );
        if self.host.wants(late_move, REPLIES) {
            late_move.number(REPLIES, moves(after, |_| true).len() as u32);
        }
        if self.host.wants_position(late_move) {
            late_move.position(&board.to_string(), &display_uci_move(board, mv).to_string());
        }
    }

    /// Searches a move at full depth, without limits and without a trace, by a copy of the search. Nothing changes in this search.
    fn judge(&self, node: &Node<'_>, after: &Board, late_move: &LateMove) {
        let mut copy = self.clone();
        (copy.random, copy.input, copy.most_nodes, copy.deadline) = (None, None, u64::MAX, None);
        copy.reduces = self.host.shadow() != Shadow::Unreduced;
        let score = copy.descend(after, (node.alpha, node.alpha + 1), node.depth - 1, node.ply);
        print_failure(
            self.host
                .judged(late_move, Some(score > node.alpha), copy.nodes - self.nodes),
        );
    }
}

/// The reduction of a late move without a policy, in plies: as example-c/own.toml says it.
fn own_reduction(node: &Node<'_>) -> i32 {
    let product = f64::from(node.depth).ln() * f64::from(node.searched + 1).ln();
    let plies = (0.5 + product / 2.0) as i32 - i32::from(node.is_pv());
    plies.clamp(0, node.depth - 2)
}

fn bonus(depth: i32) -> i32 {
    (16 * depth * depth).min(1_600)
}

fn print_failure(written: io::Result<()>) {
    if let Err(error) = written {
        println!("info string the trace ends: {error}");
    }
}

fn main() -> ExitCode {
    let mut host = match Host::new("Small engine 1.0", FACTS) {
        Ok(host) => host,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    host.read_environment().iter().for_each(|answer| println!("{answer}"));
    let mut engine = Search::new(host);
    engine.check_research();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|argument| argument == "bench") {
        engine.bench(arguments.get(1).and_then(|depth| depth.parse().ok()).unwrap_or(7));
        return ExitCode::SUCCESS;
    }
    let (sender, lines) = mpsc::channel();
    let (input, stdin) = (Rc::new(lines), io::stdin());
    engine.input = Some(Rc::clone(&input));
    std::thread::spawn(move || {
        stdin
            .lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    while let Some(line) = engine.waiting.pop_front().or_else(|| input.recv().ok()) {
        let (command, rest) = line.split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "uci" => {
                println!("id name Small engine\nid author the lmrlab authors");
                engine.host.options().iter().for_each(|line| println!("{line}"));
                println!("uciok");
            }
            "isready" => println!("readyok"),
            "ucinewgame" => engine.clear(),
            "position" => engine.position(rest),
            "go" => engine.go(rest),
            "setoption" => engine.set_option(rest),
            "quit" => break,
            _ => {}
        }
    }
    ExitCode::SUCCESS
}
