//! A policy, and the same policy from its file, reduce as the reference interpreter does.

use crate::common::{all_shipped, policy};
use crate::expressions::random_policy;
use crate::interpreter::Interpreter;
use crate::odd_policies::odd_policies;
use crate::random_moves::Vectors;
use crate::schemes::{any_move, any_scheme};
use lmrlab_host::{Program, Units, Values};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts};
use lmrlab_policy::host_file;
use proptest::prelude::*;

/// Moves of each policy in the usual tests, and in the long one.
const FEW: u32 = 5_000;
const MANY: u32 = 1_000_000;

pub(crate) fn compiled(policy: &Policy) -> Program {
    let text = host_file::write(policy, Units::Lmrlab).unwrap();
    Program::read(text.as_bytes()).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

/// The same facts for the host; `score` and `reduction` included.
pub(crate) fn values_of(facts: &impl Facts) -> Values {
    let mut values = Values::default();
    for fact in CATALOGUE.iter().map(|info| info.fact) {
        if !fact.is_boolean() {
            values.set_number(fact, facts.number(fact));
        } else if fact.is_flag() {
            values.set_flag(fact, facts.flags().has(fact));
        } else {
            values.set_flag(fact, facts.boolean(fact));
        }
    }
    values
}

/// Compares moves with random values of the facts that the policy reads. The facts that it does not read get them, too, in some moves.
fn compare(name: &str, policy: &Policy, moves: u32) {
    let (host, scheme) = (compiled(policy), policy.program().scheme_in_force());
    let read = policy.needs();
    let all = || {
        CATALOGUE
            .iter()
            .map(|info| info.fact)
            .filter(|fact| !fact.is_of_rules())
    };
    let mut few = Vectors::new(all().filter(|fact| read.contains(*fact)), policy);
    let mut every = Vectors::new(all(), policy);
    for index in 0..moves {
        let facts = match index % 8 {
            0 => every.next(),
            _ => few.next(),
        };
        let values = values_of(facts);
        let seen = || -> Vec<_> {
            all()
                .filter(|fact| read.contains(*fact))
                .map(|fact| (fact.info().name, facts.value(fact)))
                .collect()
        };
        let reference = Interpreter { scheme: &scheme, facts };
        let expected = reference.reduction();
        assert_eq!(host.reduction(&values), expected, "{name}, move {index}: {:?}", seen());
        let plies = expected.unwrap_or(0);
        assert_eq!(policy.reduction(facts), plies, "{name}, move {index}: {:?}", seen());
        let change = reference.depth_change();
        let found = (host.depth_change(&values), policy.depth_change(facts));
        assert_eq!(found, (change, change), "{name}, move {index}: {:?}", seen());
    }
}

fn compare_shipped(moves: u32) {
    for (name, policy) in all_shipped() {
        let host = compiled(&policy);
        let scheme = host.scheme();
        assert_eq!((scheme.name.as_str(), &scheme.hash), (policy.name(), &policy.hash()));
        assert_eq!(scheme.units, Units::Lmrlab);
        compare(&name, &policy, moves);
    }
}

#[test]
fn every_shipped_policy_is_the_same() {
    compare_shipped(FEW);
}

#[test]
#[ignore = "takes minutes without --release"]
fn every_shipped_policy_is_the_same_for_a_million_moves() {
    compare_shipped(MANY);
}

#[test]
fn odd_policies_are_the_same() {
    for (name, policy) in odd_policies() {
        compare(&name, &policy, 1_000);
    }
}

/// What the ladder `by_score` reads is known to the host, too.
#[test]
fn depth_changes_are_the_same() {
    let text = "name = \"ladder\"\nreduce = \"depth / 3\"\n[param]\nmargin = { value = 53, min = 0, max = 200 }\n[research]\nladder = \
                \"by_score\"\ndeeper = \"score > best_score + margin and reduction > 1\"\nshallower = \"score < best_score + \
                reduction or pv\"\n";
    let policy = policy(text);
    compare("ladder", &policy, FEW);
    let host = compiled(&policy);
    let facts = |score: f64| {
        let mut values = Values::default();
        values.set_number(Fact::Score, score).set_number(Fact::Reduction, 2.0);
        host.depth_change(&values)
    };
    assert_eq!([-1.0, 2.0, 53.0, 54.0].map(facts), [-1, 0, 0, 1]);
}

#[test]
fn the_facts_that_are_read_are_known() {
    for (name, policy) in all_shipped() {
        let reads = compiled(&policy).reads();
        assert!(policy.needs().iter().all(|fact| reads.contains(fact)), "{name}");
        assert!(policy.never_reduces() || reads.contains(Fact::Depth));
    }
    let reads = compiled(&policy("name = \"one\"\nreduce = \"see\"")).reads();
    assert!(reads.contains(Fact::See) && !reads.contains(Fact::History) && !reads.contains(Fact::Pv));
}

fn schemes(cases: u32) {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    });
    let strategy = (any_scheme(), prop::collection::vec(any_move(), 16));
    let result = runner.run(&strategy, |(scheme, moves)| {
        let policy = policy(&scheme.text());
        let host = compiled(&policy);
        for facts in &moves {
            prop_assert_eq!(host.reduction(&values_of(facts)).unwrap_or(0), policy.reduction(facts));
            prop_assert_eq!(policy.reduction(facts), scheme.plies(facts));
        }
        Ok(())
    });
    result.unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// Policies with every operation of the language. The test says something: most of them reduce a move.
