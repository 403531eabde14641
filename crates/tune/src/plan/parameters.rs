//! The parameters of a tuning run in its file: `[[parameter]]`, lines of fishtest and OpenBench, or all that a policy
//! declares.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, TomlTable, nearest};
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration, ParameterKind};

use crate::subject::fishtest;
use crate::subject::parameter::{Parameter, Place};
use crate::subject::policy_of;
use lmrlab_policy::parameter as declared;
use lmrlab_runner::player::uci::DeclaredOption;
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_runner::tournament::resolve::Resolver;

/// The greatest number of parameters.
const MOST: usize = 256;

/// The parameters that an engine declares.
pub(super) struct Catalogue<'e> {
    start: &'e Entrant,
    /// The options of a program.
    pub(super) options: Vec<DeclaredOption>,
}

impl<'e> Catalogue<'e> {
    /// Asks a program for its options; `None` when it does not say them.
    pub(super) fn of(table: &TomlTable<'_>, start: &'e Entrant, resolver: &Resolver<'_>) -> Option<Self> {
        let declared = (start.external_engine()).map(|engine| resolver.declared_options(&start.name, engine));
        let options = declared.unwrap_or_else(|| Ok(Vec::new())).map_err(|error| {
            table.report(
                Diagnostic::error(format!("the engine `{}` {}", start.name, error.what))
                    .at(table.place_of("engine"), "cannot be asked for its options")
                    .help(error.details),
            );
        });
        let options = options.ok()?;
        Some(Self { start, options })
    }

    /// The parameters of the policy.
    fn of_policy(&self) -> &'e [declared::Parameter] {
        policy_of(&self.start.engine).map_or(&[], |(policy, _)| policy.parameters())
    }

    /// A parameter as the engine declares it.
    fn named(&self, name: &str) -> Option<Parameter> {
        let (place, name) = match self.start.own() {
            Some(_) => Place::of_option(name),
            None => (None, name),
        };
        let mut of_policy = self.of_policy().iter().filter(|_| place != Some(Place::Preset));
        if let Some(parameter) = of_policy.find(|parameter| parameter.name == name) {
            return Some(of_policy_parameter(parameter));
        }
        let Some(own) = self.start.own() else {
            let mut options = self.options.iter();
            let option = options.find(|option| option.name.eq_ignore_ascii_case(name))?;
            return Some(whole(name, Place::Option, option.spin?.map(|number| number as f64)));
        };
        let declared = Declaration::named(name).filter(|_| place != Some(Place::Policy))?;
        let ParameterKind::Integer { min, max } = declared.kind else {
            return None;
        };
        let start = own.preset.parameters.get(name)?;
        Some(whole(name, Place::Preset, [start, min, max].map(f64::from)))
    }

    /// The parameter of this name, or the elements of a list of the policy. Empty when there is none.
    fn all_named(&self, name: &str) -> Vec<Parameter> {
        if let Some(parameter) = self.named(name) {
            return vec![parameter];
        }
        let all = self.of_policy().iter();
        all.filter(|parameter| parameter.is_element() && parameter.key() == name)
            .map(of_policy_parameter)
            .collect()
    }

    /// The error for a parameter that does not exist.
    fn unknown(&self, name: &str, place: Range<usize>) -> Diagnostic {
        const OF_POLICIES: &str = "the parameters of policies are in their `[param]`";
        const OF_PRESETS: &str = "those of presets in crates/engine/src/search_parameters.rs";
        const OF_PROGRAMS: &str = "an engine declares its options when it is asked `uci`";
        let is_own = self.start.own().is_some();
        let (message, all) = match policy_of(&self.start.engine).is_some() {
            true if is_own => (
                format!("neither the policy nor the search preset has a parameter `{name}`"),
                format!("{OF_POLICIES}, {OF_PRESETS}"),
            ),
            true => (
                format!("the policy has no parameter `{name}`, and the engine has no such spin option"),
                format!("{OF_POLICIES}; {OF_PROGRAMS}"),
            ),
            false => (
                format!("the engine has no spin option `{name}`"),
                OF_PROGRAMS.replace("an engine", "it"),
            ),
        };
        let of_preset = DECLARATIONS.iter().filter(|declared| {
            let is_integer = matches!(declared.kind, ParameterKind::Integer { .. });
            is_own && is_integer
        });
        let spins = self.options.iter().filter(|option| option.spin.is_some());
        let names = self.of_policy().iter().map(|parameter| parameter.name.as_str());
        let names = names.chain(of_preset.map(|declared| declared.name));
        let near = nearest(name, names.chain(spins.map(|option| option.name.as_str())));
        let help = near.map_or(all, |near| format!("did you mean `{near}`?"));
        Diagnostic::error(message).at(place, "unknown").help(help)
    }
}

/// What a policy declares of its parameter.
fn of_policy_parameter(declared: &declared::Parameter) -> Parameter {
    Parameter {
        name: declared.name.clone(),
        place: Place::Policy,
        integer: false,
        start: declared.value,
        min: declared.min,
        max: declared.max,
        step: declared.step,
        r_end: None,
    }
}

/// A parameter with whole values.
fn whole(name: &str, place: Place, [start, min, max]: [f64; 3]) -> Parameter {
    Parameter {
        name: name.to_owned(),
        place,
        integer: true,
        start,
        min,
        max,
        step: whole_step(min, max),
        r_end: None,
    }
}

/// The step of whole values between these bounds when none is declared.
fn whole_step(min: f64, max: f64) -> f64 {
    ((max - min) / 20.0).max(1.0)
}

