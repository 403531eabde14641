//! `lmrlab policy export` and `lmrlab policy compile`.

use std::process::Command;

use lmrlab_engine::search_parameters::SearchParameters;

use crate::scratch::{Scratch, has_cc};

#[test]
fn a_policy_is_printed_or_written() {
    let scratch = Scratch::new();
    let printed = scratch.done("policy export mediocre-2007 --lang rust");
    assert!(
        printed.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n"),
        "{printed}"
    );
    assert!(
        printed.contains("pub fn reduction(facts: &Facts) -> i32 {"),
        "{printed}"
    );
    let export = "policy export mediocre-2007 --lang rust --out lmr.rs";
    assert_eq!(scratch.done(export), "");
    assert_eq!(scratch.read("lmr.rs"), printed);
    insta::assert_snapshot!("export_exists", scratch.refused(export));
    scratch.done(&format!("{export} --force"));
}

#[test]
fn a_policy_is_compiled_for_a_host() {
    let scratch = Scratch::new();
    let reference = "house@divisor=2.5,-gives-check";
    let printed = scratch.done(&format!("policy compile {reference}"));
    assert!(printed.starts_with("lmrlab-policy 1 house "), "{printed}");
    for line in ["units lmrlab", "param divisor 2.5 1.5 4", "rule gives-check off", "end"] {
        assert!(printed.lines().any(|there| there == line), "{printed}");
    }
    let compile = format!("policy compile {reference} --units host --out house.lmr");
    assert_eq!(scratch.done(&compile), "");
    assert_eq!(scratch.read("house.lmr"), printed.replace("units lmrlab", "units host"));
    scratch.refused(&compile);
    scratch.done(&format!("{compile} --force"));
    scratch.refused("policy compile housse");
    let rules: String = (0..257)
        .map(|index| format!("[[rule]]\nname = \"r{index}\"\nadd = \"1\"\n"))
        .collect();
    scratch.write("large.toml", &format!("name = \"large\"\nreduce = \"1\"\n{rules}"));
    insta::assert_snapshot!("compile_too_large", scratch.refused("policy compile large.toml"));
}

#[test]
fn a_table_is_written_or_refused() {
    let scratch = Scratch::new();
    let text = scratch.done("policy export obsidian@divisor=3 --lang c --table");
    let with = text.contains("//   With divisor=3.\n");
    assert!(
        with && text.contains("static const short obsidian_reductions[64][64] = {\n"),
        "{text}"
    );
    insta::assert_snapshot!(
        "export_no_table",
        scratch.refused("policy export fruit-2.1 --lang c --table --out table.h")
    );
    assert!(!scratch.path("table.h").exists());
}

#[test]
fn a_term_of_this_engines_evaluation_becomes_a_parameter() {
    let scratch = Scratch::new();
    scratch.write(
        "own.toml",
        "name = \"own\"\n# not pst_delta here\nwhen = \"depth >= 3\"\nreduce = \"ln(depth * move_number) - pst_delta / 50\"\n",
    );
    let output = scratch
        .lmrlab(&["policy", "export", "own.toml", "--lang", "c"])
        .assert()
        .success()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("own_reduction(const struct own_facts *facts, double pst_delta)"),
        "{text}"
    );
    insta::assert_snapshot!("export_own_terms", String::from_utf8(output.stderr).unwrap());
}

/// The file says what bonus a quiet move gets after its re-search; the search has the numbers.
#[test]
fn the_bonus_of_a_research_is_that_of_the_search() {
    let scratch = Scratch::new();
    let text = scratch.done("policy export stockfish-11 --lang c");
    let search = SearchParameters::default();
    let [bonus, most] = ["history_bonus", "history_bonus_max"].map(|name| search.get(name).unwrap());
    assert!(
        text.contains(&format!("bonus = min({bonus} * depth, {most}), ")),
        "{text}"
    );
    let without = scratch.done("policy export logarithm --lang c");
    assert!(!without.contains("bonus"), "{without}");
}

#[test]
fn wrong_input_is_refused() {
    let scratch = Scratch::new();
    insta::assert_snapshot!("export_language", scratch.refused("policy export house --lang pascal"));
    scratch.refused("policy export house");
    scratch.refused("policy export housse --lang c");
    scratch.refused("policy export house@divisor=99 --lang c");
    scratch.refused("policy export house --lang c --out missing/house.h");
}

/// The blocks of a language in the guide.
fn blocks_of_the_guide<'g>(guide: &'g str, language: &str) -> Vec<&'g str> {
    let opening = format!("\n```{language}\n");
    let blocks = guide.split(opening.as_str()).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap()).collect()
}

/// What the guide shows of an engine compiles with the header, and gives what `policy show` gives.
#[test]
fn an_engine_can_include_the_header() {
    if !has_cc() {
        return;
    }
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let scratch = Scratch::new();
    scratch.write("my-idea.toml", blocks_of_the_guide(&guide, "toml")[0]);
    scratch.done("policy export my-idea.toml@divisor=1.9 --lang c --out my_idea.h");
    let in_engine = blocks_of_the_guide(&guide, "c")[0];
    let engine = format!(
        "#include <stdio.h>\n#include \"my_idea.h\"\n\nstatic bool is_capture(int move) {{ return move == 1; }}\nstatic bool \
         is_promotion(int move) {{ return move == 2; }}\n\nint main(void)\n{{\n    const int depth = 12, moves_searched = 19, \
         move = 3, extension = 0;\n    const bool in_check = false, gives_check = false;\n{in_engine}    printf(\"%d\\n\", \
         late ? reduction : -1);\n    return 0;\n}}\n"
    );
    scratch.write("engine.c", &engine);
    let program = scratch.path("engine");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, &scratch.path("engine.c")])
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let printed = Command::new(&program).output().unwrap();
    scratch.done("policy show my-idea.toml@divisor=1.9 --out shown --depths 12 --moves 19");
    let shown = scratch.read("shown/reductions.csv");
    let expected = shown.lines().find_map(|line| line.strip_prefix("12,19,")).unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(printed.trim(), expected.trim_end_matches(','));
}
