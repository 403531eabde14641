//! The choices of a tuning run: `[[choice]]` tables, and the engine with every combination of their values.

use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Text, TomlTable, nearest};
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::TABLES;

use super::Budget;
use crate::choice::Choice;
use crate::parameter::Parameter;
use crate::subject::{Subject, with_changes};
use lmrlab_runner::tournament::defaults::{DEFAULT_ERROR, MAX_PAIRS};
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};
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
    for table in &tables {
        read.push(one(table, usual_pairs));
    }
    let places: Vec<Vec<Text>> = tables.iter().map(|table| table.texts("values")).collect();
    for table in tables {
        table.close();
    }
    let read: Vec<Choice> = read.into_iter().collect::<Option<_>>()?;
    let refuse = |message: String, help: &str| {
        table.report(Diagnostic::error(message).at(table.place_of("choice"), "").help(help));
        None
    };
    for (index, choice) in read.iter().enumerate() {
        let earlier = read[..index].iter().map(|choice| &choice.name);
        let mut names = earlier.chain(subject.parameters.iter().map(|p| &p.name));
        if names.any(|name| *name == choice.name) {
            return refuse(
                format!("`{}` is there twice", choice.name),
                "choices and parameters have names of their own",
            );
        }
    }
    let combinations = read
        .iter()
        .try_fold(1_usize, |all, choice| all.checked_mul(choice.values.len() + 1))
        .filter(|all| *all <= MOST_COMBINATIONS);
    let Some(combinations) = combinations else {
        return refuse(
            format!("the choices have more than {MOST_COMBINATIONS} combinations"),
            "tune some of them now and the others in another run",
        );
    };
    let start = subject.start.clone();
    let mut variants = Vec::with_capacity(combinations);
    for combination in 0..combinations {
        let mut rest = combination;
        let mut chosen: Vec<&Text> = Vec::new();
        for (choice, texts) in read.iter().zip(&places) {
            let base = choice.values.len() + 1;
            if let Some(index) = (rest % base).checked_sub(1) {
                chosen.push(&texts[index]);
            }
            rest /= base;
        }
        match variant(&start, &chosen, &subject.parameters, resolver) {
            Ok(engine) => variants.push(engine),
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
    subject.choices = read;
    subject.variants = variants;
    Some(())
}

fn one(table: &TomlTable<'_>, usual_pairs: u64) -> Option<Choice> {
    let name = table.require("name", table.text("name"));
    let values = table.texts("values");
    if values.is_empty() && !(table.has("values") && name.is_none()) {
        table.report(
            Diagnostic::error("a choice needs `values`")
                .at(table.span(), "what may be chosen?")
                .help("write `values = [\"research.ladder=full\", \"-killers\"]`: changes, as after an `@`; the start is always one of them"),
        );
    }
    let mut wrong = values.is_empty();
    let pairs = table.integer("pairs", 1..=MAX_PAIRS as i64);
    let elo = table.number("elo", f64::MIN..=f64::MAX);
    let alpha = table.number("alpha", f64::MIN..=f64::MAX);
    for (key, found) in [
        ("pairs", pairs.is_some()),
        ("elo", elo.is_some()),
        ("alpha", alpha.is_some()),
    ] {
        wrong |= table.has(key) && !found;
    }
    let choice = Choice {
        name: name?.value,
        values: values.into_iter().map(|text| text.value).collect(),
        pairs: pairs.map_or(usual_pairs, |pairs| pairs as u64),
        elo: elo.unwrap_or(USUAL_ELO),
        alpha: alpha.unwrap_or(DEFAULT_ERROR),
    };
    if wrong {
        return None;
    }
    if let Err(error) = choice.race() {
        table.report(Diagnostic::error(error.to_string()).at(table.span(), ""));
        return None;
    }
    Some(choice)
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
    let items = || {
        let values = chosen.iter().map(|text| text.value.as_str());
        values.flat_map(|value| value.split(',')).map(str::trim)
    };
    for item in items() {
        let name = item.split_once('=').map_or("", |(name, _)| name.trim());
        if parameters.iter().any(|parameter| parameter.name == name) {
            return Err((
                format!("`{item}` changes a parameter that is tuned"),
                Some("name the parameters to tune in `[[parameter]]` tables, without this one".to_owned()),
            ));
        }
    }
    match &start.engine {
        EntrantEngine::Own(own) => {
            let (mut policy, mut preset) = (Vec::new(), Vec::new());
            for item in items() {
                if is_of_policy(item, own)? {
                    policy.push(item.to_owned());
                } else {
                    preset.push(item.to_owned());
                }
            }
            let preset = with_changes(&own.preset_reference, &preset);
            let policy = with_changes(&own.policy_reference, &policy);
            let engine = resolver.own_engine(&preset, &policy, own.ordering);
            engine
                .map(|(engine, _)| EntrantEngine::Own(engine))
                .map_err(|unusable| {
                    let report = unusable.policy.or(unusable.preset);
                    report.map_or_else(
                        || ("this cannot be chosen".to_owned(), None),
                        |report| first_of(*report),
                    )
                })
        }
        EntrantEngine::External {
            command,
            engine,
            policy,
        } => {
            let mut engine = engine.clone();
            let is_of_policy = |item: &&str| {
                policy
                    .as_ref()
                    .is_some_and(|policy| changes_policy(item, policy.policy()))
            };
            let (of_policy, of_options): (Vec<&str>, Vec<&str>) = items().partition(is_of_policy);
            let policy = match policy {
                Some(policy) if !of_policy.is_empty() => {
                    let changes: Vec<String> = of_policy.into_iter().map(str::to_owned).collect();
                    let reference = with_changes(policy.reference(), &changes);
                    let (changed, _) = resolver.hosted_policy(&reference).map_err(first_of)?;
                    if changed.parts_of_host() != policy.parts_of_host() {
                        return Err((
                            format!("`{}` changes what a host plays in its own way", changes.join(",")),
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
            for item in of_options {
                let Some((name, value)) = item.split_once('=') else {
                    return Err((
                        format!("`{item}` is not `Option=value`"),
                        Some("a program is changed by its options".to_owned()),
                    ));
                };
                let declared = resolver
                    .declared_options(&start.name, &engine)
                    .map_err(|error| (format!("the engine {}", error.what), Some(error.details)))?;
                let names = || declared.iter().map(|option| option.name.as_str());
                let Some(known) = names().find(|known| known.eq_ignore_ascii_case(name.trim())) else {
                    return Err((
                        format!("the engine has no option `{}`", name.trim()),
                        nearest(name, names()).map(|near| format!("did you mean `{near}`?")),
                    ));
                };
                // The option is sent again before each pair, also to the side with the start.
                let named = |(option, _): &(String, String)| option.eq_ignore_ascii_case(known);
                if !engine.options.iter().any(named) {
                    return Err((
                        format!("nothing says what `{known}` is at the start"),
                        Some(format!("give it in the engine's `options = {{ {known} = .. }}`")),
                    ));
                }
                let options = &mut Arc::make_mut(&mut engine).options;
                options.retain(|(option, _)| !option.eq_ignore_ascii_case(known));
                options.push((known.to_owned(), value.trim().to_owned()));
            }
            Ok(EntrantEngine::External {
                command: command.clone(),
                engine,
                policy,
            })
        }
    }
}

/// The first error of a file.
fn first_of(report: Diagnostics) -> Wrong {
    let first = report.list.into_iter().next();
    first.map_or_else(
        || ("this cannot be chosen".to_owned(), None),
        |wrong| (wrong.message, wrong.help),
    )
}

/// Whether a change for a host is one of its policy. Otherwise it is an option.
fn changes_policy(item: &str, policy: &Policy) -> bool {
    let name = item.split_once('=').map_or("", |(name, _)| name.trim());
    item.starts_with(['-', '+'])
        || policy.parameters().iter().any(|parameter| parameter.name == name)
        || name.split_once('.').is_some_and(|(table, _)| TABLES.contains(&table))
}

/// Whether a change is one of the policy. Otherwise it is one of the preset.
fn is_of_policy(item: &str, own: &OwnEngine) -> Result<bool, Wrong> {
    let switch = item.strip_prefix(['-', '+']);
    let name = match (switch, item.split_once('=')) {
        (Some(name), _) | (None, Some((name, _))) => name.trim(),
        (None, None) => {
            return Err((
                format!("`{item}` is not a change"),
                Some(
                    "changes are `-rule`, `+rule`, `-switch`, `+switch`, `name=value` and `table.key=value`, with commas between them"
                        .to_owned(),
                ),
            ));
        }
    };
    let of_policy: Vec<&str> = if switch.is_some() {
        own.policy.rules().iter().map(|rule| rule.name.as_str()).collect()
    } else {
        own.policy.parameters().iter().map(|p| p.name.as_str()).collect()
    };
    if name.contains('.') || of_policy.contains(&name) {
        return Ok(true);
    }
    let of_preset = DECLARATIONS.iter().map(|declaration| declaration.name);
    if Declaration::named(name).is_some() {
        return Ok(false);
    }
    let kind = if switch.is_some() { "rule" } else { "parameter" };
    let near = nearest(name, of_policy.into_iter().chain(of_preset).chain(TABLES));
    Err((
        format!("the policy has no {kind} `{name}`, and the search preset has no such parameter"),
        near.map(|near| format!("did you mean `{near}`?")),
    ))
}
