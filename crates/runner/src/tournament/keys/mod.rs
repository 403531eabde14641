//! The keys of a tournament file: each with its name, its bounds and its default, once. What is read
//! becomes a [`Description`], or everything that is wrong with the file at once. What is written is read again in a manifest.
//!
//! The keys are explained in `configs/tournaments/quickstart.toml`. The same reader reads manifests and what a command line
//! asks for.

mod conditions;
mod engines;
mod table;
#[cfg(test)]
mod tests;

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_stats::race::Goal;
use lmrlab_stats::ratings::MOST_PLAYERS;
use lmrlab_stats::{EloModel, Sprt, SprtError};
use toml::Table;

use self::table::{Keys, Slot, read, written};
use super::defaults::{DEFAULT_ERROR, MAX_NAME, MAX_PAIRS, MODELS};
use super::description::{Description, RaceDescription};
use super::pgn_style::PgnStyle;
use super::race::GOALS;
use super::schedule::Format;

pub use conditions::{conditions, deadlines, of_conditions};
pub use engines::{EXTERNAL_KEYS, engine, of_engine};

/// Reads a tournament. What is wrong is reported in the document; then there is no description.
pub fn tournament(table: TomlTable<'_>) -> Option<Description> {
    let found = read(&table, Description::default(), keys);
    table.close();
    found
}

/// A tournament with the keys of a tournament file.
pub fn of_tournament(description: &Description) -> Table {
    written(description, keys)
}

fn keys(keys: &mut Keys<'_>, it: &mut Description) {
    name_key(keys, &mut it.name);
    keys.string("description", &mut it.description);
    let mut format = keys.known(it.format);
    keys.choice("format", &Format::NAMES, &mut format);
    it.format = format.unwrap_or(it.format);
    keys.text("gauntlet_engine", &mut it.gauntlet_engine);
    keys.integer("pairs", 1..=MAX_PAIRS, &mut it.pairs);
    conditions::keys(keys, &mut it.conditions);
    keys.boolean("pin", &mut it.pin);
    pgn_key(keys, &mut it.pgn);
    keys.inside("sprt", it.sprt.is_some(), |keys| sprt_keys(keys, &mut it.sprt));
    keys.inside("race", it.race.is_some(), |keys| race_keys(keys, &mut it.race));
    engines::keys(keys, &mut it.engines);
    let Some(table) = keys.table() else {
        return;
    };
    let ends_itself = table.has("sprt") || format == Some(Format::Race);
    keys.need(&["name", "format"]);
    if !ends_itself {
        keys.need(&["pairs"]);
    }
    keys.need(&["limit"]);
    if let (Some(text), true) = (
        &it.gauntlet_engine,
        format.is_some_and(|format| format != Format::Gauntlet),
    ) {
        table.report(
            Diagnostic::error("`gauntlet_engine` is for gauntlets only")
                .at(text.span.clone(), "only a gauntlet has this key")
                .help("write `format = \"gauntlet\"`, or remove the key"),
        );
    }
    check_race(table, format);
    check_engine_count(table, format, table.has("sprt"));
}

/// Reads how much games.pgn contains.
pub fn pgn(table: &TomlTable<'_>) -> Option<PgnStyle> {
    read(table, PgnStyle::default(), pgn_key)
}

fn pgn_key(keys: &mut Keys<'_>, pgn: &mut PgnStyle) {
    keys.choice("pgn", &PgnStyle::NAMES, pgn);
}

/// Checks that a text can be the name of a tournament or an engine.
///
/// # Errors
/// Why it cannot.
pub fn check_name(name: &str) -> Result<(), String> {
    if lmrlab_results::visible::begins_formula(name.trim_start()) {
        Err("a name does not begin with `=`, `+`, `-` or `@`: spreadsheets take it for a formula".to_owned())
    } else if name.trim().is_empty() {
        Err("a name needs at least one letter".to_owned())
    } else if name.chars().any(char::is_control) {
        Err("a name has no line breaks, tabs or other control characters".to_owned())
    } else if name.chars().count() > MAX_NAME {
        Err(format!("a name has at most {MAX_NAME} characters"))
    } else {
        Ok(())
    }
}

/// Reads the key `name`.
pub fn name(table: &TomlTable<'_>) -> Option<String> {
    read(table, None, name_key).flatten()
}

fn name_key(keys: &mut Keys<'_>, name: &mut impl Slot<String>) {
    let read = |table: &TomlTable<'_>, key: &str| {
        let text = table.text(key)?;
        let wrong = |why| table.report(Diagnostic::error("this name cannot be used").at(text.span.clone(), why));
        check_name(&text.value).map_err(wrong).ok()?;
        Some(text.value)
    };
    keys.key("name", name, read, |name| name.as_str().into());
}

