//! Messages for files with wrong keys or tables.

use crate::common::complaints;
use insta::assert_snapshot;

#[test]
fn several_mistakes_in_several_places() {
    let file = r#"name = "idea"
when = "dept >= 3 and not captur"
reduce = "base + lnn(depth)"

[[rule]]
name = "killers"
when = "killer"
ad = "-1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: nothing is called `dept`
     --> policy.toml:2:9
      |
    2 | when = "dept >= 3 and not captur"
      |         ^^^^ neither a fact nor a parameter
      |
      = help: did you mean `depth`? Remaining depth of the node before the move is made; quiescence is depth 0.

    error: nothing is called `captur`
     --> policy.toml:2:27
      |
    2 | when = "dept >= 3 and not captur"
      |                           ^^^^^^ neither a fact nor a parameter
      |
      = help: did you mean `capture`? The move captures, en passant included.

    error: nothing is called `base`
     --> policy.toml:3:11
      |
    3 | reduce = "base + lnn(depth)"
      |           ^^^^ neither a fact nor a parameter
      |
      = help: declare it under `[param]`, or use one of the facts of the catalogue

    error: there is no function `lnn`
     --> policy.toml:3:18
      |
    3 | reduce = "base + lnn(depth)"
      |                  ^^^
      |
      = help: did you mean `ln(x)`? It is the natural logarithm; 0 for `x <= 0`

    error: unknown key `ad` in `rule`
     --> policy.toml:8:1
      |
    8 | ad = "-1"
      | ^^ nothing reads this
      |
      = help: did you mean `add`?
    "#);
}

#[test]
fn ragged_table() {
    let file = r#"name = "idea"
reduce = "table(depth, move_number)"
table = [
  [0, 0, 1],
  [0, 1],
]
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the rows of `table` differ in length
     --> policy.toml:5:3
      |
    5 |   [0, 1],
      |   ^^^^^^ 2 numbers here, 3 in the first
      |
      = help: write one row for each depth from 0, and in each row one number for each move from 0
    "#);
}

#[test]
fn missing_reduce() {
    let file = r#"name = "idea"
reduction = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `reduce` is missing
     --> policy.toml:2:1
      |
    2 | reduction = "1"
      | ^^^^^^^^^ is this `reduce`?
      |
      = help: rename `reduction` to `reduce`
    "#);
}

#[test]
fn missing_reduce_with_nothing_like_it() {
    let file = r#"name = "idea"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `reduce` is missing
     --> policy.toml:1:1
      |
    1 | name = "idea"
      | ^ no `reduce` here
    "#);
}

#[test]
fn number_where_an_expression_belongs() {
    let file = r#"name = "idea"
reduce = 1
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `reduce` is an integer, not a string
     --> policy.toml:2:10
      |
    2 | reduce = 1
      |          ^ a string belongs here
      |
      = help: put it in quotes: `"1"`
    "#);
}

#[test]
fn unknown_key() {
    let file = r#"name = "idea"
reduce = "1"
pruning = "none"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: unknown key `pruning` at the top level
     --> policy.toml:3:1
      |
    3 | pruning = "none"
      | ^^^^^^^ nothing reads this
      |
      = help: the keys here are: description, extends, finish, history, host, let, name, param, reduce, research, rule, source, table, when
    "#);
}

#[test]
fn parameter_named_like_a_fact() {
    let file = r#"name = "idea"
reduce = "depth"
[param]
depth = { value = 1, min = 0, max = 2 }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: a parameter cannot be called `depth`
     --> policy.toml:4:1
      |
    4 | depth = { value = 1, min = 0, max = 2 }
      | ^^^^^ already a fact
      |
      = help: choose another name
    "#);
}

#[test]
fn parameter_out_of_its_bounds() {
    let file = r#"name = "idea"
reduce = "base"
[param]
base = { value = 3, min = 0, max = 2 }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the values of parameter `base` do not fit together
     --> policy.toml:4:18
      |
    4 | base = { value = 3, min = 0, max = 2 }
      |                  ^ not between `min` and `max`
    "#);
}

#[test]
fn parameter_without_bounds() {
    let file = r#"name = "idea"
reduce = "base"
[param]
base = { value = 3 }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `param.base.min` and `param.base.max` are missing
     --> policy.toml:4:8
      |
    4 | base = { value = 3 }
      |        ^^^^^^^^^^^^^ no such keys here
    "#);
}

#[test]
fn rule_that_adds_and_sets() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "both"
add = "1"
set = "2"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: a rule either adds, multiplies or sets
     --> policy.toml:6:1
      |
    6 | set = "2"
      | ^^^ `add` is there too
      |
      = help: split it into two rules
    "#);
}

