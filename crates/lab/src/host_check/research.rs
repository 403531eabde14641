//! How reduced moves are searched again: what the engine follows of a policy's `[research]`.

use lmrlab_policy::facts::Fact;

use super::finding::Finding;
use super::positions::POSITIONS;
use super::session::{End, Host, Session, difference};
use super::tally::Tallies;
use super::test_policies::{plain, searching_again};
use super::traces::{Plan, traced};
use super::tree;

/// What a policy may ask for, and the lines of its `[research]`.
const SETTINGS: [(&str, &str); 2] = [
    ("updates_history", "updates_history = true"),
    ("by_score", "ladder = \"by_score\"\ndeeper = \"true\""),
];

/// Tests that these settings change the search. An engine may leave one out, when it says so.
pub(super) fn research(host: &Host<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut session = Session::start(host)?;
    session.load(&plain(filled)?)?;
    let usual = session.searches(&POSITIONS, host.nodes)?;
    let mut findings = Vec::new();
    for (check, setting) in SETTINGS {
        let policy = searching_again(setting, filled)?;
        if let Some(refusal) = session.refuses(&policy, check, "a policy with this [research] is refused")? {
            findings.push(refusal);
            continue;
        }
        let said = session.remarks.first().cloned();
        let searches = session.searches(&POSITIONS, host.nodes)?;
        if difference(&POSITIONS, &usual, &searches).is_some() {
            findings.push(Finding::ok(check, "a policy that asks for it gives other nodes"));
        } else if let Some(said) = said {
            findings.push(Finding::note(
                check,
                format!("the engine leaves it out, and says so: {said}"),
            ));
        } else {
            let what = "a policy that asks for it gives the same nodes as one that does not";
            let advice = "follow lmr_ladder, lmr_depth_change and lmr_updates_history, each only when the policy asks for it; \
                          or answer `setoption name LmrPolicy` with an `info string` that says what the engine leaves out";
            findings.push(Finding::warning(check, what, advice));
            continue;
        }
        if check == "by_score" {
            let plan = Plan {
                policy: Some(&policy),
                rate: "1",
                shadow: "none",
                nodes: host.nodes,
            };
            if let Ok(trace) = traced(host, &plan)? {
                let mut tallies = Tallies::default();
                tree::test_deeper(&trace, &mut tallies);
                findings.extend(tallies.findings());
            }
        }
    }
    Ok(findings)
}
