//! Programs that are made of exported files: they read moves, and write what each function returns.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lmrlab_policy::Policy;
use lmrlab_policy::export::{Export, Language, export};
use lmrlab_policy::facts::{CATALOGUE, Fact, Kind};
use lmrlab_policy::research::Ladder;
use tempfile::TempDir;

use crate::agreement::Answer;
use crate::policies::{is_there, policy, succeed};

/// A program of some exports.
pub(crate) struct ExportedProgram {
    program: PathBuf,
    /// Of each policy: whether no function of the system has a last bit of its own.
    pub(crate) exact: Vec<bool>,
    folder: TempDir,
}

impl ExportedProgram {
    /// Compiles the exports of some policies, without a warning; `None` when there is no compiler.
    pub(crate) fn new(policies: &[&Policy], language: Language) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let exports: Vec<Export> = policies.iter().map(|policy| export(policy, language)).collect();
        let mut text = match language {
            Language::C => C.to_owned(),
            Language::Rust => RUST.to_owned(),
        };
        for (index, (export, policy)) in exports.iter().zip(policies).enumerate() {
            text += &calls(export, policy, language, index);
        }
        let cases: String = (0..exports.len()).map(|index| case(language, index)).collect();
        text += &match language {
            Language::C => format!("static void policy(int index) {{\n    switch (index) {{\n{cases}    }}\n}}\n"),
            Language::Rust => format!(
                "fn policy(index: usize, row: &Row) -> [u8; 24] {{\n    match index {{\n{cases}        _ => panic!(),\n    }}\n}}\n"
            ),
        };
        let files = exports
            .iter()
            .map(|export| (export.name.as_str(), export.text.as_str()));
        let program = built(folder.path(), files, &text, language)?;
        Some(Self {
            program,
            exact: exports.iter().map(|export| export.inexact.is_empty()).collect(),
            folder,
        })
    }

    /// What the functions of the policy with this index return for moves: late, plies before rounding, reduction, depth change.
    pub(crate) fn answers(&self, index: usize, moves: &[u8]) -> Vec<(Answer, f64)> {
        let [input, output] = ["input", "output"].map(|name| self.folder.path().join(name));
        fs::write(&input, moves).unwrap();
        succeed(
            Command::new(&self.program)
                .arg(index.to_string())
                .args([&input, &output]),
        );
        let answer = |bytes: &[u8; 24]| {
            let part = |index: usize| <[u8; 8]>::try_from(&bytes[8 * index..8 * index + 8]).unwrap();
            let [late, _, _, _, change, ..] = part(0);
            let answer = Answer {
                late: late != 0,
                plies: i64::from_le_bytes(part(1)) as i32,
                depth_change: i32::from(change.cast_signed()),
            };
            (answer, f64::from_le_bytes(part(2)))
        };
        fs::read(&output).unwrap().as_chunks().0.iter().map(answer).collect()
    }
}

/// The case of a policy in the function that calls all of them.
fn case(language: Language, index: usize) -> String {
    match language {
        Language::C => format!("        case {index}: policy_{index}(); break;\n"),
        Language::Rust => format!("        {index} => policy_{index}(row),\n"),
    }
}

