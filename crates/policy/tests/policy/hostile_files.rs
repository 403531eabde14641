//! Malicious files: each is read or refused quickly, without a panic or a stack overflow.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::common::Move;
use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use proptest::prelude::*;

static SHIPPED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/policies");
    let read = |name| {
        let path = folder.join(format!("{name}.toml"));
        std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{e}"))
    };
    lmrlab_diagnostics::Files::on_disk()
        .toml_names(&folder)
        .into_iter()
        .map(read)
        .collect()
});

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    folder
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap_or_else(|e| panic!("{e}"));
    path
}

/// Reads a text as a policy and asks it about moves; what is wrong with it, if it is wrong. Far within a second.
fn survives(text: &str) -> Option<String> {
    let start = Instant::now();
    let wrong = match Policy::compile(Source::new("policy.toml", text)) {
        Ok((policy, _)) => {
            for depth in [1, 5, 200] {
                let facts = Move::quiet(depth, 3 * depth);
                assert!(policy.reduction(&facts).abs() <= 512);
                let explained = policy.explain(&facts).map_or(0, |e| e.plies);
                assert_eq!(policy.reduction(&facts), explained);
            }
            None
        }
        Err(wrong) => {
            let text = wrong.to_string();
            assert!(text.contains("error"), "{text}");
            Some(text)
        }
    };
    // Far longer than any takes on a busy machine, far shorter than what takes time that grows with the square of its length.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    wrong
}

/// What is wrong with a condition.
fn condition(text: &str) -> Option<String> {
    survives(&format!("name = \"hostile\"\nreduce = \"1\"\nwhen = '''{text}'''\n"))
}

#[test]
fn a_list_of_any_length_is_refused() {
    for length in [1_000, 300_000] {
        let list = format!("w = {{ value = [{}], min = 0, max = 9 }}", "1,".repeat(length));
        for of in ["dot(w, w)", "at(w, depth)", "dot(pairs(w), w)"] {
            let wrong = survives(&format!("name = \"a\"\nreduce = \"{of}\"\n[param]\n{list}\n"));
            assert!(wrong.is_some_and(|wrong| wrong.contains("a list has at most 128 elements")));
        }
    }
}

#[test]
fn nesting_is_an_error_and_no_overflow() {
    let nested = |depth: usize| condition(&format!("{}depth{} > 3", "(".repeat(depth), ")".repeat(depth)));
    assert_eq!(nested(63), None);
    let wrong = nested(65).unwrap_or_default();
    assert!(wrong.contains("64 levels deep"), "{wrong}");
    // 4,000 brackets are the most that the length of an expression allows; with more, the length is what is wrong.
    for depth in [65, 1_000, 4_000, 10_000] {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        for text in [
            format!("{open}depth{close} > 3"),
            open.clone(),
            close.clone(),
            "not ".repeat(depth) + "pv",
            "- ".repeat(depth) + "depth < 3",
            "abs(".repeat(depth),
            "if(pv, 1, ".repeat(depth) + "2" + &close + " > 1",
            "depth + ".repeat(depth.max(1_000)) + "1 > 0",
            "depth > 3 and (".repeat(depth) + "pv" + &close,
            "not (pv or ".repeat(depth) + "pv" + &close,
            "max(1, steps(depth, 3 => ".repeat(depth),
        ] {
            let wrong = condition(&text);
            assert!(wrong.is_some(), "{depth}: {}", &text[..60.min(text.len())]);
        }
    }
    // TOML's own nesting.
    for depth in [50, 100, 100_000] {
        for text in [
            format!("x = {}{}", "[".repeat(depth), "]".repeat(depth)),
            "x = [".to_owned() + &"{ a = ".repeat(depth),
            format!("[{}a]", "a.".repeat(depth)),
            format!("{}a = 1", "a.".repeat(depth)),
        ] {
            assert!(survives(&text).is_some(), "{depth}");
        }
    }
}

#[test]
fn long_but_flat_is_fine_up_to_the_limit() {
    let many = "pv or cut or ".repeat(300) + "all";
    assert_eq!(condition(&many), None);
    let sum = "1 + ".repeat(100) + "depth > 3";
    assert_eq!(condition(&sum), None);
    let wrong = condition(&("1 + ".repeat(1_500) + "depth > 3")).unwrap_or_default();
    assert!(wrong.contains("in a row"), "{wrong}");
    let wrong = condition(&format!("max({}) > 3", ["1"; 65].join(", "))).unwrap_or_default();
    assert!(wrong.contains("arguments"), "{wrong}");
    let longer = "pv or ".repeat(2_000) + "pv";
    let wrong = condition(&longer).unwrap_or_default();
    assert!(wrong.contains("more than the 8192 allowed"), "{wrong}");
}

