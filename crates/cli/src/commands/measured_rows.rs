//! The rows of `ablate` and `sweep`: a policy and its variants, measured by searches and by games.
//!
//! Games are a gauntlet of the policy against its variants: a run like any other, with a folder. When it has been played, searches
//! measure the rest, and the rows go into the folder, too. The manifest has the words of the command, so `lmrlab resume` ends with
//! the rows as well.

use std::sync::Arc;
use std::time::Instant;

use clap::Parser as _;
use cozy_chess::Color;
use lmrlab_diagnostics::Source;
use toml::{Table, Value};

use super::machines::Machines;
use super::measure_options::{Measure, RowsOptions, SubjectOptions};
use super::tournament_session::{Display, Session, listen};
use super::{Call, Cli, Command};
use crate::invocation::{invocation, working_folder};
use crate::print::{print_err, print_out};
use lmrlab_lab::measures::{Measured, Strength};
use lmrlab_lab::sheet::Sheet;
use lmrlab_lab::variant::Variant;
use lmrlab_policy::reference::overridden;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::folder::{ResultFile, ResultsFolder, folder_name};
use lmrlab_runner::record::replacement::replace;
use lmrlab_runner::run::Run;
use lmrlab_runner::shell_words::words_of;
use lmrlab_runner::summary::caution;
use lmrlab_runner::text_table::TextTable;
use lmrlab_runner::{project, tournament};
use lmrlab_stats::PairOutcome;

/// The most variants that play games: each is an engine of the gauntlet.
const MOST_ENGINES: usize = 1_000;

/// A variant of the policy.
pub(super) struct Row {
    pub(super) variant: Variant,
    /// The policy as a reference, with the changes of the row.
    pub(super) policy: String,
    /// The preset as a reference, with the changes of the row.
    pub(super) preset: String,
    /// What the file says of it, before the name of its policy.
    pub(super) cells: Vec<String>,
    /// What the terminal says of it.
    pub(super) shown: Vec<String>,
}

/// All variants of a policy.
pub(super) struct Rows {
    pub(super) columns: Vec<String>,
    pub(super) headings: Vec<String>,
    /// How many of the headings are of words, and not of numbers.
    pub(super) words: usize,
    /// The cells of the policy itself, in the file and on the terminal, when it has a row.
    pub(super) whole: Option<(Vec<String>, Vec<String>)>,
    pub(super) rows: Vec<Row>,
}

/// A command that measures a policy and its variants.
pub(super) trait RowsCommand {
    /// Its name.
    const NAME: &'static str;
    /// The file of its rows in the folder of the games.
    const FILE: ResultFile;

    fn subject(&self) -> &SubjectOptions;
    fn output(&self) -> &RowsOptions;
    /// The variants.
    fn rows(&self, whole: &Variant) -> Result<Rows, Failure>;
    /// What is printed below the rows, which are the variants without the policy itself.
    fn below(&self, rows: &Rows, measured: &[Measured]) -> String;
}

/// Runs the command: games first, if they are wanted, then searches.
pub(super) fn run<C: RowsCommand>(command: &C) -> Result<(), Failure> {
    let (subject, output) = (command.subject(), command.output());
    let plays = subject.measures(Measure::Elo);
    output.check(plays)?;
    let whole = subject.whole()?;
    let rows = command.rows(&whole)?;
    // What is wrong with a file shows before the games.
    subject.plan()?;
    if !plays {
        return measure(command, &whole, rows, None, &listen()?);
    }
    let interrupt = listen()?;
    let session = gauntlet(command, &whole, &rows)?;
    let folder = session.out.clone();
    session.play_until(|| Ok(Arc::clone(&interrupt)))?;
    finish(command, &Run::open(&folder)?, &interrupt)
}

/// After the games of a run: measures the rest when `ablate` or `sweep` began it.
///
/// # Errors
/// When the searches of the command cannot be done here, or are interrupted.
pub(super) fn finish_resumed(run: &Run, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    let Some(Ok(cli)) = began_by_rows(run).then(|| Cli::try_parse_from(words_of(run.manifest().command()))) else {
        return Ok(());
    };
    let Call::User(command) = cli.call else {
        return Ok(());
    };
    match *command {
        Command::Ablate(arguments) => finish(&*arguments, run, interrupt),
        Command::Sweep(arguments) => finish(&*arguments, run, interrupt),
        _ => Ok(()),
    }
}

/// Whether a run is of the games of `ablate` or `sweep`.
pub(super) fn began_by_rows(run: &Run) -> bool {
    let words = words_of(run.manifest().command());
    run.manifest().part.is_none() && matches!(words.get(1).map(String::as_str), Some("ablate" | "sweep"))
}

fn finish<C: RowsCommand>(command: &C, run: &Run, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    // The policy as it was when the run began, whatever its file says now.
    let (tournament, _) = run.tournament(|_| (), &invocation())?;
    let engine = tournament.engines.first();
    let own = engine.and_then(|engine| engine.own());
    let (Some(engine), Some(own)) = (engine, own) else {
        return Ok(());
    };
    let whole = Variant {
        name: engine.name.clone(),
        policy: Arc::clone(&own.policy),
        preset: Arc::clone(&own.preset),
        hash_mib: tournament.description.conditions.hash_mib,
    };
    let rows = command.rows(&whole)?;
    measure(command, &whole, rows, Some(run), interrupt)
}

