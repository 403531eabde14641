//! From facts to plies: the order of evaluation, `[finish]`, parameters and rules.

use std::cell::Cell;

use crate::common::{Move, policy, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Cost, Fact, Facts, Flags};
use proptest::prelude::*;

/// The reduction by a policy with this `reduce` and these further lines.
fn plies(reduce: &str, rest: &str, facts: &Move) -> i32 {
    policy(&format!("name = \"idea\"\nreduce = \"{reduce}\"\n{rest}")).reduction(facts)
}

/// Facts that count how often work was asked for.
struct Counting<'m>(&'m Move, Cell<u32>);

impl Facts for Counting<'_> {
    fn flags(&self) -> Flags {
        self.0.flags()
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.0.boolean(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        if fact.info().cost == Cost::Work {
            self.1.set(self.1.get() + 1);
        }
        self.0.number(fact)
    }
}

#[test]
fn work_is_not_asked_for_when_it_cannot_change_the_outcome() {
    let idea = policy(
        r#"
name = "idea"
reduce = "1"
[[rule]]
name = "ahead"
when = "eval_minus_alpha > 500"
add  = "-1"
[[rule]]
name = "better"
when = "eval_delta > 20"
add  = "-1"
[[rule]]
name = "worse"
when = "eval_delta < -20"
add  = "0.75"
"#,
    );
    let asked = |facts: &Move| {
        let counting = Counting(facts, Cell::new(0));
        let plies = idea.reduction(&counting);
        assert_eq!(Some(plies), idea.explain(facts).map(|all| all.plies));
        (plies, counting.1.get())
    };
    let ordinary = Move::quiet(9, 9);
    assert_eq!(asked(&ordinary), (1, 1));
    // A move of a node far above alpha stays below one ply, however bad its evaluation.
    let good = ordinary.number(Fact::EvalMinusAlpha, 900.0);
    assert_eq!(asked(&good), (0, 0));
    assert_eq!(asked(&good.number(Fact::EvalDelta, -50.0)), (0, 0));
}

#[test]
fn rules_apply_in_the_order_of_the_file() {
    let text = r#"
name = "idea"
when = "depth >= 3"
reduce = "2"
[[rule]]
name = "more"
when = "moves_searched >= 10"
add = "2"
[[rule]]
name = "never"
when = "depth > 100"
set = "50"
[[rule]]
name = "off"
add = "50"
enabled = false
[[rule]]
name = "capped"
add = "1.5"
cap = "4.5"
[[rule]]
name = "checks"
when = "gives_check"
set = "1"
stop = true
[[rule]]
name = "last"
add = "0.5"
"#;
    let idea = policy(text);
    assert_eq!(idea.reduction(&Move::quiet(2, 20)), 0);
    assert_eq!(idea.reduction(&Move::quiet(9, 0)), 4);
    assert_eq!(idea.reduction(&Move::quiet(9, 10)), 5);
    assert_eq!(idea.reduction(&Move::quiet(9, 10).with(Fact::GivesCheck)), 1);

    let explanation = idea.explain(&Move::quiet(9, 10)).unwrap();
    let fired: Vec<_> = explanation
        .rules
        .iter()
        .map(|rule| (rule.name.as_str(), rule.plies))
        .collect();
    assert_eq!(fired, [("more", 4.0), ("capped", 4.5), ("last", 5.0)]);
    let contributions: Vec<_> = explanation.rules.iter().map(|rule| rule.plies - rule.before).collect();
    assert_eq!(contributions, [2.0, 0.5, 0.5]);
    assert_eq!((explanation.base, explanation.raw), (2.0, 5.0));
    assert_eq!(explanation.plies, 5);
    assert_eq!(idea.explain(&Move::quiet(2, 20)), None);
}

