//! The engine that is checked: its process, its answers and its searches.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::player::FaultKind;
use lmrlab_runner::player::uci::deadlines::Deadlines;
use lmrlab_runner::player::uci::external::ExternalEngine;
use lmrlab_runner::player::uci::{HostedPolicy, SearchInfo, Session, SessionError};

use super::finding::{self, Finding, WRONG};
use super::positions::POSITIONS;
use super::test_policies::answer;

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
    /// After this mistake nothing else can be tested.
    Wrong(Box<Finding>),
    /// Nothing to do with the engine.
    Failure(Failure),
}

impl End {
    pub(super) fn wrong(check: &str, what: impl Into<String>, advice: &str, seen: &str) -> Self {
        Self::Wrong(Box::new(finding::of(WRONG, check, what, advice, seen)))
    }
}

impl From<SessionError> for End {
    fn from(error: SessionError) -> Self {
        match error.fault.kind {
            FaultKind::Machine => Self::Failure(Failure::run(format!("the engine {}", error.what))),
            FaultKind::Stopped => Self::Failure(Failure::Interrupted),
            _ => {
                let advice = "the check ends here: an engine has to answer each command of UCI";
                Self::wrong("engine", format!("the engine {}", error.what), advice, "")
            }
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
    pub(super) session: Session,
    /// What it said beside its answers to the last option.
    pub(super) remarks: Vec<String>,
}

impl<'c> HostProcess<'c> {
    /// Starts the engine so that its traces have positions.
    pub(super) fn start(host: &'c HostCheck<'c>) -> Result<Self, End> {
        let mut engine = host.engine.clone();
        engine.env.push(("LmrPosition".to_owned(), "1".to_owned()));
        let mut session = Session::start(&engine, host.stop)?;
        session.set_up(&engine, HASH_MIB, None)?;
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
            remarks: Vec::new(),
        })
    }

    /// Sets an option, and returns what the engine answers as a host.
    pub(super) fn set(&mut self, option: &str, value: &str) -> Result<Vec<String>, End> {
        self.session.send(&format!("setoption name {option} value {value}"));
        self.ready()
    }

    /// Loads a policy, and returns what the engine answers.
    pub(super) fn load(&mut self, policy: &HostedPolicy) -> Result<Vec<String>, End> {
        self.set("LmrPolicy", &path_of(policy)?)
    }

    /// Loads a policy. When the engine does not accept it: what is right, and what it answers.
    pub(super) fn refuses(&mut self, policy: &HostedPolicy) -> Result<Option<[String; 2]>, End> {
        let (answers, expected) = (self.load(policy)?, answer(policy.policy(), "-"));
        Ok(differs(&answers, &expected))
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

    /// Searches a position as a new game: the engine forgets what it knows.
    fn search(&mut self, fen: &'static str, nodes: u64) -> Result<Search, End> {
        self.session.send("ucinewgame");
        self.ready()?;
        self.session.send(&format!("position fen {fen}"));
        self.session.send(&format!("go nodes {nodes}"));
        let of_nodes = Deadlines::for_nodes(nodes);
        let (time, silence) = match self.host.engine.deadlines.answer {
            Some(time) => (time, time),
            None => (of_nodes + EXTRA_TIME, of_nodes.max(SILENCE)),
        };
        let mut search = Search {
            fen,
            ..Search::default()
        };
        self.session
            .wait_for("bestmove", (time, silence), self.host.stop, &mut |line| {
                search.see(line);
            })?;
        Ok(search)
    }

    /// Searches the positions of the check, each as a new game.
    pub(super) fn searches(&mut self, nodes: u64) -> Result<Vec<Search>, End> {
        self.searches_of(&POSITIONS, nodes)
    }

    /// The same with other positions.
    pub(super) fn searches_of(&mut self, fens: &[&'static str], nodes: u64) -> Result<Vec<Search>, End> {
        fens.iter().map(|fen| self.search(fen, nodes)).collect()
    }
}

/// The file of a policy, for the engine.
pub(super) fn path_of(policy: &HostedPolicy) -> Result<String, Failure> {
    let path = policy.path();
    path.map_err(|error| Failure::run(format!("cannot write a policy for the engine: {error}")))
}

/// When the first answer is not the right one: what is right, and what is there.
pub(super) fn differs(answers: &[String], expected: &str) -> Option<[String; 2]> {
    let seen = answers.first().map_or("no answer", String::as_str);
    (seen != expected).then(|| [format!("`{HOST_LINE}{expected}`"), seen.to_owned()])
}

/// What an engine reports of a search.
#[derive(Debug, Default)]
pub(super) struct Search {
    fen: &'static str,
    /// Depth, score and nodes of each report with an exact score; then the best move.
    steps: Vec<String>,
    /// The greatest count of nodes.
    pub(super) nodes: u64,
}

impl Search {
    fn see(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("bestmove") => (self.steps).push(format!("best move {}", words.next().unwrap_or_default())),
            Some("info") => {
                let mut info = SearchInfo::EMPTY;
                info.update(line.as_bytes());
                self.nodes = self.nodes.max(info.nodes);
                if info.exact {
                    let SearchInfo {
                        depth, score, nodes, ..
                    } = info;
                    self.steps.push(format!("depth {depth}, score {score}, {nodes} nodes"));
                }
            }
            _ => {}
        }
    }

    /// Where another search of the same position differs first.
    fn difference(&self, other: &Self) -> Option<String> {
        let step = |search: &'_ Self, index: usize| search.steps.get(index).cloned().unwrap_or("nothing".to_owned());
        let mut steps =
            (0..self.steps.len().max(other.steps.len())).map(|index| (step(self, index), step(other, index)));
        let (one, two) = steps.find(|(one, two)| one != two)?;
        Some(format!("position {}: first {one}; then {two}", self.fen))
    }
}

/// Where the searches of the same positions differ first.
pub(super) fn difference(one: &[Search], two: &[Search]) -> Option<String> {
    one.iter().zip(two).find_map(|(one, two)| one.difference(two))
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
                &[&*info(21), "bestmove e2e4"][..],
                "depth 1, score 3, 20 nodes; then depth 1, score 3, 21 nodes",
            ),
            (&[&*info(20), "bestmove d2d4"], "best move e2e4; then best move d2d4"),
            (&[], "depth 1, score 3, 20 nodes; then nothing"),
        ] {
            let expected = format!("position : first {said}");
            assert_eq!(one.difference(&search(other)), Some(expected));
        }
    }
}
