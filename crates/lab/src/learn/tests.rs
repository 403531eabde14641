//! Learning from curves with a known truth.

use std::collections::BTreeSet;
use std::fs;

use lmrlab_diagnostics::{Files, Source};
use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::facts::{Fact, Kind};
use proptest::prelude::*;

use super::cost::{Cost, weight};
use super::*;
use crate::curves::{Curve, Point};
use crate::named_fact::NamedFact;

const FACTS: [Fact; 4] = [Fact::Depth, Fact::MoveNumber, Fact::Killer, Fact::See];

/// Killers may raise alpha, and are missed with any reduction. Other moves never raise it. Each ply saves half of the nodes.
fn curves(seed: u64) -> CurveFile {
    let curve = |index: u64| {
        let random = mixed(index, seed);
        let part = |shift: u32, below: u64| (random >> shift) % below;
        let (depth, move_number) = (3, 2 + part(8, 20) as u32);
        let killer = part(16, 5) == 0;
        let raises = killer && part(24, 2) == 0;
        let point = |reduction: i32| {
            let nodes = (1024.0 / 2_f64.powi(reduction)) as u64;
            Point {
                first_raises: raises && reduction <= 0,
                first_nodes: nodes,
                raises: raises && reduction <= 0,
                nodes,
            }
        };
        Curve {
            position: format!("#{}", index / 10),
            ply: 2,
            depth,
            full_depth: depth as i32 - 1,
            move_number,
            mv: String::new(),
            kind: NodeKind::Cut,
            outcome: None,
            reduction: 1,
            weight: 1.0 + part(32, 3) as f64,
            share: None,
            least: -1,
            points: (-1..depth as i32).map(point).collect(),
            values: vec![
                f64::from(depth),
                f64::from(move_number),
                f64::from(u8::from(killer)),
                part(40, 200) as f64 - 100.0,
            ],
        }
    };
    CurveFile {
        facts: FACTS.map(NamedFact::Known).to_vec(),
        curves: (0..2_000).map(curve).collect(),
    }
}

const START: &str = "name = \"start\"\nwhen = \"depth >= 3\"\nreduce = \"base\"\n[param]\n\
    base = { value = 1, min = 0, max = 8, step = 1 }\n[finish]\nround = \"nearest\"\nfloor = 1\n";

/// Learns from a start in a folder of its own, writes the policy and reads it again.
fn learned(start: &str, file: &CurveFile, options: LearnOptions) -> (Learned, Policy) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("start.toml"), start).unwrap();
    let reference: PolicyReference = "./start.toml".parse().unwrap();
    let policy = reference.resolve_for_host(&Files::on_disk(), folder.path());
    let policy = policy.unwrap().0;
    let learned = learn(&policy, file, options);
    let text = learned
        .file("learned", &reference, folder.path(), folder.path(), "As\nfound")
        .unwrap();
    fs::write(folder.path().join("learned.toml"), &text).unwrap();
    let written = Source::read(&folder.path().join("learned.toml")).unwrap();
    let (read, warnings) = Policy::compile_for_host(written).unwrap_or_else(|report| {
        panic!("{}\n{text}", report.render(false));
    });
    assert!(warnings.list.is_empty(), "{}", warnings.render(false));
    (learned, read)
}

/// The mean loss of a policy that was learned from `start`: no move gains beyond a ply from the start.
fn mean_loss(policy: &Policy, start: &Policy, file: &CurveFile, prices: &Prices) -> f64 {
    let columns = FactColumns::of(file, policy);
    let losses = file.curves.iter().map(|curve| {
        let facts = columns.facts(curve);
        let whole = |policy: &Policy| policy.raw(&facts).map(|raw| policy.whole(raw));
        let cost = |whole: i32| Cost::of(curve, policy.limited(whole, &facts));
        let (now, before) = (whole(policy).unwrap_or(0), whole(start).unwrap_or(0));
        let cost = cost(now).worst(cost(now.clamp(before - 1, before + 1)));
        (weight(curve) * cost.loss(prices.at(curve.kind)), weight(curve))
    });
    let (sum, weights) = losses.fold((0.0, 0.0), |(sum, all), (loss, weight)| (sum + loss, all + weight));
    sum / weights
}

