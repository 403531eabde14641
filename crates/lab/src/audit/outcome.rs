//! What an audit found.

use std::collections::BTreeSet;
use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::files::{Read, read_with_others};
use lmrlab_results::outcome::notation::line_in_san;
use lmrlab_results::outcome::picture::{Board, Curve, Intervals, Line, Lines, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::audit::{
    AuditSample, AuditTotal, AuditedDepth, AuditedKind, AuditedReduction, AuditedRule, BlameRow, PredictorRow, RocPoint,
};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_results::value::Value;

use super::roc::GRID;
use super::sample::facts_of_catalogue;
use super::{Audit, AuditOptions, POLICY, Sample};
use crate::late_moves::{KINDS, kind_name};
use crate::named_fact::NamedFact;
use crate::notation::{plies, rule_names, score};
use crate::positions::LabPosition;
use crate::variant::Variant;
use lmrlab_host::Shadow;

tables! {
    /// The files of an audit beside samples.csv.
    Files {
        totals: AuditTotal,
        predictors: PredictorRow,
        roc: RocPoint,
        nodes: AuditedKind,
        depths: AuditedDepth,
        reductions: AuditedReduction,
        rules: AuditedRule,
        blame: BlameRow,
    }
}

/// The tables of an audit.
#[derive(Debug, Clone)]
pub struct AuditTables {
    files: Files,
    /// The sampled moves, each with the values of the facts.
    samples: Read<AuditSample>,
}

impl AuditTables {
    /// The tables of these audits, one for each variant, and of their blame lists, where there are any.
    pub fn of(
        positions: &[LabPosition],
        options: &AuditOptions,
        audits: &[Audit],
        blames: Option<&[Vec<BlameRow>]>,
    ) -> Self {
        let facts = facts(audits);
        let mut tables = Self {
            files: Files::default(),
            samples: Read {
                rows: Vec::new(),
                others: facts.iter().map(|fact| format!("fact_{}", fact.name())).collect(),
                values: Vec::new(),
            },
        };
        for (index, audit) in audits.iter().enumerate() {
            let blames = blames.and_then(|blames| blames.get(index));
            tables.files.add(options, audit, blames.map(Vec::len));
            tables.files.blame.extend(blames.into_iter().flatten().cloned());
            let places = facts
                .iter()
                .map(|fact| audit.facts.iter().position(|known| known == fact));
            let places: Vec<Option<usize>> = places.collect();
            for sample in &audit.samples {
                // The search does not know every fact.
                let values = places
                    .iter()
                    .map(|place| place.map_or(f64::NAN, |place| sample.values[place]));
                tables.samples.values.push(values.collect());
                tables.samples.rows.push(sample_row(&audit.variant, positions, sample));
            }
        }
        tables
    }

    /// Reads the files of a folder.
    ///
    /// # Errors
    /// When one of them cannot be read, or is not as lmrlab writes it.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        Ok(Self {
            files: Files::read(folder)?,
            samples: read_with_others(folder, "samples")?,
        })
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let Self { files, samples } = self;
        let mut tables = files.tables();
        let values = samples.values.iter().map(Vec::as_slice);
        let table = Table::of("samples", &samples.rows);
        let end = table.columns.len();
        tables.push(table.with_columns(end, &samples.others, values));
        let totals = Table::of("totals", &files.totals);
        let policies = totals.names("policy");
        let rates: Vec<(&str, f64)> = (files.totals.iter())
            .filter_map(|row| Some((row.policy.as_str(), row.counts.missed_rate?)))
            .collect();
        let mut section = Section::new("Totals").table(totals.clone().without(&CONTROL));
        for (policy, _) in &rates {
            let dismissed = (samples.rows.iter())
                .filter(|row| row.policy == **policy && row.reduction > 0 && row.failed_high == 0)
                .filter(|row| row.shadow_raises.is_some());
            let (spent, full) = dismissed.fold((0, 0), |(spent, full), row| {
                (spent + row.nodes, full + row.shadow_nodes)
            });
            section = section.say(format!(
                "Cost for {policy}: {spent} nodes to search the moves that were reduced and failed low, {full} at full depth."
            ));
        }
        let mut sections = vec![section];
        if !rates.is_empty() {
            sections.push(control_group(&files.totals, &totals));
            let has_rules = files.rules.iter().any(|row| !row.rule.is_empty());
            let rules = Table::of("rules", if has_rules { &files.rules } else { &[] });
            let reductions = Table::of("reductions", &files.reductions);
            let depths = Table::of("depths", &files.depths);
            let rules = rules.when_empty("rule", "(no rule)");
            let groups = [
                (reductions, "By plies of reduction", "plies", "plies of reduction"),
                (depths, "By depth of the node", "depth", "depth"),
                (rules, "By rule", "rule", "rule"),
            ];
            for (table, heading, column, by) in groups {
                let drawn = rates.iter().take(MOST_POLICIES);
                let drawn = drawn.filter_map(|(policy, rate)| missed(&table, policy, *rate, column, by));
                let section = Section::new(heading).draw(drawn);
                sections.extend((!table.rows.is_empty()).then(|| section.table(table.without(&CONTROL))));
            }
            let nodes = Table::of("nodes", &files.nodes).without(&CONTROL);
            sections.push(Section::new("By node").table(nodes.when_empty("outcome", "-")));
        }
        let (predictors, roc) = (Table::of("predictors", &files.predictors), Table::of("roc", &files.roc));
        for (index, policy) in policies.iter().enumerate() {
            let table = predictors
                .only("policy", policy)
                .without(&["policy"])
                .at_most(SHOWN_PREDICTORS);
            if table.rows.is_empty() {
                continue;
            }
            let mut section = Section::new(format!("Predictors for {policy}"))
                .say("How well each number separates moves that fail low from moves that raise alpha.");
            if index < MOST_POLICIES {
                section = section.draw([aucs(&table, policy)]).draw([curves(&roc, policy)]);
            }
            sections.push(section.table(table));
        }
        let boards = (ALL_BOARDS / policies.len().max(1)).clamp(1, MOST_BOARDS);
        for row in &files.totals {
            let Some(blamed) = row.blamed else { continue };
            let mut section = Section::new(format!("Better moves that reductions of {} hid", row.policy)).say(format!(
                "{}: in {blamed} of {}, the same search without reductions finds a better move.",
                row.policy,
                counted(row.positions as u64, "position")
            ));
            let list: Vec<BlameRow> = (files.blame.iter())
                .filter(|blame| blame.policy == row.policy)
                .cloned()
                .collect();
            if !list.is_empty() {
                let short = Table::of("blame", &list.iter().map(shortened).collect::<Vec<_>>());
                section = section
                    .table(
                        short
                            .without(&["policy", "fen", "reduced_on_the_way", "why"])
                            .at_most(SHOWN_BLAMES),
                    )
                    .draw(list.iter().take(boards).map(board))
                    .reference(Table::of("blame", &list));
            }
            sections.push(section);
        }
        Outcome {
            title: format!("Audit of {}", policies.join(", ")),
            conditions: conditions.to_owned(),
            verdict: files.totals.iter().map(verdict).collect(),
            sections,
            notes: Vec::new(),
            tables,
        }
    }
}

