//! The parameters of the search: its features, each on or off, and their numbers.
//!
//! Every parameter is declared once, in the table below. The field, the key of preset files, the UCI option and the
//! documentation come from the same line.

use lmrlab_diagnostics::nearest;

/// How positions are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationMethod {
    /// Material and piece-square tables.
    PieceSquare,
    /// The sum of all terms.
    Terms,
    /// Material, piece squares, pawn structure and king shelter, and the neural network.
    Network,
}

/// The depth that the pruning of single moves uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PruningDepth {
    /// The node's depth.
    Nominal,
    /// The node's depth less the policy's reduction of the move (Stockfish's `lmrDepth`).
    Reduced,
    /// The node's depth less a reduction by the logarithms of depth and move number, the same for all policies.
    Logarithmic,
}

/// The type and range of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// On or off.
    Switch,
    /// An integer within bounds.
    Integer {
        /// The least value.
        min: i32,
        /// The greatest value.
        max: i32,
    },
    /// One of these words. The value is its index.
    Choice(&'static [&'static str]),
}

/// The declaration of a search parameter.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// The name in preset files and, after `Search.`, in UCI options.
    pub name: &'static str,
    /// The type and range.
    pub kind: ParameterKind,
    /// The value when a preset does not set it; a switch is 0 or 1, a choice its index.
    pub default: i32,
    /// What the parameter does, with unit and source.
    pub meaning: &'static str,
}

impl Declaration {
    /// The parameter with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        DECLARATIONS.iter().find(|d| d.name == name)
    }
}

/// An unknown parameter, or a value that it does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

macro_rules! search_parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:tt = $default:tt $(in ($($range:tt)+))?;)*) => {
        /// The parameters of a search. The defaults are those of the `standard` preset.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct SearchParameters {
            $($(#[doc = $doc])+ pub $name: $type,)*
        }

        impl Default for SearchParameters {
            fn default() -> Self {
                Self { $($name: search_parameters!(@value $type $default),)* }
            }
        }

        /// All search parameters, in the order of their declaration.
        pub const DECLARATIONS: &[Declaration] = &[
            $(Declaration {
                name: stringify!($name),
                kind: search_parameters!(@kind $type $($($range)+)?),
                default: search_parameters!(@value $type $default) as i32,
                meaning: concat!($($doc),+),
            },)*
        ];

        impl SearchParameters {
            /// The value of a parameter (a switch is 0 or 1, a choice its index); `None` when there is none of that name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match Declaration::named(name)?.name {
                    $(stringify!($name) => Some(self.$name as i32),)*
                    _ => None,
                }
            }

            pub(crate) fn store(&mut self, name: &str, value: i32) {
                match name {
                    $(stringify!($name) => self.$name = search_parameters!(@from $type value),)*
                    _ => {}
                }
            }
        }
    };
    (@kind bool) => { ParameterKind::Switch };
    (@kind i32 $min:literal..=$max:literal) => { ParameterKind::Integer { min: $min, max: $max } };
    (@kind PruningDepth $($word:ident)|+) => { ParameterKind::Choice(&[$(stringify!($word)),+]) };
    (@value PruningDepth $default:ident) => { PruningDepth::$default };
    (@value $type:tt $default:literal) => { $default };
    (@from bool $value:ident) => { $value != 0 };
    (@from i32 $value:ident) => { $value };
    (@from PruningDepth $value:ident) => {
        match $value {
            1 => PruningDepth::Reduced,
            2 => PruningDepth::Logarithmic,
            _ => PruningDepth::Nominal,
        }
    };
}

