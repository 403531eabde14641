//! Searches that have to be the same: repeated, after `ucinewgame`, in two equal games, with any trace.

use lmrlab_policy::facts::Fact;

use super::finding::{self, Finding};
use super::positions::POSITIONS;
use super::process::{End, HostCheck, HostProcess, Search, difference};
use super::test_policies::{TestPolicy, plain, sensitive};

/// Moves of a game that is played twice.
const GAME_PLIES: usize = 24;

/// Tests that searches repeat.
pub(super) fn repeats(host: &HostCheck<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut findings = Vec::new();
    let mut session = HostProcess::start(host)?;
    let own = session.searches(&POSITIONS, host.nodes)?;
    let other = |session: &mut HostProcess<'_>| -> Result<_, End> {
        Ok(difference(&POSITIONS, &own, &session.searches(&POSITIONS, host.nodes)?))
    };
    let differs = other(&mut HostProcess::start(host)?)?;
    let is_repeatable = differs.is_none();
    findings.push(finding::same(
        "repeatable",
        differs,
        "two processes search the same nodes",
        "two processes search differently",
        "the same commands must give the same search: at one thread, with `go nodes`, nothing may depend on the clock or on memory that is \
         not initialised",
    ));
    if !is_repeatable {
        // Nothing below can be judged.
        return Ok(findings);
    }
    let differs = other(&mut session)?;
    let forgets = differs.is_none();
    findings.push(finding::same(
        "ucinewgame",
        differs,
        "after it the engine searches as a new process does",
        "after ucinewgame the engine does not search as a new process does",
        "`ucinewgame` has to clear everything that a search leaves: the transposition table, each history table, killers, counter moves, \
         corrections",
    ));
    let mut traced = HostProcess::start(host)?;
    traced.set("LmrTraceRate", "1")?;
    traced.set("LmrTrace", &host.folder.join("repeats.trace").display().to_string())?;
    findings.push(finding::same(
        "trace",
        other(&mut traced)?,
        "with a trace of all moves the engine searches the same nodes",
        "with a trace of all moves the engine searches other nodes",
        "facts are only read for a trace: their computation must change nothing",
    ));
    // In an engine that does not forget, these searches differ anyway.
    if forgets {
        findings.push(game(host)?);
        findings.push(loaded_again(host, &plain(filled)?, &own)?);
        findings.push(with_facts(host, &sensitive(filled)?)?);
    }
    Ok(findings)
}

/// A game that the engine plays against itself, twice.
fn game(host: &HostCheck<'_>) -> Result<Finding, End> {
    let fen = POSITIONS.get(1).copied().unwrap_or_default();
    let mut session = HostProcess::start(host)?;
    let mut play = || -> Result<Vec<String>, End> {
        session.new_game()?;
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..GAME_PLIES {
            let best = session.search(fen, &moves, host.nodes / 4)?.best;
            if matches!(best.as_str(), "0000" | "(none)" | "") {
                break;
            }
            moves.push(best);
        }
        Ok(moves)
    };
    let (one, two) = (play()?, play()?);
    Ok(finding::same(
        "games",
        (one != two).then(|| format!("from {fen}, first {}; then {}", one.join(" "), two.join(" "))),
        &format!("two games of {} plies are the same", one.len()),
        "two games with the same nodes differ",
        "`ucinewgame` has to clear everything that a game leaves",
    ))
}

/// Searches with a policy that reads every number: what the engine stores only for facts must be cleared, too.
fn with_facts(host: &HostCheck<'_>, policy: &TestPolicy) -> Result<Finding, End> {
    let mut session = HostProcess::start(host)?;
    session.load(policy)?;
    let nodes = host.nodes.saturating_mul(2);
    let first = session.searches(&POSITIONS, nodes)?;
    let second = session.searches(&POSITIONS, nodes)?;
    Ok(finding::same(
        "ucinewgame",
        difference(&POSITIONS, &first, &second),
        "a policy that reads every number gives the same nodes after it",
        "with a policy that reads every number the engine does not search as a new process does after ucinewgame",
        "clear at every `go` the data that only facts need, such as counts of cutoffs and the records of the plies",
    ))
}

/// A policy that is loaded, cleared and loaded again.
fn loaded_again(host: &HostCheck<'_>, policy: &TestPolicy, own: &[Search]) -> Result<Finding, End> {
    let mut session = HostProcess::start(host)?;
    session.load(policy)?;
    let first = session.searches(&POSITIONS, host.nodes)?;
    session.set("LmrPolicy", "<empty>")?;
    let cleared = session.searches(&POSITIONS, host.nodes)?;
    session.load(policy)?;
    let second = session.searches(&POSITIONS, host.nodes)?;
    let cleared = difference(&POSITIONS, own, &cleared);
    if cleared.is_none() && difference(&POSITIONS, own, &first).is_none() {
        let what = "with a policy the engine searches the same nodes as with its own scheme";
        let advice = "call lmr_reduction when lmr_policy() is true, and reduce by its result";
        return Ok(finding::wrong("policy", what, advice, ""));
    }
    Ok(finding::same(
        "policy",
        cleared.or(difference(&POSITIONS, &first, &second)),
        "loaded, cleared and loaded again, a policy gives the same nodes",
        "a policy that is cleared leaves something behind, or gives other nodes when it is loaded again",
        "ask lmr_policy() at each move, and keep nothing of a policy in tables of the engine",
    ))
}

/// The engine's own scheme as a policy: the same nodes.
pub(super) fn own_scheme(host: &HostCheck<'_>, policy: &TestPolicy) -> Result<Finding, End> {
    let nodes = host.nodes.saturating_mul(4);
    let own = HostProcess::start(host)?.searches(&POSITIONS, nodes)?;
    let mut session = HostProcess::start(host)?;
    let name = policy.policy.name();
    if let Some(refusal) = session.refuses(policy, "own scheme", &format!("the policy {name} does not play"))? {
        return Ok(refusal);
    }
    let hosted = session.searches(&POSITIONS, nodes)?;
    let total = own.iter().map(|search| search.nodes).sum::<u64>();
    Ok(finding::same(
        "own scheme",
        difference(&POSITIONS, &own, &hosted),
        &format!("the policy {name} gives the nodes of the engine alone, {total} in all"),
        &format!("the policy {name} gives other nodes than the engine alone"),
        "the policy has to say the same as the scheme, its condition and its limits included, and the engine has to search again by the \
         same rules",
    ))
}
