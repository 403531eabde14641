//! A UCI engine that misbehaves on request, for tests of match runners. Otherwise it plays legal moves that depend on the
//! position alone. As a host of policies, the moves depend on the policy, too.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio, abort, exit};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use lmrlab_policy::facts::CATALOGUE;

/// A UCI engine that does on request what no engine should.
#[derive(Debug, Clone, Parser)]
struct Arguments {
    /// What it does
    #[arg(value_enum)]
    habit: Habit,
    /// From which search of a process on, counted from 1
    #[arg(long, default_value_t = 2)]
    search: u32,
    /// From which game of a process on, counted from 1
    #[arg(long, default_value_t = 1)]
    game: u32,
    /// How late it is, in milliseconds, and how long a normal search takes at least
    #[arg(long, default_value_t = 0)]
    ms: u64,
    /// The number of games of a process that it loses at first by a null move
    #[arg(long, default_value_t = 0)]
    fail_games: u32,
    /// The process that creates this file behaves; those that find it do not
    #[arg(long)]
    after: Option<PathBuf>,
    /// Once this file exists it behaves; the first misbehaviour creates it
    #[arg(long)]
    once: Option<PathBuf>,
    /// It sees itself lost with less than 5 MiB of hash, and behaves with more
    #[arg(long)]
    needs_hash: bool,
    /// It can play Chess960, and castles whenever it can
    #[arg(long)]
    chess960: bool,
    /// As a host of policies, which choose its moves: what is wrong with it
    #[arg(long, value_enum)]
    host: Option<HostHabit>,
    /// The facts that it fills as a host, with commas between them [default: all]
    #[arg(long)]
    facts: Option<String>,
    /// It appends what it is sent as a host to this file
    #[arg(long)]
    log: Option<PathBuf>,
}

/// What a host of policies can do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HostHabit {
    /// Nothing
    Right,
    /// Its header is of another version
    OtherVersion,
    /// It does not say which facts it fills
    NoHello,
    /// It says that it plays another policy
    WrongHash,
    /// It plays no policy
    Refuse,
    /// It does not answer
    Silent,
    /// It has an option Threads, and answers after `readyok`
    Late,
}

/// What an engine can do wrong, and some things that are only unusual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Habit {
    Behave,
    CrashAtStart,
    CrashAtUci,
    CrashAtOption,
    CrashAtIsready,
    CrashAtNewgame,
    CrashInSearch,
    AbortInSearch,
    HangAtStart,
    NeverUciok,
    HangAtIsready,
    HangInSearch,
    HangButStop,
    #[cfg(unix)]
    StopItself,
    IllegalMove,
    NullMove,
    NoneMove,
    MalformedMove,
    EmptyMove,
    FloodOutput,
    EndlessInfo,
    NoNewline,
    InvalidUtf8Move,
    InvalidUtf8Info,
    #[cfg(unix)]
    CloseOutput,
    IgnoreQuit,
    LeaveChild,
    Late,
    AnswerTwice,
    RepeatLastAnswer,
    StuckMove,
    Crlf,
    SplitLines,
    LongLine,
    FloodErrors,
    FillErrors,
    ChatterWhenIdle,
    SearchOnAndOn,
    /// It expects the reply that an engine like itself plays
    Ponder,
    /// It expects another reply
    PonderWrong,
    /// It answers a search on the opponent's time before it is asked to
    PonderEarly,
    /// It does not end a search on the opponent's time
    PonderDeaf,
    SeeLosses,
}

fn main() {
    let mut arguments = Arguments::parse();
    let is_first = |file: &PathBuf| std::fs::File::create_new(file).is_ok();
    if arguments.after.as_ref().is_some_and(is_first) {
        arguments.habit = Habit::Behave;
        arguments.host = arguments.host.map(|_| HostHabit::Right);
    }
    if arguments.habit == Habit::CrashAtStart {
        eprintln!("cannot find my network");
        exit(3);
    }
    if arguments.habit == Habit::HangAtStart {
        hang();
    }
    let mut engine = Engine {
        game: Game::new(Position::initial()),
        arguments,
        games: 0,
        searches: 0,
        last: String::new(),
        policy: None,
        params: String::new(),
        owed: None,
        variant: ChessVariant::Standard,
    };
    while let Some(line) = next_line() {
        if !engine.hear(line.trim()) {
            break;
        }
    }
    if engine.arguments.habit == Habit::IgnoreQuit {
        hang();
    }
}

