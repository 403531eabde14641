//! `lmrlab host`: the header, the example for authors of engines, and the check of an engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::scratch::{Scratch, has_cc, misbehaving_engine};

/// The mistakes; the file says how they are written.
const MISTAKES: &str = include_str!("host_mistakes.txt");

/// A mistake in the example's search: what it replaces, and the checks of which one has to name it.
struct Mistake {
    name: &'static str,
    checks: Vec<&'static str>,
    right: String,
    wrong: String,
}

impl Mistake {
    /// All mistakes, after the changes that every engine of the test has.
    fn all() -> (Vec<Self>, Vec<Self>) {
        let read = |block: &'static str| {
            let mut lines = block.lines();
            let (name, checks) = lines.next()?.rsplit_once(": ")?;
            let lines: Vec<&str> = lines.collect();
            let of = |sign: char| -> Vec<&str> { lines.iter().filter_map(|line| line.strip_prefix(sign)).collect() };
            Some(Self {
                name,
                checks: checks.split(' ').collect(),
                right: of('-').join("\n"),
                wrong: of('+').join("\n"),
            })
        };
        let blocks = MISTAKES.split("\n\n").skip(1);
        let entries = blocks.map(|block| read(block).unwrap_or_else(|| panic!("{block}")));
        entries.partition(|entry| entry.checks == ["-"])
    }

    /// The search with the mistake.
    fn planted(&self, search: &str) -> String {
        let places = search.matches(self.right.as_str()).count();
        assert_eq!(places, 1, "{}: the example has changed", self.name);
        search.replace(&self.right, &self.wrong)
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/example-c")
}

