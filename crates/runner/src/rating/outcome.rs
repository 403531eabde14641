//! What ratings say: their tables, and the notes below them.

use lmrlab_results::number_text::{chance, counted, elo_plus_minus, elo_with_error, percent};
use lmrlab_results::outcome::picture::{Intervals, Line, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::rating::{FittedRow, RatingRow};
use lmrlab_results::rows::standings::LosRow;
use lmrlab_results::tables;
use lmrlab_results::visible::cell;
use lmrlab_stats::ratings::{Rated, Ratings};

/// Every two players are compared when there are at most this many: the file has a line for each two.
const MOST_COMPARED: usize = 200;
/// Why a player has no finite rating.
const LOPSIDED: &str = "everything was won, or lost, against the rest";
/// Why a player has no rating.
const UNCONNECTED: &str = "no games connect it to the rest";

tables! {
    /// The tables of ratings.
    RatingTables {
        ratings: Vec<RatingRow>,
        fitted: Vec<FittedRow>,
        los: Vec<LosRow>,
    }
}

impl RatingTables {
    /// The tables of ratings of players with these names.
    pub fn of(ratings: &Ratings, names: &[String]) -> Self {
        let name = |rated: &Rated| {
            names
                .get(rated.player)
                .map_or_else(String::new, |name| cell(name).into_owned())
        };
        let mut tables = Self::default();
        for (index, pool) in ratings.pools.iter().enumerate() {
            let mut weaker = pool.players.iter().skip(1);
            for rated in &pool.players {
                let games = rated.games;
                let next = weaker.next();
                tables.ratings.push(RatingRow {
                    rank: tables.ratings.len() + 1,
                    name: name(rated),
                    elo: rated.elo.into(),
                    error_95: rated.error_95.into(),
                    points: (games.points()).into(),
                    games: games.games(),
                    score: games.score().into(),
                    wins: games.wins(),
                    draws: games.draws(),
                    losses: games.losses(),
                    los: next.and_then(|next| ratings.los(rated.player, next.player)).into(),
                    pool: index + 1,
                    why: match rated.elo {
                        None => UNCONNECTED.to_owned(),
                        Some(elo) if elo.is_infinite() => LOPSIDED.to_owned(),
                        Some(_) => String::new(),
                    },
                });
            }
        }
        tables.fitted.push(FittedRow {
            white_advantage: ratings.white_advantage.map(|white| white.elo).into(),
            white_advantage_error_95: ratings.white_advantage.and_then(|white| white.error_95).into(),
            draw_rate: ratings.draw_rate.into(),
            openings: ratings.openings as u64,
            games_without_opening: ratings.games_without_opening,
        });
        let players: Vec<&Rated> = ratings.pools.iter().flat_map(|pool| &pool.players).collect();
        if players.len() <= MOST_COMPARED {
            let couples = players
                .iter()
                .flat_map(|one| players.iter().map(move |other| (*one, *other)));
            let couples = couples.filter(|(one, other)| one.player != other.player);
            tables.los.extend(couples.map(|(one, other)| LosRow {
                engine: name(one),
                opponent: name(other),
                los: ratings.los(one.player, other.player).into(),
            }));
        }
        tables
    }

    /// What the tables say. `conditions` are the games and the scale.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let has_pools = self.ratings.iter().any(|row| row.pool > 1);
        let table = Table::of("ratings", &self.ratings).without(if has_pools { &[] } else { &["pool"] });
        let line = |row: &RatingRow| {
            let elo = row.elo.0.filter(|elo| elo.is_finite())?;
            Some(Line::Value(
                row.name.clone(),
                Known::with_error(elo, row.error_95.0),
                false,
            ))
        };
        let picture = Intervals {
            title: "Ratings".to_owned(),
            quantity: Quantity {
                sides: ["", ""],
                ..Quantity::elo("rating, in Elo", "0")
            },
            lines: self.ratings.iter().filter_map(line).collect(),
            note: String::new(),
        };
        let mut sections = vec![Section::new("Ratings").table(table).draw([picture])];
        if !self.los.is_empty() {
            let los = Table::of("los", &self.los);
            sections.push(Section::new("Likelihood of being stronger").reference(los));
        }
        let first = self.ratings.first().filter(|row| row.elo.0.is_some_and(f64::is_finite));
        let second = first.and_then(|row| row.los.0).zip(self.ratings.get(1));
        let ahead = second.map_or_else(String::new, |(los, second)| {
            format!(
                "; stronger than {} with a likelihood of {}",
                second.name,
                chance(Some(los))
            )
        });
        let verdict = first.map(|row| {
            let elo = elo_with_error(row.elo.0.unwrap_or_default(), row.error_95.0);
            format!("{} is first: {elo}{ahead}.", row.name)
        });
        Outcome {
            title: "Ratings".to_owned(),
            conditions: conditions.to_owned(),
            verdict: verdict.into_iter().collect(),
            sections,
            notes: self.notes(),
            tables: self.tables(),
        }
    }

    /// What was fitted besides the ratings, and what could not be fitted.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for fitted in &self.fitted {
            notes.push(match fitted.white_advantage.0 {
                Some(elo) => format!(
                    "White advantage: {} Elo",
                    elo_plus_minus(Some(elo), fitted.white_advantage_error_95.0)
                ),
                None => "White advantage: these games cannot separate it from the ratings".to_owned(),
            });
            if fitted.draw_rate.0.is_some() {
                notes.push(format!("Draw rate (equal opponents): {}", percent(fitted.draw_rate.0)));
            }
            match fitted.openings {
                0 => {}
                1 => notes.push("note: there is one opening: errors are those of independent games".to_owned()),
                openings => notes.push(format!("Openings: {openings}; errors are clustered by opening")),
            }
            if fitted.games_without_opening > 0 {
                let games = counted(fitted.games_without_opening, "game");
                notes.push(format!("note: errors take {games} without a FEN tag as independent"));
            }
        }
        let pools = self.ratings.iter().map(|row| row.pool).max().unwrap_or(0);
        if pools > 1 {
            notes.push(format!(
                "note: {pools} pools of players with no games between them: ratings of different pools cannot be compared"
            ));
        }
        let without = |why: &str| self.ratings.iter().filter(|row| row.why == why).count();
        let have = |count: usize| if count == 1 { "player has" } else { "players have" };
        let infinite = without(LOPSIDED);
        if infinite > 0 {
            notes.push(format!(
                "note: {infinite} {} no finite rating (`-`): {LOPSIDED}",
                have(infinite)
            ));
        }
        if self
            .ratings
            .iter()
            .any(|row| row.why.is_empty() && row.error_95.0.is_none())
        {
            notes.push(
                "note: `-` is an error that these games do not show: between players with a rating no game was decided"
                    .to_owned(),
            );
        }
        let unknown = without(UNCONNECTED);
        if unknown > 0 {
            notes.push(format!(
                "note: {unknown} {} no rating (`-`): {UNCONNECTED}",
                have(unknown)
            ));
        }
        notes
    }
}
