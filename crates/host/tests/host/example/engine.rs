//! Compiles the example engine, and talks to it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

use lmrlab_host::Units;
use tempfile::TempDir;

use crate::policies::{file_of, is_there, policy, succeed};

/// The files of an engine: names and texts.
pub(crate) type Sources = BTreeMap<String, String>;

/// The folder of the crate.
pub(crate) fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the example as they are in the repository.
pub(crate) fn sources() -> Sources {
    std::fs::read_dir(home().join("example-c"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "c" || extension == "h")
        })
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// A folder with programs that are being compiled. Files with the same text are compiled once.
pub(crate) struct Compiler {
    folder: TempDir,
    objects: BTreeMap<(String, String), PathBuf>,
}

impl Compiler {
    /// `None` when there is no `cc`.
    pub(crate) fn open() -> Option<Self> {
        if !is_there("cc") {
            return None;
        }
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("include")).unwrap();
        std::fs::copy(home().join("include/lmrlab.h"), folder.path().join("include/lmrlab.h")).unwrap();
        Some(Self {
            folder,
            objects: BTreeMap::new(),
        })
    }

    /// Compiles an engine without a warning.
    pub(crate) fn build(&mut self, name: &str, sources: &Sources) -> Engine {
        let folder = self.folder.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        for (file, text) in sources {
            std::fs::write(folder.join(file), text).unwrap();
        }
        let mut objects = Vec::new();
        for (file, text) in sources.iter().filter(|(file, _)| file.ends_with(".c")) {
            // What a file includes may differ, too.
            let whole = sources
                .iter()
                .filter(|(header, _)| text.contains(&format!("\"{header}\"")))
                .fold(text.clone(), |whole, (_, header)| whole + header);
            let object = self.objects.entry((file.clone(), whole)).or_insert_with(|| {
                let object = folder.join(file).with_extension("o");
                let mut command = Command::new("cc");
                command.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-c"]);
                succeed(command.arg(folder.join(file)).arg("-o").arg(&object));
                object
            });
            objects.push(object.clone());
        }
        let program = folder.join("engine");
        succeed(Command::new("cc").args(objects).arg("-lm").arg("-o").arg(&program));
        Engine { program }
    }
}

static FINAL: LazyLock<Option<(Compiler, Engine)>> = LazyLock::new(|| {
    let mut compiler = Compiler::open()?;
    let engine = compiler.build("engine", &sources());
    Some((compiler, engine))
});

/// The example as it is in the repository; `None` when there is no `cc`.
pub(crate) fn example() -> Option<&'static Engine> {
    FINAL.as_ref().map(|(_, engine)| engine)
}

/// A compiled engine.
pub(crate) struct Engine {
    program: PathBuf,
}

impl Engine {
    /// What the bench prints. The pairs are variables of the environment.
    pub(crate) fn bench(&self, depth: Option<u32>, environment: &[(&str, &str)]) -> String {
        let mut command = Command::new(&self.program);
        command.arg("bench").args(depth.map(|depth| depth.to_string()));
        let output = succeed(command.envs(environment.iter().copied()));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The nodes of the bench.
    pub(crate) fn bench_nodes(&self, depth: Option<u32>, environment: &[(&str, &str)]) -> u64 {
        let text = self.bench(depth, environment);
        let last = text.lines().last().unwrap_or_default();
        last.split(' ')
            .next()
            .unwrap_or_default()
            .parse()
            .unwrap_or_else(|_| panic!("{text}"))
    }

    /// Starts it as a UCI engine.
    pub(crate) fn start(&self) -> Session {
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Session {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }
}

/// A running engine.
pub(crate) struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    /// Sends a line.
    pub(crate) fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Sends a line, and collects the answers up to one that starts with `last`.
    pub(crate) fn ask(&mut self, line: &str, last: &str) -> Vec<String> {
        self.tell(line);
        let mut answers = Vec::new();
        loop {
            let mut answer = String::new();
            assert!(
                self.output.read_line(&mut answer).unwrap() > 0,
                "the end after {line}: {answers:?}"
            );
            let ends = answer.starts_with(last);
            answers.push(answer.trim_end().to_owned());
            if ends {
                return answers;
            }
        }
    }

    /// Ends the engine in good order.
    pub(crate) fn quit(mut self) {
        self.tell("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// Writes a policy as a host reads it, and gives the path of the file.
pub(crate) fn compiled(folder: &TempDir, toml: &str) -> String {
    file_of(&policy(toml), Units::Lmrlab, folder)
}
