//! `lmrlab show`: prints again what a command found.

use std::path::PathBuf;

use clap::Args;
use lmrlab_engine::chess_variant::ChessVariant;

use super::machines::hosts_text;
use crate::open_outcome::open;
use crate::outcome_options::print_outcome;
use crate::print::{print_out, print_warnings};
use crate::progress;
use lmrlab_results::failure::{Failure, warning};
use lmrlab_results::folder::MANIFEST;
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::files::About;
use lmrlab_results::outcome::text;
use lmrlab_runner::conduct::event::Event;
use lmrlab_runner::outcome;
use lmrlab_runner::outcome::sentences::ending;
use lmrlab_runner::record::progress::Ended;
use lmrlab_runner::run::Run;
use lmrlab_tune::learning;
use lmrlab_tune::tuning_run::TuningRun;

/// Print what a command found, or how a run stands.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab show results/quickstart
  lmrlab show results/quickstart --json
  lmrlab show results/quickstart --game 12

A folder is that of a run, or what a command wrote with `--out`. Of a run it reads the manifest and the journal, and changes \
nothing: the run may still be playing, and its folder may be read-only.")]
pub(crate) struct Arguments {
    /// The folder of a run, or of what a command found
    folder: PathBuf,
    /// Print one JSON object: the tables, or of a tournament what `--json-lines` prints at its end
    #[arg(long)]
    json: bool,
    /// Print this game as PGN, by its number in games.csv; may be repeated
    #[arg(long, value_name = "NUMBER", conflicts_with = "json")]
    game: Vec<u64>,
}

/// Prints the summary.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let is_run = arguments.folder.join(MANIFEST.name()).exists();
    if let Some(outcome) = (!is_run).then(|| open(&arguments.folder)).transpose()?.flatten() {
        return print_outcome(&outcome, arguments.json);
    }
    let run = Run::open(&arguments.folder)?;
    match run.manifest().kind {
        _ if !arguments.game.is_empty() => games(arguments, &run),
        RunKind::Tournament => tournament(arguments, &run),
        RunKind::Tuning => {
            let tuning = TuningRun::opened(&arguments.folder)?;
            tuning.warnings.iter().for_each(print_warnings);
            let mut outcome = learning::outcome(&tuning)?;
            outcome.notes.push(hosts_text(tuning.folder())?);
            if !run.has_ended()? {
                outcome.notes.push(what_next(&run));
            }
            print_outcome(&outcome, arguments.json)
        }
    }
}

/// Prints games as PGN.
fn games(arguments: &Arguments, run: &Run) -> Result<(), Failure> {
    let writer = run.pgn_writer()?;
    let mut text = String::new();
    for number in &arguments.game {
        let Some(game) = run.game(*number)? else {
            return Err(no_game(run, *number)?);
        };
        text.push_str(&writer.game(&game)?);
    }
    run.edits()?.iter().for_each(print_warnings);
    print_out(&text);
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

fn tournament(arguments: &Arguments, run: &Run) -> Result<(), Failure> {
    let (found, mut progress) = outcome::of(run, &mut |_| ())?;
    run.edits()?.iter().for_each(print_warnings);
    let ended = progress.ended();
    if arguments.json {
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
    match ended {
        Some(_) if run.manifest().part.is_some() => {
            text.push_str("The part is played. Put it together with the others: lmrlab merge PARTS --out DIR\n");
        }
        Some(ended) => text.push_str(&ending(ended, &progress, run.folder())),
        None => {
            text.push_str(&format!(
                "{} of {} pairs are played.\n",
                progress.pairs, progress.scheduled_pairs
            ));
            text.push_str(&what_next(run));
        }
    }
    text.push_str(&hosts_text(run.folder())?);
    print_out(&text);
    Ok(())
}
