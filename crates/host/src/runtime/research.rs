//! `[research]`: how a move is searched again when the score of its reduced search asks for it.

use std::ops::RangeInclusive;

/// The range of `above` and of `reduction`, in plies; the defaults are 2 and 1.
pub const STEPS: RangeInclusive<i32> = 1..=64;
/// The range of `threat_feedback`, in plies.
pub const THREAT_FEEDBACKS: RangeInclusive<i32> = 1..=128;

/// A policy's `[research]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Research {
    /// How the move is searched again.
    pub ladder: Ladder,
    /// Which score of the reduced search triggers the re-search.
    pub trigger: Trigger,
    /// Whether the re-search of a quiet move updates the histories: a bonus when its score is above alpha, a malus
    /// otherwise. Default false. (Stockfish 11)
    pub updates_history: bool,
    /// It works below this depth, in plies. When a null move in the child of a reduced move fails low, and its
    /// refutation is connected with the reduced move, the child returns a fail low. So the reduced move is searched
    /// again. Default: never. (Glaurung 2.2: 5)
    pub threat_feedback: Option<u32>,
}

/// How a move is searched again: the sequence of re-searches.
///
/// "Full depth" is the depth of the unreduced move, its extension included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ladder {
    /// No re-search in a null-window node. With an open window: full depth with the full window when the score is inside the
    /// window. (Mediocre 0.5)
    None,
    /// Full depth with a null window, then, inside the window, full depth with the full window. (Glaurung, Stockfish,
    /// Mediocre 2007)
    #[default]
    NullThenFull,
    /// Full depth with the full window at once. (Senpai, MadChess 2.0)
    Full,
    /// In PV nodes the reduced depth with the full window, then full depth only if that score is at or above beta. A score
    /// inside the window is final. In other nodes full depth at once. (Toga II 3.0)
    FullReducedFirst,
    /// One ply deeper at a time while the trigger holds, up to the full depth, with the full window throughout. (micro-Max 4)
    StepUp,
    /// A move that was reduced by more than `above` plies is first searched again reduced by `reduction` plies, with a null
    /// window. When the trigger still holds, or when it was reduced by less, as [`Ladder::NullThenFull`]. (Stockfish 1.8)
    Intermediate {
        /// The greatest reduction, in plies, that has no intermediate step.
        above: u32,
        /// The reduction of the intermediate step, in plies.
        reduction: u32,
    },
    /// As [`Ladder::NullThenFull`], but [`Program::depth_change`] changes the full depth: one ply more if `deeper`
    /// holds, one ply less if `shallower` holds. There is no null-window search when that depth is not above the
    /// reduced one. (Stockfish 15.1)
    ///
    /// [`Program::depth_change`]: crate::runtime::Program::depth_change
    ByScore,
}

/// Every ladder: its name in a file, itself with its defaults, and what it does. The first is the default.
pub const LADDERS: [(&str, Ladder, &str); 7] = rows! {
    "null_then_full", Ladder::NullThenFull, "full depth with a null window; then, if the score is inside the window, full depth with the full window (Glaurung, Stockfish, Mediocre 2007)";
    "none", Ladder::None, "no re-search in null-window nodes; with an open window, full depth with the full window when the score is inside the window (Mediocre 0.5)";
    "full", Ladder::Full, "full depth with the full window at once (Senpai, MadChess 2.0)";
    "full_reduced_first", Ladder::FullReducedFirst, "in PV nodes the reduced depth with the full window, then full depth only if that score is at or above beta; elsewhere full depth at once (Toga II 3.0)";
    "step_up", Ladder::StepUp, "one ply deeper at a time while the trigger holds, with the full window (micro-Max 4)";
    "intermediate", Ladder::Intermediate { above: 2, reduction: 1 }, "a move reduced by more than `above` plies (default 2) is first searched again reduced by `reduction` plies (default 1); then as `null_then_full` (Stockfish 1.8)";
    "by_score", Ladder::ByScore, "as `null_then_full`, a ply deeper where `deeper` holds and a ply shallower where `shallower` does (Stockfish 15.1)";
};

named! {
    /// Which score of the reduced search triggers a re-search. The first is the default.
    #[derive(Default)]
    Trigger {
        #[default]
        AboveAlpha "above_alpha" "above the current alpha";
        AtOrAboveBeta "at_or_above_beta" "at or above beta (Fruit, Toga)";
        AboveOriginalAlpha "above_original_alpha" "above the alpha with which the node was entered (micro-Max 4)";
        AboveBestScore "above_best_score" "above the best score of the node so far (MadChess 2.0)";
    }
}

impl Ladder {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        let is_kind = |ladder: &Self| std::mem::discriminant(ladder) == std::mem::discriminant(&self);
        let found = LADDERS.iter().find(|(_, ladder, _)| is_kind(ladder));
        found.map_or("", |(name, ..)| name)
    }
}
