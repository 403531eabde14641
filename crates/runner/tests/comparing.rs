//! The commands of the lab that compare policies: suite, ablate, sweep, factorial; and the mining of positions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod scratch;

use scratch::Scratch;

/// Mates and a won exchange, found at once; a position whose right move no search of so few nodes finds; and points.
const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";
6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8; id \"no mate\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"e4=3, d4=3, Nf3=2, a3=1\"; id \"first\";
2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"quiet queen\";
";

/// A command twice and with other numbers of threads: the text of the file that it wrote.
fn same_on_all_threads(scratch: &Scratch, arguments: &[&str], csv: &str) -> String {
    let mut texts = ["1", "2", "2"].map(|threads| {
        scratch.done(&[arguments, &["--csv", csv, "--quiet", "--threads", threads]].concat());
        scratch.read(csv)
    });
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[1], texts[2]);
    std::mem::take(&mut texts[0])
}

#[test]
fn a_suite_is_solved_alike_on_any_number_of_threads() {
    let scratch = Scratch::new();
    scratch.write("suite.epd", SUITE);
    let suite = [
        "suite",
        "suite.epd",
        "none",
        "rebel-starter",
        "--nodes",
        "3000",
    ];
    let csv = same_on_all_threads(&scratch, &suite, "answers.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 2 * 4);
    assert_eq!(rows[1][..4], ["none", "mate", "Ra8#", "1"]);
    assert_eq!((rows[1][8], rows[2][3]), ("1", "0"));
    assert_eq!(rows[3][5], "3", "the most points");
    assert!(
        rows[1..]
            .iter()
            .all(|row| row[7].parse::<u64>().unwrap() <= 3000)
    );

    let text = scratch.done(&[&suite[..], &["--diff", "--times", "times.csv", "--quiet"]].concat());
    assert!(text.contains("rebel-starter against none: "), "{text}");
    assert!(
        text.contains("to solution: geometric means over the "),
        "{text}"
    );
    assert_eq!(scratch.read("times.csv").lines().count(), 9);
}

#[test]
fn a_wrong_suite_is_refused() {
    let scratch = Scratch::new();
    scratch.write(
        "wrong.epd",
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra9; id \"x\";\n6k1/5ppp/8/8/8/8/8/R6K w - - id \"y\";\n",
    );
    insta::assert_snapshot!(
        "wrong_suite",
        scratch.refused(&["suite", "wrong.epd", "none"])
    );
    scratch.refused(&["suite", "missing.epd", "none"]);
    scratch.refused(&["suite", "wrong.epd"]);
    scratch.refused(&["suite", "wrong.epd", "none", "--nodes", "5", "--depth", "3"]);
}
