//! Direct optimisation: the parameters of the start are fitted, and rules are added one by one. Each time the rule is
//! added that lowers the loss most.

use lmrlab_policy::Policy;
use rayon::prelude::*;

use super::losses::Losses;
use super::prices::Prices;
use super::terms::{Columns, Term};
use crate::curves::CurveFile;
use crate::curves::curve_facts::FactColumns;

/// The plies that a new rule may add at first.
const FIRST_PLIES: [f64; 10] = [-1.0, -0.8, -0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8, 1.0];

/// The changes of the plies of a rule that are tried.
const PLY_STEPS: [f64; 6] = [-0.5, -0.2, -0.1, 0.1, 0.2, 0.5];

/// The most plies of a rule. The curves are of the search tree of the start. They say little about a policy that
/// differs much from it.
pub(super) const MOST_PLIES: f64 = 1.0;

/// The changes of a parameter that are tried, in its steps.
const PARAMETER_STEPS: [f64; 6] = [-4.0, -2.0, -1.0, 1.0, 2.0, 4.0];

/// A change is made when it lowers the loss by at least this share.
const LEAST_GAIN: f64 = 1e-5;

/// A rule that was learned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LearnedRule {
    pub(super) term: Term,
    pub(super) plies: f64,
}

/// Late moves of some positions, and what is learned from them.
pub(super) struct Fit<'f> {
    file: &'f CurveFile,
    columns: &'f FactColumns,
    pub(super) losses: Losses,
    facts: Columns,
    pub(super) policy: Policy,
    pub(super) rules: Vec<LearnedRule>,
    factors: Vec<Vec<f64>>,
    /// The reductions of the policy without the rules, before `[finish]`.
    base: Vec<f64>,
    /// The reductions with the rules, before `[finish]`.
    pub(super) raw: Vec<f64>,
    pub(super) loss: f64,
}

impl<'f> Fit<'f> {
    pub(super) fn new(
        policy: Policy,
        file: &'f CurveFile,
        columns: &'f FactColumns,
        prices: &Prices,
        wanted: impl Fn(u32) -> bool,
    ) -> Self {
        let losses = Losses::of(&policy, file, columns, prices, wanted);
        let facts = Columns::of(file, &losses, &policy);
        let raw = losses.raw(&policy, file, columns);
        let loss = losses.mean(&policy, &raw);
        Self {
            file,
            columns,
            losses,
            facts,
            policy,
            rules: Vec::new(),
            factors: Vec::new(),
            base: raw.clone(),
            raw,
            loss,
        }
    }

    /// The same late moves, with the policy and the rules of another fit.
    pub(super) fn take(&mut self, policy: &Policy, rules: &[LearnedRule]) {
        self.policy = policy.clone();
        self.rules = rules.to_vec();
        let rows = self.losses.len();
        self.factors = rules.iter().map(|rule| self.facts.factors(&rule.term, rows)).collect();
        self.base = self.losses.raw(policy, self.file, self.columns);
        self.add_up();
    }

    /// The weighted losses of each position, the moves that are not late left out.
    pub(super) fn losses_by_position(&self) -> Vec<f64> {
        let mut sums: Vec<f64> = Vec::new();
        let mut last = None;
        for (row, (position, raw)) in self.losses.positions.iter().zip(&self.raw).enumerate() {
            if last != Some(position) {
                sums.push(0.0);
                last = Some(position);
            }
            if let Some(sum) = sums.last_mut() {
                *sum += f64::from(self.losses.at(row, self.policy.whole(*raw)));
            }
        }
        sums
    }

    /// The sums of a policy's reductions and of the rules, in the order in which the written policy adds them: a sum may lie on the edge
    /// between two plies.
    fn with_rules(&self, base: &[f64]) -> Vec<f64> {
        let mut raw = base.to_vec();
        for (rule, factors) in self.rules.iter().zip(&self.factors) {
            for (raw, factor) in raw.iter_mut().zip(factors).filter(|(_, factor)| **factor != 0.0) {
                *raw += rule.plies * factor;
            }
        }
        raw
    }

    /// The loss with the rules as they are.
    fn add_up(&mut self) {
        self.raw = self.with_rules(&self.base);
        self.loss = self.losses.mean(&self.policy, &self.raw);
    }

    /// Moves each parameter and each rule to a better value, one after the other, until nothing gets better or `sweeps` are done.
    pub(super) fn improve(&mut self, sweeps: usize) {
        for _ in 0..sweeps {
            let before = self.loss;
            self.improve_rules();
            self.improve_parameters();
            if self.loss > before * (1.0 - 10.0 * LEAST_GAIN) {
                break;
            }
        }
    }

