//! What an audit found.

use std::collections::BTreeSet;

use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::files::Wide;
use lmrlab_results::outcome::notation::line_in_san;
use lmrlab_results::outcome::picture::{Board, Intervals, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::audit::{
    AuditSample, AuditTotal, AuditedDepth, AuditedKind, AuditedReduction, AuditedRule, BlameRow, JudgedCounts,
    PredictorRow,
};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_stats::Resamples;

use super::sample::facts_of_catalogue;
use super::{Audit, AuditOptions, Sample};
use crate::late_moves::kind_name;
use crate::named_fact::NamedFact;
use crate::notation::{plies, rule_names, score};
use lmrlab_host::Shadow;

tables! {
    /// The files of an audit. Behind its own columns samples.csv has the values of the facts.
    AuditTables {
        totals: Vec<AuditTotal>,
        samples: Wide<AuditSample>,
        predictors: Vec<PredictorRow>,
        nodes: Vec<AuditedKind>,
        depths: Vec<AuditedDepth>,
        reductions: Vec<AuditedReduction>,
        rules: Vec<AuditedRule>,
        blame: Vec<BlameRow>,
    }
}

impl AuditTables {
    /// The tables of these audits, one for each variant, and of their blame lists, where there are any.
    pub fn of(options: &AuditOptions, audits: &[Audit], blames: Option<&[Vec<BlameRow>]>) -> Self {
        // All facts of the catalogue have a column, then those of hosts alone.
        let of_hosts = audits.iter().flat_map(|audit| &audit.facts).cloned();
        let facts: BTreeSet<NamedFact> = facts_of_catalogue().chain(of_hosts).collect();
        let mut tables = Self::default();
        tables.samples.are_behind = true;
        tables.samples.others = facts.iter().map(|fact| format!("fact_{}", fact.name())).collect();
        for (index, audit) in audits.iter().enumerate() {
            let blames = blames.and_then(|blames| blames.get(index));
            tables.blame.extend(blames.into_iter().flatten().cloned());
            tables.add(options, audit, blames.map(Vec::len));
            let place = |fact| audit.facts.iter().position(|known| known == fact);
            let places: Vec<Option<usize>> = facts.iter().map(place).collect();
            for sample in &audit.samples {
                // The search does not know every fact.
                let value = |place: &Option<usize>| place.map_or(f64::NAN, |place| sample.late.values[place]);
                tables.samples.values.push(places.iter().map(value).collect());
                tables.samples.rows.push(sample_row(audit, sample));
            }
        }
        tables
    }

    fn add(&mut self, options: &AuditOptions, audit: &Audit, blamed: Option<usize>) {
        let policy = || audit.variant.name.clone();
        let resamples = audit.resamples(options.resamples, options.seed);
        self.totals.push(AuditTotal {
            policy: policy(),
            counts: audit.judged(&resamples, |_| true),
            population: audit.population,
            nodes: audit.nodes,
            nodes_checked: u8::from(audit.nodes_checked),
            shadow_nodes: audit.samples.iter().map(|sample| sample.late.shadow.1).sum(),
            judge: options.judge.name().to_owned(),
            positions: audit.positions.len(),
            blamed,
        });
        let predictors = audit.predictors(&resamples).into_iter();
        self.predictors.extend(predictors.map(|(predictor, auc)| {
            let (auc_lower_95, auc_upper_95) = auc.area.interval.unzip();
            PredictorRow {
                policy: policy(),
                predictor: predictor.to_owned(),
                reduce_when: if auc.greater_is_lower { "great" } else { "small" }.to_owned(),
                auc: Some(auc.area.value),
                auc_lower_95,
                auc_upper_95,
            }
        }));
        let kinds = by(audit, &resamples, |of| (of.late.place.kind, of.late.outcome));
        self.nodes
            .extend(kinds.map(|((expected, outcome), counts)| AuditedKind {
                policy: policy(),
                expected: kind_name(expected).to_owned(),
                outcome: outcome.map(kind_name).unwrap_or_default().to_owned(),
                counts,
            }));
        let depths = by(audit, &resamples, |of| of.late.place.depth);
        self.depths.extend(depths.map(|(depth, counts)| AuditedDepth {
            policy: policy(),
            depth,
            counts,
        }));
        let reductions = by(audit, &resamples, |of| i32::from(of.late.searches.reduction));
        self.reductions
            .extend(reductions.map(|(plies, counts)| AuditedReduction {
                policy: policy(),
                plies,
                counts,
            }));
        let counts = |wanted: &dyn Fn(&Sample) -> bool| audit.judged(&resamples, wanted);
        let rules = audit.variant.policy.rules().iter().enumerate();
        let rules = rules.map(|(index, rule)| (&*rule.name, counts(&|of| of.late.rules.contains(index))));
        let without = ("", counts(&|of| of.late.rules.iter().next().is_none()));
        self.rules
            .extend(rules.chain([without]).map(|(rule, counts)| AuditedRule {
                policy: policy(),
                rule: rule.to_owned(),
                counts,
            }));
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let totals = Table::of("totals", &self.totals);
        let policies = totals.names("policy");
        let rates: Vec<(&str, f64)> = (self.totals.iter())
            .filter_map(|row| Some((row.policy.as_str(), row.counts.missed_rate?)))
            .collect();
        let mut sections = vec![Section::new("Totals").table(totals.without(&CONTROL))];
        if !rates.is_empty() {
            sections.push(control_group(&self.totals));
            let has_rules = self.rules.iter().any(|row| !row.rule.is_empty());
            let rules = Table::of("rules", if has_rules { &self.rules } else { &[] });
            let reductions = Table::of("reductions", &self.reductions);
            let depths = Table::of("depths", &self.depths);
            let rules = rules.when_empty("rule", "(no rule)");
            let groups = [
                (reductions, "By plies of reduction", "plies", "plies of reduction"),
                (depths, "By depth of the node", "depth", "depth"),
                (rules, "By rule", "rule", "rule"),
            ];
            for (table, heading, column, by) in groups {
                let drawn = rates.iter().take(MOST_POLICIES);
                let drawn = drawn.map(|(policy, rate)| missed(&table, policy, *rate, column, by));
                let section = Section::new(heading).draw(drawn);
                sections.extend((!table.rows.is_empty()).then(|| section.table(table.without(&CONTROL))));
            }
            let nodes = Table::of("nodes", &self.nodes).without(&CONTROL);
            sections.push(Section::new("By node").table(nodes.when_empty("outcome", "-")));
        }
        let predictors = Table::of("predictors", &self.predictors);
        for (index, policy) in policies.iter().enumerate() {
            let table = predictors.only("policy", policy).without(&["policy"]);
            let table = table.at_most(SHOWN_PREDICTORS);
            if table.rows.is_empty() {
                continue;
            }
            let mut section = Section::new(format!("Predictors for {policy}"))
                .say("How well each number separates moves that fail low from moves that raise alpha.");
            if index < MOST_POLICIES {
                section = section.draw([aucs(&table, policy)]);
            }
            sections.push(section.table(table));
        }
        let boards = (ALL_BOARDS / policies.len().max(1)).clamp(1, MOST_BOARDS);
        sections.extend(self.totals.iter().filter_map(|row| self.blamed(row, boards)));
        Outcome {
            title: format!("Audit of {}", policies.join(", ")),
            conditions: conditions.to_owned(),
            verdict: self.totals.iter().map(verdict).collect(),
            sections,
            tables: self.tables(),
            ..Outcome::default()
        }
    }

    /// The blame list of a policy, if there is one, with this number of boards at most.
    fn blamed(&self, row: &AuditTotal, boards: usize) -> Option<Section> {
        let (policy, blamed) = (&row.policy, row.blamed?);
        let section = Section::new(format!("Better moves that reductions of {policy} hid")).say(format!(
            "{policy}: in {blamed} of {}, the same search without reductions finds a better move.",
            counted(row.positions as u64, "position")
        ));
        let list: Vec<&BlameRow> = self.blame.iter().filter(|blame| blame.policy == *policy).collect();
        if list.is_empty() {
            return Some(section);
        }
        let table = Table::of("blame", &self.blame).only("policy", policy);
        let hidden = ["policy", "fen", "reduced_on_the_way", "why"];
        let section = section.table(table.clone().without(&hidden).at_most(SHOWN_BLAMES));
        let section = section.draw(list.iter().take(boards).map(|row| board(row)));
        Some(section.reference(table))
    }
}

/// The counts of the samples by the values of a key.
fn by<K: Ord>(
    audit: &Audit,
    resamples: &Resamples,
    key: impl Fn(&Sample) -> K,
) -> impl Iterator<Item = (K, JudgedCounts)> {
    let keys: BTreeSet<K> = audit.samples.iter().map(&key).collect();
    keys.into_iter().map(move |wanted| {
        let counts = audit.judged(resamples, |of| key(of) == wanted);
        (wanted, counts)
    })
}

/// The number of predictors in the text of the command and in a picture.
const SHOWN_PREDICTORS: usize = 20;
/// Lines of a blame list in the text of the command.
const SHOWN_BLAMES: usize = 20;
/// The number of policies that get pictures; the tables have all.
const MOST_POLICIES: usize = 4;
/// Boards of one policy, at most.
const MOST_BOARDS: usize = 12;
/// About how many boards a page has: it has to stay small.
const ALL_BOARDS: usize = 60;
/// Counts of moves that were not reduced.
const CONTROL: [&str; 4] = [
    "unreduced_low_low",
    "unreduced_low_high",
    "unreduced_high_low",
    "unreduced_high_high",
];

fn sample_row(audit: &Audit, Sample { late, position }: &Sample) -> AuditSample {
    let (place, searches, (raises, shadow_nodes)) = (late.place, late.searches, late.shadow);
    let [position, fen] = audit.positions[*position].clone();
    AuditSample {
        policy: audit.variant.name.clone(),
        position,
        fen,
        ply: late.ply,
        depth: place.depth,
        move_number: place.move_number,
        r#move: late.uci_move.clone(),
        fen_after: late.fen_after.clone(),
        expected: kind_name(place.kind).to_owned(),
        outcome: late.outcome.map(kind_name).unwrap_or_default().to_owned(),
        reduction: searches.reduction.into(),
        failed_high: searches.failed_high.into(),
        shadow_raises: raises.map(u8::from),
        nodes: searches.first_nodes + searches.later_nodes,
        shadow_nodes,
        rules: rule_names(&audit.variant.policy, late.rules, "", " "),
    }
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
fn control_group(rows: &[AuditTotal]) -> Section {
    let mut section = Section::new("Moves that were not reduced");
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
fn missed(table: &Table, policy: &str, rate: f64, column: &str, by: &str) -> Intervals {
    let quantity = Quantity {
        unchanged: Some((rate, format!("all: {}", Seen::SmallShare.number(rate)))),
        ..Quantity::new(
            "missed (% of the moves that were reduced and failed low)",
            Seen::SmallShare,
        )
    };
    let title = format!("Missed moves of {policy} by {by}");
    let picture = Intervals::of(title, &table.only("policy", policy), column, "missed_rate", quantity);
    picture.note("Where nothing was missed, there is no interval.")
}

/// How well each number does.
fn aucs(table: &Table, policy: &str) -> Intervals {
    let quantity = Quantity {
        unchanged: Some((0.5, "guessing".to_owned())),
        ..Quantity::new("AUC (chance to pick the right one of two moves)", Seen::Decimals(3))
    };
    let title = format!("{policy}: AUC of its reductions and of numbers that could be a reason to reduce");
    let mut picture = Intervals::of(title, table, "predictor", "auc", quantity);
    picture.lines.truncate(SHOWN_PREDICTORS);
    picture.note(
        "AUC: take one move that fails low and one that raises alpha; the chance that the number, used as a reason to reduce, picks the \
         first. The name of the policy itself is reduction.",
    )
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
