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
//! | board.rs | facts that follow from the position |
//! | research.rs | how moves are searched again |
//! | rules.rs | the catalogue of rules between facts, of one move and of two |
//! | tree.rs | the moves of a node and those above it |
//! | values.rs | ranges of facts, facts that never change |
//! | reductions.rs | the reductions of a policy |
//! | shadows.rs | shadow searches |
//! | cost.rs | the speed |

mod answers;
mod board;
mod cost;
mod finding;
mod positions;
mod reductions;
mod repeats;
mod research;
mod rules;
mod session;
mod shadows;
mod tally;
mod test_policies;
mod trace;
mod traces;
mod tree;
mod values;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;
use lmrlab_results::failure::Failure;
use lmrlab_runner::player::uci::external::ExternalEngine;

pub use self::finding::{Finding, Verdict};
use self::session::{End, Host, Session};
use self::tally::Tallies;
use self::test_policies::{TestPolicy, plain, reading_all};
use self::trace::Trace;
use self::traces::{Plan, traced};

/// The share of the moves that get shadow searches.
const SHADOW_RATE: &str = "0.1";
/// Nodes of the search in which histories fill, as a multiple of the other searches, and the share of its moves that is traced.
const LONG: (u64, &str) = (4, "0.1");

/// An engine to check.
pub struct HostCheck<'c> {
    /// The program.
    pub engine: &'c ExternalEngine,
    /// Nodes of a search.
    pub nodes: u64,
    /// The engine's own scheme as a policy.
    pub own: Option<Policy>,
    /// An empty folder for policies and traces.
    pub folder: &'c Path,
    /// Stops the check.
    pub stop: &'c AtomicBool,
}

/// Checks an engine. `report` gets each finding at once.
///
/// # Errors
/// When a file cannot be written, or the user stops the check. What the engine does is a finding, and no error.
pub fn check(check: HostCheck<'_>, report: &mut dyn FnMut(&Finding)) -> Result<(), Failure> {
    let host = Host {
        engine: check.engine,
        nodes: check.nodes,
        folder: check.folder,
        stop: check.stop,
    };
    let own = check.own.map(TestPolicy::new).transpose()?;
    let mut tell = |findings: Vec<Finding>| findings.iter().for_each(&mut *report);
    match all(&host, own.as_ref(), &mut tell) {
        Ok(()) => Ok(()),
        Err(End::Failure(failure)) => Err(failure),
        Err(End::Engine(what)) => {
            let advice = "the check ends here: an engine has to answer each command of UCI";
            tell(vec![Finding::wrong("engine", format!("the engine {what}"), advice)]);
            Ok(())
        }
    }
}

fn all(host: &Host<'_>, own: Option<&TestPolicy>, tell: &mut dyn FnMut(Vec<Finding>)) -> Result<(), End> {
    let (filled, findings) = answers::hello(&Session::start(host)?);
    tell(findings);
    let Some(filled) = filled else { return Ok(()) };
    if let Some(late) = answers::late(host, &filled)? {
        tell(vec![late]);
        return Ok(());
    }
    tell(answers::answers(host, &filled)?);
    tell(answers::each_fact(host, &filled)?);
    tell(repeats::repeats(host, &filled)?);
    let (findings, again) = research::research(host)?;
    tell(findings);
    let plain = plain(&filled)?;
    facts(host, &filled, own, again.as_ref(), tell)?;
    shadows(host, &plain, tell)?;
    if let Some(own) = own {
        tell(vec![repeats::own_scheme(host, own)?]);
    }
    tell(vec![cost::cost(host, own.unwrap_or(&plain))?]);
    Ok(())
}

/// Tests the facts and reductions of traces: with the engine's own scheme, and with a policy that reads every fact.
fn facts(
    host: &Host<'_>,
    filled: &[Fact],
    scheme: Option<&TestPolicy>,
    again: Option<&Trace>,
    tell: &mut dyn FnMut(Vec<Finding>),
) -> Result<(), End> {
    let policy = reading_all(filled)?;
    let plan = |policy, rate, nodes| Plan {
        policy,
        rate,
        shadow: "none",
        nodes,
    };
    let own = traced(host, &plan(None, "1", host.nodes))?;
    let hosted = traced(host, &plan(Some(&policy), "1", host.nodes))?;
    let long = traced(host, &plan(None, LONG.1, host.nodes.saturating_mul(LONG.0)))?;
    let traces = match (own, hosted, long) {
        (Ok(own), Ok(hosted), Ok(long)) => [own, hosted, long],
        (own, hosted, long) => {
            let wrong = [own, hosted, long].into_iter().find_map(Result::err);
            tell(wrong.into_iter().collect());
            return Ok(());
        }
    };
    let [own, hosted, _] = &traces;
    let mut tallies = Tallies::default();
    for trace in [own, hosted].into_iter().chain(again) {
        board::test(trace, &positions::POSITIONS, &mut tallies);
        tree::test(trace, &mut tallies);
    }
    reductions::test(hosted, &policy, &mut tallies);
    if let Some(scheme) = scheme {
        reductions::test(own, scheme, &mut tallies);
    }
    tell(vec![traces::positions(own)]);
    let findings = tallies.findings();
    let is_wrong = |name: &str| {
        let of_name = |finding: &Finding| finding.verdict == Verdict::Wrong && finding.check == name;
        findings.iter().any(of_name)
    };
    let values = values::findings(&traces.each_ref(), &is_wrong);
    let units = [Fact::See, Fact::Material]
        .into_iter()
        .filter(|fact| !is_wrong(fact.info().name));
    let units: Vec<Finding> = units.filter_map(|fact| board::unit(own, fact)).collect();
    let untested = not_testable(filled, &findings);
    tell(findings);
    tell(units);
    tell(values);
    tell(vec![untested]);
    Ok(())
}

/// What no check tests: facts that no rule is about.
fn not_testable(filled: &[Fact], findings: &[Finding]) -> Finding {
    let has_rule = |fact: &Fact| findings.iter().any(|finding| finding.check == fact.info().name);
    let facts = filled
        .iter()
        .filter(|fact| !has_rule(fact))
        .map(|fact| fact.info().name);
    let mut names: Vec<&str> = facts.collect();
    names.extend(["lmr_trigger", "lmr_threat_feedback", "the engine's own facts"]);
    let what = format!(
        "no rule is about these; of facts only the range is tested, and that they change: {}",
        names.join(", ")
    );
    Finding::note("not testable", what)
}

fn shadows(host: &Host<'_>, policy: &TestPolicy, tell: &mut dyn FnMut(Vec<Finding>)) -> Result<(), End> {
    let plan = Plan {
        policy: Some(policy),
        rate: SHADOW_RATE,
        shadow: "policy",
        nodes: host.nodes,
    };
    match traced(host, &plan)? {
        Ok(trace) => tell(shadows::findings(&trace)),
        Err(finding) => tell(vec![finding]),
    }
    Ok(())
}
