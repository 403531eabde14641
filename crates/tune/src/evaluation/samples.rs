//! Training positions with the results of their games, and the CSV file that holds them.

use std::io::{Read, Write};
use std::path::Path;

use lmrlab_engine::position::Position;
use serde::{Deserialize, Serialize};

use lmrlab_runner::failure::Failure;
use lmrlab_runner::text_file::{TextReader, open_stream};

/// One line of a file of positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Number of the game, from 0. All positions of a game belong to the same set, training or validation.
    pub game: u64,
    /// The position: a FEN without its counters.
    pub epd: String,
    /// How the game ended for White, in half points: 0, 1 or 2.
    pub white_half_points: u8,
    /// The score of the search from White's point of view, in centipawns.
    pub white_score_cp: i32,
}

/// Writes positions as CSV, below a header if asked.
///
/// # Errors
/// When they cannot be written.
pub fn write(samples: &[Sample], header: bool, to: impl Write) -> csv::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(to);
    for sample in samples {
        writer.serialize(sample)?;
    }
    writer.flush()?;
    Ok(())
}

/// Reads a file of positions.
///
/// # Errors
/// When it cannot be read, or a line is no position with a result; the message names the line.
pub fn load(path: &Path) -> Result<Vec<(Sample, Position)>, Failure> {
    let mut samples = Vec::new();
    for_each(path, |sample, position| samples.push((sample, position)))?;
    Ok(samples)
}

/// Hands the positions of a file over, one by one.
///
/// # Errors
/// As [`load`].
pub fn for_each(path: &Path, hand_over: impl FnMut(Sample, Position)) -> Result<(), Failure> {
    let file = open_stream(path).map_err(|error| {
        Failure::input(
            format!("cannot read the positions `{}`: {error}", path.display()),
            "make such a file with `lmrlab tune eval generate`",
        )
    })?;
    read(TextReader::new(std::io::BufReader::new(file)), hand_over).map_err(|(line, reason)| {
        Failure::input(
            format!("line {line} of `{}`: {reason}", path.display()),
            "it should have the columns game,epd,white_half_points,white_score_cp of `lmrlab tune eval generate`",
        )
    })
}

fn read(from: impl Read, mut hand_over: impl FnMut(Sample, Position)) -> Result<(), (u64, String)> {
    let mut reader = csv::Reader::from_reader(from);
    // Otherwise a failure here would look like the end of the file.
    reader.headers().map_err(|error| (1, error.to_string()))?;
    let mut line = 1;
    for record in reader.deserialize() {
        line += 1;
        let sample: Sample = record.map_err(|error| (line, error.to_string()))?;
        if sample.white_half_points > 2 {
            return Err((
                line,
                format!(
                    "a game is worth 0, 1 or 2 half points, not {}",
                    sample.white_half_points
                ),
            ));
        }
        let position = Position::from_fen(&sample.epd).map_err(|error| (line, error.to_string()))?;
        hand_over(sample, position);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let sample = Sample {
            game: 7,
            epd: "4k3/8/8/8/8/8/4P3/4K3 w - -".to_owned(),
            white_half_points: 2,
            white_score_cp: -31,
        };
        let mut bytes = Vec::new();
        write(std::slice::from_ref(&sample), true, &mut bytes).unwrap();
        let mut found = Vec::new();
        read(&*bytes, |sample, _| found.push(sample)).unwrap();
        assert_eq!(found, [sample]);
    }

    #[test]
    fn mistakes_name_their_line() {
        let head = "game,epd,white_half_points,white_score_cp\n0,4k3/8/8/8/8/8/4P3/4K3 w - -,1,0\n";
        for (line, said) in [
            ("0,4k3/8/8/8/8/8/4P3/4K3 w - -,3,0", "half points"),
            ("0,4k3/8/8/8/8/8/4P3/8 w - -,1,0", "White has no king"),
            ("0,4k3/8/8/8/8/8/4P3/4K3 w - -,1", "fields"),
            ("0,4k3/8/8/8/8/8/4P3/4K3 w - -,1,x", "invalid digit"),
        ] {
            let (number, reason) = read(format!("{head}{line}\n").as_bytes(), |_, _| ()).unwrap_err();
            assert_eq!(number, 3, "{reason}");
            assert!(reason.contains(said), "{reason}");
        }
    }
}
