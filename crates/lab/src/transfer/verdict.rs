//! What a matrix says: the trend, how much surroundings differ, and what to expect in an unknown engine.

use std::f64::consts::LN_2;

use lmrlab_stats::meta::{MetaError, MetaRegression, Prediction};

use super::{Matrix, SlopePrior};
use lmrlab_runner::number_text::{percent, signed};

/// Nodes a move that engines search at long time control, such as 60 seconds and 0.6 a move.
pub const LONG_TIME_CONTROL: u64 = 1_000_000;

/// The prediction that is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Nodes a move of the unknown engine.
    pub nodes: u64,
    /// The level of the intervals, 0 to 1.
    pub level: f64,
    /// What is known of the trend before any game.
    pub slope_prior: SlopePrior,
}

impl Question {
    /// The one that is asked unless options say otherwise, of a matrix with these budgets: long time control, or the only budget.
    pub fn usual(budgets: &[u64]) -> Self {
        Self {
            nodes: match budgets {
                [only] => *only,
                _ => LONG_TIME_CONTROL,
            },
            level: 0.8,
            slope_prior: SlopePrior::Record,
        }
    }
}

/// The regression of a matrix, and the predictions from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    regression: MetaRegression,
    question: Question,
    /// The largest budget.
    largest: u64,
    /// The standard deviation of the slope's prior.
    slope_deviation: Option<f64>,
}

impl Verdict {
    /// Of a matrix.
    ///
    /// # Errors
    /// When too few surroundings have games.
    pub fn of(matrix: &Matrix, question: Question) -> Result<Self, MetaError> {
        let effects = matrix.effects();
        let slope_deviation = question.slope_prior.deviation(&effects)?;
        Ok(Self {
            regression: MetaRegression::fit_with_slope_prior(&effects, slope_deviation)?,
            question,
            largest: matrix.budgets.last().copied().unwrap_or(question.nodes),
            slope_deviation,
        })
    }

    /// The standard deviation of the slope before any game, in Elo for each factor of e of the nodes; `None` when nothing is known.
    pub(super) fn slope_deviation(&self) -> Option<f64> {
        self.slope_deviation
    }

    /// The regression.
    pub fn regression(&self) -> &MetaRegression {
        &self.regression
    }

    /// What to expect in an unknown engine.
    pub fn prediction(&self) -> Prediction {
        self.at(self.question.nodes)
    }

    /// The same at another number of nodes a move.
    pub fn at(&self, nodes: u64) -> Prediction {
        self.regression.predict(libm::log(nodes as f64), self.question.level)
    }

    /// In sentences, the last one the prediction.
    pub fn sentences(&self) -> Vec<String> {
        let elo = |value: f64| signed(Some(value), 1);
        let found = self.regression.heterogeneity();
        let mean = self.regression.mean();
        let mut all = vec![format!(
            "Mean over the cells: {} ± {:.1} Elo.",
            elo(mean.value),
            mean.error_95
        )];
        if let Some(slope) = self.regression.slope() {
            all.push(format!(
                "Trend: {} ± {:.1} Elo for each doubling of the nodes{}.",
                elo(slope.value * LN_2),
                slope.error_95 * LN_2,
                self.slope_deviation.map_or_else(String::new, |deviation| {
                    format!(", with a prior of 0 ± {:.1} (standard deviation)", deviation * LN_2)
                })
            ));
        }
        let [low, high] = found.tau_interval_95;
        all.push(format!(
            "Between surroundings: tau {:.1} Elo (95% interval {low:.1} to {high:.1}), Cochran's Q {:.1} with {} degrees of freedom \
             (p {}), I² {}.",
            found.tau,
            found.q,
            found.q_freedom,
            match found.q_probability {
                small if small < 0.001 => "< 0.001".to_owned(),
                p => format!("= {p:.3}"),
            },
            percent(Some(found.i_squared)),
        ));
        if self.regression.slope().is_some() {
            all.push(format!(
                "Between budgets of one surrounding, beyond the trend: omega {:.1} Elo.",
                found.omega
            ));
        }
        if self.question.nodes > self.largest {
            all.push(format!(
                "In an unknown engine at {} nodes a move expect {}.",
                self.largest,
                self.expectation(self.largest)
            ));
        }
        let place = match self.question.nodes {
            nodes if nodes >= LONG_TIME_CONTROL => format!("long time control ({nodes} nodes a move)"),
            nodes => format!("{nodes} nodes a move"),
        };
        all.push(format!(
            "In an unknown engine at {place} expect {}{}.",
            self.expectation(self.question.nodes),
            match self.question.nodes > self.largest {
                true => ", if the trend goes on",
                false => "",
            }
        ));
        all
    }

