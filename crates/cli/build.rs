//! Tells the program from which commit it was built, when that is known: manifests and `--version` quote it.

use std::path::Path;
use std::process::Command;

/// Digits of the commit that `--version` shows.
const SHORT: usize = 12;

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
        // These are built in. The compiler sees changes of the files, but no new ones.
        "../../configs",
        "../../positions",
    ] {
        println!("cargo:rerun-if-changed={folder}");
    }
    // Each commit and checkout adds a line to this file. Outside of a repository there is none, and no commit.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty());
        let suffix = if changed { "-dirty" } else { "" };
        println!("cargo:rustc-env=LMRLAB_COMMIT={commit}{suffix}");
        version += &format!(" (commit {}{suffix})", commit.get(..SHORT).unwrap_or(&commit));
    }
    println!("cargo:rustc-env=LMRLAB_VERSION={version}");
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
