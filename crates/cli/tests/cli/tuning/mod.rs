//! `lmrlab tune`: runs from the file to the tuned policy, killed and resumed.

mod programs;
mod refusals;

use crate::scratch::Scratch;

const RUN: &str = r#"
name = "run"
pairs = 60
seed = 5
hash_mib = 1
[openings]
file = "positions/openings.epd"
[limit]
nodes = 100
[engine]
policy = "logarithm@base=1.5,divisor=1.2"
[adjudication]
max_moves = 30
resign = { move_count = 2, score_cp = 400 }
[gate]
pairs = 4
"#;

fn run(change: &str) -> String {
    format!("{change}\n{RUN}")
}

/// Every file that decides what a run came to.
fn results(scratch: &Scratch, folder: &str) -> Vec<String> {
    [
        "games.csv",
        "result.toml",
        "parameters.txt",
        "journal.sha256",
        "games.pgn",
        "tuning.csv",
    ]
    .map(|name| scratch.read(&format!("{folder}/{name}")))
    .to_vec()
}

#[test]
fn values_do_not_depend_on_threads_or_interruptions() {
    let scratch = Scratch::new();
    scratch.write("run.toml", &RUN.replace("pairs = 60", "pairs = 20"));
    let one = scratch
        .lmrlab(&["tune", "run.toml", "--out", "one", "--threads", "1"])
        .assert()
        .success();
    // Progress does not wait for a batch of pairs.
    let printed = String::from_utf8_lossy(&one.get_output().stderr);
    assert!(printed.contains("\n1/20 pairs, "), "{printed}");
    let test = "note: the final matches: SPRT [0, 600] nElo, at most 4 pairs: ";
    assert!(printed.starts_with(test), "{printed}");
    assert_eq!(printed.matches("note: below 1000 nodes").count(), 1, "{printed}");
    scratch.done("tune run.toml --out two --threads 2");
    let whole = results(&scratch, "one");
    assert_eq!(whole, results(&scratch, "two"));
    assert_eq!(whole[0].lines().count(), 41);
    assert_eq!(whole[5].lines().count(), 21);

    // As if killed in the middle of a line, of a batch, and between batches.
    let cuts = [(whole[0].len() / 3, "1"), (whole[0].len() / 2 + 1, "3"), (0, "2")];
    for (kept, threads) in cuts {
        for name in ["result.toml", "parameters.txt"] {
            std::fs::remove_file(scratch.path(&format!("two/{name}"))).unwrap();
        }
        match kept {
            // As if killed just after the manifest.
            0 => ["games", "tuning"]
                .iter()
                .for_each(|name| std::fs::remove_file(scratch.path(&format!("two/{name}.csv"))).unwrap()),
            kept => scratch.write("two/games.csv", &whole[0][..kept]),
        }
        scratch.done(&["resume", "two", "--quiet", "--threads", threads]);
        assert_eq!(whole, results(&scratch, "two"), "{kept} bytes");
    }
}

/// The numbers of `[spsa]` decide what is played, and they belong to SPSA.
#[test]
fn spsa_has_numbers_of_its_own() {
    let scratch = Scratch::new();
    let tune = |settings: &str, out: &str| {
        let text = run("method = \"spsa\"").replace("pairs = 60", "pairs = 16");
        // With fewer nodes, both sides of each pair score the same, and no value moves.
        let text = text.replace("nodes = 100", "nodes = 500");
        scratch.write("run.toml", &format!("{text}{settings}"));
        scratch.done(&["tune", "run.toml", "--out", out, "--no-gate", "--force"]);
        scratch.read(&format!("{out}/tuning.csv"))
    };
    // What an earlier run of another kind has left behind.
    scratch.write("usual/manifest.toml", "format_version = 1\nlmrlab = \"0.1.0\"\n");
    scratch.write("usual/los.csv", "of an earlier run");
    let usual = tune("", "usual");
    assert!(!scratch.path("usual/los.csv").exists());
    assert!(scratch.read("usual/parameters.txt").contains("\nbase, float, "));
    let same = "[spsa]\nalpha = 0.602\ngamma = 0.101\na_ratio = 0.1\npairs_per = 1\n";
    assert_eq!(tune(same, "same"), usual);
    let four = tune("[spsa]\npairs_per = 4\n", "four");
    assert_ne!(four, usual);
    // A run that is cut off within an iteration ends as it would have.
    let games = scratch.read("four/games.csv");
    let lines: Vec<&str> = games.lines().take(13).collect();
    scratch.write("four/games.csv", &format!("{}\n", lines.join("\n")));
    scratch.done("resume four --quiet");
    assert_eq!(scratch.read("four/tuning.csv"), four);
}

