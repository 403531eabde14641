//! The rows of `ablate` and `sweep`: a policy and its variants, measured by searches and by games.
//!
//! Games are a gauntlet of the policy against its variants: a run like any other, with a folder. After the games,
//! searches measure the rest. The rows go into the folder, too. The manifest has the words of the command, so
//! `lmrlab resume` also ends with the rows.

use std::path::Path;
use std::sync::Arc;

use clap::Parser as _;
use cozy_chess::Color;
use toml::Table;

use super::machines::Machines;
use super::measure_options::{Measure, RowsOptions, SubjectOptions};
use super::run_keys;
use super::tournament_session::{Display, Session, listen};
use super::{Call, Cli, Command};
use crate::invocation::{invocation, working_folder};
use crate::print::{print_err, print_out};
use crate::stop_signal::may_end;
use lmrlab_lab::measures::{Measured, Plan, Strength, shown_cells, shown_headings};
use lmrlab_lab::variant::Variant;
use lmrlab_policy::reference::overridden;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{ResultFile, ResultsFolder, folder_name};
use lmrlab_results::replacement::replace;
use lmrlab_results::shell_words::words_of;
use lmrlab_results::text_table::TextTable;
use lmrlab_results::{output_file, text_file};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::outcome::sentences::caution;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::defaults::MAX_NAME;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine};
use lmrlab_runner::{project, tournament};
use lmrlab_stats::PairOutcome;

/// The most variants that play games: each is an engine of the gauntlet.
const MOST_ENGINES: usize = 1_000;
/// The longest file of rows that is read, in bytes.
const MAX_ROWS_FILE: u64 = 1 << 28;

/// A variant of the policy.
pub(super) struct Row {
    pub(super) variant: Variant,
    /// The policy as a reference, with the changes of the row.
    pub(super) policy: String,
    /// The preset as a reference, with the changes of the row.
    pub(super) preset: String,
    /// Its name in games: its difference from the policy itself. No two rows have the same name.
    pub(super) engine: String,
    /// Its cells in the file before the name of its policy.
    pub(super) cells: Vec<String>,
}

/// All variants of a policy.
pub(super) struct Rows {
    /// The cells of the policy itself, when it has a row.
    pub(super) whole: Option<Vec<String>>,
    pub(super) rows: Vec<Row>,
}

/// A command that measures a policy and its variants.
pub(super) trait RowsCommand {
    fn name(&self) -> &'static str;
    /// The file of its rows in the folder of the games.
    fn file(&self) -> ResultFile;
    fn subject(&self) -> &SubjectOptions;
    fn output(&self) -> &RowsOptions;
    fn rows(&self, whole: &Variant) -> Result<Rows, Failure>;
    /// The columns of the file before that of the policy.
    fn columns(&self) -> Vec<&str>;
    /// The headings of these columns on the terminal, and how many of them are of words.
    fn headings(&self) -> (usize, Vec<&str>);
    /// The cells below these headings, from those of the file.
    fn shown(&self, cells: &[&str], policy: &str) -> Vec<String>;
    /// The text below the rows. `rows` are the variants without the policy itself.
    fn below(&self, _rows: &Rows, _measured: &[Measured]) -> String {
        String::new()
    }
}

/// Runs the command: first the games, if there are any, then the searches.
pub(super) fn run(command: &dyn RowsCommand) -> Result<(), Failure> {
    let (subject, output) = (command.subject(), command.output());
    let plays = subject.measures(Measure::Elo);
    output.check(plays)?;
    let host = subject.host(command.name())?;
    let working = working_folder()?;
    let whole = subject.whole()?;
    let rows = command.rows(&whole)?;
    // Mistakes in files are reported before the games.
    let plan = subject.plan(&working)?;
    if !plays {
        return measure(command, &whole, rows, plan, None, &listen()?);
    }
    let interrupt = listen()?;
    let session = gauntlet(command, &whole, &rows, &working, host.as_ref())?;
    let folder = session.out.clone();
    session.play_until(|| Ok(Arc::clone(&interrupt)))?;
    finish(command, &Run::open(&folder)?, &interrupt)
}

/// The command `ablate` or `sweep` that a run's games belong to.
fn command_of(run: &Run) -> Option<Box<dyn RowsCommand>> {
    let cli = began_by_rows(run).then(|| Cli::try_parse_from(words_of(run.manifest().command())));
    match cli?.ok()?.call {
        Call::User(command) => match *command {
            Command::Ablate(arguments) => Some(arguments),
            Command::Sweep(arguments) => Some(arguments),
            _ => None,
        },
        #[cfg(unix)]
        Call::Guard | Call::StartEngine { .. } => None,
    }
}

