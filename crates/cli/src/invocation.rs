//! How `lmrlab` was started: its words, and its working directory.

use std::path::PathBuf;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::bench;
use lmrlab_results::manifest::Invocation;

/// This program, and the words that it was started with.
pub(crate) fn invocation() -> Invocation {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    Invocation {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("LMRLAB_COMMIT").map(str::to_owned),
        bench: bench::FINGERPRINT,
        // The path of the program says nothing about the run.
        command: std::iter::once("lmrlab".to_owned()).chain(words).collect(),
        report: false,
    }
}

pub(crate) fn working_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|error| Failure::input(format!("the working directory cannot be used: {error}"), ""))
}
