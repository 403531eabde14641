//! The agreement as a table, in sentences, and as a CSV file.

use lmrlab_runner::number_text::{counted, percent, signed, unsigned};
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::DEVIATIONS_95;

use super::agreement::{Agreement, ENGINES_OF_RECORD, IdeaAgreement, Share};
use super::estimates::Estimates;
use super::reported::{Reported, TestResult};
use crate::sheet::Sheet;

/// A correlation of fewer ideas is not shown: that of two is always 1 or -1.
const LEAST_CORRELATED: usize = 5;

/// The columns of the CSV file.
const COLUMNS: [&str; 25] = [
    "idea",
    "category",
    "pairs",
    "our_elo",
    "our_deviation",
    "engine_deviation",
    "engine_low",
    "engine_high",
    "positive_probability",
    "raw_elo",
    "raw_error_95",
    "measured_elo",
    "measured_error_95",
    "reported_elo",
    "reported_error_95",
    "reported_tau",
    "reported_elo_uncorrected",
    "engines",
    "tests",
    "tests_positive",
    "engines_covered",
    "reported_sign",
    "our_sign",
    "raw_sign",
    "sign_agrees",
];

impl Agreement {
    /// A line for each idea.
    pub fn text(&self) -> String {
        let level = format!("{}% interval", self.percent_of_level());
        let headings = [
            "idea",
            "pairs",
            "alone",
            "ours",
            &level,
            "P(>0)",
            "reports",
            "engines",
            "in interval",
            "sign",
        ];
        let mut table = TextTable::new(1, headings);
        for idea in &self.ideas {
            let ours = idea.ours.as_ref();
            let theirs = idea.theirs.as_ref();
            let interval = idea.in_an_engine().map(|expected| expected.interval(self.level));
            table.push([
                idea.id.clone(),
                ours.map_or(0, |ours| ours.pairs).to_string(),
                with_error(ours.and_then(|ours| ours.raw).map(|raw| [raw.value, raw.error_95])),
                signed(ours.map(|ours| ours.worth.mean()), 1),
                interval.map_or("-".to_owned(), |[low, high]| {
                    format!("{} to {}", signed(Some(low), 1), signed(Some(high), 1))
                }),
                unsigned(ours.map(|ours| ours.worth.positive_probability()), 2),
                with_error(theirs.map(|theirs| [theirs.mean.value, theirs.mean.error_95])),
                theirs.map_or(0, |theirs| theirs.engines.len()).to_string(),
                idea.covered.map_or("-".to_owned(), |covered| covered.to_string()),
                agreed(idea).unwrap_or("-").to_owned(),
            ]);
        }
        table.to_string()
    }

    fn percent_of_level(&self) -> f64 {
        (self.level * 1_000.0).round() / 10.0
    }

