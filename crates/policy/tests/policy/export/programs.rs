//! Programs that are made of exported files: they call each function with random facts.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::random_moves::ranged;
use lmrlab_policy::Policy;
use lmrlab_policy::export::{Export, Language, export};
use lmrlab_policy::facts::{Fact, Kind};
use lmrlab_policy::research::Ladder;

/// The facts that are known when a reduced search has returned.
const SEARCHED: [Fact; 2] = [Fact::Score, Fact::Reduction];

/// Bytes that a program writes for a move: whether it is late, the bits of its plies, its reduction, the change of depth.
pub(super) const RECORD: usize = 12;

/// A policy's export, with what a program must know to call it.
pub(super) struct Exported {
    export: Export,
    /// The facts with their ranges: those of the struct, then the parameters, then what a reduced search returned.
    ranged: Vec<(Fact, i32, i32)>,
    /// The facts of the policy's `[host]`: the field of each, unless nothing reads it, and whether it is a flag.
    own: Vec<(Option<String>, bool)>,
    /// Whether there is a function for the change of depth.
    changes_depth: bool,
}

impl Exported {
    pub(super) fn new(policy: &Policy, language: Language) -> Self {
        let export = export(policy, language);
        let changes_depth = policy.research().ladder == Ladder::ByScore;
        let searched: &[Fact] = if changes_depth { &SEARCHED } else { &[] };
        let facts = export.facts.iter().chain(&export.parameters).chain(searched);
        Self {
            ranged: facts.map(|fact| ranged(*fact, policy)).collect(),
            own: (policy.own_facts())
                .map(|own| {
                    let field = export.own.iter().find(|(fact, _)| *fact == own.fact);
                    (field.map(|(_, name)| name.clone()), own.fact.is_boolean())
                })
                .collect(),
            export,
            changes_depth,
        }
    }

    /// What a function of the file takes after the struct; `name` says how the program calls it.
    fn arguments(&self, function: &str, name: impl Fn(Fact) -> String) -> String {
        let signature = (self.export.text.lines())
            .filter(|line| line.starts_with("static inline ") || line.starts_with("pub fn "))
            .find(|line| line.contains(&format!("{function}(")))
            .unwrap();
        let is_named = |fact: &&Fact| {
            signature
                .split([' ', ',', ':', ')'])
                .any(|word| word == fact.info().name)
        };
        let parameters = SEARCHED.iter().chain(&self.export.parameters).filter(is_named);
        parameters.map(|fact| format!(", {}", name(*fact))).collect()
    }

    /// Whether no function of the system has a last bit of its own.
    pub(super) fn is_exact(&self) -> bool {
        self.export.inexact.is_empty()
    }

    pub(super) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.ranged.iter().map(|(fact, ..)| *fact)
    }
}

pub(super) fn compiler(language: Language) -> &'static str {
    match language {
        Language::C => "cc",
        Language::Rust => "rustc",
    }
}

/// Compiles a program of these exports, and gives its path.
///
/// Unless it is to be `fast`, it is compiled without optimisation, which takes less time. `compare N` writes [`RECORD`] bytes for each of N moves of each policy. `time N` prints nanoseconds a call: the least of 20 rounds of N calls.
pub(super) fn compiled(folder: &str, exported: &[Exported], language: Language, fast: bool) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export").join(folder);
    fs::create_dir_all(&folder).unwrap();
    let (ending, main) = match language {
        Language::C => ("h", c_program(exported)),
        Language::Rust => ("rs", rust_program(exported)),
    };
    for one in exported {
        fs::write(folder.join(format!("{}.{ending}", one.export.name)), &one.export.text).unwrap();
    }
    let (source, program) = (
        folder.join(match language {
            Language::C => "main.c",
            Language::Rust => "main.rs",
        }),
        folder.join(format!("program_{ending}{}", std::env::consts::EXE_SUFFIX)),
    );
    fs::write(&source, main).unwrap();
    build(&source, &program, language, fast);
    program
}

/// Compiles a source file with warnings as errors.
fn build(source: &Path, program: &Path, language: Language, fast: bool) {
    let mut command = Command::new(compiler(language));
    match language {
        Language::C => command.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]),
        Language::Rust => command.args(["--edition=2024", "-Dwarnings"]),
    };
    if fast {
        command.arg(match language {
            Language::C => "-O2",
            Language::Rust => "-Copt-level=2",
        });
    }
    command.arg(source).arg("-o").arg(program);
    if language == Language::C {
        command.arg("-lm");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the program `main` prints that uses the exported file `name`.
pub(super) fn printed(folder: &str, name: &str, text: &str, main: &str, language: Language) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export").join(folder);
    fs::create_dir_all(&folder).unwrap();
    let ending = match language {
        Language::C => "h",
        Language::Rust => "rs",
    };
    let source = folder.join(if ending == "h" { "main.c" } else { "main.rs" });
    let program = folder.join(format!("program_{ending}{}", std::env::consts::EXE_SUFFIX));
    fs::write(folder.join(format!("{name}.{ending}")), text).unwrap();
    fs::write(&source, main).unwrap();
    build(&source, &program, language, false);
    String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap()
}

