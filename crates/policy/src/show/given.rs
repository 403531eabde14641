//! Facts about a node and a move, given as text.

use std::fmt;
use std::str::FromStr;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source, nearest};

use crate::facts::{CATALOGUE, Fact, FactSet, Kind};

/// The kinds of nodes that policies can distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// The root of the search, which is a PV node.
    Root,
    /// A principal variation node.
    Pv,
    /// A null-window node that is expected to fail high.
    Cut,
    /// A null-window node that is expected to fail low.
    All,
}

/// The facts in which a move differs from a plain quiet one.
///
/// Read from a text such as `history=-600,improving=1,in_check`: numbers with their values, booleans with `0`, `1`,
/// `false`, `true` or nothing, which means true. Unless the text says otherwise, `capture` and `promotion`
/// make the move not quiet, `queen_promotion` implies `promotion`, and `root` implies `pv`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    /// Each fact with its value; 1 or 0 of a boolean.
    facts: Vec<(Fact, f64)>,
}

impl Given {
    /// The facts of a node of this kind.
    pub fn of_node(node: NodeKind) -> Self {
        let flags = match node {
            NodeKind::Root => &[Fact::Root, Fact::Pv][..],
            NodeKind::Pv => &[Fact::Pv],
            NodeKind::Cut => &[Fact::Cut],
            NodeKind::All => &[Fact::All],
        };
        Self {
            facts: flags.iter().map(|fact| (*fact, 1.0)).collect(),
        }
    }

    /// Sets a fact: a boolean to 1 or 0.
    pub fn set(&mut self, fact: Fact, value: f64) {
        self.facts.retain(|(other, _)| *other != fact);
        self.facts.push((fact, value));
    }

    /// Adds the facts of `other`, which replace those given here.
    pub fn merge(&mut self, other: &Self) {
        for (fact, value) in &other.facts {
            self.set(*fact, *value);
        }
    }

    /// The names of the facts that change nothing when a policy needs these facts alone: it needs neither them nor what
    /// they imply.
    pub fn without_effect(&self, needs: FactSet) -> Vec<&'static str> {
        let implied = |fact| match fact {
            Fact::Capture | Fact::Promotion => &[Fact::Quiet][..],
            Fact::QueenPromotion => &[Fact::Promotion, Fact::Quiet],
            Fact::Root => &[Fact::Pv],
            _ => &[],
        };
        let is_needed = |fact: Fact| needs.contains(fact) || implied(fact).iter().any(|other| needs.contains(*other));
        let facts = self.facts().map(|(fact, _)| fact);
        facts.filter(|fact| !is_needed(*fact)).map(Fact::name).collect()
    }

    /// The facts, booleans first.
    pub(super) fn facts(&self) -> impl Iterator<Item = (Fact, f64)> {
        let of_kind = |kind| {
            self.facts
                .iter()
                .copied()
                .filter(move |(fact, _)| fact.info().kind == kind)
        };
        of_kind(Kind::Boolean).chain(of_kind(Kind::Number))
    }

    /// Whether a boolean holds; `otherwise` when it is not given.
    pub(super) fn holds(&self, fact: Fact, otherwise: bool) -> bool {
        let found = self.facts.iter().find(|(other, _)| *other == fact);
        found.map_or(otherwise, |(_, value)| *value != 0.0)
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.facts().map(|(fact, value)| format!("{}={value}", fact.name()));
        f.write_str(&items.collect::<Vec<_>>().join(","))
    }
}

/// Why a fact cannot be given; `None` when it can.
fn refused(fact: Fact) -> Option<&'static str> {
    match fact {
        Fact::Depth | Fact::MovesSearched | Fact::MoveNumber => Some("the table varies it"),
        fact if fact.is_of_rules() => Some("known inside rules only"),
        fact if fact.is_of_research() => Some("known after the reduced search only"),
        _ => None,
    }
}

impl FromStr for Given {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        let mut given = Self::default();
        let mut wrong = Vec::new();
        let mut start = 0;
        for item in text.split(',') {
            let span = start..start + item.len();
            start = span.end + 1;
            if item.trim().is_empty() && text.trim().is_empty() {
                continue;
            }
            if let Err(diagnostic) = read_item(item, &mut given) {
                wrong.push(diagnostic.at(span, ""));
            }
        }
        if wrong.is_empty() {
            Ok(given)
        } else {
            Err(Diagnostics::new(Source::new("facts", text), wrong))
        }
    }
}

fn read_item(item: &str, given: &mut Given) -> Result<(), Diagnostic> {
    let refuse = |message: String, help: &str| Err(Diagnostic::error(message).help(help));
    let example = "write, for example, `history=-600,improving=1`";
    let (name, value) = match item.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (item.trim(), None),
    };
    if name.is_empty() {
        return refuse("a fact is missing here".to_owned(), example);
    }
    let Some(fact) = Fact::named(name) else {
        let near = nearest(name, CATALOGUE.iter().map(|info| info.name));
        let help = near.map_or(example.to_owned(), |near| format!("did you mean `{near}`?"));
        return refuse(format!("no fact is called `{name}`"), &help);
    };
    if let Some(reason) = refused(fact) {
        return Err(Diagnostic::error(format!("`{name}` cannot be given: {reason}")));
    }
    let number = value
        .and_then(|value| value.parse().ok())
        .filter(|value: &f64| value.is_finite());
    let value = match (fact.info().kind, value, number) {
        (Kind::Boolean, None | Some("1" | "true"), _) => 1.0,
        (Kind::Boolean, Some("0" | "false"), _) => 0.0,
        (Kind::Boolean, ..) => {
            let help = format!("write `{name}=1` or `{name}=0`");
            return refuse(format!("`{name}` is true or false"), &help);
        }
        (Kind::Number, _, Some(value)) => value,
        (Kind::Number, ..) => {
            let help = format!("write, for example, `{name}=100`");
            return refuse(format!("`{name}` is a number"), &help);
        }
    };
    given.set(fact, value);
    Ok(())
}
