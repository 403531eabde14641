//! Positions whose moves are judged: what deep searches say that moves are worth.

use cozy_chess::Move;
use cozy_chess::util::display_san_move;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_engine::position::Position;

use crate::positions::{LabPosition, PositionSet};
use lmrlab_runner::epd::{Errors, epd};
use lmrlab_runner::san::read_move;

/// Scores beyond this, in centipawns, count as this: mates, too.
pub const MOST_CENTIPAWNS: i32 = 10_000;

/// A position with the scores of some of its moves, each by a search of its own.
#[derive(Debug, Clone)]
pub struct JudgedPosition {
    /// Its `id`, or `#` and its number.
    pub name: String,
    /// The position.
    pub position: Position,
    /// Nodes of each search.
    pub nodes: u64,
    /// Moves with their scores in centipawns for the side to move, the best first; at least one.
    scores: Vec<(Move, i32)>,
}

impl JudgedPosition {
    /// A position with scores in any order; `None` without any.
    pub fn new(name: String, position: Position, nodes: u64, mut scores: Vec<(Move, i32)>) -> Option<Self> {
        scores.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        (!scores.is_empty()).then_some(Self {
            name,
            position,
            nodes,
            scores,
        })
    }

    /// The score of a move in centipawns; `None` when it was not judged.
    pub fn score(&self, mv: Move) -> Option<i32> {
        let mut scores = self.scores.iter();
        scores.find_map(|(known, score)| (*known == mv).then_some(*score))
    }

    /// The score of the best move, in centipawns.
    pub fn best_score(&self) -> i32 {
        self.scores.first().map_or(0, |(_, score)| *score)
    }

    /// As a line of an EPD file: `acn` has the nodes of each search, `judged` the moves with their scores.
    pub fn epd(&self) -> String {
        let board = self.position.board();
        let scores: Vec<String> = (self.scores.iter())
            .map(|(mv, score)| format!("{} {score}", display_san_move(board, *mv)))
            .collect();
        format!(
            "{} acn {}; id \"{}\"; judged \"{}\";",
            epd(&self.position),
            self.nodes,
            self.name,
            scores.join(", ")
        )
    }
}

/// The judged positions of a file.
///
/// # Errors
/// For every line without `acn` and `judged`, or with wrong ones, with its place.
pub fn judged(set: &PositionSet) -> Result<Vec<JudgedPosition>, Diagnostics> {
    let mut found = Vec::with_capacity(set.positions.len());
    let mut errors = Errors::new("this line is not a judged position");
    for position in &set.positions {
        match read(position) {
            Ok(judged) => found.push(judged),
            Err(reason) => errors.push(position.place.clone(), reason),
        }
    }
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(errors.finish(set.source.clone(), "lines that are not judged positions"))
    }
}

fn read(position: &LabPosition) -> Result<JudgedPosition, String> {
    let scores = position
        .operation("judged")
        .ok_or("it has no scores: `judged \"Nf3 12, e4 7\";` is needed")?;
    let nodes = position
        .operation("acn")
        .ok_or("it does not say the nodes of the searches: `acn 100000;` is needed")?;
    let nodes = (nodes.parse().ok())
        .filter(|nodes| *nodes > 0)
        .ok_or_else(|| format!("`{nodes}` in `acn` is no number of nodes"))?;
    let board = position.position.board();
    let score = |item: &str| {
        let (mv, score) = (item.trim().split_once(' ')).ok_or_else(|| format!("`{}` has no score", item.trim()))?;
        let mv = read_move(board, mv)?;
        let centipawns = (score.trim().parse().ok())
            .filter(|score| (-MOST_CENTIPAWNS..=MOST_CENTIPAWNS).contains(score))
            .ok_or_else(|| {
                format!(
                    "`{}` is no number from -{MOST_CENTIPAWNS} to {MOST_CENTIPAWNS}",
                    score.trim()
                )
            })?;
        Ok((mv, centipawns))
    };
    let scores: Vec<(Move, i32)> = scores.split(',').map(score).collect::<Result<_, String>>()?;
    if let Some(twice) = (1..scores.len()).find(|&at| scores[..at].iter().any(|(mv, _)| *mv == scores[at].0)) {
        let name = display_san_move(board, scores[twice].0);
        return Err(format!("`{name}` is judged twice"));
    }
    JudgedPosition::new(position.name.clone(), position.position.clone(), nodes, scores)
        .ok_or_else(|| "no move is judged".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parse(text: &str) -> Result<Vec<JudgedPosition>, Diagnostics> {
        judged(&PositionSet::parse(Source::new("judged.epd", text))?.0)
    }

    #[test]
    fn a_line_is_the_same_again() {
        let line = format!("{START} acn 5000; id \"judged.0001\"; judged \"e4 25, Nf3 25, a3 -10\";");
        let positions = parse(&line).unwrap();
        let [position] = &positions[..] else {
            panic!("one position")
        };
        assert_eq!(position.epd(), line);
        assert_eq!((position.best_score(), position.nodes), (25, 5_000));
        assert_eq!(position.score("a2a3".parse().unwrap()), Some(-10));
        assert_eq!(position.score("h2h3".parse().unwrap()), None);
        assert_eq!(parse(&position.epd()).unwrap()[0].epd(), line);
    }

    /// Every move of the shipped file was judged by as many nodes, and no position comes twice.
    #[test]
    fn the_shipped_file_is_one() {
        let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/judged.epd"));
        let (set, warnings) = PositionSet::load(path).unwrap();
        let positions = judged(&set).unwrap();
        assert_eq!((positions.len(), warnings.list.len()), (1_000, 0));
        assert!(positions.iter().all(|position| position.nodes == 100_000));
        assert!(positions.iter().any(|position| position.scores.len() > 5));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (rest, complaint) in [
            ("acn 5;", "it has no scores"),
            ("judged \"e4 3\";", "does not say the nodes"),
            ("acn 0; judged \"e4 3\";", "is no number of nodes"),
            ("acn 5; judged \"e5 3\";", "`e5` is not a legal move here"),
            ("acn 5; judged \"e4\";", "`e4` has no score"),
            ("acn 5; judged \"e4 99999\";", "`99999` is no number"),
            ("acn 5; judged \"e4 1, e2e4 2\";", "`e4` is judged twice"),
        ] {
            let said = parse(&format!("{START} {rest}\n")).unwrap_err().to_string();
            assert!(said.contains(complaint), "{said}");
        }
    }
}
