//! The lines of the files of `explain`.

use crate::row::rows;

rows! {
    /// A line of search.csv of an explanation.
    ExplainedSearch {
        policy: String = "Policy", "", "its name, with its overrides";
        fen: String = "FEN", "", "the position";
        depth: u32 = "Depth", "plies", "the last iteration";
        best: String = "Best", "", "the best move", Moves;
        score_cp: Option<i32> = "Score", "centipawns", "score of the best move, for the side to move; empty when it is a mate", Pawns;
        mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after the best move; negative: mated", IfAny;
        nodes: u64 = "Nodes", "nodes", "of the search";
    }

    /// A line of moves.csv of an explanation.
    ExplainedRow {
        number: u32 = "#", "", "number of the move in the order of the last iteration";
        fen: String = "FEN", "", "the position", InFile;
        r#move: String = "Move", "", "the move", Moves;
        reduction: i32 = "R", "plies", "of reduction; negative: extended";
        searches: String = "Searches", "", "score for the side to move, and depth; `full`: with the full window";
        why: String = "Why", "", "the value of `reduce`, and what each rule added";
        facts: String = "Facts", "", "that the policy reads: booleans that hold, and numbers";
    }
}
