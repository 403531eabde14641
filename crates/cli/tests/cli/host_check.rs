//! `lmrlab host`: the header, the example for authors of engines, and the check of an engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::scratch::{Scratch, misbehaving_engine};

/// Nodes of the searches of a short check.
const FEW_NODES: &str = "2000";
/// Nodes with which every mistake is found.
const MANY_NODES: &str = "10000";

/// A mistake in the example's search: what it replaces, and the check that has to name it.
struct Mistake {
    name: &'static str,
    right: &'static str,
    wrong: &'static str,
    check: &'static str,
}

/// Mistakes that authors of engines make.
const MISTAKES: [Mistake; 26] = [
    Mistake {
        name: "a history has another scale",
        right: "capture_history ordering_history*4 material",
        wrong: "capture_history ordering_history*0.05 material",
        check: "ordering_history",
    },
    Mistake {
        name: "gives_check is asked before the move",
        right: "LMR_FLAG(m, gives_check, gives_check)",
        wrong: "LMR_FLAG(m, gives_check, n->in_check)",
        check: "gives_check",
    },
    Mistake {
        name: "moves are counted from 0",
        right: "LMR_NUMBER(m, move_number, n->searched + 1)",
        wrong: "LMR_NUMBER(m, move_number, n->searched)",
        check: "move_number",
    },
    Mistake {
        name: "cut is that of the child",
        right: "LMR_FLAG(m, cut, n->cut); LMR_FLAG(m, all, !n->pv && !n->cut);",
        wrong: "LMR_FLAG(m, cut, n->pv || !n->cut); LMR_FLAG(m, all, !n->pv && n->cut);",
        check: "cut",
    },
    Mistake {
        name: "ucinewgame leaves the counter moves",
        right: "    memset(counter_moves, 0, sizeof counter_moves);\n",
        wrong: "",
        check: "ucinewgame",
    },
    Mistake {
        name: "what only a fact reads survives ucinewgame",
        right: "LMR_NUMBER(m, child_cutoffs, n[1].cutoffs);",
        wrong: "static int kept; LMR_NUMBER(m, child_cutoffs, n[1].cutoffs + ++kept % 97);",
        check: "ucinewgame",
    },
    Mistake {
        name: "a fact is always 0",
        right: "LMR_FLAG(m, counter_move, n[-1].move && move == *counter_of(n));",
        wrong: "LMR_FLAG(m, counter_move, false);",
        check: "counter_move",
    },
    Mistake {
        name: "promotions are quiet",
        right: "quiet = is_quiet(b, move), pawn",
        wrong: "quiet = !capture, pawn",
        check: "quiet",
    },
    Mistake {
        name: "captures en passant are no captures",
        right: "const bool capture = is_capture(b, move), quiet",
        wrong: "const bool capture = b->at[to] != NONE, quiet",
        check: "capture",
    },
    Mistake {
        name: "see is that of the other side",
        right: "LMR_NUMBER(m, see, exchange(b, move))",
        wrong: "LMR_NUMBER(m, see, -exchange(b, move))",
        check: "see",
    },
    Mistake {
        name: "alpha is that of the parent",
        right: "LMR_NUMBER(m, alpha, n->alpha);",
        wrong: "LMR_NUMBER(m, alpha, n[-1].alpha);",
        check: "alpha",
    },
    Mistake {
        name: "the evaluation is that of the other side",
        right: "LMR_NUMBER(m, static_eval, n->eval); LMR_NUMBER(m, eval_minus_alpha, n->eval - n->alpha);",
        wrong: "LMR_NUMBER(m, static_eval, -n->eval); LMR_NUMBER(m, eval_minus_alpha, -n->eval - n->alpha);",
        check: "static_eval",
    },
    Mistake {
        name: "the engine's own condition replaces that of the policy",
        right: "    int score = -search(after, -n->alpha - 1, -n->alpha, full - reduction, ply);",
        wrong: "    int score = -search(after, -n->alpha - 1, -n->alpha, is_late(n, gives_check) ? full - reduction : full, ply);",
        check: "reduction",
    },
    Mistake {
        name: "late is not said",
        right: "        m->late = is_late(n, gives_check);\n        m->reduction = m->late ? own_reduction(n) : 0;\n",
        wrong: "        m->reduction = is_late(n, gives_check) ? own_reduction(n) : 0;\n",
        check: "late",
    },
    Mistake {
        name: "the reduction is a ply less than the policy says",
        right: "n->reduction = lmr.reduction;",
        wrong: "n->reduction = lmr.reduction > 1 ? lmr.reduction - 1 : lmr.reduction;",
        check: "reduction",
    },
    Mistake {
        name: "the shadow search is reduced",
        right: "judge(n, after, full, &lmr);",
        wrong: "judge(n, after, full - lmr.reduction, &lmr);",
        check: "shadow",
    },
    Mistake {
        name: "the shadow search has another window",
        right: "const int score = -search(after, -n->alpha - 1, -n->alpha, full, n->ply + 1);",
        wrong: "const int score = -search(after, -n->alpha - 21, -n->alpha - 20, full, n->ply + 1);",
        check: "shadow",
    },
    Mistake {
        name: "the shadow search comes after the first search",
        right: "    if (lmr_shadow(&lmr)) judge(n, after, full, &lmr);\n    const int reduction = n->reduction = lmr.reduction;\n    int score = -search(after, -n->alpha - 1, -n->alpha, full - reduction, ply);\n",
        wrong: "    const int reduction = n->reduction = lmr.reduction;\n    int score = -search(after, -n->alpha - 1, -n->alpha, full - reduction, ply);\n    if (lmr_shadow(&lmr)) judge(n, after, full, &lmr);\n",
        check: "shadow",
    },
    Mistake {
        name: "the window is that of the entry",
        right: "LMR_NUMBER(m, window, n->beta - n->alpha)",
        wrong: "LMR_NUMBER(m, window, n->beta - n->entry_alpha)",
        check: "window",
    },
    Mistake {
        name: "root is never set",
        right: "LMR_FLAG(m, root, n->ply == 0)",
        wrong: "LMR_FLAG(m, root, false)",
        check: "root",
    },
    Mistake {
        name: "tt_depth is 0 where nothing is known",
        right: "LMR_NUMBER(m, tt_depth, entry->depth)",
        wrong: "LMR_NUMBER(m, tt_depth, entry->bound ? entry->depth : 0)",
        check: "tt_depth",
    },
    Mistake {
        name: "castling is missing",
        right: "LMR_FLAG(m, castling, n->kind == KING && abs(to - from) == 2)",
        wrong: "LMR_FLAG(m, castling, false)",
        check: "castling",
    },
    Mistake {
        name: "depth is that after the move",
        right: "LMR_NUMBER(m, depth, n->depth);",
        wrong: "LMR_NUMBER(m, depth, n->depth - 1);",
        check: "depth",
    },
    Mistake {
        name: "improving is inverted",
        right: "LMR_FLAG(m, improving, n->improvement > 0)",
        wrong: "LMR_FLAG(m, improving, n->improvement < 0)",
        check: "improving",
    },
    Mistake {
        name: "the nodes of the first search are those of all searches so far",
        right: "lmr_result(&lmr, score > n->alpha, node_count - before)",
        wrong: "lmr_result(&lmr, score > n->alpha, node_count)",
        check: "nodes",
    },
    Mistake {
        name: "parent_reduction is that of the node",
        right: "LMR_NUMBER(m, parent_reduction, n[-1].reduction)",
        wrong: "LMR_NUMBER(m, parent_reduction, n->reduction)",
        check: "parent_reduction",
    },
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/example")
}

