//! `lmrlab explain`: what a policy does to the moves of one position.

use clap::Args;
use lmrlab_engine::position::Position;
use lmrlab_policy::reference::PolicyReference;

use super::shared::lab_options::variant;
use crate::frame::Frame;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::explanation::ExplanationTables;
use lmrlab_results::epd;

/// Show what a policy does to each move of a position, and how its searches went.
///
/// Example:
///   lmrlab explain --policy rebel-starter --depth 8 "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9"
///
/// The moves are in the order of the last iteration. R is the reduction in plies. Each search is shown with its score
/// for the side to move and its depth; `full` marks a search with the full window. `why` shows the value of `reduce`
/// and what each rule added. The facts are those that the policy reads: booleans that hold, and numbers.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The position: a FEN, or `startpos`
    fen: String,
    /// The policy: a name in configs/policies or a file, with overrides after `@`
    #[arg(long)]
    policy: PolicyReference,
    /// Depth of the search, in plies
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("explain", || {
        let position = if arguments.fen == "startpos" {
            Position::initial()
        } else {
            epd::read_position(&arguments.fen).map_err(|error| {
                Failure::input(
                    format!("`{}`: {error}", arguments.fen),
                    "name a FEN or an EPD in quotes, or `startpos`",
                )
            })?
        };
        let variant = variant(&frame.options, &arguments.policy)?;
        let conditions = format!("preset {}, depth {}", frame.options.preset(), arguments.depth);
        let tables = ExplanationTables::of(&variant, &position, arguments.depth);
        Ok(tables.outcome(&conditions).into())
    })
}
