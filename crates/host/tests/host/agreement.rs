//! Every way to run a policy computes what the reference interpreter does: a policy in lmrlab, its file in the crate and in
//! lmrlab.h, and its exports in C and Rust.

use std::fmt::Write as _;

use lmrlab_host::{Program, Units};
use lmrlab_policy::Policy;
use lmrlab_policy::export::Language;
use lmrlab_policy::facts::{Fact, Facts};
use lmrlab_policy::host_file;
use tempfile::TempDir;

use crate::exports::ExportedProgram;
use crate::header::driver::{Driver, fast, sanitized};
use crate::interpreter::Interpreter;
use crate::odd_policies::{odd_policies, policies_of_other_engines};
use crate::policies::{all_shipped, policy};
use crate::random_moves::{RandomMove, RandomMoves, next};
use crate::random_policies::random_policy;

/// What a policy says of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) late: bool,
    pub(crate) plies: i32,
    pub(crate) depth_change: i32,
}

/// A policy with changes, which hosts apply to its file.
struct Case {
    policy: Policy,
    compiled: String,
    changes: String,
    /// Whether the last bit of a function of the system's library can change a reduction.
    inexact: bool,
}

impl Case {
    fn new(policy: Policy) -> Self {
        let compiled = host_file::write(&policy, Units::Lmrlab).unwrap();
        let lines = compiled
            .lines()
            .filter(|line| !line.starts_with("ln ") && !line.starts_with("log2 "));
        let mut words = lines.flat_map(|line| line.split(' '));
        Self {
            inexact: words.any(|word| matches!(word, "exp" | "pow" | "ln" | "log2")),
            compiled,
            policy,
            changes: String::new(),
        }
    }

    /// A shipped policy: its logarithms are of small whole numbers only, which are in the file.
    fn shipped(policy: Policy) -> Self {
        Self {
            inexact: false,
            ..Self::new(policy)
        }
    }

    /// The same policy with other parameters and rules.
    fn changed(mut self, mut seed: u64) -> Self {
        for parameter in self.policy.parameters().to_vec() {
            let share = (next(&mut seed) % 17) as f64 / 16.0;
            // As a person writes it.
            let text = format!("{:.3}", parameter.min + (parameter.max - parameter.min) * share);
            if self
                .policy
                .set_parameter(&parameter.name, text.parse().unwrap())
                .is_ok()
            {
                let _ = write!(self.changes, "{}={text},", parameter.name);
            }
        }
        for rule in self.policy.rules().to_vec() {
            if next(&mut seed).is_multiple_of(2) {
                self.policy.enable_rule(&rule.name, !rule.enabled).unwrap();
                let sign = if rule.enabled { '-' } else { '+' };
                let _ = write!(self.changes, "{sign}{},", rule.name);
            }
        }
        self.changes.pop();
        self
    }

    /// Moves with what the reference says of them: the answer, and the plies before rounding.
    fn moves(&self) -> impl Iterator<Item = (RandomMove, Answer, f64)> {
        let scheme = self.policy.program().scheme().clone();
        RandomMoves::of(&self.policy).map(move |mut facts| {
            let (reduction, scaled) = Interpreter {
                scheme: &scheme,
                facts: &facts,
            }
            .reduction();
            let plies = reduction.unwrap_or(0);
            facts.set(Fact::Reduction, f64::from(plies));
            let depth_change = Interpreter {
                scheme: &scheme,
                facts: &facts,
            }
            .depth_change();
            let late = reduction.is_some();
            (
                facts,
                Answer {
                    late,
                    plies,
                    depth_change,
                },
                scaled,
            )
        })
    }

    fn place(&self, way: &str, facts: &RandomMove) -> String {
        let (name, changes) = (self.policy.name(), &self.changes);
        let needs = self.policy.needs();
        let facts: Vec<_> = needs.iter().map(|fact| (fact.name(), facts.number(fact))).collect();
        format!("{name} with `{changes}`, {way}: {facts:?}\n{}", self.compiled)
    }
}

