//! What `lmrlab sprt` finds: a test of counts, the length of tests, the errors of matches.

use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::picture::{Curve, Intervals, Lines, Quantity};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::sprt::{CorrectedRow, JudgedRow, MatchErrorRow, PlannedRow};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_stats::Verdict;

use crate::sprt_text;

tables! {
    /// A test of counts.
    JudgedTables {
        judged: JudgedRow,
        corrected: CorrectedRow,
    }
}

tables! {
    /// What a test can find, and how many games it takes.
    PlannedTables {
        plan: PlannedRow,
    }
}

tables! {
    /// The errors of matches of equal engines.
    MatchErrorTables {
        matches: MatchErrorRow,
    }
}

/// The name of a verdict in a file.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AcceptH0 => "H0",
        Verdict::AcceptH1 => "H1",
        Verdict::Continue => "continue",
    }
}

impl JudgedTables {
    /// What the tables say. `conditions` are the hypotheses.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let verdicts = [Verdict::AcceptH0, Verdict::AcceptH1, Verdict::Continue];
        let sentence = |row: &JudgedRow| {
            let verdict = verdicts
                .into_iter()
                .find(|verdict| verdict_name(*verdict) == row.verdict);
            format!(
                "LLR {} ({}, {}), {}.",
                Seen::Decimals(2).number(row.llr),
                Seen::Decimals(2).number(row.lower),
                Seen::Decimals(2).number(row.upper),
                sprt_text::verdict(verdict.unwrap_or(Verdict::Continue))
            )
        };
        let note = |row: &JudgedRow| {
            let errors =
                [row.elo, row.elo_error_95, row.nelo_error_95].map(|value| value.filter(|value| value.is_finite()));
            sprt_text::unknown(errors).filter(|_| row.games > 0).map(str::to_owned)
        };
        let mut sections =
            vec![Section::new("Strength of the first engine").table(Table::of("judged", &self.judged).without_empty())];
        if !self.corrected.is_empty() {
            let table = Table::of("corrected", &self.corrected);
            let picture = Intervals::of(
                "Elo, corrected",
                &table,
                "estimate",
                "elo",
                Quantity::elo("Elo", "even"),
            );
            sections.push(Section::new("Corrected").table(table).draw([picture]));
        }
        Outcome {
            title: "Sequential probability ratio test".to_owned(),
            conditions: conditions.to_owned(),
            verdict: self.judged.iter().map(sentence).collect(),
            sections,
            notes: self.judged.iter().filter_map(note).collect(),
            tables: self.tables(),
        }
    }
}

impl PlannedTables {
    /// What the tables say. `conditions` are the hypotheses and the noise of a game.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let table = Table::of("plan", &self.plan).without_empty();
        let mut limits: Vec<Option<u64>> = self.plan.iter().map(|row| row.pairs).collect();
        limits.dedup();
        let picture = |title: &str, y: Quantity, column: &str| {
            let mut curves = Curve::all(&table, "pairs", "true_elo", column);
            for (curve, limit) in curves.iter_mut().zip(&limits) {
                curve.name = limit.map_or_else(
                    || "without a limit".to_owned(),
                    |pairs| format!("at most {}", counted(pairs, "pair")),
                );
            }
            Lines {
                title: title.to_owned(),
                x: Quantity::new("true difference in Elo", Seen::Signed(2)),
                y,
                curves,
                ..Lines::default()
            }
        };
        let passes = picture(
            "Probability to pass",
            Quantity::new("passes", Seen::Percent),
            "pass_probability",
        );
        let games = picture(
            "Expected games",
            Quantity::new("games", Seen::Decimals(0)),
            "expected_games",
        );
        let mut sections = vec![Section::new("The test at true differences").table(table)];
        if self.plan.len() > limits.len() {
            sections.push(Section::for_page("By the true difference").draw([passes, games]));
        }
        Outcome {
            title: "Plan of a sequential probability ratio test".to_owned(),
            conditions: conditions.to_owned(),
            sections,
            tables: self.tables(),
            ..Outcome::default()
        }
    }
}

impl MatchErrorTables {
    /// What the tables say. `conditions` are the noise of a game.
    pub fn outcome(self, conditions: &str) -> Outcome {
        Outcome {
            title: "Errors of matches".to_owned(),
            conditions: conditions.to_owned(),
            sections: vec![
                Section::new("Errors of a match of equal engines").table(Table::of("matches", &self.matches)),
            ],
            tables: self.tables(),
            ..Outcome::default()
        }
    }
}
