//! The pieces: one symbol each, which boards use as often as they need. They were drawn for this project, on squares of
//! 45 units.

use cozy_chess::{Color, Piece};

/// The prefix of the names of the symbols. A text with this prefix in it needs [`SYMBOLS`] beside it.
pub const PREFIX: &str = "#piece-";

/// The symbols. A page or a file has them once. The element that uses one has fill and stroke; `color` draws details.
pub const SYMBOLS: &str = concat!(
    "<defs>",
    "<symbol id=\"piece-p\" viewBox=\"0 0 45 45\"><path d=\"M17 33c3.4-3.6 3.9-7.4 3.2-12h4.6c-.7 4.6-.2 8.4 3.2 12z\"/>",
    "<path d=\"M11.5 39.5h22v-3c0-2.3-1.8-4-4.2-4H15.7c-2.4 0-4.2 1.7-4.2 4z\"/><circle cx=\"22.5\" cy=\"15.5\" r=\"6.3\"/></symbol>",
    "<symbol id=\"piece-n\" viewBox=\"0 0 45 45\"><path d=\"M13.5 35.5c0-7.5 7-9.5 8-15-3 .7-4.7 3.7-8 5.7-2.8 1.6-5.7-.2-5.7-3",
    " 0-3.3 3.9-5.9 5.4-10 .7-2 2-3.7 4-4.7l.3-4.5 5.2 3.5c8.3 1.3 12.3 8.7 12.3 17.5 0 3.7-.5 7-1 10.5z\"/>",
    "<path d=\"M10.5 39.5h26v-4.5h-26z\"/><circle cx=\"18.3\" cy=\"14\" r=\".9\" fill=\"none\" stroke=\"currentColor\"/>",
    "<path d=\"M25.5 11.5c4 3.2 5.7 8 5.7 14.5\" fill=\"none\" stroke=\"currentColor\"/></symbol>",
    "<symbol id=\"piece-b\" viewBox=\"0 0 45 45\"><path d=\"M22.5 10c-6 4.3-8.8 8.8-8.8 13.2 0 3.8 1.9 6.6 4.5 9.3h8.6",
    "c2.6-2.7 4.5-5.5 4.5-9.3 0-4.4-2.8-8.9-8.8-13.2z\"/><circle cx=\"22.5\" cy=\"7.3\" r=\"2.9\"/>",
    "<path d=\"M10 39.5h25v-2.7c0-2.5-3.5-4.3-7-4.3H17c-3.5 0-7 1.8-7 4.3z\"/>",
    "<path d=\"M26.3 14.8l-5.3 7.5M17.5 28h10\" fill=\"none\" stroke=\"currentColor\"/></symbol>",
    "<symbol id=\"piece-r\" viewBox=\"0 0 45 45\"><path d=\"M14 34.5l1.8-14.5h13.4l1.8 14.5z\"/>",
    "<path d=\"M10 39.5h25v-5H10z\"/><path d=\"M11.5 8h5.5v3.5h3V8h5v3.5h3V8h5.5v8.5l-3.5 4h-15l-3.5-4z\"/>",
    "<path d=\"M15.5 16h14\" fill=\"none\" stroke=\"currentColor\"/></symbol>",
    "<symbol id=\"piece-q\" viewBox=\"0 0 45 45\"><path d=\"M7 16l6 16h19l6-16-6.5 6.5-1-11-4.7 9.5-3.3-11.5-3.3 11.5-4.7-9.5-1 11z\"/>",
    "<circle cx=\"6.7\" cy=\"14\" r=\"2.2\"/><circle cx=\"14.3\" cy=\"9.4\" r=\"2.2\"/><circle cx=\"22.5\" cy=\"7.3\" r=\"2.2\"/>",
    "<circle cx=\"30.7\" cy=\"9.4\" r=\"2.2\"/><circle cx=\"38.3\" cy=\"14\" r=\"2.2\"/>",
    "<path d=\"M11 39.5h23v-3.5l-2-4.5H13l-2 4.5z\"/><path d=\"M13.5 35.5h18\" fill=\"none\" stroke=\"currentColor\"/></symbol>",
    "<symbol id=\"piece-k\" viewBox=\"0 0 45 45\"><path d=\"M20.8 14.5v-3.7h-3.6V7.4h3.6V3.7h3.4v3.7h3.6v3.4h-3.6v3.7z\"/>",
    "<path d=\"M13 32L8.5 18.5C12.5 15 17.5 13.8 22.5 13.8s10 1.2 14 4.7L32 32z\"/>",
    "<path d=\"M11 39.5h23v-3.5l-2-4.5H13l-2 4.5z\"/>",
    "<path d=\"M13.5 35.5h18M14 20.5c5.5-2.3 11.5-2.3 17 0\" fill=\"none\" stroke=\"currentColor\"/></symbol>",
    "</defs>"
);

/// The classes of white and black pieces in a style sheet.
pub fn class(colour: Color) -> &'static str {
    match colour {
        Color::White => "pw",
        Color::Black => "pb",
    }
}

/// The letter of a piece, as a position in words has it; a pawn has none.
pub fn letter(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "",
        Piece::Knight => "N",
        Piece::Bishop => "B",
        Piece::Rook => "R",
        Piece::Queen => "Q",
        Piece::King => "K",
    }
}
