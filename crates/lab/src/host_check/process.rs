//! The engine that is checked: its process, its answers and its searches.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::player::FaultKind;
use lmrlab_runner::player::uci::external::{Deadlines, ExternalEngine};
use lmrlab_runner::player::uci::{DeclaredOption, Session, SessionError};

use super::finding::{self, Finding};
use super::test_policies::TestPolicy;

/// What begins the lines of a host.
const HOST_LINE: &str = "info string lmrlab-host ";
/// Size of the hash table unless the engine's own options set it, in MiB.
const HASH_MIB: u32 = 16;
/// Time of a search beyond what its nodes take, for shadow searches and traces.
const EXTRA_TIME: Duration = Duration::from_secs(120);

/// An engine that prints no line for so long hangs, or longer when its nodes take longer.
const SILENCE: Duration = Duration::from_secs(20);

/// The engine that is checked, and how.
pub struct HostCheck<'c> {
    /// The program.
    pub engine: &'c ExternalEngine,
    /// Nodes of a search.
    pub nodes: u64,
    /// An empty folder for policies and traces.
    pub folder: &'c Path,
    /// Stops the check.
    pub stop: &'c AtomicBool,
}

/// Why the checks end.
#[derive(Debug)]
pub(super) enum End {
    /// The engine does not answer, or has ended: the rest of a sentence that begins with "the engine".
    Engine(String),
    /// Nothing to do with the engine.
    Failure(Failure),
}

impl From<SessionError> for End {
    fn from(error: SessionError) -> Self {
        match error.fault.kind {
            FaultKind::Machine => Self::Failure(Failure::run(format!("the engine {}", error.what))),
            FaultKind::Stopped => Self::Failure(Failure::Interrupted),
            _ => Self::Engine(error.what),
        }
    }
}

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// A process of the engine.
pub(super) struct HostProcess<'c> {
    host: &'c HostCheck<'c>,
    session: Session,
    /// What it said before `uciok` as a host.
    pub(super) hello: Vec<String>,
    /// What it said beside its answers to the last option.
    pub(super) remarks: Vec<String>,
}

impl<'c> HostProcess<'c> {
    pub(super) fn start(host: &'c HostCheck<'c>) -> Result<Self, End> {
        Self::start_with(host, host.engine)
    }

    /// Starts the engine so that its traces have positions.
    pub(super) fn start_with_positions(host: &'c HostCheck<'c>) -> Result<Self, End> {
        let mut engine = host.engine.clone();
        engine.env.push(("LmrPosition".to_owned(), "1".to_owned()));
        Self::start_with(host, &engine)
    }

    fn start_with(host: &'c HostCheck<'c>, engine: &ExternalEngine) -> Result<Self, End> {
        let mut hello = Vec::new();
        let mut session = Session::start(engine, host.stop, &mut |line| {
            hello.extend(line.strip_prefix(HOST_LINE).map(str::to_owned));
        })?;
        session.set_up(engine, HASH_MIB, None)?;
        // After all other options: what the check compares is for one thread.
        if session.declared().iter().any(|option| option.name == "Threads") {
            session.send("setoption name Threads value 1");
        }
        session.send("isready");
        let time = host.engine.deadlines.ready;
        session.wait_for("readyok", (time, time), host.stop, &mut |_| {})?;
        Ok(Self {
            host,
            session,
            hello,
            remarks: Vec::new(),
        })
    }

    pub(super) fn declared(&self) -> &[DeclaredOption] {
        self.session.declared()
    }

    /// Sets an option, and returns what the engine answers as a host.
    pub(super) fn set(&mut self, option: &str, value: &str) -> Result<Vec<String>, End> {
        self.session.send(&format!("setoption name {option} value {value}"));
        self.ready()
    }

    /// Loads a policy, and returns what the engine answers.
    pub(super) fn load(&mut self, policy: &TestPolicy) -> Result<Vec<String>, End> {
        let path = policy.write(self.host.folder)?;
        self.set("LmrPolicy", &path.display().to_string())
    }

    /// Loads a policy. Returns a finding when the engine does not accept it.
    pub(super) fn refuses(&mut self, policy: &TestPolicy, check: &str, what: &str) -> Result<Option<Finding>, End> {
        let answers = self.load(policy)?;
        let expected = policy.answer("-");
        if answers.first() == Some(&expected) {
            return Ok(None);
        }
        let seen = answers.first().map_or("no answer", String::as_str);
        let advice = format!("`info string lmrlab-host {expected}`");
        Ok(Some(finding::wrong(check, what, &advice, seen)))
    }

    /// Waits for `readyok`, and returns what the engine said as a host since the last one.
    pub(super) fn ready(&mut self) -> Result<Vec<String>, End> {
        let mut answers = Vec::new();
        let remarks = &mut self.remarks;
        remarks.clear();
        self.session.send("isready");
        let time = self.host.engine.deadlines.ready;
        self.session.wait_for(
            "readyok",
            (time, time),
            self.host.stop,
            &mut |line| match line.strip_prefix(HOST_LINE) {
                Some(answer) => answers.push(answer.trim_end().to_owned()),
                None => remarks.extend(line.strip_prefix("info string ").map(str::to_owned)),
            },
        )?;
        Ok(answers)
    }

