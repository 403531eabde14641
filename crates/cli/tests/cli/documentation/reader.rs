//! A reader of the documentation: a folder with the project's files, and what commands print there.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use lmrlab_docs::document::{Step, Test};

/// The project's root.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The reader.
pub(super) struct Reader {
    folder: tempfile::TempDir,
}

impl Reader {
    /// A reader with a folder that has the configs and positions of the project.
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for part in ["configs", "positions"] {
            copy(&root().join(part), &folder.path().join(part));
        }
        Self { folder }
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file that the documentation shows.
    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder().join(name), smaller(text)).unwrap();
    }

    /// What a command prints; or why it does not end as it should.
    pub(super) fn run(&self, step: &Step, test: &Test) -> Result<String, String> {
        let words = step.words(test);
        let (program, arguments) = words.split_first().unwrap();
        let output = Command::new(programs().join(program))
            .current_dir(self.folder())
            .env("XDG_STATE_HOME", self.folder().join(".state"))
            .args(arguments)
            .env("PATH", programs())
            .output()
            .unwrap();
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
        if !output.status.success() {
            return Err(format!("{}:\n{out}{err}", output.status));
        }
        Ok(out)
    }
}

/// The folder of `lmrlab`, which must also have `lmrlab-engine`.
fn programs() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_lmrlab")).parent().unwrap();
    let engine = folder.join(format!("lmrlab-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(engine.is_file(), "build it first: cargo build -p lmrlab-engine");
    folder.to_owned()
}

/// Copies a folder of the project, with the folders in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let [from, to] = [entry.path(), to.join(entry.file_name())];
        if from.is_dir() {
            copy(&from, &to);
        } else if from.extension().is_some_and(|ending| ending == "toml") {
            fs::write(to, smaller(&fs::read_to_string(from).unwrap())).unwrap();
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// A tournament or a tuning run with fewer pairs and shorter searches: `pairs = N`, `nodes = N` and `elo = X` at the
/// beginning of a line have other values. A race, which plays many pairs until it is decided, has shorter games, too.
fn smaller(text: &str) -> String {
    let nodes = match text.contains("\nformat = \"race\"") {
        true => "nodes = 50\n[adjudication]\nmax_moves = 30",
        false => "nodes = 100",
    };
    let value = |line: &str| {
        let key = line.split(['=', ' ']).next()?;
        match key {
            "pairs" => Some("pairs = 2"),
            "nodes" => Some(nodes),
            "elo" => Some("elo = 200.0"),
            _ => None,
        }
    };
    let lines = text.lines().map(|line| value(line).unwrap_or(line).to_owned() + "\n");
    lines.collect()
}