const C_START: &str = r"#define _POSIX_C_SOURCE 199309L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int64_t within(uint64_t rest, int64_t low, int64_t high)
{
    return low + (int64_t)(rest % (uint64_t)(high - low + 1));
}

static int number(int low, int high)
{
    const uint64_t random = next(), kind = random & 7, rest = (random >> 3) & 0xffffffffu;
    const int64_t value = kind == 0 ? low : kind == 1 ? high : kind <= 3 ? within(rest, -2, 24)
        : kind == 4 ? within(rest, -2000, 2000) : within(rest, low, high);
    return (int)(value < low ? low : value > high ? high : value);
}

static double own_number(void)
{
    const int value = number(-2147483647, 2147483647);
    return value == 2147483647 ? 1.7976931348623157e308 : value == -2147483647 ? -1.7976931348623157e308 : value / 8.0;
}

static void record(bool late, double plies, int reduction, int change)
{
    uint64_t bits;
    memcpy(&bits, &plies, sizeof bits);
    putchar(late);
    for (int shift = 0; shift < 64; shift += 8)
        putchar((int)(bits >> shift & 255));
    putchar(reduction & 255);
    putchar((reduction >> 8) & 255);
    putchar(change & 255);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}
";

fn c_program(exported: &[Exported]) -> String {
    let mut text = C_START.to_owned();
    for one in exported {
        let _ = writeln!(text, "#include \"{}.h\"", one.export.name);
    }
    let mut calls = String::new();
    for one in exported {
        let name = &one.export.name;
        let mut fill = String::new();
        for (fact, low, high) in &one.ranged {
            let field = fact.info().name;
            let target = match one.export.parameters.contains(fact) || SEARCHED.contains(fact) {
                true => format!("{field}[i]"),
                false => format!("facts[i].{field}"),
            };
            let _ = writeln!(fill, "        {target} = number({low}, {high});");
        }
        for (field, is_flag) in &one.own {
            let value = if *is_flag { "number(0, 1)" } else { "own_number()" };
            let target = field
                .as_ref()
                .map_or("(void)".to_owned(), |field| format!("facts[i].{field} = "));
            let _ = writeln!(fill, "        {target}{value};");
        }
        let call = |function: &str| {
            let arguments = one.arguments(function, |fact| format!("{}[i]", fact.info().name));
            format!("{name}_{function}(&facts[i]{arguments})")
        };
        let [late, real, reduction] = ["is_late", "plies", "reduction"].map(call);
        let change = if one.changes_depth {
            call("depth_change")
        } else {
            "0".to_owned()
        };
        let searched: &[Fact] = if one.changes_depth { &SEARCHED } else { &[] };
        let declarations: String = (one.export.parameters.iter().chain(searched))
            .map(|fact| format!("    static double {}[1024];\n", fact.info().name))
            .collect();
        let _ = write!(
            text,
            r#"
static void fill_{name}(int compare, long count)
{{
    static struct {name}_facts facts[1024];
{declarations}    state = 1;
    if (compare) {{
        const int i = 0;
        for (long call = 0; call < count; call++) {{
{fill}            record({late}, {real}, {reduction}, {change});
        }}
        return;
    }}
    for (int i = 0; i < 1024; i++) {{
{fill}    }}
    double least = 1e30;
    for (int round = 0; round < 20; round++) {{
        const double start = now();
        int sum = 0;
        for (long call = 0; call < count; call++) {{
            const int i = (int)(call & 1023);
            sum += {reduction};
        }}
        volatile int sink = sum;
        (void)sink;
        const double time = (now() - start) / (double)count;
        least = time < least ? time : least;
    }}
    printf("%.3f\n", least);
}}
"#
        );
        let _ = writeln!(calls, "    fill_{name}(compare, count);");
    }
    let _ = write!(
        text,
        "\nint main(int argc, char **argv)\n{{\n    if (argc != 3)\n        return 2;\n    (void)own_number;\n    const int compare = strcmp(argv[1], \
         \"compare\") == 0;\n    const long count = atol(argv[2]);\n{calls}    return 0;\n}}\n"
    );
    text
}

const RUST_START: &str = r#"
use std::io::Write;
use std::time::Instant;

