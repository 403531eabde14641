//! `lmrlab suite`, `ablate` and `sweep`, which compare policies.

use crate::scratch::Scratch;

/// Mates and a won exchange, found at once; a position whose right move no search of so few nodes finds; and points.
const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";
6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8; id \"no mate\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"e4=3, d4=3, Nf3=2, a3=1\"; id \"first\";
2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"quiet queen\";
";

/// The file that a command writes into the folder `out`.
fn written(scratch: &Scratch, command: &str, csv: &str) -> String {
    scratch.done(&format!("{command} --out out --quiet"));
    scratch.read(&format!("out/{csv}"))
}

#[test]
fn a_suite_is_solved_by_each_policy() {
    let scratch = Scratch::new();
    scratch.write("suite.epd", SUITE);
    let suite = "suite suite.epd none rebel-starter --nodes 2000";
    let csv = written(&scratch, suite, "answers.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 2 * 4);
    assert_eq!(
        rows[1][..5],
        ["none", "mate", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "a1a8", "1"]
    );
    assert_eq!((rows[1][9], rows[2][4]), ("1", "0"));
    assert_eq!(rows[3][6], "3", "the most points");
    assert!(rows[1..].iter().all(|row| row[8].parse::<u64>().unwrap() <= 2000));

    let text = scratch.done("show out");
    assert!(text.contains("; against none: "), "{text}");
    assert!(text.contains("geometric means over the "), "{text}");
    assert_eq!(scratch.read("out/times.csv").lines().count(), 9);

    let text = scratch.done(&format!("{suite} --json --quiet"));
    let tables: serde_json::Value = serde_json::from_str(&text).unwrap();
    let policies = &tables["policies"];
    let right = |policy: &str| {
        let of_policy = rows.iter().filter(|row| row[0] == policy);
        of_policy.filter(|row| row[4] == "1").count() as i64
    };
    let (none, starter) = (right("none"), right("rebel-starter"));
    assert_eq!(
        (&policies[0]["solved"], &policies[1]["solved"]),
        (&none.into(), &starter.into())
    );
    assert_eq!(policies[0]["solved_gain"], serde_json::Value::Null);
    assert_eq!(policies[1]["solved_gain"], starter - none);
    let differs = |row: &[&str]| rows.iter().any(|other| other[1] == row[1] && other[4] != row[4]);
    let changed = rows[1..].iter().filter(|row| differs(row)).count() / 2;
    assert_eq!(tables["changes"].as_array().unwrap().len(), changed);
}

/// A policy with two rules and two parameters.
const POLICY: &str = r#"
name   = "two-rules"
when   = "depth >= 2 and moves_searched >= 2 and quiet and not in_check"
reduce = "base + ln(depth) * ln(move_number) / divisor"
[param]
base    = { value = 0.5, min = 0.0, max = 2.0 }
divisor = { value = 1.5, min = 0.5, max = 4.0 }
[[rule]]
name = "check"
when = "gives_check"
add  = "-1"
[[rule]]
name = "late"
when = "moves_searched >= 6"
add  = "2"
"#;

/// The search of these measures.
const PRESET: &str = "standard@-network_evaluation,pruning_depth=nominal,futility_max_depth=7,late_move_pruning_max_depth=8,\
                      see_pruning_max_depth=8,\
                      -threat_history,alpha_raise_max_depth=0";

/// A command with cheap measures of everything.
fn cheap(command: &str) -> String {
    let measures = "--depth 5 --suite suite.epd --suite-nodes 300 --pairs 3 --match-nodes 80 --seed 7 --hash=1";
    format!("{command} --positions few.epd --preset {PRESET} {measures}")
}

fn measured_project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("suite.epd", SUITE);
    scratch.write("few.epd", &SUITE.replace("bm", "c1").replace("am", "c2"));
    scratch.write("two.toml", POLICY);
    scratch
}

/// The cells of a CSV by column name.
fn cells(csv: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn an_ablation_measures_each_rule_and_plays_the_games_of_a_match() {
    let scratch = measured_project();
    let ablate = cheap("ablate two.toml --pairs-of-rules");
    let csv = written(&scratch, &ablate, "ablation.csv");
    let rows = cells(&csv);
    let policies: Vec<&str> = rows.iter().map(|row| row["policy"].as_str()).collect();
    assert_eq!(
        policies,
        [
            "two-rules",
            "two-rules@-check",
            "two-rules@-late",
            "two-rules@-check,-late"
        ]
    );
    assert_eq!(rows[0]["nodes_ratio"], "1.000000");
    assert_eq!((rows[0]["solved_gain"].as_str(), rows[0]["elo"].as_str()), ("0", ""));
    // A search that reduces late moves less is larger.
    assert!(rows[2]["nodes_ratio"].parse::<f64>().unwrap() > 1.0, "{csv}");

    let conditions = format!("--preset {PRESET} --pairs 3 --nodes 80 --seed 7 --hash 1");
    scratch.done(&format!(
        "match two.toml@-late two.toml {conditions} --out played --quiet"
    ));
    let pairs = cells(&scratch.read("played/pairs.csv"));
    for column in ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww", "los"] {
        let played: f64 = pairs[2][column].parse().unwrap();
        assert_eq!(rows[2][column].parse::<f64>().unwrap(), played, "{column}");
    }
}

