//! `finish`: turns the result of the rules into whole plies, within limits.

use crate::catalogue::Fact;

/// The largest reduction or extension, in plies.
pub(crate) const MAX_PLIES: i32 = 256;

/// How a fraction of a ply becomes a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Truncate,
    Floor,
    Ceil,
    Nearest,
}

/// Limits in plies, in the order in which they act.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Finish {
    pub(crate) scale: f64,
    pub(crate) round: Rounding,
    pub(crate) min: i32,
    pub(crate) max: Option<i32>,
    pub(crate) max_at_root: Option<i32>,
    pub(crate) max_in_pv: Option<i32>,
    pub(crate) max_if_extended: Option<i32>,
    pub(crate) floor: i32,
    pub(crate) pv_bonus: i32,
}

/// What the limits ask about a move.
pub(crate) trait Node {
    fn is_set(&self, fact: Fact) -> bool;
    fn plies(&self, fact: Fact) -> i32;
}

impl Finish {
    /// Applies `scale`, `round`, `min` and `max`, which do not depend on the move.
    #[inline]
    pub(crate) fn whole(&self, raw: f64) -> i32 {
        let limit = f64::from(MAX_PLIES);
        let scaled = (raw * self.scale).clamp(-limit, limit);
        let rounded = match self.round {
            Rounding::Truncate => scaled,
            Rounding::Floor => scaled.floor(),
            Rounding::Ceil => scaled.ceil(),
            Rounding::Nearest => scaled.round(),
        };
        // A cast cuts towards zero.
        let raised = (rounded as i32).max(self.min);
        self.max.map_or(raised, |most| raised.min(most))
    }

    /// Applies the limits that depend on the move.
    #[inline]
    pub(crate) fn limit(&self, mut plies: i32, node: &impl Node) -> i32 {
        let lower = |most: Option<i32>, fact: Fact, plies: i32| match most {
            Some(most) if node.is_set(fact) => plies.min(most),
            _ => plies,
        };
        plies = lower(self.max_at_root, Fact::Root, plies);
        plies = lower(self.max_in_pv, Fact::Pv, plies);
        plies = lower(self.max_if_extended, Fact::Extended, plies);
        if plies > 0 {
            let mut depth = node.plies(Fact::Depth).saturating_sub(1);
            if node.is_set(Fact::Extended) {
                depth = depth.saturating_add(node.plies(Fact::Extension));
            }
            plies = plies.min(depth.saturating_sub(self.floor).max(0));
        }
        if self.pv_bonus > 0 && node.is_set(Fact::Pv) {
            plies -= self.pv_bonus;
        }
        plies
    }
}
