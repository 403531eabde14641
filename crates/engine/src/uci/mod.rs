//! A session of the Universal Chess Interface (Meyer-Kahlen, Huber 2000).

mod command;
mod options;

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use cozy_chess::util::parse_uci_move;
use cozy_chess::{Board, Move};
use lmrlab_engine::bench::{self, nodes_per_second};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::score::Score;
use lmrlab_engine::search::observer::{CompletedIteration, Observer};
use lmrlab_policy::policy::Policy;

use self::command::{Command, Go, Setup};
use self::options::Options;
use crate::output::say;

/// Answers the commands of a graphical interface or a match runner.
pub(crate) struct CommandLoop {
    options: Options,
    /// What `go` searches. `None` after a refused `position`: a search of the previous position would answer with a
    /// move of another game. `ucinewgame` sets up no position, so it changes nothing here.
    game: Option<Game>,
    /// `None` while a search runs, and after an option has changed until the engine is next needed.
    engine: Option<Engine>,
    search: Option<RunningSearch>,
}

struct RunningSearch {
    stop: Arc<AtomicBool>,
    /// Set just before `bestmove` is written, so that the next command is accepted at once.
    answering: Arc<AtomicBool>,
    /// Whether `bestmove` waits for `stop`, as after `go infinite`.
    infinite: bool,
    /// Set when the search is to end without an answer.
    silent: Arc<AtomicBool>,
    /// The `go ponder` that it answers.
    ponder: Option<Go>,
    thread: JoinHandle<Engine>,
}

impl CommandLoop {
    /// A session that starts with this preset and policy; names in options are looked up from `root`.
    pub(crate) fn new(preset: Arc<Preset>, policy: Arc<Policy>, root: PathBuf) -> Self {
        let options = Options::new(preset, policy, root);
        Self {
            options,
            engine: None,
            game: Some(Game::new(Position::initial())),
            search: None,
        }
    }

