//! The rules that may be learned: a condition or a number, and plies.

use std::fmt;

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Kind};

use super::losses::Losses;
use crate::curves::CurveFile;
use crate::curves::curve_facts::column;
use crate::named_fact::NamedFact;

/// What a rule reads.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// A flag holds.
    Flag(NamedFact),
    /// A flag does not hold.
    Without(NamedFact),
    /// Two flags hold.
    Both(NamedFact, NamedFact),
    /// A number is at least this.
    AtLeast(NamedFact, f64),
    /// A number is less than this.
    Below(NamedFact, f64),
    /// A number as a share of this one, from -1 to 1.
    Share(NamedFact, f64),
}

/// A rule about a number may begin to hold at these quantiles of the number among the late moves.
const QUANTILES: [f64; 7] = [0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95];

/// The least share of the late moves for which a condition has to hold, and for which it must not.
const LEAST_SHARE: f64 = 0.004;

/// Facts that only say where in the search a move is. That is no reason to reduce by itself.
const NO_REASONS: [Fact; 5] = [
    Fact::Alpha,
    Fact::BestScore,
    Fact::TtScore,
    Fact::RootWindow,
    Fact::MovesSearched,
];

impl Term {
    /// What its rule is called, if the name is free and not too long.
    pub(super) fn name(&self) -> String {
        let number = |value: &f64| value.to_string().replace('-', "minus-").replace('.', "-");
        let name = match self {
            Self::Flag(fact) => fact.word().to_owned(),
            Self::Without(fact) => format!("not-{}", fact.word()),
            Self::Both(one, two) => format!("{}-and-{}", one.word(), two.word()),
            Self::AtLeast(fact, least) => format!("{}-from-{}", fact.word(), number(least)),
            Self::Below(fact, end) => format!("{}-below-{}", fact.word(), number(end)),
            Self::Share(fact, _) => format!("by-{}", fact.word()),
        };
        format!("learned-{}", name.replace('_', "-"))
    }

    /// The condition of its rule; nothing when it always holds.
    pub(super) fn condition(&self) -> Option<String> {
        match self {
            Self::Flag(fact) => Some(fact.word().to_owned()),
            Self::Without(fact) => Some(format!("not {}", fact.word())),
            Self::Both(one, two) => Some(format!("{} and {}", one.word(), two.word())),
            Self::AtLeast(fact, least) => Some(format!("{} >= {least}", fact.word())),
            Self::Below(fact, end) => Some(format!("{} < {end}", fact.word())),
            Self::Share(..) => None,
        }
    }

    /// What its rule adds, when `parameter` names the plies.
    pub(super) fn amount(&self, parameter: &str) -> String {
        match self {
            Self::Share(fact, whole) => format!("{parameter} * clamp({} / {whole}, -1, 1)", fact.word()),
            _ => parameter.to_owned(),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.condition() {
            Some(condition) => f.write_str(&condition),
            None => f.write_str(&self.amount("1")),
        }
    }
}

/// The facts of the late moves, fact by fact.
#[derive(Debug, Clone)]
pub(super) struct Columns(Vec<(NamedFact, Vec<f64>)>);

impl Columns {
    /// The facts that `file` has: those of the catalogue, and those that `policy` declares in `[host]`.
    pub(super) fn of(file: &CurveFile, losses: &Losses, policy: &Policy) -> Self {
        let known = CATALOGUE.iter().map(|info| NamedFact::Known(info.fact));
        let own = policy.own_facts().map(|own| NamedFact::own(own.name, own.kind));
        let columns = known.chain(own).filter_map(|fact| {
            let place = column(file, &fact)?;
            let values = losses.curves.iter().map(|index| file.curves[*index].values[place]);
            Some((fact, values.collect()))
        });
        Self(columns.collect())
    }

    fn column(&self, fact: &NamedFact) -> Option<&[f64]> {
        let (_, values) = self.0.iter().find(|(known, _)| known == fact)?;
        Some(values)
    }

    /// For each late move, the share of the rule's plies that it gets from a rule with this term.
    pub(super) fn factors(&self, term: &Term, rows: usize) -> Vec<f64> {
        match term {
            Term::Flag(fact) => self.each(fact, rows, |value| truth(value != 0.0)),
            Term::Without(fact) => self.each(fact, rows, |value| truth(value == 0.0)),
            Term::Both(one, two) => {
                let holds = |fact| self.each(fact, rows, |value| truth(value != 0.0));
                holds(one)
                    .into_iter()
                    .zip(holds(two))
                    .map(|(one, two)| one * two)
                    .collect()
            }
            Term::AtLeast(fact, least) => self.each(fact, rows, |value| truth(value >= *least)),
            Term::Below(fact, end) => self.each(fact, rows, |value| truth(value < *end)),
            Term::Share(fact, whole) => self.each(fact, rows, |value| (value / *whole).clamp(-1.0, 1.0)),
        }
    }

    fn each(&self, fact: &NamedFact, rows: usize, factor: impl Fn(f64) -> f64) -> Vec<f64> {
        match self.column(fact) {
            Some(values) => values.iter().map(|value| factor(*value)).collect(),
            None => vec![factor(0.0); rows],
        }
    }

    /// Every term that holds for some of the late moves and not for others.
    pub(super) fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut flags = Vec::new();
        for (fact, column) in &self.0 {
            if matches!(fact, NamedFact::Known(known) if NO_REASONS.contains(known)) {
                continue;
            }
            match fact.kind() {
                Kind::Boolean => {
                    if is_mixed(column.iter().map(|value| *value != 0.0)) {
                        flags.push((fact, column));
                        terms.extend([Term::Flag(fact.clone()), Term::Without(fact.clone())]);
                    }
                }
                Kind::Number => terms.extend(number_terms(fact, column)),
            }
        }
        for (index, (one, first)) in flags.iter().enumerate() {
            for (two, second) in &flags[index + 1..] {
                let pairs = || first.iter().zip(second.iter());
                let both = pairs().map(|(one, two)| *one != 0.0 && *two != 0.0);
                let alone = pairs().filter(|(one, two)| (**one != 0.0) != (**two != 0.0));
                // One flag that follows from the other is no pair.
                if is_mixed(both) && alone.count() as f64 > LEAST_SHARE * first.len() as f64 {
                    terms.push(Term::Both((*one).clone(), (*two).clone()));
                }
            }
        }
        terms
    }
}

/// The terms of a number: it is at least a quantile; and its size, when it has both signs.
fn number_terms(fact: &NamedFact, column: &[f64]) -> Vec<Term> {
    let mut sorted = column.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return Vec::new();
    };
    let at = |share: f64| sorted[(last as f64 * share).round() as usize];
    let mut places: Vec<f64> = QUANTILES.iter().map(|share| at(*share)).collect();
    places.dedup();
    let holds = |place: f64| column.iter().map(move |value| *value >= place);
    let mut terms: Vec<Term> = places
        .into_iter()
        .filter(|place| is_mixed(holds(*place)))
        .flat_map(|place| [Term::AtLeast(fact.clone(), place), Term::Below(fact.clone(), place)])
        .collect();
    let (low, high) = (at(0.05), at(0.95));
    if low < 0.0 && high > 0.0 {
        terms.push(Term::Share(fact.clone(), high.max(-low).round().max(1.0)));
    }
    terms
}

fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

fn is_mixed(holds: impl Iterator<Item = bool>) -> bool {
    let (mut count, mut all) = (0_usize, 0_usize);
    for holds in holds {
        count += usize::from(holds);
        all += 1;
    }
    let least = LEAST_SHARE * all as f64;
    count as f64 > least && (all - count) as f64 > least
}
