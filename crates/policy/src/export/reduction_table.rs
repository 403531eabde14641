//! The classic table `reductions[depth][move]`, where depth and move number are all that a policy reads.

use super::file::{facts_of_reduction, guard, origin};
use super::names::prefix;
use super::{Language, comment};
use crate::facts::Fact;
use crate::policy::Policy;
use crate::show::{Given, plain_move};

/// The rows and the columns: depths and move numbers from 0 to 63.
const SIDE: u32 = 64;

/// A policy reads facts other than depth and move number, so no table of these two can replace it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the reduction depends on more than depth and move number: {}", .names.join(", "))]
pub struct OtherFacts {
    /// Their names: those of the catalogue in its order, then those of the policy's `[host]`.
    pub names: Vec<String>,
}

/// Writes the reductions of moves that are not extended, by depth and move number.
///
/// # Errors
/// When the policy reads anything else.
pub fn reduction_table(policy: &Policy, language: Language) -> Result<String, OtherFacts> {
    let facts = facts_of_reduction(policy, language);
    let known = [Fact::Depth, Fact::MoveNumber, Fact::MovesSearched, Fact::Extension];
    let limits_extended = policy.scheme().finish.max_if_extended.is_some();
    let others = facts
        .iter()
        .filter(|fact| !known.contains(fact) && (*fact != Fact::Extended || limits_extended))
        .map(|fact| fact.name().to_owned());
    let own = policy.own_facts().filter(|own| facts.contains(own.fact));
    let others: Vec<String> = others.chain(own.map(|own| own.name.to_owned())).collect();
    if others.is_empty() {
        Ok(write(policy, language))
    } else {
        Err(OtherFacts { names: others })
    }
}

fn write(policy: &Policy, language: Language) -> String {
    let name = prefix(policy.name());
    let given = Given::default();
    let cell = |depth: u32, number: u32| {
        // There is no move 0; its column stands for move 1.
        let plain = plain_move(depth, number.saturating_sub(1), &given);
        policy.reduction(&plain).to_string()
    };
    let (open, close) = language.pick(('{', '}'), ('[', ']'));
    let rows = (0..SIDE).map(|depth| {
        let cells: Vec<String> = (0..SIDE).map(|number| cell(depth, number)).collect();
        let (first, second) = cells.split_at(cells.len() / 2);
        let [first, second] = [first, second].map(|half| half.join(", "));
        format!("    {open}{first},\n     {second}{close},\n")
    });
    let values = [
        ("name", name.clone()),
        ("guard", guard(&name)),
        ("rows", rows.collect()),
    ];
    let mut text = origin(policy);
    let template = language.pick(include_str!("table_in_c.txt"), include_str!("table_in_rust.txt"));
    comment::write(&mut text, "", include_str!("table.txt"));
    text + &values.iter().fold(template.to_owned(), |text, (key, value)| {
        text.replace(&format!("<{key}>"), value)
    })
}
