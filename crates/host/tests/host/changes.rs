//! Changes to parameters and rules.

use crate::agreement::{compiled, values_of};
use crate::common::{policy, shipped};
use crate::random_moves::Vectors;
use lmrlab_policy::facts::CATALOGUE;

/// `LmrParams` and overrides of the policy are the same.
#[test]
fn changes_are_those_of_the_policy() {
    let changed = [
        "base=1.75",
        "divisor=1.625,-gives-check",
        "-history,-principal-variation,base=0.125",
        "-gives-check,+gives-check,deeper=0",
    ];
    for changes in changed {
        let mut policy = shipped("house");
        let mut host = compiled(&policy);
        host.change(changes).unwrap();
        for word in changes.split(',') {
            if let Some((name, value)) = word.split_once('=') {
                policy.set_parameter(name, value.parse().unwrap()).unwrap();
            } else {
                policy.enable_rule(&word[1..], word.starts_with('+')).unwrap();
            }
        }
        let rules: Vec<(&str, bool)> = policy
            .rules()
            .iter()
            .map(|rule| (rule.name.as_str(), rule.enabled))
            .collect();
        let found = host.rules().map(|(rule, enabled)| (rule.name.as_str(), enabled));
        assert_eq!(found.collect::<Vec<_>>(), rules);
        let values = policy.parameters().iter().map(|parameter| parameter.value);
        assert!(host.parameters().iter().map(|parameter| parameter.value).eq(values));
        let mut moves = Vectors::new(CATALOGUE.iter().map(|info| info.fact), &policy);
        let original = shipped("house");
        let mut differs = false;
        for _ in 0..2_000 {
            let facts = moves.next();
            assert_eq!(
                host.reduction(&values_of(facts)).unwrap_or(0),
                policy.reduction(facts),
                "{changes}"
            );
            assert_eq!(
                host.depth_change(&values_of(facts)),
                policy.depth_change(facts),
                "{changes}"
            );
            differs |= policy.reduction(facts) != original.reduction(facts)
                || policy.depth_change(facts) != original.depth_change(facts);
        }
        assert!(differs, "{changes} changes nothing");
    }
}

#[test]
fn a_rule_that_is_off_can_be_switched_on() {
    let policy = policy("name = \"p\"\nreduce = \"1\"\n[[rule]]\nname = \"more\"\nadd = \"2\"\nenabled = false\n");
    let mut host = compiled(&policy);
    let facts = values_of(&crate::common::Move::quiet(10, 5));
    assert_eq!(host.reduction(&facts), Some(1));
    host.change("+more").unwrap();
    assert_eq!(host.reduction(&facts), Some(3));
}

#[test]
fn wrong_changes_say_what_would_be_right() {
    let mut host = compiled(&shipped("house"));
    let before = host.parameters().to_vec();
    for (changes, message) in [
        ("bsae=1", "the policy has no parameter `bsae`; did you mean `base`?"),
        (
            "-give-check",
            "the policy has no rule `give-check`; did you mean `gives-check`?",
        ),
        (
            "divisor=1.7,base=99",
            "99 is out of bounds for parameter `base`; `base` may be from -0.5 to 2",
        ),
        (
            "base=inf",
            "`inf` is no number for the parameter `base`; write, for example, `base=2`",
        ),
        (
            "base",
            "`base` is no change; write `parameter=value`, `-rule` or `+rule`, with commas between them",
        ),
        (
            "base=1,",
            "`` is no change; write `parameter=value`, `-rule` or `+rule`, with commas between them",
        ),
    ] {
        assert_eq!(host.change(changes).unwrap_err().to_string(), message);
        assert_eq!(host.parameters(), before);
    }
    let mut plain = compiled(&policy("name = \"p\"\nreduce = \"1\""));
    assert_eq!(
        plain.change("a=1").unwrap_err().to_string(),
        "the policy has no parameter `a`; there are no parameters"
    );
    plain.change("").unwrap();
}
