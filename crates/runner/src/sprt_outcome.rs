//! What `lmrlab sprt` finds: a test of counts, the length of tests, the errors of matches.

use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::picture::{Curve, Intervals, Lines, Quantity};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::sprt::{CorrectedRow, JudgedRow, MatchErrorRow, PlannedRow};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_stats::{Counts, Elo, EloModel, Estimate, GameVariance, Sprt, Verdict};

use crate::sprt_text;

tables! {
    /// A test of counts.
    JudgedTables {
        judged: Vec<JudgedRow>,
        corrected: Vec<CorrectedRow>,
    }
}

tables! {
    /// What a test can find, and how many games it takes.
    PlannedTables {
        plan: Vec<PlannedRow>,
    }
}

tables! {
    /// The errors of matches of equal engines.
    MatchErrorTables {
        matches: Vec<MatchErrorRow>,
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

/// By how much the log-likelihood ratio of a stopped test may be beyond a bound, with the pairs that were still being played.
const BEYOND: f64 = 1.0;

impl JudgedTables {
    /// The test of counts, which have a form of their own in the tables.
    pub fn of<const N: usize>(counts: &Counts<N>, text: String, pairs_ratio: Option<f64>, sprt: &Sprt) -> Self {
        let estimate = Estimate::of(counts).unwrap_or(Estimate::NOTHING_KNOWN);
        let interval = estimate.normalized_elo_interval_95;
        let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
        let judged = JudgedRow {
            games: counts.games(),
            counts: text,
            draw_ratio: counts.draw_ratio(),
            pairs_ratio,
            score: estimate.score,
            elo: estimate.elo.0.into(),
            elo_error_95: estimate.elo_error_95.map(|error| error.0),
            nelo: estimate.normalized_elo.0.into(),
            nelo_error_95: estimate.normalized_elo_error_95.map(|error| error.0),
            nelo_low_95: interval.map(|[low, _]| low.0),
            nelo_high_95: interval.map(|[_, high]| high.0),
            los: estimate.los,
            llr: llr + 0.0,
            lower,
            upper,
            verdict: verdict_name(sprt.status(counts)).to_owned(),
        };
        // With empty cells filled as fishtest does.
        let has_empty = counts.counts().contains(&0);
        let regularized = has_empty
            .then(|| Estimate::regularized(counts))
            .flatten()
            .map(|estimate| {
                let end = |sign: f64| estimate.elo_error_95.map(|error| estimate.elo.0 + sign * error.0);
                CorrectedRow {
                    estimate: "regularized".to_owned(),
                    elo: estimate.elo.0.into(),
                    elo_low_95: end(-1.0),
                    elo_high_95: end(1.0),
                    los: estimate.los,
                }
            });
        // A test that stops at a bound is beyond it by little more than its last results.
        let has_stopped = (upper..=upper + BEYOND).contains(&llr) || (lower - BEYOND..=lower).contains(&llr);
        let sequential = has_stopped
            .then(|| sprt.estimate(counts))
            .flatten()
            .map(|estimate| CorrectedRow {
                estimate: "after the test".to_owned(),
                elo: estimate.elo.0.into(),
                elo_low_95: estimate.low.0.into(),
                elo_high_95: estimate.high.0.into(),
                los: estimate.los,
            });
        Self {
            judged: vec![judged],
            corrected: regularized.into_iter().chain(sequential).collect(),
        }
    }

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
    /// A test at these true differences, for each limit of pairs.
    pub fn of(sprt: &Sprt, variance: GameVariance, limits: &[Option<u64>], differences: &[f64]) -> Self {
        let row = |pairs: Option<u64>, elo: f64| {
            let normalized = match sprt.model() {
                EloModel::Logistic => variance.normalized(Elo(elo)).0,
                EloModel::Normalized => elo,
            };
            let elo = variance.on_scale(sprt.model(), elo);
            let expected = sprt.plan(variance, elo, pairs.map(|pairs| 2 * pairs));
            PlannedRow {
                true_elo: elo.0.into(),
                true_nelo: normalized.into(),
                pass_probability: expected.pass_probability,
                expected_games: expected.expected_games,
                fail_probability: pairs.map(|_| expected.fail_probability),
                undecided_probability: pairs.map(|_| expected.undecided_probability()),
                pairs,
            }
        };
        let rows = limits
            .iter()
            .flat_map(|&pairs| differences.iter().map(move |&elo| (pairs, elo)));
        Self {
            plan: rows.map(|(pairs, elo)| row(pairs, elo)).collect(),
        }
    }

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
    /// Matches of these numbers of pairs.
    pub fn of(variance: GameVariance, pairs: &[u64]) -> Self {
        let row = |pairs: u64| {
            let (logistic, normalized) = variance.error_95(2 * pairs);
            MatchErrorRow {
                pairs,
                games: 2 * pairs,
                elo_error_95: logistic.0.into(),
                nelo_error_95: normalized.0.into(),
            }
        };
        Self {
            matches: pairs.iter().copied().map(row).collect(),
        }
    }

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
