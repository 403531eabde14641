//! An audit as CSV files.

use std::collections::BTreeMap;
use std::path::Path;

use cozy_chess::util::display_uci_move;

use super::blame::Blame;
use super::findings::Audit;
use super::judged::Judged;
use super::options::AuditOptions;
use super::roc::GRID;
use crate::node_kinds::kind_name;
use crate::notation::{rule_names, san_line};
use crate::positions::LabPosition;
use crate::sheet::Sheet;
use crate::variant::Variant;
use lmrlab_runner::failure::Failure;

/// The files with their columns; `*` stands for those of [`cells`].
const FILES: [(&str, &str); 9] = [
    (
        "totals.csv",
        "policy * missed_lower_95 missed_upper_95 population nodes shadow_nodes",
    ),
    (
        "samples.csv",
        "policy position ply depth move_number move fen_after expected outcome reduction failed_high shadow_raises nodes \
         shadow_nodes rules",
    ),
    (
        "predictors.csv",
        "policy predictor reduce_when auc auc_lower_95 auc_upper_95",
    ),
    (
        "roc.csv",
        "policy predictor raising_reduced low_reduced low_reduced_lower_95 low_reduced_upper_95",
    ),
    ("nodes.csv", "policy expected outcome *"),
    ("depths.csv", "policy depth *"),
    ("reductions.csv", "policy plies *"),
    ("rules.csv", "policy rule *"),
    (
        "blame.csv",
        "policy position fen depth played played_score missed missed_score line reduced_on_the_way why",
    ),
];

const COUNTS: &str = "sampled undecided reduced_low_low reduced_low_high missed_rate reduced_high_low reduced_high_high \
                      unreduced_low_low unreduced_low_high unreduced_high_low unreduced_high_high reduced";

/// The columns of [`COUNTS`].
fn cells(judged: &Judged) -> [String; 12] {
    [
        judged.sampled.to_string(),
        judged.undecided.to_string(),
        judged.dismissed_rightly.to_string(),
        judged.missed.to_string(),
        optional(judged.missed_rate()),
        judged.false_alarms.to_string(),
        judged.recognized.to_string(),
        judged.unreduced_agreed_low.to_string(),
        judged.unreduced_missed.to_string(),
        judged.unreduced_false_alarms.to_string(),
        judged.unreduced_agreed_high.to_string(),
        judged.reduced().to_string(),
    ]
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
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
        files.audit(variant, positions, options, audit);
    }
    for (variant, blames) in variants.iter().zip(blames) {
        files.blames(variant, positions, blames);
    }
    files.write(folder)
}

