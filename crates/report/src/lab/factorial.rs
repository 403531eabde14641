//! The page of a factorial experiment: effects, grouped by how many factors they are of.

use lmrlab_runner::failure::Failure;
use maud::{Markup, html};

use super::dots::{Dot, Dots, Line};
use super::file::{LabFile, or};
use super::measures::{BETTER, Known, UNCLEAR, WORSE, ratio_axis};
use crate::chart::Picture;
use crate::chart::axis::{Axis, Writing, grouped};
use crate::page::{Page, Section};
use crate::rows::Shown;
use crate::table::printable;
use lmrlab_runner::number_text::signed;

const COLUMNS: [&str; 9] = [
    "effect",
    "factor",
    "other",
    "level",
    "nodes_factor",
    "nodes_low_95",
    "nodes_high_95",
    "elo",
    "elo_error_95",
];

/// The columns of --cells on a page.
const CELLS: [Shown<'_>; 7] = [
    Shown::new("nodes", "Nodes", "All nodes to the depth"),
    Shown::new("n_ll", "0", "Pairs of games with 0 points"),
    Shown::new("n_ld", "½", "Pairs with ½ point"),
    Shown::new("n_dd_wl", "1", "Pairs with 1 point"),
    Shown::new("n_wd", "1½", "Pairs with 1½ points"),
    Shown::new("n_ww", "2", "Pairs with 2 points"),
    Shown::new("reductions", "reductions", "1: the policy; 0: without reductions"),
];

const TABLE: [Shown<'_>; 10] = [
    Shown::new(
        "effect",
        "Effect",
        "main: of one factor; interaction: of two together; given: of the reductions where another factor is on or off",
    ),
    Shown::new("factor", "Factor", ""),
    Shown::new("other", "Other", "The other factor"),
    Shown::new("level", "Level", "Whether the other factor is on or off"),
    Shown::new("nodes_factor", "Nodes ×", "0.5: half as many nodes when it is on"),
    Shown::new("nodes_low_95", "from", "Low end of the 95% interval"),
    Shown::new("nodes_high_95", "to", "High end of the 95% interval"),
    Shown::new("elo", "Elo", "Difference in Elo when it is on"),
    Shown::new("elo_error_95", "±95%", "Half the width of the 95% interval"),
    Shown::new("policy", "Policy", "That reduces where the reductions are on"),
];

/// Groups of effects: what the file calls them, and their heading.
const GROUPS: [(&str, &str); 3] = [
    ("main", "Main effects"),
    ("interaction", "Pairs of factors"),
    ("given", "The reductions where …"),
];

/// Whether a file is of `factorial --cells`.
pub(super) fn is_cells(file: &LabFile) -> bool {
    let columns = &file.rows.columns;
    let after = columns
        .iter()
        .position(|column| column == "reductions")
        .map(|index| columns.get(index + 1..));
    matches!(after, Some(Some([first, ..])) if first == "nodes" || first == "n_ll")
}

/// The page of --cells: the table of all combinations.
pub(super) fn cells(file: &LabFile) -> Result<Page, Failure> {
    file.needs("factorial", &["reductions"])?;
    let mut section = Section::new("table", "Every combination");
    section.add(file.table(&CELLS));
    Ok(Page {
        title: format!("Combinations of {}", file.name),
        subtitle: format!("factorial experiment, {} combinations", file.rows.rows.len()),
        verdict: html! {
            p { "What was measured of each combination: 1 is on, 0 is off. The file of --csv has the effects with their errors." }
        },
        sections: vec![section],
        reload_seconds: None,
    })
}

/// The page of the effects.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.needs("factorial", &COLUMNS)?;
    file.numbers(&COLUMNS[4..])?;
    let mut sections = Vec::new();
    for on in [On::Nodes, On::Elo] {
        if let Some(picture) = picture(file, on) {
            let mut section = Section::new(on.id(), on.heading());
            section.draw(picture);
            sections.push(section);
        }
    }
    if sections.is_empty() {
        return Err(Failure::input(
            format!("`{}` has the columns of `factorial`, but no effect", file.place),
            "its lines need nodes_factor or elo",
        ));
    }
    let mut section = Section::new("table", "All numbers");
    section.add(file.table(&TABLE));
    sections.push(section);
    let factors: Vec<String> = file
        .of("effect", "main")
        .map(|row| printable(file.rows.cell(row, "factor")))
        .collect();
    Ok(Page {
        title: format!("Factorial experiment: {} and features of the search", policy(file)),
        subtitle: format!("{}: {} factors, {}", file.name, factors.len(), factors.join(", ")),
        verdict: verdict(file),
        sections,
        reload_seconds: None,
    })
}

/// What an effect is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    Nodes,
    Elo,
}

