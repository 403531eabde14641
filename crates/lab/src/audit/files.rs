//! An audit as CSV files.

use std::collections::BTreeSet;
use std::path::Path;

use super::blame::Blame;
use super::findings::Audit;
use super::judged::Judged;
use super::options::AuditOptions;
use super::roc::GRID;
use super::sample::Sample;
use crate::named_fact::NamedFact;
use crate::node_kinds::kind_name;
use crate::notation::{rule_names, san_line};
use crate::positions::LabPosition;
use crate::variant::Variant;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_results::csv_file::{write, write_with};
use lmrlab_results::failure::Failure;
use lmrlab_results::fixed::Shortest;
use lmrlab_results::lab_rows::{
    AuditSample, AuditTotal, AuditedDepth, AuditedKind, AuditedReduction, AuditedRule, BlameRow, JudgedCounts,
    PredictorRow, RocPoint,
};

fn counts(judged: &Judged) -> JudgedCounts {
    JudgedCounts {
        sampled: judged.sampled,
        undecided: judged.undecided,
        reduced_low_low: judged.dismissed_rightly,
        reduced_low_high: judged.missed,
        missed_rate: judged.missed_rate().into(),
        reduced_high_low: judged.false_alarms,
        reduced_high_high: judged.recognized,
        unreduced_low_low: judged.unreduced_agreed_low,
        unreduced_low_high: judged.unreduced_missed,
        unreduced_high_low: judged.unreduced_false_alarms,
        unreduced_high_high: judged.unreduced_agreed_high,
        reduced: judged.reduced(),
    }
}

/// Writes audits and blame lists into a folder: totals.csv, samples.csv, predictors.csv, roc.csv, nodes.csv, depths.csv,
/// reductions.csv, rules.csv and blame.csv, each with a column for the policy.
///
/// # Errors
/// When a file cannot be written.
pub fn write_files(
    folder: &Path,
    variants: &[Variant],
    positions: &[LabPosition],
    options: &AuditOptions,
    audits: &[Audit],
    blames: &[Vec<Blame>],
) -> Result<(), Failure> {
    let mut files = Files::default();
    for (variant, audit) in variants.iter().zip(audits) {
        files.audit(variant, options, audit);
    }
    let blamed = variants.iter().zip(blames);
    let blamed = blamed.flat_map(|(variant, blames)| {
        let rows = blames.iter().filter_map(|blame| blame_row(variant, positions, blame));
        rows.collect::<Vec<_>>()
    });
    write(&folder.join("totals.csv"), files.totals)?;
    let facts = all_facts(audits);
    let names: Vec<String> = facts.iter().map(|fact| format!("fact_{}", fact.name())).collect();
    write_with(
        &folder.join("samples.csv"),
        &names,
        samples(variants, positions, audits, &facts),
    )?;
    write(&folder.join("predictors.csv"), files.predictors)?;
    write(&folder.join("roc.csv"), files.roc)?;
    write(&folder.join("nodes.csv"), files.nodes)?;
    write(&folder.join("depths.csv"), files.depths)?;
    write(&folder.join("reductions.csv"), files.reductions)?;
    write(&folder.join("rules.csv"), files.rules)?;
    write(&folder.join("blame.csv"), blamed)
}

#[derive(Default)]
struct Files {
    totals: Vec<AuditTotal>,
    predictors: Vec<PredictorRow>,
    roc: Vec<RocPoint>,
    nodes: Vec<AuditedKind>,
    depths: Vec<AuditedDepth>,
    reductions: Vec<AuditedReduction>,
    rules: Vec<AuditedRule>,
}

