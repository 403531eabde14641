//! The options that are sent to an engine before its first game, and warnings about them.

use lmrlab_diagnostics::{Diagnostic, nearest};
use lmrlab_engine::chess_variant::ChessVariant;

use super::declared_options::DeclaredOption;
use super::external::ExternalEngine;

/// The option that makes an engine play Chess960.
const CHESS960_OPTION: &str = "UCI_Chess960";

/// The option of an engine that can think on the opponent's time.
const PONDER_OPTION: &str = "Ponder";

/// The options to send, in this order. First `Threads` and `Hash` of the tournament (1, and in MiB), if the engine
/// declares them and its own options do not set them. Then its own options, the variant when that is Chess960, and
/// pondering.
pub(super) fn sent_options(
    engine: &ExternalEngine,
    hash_mib: u32,
    declared: &[DeclaredOption],
) -> Vec<(String, String)> {
    let variant = (engine.variant == ChessVariant::Chess960).then(|| (CHESS960_OPTION.to_owned(), "true".to_owned()));
    let ponder = engine.ponder.then(|| (PONDER_OPTION.to_owned(), "true".to_owned()));
    let own = &engine.options;
    let is_own = |name: &str| own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    [("Threads", 1), ("Hash", hash_mib)]
        .into_iter()
        .filter(|(name, _)| !is_own(name))
        .filter_map(|(name, value)| Some((declaration(declared, name)?.name.clone(), value.to_string())))
        .chain(own.iter().cloned())
        .chain(variant)
        .chain(ponder)
        .collect()
}

/// Checks that an engine with these options plays its variant, and ponders if it is to.
///
/// # Errors
/// When it does not: the rest of a sentence that begins with the engine's name.
pub(super) fn check_options(engine: &ExternalEngine, declared: &[DeclaredOption]) -> Result<(), String> {
    if engine.ponder && declaration(declared, PONDER_OPTION).is_none() {
        return Err(format!("does not ponder: it has no option `{PONDER_OPTION}`"));
    }
    match engine.variant {
        ChessVariant::Chess960 if declaration(declared, CHESS960_OPTION).is_none() => {
            Err(format!("does not play Chess960: it has no option `{CHESS960_OPTION}`"))
        }
        ChessVariant::Chess960 | ChessVariant::Standard => Ok(()),
    }
}

/// The commands that set these options.
pub(super) fn commands(options: &[(String, String)], declared: &[DeclaredOption]) -> String {
    let mut text = String::new();
    for (name, value) in options {
        text.push_str(&format!("setoption name {name}"));
        if declaration(declared, name).is_none_or(|option| option.kind != "button") {
            text.push_str(&format!(" value {value}"));
        }
        text.push('\n');
    }
    text
}

/// Warnings about these options of the engine `name`: options that it does not declare, and values that they do not
/// take.
pub(super) fn warnings(name: &str, options: &[(String, String)], declared: &[DeclaredOption]) -> Vec<Diagnostic> {
    let warning = |(option, value): &(String, String)| {
        let Some(declaration) = declaration(declared, option) else {
            let names = declared.iter().map(|option| option.name.as_str());
            let mut warning = Diagnostic::warning(format!(
                "the engine `{name}` has no option `{option}`; the value is sent anyway"
            ));
            if let Some(near) = nearest(option, names) {
                warning = warning.help(format!("did you mean `{near}`?"));
            }
            return Some(warning);
        };
        let taken = declaration.refuses(value)?;
        Some(
            Diagnostic::warning(format!(
                "the engine `{name}` does not take `{value}` for its option `{}`; the value is sent anyway",
                declaration.name
            ))
            .help(format!("`{}` takes {taken}", declaration.name)),
        )
    };
    options.iter().filter_map(warning).collect()
}

fn declaration<'d>(declared: &'d [DeclaredOption], name: &str) -> Option<&'d DeclaredOption> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}
