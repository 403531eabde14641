//! Test positions: a position, with its best moves, the moves to avoid, and the points of moves.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, section 16.2; the points
//! in `c0` are those of the Strategic Test Suite (Corbit, Swaminathan 2010).

use cozy_chess::{Board, Move};
use lmrlab_diagnostics::Diagnostics;
use lmrlab_engine::position::Position;

use crate::notation::uci;
use crate::positions::{LabPosition, PositionSet};
use lmrlab_results::epd::{self, Operation};
use lmrlab_results::san::read_move;

/// The greatest number of points that a move can have.
const MAX_POINTS: u32 = 1_000_000;

/// A position with a question.
#[derive(Debug, Clone)]
pub struct TestPosition {
    /// The operation `id` of its line, or `#` and its number.
    pub id: String,
    /// The position.
    pub position: Position,
    /// The moves of which one has to be found (`bm`); any move when there are none.
    best: Vec<Move>,
    /// Moves that are not to be chosen (`am`).
    avoided: Vec<Move>,
    /// Points of moves (`c0 "Nf3=10, e4=7"`); all others have none.
    points: Vec<(Move, u32)>,
}

impl TestPosition {
    /// Whether a move answers the question: it is one of `bm`, and none of `am`. When the position has neither, a move
    /// with the most points is right.
    pub fn is_right(&self, mv: Move) -> bool {
        if self.best.is_empty() && self.avoided.is_empty() {
            return self.points_of(mv) == self.most_points();
        }
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoided.contains(&mv)
    }

    /// Points of a move; `None` when the position has none to give.
    pub fn points_of(&self, mv: Move) -> Option<u32> {
        let of_move = self.points.iter().find(|(known, _)| *known == mv);
        (!self.points.is_empty()).then(|| of_move.map_or(0, |(_, points)| *points))
    }

