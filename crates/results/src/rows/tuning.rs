//! The lines of the files of `tune` and `trial`.

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// A line of trial.csv: an idea in a setting.
    #[derive(Default)]
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
}