/// Runs the C compiler; `None` when there is none.
fn cc(arguments: &[&str]) -> Option<()> {
    if cfg!(windows) || !has_cc() {
        return None;
    }
    let output = Command::new("cc")
        .args(["-std=c99", "-O1"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

/// The example engine, built in a folder: its files but the search once, and the search with each mistake.
pub(crate) struct Example {
    pub(crate) scratch: Scratch,
    pub(crate) search: String,
}

impl Example {
    const PARTS: [&'static str; 4] = ["chess", "eval", "host", "uci"];

    /// `None` without a C compiler.
    pub(crate) fn new() -> Option<Self> {
        let scratch = Scratch::empty();
        for part in Self::PARTS {
            let source = sources().join(format!("{part}.c"));
            let object = scratch.path(&format!("{part}.o"));
            cc(&["-c", source.to_str()?, "-o", object.to_str()?])?;
        }
        let search = fs::read_to_string(sources().join("search.c")).unwrap();
        Some(Self { scratch, search })
    }

    /// Builds the engine `name` with this search.
    pub(crate) fn build(&self, name: &str, search: &str) {
        let path = |file: &str| self.scratch.path(file).to_str().unwrap().to_owned();
        // In a folder of its own, so that no other folder is beside it.
        let source = format!("{name}-search/search.c");
        self.scratch.write(&source, search);
        let mut arguments = vec![path(&source), "-I".to_owned(), sources().to_str().unwrap().to_owned()];
        arguments.extend(Self::PARTS.map(|part| path(&format!("{part}.o"))));
        arguments.extend(["-o".to_owned(), path(name), "-lm".to_owned()]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        cc(&arguments).unwrap();
    }

    /// Checks the engine `name`: the exit status, and what is printed.
    fn check(&self, name: &str, options: &str) -> (i32, String) {
        let command = format!("host check cmd=./{name} {options}");
        let output = self.scratch.lmrlab(&command).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap(), text)
    }

    /// Checks an engine in which nothing is wrong; what is printed.
    fn is_right(&self, name: &str, search: &str, options: &str) -> String {
        self.build(name, search);
        let (status, text) = self.check(name, options);
        assert_eq!((status, names(&text)), (0, Vec::new()), "{text}");
        assert!(text.contains("\nok       own scheme "), "{text}");
        text
    }

    /// Whether the check names a mistake, and what it names.
    fn named(&self, mistake: &Mistake, engine: &str, search: &str, options: &str) -> (bool, Vec<String>) {
        self.build(engine, &mistake.planted(search));
        let (status, text) = self.check(engine, options);
        let is_wrong = text.lines().any(|line| line.starts_with("wrong "));
        assert_eq!(status, i32::from(is_wrong), "{}: {text}", mistake.name);
        let names = names(&text);
        (names.iter().any(|name| mistake.checks.contains(&name.as_str())), names)
    }
}

/// The checks with a warning or a mistake.
fn names(text: &str) -> Vec<String> {
    let found = text
        .lines()
        .filter(|line| line.starts_with("wrong ") || line.starts_with("warning "));
    found
        .filter_map(|line| line.split_whitespace().nth(1))
        .map(str::to_owned)
        .collect()
}

/// A rule that reads the fact of the example alone, and changes nothing.
const READS_AN_OWN_FACT: &str =
    "[host]\nflags = [\"takes_last_moved\"]\n[[rule]]\nname = \"takes\"\nwhen = \"takes_last_moved\"\nadd = \"0\"\n";

#[test]
fn a_check_finds_nothing_in_the_example_and_names_mistakes() {
    let Some(example) = Example::new() else { return };
    let (_, mistakes) = Mistake::all();
    let own = fs::read_to_string(sources().join("own.toml")).unwrap() + READS_AN_OWN_FACT;
    example.scratch.write("own.toml", &own);
    let text = example.is_right("right", &example.search, "--nodes 2000 --own own.toml");
    assert!(text.contains("\nok       gives_check "), "{text}");
    let some = [
        "gives_check is asked before the move",
        "ucinewgame leaves the counter moves",
    ];
    for mistake in mistakes.iter().filter(|mistake| some.contains(&mistake.name)) {
        let (is_named, names) = example.named(mistake, "mistaken", &example.search, "--nodes 2000");
        assert!(is_named, "{}: {names:?}", mistake.name);
    }
}

/// The mistakes that the check does not name. Squares of both sides differ little, a table may hold a move at every hit, and schemes of
/// engines search again deeper or less deep; the others show in too few moves of searches as short as these.
const NOT_NAMED: [&str; 7] = [
    "counter_move is asked of the node above",
    "killer is set for captures",
    "pst_delta is that of the other side",
    "reductions have the engine's limit",
    "the search with the full window has the reduced depth",
    "tt_capture is asked after the move",
    "tt_has_move is tt_hit",
];

#[test]
#[ignore = "checks 171 engines, for half an hour"]
fn every_mistake_is_named_and_the_example_has_none() {
    let Some(example) = Example::new() else { return };
    let (more, mistakes) = Mistake::all();
    let search = (more.iter()).fold(example.search.clone(), |search, change| change.planted(&search));
    let own = sources().join("own.toml");
    let options = format!("--nodes 6000 --own {}", own.to_str().unwrap());
    for (name, search) in [("right", &example.search), ("more", &search)] {
        example.is_right(name, search, &options);
    }
    let half = |half: usize| {
        let of_half = mistakes.iter().skip(half).step_by(2);
        let unnamed = of_half.filter(|mistake| {
            let (is_named, names) = example.named(mistake, &format!("mistaken{half}"), &search, &options);
            println!("{}: {}", mistake.name, names.join(" "));
            !is_named
        });
        unnamed.map(|mistake| mistake.name).collect::<Vec<_>>()
    };
    let mut unnamed = thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        [half(0), other.join().unwrap()].concat()
    });
    unnamed.sort_unstable();
    println!(
        "{} of {} mistakes are named",
        mistakes.len() - unnamed.len(),
        mistakes.len()
    );
    assert_eq!(unnamed, NOT_NAMED);
}

/// What the check of an engine says in which something is wrong.
fn checked(scratch: &Scratch, words: &str) -> String {
    let engine = format!("cmd='{}' {words}", misbehaving_engine());
    let output = scratch.lmrlab(&["host", "check", &engine]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_engine_that_is_no_host_is_told_so() {
    let scratch = Scratch::empty();
    let text = checked(&scratch, "args=null-move");
    assert!(
        text.contains("\nwrong    handshake ") && text.contains("lmr_print_options"),
        "{text}"
    );
    for wrong in ["house", "cmd=./missing", "cmd=./engine nodes=5", "policy=house"] {
        scratch.refused(&["host", "check", wrong]);
    }
}

#[test]
fn an_answer_after_readyok_is_one_message_and_searches_have_one_thread() {
    let scratch = Scratch::empty();
    let text = checked(&scratch, "args='behave --host late --log log' option.Threads=4");
    let wrong: Vec<&str> = text.lines().filter(|line| line.starts_with("wrong ")).collect();
    let [_, late] = wrong[..] else { panic!("{text}") };
    assert!(
        late.ends_with("the engine answers to an option after `readyok`"),
        "{text}"
    );
    assert!(text.contains("Seen: policy late 00 -"), "{text}");
    let log = scratch.read("log");
    let threads: Vec<&str> = log.lines().filter(|line| line.starts_with("name Threads")).collect();
    assert_eq!(threads[..2], ["name Threads value 4", "name Threads value 1"], "{log}");
}

#[test]
fn the_header_is_printed_or_written() {
    let scratch = Scratch::empty();
    let header = scratch.done("host header");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/include/lmrlab.h");
    assert_eq!(header, fs::read_to_string(path).unwrap());
    scratch.done("host header --out lmrlab.h");
    assert_eq!(scratch.read("lmrlab.h"), header);
    scratch.refused("host header --out lmrlab.h");
}

#[test]
fn an_example_is_written_and_can_be_built() {
    let scratch = Scratch::empty();
    insta::assert_snapshot!("host_init", scratch.done("host init mine"));
    assert!(scratch.read("mine/own.lmr").starts_with("lmrlab-policy 1 own "));
    scratch.refused("host init mine");
    let folder = scratch.path("mine/example");
    let sources = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<PathBuf> = sources
        .filter(|path| path.extension().is_some_and(|kind| kind == "c"))
        .collect();
    sources.sort();
    let engine = scratch.path("mine/engine");
    let mut arguments: Vec<&str> = sources.iter().map(|path| path.to_str().unwrap()).collect();
    arguments.extend(["-o", engine.to_str().unwrap(), "-lm"]);
    if cc(&arguments).is_some() {
        let bench = |policy: &str| {
            let output = Command::new(&engine)
                .args(["bench", "4"])
                .env("LmrPolicy", policy)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            text.lines().last().unwrap().split(" nodes").next().unwrap().to_owned()
        };
        assert_eq!(bench(scratch.path("mine/own.lmr").to_str().unwrap()), bench(""));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_check_of_an_engine_that_does_not_answer() {
    use crate::scratch::signal;

    let scratch = Scratch::new();
    for (habit, signalled, status) in [
        ("hang-in-search --search 1", "TERM", 143),
        ("hang-in-search --search 1", "INT", 130),
        ("hang-at-start", "TERM", 143),
    ] {
        let engine = format!("cmd={} args='{habit} --host right'", misbehaving_engine());
        let mut child = scratch.background(&["host", "check", &engine]).spawn().unwrap();
        thread::sleep(std::time::Duration::from_millis(1500));
        let begun = std::time::Instant::now();
        assert!(signal(&child, signalled), "{habit}");
        assert_eq!(child.wait().unwrap().code(), Some(status), "{habit}");
        assert!(begun.elapsed().as_secs() < 2, "{habit}");
    }
}
