//! `[finish]`: turns the result of the rules into whole plies, within limits.

use lmrlab_diagnostics::{Diagnostic, Table};

use crate::facts::{Fact, Facts, Flags};

/// The largest reduction or extension, in plies, that any policy can ask for.
pub(crate) const MAX_PLIES: i32 = 256;

/// What `pv_bonus` may be, in plies.
const PV_BONUSES: std::ops::RangeInclusive<i64> = 0..=16;

/// How a fraction of a ply becomes a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Rounding {
    /// Towards zero.
    #[default]
    Truncate,
    /// Towards less reduction.
    Floor,
    /// Towards more reduction.
    Ceiling,
    /// To the nearest; halves away from zero.
    Nearest,
}

/// A policy's `[finish]`.
///
/// In this order: multiply by `scale`; round; raise to `min`; lower to `max`, at the root to `max_at_root`, in a PV node
/// to `max_in_pv`, for an extended move to `max_if_extended`; lower until the reduced search has at least `floor` plies;
/// in a PV node subtract `pv_bonus`.
///
/// With `min = -2` and `negative = true` a move may be extended by up to two plies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Finish {
    /// Factor before rounding. Default 1; from -100 to 100.
    pub(crate) scale: f64,
    /// How fractions are rounded. Default `"trunc"`.
    pub(crate) round: Rounding,
    /// Least reduction of a move for which `when` holds, in plies. Default 0; below 0 only with `negative = true`.
    pub(crate) min: i32,
    /// Greatest reduction, in plies. Default: none.
    pub(crate) max: Option<i32>,
    /// Greatest reduction at the root, in plies. Default: none.
    pub(crate) max_at_root: Option<i32>,
    /// Greatest reduction in PV nodes, the root included, in plies. Default: none.
    pub(crate) max_in_pv: Option<i32>,
    /// Greatest reduction of a move that is extended, in plies. Default: none.
    pub(crate) max_if_extended: Option<i32>,
    /// Least depth of the reduced search, in plies. Default 0: it may be the quiescence search. Below 0 a reduction may be
    /// greater than the remaining depth. A negative reduction is not limited.
    pub(crate) floor: i32,
    /// Subtracted from the reduction in a PV node after all limits, in plies. The result may be an extension.
    /// Default 0; up to 16.
    pub(crate) pv_bonus: i32,
}

/// The keys of `[finish]` with their defaults and meanings, in the order in which they act. The reference of the
/// language is written from it.
pub(crate) const KEYS: &[(&str, &str, &str)] = &[
    (
        "scale",
        "1",
        "factor before rounding, for files that compute in another unit: 0.5 for half-plies, 0.0009765625 for 1/1024 ply",
    ),
    (
        "round",
        "\"trunc\"",
        "how fractions are rounded: \"trunc\" towards zero, \"floor\" down, \"ceil\" up, \"nearest\" with halves away from zero",
    ),
    (
        "min",
        "0",
        "least reduction of a move for which `when` holds; below 0 only with `negative = true`",
    ),
    ("max", "none", "greatest reduction"),
    ("max_at_root", "none", "greatest reduction at the root"),
    ("max_in_pv", "none", "greatest reduction in PV nodes, the root included"),
    (
        "max_if_extended",
        "none",
        "greatest reduction of an extended move; with 0 such moves are not reduced",
    ),
    (
        "floor",
        "0",
        "least depth of the reduced search, including the move's extension; with 0 it may be the quiescence search; below 0 a reduction may exceed the remaining depth by that many plies, as in schemes without such a limit. Negative reductions are not limited",
    ),
    (
        "pv_bonus",
        "0",
        "subtracted from the reduction in a PV node, in plies, after all limits; the result may be an extension",
    ),
    (
        "negative",
        "false",
        "must be true for a `min` below 0; `min = -2` allows extensions of up to two plies",
    ),
];

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
    pub(crate) fn read(table: Table<'_>) -> Self {
        let default = Self::default();
        let plies = |key: &str, least: i32| {
            table
                .integer(key, i64::from(least)..=i64::from(MAX_PLIES))
                .map(|value| value as i32)
        };
        let negative = table.boolean("negative").unwrap_or(false);
        let least = if negative { -MAX_PLIES } else { 0 };
        let finish = Self {
            scale: table.number("scale", -100.0..=100.0).unwrap_or(1.0),
            round: table
                .choice(
                    "round",
                    &[
                        ("trunc", Rounding::Truncate),
                        ("floor", Rounding::Floor),
                        ("ceil", Rounding::Ceiling),
                        ("nearest", Rounding::Nearest),
                    ],
                )
                .unwrap_or_default(),
            min: plies("min", -MAX_PLIES).unwrap_or(default.min),
            max: plies("max", least),
            max_at_root: plies("max_at_root", least),
            max_in_pv: plies("max_in_pv", least),
            max_if_extended: plies("max_if_extended", least),
            floor: plies("floor", -MAX_PLIES).unwrap_or(default.floor),
            pv_bonus: table
                .integer("pv_bonus", PV_BONUSES)
                .map_or(default.pv_bonus, |value| value as i32),
        };
        finish.check(&table, negative);
        table.close();
        finish
    }

    fn check(&self, table: &Table<'_>, negative: bool) {
        if self.min < 0 && !negative {
            table.report(
                Diagnostic::error("`finish.min` is negative, which would extend moves")
                    .at(table.place_of_value("min"), "below 0")
                    .help("say so with `negative = true`, or use 0"),
            );
        }
        if negative && self.min >= 0 {
            table.report(
                Diagnostic::error("`finish.negative` allows extensions, but `min` does not")
                    .at(table.place_of_value("negative"), "")
                    .help("add `min = -1` to extend by up to one ply, or remove `negative`"),
            );
        }
        if let Some(max) = self.max
            && max < self.min
        {
            table.report(
                Diagnostic::error(format!(
                    "`finish.max` is {max}, less than `finish.min`, which is {}",
                    self.min
                ))
                .at(table.place_of_value("max"), "too small"),
            );
        }
    }

    /// Whether a reduction may be an extension.
    pub(crate) fn can_extend(&self) -> bool {
        let limits = [self.max, self.max_at_root, self.max_in_pv, self.max_if_extended];
        self.min < 0 || self.pv_bonus > 0 || limits.into_iter().flatten().any(|limit| limit < 0)
    }

    /// Applies the limits that depend on the move.
    #[inline]
    pub(crate) fn limit<F: Facts>(&self, mut plies: i32, flags: Flags, facts: &F) -> i32 {
        if let Some(most) = self.max_at_root
            && flags.has(Fact::Root)
        {
            plies = plies.min(most);
        }
        if let Some(most) = self.max_in_pv
            && flags.has(Fact::Pv)
        {
            plies = plies.min(most);
        }
        if let Some(most) = self.max_if_extended
            && flags.has(Fact::Extended)
        {
            plies = plies.min(most);
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
        let mut depth = facts.number(Fact::Depth) as i32 - 1;
        if flags.has(Fact::Extended) {
            depth += facts.number(Fact::Extension) as i32;
        }
        plies.min((depth - self.floor).max(0))
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
