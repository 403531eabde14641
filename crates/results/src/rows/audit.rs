//! The lines of the files of `audit`.

use crate::row::rows;

rows! {
    /// What an audit counts of sampled moves.
    #[derive(Default)]
    JudgedCounts {
        sampled: u64 = "Sampled", "moves", "late moves of the sample";
        undecided: u64 = "Undecided", "moves", "with a shadow search that did not end within its nodes", IfAny;
        reduced: u64 = "Reduced", "moves", "reduced and judged";
        reduced_low_low: u64 = "Rightly dismissed", "moves", "reduced, failed low, and fail low at full depth";
        reduced_low_high: u64 = "Missed", "moves", "reduced, failed low, but raise alpha at full depth";
        missed_rate: Option<f64> = "Missed rate", "share", "missed moves divided by all that were reduced and failed low", SmallShare;
        missed_lower_95: Option<f64> = "from", "share", "low end of the 95% interval of the missed rate, by resampling positions";
        missed_upper_95: Option<f64> = "to", "share", "high end of the 95% interval of the missed rate";
        reduced_high_low: u64 = "False alarms", "moves", "reduced, failed high, but fail low at full depth";
        reduced_high_high: u64 = "Recognized", "moves", "reduced, failed high, and raise alpha";
        unreduced_low_low: u64 = "Low, low", "moves", "not reduced, failed low, and fail low in the shadow search";
        unreduced_low_high: u64 = "Low, high", "moves", "not reduced, failed low, but the shadow search raises alpha";
        unreduced_high_low: u64 = "High, low", "moves", "not reduced, failed high, but fail low in the shadow search";
        unreduced_high_high: u64 = "High, high", "moves", "not reduced, failed high, and raise alpha in the shadow search";
    }

    /// A line of totals.csv of an audit.
    AuditTotal {
        policy: String = "Policy", "", "its name, with its overrides";
        ..counts: JudgedCounts;
        population: u64 = "Late moves", "moves", "from which the sample was drawn";
        nodes: Option<u64> = "Nodes", "nodes", "of the observed searches";
        nodes_checked: u8 = "Checked", "", "1: without the audit, the searches have the same number of nodes", InFile;
        shadow_nodes: u64 = "Shadow nodes", "nodes", "of the shadow searches";
        judge: String = "Judge", "", "below a judged move: `policy` or `unreduced`", InFile;
        positions: usize = "Positions", "positions", "that were searched", InFile;
        blamed: Option<usize> = "Spoilt", "positions", "of these, positions of the blame list; empty without one", InFile;
    }

    /// A line of samples.csv of an audit: a sampled move.
    #[derive(Default)]
    AuditSample {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        ply: u32 = "Ply", "plies", "distance of the node from the root";
        depth: u32 = "Depth", "plies", "of the node";
        move_number: u32 = "Move number", "", "among the moves of the node, from 1";
        r#move: String = "Move", "", "the move that was searched";
        fen_after: String = "FEN after", "", "the position after the move";
        expected: String = "Expected", "", "what the node was expected to be";
        outcome: String = "Turned out", "", "what it turned out to be";
        reduction: i32 = "Reduction", "plies", "of the move";
        failed_high: u8 = "Failed high", "", "1: the search of the move was above alpha";
        shadow_raises: Option<u8> = "Raises alpha", "", "1: the shadow search raises alpha; empty when it ran out of nodes";
        nodes: u64 = "Nodes", "nodes", "of the search of the move";
        shadow_nodes: u64 = "Shadow nodes", "nodes", "of the shadow search";
        rules: String = "Rules", "", "that matched, with spaces between them";
    }

    /// A line of predictors.csv of an audit.
    PredictorRow {
        policy: String = "Policy", "", "its name, with its overrides";
        predictor: String = "Predictor", "", "a fact, or `reduction`, which is the policy itself";
        reduce_when: String = "Reduce when it is", "", "whether moves are reduced when it is `great` or `small`";
        auc: Option<f64> = "AUC", "", "of a move that fails low and one that raises alpha, the chance that it picks the first; 0.5 is guessing";
        auc_lower_95: Option<f64> = "from", "", "low end of the 95% interval of the AUC";
        auc_upper_95: Option<f64> = "to", "", "high end of the 95% interval of the AUC";
    }

    /// A line of nodes.csv of an audit.
    AuditedKind {
        policy: String = "Policy", "", "its name, with its overrides";
        expected: String = "Expected", "", "what the node was expected to be";
        outcome: String = "Turned out", "", "what it turned out to be";
        ..counts: JudgedCounts;
    }

    /// A line of depths.csv of an audit.
    AuditedDepth {
        policy: String = "Policy", "", "its name, with its overrides";
        depth: u32 = "Depth", "plies", "of the node";
        ..counts: JudgedCounts;
    }

    /// A line of reductions.csv of an audit.
    AuditedReduction {
        policy: String = "Policy", "", "its name, with its overrides";
        plies: i32 = "Plies", "plies", "of reduction; negative: extended";
        ..counts: JudgedCounts;
    }

    /// A line of rules.csv of an audit.
    AuditedRule {
        policy: String = "Policy", "", "its name, with its overrides";
        rule: String = "Rule", "", "empty: no rule";
        ..counts: JudgedCounts;
    }

    /// A line of blame.csv of an audit: a position where a reduction hid the better move.
    BlameRow {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        depth: u32 = "Depth", "plies", "of both searches";
        played: String = "Plays", "", "the move of the search with reductions", Moves;
        played_score_cp: Option<i32> = "Score", "centipawns", "score of that move; empty when it is a mate", Pawns;
        played_mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after that move; negative: mated", IfAny;
        missed: String = "Missed", "", "the move of the search without reductions", Moves;
        missed_score_cp: Option<i32> = "Score", "centipawns", "score of that move; empty when it is a mate", Pawns;
        missed_mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after that move; negative: mated", IfAny;
        line: String = "Line", "", "the principal variation of the search without reductions", Line;
        reduced_on_the_way: String = "Reduced", "", "`ply:move:-reduction@depth:rules` of each move of the line that was reduced";
        why: String = "Why", "", "how the policy came to each of these reductions: the value of `reduce`, and what each rule added";
    }
}