#[test]
fn what_decides_is_found() {
    let file = curves(1);
    let options = LearnOptions {
        price: 2.0,
        most_rules: 4,
        seed: 1,
    };
    let (learned, policy) = learned(START, &file, options);
    let columns = FactColumns::of(&file, &policy);
    for curve in &file.curves {
        let reduction = policy.reduction(&columns.facts(curve));
        let killer = curve.values[2] != 0.0;
        // The reduced search has a ply.
        let right = if killer { 0 } else { curve.full_depth - 1 };
        assert_eq!(reduction, right, "{}\n{curve:?}", learned.text());
    }
    assert!(
        learned.steps[1].what == "not killer" && learned.steps[1].taken,
        "{}",
        learned.text()
    );
    assert!(learned.gain.0 > 3.0 * learned.gain.1.unwrap(), "{}", learned.text());
    insta::assert_snapshot!(learned.text());
}

#[test]
fn nothing_is_learned_from_noise() {
    let mut file = curves(1);
    for (index, curve) in file.curves.iter_mut().enumerate() {
        // Every reduction costs the same, and nothing is missed, except by chance.
        let missed = mixed(index as u64, 7).is_multiple_of(20);
        for (point, reduction) in curve.points.iter_mut().zip(-1..) {
            *point = Point {
                first_raises: reduction <= 0 && missed,
                first_nodes: 100,
                raises: reduction <= 0 && missed,
                nodes: 100,
            };
        }
    }
    let options = LearnOptions {
        price: 2.0,
        most_rules: 12,
        seed: 1,
    };
    let (learned, _) = learned(START, &file, options);
    let taken = learned.steps.iter().filter(|step| step.taken).count();
    // To reduce nothing is right; there is no more to learn.
    assert!(taken <= 2, "{}", learned.text());
}

const OPTIONS: LearnOptions = LearnOptions {
    price: 2.0,
    most_rules: 4,
    seed: 1,
};

/// The curves, with a flag of an engine in the place of the killers. A file does not say that it is a flag.
fn curves_of_host(flag: &str) -> CurveFile {
    let mut file = curves(1);
    file.facts[2] = NamedFact::own(flag, Kind::Number);
    file
}

#[test]
fn a_declared_fact_of_another_engine_becomes_a_rule() {
    let file = curves_of_host("threat");
    // A number has thresholds.
    let start = format!("{START}[host]\nnumbers = [\"threat\"]\n");
    let by_number = learned(&start, &file, OPTIONS).0;
    assert_eq!(by_number.steps[1].what, "threat < 1", "{}", by_number.text());
    let start = format!("{START}[host]\nflags = [\"unfilled\", \"threat\"]\nnumbers = [\"unfilled_too\"]\n");
    let (learned, policy) = learned(&start, &file, OPTIONS);
    assert!(
        learned.steps[1].what == "not threat" && learned.steps[1].taken,
        "{}",
        learned.text()
    );
    let columns = FactColumns::of(&file, &policy);
    for curve in &file.curves {
        let right = if curve.values[2] != 0.0 {
            0
        } else {
            curve.full_depth - 1
        };
        let reduction = policy.reduction(&columns.facts(curve));
        assert_eq!(reduction, right, "{}\n{curve:?}", learned.text());
    }
}