impl On {
    fn id(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Elo => "elo",
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Nodes => "Effects on nodes",
            Self::Elo => "Effects on Elo",
        }
    }

    fn of(self, file: &LabFile, row: &[String]) -> Option<Known> {
        let number = |name| file.rows.number(row, name);
        match self {
            Self::Nodes => Some(Known {
                value: number("nodes_factor")?,
                interval: number("nodes_low_95").zip(number("nodes_high_95")),
            }),
            Self::Elo => {
                let value = number("elo")?;
                let error = number("elo_error_95");
                Some(Known {
                    value,
                    interval: error.map(|error| (value - error, value + error)),
                })
            }
        }
    }

    fn judge(self, known: Known) -> usize {
        let unchanged = if self == Self::Nodes { 1.0 } else { 0.0 };
        let Some((low, high)) = known.interval else {
            return UNCLEAR;
        };
        match (
            low <= unchanged && unchanged <= high,
            (known.value < unchanged) == (self == Self::Nodes),
        ) {
            (true, _) => UNCLEAR,
            (false, true) => BETTER,
            (false, false) => WORSE,
        }
    }

    fn text(self, known: Known) -> String {
        match (self, known.interval) {
            (Self::Nodes, None) => format!("× {}", grouped(known.value, 3)),
            (Self::Nodes, Some((low, high))) => {
                format!(
                    "× {} (95%: {} to {})",
                    grouped(known.value, 3),
                    grouped(low, 3),
                    grouped(high, 3)
                )
            }
            (Self::Elo, None) => format!("{} Elo", signed(Some(known.value), 1)),
            (Self::Elo, Some((low, high))) => {
                format!(
                    "{} ± {} Elo (95%)",
                    signed(Some(known.value), 1),
                    grouped((high - low) / 2.0, 1)
                )
            }
        }
    }
}

/// The policy that reduces. Files of earlier versions do not name it.
fn policy(file: &LabFile) -> String {
    let first = file.rows.rows.first().map_or("", |row| file.rows.cell(row, "policy"));
    or(&printable(first), "the reductions")
}

/// An effect as a person would call it.
fn label(file: &LabFile, row: &[String]) -> String {
    let cell = |name| printable(file.rows.cell(row, name));
    match file.rows.cell(row, "effect") {
        "interaction" => format!("{} with {}", cell("factor"), cell("other")),
        "given" => format!("{} is {}", cell("other"), cell("level")),
        _ => cell("factor"),
    }
}

fn picture(file: &LabFile, on: On) -> Option<Picture> {
    let mut lines = Vec::new();
    let mut all: Vec<Known> = Vec::new();
    let mut said = Vec::new();
    for (effect, heading) in GROUPS {
        let known: Vec<(String, Known)> = file
            .of("effect", effect)
            .filter_map(|row| Some((label(file, row), on.of(file, row)?)))
            .collect();
        if known.is_empty() {
            continue;
        }
        lines.push(Line::Heading(format!("{}:", heading.to_uppercase())));
        for (name, known) in known {
            all.push(known);
            let hover = format!("{}: {name}: {}", heading.trim_end_matches(" …"), on.text(known));
            said.push(hover.clone());
            lines.push(Line::Value(Dot {
                name,
                value: known.value,
                interval: known.interval,
                series: on.judge(known),
                hover,
            }));
        }
    }
    let unchanged = if on == On::Nodes { 1.0 } else { 0.0 };
    let values: Vec<f64> = all
        .iter()
        .flat_map(|known| {
            let (low, high) = known.interval.unwrap_or((known.value, known.value));
            [known.value, low, high]
        })
        .chain([unchanged])
        .collect();
    let legend = [
        (UNCLEAR, "interval includes no effect"),
        (WORSE, if on == On::Nodes { "more nodes" } else { "weaker" }),
        (BETTER, if on == On::Nodes { "fewer nodes" } else { "stronger" }),
    ];
    let legend = legend
        .into_iter()
        .filter(|(series, _)| all.iter().any(|known| on.judge(*known) == *series))
        .map(|(series, words)| (series, words.to_owned()));
    if all.is_empty() {
        return None;
    }
    let (x, means) = match on {
        On::Nodes => (
            ratio_axis("factor on nodes when it is on", &values),
            "Main effects and reductions: × 0.5 is half as many nodes when it is on. Pairs: below 1 the two save more together \
             than each alone.",
        ),
        On::Elo => (
            Axis::linear("Elo gained when it is on", values).written(Writing::Signed),
            "Main effects and reductions: to the right it gains Elo when it is on. Pairs: to the right the two gain more \
             together than each alone.",
        ),
    };
    Some(
        Dots {
            id: format!("effects-{}", on.id()),
            title: format!(
                "{}: {} and features of the search, alone and in pairs",
                on.heading(),
                policy(file)
            ),
            description: format!("{}.", said.join("; ")),
            note: format!("{means} Bars: 95% intervals."),
            x,
            names: String::new(),
            legend: legend.collect(),
            upright: Some((unchanged, "no effect".to_owned())),
        }
        .draw(&lines),
    )
}

fn verdict(file: &LabFile) -> Markup {
    let main = file
        .of("effect", "main")
        .filter(|row| file.rows.cell(row, "factor") == "reductions");
    let said: Vec<String> = main
        .flat_map(|row| [On::Nodes, On::Elo].map(|on| on.of(file, row).map(|known| on.text(known))))
        .flatten()
        .collect();
    html! {
        @if said.is_empty() { p { "Effects of the factors, alone and in pairs." } }
        @else { p { "The reductions, averaged over all combinations of the other factors: " (said.join(", ")) "." } }
        p.note {
            "reductions: those of " (policy(file)) " against none. With " (file.rows.rows.len())
            " effects, about one in twenty is clear of its error by chance alone."
        }
    }
}