    /// What the table comes to.
    pub fn sentences(&self, estimates: Option<&Estimates>, nodes: u64) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(estimates) = estimates {
            let spread = estimates.spread;
            all.push(format!(
                "Common to {}: tau {:.1} Elo between surroundings, omega {:.1} Elo between budgets of one surrounding, slope 0 ± {:.2} \
                 Elo (standard deviation) for each factor of four of the nodes. Ideas beyond {:.0} Elo vary more.",
                counted(estimates.ideas.len() as u64, "idea"),
                spread.tau,
                spread.omega,
                spread.slope * libm::log(4.0),
                spread.size,
            ));
            all.push(format!(
                "The most usual worth is {} Elo, and most are within {:.1} of it (standard deviation). Estimates are for {nodes} nodes a move.",
                signed(Some(estimates.shrinkage.mode()), 1),
                estimates.shrinkage.usual_deviation(),
            ));
        }
        if self.compared() == 0 {
            all.push("No idea has both games and reports.".to_owned());
            return all;
        }
        let compared = counted(self.compared() as u64, "idea");
        all.push(if self.compared() < LEAST_CORRELATED {
            format!("With games and reports: {compared}, too few for a correlation.")
        } else {
            format!(
                "With games and reports: {compared}. Spearman's correlation of our worths with the reported ones is {}, Pearson's {}.",
                signed(self.spearman(), 2),
                signed(self.pearson(), 2),
            )
        });
        all.push(format!(
            "Interval: {} of the engines' results lie in our {}% interval, which allows for their own errors. Engines differ by {}.",
            shown(self.coverage()),
            self.percent_of_level(),
            self.about_engines(),
        ));
        all.push(format!(
            "Signs: of the ideas whose reports agree among themselves, ours has the same sign in {}, and each idea alone in {}. Calling \
             every idea a gain is right in {}.",
            shown(self.signs(IdeaAgreement::our_sign)),
            shown(self.signs(IdeaAgreement::raw_sign)),
            shown(self.signs(|_| Some(1.0))),
        ));
        all.extend(self.about_publication());
        all
    }

    /// What engines differ by, for an idea without an effect, and who says so.
    fn about_engines(&self) -> String {
        let all = self.ideas.iter().map(|idea| idea.engines);
        if all.clone().all(|engines| engines == ENGINES_OF_RECORD) {
            return format!(
                "{ENGINES_OF_RECORD:.1} Elo (standard deviation) beyond what surroundings do, as in the public record"
            );
        }
        let ends = [
            all.clone().fold(f64::INFINITY, f64::min),
            all.fold(f64::NEG_INFINITY, f64::max),
        ];
        let [low, high] = ends.map(|end| format!("{end:.1}"));
        let range = if low == high { low } else { format!("{low} to {high}") };
        format!(
            "{range} Elo (standard deviation) beyond what surroundings do: for each idea, by the reports of the others"
        )
    }

    /// How far the reports can be trusted.
    fn about_publication(&self) -> Vec<String> {
        let theirs: Vec<&Reported> = self.ideas.iter().filter_map(|idea| idea.theirs.as_ref()).collect();
        let tests: Vec<&TestResult> = theirs.iter().flat_map(|theirs| &theirs.tests).collect();
        let correction = tests.iter().map(|test| test.elo - test.as_reported).sum::<f64>() / tests.len().max(1) as f64;
        let mut all = vec![format!(
            "Reports: {} of {}; the correction for early stops is {} Elo in the mean.",
            counted(tests.len() as u64, "test"),
            counted(theirs.len() as u64, "idea"),
            signed(Some(correction), 2),
        )];
        let mean = |tests: &[&TestResult]| {
            let weight = |test: &TestResult| (test.error * test.error).recip();
            let weights: f64 = tests.iter().map(|test| weight(test)).sum();
            let sum: f64 = tests.iter().map(|test| weight(test) * test.elo).sum();
            (sum / weights, DEVIATIONS_95 / weights.sqrt())
        };
        let (unselected, others): (Vec<&TestResult>, Vec<&TestResult>) =
            tests.iter().partition(|test| test.is_unselected);
        if !unselected.is_empty() && !others.is_empty() {
            let (elo, error) = mean(&unselected);
            let (other, other_error) = mean(&others);
            all.push(format!(
                "Sensitivity: {} that failed or had no bounds: {} ± {error:.1} Elo; the other {}: {} ± {other_error:.1}. Tests that nobody \
                 published are missing: the true means lie below the reported ones by an unknown amount.",
                counted(unselected.len() as u64, "test"),
                signed(Some(elo), 1),
                others.len(),
                signed(Some(other), 1),
            ));
        }
        all
    }

    /// A line for each idea.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(COLUMNS);
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for idea in &self.ideas {
            let ours = idea.ours.as_ref();
            let theirs = idea.theirs.as_ref();
            let interval = idea.in_an_engine().map(|expected| expected.interval(self.level));
            let naive = theirs.map(|theirs| {
                let weight = |test: &TestResult| (test.error * test.error).recip();
                let weights: f64 = theirs.tests.iter().map(weight).sum();
                theirs
                    .tests
                    .iter()
                    .map(|test| weight(test) * test.as_reported)
                    .sum::<f64>()
                    / weights
            });
            let count = |count: Option<usize>| count.map_or_else(String::new, |count| count.to_string());
            let agrees = idea
                .our_sign()
                .zip(idea.their_sign())
                .map(|(ours, theirs)| usize::from(ours == theirs));
            sheet.push([
                idea.id.clone(),
                idea.category.clone(),
                ours.map_or(0, |ours| ours.pairs).to_string(),
                number(ours.map(|ours| ours.worth.mean())),
                number(ours.map(|ours| ours.worth.deviation())),
                number(idea.between_engines()),
                number(interval.map(|[low, _]| low)),
                number(interval.map(|[_, high]| high)),
                number(ours.map(|ours| ours.worth.positive_probability())),
                number(ours.and_then(|ours| ours.raw).map(|raw| raw.value)),
                number(ours.and_then(|ours| ours.raw).map(|raw| raw.error_95)),
                number(ours.map(|ours| ours.measured.value)),
                number(ours.map(|ours| DEVIATIONS_95 * ours.measured.error)),
                number(theirs.map(|theirs| theirs.mean.value)),
                number(theirs.map(|theirs| theirs.mean.error_95)),
                number(theirs.map(|theirs| theirs.mean.tau)),
                number(naive),
                count(theirs.map(|theirs| theirs.engines.len())),
                count(theirs.map(|theirs| theirs.tests.len())),
                count(theirs.map(Reported::positive)),
                count(idea.covered),
                number(idea.their_sign()),
                number(idea.our_sign()),
                number(idea.raw_sign()),
                count(agrees),
            ]);
        }
        sheet
    }
}

/// `+3.6 ± 1.1`.
fn with_error(value: Option<[f64; 2]>) -> String {
    value.map_or("-".to_owned(), |[value, error]| {
        format!("{} ±{error:.1}", signed(Some(value), 1))
    })
}

/// Whether the sign is that of reports that agree.
fn agreed(idea: &IdeaAgreement) -> Option<&'static str> {
    let (ours, theirs) = idea.our_sign().zip(idea.their_sign())?;
    Some(if ours == theirs { "same" } else { "other" })
}

/// `80.0% (8 of 10)`.
fn shown(share: Share) -> String {
    let part = (share.all > 0).then(|| share.of as f64 / share.all as f64);
    format!("{} ({} of {})", percent(part), share.of, share.all)
}