fn expressions(seeds: std::ops::Range<u64>, moves: u32) {
    let mut reducing = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let policy = policy(&random_policy(seed));
        compare(&format!("seed {seed}"), &policy, moves);
        reducing += u64::from(!policy.never_reduces());
    }
    assert!(reducing * 3 > count * 2, "{reducing} of {count} reduce");
}

#[test]
fn random_expressions_are_the_same() {
    expressions(0..600, 24);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_thousand_random_expressions_are_the_same() {
    expressions(1_000_000..1_050_000, 64);
}

#[test]
fn random_policies_are_the_same() {
    schemes(300);
}

#[test]
#[ignore = "takes a minute"]
fn twenty_thousand_random_policies_are_the_same() {
    schemes(20_000);
}

/// Logarithms of numbers beyond the file's tables, and at their edges.
#[test]
fn logarithms_are_the_same_everywhere() {
    let policy = policy(
        "name = \"logarithm\"\nreduce = \"100 * ln(history / 7) + log2(see) + ln(see)\"\nhistory = { model = \"rebel\" }",
    );
    let host = compiled(&policy);
    for value in -3..2_000 {
        let facts = crate::common::Move::quiet(255, 1)
            .number(Fact::History, f64::from(value))
            .number(Fact::See, f64::from(value) / 4.0);
        assert_eq!(
            host.reduction(&values_of(&facts)),
            Some(policy.reduction(&facts)),
            "{value}"
        );
    }
}

/// Tables hold whole numbers only.
#[test]
fn numbers_between_the_cells_of_tables_are_computed() {
    let policy = policy("name = \"between\"\nreduce = \"10 * ln(depth) * ln(move_number)\"\n[finish]\nfloor = -256\n");
    let host = compiled(&policy);
    for quarter in 0..280 {
        let facts = crate::common::Move::quiet(0, 8).number(Fact::Depth, f64::from(quarter) / 4.0);
        assert_eq!(
            host.reduction(&values_of(&facts)),
            Some(policy.reduction(&facts)),
            "{quarter}"
        );
    }
}

/// More tables than a policy may have: the rest is computed.
#[test]
fn a_policy_with_many_tables_is_the_same() {
    let rules: String = (0..100)
        .map(|index| {
            let sign = if index % 2 == 0 { "" } else { "-" };
            format!("[[rule]]\nname = \"r{index}\"\nadd = \"{sign}ln(depth + {index}) * ln(move_number) + if(pv, 0, sqrt(ply * depth) / 9)\"\n")
        })
        .collect();
    compare(
        "many",
        &policy(&format!(
            "name = \"many\"\nreduce = \"1\"\n{rules}[finish]\nscale = 0.25\n"
        )),
        500,
    );
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
    println!("{:24} {:>8} {:>8}", "ns per call", "host", "policy");
    for (name, policy) in all_shipped() {
        let host = compiled(&policy);
        let needs = policy.needs();
        let facts = CATALOGUE
            .iter()
            .map(|info| info.fact)
            .filter(|fact| needs.contains(*fact));
        let mut vectors = Vectors::new(facts, &policy);
        let moves: Vec<_> = (0..1024).map(|_| vectors.next().clone()).collect();
        let values: Vec<Values> = moves.iter().map(values_of).collect();
        let hosted = least(&|index| host.reduction(&values[index]).unwrap_or(0));
        let ours = least(&|index| policy.reduction(&moves[index]));
        println!("{name:24} {hosted:8.1} {ours:8.1}");
    }
}
