//! Policies named with overrides, as on a command line.

use std::path::Path;

use lmrlab_policy::reference::Override;
use lmrlab_policy::research::Ladder;
use lmrlab_policy::{Policy, PolicyReference};

fn resolve(reference: &str, root: &Path) -> Result<Policy, String> {
    let reference: PolicyReference = reference
        .parse()
        .map_err(|error: lmrlab_diagnostics::Diagnostics| error.to_string())?;
    match reference.resolve(root) {
        Ok((policy, _)) => Ok(policy),
        Err(diagnostics) => Err(diagnostics.to_string()),
    }
}

fn refusal(reference: &str) -> String {
    match resolve(reference, &crate::common::root()) {
        Ok(policy) => panic!("resolved to {}", policy.name()),
        Err(text) => text,
    }
}

#[test]
fn names_are_found_from_the_root_and_from_below_it() {
    let root = crate::common::root();
    for folder in [root.clone(), root.join("crates/policy/src")] {
        assert_eq!(resolve("rebel-starter", &folder).unwrap().name(), "rebel-starter");
    }
    let path = resolve("configs/policies/none.toml", &root).unwrap();
    assert_eq!(path.name(), "none");
}

#[test]
fn overrides_are_applied() {
    let reference = "rebel-starter@bad=-400,-very-bad-history";
    let policy = resolve(reference, &crate::common::root()).unwrap();
    assert_eq!(policy.overrides(), ["bad=-400", "-very-bad-history"]);

    let parsed: PolicyReference = "some@dir/my.toml@+a,b=1e-2".parse().unwrap();
    assert_eq!(parsed.policy(), "some@dir/my.toml");
    assert!(parsed.is_path());
    let overrides: Vec<_> = parsed.overrides().cloned().collect();
    let (rule, parameter) = (
        Override::Rule {
            name: "a".to_owned(),
            enabled: true,
        },
        Override::Parameter {
            name: "b".to_owned(),
            value: 0.01,
        },
    );
    assert_eq!(overrides, [rule, parameter]);
}

#[test]
fn tables_are_overridden_as_by_a_file_that_extends() {
    let policy = resolve(
        "house@research.ladder=full,finish.floor=0,base=0.9,-history",
        &crate::common::root(),
    )
    .unwrap();
    assert_eq!(policy.research().ladder, Ladder::Full);
    // What belongs to the ladder before is gone, the rest is inherited.
    assert!(policy.research().updates_history);
    assert_eq!(policy.name(), "house");
    assert_eq!(policy.overrides(), ["base=0.9", "-history"]);
    let same = resolve("house@base=0.9,-history", &crate::common::root()).unwrap();
    assert_ne!(policy.hash(), same.hash());
    let butterfly = resolve("rebel-starter@history.model=butterfly", &crate::common::root()).unwrap();
    assert_ne!(
        butterfly.history(),
        resolve("rebel-starter", &crate::common::root()).unwrap().history()
    );
}

#[test]
fn tables_that_cannot_be_overridden() {
    assert!(refusal("house@reserch.ladder=full").contains("did you mean `research`?"));
    assert!(refusal("house@research.=full").contains("`` is not a key"));
    let unknown = refusal("house@research.ladder=fulll");
    assert!(unknown.contains("did you mean `full`?"), "{unknown}");
    let key = refusal("house@research.lader=full");
    assert!(key.contains("unknown key `lader`"), "{key}");
}

#[test]
fn what_is_wrong_with_a_reference_is_said_where_it_stands() {
    for (reference, said) in [
        (
            "rebel-starter@bad,very_bad=low,",
            &[
                "`bad` is not an override\n --> policy reference:1:15\n",
                "`low` is not a number\n --> policy reference:1:19\n",
                "an override is missing here\n --> policy reference:1:32\n",
                "overrides are `parameter=value`, `-rule`, `+rule` and `table.key=value`, with commas between them",
            ][..],
        ),
        (
            "rebel-starter@bda=-400,-badhistory,very_bad=5",
            &[
                "the policy has no parameter `bda`\n --> policy reference:1:15\n",
                "did you mean `bad`?",
                "the policy has no rule `badhistory`\n --> policy reference:1:24\n",
                "did you mean `bad-history`?",
                "5 is out of bounds for parameter `very_bad`\n --> policy reference:1:36\n",
                "`very_bad` may be from -2000 to 0",
            ],
        ),
        (
            "mediocre-207",
            &[
                "there is no policy `mediocre-207`\n --> policy reference:1:1\n",
                "did you mean `mediocre-2007`?",
            ],
        ),
        (
            "@bad=1",
            &[
                "no policy is named\n --> policy reference:1:1\n",
                "write a name such as `mediocre-2007`, or a path such as `my/idea.toml`",
            ],
        ),
        ("no/such.toml", &["cannot read"]),
    ] {
        let found = refusal(reference);
        for part in said {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}

#[test]
fn the_same_policy_has_the_same_name() {
    let root = crate::common::root();
    let named = |reference: &str| {
        let reference: PolicyReference = reference.parse().unwrap();
        reference.name_of(&reference.resolve(&root).unwrap().0)
    };
    for (reference, name) in [
        ("house", "house"),
        ("./configs/policies/house.toml", "house"),
        ("house@divisor=2.0", "house@divisor=2"),
        ("house@ divisor = 2 ,-history", "house@divisor=2,-history"),
        ("house@research.ladder=full", "house@research.ladder=full"),
    ] {
        assert_eq!(named(reference), name);
    }
}

#[test]
fn any_history_can_be_given_by_overrides() {
    let root = crate::common::root();
    let models = [
        "model=butterfly,history.index=piece_to,history.bonus=two_to_depth,history.malus=depth,history.bound=900",
        "model=butterfly,history.malus=none",
        "model=gravity,history.scale=3,history.max=70,history.bound=800",
        "model=rebel,history.ply_limit=5,history.bound=77",
        "model=madchess,history.age_percent=50",
        "model=prodeo,history.start=-7,history.bonus=4,history.malus=2",
        "model=fruit,history.limit=99",
        "model=relative,history.increment=depth_squared,history.scale=10",
        "model=continuation,history.scale=3,history.max=70,history.bound=800",
        "model=capture,history.scale=4,history.max=71,history.bound=801",
    ];
    for model in models {
        for orders in [true, false] {
            let written = format!("none@history.{model},history.orders_moves={orders}");
            let policy = resolve(&written, &root).unwrap();
            assert_eq!(policy.history().unwrap().orders_moves, orders, "{model}");
            assert!(policy.never_reduces());
        }
    }
}

#[test]
fn policies_are_compared_part_by_part() {
    let root = crate::common::root();
    let named = |reference: &str| resolve(reference, &root).unwrap();
    let plain = named("madchess-2.0");
    let left = named("madchess-2.0@history.orders_moves=false");
    assert!(plain.history().unwrap().orders_moves && !left.history().unwrap().orders_moves);
    assert_eq!(plain.history().unwrap().model, left.history().unwrap().model);
    assert_eq!(plain.needs(), left.needs());
    assert!(plain.reduces_like(&left) && plain.searches_again_like(&left));
    let full = named("house@research.updates_history=false");
    assert!(named("house").reduces_like(&full) && !named("house").searches_again_like(&full));
    let rule = named("house").rules()[0].name.clone();
    assert!(!named("house").reduces_like(&named(&format!("house@-{rule}"))));
    assert!(!named("logarithm").reduces_like(&named("logarithm@divisor=1.5")));
    assert!(!named("house").reduces_like(&named("none")));
    assert!(named("none").reduces_like(&Policy::none()));
}
