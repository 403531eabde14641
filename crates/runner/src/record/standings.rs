//! standings.csv: one line an engine, the best first.

use super::tally::Tally;
use lmrlab_results::fixed::Fixed;
use lmrlab_results::game_end::FaultClass;
use lmrlab_results::number_text::{elo_with_error, signed};
use lmrlab_results::rows::standings::StandingRow;
use lmrlab_stats::Estimate;
use lmrlab_stats::ratings::Ratings;

/// How strong an engine is: Elo, its error and LOS, where they are known.
type Strength = [Option<f64>; 3];

/// The engines by strength, the strongest first. Engines without games, or that cannot be compared with the others,
/// come last.
fn ranked(tally: &Tally, ratings: Option<&Ratings>) -> Vec<(usize, Strength)> {
    let count = tally.names().len();
    let Some(ratings) = ratings else {
        let strength = |engine: usize| {
            Estimate::of(&tally.total(engine).pairs).map_or([None; 3], |estimate| {
                let error = estimate.elo_error_95.map(|error| error.0);
                [Some(estimate.elo.0), error, Some(estimate.los)]
            })
        };
        let mut engines: Vec<usize> = (0..count).collect();
        // Engines of equal score stay in the order of the tournament file.
        let score = |engine: usize| tally.total(engine).games.score().unwrap_or(-1.0);
        engines.sort_by(|a, b| score(*b).total_cmp(&score(*a)));
        return engines.into_iter().map(|engine| (engine, strength(engine))).collect();
    };
    let rated = ratings.pools.iter().flat_map(|pool| &pool.players);
    let mut engines: Vec<(usize, Strength)> = rated
        .map(|rated| (rated.player, [rated.elo, rated.error_95, rated.los_to_mean]))
        .collect();
    let played: Vec<usize> = engines.iter().map(|(engine, _)| *engine).collect();
    let rest = (0..count).filter(|engine| !played.contains(engine));
    engines.extend(rest.map(|engine| (engine, [None; 3])));
    engines
}

/// The ratings of more than two engines. `None` for two: their Elo difference comes from their games alone.
pub fn ratings(tally: &Tally) -> Option<Ratings> {
    (tally.names().len() > 2).then(|| tally.ratings())
}

/// The lines of standings.csv, with what [`ratings`] said.
pub fn standings(tally: &Tally, ratings: Option<&Ratings>) -> Vec<StandingRow> {
    let mut rows: Vec<StandingRow> = Vec::new();
    for (engine, [elo, error_95, los]) in ranked(tally, ratings) {
        let total = tally.total(engine);
        let effort = &tally.efforts[engine];
        let faults = &tally.faults[engine];
        let row = StandingRow {
            rank: rows.len() + 1,
            engine: tally.names()[engine].clone(),
            games: total.games.games(),
            wins: total.games.wins(),
            draws: total.games.draws(),
            losses: total.games.losses(),
            points: total.points().into(),
            score: total.games.score().into(),
            elo: elo.into(),
            elo_error_95: error_95.into(),
            elo_against: match tally.names() {
                [first, second] => if engine == 0 { second } else { first }.clone(),
                _ => "mean 0".to_owned(),
            },
            los: los.into(),
            draw_ratio: total.games.draw_ratio().into(),
            mean_depth: Fixed::mean(effort.depths, effort.moves),
            mean_nodes: Fixed::mean(effort.nodes, effort.moves),
            time_losses: faults.of(FaultClass::TimeLoss),
            illegal_moves: faults.of(FaultClass::IllegalMove),
            crashes: faults.of(FaultClass::Crash),
            stalls: faults.of(FaultClass::Stall),
        };
        rows.push(row);
    }
    for index in 1..rows.len() {
        let key = |row: &StandingRow| match ratings {
            Some(_) => row.elo.0,
            None => row.score.0,
        };
        if key(&rows[index]) == key(&rows[index - 1]) {
            rows[index].rank = rows[index - 1].rank;
        }
    }
    rows
}

/// Which engine leads, as a sentence without its end. `None` when the games do not say.
pub fn leader(standings: &[StandingRow]) -> Option<String> {
    let first = standings.first()?;
    let second = standings.get(1).and_then(|row| row.elo.0);
    let engine = &first.engine;
    match first.elo.0.filter(|elo| elo.is_finite()) {
        Some(_) if signed(first.elo.0, 1) == signed(second, 1) => Some("No engine leads".to_owned()),
        Some(elo) => Some(format!("{engine} leads: {}", elo_with_error(elo, first.elo_error_95.0))),
        None => (first.los.0).map(|_| format!("{engine} leads: no finite Elo, because it lost nothing to the rest")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_engines_do_not_lead() {
        let rows = standings(&Tally::new(["new", "old"].map(str::to_owned).to_vec()), None);
        let leader = |elo: f64, second: f64| {
            let row = |row: &StandingRow, elo: f64| StandingRow {
                elo: elo.into(),
                elo_error_95: 9.0.into(),
                los: 0.6.into(),
                ..row.clone()
            };
            leader(&[row(&rows[0], elo), row(&rows[1], second)]).unwrap()
        };
        assert_eq!(leader(0.0, -0.0), "No engine leads");
        assert_eq!(leader(3.0, -3.0), "new leads: +3.0 ± 9.0 Elo (95%)");
        assert!(leader(f64::INFINITY, -3.0).contains("no finite Elo"));
    }
}
