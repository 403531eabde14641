//! The page of a suite: what each policy solves, and which positions it gains and loses.

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{AnswerRow, AnswerTime};
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_stats::CONFIDENCE;
use maud::{Markup, html};

use super::bench::listed;
use super::file::{LabFile, slug};
use super::notation::{in_san, legal, moves_in_san, san};
use crate::board::{Arrow, Diagram};
use crate::chart::axis::{Axis, grouped};
use crate::chart::{Bar, Chart, Layer, Picture};
use crate::page::{Page, Section};
use crate::rows::shown;
use crate::table::{Column, Table, printable};

/// The most boards of positions that one policy gained, and of those that it lost.
const MOST_BOARDS: usize = 8;
/// About how many boards a page has: it has to stay small.
const ALL_BOARDS: usize = 60;
/// For each board, the table has this number of further positions.
const LINES_PER_BOARD: usize = 15;

/// The page of --times.
pub(super) fn times(file: &LabFile) -> Result<Page, Failure> {
    file.check::<AnswerTime>("suite", false)?;
    let policies = file.names("policy");
    let said: Vec<String> = policies
        .iter()
        .map(|policy| {
            let seconds = file.sum(policy, "time_ms") / 1e3;
            format!("{} {} s", printable(policy), grouped(seconds, 1))
        })
        .collect();
    let mut section = Section::new("table", "Every position");
    section.add(file.table(&shown::<AnswerTime>("")));
    Ok(Page {
        title: format!("Suite times of {}", listed(&policies)),
        subtitle: format!("{}: {} positions", file.name, file.names("position").len()),
        verdict: html! { p { "All searches together: " (said.join(", ")) "." } },
        sections: vec![section],
        reload_seconds: None,
    })
}

/// The page of --csv.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.check::<AnswerRow>("suite", false)?;
    let policies = file.names("policy");
    let results: Vec<Solved> = policies.iter().map(|policy| Solved::of(file, policy)).collect();
    let mut section = Section::new("solved", "Solved");
    section.draw(bars(&results));
    section.add(overview(&results));
    let mut sections = vec![section];
    if let Some((first, others)) = policies.split_first() {
        let most = (ALL_BOARDS / (2 * others.len()).max(1)).clamp(1, MOST_BOARDS);
        for policy in others {
            sections.push(differences(file, first, policy, most));
        }
    }
    let mut all = Section::new("table", "Every answer");
    let table = in_san(file, &["move", "expected", "avoided"]).table(&shown::<AnswerRow>(""));
    all.add(html! { details { summary { "Every answer of every policy" } (table) } });
    sections.push(all);
    Ok(Page {
        title: format!("Suite of {}", listed(&policies)),
        subtitle: format!("{}: {} positions", file.name, file.names("position").len()),
        verdict: verdict(file, &policies, &results),
        sections,
        reload_seconds: None,
    })
}

/// What a policy solved.
struct Solved {
    policy: String,
    solved: usize,
    positions: usize,
    nodes: f64,
    depth: f64,
    points: Option<(f64, f64)>,
}

impl Solved {
    fn of(file: &LabFile, policy: &str) -> Self {
        let rows: Vec<&[String]> = file.of("policy", policy).collect();
        let sum = |name: &str| file.sum(policy, name);
        let has_points = rows.iter().any(|row| !file.rows.cell(row, "most_points").is_empty());
        Self {
            policy: printable(policy),
            solved: rows.iter().filter(|row| is_right(file, row)).count(),
            positions: rows.len(),
            nodes: sum("nodes"),
            depth: sum("depth") / rows.len().max(1) as f64,
            points: has_points.then(|| (sum("points"), sum("most_points"))),
        }
    }

    fn share(&self) -> f64 {
        self.solved as f64 / self.positions.max(1) as f64
    }
}

fn is_right(file: &LabFile, row: &[String]) -> bool {
    file.rows.cell(row, "right") == "1"
}