/// After the games of a run: measures the rest when the run began with `ablate` or `sweep`.
///
/// # Errors
/// When the searches of the command cannot be done here, or are interrupted.
pub(super) fn finish_resumed(run: &Run, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    command_of(run).map_or(Ok(()), |command| finish(&*command, run, interrupt))
}

/// Whether a run began with `ablate` or `sweep`.
pub(super) fn began_by_rows(run: &Run) -> bool {
    let words = words_of(run.manifest().command());
    run.manifest().part.is_none() && matches!(words.get(1).map(String::as_str), Some("ablate" | "sweep"))
}

/// The rows of a run that began with `ablate` or `sweep`, as the command printed them; empty when it has none.
pub(super) fn rows_of(run: &Run) -> Result<String, Failure> {
    let Some(command) = command_of(run) else {
        return Ok(String::new());
    };
    let file = run.folder().join(command.file().name());
    if !file.is_file() {
        return Ok(String::new());
    }
    let csv = text_file::read_utf8(&file, MAX_ROWS_FILE)
        .map_err(|error| Failure::run(format!("`{}` cannot be read: {error}", file.display())))?;
    Ok(format!("{}\n", table(&*command, &csv)))
}

/// The rows for people, from those of the file.
fn table(command: &dyn RowsCommand, csv: &str) -> TextTable {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().cloned().unwrap_or_default();
    let labels = command.columns().len();
    // A parameter may have the name of a measure.
    let place = |name: &str| (labels..columns.len()).find(|&place| columns.get(place) == Some(name));
    let has = |name: &str| place(name).is_some();
    let (words, mut headings) = command.headings();
    headings.extend(shown_headings(has));
    let mut table = TextTable::new(words, headings);
    for row in reader.records().flatten() {
        let cells: Vec<&str> = row.iter().take(labels).collect();
        let mut shown = command.shown(&cells, row.get(labels).unwrap_or_default());
        shown.extend(shown_cells(has, |name| row.get(place(name)?)?.parse().ok()));
        table.push(shown);
    }
    table
}

fn finish(command: &dyn RowsCommand, run: &Run, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    // The policy as it was when the run began: its file may have changed since.
    let (tournament, _) = run.tournament(|_| (), &invocation())?;
    let Some((engine, variants)) = tournament.engines.split_first() else {
        return Ok(());
    };
    let (policy, preset) = match (&engine.engine, engine.hosted_policy()) {
        (EntrantEngine::Own(own), _) => (Arc::clone(&own.policy), Arc::clone(&own.preset)),
        // Only the games are played in the host.
        (EntrantEngine::External { .. }, Some(hosted)) => {
            let preset = command.subject().whole()?.preset;
            (Arc::new(hosted.policy().clone()), preset)
        }
        (EntrantEngine::External { .. }, None) => return Ok(()),
    };
    let whole = Variant {
        name: engine.name.clone(),
        policy,
        preset,
        hash_mib: tournament.description.conditions.hash_mib,
    };
    let rows = command.rows(&whole)?;
    let mut plan = command.subject().plan(&run.manifest().root(run.folder()))?;
    plan.games = Some(strengths(run, variants)?);
    measure(command, &whole, rows, plan, Some(run), interrupt)
}

