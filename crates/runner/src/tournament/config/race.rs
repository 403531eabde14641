//! The table `[race]` of a tournament file.

use lmrlab_diagnostics::{Diagnostic, Table};

use super::{engine_called, error_probability, model};
use crate::tournament::entrant::Entrant;
use crate::tournament::race::{GOALS, RaceRules};
use crate::tournament::schedule::Format;
use lmrlab_stats::race::Goal;

/// What `[race]` says, which a race needs and nothing else has; `Some(None)` when it is not a race.
pub(super) fn race(
    tournament: &Table<'_>,
    race: Option<Table<'_>>,
    format: Option<Format>,
    engines: Option<&[Entrant]>,
) -> Option<Option<RaceRules>> {
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
                    Diagnostic::error("a race has no `[sprt]`: it comes to an end by itself")
                        .at(tournament.place_of("sprt"), "remove this"),
                );
            }
            rules(table, engines).map(Some)
        }
        (Some(table), Some(_)) => {
            tournament.report(
                Diagnostic::error("`[race]` is for races only")
                    .at(table.span(), "no race, no such table")
                    .help("write `format = \"race\"`, or remove the table"),
            );
            None
        }
        // The format is wrong, which has been said.
        (Some(_), None) => None,
    }
}

fn rules(table: Table<'_>, engines: Option<&[Entrant]>) -> Option<RaceRules> {
    let goal = table.require("goal", table.choice("goal", &GOALS));
    let elo = table.require("elo", table.number("elo", f64::MIN..=f64::MAX));
    let alpha = error_probability(&table, "alpha");
    let model = model(&table);
    let baseline = table.text("baseline");
    let index = match (&baseline, goal) {
        (None, _) if table.has("baseline") => None,
        (None, _) => Some(0),
        (Some(_), Some(Goal::Best)) => {
            table.report(
                Diagnostic::error("a race for the best has no baseline")
                    .at(table.place_of("baseline"), "everybody plays everybody")
                    .help("write `goal = \"beat_baseline\"`, or remove the key"),
            );
            None
        }
        (Some(name), _) => match engines {
            Some(engines) => engine_called(&table, name, engines),
            None => None,
        },
    };
    let (document, span) = (table.document(), table.span());
    table.close();
    let (goal, elo, alpha, model, index, engines) = (goal?, elo?, alpha?, model?, index?, engines?);
    RaceRules::new(goal, engines.len(), index, model, elo, alpha)
        .map_err(|error| {
            // Too few engines are reported for every format.
            if engines.len() >= 2 {
                document.report(Diagnostic::error(error.to_string()).at(span, ""));
            }
        })
        .ok()
}
