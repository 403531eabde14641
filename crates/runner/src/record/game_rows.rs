//! The lines of games.csv and timings.csv of a game that was played.

use std::time::Duration;

use cozy_chess::Color;

use crate::game::play::PlayedGame;
use crate::tournament::schedule::Pair;
use lmrlab_results::fixed::{Fixed, Spaced};
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::rows::timings::TimingRow;

/// The line of a game: the first (`0`) or the second (`1`) of its pair. Its times are recorded when time counted.
pub fn game_row(pair: &Pair, which: usize, fen: &str, names: &[String], timed: bool, played: &PlayedGame) -> GameRow {
    let pairing = pair.pairing;
    let (white, black) = if which == 0 {
        (pairing.first, pairing.second)
    } else {
        (pairing.second, pairing.first)
    };
    let fault = played.fault.as_ref();
    let nodes = |side| played.moves_of(side).map(|mv| mv.nodes).sum();
    let mean_depth = |side| {
        let depths = || played.moves_of(side).map(|mv| u64::from(mv.depth));
        Fixed::mean(depths().sum(), depths().count() as u64)
    };
    GameRow {
        game: pair.index * 2 + which as u64 + 1,
        pair: pair.index + 1,
        round: pair.round + 1,
        opening: pair.opening as u64 + 1,
        fen: fen.to_owned(),
        white: names[white].clone(),
        black: names[black].clone(),
        result: played.result,
        termination: played.termination,
        plies: played.moves.len() as u64,
        white_nodes: nodes(Color::White),
        black_nodes: nodes(Color::Black),
        white_mean_depth: mean_depth(Color::White),
        black_mean_depth: mean_depth(Color::Black),
        moves: Spaced(played.moves.iter().map(|mv| mv.uci.clone()).collect()),
        scores: Spaced(played.moves.iter().map(|mv| mv.choice.score).collect()),
        depths: Spaced(played.moves.iter().map(|mv| mv.choice.depth).collect()),
        nodes: Spaced(played.moves.iter().map(|mv| mv.choice.nodes).collect()),
        times_ms: Spaced(if timed {
            let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
            let times = played.moves.iter().map(|mv| milliseconds(mv.choice.time).into());
            times.collect()
        } else {
            Vec::new()
        }),
        fault: fault.map(|fault| fault.what.clone()).unwrap_or_default(),
        fault_go: fault.map(|fault| fault.go.clone()).unwrap_or_default(),
        overrides: (pair.overrides.as_ref()).map(|both| [both[which].clone(), both[1 - which].clone()]),
    }
}

/// The line of the game with this number.
pub fn timing_row(number: u64, played: &PlayedGame) -> TimingRow {
    let time = |side| -> Duration { played.moves_of(side).map(|mv| mv.time).sum() };
    let nps = |side| {
        let nodes: u64 = played.moves_of(side).map(|mv| mv.nodes).sum();
        let seconds = time(side).as_secs_f64();
        Fixed((seconds > 0.0).then(|| nodes as f64 / seconds))
    };
    let ms = |time: Duration| Fixed(Some(time.as_secs_f64() * 1_000.0));
    TimingRow {
        game: number,
        start_ms: ms(played.start),
        duration_ms: ms(played.duration),
        white_time_ms: ms(time(Color::White)),
        black_time_ms: ms(time(Color::Black)),
        white_nps: nps(Color::White),
        black_nps: nps(Color::Black),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use lmrlab_results::game_end::{GameResult, Termination};

    /// A game of `a` against `b` without moves.
    pub(crate) fn game(result: GameResult, termination: Termination) -> GameRow {
        let nothing = Fixed::mean(0, 0);
        GameRow {
            game: 1,
            pair: 1,
            round: 1,
            opening: 1,
            fen: lmrlab_engine::position::Position::initial().to_string(),
            white: "a".to_owned(),
            black: "b".to_owned(),
            result,
            termination,
            plies: 0,
            white_nodes: 0,
            black_nodes: 0,
            white_mean_depth: nothing,
            black_mean_depth: nothing,
            moves: Spaced(Vec::new()),
            scores: Spaced(Vec::new()),
            depths: Spaced(Vec::new()),
            nodes: Spaced(Vec::new()),
            times_ms: Spaced(Vec::new()),
            fault: String::new(),
            fault_go: String::new(),
            overrides: None,
        }
    }

    #[test]
    fn whose_fault_it_was() {
        let of = |result, termination| game(result, termination).fault_of().cloned();
        assert_eq!(of(GameResult::BlackWins, Termination::Crash).as_deref(), Some("a"));
        assert_eq!(of(GameResult::WhiteWins, Termination::Stall).as_deref(), Some("b"));
        // White ran out of time against a bare king.
        assert_eq!(of(GameResult::Draw, Termination::TimeForfeit).as_deref(), Some("a"));
        assert_eq!(of(GameResult::BlackWins, Termination::Checkmate), None);
    }
}
