//! `lmrlab power`: predicts the error of a match.

use clap::Args;
use serde::Serialize;

use super::counts::{MOST_OUTCOMES, NoiseArgs, finite, json_number, list, print_json};
use crate::print::print_out;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::unsigned;
use lmrlab_runner::text_table::{Column, TextTable};
use lmrlab_stats::Elo;

/// Default pairs of the table.
const DEFAULT_PAIRS: [u64; 8] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000];

/// The matches to predict.
#[derive(Debug, Args)]
#[command(
    about = "Predict the error of a match",
    after_help = "\
Examples:
  lmrlab power --draws 0.6
  lmrlab power --draws 0.6 --pairs 500,2000
  lmrlab power --error 2 --pentanomial 365,16618,36229,16974,390

Errors are half-widths of 95% intervals."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    noise: NoiseArgs,
    /// Numbers of pairs, separated by commas [default: eight numbers from 100 to 50000]
    #[arg(long, value_name = "N,...", value_parser = list::<u64>, conflicts_with = "error")]
    pairs: Option<::std::vec::Vec<u64>>,
    /// Find the number of pairs that makes the error this small, in Elo
    #[arg(long, value_name = "ELO", value_parser = finite, allow_hyphen_values = true)]
    error: Option<f64>,
    /// True difference, in Elo
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, default_value_t = 0.0,
          value_parser = finite)]
    elo: f64,
    /// Print a JSON array instead of text
    #[arg(long)]
    json: bool,
}

/// A line of the table.
#[derive(Debug, Serialize)]
struct ErrorBar {
    pairs: u64,
    games: u64,
    #[serde(serialize_with = "json_number")]
    elo_error_95: f64,
    #[serde(serialize_with = "json_number")]
    nelo_error_95: f64,
}

/// Runs the command.
///
/// # Errors
/// When an option is wrong, or no number of games is enough.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let variance = arguments.noise.variance()?;
    let elo = Elo(arguments.elo);
    let pairs = match (arguments.error, &arguments.pairs) {
        (Some(error), _) => {
            let games = variance.games_for(Elo(error), elo).ok_or_else(|| {
                Failure::input(
                    format!("no match is long enough for an error of {error} Elo"),
                    "the error must be positive, as in `--error 2`",
                )
            })?;
            vec![games.div_ceil(2)]
        }
        (None, Some(pairs)) => {
            if let Some(wrong) = pairs.iter().find(|pairs| !(1..=MOST_OUTCOMES).contains(*pairs)) {
                return Err(Failure::input(
                    format!("--pairs must be from 1 to {MOST_OUTCOMES}, not {wrong}"),
                    "",
                ));
            }
            pairs.clone()
        }
        (None, None) => DEFAULT_PAIRS.to_vec(),
    };
    let bars: Vec<ErrorBar> = pairs
        .into_iter()
        .map(|pairs| {
            let games = 2 * pairs;
            let (logistic, normalized) = variance.error_95(games, elo);
            ErrorBar {
                pairs,
                games,
                elo_error_95: logistic.0,
                nelo_error_95: normalized.0,
            }
        })
        .collect();
    if arguments.json {
        return print_json(&bars);
    }
    let mut table = TextTable::of([
        Column::numbers("pairs").at_least(9),
        Column::numbers("games").at_least(9),
        Column::numbers("± Elo (95%)"),
        Column::numbers("± nElo (95%)"),
    ]);
    for bar in &bars {
        table.push([
            bar.pairs.to_string(),
            bar.games.to_string(),
            unsigned(Some(bar.elo_error_95), 2),
            unsigned(Some(bar.nelo_error_95), 2),
        ]);
    }
    print_out(&table.to_string());
    Ok(())
}