search_parameters! {
    /// Evaluate pawn structure, passed pawns, mobility and king safety; when off, only material and piece-square tables.
    full_evaluation: bool = true;
    /// Evaluate what pieces do together by a small neural network (Nasu 2018); when off, terms do it. Needs `full_evaluation`.
    network_evaluation: bool = true;
    /// Correct the static evaluation by its past error in similar positions: same pawns, same pieces of a side (correction
    /// history; Caissa 2023, Stockfish 2023).
    correction_history: bool = true;
    /// Use a transposition table.
    transposition_table: bool = true;
    /// Half the width of the first aspiration window, in centipawns; 0 for an open window.
    aspiration_window: i32 = 15 in (0..=1000);
    /// Least depth of an aspiration window, in plies.
    aspiration_min_depth: i32 = 4 in (1..=64);
    /// Search moves after the first with a null window first (principal variation search; Marsland, Campbell 1982).
    principal_variation_search: bool = true;

    /// Extend moves that give check by one ply.
    check_extension: bool = true;
    /// Extend checks only when they do not lose material, by static exchange evaluation.
    check_extension_see: bool = true;
    /// Extend the only legal move of a position by one ply (Fruit 2.1, 2005).
    single_reply_extension: bool = false;
    /// Extend pawn moves to the seventh rank by one ply (Glaurung 2.2, 2008).
    pawn_to_seventh_extension: bool = false;
    /// Extend the transposition table move when all other moves fail low against its stored score less a margin (singular
    /// extension; Anantharaman, Campbell, Hsu 1988, in the form of Stockfish 2010). If other moves reach beta too,
    /// the node is cut off, or the move is searched to less depth.
    singular_extension: bool = true;
    /// Least depth of the singular extension, in plies.
    singular_min_depth: i32 = 7 in (4..=64);
    /// The margin below the stored score, in centipawns per 16 plies of depth.
    singular_margin: i32 = 24 in (0..=400);
    /// The further margin for a second ply of extension in null-window nodes, in centipawns; 1000 for never.
    singular_double_margin: i32 = 20 in (0..=1000);

    /// Without a transposition table move, find one by a shallower search (internal iterative deepening; Scott 1969). In
    /// principal variation nodes from depth 5.
    internal_iterative_deepening: bool = false;
    /// Greatest depth, in plies, at which a principal variation node searches its later moves one ply shallower once a move has
    /// raised alpha; 0 for never (Stockfish 2022). Policies see the lower depth.
    alpha_raise_max_depth: i32 = 6 in (0..=64);

    /// Cut off when the static evaluation is far above beta (reverse futility pruning; Heinz 1998 as static null move).
    reverse_futility: bool = true;
    /// Greatest depth of reverse futility pruning, in plies.
    reverse_futility_max_depth: i32 = 8 in (1..=32);
    /// The margin above beta, in centipawns a ply.
    reverse_futility_margin: i32 = 50 in (0..=500);
    /// Cut off when passing still reaches beta (null move pruning; Donninger 1993).
    null_move: bool = true;
    /// Least depth of null move pruning, in plies.
    null_move_min_depth: i32 = 2 in (1..=64);
    /// The base reduction of the search after a null move, in plies.
    null_move_reduction: i32 = 3 in (1..=8);
    /// Reduce by one more ply each time the depth grows by this many plies; 0 for never.
    null_move_depth_divisor: i32 = 5 in (0..=64);
    /// Reduce by one more ply, up to three, each time the static evaluation is this many centipawns further above beta; 0 for never.
    null_move_eval_divisor: i32 = 200 in (0..=1000);
    /// Make a null move only when the static evaluation is at least beta.
    null_move_needs_eval: bool = true;
    /// Verify a null move's cutoff from this depth on, by a shallower search of the position itself; with at most one piece
    /// left, from depth 6 on (verified null move; Plenkner 1995, after Fruit and Glaurung). 0 for never.
    null_move_verification_depth: i32 = 14 in (0..=64);

    /// The depth that futility, late move, history and SEE pruning use: the node's (`nominal`), the depth after the policy's
    /// reduction (`reduced`; Stockfish's `lmrDepth`), or the depth less 0.8 + ln(depth) * ln(move number) / 2.3
    /// (`logarithmic`). Only with `reduced` does an experiment on reductions change pruning.
    pruning_depth: PruningDepth = Logarithmic in (nominal | reduced | logarithmic);
    /// With `logarithmic`, the depth grows by a ply each time the histories of a quiet move grow by this value, and shrinks likewise;
    /// 0 for never (Stockfish 2022). The histories of a move sum to at most 65536.
    pruning_history_ply: i32 = 8000 in (0..=65536);
    /// Skip quiet moves that cannot raise the static evaluation to alpha (futility pruning; Heinz 1998).
    futility: bool = true;
    /// Greatest depth of futility pruning, in plies of `pruning_depth`.
    futility_max_depth: i32 = 12 in (1..=32);
    /// The margin below alpha at depth 0, in centipawns.
    futility_base: i32 = 90 in (0..=1000);
    /// The further margin for each ply, in centipawns.
    futility_margin: i32 = 50 in (0..=500);
    /// Skip the last quiet moves of shallow nodes (late move pruning, or move-count pruning; Stockfish 1.0, Romstad 2008).
    late_move_pruning: bool = true;
    /// Greatest depth of late move pruning, in plies of `pruning_depth`.
    late_move_pruning_max_depth: i32 = 16 in (1..=32);
    /// The number of quiet moves searched at depth 0; half of it when not improving.
    late_move_pruning_base: i32 = 9 in (0..=64);
    /// Further quiet moves for each squared ply, in hundredths; half of it when not improving.
    late_move_pruning_growth: i32 = 300 in (0..=1000);
    /// Skip quiet moves with a bad history at shallow depth (history leaf pruning; Fruit 2.1, 2005).
    history_pruning: bool = false;
    /// Greatest depth of history pruning, in plies of `pruning_depth`.
    history_pruning_max_depth: i32 = 4 in (1..=32);
    /// Prune below minus this, for each ply of depth. The histories of a move sum to at most 65536.
    history_pruning_margin: i32 = 2000 in (0..=65536);
    /// Skip moves that lose material at shallow depth, by static exchange evaluation (SEE pruning).
    see_pruning: bool = true;
    /// Greatest depth of SEE pruning, in plies of `pruning_depth`.
    see_pruning_max_depth: i32 = 12 in (1..=32);
    /// The loss that a quiet move may have, in centipawns a squared ply.
    see_pruning_quiet_margin: i32 = 20 in (0..=500);
    /// The loss that a capture may have, in centipawns a ply.
    see_pruning_capture_margin: i32 = 90 in (0..=500);

    /// Try the last two quiet moves that caused a cutoff at the same ply early (killer moves; Akl, Newborn 1977).
    killers: bool = true;
    /// Order quiet moves by how often they caused cutoffs (history heuristic; Schaeffer 1983).
    history: bool = true;
    /// Keep the counts of `history` apart by whether the enemy attacks a move's origin and its destination.
    threat_history: bool = true;
    /// Order quiet moves by their success after the moves one, two and four plies before (continuation history; Stockfish
    /// 2014).
    continuation_history: bool = true;
    /// Order a quiet move later when a lesser enemy piece attacks its destination, and earlier when one attacks its origin: the
    /// value for a queen; four, three and two fifths of it for a rook, bishop and knight; 0 for never (Stockfish 2022). The
    /// histories of a move sum to at most 65536.
    threat_ordering: i32 = 20000 in (0..=65536);
    /// Order quiet moves that give check by their own piece earlier: the value, as above; 0 for never (Stockfish 2022).
    check_ordering: i32 = 16000 in (0..=65536);
    /// Order captures by their past success, besides the victim (capture history; Stockfish 2016).
    capture_history: bool = true;
    /// The bonus of a cutoff for each ply of depth, and the malus of the moves tried before.
    history_bonus: i32 = 170 in (1..=2000);
    /// The greatest bonus of one cutoff.
    history_bonus_max: i32 = 1600 in (1..=16384);
    /// Try captures that lose material, by static exchange evaluation, after all quiet moves.
    losing_captures_last: bool = true;

    /// Skip captures that lose material in quiescence, by static exchange evaluation.
    quiescence_see_pruning: bool = true;
    /// Skip captures in quiescence that cannot raise the evaluation to alpha (delta pruning).
    quiescence_delta_pruning: bool = false;
    /// The margin of delta pruning, in centipawns.
    quiescence_delta_margin: i32 = 150 in (0..=1000);
    /// Search all evasions when in check in quiescence; when off, only captures.
    quiescence_evasions: bool = true;
    /// The number of quiet evasions to search in quiescence once a move has avoided mate; 0 for all (Stockfish 2020).
    quiescence_quiet_evasions: i32 = 1 in (0..=218);
    /// Search quiet checks in the first ply of quiescence (Fruit 2.1, 2005).
    quiescence_checks: bool = false;
}

