//! The figures of a running match: speed, time left, result so far.

use lmrlab_results::number_text::{counted, elo_plus_minus};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::text::rows;
use lmrlab_runner::outcome::sentences::fate;
use lmrlab_runner::record::fates::fates;
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_stats::Estimate;

use super::live::Status;
use super::pairs::{Pace, Shown};

impl Shown for TournamentProgress {
    fn recorded_pairs(&self) -> u64 {
        self.pairs
    }

    fn announcement(&self) -> Option<String> {
        let at_most = if self.race.is_some() { "at most " } else { "" };
        let (games, pairs) = (2 * self.scheduled_pairs, counted(self.scheduled_pairs, "pair"));
        let before = match self.pairs {
            0 => String::new(),
            pairs => format!(", {} played before", 2 * pairs),
        };
        Some(format!("{at_most}{games} games in {pairs}{before}"))
    }

    fn status(&mut self, pace: Pace, has_table: bool) -> Status {
        let has_table = has_table && self.tally.names().len() > 2 && self.pairs > 0;
        let lines = || table(self).lines().map(str::to_owned).collect();
        Status {
            done: expected_pairs(self).map(|pairs| self.pairs as f64 / pairs.max(1) as f64),
            parts: parts(&pace, self),
            table: if has_table { lines() } else { Vec::new() },
        }
    }

    fn decided(&self) -> Vec<String> {
        self.just_decided().filter_map(|engine| fate(self, engine)).collect()
    }
}

/// Seconds until the last pair, or until the SPRT is expected to be decided; `None` when unknown, as in a race.
pub(super) fn seconds_left(pace: &Pace, progress: &TournamentProgress) -> Option<f64> {
    pace.seconds_left(progress.pairs, expected_pairs(progress)?)
}

/// Pairs of the whole run: those of the schedule, or those after which the SPRT is decided if the LLR keeps its slope.
/// `None` when this is unknown: in a race, or at the beginning of a test.
fn expected_pairs(progress: &TournamentProgress) -> Option<u64> {
    if progress.race.is_some() {
        return None;
    }
    // A test does not end on faults, whatever its LLR.
    let (Some(sprt), Some(llr), None) = (progress.sprt, progress.llr(), progress.no_verdict()) else {
        return Some(progress.scheduled_pairs);
    };
    let (lower, upper) = sprt.bounds();
    let bound = if llr > 0.0 { upper } else { lower };
    let needed = progress.pairs as f64 * bound / llr;
    (progress.pairs >= PAIRS_TO_TELL && needed.is_finite())
        .then(|| (needed.ceil() as u64).clamp(progress.pairs, progress.scheduled_pairs))
}

/// The slope of the LLR is used from this number of pairs on.
const PAIRS_TO_TELL: u64 = 20;

/// How far the run is, the time left, the result so far and the speed: the most important first.
fn parts(pace: &Pace, progress: &TournamentProgress) -> Vec<String> {
    let games = 2 * progress.pairs;
    // A number that is only expected is marked.
    let about = if progress.sprt.is_some() { "~" } else { "" };
    let count = match expected_pairs(progress) {
        Some(pairs) => format!("{games}/{about}{} games", 2 * pairs),
        None => format!("{games} games"),
    };
    let expected = if about.is_empty() { "" } else { " (expected)" };
    let left = seconds_left(pace, progress).map(|left| format!("{about}{} left{expected}", duration(left)));
    let rate = 2.0 * pace.pairs_per_second(progress.pairs);
    let mut parts = vec![count];
    parts.extend(left);
    parts.extend(so_far(progress));
    if rate > 0.0 {
        parts.push(format!("{rate:.1} games/s"));
    }
    parts
}

/// The standings of more than two engines while they play, the best first; in a race also the fate of each.
fn table(progress: &TournamentProgress) -> String {
    let standings = Table::of("standings", &progress.standings());
    let standings = standings.showing(&["engine", "games", "score", "elo"]);
    let mut text = rows(&standings.headed("elo", "Elo (mean 0)"));
    if let Some(race) = &progress.race {
        text += &rows(&Table::of("race", &fates(&progress.tally, race)));
    }
    text
}

/// A time: `12 s`, `5 min`, `3.2 h`.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7_200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3_600.0)
    }
}

/// The result so far, in a few words.
fn so_far(progress: &TournamentProgress) -> Vec<String> {
    let mut parts = Vec::new();
    if let [first, _] = progress.tally.names() {
        if let Some(estimate) = Estimate::of(&progress.tally.encounter(0, 1).pairs) {
            parts.push(format!(
                "{first} {} Elo",
                elo_plus_minus(Some(estimate.elo.0), estimate.elo_error_95.map(|error| error.0))
            ));
        }
    } else {
        parts.extend(progress.leader());
    }
    if let Some(race) = &progress.race {
        let left = match race.baseline {
            Some(_) => "undecided",
            None => "in the race",
        };
        let engines = progress.tally.names().len();
        parts.push(format!("{} of {engines} {left}", race.racing()));
    }
    if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
        let (lower, upper) = sprt.bounds();
        parts.push(format!("LLR {:.2} ({lower:.2}, {upper:.2})", llr + 0.0));
    }
    let faults = progress.tally.all_faults();
    if faults.all() > 0 {
        parts.push(faults.text());
    }
    parts
}