#[test]
fn numbers_beyond_all_bounds() {
    let digits = "9".repeat(400);
    for number in ["1e400", "1e12345678901", &digits, "0x7fffffffffffffffffff"] {
        assert!(condition(&format!("depth > {number}")).is_some(), "{number}");
        for key in ["scale", "min", "max", "floor", "pv_bonus"] {
            let file = format!("name = \"n\"\nreduce = \"1\"\n[finish]\n{key} = {number}\n");
            assert!(survives(&file).is_some(), "{key} = {number}");
        }
        let file = format!("name = \"n\"\nreduce = \"p\"\n[param]\np = {{ value = {number}, min = 0, max = 1 }}\n");
        assert!(survives(&file).is_some(), "{number}");
    }
    for number in ["nan", "-nan", "inf", "-inf"] {
        let file = format!("name = \"n\"\nreduce = \"1\"\n[finish]\nscale = {number}\n");
        assert!(survives(&file).is_some(), "{number}");
    }
    // Nothing overflows while it is computed.
    for amount in [
        "1e12 * 1e12 * 1e12",
        "pow(1e12, 1e12)",
        "exp(1e12)",
        "-pow(1e12, 99) * depth",
        "1 / 0",
        "depth % 0",
        "ln(0)",
        "sqrt(-1)",
    ] {
        let file = format!("name = \"n\"\nreduce = \"{amount}\"\n");
        assert_eq!(survives(&file), None, "{amount}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let folder = folder("no_text");
    for (name, bytes, says) in [
        (
            "latin.toml",
            &b"name = \"caf\xe9\"\nreduce = \"1\"\n"[..],
            "is not UTF-8 text (byte 11)",
        ),
        ("half.toml", b"name = \"\xf0\x9f\"", "is not UTF-8"),
        ("wide.toml", b"\xff\xfen\0a\0m\0e\0", "is not UTF-8 text (byte 0)"),
        ("zero.toml", b"name = \"a\0b\"\nreduce = \"1\"\n", "not valid TOML"),
        ("zeros.toml", &[0; 5_000], "not valid TOML"),
        ("empty.toml", b"", "`name` and `reduce` are missing"),
    ] {
        let wrong = match Policy::load(&written(&folder, name, bytes)) {
            Ok(_) => panic!("{name} was read"),
            Err(wrong) => wrong.to_string(),
        };
        assert!(wrong.contains(says) && wrong.contains(name), "{wrong}");
    }
    assert!(condition("depth > 3 \u{0}").is_some());
    // A mark of the byte order is no mistake, and names may not hide in other alphabets.
    assert_eq!(survives("\u{feff}name = \"n\"\nreduce = \"1\"\n"), None);
    assert!(condition("dерth > 3").is_some());
}

#[test]
fn ten_megabytes_are_refused() {
    let folder = folder("large");
    let line = "# a comment that goes on and on and on\n";
    let text = "name = \"large\"\nreduce = \"1\"\n".to_owned() + &line.repeat(10_000_000 / line.len());
    let large = written(&folder, "large.toml", text.as_bytes());
    let wrong = match Policy::load(&large) {
        Ok(_) => panic!("ten megabytes were read"),
        Err(wrong) => wrong.to_string(),
    };
    assert!(
        wrong.contains("large.toml") && wrong.contains("more than the 1048576 bytes"),
        "{wrong}"
    );
    // What has no length and no end.
    #[cfg(target_os = "linux")]
    {
        let wrong = Policy::load(Path::new("/dev/zero")).map_or_else(|e| e.to_string(), |_| String::new());
        assert!(wrong.contains("it is a pipe or a device, not a file"), "{wrong}");
    }
}

#[test]
fn as_many_rules_as_a_file_can_hold() {
    use std::fmt::Write as _;
    let mut text = "name = \"many\"\nreduce = \"1\"\n".to_owned();
    for index in 0..10_000 {
        let _ = write!(
            text,
            "[[rule]]\nname = \"r{index}\"\nwhen = \"depth > 3 and pv or cut\"\nadd = \"0.001\"\nstop = true\n"
        );
    }
    let _ = survives(&text);
}

/// One change of a text.
#[derive(Debug, Clone)]
enum Change {
    /// Another byte at a place.
    Byte(prop::sample::Index, u8),
    /// A piece taken out.
    Cut(prop::sample::Index, usize),
    /// A piece of another file put in.
    Splice(prop::sample::Index, prop::sample::Index, prop::sample::Index, usize),
    /// Something of the language put in.
    Insert(prop::sample::Index, &'static str, usize),
}

const WORDS: [&str; 24] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'''",
    "not ",
    "- ",
    " and ",
    "((((",
    "\0",
    "\n",
    "[[rule]]\n",
    "=",
    "1e308",
    "99999999999999999999",
    "nan",
    "if(",
    "steps(",
    "=>",
    ",",
    "\u{1f600}",
];

fn any_change() -> impl Strategy<Value = Change> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (place(), 1..80_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (place(), place(), place(), 1..200_usize)
            .prop_map(|(at, file, from, length)| Change::Splice(at, file, from, length)),
        (place(), prop::sample::select(&WORDS[..]), 1..100_usize)
            .prop_map(|(at, word, times)| Change::Insert(at, word, times)),
    ]
}

fn changed(bytes: &mut Vec<u8>, change: &Change, files: &[String]) {
    if bytes.is_empty() {
        return;
    }
    let end = |start: usize, length: usize, all: usize| (start + length).min(all);
    match change {
        Change::Byte(at, byte) => *at.get_mut(bytes) = *byte,
        Change::Cut(at, length) => {
            let start = at.index(bytes.len());
            bytes.drain(start..end(start, *length, bytes.len()));
        }
        Change::Splice(at, file, from, length) => {
            let other = file.get(files).as_bytes();
            let (start, from) = (at.index(bytes.len()), from.index(other.len()));
            let piece = other[from..end(from, *length, other.len())].to_vec();
            bytes.splice(start..start, piece);
        }
        Change::Insert(at, word, times) => {
            let start = at.index(bytes.len());
            bytes.splice(start..start, word.repeat(*times).into_bytes());
        }
    }
}

proptest! {
    #[test]
    fn mutated_policies_never_panic(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec(any_change(), 1..6),
    ) {
        let mut bytes = file.get(&SHIPPED).clone().into_bytes();
        for change in &changes {
            changed(&mut bytes, change, &SHIPPED);
        }
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mixed_words_never_panic(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60)) {
        let _ = condition(&words.concat().replace("'''", "''"));
        let _ = survives(&words.concat());
    }
}
