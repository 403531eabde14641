//! From facts to plies, by examples: rules, `[finish]`, the edges of arithmetic, parameters. The tests of lmrlab-host compare random
//! policies with a reference interpreter.

use std::cell::Cell;

use crate::common::{Move, policy, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Cost, Fact, Facts, Flags};
use lmrlab_policy::history::Increment;
use lmrlab_policy::research::{LADDERS, Ladder, Research, Trigger};

/// Facts that count how often something dear is asked for.
struct Counting<'m>(&'m Move, Cell<u32>);

impl Counting<'_> {
    fn count(&self, fact: Fact) {
        if fact.info().cost == Cost::Work || fact == Fact::AdvancedPawn {
            self.1.set(self.1.get() + 1);
        }
    }
}

impl Facts for Counting<'_> {
    fn flags(&self) -> Flags {
        self.0.flags()
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.count(fact);
        self.0.boolean(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        self.count(fact);
        self.0.number(fact)
    }
}

/// How often a policy asks for something dear about a move.
fn asked(policy: &Policy, facts: &Move) -> u32 {
    let counting = Counting(facts, Cell::new(0));
    assert_eq!(
        policy.reduction(&counting),
        policy.explain(facts).map_or(0, |all| all.plies)
    );
    counting.1.get()
}

#[test]
fn a_dear_fact_is_asked_for_only_when_it_is_reached() {
    for (reduce, times) in [
        ("see + see", 2),
        ("if(depth > 3, see, 1)", 0),
        ("if(capture and see < 0, 1, 2)", 0),
        ("if(not capture or see < 0, 1, 2)", 0),
        ("if(capture or see < 0, 1, 2)", 1),
        ("steps(depth, 1 => see, 2 => see)", 0),
        ("steps(see, 0 => 1, 2 => depth)", 1),
        ("if(true, 1, see)", 0),
    ] {
        let idea = policy(&format!("name = \"a\"\nreduce = \"{reduce}\"\n"));
        assert_eq!(asked(&idea, &Move::quiet(0, 0)), times, "{reduce}");
    }
    // A condition asks for the cheapest first.
    let dear =
        policy("name = \"a\"\nwhen = \"see < 0 and advanced_pawn and depth >= 3 and capture\"\nreduce = \"1\"\n");
    assert_eq!(asked(&dear, &Move::quiet(9, 9)), 0);
    assert_eq!(asked(&dear, &Move::quiet(1, 9).capture()), 0);
}

#[test]
fn work_is_not_asked_for_when_it_cannot_change_the_outcome() {
    let rule = |name: &str, when: &str, add: &str| {
        format!("[[rule]]\nname = \"{name}\"\nwhen = \"{when}\"\nadd = \"{add}\"\n")
    };
    let rules = rule("ahead", "eval_minus_alpha > 500", "-1")
        + &rule("better", "eval_delta > 20", "-1")
        + &rule("worse", "eval_delta < -20", "0.75");
    let idea = policy(&format!("name = \"idea\"\nreduce = \"1\"\n{rules}"));
    let ordinary = Move::quiet(9, 9);
    assert_eq!(asked(&idea, &ordinary), 1);
    // A move of a node far above alpha stays below one ply, however bad its evaluation.
    let good = ordinary
        .number(Fact::EvalMinusAlpha, 900.0)
        .number(Fact::EvalDelta, -50.0);
    assert_eq!(asked(&idea, &good), 0);
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
else_mul = "1.25"
[[rule]]
name = "off"
add = "50"
enabled = false
[[rule]]
name = "capped"
add = "so_far - 4"
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
    assert_eq!(idea.reduction(&Move::quiet(9, 0)), 1);
    assert_eq!(idea.reduction(&Move::quiet(9, 10).with(Fact::GivesCheck)), 1);
    assert!(idea.explain(&Move::quiet(2, 20)).is_none());
    let explanation = idea.explain(&Move::quiet(9, 10)).unwrap();
    let applied = explanation.rules.iter();
    let applied: Vec<_> = applied
        .map(|rule| (rule.name.as_str(), rule.otherwise, rule.before, rule.plies))
        .collect();
    assert_eq!(
        applied,
        [
            ("more", false, 2.0, 4.0),
            ("never", true, 4.0, 5.0),
            ("capped", false, 5.0, 4.5),
            ("last", false, 4.5, 5.0)
        ]
    );
    assert_eq!((explanation.base, explanation.raw, explanation.plies), (2.0, 5.0, 5));
}

/// The reduction by a policy with this `reduce` and this `[finish]`.
fn plies(reduce: &str, finish: &str, facts: &Move) -> i32 {
    policy(&format!("name = \"idea\"\nreduce = \"{reduce}\"\n[finish]\n{finish}\n")).reduction(facts)
}

