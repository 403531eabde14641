//! `lmrlab perft`: counts the leaves of game trees.

use clap::Args;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::perft::divide;
use lmrlab_engine::position::Position;

use crate::frame::Frame;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::epd;

/// The greatest depth, in plies. No machine can count that far.
const MAX_DEPTH: i64 = 20;

/// Count the leaves of a game tree, by first move.
///
/// Examples:
///   lmrlab perft 5
///   lmrlab perft 4 --fen "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    depth: u32,
    /// The position [default: the initial position].
    #[arg(long)]
    fen: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let position = match &arguments.fen {
        None => Position::initial(),
        Some(fen) => epd::read_position(fen).map_err(|error| Failure::input(format!("--fen: {error}"), ""))?,
    };
    let mut total = u64::from(arguments.depth == 0);
    for (mv, nodes) in divide(&position, arguments.depth) {
        let board = position.board();
        frame.print(&format!("{}: {nodes}\n", ChessVariant::of(board).uci_move(board, mv)));
        total += nodes;
    }
    frame.print(&format!("total: {total}\n"));
    Ok(())
}
