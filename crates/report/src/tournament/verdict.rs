//! The outcome of a run in sentences: the first thing on its page.

use maud::{Markup, html};

use lmrlab_results::number_text::{chance, elo_with_error};
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::tournament::contrast::EngineComparison;
use lmrlab_runner::{sprt_text, summary};
use lmrlab_stats::race::Fate;
use lmrlab_stats::{Estimate, Verdict};

use super::gathered::Gathered;
use crate::table::{printable, with_code};

/// The verdict as markup. `note` comes before it. The other differences between the engines than the reductions come
/// after it.
pub(super) fn markup(
    gathered: &Gathered,
    note: Option<String>,
    comparison: &EngineComparison,
    is_running: bool,
) -> Markup {
    html! {
        @if let Some(note) = note { p { (printable(&note)) } }
        @for sentence in sentences(&gathered.progress, is_running) { p { (with_code(&sentence)) } }
        @if let Some(contrast) = &comparison.contrast { p { "The sides differ in: " (contrast) "." } }
        @for sentence in &comparison.confounders { p { "Note: " (printable(sentence)) "." } }
    }
}

/// The verdict.
pub(crate) fn sentences(progress: &TournamentProgress, is_running: bool) -> Vec<String> {
    let mut sentences = race(progress);
    // The winner of a race comes first.
    let at = sentences.len().min(1);
    sentences.splice(at..at, strength(progress).into_iter().chain(test(progress)));
    sentences.extend(
        progress
            .no_verdict()
            .map(|faults| format!("There is no verdict: {faults}.")),
    );
    let (played, scheduled) = (progress.pairs, progress.scheduled_pairs);
    if progress.ended().is_none() && !is_running {
        sentences.push(format!(
            "The run was interrupted after {played} of {scheduled} pairs; `lmrlab resume` resumes it."
        ));
    } else if is_running {
        sentences.push(format!("{played} of {scheduled} pairs have been played."));
    }
    sentences
}

/// How strong the engines are.
fn strength(progress: &TournamentProgress) -> Vec<String> {
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
    let leader = progress.leader();
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
        let accepted = matches!(race.fate(engine), Fate::Accepted { .. });
        (
            !accepted,
            std::cmp::Reverse(race.decided_at(engine).unwrap_or(u64::MAX)),
        )
    });
    let fates = engines.into_iter().filter_map(|engine| summary::fate(progress, engine));
    fates.map(|fate| format!("{fate}.")).collect()
}
