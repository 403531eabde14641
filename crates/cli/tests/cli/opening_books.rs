//! Which openings a run uses and in which order; several books; a test that gets more of them.

use std::collections::HashSet;

use crate::scratch::{DEFAULT_OPENINGS, OPENING_COUNT, OPENINGS, Scratch, misbehaving_engine};

/// A project with three books of some of the openings: `a.epd` has 4, `b.epd` 3, `c.epd` 2.
fn books() -> Scratch {
    let scratch = Scratch::new();
    let text = scratch.read(OPENINGS);
    let lines: Vec<&str> = text.lines().collect();
    scratch.write("a.epd", &lines[..4].join("\n"));
    scratch.write("b.epd", &lines[4..7].join("\n"));
    scratch.write("c.epd", &lines[7..9].join("\n"));
    scratch
}

/// A short match with these words, as it is typed.
fn short(words: &str) -> String {
    format!("match house none --nodes 20 --maxmoves 6 --hash 1 --quiet --pgn none {words}")
}

/// A test that so few pairs cannot decide.
const TEST: &str = "--sprt 0,2";

/// The numbers of the openings of a run, pair by pair.
fn used(scratch: &Scratch, folder: &str) -> Vec<u64> {
    let games = scratch.journal(&format!("{folder}/games.csv"));
    games.iter().step_by(2).map(|game| game.opening).collect()
}

const A: &str = "--openings a.epd";
const B: &str = "--openings b.epd";

#[test]
fn a_run_starts_in_the_middle_of_its_openings() {
    let scratch = books();
    let file = "name = \"file\"\nformat = \"match\"\npairs = 7\nhash_mib = 1\n\
                openings = { file = [\"a.epd\", \"b.epd\"], order = \"sequential\", start = 6 }\n\
                limit = { nodes = 20 }\nadjudication = { max_moves = 6 }\n\
                [[engine]]\npolicy = \"house\"\n[[engine]]\npolicy = \"none\"\n";
    scratch.write("file.toml", file);
    scratch.done("run file.toml --quiet --out file");
    assert_eq!(used(&scratch, "file"), [6, 7, 1, 2, 3, 4, 5]);
    scratch.done("run file.toml --start 2 --quiet --out option");
    assert_eq!(used(&scratch, "option"), [2, 3, 4, 5, 6, 7, 1]);

    let said = scratch.refused(&short(&format!("{A} --start 5 --out none")));
    assert!(said.contains("`start` is 5, and there are 4 openings"), "{said}");
}

#[test]
fn several_books_are_used_one_after_the_other() {
    let scratch = books();
    let text = scratch.read("b.epd") + "\n" + scratch.read("a.epd").lines().next().unwrap();
    scratch.write("b.epd", &text);
    let run = short(&format!("{A} {B} --pairs 7 --seed 3 --out"));
    let output = scratch
        .lmrlab(&format!("{run} out"))
        .assert()
        .success()
        .get_output()
        .clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("1 of the 4 openings in `b.epd` are in a book before it, and are left out"),
        "{said}"
    );
    let used = used(&scratch, "out");
    scratch.done(&short(&format!("{A} --pairs 4 --seed 3 --out alone")));
    assert_eq!(used[..4], self::used(&scratch, "alone"));
    assert!(used[4..].iter().all(|opening| (5..=7).contains(opening)), "{used:?}");
    assert_eq!(used.iter().collect::<HashSet<_>>().len(), 7);
    let said = scratch.refused(&short(&format!("{A} {A} --out none")));
    assert!(said.contains("`a.epd` adds no opening"), "{said}");
    scratch.write("960.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRNQ w FBkq -\n");
    let said = scratch.refused(&short(&format!("{A} --openings 960.epd --out none")));
    assert!(
        said.contains("`960.epd` has openings of Chess960, and the openings before it are of standard chess"),
        "{said}"
    );
    scratch.done(&short(&format!(
        "{A} --openings 960.epd --variant chess960 --pairs 5 --out both"
    )));
}

#[test]
fn a_test_that_ran_out_of_openings_goes_on_with_another_book() {
    let scratch = books();
    let said = scratch.done(&short(&format!("{A} {TEST} --out out --report")));
    assert!(
        said.contains("The openings ran out after 4 pairs; `lmrlab resume out --openings FILE` plays more."),
        "{said}"
    );
    let began = scratch.read("out/manifest.toml");
    let before = scratch.read("out/games.csv");
    let said = scratch.done("resume out --openings b.epd --quiet");
    assert!(said.contains("The openings ran out after 7 pairs"), "{said}");
    scratch.done(&short(&format!("{A} {B} {TEST} --out whole")));
    for file in ["games.csv", "journal.sha256", "pairs.csv", "standings.csv"] {
        let read = |folder: &str| scratch.read(&format!("{folder}/{file}"));
        assert_eq!(read("out"), read("whole"), "{file}");
    }
    assert!(scratch.read("out/games.csv").starts_with(&before));
    let manifest = scratch.read("out/manifest.toml");
    let tables: toml::Table = manifest.parse().unwrap();
    let tournament = &tables["tournament"];
    assert_eq!(tournament["openings"]["file"].as_str(), Some("a.epd"));
    assert_eq!(tournament["openings"]["added"].as_str(), Some("b.epd"));
    assert_eq!(tournament["pairs"].as_integer(), Some(7));
    let line = |text: &str, key: &str| text.lines().find(|line| line.starts_with(key)).map(str::to_owned);
    for key in ["started", "command", "root"] {
        assert_eq!(line(&manifest, key), line(&began, key));
    }
    // It is a run as any other.
    assert!(scratch.done("show out").contains("ran out after 7 pairs"));
    assert!(scratch.read("out/report.html").contains("b.epd"));
    scratch.done("index .");
    scratch.done("rate out");
    // A second book, from another folder.
    let from = scratch.path("positions");
    let output = scratch
        .lmrlab("resume ../out --openings ../c.epd --quiet")
        .current_dir(from)
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("ran out after 9 pairs")
    );
    let used = used(&scratch, "out");
    assert_eq!(used.iter().collect::<HashSet<_>>().len(), 9);
    assert!(used[7..].iter().all(|opening| *opening > 7));
    // A book that has changed is no longer the one of the run.
    scratch.write("c.epd", &scratch.read("b.epd"));
    let said = scratch.refused("resume out");
    assert!(said.contains("c.epd"), "{said}");
}

