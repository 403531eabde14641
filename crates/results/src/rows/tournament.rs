//! The lines of the files that are computed from the games of a tournament.

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

    /// A line of standings.csv.
    StandingRow {
        rank: usize = "Rank", "", "from 1; equal engines share a rank";
        engine: String = "Engine", "", "its name";
        games: u64 = "Games", "games", "that it played";
        wins: u64 = "W", "games", "that it won";
        draws: u64 = "D", "games", "that were drawn";
        losses: u64 = "L", "games", "that it lost";
        points: Fixed<1> = "Points", "points", "a win is 1, a draw ½";
        score: Fixed<6> = "Score", "share", "points divided by games";
        elo: Fixed<4> = "Elo", "Elo", "with two engines, the difference to the other one, with its error from their pairs; with more, the Bradley-Terry rating with mean 0, with its error clustered by opening: all games from one opening, of all pairings, are one observation; empty without a finite rating: everything was won, or lost, against the rest";
        elo_error_95: Fixed<4> = "±95%", "Elo", "half the width of the 95% interval of Elo; with more than two engines clustered by opening; empty when the interval has no limit";
        elo_against: String = "Against", "", "what `elo` is measured from: the other engine of two, or `mean 0`";
        los: Fixed<6> = "LOS", "share", "likelihood of being stronger than the other engine, or than the mean of more than two";
        draw_ratio: Fixed<6> = "Drawn", "share", "share of drawn games";
        mean_depth: Fixed<2> = "Depth", "plies", "mean depth of a search";
        mean_nodes: Fixed<1> = "Nodes", "nodes", "mean nodes of a search";
        time_losses: u64 = "Time losses", "games", "time forfeits, those against a bare king included", IfAny;
        illegal_moves: u64 = "Illegal moves", "games", "lost by an answer that was no legal move, or no move at all", IfAny;
        crashes: u64 = "Crashes", "games", "lost because the process ended", IfAny;
        stalls: u64 = "Stalls", "games", "lost because the engine did not answer", IfAny;
    }

    /// A line of crosstable.csv, from the side of `engine`.
    CrosstableRow {
        engine: String = "Engine", "", "its name";
        opponent: String = "Opponent", "", "the other engine";
        games: u64 = "Games", "games", "that it played";
        wins: u64 = "W", "games", "that it won";
        draws: u64 = "D", "games", "that were drawn";
        losses: u64 = "L", "games", "that it lost";
        points: Fixed<1> = "Points", "points", "a win is 1, a draw ½";
        score: Fixed<6> = "Score", "share", "points divided by games";
        elo: Fixed<4> = "Elo", "Elo", "from the games of these two alone; empty when everything was won or lost";
        elo_error_95: Fixed<4> = "±95%", "Elo", "half the width of the 95% interval of Elo, from their pairs";
    }

    /// A line of los.csv.
    LosRow {
        engine: String = "Engine", "", "its name";
        opponent: String = "Opponent", "", "the other engine";
        los: Fixed<6> = "LOS", "share", "likelihood that `engine` is stronger, from the ratings of all; empty when no results connect the two";
    }

    /// A line of race.csv.
    FateRow {
        engine: String = "Engine", "", "its name";
        fate: String = "Fate", "", "`accepted`, `dropped`, `racing` (undecided) or `baseline`";
        rounds: u64 = "Rounds", "rounds", "that it played";
        pairs: u64 = "Pairs", "pairs", "that it played";
        decided_at_pair: Option<u64> = "Decided after", "", "number of the pair that decided its fate";
    }

    /// How games ended, on the page of a run.
    EndingRow {
        termination: String = "Ended by", "", "why the games ended";
        games: u64 = "Games", "games", "that ended so";
        share: Option<f64> = "Share", "share", "of all games";
        white: u64 = "White", "games", "that White won";
        draws: u64 = "Drawn", "games", "that were drawn";
        black: u64 = "Black", "games", "that Black won";
    }

    /// A game that an engine's fault ended, on the page of a run.
    FaultRow {
        game: u64 = "Game", "", "its number", Game;
        engine: String = "Engine", "", "that made the fault";
        fault: String = "Fault", "", "its kind";
        plies: u64 = "Plies", "plies", "moves of both sides together";
        what: String = "What it did", "", "in words";
    }

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
