//! The cost of an update after a pair.

use divan::{Bencher, black_box};
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

/// The estimate corrected for the early stop: once a test.
#[divan::bench(args = COUNTS)]
fn estimate_after_a_test(bencher: Bencher, counts: &[u64; 5]) {
    let Ok(sprt) = Sprt::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05) else {
        return;
    };
    bencher.bench_local(|| sprt.estimate(&Pentanomial::new(black_box(*counts))));
}
