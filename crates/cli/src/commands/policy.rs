//! `lmrlab policy`: checks, shows and lists policies.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{Ansi256Color, Style};
use clap::{Args, Subcommand, ValueEnum};
use lmrlab_diagnostics::Diagnostics;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, FactInfo, Kind};
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};
use lmrlab_policy::show::{Given, NodeKind, Picture, ReductionTable, TableDiff, Tone, Unit, UnitTable};

use super::{print_out, print_warnings};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::project;

/// The subcommands of `policy`.
#[derive(Debug, Subcommand)]
#[command(about = "Check policy files, and show what they do")]
pub(crate) enum Arguments {
    /// Check policy files and report all mistakes.
    Check(Check),
    /// Show the reduction of a quiet move by depth and by the moves searched before it.
    Show(Show),
    /// List the facts that expressions can use.
    Facts,
    /// List the policies of the project.
    List,
}

/// The files to check.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab policy check configs/policies/*.toml")]
pub(crate) struct Check {
    /// Policy files, or names with overrides.
    #[arg(required = true, value_name = "FILE")]
    policies: Vec<PolicyReference>,
}

/// The policy to show.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lmrlab policy show madchess-2.0\n  lmrlab policy show rebel-starter@bad=-300 --node pv --csv > reductions.csv\n  lmrlab policy show rebel-starter --facts history=-600 --diff mediocre-2007\n  lmrlab policy show stockfish-1.7 --unit half-ply\n  lmrlab policy show logarithm --real"
)]
pub(crate) struct Show {
    /// A policy: a name in configs/policies or a file, with overrides after `@`.
    policy: PolicyReference,
    /// Maximum depth, in plies.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    depths: u32,
    /// Maximum number of moves searched before.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=217))]
    moves: u32,
    /// Kind of the node.
    #[arg(long, value_enum, default_value_t = Node::All)]
    node: Node,
    /// Other facts about the move, such as `history=-600,improving`; the rest are 0 or false.
    #[arg(long, value_name = "FACTS")]
    facts: Option<Given>,
    /// Show the difference to another policy.
    #[arg(long, value_name = "OTHER")]
    diff: Option<PolicyReference>,
    /// Unit of the reductions. Other units than plies, and --real, show what the policy computes before the limits of
    /// [finish] that depend on the move, such as the remaining depth.
    #[arg(long, value_enum, default_value_t = ShownUnit::Ply)]
    unit: ShownUnit,
    /// Show real numbers, before they are rounded and limited.
    #[arg(long)]
    real: bool,
    /// Print CSV (depth, moves_searched, plies) instead of a table.
    #[arg(long)]
    csv: bool,
}

/// The values of `--unit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShownUnit {
    /// A whole ply
    Ply,
    /// Half a ply, as in many schemes until 2014
    HalfPly,
    /// A ply divided by 1,024, as in Stockfish since 2016
    #[value(name = "1024th")]
    Ply1024th,
}

impl ShownUnit {
    fn unit(self) -> Unit {
        match self {
            Self::Ply => Unit::Ply,
            Self::HalfPly => Unit::HalfPly,
            Self::Ply1024th => Unit::Ply1024th,
        }
    }

    /// The column of a CSV.
    fn column(self) -> &'static str {
        match self {
            Self::Ply => "plies",
            Self::HalfPly => "half_plies",
            Self::Ply1024th => "ply_1024ths",
        }
    }
}

/// The values of `--node`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Node {
    /// The root of the search
    Root,
    /// A principal variation node
    Pv,
    /// A null-window node that is expected to fail high
    Cut,
    /// A null-window node that is expected to fail low
    All,
}

impl Node {
    fn kind(self) -> NodeKind {
        match self {
            Self::Root => NodeKind::Root,
            Self::Pv => NodeKind::Pv,
            Self::Cut => NodeKind::Cut,
            Self::All => NodeKind::All,
        }
    }

