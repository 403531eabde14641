//! The table `[race]` of a tournament file.

use lmrlab_diagnostics::{Diagnostic, TomlTable};

use lmrlab_stats::race::Goal;

use super::{error_probability, model};
use crate::tournament::description::RaceDescription;
use crate::tournament::race::GOALS;
use crate::tournament::schedule::Format;

/// What `[race]` says, which a race needs and nothing else has; `Some(None)` when it is not a race.
pub(super) fn race(
    tournament: &TomlTable<'_>,
    race: Option<TomlTable<'_>>,
    format: Option<Format>,
) -> Option<Option<RaceDescription>> {
    match (race, format) {
        (None, Some(Format::Race)) => {
            if !tournament.has("race") {
                tournament.report(
                    Diagnostic::error("a race needs a table `[race]`")
                        .at(tournament.place_of_value("format"), "what is it to find?")
                        .help("write `[race]` with `goal = \"best\"` and `elo = 10.0`"),
                );
            }
            None
        }
        (None, _) => Some(None),
        (Some(table), Some(Format::Race)) => {
            if tournament.has("sprt") {
                tournament.report(
                    Diagnostic::error("a race has no `[sprt]`: it has its own stopping rule")
                        .at(tournament.place_of("sprt"), "remove this"),
                );
            }
            description(table).map(Some)
        }
        (Some(table), Some(_)) => {
            tournament.report(
                Diagnostic::error("`[race]` is for races only")
                    .at(table.span(), "only a race has this table")
                    .help("write `format = \"race\"`, or remove the table"),
            );
            None
        }
        // The format is wrong, and that error has been reported.
        (Some(_), None) => None,
    }
}

fn description(table: TomlTable<'_>) -> Option<RaceDescription> {
    let goal = table.require("goal", table.choice("goal", &GOALS));
    let elo = table.require("elo", table.number("elo", f64::MIN..=f64::MAX));
    let alpha = error_probability(&table, "alpha");
    let model = model(&table);
    let baseline = table.text("baseline");
    let mut wrong = table.has("baseline") && baseline.is_none();
    if baseline.is_some() && goal == Some(Goal::Best) {
        wrong = true;
        table.report(
            Diagnostic::error("a race for the best has no baseline")
                .at(table.place_of("baseline"), "everybody plays everybody")
                .help("write `goal = \"beat_baseline\"`, or remove the key"),
        );
    }
    let place = table.span();
    table.close();
    (!wrong).then_some(RaceDescription {
        goal: goal?,
        baseline,
        elo: elo?,
        alpha: alpha?,
        model: model?,
        place,
    })
}