/// What it declares.
const GREETING: &[u8] = b"id name misbehaving-engine
option name Hash type spin default 1 min 1 max 1024
option name Habit type string default <empty>
option name Ponder type check default false
option name Style type combo default Normal var Solid var Normal var Very Risky
";

/// The next line of the input, which is not kept locked.
fn next_line() -> Option<String> {
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    read.is_ok_and(|count| count > 0).then_some(line)
}

#[derive(Clone)]
struct Engine {
    arguments: Arguments,
    game: Game,
    games: u32,
    searches: u32,
    /// What it answered last.
    last: String,
    /// Name and hash of the policy that it plays as a host.
    policy: Option<String>,
    /// The changes of the policy.
    params: String,
    /// An answer that it owes.
    owed: Option<String>,
    /// The variant that its answers are of.
    variant: ChessVariant,
}

impl Engine {
    /// Does what a line asks for; whether there is more to do.
    fn hear(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let crash = match (word, self.arguments.habit) {
            ("uci", Habit::CrashAtUci) => 4,
            ("isready", Habit::CrashAtIsready) => 5,
            ("ucinewgame", Habit::CrashAtNewgame) if self.games + 1 >= self.arguments.game.max(2) => 6,
            ("setoption", Habit::CrashAtOption) => 9,
            _ => 0,
        };
        if crash > 0 {
            exit(crash);
        }
        match (word, self.arguments.habit) {
            ("uci", Habit::NeverUciok) => {
                eprintln!("loading the network");
                self.say("id name stranger");
                put(b"almost there");
            }
            ("uci", _) => {
                put(GREETING);
                if self.arguments.chess960 {
                    self.say("option name UCI_Chess960 type check default false");
                }
                self.greet_as_host();
                self.say("uciok");
            }
            ("isready", Habit::HangAtIsready) => hang(),
            ("isready", _) => {
                self.say("readyok");
                if let Some(answer) = self.owed.take() {
                    self.say(&answer);
                }
            }
            ("ucinewgame", _) => self.games += 1,
            ("position", _) => self.set_position(rest),
            ("setoption", _) if self.arguments.host.is_some() && rest.starts_with("name Lmr") => self.set_policy(rest),
            ("setoption", _) if rest.starts_with("name Threads") => self.log(rest),
            ("setoption", _) if self.arguments.chess960 && rest == "name UCI_Chess960 value true" => {
                self.variant = ChessVariant::Chess960;
            }
            ("setoption", _) if self.arguments.needs_hash && rest.starts_with("name Hash value ") => {
                let mib = rest.rsplit(' ').next().and_then(|mib| mib.parse::<u32>().ok());
                self.arguments.habit = if mib < Some(5) { Habit::SeeLosses } else { Habit::Behave };
            }
            ("setoption", _) => {
                let habit = rest.strip_prefix("name Habit value ");
                if let Some(habit) = habit.and_then(|text| Habit::from_str(text, true).ok()) {
                    self.arguments.habit = habit;
                }
            }
            ("go", _) => self.go(rest),
            ("quit", _) => return false,
            _ => {}
        }
        true
    }

    /// Declares what a host has, and says which facts it fills.
    fn greet_as_host(&self) {
        let Some(habit) = self.arguments.host else { return };
        for name in ["LmrPolicy", "LmrParams"] {
            self.say(&format!("option name {name} type string default <empty>"));
        }
        if habit == HostHabit::Late {
            self.say("option name Threads type spin default 1 min 1 max 8");
        }
        let all = || CATALOGUE.iter().map(|info| info.name).collect::<Vec<_>>().join(" ");
        let facts = self.arguments.facts.as_ref();
        let facts = facts.map_or_else(all, |facts| facts.replace(',', " "));
        if let Ok(path) = std::env::var("LmrPolicy") {
            self.log(&format!("environment {path}"));
        }
        match habit {
            HostHabit::NoHello => {}
            HostHabit::OtherVersion => self.say(&format!("info string lmrlab-host 7 facts {facts}")),
            _ => self.say(&format!("info string lmrlab-host 1 facts {facts}")),
        }
    }

    fn log(&self, line: &str) {
        if let Some(log) = &self.arguments.log {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
            let _ = file.and_then(|mut file| writeln!(file, "{line}"));
        }
    }

