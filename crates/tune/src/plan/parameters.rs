//! The parameters of a tuning run in its file: `[[parameter]]`, lines of fishtest and OpenBench, or all that a policy
//! declares.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, TomlTable, nearest};
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration, ParameterKind};

use crate::fishtest;
use crate::parameter::Parameter;
use crate::subject::{Place, Subject};
use lmrlab_policy::policy::Policy;
use lmrlab_runner::player::uci::{DeclaredOption, HostedPolicy};
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};
use lmrlab_runner::tournament::resolve::Resolver;

/// The greatest number of parameters.
const MOST: usize = 256;

/// What the engine declares of a parameter. The file has to give the rest.
struct Known {
    /// Its name, without the prefix that it has as an option of the project's engine.
    name: String,
    place: Place,
    integer: bool,
    start: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
}

/// The parameters that an engine declares.
enum Catalogue<'e> {
    Own(&'e OwnEngine),
    /// A program with its options, and the policy that it plays as a host.
    External(Vec<DeclaredOption>, Option<&'e Policy>),
}

impl Known {
    /// The parameter with its declared values; `None` when its value or a bound is unknown.
    fn parameter(&self, r_end: Option<f64>) -> Option<Parameter> {
        let (start, min, max) = (self.start?, self.min?, self.max?);
        let usual = (max - min) / 20.0;
        Some(Parameter {
            name: self.name.clone(),
            integer: self.integer,
            start,
            min,
            max,
            step: self.step.unwrap_or(if self.integer { usual.max(1.0) } else { usual }),
            r_end,
        })
    }

    /// The key of the first bound outside the declared range, and the error.
    fn beyond(&self, name: &str, min: Option<f64>, max: Option<f64>) -> Option<(&'static str, Diagnostic)> {
        let (low, high) = (self.min.unwrap_or(f64::NEG_INFINITY), self.max.unwrap_or(f64::INFINITY));
        let key = match (min, max) {
            (Some(min), _) if min < low => "min",
            (_, Some(max)) if max > high => "max",
            _ => return None,
        };
        let error = Diagnostic::error(format!("`{name}` can only be from {low} to {high}"));
        Some((key, error))
    }
}

impl Catalogue<'_> {
    fn named(&self, name: &str) -> Option<Known> {
        match self {
            Self::Own(own) => {
                let (place, name) = Place::of_option(name);
                if let Some(known) = of_policy(&own.policy, name).filter(|_| place != Some(Place::Preset)) {
                    return Some(known);
                }
                let declared = Declaration::named(name).filter(|_| place != Some(Place::Policy))?;
                let ParameterKind::Integer { min, max } = declared.kind else {
                    return None;
                };
                Some(Known {
                    name: name.to_owned(),
                    place: Place::Preset,
                    integer: true,
                    start: own.preset.parameters.get(name).map(f64::from),
                    min: Some(f64::from(min)),
                    max: Some(f64::from(max)),
                    step: None,
                })
            }
            Self::External(options, policy) => {
                if let Some(known) = policy.and_then(|policy| of_policy(policy, name)) {
                    return Some(known);
                }
                let option = options.iter().find(|option| option.name.eq_ignore_ascii_case(name))?;
                let [start, min, max] = option.spin?.map(|number| number as f64);
                Some(Known {
                    name: name.to_owned(),
                    place: Place::Option,
                    integer: true,
                    start: Some(start),
                    min: Some(min),
                    max: Some(max),
                    step: None,
                })
            }
        }
    }

    /// The elements of a list of the policy; empty when it has no such list.
    fn elements(&self, list: &str) -> Vec<Known> {
        let policy = match self {
            Self::Own(own) => Some(&*own.policy),
            Self::External(_, policy) => *policy,
        };
        let all = policy.map_or(&[][..], Policy::parameters);
        let elements = all
            .iter()
            .filter(|parameter| parameter.is_element() && parameter.key() == list);
        elements
            .filter_map(|parameter| of_policy(policy?, &parameter.name))
            .collect()
    }

    fn names(&self) -> Vec<&str> {
        match self {
            Self::Own(own) => {
                let policy = own.policy.parameters().iter().map(|p| p.name.as_str());
                let integers = DECLARATIONS
                    .iter()
                    .filter(|d| matches!(d.kind, ParameterKind::Integer { .. }));
                policy.chain(integers.map(|d| d.name)).collect()
            }
            Self::External(options, policy) => {
                let policy = policy.iter().flat_map(|policy| policy.parameters());
                let spins = options.iter().filter(|option| option.spin.is_some());
                let spins = spins.map(|option| option.name.as_str());
                policy.map(|parameter| parameter.name.as_str()).chain(spins).collect()
            }
        }
    }

    /// The error for a parameter that does not exist.
    fn unknown(&self, name: &str, place: Range<usize>) -> Diagnostic {
        let names = self.names();
        let (message, all) = match self {
            Self::Own(_) => (
                format!("neither the policy nor the search preset has a parameter `{name}`"),
                "the parameters of policies are in their `[param]`, those of presets in crates/engine/src/search_parameters.rs",
            ),
            Self::External(_, None) => (
                format!("the engine has no spin option `{name}`"),
                "it declares its options when it is asked `uci`",
            ),
            Self::External(_, Some(_)) => (
                format!("the policy has no parameter `{name}`, and the engine has no such spin option"),
                "the parameters of policies are in their `[param]`; an engine declares its options when it is asked `uci`",
            ),
        };
        let help = nearest(name, names.iter().copied())
            .map_or_else(|| all.to_owned(), |near| format!("did you mean `{near}`?"));
        Diagnostic::error(message).at(place, "unknown").help(help)
    }
}

