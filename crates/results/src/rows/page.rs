//! The rows of tables that only the page of a run has.

use crate::row::rows;

rows! {
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
}
