//! The reductions of a trace, compared with lmrlab's own evaluation of the policy.

use super::tally::{Rule, Tallies};
use super::test_policies::TestPolicy;
use super::trace::Trace;

/// Tests that each move of the trace has the reduction that the policy gives for its facts, and is late when its condition holds.
pub(super) fn test(trace: &Trace, policy: &TestPolicy, tallies: &mut Tallies) {
    for of in &trace.moves {
        let explained = policy.policy.explain(&trace.facts_of(of));
        let expected = explained.as_ref().map_or(0, |explained| explained.plies);
        let record = &of.record;
        let rule = Rule::strict(
            "reduction",
            "it is what lmrlab computes from the policy and the traced facts",
        );
        tallies.test(rule, i32::from(record.reduction) == expected, || {
            format!(
                "{}: the reduction is {}, and {expected} was expected",
                of.name(),
                record.reduction
            )
        });
        let rule = Rule::strict(
            "late",
            "it is set when the condition of the policy holds for the traced facts",
        );
        tallies.test(rule, record.late == explained.is_some(), || {
            format!(
                "{}: late is {}, and {} was expected",
                of.name(),
                u8::from(record.late),
                u8::from(explained.is_some())
            )
        });
    }
}
