//! Tells the program from which commit it was built, when that is known: manifests and `--version` quote it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Digits of the commit that `--version` shows.
const SHORT: usize = 12;

/// What cargo writes into a package: the commit that it was made of.
const PACKAGED: &str = ".cargo_vcs_info.json";

fn main() {
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    let commit = match fs::read_to_string(PACKAGED) {
        Ok(text) => {
            println!("cargo:rerun-if-changed={PACKAGED}");
            packaged(&text)
        }
        Err(_) => checked_out(),
    };
    if let Some((commit, changed)) = commit {
        let suffix = if changed { "-dirty" } else { "" };
        println!("cargo:rustc-env=LMRLAB_COMMIT={commit}{suffix}");
        version += &format!(" (commit {}{suffix})", commit.get(..SHORT).unwrap_or(&commit));
    }
    println!("cargo:rustc-env=LMRLAB_VERSION={version}");
}

/// The commit of a package, and whether files were changed.
fn packaged(text: &str) -> Option<(String, bool)> {
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    let (commit, _) = rest.split_once('"')?;
    Some((commit.to_owned(), text.contains("\"dirty\": true")))
}

/// The commit of the working tree, and whether files were changed.
fn checked_out() -> Option<(String, bool)> {
    // A change of any source may make the working tree differ from its commit, or agree with it again. Tests are no part of
    // the program.
    let crates = fs::read_dir("..").into_iter().flatten().flatten();
    let sources = crates
        .map(|entry| entry.path().join("src"))
        .filter(|path| path.is_dir());
    for folder in sources.chain(["../../configs".into(), "../../positions".into()]) {
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    // Each commit and checkout adds a line to this file. Outside of a repository there is none, and no commit.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty());
    Some((commit, changed))
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