/// What a policy declares of its parameter.
fn of_policy(policy: &Policy, name: &str) -> Option<Known> {
    let parameter = policy.parameters().iter().find(|parameter| parameter.name == name)?;
    Some(Known {
        name: name.to_owned(),
        place: Place::Policy,
        integer: false,
        start: Some(parameter.value),
        min: Some(parameter.min),
        max: Some(parameter.max),
        step: Some(parameter.step),
    })
}

/// The parameters that are tuned of an engine.
pub(super) fn subject(table: &TomlTable<'_>, start: Entrant, resolver: &Resolver<'_>) -> Option<Subject> {
    let listed = table.tables("parameter");
    let lines = table.texts("lines");
    if listed.is_empty() && lines.is_empty() && (table.has("parameter") || table.has("lines")) {
        return None;
    }
    let catalogue = match &start.engine {
        EntrantEngine::Own(own) => Catalogue::Own(own),
        EntrantEngine::External { engine, policy, .. } => match resolver.declared_options(&start.name, engine) {
            Ok(options) => Catalogue::External(options, policy.as_ref().map(HostedPolicy::policy)),
            Err(error) => {
                table.report(
                    Diagnostic::error(format!("the engine `{}` {}", start.name, error.what))
                        .at(table.place_of("engine"), "cannot be asked for its options")
                        .help(error.details),
                );
                return None;
            }
        },
    };
    let mut found: Vec<Option<(Parameter, Place)>> = Vec::new();
    let numbers = table.boolean("numbers");
    if table.has("numbers") && numbers.is_none() {
        return None;
    }
    let none = numbers == Some(false);
    if none && !(listed.is_empty() && lines.is_empty()) {
        table.report(
            Diagnostic::error("`numbers = false`, and parameters are named")
                .at(table.place_of("numbers"), "are they to be tuned or not?")
                .help("remove this key, or the parameters"),
        );
        return None;
    }
    let all = !none && !table.has("idea") && listed.is_empty() && lines.is_empty();
    for listed in listed {
        match listed_parameters(&listed, &catalogue) {
            Some(parameters) => found.extend(parameters.into_iter().map(Some)),
            None => found.push(None),
        }
        listed.close();
    }
    for line in lines {
        found.push(read_line(table, &line.value, line.span, &catalogue));
    }
    let of_policy = match &catalogue {
        Catalogue::Own(own) => Some(&*own.policy),
        Catalogue::External(_, policy) => *policy,
    };
    if all && let Some(policy) = of_policy {
        for parameter in policy.parameters() {
            let known = catalogue.named(&parameter.name)?;
            found.push(finish(table, &known, None, table.place_of("engine")));
        }
    }
    let found: Vec<(Parameter, Place)> = found.into_iter().collect::<Option<_>>()?;
    let twice = found.iter().enumerate().find_map(|(index, (parameter, _))| {
        let mut earlier = found[..index].iter();
        earlier
            .any(|(other, _)| other.name == parameter.name)
            .then_some(&parameter.name)
    });
    if let Some(name) = twice {
        let place = table.place_of(if table.has("parameter") { "parameter" } else { "lines" });
        let error = Diagnostic::error(format!("`{name}` is there twice")).at(place, "");
        table.report(error.help("a parameter is tuned once"));
        return None;
    }
    let nothing = found.is_empty() && !table.has("choice") && !table.has("idea");
    if nothing || found.len() > MOST {
        let (message, help) = if nothing {
            (
                "there is nothing to tune".to_owned(),
                "declare parameters in the policy's `[param]`, or name some in `[[parameter]]` tables".to_owned(),
            )
        } else {
            (
                format!("{} parameters are too many", found.len()),
                format!("name up to {MOST} of them in `[[parameter]]` tables"),
            )
        };
        table.report(Diagnostic::error(message).at(table.place_of("engine"), "").help(help));
        return None;
    }
    let (parameters, places) = found.into_iter().unzip();
    Some(Subject {
        start,
        parameters,
        places,
        choices: Vec::new(),
        variants: Vec::new(),
        ideas: Vec::new(),
    })
}

