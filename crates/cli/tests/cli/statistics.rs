//! `lmrlab sprt`, `sprt plan` and `rate`.

use crate::scratch::{Arguments, Scratch};
use assert_cmd::Command;
use serde_json::Value;

fn lmrlab(arguments: impl Arguments) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lmrlab"));
    command.args(arguments.words());
    command
}

fn output(scratch: &Scratch, arguments: impl Arguments) -> String {
    let run = scratch.lmrlab(arguments).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn json(arguments: impl Arguments) -> Value {
    let run = lmrlab(arguments).assert().success();
    serde_json::from_slice(&run.get_output().stdout).unwrap()
}

#[track_caller]
fn assert_wrong(arguments: impl Arguments, message: &str) {
    let run = lmrlab(arguments).assert().code(2);
    let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(text.contains(message), "{text}");
}

#[test]
fn a_verdict_has_every_figure() {
    let pairs = ["sprt", "--pentanomial", "200,3500,9000,3600,210"];
    let judged = json(
        &[
            &pairs[..],
            &["--bounds", "0,30", "--alpha", "0.1", "--beta", "0.2", "--json"],
        ]
        .concat(),
    );
    let judged = &judged["judged"][0];
    // fastchess's figures.
    for (key, expected) in [
        ("score", 0.5018170805572381),
        ("elo", 1.262642453337475),
        ("elo_error_95", 1.92792244362483),
        ("nelo", 2.454330049095203),
        ("nelo_error_95", 3.7474328099031236),
        ("los", 0.9003680745267157),
        ("llr", -102.91876119084684),
        ("lower", -1.504077396776274),
        ("upper", 2.0794415416798357),
    ] {
        let ours = judged[key].as_f64().unwrap();
        assert!((ours - expected).abs() < 1e-9, "{key}: {ours}");
    }
    assert_eq!(judged["verdict"], "H0");
    // So near to even both errors are almost the same.
    let [low, high] = ["nelo_low_95", "nelo_high_95"].map(|key| judged[key].as_f64().unwrap());
    assert!(
        (low + 1.2931).abs() < 1e-3 && (high - 6.2018).abs() < 1e-3,
        "{low} {high}"
    );
}

#[test]
fn a_verdict_for_people() {
    let scratch = Scratch::new();
    let text = output(&scratch, "sprt --wdl 76,123,89 --bounds -5,0 --model logistic");
    insta::assert_snapshot!("sprt_games", text);
    let text = output(&scratch, "sprt --pentanomial 0,0,0,0,7 --bounds 0,5");
    insta::assert_snapshot!("sprt_all_won", text);
}

/// fishtest's figures for the same counts: of its table, and of its SPRT.
#[test]
fn empty_cells_and_the_early_stop_are_allowed_for() {
    let judge = |counts| json(&["sprt", "--json", "--pentanomial", counts, "--bounds", "0,5"]);
    let corrected = |judged: &Value, name: &str| -> Option<[f64; 4]> {
        let row = judged["corrected"]
            .as_array()?
            .iter()
            .find(|row| row["estimate"] == name)?;
        Some(["elo_low_95", "elo", "elo_high_95", "los"].map(|key| row[key].as_f64().unwrap()))
    };
    let judged = judge("0,12,60,20,0");
    let [low, elo, high, los] = corrected(&judged, "regularized").unwrap();
    for (ours, expected) in [
        (elo, 15.115095351954558),
        ((high - low) / 2.0, 20.772786591126),
        (los, 0.9235923559535045),
    ] {
        assert!((ours - expected).abs() < 1e-9, "{judged}");
    }
    assert_ne!(judged["judged"][0]["elo"], elo);
    assert_eq!(corrected(&judged, "after the test"), None, "the test is not decided");
    let stopped = judge("150,1500,3500,1650,165");
    assert_eq!(stopped["judged"][0]["verdict"], "H1");
    let [low, elo, high, _] = corrected(&stopped, "after the test").unwrap();
    assert!(low < elo && elo < high, "{stopped}");
    assert_eq!(corrected(&judge("1,12,60,20,1"), "regularized"), None);
    let judged = judge("0,0,0,0,7");
    assert!(judged["judged"][0]["elo"].is_null());
    assert_eq!(corrected(&judged, "regularized"), None, "too few pairs");
    // Far beyond the bound: these games did not stop at it.
    let beyond = json("sprt --json --pentanomial 100,500,1500,900,300 --bounds 0,40");
    assert_eq!(beyond["judged"][0]["verdict"], "H1");
    assert_eq!(corrected(&beyond, "after the test"), None);
}

#[test]
fn no_counts_are_too_few_or_too_many() {
    for counts in [
        "0,0,0,0,0",
        "0,0,1,0,0",
        "0,0,0,0,1",
        "0,0,50,0,0",
        "5,0,0,0,0",
        "1000000000,0,999999999,1,7",
    ] {
        for bounds in ["0,5", "-300,300", "-600,-500"] {
            for model in ["normalized", "logistic"] {
                let judged = json(&[
                    "sprt",
                    "--json",
                    "--pentanomial",
                    counts,
                    "--bounds",
                    bounds,
                    "--model",
                    model,
                ]);
                let judged = &judged["judged"][0];
                assert!(judged["llr"].as_f64().unwrap().is_finite(), "{judged}");
                assert!(judged["los"].as_f64().is_some(), "{judged}");
                assert!(judged["score"].as_f64().is_some(), "{judged}");
            }
        }
    }
    let judged = json("sprt --json --pentanomial 0,0,0,0,1 --bounds 0,5");
    let judged = &judged["judged"][0];
    assert!(judged["elo"].is_null());
    assert!(judged["elo_error_95"].is_null());
}

#[test]
fn wrong_options_are_explained() {
    assert_wrong("sprt", "--bounds");
    assert_wrong("sprt --bounds 0,5", "counts are missing");
    assert_wrong("sprt --bounds 0,5 --pentanomial 1,2,3", "5 whole numbers");
    assert_wrong("sprt --bounds 0,5 --wdl 1,2,-3", "3 whole numbers");
    assert_wrong("sprt --bounds -1500,-500 --wdl 1,2,3", "between -600 and 600");
    assert_wrong("sprt --bounds 0,5 --wdl 1,2,3 --alpha 0.6 --beta 0.4", "less than 1");
    assert_wrong("sprt plan --elo0 0 --elo1 5", "--draws");
    assert_wrong("sprt plan --elo0 0 --elo1 5 --draws 1", "less than 1");
    assert_wrong("sprt plan --pairs 9 --draws 0.9 --bias 100", "bias");
    assert_wrong("sprt plan --draws 0.9 --error 0", "positive");
    assert_wrong("sprt plan --draws 0.9", "--elo0");
    assert_wrong("sprt plan --draws 0.9 --error 2 --true-elo 5", "--elo0");
}

#[test]
fn a_plan_agrees_with_a_published_calculator() {
    // fishtest's calculator.
    let plan = json("sprt plan --elo0 0 --elo1 2 --draws 0.49 --bias 191 --true-elo -1 --model logistic --json");
    let [pass, games] = ["pass_probability", "expected_games"].map(|key| plan["plan"][0][key].as_f64().unwrap());
    assert!((pass - 0.0027623637443195113).abs() < 1e-9, "{pass}");
    assert!((games - 22946.667625178936).abs() < 1e-3, "{games}");
    let middle = json("sprt plan --elo0 0 --elo1 2 --draws 0.3 --json");
    assert!(
        (middle["plan"][1]["pass_probability"].as_f64().unwrap() - 0.5).abs() < 1e-6,
        "{middle}"
    );
}

#[test]
fn a_plan_with_a_limit_counts_undecided_tests() {
    let limited = [
        "sprt",
        "plan",
        "--elo0",
        "0",
        "--elo1",
        "20",
        "--draws",
        "0.4",
        "--pairs",
        "1500,6000",
    ];
    insta::assert_snapshot!(Scratch::new().done(&limited));
    let ends = &json(&[&limited[..], &["--json"]].concat())["plan"][0];
    let [pass, fail, undecided] =
        ["pass_probability", "fail_probability", "undecided_probability"].map(|key| ends[key].as_f64().unwrap());
    assert!((pass + fail + undecided - 1.0).abs() < 1e-9, "{ends}");
}

#[test]
fn pairs_and_errors_answer_each_other() {
    let needed = json("sprt plan --draws 0.5 --error 2 --json")["matches"][0]["pairs"].clone();
    let bars = json(&[
        "sprt",
        "plan",
        "--draws",
        "0.5",
        "--pairs",
        &format!("{needed},{}", needed.as_u64().unwrap() - 1),
        "--json",
    ]);
    let [enough, too_few] = [0, 1].map(|i| bars["matches"][i]["elo_error_95"].as_f64().unwrap());
    assert!(enough <= 2.0 && 2.0 < too_few, "{bars}");
}

/// Six games of three players with every outcome, one of them unfinished, and a fourth player who won everything.
fn league() -> String {
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{0.1}} {result}\n\n")
    };
    [
        game("Anna", "Ben", "1-0"),
        game("Ben", "Anna", "1-0"),
        game("Anna", "Cleo", "1/2-1/2"),
        game("Cleo", "Anna", "0-1"),
        game("Ben", "Cleo", "1-0"),
        game("Cleo", "Ben", "*"),
        game("Dora", "Cleo", "1-0"),
        game("Ben", "Dora", "0-1"),
        game("Eve", "Finn", "1/2-1/2"),
    ]
    .concat()
}