/// The number of predictors in the text of the command and in a picture.
const SHOWN_PREDICTORS: usize = 20;
/// Lines of a blame list in the text of the command.
const SHOWN_BLAMES: usize = 20;
/// The number of moves of a missed line in that list.
const SHOWN_PLIES: usize = 8;
/// The number of policies that get pictures; the tables have all.
const MOST_POLICIES: usize = 4;
/// Boards of one policy, at most.
const MOST_BOARDS: usize = 12;
/// About how many boards a page has: it has to stay small.
const ALL_BOARDS: usize = 60;
/// Curves of one picture: the policy's and those of the best predictors.
const SHOWN_CURVES: usize = 6;
/// Counts of moves that were not reduced.
const CONTROL: [&str; 4] = [
    "unreduced_low_low",
    "unreduced_low_high",
    "unreduced_high_low",
    "unreduced_high_high",
];

impl Files {
    fn add(&mut self, options: &AuditOptions, audit: &Audit, blamed: Option<usize>) {
        let policy = || audit.variant.name.clone();
        let resamples = audit.resamples(options.resamples, options.seed);
        let counts = |wanted: &dyn Fn(&Sample) -> bool| audit.judged(&resamples, wanted);
        self.totals.push(AuditTotal {
            policy: policy(),
            counts: counts(&|_| true),
            population: audit.population,
            nodes: audit.nodes,
            nodes_checked: u8::from(audit.nodes_checked),
            shadow_nodes: audit.samples.iter().map(|sample| sample.row.shadow_nodes).sum(),
            judge: options.judge.name().to_owned(),
            positions: audit.positions,
            blamed,
        });
        for (predictor, roc) in audit.predictors(&resamples) {
            let (auc_lower_95, auc_upper_95) = roc.auc.interval.unzip();
            self.predictors.push(PredictorRow {
                policy: policy(),
                predictor: predictor.to_owned(),
                reduce_when: if roc.greater_is_lower { "great" } else { "small" }.to_owned(),
                auc: Some(roc.auc.value),
                auc_lower_95,
                auc_upper_95,
            });
            self.roc.extend(roc.curve.iter().enumerate().map(|(index, point)| {
                let (low_reduced_lower_95, low_reduced_upper_95) = point.interval.unzip();
                RocPoint {
                    policy: policy(),
                    predictor: predictor.to_owned(),
                    raising_reduced: Some(index as f64 / (GRID - 1) as f64),
                    low_reduced: Some(point.value),
                    low_reduced_lower_95,
                    low_reduced_upper_95,
                }
            }));
        }
        for expected in KINDS.map(kind_name) {
            // The trace of a host does not say what a node turned out to be.
            for outcome in KINDS.map(kind_name).into_iter().chain([""]) {
                let counts = counts(&|sample| sample.row.expected == expected && sample.row.outcome == outcome);
                if counts.sampled > 0 {
                    self.nodes.push(AuditedKind {
                        policy: policy(),
                        expected: expected.to_owned(),
                        outcome: outcome.to_owned(),
                        counts,
                    });
                }
            }
        }
        let depths: BTreeSet<u32> = audit.samples.iter().map(|sample| sample.row.depth).collect();
        self.depths.extend(depths.into_iter().map(|depth| AuditedDepth {
            policy: policy(),
            depth,
            counts: counts(&|sample| sample.row.depth == depth),
        }));
        let reductions: BTreeSet<i32> = audit.samples.iter().map(|sample| sample.row.reduction).collect();
        self.reductions
            .extend(reductions.into_iter().map(|plies| AuditedReduction {
                policy: policy(),
                plies,
                counts: counts(&|sample| sample.row.reduction == plies),
            }));
        let rules = audit.variant.policy.rules().iter().enumerate();
        self.rules.extend(rules.map(|(index, rule)| AuditedRule {
            policy: policy(),
            rule: rule.name.clone(),
            counts: counts(&|sample| sample.rules.contains(index)),
        }));
        self.rules.push(AuditedRule {
            policy: policy(),
            rule: String::new(),
            counts: counts(&|sample| sample.rules.iter().next().is_none()),
        });
    }
}