/// The parameters that are tuned of an engine.
pub(super) fn parameters(table: &TomlTable<'_>, catalogue: &Catalogue<'_>) -> Option<Vec<Parameter>> {
    let listed = table.tables("parameter");
    let lines = table.texts("lines");
    let is_named = !listed.is_empty() || !lines.is_empty();
    if !is_named && (table.has("parameter") || table.has("lines")) {
        return None;
    }
    let refuse = |key: &str, message: String, help: String| {
        table.report(Diagnostic::error(message).at(table.place_of(key), "").help(help));
        None
    };
    let mut found: Vec<Option<Vec<Parameter>>> = Vec::new();
    for listed in listed {
        found.push(listed_parameters(&listed, catalogue));
        listed.close();
    }
    for line in lines {
        found.push(read_line(table, &line.value, line.span, catalogue).map(|parameter| vec![parameter]));
    }
    if !is_named && !table.has("idea") {
        let declared = catalogue.of_policy().iter();
        let checked = |parameter| checked(table, parameter, table.place_of("engine"));
        found.push(declared.map(of_policy_parameter).map(checked).collect());
    }
    let found: Vec<Parameter> = found.into_iter().collect::<Option<Vec<_>>>()?.concat();
    let mut places = found.iter().enumerate();
    let twice = places.find(|(index, one)| found[..*index].iter().any(|other| other.name == one.name));
    if let Some((_, parameter)) = twice {
        let key = if table.has("parameter") { "parameter" } else { "lines" };
        let message = format!("`{}` is there twice", parameter.name);
        return refuse(key, message, "a parameter is tuned once".to_owned());
    }
    if found.is_empty() && !table.has("idea") {
        let help = "declare parameters in the policy's `[param]`, or name some in `[[parameter]]` tables";
        return refuse("engine", "there is nothing to tune".to_owned(), help.to_owned());
    }
    if found.len() > MOST {
        let help = format!("name up to {MOST} of them in `[[parameter]]` tables");
        return refuse("engine", format!("{} parameters are too many", found.len()), help);
    }
    Some(found)
}

/// The parameters of a `[[parameter]]` table, one or all elements of a list, with the numbers of the file.
fn listed_parameters(table: &TomlTable<'_>, catalogue: &Catalogue<'_>) -> Option<Vec<Parameter>> {
    let name = table.require("name", table.text("name"));
    let keys = ["start", "min", "max", "step", "r_end"];
    let numbers = table.right(|| keys.map(|key| table.number(key, -1e9..=1e9)));
    let name = name?;
    let known = catalogue.all_named(&name.value);
    if known.is_empty() {
        table.report(catalogue.unknown(&name.value, name.span));
        return None;
    }
    let [start, min, max, step, r_end] = numbers?;
    let one = |known: Parameter| {
        if let Some((key, error)) = beyond(&known, &name.value, min, max) {
            table.report(error.at(table.place_of_value(key), "outside of what the engine allows"));
            return None;
        }
        let (min, max) = (min.unwrap_or(known.min), max.unwrap_or(known.max));
        // Engines declare no step: it follows the bounds of the file.
        let usual = if known.integer {
            whole_step(min, max)
        } else {
            known.step
        };
        let parameter = Parameter {
            start: start.unwrap_or(known.start),
            min,
            max,
            step: step.unwrap_or(usual),
            r_end,
            ..known
        };
        checked(table, parameter, table.span())
    };
    known.into_iter().map(one).collect()
}

/// The key of the first bound outside the declared range, and the error.
fn beyond(declared: &Parameter, name: &str, min: Option<f64>, max: Option<f64>) -> Option<(&'static str, Diagnostic)> {
    let (low, high) = (declared.min, declared.max);
    let key = match (min, max) {
        (Some(min), _) if min < low => "min",
        (_, Some(max)) if max > high => "max",
        _ => return None,
    };
    Some((
        key,
        Diagnostic::error(format!("`{name}` can only be from {low} to {high}")),
    ))
}

fn read_line(table: &TomlTable<'_>, line: &str, place: Range<usize>, catalogue: &Catalogue<'_>) -> Option<Parameter> {
    let read = fishtest::parse(line).map_err(|wrong| {
        Diagnostic::error(wrong)
            .at(place.clone(), "a line of fishtest or OpenBench is needed")
            .help(format!("its columns are `{}`", fishtest::COLUMNS))
    });
    let known = read.and_then(|parameter| {
        let name = &parameter.name;
        let known = catalogue.named(name);
        let known = known.ok_or_else(|| catalogue.unknown(name, place.clone()))?;
        if known.integer && !parameter.integer {
            let message = format!("`{name}` has whole values only");
            return Err(Diagnostic::error(message).at(place.clone(), "its type is `int`"));
        }
        if let Some((_, error)) = beyond(&known, name, Some(parameter.min), Some(parameter.max)) {
            return Err(error.at(place, "its bounds are wider"));
        }
        Ok(Parameter {
            name: known.name,
            place: known.place,
            ..parameter
        })
    });
    known.map_err(|wrong| table.report(wrong)).ok()
}

/// A parameter with numbers that go together.
fn checked(table: &TomlTable<'_>, parameter: Parameter, place: Range<usize>) -> Option<Parameter> {
    match parameter.check() {
        Ok(()) => Some(parameter),
        Err(wrong) => {
            table.report(Diagnostic::error(format!("the parameter `{}` {wrong}", parameter.name)).at(place, ""));
            None
        }
    }
}
