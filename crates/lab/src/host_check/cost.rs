//! What hosting costs, in nodes per second.

use super::finding::Finding;
use super::positions::POSITIONS;
use super::session::{End, Host, Session};
use super::test_policies::TestPolicy;

/// The fastest of this number of runs counts: other programs make a run slower, never faster.
const RUNS: usize = 3;
/// On an idle machine the slowest run has more than this share of the speed of the fastest.
const STEADY: f64 = 0.9;
/// A run searches this many times the nodes of other checks.
const NODES_FACTOR: u64 = 2;

/// Measures the speed with the engine's own scheme, with a trace of 1% of the moves, and with a policy.
pub(super) fn cost(host: &Host<'_>, policy: &TestPolicy) -> Result<Finding, End> {
    let path = policy.write(host.folder)?.display().to_string();
    let trace = host.folder.join("cost.trace").display().to_string();
    let setups: [&[(&str, &str)]; 3] = [
        &[],
        &[("LmrTraceRate", "0.01"), ("LmrTrace", &trace)],
        &[("LmrPolicy", &path)],
    ];
    let mut best = [0.0_f64; 3];
    let mut slowest = f64::INFINITY;
    for _ in 0..RUNS {
        for (number, (options, best)) in setups.iter().zip(&mut best).enumerate() {
            let mut session = Session::start(host)?;
            for (option, value) in *options {
                session.set(option, value)?;
            }
            let searches = session.searches(&POSITIONS, host.nodes.saturating_mul(NODES_FACTOR))?;
            let nodes: u64 = searches.iter().map(|search| search.nodes).sum();
            let seconds: f64 = searches.iter().map(|search| search.time.as_secs_f64()).sum();
            let speed = nodes as f64 / seconds.max(1e-6);
            *best = best.max(speed);
            if number == 0 {
                slowest = slowest.min(speed);
            }
        }
    }
    let [own, traced, hosted] = best;
    if slowest < STEADY * own {
        let what = format!(
            "not measured: the machine is busy, and the same searches have {slowest:.0} to {own:.0} nodes per second"
        );
        return Ok(Finding::note("cost", what));
    }
    let name = policy.policy.name();
    Ok(Finding::note(
        "cost",
        format!(
            "{own:.0} nodes per second alone; {:.2} of it with a trace of 1%, {:.2} of it with the policy {name}",
            traced / own,
            hosted / own
        ),
    ))
}
