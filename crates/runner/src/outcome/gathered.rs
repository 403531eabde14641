//! What one pass over the games of a run finds.

use std::collections::BTreeMap;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::game_end::GameResult;
use lmrlab_results::outcome::table::Known;
use lmrlab_results::rows::page::FaultRow;
use lmrlab_results::rows::pairs::PairRow;
use lmrlab_results::rows::standings::StandingRow;
use lmrlab_stats::ratings::Ratings;

use crate::record::progress::TournamentProgress;
use crate::record::standings;
use crate::run::Run;

/// The pairs of two engines.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) first: String,
    pub(super) second: String,
    /// How many pairs they have played.
    pub(super) pairs: u64,
    /// Elo of the first engine after this many pairs, where it is finite.
    pub(super) elo: Vec<(f64, Known)>,
    /// The test's log-likelihood ratio after this many pairs.
    pub(super) llr: Vec<(f64, Known)>,
}

/// All that an outcome says about the games, without the games themselves.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) progress: TournamentProgress,
    /// Of more than two engines.
    pub(super) ratings: Option<Ratings>,
    /// The best first.
    pub(super) standings: Vec<StandingRow>,
    pub(super) courses: Vec<Course>,
    /// Games by the reason of their end: those that White won, drawn ones, those that Black won.
    pub(super) endings: BTreeMap<&'static str, [u64; 3]>,
    /// Games that an engine's fault ended.
    pub(super) faults: Vec<FaultRow>,
}

impl Gathered {
    /// Reads the games of a run.
    pub(super) fn of(run: &Run) -> Result<Self, Failure> {
        let mut courses: Vec<Course> = Vec::new();
        let mut endings: BTreeMap<&'static str, [u64; 3]> = BTreeMap::new();
        let mut faults = Vec::new();
        let progress = run.follow(&mut |row, games| {
            count(&mut courses, row);
            for game in &games {
                let [white, draws, black] = endings.entry(game.termination.name()).or_default();
                *match game.result {
                    GameResult::WhiteWins => white,
                    GameResult::Draw => draws,
                    GameResult::BlackWins => black,
                } += 1;
                faults.extend(game.fault_of().map(|engine| FaultRow {
                    game: game.game,
                    engine: engine.clone(),
                    fault: game.termination.name().replace('_', " "),
                    plies: game.plies,
                    what: game.fault.clone(),
                }));
            }
        })?;
        let ratings = standings::ratings(&progress.tally);
        Ok(Self {
            standings: standings::standings(&progress.tally, ratings.as_ref()),
            ratings,
            progress,
            courses,
            endings,
            faults,
        })
    }

    /// The games that were read.
    pub(super) fn games(&self) -> u64 {
        self.endings.values().flatten().sum()
    }
}

/// Adds a pair to the course of its pairing.
fn count(courses: &mut Vec<Course>, row: &PairRow) {
    let known = courses
        .iter()
        .position(|course| course.first == row.first && course.second == row.second);
    let place = known.unwrap_or_else(|| {
        courses.push(Course {
            first: row.first.clone(),
            second: row.second.clone(),
            pairs: 0,
            elo: Vec::new(),
            llr: Vec::new(),
        });
        courses.len() - 1
    });
    let course = &mut courses[place];
    course.pairs += 1;
    let pairs = course.pairs as f64;
    let elo = row.elo.0.filter(|elo| elo.is_finite());
    let elo = elo.map(|elo| (pairs, Known::with_error(elo, row.elo_error_95.0)));
    course.elo.extend(elo);
    course.llr.extend(row.llr.0.map(|llr| (pairs, Known::exact(llr))));
}
