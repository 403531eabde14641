//! Training positions with the results of their games, and the CSV file that holds them.

use std::collections::BTreeSet;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use cozy_chess::{Board, Color};
use lmrlab_engine::position::Position;
use lmrlab_results::failure::Failure;
use lmrlab_results::text_file::{TextReader, open_stream};
use serde::{Deserialize, Serialize};

use super::descent::{best_curve, logistic, mean, squared};

/// One line of a file of positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    /// Number of the game, from 0.
    pub(crate) game: u64,
    /// The position: a FEN without its counters.
    pub(crate) epd: String,
    /// How the game ended for White, in half points: 0, 1 or 2.
    pub(crate) white_half_points: u8,
    /// The score of the search from White's point of view, in centipawns.
    pub(crate) white_score_cp: i32,
}

/// A training position. Score and result are for the side to move.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// All positions of a game belong to the same set, training or validation.
    pub(crate) game: u64,
    board: Board,
    score_cp: f32,
    /// The result of the game, from 0 to 1.
    result: f32,
}

impl Sample {
    /// The position.
    pub(crate) fn position(&self) -> Position {
        Position::from_board(self.board.clone())
    }

    /// The expected result for the side to move, from the search's score.
    pub(crate) fn expected(&self, curve: f64) -> f64 {
        logistic(curve * f64::from(self.score_cp))
    }

    /// The same, mixed with this share of the game's result. `result_share` is from 0 to 1.
    pub(crate) fn target(&self, curve: f64, result_share: f64) -> f64 {
        result_share * f64::from(self.result) + (1.0 - result_share) * self.expected(curve)
    }

    fn of(line: &Line, games: u64) -> Result<Self, String> {
        let position = Position::from_fen(&line.epd).map_err(|error| error.to_string())?;
        let (score_cp, result) = match line.white_half_points {
            half @ 0..=2 => (line.white_score_cp as f32, f32::from(half) / 2.0),
            other => return Err(format!("a game is worth 0, 1 or 2 half points, not {other}")),
        };
        let white = position.side_to_move() == Color::White;
        Ok(Self {
            game: games.saturating_add(line.game),
            board: position.board().clone(),
            score_cp: if white { score_cp } else { -score_cp },
            result: if white { result } else { 1.0 - result },
        })
    }
}

/// The steepness of the logistic curve that fits the searches' scores to the results best, per centipawn.
pub(crate) fn curve(samples: &[Sample], set: &[u32]) -> f64 {
    best_curve(|curve| {
        mean(set, |index| {
            let sample = &samples[index as usize];
            squared(sample.expected(curve) - f64::from(sample.result))
        })
    })
}

/// The number of different games.
pub(crate) fn games(samples: &[Sample]) -> usize {
    samples
        .iter()
        .map(|sample| sample.game)
        .collect::<BTreeSet<u64>>()
        .len()
}

/// One game in this number is for validation.
const VALIDATION: u64 = 20;

/// The positions for training and those for validation, as indices.
pub(crate) fn split(samples: &[Sample]) -> Result<(Vec<u32>, Vec<u32>), Failure> {
    let (training, validation): (Vec<u32>, Vec<u32>) =
        (0..samples.len() as u32).partition(|&index| !samples[index as usize].game.is_multiple_of(VALIDATION));
    if training.is_empty() || validation.is_empty() {
        return Err(Failure::input(
            "too few positions to learn from and to validate",
            "generate positions of a few thousand games with `lmrlab-workshop generate`",
        ));
    }
    Ok((training, validation))
}

/// Writes positions as CSV, below a header if `header` is set. Errors name `path`.
pub(crate) fn write(lines: &[Line], header: bool, to: impl Write, path: &Path) -> Result<(), Failure> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(to);
    let mut written = lines.iter().try_for_each(|line| writer.serialize(line));
    if written.is_ok() {
        written = writer.flush().map_err(csv::Error::from);
    }
    written.map_err(|error| Failure::write(path, &error.into()))
}

