//! `[finish]`: reads how the result of the rules becomes whole plies.

use crate::complaint::Complain;
use lmrlab_diagnostics::TomlTable;
use lmrlab_host::rows;
use lmrlab_host::runtime::finish::{Finish, MAX_PLIES, Rounding};

/// What `pv_bonus` may be, in plies.
const PV_BONUSES: std::ops::RangeInclusive<i64> = 0..=16;

/// The keys of `[finish]` with their defaults and meanings, in the order in which they act. The reference of the
/// language is written from it.
pub(crate) const KEYS: &[(&str, &str, &str)] = &rows! {
    "scale", "1", "factor before rounding, for files that compute in another unit: 0.5 for half-plies, 0.0009765625 for 1/1024 ply";
    "round", "\"trunc\"", "how fractions are rounded: \"trunc\" towards zero, \"floor\" down, \"ceil\" up, \"nearest\" with halves away from zero";
    "min", "0", "least reduction of a move for which `when` holds; below 0 only with `negative = true`";
    "max", "none", "greatest reduction";
    "max_at_root", "none", "greatest reduction at the root";
    "max_in_pv", "none", "greatest reduction in PV nodes, the root included";
    "max_if_extended", "none", "greatest reduction of an extended move; with 0 such moves are not reduced";
    "floor", "0", "least depth of the reduced search, including the move's extension; with 0 it may be the quiescence search; below 0 a reduction may exceed the remaining depth by that many plies, as in schemes without such a limit. Negative reductions are not limited";
    "pv_bonus", "0", "subtracted from the reduction in a PV node, in plies, after all limits; the result may be an extension";
    "negative", "false", "must be true for a `min` below 0; `min = -2` allows extensions of up to two plies";
};

/// Reads the table. Each wrong value is reported, and the default stands for it.
pub(crate) fn read(table: TomlTable<'_>) -> Finish {
    let default = Finish::default();
    let plies = |key: &str, least: i32| {
        table
            .integer(key, i64::from(least)..=i64::from(MAX_PLIES))
            .map(|value| value as i32)
    };
    let negative = table.boolean("negative").unwrap_or(false);
    let least = if negative { -MAX_PLIES } else { 0 };
    let finish = Finish {
        scale: table.number("scale", -100.0..=100.0).unwrap_or(1.0),
        round: table.choice("round", Rounding::NAMES).unwrap_or_default(),
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
    check(&finish, &table, negative);
    table.close();
    finish
}

fn check(finish: &Finish, table: &TomlTable<'_>, negative: bool) {
    if finish.min < 0 && !negative {
        let message = "`finish.min` is negative, which would extend moves";
        let help = "say so with `negative = true`, or use 0";
        table.wrong(message, table.place_of_value("min"), "below 0", help);
    }
    if negative && finish.min >= 0 {
        let message = "`finish.negative` allows extensions, but `min` does not";
        let help = "add `min = -1` to extend by up to one ply, or remove `negative`";
        table.wrong(message, table.place_of_value("negative"), "", help);
    }
    if let Some(max) = finish.max
        && max < finish.min
    {
        let message = format!("`finish.max` is {max}, less than `finish.min`, which is {}", finish.min);
        table.wrong(message, table.place_of_value("max"), "too small", "");
    }
}
