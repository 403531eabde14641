//! How strong the engines are: standings, pentanomial counts, cross table.

use std::collections::BTreeSet;
use std::path::Path;

use maud::{Markup, html};

use lmrlab_results::folder::STANDINGS;
use lmrlab_results::number_text::{percent, signed, unsigned};
use lmrlab_results::tournament_rows::{CrosstableRow, FateRow, LosRow, StandingRow};
use lmrlab_runner::record::standings;
use lmrlab_runner::record::tally::Tally;
use lmrlab_runner::record::{crosstable, fates, los};
use lmrlab_stats::CONFIDENCE;

use super::gathered::Gathered;
use crate::chart::axis::{Axis, Writing};
use crate::chart::{Bar, Chart, Layer, Picture, Point};
use crate::page::Section;
use crate::rows::{Rows, Shown, shown};
use crate::table::{Column, Table, printable};

/// The columns of standings.csv in the order of a page. The page says elsewhere what Elo is measured from.
pub(crate) fn standing_columns() -> Vec<Shown<'static>> {
    let columns = shown::<StandingRow>("rank engine elo elo_error_95 los").into_iter();
    columns.filter(|column| column.name != "elo_against").collect()
}

/// The columns of crosstable.csv in the order of a page.
pub(crate) fn crosstable_columns() -> Vec<Shown<'static>> {
    shown::<CrosstableRow>("engine opponent elo elo_error_95")
}

/// The standings; for a match also its pairs.
pub(super) fn section(gathered: &Gathered) -> Section {
    let progress = &gathered.progress;
    let mut section = Section::new("standings", "Standings");
    let rows = progress.standings();
    if rows.len() > 2 {
        section.draw(ratings(&Rows::of(&rows)));
    }
    section.add(Rows::of(&rows).table(&standing_columns()));
    if rows.len() > 2 {
        section.say("Errors and LOS are clustered by opening: all games from one opening, of all pairings, are one observation.");
    }
    let is_known = |row: &StandingRow| row.elo.0.is_some_and(f64::is_finite) && row.elo_error_95.0.is_some();
    if rows.iter().any(|row| row.games > 0 && !is_known(row)) {
        section.say("Where Elo or its error is missing, the games give none: everything was won, or lost, against the rest, or there are too few games.");
    }
    if let Some(race) = &progress.race {
        let fates = Rows::of(&fates::fates(&progress.tally, race));
        section.add(html! { h3 { "The race" } (fates.table(&shown::<FateRow>(""))) });
    }
    if let [first, second] = progress.tally.names()
        && progress.pairs > 0
    {
        section.draw(pairs(first, second, progress.tally.encounter(0, 1).pairs.counts()));
    }
    section
}

/// The sentence about the leading engine, from the standings.csv of a run without its games.
pub(crate) fn computed_verdict(folder: &Path) -> Option<String> {
    let rows = Rows::read(&folder.join(STANDINGS.name())).ok()?;
    let first = rows.rows.first()?;
    let [elo, error, los] = ["elo", "elo_error_95", "los"].map(|column| rows.number(first, column));
    let second = rows.rows.get(1).and_then(|row| rows.number(row, "elo"));
    let leader = standings::leader(rows.cell(first, "engine"), elo, error, los, second)?;
    Some(format!("{leader}."))
}

/// The ratings of many engines with their errors, from the lines of standings.csv.
pub(crate) fn ratings(rows: &Rows) -> Picture {
    let rated: Vec<(String, f64, f64)> = (rows.rows.iter())
        .filter_map(|row| {
            let name = printable(rows.cell(row, "engine"));
            Some((
                name,
                rows.number(row, "elo")?,
                rows.number(row, "elo_error_95").unwrap_or(0.0),
            ))
        })
        .collect();
    let points = rated.iter().enumerate().map(|(index, (name, elo, error))| Point {
        at: (*elo, index as f64),
        across: (*error > 0.0).then_some((elo - error, elo + error)),
        hover: format!("{name}: {} ± {} Elo", signed(Some(*elo), 1), unsigned(Some(*error), 1)),
        ..Point::default()
    });
    let ends = rated
        .iter()
        .flat_map(|(_, elo, error)| [elo - error, elo + error])
        .chain([0.0]);
    let said: Vec<String> = rated
        .iter()
        .map(|(name, elo, error)| format!("{name} {} ± {}", signed(Some(*elo), 1), unsigned(Some(*error), 1)))
        .collect();
    Chart {
        id: "standings".to_owned(),
        title: format!("Ratings of {} engines", rated.len()),
        description: format!("Elo: {}.", said.join("; ")),
        x: Axis::linear("Elo (mean of the engines 0)", ends).written(Writing::Signed),
        y: Axis::names("", rated.iter().map(|(name, ..)| name.clone()).collect()).reversed(),
        height: 40.0 + 28.0 * rated.len() as f64,
        legend: Vec::new(),
        note: format!("Points: Bradley-Terry ratings of all games. Bars: {CONFIDENCE} intervals."),
        layers: vec![
            Layer::Upright(0.0, "mean".to_owned()),
            Layer::Points(0, points.collect()),
        ],
    }
    .draw()
}

