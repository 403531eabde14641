//! The outcome of a run, as text for a person.

use std::fmt::Write as _;
use std::path::Path;

use crate::rating::rating_table;
use crate::record::progress::{Ended, TournamentProgress};
use crate::record::standings;
use crate::sprt_text;
use crate::text_table::{Column, TextTable};
use lmrlab_results::number_text::{chance, percent, signed, unsigned};
use lmrlab_results::tournament_rows::StandingRow;
use lmrlab_stats::race::Fate;
use lmrlab_stats::{CONFIDENCE, ERROR_HEADING, EloModel, Estimate, Verdict};

/// Everything that can be said of a run in tables and blocks.
pub fn text(progress: &TournamentProgress) -> String {
    let mut text = format!("{}\n", standings_table(progress));
    let blocks = [
        rating_notes(progress),
        match_block(progress),
        race_block(progress),
        faults_block(progress),
    ];
    for block in blocks.into_iter().flatten() {
        text.push_str(&block);
        text.push('\n');
    }
    text
}

/// The table of standings, the best first. With more than two engines it has their Elo. The Elo of a match is in the
/// block of the match.
fn standings_table(progress: &TournamentProgress) -> TextTable {
    let rated = progress.tally.names().len() > 2;
    let mut columns = vec![Column::numbers("Rank"), Column::words("Engine")];
    columns.extend(["Games", "W", "D", "L", "Points", "Score"].map(Column::numbers));
    if rated {
        columns.extend(["Elo (mean 0)", ERROR_HEADING, "LOS"].map(Column::numbers));
    }
    let mut table = TextTable::of(columns);
    for row in progress.standings() {
        table.push(cells_of(&row));
    }
    table
}

/// What was fitted besides the ratings of more than two engines, and what could not be fitted. `None` for two engines.
fn rating_notes(progress: &TournamentProgress) -> Option<String> {
    let played = progress.pairs > 0;
    let ratings = standings::ratings(&progress.tally).filter(|_| played)?;
    Some(rating_table::notes(&ratings))
}

fn cells_of(row: &StandingRow) -> [String; 11] {
    [
        row.rank.to_string(),
        row.engine.clone(),
        row.games.to_string(),
        row.wins.to_string(),
        row.draws.to_string(),
        row.losses.to_string(),
        row.points.to_string(),
        percent(row.score.0),
        signed(row.elo.0, 1),
        unsigned(row.elo_error_95.0, 1),
        chance(row.los.0),
    ]
}

/// The figures of a match of two, in the order in which match runners print them, from the first engine's side.
fn match_block(progress: &TournamentProgress) -> Option<String> {
    let [first, second] = progress.tally.names() else {
        return None;
    };
    let encounter = progress.tally.encounter(0, 1);
    let estimate = Estimate::of(&encounter.pairs)?;
    let games = encounter.games;
    let [ll, ld, even, wd, ww] = encounter.pairs.counts();
    let mut text = format!("{first} vs {second}\n");
    let _ = writeln!(
        text,
        "Elo   | {} ± {} ({CONFIDENCE}) for {first}, nElo {} ± {}, LOS {}",
        signed(Some(estimate.elo.0), 2),
        unsigned(estimate.elo_error_95.map(|error| error.0), 2),
        signed(Some(estimate.normalized_elo.0), 2),
        unsigned(estimate.normalized_elo_error_95.map(|error| error.0), 2),
        chance(Some(estimate.los)),
    );
    if let Some(note) = sprt_text::unknown(&estimate) {
        let _ = writeln!(text, "{note}");
    }
    if encounter.pairs.counts().contains(&0)
        && let Some(estimate) = Estimate::regularized(&encounter.pairs)
    {
        let _ = writeln!(text, "{}", sprt_text::regularized(&estimate));
    }
    let _ = writeln!(
        text,
        "Games | {}: W {}, L {}, D {}, score {}",
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        percent(Some(estimate.score)),
    );
    let _ = writeln!(text, "Pairs | Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}]");
    if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
        let (lower, upper) = sprt.bounds();
        let faults = progress.no_verdict();
        let verdict = match (&faults, progress.verdict()) {
            (Some(faults), _) => format!("no verdict: {faults}"),
            (None, verdict) => sprt_text::verdict(verdict.unwrap_or(Verdict::Continue)).to_owned(),
        };
        let _ = writeln!(
            text,
            "SPRT  | LLR {llr:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] - {verdict}",
            sprt.elo0(),
            sprt.elo1(),
        );
        if let Some(estimate) = progress.corrected() {
            let _ = writeln!(text, "{}", sprt_text::estimate(&estimate));
        }
    }
    Some(text)
}

