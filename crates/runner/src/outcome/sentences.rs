//! What is said of a run, in sentences.

use std::path::Path;

use lmrlab_results::number_text::{chance, elo_with_error};
use lmrlab_stats::race::RaceFate;
use lmrlab_stats::{CONFIDENCE, Estimate, Verdict};

use super::gathered::Gathered;
use crate::record::progress::{Ended, TournamentProgress};
use crate::record::standings::leader;
use crate::sprt_text;

/// The verdict, and how far the run in `folder` is when it has not ended as expected.
pub(super) fn verdict(gathered: &Gathered, folder: &Path, is_running: bool) -> Vec<String> {
    let progress = &gathered.progress;
    let mut sentences = race(progress);
    // The winner of a race comes first.
    let at = sentences.len().min(1);
    sentences.splice(at..at, strength(gathered).into_iter().chain(test(progress)));
    sentences.extend(
        progress
            .no_verdict()
            .map(|faults| format!("There is no verdict: {faults}.")),
    );
    sentences.extend(standing(progress, folder, is_running));
    sentences
}

/// How far a run is, or why it has ended; `None` when it ended as expected.
fn standing(progress: &TournamentProgress, folder: &Path, is_running: bool) -> Option<String> {
    let (played, scheduled, folder) = (progress.pairs, progress.scheduled_pairs, folder.display());
    Some(match progress.ended() {
        _ if is_running => format!("It is playing now: {played} of {scheduled} pairs are recorded."),
        None => {
            format!("The run was interrupted after {played} of {scheduled} pairs; `lmrlab resume {folder}` resumes it.")
        }
        Some(Ended::Complete) if progress.race.is_some() => {
            "The race was not decided: no more pairs are scheduled.".to_owned()
        }
        Some(Ended::Complete) if progress.ran_out_of_openings() => {
            format!("The openings ran out after {played} pairs; `lmrlab resume {folder} --openings FILE` plays more.")
        }
        Some(Ended::RaceStopped) => {
            format!("The race was stopped after {played} pairs, because faults ended too many of its games.")
        }
        Some(_) => return None,
    })
}

/// How strong the engines are.
fn strength(gathered: &Gathered) -> Vec<String> {
    let progress = &gathered.progress;
    let names = progress.tally.names();
    if progress.pairs == 0 {
        return vec!["Nothing has been played.".to_owned()];
    }
    if let [first, second] = names {
        let Some(estimate) = Estimate::of(&progress.tally.encounter(0, 1).pairs) else {
            return Vec::new();
        };
        let (one, other, sign) = if estimate.elo.0 < 0.0 {
            (second, first, -1.0)
        } else {
            (first, second, 1.0)
        };
        let error = estimate.elo_error_95.map(|error| error.0);
        let elo = elo_with_error(sign * estimate.elo.0, error);
        let los = if sign < 0.0 { 1.0 - estimate.los } else { estimate.los };
        if estimate.elo.0.is_infinite() {
            return vec![format!(
                "{one} won everything against {other}: no finite Elo, likelihood of superiority {}.",
                chance(Some(los))
            )];
        }
        let tells_apart = error.is_some_and(|error| estimate.elo.0.abs() > error);
        return vec![if tells_apart {
            format!(
                "{one} is stronger than {other}: {elo}, likelihood of superiority {}.",
                chance(Some(los))
            )
        } else {
            format!("The games do not separate {one} from {other}: {elo} for {one}.")
        }];
    }
    let leader = leader(&gathered.standings);
    leader.map(|leader| format!("{leader}.")).into_iter().collect()
}

/// The outcome of the sequential test, and the strength, corrected for the early stop.
fn test(progress: &TournamentProgress) -> Vec<String> {
    let (Some(sprt), Some(llr), [first, second]) = (progress.sprt, progress.llr(), progress.tally.names()) else {
        return Vec::new();
    };
    let (lower, upper) = sprt.bounds();
    let (elo0, elo1) = (sprt.elo0(), sprt.elo1());
    let counts = format!("log-likelihood ratio {llr:.2}, bounds {lower:.2} and {upper:.2}");
    let said = match progress.verdict() {
        Some(Verdict::AcceptH1) => {
            format!("The test accepts: {first} is stronger than {second} by more than {elo0} ({counts}).")
        }
        Some(Verdict::AcceptH0) => {
            format!("The test rejects: {first} is not stronger than {second} by {elo1} ({counts}).")
        }
        _ => format!("The test of {elo0} against {elo1} has no verdict yet ({counts})."),
    };
    let corrected = (progress.corrected()).map(|estimate| sprt_text::estimate(&estimate).replace("Test  | ", ""));
    std::iter::once(said)
        .chain(corrected.map(|text| format!("{text}.")))
        .collect()
}

/// The outcome of each engine of a race: the winners first, then the engines that raced longest.
fn race(progress: &TournamentProgress) -> Vec<String> {
    let Some(race) = &progress.race else {
        return Vec::new();
    };
    let mut engines: Vec<usize> = (0..progress.tally.names().len()).collect();
    engines.sort_by_key(|&engine| {
        let accepted = matches!(race.fate(engine), RaceFate::Accepted { .. });
        (
            !accepted,
            std::cmp::Reverse(race.decided_at(engine).unwrap_or(u64::MAX)),
        )
    });
    let fates = engines.into_iter().filter_map(|engine| fate(progress, engine));
    fates.map(|fate| format!("{fate}.")).collect()
}

/// The fate of one engine in a race, as a sentence.
pub fn fate(progress: &TournamentProgress, engine: usize) -> Option<String> {
    let race = progress.race.as_ref()?;
    let name = progress.tally.names().get(engine)?;
    let at = |rounds: u64| {
        let pair = race.decided_at(engine).unwrap_or(progress.pairs);
        format!("after {rounds} rounds, {pair} pairs of the run")
    };
    Some(match race.fate(engine) {
        RaceFate::Racing => format!("{name} still races after {} rounds", race.rounds()),
        RaceFate::Dropped { rounds } => format!("{name} was dropped {}", at(rounds)),
        RaceFate::Accepted { rounds } if race.baseline.is_some() => {
            format!("{name} was accepted {}", at(rounds))
        }
        RaceFate::Accepted { rounds } => format!("{name} is the best {}", at(rounds)),
        RaceFate::Baseline => format!("{name} is the baseline"),
    })
}

/// A sentence about false positives among this many 95% intervals; `None` for a few.
pub fn caution(rows: usize) -> Option<String> {
    let positives = rows as f64 / 20.0;
    (rows >= 5)
        .then(|| format!("With {rows} comparisons, expect about {positives:.1} false positives at {CONFIDENCE}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_false_positives_are_a_fraction() {
        assert_eq!(caution(4), None);
        let said = "With 6 comparisons, expect about 0.3 false positives at 95%.";
        assert_eq!(caution(6).as_deref(), Some(said));
    }
}
