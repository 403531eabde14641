//! Messages about unknown names and unknown functions.

use lmrlab_diagnostics::{Diagnostic, nearest};

use super::function::{self, functions};
use super::lexer::Place;
use super::scope::Scope;
use crate::complaint::wrong;
use crate::facts::{CATALOGUE, Fact};

/// An unknown name.
pub(super) fn unknown_name(name: &str, span: &Place, scope: &Scope) -> Diagnostic {
    let names = CATALOGUE
        .iter()
        .map(|info| info.name)
        .chain(scope.names())
        .chain(functions().map(|info| info.name));
    let help = match nearest(name, names) {
        Some(near) => match Fact::named(near) {
            Some(fact) => format!("did you mean `{near}`? {}", fact.info().meaning),
            None => format!("did you mean `{near}`?"),
        },
        None => "declare it under `[param]`, or under `[host]` when it is a fact of your engine alone".to_owned(),
    };
    let message = format!("nothing is called `{name}`");
    wrong(message, span.clone(), "neither a fact nor a parameter", &help)
}

/// A call of an unknown function.
pub(super) fn unknown_function(name: &str, span: &Place, scope: &Scope) -> Diagnostic {
    if Fact::named(name).is_some() || scope.names().any(|known| known == name) {
        let message = format!("`{name}` is a value, not a function");
        return wrong(message, span.clone(), "takes no parentheses", "");
    }
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
    let help = match known.and_then(function::named) {
        Some(info) => format!("did you mean `{}`? It is {}", info.usage, info.meaning),
        None => {
            let names: Vec<_> = functions().map(|info| info.name).collect();
            format!("the functions are {}", names.join(", "))
        }
    };
    wrong(format!("there is no function `{name}`"), span.clone(), "", &help)
}
