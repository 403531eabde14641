//! Lists: what they compute, and what is said about wrong ones.

use crate::common::{Move, complaints, policy};
use insta::assert_snapshot;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;
use proptest::prelude::*;

/// What `reduce` gives for a move, as it is computed.
fn value(policy: &Policy, facts: &Move) -> f64 {
    policy.explain(facts).map_or(0.0, |explanation| explanation.raw)
}

/// The value of an expression, with a list `w` of numbers.
fn value_of(expression: &str, facts: &Move) -> f64 {
    // A constant that rounds to 0 plies is no reduction at all.
    let file = format!(
        "name = \"a\"\nreduce = \"{expression} + 0 * ply\"\n[param]\nw = {{ value = [0.5, -2, 3.25], min = -9, max = 9 }}\n"
    );
    value(&policy(&file), facts)
}

/// A quiet move in a principal variation node, at depth 7.
fn a_move() -> Move {
    Move::quiet(7, 3).with(Fact::Pv).number(Fact::See, -40.0)
}

#[test]
fn each_function_of_lists_computes_what_the_reference_says() {
    for (expression, expected) in [
        ("dot(w, [pv, cut, quiet])", 3.75),
        ("dot(w, [depth, see, 1])", 3.5 + 80.0 + 3.25),
        ("dot([pv, true], [quiet, cut])", 1.0),
        ("w[1] * 2", -4.0),
        ("at(w, 0)", 0.5),
        ("at(w, 1.9)", -2.0),
        ("at(w, -5)", 0.5),
        ("at(w, 1e9)", 3.25),
        ("at([pv, 4], depth - 7)", 1.0),
        ("relu(see) + relu(depth)", 7.0),
        ("dot(w, relu([see, depth, pv]))", -14.0 + 3.25),
        // 2 * 3, 2 * 5, 2 * 7, 3 * 5, 3 * 7, 5 * 7
        ("dot(pairs([2, 3, 5, 7]), [1, 10, 100, 1e3, 1e4, 1e5])", 3_726_506.0),
        // 2 * 3 * 5, 2 * 3 * 7, 2 * 5 * 7, 3 * 5 * 7
        ("dot(triples([2, 3, 5, 7]), [1, 10, 100, 1e3])", 112_450.0),
        ("dot(w, pairs([pv, quiet, depth]))", 0.5 - 14.0 + 22.75),
        ("dot([1], triples([pv, quiet, depth]))", 7.0),
        ("if(at([cut, pv], 1) == 1, 2, 3)", 2.0),
    ] {
        assert_eq!(value_of(expression, &a_move()), expected, "{expression}");
    }
}

#[test]
fn an_element_of_a_list_is_a_boolean_if_it_was_written_as_one() {
    let file =
        "name = \"a\"\nwhen = \"flags[1] and not flags[0]\"\nreduce = \"1\"\n[let]\nflags = \"[pv, quiet, depth]\"\n";
    assert_eq!(policy(file).reduction(&Move::quiet(7, 3)), 1);
    assert_eq!(policy(file).reduction(&a_move()), 0);
}

#[test]
fn the_elements_of_a_list_are_parameters() {
    let file = "name = \"a\"\nreduce = \"dot(w, [pv, quiet])\"\n[param]\nw = { value = [1, 2], min = -4, max = 6, step = 0.5 }\n\
                v = { value = 1, min = 0, max = 2 }\n";
    let mut policy = policy(file);
    let names: Vec<_> = policy
        .parameters()
        .iter()
        .map(|p| (p.name.as_str(), p.value, p.step))
        .collect();
    assert_eq!(names, [("v", 1.0, 0.1), ("w[0]", 1.0, 0.5), ("w[1]", 2.0, 0.5)]);
    assert_eq!(policy.reduction(&a_move()), 3);
    policy.set_parameter("w[1]", 4.0).unwrap();
    assert_eq!(policy.reduction(&a_move()), 5);
    assert_eq!(policy.overrides(), ["w[1]=4"]);
    let wrong = policy.set_parameter("w[1]", 7.0).unwrap_err().to_string();
    assert_eq!(
        wrong,
        "7 is out of bounds for parameter `w[1]`; `w[1]` may be from -4 to 6"
    );
    let wrong = policy.set_parameter("w", 1.0).unwrap_err().to_string();
    assert_eq!(
        wrong,
        "the policy has no parameter `w`; it is a list: name an element, as in `w[0]`"
    );
}

