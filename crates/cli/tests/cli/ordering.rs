//! `ordering`: who orders quiet moves, in matches, tournament files and runs that go on.

use crate::scratch::{ROUND_ROBIN, Scratch};

/// What a command says on standard error.
#[track_caller]
fn said(scratch: &Scratch, command: &str) -> String {
    let output = scratch.lmrlab(command).assert().success().get_output().clone();
    String::from_utf8(output.stderr).unwrap()
}

const SHORT: &str = "--nodes 60 --maxmoves 30 --pairs 2 --quiet --force --out out";

#[test]
fn the_preset_decides_unless_the_user_does() {
    let scratch = Scratch::new();
    let said_own = said(
        &scratch,
        &format!("match madchess-2.0 none {SHORT} --preset madchess-2015"),
    );
    assert!(said_own.contains("these engines order moves differently"), "{said_own}");
    let options = "--preset madchess-2015 --ordering preset";
    let said_preset = said(&scratch, &format!("match madchess-2.0 none {SHORT} {options}"));
    assert!(!said_preset.contains("differently"), "{said_preset}");
    let manifest = scratch.read("out/manifest.toml");
    assert!(
        manifest.contains("policy = \"madchess-2.0\"\nordering = \"preset\"\n"),
        "{manifest}"
    );
    // What has no history that orders moves is written as before.
    let said = said(&scratch, &format!("match madchess-2.0 none {SHORT} --ordering own"));
    insta::assert_snapshot!(said);
    let shown = scratch.done("show out");
    let printed: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("The sides"))
        .take(2)
        .collect();
    insta::assert_snapshot!(printed.join("\n"));
    scratch.done("report out");
    let page = scratch.read("out/report.html");
    assert!(
        page.contains("The sides differ in: reductions, ordering."),
        "no contrast"
    );
    assert!(page.contains("Note: these engines order moves differently"), "no note");
    assert!(
        page.contains("quiet moves ordered by the policy&#39;s own history")
            || page.contains("quiet moves ordered by the policy's own history")
    );
}

#[test]
fn an_engine_may_have_an_ordering_of_its_own() {
    let scratch = Scratch::new();
    let sides = "'policy=madchess-2.0 ordering=own name=own' 'policy=madchess-2.0 ordering=preset name=preset'";
    let said = said(&scratch, &format!("match {sides} {SHORT}"));
    assert!(
        said.contains("own by the policy's own history in `standard`; preset as the preset"),
        "{said}"
    );
    let shown = scratch.done("show out");
    assert!(shown.contains("\nThe sides differ in: ordering.\n"), "{shown}");
    // The games differ, or there would be nothing to say.
    let file = |lines: &str| {
        let engines = "[[engine]]\npolicy = \"madchess-2.0\"\n[[engine]]\npolicy = \"none\"\n";
        let head = ROUND_ROBIN.split("[[engine]]").next().unwrap();
        format!("{lines}\n{head}\n{engines}")
    };
    let mut games = Vec::new();
    for ordering in ["ordering = \"own\"", "ordering = \"preset\"", ""] {
        scratch.write("t.toml", &file(ordering));
        scratch.done("run t.toml --quiet --force --out run");
        games.push(scratch.read("run/games.csv"));
    }
    assert_ne!(games[0], games[1]);
    assert_eq!(games[1], games[2]);
}

#[test]
fn what_cannot_be_asked_for() {
    let scratch = Scratch::new();
    let refused = scratch.refused("match 'cmd=true ordering=own' none");
    assert!(
        refused.contains("`ordering` is for the project's own engine"),
        "{refused}"
    );
    let said = said(&scratch, "match house none --ordering own --nodes 50 --pairs 1 --out x");
    assert!(
        said.contains("`ordering` changes nothing: no policy here has a history that orders moves"),
        "{said}"
    );
}