#[test]
fn rules_multiply_and_have_an_other_branch() {
    let idea = policy(
        r#"
name = "idea"
reduce = "2"
[[rule]]
name = "all-nodes"
when = "all"
mul = "1 + 6 / depth"
[[rule]]
name = "improving"
when = "improving"
add = "-1"
else_add = "0.5"
[[rule]]
name = "history"
when = "history > 0"
stop = true
else_mul = "2"
[[rule]]
name = "capture"
when = "not capture"
else_set = "1"
[history]
model = "rebel"
"#,
    );
    let quiet = Move::quiet(12, 9);
    assert_eq!(idea.reduction(&quiet), 5);
    assert_eq!(idea.reduction(&quiet.with(Fact::Improving)), 2);
    assert_eq!(idea.reduction(&quiet.with(Fact::All)), 7);
    assert_eq!(idea.reduction(&quiet.capture()), 1);
    assert_eq!(idea.reduction(&quiet.capture().number(Fact::History, 1.0)), 2);
    let explanation = idea.explain(&quiet.with(Fact::All)).unwrap();
    let fired: Vec<_> = explanation
        .rules
        .iter()
        .map(|rule| (rule.name.as_str(), rule.otherwise, rule.plies - rule.before))
        .collect();
    assert_eq!(
        fired,
        [
            ("all-nodes", false, 1.0),
            ("improving", true, 0.5),
            ("history", true, 3.5),
            ("capture", false, 0.0),
        ]
    );
}

#[test]
fn the_other_branch_of_a_condition_that_never_holds() {
    let idea = policy(
        r#"
name = "idea"
reduce = "2"
[[rule]]
name = "switch"
when = "switch > 0"
add = "1"
else_add = "-1"
[param]
switch = { value = 0, min = 0, max = 1 }
"#,
    );
    assert_eq!(idea.reduction(&Move::quiet(12, 9)), 1);
    let mut on = idea.clone();
    on.set_parameter("switch", 1.0).unwrap();
    assert_eq!(on.reduction(&Move::quiet(12, 9)), 3);
}

#[test]
fn rules_know_the_reduction_so_far() {
    let idea = policy(
        r#"
name = "idea"
reduce = "depth / 4"
[[rule]]
name = "parent"
when = "not pv and parent_reduction > so_far + 0.5"
add = "1"
[[rule]]
name = "large"
when = "so_far >= 3"
set = "so_far / 2"
cap = "so_far - 1"
else_mul = "so_far"
"#,
    );
    assert!(!idea.needs().contains(Fact::SoFar));
    let by = |depth, parent| idea.reduction(&Move::quiet(depth, 9).number(Fact::ParentReduction, parent));
    assert_eq!(by(8, 0.0), 4);
    assert_eq!(by(8, 2.5), 4);
    assert_eq!(by(8, 3.0), 1);
    assert_eq!(by(24, 0.0), 3);
}

#[test]
fn rounding() {
    let deep = Move::quiet(20, 9);
    let rounded = |value: &str, how: &str| {
        let finish = format!("[finish]\nround = \"{how}\"\nnegative = true\nmin = -9\n");
        plies(value, &finish, &deep)
    };
    for (value, trunc, floor, ceil, nearest) in [
        ("1.5", 1, 1, 2, 2),
        ("1.4", 1, 1, 2, 1),
        ("2", 2, 2, 2, 2),
        ("-1.5", -1, -2, -1, -2),
        ("-0.4", 0, -1, 0, 0),
    ] {
        assert_eq!(rounded(value, "trunc"), trunc, "{value}");
        assert_eq!(rounded(value, "floor"), floor, "{value}");
        assert_eq!(rounded(value, "ceil"), ceil, "{value}");
        assert_eq!(rounded(value, "nearest"), nearest, "{value}");
    }
}

#[test]
fn scale_comes_before_rounding_and_bounds_after() {
    let deep = Move::quiet(20, 9);
    assert_eq!(plies("3", "[finish]\nscale = 0.5\n", &deep), 1);
    assert_eq!(plies("3", "[finish]\nscale = 0.5\nround = \"ceil\"\n", &deep), 2);
    assert_eq!(plies("9", "[finish]\nscale = 0.5\nmax = 3\n", &deep), 3);
    assert_eq!(plies("0.2", "[finish]\nmin = 1\n", &deep), 1);
}

