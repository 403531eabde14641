//! Exported files. The tests of lmrlab-host compile them, and compare what they compute.

use crate::common::{policy, shipped};
use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::export::{Language, OtherFacts, export, reduction_table};
use lmrlab_policy::facts::Fact;
use lmrlab_policy::research::LADDERS;

/// A policy with facts of another engine; one of them has a name that Rust and C use themselves.
const OF_ANOTHER_ENGINE: &str = r#"
name = "own"
when = "depth >= 3 and (quiet or takes_last_moved)"
reduce = "base + ln(depth) * ln(move_number) / 2"
[param]
base = { value = 0.5, min = -1, max = 2 }
[host]
flags = ["unread", "takes_last_moved", "long"]
numbers = ["Share", "step_1"]
[[rule]]
name = "share"
when = "Share * Share * Share > 1e12 or long"
add = "ln(depth + abs(Share)) / 8"
[[rule]]
name = "steps"
add = "steps(step_1 + 1, 0 => 0.25, 9 => 0.5) - step_1 * 1e-9"
"#;

#[test]
fn facts_of_another_engine_are_fields_of_the_struct() {
    let (mut policy, _) = Policy::compile_for_host(Source::new("own.toml", OF_ANOTHER_ENGINE)).unwrap();
    policy.set_parameter("base", -0.3).unwrap();
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
    let text = |name: &str, language| export(&shipped(name), language).text;
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
    let mut policy = shipped("house");
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
    let house = shipped("house");
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
