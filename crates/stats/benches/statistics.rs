//! What an update after a pair costs, and how fast PGN is read.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use lmrlab_runner::rating::collector::Collector;
use lmrlab_stats::{EloModel, Estimate, PairOutcome, Pentanomial, Sprt};

fn main() {
    divan::main();
}

const COUNTS: [[u64; 5]; 3] = [
    [0, 3, 10, 4, 0],
    [200, 3500, 9000, 3600, 210],
    [365_000, 16_618_000, 36_229_000, 16_974_000, 390_000],
];

/// One more pair: counts, estimate, log-likelihood ratio, verdict.
#[divan::bench(args = COUNTS, consts = [false, true])]
fn update_after_a_pair<const LOGISTIC: bool>(bencher: Bencher, counts: &[u64; 5]) {
    let model = if LOGISTIC {
        EloModel::Logistic
    } else {
        EloModel::Normalized
    };
    let Ok(sprt) = Sprt::new(model, 0.0, 5.0, 0.05, 0.05) else {
        return;
    };
    bencher.bench_local(|| {
        let mut pairs = Pentanomial::new(black_box(*counts));
        pairs.record(black_box(PairOutcome::WinDraw));
        (Estimate::of(&pairs), sprt.status(&pairs))
    });
}

/// The estimate that allows for when the test stopped: once a test.
#[divan::bench(args = COUNTS)]
fn estimate_after_a_test(bencher: Bencher, counts: &[u64; 5]) {
    let Ok(sprt) = Sprt::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05) else {
        return;
    };
    bencher.bench_local(|| sprt.estimate(&Pentanomial::new(black_box(*counts))));
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
        collector
            .read(black_box(text.as_bytes()))
            .map(|()| collector.report)
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
        collector
            .read(black_box(text.as_bytes()))
            .map(|()| collector.report)
    });
}
