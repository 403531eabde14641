//! Searches that have to be the same: repeated, after `ucinewgame`, with any trace, with a policy that is loaded again.

use lmrlab_runner::player::uci::HostedPolicy;

use super::check::Check;
use super::process::{End, HostProcess, Search, difference};
use super::test_policies::{plain, sensitive};

impl Check<'_> {
    /// Tests that searches repeat.
    pub(super) fn repeats(&mut self) -> Result<(), End> {
        let (host, nodes) = (self.host, self.host.nodes);
        let mut session = HostProcess::start(host)?;
        let own = session.searches(nodes)?;
        let other =
            |session: &mut HostProcess<'_>| -> Result<_, End> { Ok(difference(&own, &session.searches(nodes)?)) };
        let is_repeatable = self.same(
            "repeatable",
            other(&mut HostProcess::start(host)?)?,
            "two processes search the same nodes",
            "two processes search differently",
            "the same commands must give the same search: at one thread, with `go nodes`, nothing may depend on the clock or on memory that \
             is not initialised",
        );
        if !is_repeatable {
            // Nothing below can be judged.
            return Ok(());
        }
        let forgets = self.same(
            "ucinewgame",
            other(&mut session)?,
            "after it the engine searches as a new process does",
            "after ucinewgame the engine does not search as a new process does",
            "`ucinewgame` has to clear everything that a search leaves: the transposition table, each history table, killers, counter moves, \
             corrections",
        );
        let mut traced = HostProcess::start(host)?;
        traced.set("LmrTraceRate", "1")?;
        traced.set("LmrTrace", &host.folder.join("repeats.trace").display().to_string())?;
        self.same(
            "trace",
            other(&mut traced)?,
            "with a trace of all moves the engine searches the same nodes",
            "with a trace of all moves the engine searches other nodes",
            "facts are only read for a trace: their computation must change nothing",
        );
        // In an engine that does not forget, these searches differ anyway.
        if forgets {
            self.loaded_again(&plain(&self.filled)?, &own)?;
            self.with_facts(&sensitive(&self.filled)?)?;
        }
        Ok(())
    }

    /// Searches with a policy that reads every number: what the engine stores only for facts must be cleared, too.
    fn with_facts(&mut self, policy: &HostedPolicy) -> Result<(), End> {
        let mut session = HostProcess::start(self.host)?;
        session.load(policy)?;
        let nodes = self.host.nodes.saturating_mul(2);
        let (first, second) = (session.searches(nodes)?, session.searches(nodes)?);
        self.same(
            "ucinewgame",
            difference(&first, &second),
            "a policy that reads every number gives the same nodes after it",
            "with a policy that reads every number the engine does not search as a new process does after ucinewgame",
            "clear at every `go` the data that only facts need, such as counts of cutoffs and the records of the plies",
        );
        Ok(())
    }

    /// A policy that is loaded, cleared and loaded again.
    fn loaded_again(&mut self, policy: &HostedPolicy, own: &[Search]) -> Result<(), End> {
        let (mut session, nodes) = (HostProcess::start(self.host)?, self.host.nodes);
        session.load(policy)?;
        let first = session.searches(nodes)?;
        session.set("LmrPolicy", "<empty>")?;
        let cleared = difference(own, &session.searches(nodes)?);
        session.load(policy)?;
        let second = session.searches(nodes)?;
        if cleared.is_none() && difference(own, &first).is_none() {
            let what = "with a policy the engine searches the same nodes as with its own scheme";
            let advice = "call lmr_reduction when lmr_policy() is true, and reduce by its result";
            self.wrong("policy", what, advice, "");
            return Ok(());
        }
        self.same(
            "policy",
            cleared.or(difference(&first, &second)),
            "loaded, cleared and loaded again, a policy gives the same nodes",
            "a policy that is cleared leaves something behind, or gives other nodes when it is loaded again",
            "ask lmr_policy() at each move, and keep nothing of a policy in tables of the engine",
        );
        Ok(())
    }

    /// The engine's own scheme as a policy: the same nodes.
    pub(super) fn own_scheme(&mut self) -> Result<(), End> {
        let Some(policy) = self.own else { return Ok(()) };
        let (name, nodes) = (policy.policy().name(), self.host.nodes.saturating_mul(4));
        let own = HostProcess::start(self.host)?.searches(nodes)?;
        let mut session = HostProcess::start(self.host)?;
        if let Some([right, seen]) = session.refuses(policy)? {
            self.wrong("own scheme", format!("the policy {name} does not play"), &right, &seen);
            return Ok(());
        }
        let total = own.iter().map(|search| search.nodes).sum::<u64>();
        self.same(
            "own scheme",
            difference(&own, &session.searches(nodes)?),
            &format!("the policy {name} gives the nodes of the engine alone, {total} in all"),
            &format!("the policy {name} gives other nodes than the engine alone"),
            "the policy has to say the same as the scheme, its condition and its limits included, and the engine has to search again by the \
             same rules",
        );
        Ok(())
    }
}
