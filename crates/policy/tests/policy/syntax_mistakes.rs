//! Messages for expressions with syntax errors.

use crate::common::complaints;
use insta::assert_snapshot;

#[test]
fn single_equals_sign() {
    let file = r#"name = "idea"
when = "depth = 3"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `=` is not part of this language
     --> policy.toml:2:15
      |
    2 | when = "depth = 3"
      |               ^
      |
      = help: equality is written `==`
    "#);
}

#[test]
fn operators_of_other_languages() {
    let file = r#"name = "idea"
when = "depth >= 3 && !capture || pv"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `&&` is not part of this language
     --> policy.toml:2:20
      |
    2 | when = "depth >= 3 && !capture || pv"
      |                    ^^
      |
      = help: write `and`

    error: `!` is not part of this language
     --> policy.toml:2:23
      |
    2 | when = "depth >= 3 && !capture || pv"
      |                       ^
      |
      = help: write `not`

    error: `||` is not part of this language
     --> policy.toml:2:32
      |
    2 | when = "depth >= 3 && !capture || pv"
      |                                ^^
      |
      = help: write `or`
    "#);
}

#[test]
fn conditional_operator() {
    let file = r#"name = "idea"
reduce = "pv ? 1 : 2"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `?` is not part of this language
     --> policy.toml:2:14
      |
    2 | reduce = "pv ? 1 : 2"
      |              ^
      |
      = help: write `if(condition, a, b)`

    error: `:` does not belong in an expression
     --> policy.toml:2:18
      |
    2 | reduce = "pv ? 1 : 2"
      |                  ^
      |
      = help: an expression has names, numbers, operators and parentheses
    "#);
}

#[test]
fn keywords_in_capitals() {
    let file = r#"name = "idea"
when = "depth >= 3 AND NOT capture"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `AND` must be written in small letters
     --> policy.toml:2:20
      |
    2 | when = "depth >= 3 AND NOT capture"
      |                    ^^^
      |
      = help: write `and`

    error: `NOT` must be written in small letters
     --> policy.toml:2:24
      |
    2 | when = "depth >= 3 AND NOT capture"
      |                        ^^^
      |
      = help: write `not`
    "#);
}

#[test]
fn caret_for_power() {
    let file = r#"name = "idea"
reduce = "depth ^ 0.5"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `^` is not part of this language
     --> policy.toml:2:17
      |
    2 | reduce = "depth ^ 0.5"
      |                 ^
      |
      = help: write `pow(x, y)`
    "#);
}

#[test]
fn chained_comparison() {
    let file = r#"name = "idea"
when = "3 <= depth < 8"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: comparisons cannot be chained
     --> policy.toml:2:9
      |
    2 | when = "3 <= depth < 8"
      |         ^^^^^^^^^^^^^^ two comparisons in one
      |
      = help: write `3 <= depth and depth < 8`
    "#);
}

#[test]
fn unclosed_parenthesis() {
    let file = r#"name = "idea"
reduce = "max(1, (depth - 2) / 3"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: this parenthesis is never closed
     --> policy.toml:2:14
      |
    2 | reduce = "max(1, (depth - 2) / 3"
      |              ^ opened here
      |
      = help: add `)`
    "#);
}

#[test]
fn parenthesis_too_many() {
    let file = r#"name = "idea"
reduce = "depth - 2) / 3"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: this parenthesis closes nothing
     --> policy.toml:2:20
      |
    2 | reduce = "depth - 2) / 3"
      |                    ^ no `(` belongs to it
    "#);
}

#[test]
fn missing_operator() {
    let file = r#"name = "idea"
when = "depth >= 3 capture"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: two values stand side by side
     --> policy.toml:2:20
      |
    2 | when = "depth >= 3 capture"
      |                    ^^^^^^^ an operator belongs before this
    "#);
}

#[test]
fn multiplication_without_sign() {
    let file = r#"name = "idea"
reduce = "2depth"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `2depth` is not a number
     --> policy.toml:2:11
      |
    2 | reduce = "2depth"
      |           ^^^^^^
      |
      = help: multiplication needs its sign: `2 * depth`
    "#);
}

#[test]
fn ends_too_early() {
    let file = r#"name = "idea"
when = "depth >= 3 and"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the expression ends too early
     --> policy.toml:2:20
      |
    2 | when = "depth >= 3 and"
      |                    ^^^ a value belongs after this
    "#);
}

#[test]
fn starts_with_an_operator() {
    let file = r#"name = "idea"
when = "and depth >= 3"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: something is missing before `and`
     --> policy.toml:2:9
      |
    2 | when = "and depth >= 3"
      |         ^^^ a condition belongs on each side
    "#);
}

#[test]
fn empty_expression() {
    let file = r#"name = "idea"
reduce = " "
"#;
    assert_snapshot!(complaints(file), @r#"
    error: this expression is empty
     --> policy.toml:2:11
      |
    2 | reduce = " "
      |           ^
      |
      = help: write a number such as `1`, or a condition such as `depth >= 3 and not capture`
    "#);
}

#[test]
fn then_and_else() {
    let file = r#"name = "idea"
reduce = "if pv then 1 else 2"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `if` is a function
     --> policy.toml:2:11
      |
    2 | reduce = "if pv then 1 else 2"
      |           ^^ needs parentheses
      |
      = help: a choice is written `if(condition, a, b)`
    "#);
}

#[test]
fn arrow_outside_steps() {
    let file = r#"name = "idea"
when = "depth => 3"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `=>` stands between a threshold and its value in `steps`, nowhere else
     --> policy.toml:2:15
      |
    2 | when = "depth => 3"
      |               ^^
      |
      = help: the comparison "at least" is written `>=`
    "#);
}

#[test]
fn strange_character() {
    let file = r#"name = "idea"
when = "depth >= 3; capture"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `;` does not belong in an expression
     --> policy.toml:2:19
      |
    2 | when = "depth >= 3; capture"
      |                   ^
      |
      = help: an expression has names, numbers, operators and parentheses
    "#);
}

#[test]
fn quotation_mark() {
    let file = r#"name = "idea"
reduce = '''max(1, "2")'''
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `"` does not belong in an expression
     --> policy.toml:2:20
      |
    2 | reduce = '''max(1, "2")'''
      |                    ^
      |
      = help: an expression has names, numbers, operators and parentheses

    error: `"` does not belong in an expression
     --> policy.toml:2:22
      |
    2 | reduce = '''max(1, "2")'''
      |                      ^
      |
      = help: an expression has names, numbers, operators and parentheses
    "#);
}

#[test]
fn huge_number() {
    let file = r#"name = "idea"
reduce = "depth * 1e300"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the number `1e300` is too large
     --> policy.toml:2:19
      |
    2 | reduce = "depth * 1e300"
      |                   ^^^^^ at most 1e12
    "#);
}
