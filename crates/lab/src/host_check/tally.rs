//! Counts how often each rule about facts holds, and makes findings of the counts.

use std::collections::BTreeMap;

use lmrlab_policy::facts::Fact;

use super::finding::{self, Finding, NOTE, OK, WRONG};

/// Fewer moves say little about a rule.
const FEW_MOVES: u64 = 20;
/// Of these, one at least keeps a rule that almost all may break.
const MANY_MOVES: u64 = 1_000;

/// A rule that more moves may break is about a share of many moves.
const STATISTICAL: f64 = 0.2;

/// A rule about a fact, or about another part of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// What is wrong when it does not hold: the name of a fact, or another.
    pub(super) check: &'static str,
    /// The rule in words.
    pub(super) text: &'static str,
    /// The share of moves that may break it: engines differ in rare cases.
    pub(super) allowed: f64,
}

impl Rule {
    /// A rule that this share of the moves may break.
    pub(super) const fn mostly(check: &'static str, text: &'static str, allowed: f64) -> Self {
        Self { check, text, allowed }
    }
}

/// How often a rule was tested and broken.
#[derive(Debug)]
struct Count {
    rule: Rule,
    tested: u64,
    broken: u64,
    example: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Tallies(BTreeMap<(&'static str, &'static str), Count>);

impl Tallies {
    /// Counts a test of a rule. `example` says what is there where it is broken.
    pub(super) fn test(&mut self, rule: Rule, holds: bool, example: impl FnOnce() -> String) {
        let count = self.0.entry((rule.check, rule.text)).or_insert(Count {
            rule,
            tested: 0,
            broken: 0,
            example: None,
        });
        count.tested += 1;
        if !holds {
            count.broken += 1;
            count.example.get_or_insert_with(example);
        }
    }

    /// One finding for each check: the rule that is broken most, or that all rules hold.
    pub(super) fn findings(self) -> Vec<Finding> {
        let mut checks: BTreeMap<&str, Vec<Count>> = BTreeMap::new();
        for count in self.0.into_values() {
            checks.entry(count.rule.check).or_default().push(count);
        }
        checks
            .into_iter()
            .map(|(check, counts)| finding(check, &counts))
            .collect()
    }
}

fn finding(check: &str, counts: &[Count]) -> Finding {
    let share = |count: &Count| count.broken as f64 / count.tested.max(1) as f64;
    // A share of few moves says nothing.
    let is_broken = |count: &&Count| match count.rule.allowed {
        1.0 => count.broken == count.tested && count.tested >= MANY_MOVES,
        allowed => share(count) > allowed && (allowed < STATISTICAL || count.tested >= FEW_MOVES),
    };
    let broken = counts.iter().filter(is_broken);
    if let Some(count) = broken.max_by(|one, other| share(one).total_cmp(&share(other))) {
        let (broken, tested, text) = (count.broken, count.tested, count.rule.text);
        let what = format!("{broken} of {tested} moves break a rule: {text}");
        let example = count.example.as_deref().unwrap_or_default();
        return finding::of(WRONG, check, what, &advice(check), example);
    }
    // Rules about rare moves are not mentioned when others are tested well.
    let most = counts.iter().map(|count| count.tested).max().unwrap_or(0);
    let tested = counts.iter().filter(|count| count.tested >= FEW_MOVES.min(most));
    let least = tested.clone().map(|count| count.tested).min().unwrap_or(0);
    let texts: Vec<&str> = tested.map(|count| count.rule.text).collect();
    let rules = match texts.len() {
        1 => "1 rule holds".to_owned(),
        rules => format!("{rules} rules hold"),
    };
    let moves = match least == most {
        true => most.to_string(),
        false => format!("{least} to {most}"),
    };
    let (verdict, what) = match least < FEW_MOVES {
        true => (
            NOTE,
            format!("{rules}, but on {moves} moves only; searches of more nodes test more"),
        ),
        false => (OK, format!("{rules} on {moves} moves: {}", texts.join("; "))),
    };
    finding::of(verdict, check, what, "", "")
}

/// What would be right.
pub(super) fn advice(check: &str) -> String {
    let hint = match check {
        "gives_check" => "Ask the position after the move",
        "move_number" => "The first move of a node has number 1",
        "alpha" => "Give the alpha of this node at the moment of the move, in the unit of the other scores",
        "depth" => "Give the depth of the node, and not that of the move",
        "full_depth" => "Give lmr_close the depth of the move without its reduction, extensions included",
        "reduction" => {
            "Search the move first at its full depth minus `lmr.reduction`, also below 0; without a policy set \
                        `lmr.reduction` to what the engine's scheme subtracts"
        }
        "late" => {
            "Set `lmr.late` to the condition of the engine's own scheme; a move that is not late has no reduction"
        }
        "outcome" => {
            "Give lmr_result the score of the first search against alpha, and lmr_close that of the last: 0 at or below \
                      alpha, 1 inside the window, 2 at or above beta"
        }
        "nodes" => "Give lmr_result the nodes of the first search, and lmr_close those of all searches of the move",
        "shadow" => {
            "Ask lmr_shadow just before the first search; in the copy search the same move at full depth, without the reduction, with the \
             window from alpha to alpha + 1, and nothing else; count nodes as for lmr_result, and call lmr_judged, which does not return"
        }
        "correction" => "Clamp rare values to the range; a factor would change the usual ones, too",
        "phase" => "Clamp it: after promotions there can be more pieces than in the initial position",
        "search" => "Call lmr_new_search once for each `go`",
        _ => "",
    };
    // `reduction` is that of the trace here, and not the fact of `[research]`.
    match Fact::named(check).filter(|fact| !fact.is_given()).map(Fact::info) {
        None => hint.to_owned(),
        Some(info) => format!("{} The unit: {}. {hint}", info.meaning, info.unit)
            .trim_end()
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_may_be_broken_as_often_as_it_says() {
        let rule = Rule::mostly("alpha", "it holds", 0.25);
        let broken = |broken: u32| {
            let mut tallies = Tallies::default();
            for number in 0..80 {
                tallies.test(rule, number >= broken, || format!("number {number}"));
            }
            tallies.findings().remove(0)
        };
        assert_eq!(broken(20).verdict, "ok");
        assert_eq!(broken(20).found, "1 rule holds on 80 moves: it holds");
        let wrong = broken(21);
        assert_eq!(wrong.verdict, "wrong");
        assert_eq!(wrong.found, "21 of 80 moves break a rule: it holds");
        assert_eq!(wrong.seen, "number 0");
    }
}
