//! Tells the program from which commit it was built, when that is known: manifests quote it.

use std::path::Path;
use std::process::Command;

fn main() {
    // A change of any source may make the working tree differ from its commit, or agree with it again.
    for folder in [
        "src",
        "build.rs",
        "../diagnostics/src",
        "../policy/src",
        "../engine/src",
        "../stats/src",
        "../runner/src",
        "../lab/src",
        "../tune/src",
    ] {
        println!("cargo:rerun-if-changed={folder}");
    }
    // Each commit and checkout adds a line to this file. Outside of a repository there is none, and no commit.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty());
        let suffix = if changed { "-dirty" } else { "" };
        println!("cargo:rustc-env=LMRLAB_COMMIT={commit}{suffix}");
    }
}

/// What git answers, if it is there and has an answer.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned())
}
