//! The classic table `reductions[depth][move]`, where depth and move number are all that a policy reads.

use std::fmt::Write as _;

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
    let mut text = origin(policy);
    comment::write(
        &mut text,
        "",
        "The reduction in plies of a move that is not extended, by the remaining depth of its node and by its number among the \
         node's moves, counted from 1 (so that one move less has been searched before it). Both go to 63; take 63 beyond.",
    );
    let last = SIDE - 1;
    match language {
        Language::C => {
            let _ = write!(text, "\n{}", guard(&name));
            let _ = writeln!(text, "\nstatic const short {name}_reductions[{SIDE}][{SIDE}] = {{");
        }
        Language::Rust => {
            let _ = writeln!(text, "\npub static REDUCTIONS: [[i16; {SIDE}]; {SIDE}] = [");
        }
    }
    let (open, close) = match language {
        Language::C => ('{', '}'),
        Language::Rust => ('[', ']'),
    };
    let given = Given::default();
    for depth in 0..SIDE {
        // There is no move 0; its column stands for move 1.
        let row: Vec<String> = (0..SIDE)
            .map(|number| {
                policy
                    .reduction(&plain_move(depth, number.saturating_sub(1), &given))
                    .to_string()
            })
            .collect();
        let (first, second) = row.split_at(row.len() / 2);
        let _ = writeln!(
            text,
            "    {open}{},\n     {}{close},",
            first.join(", "),
            second.join(", ")
        );
    }
    let _ = match language {
        Language::C => writeln!(
            text,
            "}};\n\nstatic inline int {name}_reduction(int depth, int move_number)\n{{\n    depth = depth < 0 ? 0 : depth > {last} \
             ? {last} : depth;\n    move_number = move_number < 0 ? 0 : move_number > {last} ? {last} : move_number;\n    return \
             {name}_reductions[depth][move_number];\n}}\n\n#endif"
        ),
        Language::Rust => writeln!(
            text,
            "];\n\n#[inline]\npub fn reduction(depth: i32, move_number: i32) -> i32 {{\n    let cell = |x: i32| x.clamp(0, {last}) \
             as usize;\n    i32::from(REDUCTIONS[cell(depth)][cell(move_number)])\n}}"
        ),
    };
    text
}