#[test]
fn a_league_with_everything() {
    let scratch = Scratch::new();
    scratch.write("league.pgn", &league());
    let run = scratch
        .lmrlab("rate league.pgn --out rated --report")
        .assert()
        .success();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (said, warning) = (text(&run.get_output().stdout), text(&run.get_output().stderr));
    assert!(warning.contains("1 game left out: unfinished"), "{warning}");
    insta::assert_snapshot!("rate_league", said);
    insta::assert_snapshot!("rate_csv", scratch.read("rated/ratings.csv"));
    insta::assert_snapshot!("rate_los", scratch.read("rated/los.csv"));
    assert_eq!(scratch.done("show rated"), said);

    let anchored = ["rate", "league.pgn", "--anchor", "Ben=2000", "--json"];
    let anchored: Value = serde_json::from_str(&output(&scratch, &anchored)).unwrap();
    let ben = anchored["ratings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == "Ben");
    assert_eq!(
        ben.map(|row| (&row["elo"], &row["error_95"])),
        Some((&2000.0.into(), &0.0.into()))
    );
}

/// A chain of games: each player beats the next.
fn ladder(players: usize) -> String {
    (1..players)
        .map(|player| {
            format!(
                "[White \"{}\"]\n[Black \"{player}\"]\n[Result \"1-0\"]\n\n1-0\n\n",
                player - 1
            )
        })
        .collect()
}

#[test]
fn what_cannot_be_rated_is_explained() {
    let scratch = Scratch::new();
    scratch.write("league.pgn", &league());
    scratch.write("empty.pgn", "");
    scratch.write("many.pgn", &ladder(2_001));
    scratch.write("most.pgn", &ladder(2_000));
    output(&scratch, "rate most.pgn");
    for (arguments, message) in [
        (&["rate", "missing.pgn"][..], "missing.pgn"),
        (&["rate", "empty.pgn"], "no finished game"),
        (
            &["rate", "many.pgn"],
            "too many players to rate: 2001, and at most 2000 are possible",
        ),
        (&["rate", "most.pgn", "league.pgn"], "use Ordo"),
        (
            &["rate", "league.pgn", "--anchor", "Zoe=1"],
            "no player is called `Zoe`",
        ),
        (&["rate", "league.pgn", "--anchor", "Dora=1"], "no finite rating"),
        (
            &["rate", "league.pgn", "--anchor", "Ben=1", "--anchor", "Ben=2"],
            "`Ben` is given twice",
        ),
        (&["rate", "league.pgn", "--anchor", "Ben=1e9"], "a number up to 5000"),
        (&["rate", "league.pgn", "--anchor", "Ben"], "a name and a number"),
    ] {
        let run = scratch.lmrlab(arguments).assert().code(2);
        let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(text.contains(message), "{text}");
    }
}

/// One game makes nothing certain, and draws beside decided games are no draw rate of 100%.
#[test]
fn a_few_games_make_nothing_certain() {
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    let scratch = Scratch::new();
    scratch.write("one.pgn", &game("a", "b", "1-0"));
    assert!(scratch.done("rate one.pgn").contains("75.0%"));
    let games = [
        ("a", "b", "1-0"),
        ("b", "c", "1/2-1/2"),
        ("c", "a", "0-1"),
        ("b", "a", "0-1"),
    ];
    let text: String = games
        .iter()
        .map(|(white, black, result)| game(white, black, result))
        .collect();
    scratch.write("few.pgn", &text);
    let said = scratch.done("rate few.pgn");
    assert!(!said.contains("Draw rate (equal opponents): 100"), "{said}");
    assert!(
        said.contains("note: `-` is an error that these games do not show"),
        "{said}"
    );
    scratch.write("won.pgn", &game("a", "b", "1-0").repeat(40));
    assert!(scratch.done("rate won.pgn").contains(">99.9%"));
}
