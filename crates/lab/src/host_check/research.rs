//! How reduced moves are searched again: what the engine follows of a policy's `[research]`.

use lmrlab_policy::facts::Fact;

use super::check::Check;
use super::process::{End, HostProcess, difference};
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

impl Check<'_> {
    /// Tests that these settings change the search. An engine may leave one out, when it says so. The trace is that of a policy that
    /// has many moves searched again.
    pub(super) fn research(&mut self) -> Result<Option<Trace>, End> {
        let (usual, nodes) = (searching_again("")?, self.host.nodes);
        let trace = self.trace(&Plan::of(&usual, nodes))?;
        let again = trace.iter().flat_map(|trace| &trace.moves);
        let again = again.filter(|of| of.is_again() && of.own_value(Fact::Quiet) != Some(0.0));
        let enough = again.count() >= ENOUGH_AGAIN;
        let mut session = HostProcess::start(self.host)?;
        session.load(&usual)?;
        let usual = session.searches(nodes)?;
        for (check, setting) in SETTINGS {
            let policy = searching_again(setting)?;
            if let Some([right, seen]) = session.refuses(&policy)? {
                self.wrong(check, "a policy with this [research] is refused", &right, &seen);
                continue;
            }
            let said = session.remarks.first().cloned();
            if difference(&usual, &session.searches(nodes)?).is_none() {
                self.changes_nothing(check, said, enough);
                continue;
            }
            let mut tallies = Tallies::default();
            if check == "by_score"
                && let Some(mut trace) = self.trace(&Plan::of(&policy, nodes))?
            {
                tree::test_deeper(&mut trace, &mut tallies);
            }
            match tallies.findings() {
                none if none.is_empty() => self.ok(check, "a policy that asks for it gives other nodes"),
                deeper => deeper.into_iter().for_each(|finding| self.add(finding)),
            }
        }
        Ok(trace)
    }

    /// A setting changes nothing. `said` is what the engine says beside its answer.
    fn changes_nothing(&mut self, check: &str, said: Option<String>, enough: bool) {
        let what = "a policy that asks for it gives the same nodes as one that does not";
        match said {
            Some(said) => self.note(check, format!("the engine leaves it out, and says so: {said}")),
            None if !enough => self.note(check, format!("{what}, but few moves are searched again")),
            None => {
                let advice = "follow lmr_ladder, lmr_depth_change and lmr_updates_history, each only when the policy asks for it; or \
                              answer `setoption name LmrPolicy` with an `info string` that says what the engine leaves out";
                self.warn(check, what, advice);
            }
        }
    }
}
