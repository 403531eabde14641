//! The header compiles without a warning, in both languages.

use std::path::Path;
use std::process::Command;

use super::driver::{WARNINGS, include};
use crate::policies::{is_there, succeed};

/// A file that has the implementation, and one that uses the header as an engine does.
const IMPLEMENTATION: &str = "#define LMRLAB_IMPLEMENTATION\n#include \"lmrlab.h\"\n";
const USE: &str = r#"#include "lmrlab.h"
int late(int depth, uint64_t *random, int own);
int late(int depth, uint64_t *random, int own) {
    lmr_move lmr;
    if (lmr_open(&lmr, random)) {
        LMR_FLAG(&lmr, quiet, depth > 3);
        LMR_NUMBER(&lmr, depth, depth);
        if (LMR_WANTS(&lmr, see)) LMR_NUMBER(&lmr, see, -1);
        if (lmr_wants_own_flag(&lmr, 0)) lmr_own_flag(&lmr, 0, true);
        if (lmr_wants_own_number(&lmr, 0)) lmr_own_number(&lmr, 0, 0.5);
        if (lmr_wants_position(&lmr)) lmr_position(&lmr, "fen", "e2e4");
    }
    if (lmr_policy()) lmr_reduction(&lmr);
    else { lmr.reduction = own; lmr.late = own > 0; }
    if (lmr_shadow(&lmr)) lmr_judged(&lmr, true, 1);
    lmr_result(&lmr, false, 1);
    if (lmr_ladder() == LMR_LADDER_BY_SCORE && lmr_trigger() == LMR_TRIGGER_ABOVE_ALPHA) depth += lmr_depth_change(&lmr, 1, 2);
    lmr_close(&lmr, depth, 0, 2);
    return lmr.reduction;
}
int main(void) {
    uint64_t random = 1;
    if (!lmr_init("engine", "quiet depth see*100/208 flag:blue number:mood*3")) return 1;
    return late(5, &random, 2) - 2;
}
"#;

struct Languages {
    compilers: [&'static str; 2],
    standards: [&'static str; 2],
}

const GCC: Languages = Languages {
    compilers: ["gcc", "g++"],
    standards: ["-std=c99", "-std=c++11"],
};
const CLANG: Languages = Languages {
    compilers: ["clang", "clang++"],
    ..GCC
};

/// Compiles both files, each in the language with this index, links them, and runs the program.
fn compile(languages: &Languages, implementation: usize, using: usize, flags: &[&str]) {
    if !languages.compilers.iter().all(|compiler| is_there(compiler)) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut objects = Vec::new();
    for (name, text, language) in [("host", IMPLEMENTATION, implementation), ("engine", USE, using)] {
        let source = folder.path().join(format!("{name}.{}", ["c", "cpp"][language]));
        let object = folder.path().join(format!("{name}.o"));
        std::fs::write(&source, text).unwrap();
        succeed(
            Command::new(languages.compilers[language])
                .arg(languages.standards[language])
                .args(WARNINGS)
                .args(flags)
                .arg("-I")
                .arg(include())
                .arg("-c")
                .arg(&source)
                .arg("-o")
                .arg(&object),
        );
        objects.push(object);
    }
    let program = folder.path().join("program");
    succeed(
        Command::new(languages.compilers[1])
            .args(&objects)
            .arg("-o")
            .arg(&program)
            .arg("-lm"),
    );
    succeed(&mut Command::new(&program));
}

#[test]
fn the_header_compiles_in_c_and_in_cpp() {
    compile(&GCC, 1, 0, &["-O0"]);
    compile(&CLANG, 0, 1, &["-O0"]);
}

#[test]
#[ignore = "takes half a minute"]
fn the_header_compiles_with_every_compiler_and_option() {
    for languages in [&GCC, &CLANG] {
        for (implementation, using) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for flags in [&["-O0"][..], &["-O2"], &["-Os"], &["-O3", "-march=native"]] {
                compile(languages, implementation, using, flags);
            }
        }
    }
}

#[test]
fn fast_math_is_refused() {
    if !is_there("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source: &Path = &folder.path().join("host.c");
    std::fs::write(source, IMPLEMENTATION).unwrap();
    let output = Command::new("cc")
        .args(["-ffast-math", "-fsyntax-only", "-I"])
        .arg(include())
        .arg(source)
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("without -ffast-math"));
}
