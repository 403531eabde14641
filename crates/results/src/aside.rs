//! A new file beside the one that it will replace: `.lmrlab-PID-N.new`.
//!
//! The process that writes the file has its lock. A file without a lock was left by a process that was killed. The next
//! process that writes into the folder removes it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::lock;

/// How the names begin.
const PREFIX: &str = ".lmrlab-";

/// Creates a file with a name that no other file has, and takes its lock.
pub(crate) fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    remove_left(folder);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{}-{count}.new", std::process::id()));
        match lock::create_new(&path) {
            Ok(Some(file)) => return Ok((file, path)),
            // Another process has taken it for a file that was left, and removes it.
            Ok(None) => {}
            // A process on another machine has the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether a file has such a name.
pub(crate) fn is_one(name: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(rest) = name.strip_prefix(PREFIX) else {
        return false;
    };
    // Version 1.0 tried with `.lmrlab-PID` whether a folder can be written.
    match rest.strip_suffix(".new").and_then(|rest| rest.split_once('-')) {
        Some((process, count)) => number(process) && number(count),
        None => number(rest),
    }
}

/// Removes the files in a folder that killed processes have left. A file that cannot be removed stays.
fn remove_left(folder: &Path) {
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_one) {
            let path = entry.path();
            if let Some(_lock) = lock::take_free(&path) {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_killed_process_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let there = |name: &str| folder.path().join(name).exists();
        let (file, path) = create(folder.path()).unwrap();
        for name in [".lmrlab-7-0.new", ".lmrlab-7", ".lmrlab-notes", ".lmrlab-7-x.new"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let (second, other) = create(folder.path()).unwrap();
        assert!(
            path.exists() && other.exists() && path != other,
            "they are being written"
        );
        assert!(!there(".lmrlab-7-0.new") && !there(".lmrlab-7"));
        assert!(there(".lmrlab-notes") && there(".lmrlab-7-x.new"), "files of the user");
        drop((file, second));
        remove_left(folder.path());
        assert!(!path.exists() && !other.exists());
    }
}