impl Files {
    fn audit(&mut self, variant: &Variant, options: &AuditOptions, audit: &Audit) {
        let policy = || variant.name.clone();
        let ends = |interval: Option<(f64, f64)>| {
            let (low, high) = interval.unzip();
            (Shortest(low), Shortest(high))
        };
        let resamples = audit.resamples(options.resamples, options.seed);
        let missed = audit.missed_rate(&resamples).and_then(|missed| missed.interval);
        let (missed_lower_95, missed_upper_95) = ends(missed);
        self.totals.push(AuditTotal {
            policy: policy(),
            counts: counts(&audit.total()),
            missed_lower_95,
            missed_upper_95,
            population: audit.population,
            nodes: audit.nodes.number(),
            shadow_nodes: audit.samples.iter().map(|sample| sample.shadow_nodes).sum(),
        });
        for predictor in audit.predictors(&resamples) {
            let roc = &predictor.roc;
            let (auc_lower_95, auc_upper_95) = ends(roc.auc.interval);
            self.predictors.push(PredictorRow {
                policy: policy(),
                predictor: predictor.name().to_owned(),
                reduce_when: if roc.greater_is_lower { "great" } else { "small" }.to_owned(),
                auc: roc.auc.value.into(),
                auc_lower_95,
                auc_upper_95,
            });
            self.roc.extend(roc.curve.iter().enumerate().map(|(index, point)| {
                let (low_reduced_lower_95, low_reduced_upper_95) = ends(point.interval);
                RocPoint {
                    policy: policy(),
                    predictor: predictor.name().to_owned(),
                    raising_reduced: (index as f64 / (GRID - 1) as f64).into(),
                    low_reduced: point.value.into(),
                    low_reduced_lower_95,
                    low_reduced_upper_95,
                }
            }));
        }
        let by_node = audit.by_node().into_iter();
        self.nodes.extend(by_node.map(|(expected, outcome, sum)| AuditedKind {
            policy: policy(),
            expected: kind_name(expected).to_owned(),
            outcome: kind_name(outcome).to_owned(),
            counts: counts(&sum),
        }));
        let by_depth = audit.by(|sample| sample.depth).into_iter();
        self.depths.extend(by_depth.map(|(depth, sum)| AuditedDepth {
            policy: policy(),
            depth,
            counts: counts(&sum),
        }));
        let by_reduction = audit.by(|sample| sample.reduction).into_iter();
        self.reductions
            .extend(by_reduction.map(|(plies, sum)| AuditedReduction {
                policy: policy(),
                plies,
                counts: counts(&sum),
            }));
        let by_rule = audit.by_rule(&variant.policy).into_iter();
        self.rules.extend(by_rule.map(|(rule, sum)| AuditedRule {
            policy: policy(),
            rule: rule.unwrap_or_default().to_owned(),
            counts: counts(&sum),
        }));
    }
}

/// The facts that samples of any of the audits have: first the catalogue's, in its order, then those of hosts alone.
fn all_facts(audits: &[Audit]) -> Vec<NamedFact> {
    let facts = audits.iter().flat_map(|audit| audit.predictors.facts());
    let facts: BTreeSet<&NamedFact> = facts.collect();
    facts.into_iter().cloned().collect()
}

/// The rows of samples.csv, each with the values of `facts`. A cell is empty when the audited policy does not collect
/// the fact.
fn samples<'a>(
    variants: &'a [Variant],
    positions: &'a [LabPosition],
    audits: &'a [Audit],
    facts: &'a [NamedFact],
) -> impl Iterator<Item = (AuditSample, Vec<Shortest>)> + 'a {
    variants.iter().zip(audits).flat_map(move |(variant, audit)| {
        let known = audit.predictors.facts();
        let places: Vec<Option<usize>> = facts
            .iter()
            .map(|fact| known.iter().position(|known| known == fact))
            .collect();
        audit.samples.iter().map(move |sample| {
            let values = places
                .iter()
                .map(|place| place.map(|place| sample.values[place]).into());
            (sample_row(variant, positions, sample), values.collect())
        })
    })
}

fn sample_row(variant: &Variant, positions: &[LabPosition], sample: &Sample) -> AuditSample {
    let position = positions.get(sample.position);
    AuditSample {
        policy: variant.name.clone(),
        position: position.map_or_else(|| format!("#{}", sample.search), |position| position.name.clone()),
        ply: sample.ply,
        depth: sample.depth,
        move_number: sample.move_number,
        r#move: sample.mv.map_or_else(String::new, |mv| mv.to_string()),
        fen_after: sample.after.clone(),
        expected: kind_name(sample.kind).to_owned(),
        outcome: sample.outcome.map_or("", kind_name).to_owned(),
        reduction: sample.reduction,
        failed_high: u8::from(sample.failed_high),
        shadow_raises: sample.raises.map(u8::from),
        nodes: sample.nodes,
        shadow_nodes: sample.shadow_nodes,
        rules: rule_names(&variant.policy, sample.rules, "", " "),
    }
}

fn blame_row(variant: &Variant, positions: &[LabPosition], blame: &Blame) -> Option<BlameRow> {
    let position = positions.get(blame.position)?;
    let board = position.position.board();
    let suspects = blame.suspects.iter().map(|suspect| {
        format!(
            "{}:{}:-{}@{}{}",
            suspect.ply,
            suspect.mv,
            suspect.reduction,
            suspect.depth,
            rule_names(&variant.policy, suspect.rules, ":", "+")
        )
    });
    let reasons = blame.suspects.iter().map(|suspect| suspect.why.as_str());
    Some(BlameRow {
        policy: variant.name.clone(),
        position: position.name.clone(),
        fen: position.position.to_string(),
        depth: blame.depth,
        played: ChessVariant::of(board).uci_move(board, blame.played),
        played_score: blame.played_score.to_string(),
        missed: ChessVariant::of(board).uci_move(board, blame.missed),
        missed_score: blame.missed_score.to_string(),
        line: san_line(&position.position, &blame.line).join(" "),
        reduced_on_the_way: suspects.collect::<Vec<_>>().join(" "),
        why: reasons.collect::<Vec<_>>().join("; "),
    })
}
