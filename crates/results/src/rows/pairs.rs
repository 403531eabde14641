//! The lines of pairs.csv.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// A line of pairs.csv. Numbers are seen from the side of `first`, over the pairs of this pairing so far.
    PairRow {
        pair: u64 = "Pair", "", "as in games.csv";
        round: u64 = "Round", "", "as in games.csv";
        first: String = "First", "", "the engine with White in the first game of the pair";
        second: String = "Second", "", "the engine with White in the second game of the pair";
        opening: u64 = "Opening", "", "as in games.csv";
        score: Fixed<1> = "Score", "points", "of `first` in this pair, 0 to 2";
        n_ll: u64 = "0", "pairs", "in which `first` lost both games";
        n_ld: u64 = "½", "pairs", "with a loss and a draw of `first`";
        n_dd_wl: u64 = "1", "pairs", "with two draws, or a win and a loss";
        n_wd: u64 = "1½", "pairs", "with a win and a draw of `first`";
        n_ww: u64 = "2", "pairs", "in which `first` won both games";
        elo: Fixed<4> = "Elo", "Elo", "the difference; empty when everything was won or lost";
        elo_error_95: Fixed<4> = "±95%", "Elo", "its error; empty when the 95% interval of the score reaches 0% or 100%, as after a single pair";
        normalized_elo: Fixed<4> = "nElo", "nElo", "the difference on the normalized scale";
        los: Fixed<6> = "LOS", "share", "likelihood that `first` is stronger";
        llr: Fixed<6> = "LLR", "", "the log-likelihood ratio of the test; empty without a test";
        llr_lower: Fixed<6> = "rejects at", "", "at this ratio the test rejects";
        llr_upper: Fixed<6> = "accepts at", "", "at this ratio the test accepts";
    }
}
