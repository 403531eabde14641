//! The lines of the files of `idea`.

use crate::row::rows;

rows! {
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
}
