//! `lmrlab show`: prints again what a command found.

use std::path::PathBuf;

use clap::Args;
use lmrlab_engine::chess_variant::ChessVariant;

use crate::frame::{Frame, print_warnings};
use crate::open_outcome::open;
use crate::progress;
use lmrlab_diagnostics::failure::{Failure, warning};
use lmrlab_results::folder::MANIFEST;
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::files::About;
use lmrlab_results::outcome::text;
use lmrlab_runner::conduct::event::Event;
use lmrlab_runner::outcome;
use lmrlab_runner::record::progress::Ended;
use lmrlab_runner::run::Run;
use lmrlab_tune::outcome::learning;
use lmrlab_tune::run::TuningRun;

/// What a user does with a part that is complete.
const PART_IS_PLAYED: &str = "The part is played. Put it together with the others: lmrlab merge PARTS --out DIR\n";

/// Print what a command found, or how a run stands.
///
/// Examples:
///   lmrlab show results/quickstart
///   lmrlab show results/quickstart --json
///   lmrlab show results/quickstart --game 12
///
/// A folder is that of a run, or what a command wrote with `--out`. Of a run it reads the manifest and the journal, of
/// a tuning run and a trial also tuning.csv. It changes nothing: the run may still be playing, and its folder may be
/// read-only. With `--json`, a tournament is what `--json-lines` prints at its end.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The folder of a run, or of what a command found
    folder: PathBuf,
    /// Print this game as PGN, by its number in games.csv; may be repeated
    #[arg(long, value_name = "NUMBER", conflicts_with = "json")]
    game: Vec<u64>,
}

/// Prints the summary.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let is_run = arguments.folder.join(MANIFEST.name()).exists();
    if let Some(outcome) = (!is_run).then(|| open(&arguments.folder)).transpose()?.flatten() {
        return frame.show(outcome.into());
    }
    let run = Run::open(&arguments.folder)?;
    match run.manifest().kind {
        _ if !arguments.game.is_empty() => games(arguments, &run, frame),
        RunKind::Tournament => tournament(&run, frame),
        RunKind::Tuning => {
            let tuning = TuningRun::opened(&arguments.folder)?;
            tuning.warnings.iter().for_each(print_warnings);
            let mut outcome = learning::outcome(&tuning)?;
            match run.has_ended()? {
                true if run.manifest().part.is_some() => outcome.notes.push(PART_IS_PLAYED.to_owned()),
                true => {}
                false => outcome.notes.push(what_next(&run)),
            }
            frame.show(outcome.into())
        }
    }
}

/// Prints games as PGN.
fn games(arguments: &Arguments, run: &Run, frame: &Frame) -> Result<(), Failure> {
    let writer = run.pgn_writer()?;
    let mut text = String::new();
    for number in &arguments.game {
        let Some(game) = run.game(*number)? else {
            return Err(no_game(run, *number)?);
        };
        text.push_str(&writer.game(&game)?);
    }
    run.edits()?.iter().for_each(print_warnings);
    frame.print(&text);
    Ok(())
}

/// The error when no game has this number.
fn no_game(run: &Run, number: u64) -> Result<Failure, Failure> {
    let mut ends: Option<[u64; 2]> = None;
    run.pairs(&mut |[first, last]| {
        ends = Some([ends.map_or(first.game, |[first, _]| first), last.game]);
        Ok(())
    })?;
    Ok(Failure::input(
        format!("`{}` has no game {number}", run.folder().display()),
        match ends {
            Some([first, last]) => format!("its games have the numbers {first} to {last}"),
            None => "no game was played".to_owned(),
        },
    ))
}

/// What becomes of a run that has not ended.
fn what_next(run: &Run) -> String {
    match run.is_running() {
        true => "It is playing now.\n".to_owned(),
        false => format!("Resume with: lmrlab resume {}\n", run.folder().display()),
    }
}

fn tournament(run: &Run, frame: &Frame) -> Result<(), Failure> {
    let (found, mut progress) = outcome::of(run)?;
    run.edits()?.iter().for_each(print_warnings);
    let ended = progress.ended();
    if frame.options.json {
        let mut observer = progress::observer(false, true);
        let ended = ended.or_else(|| (!run.is_running()).then_some(Ended::Interrupted));
        observer.on_event(Event::Ended { ended }, &mut progress);
        run.note().map(warning).iter().for_each(print_warnings);
        return Ok(());
    }
    let mut text = match About::is_in(run.folder())
        .then(|| open(run.folder()))
        .transpose()?
        .flatten()
    {
        Some(experiment) => format!("{}\n", text::text(&experiment)),
        None => String::new(),
    };
    if run.description()?.0.conditions.played_variant() == ChessVariant::Chess960 {
        text.push_str("The games are of Chess960.\n\n");
    }
    text.push_str(&format!("{}\n", text::text(&found)));
    if ended.is_some() && run.manifest().part.is_some() {
        text.push_str(PART_IS_PLAYED);
    }
    frame.print(&text);
    Ok(())
}
