//! `[research]`: reads how a move is searched again when the score of its reduced search asks for it.

use std::ops::RangeInclusive;

use lmrlab_diagnostics::TomlTable;

use crate::complaint::Complain;
pub use lmrlab_host::runtime::research::{LADDERS, Ladder, Research, Trigger};
use lmrlab_host::runtime::research::{STEPS, THREAT_FEEDBACKS};

fn wide(range: &RangeInclusive<i32>) -> RangeInclusive<i64> {
    i64::from(*range.start())..=i64::from(*range.end())
}

/// Reads `[research]` without its expressions. Reports each wrong value and uses the default instead.
pub(crate) fn read(table: TomlTable<'_>) -> Research {
    let default = Research::default();
    let ladder = table.choice("ladder", &LADDERS.map(|(name, ladder, _)| (name, ladder)));
    let named = ladder.is_some() || !table.has("ladder");
    let above = table.integer("above", wide(&STEPS));
    let reduction = table.integer("reduction", wide(&STEPS));
    let mut ladder = ladder.unwrap_or(default.ladder);
    if let Ladder::Intermediate {
        above: most,
        reduction: step,
    } = &mut ladder
    {
        *most = above.map_or(*most, |plies| plies as u32);
        *step = reduction.map_or(*step, |plies| plies as u32);
        if *step > *most {
            let message = "`research.reduction` is greater than `research.above`";
            let help = &format!("use at most {most}, or raise `above`");
            let label = "the step would not be deeper than the reduced search";
            table.wrong(message, table.place_of_value("reduction"), label, help);
        }
    } else if named {
        belongs_to(&table, &["above", "reduction"], "intermediate");
    }
    if ladder == Ladder::ByScore {
        if !table.has("deeper") && !table.has("shallower") {
            let message = "the ladder `by_score` needs `deeper` or `shallower`";
            let help =
                "add, for example, `deeper = \"score > best_score + 53\"` and `shallower = \"score < best_score + 8\"`";
            table.wrong(message, table.place_of_value("ladder"), "no condition", help);
        }
    } else if named {
        belongs_to(&table, &["deeper", "shallower"], "by_score");
    }
    let research = Research {
        ladder,
        trigger: table.choice("trigger", Trigger::NAMES).unwrap_or(default.trigger),
        updates_history: table.boolean("updates_history").unwrap_or(default.updates_history),
        threat_feedback: table
            .integer("threat_feedback", wide(&THREAT_FEEDBACKS))
            .map(|plies| plies as u32),
    };
    table.close();
    research
}

/// Reports keys that belong to another ladder.
fn belongs_to(table: &TomlTable<'_>, keys: &[&str], ladder: &str) {
    for key in keys {
        if table.has(key) {
            let message = format!("`research.{key}` belongs to another ladder");
            let help = &format!("write `ladder = \"{ladder}\"`, or remove it");
            table.wrong(message, table.place_of(key), "nothing reads this", help);
        }
    }
}
