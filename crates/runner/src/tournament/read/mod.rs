//! Tournament files: TOML in, a [`Description`] out, or everything that is wrong with the file at once.
//!
//! The keys are explained in `configs/tournaments/quickstart.toml`. The same reader reads manifests and what a command line
//! asks for.

mod conditions;
mod engines;
mod race;

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_stats::ratings::MOST_PLAYERS;
use lmrlab_stats::{EloModel, Sprt};

use super::defaults::{DEFAULT_ERROR, MAX_NAME, MAX_PAIRS, MODELS};
use super::description::Description;
use super::pgn_style::PgnStyle;
use super::schedule::Format;

pub use conditions::{conditions, deadlines};
pub use engines::{EXTERNAL_KEYS, engine};

/// Reads a tournament. What is wrong is reported in the document; then there is no description.
pub fn tournament(table: TomlTable<'_>) -> Option<Description> {
    let name = table.require("name", name(&table));
    let description = table.text("description").map(|text| text.value);
    let format = table.choice("format", &Format::NAMES);
    let test = table.table("sprt");
    let has_test = test.is_some();
    let sprt = test.map_or(Some(None), |test| sprt(test).map(Some));
    let race_table = table.table("race");
    let ends_itself = has_test || format == Some(Format::Race);
    let pairs = match table.integer("pairs", 1..=MAX_PAIRS as i64) {
        None if ends_itself && !table.has("pairs") => Some(None),
        pairs => table.require("pairs", pairs.map(|pairs| Some(pairs as u64))),
    };
    let conditions = conditions(&table);
    let deadlines = deadlines(&table);
    let pgn = pgn(&table);
    let pin = optional(&table, "pin", table.boolean("pin"));
    let ordering = engines::ordering(&table);
    let engines = engines::engines(&table, deadlines, ordering);
    let gauntlet_engine = table.text("gauntlet_engine");
    if format.is_some_and(|format| format != Format::Gauntlet)
        && let Some(text) = &gauntlet_engine
    {
        table.report(
            Diagnostic::error("`gauntlet_engine` is for gauntlets only")
                .at(text.span.clone(), "only a gauntlet has this key")
                .help("write `format = \"gauntlet\"`, or remove the key"),
        );
    }
    let race = race::race(&table, race_table, format);
    let format = table.require("format", format);
    check_engine_count(&table, format, has_test);
    table.close();
    Some(Description {
        name: name?,
        description: description.unwrap_or_default(),
        format: format?,
        gauntlet_engine,
        pairs: pairs?,
        conditions: conditions?,
        pgn: pgn?,
        pin: pin?,
        sprt: sprt?,
        race: race?,
        engines: engines?,
    })
}

/// Reads how much games.pgn contains.
pub fn pgn(table: &TomlTable<'_>) -> Option<PgnStyle> {
    let style = table.choice("pgn", &PgnStyle::NAMES);
    or_usual(table, "pgn", style, PgnStyle::default())
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

/// The key `name`.
pub fn name(table: &TomlTable<'_>) -> Option<String> {
    let text = table.text("name")?;
    match check_name(&text.value) {
        Ok(()) => Some(text.value),
        Err(reason) => {
            table.report(Diagnostic::error("this name cannot be used").at(text.span.clone(), reason));
            None
        }
    }
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

/// The table `[sprt]`.
pub fn sprt(table: TomlTable<'_>) -> Option<Sprt> {
    let any = f64::MIN..=f64::MAX;
    let elo0 = table.require("elo0", table.number("elo0", any.clone()));
    let elo1 = table.require("elo1", table.number("elo1", any.clone()));
    let alpha = error_probability(&table, "alpha");
    let beta = error_probability(&table, "beta");
    let model = model(&table);
    let span = table.span();
    let document = table.document();
    table.close();
    Sprt::new(model?, elo0?, elo1?, alpha?, beta?)
        .map_err(|error| document.report(Diagnostic::error(error.to_string()).at(span, "")))
        .ok()
}

/// An error probability, which has a usual value.
fn error_probability(table: &TomlTable<'_>, key: &str) -> Option<f64> {
    or_usual(table, key, table.number(key, f64::MIN..=f64::MAX), DEFAULT_ERROR)
}

/// The scale of a test's Elo.
fn model(table: &TomlTable<'_>) -> Option<EloModel> {
    or_usual(table, "model", table.choice("model", &MODELS), EloModel::Normalized)
}

/// The value of a key that has a usual one. `None` when the key is there and its value is wrong, which is reported.
fn or_usual<T>(table: &TomlTable<'_>, key: &str, value: Option<T>, usual: T) -> Option<T> {
    if table.has(key) { value } else { Some(usual) }
}

/// The value of a key that may be absent. `None` when the key is there and its value is wrong, which is reported.
fn optional<T>(table: &TomlTable<'_>, key: &str, value: Option<T>) -> Option<Option<T>> {
    or_usual(table, key, value.map(Some), None)
}
