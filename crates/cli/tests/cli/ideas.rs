//! `lmrlab idea`, and ideas as policies.

use crate::scratch::Scratch;

/// An idea with a policy of its own and one by name.
const IDEA: &str = "idea = \"Reduces checks less.\"\ncategory = \"move type\"\n\n[[comparison]]\non = \"mine\"\nwith = '''\n\
    name    = \"checks-less\"\nextends = \"base.toml\"\n\n[[rule]]\nname = \"checks\"\nwhen = \"gives_check\"\nadd  = \"-1\"\n'''\n\
    without = \"base.toml\"\n\n[[comparison]]\non = \"rule\"\nwith = \"house\"\nwithout = \"house@-gives-check\"\n";

fn with_idea() -> Scratch {
    let scratch = Scratch::new();
    // A policy that ideas share stands in a folder of its own: a file beside the ideas would be one.
    scratch.write(
        "configs/ideas/shared/base.toml",
        "name = \"base\"\nreduce = \"ln(depth)\"\n",
    );
    scratch.write(
        "configs/ideas/checks-less.toml",
        &IDEA.replace("base.toml", "shared/base.toml"),
    );
    scratch
}

#[test]
fn ideas_of_the_project_stand_beside_those_that_are_built_in() {
    let scratch = with_idea();
    let list = scratch.done("idea list");
    assert!(list.contains("checks-less"), "{list}");
    assert!(
        list.contains("\ncut-node-more ") && list.contains("+3.4 ± 1.6       13"),
        "{list}"
    );
    let own = scratch.done("idea show checks-less");
    for part in [
        "checks-less (move type)\n\nReduces checks less.\n",
        "With the idea (idea:checks-less:mine)\n    name    = \"checks-less\"\n    extends = \"shared/base.toml\"\n",
        "Without it (idea:checks-less:rule:without)\nhouse@-gives-check\n",
        "There are no reports.",
    ] {
        assert!(own.contains(part), "{own}");
    }
    let known = scratch.done("idea show cut-node-more");
    for part in [
        "Mean of 22 tests, corrected for early stops: +3.4 ± 1.6 (13 engines).",
        "Between engines: tau 2.4 Elo; Cochran's Q 47.9, degrees of freedom 12, p <0.001.",
        "Expect in another engine +3.4 Elo, 80% interval -0.1 to +6.8.",
        "https://github.com/cosmobob",
        "house   1000    892",
    ] {
        assert!(known.contains(part), "{part}: {known}");
    }
}

#[test]
fn an_idea_plays_against_the_policy_without_it() {
    let scratch = with_idea();
    scratch.write(
        "with.toml",
        "name = \"checks-less\"\nextends = \"configs/ideas/shared/base.toml\"\n[[rule]]\nname = \"checks\"\nwhen = \"gives_check\"\nadd = \"-1\"\n",
    );
    let options = ["--pairs", "2", "--nodes", "200", "--threads", "1", "--quiet", "--out"];
    let play = |engines: &[&str], out: &str| {
        let mut words = vec!["match"];
        words.extend(engines);
        words.extend(options);
        words.push(out);
        scratch.done(&words);
        let pgn = scratch.read(&format!("{out}/games.pgn"));
        let moves: Vec<String> = pgn
            .lines()
            .filter(|line| !line.starts_with('['))
            .map(str::to_owned)
            .collect();
        (pgn, moves)
    };
    let (pgn, moves) = play(&["idea:checks-less"], "idea");
    assert!(
        pgn.contains("\"idea:checks-less\"") && pgn.contains("\"idea:checks-less:without\""),
        "{pgn}"
    );
    let (_, same) = play(&["with.toml", "configs/ideas/shared/base.toml"], "files");
    assert_eq!(moves, same);
    scratch.done("resume idea --quiet");
    let (pgn, _) = play(&["idea:checks-less:rule"], "rule");
    assert!(pgn.contains("\"idea:checks-less:rule:without\""), "{pgn}");
    let exported = scratch.done("policy show idea:pv-less@-principal-variation");
    assert!(exported.contains("rule principal-variation is off"), "{exported}");
}

#[test]
fn wrong_ideas_are_named_with_their_places() {
    let scratch = with_idea();
    for (words, complaint) in [
        (&["idea", "show", "checks-les"][..], "did you mean `checks-less`?"),
        (&["match", "idea:checks-les"], "there is no idea `checks-les`"),
        (&["match", "idea:checks-less:mien"], "its baselines are: mine, rule"),
        (&["match", "house"], "a match needs a second engine"),
        (&["match", "idea:checks-less@-checks"], "a match needs a second engine"),
        (
            &["policy", "show", "idea:checks-less@research.ladder=full"],
            "no override sets a key of the policy of an idea",
        ),
    ] {
        let said = scratch.refused(words);
        assert!(said.contains(complaint), "{words:?}: {said}");
    }
    for (from, to, complaint) in [
        ("gives_check", "gives_chek", "configs/ideas/checks-less.toml:12:9"),
        ("on = \"rule\"", "on = \"mine\"", "there are two comparisons on `mine`"),
        (
            "on = \"rule\"",
            "on = \"a b\"",
            "`a b` cannot be the name of a baseline",
        ),
        (
            "\"house@-gives-check\"",
            "\"house\"",
            "both sides of a comparison are the same policy",
        ),
        (
            "\"house@-gives-check\"",
            "\"idea:checks-less\"",
            "an idea consists of policies, not of other ideas",
        ),
        ("category = \"move type\"\n", "", "`category`"),
        ("= \"house\"", "= \"\"\"house\n\"\"\"", "stands between `'''`"),
    ] {
        let text = IDEA.replace("base.toml", "shared/base.toml").replacen(from, to, 1);
        scratch.write("configs/ideas/checks-less.toml", &text);
        for words in [&["idea", "show", "checks-less"][..], &["match", "idea:checks-less"]] {
            let said = scratch.refused(words);
            assert!(said.contains(complaint), "{words:?} {to}: {said}");
        }
    }
    assert!(!scratch.path("results").exists());
}