/// A function that fills the struct of an export from a row, and calls its functions.
fn calls(export: &Export, policy: &Policy, language: Language, index: usize) -> String {
    let name = &export.name;
    let place = |fact: Fact| {
        let same = CATALOGUE.iter().filter(|info| info.kind == fact.info().kind);
        same.map(|info| info.fact).position(|other| other == fact).unwrap()
    };
    let mut fill = String::new();
    for fact in &export.facts {
        let (field, place) = (fact.name(), place(*fact));
        let value = match fact.info().kind {
            Kind::Boolean => format!("BOOLEAN({place})"),
            Kind::Number => format!("WHOLE({place})"),
        };
        let _ = writeln!(fill, "    facts.{field} = {value};");
    }
    for (fact, field) in &export.own {
        let own = Fact::own(fact.info().kind);
        let place = own.iter().position(|other| other == fact).unwrap();
        let list = if fact.is_boolean() { "OWN_FLAG" } else { "OWN_NUMBER" };
        let _ = writeln!(fill, "    facts.{field} = {list}({place});");
    }
    let call = |function: &str| {
        let signature = export
            .text
            .lines()
            .find(|line| line.contains(&format!("{function}(")) && line.contains("acts"));
        let is_named = |fact: &&Fact| {
            let mut words = signature.unwrap_or_default().split([' ', ',', ':', ')']);
            words.any(|word| word == fact.name())
        };
        let parameters = [Fact::Score, Fact::Reduction].iter().chain(&export.parameters);
        let parameters = parameters.filter(is_named).map(|fact| {
            let list = if fact.is_of_research() { "SCORE" } else { "NUMBER" };
            format!(", {list}({})", place(*fact))
        });
        let parameters: String = parameters.collect();
        match language {
            Language::C => format!("{name}_{function}(&facts{parameters})"),
            Language::Rust => format!("{name}::{function}(&facts{parameters})"),
        }
    };
    let [late, plies, reduction] = ["is_late", "plies", "reduction"].map(call);
    let change = match policy.research().ladder {
        Ladder::ByScore => call("depth_change"),
        _ => "0".to_owned(),
    };
    let text = match language {
        Language::C => format!(
            "#include \"{name}.h\"\nstatic void policy_{index}(void) {{\n    struct {name}_facts facts;\n    memset(&facts, 0, sizeof facts);\n\
             {fill}    answer({late}, {reduction}, {change}, {plies});\n}}\n"
        ),
        Language::Rust => format!(
            "mod {name};\n#[allow(unused_mut, reason = \"a policy without facts fills none\")]\nfn policy_{index}(row: &Row) -> [u8; 24] {{\n    let mut facts = {name}::Facts::default();\n\
             {fill}    answer({late}, {reduction}, {change}, {plies})\n}}\n"
        ),
    };
    match language {
        Language::C => text,
        Language::Rust => MACROS
            .iter()
            .fold(text, |text, (macros, rust)| text.replace(macros, rust)),
    }
}

/// How Rust spells the macros of the program in C.
const MACROS: [(&str, &str); 6] = [
    ("OWN_FLAG(", "row.own_flag("),
    ("OWN_NUMBER(", "row.own_number("),
    ("BOOLEAN(", "row.boolean("),
    ("WHOLE(", "row.whole("),
    ("SCORE(", "row.whole("),
    ("NUMBER(", "row.number("),
];

/// The number of the catalogue's numbers.
fn numbers() -> usize {
    CATALOGUE.iter().filter(|info| info.kind == Kind::Number).count()
}

const C: &str = r#"#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { uint64_t flags; double numbers[NUMBERS]; uint64_t own_flags; double own_numbers[16]; } row;
static FILE *input, *output;

#define BOOLEAN(place) (row.flags >> (place) & 1)
#define NUMBER(place) row.numbers[place]
#define WHOLE(place) (int)row.numbers[place]
#define SCORE(place) row.numbers[place]
#define OWN_FLAG(place) (row.own_flags >> (place) & 1)
#define OWN_NUMBER(place) row.own_numbers[place]

static void answer(bool late, int reduction, int change, double plies) {
    const unsigned char head[8] = { late, 0, 0, 0, (unsigned char)change, 0, 0, 0 };
    const int64_t whole = reduction;
    fwrite(head, sizeof head, 1, output);
    fwrite(&whole, sizeof whole, 1, output);
    fwrite(&plies, sizeof plies, 1, output);
}

static void policy(int index);

int main(int count, char **words) {
    if (count != 4) return 2;
    input = fopen(words[2], "rb"), output = fopen(words[3], "wb");
    if (!input || !output) return 3;
    while (fread(&row, sizeof row, 1, input) == 1) policy(atoi(words[1]));
    return fclose(output);
}
"#;

const RUST: &str = r#"#![allow(dead_code)]
struct Row<'b>(&'b [u8]);

impl Row<'_> {
    fn part(&self, place: usize) -> [u8; 8] {
        self.0[8 * place..8 * place + 8].try_into().unwrap()
    }
    fn boolean(&self, place: usize) -> bool {
        u64::from_le_bytes(self.part(0)) >> place & 1 != 0
    }
    fn number(&self, place: usize) -> f64 {
        f64::from_le_bytes(self.part(1 + place))
    }
    fn whole(&self, place: usize) -> i32 {
        self.number(place) as i32
    }
    fn own_flag(&self, place: usize) -> bool {
        u64::from_le_bytes(self.part(1 + NUMBERS)) >> place & 1 != 0
    }
    fn own_number(&self, place: usize) -> f64 {
        self.number(NUMBERS + 1 + place)
    }
}