/// The facts that have a column in samples.csv: all of the catalogue, then those of hosts alone.
fn facts(audits: &[Audit]) -> Vec<NamedFact> {
    let of_hosts = audits.iter().flat_map(|audit| &audit.facts).cloned();
    let facts: BTreeSet<NamedFact> = facts_of_catalogue().chain(of_hosts).collect();
    facts.into_iter().collect()
}

fn sample_row(variant: &Variant, positions: &[LabPosition], sample: &Sample) -> AuditSample {
    let mut row = AuditSample {
        policy: variant.name.clone(),
        rules: rule_names(&variant.policy, sample.rules, "", " "),
        ..sample.row.clone()
    };
    if let Some(position) = positions.get(sample.position) {
        row.position.clone_from(&position.name);
        row.fen = position.position.to_string();
    }
    row
}

fn verdict(row: &AuditTotal) -> String {
    let policy = &row.policy;
    let sampled = format!("{} of {} late moves sampled", row.counts.sampled, row.population);
    match Known::of(row, "missed_rate") {
        Some(missed) => format!(
            "{policy}: {} of the moves that were reduced and failed low would have raised alpha ({sampled}).",
            Quantity::new("", Seen::SmallShare).text(missed)
        ),
        None if row.population == 0 => {
            format!("{policy}: no late move can be reduced: the sample is empty, and there is nothing to audit.")
        }
        None if row.counts.sampled == 0 => format!("{policy}: the sample is empty ({sampled}): raise the rate."),
        None => format!("{policy}: no sampled move was reduced and failed low ({sampled}): there is nothing to audit."),
    }
}

