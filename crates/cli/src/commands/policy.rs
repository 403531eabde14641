//! `lmrlab policy`: checks, shows, lists, prints, exports and compiles policies.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, Subcommand};
use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, FactInfo, Kind};
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};
use lmrlab_policy::show::{Given, NodeKind};

use super::shared::configuration;
use super::shared::one_of::one_of;
use super::shared::policy_file::{load, load_for_host};
use super::{policy_compile, policy_export};
use crate::frame::{Found, Frame, print_note};
use crate::invocation::working_folder;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::reductions::ReductionTables;

/// Check policy files, and show what they do.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    Check(Check),
    Show(Show),
    /// List the facts that expressions can use.
    Facts,
    /// List the policies of the project and the built-in ones.
    List,
    Cat(Cat),
    Export(policy_export::Arguments),
    Compile(policy_compile::Arguments),
}

/// Check policy files and report all mistakes.
///
/// Example:
///   lmrlab policy check configs/policies/*.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Check {
    /// Policy files, or names with overrides.
    #[arg(required = true, value_name = "FILE")]
    policies: Vec<PolicyReference>,
}

/// Show the reduction of a quiet move by depth and by the moves searched before it.
///
/// Examples:
///   lmrlab policy show madchess-2.0
///   lmrlab policy show rebel-starter@bad=-300 --node pv --out results/reductions
///   lmrlab policy show rebel-starter --facts history=-600 --diff mediocre-2007
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Show {
    /// A policy: a name in configs/policies or a file, with overrides after `@`.
    policy: PolicyReference,
    /// Maximum depth, in plies.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    depths: u32,
    /// Maximum number of moves searched before.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=217))]
    moves: u32,
    /// Kind of the node: the root, one of the principal variation, or one that is expected to fail high or low.
    #[arg(long, value_parser = one_of(&NODES), default_value = "all")]
    node: NodeKind,
    /// Other facts about the move, such as `history=-600,improving`; the rest are 0 or false.
    #[arg(long, value_name = "FACTS")]
    facts: Option<Given>,
    /// Show the difference to another policy.
    #[arg(long, value_name = "OTHER")]
    diff: Option<PolicyReference>,
}

/// Print a policy, of the project or built in. Standard error says which.
///
/// Example:
///   lmrlab policy cat house > mine.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Cat {
    /// A policy: a name in configs/policies or a file.
    policy: PolicyReference,
}

/// The values of `--node`.
const NODES: [(&str, NodeKind); 4] = [
    ("root", NodeKind::Root),
    ("pv", NodeKind::Pv),
    ("cut", NodeKind::Cut),
    ("all", NodeKind::All),
];

fn place(node: NodeKind) -> &'static str {
    match node {
        NodeKind::Root => "at the root",
        NodeKind::Pv => "in a principal variation node",
        NodeKind::Cut => "in a node expected to fail high",
        NodeKind::All => "in a node expected to fail low",
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let here = working_folder()?;
    match arguments {
        Arguments::Check(check) => check_all(&check.policies, frame),
        Arguments::Show(show) => frame.outcome("policy", || shown(show)),
        Arguments::Facts => frame.text(|| Ok(facts())),
        Arguments::List => configuration::list(frame, Files::on_disk().named(POLICY_FOLDER, &here), |path| {
            let (policy, _) = Policy::load(path)?;
            Ok(vec![policy.description().to_owned(), policy.provenance().to_owned()])
        }),
        Arguments::Cat(cat) => frame.text(|| text_of(&cat.policy, &here)),
        Arguments::Export(export) => policy_export::run(export, frame),
        Arguments::Compile(compile) => policy_compile::run(compile, frame),
    }
}

fn text_of(reference: &PolicyReference, here: &Path) -> Result<String, Failure> {
    if reference.overrides().next().is_some() {
        return Err(Failure::input(
            format!("`{reference}` is a policy with overrides, and `cat` prints a file"),
            format!("leave the overrides out: `lmrlab policy cat {}`", reference.policy()),
        ));
    }
    configuration::text(&reference.locate(&Files::on_disk(), here)?)
}

fn check_all(policies: &[PolicyReference], frame: &Frame) -> Result<(), Failure> {
    let mut wrong: Vec<Diagnostics> = Vec::new();
    for reference in policies {
        match load_for_host(reference) {
            Ok(policy) => frame.print(&format!("{reference}: {} is fine\n", policy.name())),
            Err(Failure::Input(mistakes)) => wrong.extend(mistakes),
            Err(failure) => return Err(failure),
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Input(wrong)),
    }
}

fn shown(arguments: &Show) -> Result<Found, Failure> {
    let loaded = |reference: &PolicyReference| {
        let policy = load(reference)?;
        let unread = (arguments.facts.iter()).flat_map(|facts| facts.without_effect(policy.needs()));
        let unread: Vec<String> = unread.map(|name| format!("`{name}`")).collect();
        if !unread.is_empty() {
            let (name, facts) = (policy.name(), unread.join(" and "));
            print_note(&format!(
                "{name} does not read {facts}, so the table is the same without"
            ));
        }
        Ok::<_, Failure>((reference.name_of(&policy), policy))
    };
    let (name, policy) = loaded(&arguments.policy)?;
    let other = arguments.diff.as_ref().map(loaded).transpose()?;
    let tables = |node: NodeKind| {
        let mut given = Given::of_node(node);
        if let Some(facts) = &arguments.facts {
            given.merge(facts);
        }
        let other = other.as_ref().map(|(_, policy)| policy);
        ReductionTables::of((&name, &policy), other, (arguments.depths, arguments.moves), &given)
    };
    let found = tables(arguments.node);
    let here = place(arguments.node);
    let others = match &arguments.facts {
        None => "all other facts 0 or false".to_owned(),
        Some(facts) => format!("{facts}, all other facts 0 or false"),
    };
    let against = other
        .as_ref()
        .map_or_else(String::new, |(other, _)| format!(" by {other} minus that by {name}"));
    let is_alike = found.are_alike();
    let mut outcome = found.outcome(&format!(
        "Reduction of a quiet piece move {here}{against}, in plies; {others}"
    ));
    if let (Some((other, _)), true) = (&other, is_alike) {
        outcome.sections.clear();
        outcome.verdict = vec![format!("{name} and {other} reduce a quiet piece move {here} alike.")];
        let elsewhere = NODES.iter().filter(|(_, node)| !tables(*node).are_alike());
        let differ = elsewhere.map(|(name, node)| format!("They differ {}: --node {name}", place(*node)));
        outcome.verdict.extend(differ);
        if outcome.verdict.len() == 1 {
            outcome.verdict.push(
                "They do so in every kind of node; they may differ with other facts, as in --facts history=-600."
                    .to_owned(),
            );
        }
    }
    Ok(outcome.into())
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
