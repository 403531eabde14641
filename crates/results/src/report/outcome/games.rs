//! Games that can be replayed on the page.

use crate::outcome::Replays;
use crate::rows::games::GameRow;
use cozy_chess::{Color, Square};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::report::board::Diagram;
use crate::report::table::printable;
use crate::visible::is_unprintable;

/// The letters for squares, from a1 to h8: replay.js has the same.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A game as the script of the page reads it.
#[derive(Serialize)]
struct Embedded<'g> {
    game: u64,
    white: String,
    black: String,
    result: &'static str,
    termination: String,
    fault: String,
    fen: &'g str,
    /// Two letters of [`SQUARES`] each: from where to where. Castling goes to the rook's square.
    moves: String,
    /// The scores of the side that moved, as in games.csv.
    scores: String,
    pgn: &'g str,
}

/// The games, for the script of the page; the first one as PGN, for a page without scripts.
pub(super) fn markup(replays: &Replays) -> Markup {
    let Some((row, pgn)) = replays.games.first() else {
        return html! {};
    };
    let embedded: Vec<String> = (replays.games.iter())
        .filter_map(|(row, pgn)| Some(json(row, moves(row)?, pgn)))
        .collect();
    let board = Diagram::of("replay", "", &row.fen).map(|mut diagram| {
        diagram.below = Color::White;
        diagram.draw()
    });
    html! {
        noscript {
            p { "Scripts are off, so no game can be replayed. This is game " (row.game) "; games.pgn has all." }
            pre { code { (printable(pgn.trim_end())) } }
        }
        div.replay hidden tabindex="-1" data-folder=(printable(&replays.folder)) {
            p.choose { label { "Game " select.game {} } }
            p.absent role="status" {}
            p.facts {}
            div.place {
                figure.board {
                    @if let Some(board) = &board { (PreEscaped(board.element())) }
                    p.steps {
                        button.first type="button" aria-label="To the beginning" { "|‹" } " "
                        button.back type="button" aria-label="One move back" { "‹" } " "
                        button.next type="button" aria-label="One move on" { "›" } " "
                        button.last type="button" aria-label="To the end" { "›|" } " "
                        button.flip type="button" { "Turn the board" }
                    }
                    p.now aria-live="polite" {}
                    figcaption { a.save href="#" data-name="position.svg" hidden { "Save as SVG" } }
                }
                div.moves aria-label="Moves" {}
            }
            figure.curve {
                figcaption {
                    span { b { "Scores that the engines reported, in pawns; above zero: good for White; mates and more than 6: at the edge" } }
                    span { i {} span.white {} }
                    span { i.dashed {} span.black {} }
                }
                div.scroll { svg viewBox="0 0 760 202" role="img" aria-label="Scores over the moves of the game" {} }
                figcaption { a.save href="#" data-name="scores.svg" hidden { "Save as SVG" } }
            }
            details {
                summary { "PGN of this game" }
                button.copy type="button" { "Copy" }
                pre { code.pgn {} }
            }
            script type="application/json" { (PreEscaped(format!("[{}]", embedded.join(",\n")))) }
        }
    }
}

/// The moves, two letters each; nothing when one is not legal.
fn moves(row: &GameRow) -> Option<String> {
    let game = row.replay().ok()?;
    let letter = |square: Square| char::from(SQUARES[square as usize]);
    let both = |mv: &cozy_chess::Move| [letter(mv.from), letter(mv.to)];
    Some(game.moves().iter().flat_map(both).collect())
}

fn json(row: &GameRow, moves: String, pgn: &str) -> String {
    let embedded = Embedded {
        game: row.game,
        white: printable(&row.player(Color::White)),
        black: printable(&row.player(Color::Black)),
        result: row.result.pgn(),
        termination: row.termination.name().replace('_', " "),
        fault: printable(&row.fault),
        fen: &row.fen,
        moves,
        scores: row.scores.to_string(),
        pgn,
    };
    in_script(&serde_json::to_string(&embedded).unwrap_or_default())
}

/// JSON that can be put into an element `script`: no character of it can end the element, or change the direction of
/// the text around it. JSON has none of these characters outside of strings.
fn in_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        if matches!(letter, '<' | '>' | '&') || is_unprintable(letter) {
            text.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            text.push(letter);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_leave_its_element() {
        let text = "</script><!-- \u{2028}\u{202e} é & \u{1}";
        let json = in_script(&serde_json::to_string(text).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{202e}']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
