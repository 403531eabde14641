//! Searches that have to be the same: repeated, after `ucinewgame`, in two equal games, with any trace.

use lmrlab_policy::facts::Fact;

use super::finding::Finding;
use super::positions::POSITIONS;
use super::session::{End, Host, Search, Session, difference};
use super::test_policies::{TestPolicy, plain, sensitive};

/// Moves of a game that is played twice.
const GAME_PLIES: usize = 24;

/// Tests that searches repeat.
pub(super) fn repeats(host: &Host<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut findings = Vec::new();
    let mut session = Session::start(host)?;
    let own = session.searches(&POSITIONS, host.nodes)?;
    let mut fresh = Session::start(host)?;
    if let Some(seen) = difference(&POSITIONS, &own, &fresh.searches(&POSITIONS, host.nodes)?) {
        let advice = "the same commands must give the same search: at one thread, with `go nodes`, nothing may depend on the clock or \
                      on memory that is not initialised";
        findings.push(Finding::wrong("repeatable", "two processes search differently", advice).seen(seen));
        // Nothing below can be judged.
        return Ok(findings);
    }
    findings.push(Finding::ok("repeatable", "two processes search the same nodes"));

    let again = session.searches(&POSITIONS, host.nodes)?;
    let forgets = match difference(&POSITIONS, &own, &again) {
        Some(seen) => {
            let advice = "`ucinewgame` has to clear everything that a search leaves: the transposition table, each history table, \
                          killers, counter moves, corrections";
            let what = "after ucinewgame the engine does not search as a new process does";
            findings.push(Finding::wrong("ucinewgame", what, advice).seen(seen));
            false
        }
        None => {
            findings.push(Finding::ok(
                "ucinewgame",
                "after it the engine searches as a new process does",
            ));
            findings.push(game(host)?);
            true
        }
    };

    let trace = host.folder.join("repeats.trace");
    let mut traced = Session::start(host)?;
    traced.set("LmrTraceRate", "1")?;
    traced.set("LmrTrace", &trace.display().to_string())?;
    let searches = traced.searches(&POSITIONS, host.nodes)?;
    findings.push(match difference(&POSITIONS, &own, &searches) {
        Some(seen) => {
            let advice = "facts are only read for a trace: their computation must change nothing";
            Finding::wrong(
                "trace",
                "with a trace of all moves the engine searches other nodes",
                advice,
            )
            .seen(seen)
        }
        None => Finding::ok("trace", "with a trace of all moves the engine searches the same nodes"),
    });
    // In an engine that does not forget, these searches differ anyway.
    if forgets {
        findings.extend(loaded_again(host, &plain(filled)?, &own)?);
        findings.push(with_facts(host, &sensitive(filled)?)?);
    }
    Ok(findings)
}

/// A game that the engine plays against itself, twice.
fn game(host: &Host<'_>) -> Result<Finding, End> {
    let fen = POSITIONS.get(1).copied().unwrap_or_default();
    let mut session = Session::start(host)?;
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
    let games = [play()?, play()?];
    let [one, two] = &games;
    let differs = one.iter().zip(two).position(|(one, two)| one != two);
    Ok(match differs {
        Some(ply) => {
            let last = |game: &[String]| game.get(..=ply).unwrap_or_default().join(" ");
            let seen = format!("from {fen}, first {}; then {}", last(one), last(two));
            let advice = "`ucinewgame` has to clear everything that a game leaves";
            Finding::wrong("ucinewgame", "two games with the same nodes differ", advice).seen(seen)
        }
        None => Finding::ok("games", format!("two games of {} plies are the same", one.len())),
    })
}

/// Searches with a policy that reads every number: what the engine stores only for facts must be cleared, too.
fn with_facts(host: &Host<'_>, policy: &TestPolicy) -> Result<Finding, End> {
    let mut session = Session::start(host)?;
    session.load(policy)?;
    let nodes = host.nodes.saturating_mul(2);
    let first = session.searches(&POSITIONS, nodes)?;
    let second = session.searches(&POSITIONS, nodes)?;
    Ok(match difference(&POSITIONS, &first, &second) {
        Some(seen) => {
            let advice = "clear at every `go` the data that only facts need, such as counts of cutoffs and the records of the plies";
            let what = "with a policy that reads every number the engine does not search as a new process does after ucinewgame";
            Finding::wrong("ucinewgame", what, advice).seen(seen)
        }
        None => Finding::ok(
            "facts again",
            "a policy that reads every number gives the same nodes after ucinewgame",
        ),
    })
}

/// A policy that is loaded, cleared and loaded again.
fn loaded_again(host: &Host<'_>, policy: &TestPolicy, own: &[Search]) -> Result<Vec<Finding>, End> {
    let mut session = Session::start(host)?;
    session.load(policy)?;
    let first = session.searches(&POSITIONS, host.nodes)?;
    session.set("LmrPolicy", "<empty>")?;
    let cleared = session.searches(&POSITIONS, host.nodes)?;
    session.load(policy)?;
    let second = session.searches(&POSITIONS, host.nodes)?;
    let mut findings = Vec::new();
    for (what, difference) in [
        (
            "after a policy is cleared the engine searches other nodes than before",
            difference(&POSITIONS, own, &cleared),
        ),
        (
            "a policy that is loaded again gives other nodes",
            difference(&POSITIONS, &first, &second),
        ),
    ] {
        if let Some(seen) = difference {
            let advice = "ask lmr_policy() at each move, and keep nothing of a policy in tables of the engine";
            findings.push(Finding::wrong("policy", what, advice).seen(seen));
        }
    }
    if difference(&POSITIONS, own, &first).is_none() {
        let advice = "call lmr_reduction when lmr_policy() is true, and reduce by its result";
        let what = "with a policy the engine searches the same nodes as with its own scheme";
        findings.push(Finding::wrong("policy", what, advice));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(
            "policy",
            "loaded, cleared and loaded again, a policy gives the same nodes",
        ));
    }
    Ok(findings)
}

/// The engine's own scheme as a policy: the same nodes.
pub(super) fn own_scheme(host: &Host<'_>, policy: &TestPolicy) -> Result<Finding, End> {
    let nodes = host.nodes.saturating_mul(4);
    let own = Session::start(host)?.searches(&POSITIONS, nodes)?;
    let mut session = Session::start(host)?;
    let name = policy.policy.name();
    let what = format!("the policy {name} does not play");
    if let Some(refusal) = session.refuses(policy, "own scheme", &what)? {
        return Ok(refusal);
    }
    let hosted = session.searches(&POSITIONS, nodes)?;
    let total = own.iter().map(|search| search.nodes).sum::<u64>();
    Ok(match difference(&POSITIONS, &own, &hosted) {
        Some(seen) => {
            let advice = "the policy has to say the same as the scheme, its condition and its limits included, and the engine has to \
                          search again by the same rules";
            Finding::wrong(
                "own scheme",
                format!("the policy {name} gives other nodes than the engine alone"),
                advice,
            )
            .seen(seen)
        }
        None => Finding::ok(
            "own scheme",
            format!("the policy {name} gives the nodes of the engine alone, {total} in all"),
        ),
    })
}
