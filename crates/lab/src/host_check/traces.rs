//! Lets the engine write traces, and reads them.

use super::finding::Finding;
use super::positions::POSITIONS;
use super::session::{End, Host, Session};
use super::test_policies::TestPolicy;
use super::trace::Trace;

/// What to trace.
pub(super) struct Plan<'p> {
    /// `None`: the engine's own scheme.
    pub(super) policy: Option<&'p TestPolicy>,
    pub(super) rate: &'p str,
    pub(super) shadow: &'p str,
    pub(super) nodes: u64,
}

/// Searches all positions, and reads the trace of these searches. A problem of the trace is returned as a finding.
pub(super) fn traced(host: &Host<'_>, plan: &Plan<'_>) -> Result<Result<Trace, Finding>, End> {
    let path = host.folder.join("check.trace");
    let mut session = Session::start_with_positions(host)?;
    if let Some(policy) = plan.policy {
        session.load(policy)?;
    }
    session.set("LmrTraceRate", plan.rate)?;
    let answers = session.set("LmrShadow", plan.shadow)?;
    if let Some(error) = answers.first().and_then(|answer| answer.strip_prefix("error ")) {
        return Ok(Err(Finding::note("shadow", error)));
    }
    let answers = session.set("LmrTrace", &path.display().to_string())?;
    let expected = format!("trace {}", path.display());
    if answers.first() != Some(&expected) {
        let seen = answers.first().map_or("no answer", String::as_str);
        let advice = format!("`info string lmrlab-host {expected}`");
        return Ok(Err(Finding::wrong("trace", "LmrTrace is refused", advice).seen(seen)));
    }
    session.searches(&POSITIONS, plan.nodes)?;
    session.set("LmrTrace", "<empty>")?;
    let trace = Trace::read(&path);
    // The trace may be large.
    let _ = std::fs::remove_file(&path);
    let advice =
        "the header writes the trace; call lmr_open with the state of one thread, and lmr_close after each move";
    Ok(match trace {
        Ok(trace) if trace.moves.is_empty() => Err(Finding::wrong("trace", "a trace of all moves is empty", advice)),
        Ok(trace) => Ok(trace),
        Err(error) => Err(Finding::wrong(
            "trace",
            format!("the trace cannot be read: {error}"),
            advice,
        )),
    })
}

/// Whether the trace has positions that can be read.
pub(super) fn positions(trace: &Trace) -> Finding {
    let advice = super::tally::advice("position");
    match &trace.unreadable {
        Some((what, count)) => {
            let found = format!("{count} of {} moves have no position or a wrong one", trace.moves.len());
            Finding::wrong("position", found, advice).seen(what.clone())
        }
        None => Finding::ok(
            "position",
            format!("{} moves with their positions are traced", trace.moves.len()),
        ),
    }
}