/// The moves that were not reduced: they check the method.
fn control_group(rows: &[AuditTotal], totals: &Table) -> Section {
    let all = totals.columns.iter().map(|column| &*column.name);
    let others: Vec<&str> = all
        .filter(|name| *name != "policy" && !CONTROL.contains(name))
        .collect();
    let mut section = Section::new("Moves that were not reduced").table(totals.clone().without(&others));
    for row in rows.iter().filter(|row| row.judge == Shadow::Policy.name()) {
        let counts = &row.counts;
        let otherwise = counts.unreduced_low_high + counts.unreduced_high_low;
        let of = counts.unreduced_low_low + counts.unreduced_high_high + otherwise;
        section = section.say(format!(
            "Control group of {}: of {of} moves that were not reduced, the shadow search decides {otherwise} otherwise.",
            row.policy
        ));
        if otherwise > 0 && row.nodes_checked == 0 {
            section = section.say(
                "There both searches are the same, so none may: an engine with several threads has other tables in the second one. \
                 Search with Threads=1; `lmrlab host check` finds other causes.",
            );
        }
    }
    section
}

/// The missed rates of a policy by a column.
fn missed(table: &Table, policy: &str, rate: f64, column: &str, by: &str) -> Option<Intervals> {
    let rows = table.only("policy", policy);
    let line = |row: &Vec<Value>| {
        let count = |name| rows.number(row, name).unwrap_or_default();
        let dismissed = count("reduced_low_low") + count("reduced_low_high");
        let known = rows.known(row, "missed_rate")?;
        Some(Line::Value(
            format!("{} ({dismissed})", rows.text(row, column)),
            known,
            false,
        ))
    };
    let lines: Vec<Line> = rows.rows.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| Intervals {
        title: format!("Missed moves of {policy} by {by}"),
        quantity: Quantity {
            unchanged: Some((rate, format!("all: {}", Seen::SmallShare.number(rate)))),
            ..Quantity::new("missed (% of the moves that were reduced and failed low)", Seen::SmallShare)
        },
        lines,
        note: "In brackets: how many sampled moves were reduced and failed low. Where nothing was missed, there is no interval."
            .to_owned(),
    })
}

/// How well each number does.
fn aucs(table: &Table, policy: &str) -> Intervals {
    let line = |row: &Vec<Value>| {
        let name = table.text(row, "predictor");
        let is_policy = name == POLICY;
        let name = match is_policy {
            true => named(&name),
            false => format!("{name} ({})", table.text(row, "reduce_when")),
        };
        Some(Line::Value(name, table.known(row, "auc")?, is_policy))
    };
    Intervals {
        title: format!("{policy}: AUC of its reductions and of numbers that could be a reason to reduce"),
        quantity: Quantity {
            unchanged: Some((0.5, "guessing".to_owned())),
            ..Quantity::new("AUC (chance to pick the right one of two moves)", Seen::Decimals(3))
        },
        lines: table.rows.iter().take(SHOWN_PREDICTORS).filter_map(line).collect(),
        note: "AUC: take one move that fails low and one that raises alpha; the chance that the number, used as a reason to reduce, picks \
               the first. In brackets: reduce when it is great or small."
            .to_owned(),
    }
}