    /// Reads commands until `quit` or the end of the input. At the end of the input, a search with limits finishes first, so
    /// that a script can pipe its commands in.
    pub(crate) fn run(mut self) {
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            match read_line(&mut input, &mut line) {
                Ok(true) => {}
                Ok(false) | Err(_) => break,
            }
            let text = String::from_utf8_lossy(&line);
            let (command, notes) = command::parse(&text);
            notes.iter().for_each(|note| info(note));
            match command {
                Some(Command::Quit) => {
                    self.stop();
                    return;
                }
                Some(command) => {
                    if let Err(message) = self.execute(command) {
                        info(&message);
                    }
                }
                None => {}
            }
        }
        if self.search.as_ref().is_some_and(|search| search.infinite) {
            self.stop();
        }
        self.finish();
    }

    fn execute(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Uci => {
                say(&format!("id name lmrlab {}", env!("CARGO_PKG_VERSION")));
                say("id author the lmrlab authors");
                self.options.describe().iter().for_each(|line| say(line));
                say("uciok");
            }
            Command::IsReady => {
                // Allocate now, before a clock runs.
                if self.idle().is_ok()
                    && let Err(message) = self.prepare()
                {
                    info(&message);
                }
                say("readyok");
            }
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => {}
            Command::NewGame => {
                self.idle()?;
                if let Some(engine) = &mut self.engine {
                    engine.new_game();
                }
            }
            Command::SetOption { name, value } => {
                self.idle()?;
                let hash_mib = self.options.hash_mib;
                for line in self.options.set(&name, &value)? {
                    info(&line);
                }
                if self.options.hash_mib == hash_mib {
                    self.engine = None;
                } else {
                    self.resize(hash_mib)?;
                }
            }
            // Allowed during a search, because the search has its own copy of the game.
            Command::Position(setup) => {
                self.game = None;
                self.game = Some(set_up(&setup?)?);
            }
            Command::Go(go) => self.go(go),
            Command::Bench { depth } => {
                self.idle()?;
                let outcome = bench::run(
                    &self.options.preset(),
                    &self.options.policy(),
                    depth.unwrap_or(bench::DEFAULT_DEPTH),
                )
                .map_err(|error| error.to_string())?;
                say(&format!("{} nodes {} nps", outcome.nodes, outcome.nodes_per_second()));
            }
        }
        Ok(())
    }

    /// Returns an error while a search runs. Takes back the engine of a search that has ended.
    fn idle(&mut self) -> Result<(), String> {
        let ended = |search: &RunningSearch| search.answering.load(Ordering::SeqCst) || search.thread.is_finished();
        if self.search.as_ref().is_some_and(ended) {
            self.finish();
        }
        match self.search {
            Some(_) => Err("error: a search is running; send stop first".to_owned()),
            None => Ok(()),
        }
    }

    /// Makes an engine with the options, unless there is one.
    fn prepare(&mut self) -> Result<(), String> {
        if self.engine.is_none() {
            self.engine = Some(self.options.engine()?);
        }
        Ok(())
    }

    /// Replaces the engine by one with the new size of the table. If there is no memory for it, the old engine stays,
    /// and the option returns to the old size `hash_mib`.
    fn resize(&mut self, hash_mib: u32) -> Result<(), String> {
        match self.options.engine() {
            Ok(engine) => self.engine = Some(engine),
            Err(message) => {
                self.options.hash_mib = hash_mib;
                return Err(format!("{message}; the table stays at {hash_mib} MiB"));
            }
        }
        Ok(())
    }

    /// Begins a search. Every `go` is answered by a `bestmove`.
    fn go(&mut self, go: Go) {
        if self.idle().is_err() {
            info("the running search ends, because another `go` has come");
            self.stop();
        }
        if let Err(message) = self.begin(go) {
            info(&message);
            say("bestmove 0000");
        }
    }

    /// Ends the search of a `go ponder` and begins that of the same `go` with its limits.
    fn ponder_hit(&mut self) {
        let Some(search) = &mut self.search else { return };
        let Some(mut go) = search.ponder.take() else { return };
        search.silent.store(true, Ordering::SeqCst);
        self.stop();
        go.ponder = false;
        self.go(go);
    }

    fn begin(&mut self, go: Go) -> Result<(), String> {
        let game = self.game.clone();
        let game = game.ok_or("error: go: there is no position, because the last `position` was refused")?;
        let variant = self.options.variant;
        let mut search_moves = Vec::new();
        for text in &go.search_moves {
            match legal_move("go searchmoves", &game, text) {
                Ok(mv) => search_moves.push(mv),
                Err(message) => info(&message),
            }
        }
        if search_moves.is_empty() && !go.search_moves.is_empty() {
            return Err("error: go: no move of `searchmoves` is legal".to_owned());
        }
        self.prepare()?;
        let Some(mut engine) = self.engine.take() else {
            return Err("error: go: there is no engine".to_owned());
        };
        let mut limits = go.limits(game.position().side_to_move());
        limits.move_overhead = Some(self.options.move_overhead);
        limits.search_moves = search_moves;
        let infinite = go.is_infinite();
        let stop = Arc::new(AtomicBool::new(false));
        let answering = Arc::new(AtomicBool::new(false));
        let silent = Arc::new(AtomicBool::new(false));
        let (stopped, answers, is_silent) = (Arc::clone(&stop), Arc::clone(&answering), Arc::clone(&silent));
        let thread = std::thread::Builder::new().spawn(move || {
            let mut reporter = Reporter {
                board: game.position().board().clone(),
                variant,
            };
            let report = engine.search_observed(&game, &limits, &stopped, &mut reporter);
            while infinite && !stopped.load(Ordering::Relaxed) {
                // `stop` unparks.
                std::thread::park();
            }
            answers.store(true, Ordering::SeqCst);
            if !is_silent.load(Ordering::SeqCst) {
                reporter.answer(&report);
            }
            engine
        });
        let thread = thread.map_err(|error| format!("error: go: cannot start a thread: {error}"))?;
        self.search = Some(RunningSearch {
            stop,
            answering,
            infinite,
            silent,
            ponder: go.ponder.then_some(go),
            thread,
        });
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
            search.thread.thread().unpark();
        }
        self.finish();
    }

    /// Waits for a running search and takes the engine back.
    fn finish(&mut self) {
        if let Some(search) = self.search.take() {
            // After a panic in the search thread, a new engine is created.
            self.engine = search.thread.join().ok();
        }
    }
}