#[test]
fn variants_that_cannot_be_measured_are_refused() {
    let scratch = measured_project();
    for (command, complaint) in [
        ("ablate mediocre-2007", "has no rules to switch"),
        ("ablate two.toml --measures suite --suite none.epd", "none.epd"),
        ("suite few.epd none", "it asks for no move"),
        ("suite suite.epd", "<POLICY>"),
        ("sweep two.toml --over divisor=1:9:0.5", "4"),
        (
            "sweep two.toml --over base=0:1:1 --over base=0:1:1",
            "`base` is swept twice",
        ),
        ("sweep two.toml --over null_mov=off,on", "did you mean `null_move`"),
        (
            "sweep two.toml --over futility_margin=off,on",
            "`futility_margin` is not a switch",
        ),
    ] {
        let said = scratch.refused(command);
        assert!(said.contains(complaint), "{command}: {said}");
    }
}

#[test]
fn a_sweep_goes_through_the_grid() {
    let scratch = measured_project();
    let sweep = cheap("sweep two.toml --over divisor=1:2:0.5 --over base=0:1:1");
    let csv = written(&scratch, &sweep, "sweep.csv");
    let rows = cells(&csv);
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[3]["policy"], "two-rules@divisor=1.5,base=1");
    assert_eq!((rows[3]["divisor"].as_str(), rows[3]["base"].as_str()), ("1.5", "1"));
    let nodes = |row: usize| rows[row]["nodes"].parse::<u64>().unwrap();
    assert!(
        nodes(1) < nodes(4),
        "the deepest reductions make the smallest tree: {csv}"
    );
}

/// What `acd` says of the shipped zugzwangs: at that depth a search without null moves finds the move, and one with null
/// moves that nothing verifies does not. Of a sample most must still, whatever the search has become since.
#[test]
fn the_shipped_zugzwangs_are_hidden_by_null_moves() {
    let scratch = Scratch::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/zugzwang.epd");
    let shipped = std::fs::read_to_string(file).unwrap();
    let depth = |line: &str| -> u32 {
        let (_, depth) = line.split_once(" acd ").unwrap();
        depth.split_once(';').unwrap().0.parse().unwrap()
    };
    let mut lines: Vec<&str> = shipped.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 3, "{shipped}");
    // The shallowest ones, which are the fastest to search.
    lines.sort_by_key(|line| depth(line));
    let sample = &lines[..lines.len().min(5)];
    let (mut without, mut with) = (0, 0);
    for line in sample {
        scratch.write("one.epd", line);
        let solves = |change: &str| {
            let search = format!("--depth {} --preset {PRESET},{change} --hash 8", depth(line));
            let text = scratch.done(&format!("suite one.epd none {search} --json --quiet"));
            usize::from(text.contains("\"solved\": 1"))
        };
        without += solves("-null_move");
        with += solves("null_move_verification_depth=0");
    }
    assert!(
        without + 1 >= sample.len() && with + 3 <= without,
        "{without} without null moves, {with} with"
    );
}

#[test]
fn a_sweep_over_switches_goes_through_all_combinations() {
    let scratch = measured_project();
    let over = "--over null_move=off,on --over killers+history=off,on --over reductions=off,on";
    let sweep = cheap(&format!("sweep two.toml {over} --measures nodes,elo"));
    let csv = written(&scratch, &sweep, "sweep.csv");
    let rows = cells(&csv);
    assert_eq!(rows.len(), 8);
    let policy = &rows[7]["policy"];
    assert!(
        policy.starts_with("two-rules in standard@-network_evaluation,")
            && policy.ends_with(",+null_move,+killers,+history"),
        "{policy}"
    );
    // In the games a point has the name of what differs, whatever else the preset changes.
    let games = scratch.journal("out/games.csv");
    let mut players: Vec<&str> = games.iter().map(|game| game.black.as_str()).collect();
    players.sort_unstable();
    players.dedup();
    assert_eq!(players.len(), 9, "{players:?}");
    assert!(
        players.contains(&"null_move=off killers+history=on reductions=off"),
        "{players:?}"
    );
    // The last one played itself.
    assert_eq!(rows[7]["n_dd_wl"], "3");
    assert_eq!(
        (rows[0]["null_move"].as_str(), rows[1]["reductions"].as_str()),
        ("0", "1")
    );
}
