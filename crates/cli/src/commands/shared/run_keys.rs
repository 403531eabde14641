//! The keys of a run that a command describes, as in the file of a tournament or of a tuning run.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Source;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::project;
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;
use toml::{Table, Value};

use super::adjudication_options::AdjudicationOptions;

pub(crate) fn table<const N: usize>(keys: [(&str, Value); N]) -> Table {
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

pub(crate) fn number(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The value of `openings`: the book that was typed, or the default one of the project.
pub(crate) fn openings(working: &Path, typed: Option<&PathBuf>) -> Value {
    let file = match typed {
        Some(path) => project::typed_file(working, path),
        None => project::file(&project::root(working, None), DEFAULT_OPENINGS),
    };
    table([("file", file.display().to_string().into())]).into()
}

pub(crate) fn nodes(nodes: u64) -> Value {
    table([("nodes", number(nodes))]).into()
}

/// Adds `[adjudication]`, when an option asks for it.
pub(crate) fn adjudicate(run: &mut Table, options: &AdjudicationOptions) {
    if let Some(keys) = options.keys() {
        run.insert("adjudication".to_owned(), keys);
    }
}

/// The file with these keys. Messages do not quote it: the user typed options.
pub(crate) fn source(keys: &Table) -> Result<Source, Failure> {
    let text = toml::to_string(keys).map_err(|error| Failure::input(error.to_string(), ""))?;
    Ok(Source::new("the command line", text).unquoted())
}