    /// Does what an option of a host asks for, and answers.
    fn set_policy(&mut self, option: &str) {
        self.log(option);
        if let Some(params) = option.strip_prefix("name LmrParams value ") {
            self.params = params.to_owned();
        } else if let Some(path) = option.strip_prefix("name LmrPolicy value ") {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let first = text.lines().next().unwrap_or_default();
            self.policy = first.strip_prefix("lmrlab-policy 1 ").map(str::to_owned);
            self.log(&format!("reads {}", self.policy.as_deref().unwrap_or("nothing")));
        }
        let params = if self.params.is_empty() { "-" } else { &self.params };
        match (self.arguments.host, &self.policy) {
            (Some(HostHabit::Silent), _) => {}
            (Some(HostHabit::Late), _) => self.owed = Some(format!("info string lmrlab-host policy late 00 {params}")),
            (Some(HostHabit::WrongHash), _) => self.say("info string lmrlab-host policy other 00ff -"),
            (Some(HostHabit::Refuse), _) => self.say("info string lmrlab-host error I do not like it"),
            (_, Some(policy)) => self.say(&format!("info string lmrlab-host policy {policy} {params}")),
            (_, None) => self.say("info string lmrlab-host error there is no such file"),
        }
    }

    fn set_position(&mut self, text: &str) {
        let (place, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let start = place
            .strip_prefix("fen ")
            .and_then(|fen| Position::from_fen(fen).ok())
            .unwrap_or_else(Position::initial);
        self.game = Game::new(start);
        for word in moves.split_whitespace() {
            if let Ok(mv) = parse_uci_move(self.game.position().board(), word) {
                let _ = self.game.play(mv);
            }
        }
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.position().board().generate_moves(|some| {
            moves.extend(some);
            false
        });
        moves
    }

    /// A legal move that follows from the position.
    fn choice(&self) -> Option<Move> {
        let moves = self.moves();
        let count = moves.len().max(1) as u64;
        let policy = self
            .policy
            .iter()
            .flat_map(|policy| policy.bytes().chain(self.params.bytes()));
        let key = policy.fold(self.game.position().key(), |key, byte| {
            (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let position = self.game.position();
        let castling = moves.iter().find(|mv| position.is_castling(**mv));
        castling
            .filter(|_| self.arguments.chess960)
            .or_else(|| moves.get((key % count) as usize))
            .copied()
    }

    /// What it expects after its move, as a part of its answer.
    fn expected(&self, mv: Move) -> String {
        let wrong = match self.arguments.habit {
            Habit::Ponder | Habit::PonderEarly => false,
            Habit::PonderWrong | Habit::PonderDeaf => true,
            _ => return String::new(),
        };
        let mut game = self.game.clone();
        if game.play(mv).is_err() {
            return String::new();
        }
        let next = Engine { game, ..self.clone() };
        let reply = match wrong {
            false => next.choice(),
            true => next.moves().into_iter().find(|mv| Some(*mv) != next.choice()),
        };
        let board = next.game.position().board();
        reply.map_or_else(String::new, |reply| {
            format!(" ponder {}", self.variant.uci_move(board, reply))
        })
    }

    /// Waits on the opponent's time, until it is to answer; whether that is at once.
    fn ponder(&self) -> bool {
        if self.arguments.habit == Habit::PonderEarly {
            return true;
        }
        self.say("info depth 1 score cp 0 nodes 10");
        while let Some(line) = next_line() {
            match line.trim() {
                "stop" if self.arguments.habit != Habit::PonderDeaf => return true,
                "ponderhit" => return false,
                "isready" => self.say("readyok"),
                "quit" => exit(0),
                _ => {}
            }
        }
        true
    }

    /// Whether it is time to misbehave.
    fn is_time(&self) -> bool {
        let once = self.arguments.once.as_ref();
        let due = self.searches >= self.arguments.search && self.games >= self.arguments.game;
        due && once.is_none_or(|file| std::fs::File::create_new(file).is_ok())
    }

    fn go(&mut self, words: &str) {
        let stopped = words.starts_with("ponder") && self.ponder();
        self.searches += 1;
        let habit = if self.games <= self.arguments.fail_games {
            Habit::NullMove
        } else if self.is_time() {
            self.arguments.habit
        } else {
            Habit::Behave
        };
        let board = self.game.position().board();
        let answer = self.choice().map_or_else(
            || "bestmove (none)".to_owned(),
            |mv| format!("bestmove {}{}", self.variant.uci_move(board, mv), self.expected(mv)),
        );
        let last = std::mem::replace(&mut self.last, answer.clone());
        self.say("info depth 1 score cp 0 nodes 20");
        self.misbehave(habit, &last, stopped);
        let answer = match habit {
            Habit::IllegalMove => "bestmove a1a1".to_owned(),
            Habit::NullMove => "bestmove 0000".to_owned(),
            Habit::NoneMove => "bestmove (none)".to_owned(),
            Habit::MalformedMove => "bestmove castle-long!".to_owned(),
            Habit::EmptyMove => "bestmove".to_owned(),
            // In one piece, as an engine does that prints from two places.
            Habit::AnswerTwice => format!("{answer}\nbestmove a1a8"),
            Habit::Crlf => format!("info depth 2 score cp 1 nodes 30\r\n{answer}\r"),
            Habit::StuckMove => {
                self.last.clone_from(&last);
                last
            }
            _ => answer,
        };
        match habit {
            Habit::SplitLines => {
                for byte in format!("{answer}\n").bytes() {
                    put(&[byte]);
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Habit::InvalidUtf8Move => put(b"bestmove \xff\xfe\xc3\x28\n"),
            _ => self.say(&answer),
        }
        match habit {
            Habit::FillErrors => complain(4),
            Habit::ChatterWhenIdle => (0..10_000).for_each(|_| self.say("info string still here")),
            _ => {}
        }
    }

    /// What a habit does before the answer, or in its place.
    fn misbehave(&self, habit: Habit, last: &str, stopped: bool) {
        let pause = Duration::from_millis(self.arguments.ms);
        match habit {
            Habit::CrashInSearch => exit(7),
            Habit::AbortInSearch => abort(),
            Habit::HangInSearch => hang(),
            Habit::HangButStop => while next_line().is_some_and(|line| line.trim() != "stop") {},
            #[cfg(unix)]
            Habit::StopItself => {
                let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
            }
            Habit::Late => std::thread::sleep(pause),
            Habit::Ponder | Habit::PonderWrong if !stopped => std::thread::sleep(pause),
            Habit::FloodOutput => {
                (0..1 << 14).for_each(|_| put(&[b'x'; 1 << 16]));
                self.say("");
            }
            Habit::EndlessInfo => loop {
                self.say("info depth 1 score cp 0 nodes 20 pv e2e4");
            },
            Habit::NoNewline => {
                put(b"bestmove e2e4");
                hang();
            }
            Habit::InvalidUtf8Info => put(b"info string \xff\xfe\xc3\x28\ninfo depth \xff score cp \xfe\n\xff\n"),
            // The other end of standard output sees it end.
            #[cfg(unix)]
            Habit::CloseOutput => {
                let _ = std::fs::File::open("/dev/null").map(rustix::stdio::dup2_stdout);
                hang();
            }
            Habit::LeaveChild => {
                if let Ok(own) = std::env::current_exe() {
                    let mut child = Command::new(own);
                    let child = child.arg("hang-at-start").stdin(Stdio::null()).stdout(Stdio::null());
                    drop(child.spawn());
                }
                exit(8);
            }
            // In the middle of the next search.
            Habit::RepeatLastAnswer => {
                self.say(last);
                std::thread::sleep(Duration::from_millis(2));
            }
            Habit::LongLine => self.say(&format!("info depth 3 score cp 5 pv{}", "x".repeat(5_000_000))),
            Habit::FloodErrors => complain(1 << 10),
            // It does not know `go nodes`.
            Habit::SearchOnAndOn => self.say("info depth 9 score cp 0 nodes 123456"),
            // For a rule of adjudication: it loses without a fault.
            Habit::SeeLosses => self.say("info depth 1 score cp -5000 nodes 20"),
            _ => {}
        }
    }

    fn say(&self, line: &str) {
        put(format!("{line}\n").as_bytes());
    }
}

/// Writes at once; an engine whose reader is gone has nothing left to do.
fn put(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
        exit(0);
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3_600));
    }
}

/// Fills standard error with this many pieces of text.
fn complain(pieces: usize) {
    for _ in 0..pieces {
        let _ = io::stderr().write_all(&[b'e'; 1 << 16]);
    }
}
