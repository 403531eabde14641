//! Re-search ladders: the searches that follow a reduced search that does not fail low.

use lmrlab_diagnostics::Source;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;

use super::watch::{NODES, POSITIONS, Seen, plain_search, search, shipped, watch_policy};

/// The searches of moves that were reduced and whose first result was a surprise.
fn surprised(name: &str) -> Vec<Seen> {
    surprised_by(&shipped(name), 3 * NODES)
}

/// With wide windows in PV nodes, so that scores lie inside them.
fn wide() -> Preset {
    let mut preset = plain_search();
    preset.parameters.set("aspiration_window", 0).unwrap();
    preset
}

fn surprised_by(policy: &Policy, nodes: u64) -> Vec<Seen> {
    let name = policy.name();
    watch_policy(policy, &wide(), nodes)
        .into_iter()
        .filter(|s| s.reduction > 0)
        .filter(|s| {
            let alpha = s.of(Fact::Alpha) as i32;
            s.attempts.first().is_some_and(|first| {
                assert_eq!(first.depth, s.full_depth() - s.reduction, "{name}");
                first.score.get() > alpha
            })
        })
        .collect()
}

#[test]
fn mediocre_believes_what_a_null_window_returns() {
    let surprised = surprised("mediocre-0.5");
    let (pv, narrow): (Vec<_>, Vec<_>) = surprised.iter().partition(|s| s.is(Fact::Pv));
    assert!(!narrow.is_empty() && narrow.iter().all(|s| s.attempts.len() == 1));
    let again = pv.iter().filter_map(|s| s.attempts.get(1).map(|a| (s, a)));
    assert!(again.clone().count() > 0);
    for (s, attempt) in again {
        assert!(!attempt.null_window && attempt.depth == s.full_depth());
    }
}

#[test]
fn senpai_goes_straight_to_the_whole_window() {
    let surprised = surprised("senpai-1.0");
    let in_pv = |s: &&Seen| s.is(Fact::Pv) && s.attempts.len() > 1;
    assert!(surprised.iter().any(|s| in_pv(&s)));
    for s in &surprised {
        assert!(s.attempts.len() <= 2);
        if let Some(second) = s.attempts.get(1) {
            assert!(!second.null_window && second.depth == s.full_depth());
        }
    }
}

#[test]
fn stockfish_1_8_has_a_step_between() {
    // Reductions of more than two plies are rarely surprised.
    let surprised = surprised_by(&shipped("stockfish-1.8"), 4 * NODES);
    let mut between = 0;
    for s in &surprised {
        if let Some(second) = s.attempts.get(1) {
            let large = s.reduction > 2;
            between += i32::from(large);
            assert_eq!(second.depth, s.full_depth() - i32::from(large));
            assert!(second.null_window);
        }
    }
    assert!(between > 0);
}

#[test]
fn toga_accepts_a_score_inside_the_window_at_the_reduced_depth() {
    let surprised = surprised("toga-3.0");
    let (mut inside, mut above) = (0, 0);
    for s in &surprised {
        let beta = (s.of(Fact::Alpha) + s.of(Fact::Window)) as i32;
        let first = s.attempts[0];
        assert_eq!(first.null_window, !s.is(Fact::Pv));
        if first.score.get() < beta {
            inside += 1;
            assert_eq!(s.attempts.len(), 1);
        } else if let Some(second) = s.attempts.get(1) {
            above += 1;
            assert_eq!(second.depth, s.full_depth());
        }
    }
    assert!(inside > 0 && above > 0);
}

#[test]
fn stockfish_head_goes_deeper_or_shallower_by_the_score() {
    let surprised = surprised("stockfish-head");
    let (mut deeper, mut shallower) = (0, 0);
    for s in &surprised {
        let (first, best) = (s.attempts[0], s.of(Fact::BestScore) as i32);
        let change = i32::from(first.score.get() > best + 53) - i32::from(first.score.get() < best + 8);
        if s.reduction + change <= 0 {
            shallower += i32::from(s.attempts.len() == 1 && change < 0);
        } else if let Some(second) = s.attempts.get(1) {
            assert_eq!(second.depth, s.full_depth() + change);
            deeper += i32::from(change > 0);
            shallower += i32::from(change < 0);
        }
    }
    assert!(deeper > 0 && shallower > 0, "{deeper} {shallower}");
}

/// A policy of large reductions with this `[research]`.
fn large(research: &str) -> Policy {
    let text = format!(
        "name = \"large\"\nwhen = \"depth >= 3 and moves_searched >= 2 and quiet\"\nreduce = \"3\"\n[research]\n{research}"
    );
    Policy::compile(Source::new("large.toml", text)).unwrap().0
}

#[test]
fn the_usual_ladder_has_a_null_window_before_the_whole_one() {
    let surprised = surprised_by(
        &large("ladder = \"null_then_full\"\ntrigger = \"above_alpha\""),
        3 * NODES,
    );
    let (mut whole, mut narrow) = (0, 0);
    for s in surprised.iter().filter(|s| s.attempts.len() > 1) {
        let second = s.attempts[1];
        assert!(second.null_window && second.depth == s.full_depth());
        let beta = s.of(Fact::Alpha) + s.of(Fact::Window);
        let inside = f64::from(second.score.get()) > s.of(Fact::Alpha) && f64::from(second.score.get()) < beta;
        match s.attempts.get(2) {
            Some(third) => {
                whole += 1;
                assert!(s.is(Fact::Pv) && inside && !third.null_window && third.depth == s.full_depth());
            }
            None => narrow += 1,
        }
        assert!(s.attempts.len() <= 3);
    }
    assert!(whole > 0 && narrow > 0, "{whole} {narrow}");
}