    /// Moves the plies of each rule to a better value.
    fn improve_rules(&mut self) {
        for index in 0..self.rules.len() {
            loop {
                let plies = self.rules[index].plies;
                let possible = PLY_STEPS.iter().filter(|step| (plies + **step).abs() <= MOST_PLIES);
                let steps: Vec<f64> = possible.copied().collect();
                let changes = self.changes(&self.factors[index], &steps);
                let Some((step, change)) = best(&steps, &changes) else {
                    break;
                };
                if change > -LEAST_GAIN * self.loss {
                    break;
                }
                let before = self.loss;
                self.rules[index].plies = rounded(plies + step);
                self.add_up();
                if self.loss >= before {
                    self.rules[index].plies = plies;
                    self.add_up();
                    break;
                }
            }
        }
    }

    /// Moves each parameter of the policy to a better value.
    fn improve_parameters(&mut self) {
        for parameter in self.policy.parameters().to_vec() {
            loop {
                let now = self
                    .policy
                    .parameters()
                    .iter()
                    .find(|other| other.name == parameter.name);
                let now = now.map_or(parameter.value, |now| now.value);
                let tried = PARAMETER_STEPS.iter().filter_map(|steps| {
                    let value = rounded_to(now + steps * parameter.step, parameter.step);
                    let value = value.clamp(parameter.min, parameter.max);
                    let mut policy = self.policy.clone();
                    policy.set_parameter(&parameter.name, value).ok()?;
                    let base = self.losses.raw(&policy, self.file, self.columns);
                    let loss = self.losses.mean(&policy, &self.with_rules(&base));
                    Some((policy, base, loss))
                });
                let least = tried.min_by(|one, two| one.2.total_cmp(&two.2));
                match least {
                    Some((policy, base, loss)) if loss < self.loss * (1.0 - LEAST_GAIN) => {
                        self.policy = policy;
                        self.base = base;
                        self.add_up();
                    }
                    _ => break,
                }
            }
        }
    }

    /// Adds the rule that lowers the loss most; false when none does.
    pub(super) fn add_rule(&mut self, terms: &[Term]) -> bool {
        let rows = self.losses.len();
        let found = terms
            .par_iter()
            .filter(|term| self.rules.iter().all(|rule| rule.term != **term))
            .filter_map(|term| {
                let factors = self.facts.factors(term, rows);
                let changes = self.changes(&factors, &FIRST_PLIES);
                let (plies, change) = best(&FIRST_PLIES, &changes)?;
                Some((term, plies, change))
            })
            .min_by(|one, two| one.2.total_cmp(&two.2));
        let Some((term, plies, change)) = found else {
            return false;
        };
        if change > -LEAST_GAIN * self.loss {
            return false;
        }
        let factors = self.facts.factors(term, rows);
        self.rules.push(LearnedRule {
            term: term.clone(),
            plies,
        });
        self.factors.push(factors);
        self.add_up();
        true
    }

    /// The terms that a rule may have.
    pub(super) fn terms(&self) -> Vec<Term> {
        self.facts.terms()
    }

    /// By how much the loss changes when each of these plies, times the factor of the move, is added.
    fn changes(&self, factors: &[f64], plies: &[f64]) -> Vec<f64> {
        let mut changes = vec![0.0; plies.len()];
        for (row, (factor, raw)) in factors.iter().zip(&self.raw).enumerate() {
            if *factor == 0.0 {
                continue;
            }
            let whole = self.policy.whole(*raw);
            let now = self.losses.at(row, whole);
            for (change, plies) in changes.iter_mut().zip(plies) {
                let then = self.policy.whole(raw + plies * *factor);
                if then != whole {
                    *change += f64::from(self.losses.at(row, then) - now);
                }
            }
        }
        changes.iter().map(|change| change / self.losses.weights).collect()
    }
}

fn best(values: &[f64], changes: &[f64]) -> Option<(f64, f64)> {
    let pairs = values.iter().copied().zip(changes.iter().copied());
    pairs.min_by(|one, two| one.1.total_cmp(&two.1))
}

/// Plies with one decimal.
fn rounded(plies: f64) -> f64 {
    (plies * 10.0).round() / 10.0
}

/// A value with as many digits as a twentieth of its step has.
fn rounded_to(value: f64, step: f64) -> f64 {
    let digits = libm::ceil(-libm::log10(step / 20.0)).clamp(0.0, 9.0);
    let power = libm::pow(10.0, digits);
    (value * power).round() / power
}
