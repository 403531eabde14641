//! The lines of the files of `suite`.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// A line of policies.csv of a suite.
    #[derive(Default)]
    SolvedByPolicy {
        policy: String = "Policy", "", "its name, with its overrides";
        solved: u64 = "Solved", "positions", "with a right move at the limit";
        positions: u64 = "of", "positions", "all";
        solved_rate: Option<f64> = "Share", "share", "of the positions that were solved";
        solved_gain: Option<i64> = "Gain", "positions", "solved more than by the first policy", Signed(1);
        solved_gain_error_95: Fixed<3> = "±95%", "positions", "half the width of the 95% interval of the gain (McNemar)";
        points: Option<u64> = "Points", "points", "of all moves", IfAny;
        most_points: Option<u64> = "of", "points", "of the best moves", IfAny;
        mean_depth: Option<f64> = "Depth", "plies", "the last iteration: mean over the positions";
        solution_nodes: Option<f64> = "Nodes to solution", "nodes", "after which the move stayed right: geometric mean over the positions that all policies solved", Decimals(0);
        solution_time_ms: Fixed<3> = "ms to solution", "ms", "after which the move stayed right: geometric mean over the same positions";
        nodes: u64 = "Nodes", "nodes", "of all searches";
        time_ms: Fixed<3> = "Time (ms)", "ms", "of all searches", Decimals(0);
        solved_by_all: u64 = "Solved by all", "positions", "that every policy solved", InFile;
    }

    /// A line of answers.csv of a suite.
    #[derive(Default)]
    AnswerRow {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        r#move: String = "Move", "", "the move that was played at the limit", Moves;
        right: u8 = "Right", "", "1: the move is right";
        points: Option<u64> = "Points", "points", "of the move", IfAny;
        most_points: Option<u64> = "of", "points", "of the best move", IfAny;
        depth: u32 = "Depth", "plies", "the last iteration";
        nodes: u64 = "Nodes", "nodes", "of the search";
        solution_depth: Option<u32> = "Solved at depth", "plies", "from which iteration on the move stayed right";
        solution_nodes: Option<u64> = "after nodes", "nodes", "after which the move stayed right";
        expected: String = "Expected", "", "the moves asked for, with spaces between them", Moves;
        avoided: String = "Avoid", "", "the moves that are wrong, with spaces between them", Moves;
    }

    /// A line of changes.csv of a suite: a position that a policy solves and the first policy does not, or the other way.
    ChangedAnswer {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        change: String = "Change", "", "`gained`: the policy alone solves it; `lost`: the first policy alone";
        expected: String = "Expected", "", "the moves asked for, with spaces between them", Moves;
        avoided: String = "Avoid", "", "the moves that are wrong, with spaces between them", Moves;
        first: String = "First policy", "", "its move at the limit", Moves;
        r#move: String = "Move", "", "the move of the policy at the limit", Moves;
        fen: String = "FEN", "", "the position";
    }

    /// A line of times.csv of a suite.
    #[derive(Default)]
    AnswerTime {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        time_ms: Fixed<3> = "ms", "ms", "time of the search";
        solution_time_ms: Fixed<3> = "solved after ms", "ms", "after which the move stayed right";
    }
}
