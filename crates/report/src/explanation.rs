//! The page of an explained position: the board, and for each move its reduction and the rules that made it.

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Move};
use lmrlab_engine::chess_variant::ChessVariant;
use maud::html;

use crate::board::{Arrow, Diagram};
use crate::chart::axis::Axis;
use crate::chart::{Bar, Chart, Layer, Picture};
use crate::page::{Page, Section};
use crate::table::{Column, Table, in_plies, printable};

/// A position and its moves, as the search explained them.
pub struct Explanation {
    /// The position.
    pub board: Board,
    /// The best move; `None` when there is no legal one.
    pub best: Option<Move>,
    /// Its score.
    pub score: String,
    /// Nodes of the search.
    pub nodes: u64,
    /// The moves in the order of the search.
    pub moves: Vec<ExplainedMove>,
    /// Why the depths of the searches differ.
    pub about_depths: String,
}

/// A move, as the search explained it.
pub struct ExplainedMove {
    /// The move.
    pub mv: Move,
    /// Its number in the order of the search, from 1.
    pub number: u32,
    /// Plies by which it was reduced; negative when it was extended.
    pub reduction: i32,
    /// Its searches in words.
    pub searches: String,
    /// How the policy computed the reduction.
    pub why: String,
    /// The facts that the policy reads.
    pub facts: String,
}

/// The page. `policy` and `preset` are their names; `depth` is the depth of the search, in plies.
pub fn page(explanation: &Explanation, policy: &str, preset: &str, depth: u32) -> Page {
    let board = &explanation.board;
    let san = |explained: &ExplainedMove| display_san_move(board, explained.mv).to_string();
    let best = explanation.best;
    let mut arrows = Vec::new();
    arrows.extend(best.map(|mv| Arrow::of(board, mv, 0, format!("{}: the best move", display_san_move(board, mv)))));
    let reduced = || explanation.moves.iter().filter(|explained| explained.reduction > 0);
    let most = reduced().max_by_key(|explained| explained.reduction);
    if let Some(most) = most.filter(|most| Some(most.mv) != best) {
        let meaning = format!("{}: reduced most, by {}", san(most), in_plies(most.reduction));
        arrows.push(Arrow::of(board, most.mv, 1, meaning));
    }
    let mut position = Section::new("position", "The position");
    position.draw(
        Diagram {
            id: "position".to_owned(),
            title: format!("What {policy} searches at depth {depth}"),
            position: board.clone(),
            arrows,
            below: board.side_to_move(),
        }
        .draw(),
    );
    position.add(html! { p { code { (ChessVariant::of(board).fen(board)) } } });
    let mut moves = Section::new("moves", "The moves, in the order of the last iteration");
    moves.draw(reductions(explanation, policy, &san));
    let columns = [
        Column::numbers("#").meaning("Number of the move in the order of the search"),
        Column::words("Move"),
        Column::numbers("R").meaning("Reduction in plies; below 0 the move was extended"),
        Column::words("Searches").meaning("Score for the side to move, and depth; `full` is the full window"),
        Column::words("Why").meaning("The value of `reduce`, and what each rule added"),
        Column::words("Facts").meaning("Those that the policy reads"),
    ];
    let mut table = Table::new(columns);
    for explained in &explanation.moves {
        table.push([
            explained.number.to_string(),
            san(explained),
            explained.reduction.to_string(),
            explained.searches.clone(),
            explained.why.clone(),
            explained.facts.clone(),
        ]);
    }
    moves.say(&explanation.about_depths);
    moves.add(table.markup());
    let best = explanation.best.map_or("no legal move".to_owned(), |best| {
        format!("best {}, {}", display_san_move(board, best), explanation.score)
    });
    let verdict = format!(
        "{policy} reduces {} of {} moves. The search: {best}, {} nodes.",
        reduced().count(),
        explanation.moves.len(),
        explanation.nodes
    );
    Page {
        title: format!("{policy}, explained"),
        subtitle: format!("preset {preset}, depth {depth}"),
        verdict: html! { p { (printable(&verdict)) } },
        sections: vec![position, moves],
        reload_seconds: None,
    }
}

/// The reduction of each move.
fn reductions(explanation: &Explanation, policy: &str, san: &dyn Fn(&ExplainedMove) -> String) -> Picture {
    let moves = &explanation.moves;
    let bars = |series: usize, wanted: fn(i32) -> bool| {
        let wanted = moves
            .iter()
            .enumerate()
            .filter(|(_, explained)| wanted(explained.reduction));
        let bars = wanted.map(|(index, explained)| Bar {
            x: (index as f64 + 0.6, index as f64 + 1.4),
            y: (0.0, f64::from(explained.reduction)),
            hover: format!("{}: {}", san(explained), explained.why.clone()),
            text: String::new(),
        });
        Layer::Bars(series, bars.collect())
    };
    let plies = moves.iter().map(|explained| f64::from(explained.reduction));
    let (least, most) = plies.fold((0.0, 1.0), |(least, most), plies| {
        (f64::min(least, plies), f64::max(most, plies))
    });
    let said: Vec<String> = moves
        .iter()
        .filter(|explained| explained.reduction != 0)
        .map(|explained| format!("{} {}", san(explained), explained.reduction))
        .collect();
    Chart {
        id: "reductions".to_owned(),
        title: format!("Reduction of each move by {policy}"),
        description: format!(
            "Moves with their reduction in plies: {}. The others are not reduced.",
            said.join(", ")
        ),
        x: Axis::exact("number of the move", (0.0, moves.len() as f64 + 1.0)),
        y: Axis::exact("plies", (least - 0.2, most + 0.4)),
        height: 170.0,
        legend: vec![(0, "reduced".to_owned()), (1, "extended".to_owned())],
        note: "Point at a bar for its move and its rules.".to_owned(),
        layers: vec![bars(0, |plies| plies > 0), bars(1, |plies| plies < 0)],
    }
    .draw()
}
