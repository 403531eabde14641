//! Exported files compile without a warning, and give what the policy gives.

mod programs;

use std::process::Command;
use std::time::Instant;

use crate::common::{all_shipped as shipped, policy};
use crate::odd_policies::odd_policies;
use crate::random_moves::Vectors;
use lmrlab_policy::Policy;
use lmrlab_policy::export::{Language, OtherFacts, export, reduction_table};
use lmrlab_policy::facts::Fact;
use programs::{Exported, compiled};

/// Moves of each policy in the usual tests, and in the long one.
const FEW: u32 = 4_000;
const MANY: u32 = 1_000_000;

/// Whether the compiler is there; says so when it is not.
fn is_there(language: Language) -> bool {
    let compiler = programs::compiler(language);
    let found = Command::new(compiler).arg("--version").output().is_ok();
    if !found {
        eprintln!("not tested: there is no {compiler}");
    }
    found
}

/// Compares the policies with a program that is made of their exports, and gives the names of those that reduce a move.
fn compare(folder: &str, policies: &[(String, Policy)], language: Language, moves: u32) -> Vec<String> {
    let mut reducing = Vec::new();
    if !is_there(language) {
        return reducing;
    }
    let exported: Vec<Exported> = policies
        .iter()
        .map(|(_, policy)| Exported::new(policy, language))
        .collect();
    let program = compiled(folder, &exported, language, moves == MANY);
    let output = Command::new(program)
        .args(["compare", &moves.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = output
        .stdout
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    for ((name, policy), exported) in policies.iter().zip(&exported) {
        let mut vectors = Vectors::new(exported.facts(), policy);
        let mut reduced = 0;
        for index in 0..moves {
            let facts = vectors.next();
            let expected = policy.reduction(facts);
            assert_eq!(
                found.next().map(i32::from),
                Some(expected),
                "{name} in {language:?}, move {index}: {:?}",
                exported
                    .facts()
                    .map(|fact| (fact.info().name, facts.value(fact)))
                    .collect::<Vec<_>>()
            );
            reduced += u32::from(expected != 0);
        }
        if reduced > 0 {
            reducing.push(name.clone());
        }
    }
    assert_eq!(found.next(), None);
    reducing
}

/// Compares all shipped policies. The test says something about each that reduces at all.
fn compare_shipped(folder: &str, language: Language, moves: u32) {
    let policies = shipped();
    let reducing = compare(folder, &policies, language, moves);
    if is_there(language) {
        let expected = policies.iter().filter(|(_, policy)| !policy.never_reduces());
        assert!(expected.map(|(name, _)| name).eq(&reducing), "{reducing:?}");
    }
}

#[test]
fn every_shipped_policy_is_the_same_in_c() {
    compare_shipped("shipped_c", Language::C, FEW);
}

#[test]
fn every_shipped_policy_is_the_same_in_rust() {
    compare_shipped("shipped_rust", Language::Rust, FEW);
}

#[test]
#[ignore = "takes minutes without --release"]
fn every_shipped_policy_is_the_same_for_a_million_moves() {
    compare_shipped("million_c", Language::C, MANY);
    compare_shipped("million_rust", Language::Rust, MANY);
}

/// Prints the time of a call in each language and in process. `cargo test --release`, or the last column means nothing.
#[test]
#[ignore = "measures time"]
fn exported_functions_are_as_fast_as_the_policies() {
    const CALLS: u32 = 100_000;
    let policies = shipped();
    let mut columns = Vec::new();
    for language in [Language::C, Language::Rust] {
        if !is_there(language) {
            return;
        }
        let exported: Vec<Exported> = policies
            .iter()
            .map(|(_, policy)| Exported::new(policy, language))
            .collect();
        let program = compiled("time", &exported, language, true);
        let output = Command::new(program)
            .args(["time", &CALLS.to_string()])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        columns.push(
            text.lines()
                .map(|line| line.parse::<f64>().unwrap())
                .collect::<Vec<_>>(),
        );
    }
    println!("{:24} {:>8} {:>8} {:>8}", "ns per call", "C", "Rust", "policy");
    let (mut slower, mut sums) = (Vec::new(), [0.0; 3]);
    for (index, (name, policy)) in policies.iter().enumerate() {
        let mut vectors = Vectors::new(Exported::new(policy, Language::C).facts(), policy);
        let moves: Vec<_> = (0..1024).map(|_| vectors.next().clone()).collect();
        let policy = (0..20).map(|_| {
            let start = Instant::now();
            let mut sum = 0;
            for call in 0..CALLS {
                sum += policy.reduction(&moves[call as usize % 1024]);
            }
            std::hint::black_box(sum);
            start.elapsed().as_nanos() as f64 / f64::from(CALLS)
        });
        let policy = policy.fold(f64::INFINITY, f64::min);
        let times = [columns[0][index], columns[1][index], policy];
        println!("{name:24} {:8.1} {:8.1} {:8.1}", times[0], times[1], times[2]);
        for (sum, time) in sums.iter_mut().zip(times) {
            *sum += time;
        }
        // A nanosecond is within the error of the clock.
        if times[0].max(times[1]) > 1.2 * policy + 1.0 {
            slower.push(name);
        }
    }
    println!("{:24} {:8.1} {:8.1} {:8.1}", "sum", sums[0], sums[1], sums[2]);
    assert!(slower.is_empty(), "slower than the policy: {slower:?}");
}

fn compare_odd(folder: &str, language: Language) {
    let policies = odd_policies();
    let reducing = compare(folder, &policies, language, 1_000);
    assert!(
        !is_there(language) || reducing.len() > policies.len() / 2,
        "{reducing:?}"
    );
}

#[test]
fn odd_policies_are_the_same_in_c() {
    compare_odd("odd_c", Language::C);
}

#[test]
fn odd_policies_are_the_same_in_rust() {
    compare_odd("odd_rust", Language::Rust);
}

#[test]
fn house_in_c_and_mediocre_in_rust_read_well() {
    let shipped = shipped();
    let text = |name: &str, language| {
        let (_, policy) = shipped.iter().find(|(known, _)| known == name).unwrap();
        export(policy, language).text
    };
    insta::assert_snapshot!("house_c", text("house", Language::C));
    insta::assert_snapshot!("mediocre_rust", text("mediocre-0.5", Language::Rust));
    insta::assert_snapshot!("glaurung_c", text("glaurung-2.2", Language::C));
}

#[test]
fn terms_of_this_engines_evaluation_are_parameters() {
    let policy = policy("name = \"own\"\nreduce = \"1 - pst_delta / 50 + see / 100\"");
    let export = export(&policy, Language::C);
    assert_eq!(export.parameters, [Fact::PstDelta]);
    assert!(export.facts.contains(&Fact::See) && !export.facts.contains(&Fact::PstDelta));
    assert!(
        export
            .text
            .contains("own_reduction(const struct own_facts *facts, double pst_delta)")
    );
}

#[test]
fn only_functions_of_the_system_are_inexact() {
    let inexact = |reduce: &str| {
        let policy = policy(&format!("name = \"p\"\nreduce = \"{reduce}\""));
        export(&policy, Language::C).inexact
    };
    assert!(inexact("ln(depth) * sqrt(max(see, 0)) + pow(move_number, 0.3)").is_empty());
    assert_eq!(inexact("ln(depth * move_number)"), ["natural logarithm"]);
}

#[test]
fn overrides_are_in_force() {
    let mut policy = crate::common::shipped("house");
    policy.set_parameter("base", 1.25).unwrap();
    policy.enable_rule("gives-check", false).unwrap();
    let text = export(&policy, Language::C).text;
    assert!(text.contains("#define HOUSE_BASE 1.25\n") && text.contains("With base=1.25, -gives-check."));
    assert!(!text.contains("gives_check;") && !text.contains("HOUSE_CHECK"));
}

#[test]
fn a_table_is_for_depth_and_move_number_alone() {
    let plain = policy("name = \"plain\"\nwhen = \"depth >= 3\"\nreduce = \"ln(depth) * ln(move_number) / 2\"");
    for language in [Language::C, Language::Rust] {
        let text = reduction_table(&plain, language).unwrap();
        insta::assert_snapshot!(format!("table_{language:?}"), text);
    }
    let house = crate::common::shipped("house");
    let OtherFacts { names } = reduction_table(&house, Language::C).unwrap_err();
    assert!(names.contains(&"ordering_history") && names.contains(&"pv") && !names.contains(&"depth"));
    let limited = policy("name = \"limited\"\nreduce = \"1\"\nfinish = { max_if_extended = 0 }");
    let refusal = reduction_table(&limited, Language::C).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the reduction depends on more than depth and move number: extended"
    );
}
