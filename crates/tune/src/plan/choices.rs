//! The choices of a tuning run: `[[choice]]` tables.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, TomlTable, nearest};

use super::parameters::Catalogue;
use crate::subject::Subject;
use crate::subject::choice::Choice;
use crate::subject::parameter::{Parameter, Place};
use lmrlab_runner::tournament::defaults::{DEFAULT_ERROR, MAX_PAIRS};
use lmrlab_runner::tournament::entrant::EntrantEngine;

/// The greatest number of combinations of values. All of them are checked before anything is played.
const MOST_COMBINATIONS: usize = 256;
/// The default difference in normalized Elo that a race looks for.
const USUAL_ELO: f64 = 10.0;

/// Reads the choices and adds them to what is tuned.
pub(super) fn choices(
    table: &TomlTable<'_>,
    subject: &mut Subject,
    pairs: u64,
    catalogue: &Catalogue<'_>,
) -> Option<()> {
    let tables = table.tables("choice");
    if tables.is_empty() {
        return (!table.has("choice")).then_some(());
    }
    // Half of the budget is left for the numbers.
    let usual_pairs = (pairs / (2 * tables.len() as u64)).max(1);
    let mut read = Vec::new();
    for table in tables {
        read.push(one(&table, usual_pairs, subject, catalogue));
        table.close();
    }
    let (choices, places): (Vec<_>, Vec<_>) = read.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
    subject.choices = choices;
    let refuse = |message: String, help: &str| {
        table.report(Diagnostic::error(message).at(table.place_of("choice"), "").help(help));
        None
    };
    let names = subject.names();
    if let Some((_, name)) = (names.iter().enumerate()).find(|(place, name)| names[..*place].contains(name)) {
        return refuse(
            format!("`{name}` is there twice"),
            "choices and parameters have names of their own",
        );
    }
    let mut counts = subject.choices.iter().map(|choice| choice.values.len() + 1);
    let Some(..=MOST_COMBINATIONS) = counts.try_fold(1_usize, usize::checked_mul) else {
        return refuse(
            format!("the choices have more than {MOST_COMBINATIONS} combinations"),
            "tune some of them now and the others in another run",
        );
    };
    let wrong = combination_that_fails(subject, &places).map(|wrong| table.report(wrong));
    wrong.is_none().then_some(())
}

/// What is wrong with the first combination of values that the engine cannot play, at the last of these values.
fn combination_that_fails(subject: &Subject, places: &[Vec<Range<usize>>]) -> Option<Diagnostic> {
    subject.combinations().find_map(|combination| {
        let chosen = || combination.iter().enumerate().filter(|(_, value)| **value > 0);
        let values = chosen().map(|(choice, value)| subject.choices[choice].value(*value));
        let values = values.collect::<Vec<_>>().join(",");
        let (choice, value) = chosen().next_back()?;
        let wrong = subject.with(&values).err()?;
        let message = format!("`{values}` together: {}", wrong.message);
        Some(Diagnostic { message, ..wrong }.at(places[choice][value - 1].clone(), ""))
    })
}

/// The choice of a table, and the places of its values.
fn one(
    table: &TomlTable<'_>,
    usual_pairs: u64,
    subject: &Subject,
    catalogue: &Catalogue<'_>,
) -> Option<(Choice, Vec<Range<usize>>)> {
    let name = table.require("name", table.text("name"));
    let is_named = name.is_some();
    let values = table.texts("values");
    if values.is_empty() && (is_named || !table.has("values")) {
        table.report(
            Diagnostic::error("a choice needs `values`")
                .at(table.span(), "what may be chosen?")
                .help("write `values = [\"research.ladder=full\", \"-killers\"]`: changes, as after an `@`; the start is always one of them"),
        );
    }
    let choice = table.right(|| {
        let pairs = table.integer("pairs", 1..=MAX_PAIRS as i64);
        let number = |key: &str| table.number(key, f64::MIN..=f64::MAX);
        Choice {
            name: name.map_or_else(String::new, |name| name.value),
            values: values.iter().map(|text| text.value.clone()).collect(),
            pairs: pairs.map_or(usual_pairs, |pairs| pairs as u64),
            elo: number("elo").unwrap_or(USUAL_ELO),
            alpha: number("alpha").unwrap_or(DEFAULT_ERROR),
        }
    })?;
    if values.is_empty() || !is_named {
        return None;
    }
    let race = (choice.race()).map_err(|error| Diagnostic::error(error.to_string()).at(table.span(), ""));
    let wrong = race.err().or_else(|| {
        values.iter().find_map(|value| {
            let wrong = check(&value.value, subject, catalogue).err()?;
            Some(wrong.at(value.span.clone(), ""))
        })
    });
    match wrong {
        None => Some((choice, values.into_iter().map(|value| value.span).collect())),
        Some(wrong) => {
            table.report(wrong);
            None
        }
    }
}

/// Refuses a value that the engine cannot play.
fn check(value: &str, subject: &Subject, catalogue: &Catalogue<'_>) -> Result<(), Diagnostic> {
    for item in value.split(',').map(str::trim) {
        let (place, change) = subject.place(item)?;
        let name = change.split_once('=').map_or("", |(name, _)| name.trim());
        let is_it = |parameter: &Parameter| parameter.name == name && parameter.place == place;
        if subject.parameters.iter().any(is_it) {
            let help = "name the parameters to tune in `[[parameter]]` tables, without this one";
            return Err(Diagnostic::error(format!("`{item}` changes a parameter that is tuned")).help(help));
        }
        if place == Place::Option {
            check_option(item, subject, catalogue)?;
        }
    }
    if let EntrantEngine::External {
        policy: Some(changed), ..
    } = subject.with(value)?
    {
        let parts = changed.parts_of_host();
        if subject
            .start
            .hosted_policy()
            .is_some_and(|start| start.parts_of_host() != parts)
        {
            return Err(
                Diagnostic::error(format!("`{value}` changes what a host plays in its own way"))
                    .help(format!("the host would have its own {}", parts.join(", and its own "))),
            );
        }
    }
    Ok(())
}

/// Refuses a change of an option that the program does not have, or that has no value at the start.
fn check_option(item: &str, subject: &Subject, catalogue: &Catalogue<'_>) -> Result<(), Diagnostic> {
    let Some((name, _)) = item.split_once('=') else {
        let error = Diagnostic::error(format!("`{item}` is not `Option=value`"));
        return Err(error.help("a program is changed by its options"));
    };
    let name = name.trim();
    let names = || catalogue.options.iter().map(|option| option.name.as_str());
    let Some(known) = names().find(|known| known.eq_ignore_ascii_case(name)) else {
        let error = Diagnostic::error(format!("the engine has no option `{name}`"));
        return Err(match nearest(name, names()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        });
    };
    // The option is sent again before each pair, also to the side with the start.
    let options = subject
        .start
        .external_engine()
        .map_or(&[][..], |engine| &engine.options);
    match options.iter().any(|(option, _)| option.eq_ignore_ascii_case(known)) {
        true => Ok(()),
        false => Err(
            Diagnostic::error(format!("nothing says what `{known}` is at the start"))
                .help(format!("give it in the engine's `options = {{ {known} = .. }}`")),
        ),
    }
}
