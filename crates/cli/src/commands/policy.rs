//! `lmrlab policy`: checks, shows, lists, prints, exports and compiles policies.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{Ansi256Color, Style};
use clap::{Args, Subcommand, ValueEnum};
use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, FactInfo, Kind};
use lmrlab_policy::parameter::by_key;
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};
use lmrlab_policy::show::{Given, NodeKind, ReductionTable};

use super::policy_file::{base, load, load_for_host};
use super::{configuration, policy_compile, policy_export};
use crate::output_files::{refuse_existing, write_or_print};
use crate::print::{print_note, print_out};
use lmrlab_results::failure::Failure;
use lmrlab_results::visible::visible;

/// Check policy files, and show what they do.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Check policy files and report all mistakes.
    Check(Check),
    /// Show the reduction of a quiet move by depth and by the moves searched before it.
    Show(Show),
    /// List the facts that expressions can use.
    Facts,
    /// List the policies of the project and the built-in ones.
    List,
    /// Print a policy, of the project or built in. Standard error says which.
    Cat(Cat),
    /// Write a policy as a file in C or Rust for another engine.
    Export(policy_export::Arguments),
    /// Write a policy as a file that another engine reads while it runs.
    Compile(policy_compile::Arguments),
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
    after_help = "Examples:\n  lmrlab policy show madchess-2.0\n  lmrlab policy show rebel-starter@bad=-300 --node pv --csv reductions.csv\n  lmrlab policy show rebel-starter --facts history=-600 --diff mediocre-2007"
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
    /// Write CSV (depth, moves_searched, plies) to this file instead of a table; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Overwrite this file.
    #[arg(long)]
    force: bool,
}

/// The policy to print.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab policy cat house > mine.toml")]
pub(crate) struct Cat {
    /// A policy: a name in configs/policies or a file.
    policy: PolicyReference,
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
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let here = base(true);
    match arguments {
        Arguments::Check(check) => check_all(&check.policies),
        Arguments::Show(show) => show_policy(show),
        Arguments::Facts => {
            print_out(&facts());
            Ok(())
        }
        Arguments::List => configuration::list(Files::on_disk().named(POLICY_FOLDER, &here), |path| {
            let (policy, _) = Policy::load(path)?;
            Ok(vec![policy.description().to_owned(), policy.provenance().to_owned()])
        }),
        Arguments::Cat(cat) => print_policy(&cat.policy, &here),
        Arguments::Export(export) => policy_export::run(export),
        Arguments::Compile(compile) => policy_compile::run(compile),
    }
}

fn print_policy(reference: &PolicyReference, here: &Path) -> Result<(), Failure> {
    if reference.overrides().next().is_some() {
        return Err(Failure::input(
            format!("`{reference}` is a policy with overrides, and `cat` prints a file"),
            format!("leave the overrides out: `lmrlab policy cat {}`", reference.policy()),
        ));
    }
    let path = (reference.locate(&Files::on_disk(), here))?;
    configuration::cat(&path)
}

fn check_all(policies: &[PolicyReference]) -> Result<(), Failure> {
    let mut wrong: Vec<Diagnostics> = Vec::new();
    for reference in policies {
        match load_for_host(reference) {
            Ok(policy) => print_out(&format!("{reference}: {} is fine\n", policy.name())),
            Err(diagnostics) => wrong.push(diagnostics),
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Input(wrong)),
    }
}

