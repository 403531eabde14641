//! Every key of a tournament file is read and written, and mistakes are named.

use lmrlab_diagnostics::{Document, Source};

use super::*;

/// A manifest's table with every key, as it is written.
const EVERY_KEY: &str = r#"
format_version = 3
[tournament]
name = "all"
description = "every key"
format = "match"
pairs = 7
seed = "18446744073709551615"
threads = 3
hash_mib = 2
time_margin_ms = 20
faults_allowed = "crashes:1"
variant = "chess960"
pin = true
pgn = "compact"
[tournament.openings]
file = ["a.epd", "b.epd"]
added = "c.epd"
plies = 4
order = "sequential"
start = 2
[tournament.limit]
nodes = 1000
depth = 8
tc = "40/60+0.5"
[tournament.adjudication]
max_moves = 200
draw = { move_number = 30, move_count = 8, score_cp = 10, two_sided = false }
resign = { move_count = 3, score_cp = 400, two_sided = true }
tb = ["t", "u"]
tb_pieces = 5
tb_ignore50 = true
[tournament.sprt]
elo0 = 0.0
elo1 = 5.0
alpha = 0.01
beta = 0.02
model = "logistic"
[[tournament.engine]]
name = "own"
time_margin_ms = 5
preset = "minimal"
policy = "house"
ordering = "own"
limit = { move_time_ms = 50 }
[[tournament.engine]]
name = "program"
command = "./engine"
policy = "none"
compiled = "0f"
dir = "d"
args = ["-q"]
restart = "game"
ponder = true
move_list = "rebased"
deadlines = { start_ms = 1, ready_ms = 2, answer_ms = 3, late_ms = 4, quit_ms = 5 }
env = { A = "b" }
options = { Hash = "16" }
"#;

/// A file with three engines.
const THREE: &str = r#"
name = "three"
format = "round_robin"
pairs = 3
seed = 7
limit = { nodes = 100 }
[openings]
file = "book.epd"
[[engine]]
name = "a"
policy = "none"
[[engine]]
name = "b"
policy = "house"
[[engine]]
name = "c"
command = "./engine"
"#;

/// The description of a file, or what is wrong with it.
fn description(text: &str) -> Result<Description, String> {
    let document = Document::parse(Source::new("t.toml", text)).unwrap();
    let found = tournament(document.root()).filter(|found| {
        let names: Vec<String> = found.engines.iter().filter_map(|engine| engine.name.clone()).collect();
        found.clone().name_engines(&names, &document).is_some()
    });
    let finished = document.finish(found);
    finished.map(|(found, _)| found).map_err(|report| report.render(false))
}

#[test]
fn what_is_written_is_read_again() {
    let document = Document::parse(Source::new("manifest.toml", EVERY_KEY)).unwrap();
    let found = tournament(document.root().table("tournament").unwrap());
    let (found, _) = document.finish(found).unwrap();
    let manifest: Table = EVERY_KEY.parse().unwrap();
    assert_eq!(toml::Value::from(of_tournament(&found)), manifest["tournament"]);
    let race = THREE.replace("round_robin", "race").replace(
        "[openings]",
        "race = { goal = 'beat_baseline', baseline = 'b', elo = 9.0, alpha = 0.1, model = 'logistic' }\n[openings]",
    );
    let race_of = |table: &Table| table["race"].clone();
    assert_eq!(
        race_of(&of_tournament(&description(&race).unwrap())),
        race_of(&race.parse().unwrap())
    );
}

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    const LIMIT: &str = "limit = { nodes = 100 }";
    let mut messages = Vec::new();
    for (old, new) in [
        ("seed", "sed"),
        ("pairs = 3", ""),
        (
            "pairs = 3\nseed = 7",
            "pairs = 0\nseed = -1\ndescription = 5\nthreads = 1000000000",
        ),
        ("seed = 7", "seed = '18446744073709551616'\nfaults_allowed = 0"),
        (LIMIT, "limit = { }"),
        (LIMIT, "limit = { move_time_ms = 5, tc = '1+1' }"),
        (LIMIT, "limit = { tc = 'fast' }"),
        ("name = \"b\"", "name = \"a\""),
        ("name = \"b\"", "name = \"=b\""),
        ("round_robin", "match"),
        ("[openings]", "sprt = { elo0 = 0, elo1 = 5 }\n[openings]"),
        ("[openings]", "sprt = { elo0 = 5, elo1 = 0 }\n[openings]"),
        ("round_robin\"", "gauntlet\"\ngauntlet_engine = 'd'"),
        ("[openings]", "gauntlet_engine = 'a'\n[openings]"),
        ("[openings]", "[openings]\nadded = 'c.epd'\nstart = 0"),
        ("\"book.epd\"", "[]"),
        ("round_robin", "race"),
        ("[openings]", "race = { goal = 'best', elo = 9.0 }\n[openings]"),
        (
            "round_robin\"",
            "race\"\nsprt = { elo0 = 0, elo1 = 5 }\nrace = { goal = 'best', elo = 9.0, elos = 2, baseline = 'a' }",
        ),
        (
            "round_robin\"",
            "race\"\nrace = { goal = 'beat_baseline', elo = 9.0, baseline = 'z' }",
        ),
        ("round_robin\"", "race\"\nrace = { goal = 'better', elo = 0.0 }"),
        (
            "round_robin\"",
            "race\"\nrace = { goal = 'best', elo = 9.0, alpha = 0.5 }",
        ),
        (
            "[openings]",
            "adjudication = { draw = { move_count = 3 }, resign = 3, max_moves = 0, tb_pieces = 5 }\n[openings]",
        ),
        (
            "\"./engine\"",
            "\"./engine\"\nordering = 'own'\nrestart = 'sometimes'\ndeadlines = { start_ms = 0, begin_ms = 9 }",
        ),
        (
            "\"./engine\"",
            "\"./engine\"\noptions = { Hash = [], Name = \"a\\nquit\" }\nlimit = { }",
        ),
        (
            "\"./engine\"",
            "\"./engine\"\npolicy = 'house'\noptions = { lmrpolicy = 'x' }",
        ),
        ("\"house\"", "\"house\"\nargs = []"),
        (
            "[openings]",
            "ordering = 'both'\nhost = { command = 'h', policy = 'x' }\n[openings]",
        ),
        ("\"house\"", "\"house\"\npreset = 'minimal'\n[host]\nargs = ['x']"),
    ] {
        let text = THREE.replacen(old, new, 1);
        assert_ne!(text, THREE, "{old}");
        messages.push(description(&text).expect_err(new));
    }
    insta::assert_snapshot!(messages.join("\n"));
}
