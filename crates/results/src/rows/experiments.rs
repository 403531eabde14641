//! The lines of the files of `ablate` and `sweep`.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
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
    #[derive(Default)]
    SweepRow {
        policy: String = "Policy", "", "its name, with its overrides", InFile;
        ..measures: Measures;
        as_named: String = "As named", "", "the policy that the point is compared with", InFile;
    }
}