/// The moves that are asked for, then `not` and the moves that are wrong.
fn expected(file: &LabFile, row: &[String]) -> String {
    let cell = |name: &str| moves_in_san(file.rows.cell(row, "fen"), file.rows.cell(row, name));
    let (wanted, avoided) = (cell("expected"), cell("avoided"));
    match (wanted.is_empty(), avoided.is_empty()) {
        (_, true) => wanted,
        (true, false) => format!("not {avoided}"),
        (false, false) => format!("{wanted}, not {avoided}"),
    }
}

fn bars(results: &[Solved]) -> Picture {
    let names: Vec<String> = results.iter().map(|result| result.policy.clone()).collect();
    let most = results.iter().map(|result| result.positions).max().unwrap_or(0);
    let bars = results.iter().enumerate().map(|(index, result)| Bar {
        x: (0.0, result.solved as f64),
        y: (index as f64 - 0.32, index as f64 + 0.32),
        hover: format!(
            "{}: {} of {}, {}",
            result.policy,
            result.solved,
            result.positions,
            percent(Some(result.share()))
        ),
        text: result.solved.to_string(),
    });
    let said: Vec<String> = results
        .iter()
        .map(|result| format!("{} {} of {}", result.policy, result.solved, result.positions))
        .collect();
    Chart {
        id: "solved".to_owned(),
        title: format!("Positions solved of {most} by {}", listed(&names)),
        description: format!("{}.", said.join("; ")),
        x: Axis::from_zero("positions solved", [most as f64]),
        y: Axis::names("", names).reversed(),
        height: 20.0 + 28.0 * results.len() as f64,
        legend: Vec::new(),
        note: "A position is solved when the move at the limit is right. Policies answer the same positions: the gains and losses \
               below say more than the difference of two bars."
            .to_owned(),
        layers: vec![Layer::Bars(0, bars.collect())],
    }
    .draw()
}

fn overview(results: &[Solved]) -> Markup {
    let has_points = results.iter().any(|result| result.points.is_some());
    let mut columns = vec![
        Column::words("Policy"),
        Column::numbers("Solved"),
        Column::numbers("of"),
        Column::numbers("Share"),
        Column::numbers("Depth").meaning("Mean of the last iterations, in plies"),
        Column::numbers("Nodes"),
    ];
    if has_points {
        columns.extend(["Points", "of"].map(Column::numbers));
    }
    let mut table = Table::new(columns);
    for result in results {
        let points = |points: Option<f64>| points.map_or_else(String::new, |points| grouped(points, 0));
        let mut cells = vec![
            result.policy.clone(),
            result.solved.to_string(),
            result.positions.to_string(),
            percent(Some(result.share())),
            unsigned(Some(result.depth), 2),
            grouped(result.nodes, 0),
        ];
        if has_points {
            cells.push(points(result.points.map(|(points, _)| points)));
            cells.push(points(result.points.map(|(_, most)| most)));
        }
        table.push(cells);
    }
    table.markup()
}

/// Two answers to one position, one right and one wrong: that of the first policy, and that of the other.
type Two<'f> = (&'f [String], &'f [String]);

/// Positions that a policy gained against the first one, and those that it lost.
fn gained_and_lost<'f>(file: &'f LabFile, first: &str, policy: &str) -> (Vec<Two<'f>>, Vec<Two<'f>>) {
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    let before: std::collections::HashMap<&str, &[String]> = file
        .of("policy", first)
        .map(|row| (file.rows.cell(row, "position"), row))
        .collect();
    for row in file.of("policy", policy) {
        let Some(other) = before.get(file.rows.cell(row, "position")) else {
            continue;
        };
        match (is_right(file, other), is_right(file, row)) {
            (false, true) => gained.push((*other, row)),
            (true, false) => lost.push((*other, row)),
            _ => {}
        }
    }
    (gained, lost)
}

