//! `[finish]`: turns the result of the rules into whole plies, within limits.

use crate::runtime::facts::{Fact, Facts, Flags};

/// The largest reduction or extension, in plies, that any policy can ask for.
pub const MAX_PLIES: i32 = 256;

named! {
    /// How a fraction of a ply becomes a whole one.
    #[derive(Default)]
    Rounding {
        #[default]
        Truncate "trunc" "Towards zero.";
        Floor "floor" "Towards less reduction.";
        Ceiling "ceil" "Towards more reduction.";
        Nearest "nearest" "To the nearest; halves away from zero.";
    }
}

/// A policy's `[finish]`.
///
/// In this order: multiply by `scale`; round; raise to `min`; lower to `max`, at the root to `max_at_root`, in a PV node
/// to `max_in_pv`, for an extended move to `max_if_extended`; lower until the reduced search has at least `floor` plies;
/// in a PV node subtract `pv_bonus`.
///
/// With `min = -2` a move may be extended by up to two plies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finish {
    /// Factor before rounding. Default 1; from -100 to 100.
    pub scale: f64,
    /// How fractions are rounded. Default `"trunc"`.
    pub round: Rounding,
    /// Least reduction of a move for which `when` holds, in plies. Default 0.
    pub min: i32,
    /// Greatest reduction, in plies. Default: none.
    pub max: Option<i32>,
    /// Greatest reduction at the root, in plies. Default: none.
    pub max_at_root: Option<i32>,
    /// Greatest reduction in PV nodes, the root included, in plies. Default: none.
    pub max_in_pv: Option<i32>,
    /// Greatest reduction of a move that is extended, in plies. Default: none.
    pub max_if_extended: Option<i32>,
    /// Least depth of the reduced search, in plies. Default 0: it may be the quiescence search. Below 0 a reduction may be
    /// greater than the remaining depth. A negative reduction is not limited.
    pub floor: i32,
    /// Subtracted from the reduction in a PV node after all limits, in plies. The result may be an extension.
    /// Default 0; up to 16.
    pub pv_bonus: i32,
}

impl Default for Finish {
    fn default() -> Self {
        Self {
            scale: 1.0,
            round: Rounding::Truncate,
            min: 0,
            max: None,
            max_at_root: None,
            max_in_pv: None,
            max_if_extended: None,
            floor: 0,
            pv_bonus: 0,
        }
    }
}

impl Finish {
    /// The limits of some moves, each with the flag of these moves.
    pub fn limits(&self) -> [(Option<i32>, Fact); 3] {
        [
            (self.max_at_root, Fact::Root),
            (self.max_in_pv, Fact::Pv),
            (self.max_if_extended, Fact::Extended),
        ]
    }

    /// Whether a reduction may be an extension.
    pub fn can_extend(&self) -> bool {
        let limits = self.limits().map(|(limit, _)| limit);
        let limits = limits.into_iter().chain([self.max]);
        self.min < 0 || self.pv_bonus > 0 || limits.flatten().any(|limit| limit < 0)
    }

    /// Applies the limits that depend on the move.
    #[inline]
    pub(crate) fn limit<F: Facts>(&self, mut plies: i32, flags: Flags, facts: &F) -> i32 {
        for (most, fact) in self.limits() {
            match most {
                Some(most) if flags.has(fact) => plies = plies.min(most),
                _ => {}
            }
        }
        plies = self.limit_to_depth(plies, flags, facts);
        if self.pv_bonus > 0 && flags.has(Fact::Pv) {
            plies -= self.pv_bonus;
        }
        plies
    }

    /// Limits a reduction to the remaining depth.
    #[inline]
    pub(crate) fn limit_to_depth<F: Facts>(&self, plies: i32, flags: Flags, facts: &F) -> i32 {
        if plies <= 0 {
            return plies;
        }
        // A cast saturates.
        let mut depth = (facts.number(Fact::Depth) as i32).saturating_sub(1);
        if flags.has(Fact::Extended) {
            depth = depth.saturating_add(facts.number(Fact::Extension) as i32);
        }
        plies.min(depth.saturating_sub(self.floor).max(0))
    }

    /// The greatest input for which [`Finish::whole`] returns its least value; `None` when there is none.
    pub(crate) fn greatest_of_least(&self) -> Option<f64> {
        if self.scale <= 0.0 {
            return None;
        }
        // The function does not decrease, so bisection finds it.
        let end = f64::from(MAX_PLIES) / self.scale;
        let least = self.whole(-end);
        if !end.is_finite() || self.whole(end) == least {
            return None;
        }
        let (mut low, mut high) = (-end, end);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if self.whole(middle) == least {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// Applies `scale`, `round`, `min` and `max`, which do not depend on the move.
    #[inline]
    pub(crate) fn whole(&self, raw: f64) -> i32 {
        let limit = f64::from(MAX_PLIES);
        let scaled = (raw * self.scale).clamp(-limit, limit);
        let cut = scaled as i32;
        let rounded = match self.round {
            Rounding::Truncate => cut,
            Rounding::Floor => cut - i32::from(scaled < f64::from(cut)),
            Rounding::Ceiling => cut + i32::from(scaled > f64::from(cut)),
            Rounding::Nearest => scaled.round() as i32,
        };
        let raised = rounded.max(self.min);
        self.max.map_or(raised, |most| raised.min(most))
    }
}
