//! Helpers: the processes that a run has started and left behind.

use std::fs;
use std::time::{Duration, Instant};

/// Processes that have this in their environment.
pub(crate) fn with_mark(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if String::from_utf8_lossy(&environment).contains(mark) {
            let command = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            found.push(command.replace('\0', " "));
        }
    }
    found
}

/// No process of this mark is there, or will be soon: what is left behind stays far longer than this waits.
pub(crate) fn assert_nothing_left(mark: &str) {
    let begun = Instant::now();
    while !with_mark(mark).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "left: {:?}", with_mark(mark));
        std::thread::sleep(Duration::from_millis(20));
    }
}
