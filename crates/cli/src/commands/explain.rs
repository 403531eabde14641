//! `lmrlab explain`: what a policy does to the moves of one position.

use std::path::PathBuf;

use clap::Args;
use cozy_chess::util::display_san_move;
use lmrlab_engine::position::Position;
use lmrlab_policy::reference::PolicyReference;

use super::lab_options::policy_in_preset;
use crate::output_files::refuse_existing;
use crate::pages;
use crate::print::print_out;
use lmrlab_lab::explanation::explain;
use lmrlab_report::explanation::{self, ExplainedMove, Explanation};
use lmrlab_results::failure::Failure;
use lmrlab_runner::epd;

/// Show what a policy does to each move of a position, and how its searches went.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab explain --policy rebel-starter --depth 8 \"r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9\"

The moves are in the order of the last iteration. R is the reduction in plies. Each search is shown with its score for the \
side to move and its depth; `full` marks a search with the full window. `why` shows the value of `reduce` and what each rule \
added. The facts are those that the policy reads: booleans that hold, and numbers.")]
pub(crate) struct Arguments {
    /// The position: a FEN, or `startpos`
    fen: String,
    /// The policy: a name in configs/policies or a file, with overrides after `@`
    #[arg(long)]
    policy: PolicyReference,
    /// Depth of the search, in plies
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// The search around the policy: a name in configs/engines or a file
    #[arg(long, default_value = "standard")]
    preset: String,
    /// Write a page with the board, and under it each move with its reduction and the rules that made it
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the pictures of that page as SVG files into this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Overwrite a page that exists
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    refuse_existing(&arguments.report, arguments.force)?;
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
    let (name, policy, preset) = policy_in_preset(&arguments.policy, &arguments.preset)?;
    if policy.never_reduces() {
        print_out(&format!("{name} never reduces anything\n"));
        return Ok(());
    }
    let explanation = explain(&position, &preset, &policy, arguments.depth);
    if arguments.report.is_some() || arguments.svg.is_some() {
        let moves = explanation.moves.iter().map(|explained| ExplainedMove {
            mv: explained.mv,
            number: explained.number,
            reduction: explained.reduction,
            searches: explained.searches(),
            why: explained.why(),
            facts: explained.facts.join(", "),
        });
        let explained = Explanation {
            board: explanation.board.clone(),
            best: explanation.report.best,
            score: explanation.score(),
            nodes: explanation.report.nodes,
            moves: moves.collect(),
            about_depths: explanation.about_depths(),
        };
        let page = explanation::page(&explained, &name, &arguments.preset, arguments.depth);
        if let Some(file) = &arguments.report {
            pages::write(&page, file)?;
        }
        if let Some(folder) = &arguments.svg {
            pages::write_pictures(&page, folder)?;
        }
    }
    let report = &explanation.report;
    let best = match report.best {
        Some(mv) => format!(
            "best {}, {}",
            display_san_move(position.board(), mv),
            explanation.score()
        ),
        None => "no legal move".to_owned(),
    };
    print_out(&format!(
        "{name}, {} at depth {}: {best}, {} nodes\n{}\n\n{explanation}",
        arguments.preset,
        arguments.depth,
        report.nodes,
        explanation.about_depths()
    ));
    Ok(())
}
