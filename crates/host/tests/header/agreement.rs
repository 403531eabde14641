//! The header reduces as the policy does.

use std::fmt::Write as _;
use std::path::Path;

use crate::common::{all_shipped, policy};
use crate::driver::{Answer, Question, append, ask, fast, sanitized};
use crate::expressions::random_policy;
use crate::odd_policies::odd_policies;
use crate::random_moves::Vectors;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags};
use lmrlab_policy::host_file::{self, Units};

/// A policy, as the laboratory has it and as the header gets it: compiled, and changed by LmrParams.
struct Case {
    name: String,
    policy: Policy,
    compiled: String,
    parameters: String,
    /// Whether the last bit of a function of the system's library can change a reduction.
    inexact: bool,
}

impl Case {
    fn new(name: impl Into<String>, policy: Policy) -> Self {
        let compiled = host_file::write(&policy, Units::Lmrlab).unwrap();
        let lines = compiled
            .lines()
            .filter(|line| !line.starts_with("ln ") && !line.starts_with("log2 "));
        let mut words = lines.flat_map(|line| line.split(' '));
        Self {
            name: name.into(),
            inexact: words.any(|word| matches!(word, "exp" | "pow" | "ln" | "log2")),
            compiled,
            policy,
            parameters: String::new(),
        }
    }

    /// The same policy with other parameters and rules.
    fn changed(mut self, seed: u64) -> Self {
        let mut state = seed;
        let mut below = |limit: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        for parameter in self.policy.parameters().to_vec() {
            let value = parameter.min + (parameter.max - parameter.min) * below(17) as f64 / 16.0;
            // As a person writes it.
            let text = format!("{value:.3}");
            if self
                .policy
                .set_parameter(&parameter.name, text.parse().unwrap())
                .is_ok()
            {
                let _ = write!(self.parameters, "{}={text},", parameter.name);
            }
        }
        for rule in self.policy.rules().to_vec() {
            if below(2) == 0 {
                self.policy.enable_rule(&rule.name, !rule.enabled).unwrap();
                let sign = if rule.enabled { '-' } else { '+' };
                let _ = write!(self.parameters, "{sign}{},", rule.name);
            }
        }
        self.parameters.pop();
        self
    }
}

/// A move that the policy has reduced.
struct Reduced<'f, F> {
    facts: &'f F,
    plies: i32,
}

impl<F: Facts> Facts for Reduced<'_, F> {
    fn flags(&self) -> Flags {
        self.facts.flags()
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.facts.boolean(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        match fact {
            Fact::Reduction => f64::from(self.plies),
            _ => self.facts.number(fact),
        }
    }
}

/// How many moves were compared.
#[derive(Debug, Default)]
struct Compared {
    reduced: usize,
    /// Moves of inexact policies, and those of them that differ.
    inexact: usize,
    different: usize,
}

impl Compared {
    /// The number of moves that are reduced. Of the moves of inexact policies one in a thousand may differ.
    fn reduced(&self) -> usize {
        println!(
            "{} of {} moves differ by the system's library",
            self.different, self.inexact
        );
        assert!(self.different <= 1 + self.inexact / 1_000);
        self.reduced
    }
}

