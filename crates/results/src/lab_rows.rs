//! The lines of the files of the lab.

use crate::fixed::{Fixed, Shortest};
use crate::row::rows;

rows! {
    /// What a profile counts of late moves.
    ReductionCounts {
        moves: u64 = "Late moves", "moves", "that the policy was asked about";
        reduced: u64 = "Reduced", "moves", "with a reduction above 0";
        extended: u64 = "Extended", "moves", "with a reduction below 0";
        plies: u64 = "Plies", "plies", "sum of the reductions";
        mean_reduction: Shortest = "By plies", "plies", "mean reduction of the reduced moves";
        failed_high: u64 = "Failed high", "moves", "with a reduced search above alpha";
        failed_high_rate: Shortest = "Share", "share", "share of the reduced searches above alpha";
        researched: u64 = "Again", "moves", "searched again";
        confirmed: u64 = "Confirmed", "moves", "of these, still above alpha at full depth";
        confirmed_rate: Shortest = "Share", "share", "share of the moves searched again that were confirmed";
        reduced_nodes: u64 = "Reduced nodes", "nodes", "of the reduced searches";
        research_nodes: u64 = "Again nodes", "nodes", "of the searches after them";
        saved_nodes: i64 = "Saved nodes", "nodes", "what the reductions saved: an estimate";
    }

    /// A line of totals.csv of a profile.
    ProfileTotal {
        policy: String = "Policy", "", "its name, with its overrides";
        ..counts: ReductionCounts;
        nodes: Option<u64> = "Nodes", "nodes", "of the whole search";
        quiescence_nodes: Option<u64> = "Quiescence", "nodes", "of the quiescence search";
        cutoffs: Option<u64> = "Cutoffs", "", "beta cutoffs";
        first_move_cutoffs: Option<u64> = "First move cuts", "", "cutoffs by the first move";
    }

    /// A line of moves.csv of a profile.
    ProfiledMove {
        policy: String = "Policy", "", "its name, with its overrides";
        depth: u32 = "Depth", "plies", "remaining depth of the node";
        move_number: u32 = "Move number", "", "among the moves of the node, from 1";
        ..counts: ReductionCounts;
    }

    /// A line of kinds.csv of a profile.
    ProfiledKind {
        policy: String = "Policy", "", "its name, with its overrides";
        node_kind: String = "Node", "", "what the node was expected to be";
        ..counts: ReductionCounts;
    }

    /// A line of rules.csv of a profile.
    ProfiledRule {
        policy: String = "Policy", "", "its name, with its overrides";
        rule: String = "Rule", "", "empty: no rule";
        ..counts: ReductionCounts;
        sampled: u64 = "Sampled", "moves", "moves of the sample behind this line";
    }

    /// A line of facts.csv of a profile.
    ProfiledFact {
        policy: String = "Policy", "", "its name, with its overrides";
        fact: String = "Fact", "", "a fact of the policy language";
        from: i64 = "From", "", "least value of the fact";
        to: i64 = "To", "", "greatest value of the fact";
        ..counts: ReductionCounts;
        sampled: u64 = "Sampled", "moves", "moves of the sample behind this line";
    }

    /// What an audit counts of sampled moves.
    JudgedCounts {
        sampled: u64 = "Sampled", "moves", "late moves of the sample";
        undecided: u64 = "Undecided", "moves", "with a shadow search that ran out of nodes";
        reduced_low_low: u64 = "Rightly dismissed", "moves", "reduced, failed low, and fail low at full depth";
        reduced_low_high: u64 = "Missed", "moves", "reduced, failed low, but raise alpha at full depth";
        missed_rate: Shortest = "Missed rate", "share", "missed moves divided by all that were reduced and failed low";
        reduced_high_low: u64 = "False alarms", "moves", "reduced, failed high, but fail low at full depth";
        reduced_high_high: u64 = "Recognized", "moves", "reduced, failed high, and raise alpha";
        unreduced_low_low: u64 = "Not reduced: low, low", "moves", "not reduced, failed low, and fail low in the shadow search";
        unreduced_low_high: u64 = "low, high", "moves", "not reduced, failed low, but the shadow search raises alpha";
        unreduced_high_low: u64 = "high, low", "moves", "not reduced, failed high, but fail low in the shadow search";
        unreduced_high_high: u64 = "high, high", "moves", "not reduced, failed high, and raise alpha in the shadow search";
        reduced: u64 = "Reduced", "moves", "reduced and judged";
    }

    /// A line of totals.csv of an audit.
    AuditTotal {
        policy: String = "Policy", "", "its name, with its overrides";
        ..counts: JudgedCounts;
        missed_lower_95: Shortest = "from", "share", "low end of the 95% interval of the missed rate";
        missed_upper_95: Shortest = "to", "share", "high end of the 95% interval of the missed rate";
        population: u64 = "Late moves", "moves", "from which the sample was drawn";
        nodes: Option<u64> = "Nodes", "nodes", "of the observed searches";
        shadow_nodes: u64 = "Shadow nodes", "nodes", "of the shadow searches";
    }

    /// A line of samples.csv of an audit: a sampled move.
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
        auc: Shortest = "AUC", "", "of a move that fails low and one that raises alpha, the chance that it picks the first; 0.5 is guessing";
        auc_lower_95: Shortest = "from", "", "low end of the 95% interval of the AUC";
        auc_upper_95: Shortest = "to", "", "high end of the 95% interval of the AUC";
    }

    /// A line of roc.csv of an audit.
    RocPoint {
        policy: String = "Policy", "", "its name, with its overrides";
        predictor: String = "Predictor", "", "a fact, or `reduction`, which is the policy itself";
        raising_reduced: Shortest = "Wrongly", "share", "dismissed share of the moves that raise alpha";
        low_reduced: Shortest = "Rightly", "share", "dismissed share of the moves that fail low";
        low_reduced_lower_95: Shortest = "from", "share", "low end of the 95% interval of `low_reduced`";
        low_reduced_upper_95: Shortest = "to", "share", "high end of the 95% interval of `low_reduced`";
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
        played: String = "Plays", "", "the move of the search with reductions";
        played_score_cp: Option<i32> = "Score", "centipawns", "score of that move; empty when it is a mate";
        played_mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after that move; negative: mated";
        missed: String = "Missed", "", "the move of the search without reductions";
        missed_score_cp: Option<i32> = "Score", "centipawns", "score of that move; empty when it is a mate";
        missed_mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after that move; negative: mated";
        line: String = "Line", "", "the principal variation of the search without reductions";
        reduced_on_the_way: String = "Reduced", "", "`ply:move:-reduction@depth:rules` of each move of the line that was reduced";
        why: String = "Why", "", "how the policy came to each of these reductions: the value of `reduce`, and what each rule added";
    }

    /// A line of `suite --csv`.
    AnswerRow {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        r#move: String = "Move", "", "the move that was played at the limit";
        right: u8 = "Right", "", "1: the move is right";
        points: Option<u64> = "Points", "points", "of the move";
        most_points: Option<u64> = "of", "points", "of the best move";
        depth: u32 = "Depth", "plies", "the last iteration";
        nodes: u64 = "Nodes", "nodes", "of the search";
        solution_depth: Option<u32> = "Solved at depth", "plies", "from which iteration on the move stayed right";
        solution_nodes: Option<u64> = "after nodes", "nodes", "after which the move stayed right";
        expected: String = "Expected", "", "the moves asked for, with spaces between them";
        avoided: String = "Avoid", "", "the moves that are wrong, with spaces between them";
    }

    /// A line of `suite --times`.
    AnswerTime {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        time_ms: Fixed<3> = "ms", "ms", "time of the search";
        solution_time_ms: Fixed<3> = "solved after ms", "ms", "after which the move stayed right";
    }

    /// A line of `bench --csv`.
    BenchRow {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        depth: usize = "Depth", "plies", "the last iteration";
        best: String = "Best", "", "the best move";
        score_cp: Option<i32> = "Score", "centipawns", "score of the best move, for the side to move; empty when it is a mate";
        mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after the best move; negative: mated";
        nodes: u64 = "Nodes", "nodes", "of the search";
        quiescence_nodes: u64 = "Quiescence", "nodes", "of the quiescence search";
        null_moves: u64 = "Null moves", "", "null moves tried";
        null_move_cutoffs: u64 = "cut", "", "null moves that cut";
        cutoffs: u64 = "Cutoffs", "", "beta cutoffs";
        first_move_cutoffs: u64 = "by the first", "", "cutoffs by the first move";
        cutoff_moves: u64 = "Cutoff moves", "", "sum of the numbers of the moves that cut";
    }

    /// A line of `bench --iterations`.
    IterationRow {
        policy: String = "Policy", "", "its name, with its overrides";
        depth: u32 = "Depth", "plies", "of the iteration";
        positions: u64 = "Positions", "positions", "with a search that reached this iteration";
        nodes: u64 = "Nodes", "nodes", "of the iterations";
        effective_branching_factor: Option<f64> = "EBF", "", "nodes of the iteration, divided by those of the one before in the same positions";
    }

    /// A line of `bench --times`.
    BenchTime {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        nodes: u64 = "Nodes", "nodes", "of the search";
        time_ms: f64 = "ms", "ms", "time of the search";
    }

    /// The columns about nodes in ablation.csv and sweep.csv.
    NodesMeasured {
        nodes: u64 = "Nodes", "nodes", "all nodes to the depth";
        nodes_ratio: Fixed<6> = "Ratio", "", "nodes divided by those of the policy as named: geometric mean over the positions";
        nodes_ratio_low_95: Fixed<6> = "from", "", "low end of the 95% interval of the ratio";
        nodes_ratio_high_95: Fixed<6> = "to", "", "high end of the 95% interval of the ratio";
    }

    /// The columns about test positions in ablation.csv and sweep.csv.
    SuiteMeasured {
        solved: u64 = "Solved", "positions", "test positions solved";
        positions: u64 = "of", "positions", "test positions";
        solved_gain: i64 = "Gain", "positions", "positions solved more than by the policy as named";
        solved_gain_error_95: Fixed<3> = "±95%", "positions", "half the width of the 95% interval of the gain (McNemar)";
    }

    /// The columns about an audit in ablation.csv and sweep.csv.
    AuditMeasured {
        audit_dismissed: u64 = "Dismissed", "moves", "sampled moves that were reduced and failed low";
        audit_missed: u64 = "Missed", "moves", "of these, those that raise alpha at full depth";
        missed_rate: Fixed<6> = "Missed rate", "share", "missed moves divided by dismissed ones";
        missed_rate_low_95: Fixed<6> = "from", "share", "low end of the 95% interval of the missed rate";
        missed_rate_high_95: Fixed<6> = "to", "share", "high end of the 95% interval of the missed rate";
    }

    /// The columns of ablation.csv and sweep.csv about games against the policy as named.
    GamesMeasured {
        n_ll: u64 = "0", "pairs", "pairs of games with 0 points";
        n_ld: u64 = "½", "pairs", "pairs with ½ point";
        n_dd_wl: u64 = "1", "pairs", "pairs with 1 point";
        n_wd: u64 = "1½", "pairs", "pairs with 1½ points";
        n_ww: u64 = "2", "pairs", "pairs with 2 points";
        elo: Fixed<3> = "Elo", "Elo", "against the policy as named";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval of Elo";
        los: Fixed<6> = "LOS", "share", "likelihood of being stronger than the policy as named";
    }

    /// A line of trial.csv: an idea in a setting.
    TrialRow {
        idea: String = "Idea", "", "its name";
        of: String = "Of", "", "what it changes: `policy` or `search`";
        preset: String = "Preset", "", "the search preset of the setting, or the program of the host";
        match_nodes: u64 = "Nodes a move", "nodes", "a move in this setting";
        elo: Fixed<3> = "Elo", "Elo", "gained by the idea in this setting";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval; empty when all games ended alike";
        pairs: u64 = "Pairs", "pairs", "of games in this setting";
        policy: String = "Policy", "", "that the ideas change";
        mean: Fixed<3> = "Mean", "Elo", "gained by the idea: mean over the settings; empty with one setting, as what follows";
        mean_error_95: Fixed<3> = "±95% of the mean", "Elo", "half the width of the 95% interval of the mean";
        tau: Fixed<3> = "tau", "Elo", "standard deviation between settings beyond chance";
        q: Fixed<3> = "Q", "", "Cochran's Q: how much the settings differ";
        q_freedom: Option<u64> = "Degrees of freedom", "", "degrees of freedom of Q";
        q_probability: Fixed<6> = "p", "", "probability of such differences by chance alone";
    }

    /// A line of interactions.csv: two ideas of a trial in a setting.
    InteractionRow {
        idea: String = "Idea", "", "the first idea";
        with: String = "With", "", "the other idea";
        elo: Fixed<3> = "Elo", "Elo", "that either idea gains beside the other one, minus what it gains without the other one";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval; empty when all games ended alike";
        pairs: u64 = "Pairs", "pairs", "of games";
    }
}