#[test]
fn limits_at_the_root_and_in_pv_nodes() {
    let finish = "[finish]\nmax_at_root = 1\nmax_in_pv = 2\n";
    let deep = Move::quiet(20, 9);
    assert_eq!(plies("5", finish, &deep), 5);
    assert_eq!(plies("5", finish, &deep.with(Fact::Pv)), 2);
    assert_eq!(plies("5", finish, &deep.with(Fact::Pv).with(Fact::Root)), 1);
}

#[test]
fn the_floor_keeps_the_reduced_search_as_deep_as_the_file_says() {
    let by_depth = |floor: u32| -> Vec<i32> {
        let finish = format!("[finish]\nfloor = {floor}\n");
        (1..=6)
            .map(|depth| plies("3", &finish, &Move::quiet(depth, 9)))
            .collect()
    };
    assert_eq!(by_depth(0), [0, 1, 2, 3, 3, 3]);
    assert_eq!(by_depth(1), [0, 0, 1, 2, 3, 3]);
    assert_eq!(by_depth(3), [0, 0, 0, 0, 1, 2]);
}

#[test]
fn extensions_only_where_the_file_allows_them() {
    let deep = Move::quiet(20, 9);
    assert_eq!(plies("-2", "", &deep), 0);
    let allowed = "[finish]\nnegative = true\nmin = -1\n";
    assert_eq!(plies("-2", allowed, &deep), -1);
    assert_eq!(plies("-2", allowed, &Move::quiet(1, 9)), -1);
}

#[test]
fn a_table_is_read_by_row_and_column_and_clamps_at_its_edges() {
    let text = r#"
name = "idea"
reduce = "table(depth, move_number) + table(0, 0) * history"
history = { model = "rebel" }
table = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 1, 2],
  [0, 2, 3],
]
"#;
    let idea = policy(text);
    assert_eq!(idea.reduction(&Move::quiet(4, 0)), 2);
    assert_eq!(idea.reduction(&Move::quiet(4, 1)), 3);
    assert_eq!(idea.reduction(&Move::quiet(99, 99)), 3);
    assert_eq!(idea.reduction(&Move::quiet(1, 50)), 0);
}

#[test]
fn what_is_tabulated_is_right_beyond_the_table_too() {
    let log = policy("name = \"log\"\nreduce = \"ln(depth) * ln(move_number) / 2\"\n");
    for depth in 2..150_u32 {
        for moves in 0..150_u32 {
            let exact = libm::log(f64::from(depth)) * libm::log(f64::from(moves + 1)) / 2.0;
            let facts = Move::quiet(depth, moves);
            let expected = (exact as i32).min(depth as i32 - 1);
            assert_eq!(log.reduction(&facts), expected, "depth {depth}, moves {moves}");
        }
    }
    let half = Move::quiet(2, 0)
        .number(Fact::Depth, 8.5)
        .number(Fact::MoveNumber, 30.5);
    assert_eq!(log.reduction(&half), 3);
}

const LOG: &str = r#"
name = "log"
reduce = "base + ln(depth) * ln(move_number) / divisor"
[[rule]]
name = "pv"
when = "pv"
add = "-1"
[param]
base = { value = 0.5, min = 0.0, max = 1.5, step = 0.1 }
divisor = { value = 2.0, min = 1.0, max = 4.0 }
"#;

#[test]
fn parameters_change_what_is_compiled_and_keep_their_bounds() {
    let mut log = policy(LOG);
    let names: Vec<_> = log.parameters().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["base", "divisor"]);
    assert!((log.parameters()[1].step - 0.15).abs() < 1e-12);
    let facts = Move::quiet(10, 9);
    assert_eq!(log.reduction(&facts), 3);
    log.set_parameter("divisor", 1.0).unwrap();
    assert_eq!(log.reduction(&facts), 5);
    let refused = log.set_parameter("divisor", 0.5).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "0.5 is out of bounds for parameter `divisor`; `divisor` may be from 1 to 4"
    );
    let unknown = log.set_parameter("divizor", 2.0).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the policy has no parameter `divizor`; did you mean `divisor`?"
    );
    assert!(log.set_parameter("base", f64::NAN).is_err());
    assert_eq!(log.reduction(&facts), 5);
    let unknown = log.enable_rule("cut", false).unwrap_err();
    assert_eq!(unknown.to_string(), "the policy has no rule `cut`; the rules are: pv");
}