/// Compares each policy with the header on moves with random facts.
fn compare(driver: &Path, cases: &[Case], moves: u32) -> Compared {
    let folder = tempfile::tempdir().unwrap();
    let mut questions = Vec::new();
    let mut expected: Vec<Vec<Answer>> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let path = folder.path().join(format!("{index}.lmr"));
        std::fs::write(&path, &case.compiled).unwrap();
        let all = || {
            CATALOGUE
                .iter()
                .map(|info| info.fact)
                .filter(|fact| !fact.is_of_rules())
        };
        let needs = case.policy.needs();
        let mut few = Vectors::new(all().filter(|fact| needs.contains(*fact)), &case.policy);
        let mut every = Vectors::new(all(), &case.policy);
        let (mut rows, mut answers) = (Vec::new(), Vec::new());
        for number in 0..moves {
            let facts = if number % 8 == 0 { every.next() } else { few.next() };
            append(&mut rows, facts);
            let reduction = case.policy.program().reduction(facts);
            let plies = reduction.unwrap_or(0);
            answers.push(Answer {
                plies,
                late: reduction.is_some(),
                depth_change: match reduction {
                    Some(_) => case.policy.depth_change(&Reduced { facts, plies }),
                    None => 0,
                },
            });
        }
        questions.push(Question {
            policy: path,
            parameters: case.parameters.clone(),
            moves: rows,
        });
        expected.push(answers);
    }
    let mut compared = Compared::default();
    for ((case, found), expected) in cases.iter().zip(ask(driver, &questions)).zip(expected) {
        let found = found.unwrap_or_else(|| panic!("{} is refused, with {}", case.name, case.parameters));
        for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
            compared.inexact += usize::from(case.inexact);
            compared.reduced += usize::from(found.plies != 0);
            if case.inexact && *found != expected {
                compared.different += 1;
                continue;
            }
            assert_eq!(
                *found, expected,
                "{}, move {number}, with {}\n{}",
                case.name, case.parameters, case.compiled
            );
        }
    }
    compared
}

/// The policies of configs/policies: they have logarithms of small whole numbers only, which are in the file.
fn shipped() -> Vec<Case> {
    let case = |(name, policy)| Case {
        inexact: false,
        ..Case::new(name, policy)
    };
    all_shipped().into_iter().map(case).collect()
}

#[test]
fn every_shipped_policy_is_the_same() {
    if let (Some(fast), Some(sanitized)) = (fast(), sanitized()) {
        assert!(compare(fast, &shipped(), 1_000).reduced() > 3_000);
        assert!(compare(sanitized, &shipped(), 50).reduced() > 100);
    }
}

#[test]
fn every_shipped_policy_is_the_same_with_other_parameters() {
    if let Some(driver) = sanitized() {
        let cases: Vec<Case> = shipped().into_iter().map(|case| case.changed(1)).collect();
        assert!(cases.iter().filter(|case| !case.parameters.is_empty()).count() > 20);
        assert!(compare(driver, &cases, 200).reduced() > 200);
    }
}

#[test]
fn odd_policies_are_the_same() {
    if let Some(driver) = fast() {
        let cases: Vec<Case> = odd_policies()
            .into_iter()
            .map(|(name, policy)| Case::new(name, policy))
            .collect();
        assert!(compare(driver, &cases, 500).reduced() > 1_000);
    }
}

/// Policies with every operation of the language.
fn random(seeds: std::ops::Range<u64>) -> Vec<Case> {
    seeds
        .map(|seed| Case::new(format!("seed {seed}"), policy(&random_policy(seed))).changed(seed))
        .collect()
}

#[test]
fn random_policies_are_the_same() {
    if let (Some(fast), Some(sanitized)) = (fast(), sanitized()) {
        assert!(compare(fast, &random(0..200), 24).reduced() > 1_000);
        assert!(compare(sanitized, &random(400..430), 24).reduced() > 150);
    }
}

#[test]
#[ignore = "takes minutes"]
fn five_thousand_random_policies_are_the_same() {
    if let (Some(fast), Some(sanitized)) = (fast(), sanitized()) {
        let mut all = Compared::default();
        for hundred in 0..50_u64 {
            let seeds = 1_000_000 + 100 * hundred..1_000_100 + 100 * hundred;
            let some = compare(if hundred % 10 == 0 { sanitized } else { fast }, &random(seeds), 200);
            all.reduced += some.reduced;
            all.inexact += some.inexact;
            // One policy is at an edge, `exp(ln(7))` for example, with all of its moves.
            all.different += some.different;
        }
        assert!(all.reduced() > 100_000);
    }
}

#[test]
#[ignore = "takes minutes"]
fn every_shipped_policy_is_the_same_for_a_million_moves() {
    if let Some(driver) = fast() {
        for case in shipped() {
            assert!(compare(driver, &[case], 1_000_000).different == 0);
        }
    }
}