/// The faults of each engine; `None` when there were none.
fn faults_block(progress: &TournamentProgress) -> Option<String> {
    let engines: Vec<String> = progress
        .tally
        .names()
        .iter()
        .enumerate()
        .map(|(engine, name)| (name, progress.tally.faults(engine)))
        .filter(|(_, faults)| faults.all() > 0)
        .map(|(name, faults)| format!("{name}: {}", faults.text()))
        .collect();
    (!engines.is_empty()).then(|| format!("Faults | {}\n", engines.join("; ")))
}

/// The fate of each engine in a race.
fn race_block(progress: &TournamentProgress) -> Option<String> {
    let race = progress.race.as_ref()?;
    let names = progress.tally.names();
    let what = match race.baseline {
        Some(baseline) => format!("who is stronger than {}", names[baseline]),
        None => "the best".to_owned(),
    };
    let scale = match race.model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "nElo",
    };
    let mut text = format!(
        "Race for {what}, by {} {scale}, {:.1}% error\n",
        race.elo,
        race.alpha * 100.0
    );
    // In the order of the decisions: dropped engines first, then the best, then those that still race.
    let mut engines: Vec<usize> = (0..names.len()).collect();
    engines.sort_by_key(|&engine| {
        let accepted = matches!(race.fate(engine), Fate::Accepted { .. });
        (race.decided_at(engine).unwrap_or(u64::MAX), accepted)
    });
    for engine in engines {
        let _ = writeln!(text, "  {}", fate(progress, engine)?);
    }
    if let Some(faults) = progress.no_verdict() {
        let _ = writeln!(text, "  no verdict: {faults}");
    }
    Some(text)
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
        Fate::Racing => format!("{name} still races after {} rounds", race.rounds()),
        Fate::Dropped { rounds } => format!("{name} was dropped {}", at(rounds)),
        Fate::Accepted { rounds } if race.baseline.is_some() => {
            format!("{name} was accepted {}", at(rounds))
        }
        Fate::Accepted { rounds } => format!("{name} is the best {}", at(rounds)),
        Fate::Baseline => format!("{name} is the baseline"),
    })
}

/// Why the run in `folder` has ended, as a line; empty when it ended as expected.
pub fn ending(ended: Ended, progress: &TournamentProgress, folder: &Path) -> String {
    match ended {
        Ended::Complete if progress.race.is_some() => {
            "The race was not decided: no more pairs are scheduled.\n".to_owned()
        }
        Ended::Complete => match (progress.llr(), progress.sprt) {
            (Some(llr), Some(sprt)) => {
                let (lower, upper) = sprt.bounds();
                let undecided = format!("the test is not decided: LLR {llr:.2} ({lower:.2}, {upper:.2}).\n");
                if progress.ran_out_of_openings() {
                    format!(
                        "The openings ran out after {} pairs, and {undecided}Go on with more: lmrlab resume {} --openings FILE\n",
                        progress.pairs,
                        folder.display()
                    )
                } else {
                    format!("All {} pairs are played and {undecided}", progress.pairs)
                }
            }
            _ => String::new(),
        },
        Ended::RaceStopped => format!(
            "The race was stopped after {} pairs, because faults ended too many of its games.\n",
            progress.pairs
        ),
        Ended::RaceOver => format!("The race was decided after {} pairs.\n", progress.pairs),
        Ended::Decided(_) => format!("The test was decided after {} pairs.\n", progress.pairs),
        Ended::Interrupted => format!(
            "Interrupted after {} of {} pairs; all finished pairs are saved.\n",
            progress.pairs, progress.scheduled_pairs
        ),
    }
}

/// A sentence about false positives among this many 95% intervals; empty for a few.
pub fn caution(rows: usize) -> String {
    if rows < 5 {
        return String::new();
    }
    let positives = rows as f64 / 20.0;
    format!("With {rows} comparisons, expect about {positives:.1} false positives at {CONFIDENCE}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_false_positives_are_a_fraction() {
        assert_eq!(caution(4), "");
        assert_eq!(
            caution(6),
            "With 6 comparisons, expect about 0.3 false positives at 95%.\n"
        );
    }
}
