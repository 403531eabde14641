//! An audit as text.

use std::fmt::Write as _;

use cozy_chess::util::display_san_move;

use super::blame::Blame;
use super::breakdown::Predictor;
use super::findings::{Audit, Nodes};
use super::judged::Judged;
use super::options::{AuditOptions, Judge};
use super::roc::Estimated;
use crate::node_kinds::kind_name;
use crate::notation::{pawns, rule_names, san_line};
use crate::positions::LabPosition;
use crate::ratio::ratio;
use crate::variant::Variant;
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::INTERVAL_HEADING;

/// The number of predictors that are shown; the files have all.
const SHOWN_PREDICTORS: usize = 20;

/// The number of moves of a missed line that are shown.
const SHOWN_PLIES: usize = 8;

/// Everything that an audit of one policy found, except its blame list.
pub fn text(variant: &Variant, audit: &Audit, options: &AuditOptions) -> String {
    let name = &variant.name;
    let (sampled, population) = (audit.samples.len(), audit.population);
    let mut text = match audit.nodes {
        Nodes::Checked(nodes) => format!(
            "{name}: {sampled} of {population} late moves sampled, in searches of {nodes} nodes (the same without the audit)\n"
        ),
        Nodes::Reported(nodes) => {
            format!("{name}: {sampled} of about {population} late moves sampled, in searches of {nodes} nodes\n")
        }
        Nodes::Unknown => format!("{name}: {sampled} of about {population} late moves sampled\n"),
    };
    let total = audit.total();
    if total.sampled == 0 || total.reduced() == 0 {
        text += match audit.population {
            0 => "No late move can be reduced: the sample is empty, and there is nothing to audit.\n",
            _ if total.sampled == 0 => "The sample is empty: raise the rate.\n",
            _ => "None of the sampled moves was reduced: there is nothing to audit.\n",
        };
        return text;
    }
    let resamples = audit.resamples(options.resamples, options.seed);
    let judge = match options.judge {
        Judge::Policy => "with the same policy",
        Judge::Unreduced => "without reductions",
    };
    let mut confusion = TextTable::new(
        1,
        [
            format!("at full depth, {judge}"),
            "fails low".to_owned(),
            "raises alpha".to_owned(),
            "share".to_owned(),
        ],
    );
    for (what, low, raises) in [
        ("reduced, failed low", total.dismissed_rightly, total.missed),
        ("reduced, failed high", total.false_alarms, total.recognized),
        (
            "not reduced, failed low",
            total.unreduced_agreed_low,
            total.unreduced_missed,
        ),
        (
            "not reduced, failed high",
            total.unreduced_false_alarms,
            total.unreduced_agreed_high,
        ),
    ] {
        let share = percent(ratio(raises, low + raises));
        confusion.push([what.to_owned(), low.to_string(), raises.to_string(), share]);
    }
    let _ = write!(text, "\n{confusion}");
    if options.judge == Judge::Policy {
        let _ = writeln!(
            text,
            "Control group: of {} moves that were not reduced, the shadow search decides {} otherwise",
            total.unreduced(),
            total.unreduced_disagreed()
        );
        if total.unreduced_disagreed() > 0 && !matches!(audit.nodes, Nodes::Checked(_)) {
            let _ = writeln!(
                text,
                "There both searches are the same, so none may: an engine with several threads has other tables in the second one. Search \
                 with Threads=1; `lmrlab host check` finds other causes."
            );
        }
    }
    if total.undecided > 0 {
        let _ = writeln!(
            text,
            "{} more were not decided{}",
            total.undecided,
            match audit.nodes {
                Nodes::Checked(_) => format!(" within {} nodes", options.shadow_nodes),
                Nodes::Reported(_) | Nodes::Unknown => ": their shadow searches did not end".to_owned(),
            }
        );
    }
    if let Some(missed) = audit.missed_rate(&resamples) {
        let _ = writeln!(
            text,
            "Missed: {} of the moves that were reduced and failed low",
            share(&missed)
        );
    }
    let samples = audit.samples.iter();
    let dismissed = samples.filter(|sample| sample.is_dismissed() && sample.raises.is_some());
    let (spent, full): (u64, u64) = dismissed.fold((0, 0), |(spent, full), sample| {
        (spent + sample.nodes, full + sample.shadow_nodes)
    });
    let all: u64 = audit.samples.iter().map(|sample| sample.shadow_nodes).sum();
    let _ = writeln!(
        text,
        "Cost: {spent} nodes to search these moves, {full} at full depth; {all} for all shadow searches"
    );
    let _ = write!(
        text,
        "\nHow well each number separates moves that fail low from moves that raise alpha (AUC, {INTERVAL_HEADING})\n{}",
        predictors(&audit.predictors(&resamples))
    );
    let _ = write!(
        text,
        "\nBy plies of reduction\n{}",
        rates("plies", audit.by(|sample| sample.reduction))
    );
    let _ = write!(
        text,
        "\nBy depth of the node\n{}",
        rates("depth", audit.by(|sample| sample.depth))
    );
    let has_outcomes = audit.samples.iter().any(|sample| sample.outcome.is_some());
    let by_node = match has_outcomes {
        true => nodes(audit),
        // An engine's trace does not say what a node turned out to be.
        false => rates("node", audit.by(|sample| kind_name(sample.kind))),
    };
    let _ = write!(text, "\nBy node\n{by_node}");
    if !variant.policy.rules().is_empty() {
        let by_rule = audit.by_rule(&variant.policy).into_iter();
        let by_rule = by_rule.map(|(rule, judged)| (rule.unwrap_or("(no rule)"), judged));
        let _ = write!(text, "\nBy rule\n{}", rates("rule", by_rule));
    }
    text
}

