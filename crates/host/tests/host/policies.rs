//! Policies to test with, and what tests in C need.

use std::path::PathBuf;
use std::process::{Command, Output};

use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::host_file::{self, Units};
use tempfile::TempDir;

/// A policy from a text without mistakes. It may read facts of an engine's own.
pub(crate) fn policy(text: &str) -> Policy {
    match Policy::compile_for_host(Source::new("policy.toml", text)) {
        Ok((policy, _)) => policy,
        Err(wrong) => panic!("{wrong}"),
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../configs/policies")
}

/// A policy of configs/policies.
pub(crate) fn shipped(name: &str) -> Policy {
    policy(&std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap())
}

/// All policies of configs/policies.
pub(crate) fn all_shipped() -> Vec<Policy> {
    let names = lmrlab_diagnostics::Files::on_disk().toml_names(&folder());
    let load = |name: &String| Policy::load(&folder().join(format!("{name}.toml")));
    let policies = names
        .iter()
        .map(|name| load(name).unwrap_or_else(|wrong| panic!("{wrong}")).0);
    policies.collect()
}

/// The policy of the example in C.
pub(crate) fn own_policy() -> String {
    std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("example-c/own.toml")).unwrap()
}

/// Writes a compiled policy, and gives the path of its file.
pub(crate) fn file_of(policy: &Policy, units: Units, folder: &TempDir) -> String {
    let path = folder.path().join(format!("{}.lmr", policy.name()));
    std::fs::write(&path, host_file::write(policy, units).unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Whether a compiler is there; says so when it is not. On CI `cc` and `rustc` have to be: tests that do nothing would pass.
pub(crate) fn is_there(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output().is_ok();
    let is_needed = ["cc", "rustc"].contains(&compiler) && std::env::var_os("CI").is_some();
    assert!(found || !is_needed, "there is no {compiler}");
    if !found {
        eprintln!("not tested: there is no {compiler}");
    }
    found
}

/// The output of a program that succeeds.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}\n{}{said}",
        String::from_utf8_lossy(&output.stdout)
    );
    output
}
