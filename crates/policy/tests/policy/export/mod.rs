//! Exported files compile without a warning, and give what the policy gives.

mod programs;

use std::process::Command;
use std::time::Instant;

use crate::common::{all_shipped as shipped, policy};
use crate::odd_policies::odd_policies;
use crate::own_facts::{self, HOST, POLICIES};
use crate::random_moves::Vectors;
use lmrlab_policy::Policy;
use lmrlab_policy::export::{Language, OtherFacts, export, reduction_table};
use lmrlab_policy::facts::Fact;
use lmrlab_policy::research::LADDERS;
use programs::{Exported, RECORD, compiled};

/// Moves of each policy in the usual tests, and in the long one.
const FEW: u32 = 4_000;
const MANY: u32 = 1_000_000;

/// Whether the compiler is there. On CI it has to be: tests that do nothing would pass.
fn is_there(language: Language) -> bool {
    let compiler = programs::compiler(language);
    let found = Command::new(compiler).arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "there is no {compiler}");
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
    let mut found = output.stdout.chunks_exact(RECORD);
    for ((name, policy), exported) in policies.iter().zip(&exported) {
        let mut vectors = Vectors::new(exported.facts(), policy);
        let mut reduced = 0;
        for index in 0..moves {
            let facts = vectors.next();
            let record = found.next().unwrap();
            let place = || {
                let facts: Vec<_> = (exported.facts())
                    .map(|fact| (fact.info().name, facts.value(fact)))
                    .collect();
                format!("{name} in {language:?}, move {index}: {facts:?}")
            };
            let expected = policy.reduction(facts);
            let found = i32::from(i16::from_le_bytes([record[9], record[10]]));
            assert_eq!(found, expected, "{}", place());
            if !policy.never_reduces() {
                let explanation = policy.explain(facts);
                assert_eq!(record[0] != 0, explanation.is_some(), "{}", place());
                let plies = f64::from_bits(u64::from_le_bytes(record[1..9].try_into().unwrap()));
                let expected = explanation.map_or(0.0, |explanation| explanation.scaled);
                if exported.is_exact() {
                    assert_eq!(plies, expected, "{}", place());
                } else {
                    let error = (plies - expected).abs();
                    assert!(
                        error <= 1e-12 * expected.abs().max(1.0),
                        "{plies}, not {expected}: {}",
                        place()
                    );
                }
            }
            let change = i32::from(record[11].cast_signed());
            assert_eq!(change, policy.depth_change(facts), "{}", place());
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

/// The policies that read facts of another engine: those of own_facts.rs, and the scheme of the example engine, also as a tuning
/// run changes it.
fn policies_of_other_engines() -> Vec<(String, Policy)> {
    let mut policies: Vec<_> = (POLICIES.iter().enumerate())
        .map(|(index, text)| {
            (
                format!("p{index}"),
                own_facts::compile(&format!("name = \"p{index}\"\n{text}{HOST}")),
            )
        })
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../host/example/own.toml");
    let example = std::fs::read_to_string(path).unwrap();
    let with_host = |name: &str| {
        let text = example
            .replace("\"own\"", &format!("\"{name}\""))
            .replace("and quiet", "and (quiet or takes_last_moved)")
            + "\n[host]\nflags = [\"unread\", \"takes_last_moved\", \"long\"]\nnumbers = [\"Share\", \"step_1\"]\n\
               [[rule]]\nname = \"share\"\nwhen = \"Share * Share * Share > 1e12 or long\"\nadd = \"ln(depth + abs(Share)) / 8\"\n\
               [[rule]]\nname = \"steps\"\nadd = \"steps(step_1 + 1, 0 => 0.25, 9 => 0.5) - step_1 * 1e-9\"\n";
        (name.to_owned(), own_facts::compile(&text))
    };
    let (name, mut tuned) = with_host("tuned");
    tuned.set_parameter("base", -0.3).unwrap();
    tuned.set_parameter("divisor", 1.37).unwrap();
    policies.extend([
        ("own".to_owned(), own_facts::compile(&example)),
        with_host("hosted"),
        (name, tuned),
    ]);
    policies
}

fn compare_those_of_other_engines(folder: &str, language: Language) {
    let policies = policies_of_other_engines();
    let reducing = compare(folder, &policies, language, FEW);
    assert!(!is_there(language) || reducing.len() == policies.len(), "{reducing:?}");
}

#[test]
fn policies_of_other_engines_are_the_same_in_c() {
    compare_those_of_other_engines("other_c", Language::C);
}

#[test]
fn policies_of_other_engines_are_the_same_in_rust() {
    compare_those_of_other_engines("other_rust", Language::Rust);
}

#[test]
fn facts_of_another_engine_are_fields_of_the_struct() {
    let (_, policy) = policies_of_other_engines().pop().unwrap();
    let export = export(&policy, Language::C);
    let fields: Vec<_> = (export.own.iter()).map(|(fact, name)| (name.as_str(), *fact)).collect();
    assert_eq!(
        fields,
        [
            ("takes_last_moved", Fact::OwnFlag1),
            ("own_long", Fact::OwnFlag2),
            ("own_share", Fact::OwnNumber0),
            ("step_1", Fact::OwnNumber1)
        ]
    );
    let refusal = reduction_table(&policy, Language::C).unwrap_err().to_string();
    assert!(
        refusal.ends_with(", takes_last_moved, long, Share, step_1"),
        "{refusal}"
    );
    insta::assert_snapshot!("own_c", export.text);
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

/// A policy with histories of four bounds, and quiet or other moves.
const HISTORIES: &str = "name = \"own\"\nhistory = { model = \"gravity\", bound = 2000 }\n\
     reduce = \"history / 10 + capture_history / 1000 + continuation_history / 1000 + ordering_history / 1000\"";

#[test]
fn histories_are_scaled_by_the_bounds_of_the_engine() {
    // Half of each bound, for a quiet move and another one.
    let c = "#include <stdio.h>\n#define OWN_HISTORY_BOUND 500\n#define OWN_QUIET_HISTORY_BOUND 62188\n\
             #define OWN_CAPTURE_HISTORY_BOUND 14387\n#define OWN_CONTINUATION_HISTORY_BOUND 100\n#include \"own.h\"\n\
             int main(void) {\n    struct own_facts facts = { .history = 250, .capture_history = 7193, .continuation_history = 50 };\n\
             facts.quiet = true, facts.ordering_history = 31094;\n    printf(\"%.0f \", own_plies(&facts) * 1000);\n\
             facts.quiet = false, facts.ordering_history = 7193;\n    printf(\"%.0f\", own_plies(&facts) * 1000);\n    return 0;\n}\n";
    let rust = "mod own;\nfn main() {\n    let mut facts = own::Facts { history: 250, capture_history: 7193, \
                continuation_history: 50, ..own::Facts::default() };\n    (facts.quiet, facts.ordering_history) = (true, 31094);\n\
                print!(\"{:.0} \", own::plies(&facts) * 1000.0);\n    (facts.quiet, facts.ordering_history) = (false, 7193);\n\
                print!(\"{:.0}\", own::plies(&facts) * 1000.0);\n}\n";
    let policy = policy(HISTORIES);
    for (language, main) in [(Language::C, c), (Language::Rust, rust)] {
        let mut text = export(&policy, language).text;
        if language == Language::Rust {
            for (name, lmrlab, engine) in [
                ("HISTORY", "2000.0", "500.0"),
                ("QUIET_HISTORY", "65536.0", "62188.0"),
                ("CAPTURE_HISTORY", "16384.0", "14387.0"),
                ("CONTINUATION_HISTORY", "16384.0", "100.0"),
            ] {
                let line = format!("pub const {name}_BOUND: f64 = ");
                assert!(text.contains(&format!("{line}{lmrlab};\n")), "{text}");
                text = text.replace(&format!("{line}{lmrlab}"), &format!("{line}{engine}"));
            }
        }
        if is_there(language) {
            let printed = programs::printed("bounds", "own", &text, main, language);
            // 100 + 8.192 - 0.0006 + 8.192, and a history of 32.768, or of 8.192 - 0.0006.
            assert_eq!(printed, "149151 124575", "{language:?}");
        }
    }
}

#[test]
fn a_move_is_late_where_when_holds_even_where_nothing_is_reduced() {
    let policy = policy("name = \"zero\"\nwhen = \"depth >= 3\"\nreduce = \"0\"");
    let text = export(&policy, Language::C).text;
    assert!(text.contains("    return depth >= 3.0;\n"), "{text}");
    let never = export(&Policy::none(), Language::C).text;
    assert!(never.contains("    (void)facts;\n    return false;\n"), "{never}");
}

#[test]
fn a_table_does_not_ask_what_the_change_of_depth_reads() {
    let policy = policy(
        "name = \"p\"\nreduce = \"depth / 3\"\nresearch = { ladder = \"by_score\", deeper = \"score > best_score + 50\" }",
    );
    assert!(export(&policy, Language::C).facts.contains(&Fact::BestScore));
    assert!(reduction_table(&policy, Language::C).is_ok());
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
    assert!(
        ["ordering_history", "pv"]
            .iter()
            .all(|name| names.iter().any(|there| there == name))
            && !names.iter().any(|there| there == "depth")
    );
    let limited = policy("name = \"limited\"\nreduce = \"1\"\nfinish = { max_if_extended = 0 }");
    let refusal = reduction_table(&limited, Language::C).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the reduction depends on more than depth and move number: extended"
    );
}

#[test]
fn every_history_and_every_ladder_is_described() {
    let models = "butterfly gravity rebel madchess prodeo fruit relative continuation capture";
    let histories = models.split(' ').map(|model| {
        let text = format!("name = \"a\"\nreduce = \"history\"\n[history]\nmodel = \"{model}\"\norders_moves = true\n");
        (policy(&text), "The history table")
    });
    let ladders = LADDERS.map(|(ladder, ..)| {
        let deeper = if ladder == "by_score" {
            "deeper = \"score > 3\"\n"
        } else {
            ""
        };
        let research =
            format!("[research]\nladder = \"{ladder}\"\nupdates_history = true\nthreat_feedback = 5\n{deeper}");
        let text = format!("name = \"a\"\nreduce = \"continuation_history\"\n{research}");
        (policy(&text), "How a reduced move is searched again")
    });
    for (policy, heading) in histories.chain(ladders) {
        let text = export(&policy, Language::C).text;
        let comments = text
            .lines()
            .skip_while(|line| !line.contains(heading))
            .take_while(|line| !line.is_empty());
        let comments: Vec<&str> = comments.collect();
        assert!(comments.len() > 4, "{comments:?}");
        assert!(!comments.concat().contains(['{', '}', '?']), "{comments:?}");
    }
}
