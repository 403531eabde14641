//! A chess board as a picture: a position, and arrows with their meanings.

pub mod pieces;

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
use lmrlab_engine::position::Position;

use crate::report::chart::Picture;
use crate::report::chart::svg::{Dash, Elements, Ink, Words, shortened};

/// Width of a square, in the picture's units.
const SQUARE: f64 = 45.0;
/// Where the board begins, to the right of the numbers of the ranks.
const LEFT: f64 = 18.0;
/// Height of the line of the title.
const TITLE: f64 = 26.0;
/// Height of a line under the board.
const LINE: f64 = 21.0;

/// A move that a board shows, and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// Where it begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// Its series: colour and dash.
    pub series: usize,
    /// The text about it under the board, such as `Nf5: hidden by the reduction`. Nothing when empty.
    pub meaning: String,
}

impl Arrow {
    /// The arrow of a move. A king that castles goes to its new place.
    pub fn of(board: &Board, mv: Move, series: usize, meaning: String) -> Self {
        // The move of the king is written as one to its rook.
        let castles = board.colors(board.side_to_move()).has(mv.to);
        let file = if mv.to.file() > mv.from.file() {
            File::G
        } else {
            File::C
        };
        Self {
            from: mv.from,
            to: match castles {
                true => Square::new(file, mv.from.rank()),
                false => mv.to,
            },
            series,
            meaning,
        }
    }
}

/// A position to draw.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The name of the picture in links and as a file: letters, digits and dashes.
    pub id: String,
    /// What it shows. It stands above the board.
    pub title: String,
    /// The position.
    pub position: Board,
    /// Moves.
    pub arrows: Vec<Arrow>,
    /// The side at the bottom of the board.
    pub below: Color,
}

impl Diagram {
    /// The position of this FEN, seen by the side to move; `None` when it is not a legal position.
    pub fn of(id: impl Into<String>, title: impl Into<String>, fen: &str) -> Option<Self> {
        let position = Position::from_fen(fen).ok()?.board().clone();
        Some(Self {
            id: id.into(),
            title: title.into(),
            below: position.side_to_move(),
            position,
            arrows: Vec::new(),
        })
    }

    /// Draws the board. The text for readers who cannot see it is the position in words, then the arrows.
    pub fn draw(self) -> Picture {
        let mut elements = Elements::default();
        let top = if self.title.is_empty() { 4.0 } else { TITLE };
        let width = LEFT + 8.0 * SQUARE + 6.0;
        if !self.title.is_empty() {
            let title = shortened(&self.title, 16.0, width - LEFT - 4.0);
            let words = Words {
                bold: true,
                ..Words::new(&title, 16.0)
            };
            elements.words((LEFT, 18.0), words);
        }
        let grid = Grid { top, below: self.below };
        grid.squares(&mut elements);
        grid.pieces(&mut elements, &self.position);
        for arrow in &self.arrows {
            grid.arrow(&mut elements, arrow);
        }
        let mut bottom = top + 8.0 * SQUARE + 18.0;
        for arrow in self.arrows.iter().filter(|arrow| !arrow.meaning.is_empty()) {
            bottom += LINE;
            let y = bottom - 8.0;
            let dash = Dash::of_series(arrow.series);
            elements.line((LEFT, y), (LEFT + 26.0, y), Ink::Series(arrow.series), 3.5, dash);
            let text = shortened(&arrow.meaning, 15.0, 8.0 * SQUARE - 34.0);
            elements.words((LEFT + 34.0, y + 5.0), Words::new(&text, 15.0));
        }
        let arrows = self.arrows.iter().map(|arrow| match arrow.meaning.as_str() {
            "" => format!(" Arrow from {} to {}.", arrow.from, arrow.to),
            meaning => format!(" {meaning}."),
        });
        let description = in_words(&self.position) + "." + &arrows.collect::<String>();
        Picture::new(self.id, self.title, description, (width, bottom + 4.0), elements).with_symbols(pieces::SYMBOLS)
    }
}

/// A position in words: `White: Kg1, Qd1, a2; Black: Kg8; White to move`.
pub fn in_words(position: &Board) -> String {
    let side = |colour: Color| {
        let kinds = [
            Piece::King,
            Piece::Queen,
            Piece::Rook,
            Piece::Bishop,
            Piece::Knight,
            Piece::Pawn,
        ];
        let places = kinds.into_iter().flat_map(|kind| {
            let squares = position.colored_pieces(colour, kind).into_iter();
            squares.map(move |square| format!("{}{square}", pieces::letter(kind)))
        });
        places.collect::<Vec<_>>().join(", ")
    };
    format!(
        "White: {}; Black: {}; {} to move",
        side(Color::White),
        side(Color::Black),
        match position.side_to_move() {
            Color::White => "White",
            Color::Black => "Black",
        }
    )
}

/// Where squares are.
struct Grid {
    top: f64,
    below: Color,
}

