//! Files that can be used, but probably do not mean what their author meant: what their authors see.

mod common;

use common::complaints;
use insta::assert_snapshot;

#[test]
fn warns_of_rule_that_never_applies() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "deep"
when = "depth > 8 and depth < 4"
add = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    warning: rule `deep` never applies
     --> policy.toml:5:8
      |
    5 | when = "depth > 8 and depth < 4"
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^ holds for no move
      |
      = help: to switch it off, write `enabled = false`
    "#);
}

#[test]
fn warns_of_rule_after_one_that_always_stops() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "last"
add = "1"
stop = true
[[rule]]
name = "later"
add = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    warning: rule `later` is never reached
     --> policy.toml:8:8
      |
    8 | name = "later"
      |        ^^^^^^^ `last` stops before it for every move
    "#);
}

#[test]
fn warns_of_policy_that_never_reduces() {
    let file = r#"name = "idea"
when = "capture and not capture"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    warning: this policy never reduces anything
     --> policy.toml:2:8
      |
    2 | when = "capture and not capture"
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^ holds for no move
      |
      = help: if that is meant, write `reduce = "0"`
    "#);
}

#[test]
fn warns_of_unused_parameter() {
    let file = r#"name = "idea"
reduce = "1"
[param]
base = { value = 1, min = 0, max = 2 }
"#;
    assert_snapshot!(complaints(file), @r#"
    warning: parameter `base` is never used
     --> policy.toml:4:1
      |
    4 | base = { value = 1, min = 0, max = 2 }
      | ^^^^ no expression mentions it
    "#);
}

#[test]
fn warns_of_history_kept_for_nothing() {
    let file = r#"name = "idea"
reduce = "1"
history = { model = "rebel" }
"#;
    assert_snapshot!(complaints(file), @r#"
    warning: the history table is kept for nothing
     --> policy.toml:3:1
      |
    3 | history = { model = "rebel" }
      | ^^^^^^^ no expression mentions `history`, and it does not order moves
      |
      = help: mention `history`, set `orders_moves = true`, or remove it
    "#);
}
