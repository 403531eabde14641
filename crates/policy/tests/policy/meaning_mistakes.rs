//! Messages for expressions with wrong names or types.

use crate::common::complaints;
use insta::assert_snapshot;

#[test]
fn unknown_fact() {
    let file = r#"name = "idea"
when = "depht >= 3 and quiet"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: nothing is called `depht`
     --> policy.toml:2:9
      |
    2 | when = "depht >= 3 and quiet"
      |         ^^^^^ neither a fact nor a parameter
      |
      = help: did you mean `depth`? Remaining depth of the node before the move is made; quiescence is depth 0.
    "#);
}

#[test]
fn unknown_name_without_a_neighbour() {
    let file = r#"name = "idea"
when = "zobrist > 3"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: nothing is called `zobrist`
     --> policy.toml:2:9
      |
    2 | when = "zobrist > 3"
      |         ^^^^^^^ neither a fact nor a parameter
      |
      = help: declare it under `[param]`, or use one of the facts of the catalogue
    "#);
}

#[test]
fn unknown_function() {
    let file = r#"name = "idea"
reduce = "log(depth)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: there is no function `log`
     --> policy.toml:2:11
      |
    2 | reduce = "log(depth)"
      |           ^^^
      |
      = help: did you mean `ln(x)`? It is the natural logarithm; 0 for `x <= 0`
    "#);
}

#[test]
fn misspelt_function() {
    let file = r#"name = "idea"
reduce = "step(quiet_number, 3 => 1)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: there is no function `step`
     --> policy.toml:2:11
      |
    2 | reduce = "step(quiet_number, 3 => 1)"
      |           ^^^^
      |
      = help: did you mean `steps(x, 3 => 1, 7 => 2)`? It is the value of the last threshold that `x` has reached; 0 below the first
    "#);
}

#[test]
fn number_as_condition() {
    let file = r#"name = "idea"
when = "history and depth >= 3"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: each side of `and` must be a boolean, not a number
     --> policy.toml:2:9
      |
    2 | when = "history and depth >= 3"
      |         ^^^^^^^ this is a number
      |
      = help: compare it, as in `history > 0`

    error: `history` needs a history table, and this policy declares none
     --> policy.toml:2:9
      |
    2 | when = "history and depth >= 3"
      |         ^^^^^^^ read here
      |
      = help: add `history = { model = "rebel" }`, or another of the models
    "#);
}

#[test]
fn boolean_as_number() {
    let file = r#"name = "idea"
reduce = "1 + improving"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the right side of `+` must be a number, not a boolean
     --> policy.toml:2:15
      |
    2 | reduce = "1 + improving"
      |               ^^^^^^^^^ this is a boolean
      |
      = help: write `if(improving, 1, 0)` to make it a number
    "#);
}

#[test]
fn boolean_compared_with_a_number() {
    let file = r#"name = "idea"
when = "capture == 1"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: a boolean cannot be compared with a number
     --> policy.toml:2:9
      |
    2 | when = "capture == 1"
      |         ^^^^^^^^^^^^
      |
      = help: write `capture` or `not capture`
    "#);
}

#[test]
fn booleans_compared_by_size() {
    let file = r#"name = "idea"
when = "pv < cut"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `<` compares numbers
     --> policy.toml:2:9
      |
    2 | when = "pv < cut"
      |         ^^^^^^^^ both sides are booleans
      |
      = help: booleans are compared with `==` and `!=`
    "#);
}

#[test]
fn condition_yields_a_number() {
    let file = r#"name = "idea"
when = "depth - 3"
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `when` must be a boolean, not a number
     --> policy.toml:2:9
      |
    2 | when = "depth - 3"
      |         ^^^^^^^^^ this is a number
      |
      = help: compare it, as in `depth - 3 > 0`
    "#);
}

#[test]
fn reduction_yields_a_boolean() {
    let file = r#"name = "idea"
reduce = "depth > 3"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `reduce` must be a number, not a boolean
     --> policy.toml:2:11
      |
    2 | reduce = "depth > 3"
      |           ^^^^^^^^^ this is a boolean
      |
      = help: write `if(depth > 3, 1, 0)` to make it a number
    "#);
}

#[test]
fn function_without_arguments() {
    let file = r#"name = "idea"
reduce = "min + 1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `min` is a function and needs its arguments
     --> policy.toml:2:11
      |
    2 | reduce = "min + 1"
      |           ^^^
      |
      = help: write `min(a, b, ...)`
    "#);
}

#[test]
fn fact_called_like_a_function() {
    let file = r#"name = "idea"
reduce = "depth(3)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `depth` is a value, not a function
     --> policy.toml:2:11
      |
    2 | reduce = "depth(3)"
      |           ^^^^^ takes no parentheses
    "#);
}