/// The gauntlet of the policy against its variants.
fn gauntlet(
    command: &dyn RowsCommand,
    whole: &Variant,
    rows: &Rows,
    working: &Path,
    host: Option<&Table>,
) -> Result<Session, Failure> {
    if rows.rows.len() >= MOST_ENGINES {
        return Err(Failure::input(
            format!("{} variants are too many for games", rows.rows.len()),
            format!("at most {} play; `--measures nodes` needs no games", MOST_ENGINES - 1),
        ));
    }
    let (subject, output) = (command.subject(), command.output());
    let other_preset = rows.rows.iter().find(|row| row.preset != subject.search.preset);
    if let (Some(row), Some(_)) = (other_preset, host) {
        return Err(Failure::input(
            format!(
                "`{}` changes the search, and a host has a search of its own",
                row.engine
            ),
            "leave out what belongs to the preset, or `--host`",
        ));
    }
    let title = format!("{}-{}", folder_name(&whole.name), command.name());
    let whole = (
        whole.name.clone(),
        subject.policy.to_string(),
        subject.search.preset.clone(),
    );
    let variants = (1..).zip(&rows.rows);
    let variants = variants.map(|(number, row)| {
        let name = match row.engine.chars().count() <= MAX_NAME {
            true => row.engine.clone(),
            false => format!("variant {number}"),
        };
        (name, row.policy.clone(), row.preset.clone())
    });
    let engines: Vec<Table> = std::iter::once(whole)
        .chain(variants)
        .map(|(name, policy, preset)| {
            let mut table = host.cloned().unwrap_or_else(Table::new);
            if host.is_none() {
                table.insert("preset".to_owned(), preset.into());
            }
            table.insert("name".to_owned(), name.into());
            table.insert("policy".to_owned(), policy.into());
            table
        })
        .collect();
    let mut table = subject.games(working);
    table.extend(run_keys::table([
        ("name", title.clone().into()),
        ("format", "gauntlet".into()),
        ("pgn", "none".into()),
        ("engine", engines.into()),
    ]));
    let (tournament, mut warnings) = tournament::load(run_keys::source(&table)?, working, |_| ())?;
    warnings.extend(subject.doubt());
    Ok(Session {
        tournament,
        warnings,
        out: output
            .out
            .clone()
            .unwrap_or_else(|| project::results(working).join(title)),
        force: output.force,
        display: Display {
            quiet: subject.search.quiet,
            report: output.page.is_wanted(),
            ..Display::default()
        },
        machines: Machines::Here,
        takes_apart: true,
        prints_summary: false,
    })
}

/// Searches, writes the rows and prints them.
fn measure(
    command: &dyn RowsCommand,
    whole: &Variant,
    rows: Rows,
    plan: Plan,
    run: Option<&Run>,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    let output = command.output();
    let variants: Vec<Variant> = std::iter::once(whole)
        .chain(rows.rows.iter().map(|row| &row.variant))
        .cloned()
        .collect();
    let asked = Arc::clone(interrupt);
    let workers = command.subject().search.workers()?.until(move || asked.is_requested());
    let labels = command.columns().into_iter().chain(["policy"]).map(str::to_owned);
    let mut csv = csv::Writer::from_writer(Vec::new());
    push(&mut csv, labels.chain(plan.csv_columns()))?;
    // The path starts from the folder in which the command was typed.
    let file = match (run, &output.csv) {
        (Some(run), Some(file)) => Some(run.manifest().root(run.folder()).join(file)),
        (_, file) => file.clone(),
    };
    may_end();
    let measured = plan.measure(&variants, &workers, &mut |index, measured| {
        let cells = match index.checked_sub(1) {
            Some(index) => rows.rows.get(index).map(|row| &row.cells),
            None => rows.whole.as_ref(),
        };
        let Some(cells) = cells else {
            return Ok(());
        };
        let name = vec![variants[index].name.clone()];
        push(&mut csv, [cells.clone(), name, plan.csv_cells(measured)].concat())
    })?;
    if let Some(file) = &file {
        output_file::write(file, csv.get_ref())?;
    }
    let csv = String::from_utf8_lossy(csv.get_ref());
    if let Some(run) = run.filter(|_| measured.len() == variants.len()) {
        replace(&ResultsFolder::to_read(run.folder())?, command.file(), csv.as_bytes())?;
    }
    print_out(&table(command, &csv).to_string());
    if measured.len() < variants.len() {
        let place = match (run, &output.csv) {
            (Some(run), _) => format!("`lmrlab resume {}` measures all rows again.", run.folder().display()),
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

/// Adds a line.
fn push(csv: &mut csv::Writer<Vec<u8>>, cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<(), Failure> {
    let written = csv.write_record(cells).and_then(|()| Ok(csv.flush()?));
    written.map_err(|error| Failure::encode("a row", &error))
}

/// The results of the games of each variant, from its side.
fn strengths(run: &Run, variants: &[Entrant]) -> Result<Vec<Strength>, Failure> {
    let mut outcomes: Vec<Vec<PairOutcome>> = vec![Vec::new(); variants.len()];
    run.pairs(&mut |[first, second]| {
        let place = variants.iter().position(|variant| variant.name == first.black);
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

/// A reference with these further changes.
pub(super) fn with_changes(reference: &str, changes: &[String]) -> String {
    let changes = changes.iter();
    changes.fold(reference.to_owned(), |text, change| overridden(&text, change))
}
