//! Broken policies, LmrParams and option values give an error or a policy that works. The programs have sanitizers.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use lmrlab_policy::host_file::{self, Units};

use super::driver::{SANITIZED, compiled};
use crate::odd_policies::odd_policies;
use crate::policies::{all_shipped, policy};
use crate::random_policies::random_policy;

/// Good policies, in files.
fn seeds(folder: &std::path::Path) -> Vec<PathBuf> {
    let random = (0..10).map(|seed| policy(&random_policy(seed)));
    let odd = odd_policies().into_iter().take(8);
    let mut files = Vec::new();
    for (index, policy) in random.chain(odd).chain(all_shipped()).enumerate() {
        let path = folder.join(format!("{index}.lmr"));
        let mut text = host_file::write(&policy, Units::Lmrlab).unwrap();
        if index < 10 {
            text = text.replacen("units lmrlab\n", "units host\nown flag blue\nown number mood\n", 1);
        }
        std::fs::write(&path, text).unwrap();
        files.push(path);
    }
    files
}

/// Mutates until the time is over; says how many files were read, and how many were accepted.
fn fuzz(first: u64, count: u64, time: Duration) -> (u64, u64) {
    let Some(program) = compiled("fuzz.c", "fuzz", SANITIZED) else {
        return (1, 1);
    };
    let folder = tempfile::tempdir().unwrap();
    let files = seeds(folder.path());
    let (start, mut read, mut accepted) = (Instant::now(), 0, 0);
    while read == 0 || start.elapsed() < time {
        let output = Command::new(&program)
            .arg((first + read).to_string())
            .arg(count.to_string())
            .args(&files)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "from {}: {}",
            first + read,
            String::from_utf8_lossy(&output.stderr)
        );
        let last = said.lines().last().unwrap();
        accepted += last.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        read += count;
    }
    (read, accepted)
}

#[test]
fn no_file_and_no_option_breaks_the_header() {
    let (read, accepted) = fuzz(1, 2_000, Duration::ZERO);
    assert!(accepted > 0 && accepted <= read);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn no_file_breaks_the_header_in_a_quarter_of_an_hour() {
    let (read, accepted) = fuzz(1_000_000, 50_000, Duration::from_mins(15));
    println!("{read} files, {accepted} accepted");
}