/// Compares the policy and its file with the reference. Returns how many moves are reduced.
fn compare(case: &Case, moves: usize) -> usize {
    let file = Program::read(case.compiled.as_bytes()).unwrap_or_else(|wrong| panic!("{wrong}\n{}", case.compiled));
    // A file has only the engine's own facts that the policy reads.
    let own = &case.policy.program().scheme().own;
    let mut program = Program::new(file.scheme().with_own(own));
    program.change(&case.changes).unwrap();
    let mut reduced = 0;
    for (facts, expected, scaled) in case.moves().take(moves) {
        let explanation = case.policy.explain(&facts);
        let lmrlab = Answer {
            late: explanation.is_some(),
            plies: case.policy.reduction(&facts),
            depth_change: case.policy.depth_change(&facts),
        };
        assert_eq!(lmrlab, expected, "{}", case.place("in lmrlab", &facts));
        if let Some(explanation) = explanation {
            assert_eq!(
                (explanation.plies, explanation.scaled),
                (expected.plies, scaled),
                "{}",
                case.place("explained", &facts)
            );
            let after_rules = explanation.rules.iter().fold(explanation.base, |so_far, rule| {
                assert_eq!(so_far, rule.before, "{}", case.place(&rule.name, &facts));
                rule.plies
            });
            assert_eq!(after_rules, explanation.raw, "{}", case.place("explained", &facts));
        }
        let values = facts.values();
        let hosted = Answer {
            late: program.reduction(&values).is_some(),
            plies: program.reduction(&values).unwrap_or(0),
            depth_change: program.depth_change(&values),
        };
        assert_eq!(hosted, expected, "{}", case.place("from its file", &facts));
        reduced += usize::from(expected.plies != 0);
    }
    reduced
}

/// Compares policies in the header with the reference. Of the moves of inexact policies one in a thousand may differ.
fn compare_header(driver: Option<&Driver>, cases: &[Case], moves: usize) {
    let Some(driver) = driver else { return };
    let folder = TempDir::new().unwrap();
    let (mut inexact, mut different) = (0, 0);
    for case in cases {
        let path = folder.path().join("policy.lmr");
        std::fs::write(&path, &case.compiled).unwrap();
        let rows: Vec<_> = case.moves().take(moves).collect();
        let bytes: Vec<u8> = rows.iter().flat_map(|(facts, ..)| facts.bytes()).collect();
        for (found, (facts, expected, _)) in driver.answers(&path, &case.changes, &bytes).iter().zip(&rows) {
            inexact += usize::from(case.inexact);
            // A move that is not late is not searched again.
            let depth_change = if expected.late { expected.depth_change } else { 0 };
            let expected = Answer {
                depth_change,
                ..*expected
            };
            match case.inexact && *found != expected {
                true => different += 1,
                false => assert_eq!(*found, expected, "{}", case.place("in lmrlab.h", facts)),
            }
        }
    }
    assert!(different <= 1 + inexact / 1_000, "{different} of {inexact}");
}

/// Compares exported policies with the reference. Exported code does not bound results beyond the largest float.
fn compare_exports(cases: Vec<Case>, language: Language, moves: usize) {
    let stays_finite = |case: &Case| !case.policy.text().contains("pow(10, 300)");
    let cases: Vec<Case> = cases.into_iter().filter(stays_finite).collect();
    let is_small = |facts: &RandomMove| Fact::OWN_NUMBERS.iter().all(|own| facts.number(*own).abs() < 1e9);
    let policies: Vec<&Policy> = cases.iter().map(|case| &case.policy).collect();
    let Some(program) = ExportedProgram::new(&policies, language) else {
        return;
    };
    for (index, case) in cases.iter().enumerate() {
        let rows: Vec<_> = case.moves().take(moves).filter(|(facts, ..)| is_small(facts)).collect();
        let bytes: Vec<u8> = rows.iter().flat_map(|(facts, ..)| facts.bytes()).collect();
        let answers = program.answers(index, &bytes);
        assert_eq!(answers.len(), rows.len());
        for ((found, plies), (facts, expected, scaled)) in answers.iter().zip(&rows) {
            let place = || case.place(&format!("in {language:?}"), facts);
            assert_eq!(found, expected, "{}", place());
            let error = if program.exact[index] {
                0.0
            } else {
                1e-12 * scaled.abs().max(1.0)
            };
            assert!((plies - scaled).abs() <= error, "{plies}, not {scaled}: {}", place());
        }
    }
}

fn shipped() -> Vec<Case> {
    all_shipped().into_iter().map(Case::shipped).collect()
}

