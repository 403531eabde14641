//! The catalogue is that of the policies.

use std::path::Path;

use lmrlab_host::{FACTS, Fact};
use lmrlab_policy::facts::{CATALOGUE, Kind};

const BEGIN: &str = "catalogue! {\n    booleans {\n";
const END: &str = "    }\n}\n";

/// The lines of the facts of a kind.
fn list(kind: Kind) -> String {
    let facts = CATALOGUE.iter().filter(|info| info.kind == kind);
    facts
        .map(|info| format!("        {} {:?};\n", info.name, info.fact))
        .collect()
}

/// With INSTA_UPDATE=always it writes the lists, as other tests write their snapshots.
#[test]
fn the_catalogue_is_that_of_the_policies() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/catalogue.rs");
    let source = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = source.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let lists = format!("{}    }}\n    numbers {{\n{}", list(Kind::Boolean), list(Kind::Number));
    if found != lists && std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, [before, BEGIN, &lists, END, after].concat()).unwrap();
        return;
    }
    assert_eq!(
        found, lists,
        "INSTA_UPDATE=always writes the lists of crates/host/src/catalogue.rs"
    );
}

#[test]
fn a_fact_is_found_by_its_name() {
    for (index, (fact, name)) in FACTS.iter().enumerate() {
        assert_eq!((*fact as usize, fact.name()), (index, *name));
        assert_eq!(Fact::named(name), Some(*fact));
    }
}
