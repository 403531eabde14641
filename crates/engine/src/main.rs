//! `lmrlab-engine`: the engine over UCI, and its bench.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use lmrlab_diagnostics::Diagnostics;
use lmrlab_diagnostics::built_in;
use lmrlab_engine::bench;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;

mod output;
mod uci;

use output::{complain, print, say};

/// A chess engine with late move reductions from a policy file. Speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(
    name = "lmrlab-engine",
    version,
    after_help = "Example:\n  lmrlab-engine --policy rebel-starter bench"
)]
struct Arguments {
    /// The policy to start with: a name (a file in configs/policies, or built in) or a file, with overrides after `@` [default: house as it
    /// is built in].
    #[arg(long)]
    policy: Option<PolicyReference>,
    /// The search preset to start with: a name (a file in configs/engines, or built in) or a file, with overrides after `@` [default: standard
    /// as it is built in].
    #[arg(long)]
    preset: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed set of positions; the node count is the fingerprint of the search.
    Bench {
        /// Depth in plies.
        #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: u32,
    },
}

/// The default policy.
const DEFAULT_POLICY: &str = "configs/policies/house.toml";
/// The default preset.
const DEFAULT_PRESET: &str = "configs/engines/standard.toml";

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => error.exit(),
        // What `--help` and `--version` print.
        Err(text) => {
            print(&text.render().to_string());
            return ExitCode::SUCCESS;
        }
    };
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let (preset, policy) = match load(&arguments, &here) {
        Ok(loaded) => loaded,
        Err(diagnostics) => {
            complain(&diagnostics.render(false));
            return ExitCode::from(2);
        }
    };
    match arguments.command {
        Some(Command::Bench { depth }) => match bench::run(&preset, &policy, depth) {
            Ok(outcome) => {
                say(&format!("{} nodes {} nps", outcome.nodes, outcome.nodes_per_second()));
                ExitCode::SUCCESS
            }
            Err(error) => {
                complain(&format!("error: {error}"));
                ExitCode::FAILURE
            }
        },
        None => {
            uci::CommandLoop::new(preset, policy, here).run();
            ExitCode::SUCCESS
        }
    }
}

fn load(arguments: &Arguments, here: &std::path::Path) -> Result<(Arc<Preset>, Arc<Policy>), Diagnostics> {
    let (preset, warnings) = match &arguments.preset {
        Some(reference) => Preset::resolve(reference, here)?,
        None => Preset::load(&built_in::path(DEFAULT_PRESET))?,
    };
    warn(&warnings);
    let (policy, warnings) = match &arguments.policy {
        Some(reference) => reference.resolve(here)?,
        None => Policy::load(&built_in::path(DEFAULT_POLICY))?,
    };
    warn(&warnings);
    Ok((Arc::new(preset), Arc::new(policy)))
}

fn warn(warnings: &Diagnostics) {
    if !warnings.list.is_empty() {
        complain(&warnings.render(false));
    }
}
