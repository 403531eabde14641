//! What one pass over the games of a run finds.

use std::collections::BTreeMap;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::games::GameRow;
use lmrlab_results::outcome::table::Known;
use lmrlab_results::tournament_rows::PairRow;

use crate::record::progress::TournamentProgress;
use crate::run::Run;

/// The result of a pairing after one of its pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct After {
    /// Pairs of the pairing so far.
    pub(super) pairs: f64,
    pub(super) elo: Option<Known>,
    pub(super) llr: Option<f64>,
}

/// The pairs of two engines.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) after: Vec<After>,
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
                after: Vec::new(),
            });
            courses.len() - 1
        });
    courses[course].after.push(after(row));
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

/// A game that an engine's fault ended.
#[derive(Debug, Clone)]
pub(super) struct FaultyGame {
    pub(super) game: u64,
    pub(super) engine: String,
    pub(super) termination: Termination,
    pub(super) what: String,
    pub(super) plies: u64,
}

/// All that an outcome says about the games, without the games themselves.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) progress: TournamentProgress,
    pub(super) courses: Vec<Course>,
    pub(super) endings: BTreeMap<&'static str, Results>,
    pub(super) faults: Vec<FaultyGame>,
}

impl Gathered {
    /// Reads the games of a run. `each` gets every game, too.
    pub(super) fn of(run: &Run, each: &mut dyn FnMut(&GameRow)) -> Result<Self, Failure> {
        let mut courses: Vec<Course> = Vec::new();
        let mut endings: BTreeMap<&'static str, Results> = BTreeMap::new();
        let mut faults = Vec::new();
        let progress = run.follow(&mut |row, games| {
            count(&mut courses, row);
            for game in &games {
                let ending = endings.entry(game.termination.name()).or_default();
                ending.count(game.result);
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
            faults,
        })
    }

    /// The games that were read.
    pub(super) fn games(&self) -> u64 {
        self.endings.values().map(Results::games).sum()
    }
}

fn after(row: &PairRow) -> After {
    let elo = row.elo.0.filter(|elo| elo.is_finite());
    After {
        pairs: (row.n_ll + row.n_ld + row.n_dd_wl + row.n_wd + row.n_ww) as f64,
        elo: elo.map(|elo| Known::with_error(elo, row.elo_error_95.0)),
        llr: row.llr.0,
    }
}
