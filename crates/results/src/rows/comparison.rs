//! The lines of the files of `compare`.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// A line of pairings.csv and variants.csv of `compare`: a pairing in a run.
    ComparedRow {
        engine: String = "Engine", "", "its name";
        opponent: String = "against", "", "the other engine";
        run: String = "Run", "", "the end of its folder, and its own name when that is another one";
        games: u64 = "Games", "games", "that it played";
        elo: Fixed<4> = "Elo", "Elo", "from the games of these two alone";
        elo_error_95: Fixed<4> = "±95%", "Elo", "half the width of the 95% interval of Elo";
        difference: Fixed<4> = "Difference", "Elo", "to the first run in which the two engines played, or to the first opponent of the same engine";
        difference_error_95: Fixed<4> = "±95%", "Elo", "its error: that of both runs together";
    }

    /// A line of keys.csv of `compare`: a key of the descriptions that differs, in a run.
    ComparedKey {
        key: String = "Key", "", "a key of the manifest";
        run: String = "Run", "", "as in pairings.csv";
        value: String = "Value", "", "of this run; `-` where it has none";
    }
}
