//! The page of an audit: how many of the reduced moves were missed, and how they differ from the others.

mod missed_rates;
mod predictors;

use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{
    AuditSample, AuditTotal, AuditedDepth, AuditedKind, AuditedReduction, AuditedRule, BlameRow, PredictorRow, RocPoint,
};
use lmrlab_results::number_text::percent;
use lmrlab_stats::CONFIDENCE;
use maud::{Markup, html};

use self::missed_rates::rates;
use self::predictors::{aucs, curves};
use super::bench::listed;
use super::blame;
use super::parts::{FileOfFolder, Parts, columns};
use super::profile::MOST_POLICIES;
use crate::chart::axis::grouped;
use crate::page::{Page, Section};
use crate::table::printable;

/// The files of an audit. Where nothing was found, only the totals have lines.
pub(super) const FILES: [FileOfFolder; 9] = [
    FileOfFolder::new::<AuditTotal>("totals.csv", false),
    FileOfFolder::new::<AuditSample>("samples.csv", true),
    FileOfFolder::new::<PredictorRow>("predictors.csv", true),
    FileOfFolder::new::<RocPoint>("roc.csv", true),
    FileOfFolder::new::<AuditedKind>("nodes.csv", true),
    FileOfFolder::new::<AuditedDepth>("depths.csv", true),
    FileOfFolder::new::<AuditedReduction>("reductions.csv", true),
    FileOfFolder::new::<AuditedRule>("rules.csv", true),
    FileOfFolder::new::<BlameRow>("blame.csv", true),
];

/// The page of a folder.
pub(super) fn page(parts: &Parts) -> Result<Page, Failure> {
    parts.check("audit", &FILES)?;
    let policies = parts.policies();
    let drawn = || policies.iter().take(MOST_POLICIES);
    let mut sections = Vec::new();
    if let Some(file) = parts.file("totals.csv") {
        let mut section = Section::new("totals", "Totals");
        if policies.len() > MOST_POLICIES {
            section.say(format!(
                "The first {MOST_POLICIES} policies have pictures; the tables have all."
            ));
        }
        section.add(file.table(&columns(&FILES, "totals.csv")));
        sections.push(section);
    }
    let groups = [
        ("depths.csv", "depths", "By depth of the node", "depth", "depth (plies)"),
        (
            "reductions.csv",
            "reductions",
            "By plies of reduction",
            "plies",
            "reduction (plies)",
        ),
        ("rules.csv", "rules", "By rule", "rule", "rule"),
    ];
    for (name, id, heading, column, axis) in groups {
        let Some(file) = parts.file(name) else { continue };
        let mut section = Section::new(id, heading);
        for policy in drawn() {
            if let Some(picture) = rates(file, parts.file("samples.csv"), policy, column, axis) {
                section.draw(picture);
            }
        }
        section.add(file.table(&columns(&FILES, name)));
        sections.push(section);
    }
    if let Some(file) = parts.file("nodes.csv") {
        let mut section = Section::new("nodes", "By kind of node");
        section.add(file.table(&columns(&FILES, "nodes.csv")));
        sections.push(section);
    }
    let mut section = Section::new("predictors", "What distinguishes missed moves");
    for policy in drawn() {
        if let Some(picture) = parts.file("predictors.csv").and_then(|file| aucs(file, policy)) {
            section.draw(picture);
        }
        if let Some(picture) = parts.file("roc.csv").and_then(|file| curves(file, policy)) {
            section.draw(picture);
        }
    }
    if let Some(file) = parts.file("predictors.csv") {
        let table = file.table(&columns(&FILES, "predictors.csv"));
        section.add(html! { details { summary { "Every predictor" } (table) } });
    }
    if !section.parts.is_empty() {
        sections.push(section);
    }
    if let Some(file) = parts.file("blame.csv") {
        sections.push(blame::section(file, &policies));
    }
    Ok(Page {
        title: format!("Audit of {}", listed(&policies)),
        subtitle: format!("{}: sampled late moves, searched again at full depth", parts.place),
        verdict: verdict(parts),
        sections,
        reload_seconds: None,
    })
}

fn verdict(parts: &Parts) -> Markup {
    let Some(totals) = parts.file("totals.csv") else {
        return html! {};
    };
    let rows = &totals.rows;
    let said = rows.rows.iter().map(|row| {
        let number = |name| rows.number(row, name);
        if number("missed_rate").is_none() {
            let policy = printable(rows.cell(row, "policy"));
            return format!("{policy}: no sampled move was reduced and failed low.");
        }
        let interval = number("missed_lower_95").zip(number("missed_upper_95"));
        let interval = interval.map(|(low, high)| format!(" ({CONFIDENCE}: {} to {})", percent(Some(low)), percent(Some(high))));
        format!(
            "{}: {}{} of the moves that were reduced and failed low would have raised alpha ({} sampled of {} late moves).",
            printable(rows.cell(row, "policy")),
            percent(number("missed_rate")),
            interval.unwrap_or_default(),
            grouped(number("sampled").unwrap_or(0.0), 0),
            grouped(number("population").unwrap_or(0.0), 0),
        )
    });
    html! { @for sentence in said { p { (sentence) } } }
}
