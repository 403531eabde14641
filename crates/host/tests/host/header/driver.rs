//! Compiles the C programs of these tests and talks to them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use crate::agreement::Answer;
use crate::policies::{is_there, succeed};

/// Errors of memory, of undefined behaviour and of conversions end the program.
pub(crate) const SANITIZED: &[&str] = &[
    "-O1",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
];
/// Everything that a compiler may do to floating point without a flag that says so.
const FAST: &[&str] = &["-O3", "-march=native", "-ffp-contract=fast"];
pub(crate) const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// The folder of `lmrlab.h`.
pub(crate) fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// Compiles a file of this folder, and gives the path of the program; `None` when there is no `cc`.
pub(crate) fn compiled(source: &str, name: &str, flags: &[&str]) -> Option<PathBuf> {
    if !is_there("cc") {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("header");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(name);
    // Other tests may run an older one meanwhile.
    let new = folder.join(format!("{name}.{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/host/header")
        .join(source);
    let mut command = Command::new("cc");
    command
        .arg("-std=c99")
        .args(WARNINGS)
        .args(flags)
        .arg("-I")
        .arg(include());
    succeed(command.arg(source).arg("-o").arg(&new).arg("-lm"));
    std::fs::rename(&new, &program).unwrap();
    Some(program)
}

/// A host in C that fills every fact.
pub(crate) struct Driver(PathBuf);

static FAST_DRIVER: LazyLock<Option<Driver>> = LazyLock::new(|| compiled("driver.c", "fast", FAST).map(Driver));
static SANITIZED_DRIVER: LazyLock<Option<Driver>> =
    LazyLock::new(|| compiled("driver.c", "sanitized", SANITIZED).map(Driver));

pub(crate) fn fast() -> Option<&'static Driver> {
    FAST_DRIVER.as_ref()
}

pub(crate) fn sanitized() -> Option<&'static Driver> {
    SANITIZED_DRIVER.as_ref()
}

impl Driver {
    /// Starts it with these environment variables, and writes to it.
    pub(crate) fn run(&self, words: &[&str], environment: &[(&str, &str)], input: &str) -> Output {
        use std::io::Write as _;
        let mut process = Command::new(&self.0)
            .args(words)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = process.stdin.take().unwrap();
        // A program that has ended reads no more.
        let _ = pipe.write_all(input.as_bytes());
        drop(pipe);
        process.wait_with_output().unwrap()
    }

    /// What it prints.
    pub(crate) fn printed(&self, words: &[&str], environment: &[(&str, &str)], input: &str) -> String {
        let output = self.run(words, environment, input);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a policy with changes says of moves.
    pub(crate) fn answers(&self, policy: &Path, changes: &str, moves: &[u8]) -> Vec<Answer> {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["input", "output"].map(|name| folder.path().join(name));
        std::fs::write(&input, moves).unwrap();
        let mut command = Command::new(&self.0);
        succeed(command.arg("ask").arg(policy).arg(changes).args([&input, &output]));
        let answer = |[low, high, late, change]: &[u8; 4]| Answer {
            plies: i32::from(i16::from_ne_bytes([*low, *high])),
            late: *late != 0,
            depth_change: i32::from(change.cast_signed()),
        };
        std::fs::read(&output)
            .unwrap()
            .as_chunks()
            .0
            .iter()
            .map(answer)
            .collect()
    }
}