fn answer(late: bool, reduction: i32, change: i32, plies: f64) -> [u8; 24] {
    let mut bytes = [0; 24];
    (bytes[0], bytes[4]) = (u8::from(late), change as u8);
    bytes[8..16].copy_from_slice(&i64::from(reduction).to_le_bytes());
    bytes[16..].copy_from_slice(&plies.to_le_bytes());
    bytes
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let index: usize = words[1].parse().unwrap();
    let bytes = std::fs::read(&words[2]).unwrap();
    let rows = bytes.chunks_exact(8 * (NUMBERS + 18));
    let answers: Vec<u8> = rows.flat_map(|row| policy(index, &Row(row))).collect();
    std::fs::write(&words[3], answers).unwrap();
}
"#;

/// Compiles a program with exported files beside it, and gives its path. Warnings are errors; nothing is optimised, which takes
/// less time. `None` when there is no compiler.
fn built<'f>(
    folder: &Path,
    files: impl Iterator<Item = (&'f str, &'f str)>,
    main: &str,
    language: Language,
) -> Option<PathBuf> {
    let (compiler, ending, of_exports) = match language {
        Language::C => ("cc", "c", "h"),
        Language::Rust => ("rustc", "rs", "rs"),
    };
    if !is_there(compiler) {
        return None;
    }
    for (name, text) in files {
        fs::write(folder.join(format!("{name}.{of_exports}")), text).unwrap();
    }
    let (source, program) = (folder.join(format!("main.{ending}")), folder.join("program"));
    fs::write(&source, main.replace("NUMBERS", &numbers().to_string())).unwrap();
    let mut command = Command::new(compiler);
    match language {
        Language::C => command.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]),
        Language::Rust => command.args(["--edition=2024", "-Dwarnings"]),
    };
    command.arg(&source).arg("-o").arg(&program);
    if language == Language::C {
        command.arg("-lm");
    }
    succeed(&mut command);
    Some(program)
}

#[test]
fn histories_are_scaled_by_the_bounds_of_the_engine() {
    let policy = policy(
        "name = \"own\"\nhistory = { model = \"gravity\", bound = 2000 }\n\
         reduce = \"history / 10 + capture_history / 1000 + continuation_history / 1000 + ordering_history / 1000\"",
    );
    // Half of each bound, for a quiet move and another one.
    let c = "#include <stdio.h>\n#define OWN_HISTORY_BOUND 500\n#define OWN_QUIET_HISTORY_BOUND 62188\n\
             #define OWN_CAPTURE_HISTORY_BOUND 14387\n#define OWN_CONTINUATION_HISTORY_BOUND 100\n#include \"own.h\"\n\
             int main(void) {\n    struct own_facts facts = { .history = 250, .capture_history = 7193, .continuation_history = 50 };\n\
             facts.quiet = true, facts.ordering_history = 31094;\n    printf(\"%.0f \", own_plies(&facts) * 1000);\n\
             facts.quiet = false, facts.ordering_history = 7193;\n    printf(\"%.0f\", own_plies(&facts) * 1000);\n    return 0;\n}\n";
    let rust = "mod own;\nfn main() {\n    let mut facts = own::Facts { history: 250, capture_history: 7193, \
                continuation_history: 50, ..own::Facts::default() };\n    (facts.quiet, facts.ordering_history) = (true, 31094);\n\
                print!(\"{:.0} \", own::plies(&facts) * 1000.0);\n    (facts.quiet, facts.ordering_history) = (false, 7193);\n\
                print!(\"{:.0}\", own::plies(&facts) * 1000.0);\n}\n";
    let bounds = [
        ("HISTORY", "2000.0", "500.0"),
        ("QUIET_HISTORY", "65536.0", "62188.0"),
        ("CAPTURE_HISTORY", "16384.0", "14387.0"),
        ("CONTINUATION_HISTORY", "16384.0", "100.0"),
    ];
    for (language, main) in [(Language::C, c), (Language::Rust, rust)] {
        let text = export(&policy, language).text;
        let with_bound = |text: String, (name, lmrlab, engine): (&str, &str, &str)| {
            let line = format!("pub const {name}_BOUND: f64 = ");
            text.replace(&format!("{line}{lmrlab};"), &format!("{line}{engine};"))
        };
        let text = bounds.into_iter().fold(text, with_bound);
        let folder = TempDir::new().unwrap();
        let files = std::iter::once(("own", text.as_str()));
        let Some(program) = built(folder.path(), files, main, language) else {
            continue;
        };
        let printed = succeed(&mut Command::new(program)).stdout;
        // 100 + 8.192 - 0.0006 + 8.192, and a history of 32.768, or of 8.192 - 0.0006.
        assert_eq!(String::from_utf8(printed).unwrap(), "149151 124575", "{language:?}");
    }
}