/// Reads files of positions. The games of each file get their own numbers.
pub(crate) fn load(files: &[PathBuf]) -> Result<Vec<Sample>, Failure> {
    let mut samples: Vec<Sample> = Vec::new();
    for path in files {
        let file = open_stream(path).map_err(|error| {
            Failure::input(
                format!("cannot read the positions `{}`: {error}", path.display()),
                "make such a file with `lmrlab-workshop generate`",
            )
        })?;
        let games = samples
            .iter()
            .map(|sample| sample.game.saturating_add(1))
            .max()
            .unwrap_or(0);
        read(TextReader::new(BufReader::new(file)), games, &mut samples).map_err(|(line, reason)| {
            Failure::input(
                format!("line {line} of `{}`: {reason}", path.display()),
                "it should have the columns game,epd,white_half_points,white_score_cp of `lmrlab-workshop generate`",
            )
        })?;
    }
    Ok(samples)
}

fn read(from: impl Read, games: u64, samples: &mut Vec<Sample>) -> Result<(), (u64, String)> {
    let mut reader = csv::Reader::from_reader(from);
    // Without this, an error here would look like the end of the file.
    reader.headers().map_err(|error| (1, error.to_string()))?;
    for (record, number) in reader.deserialize().zip(2..) {
        let line: Line = record.map_err(|error| (number, error.to_string()))?;
        samples.push(Sample::of(&line, games).map_err(|reason| (number, reason))?);
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const FENS: [&str; 4] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ -",
        "r2q1rk1/5ppp/p1nb4/1p1Q1N2/3P4/1P4P1/P4PBP/2R2RK1 b - -",
        "8/5k2/3p4/1p1P4/1P3B2/5K2/8/6b1 w - -",
        "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 b - -",
    ];

    /// Two positions of each of `games` games, with these scores for the side to move. All games are drawn.
    pub(crate) fn scored(games: u64, score: impl Fn(usize, &Position) -> i32) -> Vec<Sample> {
        let pairs = (0..games).flat_map(|game| [game, game + 1].map(|number| (game, number as usize % FENS.len())));
        let sample = |(game, number): (u64, usize)| {
            let position = Position::from_fen(FENS[number]).unwrap();
            let score = score(number, &position);
            Sample {
                game,
                board: position.board().clone(),
                score_cp: score as f32,
                result: 0.5,
            }
        };
        pairs.map(sample).collect()
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let line = Line {
            game: 7,
            epd: "4k3/8/8/8/8/8/4P3/4K3 b - -".to_owned(),
            white_half_points: 2,
            white_score_cp: -31,
        };
        let mut bytes = Vec::new();
        write(&[line], true, &mut bytes, Path::new("x")).unwrap();
        let mut found = Vec::new();
        read(&*bytes, 3, &mut found).unwrap();
        let [
            Sample {
                game: 10,
                score_cp,
                result,
                ..
            },
        ] = found[..]
        else {
            panic!("{found:?}")
        };
        assert_eq!((score_cp, result), (31.0, 0.0));
    }

    #[test]
    fn mistakes_name_their_line() {
        let first_lines = "game,epd,white_half_points,white_score_cp\n0,4k3/8/8/8/8/8/4P3/4K3 w - -,1,0\n";
        for (line, said) in [
            ("0,4k3/8/8/8/8/8/4P3/4K3 w - -,3,0", "half points"),
            ("0,4k3/8/8/8/8/8/4P3/8 w - -,1,0", "White has no king"),
            ("0,4k3/8/8/8/8/8/4P3/4K3 w - -,1", "fields"),
            ("0,4k3/8/8/8/8/8/4P3/4K3 w - -,1,x", "invalid digit"),
        ] {
            let (number, reason) = read(format!("{first_lines}{line}\n").as_bytes(), 0, &mut Vec::new()).unwrap_err();
            assert_eq!(number, 3, "{reason}");
            assert!(reason.contains(said), "{reason}");
        }
    }
}
