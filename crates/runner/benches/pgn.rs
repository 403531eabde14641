//! How fast PGN is read.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use lmrlab_runner::rating::collector::Collector;

fn main() {
    divan::main();
}

/// Games as engine tournaments write them, with a comment behind each move or without.
fn pgn(comments: bool, games: usize) -> String {
    let names = ["Alpha 1.0", "Bravo 2.3", "Charlie", "Delta dev", "Echo 7"];
    let moves: String = (1..=60)
        .map(|number| {
            let note = if comments { "{+0.31/18 0.42s} " } else { "" };
            let end = if number % 4 == 0 { '\n' } else { ' ' };
            format!("{number}. Nf3 {note}Nf6 {note}{end}")
        })
        .collect();
    (0..games)
        .map(|game| {
            let pair = game / 2;
            let (first, second) = (names[pair % 5], names[(pair + 1 + pair / 5 % 4) % 5]);
            let (white, black) = if game % 2 == 0 { (first, second) } else { (second, first) };
            let result = ["1-0", "1/2-1/2", "0-1"][game % 3];
            format!(
                "[Event \"Benchmark\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]\n[Round \"{game}\"]\n[White \"{white}\"]\n\
                 [Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {}\"]\n\
                 [SetUp \"1\"]\n[PlyCount \"120\"]\n\n{moves}{result}\n\n",
                1 + game / 2
            )
        })
        .collect()
}

#[divan::bench(args = [false, true])]
fn read_pgn(bencher: Bencher, comments: bool) {
    let text = pgn(comments, 20_000);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let mut collector = Collector::default();
        collector.read(black_box(text.as_bytes())).map(|()| collector.report)
    });
}

/// Nothing but tags: the slowest there is.
#[divan::bench]
fn read_pgn_without_moves(bencher: Bencher) {
    let text = pgn(false, 20_000);
    let text: String = text
        .lines()
        .filter(|line| line.starts_with('['))
        .map(|line| line.to_owned() + "\n")
        .collect();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let mut collector = Collector::default();
        collector.read(black_box(text.as_bytes())).map(|()| collector.report)
    });
}
