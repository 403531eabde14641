//! The text of the engine's source file of weights.

use std::fmt::Write as _;

use lmrlab_engine::evaluation::terms::TERMS;

use super::fit::Fit;

/// The origin of the weights, for the head of the file.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The command line that fitted them.
    pub command: String,
    /// The number of games with these positions.
    pub games: usize,
}

/// The text of `crates/engine/src/weights/values.rs`.
pub fn text(fit: &Fit, origin: &Origin) -> String {
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
//! from {positions} quiet positions of {games} games that this engine played against itself, beginning with the weights
//! that it had then. Mean loss (cross-entropy less the entropy of the targets, in nats), before and after:
//!
//! ```text
//! training    {training:>8} positions  {training_before:.6} -> {training_after:.6}
//! validation  {validation:>8} positions  {validation_before:.6} -> {validation_after:.6}
//! ```
//!
//! Passes over the positions: {epochs}. Steepness of the logistic curve: {curve:.6} per centipawn. Afterwards the
//! tables of squares and mobility were centred, their means moved into the material, and all weights multiplied by
//! {factor:.4}, which makes a pawn worth 100 in the endgame.

use super::tapered::{{Tapered, t}};
use super::terms::WEIGHT_COUNT;

/// What every term is worth.
#[rustfmt::skip]
pub(crate) static WEIGHTS: [Tapered; WEIGHT_COUNT] = [
",
        command = origin.command,
        positions = fit.training.positions + fit.validation.positions,
        games = origin.games,
        training = fit.training.positions,
        training_before = fit.training.before,
        training_after = fit.training.after,
        validation = fit.validation.positions,
        validation_before = fit.validation.before,
        validation_after = fit.validation.after,
        epochs = fit.epochs,
        curve = fit.curve,
        factor = fit.rescaled_by,
    );
    for term in TERMS {
        for line in term.meaning.lines() {
            let _ = writeln!(text, "    // {}", line.trim());
        }
        let _ = writeln!(text, "    // {}", term.name);
        let weights = fit.weights.get(term.first..term.first + term.count).unwrap_or_default();
        for row in weights.chunks(term.row) {
            let row: Vec<String> = row
                .iter()
                .map(|[middlegame, endgame]| format!("t({middlegame}, {endgame}),"))
                .collect();
            let _ = writeln!(text, "    {}", row.join(" "));
        }
    }
    text.push_str("];\n");
    text
}
