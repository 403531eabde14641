//! The lines of the files of `sprt`.

use crate::row::rows;

rows! {
    /// The line of judged.csv of `sprt`, from the side of the first engine.
    JudgedRow {
        games: u64 = "Games", "games", "that were counted";
        counts: String = "Counts", "", "of pairs by their points, from 0 to 2; or wins, draws and losses of games";
        draw_ratio: Option<f64> = "Draw ratio", "share", "share of the pairs with two draws, or with a win and a loss; or of the drawn games";
        pairs_ratio: Option<f64> = "Pairs ratio", "", "pairs with more than 1 point, divided by those with less", Decimals(2);
        score: f64 = "Score", "share", "mean points of a game";
        elo: Option<f64> = "Elo", "Elo", "the difference; empty when one side won everything", Signed(2);
        elo_error_95: Option<f64> = "±95%", "Elo", "half the width of the 95% interval";
        nelo: Option<f64> = "nElo", "nElo", "the difference on the normalized scale", Signed(2);
        nelo_error_95: Option<f64> = "±95%", "nElo", "half the width of the 95% interval, as fastchess computes it";
        nelo_low_95: Option<f64> = "from", "nElo", "low end of the exact interval, which is not symmetric";
        nelo_high_95: Option<f64> = "to", "nElo", "high end of the exact interval";
        los: f64 = "LOS", "share", "likelihood of being stronger";
        llr: f64 = "LLR", "", "the log-likelihood ratio of the test", InFile;
        lower: f64 = "rejects at", "", "at this ratio the test rejects", InFile;
        upper: f64 = "accepts at", "", "at this ratio the test accepts", InFile;
        verdict: String = "Verdict", "", "`H0`, `H1` or `continue`", InFile;
    }

    /// A line of corrected.csv of `sprt`: another estimate.
    CorrectedRow {
        estimate: String = "Estimate", "", "`regularized`: with 1/1000 in empty cells, as fishtest prints it; `after the test`: corrected for the early stop";
        elo: Option<f64> = "Elo", "Elo", "the difference", Signed(2);
        elo_low_95: Option<f64> = "from", "Elo", "low end of the 95% interval";
        elo_high_95: Option<f64> = "to", "Elo", "high end of the 95% interval";
        los: f64 = "LOS", "share", "likelihood of being stronger";
    }

    /// A line of plan.csv of `sprt plan`: a test when the true difference is known.
    PlannedRow {
        true_elo: Option<f64> = "Elo", "Elo", "the true difference", Signed(2);
        true_nelo: Option<f64> = "nElo", "nElo", "the same on the normalized scale", Signed(2);
        pass_probability: f64 = "Passes", "share", "probability of H1";
        expected_games: f64 = "Expected games", "games", "mean length of the test", Decimals(0);
        fail_probability: Option<f64> = "Fails", "share", "probability of H0, with a limit of pairs";
        undecided_probability: Option<f64> = "Undecided", "share", "probability that the pairs run out";
        pairs: Option<u64> = "Pairs at most", "pairs", "the limit; empty without one";
    }

    /// A line of matches.csv of `sprt plan`: a match of equal engines.
    MatchErrorRow {
        pairs: u64 = "Pairs", "pairs", "of the match";
        games: u64 = "Games", "games", "of the match";
        elo_error_95: Option<f64> = "± Elo (95%)", "Elo", "half the width of the 95% interval of Elo", Decimals(2);
        nelo_error_95: Option<f64> = "± nElo (95%)", "nElo", "the same on the normalized scale", Decimals(2);
    }
}
