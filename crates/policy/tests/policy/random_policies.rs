//! Random policies give the same reductions as a simple interpreter, also when they are split into files by `extends`.

use std::path::PathBuf;

use crate::common::policy;
use crate::schemes::{PARAMETER, Scheme, any_move, any_scheme};
use lmrlab_policy::Policy;
use proptest::prelude::*;

fn loaded(path: &std::path::Path) -> Policy {
    match Policy::load(path) {
        Ok((policy, _)) => policy,
        Err(wrong) => panic!("{wrong}"),
    }
}

proptest! {
    #[test]
    fn a_policy_does_what_its_file_says(
        scheme in any_scheme(),
        moves in prop::collection::vec(any_move(), 8),
    ) {
        let compiled = policy(&scheme.text());
        for facts in &moves {
            let expected = scheme.plies(facts);
            prop_assert_eq!(compiled.reduction(facts), expected, "{}{:?}", scheme.text(), facts);
            if let Some(explanation) = compiled.explain(facts) {
                prop_assert_eq!(explanation.plies, expected);
                let sum: f64 = explanation.rules.iter().map(|rule| rule.plies - rule.before).sum();
                prop_assert!((explanation.base + sum - explanation.raw).abs() < 1e-6);
            } else {
                prop_assert_eq!(expected, 0);
            }
        }
    }

    #[test]
    fn a_policy_in_two_files_is_the_same(
        scheme in any_scheme(),
        moves in prop::collection::vec(any_move(), 8),
    ) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two_files");
        std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
        let write = |name: &str, text: String| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap_or_else(|e| panic!("{e}"));
            path
        };
        let first = scheme.rule_lines(Scheme::first_half);
        let second = scheme.rule_lines(Scheme::second_half);
        write("parent.toml", format!("name = \"parent\"\n{}{PARAMETER}{first}", scheme.head()));
        let child = write(
            "child.toml",
            format!("name = \"random\"\nextends = \"parent.toml\"\n{second}{}", scheme.finish()),
        );
        let joined = loaded(&child);
        let flat = policy(joined.text());
        prop_assert_eq!(flat.hash(), joined.hash());
        for facts in &moves {
            prop_assert_eq!(joined.reduction(facts), scheme.plies(facts));
            prop_assert_eq!(flat.reduction(facts), scheme.plies(facts));
        }
    }

    #[test]
    fn no_facts_on_a_command_line_make_the_reader_panic(text in "[a-z_0-9=,. -]{0,40}") {
        match text.parse::<lmrlab_policy::show::Given>() {
            Ok(given) => {
                let again = given.to_string().parse::<lmrlab_policy::show::Given>();
                prop_assert_eq!(again.ok(), Some(given));
            }
            Err(wrong) => prop_assert!(!wrong.to_string().is_empty()),
        }
    }
}
