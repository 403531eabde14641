//! What commands say to someone who reads: one name for a policy, one number for a match, the way out of a dead end.

use crate::scratch::Scratch;

const LOG: &str = "name = \"mylog\"\nwhen = \"quiet and depth >= 3 and moves_searched >= 3\"\n\
    reduce = \"base + ln(depth) * ln(move_number) / divisor\"\n\
    [param]\nbase = { value = 0.3, min = 0.0, max = 1.5 }\ndivisor = { value = 2.25, min = 1.2, max = 4.0 }\n";

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("my.toml", LOG);
    scratch.write("set.epd", "8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - id \"one\";\n");
    scratch
}

/// The options of a short match.
const SHORT: &str = "--nodes 100 --pairs 2 --hash 1 --threads 1 --quiet";

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let index = reader.headers().unwrap().iter().position(|head| head == name);
    reader
        .records()
        .map(|row| row.unwrap()[index.unwrap()].to_owned())
        .collect()
}

#[test]
fn a_policy_has_the_same_name_everywhere() {
    let scratch = project();
    let changed = "my.toml@divisor=3.0";
    let name = "mylog@divisor=3";
    scratch.done(&format!("match {changed} my.toml --out out {SHORT}"));
    let mut players = column(&scratch.read("out/standings.csv"), "engine");
    players.sort();
    assert_eq!(players, ["mylog", name]);
    for command in ["bench", "profile", "audit --no-blame"] {
        let printed = scratch.done(&format!("{command} {changed} --positions set.epd --depth 4 --quiet"));
        assert!(
            printed.contains(name) && !printed.contains("my.toml"),
            "{command:?}: {printed}"
        );
    }
    let printed = scratch.done(&["policy", "show", changed]);
    assert!(printed.contains(&format!("\n{name}\n")), "{printed}");
    let printed = scratch.done(&["explain", "startpos", "--policy", changed, "--depth", "3"]);
    assert!(printed.contains(&format!("{name} reduces ")), "{printed}");
    // Numbers distinguish the same policy twice, and what was typed distinguishes two files with one name.
    scratch.done(&format!("match my.toml my.toml --out twice {SHORT}"));
    assert_eq!(column(&scratch.read("twice/crosstable.csv"), "engine")[0], "mylog#1");
    scratch.write("other/my.toml", LOG);
    scratch.done(&format!("match my.toml other/my.toml --out files {SHORT}"));
    assert_eq!(
        column(&scratch.read("files/crosstable.csv"), "engine")[1],
        "other/my.toml"
    );
}

