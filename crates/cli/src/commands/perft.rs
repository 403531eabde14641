//! `lmrlab perft`: counts the leaves of game trees.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::Source;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::perft::divide;
use lmrlab_engine::position::Position;
use rayon::prelude::*;

use crate::print::print_out;
use lmrlab_lab::perft_suite::{self, MAX_DEPTH};
use lmrlab_results::failure::Failure;
use lmrlab_runner::epd;

/// Count the leaves of a game tree, by first move, or check a perft suite.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lmrlab perft 5\n  lmrlab perft 4 --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"\n  lmrlab perft --epd suite.epd --max-nodes 5000000"
)]
pub(crate) struct Arguments {
    /// Depth in plies.
    #[arg(required_unless_present = "epd", conflicts_with = "epd", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// The position [default: the initial position].
    #[arg(long, conflicts_with = "epd")]
    fen: Option<String>,
    /// A suite with lines such as `FEN ;D1 20 ;D2 400`.
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,
    /// Skip counts of a suite that are greater than this.
    #[arg(long, value_name = "N", requires = "epd")]
    max_nodes: Option<u64>,
}

/// Runs the command.
///
/// # Errors
/// On a wrong FEN or suite file, when a count of a suite is not met, and when none was checked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.epd {
        Some(file) => check_suite(file, arguments.max_nodes.unwrap_or(u64::MAX)),
        None => count(arguments.fen.as_deref(), arguments.depth.unwrap_or(1)),
    }
}

fn count(fen: Option<&str>, depth: u32) -> Result<(), Failure> {
    let position = match fen {
        None => Position::initial(),
        Some(fen) => epd::read_position(fen).map_err(|error| Failure::input(format!("--fen: {error}"), ""))?,
    };
    let mut total = u64::from(depth == 0);
    for (mv, nodes) in divide(&position, depth) {
        let board = position.board();
        print_out(&format!("{}: {nodes}\n", ChessVariant::of(board).uci_move(board, mv)));
        total += nodes;
    }
    print_out(&format!("total: {total}\n"));
    Ok(())
}

fn check_suite(file: &Path, max_nodes: u64) -> Result<(), Failure> {
    let bytes = epd::read_file(file, "perft suite")?;
    let source = Source::new(file.display().to_string(), String::from_utf8_lossy(&bytes));
    let cases = perft_suite::parse(source)?;
    let checked: Vec<_> = cases.par_iter().map(|case| case.check(max_nodes)).collect();
    let (mut passed, mut failed) = (0, 0);
    for (case, checks) in cases.iter().zip(&checked) {
        for check in checks {
            if check.counted == check.expected {
                passed += 1;
            } else {
                failed += 1;
                print_out(&format!(
                    "{}:{}: depth {}: counted {}, expected {}: {}\n",
                    file.display(),
                    case.line,
                    check.depth,
                    check.counted,
                    check.expected,
                    case.position
                ));
            }
        }
    }
    let skipped = cases.iter().map(|case| case.counts.len()).sum::<usize>() - passed - failed;
    let mut outcome = format!("{passed} passed, {failed} failed");
    if skipped > 0 {
        outcome += &format!(", {skipped} skipped");
    }
    print_out(&format!("{outcome}\n"));
    if passed + failed == 0 {
        return Err(Failure::run(format!(
            "nothing was checked: every count of the suite is greater than --max-nodes {max_nodes}"
        )));
    }
    if failed > 0 {
        return Err(Failure::run(format!("{failed} counts of the suite do not match")));
    }
    Ok(())
}