#[test]
fn only_beta_triggers_where_the_file_says_so() {
    let surprised = surprised_by(
        &large("ladder = \"null_then_full\"\ntrigger = \"at_or_above_beta\""),
        3 * NODES,
    );
    let (mut inside, mut above) = (0, 0);
    for s in surprised.iter().filter(|s| s.attempts.len() > 1) {
        let beta = s.of(Fact::Alpha) + s.of(Fact::Window);
        let second = s.attempts[1];
        assert_eq!(second.depth, s.full_depth());
        if f64::from(s.attempts[0].score.get()) < beta {
            // No second null window; a score inside an open window is still made exact.
            inside += 1;
            assert!(s.is(Fact::Pv) && !second.null_window);
        } else {
            above += 1;
            assert!(second.null_window);
        }
    }
    assert!(inside > 0 && above > 0, "{inside} {above}");
}

#[test]
fn step_by_step_until_the_surprise_is_over() {
    let surprised = surprised_by(&large("ladder = \"step_up\"\ntrigger = \"above_alpha\""), 3 * NODES);
    let mut lengths = [0; 5];
    for s in &surprised {
        let alpha = s.of(Fact::Alpha) as i32;
        let steps: Vec<_> = s.attempts.iter().filter(|a| a.null_window).collect();
        for (index, attempt) in steps.iter().enumerate() {
            assert_eq!(attempt.depth, s.full_depth() - s.reduction + index as i32);
        }
        let (last, before) = steps.split_last().unwrap();
        assert!(before.iter().all(|attempt| attempt.score.get() > alpha));
        // The search ended, the surprise did, or the whole depth is reached.
        lengths[steps.len()] += i32::from(last.score.get() <= alpha);
        assert!(steps.len() <= s.reduction as usize + 1);
        let ended = last.score.get() <= alpha || last.depth == s.full_depth();
        lengths[0] += i32::from(!ended);
    }
    // At most one search of each position was cut off by the node limit.
    assert!(lengths[0] <= 2 * POSITIONS.len() as i32, "{lengths:?}");
    assert!(lengths[2] > 0 && lengths[3] > 0 && lengths[4] > 0, "{lengths:?}");
}

#[test]
fn micromax_steps_up_from_the_alpha_that_the_node_was_given() {
    let seen = watch_policy(&shipped("micromax-4"), &wide(), 3 * NODES);
    let below = |s: &&Seen| {
        let first = s.attempts.first().map_or(i32::MIN, |first| first.score.get());
        s.reduction > 0 && f64::from(first) <= s.of(Fact::Alpha)
    };
    // A move that beats that, but not what has been found since, is searched again all the same.
    let again = seen.iter().filter(below).filter(|s| s.attempts.len() > 1);
    assert!(again.clone().count() > 0);
    for s in again {
        assert!(
            s.is(Fact::Pv) && s.attempts[1].depth == s.attempts[0].depth + 1,
            "{:?}",
            s.attempts
        );
    }
    // With any other trigger it is not.
    let other = watch_policy(
        &large("ladder = \"step_up\"\ntrigger = \"above_alpha\""),
        &wide(),
        3 * NODES,
    );
    assert!(other.iter().filter(below).all(|s| s.attempts.len() <= 1));
}

#[test]
fn the_best_score_is_alpha_when_scores_may_lie_outside_the_window() {
    for ladder in ["full", "null_then_full", "step_up"] {
        let nodes = |trigger: &str| {
            let policy = large(&format!("ladder = \"{ladder}\"\ntrigger = \"{trigger}\""));
            POSITIONS.map(|fen| search(&policy, fen, 5).nodes)
        };
        assert_eq!(nodes("above_best_score"), nodes("above_alpha"));
        assert_ne!(nodes("above_original_alpha"), nodes("above_alpha"), "{ladder}");
    }
}

#[test]
fn glaurung_hears_of_threats_below_its_depth_limit() {
    let feedback = |limit: Option<u32>| {
        let text = shipped("glaurung-2.2").text().replace(
            "threat_feedback = 5",
            &limit.map_or_else(String::new, |limit| format!("threat_feedback = {limit}")),
        );
        Policy::compile(Source::new("glaurung.toml", text)).unwrap().0
    };
    let nodes = |limit| [POSITIONS[0], POSITIONS[3]].map(|fen| search(&feedback(limit), fen, 7).nodes);
    let without = nodes(None);
    // No null move is tried at depth 1.
    assert_eq!(nodes(Some(1)), without);
    assert_eq!(nodes(Some(2)), without);
    assert_ne!(nodes(Some(3)), without);
    assert_ne!(nodes(Some(5)), nodes(Some(3)));
    // A child that fails low for it returns its alpha: one above the alpha of the reduced move, which is searched again.
    let heard = |limit| {
        let seen = watch_policy(&feedback(limit), &plain_search(), NODES);
        let (mut heard, mut too_deep) = (0, 0);
        for s in seen.iter().filter(|s| s.reduction > 0 && s.attempts.len() > 1) {
            let (first, second) = (s.attempts[0], s.attempts[1]);
            assert!(second.depth == first.depth + 1 && second.null_window);
            if first.score.get() == s.of(Fact::Alpha) as i32 + 1 {
                heard += i32::from((2..5).contains(&first.depth));
                too_deep += i32::from(first.depth >= 5);
            }
        }
        (heard, too_deep)
    };
    let (with, deep) = heard(Some(5));
    let (chance, deep_by_chance) = heard(None);
    assert!(with > 4 * chance + 20, "{with} {chance}");
    assert!(deep <= 4 * deep_by_chance + 20, "{deep} {deep_by_chance}");
}
