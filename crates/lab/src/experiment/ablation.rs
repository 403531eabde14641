//! What an ablation found.

use std::iter::zip;

use lmrlab_results::outcome::picture::{Intervals, Judgement, Line};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::experiments::{AblationRow, Measures};
use lmrlab_results::tables;
use lmrlab_runner::outcome::sentences::caution;

use super::Point;
use super::criterion::Criterion;
use crate::variant::Variant;

tables! {
    /// The file of an ablation.
    AblationTables {
        ablation: Vec<AblationRow>,
    }
}

/// The most changes that the verdict names on each side.
const MOST_NAMES: usize = 5;

impl AblationTables {
    /// The table of what was measured of a policy, which comes first, and of its points.
    pub fn of(whole: &Variant, points: &[Point], measured: &[Measures]) -> Self {
        let switched = points.iter().map(|point| (point.policy.join(" "), &point.variant));
        let variants = std::iter::once((String::new(), whole)).chain(switched);
        let rows = zip(variants, measured).map(|((switched, variant), measured)| AblationRow {
            switched,
            policy: variant.name.clone(),
            measures: measured.clone(),
        });
        Self {
            ablation: rows.collect(),
        }
    }

    /// What the table says. `conditions` are what was searched and played, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let policy = self.whole().map_or("", |row| &row.policy);
        let criteria = Criterion::of(self.ablation.iter().map(|row| &row.measures));
        let table = Table::of("ablation", &self.ablation)
            .when_empty("switched", "(as named)")
            .without_empty();
        let mut sections = vec![Section::new("Rules switched off (-) and on (+)").table(table)];
        sections.extend(criteria.iter().map(|criterion| {
            let section = Section::for_page(criterion.words().title);
            section.draw([self.picture(policy, *criterion)])
        }));
        let changes = self.ablation.len().saturating_sub(1);
        Outcome {
            title: format!("Ablation of {policy}"),
            conditions: conditions.to_owned(),
            verdict: Criterion::decisive(&criteria)
                .and_then(|criterion| self.verdict(criterion))
                .into_iter()
                .collect(),
            sections,
            notes: caution(changes).into_iter().collect(),
            tables: self.tables(),
        }
    }

    /// The policy as named.
    fn whole(&self) -> Option<&AblationRow> {
        self.ablation.iter().find(|row| row.switched.is_empty())
    }

    /// The changes that have a value, the greatest first.
    fn changes(&self, criterion: Criterion) -> Vec<(&str, Known)> {
        let changes = self.ablation.iter().filter(|row| !row.switched.is_empty());
        let mut changes: Vec<_> = changes
            .filter_map(|row| Some((row.switched.as_str(), criterion.known(&row.measures)?)))
            .collect();
        changes.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
        changes
    }

    fn verdict(&self, criterion: Criterion) -> Option<String> {
        let changes = self.changes(criterion);
        let quantity = criterion.quantity(None);
        let clear = |judgement: Judgement| {
            let clear = changes.iter().filter(|(_, known)| quantity.judge(*known) == judgement);
            let mut names: Vec<String> = clear
                .map(|(name, known)| format!("`{name}`, {}", criterion.said(*known)))
                .collect();
            let left = names.len().saturating_sub(MOST_NAMES);
            names.truncate(MOST_NAMES);
            names.extend((left > 0).then(|| format!("and {left} more")));
            names.join("; ")
        };
        let [worse, better] = criterion.words().changes?;
        let sides = [(worse, clear(Judgement::Worse)), (better, clear(Judgement::Better))];
        let said: Vec<String> = (sides.iter().filter(|(_, names)| !names.is_empty()))
            .map(|(side, names)| format!("{side}: {names}."))
            .collect();
        Some(match (said.is_empty(), changes.len()) {
            (false, _) => said.join(" "),
            (true, 1) => format!("{}: the change is not clear of its error.", criterion.words().title),
            (true, all) => format!(
                "{}: none of the {all} changes is clear of its error.",
                criterion.words().title
            ),
        })
    }

    fn picture(&self, policy: &str, criterion: Criterion) -> Intervals {
        let quantity = criterion.quantity(self.whole().map(|row| &row.measures));
        let line = |(name, known): (&str, Known)| Line::Value(name.to_owned(), known, false);
        Intervals {
            title: format!(
                "{}: {policy} with rules switched off (-) or on (+)",
                criterion.words().title
            ),
            quantity,
            lines: self.changes(criterion).into_iter().map(line).collect(),
            note: criterion.words().far.to_owned(),
        }
    }
}