/// The difference in solved positions, with its error: only positions in which the two differ say something (McNemar 1947).
fn difference(gained: usize, lost: usize) -> String {
    let error = lmrlab_stats::DEVIATIONS_95 * ((gained + lost) as f64).sqrt();
    format!(
        "{gained} gained, {lost} lost: {:+} ± {error:.1} ({CONFIDENCE})",
        gained as i64 - lost as i64
    )
}

fn verdict(file: &LabFile, policies: &[String], results: &[Solved]) -> Markup {
    let said = results.iter().enumerate().map(|(index, result)| {
        let solved = format!("{}: {} of {} solved", result.policy, result.solved, result.positions);
        match policies.split_first() {
            Some((first, _)) if index > 0 => {
                let (gained, lost) = gained_and_lost(file, first, &policies[index]);
                format!(
                    "{solved}; against {}: {}.",
                    printable(first),
                    difference(gained.len(), lost.len())
                )
            }
            _ => format!("{solved}."),
        }
    });
    html! { @for sentence in said { p { (sentence) } } }
}

fn differences(file: &LabFile, first: &str, policy: &str, most: usize) -> Section {
    let (gained, lost) = gained_and_lost(file, first, policy);
    let (first, policy) = (printable(first), printable(policy));
    let mut section = Section::new(
        format!("against-{}", slug(&policy)),
        format!("{policy} against {first}"),
    );
    section.say(format!("{}.", difference(gained.len(), lost.len())));
    for (word, id, all) in [("Gained", "gained", gained), ("Lost", "lost", lost)] {
        if all.is_empty() {
            continue;
        }
        let explained = match word {
            "Gained" => format!("{policy} solves it, {first} does not."),
            _ => format!("{first} solves it, {policy} does not."),
        };
        section.add(html! { h3 { (word) } p { (explained) } });
        for (index, two) in all.iter().take(most).enumerate() {
            board(
                &mut section,
                file,
                *two,
                (&first, &policy),
                &format!("{id}-{}-{}", slug(&policy), index + 1),
            );
        }
        if all.len() > most {
            let mut table =
                Table::new(["Position", "Expected", first.as_str(), policy.as_str(), "FEN"].map(Column::words));
            let lines = most * LINES_PER_BOARD;
            for (before, after) in all.iter().skip(most).take(lines) {
                let cell = |name: &str| file.rows.cell(after, name);
                let played = |row: &[String]| moves_in_san(cell("fen"), file.rows.cell(row, "move"));
                table.push([
                    cell("position").to_owned(),
                    expected(file, after),
                    played(before),
                    played(after),
                    cell("fen").to_owned(),
                ]);
            }
            let rest = all.len() - most;
            let all = if rest > lines {
                format!("; {} has all", file.name)
            } else {
                String::new()
            };
            let summary = format!("{} more{all}", rest.min(lines));
            section.add(html! { details { summary { (summary) } (table.markup()) } });
        }
    }
    section
}

fn board(section: &mut Section, file: &LabFile, (before, after): Two<'_>, (first, policy): (&str, &str), id: &str) {
    let cell = |row: &[String], name: &str| printable(file.rows.cell(row, name));
    let position = cell(after, "position");
    let played = [(first, before), (policy, after)];
    let Some(mut diagram) = Diagram::of(id, position.as_str(), file.rows.cell(after, "fen")) else {
        section.say(position);
        return;
    };
    for (name, row) in played {
        let Some(mv) = legal(&diagram.position, file.rows.cell(row, "move")) else {
            continue;
        };
        let right = is_right(file, row);
        let text = san(&diagram.position, mv);
        let meaning = format!("{text}: {name}, {}", if right { "right" } else { "wrong" });
        let arrow = Arrow::of(&diagram.position, mv, if right { 2 } else { 1 }, meaning);
        diagram.arrows.push(arrow);
    }
    let expected = printable(&expected(file, after));
    let fen = ChessVariant::of(&diagram.position).fen(&diagram.position);
    section.card(
        diagram.draw(),
        html! {
            p { "Expected: " b { (expected) } "." }
            p.note { code { (fen) } }
        },
    );
}
