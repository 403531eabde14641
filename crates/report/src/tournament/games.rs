//! Games that can be replayed on the page.

use maud::{PreEscaped, html};
use serde::Serialize;

use cozy_chess::{Color, Square};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::games::GameRow;
use lmrlab_runner::record::pgn_writer::PgnWriter;
use lmrlab_runner::run::Run;

use crate::board::Diagram;
use crate::chart::svg::is_unprintable;
use crate::page::Section;
use crate::table::printable;

/// Bytes of games on a page. With everything else the page stays under 1.5 MB.
const BUDGET: usize = 1_050_000;

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

/// The games of one kind that were taken, until the page is full.
#[derive(Default)]
struct Shelf {
    /// The number of each game, and its text for the script.
    games: Vec<(u64, String)>,
    bytes: usize,
}

/// Chooses games for the page while they are read: the games asked for, then those that faults ended, then the first
/// ones.
pub(super) struct Chosen<'w> {
    writer: PgnWriter,
    wanted: &'w [u64],
    /// The games asked for, the games that faults ended, and the others.
    shelves: [Shelf; 3],
    /// The first game without a board, for a page without scripts.
    opening_game: Option<(GameRow, String)>,
    all: u64,
    unreadable: u64,
}

impl<'w> Chosen<'w> {
    pub(super) fn new(writer: PgnWriter, wanted: &'w [u64]) -> Self {
        Self {
            writer,
            wanted,
            shelves: Default::default(),
            opening_game: None,
            all: 0,
            unreadable: 0,
        }
    }

    /// Takes a game when there is room for it.
    pub(super) fn take(&mut self, row: &GameRow) {
        self.all += 1;
        let is_asked = self.wanted.contains(&row.game);
        let [asked, faulty, first] = &mut self.shelves;
        let shelf = match (is_asked, row.fault_of()) {
            (true, _) => asked,
            (false, Some(_)) => faulty,
            (false, None) => first,
        };
        if !is_asked && shelf.bytes >= BUDGET {
            return;
        }
        let (Ok(pgn), Some(moves)) = (self.writer.game(row), moves(row)) else {
            self.unreadable += 1;
            return;
        };
        let game = (row.game, json(row, moves, &pgn));
        shelf.bytes += game.1.len() + 1;
        shelf.games.push(game);
        if self.opening_game.is_none() {
            self.opening_game = Some((row.clone(), pgn));
        }
    }

    /// The section of the page; nothing when no game was played.
    pub(super) fn section(self, run: &Run) -> Result<Option<Section>, Failure> {
        let folder = run.folder().display().to_string();
        let [asked, faulty, first] = self.shelves;
        let is_there = |wanted: &&u64| asked.games.iter().any(|(number, _)| number == *wanted);
        if let Some(number) = self.wanted.iter().find(|wanted| !is_there(wanted)) {
            return Err(Failure::input(
                format!("`{folder}` has no game {number} that could be replayed"),
                format!("its games have the numbers 1 to {}", self.all),
            ));
        }
        let Some((row, pgn)) = self.opening_game else {
            return Ok(None);
        };
        let with_faults = faulty.games.len();
        let mut bytes = asked.bytes;
        let mut games: Vec<String> = Vec::new();
        for (number, json) in asked.games.into_iter().chain(faulty.games).chain(first.games) {
            bytes += json.len() + 1;
            if !self.wanted.contains(&number) && bytes > BUDGET {
                break;
            }
            games.push(json);
        }
        let mut section = Section::new("games", "Games");
        section.say(match (games.len() as u64, self.all) {
            (shown, all) if shown == all => format!("Each of the {all} games can be replayed."),
            (shown, all) => {
                let which = match (self.wanted.is_empty(), with_faults) {
                    (true, 0) => "the first ones",
                    (true, _) => "those that faults ended, then the first ones",
                    (false, 0) => "those that were asked for, then the first ones",
                    (false, _) => "those that were asked for, those that faults ended, then the first ones",
                };
                format!("{shown} of {all} games can be replayed on this page: {which}. Others come onto it, or are printed as PGN, by their number in games.csv:")
            }
        });
        if (games.len() as u64) < self.all {
            section.add(html! {
                pre { code { (printable(&format!("lmrlab report {folder} --game {all}\nlmrlab show {folder} --game {all}", all = self.all))) } }
            });
        }
        if self.unreadable > 0 {
            section.say(format!(
                "{} games cannot be played through again: their moves are not legal.",
                self.unreadable
            ));
        }
        let board = Diagram::of("replay", "", &row.fen).map(|mut diagram| {
            diagram.below = Color::White;
            diagram.draw()
        });
        section.add(html! {
            noscript {
                p { "Scripts are off, so no game can be replayed. This is game " (row.game) "; games.pgn has all." }
                pre { code { (printable(pgn.trim_end())) } }
            }
            div.replay hidden tabindex="-1" data-folder=(printable(&folder)) {
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
                script type="application/json" { (PreEscaped(format!("[{}]", games.join(",\n")))) }
            }
        });
        Ok(Some(section))
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
        if matches!(letter, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') || is_unprintable(letter) {
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
