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
//! | cost.rs | the time |
//!
//! process.rs talks with the engine, and trace.rs reads its traces. positions.rs and test_policies.rs have what is searched, and with what.
//! tally.rs counts how often each rule held. finding.rs is a row of the result.
//!
//! outcome.rs makes an outcome of the findings.

mod answers;
mod cost;
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
use lmrlab_policy::facts::Fact;

pub use self::finding::{Finding, WARNING, WRONG};
pub use self::process::HostCheck;
use self::process::{End, HostProcess};
use self::rules::SHADOW;
use self::tally::Tallies;
use self::test_policies::{TestPolicy, plain, reading_all};
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
    let own = own.map(TestPolicy::new).transpose()?;
    let mut tell = |findings: Vec<Finding>| findings.iter().for_each(&mut *report);
    match all(host, own.as_ref(), &mut tell) {
        Ok(()) => Ok(()),
        Err(End::Failure(failure)) => Err(failure),
        Err(End::Engine(what)) => {
            let advice = "the check ends here: an engine has to answer each command of UCI";
            tell(vec![finding::wrong("engine", format!("the engine {what}"), advice, "")]);
            Ok(())
        }
    }
}

fn all(host: &HostCheck<'_>, own: Option<&TestPolicy>, tell: &mut dyn FnMut(Vec<Finding>)) -> Result<(), End> {
    let (filled, findings) = answers::hello(&HostProcess::start(host)?);
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
    facts(host, &filled, own, again, tell)?;
    shadows(host, &plain, tell)?;
    if let Some(own) = own {
        tell(vec![repeats::own_scheme(host, own)?]);
    }
    tell(vec![cost::cost(host, own.unwrap_or(&plain))?]);
    Ok(())
}

/// Tests the facts and reductions of traces: with the engine's own scheme, and with a policy that reads every fact.
fn facts(
    host: &HostCheck<'_>,
    filled: &[Fact],
    scheme: Option<&TestPolicy>,
    mut again: Option<Trace>,
    tell: &mut dyn FnMut(Vec<Finding>),
) -> Result<(), End> {
    let policy = reading_all(filled)?;
    let own = |rate, nodes| Plan {
        policy: None,
        expected: scheme,
        rate,
        shadow: "none",
        nodes,
    };
    let mut traces = Vec::new();
    for plan in [
        own("1", host.nodes),
        Plan::of(&policy, host.nodes),
        own(LONG.1, host.nodes.saturating_mul(LONG.0)),
    ] {
        match plan.trace(host)? {
            Ok(trace) => traces.push(trace),
            Err(wrong) => {
                tell(vec![wrong]);
                return Ok(());
            }
        }
    }
    let mut tallies = Tallies::default();
    for trace in traces.iter_mut().take(2).chain(again.as_mut()) {
        tree::test(trace, &mut tallies);
    }
    let first = || traces.iter().take(1);
    tell(first().map(Trace::positions).collect());
    let mut findings = tallies.findings();
    let wrong = findings.iter().filter(|finding| finding.verdict == WRONG);
    let wrong: Vec<String> = wrong.map(|finding| finding.check.clone()).collect();
    let is_wrong = |name: &str| wrong.iter().any(|wrong| wrong == name);
    let untested = not_testable(filled, &findings);
    let units = [Fact::See, Fact::Material]
        .into_iter()
        .filter(|fact| !is_wrong(fact.info().name));
    findings.extend(units.flat_map(|fact| first().filter_map(move |trace| values::unit(trace, fact))));
    findings.extend(values::findings(&traces, &is_wrong));
    findings.push(untested);
    tell(findings);
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
    names.extend(NOT_TESTABLE);
    let what = format!(
        "no rule is about these; of facts only the range is tested, and that they change: {}",
        names.join(", ")
    );
    finding::note("not testable", what)
}

/// What no trace shows.
const NOT_TESTABLE: [&str; 6] = [
    "pst_delta of the other side",
    "tt_has_move where the table holds a move at every hit",
    "improving two plies after a check",
    "lmr_trigger",
    "lmr_threat_feedback",
    "the engine's own facts",
];

/// Tests shadow searches: for a move without a reduction they repeat the first search.
fn shadows(host: &HostCheck<'_>, policy: &TestPolicy, tell: &mut dyn FnMut(Vec<Finding>)) -> Result<(), End> {
    let plan = Plan {
        rate: SHADOW_RATE,
        shadow: "policy",
        ..Plan::of(policy, host.nodes)
    };
    let trace = match plan.trace(host)? {
        Ok(trace) => trace,
        Err(finding) => {
            tell(vec![finding]);
            return Ok(());
        }
    };
    if trace.moves.iter().all(|of| of.shadow.is_none()) {
        let what = "there are no shadow searches, so `lmrlab audit` cannot judge the engine's reductions";
        tell(vec![finding::warning("shadow", what, &tally::advice("shadow"))]);
        return Ok(());
    }
    let mut tallies = Tallies::default();
    for of in &trace.moves {
        rules::test(&trace, SHADOW, of, of, &mut tallies);
    }
    tell(tallies.findings());
    Ok(())
}