/// Reads a line and truncates it to one mebibyte. False at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    const LIMIT: usize = 1 << 20;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(chunk.len());
        let room = LIMIT.saturating_sub(line.len());
        line.extend_from_slice(&chunk[..taken.min(room)]);
        input.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Sets up a position and plays the moves.
fn set_up(setup: &Setup) -> Result<Game, String> {
    let start = match &setup.fen {
        None => Position::initial(),
        Some(fen) => Position::from_fen(fen).map_err(|error| format!("error: position: {error}"))?,
    };
    let mut game = Game::new(start);
    for text in &setup.moves {
        let mv = legal_move("position", &game, text)?;
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// Parses a legal move; castling in either notation.
fn legal_move(what: &str, game: &Game, text: &str) -> Result<Move, String> {
    let board = game.position().board();
    let mv = parse_uci_move(board, text).ok();
    mv.filter(|mv| board.is_legal(*mv))
        .ok_or_else(|| format!("error: {what}: `{text}` is not a legal move in {}", game.position()))
}

/// Prints each completed iteration as `info` lines.
struct Reporter {
    board: Board,
    variant: ChessVariant,
}

impl Observer for Reporter {
    fn on_iteration(&mut self, iteration: &CompletedIteration<'_>) {
        let CompletedIteration {
            depth,
            seldepth,
            score,
            nodes,
            time,
            pv,
            ..
        } = *iteration;
        let full = format!(" hashfull {}", iteration.permille_full);
        self.print([depth, seldepth], score, (nodes, time), &full, pv);
    }
}

impl Reporter {
    /// Prints an `info` line; `full` says how full the table is, and may be empty.
    fn print(
        &self,
        [depth, seldepth]: [u32; 2],
        score: Score,
        (nodes, time): (u64, Duration),
        full: &str,
        pv: &[Move],
    ) {
        let (nps, ms) = (nodes_per_second(nodes, time), time.as_millis());
        let pv = line_text(&self.board, pv, self.variant);
        say(&format!(
            "info depth {depth} seldepth {seldepth} score {score} nodes {nodes} nps {nps}{full} time {ms} pv{pv}"
        ));
    }

    /// The last `info` line, then `bestmove`; `bestmove 0000` when there is no legal move.
    fn answer(&self, report: &Report) {
        let Some(mv) = report.best else {
            let mated = if self.board.checkers().is_empty() {
                "cp 0"
            } else {
                "mate 0"
            };
            say(&format!("info depth 0 score {mated}"));
            say("bestmove 0000");
            return;
        };
        self.print(
            [report.depth, report.seldepth],
            report.score,
            (report.nodes, report.time),
            "",
            &report.pv,
        );
        say(&format!("bestmove {}", self.variant.uci_move(&self.board, mv)));
    }
}

/// The moves of a line in UCI's notation, each after a space.
fn line_text(board: &Board, line: &[Move], variant: ChessVariant) -> String {
    let mut board = board.clone();
    let mut text = String::new();
    for mv in line {
        text.push(' ');
        text.push_str(&variant.uci_move(&board, *mv));
        if board.try_play(*mv).is_err() {
            break;
        }
    }
    text
}

fn info(message: &str) {
    for line in message.lines() {
        say(&format!("info string {line}"));
    }
}
