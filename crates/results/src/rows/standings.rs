//! The lines of the files about the engines of a run: standings.csv, crosstable.csv, los.csv and race.csv.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
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
}