fn check_engine_count(table: &TomlTable<'_>, format: Option<Format>, sprt: bool) {
    let count = table.tables("engine").len();
    let wrong = match format {
        _ if count < 2 => Some((
            "a tournament needs at least two engines".to_owned(),
            "write an `[[engine]]` with a `policy` for each of them",
        )),
        _ if count > MOST_PLAYERS => Some((
            format!("a tournament has at most {MOST_PLAYERS} engines, not {count}"),
            "play several tournaments of fewer engines",
        )),
        Some(Format::Match) if count != 2 => Some((
            format!("a match has exactly two engines, not {count}"),
            "write `format = \"round_robin\"` or `\"gauntlet\"`, or remove some of them",
        )),
        _ if sprt && count != 2 => Some((
            format!("an SPRT compares exactly two engines, not {count}"),
            "remove `[sprt]`, or some of the engines",
        )),
        _ => None,
    };
    if let Some((message, help)) = wrong {
        let mut diagnostic = Diagnostic::error(message).help(help);
        if let Some(last) = table.tables("engine").last() {
            diagnostic = diagnostic.at(last.span(), "");
        }
        table.report(diagnostic);
    }
}

/// Reads the table `[sprt]`.
pub fn sprt(table: TomlTable<'_>) -> Option<Sprt> {
    let found = read(&table, None, sprt_keys);
    table.close();
    found.flatten()
}

fn sprt_keys(keys: &mut Keys<'_>, it: &mut Option<Sprt>) {
    let known = it.as_ref();
    let mut elo = known.map_or([None; 2], |sprt| [Some(sprt.elo0()), Some(sprt.elo1())]);
    let mut errors = known.map_or([DEFAULT_ERROR; 2], |sprt| [sprt.alpha(), sprt.beta()]);
    let mut model = known.map_or(EloModel::Normalized, Sprt::model);
    keys.number("elo0", &mut elo[0]);
    keys.number("elo1", &mut elo[1]);
    keys.number("alpha", &mut errors[0]);
    keys.number("beta", &mut errors[1]);
    keys.choice("model", &MODELS, &mut model);
    keys.need(&["elo0", "elo1"]);
    if let (Some(table), [Some(elo0), Some(elo1)]) = (keys.table(), elo) {
        let wrong = |error: SprtError| {
            table.report(
                Diagnostic::error(error.to_string())
                    .at(table.span(), "")
                    .help(error.advice()),
            );
        };
        *it = Sprt::new(model, elo0, elo1, errors[0], errors[1]).map_err(wrong).ok();
    }
}

/// `[race]`.
fn race_keys(keys: &mut Keys<'_>, it: &mut Option<RaceDescription>) {
    let place = keys.table().map_or(0..0, TomlTable::span);
    let race = it.get_or_insert(RaceDescription {
        goal: Goal::Best,
        baseline: None,
        elo: 0.0,
        alpha: DEFAULT_ERROR,
        model: EloModel::Normalized,
        place,
    });
    let mut goal = keys.known(race.goal);
    keys.choice("goal", &GOALS, &mut goal);
    keys.text("baseline", &mut race.baseline);
    keys.number("elo", &mut race.elo);
    keys.number("alpha", &mut race.alpha);
    keys.choice("model", &MODELS, &mut race.model);
    keys.need(&["goal", "elo"]);
    if let (Some(table), Some(Goal::Best), Some(_)) = (keys.table(), goal, &race.baseline) {
        table.report(
            Diagnostic::error("a race for the best has no baseline")
                .at(table.place_of("baseline"), "everybody plays everybody")
                .help("write `goal = \"beat_baseline\"`, or remove the key"),
        );
    }
    race.goal = goal.unwrap_or(race.goal);
}

/// A race needs `[race]`, and has no `[sprt]`; nothing else has `[race]`.
fn check_race(table: &TomlTable<'_>, format: Option<Format>) {
    let wrong = match (format == Some(Format::Race), table.has("race")) {
        (true, false) => Diagnostic::error("a race needs a table `[race]`")
            .at(table.place_of_value("format"), "what is it to find?")
            .help("write `[race]` with `goal = \"best\"` and `elo = 10.0`"),
        (true, true) if table.has("sprt") => Diagnostic::error("a race has no `[sprt]`: it has its own stopping rule")
            .at(table.place_of("sprt"), "remove this"),
        (false, true) if format.is_some() => Diagnostic::error("`[race]` is for races only")
            .at(table.place_of_value("race"), "only a race has this table")
            .help("write `format = \"race\"`, or remove the table"),
        _ => return,
    };
    table.report(wrong);
}
