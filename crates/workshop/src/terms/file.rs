//! The text of the engine's source file of weights.

use std::fmt::Write as _;

use lmrlab_engine::evaluation::terms::TERMS;

use crate::command_line;

/// The text of `crates/engine/src/weights/values.rs`, with a header about the fit.
pub(super) fn text(weights: &[f32], said: &str, games: usize) -> String {
    let command = command_line();
    let said: String = said.lines().map(|line| format!("//! {line}\n")).collect();
    let mut text = format!(
        "\
//! The numbers of the evaluation, in the order of the catalogue of terms: middlegame and endgame, in centipawns; for
//! the terms of danger, in attack units.
//!
//! Written by
//!
//! ```text
//! {command}
//! ```
//!
//! from quiet positions of {games} games that this engine played against itself. It began with the weights that the engine had then.
//! Losses before and after:
//!
//! ```text
{said}//! ```
//!
//! After the fit the tables of squares and mobility were centred, and their means moved into the material. Then all weights were
//! multiplied by one factor, which makes a pawn worth 100 in the endgame.

use super::tapered::{{Tapered, t}};
use super::terms::WEIGHT_COUNT;

/// What every term is worth.
#[rustfmt::skip]
pub(crate) static WEIGHTS: [Tapered; WEIGHT_COUNT] = [
"
    );
    for term in TERMS {
        let _ = writeln!(text, "    // {}", term.name);
        let weights = weights
            .get(2 * term.first..2 * (term.first + term.count))
            .unwrap_or_default();
        for row in weights.chunks(2 * term.row) {
            let row: Vec<String> = row
                .chunks(2)
                .map(|pair| format!("t({}, {}),", pair[0] as i32, pair[1] as i32))
                .collect();
            let _ = writeln!(text, "    {}", row.join(" "));
        }
    }
    text.push_str("];\n");
    text
}
