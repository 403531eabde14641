//! The page of a profile: where a policy reduces, by how much, and how the reduced searches end.

use std::collections::BTreeMap;

use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{ProfileTotal, ProfiledFact, ProfiledKind, ProfiledMove, ProfiledRule};
use lmrlab_results::number_text::{percent, unsigned};
use maud::{Markup, html};

use super::bench::listed;
use super::file::{LabFile, slug};
use super::parts::{FileOfFolder, Parts, columns};
use crate::chart::axis::{Axis, grouped};
use crate::chart::{Cell, Chart, Layer, Mark, Picture};
use crate::page::{Page, Section};
use crate::table::printable;

/// The files of a profile.
pub(super) const FILES: [FileOfFolder; 5] = [
    FileOfFolder::new::<ProfileTotal>("totals.csv", false),
    FileOfFolder::new::<ProfiledMove>("moves.csv", false),
    FileOfFolder::new::<ProfiledKind>("kinds.csv", false),
    FileOfFolder::new::<ProfiledRule>("rules.csv", false),
    FileOfFolder::new::<ProfiledFact>("facts.csv", false),
];

/// The move numbers of each column, as in the tables of text.
const NUMBERS: [(u32, u32); 8] = [
    (1, 1),
    (2, 2),
    (3, 4),
    (5, 8),
    (9, 16),
    (17, 32),
    (33, 64),
    (65, u32::MAX),
];

/// The number of policies that get pictures; the tables have all.
pub(super) const MOST_POLICIES: usize = 4;

/// A share of fewer moves than this is not coloured.
const FEW: f64 = 30.0;

/// Counts of a cell of a map.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    moves: f64,
    reduced: f64,
    plies: f64,
    failed_high: f64,
}

/// The page of a folder.
pub(super) fn page(parts: &Parts) -> Result<Page, Failure> {
    parts.check("profile", &FILES)?;
    let policies = parts.policies();
    let mut sections = Vec::new();
    let sections_of = [
        ("totals.csv", "totals", "Totals", ""),
        ("kinds.csv", "kinds", "By kind of node", ""),
        (
            "rules.csv",
            "rules",
            "By rule",
            "Estimated from a sample: the last column says from how many moves.",
        ),
        (
            "facts.csv",
            "facts",
            "By fact",
            "Each line is a fact and an interval of its values. Estimated from a sample: the last column says from how many moves.",
        ),
    ];
    for (name, id, heading, note) in sections_of {
        if let Some(file) = parts.file(name) {
            let mut section = Section::new(id, heading);
            if !note.is_empty() {
                section.say(note);
            }
            section.add(file.table(&columns(&FILES, name)));
            sections.push(section);
        }
    }
    if let Some(file) = parts.file("moves.csv") {
        let maps = policies
            .iter()
            .take(MOST_POLICIES)
            .map(|policy| maps(file, policy))
            .collect::<Vec<_>>();
        let place = sections.len().min(1);
        sections.splice(place..place, maps);
        let mut section = Section::new("moves", "By depth and move number");
        if policies.len() > MOST_POLICIES {
            section.say(format!(
                "The first {MOST_POLICIES} policies have maps; the table has all."
            ));
        }
        let table = file.table(&columns(&FILES, "moves.csv"));
        section.add(html! { details { summary { "Every depth and move number" } (table) } });
        sections.push(section);
    }
    Ok(Page {
        title: format!("Profile of {}", listed(&policies)),
        subtitle: format!(
            "{}: late moves, their reductions, and how the reduced searches ended",
            parts.place
        ),
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
        let share = number("reduced").zip(number("moves")).map(|(part, all)| part / all);
        let saved = number("saved_nodes").zip(number("nodes")).map(|(saved, nodes)| saved / (nodes + saved));
        format!(
            "{}: {} of {} late moves reduced, by {} plies on average; {} of the reduced searches failed high. The reductions \
             saved about {} of the nodes.",
            printable(rows.cell(row, "policy")),
            percent(share.filter(|share| share.is_finite())),
            grouped(number("moves").unwrap_or(0.0), 0),
            unsigned(number("mean_reduction"), 2),
            percent(number("failed_high_rate")),
            percent(saved.filter(|share| share.is_finite())),
        )
    });
    html! {
        @for sentence in said { p { (sentence) } }
        p.note { "Saved nodes are an estimate: they leave out what a smaller tree does to move ordering and to the transposition table." }
    }
}