#[test]
fn a_tuned_policy_extends_its_origin_and_its_final_match_is_a_match() {
    let scratch = Scratch::new();
    // SPSA always moves a little, so that there is something to write.
    let spsa = run(
        "method = \"spsa\"\nlines = [\"base, float, 0.75, 0, 1.5, 0.5, 0.5\", \"futility_margin, 50, 0, 200, 40, 0.5\"]",
    );
    let spsa = spsa.replace("nodes = 100", "nodes = 400");
    scratch.write("run.toml", &spsa.replace("pairs = 60", "pairs = 24"));
    let said = scratch.done("tune run.toml --out out");
    assert!(said.contains("Final matches: tuned against start"), "{said}");
    let tuned = scratch.read("out/tuned.toml");
    assert!(tuned.starts_with("# Tuned by lmrlab"), "{tuned}");
    assert!(
        tuned.contains("extends = \"../configs/policies/logarithm.toml\""),
        "{tuned}"
    );
    let shown = scratch.done("policy check out/tuned.toml");
    assert!(shown.contains("logarithm-tuned"), "{shown}");
    let preset = scratch.read("out/tuned-preset.toml");
    assert!(preset.starts_with("# Tuned by lmrlab"), "{preset}");
    assert!(!preset.contains("\nfutility_margin = 50\n"), "{preset}");

    // No file but its own describes the engines of the match.
    let games = scratch.read("out/gate-1/games.csv");
    scratch.write("out/gate-1/games.csv", &games[..games.len() / 2]);
    scratch.done("resume out/gate-1 --quiet");
    assert_eq!(games, scratch.read("out/gate-1/games.csv"));
}

#[test]
fn a_policy_outside_of_the_project_can_be_tuned_and_reported() {
    let (scratch, elsewhere) = (Scratch::new(), Scratch::new());
    elsewhere.write("idea.toml", &elsewhere.read("configs/policies/logarithm.toml"));
    let policy = format!("policy = '{}'", elsewhere.path("idea.toml").display());
    let run = run("").replace("policy = \"logarithm@base=1.5,divisor=1.2\"", &policy);
    assert!(run.contains("idea.toml"));
    scratch.write("run.toml", &run);
    scratch.done("tune run.toml --out out --no-gate");
    scratch.done("resume out");

    // After a few pairs of many parameters, errors are those of the prior, which is no measurement.
    let shown = scratch.done("tune house --pairs 4 --nodes 50 --out few --no-gate");
    assert!(shown.contains("not yet known") && !shown.contains('±'), "{shown}");
    scratch.done("report few");
    let page = scratch.read("few/report.html");
    let page = page.split("<script").next().unwrap();
    assert!(
        page.contains("Not drawn: after_reduction, ") && !page.contains('±'),
        "{page}"
    );
    assert!(!scratch.read("few/result.toml").contains("error_95"));
}

/// Its games are recorded as those of a match. A run of version 1 has none.
#[test]
fn a_run_has_games_and_a_run_of_version_1_is_shown_without() {
    let scratch = Scratch::new();
    let numbers = "[[parameter]]\nname = \"base\"\nstep = 0.5\n[spsa]\npairs_per = 2\n";
    let text = run("method = \"spsa\"\npgn = \"compact\"").replace("pairs = 60", "pairs = 4");
    scratch.write("run.toml", &format!("{text}{numbers}"));
    scratch.done("tune run.toml --out out --no-gate");
    let games = scratch.journal("out/games.csv");
    assert_eq!(games.len(), 8);
    let game = scratch.done("show out --game 2");
    assert!(scratch.read("out/games.pgn").contains(&game), "{game}");
    assert!(game.contains("[White \"logarithm@divisor=1.2,base="), "{game}");
    assert!(scratch.refused("show out --game 9").contains("1 to 8"));
    assert!(scratch.done("rate out").contains("logarithm@divisor=1.2,base="));
    scratch.done("report out");
    assert!(
        scratch
            .read("out/report.html")
            .contains("Each of the 8 games can be replayed.")
    );

    let shown = scratch.done("show out");
    for name in ["games.csv", "games.pgn"] {
        std::fs::remove_file(scratch.path(&format!("out/{name}"))).unwrap();
    }
    assert_eq!(scratch.done("show out"), shown);
    let refused = scratch.refused("resume out");
    assert!(refused.contains("of lmrlab 1, which recorded no games"), "{refused}");
}