impl SearchParameters {
    /// How positions are evaluated.
    #[inline]
    pub fn evaluation_method(&self) -> EvaluationMethod {
        match (self.full_evaluation, self.network_evaluation) {
            (true, true) => EvaluationMethod::Network,
            (true, false) => EvaluationMethod::Terms,
            (false, _) => EvaluationMethod::PieceSquare,
        }
    }

    /// Sets a parameter by name from a text: a number, `true` or `false` for a switch, or the word of a choice.
    ///
    /// # Errors
    /// The name is unknown, or the text is not a value of the parameter.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        let kind = Declaration::named(name).map(|d| d.kind);
        let value = match (kind, text) {
            (Some(ParameterKind::Switch), "true") => Some(1),
            (Some(ParameterKind::Switch), "false") => Some(0),
            (Some(ParameterKind::Choice(words)), word) => (0..).zip(words).find(|(_, w)| **w == word).map(|(i, _)| i),
            // `set` says that there is no such parameter.
            (None, _) => Some(0),
            _ => text.parse().ok(),
        };
        let expected = match kind {
            Some(ParameterKind::Switch) => "true or false".to_owned(),
            Some(ParameterKind::Choice(words)) => format!("one of {}", words.join(", ")),
            _ => "an integer".to_owned(),
        };
        match value {
            Some(value) => self.set(name, value),
            None => Err(ParameterError(format!("`{text}` is not {expected}"))),
        }
    }

    /// Applies one override, as after an `@`: `name=value`, `+switch` or `-switch`.
    ///
    /// # Errors
    /// The text is none of the three, the name is unknown, or the value is not one of the parameter.
    pub fn change(&mut self, change: &str) -> Result<(), ParameterError> {
        if let Some((name, value)) = change.split_once('=') {
            return self.set_text(name.trim(), value.trim());
        }
        match (change.strip_prefix('+'), change.strip_prefix('-')) {
            (Some(name), _) => self.set_text(name, "true"),
            (_, Some(name)) => self.set_text(name, "false"),
            _ => Err(ParameterError(format!(
                "`{change}` is none of parameter=value, +switch and -switch"
            ))),
        }
    }

    /// Sets a parameter by name; a switch takes 0 or 1, a choice the index of its word.
    ///
    /// # Errors
    /// The name is unknown, or the value is out of range.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let Some(declaration) = Declaration::named(name) else {
            let near = nearest(name, DECLARATIONS.iter().map(|d| d.name));
            return Err(ParameterError(match near {
                Some(near) => format!("no search parameter `{name}`; did you mean `{near}`?"),
                None => format!("no search parameter `{name}`; the preset `standard` has them all"),
            }));
        };
        let (min, max) = match declaration.kind {
            ParameterKind::Switch => (0, 1),
            ParameterKind::Integer { min, max } => (min, max),
            ParameterKind::Choice(words) => (0, words.len() as i32 - 1),
        };
        if !(min..=max).contains(&value) {
            return Err(ParameterError(format!(
                "`{name}` is {value}, out of range: must be from {min} to {max}"
            )));
        }
        self.store(declaration.name, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_set_and_read() {
        let mut parameters = SearchParameters::default();
        for declaration in DECLARATIONS {
            assert_eq!(parameters.get(declaration.name), Some(declaration.default));
            let other = match declaration.kind {
                ParameterKind::Switch => 1 - declaration.default,
                ParameterKind::Integer { min, max } if declaration.default == max => min,
                ParameterKind::Integer { max, .. } => max,
                ParameterKind::Choice(words) => words.len() as i32 - 1 - declaration.default,
            };
            parameters.set(declaration.name, other).unwrap();
            assert_eq!(parameters.get(declaration.name), Some(other));
            assert!(!declaration.meaning.is_empty());
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let mut parameters = SearchParameters::default();
        assert!(parameters.set("null_move", 2).is_err());
        assert!(parameters.set("null_move_reduction", 0).is_err());
        let error = parameters.set("nul_move", 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no search parameter `nul_move`; did you mean `null_move`?"
        );
        assert_eq!(
            parameters.set("razoring", 1).unwrap_err().to_string(),
            "no search parameter `razoring`; the preset `standard` has them all"
        );
    }
}