#[test]
fn finish_rounds_and_then_limits() {
    let deep = Move::quiet(20, 9);
    for (value, expected) in [
        ("1.5", [1, 1, 2, 2]),
        ("1.4", [1, 1, 2, 1]),
        ("2", [2; 4]),
        ("-1.5", [-1, -2, -1, -2]),
        ("-0.4", [0, -1, 0, 0]),
    ] {
        let rounded = ["trunc", "floor", "ceil", "nearest"];
        let rounded = rounded.map(|how| plies(value, &format!("round = \"{how}\"\nnegative = true\nmin = -9"), &deep));
        assert_eq!(rounded, expected, "{value}");
    }
    let extended = |depth| Move::quiet(depth, 9).with(Fact::Extended).number(Fact::Extension, 1.0);
    let pv = |depth| Move::quiet(depth, 9).with(Fact::Pv);
    let limits = "max_at_root = 1\nmax_in_pv = 2\nmax_if_extended = 0";
    for (reduce, finish, facts, expected) in [
        ("3", "scale = 0.5", deep, 1),
        ("3", "scale = 0.5\nround = \"ceil\"", deep, 2),
        ("9", "scale = 0.5\nmax = 3", deep, 3),
        ("0.2", "min = 1", deep, 1),
        ("5", limits, deep, 5),
        ("5", limits, pv(20), 2),
        ("5", limits, pv(20).with(Fact::Root), 1),
        ("5", limits, extended(20), 0),
        // What is left of the depth; the extension is a part of it.
        ("5", "", Move::quiet(1, 9), 0),
        ("5", "", Move::quiet(3, 9), 2),
        ("5", "", extended(3), 3),
        ("5", "floor = 1", extended(3), 2),
        ("3", "floor = 3", Move::quiet(6, 9), 2),
        ("3", "floor = 3", Move::quiet(2, 9), 0),
        // Extensions, where the file allows them.
        ("-2", "", deep, 0),
        ("-2", "negative = true\nmin = -1", Move::quiet(1, 9), -1),
        ("5", "pv_bonus = 2", pv(20), 3),
        ("5", "pv_bonus = 2\nmax_in_pv = 1", pv(20), -1),
        ("5", "pv_bonus = 1\nfloor = 1", pv(3), 0),
        ("0", "pv_bonus = 1", pv(9), -1),
        ("0", "pv_bonus = 1", deep, 0),
    ] {
        assert_eq!(plies(reduce, finish, &facts), expected, "{reduce}, {finish}, {facts:?}");
    }
}

