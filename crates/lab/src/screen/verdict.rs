//! Which policies deserve games, and what the prediction is worth.

use lmrlab_runner::number_text::signed;
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::meta::Prediction;
use serde::Serialize;

use super::measures::Measures;
use super::model::Model;
use super::training::Training;

/// The rank correlation from which on an order is worth following without a warning.
const GOOD_CORRELATION: f64 = 0.8;

/// What is predicted for a policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Screened {
    /// The policy.
    pub policy: String,
    /// Predicted Elo.
    pub elo: f64,
    /// The lower end of the 80% interval.
    pub elo_low_80: f64,
    /// Its upper end.
    pub elo_high_80: f64,
    /// Whether it deserves games.
    pub verdict: Verdict,
}

/// Whether a policy deserves games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval is above 0.
    Promising,
    /// The interval has 0 in it.
    Open,
    /// The whole interval is below 0.
    Hopeless,
}

impl Screened {
    /// A policy with its prediction.
    pub fn of(policy: String, prediction: Prediction) -> Self {
        Self {
            policy,
            elo: prediction.mean,
            elo_low_80: prediction.low,
            elo_high_80: prediction.high,
            verdict: if prediction.low > 0.0 {
                Verdict::Promising
            } else if prediction.high < 0.0 {
                Verdict::Hopeless
            } else {
                Verdict::Open
            },
        }
    }

    /// The cells of a table: Elo and its interval.
    pub fn cells(&self) -> [String; 2] {
        [
            signed(Some(self.elo), 1),
            format!(
                "{} to {}",
                signed(Some(self.elo_low_80), 0),
                signed(Some(self.elo_high_80), 0)
            ),
        ]
    }
}

/// The sentences about policies: which deserve games against `baseline`, the strongest first. Of several policies that all may be
/// better or worse, the order says nothing.
pub fn verdict(screened: &[Screened], baseline: &str) -> String {
    if screened.len() > 1 && screened.iter().all(|screened| screened.verdict == Verdict::Open) {
        return format!(
            "The screen cannot tell these policies from {baseline}: every interval includes 0. Games decide; \
             `lmrlab trial` tries many small changes in the same games.\n"
        );
    }
    let mut order: Vec<&Screened> = screened.iter().collect();
    order.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    let names = |verdict: Verdict| {
        let of = order.iter().filter(|screened| screened.verdict == verdict);
        of.map(|screened| screened.policy.as_str())
            .collect::<Vec<&str>>()
            .join(", ")
    };
    let sentences = [
        (
            Verdict::Promising,
            "These deserve games first; they are probably better than",
        ),
        (Verdict::Open, "These deserve games; they may be better or worse than"),
        (
            Verdict::Hopeless,
            "These deserve no games; they are probably worse than",
        ),
    ];
    let mut said = String::new();
    for (verdict, words) in sentences {
        let names = names(verdict);
        if !names.is_empty() {
            said += &format!("{words} {baseline}: {names}.\n");
        }
    }
    said
}

/// The sentences about a model: what its predictions are worth.
pub fn worth(model: &Model) -> String {
    let mut said = format!(
        "On families of policies that it never saw, the prediction had a rank correlation of {:.2} with measured Elo, and a root mean \
         square error of {:.0} Elo. Games have errors: a perfect prediction would have {:.2}.\n\
         The model was fitted to {} settings in {} families, {} pairs of games at {} nodes a move. At other budgets it is a guess.\n",
        model.rank_correlation,
        model.rmse,
        model.ceiling,
        model.settings,
        model.families,
        model.pairs,
        model.match_nodes
    );
    if model.rank_correlation < GOOD_CORRELATION {
        said += &format!("That is below {GOOD_CORRELATION}: use it to drop the worst ideas, not to choose the best.\n");
    }
    if let Some((name, alone)) = model.best_alone() {
        said += &match alone.rank_correlation >= model.rank_correlation {
            true => format!(
                "A single measure does at least as well: {name}, {:.2}.\n",
                alone.rank_correlation
            ),
            false => format!(
                "The best single measure, {name}, reaches {:.2}.\n",
                alone.rank_correlation
            ),
        };
    }
    said
}

/// Prediction of a policy by a model: against the reference, or against another policy.
pub fn prediction(model: &Model, measures: &Measures, other: Option<&Measures>) -> Prediction {
    match other {
        Some(other) => model.predict_against(measures, other),
        None => model.predict(measures),
    }
}

/// What a fit found.
pub fn fit_text(training: &Training, model: &Model) -> String {
    let mut table = TextTable::new(1, ["measure", "reliability", "rank correlation", "alone", "rmse"]);
    let number = |value: f64| format!("{value:.2}");
    for alone in &model.alone {
        table.push([
            alone.measure.clone(),
            number(alone.reliability),
            signed(Some(alone.raw_correlation), 2),
            number(alone.rank_correlation),
            format!("{:.1}", alone.rmse),
        ]);
    }
    table.push([
        "model".to_owned(),
        String::new(),
        String::new(),
        number(model.rank_correlation),
        format!("{:.1}", model.rmse),
    ]);
    format!(
        "{} settings in {} families, {} pairs of games against {} at {} nodes a move\n\
         Elo has a mean error of ±{:.1} (95%), and a standard deviation between settings of {:.1} beyond it.\n\n{table}\n\
         reliability: the share of its variance that is not its own error. rank correlation: of the measure itself with measured Elo. alone: of what the measure alone predicts for families that were \
         left out.\n\
         80% interval: {:.0}% of the measured results are in it.\n\
         With the errors of these games a perfect prediction would have a rank correlation of about {:.2}.\n",
        training.settings(),
        training.families(),
        training.pairs(),
        model.reference,
        model.match_nodes,
        training.mean_error_95(),
        training.true_spread(),
        100.0 * model.coverage,
        model.ceiling,
    )
}