    /// Points of the best move; `None` when the position has none to give.
    pub fn most_points(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    /// Moves as UCI writes them, with spaces between them.
    pub fn uci(&self, moves: &[Move]) -> String {
        let words = moves.iter().map(|mv| uci(&self.position, *mv));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The moves that are asked for: the best moves, or those with the most points when no others are named.
    pub fn wanted(&self) -> Vec<Move> {
        if !self.best.is_empty() || !self.avoided.is_empty() {
            return self.best.clone();
        }
        let most = (self.points.iter()).filter(|(_, points)| Some(*points) == self.most_points());
        most.map(|(mv, _)| *mv).collect()
    }

    /// The moves that are wrong.
    pub fn avoided(&self) -> &[Move] {
        &self.avoided
    }
}

/// The questions of a set of positions. Operations that say nothing about moves are skipped; moves are written in SAN or as
/// UCI has them.
///
/// # Errors
/// For every position without a question, or with a move that is not legal, with its place.
pub fn questions(set: &PositionSet) -> Result<Vec<TestPosition>, Diagnostics> {
    let read = set.positions.iter();
    let read = read.map(|position| (position.place.clone(), question(position)));
    let (message, more) = ("this line is not a test position", "lines that are not test positions");
    epd::all(&set.source, read, message, more)
}

fn question(position: &LabPosition) -> Result<TestPosition, String> {
    let board = position.position.board();
    let mut test = TestPosition {
        id: position.name.clone(),
        position: position.position.clone(),
        best: Vec::new(),
        avoided: Vec::new(),
        points: Vec::new(),
    };
    for Operation { code, operands } in &position.operations {
        match code.as_str() {
            "bm" => test.best.extend(moves(board, operands)?),
            "am" => test.avoided.extend(moves(board, operands)?),
            "c0" => test.points = points(board, operands)?,
            _ => {}
        }
    }
    if test.best.is_empty() && test.avoided.is_empty() && test.points.is_empty() {
        return Err("it asks for no move: `bm`, `am` or points in `c0` are needed".to_owned());
    }
    Ok(test)
}

fn moves(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let moves: Vec<Move> = text
        .split([' ', ',', '\t'])
        .filter(|word| !word.is_empty())
        .map(|word| read_move(board, word))
        .collect::<Result<_, _>>()?;
    if moves.is_empty() {
        return Err("a move is missing here".to_owned());
    }
    Ok(moves)
}

/// Points such as `Nf3=10, e4=7`; none when the text is a comment of another kind. The `=` of a promotion is not such a sign.
fn points(board: &Board, text: &str) -> Result<Vec<(Move, u32)>, String> {
    let items: Option<Vec<(&str, &str)>> = text
        .split(',')
        .map(|item| {
            let (mv, points) = item.trim().rsplit_once('=')?;
            let digits = points.trim();
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then_some((mv.trim(), digits))
        })
        .collect();
    items
        .unwrap_or_default()
        .into_iter()
        .map(|(word, digits)| {
            let mv = read_move(board, word)?;
            let points = digits.parse().ok().filter(|points| *points <= MAX_POINTS);
            let points = points.ok_or_else(|| format!("more than {MAX_POINTS} points: `{digits}`"))?;
            Ok((mv, points))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;
    use proptest::prelude::*;

    fn parse(text: impl Into<std::sync::Arc<str>>) -> Result<Vec<TestPosition>, Diagnostics> {
        questions(&PositionSet::parse(Source::new("suite.epd", text))?.0)
    }

    fn read(text: &str) -> Vec<TestPosition> {
        parse(text).unwrap()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn moves_to_find_and_to_avoid() {
        let tests = read(&format!(
            "# comment\n{START} bm Nf3 e2e4; id \"one; two\";\n\n  {START} 0 1 am f3 g4;\n{START} bm e4; am d4\n"
        ));
        assert_eq!(tests[0].id, "one; two");
        assert_eq!(tests[1].id, "#2");
        let right = |test: &TestPosition, word: &str| test.is_right(read_move(test.position.board(), word).unwrap());
        assert!(right(&tests[0], "e4") && right(&tests[0], "g1f3") && !right(&tests[0], "d4"));
        assert!(right(&tests[1], "e4") && !right(&tests[1], "g4"));
        assert!(right(&tests[2], "e4") && !right(&tests[2], "d4") && !right(&tests[2], "c4"));
        assert_eq!(tests[0].points_of(tests[0].wanted()[0]), None);
    }

    #[test]
    fn files_have_what_is_asked_for_as_uci_writes_it() {
        let tests = read(&format!(
            "{START} bm g1f3 e4;\n{START} am f3;\n{START} bm e4; am d4\n{START} c0 \"c4=3, b3=3, a3=1\"\n"
        ));
        let in_uci = tests
            .iter()
            .map(|test| (test.uci(&test.wanted()), test.uci(test.avoided())));
        let expected = [("g1f3 e2e4", ""), ("", "f2f3"), ("e2e4", "d2d4"), ("c2c4 b2b3", "")];
        assert_eq!(
            in_uci.collect::<Vec<_>>(),
            expected.map(|(wanted, avoided)| (wanted.to_owned(), avoided.to_owned()))
        );
        let castles = read("4k3/8/8/8/8/8/8/4K2R w K - bm O-O\n4k3/8/8/8/8/8/8/2K2R2 w F - bm O-O\n");
        assert_eq!(
            [0, 1].map(|test| castles[test].uci(&castles[test].wanted())),
            ["e1g1", "c1f1"]
        );
    }

    #[test]
    fn graded_moves() {
        let tests = read(&format!(
            "{START} bm e4; c0 \"e4=10, Nf3=7, d2d4=6\";\n{START} c0 \"c4=3, b3=3\"\n{START} bm e4; c0 \"a comment, e4=\"\n\
             4k3/P7/8/8/8/8/8/4K3 w - - c0 \"a8=Q=10, a8=R=9\"; bm a8=Q+!"
        ));
        let of = |test: &TestPosition, word: &str| test.points_of(read_move(test.position.board(), word).unwrap());
        assert_eq!(of(&tests[0], "Nf3"), Some(7));
        assert_eq!(of(&tests[0], "a3"), Some(0));
        assert_eq!(tests[0].most_points(), Some(10));
        let b3 = read_move(tests[1].position.board(), "b3").unwrap();
        assert!(tests[1].is_right(b3));
        assert_eq!(tests[2].most_points(), None);
        assert_eq!((of(&tests[3], "a8=Q"), of(&tests[3], "a7a8r")), (Some(10), Some(9)));
    }

    #[test]
    fn wrong_lines_are_named() {
        let text =
            format!("{START} bm Ke3; id \"x\";\n{START} id \"nothing asked\";\n{START} c0 \"Ke3=5\"\n{START} bm ;\n");
        insta::assert_snapshot!(parse(text).unwrap_err());
        let many = format!("{START} bm Ke3\n").repeat(30);
        let errors = parse(many).unwrap_err();
        assert_eq!(errors.list.len(), lmrlab_results::line_errors::SHOWN_ERRORS + 1);
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(text in "[ -~é;\"]{0,60}") {
            let _ = parse(format!("{START} {text}"));
            let _ = parse(text);
        }
    }
}
