//! The page of an ablation: what each rule of a policy is worth.

use lmrlab_results::failure::Failure;
use lmrlab_stats::CONFIDENCE;
use maud::{Markup, html};

use super::dots::{Dot, Dots, Line, MOST_LINES};
use super::file::LabFile;
use super::measures::{BETTER, Known, Measure, WORSE, columns};
use crate::page::{Page, Section};
use crate::rows::Shown;
use crate::table::printable;

/// The page.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.needs("ablate", &["switched", "policy"])?;
    let measures = Measure::checked(file, "ablate")?;
    let whole = file.of("switched", "").next();
    let policy = whole.map_or("the policy", |row| file.rows.cell(row, "policy"));
    let mut sections = Vec::new();
    for measure in &measures {
        let mut section = Section::new(measure.id(), measure.title());
        section.draw(picture(file, policy, *measure));
        sections.push(section);
    }
    let mut section = Section::new("table", "All numbers");
    let mut shown =
        vec![Shown::new("switched", "Switched", "-rule: switched off; +rule: switched on").when_empty("(as named)")];
    shown.extend(columns());
    // Every line has the same policy, with other rules switched. The page names the policy once.
    section.add(file.table_without(&["policy"], &shown));
    sections.push(section);
    Ok(Page {
        title: format!("Ablation of {policy}"),
        subtitle: format!("{}: the policy with each of its rules switched", file.name),
        verdict: verdict(file, Measure::decisive(&measures)),
        sections,
        reload_seconds: None,
    })
}

fn verdict(file: &LabFile, measure: Measure) -> Markup {
    let lines = lines(file, measure);
    let clear = |series: usize| {
        let mut names: Vec<String> = lines
            .iter()
            .filter(|(_, known)| measure.judge(*known) == series)
            .map(|(name, known)| format!("{name} ({})", measure.known(*known)))
            .collect();
        let all = names.len();
        names.truncate(5);
        if all > names.len() {
            names.push(format!("and {} more", all - names.len()));
        }
        names.join("; ")
    };
    let sentence = match measure {
        Measure::Missed => format!(
            "{} policies with rules switched, by the share of dismissed moves that were missed.",
            lines.len()
        ),
        _ => {
            let [worse, better] = [WORSE, BETTER].map(clear);
            let (worse_word, better_word) = match measure {
                Measure::Nodes => ("More nodes than the policy as named", "Fewer nodes"),
                Measure::Solved => ("Fewer positions solved than by the policy as named", "More solved"),
                _ => ("Weaker than the policy as named", "Stronger"),
            };
            match (worse.is_empty(), better.is_empty()) {
                (true, true) => format!(
                    "{}: none of the {} changes is clear of its error.",
                    measure.title(),
                    lines.len()
                ),
                (false, true) => format!("{worse_word}: {worse}."),
                (true, false) => format!("{better_word} than the policy as named: {better}."),
                (false, false) => format!("{worse_word}: {worse}. {better_word}: {better}."),
            }
        }
    };
    html! {
        p { (printable(&sentence)) }
        p.note {
            "-rule: the rule is switched off; +rule: it is switched on. With " (lines.len())
            " lines, about one in twenty is clear of its error by chance alone."
        }
    }
}

/// The lines with switched rules that have a value, the greatest first.
fn lines(file: &LabFile, measure: Measure) -> Vec<(String, Known)> {
    let mut lines: Vec<(String, Known)> = file
        .rows
        .rows
        .iter()
        .filter_map(|row| {
            let name = printable(file.rows.cell(row, "switched"));
            Some((name, measure.of(&file.rows, row)?))
        })
        .filter(|(name, _)| !name.is_empty())
        .collect();
    lines.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
    lines
}

fn picture(file: &LabFile, policy: &str, measure: Measure) -> crate::chart::Picture {
    let mut lines = lines(file, measure);
    let all = lines.len();
    if all > MOST_LINES {
        // The lines that change least are left out.
        let unchanged = measure.unchanged().unwrap_or(0.0);
        lines.sort_by(|(_, one), (_, other)| {
            (other.value - unchanged)
                .abs()
                .total_cmp(&(one.value - unchanged).abs())
        });
        lines.truncate(MOST_LINES);
        lines.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
    }
    let whole = file.of("switched", "").next();
    let upright = match measure.unchanged() {
        Some(value) => Some((value, "as named".to_owned())),
        None => whole
            .and_then(|row| measure.of(&file.rows, row))
            .map(|known| (known.value, format!("as named: {}", measure.text(known.value)))),
    };
    let known: Vec<Known> = lines.iter().map(|(_, known)| *known).collect();
    let mut extent = known.clone();
    extent.extend(upright.as_ref().map(|(value, _)| Known::exact(*value)));
    let dots: Vec<Line> = lines
        .iter()
        .map(|(name, known)| {
            Line::Value(Dot {
                name: name.clone(),
                known: *known,
                series: measure.judge(*known),
                hover: format!("{name}: {}", measure.known(*known)),
            })
        })
        .collect();
    let said: Vec<String> = lines
        .iter()
        .map(|(name, known)| format!("{name} {}", measure.known(*known)))
        .collect();
    let left_out = match all - lines.len() {
        0 => String::new(),
        rest => format!(" The {rest} that change least are in the table alone."),
    };
    let worth = match measure {
        Measure::Nodes => " So a -rule far to the right saves nodes in the policy as named.",
        Measure::Solved => " So a -rule far to the left helps to solve positions.",
        Measure::Missed => "",
        Measure::Elo => " So a -rule far to the left is one that gains Elo.",
    };
    Dots {
        id: format!("ablation-{}", measure.id()),
        title: format!("{}: {policy} with rules switched off (-) or on (+)", measure.title()),
        description: format!("{}.{left_out}", said.join("; ")),
        note: format!(
            "{}.{worth} Sorted. Bars: {CONFIDENCE} intervals.{left_out}",
            measure.directions()
        ),
        x: measure.axis_of(&extent),
        names: String::new(),
        legend: measure.legend(known.iter().map(|known| measure.judge(*known))),
        upright,
    }
    .draw(&dots)
}
