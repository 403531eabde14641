//! The choices of a tuning run: `[[choice]]` tables, and the engine with every combination of their values.

use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostic, Text, TomlTable, nearest};
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::TABLES;

use super::{Budget, or};
use crate::subject::choice::Choice;
use crate::subject::parameter::Parameter;
use crate::subject::{Subject, with_changes};
use lmrlab_runner::player::uci::external::ExternalEngine;
use lmrlab_runner::tournament::defaults::{DEFAULT_ERROR, MAX_PAIRS};
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine};
use lmrlab_runner::tournament::resolve::Resolver;

/// The greatest number of combinations of values. All of them are checked before anything is played.
const MOST_COMBINATIONS: usize = 256;
/// The default number of pairs of a race, when the budget is a time.
const USUAL_PAIRS: u64 = 1500;
/// The default difference in normalized Elo that a race looks for.
const USUAL_ELO: f64 = 10.0;

/// Reads the choices and adds them to what is tuned.
pub(super) fn choices(
    table: &TomlTable<'_>,
    subject: &mut Subject,
    budget: Budget,
    resolver: &Resolver<'_>,
) -> Option<()> {
    let tables = table.tables("choice");
    if tables.is_empty() {
        return (!table.has("choice")).then_some(());
    }
    // Half of the budget is left for the numbers.
    let usual_pairs = match budget {
        Budget::Pairs(pairs) => (pairs / (2 * tables.len() as u64)).max(1),
        Budget::Time(_) => USUAL_PAIRS,
    };
    let mut read = Vec::new();
    for table in tables {
        read.push(one(&table, usual_pairs));
        table.close();
    }
    let read: Vec<(Choice, Vec<Text>)> = read.into_iter().collect::<Option<_>>()?;
    let refuse = |message: String, help: &str| {
        table.report(Diagnostic::error(message).at(table.place_of("choice"), "").help(help));
        None
    };
    let mut names: Vec<&str> = subject.parameters.iter().map(|parameter| &*parameter.name).collect();
    for (choice, _) in &read {
        if names.contains(&&*choice.name) {
            return refuse(
                format!("`{}` is there twice", choice.name),
                "choices and parameters have names of their own",
            );
        }
        names.push(&choice.name);
    }
    let counts = read.iter().map(|(choice, _)| choice.values.len() + 1);
    let combinations = counts.clone().try_fold(1_usize, usize::checked_mul);
    let Some(combinations) = combinations.filter(|all| *all <= MOST_COMBINATIONS) else {
        return refuse(
            format!("the choices have more than {MOST_COMBINATIONS} combinations"),
            "tune some of them now and the others in another run",
        );
    };
    for mut combination in 0..combinations {
        let mut chosen: Vec<&Text> = Vec::new();
        for (count, (_, texts)) in counts.clone().zip(&read) {
            chosen.extend((combination % count).checked_sub(1).map(|index| &texts[index]));
            combination /= count;
        }
        match variant(&subject.start, &chosen, &subject.parameters, resolver) {
            Ok(engine) => subject.variants.push(engine),
            Err((message, help)) => {
                let place = chosen.last().map_or(table.place_of("choice"), |text| text.span.clone());
                let diagnostic = Diagnostic::error(message).at(place, "");
                table.report(match help {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                });
                return None;
            }
        }
    }
    subject.choices = read.into_iter().map(|(choice, _)| choice).collect();
    Some(())
}

/// A choice, and the places of its values.
fn one(table: &TomlTable<'_>, usual_pairs: u64) -> Option<(Choice, Vec<Text>)> {
    let name = table.require("name", table.text("name"));
    let values = table.texts("values");
    if values.is_empty() && !(table.has("values") && name.is_none()) {
        table.report(
            Diagnostic::error("a choice needs `values`")
                .at(table.span(), "what may be chosen?")
                .help("write `values = [\"research.ladder=full\", \"-killers\"]`: changes, as after an `@`; the start is always one of them"),
        );
    }
    let pairs = table.integer("pairs", 1..=MAX_PAIRS as i64).map(|pairs| pairs as u64);
    let pairs = or(table, "pairs", pairs, usual_pairs);
    let elo = or(table, "elo", table.number("elo", f64::MIN..=f64::MAX), USUAL_ELO);
    let alpha = or(
        table,
        "alpha",
        table.number("alpha", f64::MIN..=f64::MAX),
        DEFAULT_ERROR,
    );
    let choice = Choice {
        name: name?.value,
        values: values.iter().map(|text| text.value.clone()).collect(),
        pairs: pairs?,
        elo: elo?,
        alpha: alpha?,
    };
    if values.is_empty() {
        return None;
    }
    if let Err(error) = choice.race() {
        table.report(Diagnostic::error(error.to_string()).at(table.span(), ""));
        return None;
    }
    Some((choice, values))
}

/// What is wrong, and what would be right.
type Wrong = (String, Option<String>);

