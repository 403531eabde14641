//! Games as PGN: the tags, the position at the beginning, and each move with its player's score and depth.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, export format.

use std::fmt::Write as _;

use cozy_chess::Color;
use lmrlab_engine::chess_variant::ChessVariant;

use crate::tournament::description::{Conditions, Description};
use crate::tournament::pgn_style::PgnStyle;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::fixed::Fixed;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::written_score::WrittenScore;

/// The longest line of moves, in characters.
const LINE_LENGTH: usize = 79;

/// Most games with comments are no longer than this, in bytes.
const TEXT_LENGTH: usize = 1 << 13;

/// Writes the games of a tournament as PGN, with what the journal does not say.
#[derive(Debug, Clone)]
pub struct PgnWriter {
    /// The name of the tournament.
    event: String,
    /// The date of the run, as `YYYY.MM.DD`.
    date: String,
    /// The engines with their time controls; `None` where time does not count.
    time_controls: Vec<(String, Option<String>)>,
    /// The time control of other engines.
    usual_control: Option<String>,
    variant: ChessVariant,
    /// How much the comment behind each move contains.
    style: PgnStyle,
}

impl PgnWriter {
    /// For a tournament of engines with these names. Where it wants no PGN, games are written in full.
    pub fn new(description: &Description, names: &[String], manifest: &Manifest) -> Self {
        let control = |engine| description.terms_of(engine).limit.pgn();
        Self {
            time_controls: names
                .iter()
                .enumerate()
                .map(|(engine, name)| (name.clone(), control(engine)))
                .collect(),
            ..Self::of(&description.name, &description.conditions, description.pgn, manifest)
        }
    }

    /// For a run of this name with engines that all play under its conditions.
    pub fn of(name: &str, conditions: &Conditions, style: PgnStyle, manifest: &Manifest) -> Self {
        Self {
            event: name.to_owned(),
            date: manifest.started.pgn_date(),
            time_controls: Vec::new(),
            usual_control: conditions.terms.limit.pgn(),
            variant: conditions.played_variant(),
            style: match style {
                PgnStyle::None => PgnStyle::Full,
                style => style,
            },
        }
    }

