//! What a run leaves behind. The journal, games.csv, is the source; everything else is computed from it.
//!
//! - [`journal`]: lines in order that survive a kill, for any kind of run; [`games`] are those of a tournament.
//! - [`progress`]: where a run stands, counted pair by pair; [`fault_streaks`] and [`no_verdict`] are about faults.
//! - [`recorder`]: finished pairs become files. One module for each: [`games`], [`pairs`], [`timings`], [`standings`],
//!   [`crosstable`], [`los`], [`fates`], [`pgn_writer`].
//! - [`manifest`]: everything that is needed to go on with a run, or to play it again; [`differences`] between two;
//!   [`part_of_run`], what it says of parts; [`part_tasks`], what a part is to play.

pub mod appended;
mod begin;
pub mod crosstable;
mod csv_file;
pub mod differences;
pub mod fates;
pub mod fault_streaks;
pub mod fixed;
pub mod folder;
pub mod games;
pub mod journal;
mod line_digests;
pub mod lock;
pub mod los;
pub mod manifest;
pub mod no_verdict;
pub mod pairs;
pub mod part_of_run;
pub mod part_tasks;
pub mod pgn_writer;
pub mod progress;
pub mod recorder;
pub mod replacement;
pub mod standings;
pub mod tally;
pub mod timings;

pub use self::csv_file::Row;

/// The version of the journal and of the manifest: a run goes on only with a program of the same version. The other files
/// are computed from the journal, so they can change without a new version.
pub const FORMAT_VERSION: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::outcome::Termination;
    use crate::game::pair::TimedGame;
    use crate::game::play::PlayedGame;
    use crate::tournament::race::{RaceCourse, RaceRules};
    use crate::tournament::schedule::{Pairing, ScheduledPair};
    use lmrlab_stats::race::Goal;
    use lmrlab_stats::{EloModel, Sprt};
    use std::time::Duration;

    /// The columns as serde sees them, which must be those that the file begins with.
    fn table<R: Row>(rows: &[R]) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).unwrap();
        }
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        assert_eq!(text.lines().next().unwrap(), R::COLUMNS.join(","));
        text
    }

    #[test]
    fn the_columns_of_every_file() {
        let names = ["a".to_owned(), "b, with a comma".to_owned()];
        let fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 80";
        let played = PlayedGame {
            first_to_move: cozy_chess::Color::White,
            moves: vec![crate::game::play::PlayedMove {
                mv: "a1a8".parse().unwrap(),
                uci: "a1a8".to_owned(),
                san: "Ra8#".to_owned(),
                score: crate::player::WrittenScore::Mate(1),
                depth: 3,
                nodes: 1_000,
                time: Duration::from_micros(1_500),
            }],
            result: crate::game::play::GameResult::WhiteWins,
            termination: Termination::Checkmate,
            fault: None,
        };
        let scheduled = ScheduledPair {
            index: 4,
            round: 4,
            pairing: Pairing { first: 0, second: 1 },
            opening: 7,
        };
        let games = [0, 1].map(|which| games::GameRow::new(scheduled, which, fen, &names, true, &played));
        let timed = TimedGame {
            game: played,
            start: Duration::from_millis(2),
            duration: Duration::from_millis(3),
        };
        let mut tally = tally::Tally::new(names.to_vec());
        let before = *tally.encounter(0, 1);
        tally.record(&games).unwrap();
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap();
        let pair = pairs::PairRow::new(&games, tally.encounter(0, 1), &before, Some(&sprt));
        let rules = RaceRules::new(Goal::BeatBaseline, 2, 1, EloModel::Logistic, 5.0, 0.05).unwrap();
        let race = RaceCourse::new(&rules);
        insta::assert_snapshot!(
            [
                table(&games),
                table(&[pair]),
                table(&standings::standings(&tally, None)),
                table(&crosstable::crosstable(&tally)),
                table(&los::los(&tally, &tally.ratings())),
                table(&fates::fates(&tally, &race)),
                table(&[timings::TimingRow::new(9, &timed)]),
            ]
            .join("\n")
        );
    }
}
