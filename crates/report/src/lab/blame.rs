//! Positions where a reduction hid the better move, as boards.

use cozy_chess::Board;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_results::lab_rows::BlameRow;
use maud::{Markup, html};

use super::file::{LabFile, slug};
use super::notation::{in_san, legal, line_in_san, san};
use crate::board::{Arrow, Diagram};
use crate::page::Section;
use crate::rows::shown;
use crate::table::{in_plies, printable};

/// Boards of one policy, at most; the table has all positions.
const MOST_BOARDS: usize = 12;
/// About how many boards a page has: it has to stay small.
const ALL_BOARDS: usize = 60;

/// The boards of each policy, then all as a table.
pub(super) fn section(file: &LabFile, policies: &[String]) -> Section {
    let mut section = Section::new("blame", "Better moves that a reduction hid");
    let most = (ALL_BOARDS / policies.len().max(1)).clamp(1, MOST_BOARDS);
    for policy in policies {
        let rows: Vec<&[String]> = file.of("policy", policy).collect();
        let policy = printable(policy);
        if rows.is_empty() {
            section.say(format!(
                "{policy}: no position is listed in which the search without reductions finds a better move."
            ));
            continue;
        }
        let positions = if rows.len() == 1 { "position" } else { "positions" };
        let heading = format!("{policy}: {} {positions}", rows.len());
        section.add(html! {
            h3 { (heading) }
            p { "The same search without reductions, at the same depth, finds a better move." }
        });
        for (index, row) in rows.iter().take(most).enumerate() {
            board(
                &mut section,
                file,
                row,
                &format!("blame-{}-{}", slug(&policy), index + 1),
            );
        }
        if rows.len() > most {
            section.say(format!(
                "{} more positions of {policy} are in the table.",
                rows.len() - most
            ));
        }
    }
    if !file.rows.rows.is_empty() {
        // The column `why` has the same moves, and more about them.
        let table =
            in_san(file, &["played", "missed", "line"]).table_without(&["reduced_on_the_way"], &shown::<BlameRow>(""));
        section.add(html! { details { summary { "All positions as a table" } (table) } });
    }
    section
}

fn board(section: &mut Section, file: &LabFile, row: &[String], id: &str) {
    let cell = |name| file.rows.cell(row, name);
    let title = format!("{} at depth {}", cell("position"), cell("depth"));
    let Some(mut diagram) = Diagram::of(id, printable(&title), cell("fen")) else {
        section.say(format!("{title}: {}", cell("fen")));
        return;
    };
    let moves = [("missed", 2, "hidden by reductions"), ("played", 1, "played instead")];
    for (column, series, meaning) in moves {
        let Some(mv) = legal(&diagram.position, cell(column)) else {
            continue;
        };
        let number = |what: &str| file.rows.number(row, &format!("{column}_{what}"));
        let score = score(number("score_cp"), number("mate_in"));
        let meaning = format!("{} ({score}): {meaning}", san(&diagram.position, mv));
        let arrow = Arrow::of(&diagram.position, mv, series, meaning);
        diagram.arrows.push(arrow);
    }
    let start = diagram.position.clone();
    section.card(
        diagram.draw(),
        suspects(
            &start,
            &line_in_san(cell("fen"), cell("line")),
            cell("reduced_on_the_way"),
            cell("why"),
        ),
    );
}

/// The line, and what was reduced in it by which rules.
fn suspects(start: &Board, line: &str, suspects: &str, why: &str) -> Markup {
    let names: Vec<&str> = line.split_whitespace().collect();
    let reasons = suspects.split_whitespace().zip(why.split("; "));
    let said: Vec<String> = reasons
        .filter_map(|(suspect, why)| in_words(&names, suspect, why))
        .collect();
    html! {
        p { "The better line: " (printable(line)) }
        @if said.is_empty() { p { "No move of this line was reduced: the reductions of other moves hid it." } }
        @else { ul { @for said in said { li { (said) } } } }
        p.note { code { (ChessVariant::of(start).fen(start)) } }
    }
}

/// `0:e4g3:-3@7:history+not-improving` as a sentence.
fn in_words(line: &[&str], suspect: &str, why: &str) -> Option<String> {
    let mut parts = suspect.split(':');
    let (ply, mv) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let (reduction, depth) = parts.next()?.strip_prefix('-')?.split_once('@')?;
    let reduction = in_plies(reduction);
    Some(printable(&format!(
        "{}, move {} of the line: last reduced by {reduction} at depth {depth}: {why}.",
        line.get(ply).unwrap_or(&mv),
        ply + 1
    )))
}

/// A score in pawns, or the moves to mate.
fn score(centipawns: Option<f64>, mate_in: Option<f64>) -> String {
    match (mate_in, centipawns) {
        (Some(moves), _) if moves > 0.0 => format!("mate in {moves}"),
        (Some(moves), _) => format!("mated in {}", moves.abs()),
        (None, Some(centipawns)) => format!("{:+.2}", centipawns / 100.0),
        (None, None) => "unknown".to_owned(),
    }
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

    #[test]
    fn scores_are_written_in_pawns() {
        assert_eq!(score(Some(-774.0), None), "-7.74");
        assert_eq!(score(None, Some(3.0)), "mate in 3");
        assert_eq!(score(None, Some(-2.0)), "mated in 2");
    }
}