    /// A game, and an empty line after it.
    ///
    /// # Errors
    /// When it cannot be played through again.
    pub fn game(&self, row: &GameRow) -> Result<String, Failure> {
        let san = row.san().map_err(|error| Failure::encode("a game as PGN", &error))?;
        let mut text = String::with_capacity(TEXT_LENGTH);
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        tag("Event", &self.event);
        tag("Site", "?");
        tag("Date", &self.date);
        tag("Round", &format!("{}.{}", row.round, 2 - row.game % 2));
        tag("White", &row.player(Color::White));
        tag("Black", &row.player(Color::Black));
        tag("Result", row.result.pgn());
        tag("FEN", &row.fen);
        tag("PlyCount", &row.plies.to_string());
        tag("SetUp", "1");
        tag("Termination", row.termination.pgn());
        if self.variant == ChessVariant::Chess960 {
            tag("Variant", "Chess960");
        }
        match [self.time_control(&row.white), self.time_control(&row.black)] {
            [Some(white), Some(black)] if white == black => tag("TimeControl", white),
            controls => {
                for (name, control) in ["WhiteTimeControl", "BlackTimeControl"].iter().zip(controls) {
                    if let Some(control) = control {
                        tag(name, control);
                    }
                }
            }
        }
        text.push('\n');

        let mut words = Vec::new();
        let mut to_move = row.first_to_move();
        let mut number = row.first_move_number();
        let ending = row.termination.comment(row.last_to_move(), row.result);
        let mut commented = true;
        for (index, mv) in san.iter().enumerate() {
            match to_move {
                Color::White => words.push(format!("{number}.")),
                // At the beginning and after a comment the number is repeated.
                Color::Black if commented => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(mv.clone());
            let reported = (self.style == PgnStyle::Full).then(|| comment(row, index)).flatten();
            let ending = ending.clone().filter(|_| index + 1 == san.len());
            let comments: Vec<String> = reported.into_iter().chain(ending).collect();
            commented = !comments.is_empty();
            if commented {
                words.push(format!("{{{}}}", comments.join(", ")));
            }
            number += u64::from(to_move == Color::Black);
            to_move = !to_move;
        }
        if san.is_empty() {
            words.extend(ending.map(|ending| format!("{{{ending}}}")));
        }
        words.push(row.result.pgn().to_owned());
        let mut length = 0;
        for word in words {
            if length > 0 && length + 1 + word.len() > LINE_LENGTH {
                text.push('\n');
                length = 0;
            } else if length > 0 {
                text.push(' ');
                length += 1;
            }
            text.push_str(&word);
            length += word.len();
        }
        text.push_str("\n\n");
        Ok(text)
    }

    fn time_control(&self, engine: &str) -> Option<&str> {
        let of_engine = self.time_controls.iter().find(|(name, _)| name == engine);
        let control = of_engine.map_or(&self.usual_control, |(_, control)| control);
        control.as_deref()
    }
}

/// What the player of a move reported: score and depth, time where it counted, nodes.
fn comment(row: &GameRow, index: usize) -> Option<String> {
    let mut text = format!("{}/{}", pawns(*row.scores.0.get(index)?), row.depths.0.get(index)?);
    // Writing to a string cannot fail.
    if let Some(Fixed(Some(time))) = row.times_ms.0.get(index) {
        let _ = write!(text, " {:.3}s", time / 1_000.0);
    }
    if let Some(nodes) = row.nodes.0.get(index) {
        let _ = write!(text, ", n={nodes}");
    }
    Some(text)
}

/// A score as comments write it: pawns (`+0.31`), or moves to mate (`+M3`, `-M2`).
fn pawns(score: WrittenScore) -> String {
    match score {
        WrittenScore::Mate(moves) if moves > 0 => format!("+M{moves}"),
        WrittenScore::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
        WrittenScore::Unknown => "?".to_owned(),
        WrittenScore::Centipawns(0) => "0.00".to_owned(),
        WrittenScore::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Openings;
    use crate::record::game_rows::tests::game;
    use lmrlab_results::fixed::{Fixed, Spaced};
    use lmrlab_results::game_end::{GameResult, Termination};

    #[test]
    fn a_game_of_chess960_is_read_again_as_an_opening() {
        let fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBRN w GAgb - 0 1";
        let moves = "b2b3 e7e5 e2e4 f8b4 d2d4 e8e6 f2f4 d8g8 c1b2 d7d5 d1g4 e6e7 b1a1";
        let row = row(fen, moves);
        let writer = PgnWriter {
            event: "castling".to_owned(),
            date: "2026.11.21".to_owned(),
            time_controls: Vec::new(),
            usual_control: None,
            variant: ChessVariant::Chess960,
            style: PgnStyle::Compact,
        };
        let text = writer.game(&row).unwrap();
        assert!(
            text.contains("\n[SetUp \"1\"]\n") && text.contains("\n[Variant \"Chess960\"]\n"),
            "{text}"
        );
        assert!(text.contains(&format!("\n[FEN \"{fen}\"]\n")), "{text}");
        assert!(
            text.contains("\n1. b3 e5 2. e4 Bb4 3. d4 Qe6 4. f4 O-O 5. Bb2 d5 6. Qg4 Qe7 7. O-O-O\n"),
            "{text}"
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        std::fs::write(&file, text).unwrap();
        let (openings, variant, _) = Openings::load(&file, None, None).unwrap();
        assert_eq!(variant, ChessVariant::Chess960);
        let end = "nrb2rkn/ppp1qppp/8/3pp3/1b1PPPQ1/1P6/PBP3PP/2KRNBRN b - - 3 7";
        assert_eq!(openings.fen(0).unwrap(), end);
        assert_eq!(row.replay().unwrap().position().to_string(), end);
    }

    fn row(fen: &str, moves: &str) -> GameRow {
        GameRow {
            game: 4,
            round: 2,
            fen: fen.to_owned(),
            white: "a \"quoted\" name".to_owned(),
            black: "none".to_owned(),
            plies: 12,
            moves: Spaced(moves.split(' ').map(str::to_owned).collect()),
            scores: Spaced(
                [0, 31, -105, 7, -7, 12, 0, 0, 3, 400, -390]
                    .map(WrittenScore::Centipawns)
                    .into_iter()
                    .chain([WrittenScore::Mate(-2)])
                    .collect(),
            ),
            depths: Spaced((1..=12).collect()),
            nodes: Spaced((1..=12).map(|ply| ply * ply * ply).collect()),
            times_ms: Spaced((1..=12).map(|ply| Fixed(Some(f64::from(ply) * 7.5))).collect()),
            ..game(GameResult::WhiteWins, Termination::TimeForfeit)
        }
    }

    #[test]
    fn a_game() {
        let row = row(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 d2d3 f8c5 d3e4 c5f2 f1f2",
        );
        let mut writer = PgnWriter {
            event: "quickstart".to_owned(),
            date: "2026.11.21".to_owned(),
            time_controls: [&row.white, &row.black]
                .map(|name| (name.clone(), Some("10+0.1".to_owned())))
                .to_vec(),
            usual_control: None,
            variant: ChessVariant::Standard,
            style: PgnStyle::Full,
        };
        insta::assert_snapshot!(writer.game(&row).unwrap());
        writer.style = PgnStyle::Compact;
        let text = writer.game(&row).unwrap();
        assert!(
            text.ends_with(
                "\n1... e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Nxe4 5. d3 Bc5 6. dxe4 Bxf2+ 7. Rxf2\n{Black loses on time} 1-0\n\n"
            ),
            "{text}"
        );
    }
}