/// Runs the C compiler; `None` when there is none.
fn cc(arguments: &[&str]) -> Option<()> {
    if cfg!(windows) {
        return None;
    }
    let output = Command::new("cc")
        .args(["-std=c99", "-O1"])
        .args(arguments)
        .output()
        .ok()?;
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
        self.scratch.write("search/search.c", search);
        let mut arguments = vec![
            path("search/search.c"),
            "-I".to_owned(),
            sources().to_str().unwrap().to_owned(),
        ];
        arguments.extend(Self::PARTS.map(|part| path(&format!("{part}.o"))));
        arguments.extend(["-o".to_owned(), path(name), "-lm".to_owned()]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        cc(&arguments).unwrap();
    }

    /// Checks the engine `name`: the exit status, and what is printed.
    fn check(&self, name: &str, options: &[&str]) -> (i32, String) {
        let command = format!("cmd=./{name}");
        let arguments = [&["host", "check", command.as_str()], options].concat();
        let output = self.scratch.lmrlab(&arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap(), text)
    }

    /// The search with a mistake.
    fn mistaken(&self, mistake: &Mistake) -> String {
        let places = self.search.matches(mistake.right).count();
        assert_eq!(places, 1, "{}: the example has changed", mistake.name);
        self.search.replace(mistake.right, mistake.wrong)
    }

    /// The checks that name something in the engine with a mistake.
    fn named(&self, mistake: &Mistake, nodes: &str) -> Vec<String> {
        self.build("mistaken", &self.mistaken(mistake));
        let (status, text) = self.check("mistaken", &["--nodes", nodes]);
        let names = names(&text);
        let is_wrong = text.lines().any(|line| line.starts_with("wrong "));
        assert_eq!(status, i32::from(is_wrong), "{}: {text}", mistake.name);
        names
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
    for mistake in &MISTAKES {
        example.mistaken(mistake);
    }
    example.build("right", &example.search);
    let own = fs::read_to_string(sources().join("own.toml")).unwrap() + READS_AN_OWN_FACT;
    example.scratch.write("own.toml", &own);
    let (status, text) = example.check("right", &["--nodes", FEW_NODES, "--own", "own.toml"]);
    assert_eq!((status, names(&text)), (0, Vec::new()), "{text}");
    assert!(text.contains("\nok       own scheme "), "{text}");
    assert!(text.contains("\nok       gives_check "), "{text}");
    let some = [
        "gives_check is asked before the move",
        "ucinewgame leaves the counter moves",
    ];
    let some = MISTAKES.iter().filter(|mistake| some.contains(&mistake.name));
    for mistake in some {
        let names = example.named(mistake, FEW_NODES);
        assert!(
            names.iter().any(|name| name == mistake.check),
            "{}: {names:?}",
            mistake.name
        );
    }
}

#[test]
#[ignore = "checks 27 engines, for some minutes"]
fn every_mistake_is_named_and_the_example_has_none() {
    let Some(example) = Example::new() else { return };
    example.build("right", &example.search);
    let own = sources().join("own.toml");
    let (status, text) = example.check("right", &["--nodes", MANY_NODES, "--own", own.to_str().unwrap()]);
    assert_eq!((status, names(&text)), (0, Vec::new()), "{text}");
    assert!(text.contains("\nok       own scheme "), "{text}");
    let mut unnamed = Vec::new();
    for mistake in &MISTAKES {
        let names = example.named(mistake, MANY_NODES);
        println!("{}: {}", mistake.name, names.join(" "));
        if !names.iter().any(|name| name == mistake.check) {
            unnamed.push(mistake.name);
        }
    }
    assert_eq!(unnamed, [""; 0]);
}

#[test]
fn an_engine_that_is_no_host_is_told_so() {
    let scratch = Scratch::empty();
    let engine = format!("cmd='{}' args=null-move", misbehaving_engine());
    let output = scratch.lmrlab(&["host", "check", &engine]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("wrong    handshake "), "{text}");
    assert!(text.contains("lmr_print_options"), "{text}");
    for wrong in ["house", "cmd=./missing", "cmd=./engine nodes=5", "policy=house"] {
        scratch.refused(&["host", "check", wrong]);
    }
}

#[test]
fn the_header_is_printed_or_written() {
    let scratch = Scratch::empty();
    let header = scratch.done(&["host", "header"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/include/lmrlab.h");
    assert_eq!(header, fs::read_to_string(path).unwrap());
    scratch.done(&["host", "header", "--out", "lmrlab.h"]);
    assert_eq!(scratch.read("lmrlab.h"), header);
    scratch.refused(&["host", "header", "--out", "lmrlab.h"]);
}

#[test]
fn an_example_is_written_and_can_be_built() {
    let scratch = Scratch::empty();
    insta::assert_snapshot!("host_init", scratch.done(&["host", "init", "mine"]));
    assert!(scratch.read("mine/own.lmr").starts_with("lmrlab-policy 1 own "));
    scratch.refused(&["host", "init", "mine"]);
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
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let begun = std::time::Instant::now();
        assert!(signal(&child, signalled), "{habit}");
        assert_eq!(child.wait().unwrap().code(), Some(status), "{habit}");
        assert!(begun.elapsed().as_secs() < 2, "{habit}");
    }
}