fn record(out: &mut impl Write, late: bool, plies: f64, reduction: i32, change: i32) {
    out.write_all(&[u8::from(late)]).unwrap();
    out.write_all(&plies.to_bits().to_le_bytes()).unwrap();
    out.write_all(&(reduction as i16).to_le_bytes()).unwrap();
    out.write_all(&(change as i8).to_le_bytes()).unwrap();
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn number(&mut self, low: i64, high: i64) -> i32 {
        let random = self.next();
        let (kind, rest) = (random & 7, (random >> 3) & 0xffff_ffff);
        let within = |low: i64, high: i64| low + (rest % (high - low + 1) as u64) as i64;
        let value = match kind {
            0 => low,
            1 => high,
            2 | 3 => within(-2, 24),
            4 => within(-2000, 2000),
            _ => within(low, high),
        };
        value.clamp(low, high) as i32
    }

    #[allow(dead_code, reason = "only programs of policies with numbers of an engine's own call it")]
    fn own_number(&mut self) -> f64 {
        match self.number(-2_147_483_647, 2_147_483_647) {
            2_147_483_647 => f64::MAX,
            -2_147_483_647 => f64::MIN,
            value => f64::from(value) / 8.0,
        }
    }
}
"#;

fn rust_program(exported: &[Exported]) -> String {
    let mut text = String::new();
    for one in exported {
        let name = &one.export.name;
        let _ = writeln!(text, "#[path = \"{name}.rs\"]\nmod {name};");
    }
    text.push_str(RUST_START);
    let mut calls = String::new();
    for one in exported {
        let name = &one.export.name;
        let (mut fill, mut own) = (String::new(), String::new());
        let searched: &[Fact] = if one.changes_depth { &SEARCHED } else { &[] };
        let parameters: Vec<Fact> = one.export.parameters.iter().chain(searched).copied().collect();
        for (fact, low, high) in &one.ranged {
            let field = fact.info().name;
            let number = format!("random.number({low}, {high})");
            if parameters.contains(fact) {
                let _ = write!(own, "f64::from({number}), ");
            } else if fact.info().kind == Kind::Boolean {
                let _ = writeln!(fill, "            {field}: {number} != 0,");
            } else {
                let _ = writeln!(fill, "            {field}: {number},");
            }
        }
        let mut last = String::new();
        for (field, is_flag) in &one.own {
            let value = if *is_flag {
                "random.number(0, 1) != 0"
            } else {
                "random.own_number()"
            };
            let target = field.as_ref().map_or("_".to_owned(), |field| format!("facts.{field}"));
            let _ = writeln!(last, "        {target} = {value};");
        }
        let own_count = parameters.len();
        let call = |function: &str| {
            let arguments = one.arguments(function, |fact| {
                let place = parameters.iter().position(|known| *known == fact).unwrap();
                let is_whole = SEARCHED.contains(&fact);
                format!("own[{place}]{}", if is_whole { " as i32" } else { "" })
            });
            format!("{name}::{function}(facts{arguments})")
        };
        let [late, real, reduction] = ["is_late", "plies", "reduction"].map(call);
        let change = if one.changes_depth {
            call("depth_change")
        } else {
            "0".to_owned()
        };
        let _ = write!(
            text,
            r#"
#[allow(unused_mut)]
fn fill_{name}(compare: bool, count: usize, out: &mut impl Write) {{
    let mut random = Random(1);
    let mut make = || {{
        let mut facts = {name}::Facts {{
{fill}            ..Default::default()
        }};
        let own: [f64; {own_count}] = [{own}];
{last}        (facts, own)
    }};
    if compare {{
        for _ in 0..count {{
            let (facts, own) = &make();
            let _ = own;
            record(out, {late}, {real}, {reduction}, {change});
        }}
        return;
    }}
    let moves: Vec<_> = (0..1024).map(|_| make()).collect();
    let mut least = f64::INFINITY;
    for _ in 0..20 {{
        let start = Instant::now();
        let mut sum = 0;
        for call in 0..count {{
            let (facts, own) = &moves[call % 1024];
            let _ = own;
            sum += {reduction};
        }}
        std::hint::black_box(sum);
        least = least.min(start.elapsed().as_nanos() as f64 / count as f64);
    }}
    writeln!(out, "{{least:.3}}").unwrap();
}}
"#
        );
        let _ = writeln!(calls, "    fill_{name}(compare, count, &mut out);");
    }
    let _ = write!(
        text,
        "\nfn main() {{\n    let arguments: Vec<String> = std::env::args().collect();\n    let compare = arguments[1] == \
         \"compare\";\n    let count = arguments[2].parse().unwrap();\n    let mut out = \
         std::io::BufWriter::new(std::io::stdout().lock());\n{calls}}}\n"
    );
    text
}
