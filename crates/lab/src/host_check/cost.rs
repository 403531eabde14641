//! What hosting costs, in time per node.

use super::check::Check;
use super::process::{End, HostProcess};
use super::test_policies::plain;

/// Pairs of runs: one with the engine's own scheme, and one beside it.
const PAIRS: usize = 5;
/// Where the ratios of pairs differ by more than this share of the middle one, they say nothing.
const MOST_SPREAD: f64 = 0.1;
/// A run searches this many times the nodes of other checks.
const NODES_FACTOR: u64 = 2;

impl Check<'_> {
    /// Measures the time of a node with a trace of 1% of the moves, and with a policy, relative to that of the engine's own scheme.
    pub(super) fn cost(&mut self) -> Result<(), End> {
        let (host, plain) = (self.host, plain(&self.filled)?);
        let policy = self.own.unwrap_or(&plain);
        let path = policy.write(host.folder)?.display().to_string();
        let trace = host.folder.join("cost.trace").display().to_string();
        let time = |options: &[(&str, &str)]| -> Result<f64, End> {
            let mut session = HostProcess::start(host)?;
            for (option, value) in options {
                session.set(option, value)?;
            }
            let searches = session.searches(host.nodes.saturating_mul(NODES_FACTOR))?;
            let nodes: u64 = searches.iter().map(|search| search.nodes).sum();
            let seconds: f64 = searches.iter().map(|search| search.time.as_secs_f64()).sum();
            Ok(seconds / nodes.max(1) as f64)
        };
        let (mut traced, mut hosted) = (Vec::new(), Vec::new());
        for _ in 0..PAIRS {
            let own = time(&[])?;
            traced.push(time(&[("LmrTraceRate", "0.01"), ("LmrTrace", &trace)])? / own);
            hosted.push(time(&[("LmrPolicy", &path)])? / own);
        }
        let what = match (ratio(traced), ratio(hosted)) {
            (Some(traced), Some(hosted)) => format!(
                "the time of a node is {traced} times that of the engine alone with a trace of 1%, and {hosted} times with the policy {}",
                policy.policy.name()
            ),
            _ => "not measured: the same searches took different times, as on a busy machine".to_owned(),
        };
        self.note("cost", what);
        Ok(())
    }
}

/// The middle one of these ratios, with the least and the greatest; `None` when they differ too much.
fn ratio(mut ratios: Vec<f64>) -> Option<String> {
    ratios.sort_by(f64::total_cmp);
    let (least, middle, greatest) = (ratios.first()?, ratios.get(ratios.len() / 2)?, ratios.last()?);
    let is_narrow = greatest - least <= MOST_SPREAD * middle;
    is_narrow.then(|| format!("{middle:.2} ({least:.2} to {greatest:.2})"))
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn ratios_that_differ_say_nothing() {
        assert_eq!(ratio(vec![1.04, 1.0, 1.02]).as_deref(), Some("1.02 (1.00 to 1.04)"));
        assert_eq!(ratio(vec![1.0, 1.2, 1.1]), None);
    }
}
