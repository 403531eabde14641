//! Tells the author of an engine what is wrong with how it hosts policies.
//!
//! The engine speaks UCI and hosts policies by lmrlab.h or the crate lmrlab-host. The check starts it, loads policies, lets it
//! write traces of its late moves, and compares what it says with what lmrlab knows: the rules of chess, the relations between
//! facts, and its own evaluation of policies.
//!
//! | file | what it tests |
//! |---|---|
//! | answers.rs | the handshake, and the answers to options |
//! | repeats.rs | searches that must be the same |
//! | research.rs | how moves are searched again |
//! | rules.rs | the catalogue of rules: about one move, about two, and what lmrlab's own board says |
//! | tree.rs | the rules on the moves of a trace: those of a node, and those above it |
//! | values.rs | ranges of facts, facts that never change |
//!
//! check.rs has what was found so far, process.rs talks with the engine, and trace.rs reads its traces. positions.rs and test_policies.rs have what is searched, and with what.
//! tally.rs counts how often each rule held. finding.rs is a row of the result.
//!
//! outcome.rs makes an outcome of the findings.

mod answers;
mod check;
mod finding;
pub mod outcome;
mod positions;
mod process;
mod repeats;
mod research;
mod rules;
mod tally;
mod test_policies;
mod trace;
mod tree;
mod values;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::Policy;

use self::check::Check;
pub use self::finding::{Finding, WARNING, WRONG};
use self::process::End;
pub use self::process::HostCheck;
use self::rules::SHADOW;
use self::tally::Tallies;
use self::test_policies::{hosted, plain, reading_all};
use self::trace::{Plan, Trace};

/// The share of the moves that get shadow searches.
const SHADOW_RATE: &str = "0.1";
/// Nodes of the search in which histories fill, as a multiple of the other searches, and the share of its moves that is traced.
const LONG: (u64, &str) = (4, "0.1");

/// Checks an engine; `own` is its own scheme as a policy. `report` gets each finding at once.
///
/// # Errors
/// When a file cannot be written, or the user stops the check. What the engine does is a finding, and no error.
pub fn check(host: &HostCheck<'_>, own: Option<Policy>, report: &mut dyn FnMut(&Finding)) -> Result<(), Failure> {
    let own = own.map(hosted).transpose()?;
    let mut check = Check {
        host,
        own: own.as_ref(),
        filled: Vec::new(),
        findings: Vec::new(),
        report,
    };
    match check.all() {
        Ok(()) => Ok(()),
        Err(End::Failure(failure)) => Err(failure),
        Err(End::Wrong(finding)) => {
            check.add(*finding);
            Ok(())
        }
    }
}

impl Check<'_> {
    fn all(&mut self) -> Result<(), End> {
        self.hello()?;
        self.answers()?;
        self.each_fact()?;
        self.repeats()?;
        let again = self.research()?;
        self.facts(again)?;
        self.shadows()?;
        self.own_scheme()
    }

    /// Tests the facts and reductions of traces: with the engine's own scheme, and with a policy that reads every fact. `again` has many
    /// moves that are searched again.
    fn facts(&mut self, mut again: Option<Trace>) -> Result<(), End> {
        let (own, policy) = (self.own, reading_all(&self.filled)?);
        let scheme = |rate, nodes| Plan {
            policy: None,
            expected: own,
            rate,
            shadow: "none",
            nodes,
        };
        let nodes = self.host.nodes;
        let long = scheme(LONG.1, nodes.saturating_mul(LONG.0));
        let mut traces = Vec::new();
        for plan in [scheme("1", nodes), Plan::of(&policy, nodes), long] {
            let Some(trace) = self.trace(&plan)? else { return Ok(()) };
            traces.push(trace);
        }
        let mut tallies = Tallies::default();
        for trace in traces.iter_mut().take(2).chain(again.as_mut()) {
            tree::test(trace, &mut tallies);
        }
        self.positions(&traces);
        tallies.findings().into_iter().for_each(|finding| self.add(finding));
        self.values(&traces);
        Ok(())
    }

    /// Tests shadow searches: for a move without a reduction they repeat the first search.
    fn shadows(&mut self) -> Result<(), End> {
        let policy = plain(&self.filled)?;
        let plan = Plan {
            rate: SHADOW_RATE,
            shadow: "policy",
            ..Plan::of(&policy, self.host.nodes)
        };
        let Some(trace) = self.trace(&plan)? else { return Ok(()) };
        if trace.moves.iter().all(|of| of.shadow.is_none()) {
            let what = "there are no shadow searches, so `lmrlab audit` cannot judge the engine's reductions";
            self.warn("shadow", what, &tally::advice("shadow"));
            return Ok(());
        }
        let mut tallies = Tallies::default();
        for of in &trace.moves {
            rules::test(SHADOW, of, of, &mut tallies);
        }
        tallies.findings().into_iter().for_each(|finding| self.add(finding));
        Ok(())
    }
}
