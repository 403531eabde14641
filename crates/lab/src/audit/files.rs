//! An audit as CSV files.

use std::collections::BTreeSet;
use std::path::Path;

use super::blame::Blame;
use super::findings::Audit;
use super::judged::Judged;
use super::options::AuditOptions;
use super::roc::GRID;
use super::sample::{Sample, SampledFacts};
use crate::named_fact::NamedFact;
use crate::node_kinds::kind_name;
use crate::notation::{rule_names, uci_line};
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
use lmrlab_results::written_score::WrittenScore;

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
    let facts = columns(audits);
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

/// The facts that have a column in samples.csv: all of the catalogue, then those of hosts alone.
fn columns(audits: &[Audit]) -> Vec<NamedFact> {
    let of_hosts = audits.iter().flat_map(|audit| audit.facts.facts()).cloned();
    let facts: BTreeSet<NamedFact> = SampledFacts::of_catalogue()
        .map(NamedFact::Known)
        .chain(of_hosts)
        .collect();
    facts.into_iter().collect()
}

/// The rows of samples.csv, each with the values of `facts`. A cell is empty when the search does not know the fact.
fn samples<'a>(
    variants: &'a [Variant],
    positions: &'a [LabPosition],
    audits: &'a [Audit],
    facts: &'a [NamedFact],
) -> impl Iterator<Item = (AuditSample, Vec<Shortest>)> + 'a {
    variants.iter().zip(audits).flat_map(move |(variant, audit)| {
        let known = audit.facts.facts();
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
        fen: position.map_or_else(String::new, |position| position.position.to_string()),
        ply: sample.ply,
        depth: sample.depth,
        move_number: sample.move_number,
        r#move: sample.uci_move.clone(),
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
    let line = uci_line(&position.position, &blame.line);
    let suspects = blame.suspects.iter().map(|suspect| {
        format!(
            "{}:{}:-{}@{}{}",
            suspect.ply,
            line.get(suspect.ply).map_or("", String::as_str),
            suspect.reduction,
            suspect.depth,
            rule_names(&variant.policy, suspect.rules, ":", "+")
        )
    });
    let reasons = blame.suspects.iter().map(|suspect| suspect.why.as_str());
    let (played_score_cp, played_mate_in) = WrittenScore::from(blame.played_score).cells();
    let (missed_score_cp, missed_mate_in) = WrittenScore::from(blame.missed_score).cells();
    Some(BlameRow {
        policy: variant.name.clone(),
        position: position.name.clone(),
        fen: position.position.to_string(),
        depth: blame.depth,
        played: ChessVariant::of(board).uci_move(board, blame.played),
        played_score_cp,
        played_mate_in,
        missed: ChessVariant::of(board).uci_move(board, blame.missed),
        missed_score_cp,
        missed_mate_in,
        reduced_on_the_way: suspects.collect::<Vec<_>>().join(" "),
        line: line.join(" "),
        why: reasons.collect::<Vec<_>>().join("; "),
    })
}