/// The gauntlet of the policy against its variants.
fn gauntlet<C: RowsCommand>(command: &C, whole: &Variant, rows: &Rows) -> Result<Session, Failure> {
    if rows.rows.len() >= MOST_ENGINES {
        return Err(Failure::input(
            format!("{} variants are too many for games", rows.rows.len()),
            format!("at most {} play; `--measures nodes` needs no games", MOST_ENGINES - 1),
        ));
    }
    let (subject, output) = (command.subject(), command.output());
    let working = working_folder()?;
    let title = format!("{}-{}", folder_name(&whole.name), C::NAME);
    let whole = (&whole.name, subject.policy.to_string(), subject.search.preset.clone());
    let variants = rows.rows.iter();
    let variants = variants.map(|row| (&row.variant.name, row.policy.clone(), row.preset.clone()));
    let engines: Vec<Table> = std::iter::once(whole)
        .chain(variants)
        .map(|(name, policy, preset)| {
            [("name", name.clone()), ("policy", policy), ("preset", preset)]
                .into_iter()
                .map(|(key, text)| (key.to_owned(), Value::from(text)))
                .collect()
        })
        .collect();
    let mut table = subject.games(&working);
    for (key, value) in [
        ("name", Value::from(title.clone())),
        ("format", "gauntlet".into()),
        ("pgn", "none".into()),
        ("engine", engines.into()),
    ] {
        table.insert(key.to_owned(), value);
    }
    let text = toml::to_string(&table).map_err(|error| Failure::input(error.to_string(), ""))?;
    let (tournament, warnings) = tournament::load(Source::new("the command line", text), &working, |_| ())?;
    Ok(Session {
        tournament,
        warnings,
        out: output
            .out
            .clone()
            .unwrap_or_else(|| project::results(&working).join(title)),
        force: output.force,
        display: Display {
            quiet: subject.search.resources.quiet,
            report: output.page.is_wanted(),
            ..Display::default()
        },
        machines: Machines::Here,
        takes_apart: true,
        prints_summary: false,
    })
}

/// Searches, writes the rows and prints them.
fn measure<C: RowsCommand>(
    command: &C,
    whole: &Variant,
    rows: Rows,
    run: Option<&Run>,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    let output = command.output();
    let mut plan = command.subject().plan()?;
    plan.games = run.map(|run| strengths(run, &rows)).transpose()?;
    let variants: Vec<Variant> = std::iter::once(whole)
        .chain(rows.rows.iter().map(|row| &row.variant))
        .cloned()
        .collect();
    let asked = Arc::clone(interrupt);
    let workers = command.subject().search.workers()?.until(move || asked.is_requested());
    let mut columns = rows.columns.clone();
    columns.push("policy".to_owned());
    columns.extend(plan.csv_columns().into_iter().map(str::to_owned));
    let mut sheet = Sheet::new(columns);
    let headings = rows.headings.iter().map(String::as_str).chain(plan.headings());
    let mut shown = TextTable::new(rows.words, headings.collect::<Vec<_>>());
    let write = |sheet: &Sheet| output.csv.as_ref().map_or(Ok(()), |file| sheet.write(file));
    let mut written = Instant::now();
    let measured = plan.measure(&variants, &workers, &mut |index, measured| {
        let labels = match index.checked_sub(1) {
            Some(index) => rows.rows.get(index).map(|row| (&row.cells, &row.shown)),
            None => rows.whole.as_ref().map(|(cells, shown)| (cells, shown)),
        };
        let Some((cells, label)) = labels else {
            return Ok(());
        };
        let name = vec![variants[index].name.clone()];
        sheet.push([cells.clone(), name, plan.csv_cells(measured)].concat());
        shown.push([label.clone(), plan.cells(measured)].concat());
        if written.elapsed() < super::measure_options::BETWEEN_WRITES {
            return Ok(());
        }
        written = Instant::now();
        write(&sheet)
    })?;
    write(&sheet)?;
    if let Some(run) = run.filter(|_| measured.len() == variants.len()) {
        replace(
            &ResultsFolder::to_read(run.folder())?,
            C::FILE,
            sheet.to_string().as_bytes(),
        )?;
    }
    print_out(&shown.to_string());
    if measured.len() < variants.len() {
        let place = match (run, &output.csv) {
            (Some(run), _) => format!("`lmrlab resume {}` does all of them again.", run.folder().display()),
            (None, Some(file)) => format!("they are in {}.", file.display()),
            (None, None) => "without --csv none is written.".to_owned(),
        };
        print_err(&format!(
            "Interrupted after {} of {} rows; {place}",
            measured.len(),
            variants.len()
        ));
        return Err(Failure::Interrupted);
    }
    print_out(&command.below(&rows, measured.get(1..).unwrap_or_default()));
    print_out(&caution(rows.rows.len()));
    if let Some(run) = run {
        print_out(&format!("Results are in {}\n", run.folder().display()));
    }
    output.write_page(run.map(Run::folder))
}

/// The results of the games of each variant, from its side.
fn strengths(run: &Run, rows: &Rows) -> Result<Vec<Strength>, Failure> {
    let mut outcomes: Vec<Vec<PairOutcome>> = vec![Vec::new(); rows.rows.len()];
    run.pairs(&mut |[first, second]| {
        let place = rows.rows.iter().position(|row| row.variant.name == first.black);
        if let Some(outcomes) = place.and_then(|place| outcomes.get_mut(place)) {
            outcomes.push(PairOutcome::of(
                first.result.outcome_for(Color::Black),
                second.result.outcome_for(Color::White),
            ));
        }
        Ok(())
    })?;
    Ok(outcomes.into_iter().map(Strength::of).collect())
}

/// A reference with some more changes.
pub(super) fn with_changes(reference: &str, changes: &[String]) -> String {
    let changes = changes.iter();
    changes.fold(reference.to_owned(), |text, change| overridden(&text, change))
}
