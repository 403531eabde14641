//! Files for hosts: what they say, and what is too large for them. `crates/host` tests that hosts reduce as policies do.

use crate::common::{complaints, policy, shipped};
use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::host_file::{Units, write};

#[test]
fn house_is_compiled() {
    insta::assert_snapshot!(write(&shipped("house"), Units::Lmrlab).unwrap());
}

/// Everything that the language has.
const EVERYTHING: &str = r#"
name = "every.thing"
when = "not (capture or not (depth >= 3) or (killer == pv)) and king_zone"
reduce = "table(depth, -see) + steps(see, low => 1, 3 => 1e9) - if(pv != cut, pow(2, 0.5), ln(ply) % 0.3)"
table = [[1, 0.1], [-2.5, 5e11]]
[param]
low = { value = -0.5, min = -1, max = 1 }
[[rule]]
name = "never"
when = "pv and not pv"
mul = "so_far"
else_set = "min(1, see, log2(depth))"
cap = "max(1, low)"
enabled = false
[[rule]]
name = "or"
when = "if(pv, cut, all or see > 0)"
add = "sqrt(abs(-see)) * floor(see / 2) - ceil(0.5 * see) + round(see / 3) + trunc(see) - exp(1 - see)"
stop = true
[finish]
scale = 0.0009765625
round = "nearest"
min = -2
negative = true
max_in_pv = 3
floor = -1
pv_bonus = 1
[research]
ladder = "by_score"
trigger = "at_or_above_beta"
updates_history = true
threat_feedback = 5
deeper = "score > best_score + 53"
shallower = "reduction < 2 and not pv"
"#;

#[test]
fn everything_that_the_language_has_is_compiled() {
    let text = write(&policy(EVERYTHING), Units::Host).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("l")).collect();
    insta::assert_snapshot!(lines.join("\n"));
    for word in ["ln", "log2"] {
        let line = text.lines().find(|line| line.starts_with(&format!("{word} "))).unwrap();
        assert_eq!(line.split(' ').count(), 257);
    }
}

#[test]
fn overrides_are_in_the_file_and_what_they_change_stays() {
    let mut policy = shipped("house");
    policy.set_parameter("base", 1.25).unwrap();
    policy.enable_rule("gives-check", false).unwrap();
    let text = write(&policy, Units::Lmrlab).unwrap();
    assert!(text.contains("\nparam base 1.25 "), "{text}");
    assert!(text.contains("\nrule gives-check off\n"), "{text}");
    assert!(text.contains("@base"), "{text}");
    assert!(text.starts_with(&format!("lmrlab-policy 1 house {}\n", policy.hash())));
}

#[test]
fn what_is_too_large_is_refused_with_the_limit() {
    let refused = |text: &str| write(&policy(text), Units::Lmrlab).unwrap_err().to_string();
    let head = "name = \"large\"\nreduce = \"1\"\n";
    let rules = |count: usize, add: &str| {
        let rule = |index| format!("[[rule]]\nname = \"r{index}\"\nadd = \"{add}\"\n");
        (0..count).map(rule).collect::<String>()
    };
    assert_eq!(refused(&format!("{head}{}", rules(257, "1"))), "more than 256 rules");
    let parameter = |index| format!("p{index} = {{ value = 0, min = 0, max = 1 }}\n");
    let parameters: String = (0..257).map(parameter).collect();
    assert_eq!(
        refused(&format!("{head}[param]\n{parameters}")),
        "more than 256 parameters"
    );
    let long = format!("depth{}", " + depth".repeat(60));
    assert_eq!(
        refused(&format!("{head}{}", rules(200, &long))),
        "the policy has more than 16384 words of code"
    );
    let deep = format!("{}depth{}", "min(1, 2 - depth * ".repeat(50), ")".repeat(50));
    assert_eq!(
        refused(&format!("name = \"deep\"\nreduce = \"{deep}\"")),
        "`depth`, word 129 of the line's expression needs more than 128 stack slots"
    );
}

/// A policy for another engine, with what is said about it.
fn for_host(text: &str) -> (Option<Policy>, String) {
    match Policy::compile_for_host(Source::new("policy.toml", text)) {
        Ok((policy, warnings)) => (Some(policy), warnings.to_string()),
        Err(wrong) => (None, wrong.to_string()),
    }
}

const FOR_HOST: &str = r#"
name = "own"
when = "threatened and not quiet and not exposed and share < 0.5"
reduce = "if(threatened, 2, 1 + share)"
[host]
flags = ["exposed", "threatened", "unread"]
numbers = ["share", "other"]
[[rule]]
name = "both"
when = "threatened == exposed or other > 1"
add = "ln(other)"
enabled = false
"#;

#[test]
fn facts_of_another_engine_are_compiled() {
    let (policy, warnings) = for_host(FOR_HOST);
    let policy = policy.unwrap();
    let declared: Vec<&str> = policy.own_facts().map(|own| own.name).collect();
    assert_eq!(declared, ["exposed", "threatened", "unread", "share", "other"]);
    let text = write(&policy, Units::Lmrlab).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("l")).collect();
    insta::assert_snapshot!(lines.join("\n"));
    insta::assert_snapshot!("unread_fact_of_another_engine", warnings);
}

#[test]
fn lmrlabs_own_search_refuses_facts_of_another_engine() {
    insta::assert_snapshot!(complaints(FOR_HOST));
}

#[test]
fn wrong_names_of_facts_are_reported() {
    let text = "name = \"wrong\"\nreduce = \"slope + treatened\"\n[param]\nslope = { value = 0, min = 0, max = 1 }\n[host]\nflags = \
                [\"pv\", \"min\", \"dup\", \"slope\", \"threatened\", \"threatened\"]\nnumbers = [\"1st\"]\n";
    insta::assert_snapshot!(for_host(text).1);
    let many: Vec<String> = (0..17).map(|index| format!("\"m{index}\"")).collect();
    let many = format!(
        "name = \"p\"\nreduce = \"1\"\n[host]\nnumbers = [{}]\n",
        many.join(", ")
    );
    assert!(for_host(&many).1.starts_with("error: `host.numbers` has 17 names"));
    let plain = "name = \"p\"\nreduce = \"1\"\n[host]\n";
    assert!(for_host(plain).1.starts_with("error: `[host]` declares no fact"));
    let steps = "name = \"p\"\nreduce = \"steps(depth, share => 1)\"\n[host]\nnumbers = [\"share\"]\n";
    assert!(for_host(steps).1.contains("cannot depend on the move"));
}

/// Two policies with the same expressions over other facts are not alike.
#[test]
fn policies_with_other_facts_of_an_engine_differ() {
    let with = |fact: &str| {
        let text = format!("name = \"p\"\nreduce = \"{fact}\"\n[host]\nnumbers = [\"{fact}\"]\n");
        for_host(&text).0.unwrap()
    };
    assert!(with("one").reduces_like(&with("one")) && !with("one").reduces_like(&with("two")));
}