#[test]
fn rules_read_what_the_file_has_and_the_start_declares() {
    let mut file = curves_of_host("threat");
    file.facts[1] = NamedFact::own("not_declared", Kind::Number);
    let start = format!("{START}[host]\nflags = [\"threat\", \"unfilled\"]\n");
    let start = Policy::compile_for_host(Source::new("start.toml", start.as_str()));
    let start = start.unwrap().0;
    let columns = FactColumns::of(&file, &start);
    let fit = Fit::new(start, &file, &columns, &Prices::same(9.0), |_| true);
    let words: BTreeSet<String> = fit
        .terms()
        .iter()
        .flat_map(|term| {
            let text = term.to_string();
            let words = text.split(|c: char| !(c.is_ascii_alphabetic() || c == '_'));
            words.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(Vec::from_iter(words), ["", "clamp", "not", "see", "threat"]);
}

#[test]
fn names_of_rules_are_free_and_not_too_long() {
    let flag = "t".repeat(64);
    let taken = format!("learned-not-{}", "t".repeat(52));
    let start = format!("{START}[host]\nflags = [\"{flag}\"]\n[[rule]]\nname = \"{taken}\"\nadd = \"0\"\n");
    let (learned, policy) = learned(&start, &curves_of_host(&flag), OPTIONS);
    assert_eq!(learned.steps[1].what, format!("not {flag}"));
    let rules: Vec<&str> = policy.rules().iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(rules[..2], [&taken, &format!("learned-not-{}-2", "t".repeat(50))]);
}

#[test]
fn prices_are_what_the_start_pays() {
    let mut file = curves(3);
    let (mut cut, mut all, mut missed) = (0.0, 0.0, 0.0);
    for curve in &mut file.curves {
        let (is_cut, killer) = (curve.move_number.is_multiple_of(2), curve.values[2] != 0.0);
        curve.kind = if is_cut { NodeKind::Cut } else { NodeKind::All };
        curve.weight = 1.0;
        curve.values[0] = 5.0;
        (curve.depth, curve.full_depth) = (5, 4);
        *(if is_cut { &mut cut } else { &mut all }) += 1.0;
        missed += f64::from(u8::from(is_cut && killer));
        // The second ply saves a tenth of the nodes, and misses killers at cut nodes.
        for (point, reduction) in curve.points.iter_mut().zip(-1..) {
            point.raises = !(is_cut && killer && reduction >= 2);
            point.nodes = if reduction >= 2 { 90 } else { 100 };
        }
    }
    let start = Policy::compile(Source::new("start.toml", START)).unwrap().0;
    let prices = Prices::of_start(&start, &file, 3.0);
    let is = |kind: NodeKind, price: f64| assert!((prices.at(kind) - 3.0 * price).abs() < 1e-9, "{}", prices.text());
    is(NodeKind::Cut, 0.1 * cut / missed);
    // The all nodes have no miss, and the principal variation has no curve: both have the price of all kinds together.
    is(NodeKind::All, 0.1 * (cut + all) / missed);
    is(NodeKind::Pv, 0.1 * (cut + all) / missed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// The policy that is written does what was learned.
    #[test]
    fn the_written_policy_has_the_loss_that_was_learned(seed in any::<u64>(), price in 0.0..3.0_f64, most_rules in 0_usize..6) {
        let file = curves(seed);
        let options = LearnOptions { price, most_rules, seed };
        let (learned, policy) = learned(START, &file, options);
        let columns = FactColumns::of(&file, &policy);
        let start = Policy::compile(Source::new("start.toml", START)).unwrap().0;
        let prices = Prices::of_start(&start, &file, price);
        let mut all = Fit::new(start.clone(), &file, &columns, &prices, |_| true);
        all.take(&learned.policy, &learned.rules);
        for (curve, raw) in file.curves.iter().zip(&all.raw) {
            // A policy that reduces nothing asks no more whether a move is late.
            let read = policy.raw(&columns.facts(curve)).unwrap_or(0.0);
            prop_assert_eq!(read, *raw, "{:?}\n{}", curve, learned.text());
        }
        let found = mean_loss(&policy, &start, &file, &prices);
        prop_assert!((found - all.loss).abs() < 1e-4 * (1.0 + all.loss), "{} {}\n{}", found, all.loss, learned.text());
        let rules = learned.steps.iter().filter(|step| step.taken).count();
        prop_assert!(rules <= most_rules + 1);
    }
}
