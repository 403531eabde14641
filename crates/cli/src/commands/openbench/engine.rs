//! The engines of a test on OpenBench, as the command line names them, and with the values of a tune.

use std::io::Read;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source, Text, nearest};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search_parameters::{DECLARATIONS, ParameterKind};
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::failure::{Failure, complaint};
use lmrlab_runner::tournament::description::{EngineDescription, EngineKind};
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};
use lmrlab_tune::fishtest::{self, TunedValue};
use lmrlab_tune::parameter::Parameter;
use lmrlab_tune::plan::of_own_engine;
use lmrlab_tune::subject::{Place, Subject};

use crate::commands::engine_words::{Around, Each, engines};
use crate::commands::typed_line::TypedLine;

/// The engine that an argument describes, and the warnings about its files.
pub(super) fn named(
    argument: &str,
    preset: &str,
    here: &Path,
) -> Result<(OwnEngine, Vec<Diagnostics>), Vec<Diagnostics>> {
    let mut line = TypedLine::new("lmrlab openbench");
    let around = Around::Preset(preset.to_owned(), None);
    let words = engines(&[argument], &mut line, &around, &Each::default())?;
    let [
        EngineDescription {
            name: None,
            limit: None,
            margin: None,
            kind:
                EngineKind::Own {
                    preset:
                        Text {
                            value: preset_reference,
                            ..
                        },
                    policy:
                        Text {
                            value: policy_reference,
                            ..
                        },
                    ordering: None,
                },
            ..
        },
    ] = &words[..]
    else {
        return Err(vec![complaint(
            format!("`{argument}` says more than a policy and its preset"),
            "OpenBench builds the engine from a branch, and its form has fields for the time; say `policy=P preset=P`",
        )]);
    };
    let policy = (policy_reference.parse()).and_then(|policy: PolicyReference| policy.resolve(here));
    let preset = Preset::resolve(preset_reference, here);
    match (policy, preset) {
        (Ok((policy, warned)), Ok((preset, warnings))) => {
            let ordering = preset.ordering;
            Ok((
                OwnEngine::new((preset_reference, preset), (policy_reference, policy), ordering),
                vec![warned, warnings],
            ))
        }
        (policy, preset) => Err([policy.err(), preset.err()].into_iter().flatten().collect()),
    }
}

/// An engine with some of its parameters. They start at the engine's values.
pub(super) fn subject(own: OwnEngine, parameters: Vec<(Parameter, Place)>) -> Subject {
    let (parameters, places) = parameters.into_iter().unzip();
    Subject {
        start: Entrant {
            name: own.policy_name(),
            engine: EntrantEngine::Own(own),
            limit: None,
            margin: None,
        },
        parameters,
        places,
        choices: Vec::new(),
        variants: Vec::new(),
        ideas: Vec::new(),
    }
}

/// The engine at a point of a subject that is the project's own engine.
pub(super) fn at(subject: &Subject, values: &[f64]) -> Option<OwnEngine> {
    match subject.at(values).engine {
        EntrantEngine::Own(own) => Some(own),
        EntrantEngine::External { .. } => None,
    }
}

/// The parameters of these names. Without names, all parameters of the policy.
pub(super) fn parameters(own: &OwnEngine, names: &[String]) -> Result<Vec<(Parameter, Place)>, Failure> {
    let of_policy: Vec<String> = own.policy.parameters().iter().map(|p| p.name.clone()).collect();
    if names.is_empty() && of_policy.is_empty() {
        return Err(Failure::input(
            format!("the policy `{}` has no parameters to tune", own.policy_reference),
            "declare some in its `[param]`, or name parameters of the search, as in --spsa=null_move_eval_divisor",
        ));
    }
    let names = if names.is_empty() { &of_policy } else { names };
    let found = names.iter().map(|name| {
        let found = of_own_engine(own, name);
        found.ok_or_else(|| complaint(format!("there is no parameter `{name}` to tune"), advice(own, name)))
    });
    let mut parameters: Vec<(Parameter, Place)> = Vec::new();
    let mut wrong = Vec::new();
    for found in found {
        match found {
            Ok((found, _)) if parameters.iter().any(|(known, _)| known.name == found.name) => wrong.push(complaint(
                format!("`{}` is there twice", found.name),
                "a parameter is tuned once",
            )),
            Ok(found) => parameters.push(found),
            Err(report) => wrong.push(report),
        }
    }
    if wrong.is_empty() {
        Ok(parameters)
    } else {
        Err(Failure::Input(wrong))
    }
}

fn advice(own: &OwnEngine, name: &str) -> String {
    let (_, plain) = Place::of_option(name);
    let numbers = DECLARATIONS
        .iter()
        .filter(|declared| matches!(declared.kind, ParameterKind::Integer { .. }))
        .map(|declared| declared.name);
    let known = own.policy.parameters().iter().map(|p| p.name.as_str()).chain(numbers);
    nearest(plain, known).map_or_else(
        || "name a parameter of the policy, or a number of the search".to_owned(),
        |near| format!("did you mean `{near}`?"),
    )
}

/// The engine with the values at the end of a tune. It is a point of a subject that has the parameters that moved. `-`
/// is standard input.
pub(super) fn tuned(own: OwnEngine, file: &Path) -> Result<(Subject, Vec<f64>), Failure> {
    let source = source(file)?;
    let lines = match fishtest::values(&source.text) {
        Ok(lines) => lines,
        Err((line, wrong)) => {
            let wrong = Diagnostic::error(wrong)
                .at(place_of_line(&source.text, line), "")
                .help("a line is `name, value`, as /api/spsa/ID/outputs/ of the server shows it");
            return Err(Diagnostics::new(source, vec![wrong]).into());
        }
    };
    let mut wrong = Vec::new();
    let mut found = Vec::new();
    for TunedValue { line, name, value } in lines {
        let refused = |message: String| Diagnostic::error(message).at(place_of_line(&source.text, line), "");
        match of_own_engine(&own, &name) {
            None => wrong.push(
                refused(format!("`{}` has no parameter `{name}`", own.policy_reference)).help(advice(&own, &name)),
            ),
            Some((parameter, _)) if !(parameter.min..=parameter.max).contains(&value) => wrong.push(refused(format!(
                "`{name}` is {value}, and can only be from {} to {}",
                parameter.min, parameter.max
            ))),
            Some((parameter, place)) => {
                let value = parameter.shortened(value);
                found.push(((parameter, place), value));
            }
        }
    }
    if wrong.is_empty() && found.is_empty() {
        let nothing = Diagnostic::error("there are no values").help("a line is `name, value`");
        wrong.push(nothing.at(0..source.text.len(), ""));
    }
    if !wrong.is_empty() {
        return Err(Diagnostics::new(source, wrong).into());
    }
    let moved = found
        .into_iter()
        .filter(|((parameter, _), value)| *value != parameter.start);
    let (parameters, values): (Vec<_>, Vec<f64>) = moved.unzip();
    Ok((subject(own, parameters), values))
}

fn source(file: &Path) -> Result<Source, Diagnostics> {
    if file != Path::new("-") {
        return Source::read(file);
    }
    let mut text = String::new();
    match std::io::stdin().read_to_string(&mut text) {
        Ok(_) => Ok(Source::new("standard input", text)),
        Err(error) => Err(complaint(format!("cannot read standard input: {error}"), "")),
    }
}

fn place_of_line(text: &str, line: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    start..start + line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_places() {
        let text = "a\r\n\nlast";
        let shown: Vec<&str> = (1..=3).map(|line| &text[place_of_line(text, line)]).collect();
        assert_eq!(shown, ["a", "", "last"]);
    }
}