#[test]
fn a_rule_that_is_off_costs_nothing() {
    let mut rebel = shipped("rebel-starter");
    assert!(rebel.needs().contains(Fact::History));
    rebel.enable_rule("bad-history", false).unwrap();
    rebel.enable_rule("very-bad-history", false).unwrap();
    assert!(!rebel.needs().contains(Fact::History));
    let bad = Move::quiet(9, 9).number(Fact::History, -1900.0);
    assert_eq!(rebel.reduction(&bad), 1);
}

#[test]
fn the_hash_tells_what_is_in_force() {
    let mut log = policy(LOG);
    let file = log.hash();
    assert_eq!(file.len(), 64);
    assert_eq!(file, policy(LOG).hash());
    log.set_parameter("base", 1.0).unwrap();
    let changed = log.hash();
    assert_ne!(file, changed);
    log.enable_rule("pv", false).unwrap();
    assert_ne!(changed, log.hash());
    assert_eq!(log.overrides(), ["base=1", "-pv"]);
    log.set_parameter("base", 0.5).unwrap();
    log.enable_rule("pv", true).unwrap();
    assert_eq!(file, log.hash());
    assert_ne!(file, policy(&format!("{LOG}\n")).hash());
}

#[test]
fn never_reducing_is_seen() {
    assert!(Policy::none().never_reduces());
    let none = Policy::none();
    assert_eq!(policy(none.text()).reduction(&Move::quiet(9, 9)), 0);
    assert!(policy("name = \"a\"\nreduce = \"0.5\"\n").never_reduces());
    assert!(policy("name = \"a\"\nwhen = \"pv and not pv\"\nreduce = \"1\"\n").never_reduces());
    assert!(!policy("name = \"a\"\nreduce = \"0.5\"\n[finish]\nmin = 1\n").never_reduces());
    assert!(!shipped("mediocre-2007").never_reduces());
}

proptest! {
    #[test]
    fn a_parameter_never_leaves_its_bounds(values in prop::collection::vec(any::<f64>(), 1..8)) {
        let mut log = policy(LOG);
        for value in values {
            let before = log.parameters()[0].value;
            let accepted = log.set_parameter("base", value).is_ok();
            prop_assert_eq!(accepted, (0.0..=1.5).contains(&value));
            let now = log.parameters()[0].value;
            prop_assert_eq!(now, if accepted { value } else { before });
        }
    }

    #[test]
    fn no_facts_make_a_reduction_that_leaves_no_depth(
        depth in 1..80_u32,
        moves in 0..250_u32,
        history in any::<f64>(),
    ) {
        for name in ["mediocre-2007", "micromax-4", "rebel-starter", "madchess-2.0"] {
            let facts = Move::quiet(depth, moves).number(Fact::History, history);
            let plies = shipped(name).reduction(&facts);
            prop_assert!((0..depth as i32).contains(&plies), "{} at depth {}", plies, depth);
        }
    }
}

#[test]
fn a_plus_before_a_number_changes_nothing() {
    let facts = Move::quiet(5, 3);
    for (with, without) in [
        ("+1", "1"),
        ("2 + +1", "2 + 1"),
        ("-+2", "-2"),
        ("+-2", "-2"),
        ("+(1 + 1)", "1 + 1"),
    ] {
        assert_eq!(plies(with, "", &facts), plies(without, "", &facts), "{with}");
    }
    let rule = |add: &str| format!("[[rule]]\nname = \"more\"\nwhen = \"true\"\nadd = \"{add}\"");
    assert_eq!(plies("1", &rule("+1"), &facts), plies("1", &rule("1"), &facts));
    let wrong = Policy::compile(lmrlab_diagnostics::Source::new(
        "p.toml",
        "name = \"p\"\nreduce = \"+capture\"",
    ));
    assert!(wrong.unwrap_err().to_string().contains("the operand of `+`"));
}
