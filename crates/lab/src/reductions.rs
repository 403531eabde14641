//! Shows a policy: its parameters and rules, and the reductions of a plain quiet move by depth and by the moves searched before.

use lmrlab_policy::Policy;
use lmrlab_policy::parameter::by_key;
use lmrlab_policy::show::{Given, reduction_table};
use lmrlab_results::outcome::picture::{Map, MapCell, Mark};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::policy::{PolicyPart, ReductionRow};
use lmrlab_results::tables;

/// Plies of the strongest colour.
const MOST_PLIES: f64 = 6.0;

tables! {
    /// The files of a policy that is shown.
    ReductionTables {
        reductions: Vec<ReductionRow>,
        parts: Vec<PolicyPart>,
    }
}

impl ReductionTables {
    /// A policy called `name`. With another one, its reductions stand beside those of the first.
    pub fn of(
        (name, policy): (&str, &Policy),
        other: Option<&Policy>,
        (depths, moves): (u32, u32),
        given: &Given,
    ) -> Self {
        let cells = |policy: &Policy| reduction_table(policy, depths, moves, given);
        let mut others = other.map(cells).into_iter().flatten();
        let rows = cells(policy)
            .into_iter()
            .map(|(depth, moves_searched, plies)| ReductionRow {
                depth,
                moves_searched,
                plies,
                other_plies: others.next().map(|(.., plies)| plies),
            });
        Self {
            reductions: rows.collect(),
            parts: parts(name, policy),
        }
    }

    /// Whether both policies reduce alike.
    pub fn are_alike(&self) -> bool {
        self.reductions.iter().all(|row| row.other_plies == Some(row.plies))
    }

    /// What the tables say. `conditions` are the facts of the moves.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let named = self.parts.iter().find(|part| part.part == "name");
        let title = named.map_or_else(String::new, |part| part.value.clone());
        let lines: Vec<String> = (self.parts.iter().filter(|part| part.part != "name"))
            .map(PolicyPart::line)
            .collect();
        let about = Section::new(title.clone()).lines(lines.join("\n"));
        let is_one = self.reductions.iter().all(|row| row.other_plies.is_none());
        let sections = is_one.then_some(about).into_iter();
        Outcome {
            sections: sections
                .chain([Section::new("Reductions").draw([self.map()])])
                .collect(),
            title,
            conditions: conditions.to_owned(),
            tables: self.tables(),
            ..Outcome::default()
        }
    }

    /// The reductions, or by how much those of the other policy are greater. Equal neighbours are merged.
    fn map(&self) -> Map {
        let differs = self.reductions.iter().any(|row| row.other_plies.is_some());
        let value = |row: &ReductionRow| row.other_plies.map_or(row.plies, |other| other - row.plies);
        let mut rows: Vec<Vec<i32>> = Vec::new();
        for row in &self.reductions {
            if row.moves_searched == 0 {
                rows.push(Vec::new());
            }
            if let Some(last) = rows.last_mut() {
                last.push(value(row));
            }
        }
        let column = |index: usize| rows.iter().map(move |row| row.get(index));
        let columns = runs(rows.first().map_or(0, Vec::len), |one, two| column(one).eq(column(two)));
        let lines = runs(rows.len(), |one, two| rows.get(one) == rows.get(two));
        let cell = |(row, line): (usize, &(usize, usize)), (column, moves): (usize, &(usize, usize))| {
            let plies = rows.get(line.0)?.get(moves.0).copied()?;
            Some(MapCell {
                row,
                column,
                level: (f64::from(plies) / MOST_PLIES).clamp(-1.0, 1.0),
                text: match plies {
                    0 => ".".to_owned(),
                    plies if differs && plies > 0 => format!("+{plies}"),
                    plies => plies.to_string(),
                },
                detail: format!("depth {}, {} moves searched before", label(*line, 1), label(*moves, 0)),
                mark: Mark::None,
            })
        };
        let across = || columns.iter().enumerate();
        let cells = lines.iter().enumerate();
        Map {
            title: match differs {
                true => "Plies more, by the other policy".to_owned(),
                false => "Plies of reduction".to_owned(),
            },
            down: "depth".to_owned(),
            right: "moves searched before".to_owned(),
            rows: lines.iter().map(|line| label(*line, 1)).collect(),
            columns: columns.iter().map(|moves| label(*moves, 0)).collect(),
            cells: cells
                .flat_map(|line| across().filter_map(move |moves| cell(line, moves)))
                .collect(),
            note: "A dot is no reduction. Equal neighbours share a row or a column.".to_owned(),
        }
    }
}

/// What a policy says of itself, its parameters and its rules.
fn parts(name: &str, policy: &Policy) -> Vec<PolicyPart> {
    let part = |part: &str, name: &str, value: String| PolicyPart {
        part: part.to_owned(),
        name: name.to_owned(),
        value,
        min: None,
        max: None,
    };
    let mut parts = vec![part("name", "", name.to_owned())];
    for text in [policy.description(), policy.provenance()] {
        parts.extend(text.lines().map(|line| part("about", "", line.to_owned())));
    }
    for parameters in by_key(policy.parameters()) {
        let Some(first) = parameters.first() else { continue };
        let mut values: Vec<String> = parameters.iter().map(|parameter| parameter.value.to_string()).collect();
        let value = match first.is_element() {
            true => format!("[{}]", values.join(", ")),
            false => values.pop().unwrap_or_default(),
        };
        parts.push(PolicyPart {
            min: Some(first.min),
            max: Some(first.max),
            ..part("parameter", first.key(), value)
        });
    }
    let state = |enabled| if enabled { "on" } else { "off" }.to_owned();
    parts.extend(
        policy
            .rules()
            .iter()
            .map(|rule| part("rule", &rule.name, state(rule.enabled))),
    );
    parts
}

/// The numbers of a group of rows or columns. The first of all has the number `from`.
fn label((first, last): (usize, usize), from: usize) -> String {
    match first == last {
        true => (first + from).to_string(),
        false => format!("{}-{}", first + from, last + from),
    }
}

/// Groups of equal neighbours: the first and the last index of each.
fn runs(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in 0..count {
        match runs.last_mut() {
            Some((_, last)) if alike(*last, index) => *last = index,
            _ => runs.push((index, index)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_results::outcome::text::text;

    fn shown(policy: &Policy, other: Option<&Policy>) -> String {
        let tables = ReductionTables::of((policy.name(), policy), other, (8, 30), &Given::default());
        text(&tables.outcome(""))
    }

    #[test]
    fn equal_neighbours_are_shown_together() {
        let log = "name = \"log\"\nwhen = \"depth >= 3\"\nreduce = \"ln(depth) * ln(move_number) / x\"\n\
                   [param]\nx = { value = 2.25, min = 1.0, max = 4.0 }\n";
        let more = log.replace("/ x", "/ x + 1");
        let read = |text: &str| {
            Policy::compile(lmrlab_diagnostics::Source::new("log.toml", text))
                .unwrap()
                .0
        };
        let (log, more) = (read(log), read(&more));
        insta::assert_snapshot!(shown(&log, None));
        insta::assert_snapshot!(shown(&log, Some(&more)));
    }
}