    /// `+4.1 Elo, 80% interval -2.0 to +10.1`.
    fn expectation(&self, nodes: u64) -> String {
        let [mean, low, high] = {
            let Prediction { mean, low, high } = self.at(nodes);
            [mean, low, high].map(|value| signed(Some(value), 1))
        };
        let level = (self.question.level * 1_000.0).round() / 10.0;
        format!("{mean} Elo, {level}% interval {low} to {high}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::Pentanomial;

    fn matrix() -> Matrix {
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut matrix = Matrix::new(names, vec![1_000, 16_000]);
        for (number, cell) in (0..).zip(&mut matrix.cells) {
            cell.pairs = Pentanomial::new([5, 30, 90, 35 + 3 * number, 6]);
        }
        matrix
    }

    fn question(nodes: u64, level: f64, slope_prior: SlopePrior) -> Question {
        Question {
            nodes,
            level,
            slope_prior,
        }
    }

    fn verdict(nodes: u64, level: f64, slope_prior: SlopePrior) -> Verdict {
        Verdict::of(&matrix(), question(nodes, level, slope_prior)).unwrap()
    }

    #[test]
    fn the_sentences() {
        let known = verdict(LONG_TIME_CONTROL, 0.8, SlopePrior::Record);
        insta::assert_snapshot!(known.sentences().join("\n"));
        let plain = verdict(LONG_TIME_CONTROL, 0.8, SlopePrior::Unknown);
        assert!(plain.sentences()[1].ends_with(" Elo for each doubling of the nodes."));
        let near = verdict(16_000, 0.95, SlopePrior::Record);
        let last = near.sentences().pop().unwrap();
        assert!(
            last.starts_with("In an unknown engine at 16000 nodes a move expect +")
                && last.contains(" Elo, 95% interval ")
                && !last.contains("trend"),
            "{last}"
        );
    }

    #[test]
    fn a_prior_of_the_slope_narrows_what_is_far() {
        let plain = verdict(LONG_TIME_CONTROL, 0.8, SlopePrior::Unknown);
        let known = verdict(LONG_TIME_CONTROL, 0.8, SlopePrior::Deviation(0.5));
        assert!(known.prediction().width() < 0.6 * plain.prediction().width());
        let trend = &known.sentences()[1];
        assert!(
            trend.ends_with(", with a prior of 0 ± 0.3 (standard deviation)."),
            "{trend}"
        );
    }

    /// The trend of an idea that is worth much may be large, too.
    #[test]
    fn the_prior_of_the_record_grows_with_the_effect() {
        let of = |counts| {
            let mut matrix = matrix();
            for cell in &mut matrix.cells {
                cell.pairs = Pentanomial::new(counts);
            }
            Verdict::of(&matrix, question(LONG_TIME_CONTROL, 0.8, SlopePrior::Record))
                .unwrap()
                .slope_deviation()
                .unwrap()
        };
        let (none, much) = (of([10, 20, 40, 20, 10]), of([2, 5, 20, 40, 33]));
        assert!((none - 1.76).abs() < 1e-9, "{none}");
        assert!(much > 8.0 * none, "{much}");
    }

    /// From 1,000 to 16,000 nodes the idea gains 100 Elo.
    #[test]
    fn a_trend_that_games_show_is_not_taken_away() {
        let mut matrix = matrix();
        for cell in &mut matrix.cells {
            let counts = match cell.nodes {
                1_000 => [50, 100, 200, 100, 50],
                _ => [20, 60, 140, 180, 100],
            };
            cell.pairs = Pentanomial::new(counts);
        }
        let of = |prior| {
            Verdict::of(&matrix, question(LONG_TIME_CONTROL, 0.8, prior))
                .unwrap()
                .prediction()
                .mean
        };
        let (known, free) = (of(SlopePrior::Record), of(SlopePrior::Unknown));
        assert!(known > 0.95 * free && free > 200.0, "{known} {free}");
    }

    #[test]
    fn two_surroundings_are_too_few() {
        let mut matrix = matrix();
        for cell in &mut matrix.cells[4..] {
            cell.pairs = Pentanomial::default();
        }
        for prior in [SlopePrior::Record, SlopePrior::Unknown] {
            assert_eq!(
                Verdict::of(&matrix, question(1_000, 0.8, prior)),
                Err(MetaError::TooFew)
            );
        }
    }
}