/// The pentanomial counts of a match.
fn pairs(first: &str, second: &str, counts: [u64; 5]) -> Picture {
    let all: u64 = counts.iter().sum();
    let names = ["0", "½", "1", "1½", "2"];
    let bars = counts
        .iter()
        .zip(names)
        .enumerate()
        .map(|(index, (count, points))| Bar {
            x: (index as f64 - 0.4, index as f64 + 0.4),
            y: (0.0, *count as f64),
            hover: format!(
                "{count} pairs in which {first} scored {points}: {}",
                percent(Some(*count as f64 / all as f64))
            ),
            text: count.to_string(),
        });
    Chart {
        id: "pairs".to_owned(),
        title: format!("Pairs by the points of {first} against {second}"),
        description: format!("Pairs with 0, ½, 1, 1½ and 2 points of {first}: {counts:?}."),
        x: Axis::names(format!("points of {first} in a pair of games"), names.map(str::to_owned).to_vec()),
        y: Axis::from_zero("pairs", counts.map(|count| count as f64)),
        height: 190.0,
        legend: Vec::new(),
        note: "The more pairs are to the right, the stronger the engine; the more are in the middle, the more the games tell.".to_owned(),
        layers: vec![Layer::Bars(0, bars.collect())],
    }
    .draw()
}

/// Each engine against each other one; nothing for two engines.
pub(super) fn cross_table(gathered: &Gathered) -> Option<Section> {
    let tally = &gathered.progress.tally;
    let names = tally.names();
    if names.len() < 3 || gathered.progress.pairs == 0 {
        return None;
    }
    let mut section = Section::new("cross-table", "Cross table");
    let standings: Vec<StandingRow> = gathered.progress.standings();
    let order: Vec<usize> = standings
        .iter()
        .filter_map(|row| names.iter().position(|name| *name == row.engine))
        .collect();
    if order.len() <= MOST_COLUMNS {
        section.add(points(tally, &order));
    } else {
        section.say(format!(
            "{} engines have no room side by side. The list has every pairing.",
            order.len()
        ));
    }
    let details = Rows::of(&crosstable::crosstable(tally)).table(&crosstable_columns());
    section.add(html! { details { summary { "Every pairing with its Elo" } (details) } });
    if let Some(ratings) = standings::ratings(tally) {
        let los = Rows::of(&los::los(tally, &ratings)).table(&shown::<LosRow>(""));
        section.add(html! { details { summary { "Likelihood of superiority of each over each" } (los) } });
    }
    Some(section)
}

/// The most engines that a cross table has room for.
const MOST_COLUMNS: usize = 24;

/// The points of each engine against each other one. The heading of a column is the number of its engine, which is
/// short.
fn points(tally: &Tally, order: &[usize]) -> Markup {
    let name = |engine: usize| tally.names().get(engine).map_or("", String::as_str);
    let counts = order
        .iter()
        .flat_map(|one| order.iter().map(|other| tally.encounter(*one, *other).games.games()));
    let counts: BTreeSet<u64> = counts.filter(|games| *games > 0).collect();
    // When all pairings have the same number of games, it is shown once, above the cells.
    let games = match counts.iter().collect::<Vec<_>>()[..] {
        [games] => Some(games),
        _ => None,
    };
    let heading = games.map_or_else(|| "Points of".to_owned(), |games| format!("Points in {games} games of"));
    let columns = (1..)
        .zip(order)
        .map(|(number, engine)| Column::numbers(number.to_string()).meaning(name(*engine)));
    let mut table = Table::new(std::iter::once(Column::words(heading)).chain(columns));
    for (number, engine) in (1..).zip(order) {
        let cells = order.iter().map(|opponent| {
            let encounter = tally.encounter(*engine, *opponent);
            match (encounter.games.games(), games) {
                (0, _) => String::new(),
                (_, Some(_)) => encounter.points().to_string(),
                (games, None) => format!("{}/{games}", encounter.points()),
            }
        });
        table.push(std::iter::once(format!("{number} {}", name(*engine))).chain(cells));
    }
    table.markup()
}