fn maps(file: &LabFile, policy: &str) -> Section {
    let mut cells: BTreeMap<(u32, usize), Counts> = BTreeMap::new();
    for row in file.of("policy", policy) {
        let number = |name| file.rows.number(row, name).unwrap_or(0.0);
        let (depth, move_number) = (number("depth") as u32, number("move_number") as u32);
        let Some(column) = NUMBERS
            .iter()
            .position(|(from, to)| (*from..=*to).contains(&move_number))
        else {
            continue;
        };
        let counts = cells.entry((depth, column)).or_default();
        counts.moves += number("moves");
        counts.reduced += number("reduced");
        counts.plies += number("plies");
        counts.failed_high += number("failed_high");
    }
    let policy = printable(policy);
    let mut section = Section::new(format!("maps-{}", slug(&policy)), format!("Where {policy} reduces"));
    let kinds = [
        Map {
            id: "often",
            title: "How often {} reduces: share of the late moves",
            unit: "share of the late moves that were reduced",
            part: |counts| counts.reduced,
            whole: |counts| counts.moves,
            of: "late moves",
            text: |value| format!("{:.0}%", value * 100.0),
        },
        Map {
            id: "plies",
            title: "By how much {} reduces: plies taken from a late move",
            unit: "mean reduction in plies, unreduced moves included",
            part: |counts| counts.plies,
            whole: |counts| counts.moves,
            of: "late moves",
            text: |value| format!("{value:.2}"),
        },
        Map {
            id: "failed-high",
            title: "How often a reduced search of {} fails high",
            unit: "share of the reduced searches above alpha, which are searched again",
            part: |counts| counts.failed_high,
            whole: |counts| counts.reduced,
            of: "reduced moves",
            text: |value| format!("{:.1}%", value * 100.0),
        },
    ];
    for map in kinds {
        match map.draw(&policy, &cells) {
            Some(picture) => section.draw(picture),
            None => section.say(format!("{policy} has none of these: {}.", map.unit)),
        }
    }
    section
}

/// What a map shows.
struct Map {
    id: &'static str,
    /// With `{}` in the place of the policy.
    title: &'static str,
    unit: &'static str,
    part: fn(&Counts) -> f64,
    whole: fn(&Counts) -> f64,
    of: &'static str,
    text: fn(f64) -> String,
}

impl Map {
    fn draw(&self, policy: &str, counts: &BTreeMap<(u32, usize), Counts>) -> Option<Picture> {
        let known: Vec<((u32, usize), f64, f64)> = counts
            .iter()
            .filter(|(_, counts)| (self.whole)(counts) > 0.0)
            .map(|(at, counts)| (*at, (self.part)(counts) / (self.whole)(counts), (self.whole)(counts)))
            .collect();
        let depths: Vec<u32> = {
            let mut depths: Vec<u32> = known.iter().map(|((depth, _), ..)| *depth).collect();
            depths.dedup();
            depths
        };
        let last = known.iter().map(|((_, column), ..)| *column).max()?;
        let first = known.iter().map(|((_, column), ..)| *column).min()?;
        let enough = || known.iter().filter(|(_, _, whole)| *whole >= FEW);
        let most = enough().map(|(_, value, _)| *value).fold(0.0, f64::max);
        let heading = |column: usize| match NUMBERS.get(column) {
            Some((from, to)) if from == to => from.to_string(),
            Some((from, u32::MAX)) => format!("{from}.."),
            Some((from, to)) => format!("{from}-{to}"),
            None => String::new(),
        };
        let cells = known.iter().filter_map(|((depth, column), value, whole)| {
            let row = depths.iter().position(|known| known == depth)?;
            Some(Cell {
                column: column - first,
                row,
                level: value / most.max(1e-9),
                text: (self.text)(*value),
                hover: format!(
                    "depth {depth}, moves {}: {} of {} {}",
                    heading(*column),
                    (self.text)(*value),
                    grouped(*whole, 0),
                    self.of
                ),
                mark: if *whole < FEW { Mark::Bare } else { Mark::None },
            })
        });
        let cells: Vec<Cell> = cells.collect();
        let greatest = enough().max_by(|one, other| one.1.total_cmp(&other.1));
        let least = enough().min_by(|one, other| one.1.total_cmp(&other.1));
        let place = |found: Option<&((u32, usize), f64, f64)>| {
            found.map_or_else(
                || "no cell with enough moves".to_owned(),
                |((depth, column), value, _)| {
                    format!("{} at depth {depth}, moves {}", (self.text)(*value), heading(*column))
                },
            )
        };
        let few = if cells.iter().any(|cell| cell.mark == Mark::Bare) {
            format!(" Dotted frame, no colour: fewer than {FEW} {}.", self.of)
        } else {
            String::new()
        };
        Some(
            Chart {
                id: format!("{}-{}", self.id, slug(policy)),
                title: self.title.replace("{}", policy),
                description: format!("Greatest: {}; least: {}.", place(greatest), place(least)),
                x: Axis::names("number of the move in its node", (first..=last).map(heading).collect()),
                y: Axis::names("depth (plies)", depths.iter().map(u32::to_string).collect()).reversed(),
                height: 26.0 * depths.len() as f64,
                legend: Vec::new(),
                note: format!(
                    "In the cells: {}. The stronger the colour, the more: the strongest is {}. Pointed at, a cell says how many \
                     {} it has.{few}",
                    self.unit,
                    (self.text)(most),
                    self.of
                ),
                layers: vec![Layer::Cells(cells)],
            }
            .draw(),
        )
    }
}