#[test]
fn the_edges_are_as_documented() {
    let facts = Move::quiet(0, 0).number(Fact::History, -4.0).number(Fact::See, 7.0);
    for (reduce, expected) in [
        ("ln(0)", 0.0),
        ("ln(depth)", 0.0),
        ("log2(history)", 0.0),
        ("see / depth", 0.0),
        ("see % 0", 0.0),
        ("history % 3", -1.0),
        ("sqrt(history)", 0.0),
        ("pow(depth, -1)", 0.0),
        ("pow(history, 0.5)", 0.0),
        ("exp(1000)", f64::MAX),
        ("-exp(1000) - exp(1000)", f64::MIN),
        ("round(2.5)", 3.0),
        ("round(-2.5)", -3.0),
        ("trunc(-2.5)", -2.0),
        ("floor(-2.5) + ceil(2.5) + abs(history)", 4.0),
        ("clamp(see, 9, 3)", 3.0),
        ("min(see, 3, 5) - max(1, history)", 2.0),
        ("2 - 3 - 4", -5.0),
        ("2 + 3 * -see", -19.0),
        ("2 + +1 - (-+2)", 5.0),
        ("if(not 1 > 2 and 2 > 1 or pv, 1, 0)", 1.0),
        ("if(see != 7 or 2 <= 1 or pv == quiet, 1, 0)", 0.0),
        ("steps(see, 3 => 1, 7 => 2, 8 => 3)", 2.0),
        ("steps(history, 3 => 1)", 0.0),
        ("table(2, see) - table(1.9, history)", 3.0),
        ("1_000 + .5 + 1e-1", 1000.6),
    ] {
        let head = "name = \"a\"\nhistory = { model = \"rebel\" }\ntable = [[0, 1], [2, 3], [4, 5]]";
        // What the machine folds, and what it computes.
        for reduce in [reduce.to_owned(), format!("{reduce} + 0 * static_eval")] {
            let found = policy(&format!("{head}\nreduce = \"{reduce}\"\n"))
                .explain(&facts)
                .unwrap()
                .base;
            assert_eq!(found, expected, "{reduce}");
        }
    }
    let deep = format!("{}depth{}", "depth + depth * max(depth, ".repeat(60), ")".repeat(60));
    assert!(
        policy(&format!("name = \"deep\"\nreduce = \"{deep}\"\n"))
            .explain(&facts)
            .unwrap()
            .base
            .is_finite()
    );
    let wrong = crate::common::complaints("name = \"p\"\nreduce = \"+capture\"");
    assert!(wrong.contains("the operand of `+`"), "{wrong}");
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
fn parameters_and_rules_change_what_is_compiled_and_its_hash() {
    let mut log = policy(LOG);
    let (file, facts) = (log.hash(), Move::quiet(10, 9));
    assert_eq!((file.len(), &file), (64, &policy(LOG).hash()));
    assert_ne!(file, policy(&format!("{LOG}\n")).hash());
    let names: Vec<_> = log.parameters().iter().map(|p| (p.name.as_str(), p.step)).collect();
    assert_eq!(names, [("base", 0.1), ("divisor", 3.0 / 20.0)]);
    assert_eq!(log.reduction(&facts), 3);
    log.set_parameter("divisor", 1.0).unwrap();
    assert_eq!(log.reduction(&facts), 5);
    for (name, value, message) in [
        (
            "divisor",
            0.5,
            "0.5 is out of bounds for parameter `divisor`; `divisor` may be from 1 to 4",
        ),
        (
            "divizor",
            2.0,
            "the policy has no parameter `divizor`; did you mean `divisor`?",
        ),
        (
            "base",
            f64::NAN,
            "NaN is out of bounds for parameter `base`; `base` may be from 0 to 1.5",
        ),
    ] {
        assert_eq!(log.set_parameter(name, value).unwrap_err().to_string(), message);
    }
    let unknown = log.enable_rule("cut", false).unwrap_err();
    assert_eq!(unknown.to_string(), "the policy has no rule `cut`; the rules are: pv");
    let changed = log.hash();
    log.enable_rule("pv", false).unwrap();
    assert_eq!(log.overrides(), ["divisor=1", "-pv"]);
    assert!(changed != file && changed != log.hash());
    log.set_parameter("divisor", 2.0).unwrap();
    log.enable_rule("pv", true).unwrap();
    assert_eq!(file, log.hash());
}

#[test]
fn what_is_off_is_not_read_and_what_never_reduces_is_seen() {
    let mut rebel = shipped("rebel-starter");
    assert!(rebel.needs().contains(Fact::History));
    rebel.enable_rule("bad-history", false).unwrap();
    rebel.enable_rule("very-bad-history", false).unwrap();
    assert!(!rebel.needs().contains(Fact::History));
    let none = Policy::none();
    assert!(none.never_reduces() && policy(none.text()).never_reduces());
    for (rest, never) in [
        ("reduce = \"0.5\"\n", true),
        ("reduce = \"1\"\nwhen = \"pv and not pv\"\n", true),
        ("reduce = \"0.5\"\n[finish]\nmin = 1\n", false),
        ("reduce = \"0\"\n[finish]\npv_bonus = 1\n", false),
        ("reduce = \"1\"\n", false),
    ] {
        assert_eq!(
            policy(&format!("name = \"a\"\n{rest}")).never_reduces(),
            never,
            "{rest}"
        );
    }
}

#[test]
fn every_ladder_and_trigger_of_the_documentation_is_read() {
    let research = |lines: &str| policy(&format!("name = \"a\"\nreduce = \"1\"\n[research]\n{lines}\n")).research();
    assert_eq!(research(""), Research::default());
    for (name, ladder, _) in LADDERS {
        let more = if name == "by_score" {
            "deeper = \"score > alpha\""
        } else {
            ""
        };
        assert_eq!(research(&format!("ladder = \"{name}\"\n{more}")).ladder, ladder);
    }
    for (name, trigger) in Trigger::NAMES {
        assert_eq!(research(&format!("trigger = \"{name}\"")).trigger, *trigger);
    }
    let full =
        research("ladder = \"intermediate\"\nabove = 4\nreduction = 2\nthreat_feedback = 5\nupdates_history = true");
    assert_eq!(full.ladder, Ladder::Intermediate { above: 4, reduction: 2 });
    assert!(full.threat_feedback == Some(5) && full.updates_history);
}

#[test]
fn increments() {
    let at = |increment: Increment| [0, 1, 5, 30, 2000, -3].map(|depth| increment.at(depth));
    assert_eq!(at(Increment::One), [1; 6]);
    assert_eq!(at(Increment::Depth), [0, 1, 5, 30, 1024, 0]);
    assert_eq!(at(Increment::DepthSquared), [0, 1, 25, 900, 1 << 20, 0]);
    assert_eq!(at(Increment::TwoToDepth), [1, 2, 32, 1 << 20, 1 << 20, 1]);
}