impl Grid {
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (square.file() as usize as f64, square.rank() as usize as f64);
        let (column, row) = match self.below {
            Color::White => (file, 7.0 - rank),
            Color::Black => (7.0 - file, rank),
        };
        (LEFT + column * SQUARE, self.top + row * SQUARE)
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn squares(&self, elements: &mut Elements) {
        let end = |(x, y): (f64, f64)| (x + SQUARE, y + SQUARE);
        let (from, to) = ((LEFT, self.top), (LEFT + 8.0 * SQUARE, self.top + 8.0 * SQUARE));
        elements.rectangle(from, to, Ink::LightSquare, 1.0, None);
        for square in Square::ALL {
            let corner = self.corner(square);
            if (square.file() as usize + square.rank() as usize).is_multiple_of(2) {
                elements.rectangle(corner, end(corner), Ink::DarkSquare, 1.0, None);
            }
        }
        elements.frame(from, to, Ink::Axis, 1.0, Dash::Solid);
        for (index, (file, rank)) in File::ALL.into_iter().zip(Rank::ALL).enumerate() {
            let small = |text: &str, elements: &mut Elements, at| {
                let words = Words {
                    ink: Ink::Note,
                    ..Words::centred(text, 13.0)
                };
                elements.words(at, words);
            };
            let place = match self.below {
                Color::White => index,
                Color::Black => 7 - index,
            } as f64;
            let at = LEFT + (place + 0.5) * SQUARE;
            small(&file.to_string(), elements, (at, to.1 + 14.0));
            let at = self.top + (7.5 - place) * SQUARE + 4.0;
            small(&rank.to_string(), elements, (LEFT - 9.0, at));
        }
    }

    fn pieces(&self, elements: &mut Elements, position: &Board) {
        for square in position.occupied() {
            let (Some(piece), Some(colour)) = (position.piece_on(square), position.color_on(square)) else {
                continue;
            };
            let name = format!("{}{piece}", pieces::PREFIX);
            elements.symbol(&name, self.corner(square), SQUARE, pieces::class(colour));
        }
    }

    fn arrow(&self, elements: &mut Elements, arrow: &Arrow) {
        let (from, to) = (self.middle(arrow.from), self.middle(arrow.to));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let along = |start: (f64, f64), far: f64, aside: f64| {
            (start.0 + ux * far - uy * aside, start.1 + uy * far + ux * aside)
        };
        let ink = Ink::Series(arrow.series);
        let dash = Dash::of_series(arrow.series);
        elements.line(along(from, 9.0, 0.0), along(to, -11.0, 0.0), ink, 5.5, dash);
        let tip = [along(to, 3.0, 0.0), along(to, -13.0, 8.5), along(to, -13.0, -8.5)];
        elements.polygon(&tip, ink, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r4rk1/pp3ppp/2n1b3/3q4/3P4/5N2/PP2QPPP/R4RK1 w - - 0 1";

    fn diagram() -> Diagram {
        Diagram::of("board", "A position", FEN).unwrap()
    }

    #[test]
    fn a_position_in_words() {
        assert_eq!(
            in_words(&diagram().position),
            "White: Kg1, Qe2, Ra1, Rf1, Nf3, a2, b2, f2, g2, h2, d4; \
             Black: Kg8, Qd5, Ra8, Rf8, Be6, Nc6, a7, b7, f7, g7, h7; White to move"
        );
        assert!(Diagram::of("x", "", "no position").is_none());
    }

    #[test]
    fn each_piece_is_used_from_the_symbols_that_a_file_has_once() {
        let picture = diagram().draw();
        let (element, file) = (picture.element(), picture.file());
        assert_eq!(element.matches("<use href=\"#piece-").count(), 22);
        assert!(!element.contains("<symbol"), "a page has them once");
        assert_eq!(file.matches("<symbol id=\"piece-").count(), 6);
    }

    #[test]
    fn the_side_below_decides_where_squares_are() {
        let corner = |below| Grid { top: 0.0, below }.corner(Square::A1);
        assert_eq!(corner(Color::White), (LEFT, 7.0 * SQUARE));
        assert_eq!(corner(Color::Black), (LEFT + 7.0 * SQUARE, 0.0));
    }

    #[test]
    fn a_king_that_castles_goes_to_its_new_place() {
        let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        for (mv, to) in [("e1h1", Square::G1), ("e1a1", Square::C1), ("h1h8", Square::H8)] {
            assert_eq!(Arrow::of(&board, mv.parse().unwrap(), 0, String::new()).to, to);
        }
    }

    #[test]
    fn arrows_say_what_they_mean() {
        let mut diagram = diagram();
        diagram.arrows.push(Arrow {
            from: Square::F3,
            to: Square::G5,
            series: 1,
            meaning: "Ng5: hidden <by> the reduction".to_owned(),
        });
        let picture = diagram.draw();
        assert!(
            picture
                .description
                .ends_with("White to move. Ng5: hidden <by> the reduction.")
        );
        assert!(picture.element().contains("hidden &lt;by&gt; the reduction</text>"));
    }
}