proptest! {
    /// Interactions of six flags, as engines have them since 2025.
    #[test]
    fn interactions_of_flags_are_sums_over_all_ways_to_choose_them(
        weights in prop::collection::vec(-1000..1000_i32, 41),
        flags in any::<[bool; 6]>(),
    ) {
        let list = |range: std::ops::Range<usize>| format!("{:?}", &weights[range]);
        let file = format!(
            "name = \"a\"\nreduce = \"dot(one, f) + dot(two, pairs(f)) + dot(three, triples(f))\"\n[let]\n\
             f = \"[pv, cut, quiet, improving, depth >= 5, king_zone]\"\n[param]\n\
             one = {{ value = {}, min = -1000, max = 1000 }}\ntwo = {{ value = {}, min = -1000, max = 1000 }}\n\
             three = {{ value = {}, min = -1000, max = 1000 }}\n",
            list(0..6), list(6..21), list(21..41)
        );
        let mut facts = Move::quiet(if flags[4] { 9 } else { 3 }, 4);
        if !flags[2] {
            facts = facts.capture();
        }
        for (is, fact) in [(flags[0], Fact::Pv), (flags[1], Fact::Cut), (flags[3], Fact::Improving), (flags[5], Fact::KingZone)] {
            if is {
                facts = facts.with(fact);
            }
        }
        let x = flags.map(|flag| f64::from(u8::from(flag)));
        let mut next = weights.iter().map(|weight| f64::from(*weight));
        let mut sum: f64 = x.iter().map(|x| x * next.next().unwrap()).sum();
        for i in 0..6 {
            for j in i + 1..6 {
                sum += x[i] * x[j] * next.next().unwrap();
            }
        }
        for i in 0..6 {
            for j in i + 1..6 {
                for k in j + 1..6 {
                    sum += x[i] * x[j] * x[k] * next.next().unwrap();
                }
            }
        }
        prop_assert_eq!(value(&policy(&file), &facts), sum);
    }
}

#[test]
fn wrong_lists_are_reported_at_their_places() {
    let file = |reduce: &str| {
        format!(
            "name = \"a\"\nreduce = \"{reduce}\"\n[param]\nw = {{ value = [1, 2, 3], min = 0, max = 9 }}\nx = {{ value = 1, min = 0, max = 9 }}\n"
        )
    };
    let complaints: String = [
        "dot(w, [x, 1])",
        "w + x",
        "dot(x, w)",
        "dot(w)",
        "at(w, pv)",
        "w[3] + x[0]",
        "w[x]",
        "w[1.5] + x",
        "dot(w, [x, [1, 2], 3])",
        "if(pv, w, w)[0] + x",
        "if(pv, x, w)",
        "dot([1], triples([x, 1]))",
        "dot(w, pairs(pairs(pairs([x, 1, 2, 3]))))",
        "relu(pv) + x",
        "if(w == w, x, 1)",
        "dot(w, [x, 1, 2)",
        "dot(w, [x, 1, 2",
        "x + 1]",
        "dot([], w)",
        "dot(w, [1 2 x])",
    ]
    .map(|reduce| {
        let all = complaints(&file(reduce));
        // What is never used is not the point here.
        let errors = all
            .split("\n\n")
            .filter(|complaint| !complaint.contains("is never used"));
        errors.collect::<Vec<_>>().join("\n\n") + "\n\n"
    })
    .concat();
    assert_snapshot!("wrong_lists", complaints);
}

#[test]
fn wrong_parameters_that_are_lists_are_reported_at_their_places() {
    let file = format!(
        "name = \"a\"\nreduce = \"dot(u, u) + v[0] + w[0] + at(x, 1)\"\n[param]\nu = {{ value = [], min = 0, max = 1 }}\n\
         v = {{ value = [0, 2, 1], min = 0, max = 1 }}\nw = {{ value = [1, \"2\"], min = 0, max = 1 }}\n\
         x = {{ value = {:?}, min = 0, max = 1 }}\n",
        [1; 129]
    );
    assert_snapshot!("wrong_list_parameters", complaints(&file));
}
