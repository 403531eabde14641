//! The figures of a match of two, in the order in which match runners print them, from the first engine's side.

use lmrlab_results::number_text::{chance, exact_plus_minus, percent};
use lmrlab_results::outcome::Section;
use lmrlab_results::outcome::picture::{Bars, Quantity};
use lmrlab_results::seen::Seen;
use lmrlab_stats::{CONFIDENCE, Estimate, Pentanomial, Verdict};

use crate::record::progress::TournamentProgress;
use crate::sprt_text;

/// The lines and the pentanomial counts; `None` for more than two engines.
pub(super) fn section(progress: &TournamentProgress) -> Option<Section> {
    let [first, second] = progress.tally.names() else {
        return None;
    };
    let pairs = progress.tally.encounter(0, 1).pairs;
    let lines = lines(progress, &Estimate::of(&pairs)?);
    let section = Section::new(format!("{first} vs {second}"));
    Some(
        lines
            .into_iter()
            .fold(section, Section::say)
            .draw([counts(first, &pairs)]),
    )
}

fn lines(progress: &TournamentProgress, estimate: &Estimate) -> Vec<String> {
    let encounter = progress.tally.encounter(0, 1);
    let games = encounter.games;
    let [ll, ld, even, wd, ww] = encounter.pairs.counts();
    let mut lines = vec![format!(
        "Elo   | {} ({CONFIDENCE}) for {}, nElo {}, LOS {}",
        exact_plus_minus(Some(estimate.elo.0), estimate.elo_error_95.map(|error| error.0)),
        progress.tally.names().first().map_or("", String::as_str),
        exact_plus_minus(
            Some(estimate.normalized_elo.0),
            estimate.normalized_elo_error_95.map(|error| error.0)
        ),
        chance(Some(estimate.los)),
    )];
    lines.extend(sprt_text::unknown(sprt_text::figures(estimate)).map(str::to_owned));
    if encounter.pairs.counts().contains(&0)
        && let Some(estimate) = Estimate::regularized(&encounter.pairs)
    {
        lines.push(sprt_text::regularized(&estimate));
    }
    lines.push(format!(
        "Games | {}: W {}, L {}, D {}, score {}",
        games.games(),
        games.wins(),
        games.losses(),
        games.draws(),
        percent(Some(estimate.score)),
    ));
    lines.push(format!("Pairs | Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}]"));
    if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
        let (lower, upper) = sprt.bounds();
        let verdict = match (progress.no_verdict(), progress.verdict()) {
            (Some(faults), _) => format!("no verdict: {faults}"),
            (None, verdict) => sprt_text::verdict(verdict.unwrap_or(Verdict::Continue)).to_owned(),
        };
        lines.push(format!(
            "SPRT  | LLR {llr:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] - {verdict}",
            sprt.elo0(),
            sprt.elo1(),
        ));
        lines.extend(progress.corrected().map(|estimate| sprt_text::estimate(&estimate)));
    }
    lines
}

/// The pentanomial counts of a match.
fn counts(first: &str, pairs: &Pentanomial) -> Bars {
    let all: u64 = pairs.counts().iter().sum();
    let bars = pairs
        .counts()
        .into_iter()
        .zip(["0", "½", "1", "1½", "2"])
        .map(|(count, points)| {
            let share = percent(Some(count as f64 / all as f64));
            (points.to_owned(), count as f64, format!("{count} pairs: {share}"))
        });
    Bars {
        title: format!("Pairs by the points of {first}"),
        quantity: Quantity::new("pairs", Seen::AsWritten),
        bars: bars.collect(),
        most: pairs.counts().into_iter().max().unwrap_or(1) as f64 * 1.1,
        note: "The more pairs have 1½ or 2 points, the stronger the engine; the more have 1 point, the more the games tell.".to_owned(),
        ..Bars::default()
    }
}
