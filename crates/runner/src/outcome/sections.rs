//! The parts of the outcome of a run.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use lmrlab_results::number_text::percent;
use lmrlab_results::outcome::Section;
use lmrlab_results::outcome::picture::{Bars, Curve, Intervals, Lines, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::row::Column;
use lmrlab_results::rows::page::EndingRow;
use lmrlab_results::rows::standings::StandingRow;
use lmrlab_results::seen::Seen;
use lmrlab_results::value::Value;
use lmrlab_stats::{CONFIDENCE, EloModel, Verdict};

use super::gathered::{Course, Gathered};
use crate::rating::outcome::RatingTables;
use crate::record::progress::TournamentProgress;
use crate::record::{crosstable, fates, los};

/// Most pairings that are drawn.
const MOST_COURSES: usize = 7;
/// The most engines that a cross table has room for.
const MOST_COLUMNS: usize = 24;
/// Most lines of the table of faults in the text of a command.
const MOST_FAULTS: usize = 5;

/// The standings, the best first, and what was fitted besides ratings.
pub(super) fn standings(gathered: &Gathered) -> Section {
    let (rows, progress) = (&gathered.standings, &gathered.progress);
    let mut section = Section::new("Standings").table(standings_table(rows));
    if rows.len() > 2 {
        section = section.draw([ratings(rows)]);
    }
    if let Some(ratings) = gathered.ratings.as_ref().filter(|_| progress.pairs > 0) {
        section = RatingTables::of(ratings, &[])
            .notes()
            .into_iter()
            .fold(section, Section::say);
    }
    if let Some(race) = &progress.race {
        let fates = Table::of("race", &fates::fates(&progress.tally, race));
        let what = match race.baseline {
            Some(baseline) => format!("who is stronger than {}", progress.tally.names()[baseline]),
            None => "the best".to_owned(),
        };
        let scale = match race.model {
            EloModel::Logistic => "Elo",
            EloModel::Normalized => "nElo",
        };
        let sentence = format!(
            "Race for {what}, by {} {scale}, {:.1}% error:",
            race.elo,
            race.alpha * 100.0
        );
        section = section.say(sentence).table(fates);
    }
    section
}

/// The table of standings. What Elo is measured from is said in a heading, or in the sentences about a match.
pub(super) fn standings_table(rows: &[StandingRow]) -> Table {
    let table = Table::of("standings", rows).without(&["elo_against"]);
    match rows.len() {
        // The Elo of a match is in the lines about the match.
        2 => table.without(&["elo", "los"]),
        _ => table.headed("elo", "Elo (mean 0)"),
    }
}

/// The ratings of many engines with their errors.
pub(super) fn ratings(rows: &[StandingRow]) -> Intervals {
    let table = &Table::of("standings", rows);
    let quantity = Quantity {
        sides: ["", ""],
        ..Quantity::elo("Elo (mean of the engines 0)", "mean")
    };
    Intervals::of(
        format!("Ratings of {} engines", table.rows.len()),
        table,
        "engine",
        "elo",
        quantity,
    )
    .note("Bradley-Terry ratings of all games.")
}

/// Each engine against each other one; nothing for two engines.
pub(super) fn cross_table(gathered: &Gathered) -> Option<Section> {
    let progress = &gathered.progress;
    let tally = &progress.tally;
    let names = tally.names();
    if names.len() < 3 || progress.pairs == 0 {
        return None;
    }
    let order = (gathered.standings.iter()).filter_map(|row| names.iter().position(|name| *name == row.engine));
    let order: Vec<usize> = order.collect();
    let mut section = Section::new("Cross table");
    if order.len() <= MOST_COLUMNS {
        section = section.table(points(progress, &order));
    }
    section = section.reference(Table::of("crosstable", &crosstable::crosstable(tally)));
    if let Some(ratings) = &gathered.ratings {
        section = section.reference(Table::of("los", &los::los(tally, ratings)));
    }
    Some(section)
}

/// The points of each engine against each other one. The heading of a column is the number of its engine, which is short.
fn points(progress: &TournamentProgress, order: &[usize]) -> Table {
    let tally = &progress.tally;
    let name = |engine: usize| tally.names().get(engine).map_or("", String::as_str);
    let games = |one: usize, other: usize| tally.encounter(one, other).games.games();
    let counts = order
        .iter()
        .flat_map(|one| order.iter().map(|other| games(*one, *other)));
    let counts: BTreeSet<u64> = counts.filter(|games| *games > 0).collect();
    // When all pairings have the same number of games, it is shown once, above the cells.
    let same = (counts.len() == 1).then(|| counts.first().copied()).flatten();
    let heading = same.map_or_else(|| "Points of".to_owned(), |games| format!("Points in {games} games of"));
    let numbers = (1..=order.len()).map(|number| number.to_string());
    let rows = order.iter().enumerate().map(|(index, engine)| {
        let cells = order.iter().map(|opponent| {
            let encounter = tally.encounter(*engine, *opponent);
            match (encounter.games.games(), same) {
                (0, _) => Value::Missing,
                (_, Some(_)) => Value::Number(encounter.points(), Some(1)),
                (games, None) => Value::Text(format!("{}/{games}", encounter.points())),
            }
        });
        let engine = Value::Text(format!("{} {}", index + 1, name(*engine)));
        std::iter::once(engine).chain(cells).collect()
    });
    Table {
        name: "points".to_owned(),
        columns: std::iter::once(heading).chain(numbers).map(Column::named).collect(),
        rows: rows.collect(),
        most: None,
    }
}

/// Elo over pairs, and the test's log-likelihood ratio.
pub(super) fn course(gathered: &Gathered) -> Option<Section> {
    if gathered.progress.pairs < 2 {
        return None;
    }
    let mut section = Section::new("Pair by pair");
    let mut courses: Vec<&Course> = gathered.courses.iter().collect();
    courses.sort_by_key(|course| Reverse(course.pairs));
    let all = courses.len();
    let same = courses.first().map(|course| course.pairs) == courses.last().map(|course| course.pairs);
    courses.truncate(MOST_COURSES);
    let note = match (all > courses.len(), same) {
        (false, _) => String::new(),
        (true, true) => format!(
            "{} of the {all} pairings are drawn; the cross table has all.",
            courses.len()
        ),
        (true, false) => format!(
            "Of the {all} pairings the {} with the most pairs are drawn; the cross table has all.",
            courses.len()
        ),
    };
    section = section.draw([elo(&courses, note)]);
    Some(section.draw(gathered.courses.first().and_then(|course| llr(gathered, course))))
}

fn elo(courses: &[&Course], note: String) -> Lines {
    let has_bands = courses.len() <= 2;
    let longest = courses.iter().map(|course| course.pairs).max().unwrap_or(0);
    // The first estimates are far off.
    let first = (longest / 10).clamp(1, 200);
    let curves = courses.iter().map(|course| {
        let first = first.min(course.pairs.saturating_sub(2)) as f64;
        let points = course.elo.iter().filter(|(pairs, _)| *pairs > first);
        let known = |known: Known| if has_bands { known } else { Known::exact(known.value) };
        Curve {
            name: format!("{} against {}", course.first, course.second),
            points: points.map(|(pairs, elo)| (*pairs, known(*elo))).collect(),
            has_band: has_bands,
        }
    });
    Lines {
        title: match courses {
            [course] => format!(
                "Elo of {} against {} over the pairs played",
                course.first, course.second
            ),
            _ => "Elo of each pairing over its pairs".to_owned(),
        },
        x: Quantity::new("pairs of the pairing", Seen::AsWritten),
        y: Quantity::elo("Elo of the first engine", "even"),
        curves: curves.collect(),
        note: if has_bands {
            format!("Bands: {CONFIDENCE} intervals. {note}")
        } else {
            note
        },
        ..Lines::default()
    }
}

/// The test's log-likelihood ratio between its bounds.
fn llr(gathered: &Gathered, course: &Course) -> Option<Lines> {
    let progress = &gathered.progress;
    let sprt = progress.sprt?;
    let (lower, upper) = sprt.bounds();
    course.llr.last()?;
    let verdict = match progress.verdict() {
        Some(Verdict::AcceptH1) => "accepted",
        Some(Verdict::AcceptH0) => "rejected",
        _ => "no verdict yet",
    };
    let (elo0, elo1) = (sprt.elo0(), sprt.elo1());
    Some(Lines {
        title: format!("The test of {elo0} against {elo1}: {verdict}"),
        x: Quantity::new("pairs", Seen::AsWritten),
        y: Quantity::new("log-likelihood ratio", Seen::Decimals(2)),
        curves: vec![Curve {
            name: "log-likelihood ratio".to_owned(),
            points: course.llr.clone(),
            has_band: false,
        }],
        levels: vec![
            (upper, format!("accepted at {upper:.2}: stronger than {elo0}")),
            (lower, format!("rejected at {lower:.2}: not stronger by {elo1}")),
        ],
        note: "The test ends where the line meets a bound.".to_owned(),
        ..Lines::default()
    })
}

/// How games ended.
pub(super) fn endings(gathered: &Gathered) -> Option<Section> {
    let games = gathered.games();
    if games == 0 {
        return None;
    }
    let mut rows: Vec<EndingRow> = (gathered.endings.iter())
        .map(|(name, [white, draws, black])| EndingRow {
            termination: name.replace('_', " "),
            games: white + draws + black,
            share: ((white + draws + black) as f64 / games as f64).into(),
            white: *white,
            draws: *draws,
            black: *black,
        })
        .collect();
    rows.sort_by_key(|row| Reverse(row.games));
    let bar = |row: &EndingRow| {
        let said = format!(
            "{} games ({}), {} won by White, {} drawn, {} won by Black",
            row.games,
            percent(row.share),
            row.white,
            row.draws,
            row.black
        );
        (row.termination.clone(), row.games as f64, said)
    };
    let bars = Bars {
        title: format!("Why {games} games ended"),
        quantity: Quantity::new("games", Seen::AsWritten),
        bars: rows.iter().map(bar).collect(),
        most: rows.first().map_or(1.0, |row| row.games as f64 * 1.15),
        ..Bars::default()
    };
    Some(
        Section::new("How games ended")
            .draw([bars])
            .reference(Table::of("endings", &rows)),
    )
}

/// Games that faults of engines ended.
pub(super) fn faults(gathered: &Gathered) -> Option<Section> {
    if gathered.faults.is_empty() {
        return None;
    }
    let names = gathered.progress.tally.names().iter().enumerate();
    let counts = names.map(|(engine, name)| (name, &gathered.progress.tally.faults[engine]));
    let counts = counts.filter(|(_, faults)| faults.all() > 0);
    let counts: Vec<String> = counts
        .map(|(name, faults)| format!("{name}: {}", faults.text()))
        .collect();
    let section = Section::new("Faults").say(format!("Faults | {}", counts.join("; ")));
    Some(section.table(Table::of("games", &gathered.faults).at_most(MOST_FAULTS)))
}
