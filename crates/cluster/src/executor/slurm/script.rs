//! The script of an array of tasks.

use std::fmt::Write as _;

use super::super::OUTPUT;
use super::super::template::quoted;

/// A script for all tasks. Task N, from 1, plays the part in the Nth folder.
pub(super) fn script(program: &str, threads: usize, folders: &[&str]) -> String {
    let mut text = "#!/bin/sh\ncase \"$SLURM_ARRAY_TASK_ID\" in\n".to_owned();
    for (index, folder) in folders.iter().enumerate() {
        let _ = writeln!(text, "{}) folder={} ;;", index + 1, quoted(folder));
    }
    let program = quoted(program);
    let _ = write!(
        text,
        "esac\nexec {program} resume \"$folder\" --trust --quiet --threads {threads} >> \"$folder/{OUTPUT}\" 2>&1\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_quoted() {
        insta::assert_snapshot!(script("/opt/a b/lmrlab", 2, &["/x/1", "/x y/it's $(z)"]));
    }
}
