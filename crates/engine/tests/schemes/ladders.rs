//! What happens when a reduced search is surprised.

use lmrlab_policy::facts::Fact;

use crate::watch::{NODES, Seen, surroundings, watch};

/// The searches of moves that were reduced and whose first result was a surprise.
fn surprised(name: &str) -> Vec<Seen> {
    let mut preset = surroundings();
    // With wide windows in PV nodes, so that scores lie inside them.
    preset.parameters.set("aspiration_window", 0).unwrap();
    watch(name, &preset, 3 * NODES)
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
    let surprised = surprised("stockfish-1.8");
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
        let change =
            i32::from(first.score.get() > best + 53) - i32::from(first.score.get() < best + 8);
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
