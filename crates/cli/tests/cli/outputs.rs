//! What commands write: never over what they read, never over a run, and through links, pipes and devices.

use std::fs;

use crate::scratch::Scratch;

const RUN: &str = "match none house --pairs 2 --nodes 10 --maxmoves 4 --threads 1 --quiet --out r";

fn with_run() -> Scratch {
    let scratch = Scratch::new();
    scratch.done(RUN);
    scratch
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let scratch = with_run();
    scratch.write(
        "mine.toml",
        "name = \"mine\"\nwhen = \"depth >= 3 and quiet\"\nreduce = \"2\"\n",
    );
    scratch.write("positions.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";\n");
    let before: Vec<(_, String)> = ["r/games.csv", "r/games.pgn", "mine.toml", "positions.epd"]
        .map(|name| (name, scratch.read(name)))
        .to_vec();
    for command in [
        "rate r --out r --force",
        "policy export mine.toml --lang c --out mine.toml --force",
        "policy show mine.toml --out mine.toml --force",
        "suite positions.epd none --out positions.epd --nodes 10",
        "openings make --policy mine.toml --count 1 --nodes 10 --out mine.toml --force",
        "explain --policy mine.toml --out mine.toml --force '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'",
    ] {
        let said = scratch.refused(command);
        for (name, text) in &before {
            assert_eq!(scratch.read(name), *text, "{command:?}: {said}");
        }
        assert!(!said.contains("Usage"), "{command:?}: {said}");
    }
}

#[test]
fn a_run_is_not_replaced_by_one_that_reads_it() {
    let scratch = with_run();
    let games = scratch.read("r/games.csv");
    let said = scratch.refused(&format!("{RUN} --force --openings r/games.pgn"));
    assert!(
        said.contains("the input `r/games.pgn` is in the folder that is to be replaced"),
        "{said}"
    );
    assert_eq!(scratch.read("r/games.csv"), games);
    // Nor by a command that does not read it.
    for command in [
        "openings make --count 1 --nodes 10 --out r/games.csv --force",
        "host header --out r/pairs.csv --force",
    ] {
        let said = scratch.refused(command);
        assert!(said.contains("a file of a run"), "{said}");
    }
    assert_eq!(scratch.read("r/games.csv"), games);
    scratch.done(&format!("{RUN} --force"));
}

#[cfg(unix)]
#[test]
fn links_lead_to_what_is_written_and_to_what_is_read() {
    let scratch = with_run();
    let games = scratch.read("r/games.csv");
    std::os::unix::fs::symlink("r/games.csv", scratch.path("link.csv")).unwrap();
    let said = scratch.refused("host header --out link.csv --force");
    assert!(said.contains("overwrite"), "{said}");
    assert_eq!(scratch.read("r/games.csv"), games);
    scratch.write("deep/book.epd", "old");
    std::os::unix::fs::symlink("deep/book.epd", scratch.path("book.epd")).unwrap();
    scratch.done("openings make --count 1 --nodes 10 --out book.epd --force");
    assert!(scratch.read("deep/book.epd").contains("lmrlab openings make"));
    assert!(fs::symlink_metadata(scratch.path("book.epd")).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn a_policy_shows_nothing_of_a_file_that_is_not_toml() {
    let scratch = Scratch::new();
    let secret: String = (0..50).map(|line| format!("user{line}:secret{line}\n")).collect();
    scratch.write("secret", &secret);
    scratch.write("p.toml", "extends = \"secret\"\nname = \"p\"\n");
    let said = scratch.refused("policy check p.toml");
    assert!(
        said.contains("is not a TOML file (line 1") && !said.contains("user0"),
        "{said}"
    );
    for file in ["/proc/self/environ", "/dev/zero"] {
        scratch.write("p.toml", &format!("extends = \"{file}\"\nname = \"p\"\n"));
        let said = scratch.refused("policy check p.toml");
        assert!(
            said.contains("a file of the system") || said.contains("no file `/dev/zero`"),
            "{said}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;

    let scratch = Scratch::empty();
    let pipe = scratch.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    lmrlab_results::output_file::write(&pipe, "through").unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