    /// A new game: the engine forgets what it knows.
    pub(super) fn new_game(&mut self) -> Result<(), End> {
        self.session.send("ucinewgame");
        self.ready().map(drop)
    }

    /// Searches a position.
    pub(super) fn search(&mut self, fen: &str, moves: &[String], nodes: u64) -> Result<Search, End> {
        let mut position = format!("position fen {fen}");
        if !moves.is_empty() {
            position = format!("{position} moves {}", moves.join(" "));
        }
        self.session.send(&position);
        self.session.send(&format!("go nodes {nodes}"));
        let begun = Instant::now();
        let of_nodes = Deadlines::for_nodes(nodes);
        let (time, silence) = match self.host.engine.deadlines.answer {
            Some(time) => (time, time),
            None => (of_nodes + EXTRA_TIME, of_nodes.max(SILENCE)),
        };
        let mut search = Search::default();
        self.session
            .wait_for("bestmove", (time, silence), self.host.stop, &mut |line| {
                search.see(line);
            })?;
        search.time = begun.elapsed();
        Ok(search)
    }

    /// Searches these positions, each as a new game.
    pub(super) fn searches(&mut self, fens: &[&str], nodes: u64) -> Result<Vec<Search>, End> {
        let search = |fen: &&str| {
            self.new_game()?;
            self.search(fen, &[], nodes)
        };
        fens.iter().map(search).collect()
    }
}

/// What an engine reports of a search.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Depth, score and nodes of each principal variation with an exact score.
    steps: Vec<String>,
    pub(super) best: String,
    /// The greatest count of nodes.
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl Search {
    fn see(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.first() {
            Some(&"bestmove") => self.best = words.get(1).copied().unwrap_or_default().to_owned(),
            Some(&"info") => {
                let words = words.split(|word| *word == "string").next().unwrap_or_default();
                let place = |key: &str| words.iter().position(|word| *word == key);
                let behind = |key: &str| words.get(place(key)? + 1).copied();
                let (depth, nodes) = (behind("depth"), behind("nodes").and_then(|nodes| nodes.parse().ok()));
                self.nodes = self.nodes.max(nodes.unwrap_or(0));
                let is_step = place("pv").is_some() && place("lowerbound").or(place("upperbound")).is_none();
                if let (Some(nodes), Some(depth), Some(score), true) = (nodes, depth, place("score"), is_step) {
                    let score = words.get(score + 1..score + 3).unwrap_or_default().join(" ");
                    self.steps.push(format!("depth {depth}, score {score}, {nodes} nodes"));
                }
            }
            _ => {}
        }
    }

    /// Where another search of the same position differs first.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let steps = |search: &Self| {
            let best = format!("best move {}", search.best);
            let mut steps = search.steps.clone();
            steps.extend((!search.best.is_empty()).then_some(best));
            steps
        };
        let (one, two) = (steps(self), steps(other));
        let step = |steps: &[String], index: usize| steps.get(index).map_or("nothing", String::as_str).to_owned();
        let differing = (0..one.len().max(two.len())).map(|index| (step(&one, index), step(&two, index)));
        let mut differing = differing.filter(|(one, two)| one != two);
        differing.next().map(|(one, two)| format!("first {one}; then {two}"))
    }
}

/// Where the searches of positions differ first.
pub(super) fn difference(fens: &[&str], one: &[Search], two: &[Search]) -> Option<String> {
    let pairs = one.iter().zip(two).zip(fens);
    let named =
        |((one, two), fen): ((&Search, &Search), &&str)| Some(format!("position {fen}: {}", one.difference(two)?));
    pairs.filter_map(named).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(lines: &[&str]) -> Search {
        let mut search = Search::default();
        for line in lines {
            search.see(line);
        }
        search
    }

    #[test]
    fn time_and_bounds_are_no_part_of_a_search() {
        let one = search(&[
            "info depth 1 score cp 3 nodes 20 time 1 pv e2e4",
            "info depth 2 score cp 90 lowerbound nodes 30 pv e2e4",
            "info string depth 9 score cp 1 nodes 900 pv a2a3",
            "bestmove e2e4 ponder e7e5",
        ]);
        let two = search(&["info depth 1 nodes 20 score cp 3 time 7 pv e2e4", "bestmove e2e4"]);
        assert_eq!((one.nodes, one.difference(&two)), (30, None));
    }

    #[test]
    fn the_first_difference_is_named() {
        let info = |nodes: u32| format!("info depth 1 score cp 3 nodes {nodes} pv e2e4");
        let one = search(&[&info(20), "bestmove e2e4"]);
        for (other, said) in [
            (
                search(&[&info(21), "bestmove e2e4"]),
                "first depth 1, score cp 3, 20 nodes; then depth 1, score cp 3, 21 nodes",
            ),
            (
                search(&[&info(20), "bestmove d2d4"]),
                "first best move e2e4; then best move d2d4",
            ),
            (search(&[]), "first depth 1, score cp 3, 20 nodes; then nothing"),
        ] {
            assert_eq!(one.difference(&other).as_deref(), Some(said));
        }
    }
}
