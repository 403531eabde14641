//! How reduced moves are searched again: what the engine follows of a policy's `[research]`.

use lmrlab_policy::facts::Fact;

use super::finding::{self, Finding};
use super::positions::POSITIONS;
use super::process::{End, HostCheck, HostProcess, difference};
use super::tally::Tallies;
use super::test_policies::searching_again;
use super::trace::{Plan, Trace};
use super::tree;

/// With this number of quiet moves that are searched again, their histories change the search.
const ENOUGH_AGAIN: usize = 20;

/// What a policy may ask for, and the lines of its `[research]`.
const SETTINGS: [(&str, &str); 2] = [
    ("updates_history", "updates_history = true"),
    ("by_score", "ladder = \"by_score\"\ndeeper = \"true\""),
];

/// Tests that these settings change the search. An engine may leave one out, when it says so. The trace is that of a policy that
/// has many moves searched again.
pub(super) fn research(host: &HostCheck<'_>) -> Result<(Vec<Finding>, Option<Trace>), End> {
    let usual = searching_again("")?;
    let usual_trace = Plan::of(&usual, host.nodes).trace(host)?.ok();
    let again = usual_trace.iter().flat_map(|trace| &trace.moves);
    let again = again.filter(|of| of.is_again() && of.own_value(Fact::Quiet) != Some(0.0));
    let enough = again.count() >= ENOUGH_AGAIN;
    let mut session = HostProcess::start(host)?;
    session.load(&usual)?;
    let usual = session.searches(&POSITIONS, host.nodes)?;
    let mut findings = Vec::new();
    for (check, setting) in SETTINGS {
        let policy = searching_again(setting)?;
        if let Some(refusal) = session.refuses(&policy, check, "a policy with this [research] is refused")? {
            findings.push(refusal);
            continue;
        }
        let said = session.remarks.first().cloned();
        let searches = session.searches(&POSITIONS, host.nodes)?;
        if difference(&POSITIONS, &usual, &searches).is_none() {
            findings.push(same(check, said, enough));
            continue;
        }
        findings.push(finding::ok(check, "a policy that asks for it gives other nodes"));
        if check == "by_score"
            && let Ok(mut trace) = Plan::of(&policy, host.nodes).trace(host)?
        {
            let mut tallies = Tallies::default();
            tree::test_deeper(&mut trace, &mut tallies);
            let deeper = tallies.findings();
            if !deeper.is_empty() {
                findings.pop();
            }
            findings.extend(deeper);
        }
    }
    Ok((findings, usual_trace))
}

/// A setting changes nothing. `said` is what the engine says beside its answer.
fn same(check: &str, said: Option<String>, enough: bool) -> Finding {
    let what = "a policy that asks for it gives the same nodes as one that does not";
    match said {
        Some(said) => finding::note(check, format!("the engine leaves it out, and says so: {said}")),
        None if !enough => finding::note(check, format!("{what}, but few moves are searched again")),
        None => {
            let advice = "follow lmr_ladder, lmr_depth_change and lmr_updates_history, each only when the policy asks for it; or \
                          answer `setoption name LmrPolicy` with an `info string` that says what the engine leaves out";
            finding::warning(check, what, advice)
        }
    }
}
