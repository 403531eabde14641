//! Facts about a node and a move, given as text.

use std::fmt;
use std::str::FromStr;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source, nearest};

use crate::facts::{CATALOGUE, Fact, FactSet, Flags, Kind};

/// The kinds of nodes that policies can distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

impl NodeKind {
    /// The flags of such a node.
    pub fn flags(self) -> Flags {
        match self {
            Self::Root => Flags::NONE.with(Fact::Root, true).with(Fact::Pv, true),
            Self::Pv => Flags::NONE.with(Fact::Pv, true),
            Self::Cut => Flags::NONE.with(Fact::Cut, true),
            Self::All => Flags::NONE.with(Fact::All, true),
        }
    }
}

/// The facts in which a move differs from a plain quiet one.
///
/// Read from a text such as `history=-600,improving=1,in_check`: numbers with their values, booleans with `0`, `1`,
/// `false`, `true` or nothing, which means true. Unless the text says otherwise, `capture` and `promotion`
/// make the move not quiet, `queen_promotion` implies `promotion`, and `root` implies `pv`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    truths: Vec<(Fact, bool)>,
    numbers: Vec<(Fact, f64)>,
}

impl Given {
    /// The facts of a node of this kind.
    pub fn of_node(node: NodeKind) -> Self {
        Self::of_flags(node.flags())
    }

    /// The flags that are set.
    pub fn of_flags(flags: Flags) -> Self {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        Self {
            truths: facts
                .filter(|fact| fact.is_flag() && flags.has(*fact))
                .map(|fact| (fact, true))
                .collect(),
            numbers: Vec::new(),
        }
    }

    /// Sets a boolean fact.
    pub fn set_truth(&mut self, fact: Fact, value: bool) {
        self.truths.retain(|(other, _)| *other != fact);
        self.truths.push((fact, value));
    }

    /// Sets a number.
    pub fn set_number(&mut self, fact: Fact, value: f64) {
        self.numbers.retain(|(other, _)| *other != fact);
        self.numbers.push((fact, value));
    }

    /// Adds the facts of `other`, which replace those given here.
    pub fn merge(&mut self, other: &Self) {
        for (fact, value) in &other.truths {
            self.set_truth(*fact, *value);
        }
        for (fact, value) in &other.numbers {
            self.set_number(*fact, *value);
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
        let truths = self.truths.iter().map(|(fact, _)| *fact);
        let facts = truths.chain(self.numbers.iter().map(|(fact, _)| *fact));
        let unread = facts
            .filter(|fact| !needs.contains(*fact) && !implied(*fact).iter().any(|implied| needs.contains(*implied)));
        unread.map(|fact| fact.info().name).collect()
    }

    /// All facts, each as it is read.
    fn items(&self) -> impl Iterator<Item = String> {
        let truths = self.truths.iter();
        let numbers = self.numbers.iter();
        let name = |fact: &Fact| fact.info().name;
        truths
            .map(move |(fact, value)| format!("{}={}", name(fact), u8::from(*value)))
            .chain(numbers.map(move |(fact, value)| format!("{}={value}", name(fact))))
    }

    fn truth(&self, fact: Fact) -> Option<bool> {
        let found = self.truths.iter().find(|(other, _)| *other == fact);
        found.map(|(_, value)| *value)
    }

    pub(super) fn number(&self, fact: Fact) -> Option<f64> {
        let found = self.numbers.iter().find(|(other, _)| *other == fact);
        found.map(|(_, value)| *value)
    }

    /// The booleans, with those that they imply.
    pub(super) fn truths(&self) -> (Flags, FactSet) {
        let given = |fact| self.truth(fact).unwrap_or(false);
        let promotion = self.truth(Fact::Promotion).unwrap_or(given(Fact::QueenPromotion));
        let quiet = self.truth(Fact::Quiet).unwrap_or(!given(Fact::Capture) && !promotion);
        let pv = self.truth(Fact::Pv).unwrap_or(given(Fact::Root));
        let mut flags = Flags::NONE
            .with(Fact::Promotion, promotion)
            .with(Fact::Quiet, quiet)
            .with(Fact::Pv, pv);
        let mut booleans = FactSet::default();
        for (fact, value) in &self.truths {
            if fact.is_flag() {
                flags = flags.with(*fact, *value);
            } else if *value {
                booleans.insert(*fact);
            }
        }
        (flags, booleans)
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.items().collect::<Vec<_>>().join(","))
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
    let (name, value) = match item.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (item.trim(), None),
    };
    if name.is_empty() {
        return Err(Diagnostic::error("a fact is missing here").help("write, for example, `history=-600,improving=1`"));
    }
    let Some(fact) = Fact::named(name) else {
        let near = nearest(name, CATALOGUE.iter().map(|info| info.name));
        return Err(
            Diagnostic::error(format!("no fact is called `{name}`")).help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write, for example, `history=-600,improving=1`".to_owned(),
            }),
        );
    };
    if let Some(reason) = refused(fact) {
        return Err(Diagnostic::error(format!("`{name}` cannot be given: {reason}")));
    }
    match (fact.info().kind, value) {
        (Kind::Boolean, None | Some("1" | "true")) => given.set_truth(fact, true),
        (Kind::Boolean, Some("0" | "false")) => given.set_truth(fact, false),
        (Kind::Boolean, Some(_)) => {
            return Err(
                Diagnostic::error(format!("`{name}` is true or false")).help(format!("write `{name}=1` or `{name}=0`"))
            );
        }
        (Kind::Number, value) => match value.map(str::parse::<f64>) {
            Some(Ok(value)) if value.is_finite() => given.set_number(fact, value),
            _ => {
                return Err(Diagnostic::error(format!("`{name}` is a number"))
                    .help(format!("write, for example, `{name}=100`")));
            }
        },
    }
    Ok(())
}
