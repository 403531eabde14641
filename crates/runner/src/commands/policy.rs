//! `lmrlab policy`: checks policy files, and shows what they do.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use lmrlab_policy::Policy;
use lmrlab_policy::diagnostic::Diagnostics;
use lmrlab_policy::facts::{CATALOGUE, Fact, Flags, Kind};
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference, names_in};
use lmrlab_policy::show::ReductionTable;

use super::{color_on_stderr, print_err, print_out};
use crate::failure::Failure;
use crate::project;

/// What to do with policies.
#[derive(Debug, Subcommand)]
#[command(about = "Check policy files, and show what they do")]
pub enum Arguments {
    /// Say everything that is wrong with policy files.
    Check(Check),
    /// Show the reduction of a plain quiet move by depth and number of moves searched before.
    Show(Show),
    /// List the facts that an expression may mention.
    Facts,
    /// List the policies of the project.
    List,
}

/// Which files to check.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab policy check configs/policies/*.toml")]
pub struct Check {
    /// Policy files, or names with overrides.
    #[arg(required = true, value_name = "FILE")]
    policies: Vec<PolicyReference>,
}

/// What to show.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lmrlab policy show madchess-2.0\n  lmrlab policy show rebel-starter@bad=-300 --node pv --csv > reductions.csv"
)]
pub struct Show {
    /// A policy: a name in configs/policies or a file, with overrides after `@`.
    policy: PolicyReference,
    /// Greatest depth, in plies.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    depths: u32,
    /// Greatest number of moves searched before.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=217))]
    moves: u32,
    /// Kind of the node.
    #[arg(long, value_enum, default_value_t = NodeKind::All)]
    node: NodeKind,
    /// Print CSV (depth, moves_searched, plies) instead of a table.
    #[arg(long)]
    csv: bool,
}

/// The kinds of nodes that policies can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NodeKind {
    /// The root of the search.
    Root,
    /// A principal variation node.
    Pv,
    /// A null-window node that is expected to fail high.
    Cut,
    /// A null-window node that is expected to fail low.
    All,
}

impl NodeKind {
    fn flags(self) -> Flags {
        match self {
            Self::Root => Flags::NONE.with(Fact::Root, true).with(Fact::Pv, true),
            Self::Pv => Flags::NONE.with(Fact::Pv, true),
            Self::Cut => Flags::NONE.with(Fact::Cut, true),
            Self::All => Flags::NONE.with(Fact::All, true),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When a policy is not there or is wrong.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    match arguments {
        Arguments::Check(check) => check_all(&check.policies, &here),
        Arguments::Show(show) => show_policy(show, &here),
        Arguments::Facts => {
            print_out(&facts());
            Ok(())
        }
        Arguments::List => list(&here),
    }
}

fn check_all(policies: &[PolicyReference], here: &Path) -> Result<(), Failure> {
    let mut wrong: Vec<Diagnostics> = Vec::new();
    for reference in policies {
        match load(reference, here) {
            Ok(policy) => print_out(&format!("{reference}: {} is fine\n", policy.name())),
            Err(diagnostics) => wrong.push(diagnostics),
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Input(wrong))
    }
}

/// Loads a policy; its warnings go to standard error.
fn load(reference: &PolicyReference, here: &Path) -> Result<Policy, Diagnostics> {
    // A path is the working directory's, a name the project's.
    let root = if reference.is_path() {
        here.to_owned()
    } else {
        project::root(here, None)
    };
    let (policy, warnings) = reference.resolve(&root)?;
    if !warnings.list.is_empty() {
        print_err(&warnings.render(color_on_stderr()));
    }
    Ok(policy)
}

fn show_policy(arguments: &Show, here: &Path) -> Result<(), Failure> {
    let policy = load(&arguments.policy, here).map_err(|error| Failure::Input(vec![error]))?;
    let table = ReductionTable::new(
        &policy,
        arguments.depths,
        arguments.moves,
        arguments.node.flags(),
    );
    if arguments.csv {
        let mut text = "depth,moves_searched,plies\n".to_owned();
        for cell in table.cells() {
            let _ = writeln!(
                text,
                "{},{},{}",
                cell.depth, cell.moves_searched, cell.plies
            );
        }
        print_out(&text);
        return Ok(());
    }
    let mut text = format!("{}\n", arguments.policy);
    for line in [policy.description(), policy.provenance()] {
        if !line.is_empty() {
            let _ = writeln!(text, "  {line}");
        }
    }
    for parameter in policy.parameters() {
        let _ = writeln!(
            text,
            "  parameter {} = {} (from {} to {})",
            parameter.name, parameter.value, parameter.min, parameter.max
        );
    }
    for rule in policy.rules() {
        let state = if rule.enabled { "on" } else { "off" };
        let _ = writeln!(text, "  rule {} is {state}", rule.name);
    }
    let kind = match arguments.node {
        NodeKind::Root => "at the root",
        NodeKind::Pv => "in a principal variation node",
        NodeKind::Cut => "in a node expected to fail high",
        NodeKind::All => "in a node expected to fail low",
    };
    let _ = write!(
        text,
        "\nPlies by which a quiet move of a piece is reduced {kind}, every other fact being 0 or false:\n\n{table}"
    );
    print_out(&text);
    Ok(())
}

/// The catalogue as a table.
fn facts() -> String {
    let width = CATALOGUE
        .iter()
        .map(|info| info.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for info in CATALOGUE {
        let kind = match info.kind {
            Kind::Boolean => "boolean",
            Kind::Number => info.unit,
        };
        let _ = writeln!(
            text,
            "{:width$}  {kind:12}  {} ({})",
            info.name, info.meaning, info.source
        );
    }
    text
}

fn list(here: &Path) -> Result<(), Failure> {
    let root = project::root(here, None);
    let folder = root.join(POLICY_FOLDER);
    let names = names_in(&folder);
    if names.is_empty() {
        return Err(Failure::input(
            format!("there are no policies in `{}`", folder.display()),
            "run this from a folder of the project",
        ));
    }
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    let mut wrong = Vec::new();
    for name in names {
        match Policy::load(&folder.join(format!("{name}.toml"))) {
            Ok((policy, _)) => {
                let _ = writeln!(text, "{name:width$}  {}", policy.description());
                let _ = writeln!(text, "{:width$}  {}", "", policy.provenance());
            }
            Err(diagnostics) => wrong.push(diagnostics),
        }
    }
    print_out(&text);
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Input(wrong))
    }
}
