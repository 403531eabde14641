//! A project in a temporary folder: this one's policies and presets, and openings of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use cozy_chess::{Board, Move};
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use lmrlab_results::rows::games::GameRow;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Where the openings of the files are, from the project's root.
pub(crate) const OPENINGS: &str = "positions/openings.epd";

/// Where a command without `--openings` looks for them. Here they are the same ones.
pub(crate) const DEFAULT_OPENINGS: &str = "positions/book.epd";

/// Number of openings: enough for any test here not to repeat one.
pub(crate) const OPENING_COUNT: usize = 40;

/// An executor that plays parts in processes on this machine.
pub(crate) fn local_executor() -> String {
    format!("{} resume {{folder}}", env!("CARGO_BIN_EXE_lmrlab"))
}

/// An engine that does on request what no engine should: the example of this package, which cargo builds beside the tests.
pub(crate) fn misbehaving_engine() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_lmrlab")).parent().unwrap();
        let name = format!("misbehaving-engine{}", std::env::consts::EXE_SUFFIX);
        let path = folder.join("examples").join(name);
        assert!(
            path.is_file(),
            "build it first: cargo build -p lmrlab --example misbehaving-engine"
        );
        // A shell on Windows reads such paths, too.
        path.to_str().unwrap().replace('\\', "/")
    })
}

/// The arguments of a command: a line as typed in a shell, or words.
pub(crate) trait Arguments {
    fn words(&self) -> Vec<String>;
}

impl Arguments for &str {
    fn words(&self) -> Vec<String> {
        shlex::split(self).unwrap()
    }
}

impl Arguments for &String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl Arguments for &[&str] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| (*word).to_owned()).collect()
    }
}

impl<const N: usize> Arguments for &[&str; N] {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl Arguments for &Vec<&str> {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

/// Whether the C compiler `cc` is there. On CI it has to be: tests that do nothing would pass.
pub(crate) fn has_cc() -> bool {
    let found = process::Command::new("cc").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "there is no cc");
    if !found {
        eprintln!("not tested: there is no cc");
    }
    found
}

/// The project; its folder is removed with it.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Scratch {
    /// An empty folder that belongs to no project.
    pub(crate) fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            state: tempfile::tempdir().unwrap(),
        }
    }

    /// A project with `configs/{policies,engines}`, [`OPENINGS`] and [`DEFAULT_OPENINGS`].
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for part in ["configs/policies", "configs/engines"] {
            let to = folder.path().join(part);
            fs::create_dir_all(&to).unwrap();
            for entry in fs::read_dir(workspace.join(part)).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
        let state = tempfile::tempdir().unwrap();
        let scratch = Self { folder, state };
        let openings = openings();
        scratch.write(OPENINGS, &openings);
        scratch.write(DEFAULT_OPENINGS, &openings);
        scratch
    }

    /// A path in the project.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Every file below the project's root.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, files);
                } else {
                    files.push(path);
                }
            }
        }
        let mut files = Vec::new();
        walk(self.folder.path(), &mut files);
        files.sort();
        files
    }

    /// `lmrlab` in the project's root.
    pub(crate) fn lmrlab(&self, arguments: impl Arguments) -> Command {
        let mut command = Command::cargo_bin("lmrlab").unwrap();
        command.current_dir(self.folder.path()).args(arguments.words());
        command.env("XDG_STATE_HOME", self.state());
        command
    }

    /// `lmrlab` in the project's root, to be started in the background; its output goes nowhere.
    pub(crate) fn background(&self, arguments: impl Arguments) -> process::Command {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_lmrlab"));
        command
            .current_dir(self.folder.path())
            .env("XDG_STATE_HOME", self.state())
            .args(arguments.words())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// The state directory of the user that runs the programs. It is outside the project.
    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }

    /// Lines of a file; 0 when there is no such file.
    pub(crate) fn line_count(&self, name: &str) -> usize {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().count()
    }

    /// The standard output and the standard error of a command, which must exit with this status.
    pub(crate) fn ends(&self, status: i32, arguments: impl Arguments) -> (String, String) {
        let output = self.lmrlab(arguments).assert().code(status).get_output().clone();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }

    /// The standard output of a command, which must succeed.
    pub(crate) fn done(&self, arguments: impl Arguments) -> String {
        self.ends(0, arguments).0
    }

    /// The standard error of a command, which must succeed.
    pub(crate) fn warned(&self, arguments: impl Arguments) -> String {
        self.ends(0, arguments).1
    }

    /// The standard error of a command, which must exit with status 2 and write no file.
    pub(crate) fn refused(&self, arguments: impl Arguments) -> String {
        let before = self.files();
        let (printed, said) = self.ends(2, arguments);
        assert_eq!(self.files(), before, "nothing is written on wrong input");
        assert_eq!(printed, "");
        said
    }

    /// The rows of a journal.
    pub(crate) fn journal(&self, name: &str) -> Vec<GameRow> {
        csv::Reader::from_path(self.path(name))
            .unwrap()
            .deserialize()
            .collect::<Result<_, _>>()
            .unwrap()
    }
}

/// Waits, at most a minute, until `condition` holds.
#[track_caller]
pub(crate) fn wait_until(condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills a process and waits for its end.
pub(crate) fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Sends a signal, such as `INT`; whether the process was still there.
pub(crate) fn signal(child: &Child, name: &str) -> bool {
    let kill = process::Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    kill.unwrap().success()
}

/// A round robin of three engines with three pairs per pairing, at 100 nodes per move.
pub(crate) const ROUND_ROBIN: &str = r#"
name   = "trio"
format = "round_robin"
pairs  = 3
seed   = 7
hash_mib = 1
[openings]
file = "positions/openings.epd"
[limit]
nodes = 100
[[engine]]
name   = "nothing"
policy = "none"
[[engine]]
name   = "mediocre"
policy = "mediocre-2007"
[[engine]]
name   = "micromax"
policy = "micromax-4"
"#;

/// Positions after eight random moves, none twice, none in check.
fn openings() -> String {
    let mut generator = Pcg64::new(2, 7);
    let mut fens: Vec<String> = Vec::new();
    while fens.len() < OPENING_COUNT {
        let mut game = Game::new(Position::initial());
        while game.moves().len() < 8 && game.ending().is_none() {
            let moves = legal_moves(game.position().board());
            let choice = generator.next_u64() % moves.len() as u64;
            game.play(moves[choice as usize]).unwrap();
        }
        let fen = game.position().to_string();
        if game.ending().is_none() && !game.position().in_check() && !fens.contains(&fen) {
            fens.push(fen);
        }
    }
    fens.join("\n")
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|some| {
        moves.extend(some);
        false
    });
    moves
}
