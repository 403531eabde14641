//! Re-searches, and the limits for kinds of nodes and for extended moves.

use crate::common::{Move, policy};
use lmrlab_policy::facts::Fact;
use lmrlab_policy::history::{History, HistoryModel, Increment, Index};
use lmrlab_policy::research::{LADDERS, Ladder, Research, Trigger};

fn research(lines: &str) -> Research {
    policy(&format!("name = \"idea\"\nreduce = \"1\"\n[research]\n{lines}\n")).research()
}

fn history(inline: &str) -> Option<HistoryModel> {
    let policy = policy(&format!(
        "name = \"idea\"\nreduce = \"history\"\nhistory = {{ {inline} }}\n"
    ));
    policy.history().map(|history| history.model)
}

#[test]
fn every_ladder_and_trigger_of_the_documentation_is_read() {
    for (name, _, _) in LADDERS {
        let more = if name == "by_score" {
            "deeper = \"score > alpha\""
        } else {
            ""
        };
        research(&format!("ladder = \"{name}\"\n{more}"));
    }
    for (name, _) in Trigger::NAMES {
        research(&format!("trigger = \"{name}\""));
    }
    assert_eq!(LADDERS[0].0, "null_then_full");
    assert_eq!(research("").ladder, Ladder::NullThenFull);
    assert_eq!(research("").trigger, Trigger::AboveAlpha);
}

#[test]
fn ladders_with_numbers() {
    assert_eq!(
        research("ladder = \"intermediate\"").ladder,
        Ladder::Intermediate { above: 2, reduction: 1 }
    );
    assert_eq!(
        research("ladder = \"intermediate\"\nabove = 4\nreduction = 2").ladder,
        Ladder::Intermediate { above: 4, reduction: 2 }
    );
    let glaurung = research("threat_feedback = 5\nupdates_history = true");
    assert_eq!(glaurung.threat_feedback, Some(5));
    assert!(glaurung.updates_history);
    assert_eq!(Research::default().threat_feedback, None);
}

#[test]
fn deeper_and_shallower_by_the_score() {
    let today = policy(
        r#"
name = "today"
reduce = "2"
[param]
margin = { value = 53, min = 0, max = 200 }
[research]
ladder = "by_score"
deeper = "reduction > 0 and score > best_score + margin"
shallower = "score < best_score + 8"
"#,
    );
    let change = |score: f64, best: f64| {
        today.depth_change(
            &Move::quiet(9, 9)
                .number(Fact::Score, score)
                .number(Fact::Reduction, 2.0)
                .number(Fact::BestScore, best),
        )
    };
    assert_eq!(change(54.0, 0.0), 1);
    assert_eq!(change(53.0, 0.0), 0);
    assert_eq!(change(8.0, 0.0), 0);
    assert_eq!(change(7.0, 0.0), -1);
    assert!(today.needs().contains(Fact::BestScore));
    let mut daring = today.clone();
    daring.set_parameter("margin", 0.0).unwrap();
    let facts = Move::quiet(9, 9).number(Fact::Score, 1.0).number(Fact::Reduction, 1.0);
    assert_eq!(daring.depth_change(&facts), 0, "both hold");
    let usual = policy("name = \"usual\"\nreduce = \"2\"\n");
    assert_eq!(usual.depth_change(&facts), 0);
}