/// The engine with some changes.
fn variant(
    start: &Entrant,
    chosen: &[&Text],
    parameters: &[Parameter],
    resolver: &Resolver<'_>,
) -> Result<EntrantEngine, Wrong> {
    let values = chosen.iter().map(|text| text.value.as_str());
    let (mut of_policy, mut others) = (Vec::new(), Vec::new());
    for item in values.flat_map(|value| value.split(',')).map(str::trim) {
        let name = item.split_once('=').map_or("", |(name, _)| name.trim());
        if parameters.iter().any(|parameter| parameter.name == name) {
            return Err((
                format!("`{item}` changes a parameter that is tuned"),
                Some("name the parameters to tune in `[[parameter]]` tables, without this one".to_owned()),
            ));
        }
        match is_of_policy(item, &start.engine)? {
            true => of_policy.push(item.to_owned()),
            false => others.push(item.to_owned()),
        }
    }
    match &start.engine {
        EntrantEngine::Own(own) => {
            let preset = with_changes(&own.preset_reference, &others);
            let policy = with_changes(&own.policy_reference, &of_policy);
            let engine = resolver.own_engine(&preset, &policy, own.ordering);
            engine
                .map(|(engine, _)| EntrantEngine::Own(engine))
                .map_err(|mut reports| first_of(reports.pop().map_or_else(Vec::new, |(_, report)| report.list)))
        }
        EntrantEngine::External {
            command,
            engine,
            policy,
        } => {
            let policy = match policy {
                Some(policy) if !of_policy.is_empty() => {
                    let reference = with_changes(policy.reference(), &of_policy);
                    let changed = resolver.hosted_policy(&reference);
                    let (changed, _) = changed.map_err(|report| first_of(report.list))?;
                    if changed.parts_of_host() != policy.parts_of_host() {
                        return Err((
                            format!("`{}` changes what a host plays in its own way", of_policy.join(",")),
                            Some(format!(
                                "the host would have its own {}",
                                changed.parts_of_host().join(", and its own ")
                            )),
                        ));
                    }
                    Some(changed)
                }
                policy => policy.clone(),
            };
            let mut engine = engine.clone();
            for item in &others {
                set_option(&mut engine, &start.name, item, resolver)?;
            }
            Ok(EntrantEngine::External {
                command: command.clone(),
                engine,
                policy,
            })
        }
    }
}

/// Changes an option of a program.
fn set_option(
    engine: &mut Arc<ExternalEngine>,
    name_of_engine: &str,
    item: &str,
    resolver: &Resolver<'_>,
) -> Result<(), Wrong> {
    let Some((name, value)) = item.split_once('=') else {
        return Err((
            format!("`{item}` is not `Option=value`"),
            Some("a program is changed by its options".to_owned()),
        ));
    };
    let declared = resolver
        .declared_options(name_of_engine, engine)
        .map_err(|error| (format!("the engine {}", error.what), Some(error.details)))?;
    let names = || declared.iter().map(|option| option.name.as_str());
    let Some(known) = names().find(|known| known.eq_ignore_ascii_case(name.trim())) else {
        return Err((
            format!("the engine has no option `{}`", name.trim()),
            nearest(name, names()).map(|near| format!("did you mean `{near}`?")),
        ));
    };
    let options = &mut Arc::make_mut(engine).options;
    // The option is sent again before each pair, also to the side with the start.
    let Some(option) = options
        .iter()
        .position(|(option, _)| option.eq_ignore_ascii_case(known))
    else {
        return Err((
            format!("nothing says what `{known}` is at the start"),
            Some(format!("give it in the engine's `options = {{ {known} = .. }}`")),
        ));
    };
    options.remove(option);
    options.push((known.to_owned(), value.trim().to_owned()));
    Ok(())
}

/// The first error of a file.
fn first_of(report: Vec<Diagnostic>) -> Wrong {
    let first = report.into_iter().next();
    first.map_or_else(
        || ("this cannot be chosen".to_owned(), None),
        |wrong| (wrong.message, wrong.help),
    )
}

/// Whether a change is one of the policy. Otherwise it is one of the preset, or an option of a program.
fn is_of_policy(item: &str, engine: &EntrantEngine) -> Result<bool, Wrong> {
    let switch = item.strip_prefix(['-', '+']);
    let name = switch
        .or(item.split_once('=').map(|(name, _)| name))
        .unwrap_or_default()
        .trim();
    let is_table_key = name.split_once('.').is_some_and(|(table, _)| TABLES.contains(&table));
    let is_parameter = |policy: &Policy| policy.parameters().iter().any(|parameter| parameter.name == name);
    let own = match engine {
        EntrantEngine::Own(own) => own,
        EntrantEngine::External { policy: None, .. } => return Ok(false),
        EntrantEngine::External {
            policy: Some(policy), ..
        } => {
            return Ok(switch.is_some() || is_table_key || is_parameter(policy.policy()));
        }
    };
    if name.is_empty() {
        return Err((
            format!("`{item}` is not a change"),
            Some(
                "changes are `-rule`, `+rule`, `-switch`, `+switch`, `name=value` and `table.key=value`, with commas between them"
                    .to_owned(),
            ),
        ));
    }
    let rules = own.policy.rules().iter().map(|rule| rule.name.as_str());
    let parameters = own.policy.parameters().iter().map(|parameter| parameter.name.as_str());
    let (kind, known): (_, Vec<&str>) = match switch.is_some() {
        true => ("rule", rules.collect()),
        false => ("parameter", parameters.collect()),
    };
    if name.contains('.') || known.contains(&name) {
        return Ok(true);
    }
    if Declaration::named(name).is_some() {
        return Ok(false);
    }
    let of_preset = DECLARATIONS.iter().map(|declaration| declaration.name);
    let near = nearest(name, known.into_iter().chain(of_preset).chain(TABLES));
    Err((
        format!("the policy has no {kind} `{name}`, and the search preset has no such parameter"),
        near.map(|near| format!("did you mean `{near}`?")),
    ))
}
