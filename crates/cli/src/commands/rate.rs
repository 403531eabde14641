//! `lmrlab rate`: ratings of the players of PGN files.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::frame::{Found, Frame, print_err, print_warnings};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::number_text::counted;
use lmrlab_results::text_file;
use lmrlab_results::visible::visible;
use lmrlab_runner::rating::collector::{Collector, source_name};
use lmrlab_runner::rating::outcome::RatingTables;
use lmrlab_stats::ratings::{Anchor, MOST_PLAYERS, Ratings};

/// The greatest rating of an anchor, above or below 0. Several anchors far from each other leave nothing to fit.
const MAX_ELO: f64 = 5_000.0;

/// Rate the players of PGN files or of runs.
///
/// Examples:
///   lmrlab rate results/quickstart
///   lmrlab rate *.pgn --out results/ratings --anchor "Engine 1.0=3000"
///   zstdcat games.pgn.zst | lmrlab rate -
///
/// Ratings are maximum likelihood estimates (Bradley-Terry; a draw is half a win), on the scale where 400 Elo are odds
/// of ten to one. White's advantage and the draw rate are fitted too, as Ordo does with -W -D. Errors are half-widths
/// of 95% intervals, relative to the mean of all players or to the anchors. They are clustered by opening: all games
/// from one FEN, of all players, are one observation. A player who won or lost all games has no finite rating: `-`, in
/// CSV an empty cell.
///
/// --out DIR gets ratings.csv, fitted.csv and, of up to 200 players, los.csv with every two of them.
///
/// One --anchor shifts all ratings. Several keep their ratings, and the other players are fitted to them, as Ordo does
/// with -m; their errors are relative to the anchors. (Bayeselo shifts by one player only.)
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// PGN files, or results folders of runs; `-` is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    /// Fix the rating of a player; may be repeated [default: the mean of all players is 0]
    #[arg(long, value_name = "NAME=ELO", value_parser = OsStringValueParser::new().try_map(|text| name_and_elo(&text)))]
    anchor: Vec<(String, f64)>,
}

/// Reads `NAME=ELO`. The name may be in the encoding of the files.
fn name_and_elo(text: &OsStr) -> Result<(String, f64), String> {
    text_file::decoded(text.as_encoded_bytes())
        .rsplit_once('=')
        .and_then(|(name, elo)| Some((name.trim().to_owned(), elo.trim().parse::<f64>().ok()?)))
        .filter(|(_, elo)| elo.abs() <= MAX_ELO)
        .ok_or_else(|| format!("expected a name and a number up to {MAX_ELO}, as in `Engine 1.0=3000`"))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("rate", || rate(arguments))
}

fn rate(arguments: &Arguments) -> Result<Found, Failure> {
    let (collected, warnings) = Collector::of_files(&arguments.files)?;
    warnings.iter().for_each(print_warnings);
    for warning in collected.report.warnings() {
        print_err(&format!("warning: {warning}"));
    }
    if collected.report.games == 0 {
        let files: Vec<String> = arguments.files.iter().map(|file| source_name(file)).collect();
        return Err(Failure::input(
            format!("no finished game between two players in {}", files.join(", ")),
            "the files must be PGN with the tags White, Black and Result",
        ));
    }
    let players = collected.names.len();
    if players > MOST_PLAYERS {
        return Err(Failure::input(
            format!("too many players to rate: {players}, and at most {MOST_PLAYERS} are possible"),
            "rate fewer files at once, or use Ordo, which is made for large pools",
        ));
    }
    let mut anchors: Vec<Anchor> = Vec::new();
    for (name, elo) in &arguments.anchor {
        let player = collected.number(name).ok_or_else(|| {
            Failure::input(
                format!("--anchor: no player is called `{name}`"),
                "write the name as in the White and Black tags",
            )
        })?;
        if anchors.iter().any(|anchor| anchor.player == player) {
            return Err(Failure::input(
                format!("--anchor: `{name}` is given twice"),
                "a player has one rating",
            ));
        }
        anchors.push(Anchor { player, elo: *elo });
    }
    let ratings = Ratings::of(&collected.games, &anchors);
    if let Some(anchor) = anchors.iter().find(|anchor| !ratings.is_anchored(**anchor)) {
        return Err(Failure::input(
            format!(
                "--anchor: `{}` has no finite rating among the players of its pool",
                collected.names[anchor.player]
            ),
            "the anchor must neither win nor lose all of its games against the others",
        ));
    }
    let fixed: Vec<String> = (arguments.anchor.iter())
        .map(|(name, elo)| format!("{name} is fixed at {elo}"))
        .collect();
    let scale = match fixed.is_empty() {
        true => "the mean is 0".to_owned(),
        false => visible(&fixed.join(", ")).into_owned(),
    };
    let games = counted(collected.report.games, "game");
    let conditions = format!("{games} of {}; {scale}", counted(players as u64, "player"));
    Ok(RatingTables::of(&ratings, &collected.names).outcome(&conditions).into())
}