/// The parameters of a `[[parameter]]` table: one, or all elements of a list.
fn listed_parameters(table: &TomlTable<'_>, catalogue: &Catalogue<'_>) -> Option<Vec<(Parameter, Place)>> {
    let any = -1e9..=1e9;
    let name = table.require("name", table.text("name"));
    let mut wrong = false;
    let mut number = |key: &str| {
        let value = table.number(key, any.clone());
        wrong |= table.has(key) && value.is_none();
        value
    };
    let given = [number("start"), number("min"), number("max"), number("step")];
    let r_end = number("r_end");
    let name = name?;
    let known: Vec<Known> = match catalogue.named(&name.value) {
        Some(known) => vec![known],
        None => catalogue.elements(&name.value),
    };
    if known.is_empty() {
        table.report(catalogue.unknown(&name.value, name.span));
        return None;
    }
    if wrong {
        return None;
    }
    let one = |known| bounded(table, &name.value, known, given, r_end);
    known.into_iter().map(one).collect()
}

/// A parameter with the start, the bounds and the step of the file; `name` is the name in the file.
fn bounded(
    table: &TomlTable<'_>,
    name: &str,
    mut known: Known,
    [start, min, max, step]: [Option<f64>; 4],
    r_end: Option<f64>,
) -> Option<(Parameter, Place)> {
    if let Some((key, error)) = known.beyond(name, min, max) {
        table.report(error.at(table.place_of_value(key), "outside of what the engine allows"));
        return None;
    }
    known.start = start.or(known.start);
    known.min = min.or(known.min);
    known.max = max.or(known.max);
    known.step = step.or(known.step);
    finish(table, &known, r_end, table.span())
}

fn read_line(
    table: &TomlTable<'_>,
    line: &str,
    place: Range<usize>,
    catalogue: &Catalogue<'_>,
) -> Option<(Parameter, Place)> {
    let refuse = |diagnostic: Diagnostic| {
        table.report(diagnostic);
        None
    };
    let mut parameter = match fishtest::parse(line) {
        Ok(parameter) => parameter,
        Err(wrong) => {
            return refuse(
                Diagnostic::error(wrong)
                    .at(place, "a line of fishtest or OpenBench is needed")
                    .help(format!("its columns are `{}`", fishtest::COLUMNS)),
            );
        }
    };
    let Some(known) = catalogue.named(&parameter.name) else {
        return refuse(catalogue.unknown(&parameter.name, place));
    };
    if known.integer && !parameter.integer {
        return refuse(
            Diagnostic::error(format!("`{}` has whole values only", parameter.name)).at(place, "its type is `int`"),
        );
    }
    if let Some((_, error)) = known.beyond(&parameter.name, Some(parameter.min), Some(parameter.max)) {
        return refuse(error.at(place, "its bounds are wider"));
    }
    parameter.name = known.name;
    Some((parameter, known.place))
}

/// A parameter from what the engine and the file give together.
fn finish(table: &TomlTable<'_>, known: &Known, r_end: Option<f64>, place: Range<usize>) -> Option<(Parameter, Place)> {
    let name = &known.name;
    let Some(parameter) = known.parameter(r_end) else {
        table.report(
            Diagnostic::error(format!("the parameter `{name}` has no bounds"))
                .at(place, "`start`, `min` and `max` are needed"),
        );
        return None;
    };
    if let Err(wrong) = parameter.check() {
        table.report(Diagnostic::error(format!("the parameter `{name}` {wrong}")).at(place, ""));
        return None;
    }
    Some((parameter, known.place))
}