#[test]
fn rule_that_does_nothing() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "idle"
when = "pv"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: this rule does nothing
     --> policy.toml:4:8
      |
    4 | name = "idle"
      |        ^^^^^^ no `add`, `mul`, `set`, `cap` or `stop`
      |
      = help: add an effect, such as `add = "1"`
    "#);
}

#[test]
fn two_rules_of_one_name() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "pv"
add = "1"
[[rule]]
name = "pv"
add = "2"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: two rules are called `pv`
     --> policy.toml:7:8
      |
    7 | name = "pv"
      |        ^^^^ this name is taken
      |
      = help: choose another name: rules are switched on and off by name
    "#);
}

#[test]
fn unknown_rounding() {
    let file = r#"name = "idea"
reduce = "depth / 3"
[finish]
round = "up"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `up` is not a value of `finish.round`
     --> policy.toml:4:9
      |
    4 | round = "up"
      |         ^^^^ one of `trunc`, `floor`, `ceil`, `nearest`
    "#);
}

#[test]
fn negative_minimum() {
    let file = r#"name = "idea"
reduce = "depth / 3"
[finish]
min = -1
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `finish.min` is negative, which would extend moves
     --> policy.toml:4:7
      |
    4 | min = -1
      |       ^^ below 0
      |
      = help: say so with `negative = true`, or use 0
    "#);
}

#[test]
fn maximum_below_minimum() {
    let file = r#"name = "idea"
reduce = "depth / 3"
[finish]
min = 2
max = 1
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `finish.max` is 1, less than `finish.min`, which is 2
     --> policy.toml:5:7
      |
    5 | max = 1
      |       ^ too small
    "#);
}

#[test]
fn unknown_ladder() {
    let file = r#"name = "idea"
reduce = "1"
[research]
ladder = "null"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `null` is not a value of `research.ladder`
     --> policy.toml:4:10
      |
    4 | ladder = "null"
      |          ^^^^^^ one of `null_then_full`, `none`, `full`, `full_reduced_first`, `step_up`, `intermediate`, `by_score`
      |
      = help: did you mean `null_then_full`?
    "#);
}

#[test]
fn unknown_history_model() {
    let file = r#"name = "idea"
reduce = "1"
history = { model = "rebell" }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `rebell` is not a value of `history.model`
     --> policy.toml:3:21
      |
    3 | history = { model = "rebell" }
      |                     ^^^^^^^^ one of `butterfly`, `gravity`, `rebel`, `madchess`, `prodeo`, `fruit`, `relative`, `continuation`, `capture`
      |
      = help: did you mean `rebel`?
    "#);
}

#[test]
fn history_key_of_another_model() {
    let file = r#"name = "idea"
reduce = "history"
history = { model = "madchess", ply_limit = 8 }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: unknown key `ply_limit` in `history`
     --> policy.toml:3:33
      |
    3 | history = { model = "madchess", ply_limit = 8 }
      |                                 ^^^^^^^^^ nothing reads this
      |
      = help: the keys here are: age_percent, model, orders_moves
    "#);
}