#[test]
fn wrong_number_of_arguments() {
    let file = r#"name = "idea"
reduce = "clamp(depth, 3)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `clamp` takes three arguments, but has 2
     --> policy.toml:2:11
      |
    2 | reduce = "clamp(depth, 3)"
      |           ^^^^^^^^^^^^^^^
      |
      = help: write `clamp(x, low, high)`: `x`, moved to the nearer bound when outside
    "#);
}

#[test]
fn outcomes_of_two_types() {
    let file = r#"name = "idea"
reduce = "if(pv, 1, cut)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: both outcomes of `if` must have the same type
     --> policy.toml:2:18
      |
    2 | reduce = "if(pv, 1, cut)"
      |                  ^^^^^^ a number and a boolean
    "#);
}

#[test]
fn step_without_a_value() {
    let file = r#"name = "idea"
reduce = "steps(quiet_number, 3 => 1, 7)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: a step needs a threshold and a value
     --> policy.toml:2:39
      |
    2 | reduce = "steps(quiet_number, 3 => 1, 7)"
      |                                       ^ one of the two is missing
      |
      = help: write `threshold => value`, as in `3 => 1`
    "#);
}

#[test]
fn steps_that_descend() {
    let file = r#"name = "idea"
reduce = "steps(quiet_number, 7 => 2, 3 => 1)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the thresholds of `steps` must ascend
     --> policy.toml:2:39
      |
    2 | reduce = "steps(quiet_number, 7 => 2, 3 => 1)"
      |                                       ^ not above the one before
    "#);
}

#[test]
fn threshold_that_depends_on_the_move() {
    let file = r#"name = "idea"
reduce = "steps(quiet_number, depth => 1)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: a threshold of `steps` cannot depend on the move
     --> policy.toml:2:31
      |
    2 | reduce = "steps(quiet_number, depth => 1)"
      |                               ^^^^^ `depth` is a fact
      |
      = help: use numbers and parameters, or write it with `if`
    "#);
}

#[test]
fn in_the_middle_of_a_long_condition() {
    let file = r#"name = "idea"
when = """
depth >= 3 and moves_searched >= 3
and not tt_mvoe and not capture"""
reduce = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: nothing is called `tt_mvoe`
     --> policy.toml:4:9
      |
    4 | and not tt_mvoe and not capture"""
      |         ^^^^^^^ neither a fact nor a parameter
      |
      = help: did you mean `tt_move`? The move is the one that the transposition table holds for this position.
    "#);
}

#[test]
fn history_without_a_table() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "bad"
when = "history < 0"
add = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `history` needs a history table, and this policy declares none
     --> policy.toml:5:9
      |
    5 | when = "history < 0"
      |         ^^^^^^^ read here
      |
      = help: add `history = { model = "rebel" }`, or another of the models
    "#);
}

#[test]
fn table_without_a_table() {
    let file = r#"name = "idea"
reduce = "table(depth, move_number)"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `table` is called, but the file has no table
     --> policy.toml:2:11
      |
    2 | reduce = "table(depth, move_number)"
      |           ^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: add `table = [[..], [..]]` at the top level, one row for each depth from 0
    "#);
}

#[test]
fn the_reduced_score_before_there_is_one() {
    let file = r#"name = "idea"
when = "score > alpha"
reduce = "if(reduction > 2, 1, 0)"
[research]
ladder = "by_score"
deeper = "score > best_score + 53"
shallower = "scorre < best_score + 8"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `score` is not known here
     --> policy.toml:2:9
      |
    2 | when = "score > alpha"
      |         ^^^^^ before the reduced search
      |
      = help: only `deeper` and `shallower` in `[research]` may mention `score`

    error: `reduction` is not known here
     --> policy.toml:3:14
      |
    3 | reduce = "if(reduction > 2, 1, 0)"
      |              ^^^^^^^^^ before the reduced search
      |
      = help: only `deeper` and `shallower` in `[research]` may mention `reduction`

    error: nothing is called `scorre`
     --> policy.toml:7:14
      |
    7 | shallower = "scorre < best_score + 8"
      |              ^^^^^^ neither a fact nor a parameter
      |
      = help: did you mean `score`? What the reduced search returned, for the side that moved. Known in `[research]` only.
    "#);
}

#[test]
fn the_reduction_so_far_outside_the_rules() {
    let file = r#"name = "idea"
reduce = "so_far + 1"
[[rule]]
name = "large"
when = "so_far > 2 and score > 3"
add = "-so_far / 4"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `so_far` is not known here
     --> policy.toml:2:11
      |
    2 | reduce = "so_far + 1"
      |           ^^^^^^ outside the rules
      |
      = help: only the expressions of `[[rule]]` may mention `so_far`

    error: `score` is not known here
     --> policy.toml:5:24
      |
    5 | when = "so_far > 2 and score > 3"
      |                        ^^^^^ before the reduced search
      |
      = help: only `deeper` and `shallower` in `[research]` may mention `score`
    "#);
}
