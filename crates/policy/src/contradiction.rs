//! Finds conditions that hold for no move, from what the facts mean.
//!
//! Every contradiction that it finds is certain. It does not find all of them: it reads boolean facts, and comparisons
//! of a numeric fact with a constant.

use lmrlab_host::rows;
use lmrlab_host::runtime::Expression;
use lmrlab_host::runtime::expression::Interval;

use crate::facts::Fact;

/// The greatest number of branches of `or` to try, over all conditions of a file. After that, every condition counts as
/// possible.
const MAX_BRANCHES: u32 = 10_000;

/// Looks for contradictions in the conditions of one file.
pub(crate) struct Contradictions {
    branches_left: u32,
}

impl Contradictions {
    pub(crate) fn new() -> Self {
        Self {
            branches_left: MAX_BRANCHES,
        }
    }

    /// Whether all of the folded conditions may hold for one move. False is certain, true is not.
    pub(crate) fn can_hold(&mut self, terms: &[&Expression]) -> bool {
        self.can_hold_with(KnownFacts::default(), terms.to_vec(), Vec::new())
    }

    /// Whether `terms`, and at least one term of each of `branches`, may hold together with what is known.
    fn can_hold_with<'b>(
        &mut self,
        mut known: KnownFacts,
        mut terms: Vec<&'b Expression>,
        mut branches: Vec<&'b [Expression]>,
    ) -> bool {
        while let Some(term) = terms.pop() {
            match term {
                Expression::And(inner) => terms.extend(inner),
                Expression::Or(inner) => branches.push(inner),
                term if !known.accepts(term) => return false,
                _ => {}
            }
        }
        let Some(branch) = branches.pop() else {
            return true;
        };
        branch.iter().any(|term| {
            if self.branches_left == 0 {
                return true;
            }
            self.branches_left -= 1;
            self.can_hold_with(known.clone(), vec![term], branches.clone())
        })
    }
}

/// What the terms so far say about a move.
#[derive(Clone, Default)]
struct KnownFacts {
    booleans: Vec<(Fact, bool)>,
    intervals: Vec<Interval>,
}

impl KnownFacts {
    /// Notes a term that is neither `and` nor `or`; false when it contradicts what is known.
    fn accepts(&mut self, term: &Expression) -> bool {
        match term {
            Expression::Constant(value) => *value != 0.0,
            term => match term.literal() {
                Some((fact, value)) => self.learn(fact, value),
                None => Interval::of(term).is_none_or(|interval| self.narrow(interval)),
            },
        }
    }

    /// Notes a boolean and what follows from it; false when that contradicts what is known.
    fn learn(&mut self, fact: Fact, value: bool) -> bool {
        if let Some((_, known)) = self.booleans.iter().find(|(other, _)| *other == fact) {
            return *known == value;
        }
        self.booleans.push((fact, value));
        if value {
            let implied = ALL_IMPLICATIONS.iter().filter(|(other, _)| *other == fact);
            let mut implied = implied.flat_map(|(_, then)| *then);
            implied.all(|(other, value)| self.learn(*other, *value))
        } else {
            // A fact that implies this one is false too.
            let missing = ALL_IMPLICATIONS
                .iter()
                .filter(|(_, then)| then.contains(&(fact, true)))
                .all(|(other, _)| self.learn(*other, false));
            let is_false = |fact: &Fact| self.booleans.contains(&(*fact, false));
            missing && !ONE_OF.iter().any(|facts| facts.iter().all(is_false))
        }
    }

    /// Notes bounds of a number; false when no value remains between them.
    fn narrow(&mut self, new: Interval) -> bool {
        let fact = new.fact;
        // The file chooses the unit of `so_far`.
        let whole = fact.range().filter(|_| fact != Fact::SoFar);
        let known = self.intervals.iter().position(|other| other.fact == fact);
        let index = known.unwrap_or_else(|| {
            let (low, high) = match &whole {
                Some(range) => (f64::from(*range.start()), f64::from(*range.end())),
                None => (f64::NEG_INFINITY, f64::INFINITY),
            };
            self.intervals.push(Interval { fact, low, high });
            self.intervals.len() - 1
        });
        // All numbers of lmrlab's search are integers.
        let (low, high) = match whole {
            Some(_) => (new.low.ceil(), new.high.floor()),
            None => (new.low, new.high),
        };
        let interval = &mut self.intervals[index];
        interval.low = interval.low.max(low);
        interval.high = interval.high.min(high);
        interval.low <= interval.high
    }
}

/// Of each of these lists, at least one fact holds for every move.
const ONE_OF: [[Fact; 3]; 2] = [
    [Fact::Pv, Fact::Cut, Fact::All],
    [Fact::Quiet, Fact::Capture, Fact::Promotion],
];

type Implication = (Fact, &'static [(Fact, bool)]);

/// What a true boolean implies for other booleans.
const ALL_IMPLICATIONS: &[Implication] = &rows! {
    Fact::Root, &[(Fact::Pv, true), (Fact::AfterNull, false), (Fact::NullMover, false), (Fact::NullMate, false), (Fact::NullThreat, false)];
    Fact::Pv, &[(Fact::Cut, false), (Fact::All, false)];
    Fact::Cut, &[(Fact::Pv, false), (Fact::All, false)];
    Fact::All, &[(Fact::Pv, false), (Fact::Cut, false)];
    Fact::Quiet, &[(Fact::Capture, false), (Fact::Promotion, false)];
    Fact::Capture, &[(Fact::Quiet, false), (Fact::Castling, false)];
    Fact::Promotion, &[(Fact::Quiet, false), (Fact::PawnMove, true)];
    Fact::QueenPromotion, &[(Fact::Promotion, true)];
    Fact::Castling, &[(Fact::Quiet, true), (Fact::PawnMove, false), (Fact::InCheck, false)];
    Fact::PawnMove, &[(Fact::Castling, false)];
    Fact::AdvancedPawn, &[(Fact::PawnMove, true)];
    Fact::PassedPawn, &[(Fact::PawnMove, true)];
    Fact::WasBest, &[(Fact::Root, true)];
    Fact::TtPv, &[(Fact::TtHit, true)];
    Fact::TtExact, &[(Fact::TtHit, true)];
    Fact::AfterNull, &[(Fact::Root, false), (Fact::NullMover, false)];
    Fact::NullMover, &[(Fact::Root, false), (Fact::AfterNull, false)];
    Fact::TtMove, &[(Fact::TtHasMove, true)];
    Fact::TtCapture, &[(Fact::TtHasMove, true)];
};