#[test]
fn not_toml() {
    let file = r#"name = "idea"
reduce = "1
"#;
    assert_snapshot!(complaints(file), @r#"
    error: not valid TOML: invalid basic string, expected `"`
     --> policy.toml:2:12
      |
    2 | reduce = "1
      |            ^
    "#);
}

#[test]
fn ladder_keys_of_another_ladder() {
    let file = r#"name = "idea"
reduce = "1"
[research]
ladder = "full"
above = 2
deeper = "score > best_score + 53"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `research.above` belongs to another ladder
     --> policy.toml:5:1
      |
    5 | above = 2
      | ^^^^^ nothing reads this
      |
      = help: write `ladder = "intermediate"`, or remove it

    error: `research.deeper` belongs to another ladder
     --> policy.toml:6:1
      |
    6 | deeper = "score > best_score + 53"
      | ^^^^^^ nothing reads this
      |
      = help: write `ladder = "by_score"`, or remove it
    "#);
}

#[test]
fn a_step_between_that_is_no_deeper() {
    let file = r#"name = "idea"
reduce = "1"
[research]
ladder = "intermediate"
above = 2
reduction = 3
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `research.reduction` is greater than `research.above`
     --> policy.toml:6:13
      |
    6 | reduction = 3
      |             ^ the step would not be deeper than the reduced search
      |
      = help: use at most 2, or raise `above`
    "#);
}

#[test]
fn by_score_without_a_score() {
    let file = r#"name = "idea"
reduce = "1"
[research]
ladder = "by_score"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: the ladder `by_score` needs `deeper` or `shallower`
     --> policy.toml:4:10
      |
    4 | ladder = "by_score"
      |          ^^^^^^^^^^ no condition
      |
      = help: add, for example, `deeper = "score > best_score + 53"` and `shallower = "score < best_score + 8"`
    "#);
}

#[test]
fn an_update_beyond_the_bound() {
    let file = r#"name = "idea"
reduce = "history / 4096"
history = { model = "gravity", max = 1600, bound = 1000 }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `history.max` is 1600, greater than `history.bound`, which is 1000
     --> policy.toml:3:38
      |
    3 | history = { model = "gravity", max = 1600, bound = 1000 }
      |                                      ^^^^ one update would exceed the bound
      |
      = help: lower `max` or raise `bound`
    "#);
}

#[test]
fn unknown_increment() {
    let file = r#"name = "idea"
reduce = "history / 4096"
history = { model = "butterfly", index = "from", malus = "squared" }
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `from` is not a value of `history.index`
     --> policy.toml:3:42
      |
    3 | history = { model = "butterfly", index = "from", malus = "squared" }
      |                                          ^^^^^^ one of `piece_to`, `from_to`
      |
      = help: did you mean `from_to`?

    error: `squared` is not a value of `history.malus`
     --> policy.toml:3:58
      |
    3 | history = { model = "butterfly", index = "from", malus = "squared" }
      |                                                          ^^^^^^^^^ one of `none`, `one`, `depth`, `depth_squared`, `two_to_depth`
      |
      = help: did you mean `depth_squared`?
    "#);
}

#[test]
fn research_out_of_range() {
    let file = r#"name = "idea"
reduce = "1"
[research]
threat_feedback = 0
updates_history = "yes"
[finish]
pv_bonus = 17
max_if_extended = -1
"#;
    assert_snapshot!(complaints(file), @r#"
    error: `research.threat_feedback` is 0, out of range
     --> policy.toml:4:19
      |
    4 | threat_feedback = 0
      |                   ^ must be from 1 to 128

    error: `research.updates_history` is a string, not `true` or `false`
     --> policy.toml:5:19
      |
    5 | updates_history = "yes"
      |                   ^^^^^ `true` or `false` belongs here

    error: `finish.pv_bonus` is 17, out of range
     --> policy.toml:7:12
      |
    7 | pv_bonus = 17
      |            ^^ must be from 0 to 16

    error: `finish.max_if_extended` is -1, out of range
     --> policy.toml:8:19
      |
    8 | max_if_extended = -1
      |                   ^^ must be from 0 to 256
    "#);
}

#[test]
fn two_effects_and_a_branch_without_a_condition() {
    let file = r#"name = "idea"
reduce = "1"
[[rule]]
name = "both"
when = "pv"
add = "1"
mul = "2"
else_add = "1"
else_set = "2"
[[rule]]
name = "always"
else_add = "1"
"#;
    assert_snapshot!(complaints(file), @r#"
    error: a rule either adds, multiplies or sets
     --> policy.toml:7:1
      |
    7 | mul = "2"
      | ^^^ `add` is there too
      |
      = help: split it into two rules

    error: a rule either adds, multiplies or sets
     --> policy.toml:9:1
      |
    9 | else_set = "2"
      | ^^^^^^^^ `else_add` is there too
      |
      = help: split it into two rules

    error: `else_add` needs a `when`
      --> policy.toml:12:1
       |
    12 | else_add = "1"
       | ^^^^^^^^ this never happens
       |
       = help: a rule without `when` applies to every move
    "#);
}

#[test]
fn towers_of_brackets_and_dots_are_refused() {
    for tower in ["[".repeat(100_000), "a.".repeat(100_000), "{a=".repeat(100_000)] {
        for file in [tower.clone(), format!("name = {tower}"), format!("[{tower}b]")] {
            let source = lmrlab_diagnostics::Source::new("policy.toml", file);
            assert!(lmrlab_policy::Policy::compile(source).is_err());
        }
    }
}

#[test]
fn a_misspelt_table_of_parameters_is_one_mistake() {
    let file = "name = \"idea\"\nwhen = \"depth > least\"\nreduce = \"base + ln(depth) / divisor\"\n\
        [params]\nbase = 0.3\ndivisor = 2.0\nleast = 2\n";
    let said = complaints(file);
    assert_eq!(said.matches("error").count(), 1, "{said}");
    assert!(
        said.contains("unknown key `params`") && said.contains("did you mean `param`?"),
        "{said}"
    );
}
