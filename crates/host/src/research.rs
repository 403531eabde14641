//! `research`: how a move is searched again when the score of its reduced search asks for it.

/// The sequence of re-searches. "Full depth" is the depth of the unreduced move, its extension included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ladder {
    /// No re-search in a null-window node. With an open window: full depth with the full window when the score is inside it.
    None,
    /// Full depth with a null window; then, if the score is inside the window, full depth with the full window.
    NullThenFull,
    /// Full depth with the full window at once.
    Full,
    /// In PV nodes the reduced depth with the full window, then full depth only if that score is at or above beta. In other
    /// nodes full depth at once.
    FullReducedFirst,
    /// One ply deeper at a time while the trigger holds, with the full window.
    StepUp,
    /// A move reduced by more than [`Research::above`] plies is first searched again reduced by [`Research::reduction`]
    /// plies. Then as [`Ladder::NullThenFull`].
    Intermediate,
    /// As [`Ladder::NullThenFull`], but the policy may change the full depth by a ply: see
    /// [`Host::depth_change`](crate::Host::depth_change).
    ByScore,
}

impl Ladder {
    /// The names in files.
    pub(crate) const NAMES: &[(&str, Self)] = &[
        ("none", Self::None),
        ("null_then_full", Self::NullThenFull),
        ("full", Self::Full),
        ("full_reduced_first", Self::FullReducedFirst),
        ("step_up", Self::StepUp),
        ("intermediate", Self::Intermediate),
        ("by_score", Self::ByScore),
    ];
}

/// Which score of the reduced search triggers a re-search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trigger {
    /// Above the current alpha.
    AboveAlpha,
    /// At or above beta.
    AtOrAboveBeta,
    /// Above the alpha with which the node was entered.
    AboveOriginalAlpha,
    /// Above the best score of the node so far.
    AboveBestScore,
}

impl Trigger {
    /// The names in files.
    pub(crate) const NAMES: &[(&str, Self)] = &[
        ("above_alpha", Self::AboveAlpha),
        ("at_or_above_beta", Self::AtOrAboveBeta),
        ("above_original_alpha", Self::AboveOriginalAlpha),
        ("above_best_score", Self::AboveBestScore),
    ];
}

/// How a policy searches a move again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Research {
    /// The sequence of re-searches.
    pub ladder: Ladder,
    /// What triggers the first of them.
    pub trigger: Trigger,
    /// Whether the re-search of a quiet move updates the histories: a bonus when its score is above alpha, a malus otherwise.
    pub updates_history: bool,
    /// The greatest reduction without an intermediate step, in plies; only for [`Ladder::Intermediate`].
    pub above: u32,
    /// The reduction of the intermediate step, in plies; only for [`Ladder::Intermediate`].
    pub reduction: u32,
    /// It works below this depth, in plies. When a null move in the child of a reduced move fails low, and its
    /// refutation is connected with the reduced move, the child returns a fail low. `None`: never.
    pub threat_feedback: Option<u32>,
}
