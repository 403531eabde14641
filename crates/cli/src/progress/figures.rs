//! The figures of a running match: speed, time left, result so far.

use std::time::Instant;

use lmrlab_results::number_text::{percent, signed, unsigned};
use lmrlab_results::text_table::{TextColumn, TextTable};
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::tournament::race::fate_name;
use lmrlab_stats::{ERROR_HEADING, Estimate};

/// The speed of a run since its start or its resumption.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub(super) begun: Instant,
    /// Pairs recorded before that.
    pub(super) before: u64,
}

impl Pace {
    pub(super) fn new(progress: &TournamentProgress) -> Self {
        Self {
            begun: Instant::now(),
            before: progress.pairs,
        }
    }

    pub(super) fn pairs_per_second(&self, progress: &TournamentProgress) -> f64 {
        let pairs = progress.pairs.saturating_sub(self.before) as f64;
        pairs / self.begun.elapsed().as_secs_f64().max(1e-3)
    }

    /// Seconds until the last pair, or until the SPRT is expected to be decided; `None` when unknown, as in a race.
    pub(super) fn seconds_left(&self, progress: &TournamentProgress) -> Option<f64> {
        let rate = self.pairs_per_second(progress);
        let left = expected_pairs(progress)?.saturating_sub(progress.pairs);
        (rate > 0.0).then(|| left as f64 / rate)
    }
}

/// Pairs of the whole run: those of the schedule, or those after which the SPRT is decided if the LLR keeps its slope.
/// `None` when this is unknown: in a race, or at the beginning of a test.
pub(super) fn expected_pairs(progress: &TournamentProgress) -> Option<u64> {
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
pub(super) fn parts(pace: &Pace, progress: &TournamentProgress) -> Vec<String> {
    let games = 2 * progress.pairs;
    // A number that is only expected is marked.
    let about = if progress.sprt.is_some() { "~" } else { "" };
    let count = match expected_pairs(progress) {
        Some(pairs) => format!("{games}/{about}{} games", 2 * pairs),
        None => format!("{games} games"),
    };
    let left = pace
        .seconds_left(progress)
        .filter(|_| progress.pairs > pace.before)
        .map(|left| {
            format!(
                "{about}{} left{}",
                duration(left),
                if about.is_empty() { "" } else { " (expected)" }
            )
        });
    let rate = 2.0 * pace.pairs_per_second(progress);
    let mut parts = vec![count];
    parts.extend(left);
    parts.extend(so_far(progress));
    if progress.pairs > pace.before {
        parts.push(format!("{rate:.1} games/s"));
    }
    parts
}

/// The standings of more than two engines while they play, the best first; in a race also the fate of each.
pub(super) fn table(progress: &TournamentProgress) -> TextTable {
    let names = progress.tally.names();
    let race = progress.race.as_ref();
    let mut columns = vec![
        TextColumn::words("Engine"),
        TextColumn::numbers("Games"),
        TextColumn::numbers("Score"),
    ];
    columns.extend(["Elo (mean 0)", ERROR_HEADING].map(TextColumn::numbers));
    columns.extend(race.map(|_| TextColumn::words("Race")));
    let mut table = TextTable::of(columns);
    for row in progress.standings() {
        let engine = names.iter().position(|name| *name == row.engine);
        let fate = race.zip(engine).map(|(race, engine)| fate_name(race.fate(engine)));
        table.push([
            row.engine,
            row.games.to_string(),
            percent(row.score.0),
            signed(row.elo.0, 1),
            unsigned(row.elo_error_95.0, 1),
            fate.unwrap_or_default().to_owned(),
        ]);
    }
    table
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
                "{first} {} ± {} Elo",
                signed(Some(estimate.elo.0), 1),
                unsigned(estimate.elo_error_95.map(|error| error.0), 1)
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
