//! `[let]`: subexpressions with names.

use std::path::PathBuf;

use crate::common::{Move, complaints, policy};
use insta::assert_snapshot;
use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::export::{Language, export};
use lmrlab_policy::facts::Fact;
use lmrlab_policy::host_file::{self, Units};

/// A policy with subexpressions of each type, in an order of their own, and the same policy without them.
const WITH: &str = r#"
name    = "named"
when    = "late and depth >= 2"
reduce  = "base_2 + dot(w, flags)"
history = { model = "rebel" }
[let]
late    = "moves_searched > few or bad"
bad     = "history < -limit"
base_2  = "2 * base"
base    = "ln(depth) * ln(move_number) / 3"
flags   = "[pv, bad, half > 1]"
half    = "so_far_free / 2"
so_far_free = "base + 1"
changed = "so_far > base"
[param]
few   = { value = 3, min = 0, max = 9 }
limit = { value = 500, min = 0, max = 2000 }
w     = { value = [-1, 0.5, 0.25], min = -2, max = 2 }
[[rule]]
name = "changed"
when = "changed and not pv"
add  = "half - base"
[research]
ladder = "by_score"
deeper = "score > best_score + few and bad"
"#;

const WITHOUT: &str = r#"
name    = "named"
when    = "(moves_searched > few or (history < -limit)) and depth >= 2"
reduce  = "2 * (ln(depth) * ln(move_number) / 3) + dot(w, [pv, history < -limit, ((ln(depth) * ln(move_number) / 3 + 1) / 2) > 1])"
history = { model = "rebel" }
[param]
few   = { value = 3, min = 0, max = 9 }
limit = { value = 500, min = 0, max = 2000 }
w     = { value = [-1, 0.5, 0.25], min = -2, max = 2 }
[[rule]]
name = "changed"
when = "so_far > ln(depth) * ln(move_number) / 3 and not pv"
add  = "((ln(depth) * ln(move_number) / 3 + 1) / 2) - ln(depth) * ln(move_number) / 3"
[research]
ladder = "by_score"
deeper = "score > best_score + few and history < -limit"
"#;

#[test]
fn a_name_is_its_expression() {
    let (named, plain) = (policy(WITH), policy(WITHOUT));
    assert!(named.reduces_like(&plain) && named.searches_again_like(&plain));
    assert_eq!(named.needs(), plain.needs());
    // Nothing of the names is in what other engines get, but for the hash of the file.
    for language in [Language::C, Language::Rust] {
        assert_eq!(export(&named, language).text, export(&plain, language).text);
    }
    let after_hash = |policy: &Policy| {
        let file = host_file::write(policy, Units::Lmrlab).unwrap();
        file.split_once('\n').map(|(_, rest)| rest.to_owned())
    };
    assert_eq!(after_hash(&named), after_hash(&plain));
    assert_eq!(complaints(WITH), "");
}

#[test]
fn subexpressions_are_inherited_one_by_one() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("inherited_lets");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("parent.toml"), WITH).unwrap();
    let child = folder.join("child.toml");
    std::fs::write(
        &child,
        "name = \"child\"\nextends = \"parent.toml\"\n[let]\nbase = \"depth\"\n",
    )
    .unwrap();
    let (child, warnings) = Policy::load(&child).unwrap();
    assert_eq!(warnings.to_string(), "");
    let facts = Move::quiet(6, 10).number(Fact::BestScore, 1.0);
    // 2 * 6, and half of 7 is above 1. The rule takes 6 - 3.5 away.
    assert_eq!(
        child.explain(&facts).map(|steps| (steps.base, steps.raw)),
        Some((12.25, 9.75))
    );
    assert_eq!(policy(child.text()).hash(), child.hash());
}

#[test]
fn wrong_subexpressions_are_reported_at_their_places() {
    let file = r#"name = "a"
reduce = "late + twice"
when = "after > 0 and twice"
[let]
depth = "1"
min = "1"
and = "1"
few = "1"
my_fact = "1"
not-a-name = "1"
twice = "2 * one"
one = "pv + quiett"
a = "b + 1"
b = "c * 2"
c = "a / 2"
self = "1 + self"
uses_a = "a + 1"
number = 3
empty = ""
late = "so_far / 2"
after = "score - 1"
[param]
few = { value = 3, min = 0, max = 9 }
[host]
numbers = ["my_fact"]
"#;
    let wrong = Policy::compile_for_host(Source::new("policy.toml", file)).unwrap_err();
    assert_snapshot!("wrong_subexpressions", wrong.to_string());
}

#[test]
fn what_is_never_used_is_reported() {
    let file = "name = \"a\"\nreduce = \"used\"\n[let]\nused = \"deep\"\ndeep = \"depth / 2\"\nunused = \"also * x\"\nalso = \"1\"\n\
                [param]\nx = { value = 1, min = 0, max = 2 }\n";
    assert_snapshot!("unused_subexpressions", complaints(file));
}

#[test]
fn a_misspelt_table_is_one_mistake() {
    assert_snapshot!(
        "misspelt_let",
        complaints("name = \"a\"\nreduce = \"half\"\n[lets]\nhalf = \"depth / 2\"\n")
    );
}

/// Names double their expressions: nothing may grow without limit, nor be nested without limit.
#[test]
fn names_that_grow_too_large_are_refused() {
    let chain = |next: &dyn Fn(usize) -> String| {
        let lines: String = (1..200)
            .map(|index| format!("x{index} = \"{}\"\n", next(index - 1)))
            .collect();
        format!("name = \"a\"\nreduce = \"x199\"\n[let]\nx0 = \"depth\"\n{lines}")
    };
    let doubled = complaints(&chain(&|index| format!("x{index} + x{index}")));
    assert!(
        doubled.contains("with its subexpressions this has more than 16384 parts"),
        "{doubled}"
    );
    assert_eq!(doubled.matches("error:").count(), 1, "{doubled}");
    let deep = complaints(&chain(&|index| format!("abs(abs(abs(abs(abs(x{index} + 1)))))")));
    assert!(deep.contains("nested more than 800 levels deep"), "{deep}");
    // What is within the limits is computed.
    let fine = chain(&|index| format!("x{index} + 1"));
    assert_eq!(
        policy(&(fine + "[finish]\nfloor = -256\n")).reduction(&Move::quiet(5, 3)),
        204
    );
}

#[test]
fn more_names_than_allowed_are_refused() {
    let lines: String = (0..257).map(|index| format!("x{index} = \"1\"\n")).collect();
    let wrong = complaints(&format!("name = \"a\"\nreduce = \"1\"\n[let]\n{lines}"));
    assert!(wrong.contains("`[let]` has more than 256 names"), "{wrong}");
}
