//! Describes the re-searches and the history of a policy as pseudocode in comments.
//!
//! The templates are history.txt and research.txt. The numbers of the bonus are those of the engine: its search parameters,
//! and history/fact_tables.rs.

use super::template::filled;
use crate::facts::Fact;
use crate::history::{History, HistoryModel};
use crate::policy::Policy;
use crate::research::{Ladder, Trigger};

/// How a move is searched again. `depth_change` is the name of the function for it.
pub(super) fn research(policy: &Policy, depth_change: &str) -> String {
    let research = policy.research();
    let triggered = match research.trigger {
        Trigger::AboveAlpha => "score > alpha",
        Trigger::AtOrAboveBeta => "score >= beta",
        Trigger::AboveOriginalAlpha => "score > alpha_at_entry",
        Trigger::AboveBestScore => "score > best_score",
    };
    let mut holds = vec![research.ladder.name(), research.trigger.name()];
    // No bonus follows when the last search has the full window.
    if research.updates_history && !matches!(research.ladder, Ladder::Full | Ladder::FullReducedFirst) {
        let read = policy.needs().iter().map(Fact::name);
        holds.push("updates");
        holds.extend(read.filter(|name| name.starts_with("continuation_history")));
    }
    holds.extend(research.threat_feedback.map(|_| "threat_feedback"));
    let (above, reduction) = match research.ladder {
        Ladder::Intermediate { above, reduction } => (above, reduction),
        _ => (0, 0),
    };
    let values = [
        ("ladder", research.ladder.name().to_owned()),
        ("triggered", triggered.to_owned()),
        ("depth_change", depth_change.to_owned()),
        ("above", above.to_string()),
        ("reduction", reduction.to_string()),
        ("threat_feedback", research.threat_feedback.unwrap_or(0).to_string()),
    ];
    filled(include_str!("research.txt"), &holds, &values)
}

/// The history table that the policy declares.
pub(super) fn history(history: &History) -> String {
    let (name, keys) = (history.model.name(), history.model.keys());
    let mut holds = vec![name];
    holds.extend(keys.iter().map(|(_, value)| value.as_str()));
    holds.extend(history.orders_moves.then_some("orders_moves"));
    if let HistoryModel::Butterfly { malus: Some(_), .. } = history.model {
        holds.push("malus");
    }
    let spelt = |value: &str| match value {
        "one" => "1".to_owned(),
        "depth_squared" => "depth * depth".to_owned(),
        "two_to_depth" => "2 to the power of min(depth, 20)".to_owned(),
        other => other.to_owned(),
    };
    let values: Vec<_> = keys.iter().map(|(key, value)| (*key, spelt(value))).collect();
    filled(include_str!("history.txt"), &holds, &values)
}