fn of(policies: Vec<Policy>) -> Vec<Case> {
    policies.into_iter().map(Case::new).collect()
}

/// Policies with every operation of the language, and with other parameters and rules.
fn random(seeds: std::ops::Range<u64>) -> Vec<Case> {
    seeds
        .map(|seed| Case::new(policy(&random_policy(seed))).changed(seed))
        .collect()
}

#[test]
fn policies_and_their_files_are_the_same() {
    let changed = shipped().into_iter().map(|case| case.changed(1));
    let fixed: Vec<Case> = shipped().into_iter().chain(changed).collect();
    let fixed: Vec<Case> = fixed
        .into_iter()
        .chain(of(odd_policies()))
        .chain(of(policies_of_other_engines()))
        .collect();
    let reducing = fixed.iter().filter(|case| compare(case, 1_000) > 0).count();
    assert!(reducing * 2 > fixed.len(), "{reducing} of {} reduce", fixed.len());
    let reducing = random(0..600).iter().filter(|case| compare(case, 24) > 0).count();
    assert!(reducing > 200, "{reducing} of 600 reduce");
}

/// What a machine may treat in its own way: numbers between the cells of tables and beyond them, and more tables than a policy may
/// have.
#[test]
fn tables_and_what_is_beyond_them_are_the_same() {
    let rules: String = (0..100)
        .map(|index| {
            let sign = if index % 2 == 0 { "" } else { "-" };
            format!("[[rule]]\nname = \"r{index}\"\nadd = \"{sign}ln(depth + {index}) * ln(move_number) + if(pv, 0, sqrt(ply * depth) / 9)\"\n")
        })
        .collect();
    let many = format!("name = \"many\"\nreduce = \"1\"\n{rules}[finish]\nscale = 0.25\n");
    assert!(compare(&Case::new(policy(&many)), 500) > 0);
    let between = "name = \"p\"\nreduce = \"10 * ln(static_eval / 4) * ln(move_number) + log2(see / 4)\"\n[finish]\nfloor = -256\n";
    assert!(compare(&Case::new(policy(between)), 4_000) > 0);
}

#[test]
fn lmrlab_h_is_the_same() {
    compare_header(fast(), &shipped(), 1_000);
    compare_header(fast(), &of(odd_policies()), 500);
    compare_header(fast(), &random(0..200), 24);
    let changed: Vec<Case> = shipped().into_iter().map(|case| case.changed(1)).collect();
    compare_header(sanitized(), &changed, 100);
    compare_header(sanitized(), &random(400..430), 24);
}

#[test]
fn exports_are_the_same() {
    let cases = || {
        [shipped(), of(odd_policies()), of(policies_of_other_engines())]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    for language in [Language::C, Language::Rust] {
        compare_exports(cases(), language, 1_000);
    }
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn everything_is_the_same_for_very_many_moves() {
    for case in shipped() {
        compare(&case, 1_000_000);
    }
    for case in random(1_000_000..1_050_000) {
        compare(&case, 64);
    }
    for hundred in 0..50 {
        let driver = if hundred % 10 == 0 { sanitized() } else { fast() };
        compare_header(driver, &random(100 * hundred..100 * hundred + 100), 200);
    }
    compare_header(fast(), &shipped(), 200_000);
    for language in [Language::C, Language::Rust] {
        compare_exports(shipped(), language, 200_000);
    }
}

/// Prints the time of a call, here and in lmrlab. `cargo test --release`, or it means nothing.
#[test]
#[ignore = "measures time"]
fn compiled_policies_are_fast() {
    const CALLS: usize = 200_000;
    let least = |call: &dyn Fn(usize) -> i32| {
        let rounds = (0..15).map(|_| {
            let start = std::time::Instant::now();
            let sum: i32 = (0..CALLS).map(|index| call(index % 1024)).sum();
            std::hint::black_box(sum);
            start.elapsed().as_nanos() as f64 / CALLS as f64
        });
        rounds.fold(f64::INFINITY, f64::min)
    };
    for case in shipped() {
        let program = Program::read(case.compiled.as_bytes()).unwrap();
        let values: Vec<_> = case.moves().take(1024).map(|(facts, ..)| facts.values()).collect();
        let time = least(&|index| program.reduction(&values[index]).unwrap_or(0));
        println!("{:24} {time:8.1} ns per call", case.policy.name());
    }
}
