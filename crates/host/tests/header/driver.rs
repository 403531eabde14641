//! Compiles the C programs of these tests and talks to them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use lmrlab_policy::facts::{CATALOGUE, Facts, Kind};

/// Errors of memory, of undefined behaviour and of conversions end the program.
pub(crate) const SANITIZED: &[&str] = &[
    "-O1",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
];
/// Everything that a compiler may do to floating point without a flag that says so.
pub(crate) const FAST: &[&str] = &["-O3", "-march=native", "-ffp-contract=fast"];
pub(crate) const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// The folder of `lmrlab.h`.
pub(crate) fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// Whether a program is there; says so when it is not.
pub(crate) fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("not tested: there is no {program}");
    }
    found
}

/// Whether `cc` is there. On CI it has to be: tests that do nothing would pass.
pub(crate) fn has_cc() -> bool {
    let found = is_there("cc");
    assert!(found || std::env::var_os("CI").is_none(), "there is no cc");
    found
}

/// Compiles a file of this folder, and gives the path of the program; `None` when there is no `cc`.
pub(crate) fn compiled(source: &str, name: &str, flags: &[&str]) -> Option<PathBuf> {
    if !has_cc() {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("header");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(name);
    // Other tests may run an older one meanwhile.
    let new = folder.join(format!("{name}.{}", std::process::id()));
    let output = Command::new("cc")
        .arg("-std=c99")
        .args(WARNINGS)
        .args(flags)
        .arg("-I")
        .arg(include())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/header").join(source))
        .arg("-o")
        .arg(&new)
        .arg("-lm")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::rename(&new, &program).unwrap();
    Some(program)
}

static FAST_DRIVER: LazyLock<Option<PathBuf>> = LazyLock::new(|| compiled("driver.c", "fast", FAST));
static SANITIZED_DRIVER: LazyLock<Option<PathBuf>> = LazyLock::new(|| compiled("driver.c", "sanitized", SANITIZED));

pub(crate) fn fast() -> Option<&'static Path> {
    FAST_DRIVER.as_deref()
}

pub(crate) fn sanitized() -> Option<&'static Path> {
    SANITIZED_DRIVER.as_deref()
}

/// Starts the driver with these environment variables, and writes to it.
pub(crate) fn run(driver: &Path, words: &[&str], environment: &[(&str, &str)], input: &str) -> Output {
    use std::io::Write as _;
    let mut process = Command::new(driver)
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

/// A policy, and moves to ask it about.
pub(crate) struct Question {
    /// The compiled policy.
    pub(crate) policy: PathBuf,
    /// LmrParams.
    pub(crate) parameters: String,
    /// The moves, as the driver reads them.
    pub(crate) moves: Vec<u8>,
}

/// The bytes of a move in a question: its booleans, and its numbers.
fn bytes_of_a_move() -> usize {
    let numbers = CATALOGUE.iter().filter(|info| info.kind == Kind::Number);
    8 + 8 * numbers.count()
}

/// Appends a move as the driver reads it. What only rules know is 0.
pub(crate) fn append(moves: &mut Vec<u8>, facts: &impl Facts) {
    let (mut booleans, mut numbers) = (0_u64, Vec::new());
    for (index, info) in CATALOGUE.iter().enumerate() {
        let fact = info.fact;
        if info.kind == Kind::Number {
            let value = if fact.is_of_rules() { 0.0 } else { facts.number(fact) };
            numbers.extend(value.to_ne_bytes());
        } else {
            let value = if fact.is_flag() {
                facts.flags().has(fact)
            } else {
                facts.boolean(fact)
            };
            booleans |= u64::from(value) << index;
        }
    }
    moves.extend(booleans.to_ne_bytes());
    moves.append(&mut numbers);
}

/// What the header says of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) plies: i32,
    pub(crate) late: bool,
    pub(crate) depth_change: i32,
}

/// The answers to each question; `None` when the policy is refused.
pub(crate) fn ask(driver: &Path, questions: &[Question]) -> Vec<Option<Vec<Answer>>> {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["input", "output"].map(|name| folder.path().join(name));
    let mut bytes = Vec::new();
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u32).to_ne_bytes());
        bytes.extend(text.as_bytes());
    };
    for question in questions {
        text(&mut bytes, question.policy.to_str().unwrap());
        text(&mut bytes, &question.parameters);
        bytes.extend(((question.moves.len() / bytes_of_a_move()) as u32).to_ne_bytes());
        bytes.extend(&question.moves);
    }
    std::fs::write(&input, &bytes).unwrap();
    let words = ["ask", input.to_str().unwrap(), output.to_str().unwrap()];
    let said = run(driver, &words, &[], "");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let bytes = std::fs::read(&output).unwrap();
    let mut rest = bytes.as_slice();
    let answers = questions
        .iter()
        .map(|question| {
            let (accepted, after) = rest.split_first().unwrap();
            let (moves, after) = after.split_at(4 * (question.moves.len() / bytes_of_a_move()));
            rest = after;
            let answer = |bytes: &[u8]| Answer {
                plies: i32::from(i16::from_ne_bytes([bytes[0], bytes[1]])),
                late: bytes[2] != 0,
                depth_change: i32::from(bytes[3].cast_signed()),
            };
            (*accepted != 0).then(|| moves.chunks_exact(4).map(answer).collect())
        })
        .collect();
    assert!(rest.is_empty());
    answers
}
