//! What a run leaves behind. The journal, games.csv, is the source; tables, PGN and ratings are computed from it.
//!
//! - [`progress`]: where a run stands, counted pair by pair; [`fault_streaks`] and [`no_verdict`] are about faults.
//! - [`recorder`]: finished pairs become files. One module for each: [`game_rows`], [`pairs`], [`standings`], [`crosstable`],
//!   [`los`], [`fates`], [`pgn_writer`].
//! - [`recorded_files`]: what the manifest says of openings and programs.
//!
//! How files are written and read is in `lmrlab_results`.

pub mod crosstable;
pub mod fates;
pub mod fault_log;
pub mod fault_streaks;
pub mod game_rows;
pub mod los;
pub mod no_verdict;
pub mod pairs;
pub mod pgn_writer;
pub mod progress;
pub mod recorded_files;
pub mod recorded_pair;
pub mod recorder;
pub mod standings;
pub mod tally;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::play::{PlayedGame, PlayedMove};
    use crate::player::ChosenMove;
    use crate::tournament::race::RaceCourse;
    use crate::tournament::schedule::{Pair, Pairing};
    use lmrlab_results::game_end::Termination;
    use lmrlab_results::row::Row;
    use lmrlab_stats::race::Goal;
    use lmrlab_stats::{EloModel, Sprt};
    use std::time::Duration;

    /// The columns that serde writes. They must be the same as in the first line of the file.
    fn table<R: Row>(rows: &[R]) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).unwrap();
        }
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        assert_eq!(text.lines().next().unwrap(), R::names().join(","));
        text
    }

    #[test]
    fn the_columns_of_every_file() {
        let names = ["a".to_owned(), "b, with a comma".to_owned()];
        let fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 80";
        let played = PlayedGame {
            first_to_move: cozy_chess::Color::White,
            moves: vec![PlayedMove {
                choice: ChosenMove {
                    mv: "a1a8".parse().unwrap(),
                    score: lmrlab_results::written_score::WrittenScore::Mate(1),
                    depth: 3,
                    nodes: 1_000,
                    time: Duration::from_micros(1_500),
                },
                uci: "a1a8".to_owned(),
            }],
            result: lmrlab_results::game_end::GameResult::WhiteWins,
            termination: Termination::Checkmate,
            fault: None,
            start: Duration::from_millis(2),
            duration: Duration::from_millis(3),
        };
        let scheduled = Pair {
            index: 4,
            round: 4,
            pairing: Pairing { first: 0, second: 1 },
            opening: 7,
            overrides: None,
        };
        let games = [0, 1].map(|which| game_rows::game_row(&scheduled, which, fen, &names, true, &played));
        let mut tally = tally::Tally::new(names.to_vec());
        let before = *tally.encounter(0, 1);
        tally.record(&games, scheduled.pairing);
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap();
        let pair = pairs::pair_row(&games, tally.encounter(0, 1), &before, Some(&sprt));
        let race = RaceCourse::new(Goal::BeatBaseline, 2, 1, EloModel::Logistic, 5.0, 0.05).unwrap();
        insta::assert_snapshot!(
            [
                table(&games),
                table(&[pair]),
                table(&standings::standings(&tally, None)),
                table(&crosstable::crosstable(&tally)),
                table(&los::los(&tally, &tally.ratings())),
                table(&fates::fates(&tally, &race)),
                table(&[game_rows::timing_row(9, &played)]),
            ]
            .join("\n")
        );
    }
}
