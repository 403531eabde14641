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
fn a_misspelt_key() {
    insta::assert_snapshot!(refused("seed ", "sed "));
}

#[test]
fn a_missing_key() {
    insta::assert_snapshot!(refused("pairs  = 3", ""));
}

#[test]
fn a_billion_threads() {
    let message = refused("pairs  = 3", "pairs = 3\nthreads = 1000000000");
    assert!(message.contains("1024"), "{message}");
}

#[test]
fn zero_pairs() {
    insta::assert_snapshot!(refused("pairs  = 3", "pairs = 0"));
}

#[test]
fn no_limit_and_two_limits() {
    insta::assert_snapshot!("none", refused("nodes = 100", ""));
    insta::assert_snapshot!("two", refused("nodes = 100", "move_time_ms = 5\ntc = \"1+1\""));
}

#[test]
fn two_engines_with_the_same_name() {
    insta::assert_snapshot!(refused("\"micromax\"", "\"nothing\""));
}

#[test]
fn a_match_of_three_and_a_test_of_three() {
    insta::assert_snapshot!("match", refused("round_robin", "match"));
    let test = "[sprt]\nelo0 = 0\nelo1 = 5\n[openings]";
    insta::assert_snapshot!("test", refused("[openings]", test));
}

#[test]
fn a_test_whose_hypotheses_are_swapped() {
    let test = "[sprt]\nelo0 = 5\nelo1 = 0\n[openings]";
    let message = refused("[openings]", test);
    assert!(message.contains("elo0 < elo1"), "{message}");
}

#[test]
fn a_gauntlet_of_nobody() {
    let gauntlet = "\"gauntlet\"\ngauntlet_engine = \"nothin\"";
    insta::assert_snapshot!(refused("\"round_robin\"", gauntlet));
}

#[test]
fn an_unknown_policy_is_shown_where_it_is_named() {
    let message = refused("\"mediocre-2007\"", "\"mediocre-2070\"");
    assert!(
        message.contains("the policy `mediocre-2070` cannot be used"),
        "{message}"
    );
    assert!(message.contains("--> trio.toml:16:10"), "{message}");
}

#[test]
fn an_unknown_preset_is_shown_where_it_is_named() {
    let message = refused("policy = \"none\"", "policy = \"none\"\npreset = \"standart\"");
    assert!(message.contains("the preset `standart` cannot be used"), "{message}");
    assert!(message.contains("--> trio.toml:14:10"), "{message}");
}

#[test]
fn all_mistakes_at_once() {
    let message = refused("pairs  = 3\nseed   = 7", "pairs = 0\nseed = -1\ndescription = 5");
    for mistake in ["`pairs` is 0", "`seed` is -1", "`description` is an integer"] {
        assert!(message.contains(mistake), "{mistake} in {message}");
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
        (&["--pairs", "0"][..], "--pairs"),
        (&["--movetime", "10", "--tc", "3"], "cannot be used with"),
        (&["--tc", "10 + 1"], "is not a number of seconds"),
        (&["--sprt", "5,0"], "elo0 < elo1"),
        (&["--sprt", "5"], "two numbers"),
        (&["--alpha", "0.1"], "--sprt"),
        (&["--sprt", "0,5", "--beta", "1.7"], "beta must be"),
        (&["--openings", "nowhere.epd"], "nowhere.epd"),
        (&["--threads", "0"], "--threads"),
        (&["--preset", "nonsense"], "nonsense"),
        (&["--out", "positions"], "exists already"),
    ] {
        let mut arguments = vec!["match", "none", "mediocre-2007"];
        arguments.extend(options);
        let message = scratch.refused(&arguments);
        assert!(message.contains(complaint), "{complaint} in {message}");
    }
    let message = scratch.refused("match none nonsense");
    assert!(message.contains("nonsense"), "{message}");
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
    scratch.done(&[
        "match",
        "house",
        named,
        "--depth",
        "1",
        "--pairs",
        "1",
        "--maxmoves",
        "4",
        "--out",
        "out",
    ]);
}