#[test]
fn variants_in_a_tournament_file_have_names_of_their_own() {
    let scratch = project();
    scratch.write(
        "t.toml",
        "name = \"t\"\nformat = \"round_robin\"\npairs = 1\nhash_mib = 1\n[openings]\nfile = \"openings.epd\"\n\
         [limit]\nnodes = 50\n[[engine]]\npolicy = \"house\"\n[[engine]]\npolicy = \"house@divisor=2.0\"\n\
         [[engine]]\npolicy = \"house\"\npreset = \"standard@-null_move\"\n",
    );
    scratch.write("openings.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    scratch.done("run t.toml --out out --quiet");
    let mut players = column(&scratch.read("out/standings.csv"), "engine");
    players.sort();
    assert_eq!(
        players,
        ["house in standard", "house in standard@-null_move", "house@divisor=2"]
    );
}

#[test]
fn a_file_beside_a_name_that_is_none_is_suggested() {
    let scratch = project();
    let said = scratch.refused(&format!("match my none {SHORT}"));
    assert!(said.contains("did you mean the file `my.toml`?"), "{said}");
}

#[test]
fn a_match_has_one_elo_and_a_tournament_has_ratings() {
    let scratch = project();
    let printed = scratch.done(&format!("match house none --out two {SHORT}"));
    assert_eq!(printed.matches("Elo ").count(), 2, "Elo and nElo: {printed}");
    assert!(printed.contains("(95%) for house, nElo"), "{printed}");
    assert!(!printed.contains("±95%"), "{printed}");
    let csv = scratch.read("two/standings.csv");
    let (engines, against) = (column(&csv, "engine"), column(&csv, "elo_against"));
    assert_eq!([&engines[0], &engines[1]], [&against[1], &against[0]]);
    let rated = scratch.done("rate two");
    assert!(rated.contains("house") && rated.contains("the mean is 0"), "{rated}");
    assert_eq!(
        rated,
        scratch.done("rate two/games.pgn"),
        "the journal and the PGN have the same games"
    );
}

#[test]
fn a_difference_elsewhere_is_named() {
    let scratch = project();
    scratch.write(
        "cut.toml",
        &LOG.replace("\"mylog\"", "\"cutlog\"")
            .replace("divisor\"", "divisor + if(cut, 1, 0)\""),
    );
    let printed = scratch.done("policy show my.toml --diff cut.toml");
    assert!(printed.contains("mylog and cutlog reduce"), "{printed}");
    assert!(
        printed.contains("--node cut") && !printed.contains("--node pv"),
        "{printed}"
    );
    let printed = scratch.done("policy show my.toml --diff cut.toml --node cut");
    assert!(printed.contains("+1"), "{printed}");
    let printed = scratch.done("policy show my.toml --diff my.toml");
    assert!(printed.contains("in every kind of node"), "{printed}");
}

#[test]
fn a_policy_with_parameters_is_enough_to_tune() {
    let scratch = project();
    let tune = "tune my.toml --pairs 4 --nodes 50 --threads 1 --no-gate --quiet --out out";
    let printed = scratch.done(tune);
    assert!(printed.contains("4 pairs") && printed.contains("divisor"), "{printed}");
    let said = scratch.refused("tune mediocre-2007 --pairs 4 --out none");
    assert!(said.contains("there is nothing to tune"), "{said}");
    std::fs::remove_file(scratch.path("out/result.toml")).unwrap();
    let said = scratch.refused(tune);
    assert!(said.contains("`lmrlab resume out`"), "{said}");
}

#[test]
fn a_suite_says_when_its_own_search_chose_the_positions() {
    let scratch = project();
    let mined = "8/8/8/4b1p1/3p2B1/k1p5/2K5/8 b - - bm d3+; id \"t\"; c1 \"cp 707, second best cp 217\";\n";
    scratch.write("mined.epd", mined);
    scratch.write("plain.epd", &mined.replace("second", "third"));
    for (file, noted) in [("mined.epd", true), ("plain.epd", false)] {
        let run = scratch
            .lmrlab(&["suite", file, "none", "--nodes", "500", "--quiet"])
            .assert()
            .success();
        let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert_eq!(said.contains("chose these positions"), noted, "{said}");
    }
}

#[test]
fn the_facts_of_a_profile_are_a_short_table() {
    let scratch = project();
    let printed = scratch.done("profile house --positions set.epd --depth 8 --out out --quiet");
    let table = printed.split("house by fact").nth(1).unwrap();
    let table = table.split("\n\n").next().unwrap();
    assert_eq!(table.lines().count(), 1 + 1 + 12 + 1, "{table}");
    assert!(table.contains("more lines in facts.csv"), "{table}");
    assert!(scratch.read("out/facts.csv").lines().count() > 20);
    let share = scratch.read("out/totals.csv");
    let share: f64 = column(&share, "saved_rate")[0].parse().unwrap();
    assert!(share < 1.0, "{printed}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_ablation_keeps_its_rows() {
    use crate::scratch::signal;
    use std::process::Stdio;

    let scratch = project();
    let searches =
        "ablate rebel-advanced --measures nodes --positions set.epd --depth 12 --threads 1 --hash 1 --out rows";
    // A busy machine needs longer for two rows.
    let after = |seconds| {
        let _ = std::fs::remove_dir_all(scratch.path("rows"));
        let child = scratch
            .background(searches)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        assert!(signal(&child, "INT"));
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let [shown, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let rows = scratch.line_count("rows/ablation.csv").saturating_sub(1);
        (rows, shown, said)
    };
    let (rows, shown, said) = [3, 12, 40].into_iter().map(after).find(|(rows, ..)| *rows > 1).unwrap();
    let printed = format!("Interrupted after {rows} of 21 rows; the figures are of these rows.");
    assert!(said.contains(&printed), "{said}");
    assert_eq!(scratch.done("show rows"), shown);
}

#[test]
fn facts_that_a_policy_does_not_read_are_noted() {
    let scratch = project();
    for (facts, noted) in [
        (
            "history=-600",
            "note: mylog does not read `history`, so the table is the same without",
        ),
        ("see=1,improving", "note: mylog does not read `improving` and `see`"),
        // A capture is not quiet, and the policy reads `quiet`.
        ("capture", ""),
    ] {
        let mut show = scratch.lmrlab(&["policy", "show", "my.toml", "--facts", facts]);
        let said = show.assert().success().get_output().stderr.clone();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains(noted) && said.is_empty() == noted.is_empty(), "{said}");
    }
}

#[test]
fn the_baseline_of_an_idea_is_named_where_it_is_another_policy() {
    let scratch = project();
    let baseline = "baseline `house` is the policy house-1, not `house`";
    assert!(scratch.done("idea show killer-less").contains(baseline));
    let said = scratch
        .lmrlab(&format!("match idea:killer-less:house {SHORT}"))
        .assert()
        .success()
        .get_output()
        .stderr
        .clone();
    assert!(String::from_utf8_lossy(&said).contains(baseline));
    let said = scratch.refused("trial house --idea deeper-only");
    assert!(
        said.contains("the idea is made for `house-1`, which it calls the baseline `house`"),
        "{said}"
    );
}