#[test]
fn books_that_a_run_cannot_use_are_refused() {
    let scratch = books();
    let play = |words: &str| scratch.done(&short(words));
    play(&format!("{A} {TEST} --out out"));
    let manifest = scratch.read("out/manifest.toml");
    let resume = |folder: &str, book: &str, message: &str| {
        let said = scratch.refused(&["resume", folder, "--openings", book]);
        assert!(said.contains(message), "{said}");
    };
    resume("out", "a.epd", "`a.epd` adds no opening");
    resume("out", "none.epd", "none.epd");
    scratch.write("960.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRNQ w FBkq -\n");
    resume("out", "960.epd", "castling from these squares is that of Chess960");
    scratch.write("wrong.epd", "not a position\n");
    resume("out", "wrong.epd", "`wrong.epd` has no positions");
    assert_eq!(scratch.read("out/manifest.toml"), manifest);

    play(&format!("{A} --pairs 2 --out fixed"));
    resume("fixed", "b.epd", "it plays 2 pairs, and has 4 openings");
    play(&format!("{A} --pairs 5 --out again"));
    resume("again", "b.epd", "it has used its 4 openings more than once");
    let said = play(&format!(
        "--openings {DEFAULT_OPENINGS} --sprt -500,0 --alpha 0.4 --beta 0.4 --out decided"
    ));
    assert!(
        said.contains("The test accepts: ") || said.contains("The test rejects: "),
        "{said}"
    );
    resume("decided", "b.epd", "its test was decided after");
    let race = "name = \"race\"\nformat = \"race\"\nhash_mib = 1\nopenings = { file = \"a.epd\" }\n\
                limit = { nodes = 20 }\nadjudication = { max_moves = 6 }\nrace = { goal = \"best\", elo = 1.0 }\n\
                [[engine]]\npolicy = \"house\"\n[[engine]]\npolicy = \"none\"\n[[engine]]\npolicy = \"micromax-4\"\n";
    scratch.write("race.toml", race);
    scratch.done("run race.toml --quiet --out race");
    resume("race", "b.epd", "it is a race");
    play(&format!("{A} --pairs 4 --part 1/2 --out part"));
    resume(
        "part",
        "b.epd",
        "holds a part of a run, and `--openings` is for tournaments",
    );
    scratch.done("tune glaurung-2.2 --pairs 8 --nodes 20 --no-gate --quiet --out tuned");
    resume(
        "tuned",
        "b.epd",
        "holds a tuning run, and `--openings` is for tournaments",
    );
}

#[test]
fn the_warning_before_the_first_game_names_the_command_that_makes_enough_openings() {
    let scratch = books();
    let run = short(&format!("--openings {OPENINGS} --sprt 0,5 --out out"));
    let output = scratch.lmrlab(&run).assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    let asked = said.split("--count ").nth(1).and_then(|rest| rest.split(' ').next());
    let asked: u64 = asked.unwrap().parse().unwrap();
    let needed = said
        .split("takes about ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let needed: u64 = needed.unwrap().parse().unwrap();
    assert!(
        asked + OPENING_COUNT as u64 >= needed && asked < needed + needed / 10,
        "{said}"
    );
    assert!(
        said.contains("--out more.epd`, then name both with `--openings positions/openings.epd --openings more.epd`"),
        "{said}"
    );
}

/// A run with a program, so that there is time to kill it.
#[test]
#[cfg(unix)]
fn a_killed_resume_with_another_book_resumes() {
    use crate::scratch::{kill, wait_until};
    use std::cell::RefCell;
    let scratch = books();
    let program = format!("cmd={} args=behave", misbehaving_engine());
    let all = scratch.read(OPENINGS);
    let rest: Vec<&str> = all.lines().skip(4).collect();
    scratch.write("rest.epd", &rest.join("\n"));
    let play = short(&format!("{A} {TEST} --out")).replace("none --nodes", &format!("'{program}' --nodes"));
    scratch.done(&format!("{play} out"));
    scratch.done(&format!("{play} whole --openings rest.epd"));
    let mut resume = "resume out --quiet --openings rest.epd";
    for _ in 0..3 {
        let recorded = scratch.line_count("out/games.csv");
        let child = RefCell::new(scratch.background(resume).spawn().unwrap());
        let has_ended = || child.borrow_mut().try_wait().unwrap().is_some();
        wait_until(|| scratch.line_count("out/games.csv") > recorded || has_ended());
        kill(child.into_inner());
        if scratch.read("out/manifest.toml").contains("rest.epd") {
            resume = "resume out --quiet";
        }
    }
    assert!(
        !resume.contains("rest"),
        "the manifest has the book before the first new pair"
    );
    scratch.done(resume);
    assert_eq!(scratch.read("out/games.csv"), scratch.read("whole/games.csv"));
}
