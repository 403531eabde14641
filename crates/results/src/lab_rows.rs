//! The lines of the files of the lab.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// What a profile counts of late moves.
    ReductionCounts {
        moves: u64 = "Late moves", "moves", "that the policy was asked about";
        reduced: u64 = "Reduced moves", "moves", "with a reduction above 0", InFile;
        reduced_rate: Option<f64> = "Reduced", "share", "share of the late moves that were reduced";
        extended: u64 = "Extended", "moves", "with a reduction below 0", InFile;
        plies: u64 = "Plies", "plies", "sum of the reductions", InFile;
        mean_reduction: Option<f64> = "By plies", "plies", "mean reduction of the reduced moves";
        failed_high: u64 = "Failed high moves", "moves", "with a reduced search above alpha", InFile;
        failed_high_rate: Option<f64> = "Failed high", "share", "share of the reduced searches above alpha";
        researched: u64 = "Again", "moves", "searched again";
        confirmed: u64 = "Confirmed moves", "moves", "of these, still above alpha at full depth", InFile;
        confirmed_rate: Option<f64> = "Confirmed", "share", "share of the moves searched again that were confirmed";
        reduced_nodes: u64 = "Reduced nodes", "nodes", "of the reduced searches";
        research_nodes: u64 = "Again nodes", "nodes", "of the searches after them";
        saved_nodes: i64 = "Saved nodes", "nodes", "what the reductions saved: an estimate";
        saved_rate: Option<f64> = "Saved", "share", "saved nodes divided by the nodes of a search without reductions: an estimate";
    }

    /// A line of totals.csv of a profile.
    ProfileTotal {
        policy: String = "Policy", "", "its name, with its overrides";
        ..counts: ReductionCounts;
        nodes: Option<u64> = "Nodes", "nodes", "of the whole search";
        quiescence_nodes: Option<u64> = "Quiescence", "nodes", "of the quiescence search", InFile;
        cutoffs: Option<u64> = "Cutoffs", "", "beta cutoffs", InFile;
        first_move_cutoffs: Option<u64> = "First move cuts", "", "cutoffs by the first move", InFile;
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

    /// A line of roc.csv of an audit.
    RocPoint {
        policy: String = "Policy", "", "its name, with its overrides";
        predictor: String = "Predictor", "", "a fact, or `reduction`, which is the policy itself";
        raising_reduced: Option<f64> = "Wrongly", "share", "dismissed share of the moves that raise alpha";
        low_reduced: Option<f64> = "Rightly", "share", "dismissed share of the moves that fail low";
        low_reduced_lower_95: Option<f64> = "from", "share", "low end of the 95% interval of `low_reduced`";
        low_reduced_upper_95: Option<f64> = "to", "share", "high end of the 95% interval of `low_reduced`";
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

    /// A line of reductions.csv of a policy that is shown: a plain quiet move.
    ReductionRow {
        depth: u32 = "Depth", "plies", "remaining depth of the node";
        moves_searched: u32 = "Moves", "moves", "searched before the move";
        plies: i32 = "Plies", "plies", "of reduction; negative: extended";
        other_plies: Option<i32> = "Other plies", "plies", "of reduction by the other policy, where there is one";
    }

    /// A line of parts.csv of a policy that is shown.
    PolicyPart {
        part: String = "Part", "", "`name`, `about`, `parameter` or `rule`";
        name: String = "Name", "", "of the parameter or the rule";
        value: String = "Value", "", "value of the parameter, state of the rule, or a line about the policy";
        min: Option<f64> = "from", "", "least value of the parameter";
        max: Option<f64> = "to", "", "greatest value of the parameter";
    }

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

    /// A line of policies.csv of a bench: sums and means over the positions. A host reports nodes and times alone.
    #[derive(Default)]
    BenchedPolicy {
        policy: String = "Policy", "", "its name, with its overrides";
        nodes: u64 = "Nodes", "nodes", "of all searches";
        nodes_ratio: Option<f64> = "Ratio", "", "nodes divided by those of the first policy";
        nodes_ratio_geometric_mean: Option<f64> = "By position", "", "the same position by position: geometric mean, so large trees do not outweigh small ones";
        nodes_ratio_geometric_mean_low_95: Option<f64> = "from", "", "low end of the 95% interval of this mean";
        nodes_ratio_geometric_mean_high_95: Option<f64> = "to", "", "high end of the 95% interval of this mean";
        time_ms: Fixed<3> = "Time (ms)", "ms", "of all observed searches", Decimals(0);
        time_ratio: Option<f64> = "Time ratio", "", "time divided by that of the first policy";
        nodes_per_second: Option<f64> = "Nodes a second", "nodes", "nodes divided by the time", Decimals(0);
        mean_depth: Option<f64> = "Depth", "plies", "completed iterations, mean over the positions", Decimals(1);
        effective_branching_factor: Option<f64> = "EBF", "", "effective branching factor: geometric mean over the iterations from the second on";
        first_move_cutoff_rate: Option<f64> = "First-move cutoffs", "share", "of the beta cutoffs, those by the first move";
        mean_cutoff_move: Option<f64> = "Cutoff move", "", "mean number of the move that cut, from 1";
        null_move_cutoff_rate: Option<f64> = "Null-move cutoffs", "share", "of the null moves, those that cut";
        quiescence_share: Option<f64> = "Quiescence", "share", "of the nodes, those of the quiescence search";
    }

    /// A line of positions.csv of a bench.
    #[derive(Default)]
    BenchRow {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        depth: usize = "Depth", "plies", "the last iteration";
        best: String = "Best", "", "the best move", Moves;
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

    /// A line of iterations.csv of a bench.
    IterationRow {
        policy: String = "Policy", "", "its name, with its overrides";
        depth: u32 = "Depth", "plies", "of the iteration";
        positions: u64 = "Positions", "positions", "with a search that reached this iteration";
        nodes: u64 = "Nodes", "nodes", "of the iterations";
        effective_branching_factor: Option<f64> = "EBF", "", "nodes of the iteration, divided by those of the one before in the same positions";
    }

    /// A line of times.csv of a bench.
    BenchTime {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        nodes: u64 = "Nodes", "nodes", "of the search";
        time_ms: f64 = "ms", "ms", "time of the search";
    }

    /// What searches and games measure of a variant of a policy. What was not asked for is empty.
    #[derive(Default)]
    Measures {
        nodes: Option<u64> = "Nodes", "nodes", "all nodes to the depth";
        nodes_ratio: Fixed<6> = "Ratio", "", "nodes divided by those of the policy as named: geometric mean over the positions";
        nodes_ratio_low_95: Fixed<6> = "from", "", "low end of the 95% interval of the ratio";
        nodes_ratio_high_95: Fixed<6> = "to", "", "high end of the 95% interval of the ratio";
        solved: Option<u64> = "Solved", "positions", "test positions solved";
        positions: Option<u64> = "of", "positions", "test positions", InFile;
        solved_gain: Option<i64> = "Gain", "positions", "positions solved more than by the policy as named", Signed(1);
        solved_gain_error_95: Fixed<3> = "±95%", "positions", "half the width of the 95% interval of the gain (McNemar)";
        audit_dismissed: Option<u64> = "Dismissed", "moves", "sampled moves that were reduced and failed low", InFile;
        audit_missed: Option<u64> = "Missed moves", "moves", "of these, those that raise alpha at full depth", InFile;
        missed_rate: Fixed<6> = "Missed", "share", "missed moves divided by dismissed ones";
        missed_rate_low_95: Fixed<6> = "from", "share", "low end of the 95% interval of the missed rate";
        missed_rate_high_95: Fixed<6> = "to", "share", "high end of the 95% interval of the missed rate";
        n_ll: Option<u64> = "0", "pairs", "pairs of games with 0 points", InFile;
        n_ld: Option<u64> = "½", "pairs", "pairs with ½ point", InFile;
        n_dd_wl: Option<u64> = "1", "pairs", "pairs with 1 point", InFile;
        n_wd: Option<u64> = "1½", "pairs", "pairs with 1½ points", InFile;
        n_ww: Option<u64> = "2", "pairs", "pairs with 2 points", InFile;
        pairs: Option<u64> = "Pairs", "pairs", "all pairs of games against the policy as named";
        elo: Fixed<3> = "Elo", "Elo", "against the policy as named";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval of Elo";
        los: Fixed<6> = "LOS", "share", "likelihood of being stronger than the policy as named";
    }

    /// A line of ablation.csv: the policy as named, or with rules switched.
    AblationRow {
        switched: String = "Rules", "", "what is switched, with spaces between them: `-rule` off, `+rule` on; empty: the policy as named";
        policy: String = "Policy", "", "its name, with its overrides", InFile;
        ..measures: Measures;
    }

    /// A line of sweep.csv. Before these columns it has one for each parameter; of a switch, 0 is off and 1 is on.
    SweepRow {
        policy: String = "Policy", "", "its name, with its overrides", InFile;
        ..measures: Measures;
        as_named: String = "As named", "", "the policy that the point is compared with", InFile;
    }

    /// A line of effects.csv of a sweep over switches alone.
    EffectRow {
        effect: String = "Effect", "", "`one`: averaged over all combinations of the others; `one with other`: half the difference between its effects where the other is on and off; `one where other is on`: in these combinations alone";
        nodes_factor: Fixed<6> = "Times the nodes", "", "by which the nodes are multiplied";
        nodes_factor_low_95: Fixed<6> = "from", "", "low end of the 95% interval of the factor";
        nodes_factor_high_95: Fixed<6> = "to", "", "high end of the 95% interval of the factor";
        elo: Fixed<3> = "Elo", "Elo", "gained";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval of Elo";
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
        q: Fixed<3> = "Q", "", "Cochran's Q: how much the settings differ", InFile;
        q_freedom: Option<u64> = "Degrees of freedom", "", "degrees of freedom of Q", InFile;
        q_probability: Fixed<6> = "p", "", "probability of such differences by chance alone", Probability;
        reported: String = "Reported by others", "", "of an idea of the library: the mean of the reports, in Elo";
        change: String = "Change", "", "of an idea of the library: what it changes in the policy", InFile;
    }

    /// A line of interactions.csv: two ideas of a trial in a setting.
    InteractionRow {
        idea: String = "Idea", "", "the first idea";
        with: String = "With", "", "the other idea";
        elo: Fixed<3> = "Elo", "Elo", "that either idea gains beside the other one, minus what it gains without the other one";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval; empty when all games ended alike";
        pairs: u64 = "Pairs", "pairs", "of games";
        preset: String = "Preset", "", "the search preset of the setting, or the program of the host";
        match_nodes: u64 = "Nodes a move", "nodes", "a move in this setting";
    }

    /// A parameter of a tuning run.
    TunedRow {
        parameter: String = "Parameter", "", "its name";
        start: f64 = "Start", "", "its value at the start", AsWritten;
        tuned: f64 = "Tuned", "", "the recommended value", AsWritten;
        best: String = "95% interval of the best value", "", "`not yet known`: so far the prior says more than the games";
        best_low: Option<f64> = "from", "", "low end of this interval", InFile;
        best_high: Option<f64> = "to", "", "high end of this interval", InFile;
        moved: Option<f64> = "Moved by", "", "a change of the tuned value", AsWritten;
        loss: Option<f64> = "it loses", "Elo", "lost by this change", Decimals(1);
        loss_error_95: Option<f64> = "±95%", "Elo", "half the width of the 95% interval";
        note: String = "Note", "", "whether the parameter has an effect; why the tuned value is not in the interval";
    }

    /// A value of a choice of a tuning run.
    RacedRow {
        choice: String = "Choice", "", "its name";
        value: String = "Value", "", "a change of the start";
        elo: Fixed<3> = "Elo", "Elo", "gained over the start";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval";
        pairs: u64 = "Pairs", "pairs", "of its race against the start";
        verdict: String = "Verdict", "", "`better`, `no better` or `undecided`";
    }

    /// A final match of a tuning run: the tuned values against the start.
    FinalMatchRow {
        limit: String = "Limit", "", "what a side could spend";
        n_ll: u64 = "0", "pairs", "pairs of games with 0 points";
        n_ld: u64 = "½", "pairs", "pairs with ½ point";
        n_dd_wl: u64 = "1", "pairs", "pairs with 1 point";
        n_wd: u64 = "1½", "pairs", "pairs with 1½ points";
        n_ww: u64 = "2", "pairs", "pairs with 2 points";
        elo: Fixed<3> = "Elo", "Elo", "of the tuned values over the start";
        elo_error_95: Fixed<3> = "±95%", "Elo", "half the width of the 95% interval";
        verdict: String = "Verdict", "", "`gain`, `no gain`, `undecided`, or `no verdict` and why";
    }

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

    /// A line of ideas.csv of `idea`.
    IdeaRow {
        idea: String = "Idea", "", "its name";
        category: String = "Category", "", "what it is about";
        elo: Option<f64> = "Elo", "Elo", "mean over the engines of what others reported, corrected for early stops";
        elo_error_95: Option<f64> = "±95%", "Elo", "half the width of the 95% interval";
        engines: u64 = "Engines", "", "with a test of the idea";
        tests: u64 = "Tests", "", "of the idea that were reported";
        sentence: String = "What it does", "", "the idea in a sentence";
        found: String = "Found", "", "what games have shown", InFile;
        tau: Option<f64> = "tau", "Elo", "standard deviation between engines beyond chance";
        q: Option<f64> = "Q", "", "Cochran's Q: how much the engines differ", InFile;
        q_probability: Option<f64> = "p", "", "probability of such differences by chance alone", Probability;
        forecast_low: Option<f64> = "Forecast from", "Elo", "low end of the 80% interval for another engine", InFile;
        forecast_high: Option<f64> = "Forecast to", "Elo", "high end of this interval", InFile;
    }

    /// A line of policies.csv of `idea show`: a policy with or without the idea.
    IdeaPolicyRow {
        on: String = "On", "", "the baseline";
        side: String = "Side", "", "`with` the idea, or `without` it";
        name: String = "Name", "", "of the policy in a command";
        policy: String = "Policy", "", "its reference; empty when it has a text";
        text: String = "Text", "", "of the policy";
        note: String = "Note", "", "what the baseline stands for, when that is not its name";
    }

    /// A line of reports.csv of `idea show`.
    IdeaReportRow {
        engine: String = "Engine", "", "in which the idea was tested";
        year: String = "Year", "", "of the test";
        patch: String = "Patch", "", "`add`, `remove`, `opposite` or `form`";
        time_control: String = "Time control", "", "of the test";
        as_reported: Option<f64> = "Elo", "Elo", "that the idea gained, as reported";
        elo: Option<f64> = "Corrected", "Elo", "that the idea gained, corrected for the early stop of the test";
        elo_error_95: Option<f64> = "±95%", "Elo", "half the width of the 95% interval";
        url: String = "Report", "", "its address";
    }

    /// A line of games.csv of `idea show`: games that were played here.
    IdeaGamesRow {
        on: String = "On", "", "the baseline";
        match_nodes: u64 = "Nodes", "nodes", "a move";
        pairs: u64 = "Pairs", "pairs", "of games, with all presets together";
        elo: Option<f64> = "Elo", "Elo", "that the idea gained";
        elo_error_95: Option<f64> = "±95%", "Elo", "half the width of the 95% interval";
        bench: u64 = "Bench", "nodes", "the bench fingerprint of the search", InFile;
    }

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

    /// A line of findings.csv of `host check`.
    HostFindingRow {
        verdict: String = "Verdict", "", "`ok`, `note`, `warning` or `wrong`";
        check: String = "Check", "", "a fact, or a part of the engine";
        found: String = "Found", "", "what was found";
        seen: String = "Seen", "", "an example of a mistake", InFile;
        right: String = "Right", "", "what would be right", InFile;
    }
}

impl PolicyPart {
    /// The part as a line for people.
    pub fn line(&self) -> String {
        let Self { part, name, value, .. } = self;
        match (part.as_str(), self.min, self.max) {
            ("parameter", Some(min), Some(max)) => format!("parameter {name} = {value} (from {min} to {max})"),
            ("rule", ..) => format!("rule {name} is {value}"),
            _ => value.clone(),
        }
    }
}
