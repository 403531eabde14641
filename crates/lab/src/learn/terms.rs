//! The rules that may be learned: a condition or a number, and plies.

use std::fmt;

use lmrlab_policy::facts::{CATALOGUE, Fact, Kind};

use super::losses::Losses;
use crate::curves::CurveFile;
use crate::named_fact::NamedFact;

/// What a rule reads.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// A flag holds.
    Flag(Fact),
    /// A flag does not hold.
    Without(Fact),
    /// Two flags hold.
    Both(Fact, Fact),
    /// A number is at least this.
    AtLeast(Fact, f64),
    /// A number is less than this.
    Below(Fact, f64),
    /// A number as a share of this one, from -1 to 1.
    Share(Fact, f64),
}

/// A number takes one of these places among the late moves where a rule may begin to hold.
const QUANTILES: [f64; 7] = [0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95];

/// The least share of the late moves for which a condition has to hold, and for which it must not.
const LEAST_SHARE: f64 = 0.004;

/// Facts that are the place in the search, and no reason by themselves.
const NO_REASONS: [Fact; 5] = [
    Fact::Alpha,
    Fact::BestScore,
    Fact::TtScore,
    Fact::RootWindow,
    Fact::MovesSearched,
];

impl Term {
    /// The name of its rule.
    pub(super) fn name(&self) -> String {
        let number = |value: &f64| value.to_string().replace('-', "minus-").replace('.', "-");
        let name = match self {
            Self::Flag(fact) => fact.info().name.to_owned(),
            Self::Without(fact) => format!("not-{}", fact.info().name),
            Self::Both(one, two) => format!("{}-and-{}", one.info().name, two.info().name),
            Self::AtLeast(fact, least) => format!("{}-from-{}", fact.info().name, number(least)),
            Self::Below(fact, end) => format!("{}-below-{}", fact.info().name, number(end)),
            Self::Share(fact, _) => format!("by-{}", fact.info().name),
        };
        format!("learned-{}", name.replace('_', "-"))
    }

    /// The condition of its rule; nothing when it always holds.
    pub(super) fn condition(&self) -> Option<String> {
        match self {
            Self::Flag(fact) => Some(fact.info().name.to_owned()),
            Self::Without(fact) => Some(format!("not {}", fact.info().name)),
            Self::Both(one, two) => Some(format!("{} and {}", one.info().name, two.info().name)),
            Self::AtLeast(fact, least) => Some(format!("{} >= {least}", fact.info().name)),
            Self::Below(fact, end) => Some(format!("{} < {end}", fact.info().name)),
            Self::Share(..) => None,
        }
    }

    /// What its rule adds, when `parameter` names the plies.
    pub(super) fn amount(&self, parameter: &str) -> String {
        match self {
            Self::Share(fact, whole) => format!("{parameter} * clamp({} / {whole}, -1, 1)", fact.info().name),
            _ => parameter.to_owned(),
        }
    }

    /// By how much of its plies the rule changes a move.
    #[inline]
    fn factor(&self, value: impl Fn(Fact) -> f64) -> f64 {
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match self {
            Self::Flag(fact) => value(*fact),
            Self::Without(fact) => 1.0 - value(*fact),
            Self::Both(one, two) => value(*one) * value(*two),
            Self::AtLeast(fact, least) => truth(value(*fact) >= *least),
            Self::Below(fact, end) => truth(value(*fact) < *end),
            Self::Share(fact, whole) => (value(*fact) / *whole).clamp(-1.0, 1.0),
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
pub(super) struct Columns(Vec<Option<Vec<f64>>>);

impl Columns {
    pub(super) fn of(file: &CurveFile, losses: &Losses) -> Self {
        let column = |fact: Fact| {
            let place = file.facts.iter().position(|known| *known == NamedFact::Known(fact))?;
            let values = losses.curves.iter().map(|index| file.curves[*index].values[place]);
            Some(values.collect())
        };
        Self(CATALOGUE.iter().map(|info| column(info.fact)).collect())
    }

    fn column(&self, fact: Fact) -> Option<&[f64]> {
        self.0.get(fact as usize)?.as_deref()
    }

    /// The factor of a term for each late move.
    pub(super) fn factors(&self, term: &Term, rows: usize) -> Vec<f64> {
        let value = |row: usize| {
            move |fact: Fact| {
                let column = self.column(fact);
                column.and_then(|column| column.get(row)).copied().unwrap_or(0.0)
            }
        };
        (0..rows).map(|row| term.factor(value(row))).collect()
    }

    /// Every term that holds for some of the late moves and not for others.
    pub(super) fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut flags = Vec::new();
        for info in CATALOGUE.iter().filter(|info| !NO_REASONS.contains(&info.fact)) {
            let Some(column) = self.column(info.fact) else {
                continue;
            };
            match info.kind {
                Kind::Boolean => {
                    if is_mixed(column.iter().map(|value| *value != 0.0)) {
                        flags.push(info.fact);
                        terms.extend([Term::Flag(info.fact), Term::Without(info.fact)]);
                    }
                }
                Kind::Number => terms.extend(number_terms(info.fact, column)),
            }
        }
        for (index, one) in flags.iter().enumerate() {
            for two in &flags[index + 1..] {
                let (Some(first), Some(second)) = (self.column(*one), self.column(*two)) else {
                    continue;
                };
                let both = || first.iter().zip(second).map(|(one, two)| *one != 0.0 && *two != 0.0);
                let alone = first
                    .iter()
                    .zip(second)
                    .filter(|(one, two)| (**one != 0.0) != (**two != 0.0));
                // One flag that follows from the other is no pair.
                if is_mixed(both()) && alone.count() as f64 > LEAST_SHARE * first.len() as f64 {
                    terms.push(Term::Both(*one, *two));
                }
            }
        }
        terms
    }
}

/// The terms of a number: it is at least a quantile; and its size, when it has both signs.
fn number_terms(fact: Fact, column: &[f64]) -> Vec<Term> {
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
        .flat_map(|place| [Term::AtLeast(fact, place), Term::Below(fact, place)])
        .collect();
    let (low, high) = (at(0.05), at(0.95));
    if low < 0.0 && high > 0.0 {
        terms.push(Term::Share(fact, high.max(-low).round().max(1.0)));
    }
    terms
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