/// The curves of the policy and of the best predictors.
fn curves(points: &Table, policy: &str) -> Lines {
    // The policy's own reduction is first, and the others follow, the best first.
    let mut curves = Curve::all(
        &points.only("policy", policy),
        "predictor",
        "raising_reduced",
        "low_reduced",
    );
    curves.truncate(SHOWN_CURVES);
    for curve in &mut curves {
        // Several bands would cover each other.
        curve.has_band = curve.name == POLICY;
        if !curve.has_band {
            (curve.points.iter_mut()).for_each(|(_, known)| *known = Known::exact(known.value));
        }
        curve.name = named(&curve.name);
    }
    let share = |what: &str| Quantity::new(format!("dismissed share of the moves that {what}"), Seen::Percent);
    Lines {
        title: format!("{policy}: ROC of the policy itself and of the best predictors"),
        x: share("raise alpha (wrongly)"),
        y: share("fail low (rightly)"),
        curves,
        note: "The nearer a curve is to the top left, the better the number separates the moves. Band: 95% interval of the policy's curve. \
               Dotted diagonal: guessing."
            .to_owned(),
        is_of_shares: true,
        ..Lines::default()
    }
}

fn named(predictor: &str) -> String {
    if predictor == POLICY {
        format!("{predictor} (the policy)")
    } else {
        predictor.to_owned()
    }
}

/// The row with the first moves of its line.
fn shortened(row: &BlameRow) -> BlameRow {
    let moves: Vec<&str> = row.line.split(' ').take(SHOWN_PLIES).collect();
    BlameRow {
        line: moves.join(" "),
        ..row.clone()
    }
}

fn board(row: &BlameRow) -> Board {
    let meaning = |words: &str, centipawns, mate_in| format!("{words} ({})", score(centipawns, mate_in));
    let line = line_in_san(&row.fen, &row.line);
    let names: Vec<&str> = line.split(' ').collect();
    let reasons = row.reduced_on_the_way.split(' ').zip(row.why.split("; "));
    let mut text = vec![format!("The better line: {line}")];
    text.extend(reasons.filter_map(|(suspect, why)| in_words(&names, suspect, why)));
    if text.len() == 1 {
        text.push("No move of this line was reduced: the reductions of other moves hid it.".to_owned());
    }
    let missed = meaning("hidden by reductions", row.missed_score_cp, row.missed_mate_in);
    let played = meaning("played instead", row.played_score_cp, row.played_mate_in);
    Board {
        title: format!("{} at depth {}", row.position, row.depth),
        fen: row.fen.clone(),
        moves: vec![(row.missed.clone(), true, missed), (row.played.clone(), false, played)],
        text,
    }
}

/// `0:e4g3:-3@7:history+not-improving` as a sentence.
fn in_words(line: &[&str], suspect: &str, why: &str) -> Option<String> {
    let mut parts = suspect.split(':');
    let (ply, mv) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let (reduction, depth) = parts.next()?.strip_prefix('-')?.split_once('@')?;
    Some(format!(
        "{}, move {} of the line: last reduced by {} at depth {depth}: {why}.",
        line.get(ply).unwrap_or(&mv),
        ply + 1,
        plies(reduction.parse().ok()?)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_on_the_way_are_told_in_words() {
        let line = ["Ng3", "Bd1", "Rg2"];
        assert_eq!(
            in_words(&line, "2:e2g2:-3@5:history", "2.1 +0.6 history, finished as 3").as_deref(),
            Some("Rg2, move 3 of the line: last reduced by 3 plies at depth 5: 2.1 +0.6 history, finished as 3.")
        );
        assert_eq!(
            in_words(&line, "0:e4g3:-1@7", "1").as_deref(),
            Some("Ng3, move 1 of the line: last reduced by 1 ply at depth 7: 1.")
        );
        assert_eq!(in_words(&line, "0:e4g3", "1"), None);
    }
}