#[test]
fn histories_with_their_defaults() {
    assert_eq!(
        history("model = \"butterfly\""),
        Some(HistoryModel::Butterfly {
            index: Index::FromTo,
            bonus: Increment::DepthSquared,
            malus: None,
            bound: 16384
        })
    );
    assert_eq!(
        history(
            "model = \"butterfly\", index = \"piece_to\", bonus = \"two_to_depth\", malus = \"depth\", bound = 50_000"
        ),
        Some(HistoryModel::Butterfly {
            index: Index::PieceTo,
            bonus: Increment::TwoToDepth,
            malus: Some(Increment::Depth),
            bound: 50_000
        })
    );
    let (scale, max, bound) = (16, 1600, 16384);
    assert_eq!(
        history("model = \"gravity\""),
        Some(HistoryModel::Gravity {
            index: Index::FromTo,
            scale,
            max,
            bound
        })
    );
    assert_eq!(
        history("model = \"continuation\", max = 2000"),
        Some(HistoryModel::Continuation {
            scale,
            max: 2000,
            bound
        })
    );
    assert_eq!(
        history("model = \"capture\""),
        Some(HistoryModel::Capture { scale, max, bound })
    );
    assert_eq!(
        history("model = \"prodeo\", malus = 2"),
        Some(HistoryModel::ProDeo {
            start: 100,
            bonus: 5,
            malus: 2
        })
    );
    assert_eq!(history("model = \"fruit\""), Some(HistoryModel::Fruit { limit: 16384 }));
    assert_eq!(
        history("model = \"relative\", increment = \"depth\", scale = 1000"),
        Some(HistoryModel::Relative {
            index: Index::FromTo,
            increment: Increment::Depth,
            scale: 1000
        })
    );
    let ordering = policy("name = \"a\"\nreduce = \"1\"\nhistory = { model = \"fruit\", orders_moves = true }\n");
    assert_eq!(
        ordering.history(),
        Some(&History {
            model: HistoryModel::Fruit { limit: 16384 },
            orders_moves: true
        })
    );
}

#[test]
fn increments() {
    let at = |increment: Increment| [0, 1, 5, 30, 2000, -3].map(|depth| increment.at(depth));
    assert_eq!(at(Increment::One), [1; 6]);
    assert_eq!(at(Increment::Depth), [0, 1, 5, 30, 1024, 0]);
    assert_eq!(at(Increment::DepthSquared), [0, 1, 25, 900, 1 << 20, 0]);
    assert_eq!(at(Increment::TwoToDepth), [1, 2, 32, 1 << 20, 1 << 20, 1]);
}

fn plies(finish: &str, facts: &Move) -> i32 {
    policy(&format!("name = \"idea\"\nreduce = \"5\"\n[finish]\n{finish}\n")).reduction(facts)
}

#[test]
fn extended_moves() {
    let extended = |depth: u32, plies: f64| {
        Move::quiet(depth, 9)
            .with(Fact::Extended)
            .number(Fact::Extension, plies)
    };
    assert_eq!(plies("max_if_extended = 1", &extended(20, 1.0)), 1);
    assert_eq!(plies("max_if_extended = 1", &Move::quiet(20, 9)), 5);
    assert_eq!(plies("max_if_extended = 0", &extended(20, 1.0)), 0);
    // The extension is part of the depth that a reduction can use up.
    assert_eq!(plies("", &extended(3, 1.0)), 3);
    assert_eq!(plies("floor = 1", &extended(3, 1.0)), 2);
    assert_eq!(plies("", &Move::quiet(3, 9)), 2);
}

#[test]
fn the_pv_bonus_comes_last() {
    let pv = |depth| Move::quiet(depth, 9).with(Fact::Pv);
    assert_eq!(plies("pv_bonus = 2", &pv(20)), 3);
    assert_eq!(plies("pv_bonus = 2", &Move::quiet(20, 9)), 5);
    assert_eq!(plies("pv_bonus = 2\nmax_in_pv = 1", &pv(20)), -1);
    assert_eq!(plies("pv_bonus = 1\nfloor = 1", &pv(3)), 0);
    let only = policy("name = \"a\"\nreduce = \"0\"\n[finish]\npv_bonus = 1\n");
    assert!(!only.never_reduces());
    assert_eq!(only.reduction(&pv(9)), -1);
    assert_eq!(only.reduction(&Move::quiet(9, 9)), 0);
}

#[test]
fn a_ceiling_above_the_nominal_depth() {
    let by = |amount: &str| {
        policy(&format!(
            "name = \"a\"\nreduce = \"{amount}\"\n[finish]\nscale = 0.0009765625\nfloor = 1\nmin = -2\nnegative = true\npv_bonus = 1\n"
        ))
    };
    let quiet = Move::quiet(6, 9);
    assert_eq!(by("-4000").reduction(&quiet), -2);
    assert_eq!(by("-1024").reduction(&quiet), -1);
    assert_eq!(by("9999").reduction(&quiet), 4);
    assert_eq!(by("-4000").reduction(&quiet.with(Fact::Pv)), -3);
}