    fn place(self) -> &'static str {
        match self {
            Self::Root => "at the root",
            Self::Pv => "in a principal variation node",
            Self::Cut => "in a node expected to fail high",
            Self::All => "in a node expected to fail low",
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When a policy is not there or is wrong.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
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
    // Paths start from the working directory, names from the project folder.
    let root = if reference.is_path() {
        here.to_owned()
    } else {
        project::root(here, None)
    };
    let (policy, warnings) = reference.resolve(&root)?;
    print_warnings(&warnings);
    Ok(policy)
}

fn show_policy(arguments: &Show, here: &Path) -> Result<(), Failure> {
    let load = |reference| load(reference, here).map_err(|error| Failure::Input(vec![error]));
    let policy = load(&arguments.policy)?;
    let mut given = Given::of_node(arguments.node.kind());
    if let Some(facts) = &arguments.facts {
        given.merge(facts);
    }
    if arguments.real || arguments.unit != ShownUnit::Ply {
        let other = arguments.diff.as_ref().map(load).transpose()?;
        show_in_unit(arguments, &policy, other.as_ref(), &given);
        return Ok(());
    }
    let table_of = |policy| ReductionTable::with_facts(policy, arguments.depths, arguments.moves, &given);
    let table = table_of(&policy);
    let diff = match &arguments.diff {
        Some(other) => Some((other, TableDiff::new(&table, &table_of(&load(other)?)))),
        None => None,
    };
    if arguments.csv {
        print_out(&csv(&table, diff.as_ref().map(|(_, diff)| diff)));
        return Ok(());
    }
    let place = arguments.node.place();
    if let Some((other, diff)) = diff {
        print_out(&format!(
            "Reduction of a quiet piece move {place} by {other} minus that by {}, in plies:\n\n{}",
            arguments.policy,
            painted(&diff.picture())
        ));
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
    let _ = write!(
        text,
        "\nReduction of a quiet piece move {place}, in plies, with all other facts 0 or false:\n\n{}",
        painted(&table.picture())
    );
    print_out(&text);
    Ok(())
}

/// The table in another unit, or in real numbers, before the limits that depend on the move.
fn show_in_unit(arguments: &Show, policy: &Policy, other: Option<&Policy>, given: &Given) {
    let unit = arguments.unit.unit();
    let table_of = |policy| UnitTable::new(policy, arguments.depths, arguments.moves, given, unit, arguments.real);
    let table = table_of(policy);
    let other = other.map(table_of);
    if arguments.csv {
        let column = arguments.unit.column();
        let mut text = format!("depth,moves_searched,{column}");
        let _ = match &other {
            Some(_) => writeln!(text, ",other_{column}"),
            None => writeln!(text),
        };
        let mut others = other.iter().flat_map(UnitTable::cells);
        for cell in table.cells() {
            let _ = write!(text, "{},{},{}", cell.depth, cell.moves_searched, cell.reduction);
            let _ = match others.next() {
                Some(other) => writeln!(text, ",{}", other.reduction),
                None => writeln!(text),
            };
        }
        print_out(&text);
        return;
    }
    let place = arguments.node.place();
    let what = match arguments.real {
        true => "before rounding and limits",
        false => "before the limits that depend on the move",
    };
    let (title, picture) = match (&other, &arguments.diff) {
        (Some(other), Some(name)) => (
            format!("by {name} minus that by {}", arguments.policy),
            table.difference(other),
        ),
        _ => (format!("by {}", arguments.policy), table.picture()),
    };
    print_out(&format!(
        "Reduction of a quiet piece move {place} {title}, in {}, {what}:\n\n{}",
        unit.name(),
        painted(&picture)
    ));
}

fn csv(table: &ReductionTable, diff: Option<&TableDiff>) -> String {
    let mut text;
    match diff {
        None => {
            text = "depth,moves_searched,plies\n".to_owned();
            for cell in table.cells() {
                let _ = writeln!(text, "{},{},{}", cell.depth, cell.moves_searched, cell.plies);
            }
        }
        Some(diff) => {
            text = "depth,moves_searched,plies,other_plies\n".to_owned();
            for cell in diff.cells() {
                let _ = writeln!(text, "{},{},{},{}", cell.depth, cell.moves_searched, cell.old, cell.new);
            }
        }
    }
    text
}

/// The table in colours: the more plies, the stronger.
fn painted(picture: &Picture) -> String {
    /// Colours of the 256-colour palette, from faint to strong.
    const MORE: [u8; 6] = [230, 223, 216, 209, 202, 196];
    const LESS: [u8; 6] = [195, 159, 123, 87, 51, 45];
    let shade = |palette: &[u8; 6], strength: u8| {
        let color = palette[usize::from(strength.clamp(1, 6)) - 1];
        Ansi256Color(color).on_default()
    };
    picture.render(|text, tone| {
        let style = match tone {
            Tone::Plain => Style::new().dimmed(),
            Tone::Above(strength) => shade(&MORE, strength),
            Tone::Below(strength) => shade(&LESS, strength),
        };
        format!("{style}{text}{style:#}")
    })
}

/// The catalogue as a table.
fn facts() -> String {
    let kind = |info: &FactInfo| match info.kind {
        Kind::Boolean => "boolean",
        Kind::Number => info.unit,
    };
    let names = CATALOGUE.iter().map(|info| info.name.len()).max();
    let names = names.unwrap_or(0);
    let kinds = CATALOGUE.iter().map(|info| kind(info).len()).max();
    let kinds = kinds.unwrap_or(0);
    let mut text = String::new();
    for info in CATALOGUE {
        let _ = writeln!(
            text,
            "{:names$}  {:kinds$}  {} ({})",
            info.name,
            kind(info),
            info.meaning,
            info.source
        );
    }
    text
}

fn list(here: &Path) -> Result<(), Failure> {
    let root = project::root(here, None);
    let folder = root.join(POLICY_FOLDER);
    let names = lmrlab_diagnostics::Files::on_disk().toml_names(&folder);
    if names.is_empty() {
        return Err(Failure::input(
            format!("there are no policies in `{}`", folder.display()),
            "run this in a folder of the project",
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
