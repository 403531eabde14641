//! Messages about unknown names, unknown functions and wrong numbers of arguments.

use std::ops::Range;

use lmrlab_diagnostics::nearest;

use super::function::{self, Function, FunctionInfo, functions};
use super::problem::Problem;
use super::scope::Scope;
use crate::facts::{CATALOGUE, Fact};

/// An unknown name.
pub(super) fn unknown_name(name: &str, span: &Range<usize>, scope: &Scope) -> Problem {
    let problem = Problem::new(
        format!("nothing is called `{name}`"),
        span.clone(),
        "neither a fact nor a parameter",
    );
    let names = CATALOGUE
        .iter()
        .map(|info| info.name)
        .chain(scope.names())
        .chain(functions().map(|info| info.name));
    match nearest(name, names) {
        Some(near) => problem.help(match Fact::named(near) {
            Some(fact) => format!("did you mean `{near}`? {}", fact.info().meaning),
            None => format!("did you mean `{near}`?"),
        }),
        None => problem.help("declare it under `[param]`, or use one of the facts of the catalogue"),
    }
}

/// A call of an unknown function.
pub(super) fn unknown_function(name: &str, span: &Range<usize>, scope: &Scope) -> Problem {
    if Fact::named(name).is_some() || scope.names().any(|known| known == name) {
        return Problem::new(
            format!("`{name}` is a value, not a function"),
            span.clone(),
            "takes no parentheses",
        );
    }
    let problem = Problem::new(format!("there is no function `{name}`"), span.clone(), "");
    // The function's names in other languages.
    let known = match name {
        "log" | "loge" => Some("ln"),
        "int" | "truncate" | "fix" => Some("trunc"),
        "iif" | "select" | "ternary" | "when" => Some("if"),
        "power" => Some("pow"),
        "minimum" => Some("min"),
        "maximum" => Some("max"),
        _ => nearest(name, functions().map(|info| info.name)),
    };
    match known.and_then(function::named) {
        Some(info) => problem.help(format!("did you mean `{}`? It is {}", info.usage, info.meaning)),
        None => {
            let names: Vec<_> = functions().map(|info| info.name).collect();
            problem.help(format!("the functions are {}", names.join(", ")))
        }
    }
}

/// A call with too few or too many arguments.
pub(super) fn wrong_count(info: &FunctionInfo, given: usize, span: &Range<usize>) -> Problem {
    let wanted = match info.function {
        Function::Unary(_) | Function::Relu => "one argument",
        Function::Products(_) => "one list",
        Function::Dot => "two lists",
        Function::At => "a list and a number",
        Function::Binary(_) | Function::Table => "two arguments",
        Function::Fold(_) => "two or more arguments",
        Function::Clamp | Function::If => "three arguments",
        Function::Steps => "a number and at least one step",
    };

    Problem::new(
        format!("`{}` takes {wanted}, but has {given}", info.name),
        span.clone(),
        "",
    )
    .help(format!("write `{}`: {}", info.usage, info.meaning))
}
