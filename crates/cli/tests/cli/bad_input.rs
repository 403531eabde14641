//! Wrong input: a message that helps, exit status 2, and nothing written.

use crate::scratch::{OPENINGS, ROUND_ROBIN, Scratch};

/// What is said about the round robin with `old` replaced by `new`.
fn refused(old: &str, new: &str) -> String {
    let scratch = Scratch::new();
    let text = ROUND_ROBIN.replacen(old, new, 1);
    assert_ne!(text, ROUND_ROBIN);
    scratch.write("trio.toml", &text);
    scratch.refused("run trio.toml")
}

#[test]
fn an_unknown_policy_or_preset_is_shown_where_it_is_named() {
    let message = refused("policy = \"none\"", "policy = \"nonne\"\npreset = \"standart\"");
    for (key, place) in [("the policy `nonne`", "13:10"), ("the preset `standart`", "14:10")] {
        assert!(message.contains(&format!("{key} cannot be used")), "{message}");
        assert!(message.contains(&format!("--> trio.toml:{place}")), "{message}");
    }
}

#[test]
fn an_illegal_opening_has_its_line_number() {
    let scratch = Scratch::new();
    scratch.write("trio.toml", ROUND_ROBIN);
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1";
    scratch.write(
        OPENINGS,
        &format!(
            "# openings\n{}\n{fen}\n",
            scratch.read(OPENINGS).lines().next().unwrap()
        ),
    );
    insta::assert_snapshot!(scratch.refused("run trio.toml"));
}

#[test]
fn no_openings() {
    let scratch = Scratch::new();
    scratch.write("trio.toml", ROUND_ROBIN);
    scratch.write(OPENINGS, "\n# none\n");
    insta::assert_snapshot!(scratch.refused("run trio.toml"));
    scratch.write("trio.toml", &ROUND_ROBIN.replace(OPENINGS, "positions/none.epd"));
    let message = scratch.refused("run trio.toml");
    assert!(
        message.contains("cannot read the openings `positions/none.epd`"),
        "{message}"
    );
}

#[test]
fn results_that_cannot_be_written() {
    let scratch = Scratch::new();
    scratch.write("trio.toml", ROUND_ROBIN);
    scratch.write("file", "in the way");
    insta::assert_snapshot!("file", scratch.refused("run trio.toml --out file --force"));
    insta::assert_snapshot!("below_a_file", scratch.refused("run trio.toml --out file/run"));
    insta::assert_snapshot!("something_else", scratch.refused("run trio.toml --out configs --force"));
}

#[test]
fn a_file_that_is_not_there_and_one_that_is_no_toml() {
    let scratch = Scratch::new();
    let message = scratch.refused("run nowhere.toml");
    assert!(message.contains("cannot read `nowhere.toml`"), "{message}");
    scratch.write("wrong.toml", "name = = 3");
    let message = scratch.refused("run wrong.toml");
    assert!(message.contains("not valid TOML"), "{message}");
}

#[test]
fn options_of_a_match() {
    let scratch = Scratch::new();
    for (options, complaint) in [
        ("--pairs 0", "--pairs"),
        ("--movetime 10 --tc 3", "cannot be used with"),
        ("--tc '10 + 1'", "is not a number of seconds"),
        ("--sprt 5,0", "elo0 < elo1"),
        ("--sprt 5", "two numbers"),
        ("--alpha 0.1", "--sprt"),
        ("--sprt 0,5 --beta 1.7", "beta must be"),
        ("--openings nowhere.epd", "nowhere.epd"),
        ("--threads 0", "--threads"),
        ("--preset nonsense", "nonsense"),
        ("--out positions", "exists already"),
        ("--plies 4", "`plies` is for openings from a PGN"),
        ("--variant 960", "[possible values: standard, chess960]"),
    ] {
        let message = scratch.refused(&format!("match none mediocre-2007 {options}"));
        assert!(message.contains(complaint), "{complaint} in {message}");
    }
    for (engine, complaint) in [
        ("nonsense", "nonsense"),
        ("cmd=no-such-program", "there is no program `no-such-program`"),
        ("cmd=./configs", "`./configs` is a directory, not a program"),
        ("'cmd=sh nmae=x'", "did you mean `name=..`?"),
        ("\"cmd=sh name='x\"", "a quote has no other half"),
        ("'cmd=sh tc=fast'", "`fast` is not a time control"),
        ("'cmd=sh st=5 tc=3'", "`limit` has a time for each move and a clock"),
        ("'cmd=sh preset=standard'", "`preset` is for the project's own engine"),
        ("'cmd=sh policy=nonne'", "there is no policy `nonne`"),
        ("'cmd=sh dir=nowhere'", "is not a directory"),
        ("'cmd=sh restart=often'", "`often` is not a value of"),
        ("'cmd=sh cmd=sh'", "`cmd=` is there twice"),
        ("'cmd=sh option.Hash=1 option.Hash=2'", "`option.Hash=` is there twice"),
        ("'policy=none name=+a'", "a name does not begin with"),
    ] {
        let message = scratch.refused(&format!("match {engine} none"));
        assert!(message.contains(complaint), "{complaint} in {message}");
    }
}

/// The name of a program's file is the engine's name unless it has another one.
#[test]
fn a_file_name_that_cannot_name_an_engine_is_refused() {
    let scratch = Scratch::new();
    std::fs::copy(crate::scratch::misbehaving_engine(), scratch.path("=engine")).unwrap();
    let said = scratch.refused("match house 'cmd=./=engine args=behave' --nodes 10");
    assert!(said.contains("`=engine` cannot be the name of an engine"), "{said}");
    assert!(said.contains("give it another one with `name`"), "{said}");
    let named = "cmd=./=engine args=behave name=engine";
    scratch.done(&format!(
        "match house '{named}' --depth 1 --pairs 1 --maxmoves 4 --out out"
    ));
}
