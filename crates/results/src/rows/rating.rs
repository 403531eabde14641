//! The lines of the files of `rate`.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// A line of ratings.csv of `rate`.
    RatingRow {
        rank: usize = "Rank", "", "from 1, pool by pool";
        name: String = "Player", "", "its name";
        elo: Fixed<4> = "Rating", "Elo", "its rating; empty without a finite one: everything was won, or lost, against the rest";
        error_95: Fixed<4> = "±95%", "Elo", "half the width of the 95% interval, relative to the mean of all players or to the anchors; clustered by opening", Decimals(1);
        points: Fixed<1> = "Points", "points", "a win is 1, a draw ½";
        games: u64 = "Games", "games", "that it played";
        score: Fixed<6> = "Score", "share", "points divided by games";
        wins: u64 = "W", "games", "that it won";
        draws: u64 = "D", "games", "that were drawn";
        losses: u64 = "L", "games", "that it lost";
        los: Fixed<6> = "LOS over next", "share", "likelihood of being stronger than the next player of its pool";
        pool: usize = "Pool", "", "players of different pools have no games between them";
        why: String = "Why", "", "why it has no finite rating", InFile;
    }

    /// The line of fitted.csv of `rate`: what was fitted besides the ratings.
    FittedRow {
        white_advantage: Fixed<4> = "White advantage", "Elo", "of the first move; empty when the games cannot separate it from the ratings";
        white_advantage_error_95: Fixed<4> = "±95%", "Elo", "half the width of the 95% interval";
        draw_rate: Fixed<6> = "Draw rate", "share", "of equal opponents";
        openings: u64 = "Openings", "", "different openings of the games";
        games_without_opening: u64 = "Games without opening", "games", "without a FEN tag; errors take them as independent";
    }
}
