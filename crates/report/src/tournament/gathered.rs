//! What one pass over the games of a run finds for its page.

use std::collections::BTreeMap;

use lmrlab_results::failure::Failure;
use lmrlab_results::games::GameRow;
use lmrlab_results::outcome::{GameResult, Termination};
use lmrlab_results::tournament_rows::PairRow;
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::run::Run;

/// Moves of an engine that are counted by number; later ones count with the last.
const MOST_MOVES: usize = 100;

/// The result of a pairing after one of its pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Pairs of the pairing so far.
    pub(super) pairs: u64,
    pub(super) elo: Option<f64>,
    pub(super) error_95: Option<f64>,
    pub(super) llr: Option<f64>,
}

/// The pairs of two engines.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) known: Vec<Known>,
}

impl Course {
    /// Pairs so far and Elo of an engine over its opponent, after each pair. `None` when this is not the pairing of the
    /// two.
    pub(crate) fn elo_of(&self, engine: &str, opponent: &str) -> Option<Vec<(f64, f64)>> {
        let sign = match (
            self.first == engine && self.second == opponent,
            self.first == opponent && self.second == engine,
        ) {
            (true, _) => 1.0,
            (_, true) => -1.0,
            _ => return None,
        };
        Some(
            self.known
                .iter()
                .filter_map(|known| Some((known.pairs as f64, sign * known.elo?)))
                .collect(),
        )
    }
}

/// Adds a pair to the course of its pairing.
fn count(courses: &mut Vec<Course>, row: &PairRow) {
    let course = courses
        .iter()
        .position(|course| course.first == row.first && course.second == row.second)
        .unwrap_or_else(|| {
            courses.push(Course {
                first: row.first.clone(),
                second: row.second.clone(),
                known: Vec::new(),
            });
            courses.len() - 1
        });
    courses[course].known.push(known(row));
}

/// The results of a run, and the course of each pairing.
pub(crate) fn courses(run: &Run) -> Result<(TournamentProgress, Vec<Course>), Failure> {
    let mut courses = Vec::new();
    let progress = run.follow(&mut |row, _| count(&mut courses, row))?;
    Ok((progress, courses))
}

/// Results of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) white: u64,
    pub(super) draws: u64,
    pub(super) black: u64,
}

impl Results {
    fn count(&mut self, result: GameResult) {
        match result {
            GameResult::WhiteWins => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::BlackWins => self.black += 1,
        }
    }

    /// All games.
    pub(super) fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

/// An opening and its results.
#[derive(Debug, Clone)]
pub(super) struct Opening {
    pub(super) fen: String,
    pub(super) results: Results,
}

/// Sums over the searches for the n-th own move of an engine.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Searches {
    pub(super) count: u64,
    pub(super) nodes: u64,
    pub(super) depths: u64,
}

/// A game that an engine's fault ended.
#[derive(Debug, Clone)]
pub(super) struct FaultyGame {
    pub(super) game: u64,
    pub(super) engine: String,
    pub(super) termination: Termination,
    pub(super) what: String,
    pub(super) plies: u64,
}

/// All facts about the games that a page shows, without the games themselves.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) progress: TournamentProgress,
    pub(super) courses: Vec<Course>,
    pub(super) endings: BTreeMap<&'static str, Results>,
    /// Games by tens of moves: the first entry has those below ten moves of each side.
    pub(super) lengths: Vec<u64>,
    pub(super) plies: u64,
    /// For each engine, its searches by the number of its move.
    pub(super) efforts: Vec<Vec<Searches>>,
    pub(super) openings: BTreeMap<u64, Opening>,
    pub(super) faults: Vec<FaultyGame>,
}

impl Gathered {
    /// Reads the games of a run. `each` gets every game, too.
    pub(super) fn of(run: &Run, each: &mut dyn FnMut(&GameRow)) -> Result<Self, Failure> {
        let names = run.description()?.1.names;
        let mut courses: Vec<Course> = Vec::new();
        let mut endings: BTreeMap<&'static str, Results> = BTreeMap::new();
        let mut lengths: Vec<u64> = Vec::new();
        let mut efforts = vec![vec![Searches::default(); MOST_MOVES]; names.len()];
        let mut openings: BTreeMap<u64, Opening> = BTreeMap::new();
        let mut faults = Vec::new();
        let mut plies = 0;
        let progress = run.follow(&mut |row, games| {
            count(&mut courses, row);
            for game in &games {
                let ending = endings.entry(game.termination.name()).or_default();
                ending.count(game.result);
                let tens = usize::try_from(game.plies / 20).unwrap_or(usize::MAX).min(50);
                lengths.resize(lengths.len().max(tens + 1), 0);
                lengths[tens] += 1;
                plies += game.plies;
                openings
                    .entry(game.opening)
                    .or_insert_with(|| Opening {
                        fen: game.fen.clone(),
                        results: Results::default(),
                    })
                    .results
                    .count(game.result);
                let sides = match game.first_to_move() {
                    cozy_chess::Color::White => [&game.white, &game.black],
                    cozy_chess::Color::Black => [&game.black, &game.white],
                };
                for (side, name) in sides.into_iter().enumerate() {
                    let Some(engine) = names.iter().position(|other| other == name) else {
                        continue;
                    };
                    let searches = game.nodes.0.iter().zip(&game.depths.0).skip(side).step_by(2);
                    for (index, (nodes, depth)) in searches.enumerate() {
                        let sums = &mut efforts[engine][index.min(MOST_MOVES - 1)];
                        sums.count += 1;
                        sums.nodes += nodes;
                        sums.depths += u64::from(*depth);
                    }
                }
                if let Some(engine) = game.fault_of() {
                    faults.push(FaultyGame {
                        game: game.game,
                        engine: engine.clone(),
                        termination: game.termination,
                        what: game.fault.clone(),
                        plies: game.plies,
                    });
                }
                each(game);
            }
        })?;
        Ok(Self {
            progress,
            courses,
            endings,
            lengths,
            plies,
            efforts,
            openings,
            faults,
        })
    }

    /// The games that were read.
    pub(super) fn games(&self) -> u64 {
        self.endings.values().map(Results::games).sum()
    }
}

fn known(row: &PairRow) -> Known {
    Known {
        pairs: row.n_ll + row.n_ld + row.n_dd_wl + row.n_wd + row.n_ww,
        elo: row.elo.0.filter(|elo| elo.is_finite()),
        error_95: row.elo_error_95.0,
        llr: row.llr.0,
    }
}
