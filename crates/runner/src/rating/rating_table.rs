//! Ratings as tables: for a person, and as CSV.

use std::fmt::Write as _;
use std::io;

use crate::text_table::{Column, TextTable};
use lmrlab_results::number_text::{chance, counted, percent, signed, unsigned};
use lmrlab_results::visible::cell;
use lmrlab_stats::Trinomial;
use lmrlab_stats::ratings::{Rated, Ratings};

/// A person's table: pool by pool, the best first. The last column says how surely a player is stronger than the next.
#[must_use]
pub fn text(ratings: &Ratings, names: &[String]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let number = |heading: &str, least: usize| {
        let column = Column::numbers(heading).at_least(least);
        column.behind(" ")
    };
    let mut text = String::new();
    let mut rank = 0;
    for (index, pool) in ratings.pools.iter().enumerate() {
        if ratings.pools.len() > 1 {
            let _ = writeln!(text, "{}Pool {}", if index > 0 { "\n" } else { "" }, index + 1);
        }
        let mut table = TextTable::of([
            Column::numbers("#").at_least(4),
            Column::words("PLAYER").at_least(width).behind(" "),
            number("RATING", 7).behind(" : "),
            number("ERROR", 7),
            number("POINTS", 9),
            number("PLAYED", 8),
            number("(%)", 7),
            number("W", 6),
            number("D", 6),
            number("L", 6),
            Column::numbers("CFS(next)"),
        ]);
        let mut weaker = pool.players.iter().skip(1);
        for rated in &pool.players {
            rank += 1;
            let games = rated.games;
            let next = weaker.next().and_then(|next| ratings.los(rated.player, next.player));
            table.push([
                rank.to_string(),
                name(names, rated).to_owned(),
                signed(rated.elo, 1),
                unsigned(rated.error_95, 1),
                format!("{:.1}", points(games)),
                games.games().to_string(),
                percent(games.score()),
                games.wins.to_string(),
                games.draws.to_string(),
                games.losses.to_string(),
                chance(next),
            ]);
        }
        let _ = write!(text, "{table}");
    }
    text
}

/// The lines below a person's table: what was fitted besides the ratings, and what could not be fitted.
#[must_use]
pub fn notes(ratings: &Ratings) -> String {
    let mut text = String::new();
    match ratings.white_advantage {
        Some(white) => {
            let _ = writeln!(
                text,
                "White advantage: {} ± {} Elo",
                signed(Some(white.elo), 1),
                unsigned(white.error_95, 1)
            );
        }
        None => {
            text.push_str("White advantage: these games cannot separate it from the ratings\n");
        }
    }
    if let Some(rate) = ratings.draw_rate {
        let _ = writeln!(text, "Draw rate (equal opponents): {}", percent(Some(rate)));
    }
    match ratings.openings {
        0 => {}
        1 => text.push_str("note: there is one opening: errors are those of independent games\n"),
        openings => {
            let _ = writeln!(text, "Openings: {openings}; errors are clustered by opening");
        }
    }
    if ratings.games_without_opening > 0 {
        let _ = writeln!(
            text,
            "note: errors take {} without a FEN tag as independent",
            counted(ratings.games_without_opening, "game")
        );
    }
    if ratings.pools.len() > 1 {
        let _ = writeln!(
            text,
            "note: {} pools of players with no games between them: ratings of different pools cannot be compared",
            ratings.pools.len()
        );
    }
    let players = || ratings.pools.iter().flat_map(|pool| &pool.players);
    let infinite = players()
        .filter(|rated| rated.elo.is_some_and(f64::is_infinite))
        .count();
    if infinite > 0 {
        let _ = writeln!(
            text,
            "note: {infinite} {} no finite rating (`-`): everything was won, or lost, against the rest",
            have(infinite)
        );
    }
    let without_error = players().any(|rated| rated.elo.is_some_and(f64::is_finite) && rated.error_95.is_none());
    if without_error {
        text.push_str(
            "note: `-` is an error that these games do not show: between players with a rating no game was decided\n",
        );
    }
    let unknown = players().filter(|rated| rated.elo.is_none()).count();
    if unknown > 0 {
        let _ = writeln!(
            text,
            "note: {unknown} {} no rating (`-`): no games connect them to the rest",
            have(unknown)
        );
    }
    text
}

fn have(count: usize) -> &'static str {
    if count == 1 { "player has" } else { "players have" }
}

/// The columns of [`write_csv`].
pub const CSV_COLUMNS: [&str; 10] = [
    "rank", "name", "elo", "error_95", "points", "games", "score", "wins", "draws", "losses",
];

/// The first columns of [`write_los`]; those of the players follow, by rank.
pub const LOS_COLUMNS: [&str; 3] = ["rank", "name", "1"];

/// CSV with the columns [`CSV_COLUMNS`]. What is unknown or infinite is an empty cell.
///
/// # Errors
/// When writing fails.
pub fn write_csv(ratings: &Ratings, names: &[String], target: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(target);
    csv.write_record(CSV_COLUMNS)?;
    for (index, rated) in players(ratings).enumerate() {
        let games = rated.games;
        csv.write_record([
            &(index + 1).to_string(),
            &*cell(name(names, rated)),
            &decimal(rated.elo, 4),
            &decimal(rated.error_95, 4),
            &format!("{:.1}", points(games)),
            &games.games().to_string(),
            &decimal(games.score(), 6),
            &games.wins.to_string(),
            &games.draws.to_string(),
            &games.losses.to_string(),
        ])?;
    }
    csv.flush()
}

/// CSV: for each player (row) and each other (column, by rank), how surely the first is the stronger, in percent.
///
/// # Errors
/// When writing fails.
pub fn write_los(ratings: &Ratings, names: &[String], target: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(target);
    let [rank, name_column, first] = LOS_COLUMNS.map(str::to_owned);
    let others = (2..=players(ratings).count()).map(|rank| rank.to_string());
    csv.write_record([rank, name_column, first].into_iter().chain(others))?;
    for (index, rated) in players(ratings).enumerate() {
        let start = [(index + 1).to_string(), cell(name(names, rated)).into_owned()];
        let chances = players(ratings).map(|other| {
            let chance = ratings.los(rated.player, other.player);
            decimal(chance.filter(|_| other.player != rated.player).map(|p| p * 100.0), 2)
        });
        csv.write_record(start.into_iter().chain(chances))?;
    }
    csv.flush()
}

fn players(ratings: &Ratings) -> impl Iterator<Item = &Rated> {
    ratings.pools.iter().flat_map(|pool| &pool.players)
}

fn name<'a>(names: &'a [String], rated: &Rated) -> &'a str {
    names.get(rated.player).map_or("", String::as_str)
}

fn points(games: Trinomial) -> f64 {
    games.wins as f64 + games.draws as f64 / 2.0
}

/// Adding zero takes the sign from a negative zero.
fn decimal(value: Option<f64>, decimals: usize) -> String {
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(String::new, |value| format!("{:.decimals$}", value + 0.0))
}