fn show_policy(arguments: &Show) -> Result<(), Failure> {
    let file = arguments.csv.as_ref().filter(|file| file.as_os_str() != "-");
    refuse_existing(file, arguments.force)?;
    let load = |reference| load(reference).map_err(Failure::from);
    let policy = load(&arguments.policy)?;
    let note_of = |policy: &Policy| {
        let unread = (arguments.facts.iter()).flat_map(|facts| facts.without_effect(policy.needs()));
        let unread: Vec<String> = unread.map(|name| format!("`{name}`")).collect();
        if !unread.is_empty() {
            let (name, facts) = (policy.name(), unread.join(" and "));
            print_note(&format!(
                "{name} does not read {facts}, so the table is the same without"
            ));
        }
    };
    note_of(&policy);
    let table_in = |node: Node, policy: &Policy| {
        ReductionTable::new(policy, arguments.depths, arguments.moves, &given(arguments, node))
    };
    let table = table_in(arguments.node, &policy);
    let other = match &arguments.diff {
        Some(reference) => {
            let other = load(reference)?;
            note_of(&other);
            Some((reference.name_of(&other), table_in(arguments.node, &other), other))
        }
        None => None,
    };
    if let Some(file) = &arguments.csv {
        let other = other.as_ref().map(|(_, table, _)| table);
        return write_or_print(Some(file), &csv(&table, other));
    }
    let place = arguments.node.place();
    let name = arguments.policy.name_of(&policy);
    if let Some((other_name, other_table, other)) = &other {
        if table != *other_table {
            print_out(&format!(
                "Reduction of a quiet piece move {place} by {other_name} minus that by {name}, in plies:\n\n{}",
                painted(&table.difference(other_table))
            ));
            return Ok(());
        }
        let differs = |node: Node| table_in(node, &policy) != table_in(node, other);
        let elsewhere: Vec<Node> = (Node::value_variants().iter().copied())
            .filter(|node| *node != arguments.node && differs(*node))
            .collect();
        print_out(&same_here(&name, other_name, place, &elsewhere));
        return Ok(());
    }
    let mut text = format!("{name}\n");
    for line in [policy.description(), policy.provenance()]
        .into_iter()
        .flat_map(str::lines)
    {
        let _ = writeln!(text, "  {}", visible(line));
    }
    for parameters in by_key(policy.parameters()) {
        let Some(first) = parameters.first() else { continue };
        let mut values: Vec<String> = parameters.iter().map(|parameter| parameter.value.to_string()).collect();
        let value = match first.is_element() {
            true => format!("[{}]", values.join(", ")),
            false => values.pop().unwrap_or_default(),
        };
        let _ = writeln!(
            text,
            "  parameter {} = {value} (from {} to {})",
            first.key(),
            first.min,
            first.max
        );
    }
    for rule in policy.rules() {
        let state = if rule.enabled { "on" } else { "off" };
        let _ = writeln!(text, "  rule {} is {state}", rule.name);
    }
    let _ = write!(
        text,
        "\nReduction of a quiet piece move {place}, in plies, with all other facts 0 or false:\n\n{}",
        painted(&table)
    );
    print_out(&text);
    Ok(())
}

/// A note that two policies reduce alike in this kind of node. It names the other kinds in which they differ.
fn same_here(name: &str, other: &str, place: &str, elsewhere: &[Node]) -> String {
    let mut text = format!("{name} and {other} reduce a quiet piece move {place} alike.\n");
    if elsewhere.is_empty() {
        text.push_str(
            "They do so in every kind of node; they may differ with other facts, as in --facts history=-600.\n",
        );
        return text;
    }
    for node in elsewhere {
        if let Some(value) = node.to_possible_value() {
            let _ = writeln!(text, "They differ {}: --node {}", node.place(), value.get_name());
        }
    }
    text
}

/// The facts for which the table is made.
fn given(arguments: &Show, node: Node) -> Given {
    let mut given = Given::of_node(node.kind());
    if let Some(facts) = &arguments.facts {
        given.merge(facts);
    }
    given
}

fn csv(table: &ReductionTable, other: Option<&ReductionTable>) -> String {
    let mut text = "depth,moves_searched,plies".to_owned();
    if other.is_some() {
        text.push_str(",other_plies");
    }
    let mut others = other.into_iter().flat_map(ReductionTable::cells);
    for (depth, searched, reduction) in table.cells() {
        let _ = write!(text, "\n{depth},{searched},{reduction}");
        if let Some((.., other)) = others.next() {
            let _ = write!(text, ",{other}");
        }
    }
    text.push('\n');
    text
}

/// The table in colours: the more plies, the stronger.
fn painted(table: &ReductionTable) -> String {
    /// Colours of the 256-colour palette, from faint to strong.
    const MORE: [u8; 6] = [230, 223, 216, 209, 202, 196];
    const LESS: [u8; 6] = [195, 159, 123, 87, 51, 45];
    let shade = |palette: &[u8; 6], plies: i32| {
        let color = palette[plies.unsigned_abs().clamp(1, 6) as usize - 1];
        Ansi256Color(color).on_default()
    };
    table.text(|text, plies| {
        let style = match plies {
            0 => Style::new().dimmed(),
            1.. => shade(&MORE, plies),
            _ => shade(&LESS, plies),
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
