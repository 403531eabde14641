//! The commands of `lmrlab`, one file each, and how they print.

mod ablate;
mod adjudication_options;
mod audit;
mod bench;
mod compare;
mod completions;
mod configuration;
mod counts;
mod engine_words;
mod experiment;
mod explain;
mod fastchess;
mod groups;
mod host;
mod host_check;
mod host_init;
mod host_options;
mod idea;
mod index;
mod init;
mod lab_options;
mod machines;
mod man;
mod match_;
mod measure_options;
mod merge;
mod openings;
mod ordering_parts;
mod out_option;
mod part;
mod part_option;
mod perft;
mod policy;
mod policy_compile;
mod policy_export;
mod policy_file;
mod preset;
mod profile;
mod rate;
mod report;
mod resume;
mod run;
mod run_keys;
mod show;
mod spaced_numbers;
mod sprt;
mod starter_files;
mod suite;
mod sweep;
mod tournament_options;
mod tournament_session;
mod trial;
mod tune;
mod typed_line;
mod whole_number;

use std::error::Error as _;
#[cfg(unix)]
use std::ffi::OsString;
#[cfg(unix)]
use std::path::Path;
use std::process::ExitCode;

use crate::advice::advice;
use crate::print::{self, print_err, print_out};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::progress::live;
use crate::stop_signal;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_results::failure::Failure;
#[cfg(unix)]
use lmrlab_runner::player::uci::guard::{GUARD_COMMAND, START_COMMAND, become_engine, stand_guard};

/// A workbench for late move reductions in chess engines.
#[derive(Debug, Parser)]
#[command(name = "lmrlab", version = env!("LMRLAB_VERSION"), about, max_term_width = 120)]
struct Cli {
    #[command(subcommand)]
    call: Call,
}

/// Who calls: a user, or `lmrlab` itself.
#[derive(Debug, Subcommand)]
enum Call {
    #[command(flatten)]
    User(Box<Command>),
    /// Kill the engines that a killed run leaves behind; `lmrlab` starts this itself
    #[cfg(unix)]
    #[command(name = GUARD_COMMAND, hide = true)]
    Guard,
    /// Become an engine once the guard knows this process; `lmrlab` starts this itself
    #[cfg(unix)]
    #[command(name = START_COMMAND, hide = true)]
    StartEngine {
        /// The program and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Arguments),
    Run(run::Arguments),
    Resume(resume::Arguments),
    Show(show::Arguments),
    Report(report::Arguments),
    Compare(compare::Arguments),
    Index(index::Arguments),
    Match(Box<match_::Arguments>),
    Fastchess(fastchess::Arguments),
    Merge(merge::Arguments),
    Suite(Box<suite::Arguments>),
    Ablate(Box<ablate::Arguments>),
    Sweep(Box<sweep::Arguments>),
    Trial(Box<trial::Arguments>),
    #[command(subcommand)]
    Idea(idea::Arguments),
    #[command(subcommand)]
    Openings(openings::Arguments),
    Perft(perft::Arguments),
    #[command(subcommand)]
    Policy(policy::Arguments),
    #[command(subcommand)]
    Preset(preset::Arguments),
    #[command(subcommand)]
    Host(host::Arguments),
    Explain(explain::Arguments),
    Bench(Box<bench::Arguments>),
    Profile(Box<profile::Arguments>),
    Audit(Box<audit::Arguments>),
    Tune(Box<tune::Arguments>),
    Sprt(Box<sprt::Arguments>),
    Rate(rate::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the command line.
pub(crate) fn main() -> ExitCode {
    // Panics are caught and reported below and in the workers.
    std::panic::set_hook(Box::new(|_| {}));
    let parsed = groups::grouped(Cli::command()).try_get_matches();
    let call = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli.call,
        Err(error) if error.use_stderr() => {
            refuse(&error);
            return ExitCode::from(USAGE);
        }
        // What `--help` and `--version` print.
        Err(text) => {
            print_out(&text.render().ansi().to_string());
            return exit_code(Ok(()));
        }
    };
    let result = std::panic::catch_unwind(move || match call {
        Call::User(command) => run_command(&command),
        #[cfg(unix)]
        Call::Guard => {
            stand_guard();
            Ok(())
        }
        #[cfg(unix)]
        Call::StartEngine { command } => become_engine(&command).map_err(|error| {
            let program = command.first().map_or(Path::new(""), Path::new);
            Failure::run(format!("could not start `{}`: {error}", program.display()))
        }),
    });
    exit_code(result.unwrap_or_else(|panic| Err(Failure::mistake("lmrlab", &*panic))))
}

/// The exit status after wrong words.
const USAGE: u8 = 2;

/// Says what is wrong with the words of a command.
fn refuse(error: &clap::Error) {
    // A value with a grammar of its own has a message with the place of the mistake.
    match error.source().and_then(|source| source.downcast_ref::<Diagnostics>()) {
        Some(mistakes) => print_err(&mistakes.render(true)),
        None => print_err(error.render().ansi().to_string().trim_end()),
    }
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(list) = spaced_numbers::with_commas(&words) {
        print_err(&format!("\nhelp: write `{list}`, with commas and without spaces"));
    }
}

fn run_command(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Init(arguments) => init::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Resume(arguments) => resume::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Index(arguments) => index::run(arguments),
        Command::Match(arguments) if arguments.plays_orderings_apart() => ordering_parts::play(arguments),
        Command::Match(arguments) => match_::run(arguments),
        Command::Fastchess(arguments) => fastchess::run(arguments),
        Command::Suite(arguments) => suite::run(arguments),
        Command::Ablate(arguments) => ablate::run(arguments),
        Command::Sweep(arguments) => sweep::run(arguments),
        Command::Trial(arguments) => trial::run(arguments),
        Command::Idea(arguments) => idea::run(arguments),
        Command::Openings(arguments) => openings::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Policy(arguments) => policy::run(arguments),
        Command::Preset(arguments) => preset::run(arguments),
        Command::Host(arguments) => host::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Profile(arguments) => profile::run(arguments),
        Command::Audit(arguments) => audit::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
        Command::Sprt(arguments) => sprt::run(arguments),
        Command::Rate(arguments) => rate::run(arguments),
        Command::Completions(arguments) => {
            completions::run(arguments, shown());
            Ok(())
        }
        Command::Man(arguments) => man::run(arguments, shown()),
    }
}

/// The command line for users: without the commands that `lmrlab` itself calls.
fn shown() -> clap::Command {
    let whole = Cli::command();
    let mut shown = clap::Command::new("lmrlab").version(env!("LMRLAB_VERSION"));
    if let Some(about) = whole.get_about() {
        shown = shown.about(about.clone());
    }
    Command::augment_subcommands(shown)
}

/// Ends the output, prints the error, and returns the exit status.
fn exit_code(result: Result<(), Failure>) -> ExitCode {
    live::clear();
    let mut status = 0;
    for failure in [result, print::finish()].into_iter().filter_map(Result::err) {
        if matches!(failure, Failure::Interrupted) {
            status = stop_signal::exit_status();
            continue;
        }
        print_err(&failure.render(&advice(&failure)));
        status = status.max(failure.exit_status());
    }
    ExitCode::from(status)
}
