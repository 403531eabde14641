//! An audit as CSV files.

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

const COLUMNS: [&str; 12] = [
    "sampled",
    "undecided",
    "reduced_low_low",
    "reduced_low_high",
    "missed_rate",
    "reduced_high_low",
    "reduced_high_high",
    "unreduced_low_low",
    "unreduced_low_high",
    "unreduced_high_low",
    "unreduced_high_high",
    "reduced",
];

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

type Rows = Vec<Vec<String>>;

#[derive(Default)]
struct Files {
    totals: Rows,
    samples: Rows,
    predictors: Rows,
    roc: Rows,
    nodes: Rows,
    depths: Rows,
    reductions: Rows,
    rules: Rows,
    blame: Rows,
}

impl Files {
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
        self.totals.push(total);
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
            self.predictors.push(row);
            for (index, point) in roc.curve.iter().enumerate() {
                let x = index as f64 / (GRID - 1) as f64;
                let mut row = vec![policy(), name.clone(), x.to_string(), point.value.to_string()];
                row.extend(ends(point.interval));
                self.roc.push(row);
            }
        }
        for (expected, outcome, sum) in audit.by_node() {
            let words = [kind_name(expected), kind_name(outcome)].map(str::to_owned);
            self.nodes.push(judged(words.into(), &sum));
        }
        for (depth, sum) in audit.by(|sample| sample.depth) {
            self.depths.push(judged(vec![depth.to_string()], &sum));
        }
        for (plies, sum) in audit.by(|sample| sample.reduction) {
            self.reductions.push(judged(vec![plies.to_string()], &sum));
        }
        for (rule, sum) in audit.by_rule(&variant.policy) {
            self.rules.push(judged(vec![rule.unwrap_or_default().to_owned()], &sum));
        }
        for sample in &audit.samples {
            self.samples.push(vec![
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
            ]);
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
            self.blame.push(vec![
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
            ]);
        }
    }

    fn write(self, folder: &Path) -> Result<(), Failure> {
        let write = |name: &str, header: &[&str], rows| Sheet::of(header, rows).write(&folder.join(name));
        let judged = |words: &[&'static str], more: &[&'static str]| -> Vec<&str> {
            words.iter().chain(&COLUMNS).chain(more).copied().collect()
        };
        write(
            "totals.csv",
            &judged(
                &["policy"],
                &[
                    "missed_lower_95",
                    "missed_upper_95",
                    "population",
                    "nodes",
                    "shadow_nodes",
                ],
            ),
            self.totals,
        )?;
        write(
            "samples.csv",
            &[
                "policy",
                "position",
                "ply",
                "depth",
                "move_number",
                "move",
                "fen_after",
                "expected",
                "outcome",
                "reduction",
                "failed_high",
                "shadow_raises",
                "nodes",
                "shadow_nodes",
                "rules",
            ],
            self.samples,
        )?;
        write(
            "predictors.csv",
            &[
                "policy",
                "predictor",
                "reduce_when",
                "auc",
                "auc_lower_95",
                "auc_upper_95",
            ],
            self.predictors,
        )?;
        write(
            "roc.csv",
            &[
                "policy",
                "predictor",
                "raising_reduced",
                "low_reduced",
                "low_reduced_lower_95",
                "low_reduced_upper_95",
            ],
            self.roc,
        )?;
        write(
            "nodes.csv",
            &judged(&["policy", "expected", "outcome"], &[]),
            self.nodes,
        )?;
        write("depths.csv", &judged(&["policy", "depth"], &[]), self.depths)?;
        write("reductions.csv", &judged(&["policy", "plies"], &[]), self.reductions)?;
        write("rules.csv", &judged(&["policy", "rule"], &[]), self.rules)?;
        write(
            "blame.csv",
            &[
                "policy",
                "position",
                "fen",
                "depth",
                "played",
                "played_score",
                "missed",
                "missed_score",
                "line",
                "reduced_on_the_way",
                "why",
            ],
            self.blame,
        )
    }
}