fn share(estimated: &Estimated) -> String {
    let interval = estimated
        .interval
        .map(|(low, high)| format!(" ({:.2}% to {:.2}%)", 100.0 * low, 100.0 * high));
    format!("{:.2}%{}", 100.0 * estimated.value, interval.unwrap_or_default())
}

fn predictors(all: &[Predictor]) -> TextTable {
    let mut table = TextTable::new(2, ["predictor", "reduce when it is", "AUC", "from", "to"]);
    for predictor in all.iter().take(SHOWN_PREDICTORS) {
        let auc = predictor.roc.auc;
        table.push([
            predictor.name().to_owned(),
            if predictor.roc.greater_is_lower {
                "great"
            } else {
                "small"
            }
            .to_owned(),
            unsigned(Some(auc.value), 3),
            unsigned(auc.interval.map(|(low, _)| low), 3),
            unsigned(auc.interval.map(|(_, high)| high), 3),
        ]);
    }
    table
}

const HEADINGS: [&str; 7] = [
    "sampled",
    "reduced",
    "failed low",
    "missed",
    "missed rate",
    "false alarms",
    "recognized",
];

fn cells(judged: &Judged) -> [String; 7] {
    [
        judged.sampled.to_string(),
        judged.reduced().to_string(),
        judged.dismissed().to_string(),
        judged.missed.to_string(),
        percent(judged.missed_rate()),
        judged.false_alarms.to_string(),
        judged.recognized.to_string(),
    ]
}

fn table(words: &[&str]) -> TextTable {
    TextTable::new(words.len(), words.iter().chain(&HEADINGS).copied())
}

fn rates<K: ToString>(what: &str, all: impl IntoIterator<Item = (K, Judged)>) -> TextTable {
    let mut table = table(&[what]);
    for (key, judged) in all {
        table.push([key.to_string()].into_iter().chain(cells(&judged)));
    }
    table
}

fn nodes(audit: &Audit) -> TextTable {
    let mut table = table(&["expected", "turned out"]);
    for (expected, outcome, judged) in audit.by_node() {
        let words = [kind_name(expected), kind_name(outcome)].map(str::to_owned);
        table.push(words.into_iter().chain(cells(&judged)));
    }
    table
}

/// The blame list of one policy.
pub fn blame_text(variant: &Variant, blames: &[Blame], positions: &[LabPosition], margin: i32) -> String {
    let mut text = format!(
        "{}: in {} of {} positions, the search without reductions finds a move at least {margin} centipawns better\n",
        variant.name,
        blames.len(),
        positions.len()
    );
    for blame in blames {
        let Some(position) = positions.get(blame.position) else {
            continue;
        };
        let line = san_line(&position.position, &blame.line);
        let shown = &line[..line.len().min(SHOWN_PLIES)];
        let _ = writeln!(
            text,
            "{}, depth {}: plays {} ({}), missed {} ({}): {}",
            position.name,
            blame.depth,
            display_san_move(position.position.board(), blame.played),
            pawns(blame.played_score),
            line.first().map_or("", String::as_str),
            pawns(blame.missed_score),
            shown.join(" ")
        );
        let _ = writeln!(text, "    {}", position.position);
        if blame.suspects.is_empty() {
            text += "    no move of that line was reduced\n";
        }
        for suspect in blame.suspects.iter().filter(|suspect| suspect.ply < SHOWN_PLIES) {
            let _ = writeln!(
                text,
                "    ply {} {}: reduced in {} of {} visits, failed low in {}; last by {} at depth {}{}",
                suspect.ply,
                line.get(suspect.ply).map_or("", String::as_str),
                suspect.reduced,
                suspect.visits,
                suspect.dismissed,
                suspect.reduction,
                suspect.depth,
                rule_names(&variant.policy, suspect.rules, " by ", ", ")
            );
        }
    }
    text
}
