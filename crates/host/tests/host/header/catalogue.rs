//! The facts and the words of the header are those of the run-time.

use std::collections::BTreeSet;

use lmrlab_host::runtime::arithmetic::{Binary, Unary};
use lmrlab_policy::facts::{CATALOGUE, Kind};

use super::driver::include;

const BEGIN: &str = "/* catalogue: begin */\n";
const END: &str = "/* catalogue: end */\n";

/// A macro with the names of the facts of a kind.
fn list(name: &str, kind: Kind) -> String {
    let (mut text, mut line) = (format!("#define {name}(X) \\\n"), String::from("   "));
    for info in CATALOGUE.iter().filter(|info| info.kind == kind) {
        let word = format!(" X({})", info.name);
        if line.len() + word.len() > 112 {
            text += &line;
            text += " \\\n";
            line = String::from("   ");
        }
        line += &word;
    }
    text + &line + "\n"
}

/// With INSTA_UPDATE=always it writes the lists, as other tests write their snapshots.
#[test]
fn the_facts_of_the_header_are_those_of_the_catalogue() {
    let path = include().join("lmrlab.h");
    let header = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = header.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let lists = list("LMR_BOOLEAN_FACTS", Kind::Boolean) + &list("LMR_NUMBER_FACTS", Kind::Number);
    if found != lists && std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, [before, BEGIN, &lists, END, after].concat()).unwrap();
        return;
    }
    assert_eq!(found, lists, "INSTA_UPDATE=always writes the lists of lmrlab.h");
}

#[test]
fn the_words_of_the_header_are_the_operations() {
    let header = std::fs::read_to_string(include().join("lmrlab.h")).unwrap();
    let (_, list) = header.split_once("lmr_words[] = {").unwrap();
    let (list, _) = list.split_once('}').unwrap();
    let found: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let unary = Unary::NAMES.iter().map(|(word, _)| *word);
    let binary = Binary::NAMES.iter().map(|(word, _)| *word);
    let expected: BTreeSet<&str> = unary.chain(binary).chain(["table", "dup", "drop"]).collect();
    assert_eq!(found, expected);
}