/// The rows of each file.
#[derive(Default)]
struct Files(BTreeMap<&'static str, Vec<Vec<String>>>);

impl Files {
    fn push(&mut self, file: &'static str, row: Vec<String>) {
        self.0.entry(file).or_default().push(row);
    }

    fn audit(&mut self, variant: &Variant, positions: &[LabPosition], options: &AuditOptions, audit: &Audit) {
        let policy = || variant.name.clone();
        let judged = |words: Vec<String>, judged: &Judged| -> Vec<String> {
            std::iter::once(policy()).chain(words).chain(cells(judged)).collect()
        };
        let resamples = audit.resamples(options.resamples, options.seed);
        let missed = audit.missed_rate(&resamples).and_then(|missed| missed.interval);
        let mut total = judged(vec![], &audit.total());
        total.extend([
            optional(missed.map(|(low, _)| low)),
            optional(missed.map(|(_, high)| high)),
            audit.population.to_string(),
            audit.nodes.to_string(),
            audit
                .samples
                .iter()
                .map(|sample| sample.shadow_nodes)
                .sum::<u64>()
                .to_string(),
        ]);
        self.push("totals.csv", total);
        for predictor in audit.predictors(&resamples) {
            let roc = &predictor.roc;
            let ends = |interval: Option<(f64, f64)>| {
                [
                    optional(interval.map(|(low, _)| low)),
                    optional(interval.map(|(_, high)| high)),
                ]
            };
            let direction = if roc.greater_is_lower { "great" } else { "small" };
            let name = predictor.name().to_owned();
            let mut row = vec![policy(), name.clone(), direction.to_owned(), roc.auc.value.to_string()];
            row.extend(ends(roc.auc.interval));
            self.push("predictors.csv", row);
            for (index, point) in roc.curve.iter().enumerate() {
                let x = index as f64 / (GRID - 1) as f64;
                let mut row = vec![policy(), name.clone(), x.to_string(), point.value.to_string()];
                row.extend(ends(point.interval));
                self.push("roc.csv", row);
            }
        }
        for (expected, outcome, sum) in audit.by_node() {
            let words = [kind_name(expected), kind_name(outcome)].map(str::to_owned);
            self.push("nodes.csv", judged(words.into(), &sum));
        }
        for (depth, sum) in audit.by(|sample| sample.depth) {
            self.push("depths.csv", judged(vec![depth.to_string()], &sum));
        }
        for (plies, sum) in audit.by(|sample| sample.reduction) {
            self.push("reductions.csv", judged(vec![plies.to_string()], &sum));
        }
        for (rule, sum) in audit.by_rule(&variant.policy) {
            self.push("rules.csv", judged(vec![rule.unwrap_or_default().to_owned()], &sum));
        }
        for sample in &audit.samples {
            self.push(
                "samples.csv",
                vec![
                    policy(),
                    positions
                        .get(sample.position)
                        .map_or_else(String::new, |p| p.name.clone()),
                    sample.ply.to_string(),
                    sample.depth.to_string(),
                    sample.move_number.to_string(),
                    sample.mv.to_string(),
                    sample.after.clone(),
                    kind_name(sample.kind).to_owned(),
                    sample.outcome.map_or("", kind_name).to_owned(),
                    sample.reduction.to_string(),
                    u8::from(sample.failed_high).to_string(),
                    sample
                        .raises
                        .map_or_else(String::new, |raises| u8::from(raises).to_string()),
                    sample.nodes.to_string(),
                    sample.shadow_nodes.to_string(),
                    rule_names(&variant.policy, sample.rules, "", " "),
                ],
            );
        }
    }

    fn blames(&mut self, variant: &Variant, positions: &[LabPosition], blames: &[Blame]) {
        for blame in blames {
            let Some(position) = positions.get(blame.position) else {
                continue;
            };
            let board = position.position.board();
            let suspects: Vec<String> = blame
                .suspects
                .iter()
                .map(|suspect| {
                    format!(
                        "{}:{}:-{}@{}{}",
                        suspect.ply,
                        suspect.mv,
                        suspect.reduction,
                        suspect.depth,
                        rule_names(&variant.policy, suspect.rules, ":", "+")
                    )
                })
                .collect();
            self.push(
                "blame.csv",
                vec![
                    variant.name.clone(),
                    position.name.clone(),
                    position.position.to_string(),
                    blame.depth.to_string(),
                    display_uci_move(board, blame.played).to_string(),
                    blame.played_score.to_string(),
                    display_uci_move(board, blame.missed).to_string(),
                    blame.missed_score.to_string(),
                    san_line(&position.position, &blame.line).join(" "),
                    suspects.join(" "),
                    blame
                        .suspects
                        .iter()
                        .map(|suspect| suspect.why.as_str())
                        .collect::<Vec<_>>()
                        .join("; "),
                ],
            );
        }
    }

    fn write(mut self, folder: &Path) -> Result<(), Failure> {
        for (file, columns) in FILES {
            let columns = columns.replace('*', COUNTS);
            let columns: Vec<&str> = columns.split(' ').collect();
            Sheet::of(&columns, self.0.remove(file).unwrap_or_default()).write(&folder.join(file))?;
        }
        Ok(())
    }
}
