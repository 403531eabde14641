//! The parameters of the search: its features, each on or off, and their numbers.
//!
//! Every parameter is declared once, in [`DECLARATIONS`]'s table below: the field, the key in a preset file, the UCI option
//! and the documentation come from the same line.

use std::fmt;

use lmrlab_diagnostics::nearest;

/// Which terms the evaluation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationTerms {
    /// Material and piece-square tables.
    PieceSquare,
    /// All of them.
    Full,
}

/// Which depth the pruning of single moves looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PruningDepth {
    /// The node's, less the ply of the move.
    Nominal,
    /// That, less what the policy would reduce the move by (Stockfish's `lmrDepth`).
    Reduced,
}

/// What a declared parameter can be.
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
    /// One of these words; its value is the index.
    Choice(&'static [&'static str]),
}

/// One line of the table of search parameters.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// Its name, as in preset files and UCI options.
    pub name: &'static str,
    /// Switch or integer.
    pub kind: ParameterKind,
    /// The value when a preset does not mention it; a switch is 0 or 1.
    pub default: i32,
    /// What it does, with unit and source.
    pub meaning: &'static str,
}

/// Names of parameters in files of earlier versions, each with its name of today. They are read, never written.
const FORMER_NAMES: [(&str, &str); 5] = [
    ("exchange_pruning", "see_pruning"),
    ("exchange_pruning_max_depth", "see_pruning_max_depth"),
    ("exchange_pruning_quiet_margin", "see_pruning_quiet_margin"),
    (
        "exchange_pruning_capture_margin",
        "see_pruning_capture_margin",
    ),
    ("quiescence_exchange_pruning", "quiescence_see_pruning"),
];

impl Declaration {
    /// The parameter with this name, or with this name in earlier versions.
    pub fn named(name: &str) -> Option<&'static Self> {
        let former = FORMER_NAMES.iter().find(|(former, _)| *former == name);
        let name = former.map_or(name, |(_, name)| name);
        DECLARATIONS.iter().find(|d| d.name == name)
    }

    /// Its name in earlier versions, where that differs.
    pub fn former_name(&self) -> Option<&'static str> {
        let (former, _) = FORMER_NAMES.iter().find(|(_, name)| *name == self.name)?;
        Some(former)
    }
}

/// A value that a parameter cannot have, or a name that no parameter has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterError(String);

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParameterError {}

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

        /// All parameters of a search, in the order in which they are documented.
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
    (@kind PruningDepth $first:ident | $second:ident) => {
        ParameterKind::Choice(&[stringify!($first), stringify!($second)])
    };
    (@value PruningDepth $default:ident) => { PruningDepth::$default };
    (@value $type:tt $default:literal) => { $default };
    (@from bool $value:ident) => { $value != 0 };
    (@from i32 $value:ident) => { $value };
    (@from PruningDepth $value:ident) => {
        if $value == PruningDepth::Reduced as i32 { PruningDepth::Reduced } else { PruningDepth::Nominal }
    };
}

search_parameters! {
    /// Evaluate pawn structure, passed pawns, mobility and king safety; without it material and squares alone.
    full_evaluation: bool = true;
    /// Correct the static evaluation by how wrong it was for positions with the same pawns (correction history; Caissa 2023,
    /// Stockfish 2023).
    correction_history: bool = true;
    /// Keep a transposition table.
    transposition_table: bool = true;
    /// Half the first width of the window around the last score, in centipawns; 0 opens the window at once.
    aspiration_window: i32 = 15 in (0..=1000);
    /// Least depth with an aspiration window, in plies.
    aspiration_min_depth: i32 = 4 in (1..=64);
    /// Search moves after the first with a null window first (principal variation search; Marsland, Campbell 1982).
    principal_variation_search: bool = true;

    /// Extend moves that give check by one ply.
    check_extension: bool = true;
    /// Extend the only legal move of a position by one ply (Fruit 2.1, 2005).
    single_reply_extension: bool = false;
    /// Extend pawn moves to the seventh rank by one ply (Glaurung 2.2, 2008).
    pawn_to_seventh_extension: bool = false;
    /// Extend a move that takes back on the square of the last capture by one ply, in principal variation nodes.
    recapture_extension: bool = false;
    /// Extend a transposition table move that alone comes near its stored score (singular extension; Anantharaman, Campbell, Hsu 1988,
    /// in the form of Stockfish 2010), and cut or search shallower where others reach beta as well.
    singular_extension: bool = true;
    /// Least depth of the singular extension, in plies.
    singular_min_depth: i32 = 7 in (4..=64);
    /// By how much other moves must fall short of the transposition table move's score, in centipawns per 16 plies of depth.
    singular_margin: i32 = 24 in (0..=400);
    /// By how much more they must fall short for a second ply of extension in null-window nodes, in centipawns; 1000 for never.
    singular_double_margin: i32 = 20 in (0..=1000);

    /// Without a transposition table move, search to a lower depth first to find one (internal iterative deepening; Scott 1969), in principal
    /// variation nodes from depth 5.
    internal_iterative_deepening: bool = false;
    /// Without a transposition table move, search one ply shallower (internal iterative reduction; Schroeder 2020).
    internal_iterative_reduction: bool = true;
    /// Least depth of internal iterative reduction, in plies.
    internal_iterative_reduction_min_depth: i32 = 4 in (2..=64);

    /// Leave a node whose static evaluation is far above beta (reverse futility pruning; Heinz 1998 as static null move).
    reverse_futility: bool = true;
    /// Greatest depth of reverse futility pruning, in plies.
    reverse_futility_max_depth: i32 = 8 in (1..=32);
    /// How far above beta, in centipawns a ply.
    reverse_futility_margin: i32 = 50 in (0..=500);
    /// Drop into quiescence where the static evaluation is far below alpha (razoring; Birmingham, Kent 1977; in the form of
    /// Strelka 2007).
    razoring: bool = true;
    /// Greatest depth of razoring, in plies.
    razoring_max_depth: i32 = 3 in (1..=16);
    /// How far below alpha, in centipawns a ply.
    razoring_margin: i32 = 220 in (0..=1500);
    /// Let the opponent move twice and cut when that does not help it (null move pruning; Donninger 1993).
    null_move: bool = true;
    /// Least depth of null move pruning, in plies.
    null_move_min_depth: i32 = 2 in (1..=64);
    /// Plies by which the search after a null move is shallower, beside the move itself.
    null_move_reduction: i32 = 3 in (1..=8);
    /// One ply more for each so many plies of depth; 0 for none.
    null_move_depth_divisor: i32 = 5 in (0..=64);
    /// One ply more, up to three, for each so many centipawns of static evaluation above beta; 0 for none.
    null_move_eval_divisor: i32 = 200 in (0..=1000);
    /// Only make null moves when the static evaluation is at least beta.
    null_move_needs_eval: bool = true;
    /// Confirm a null move's cutoff by a shallower search of the position itself from this depth on, and at any depth of 6 or
    /// more for a side with at most one piece (verified null move; Plenkner 1995, after Fruit and Glaurung); 0 for never.
    null_move_verification_depth: i32 = 14 in (0..=64);
    /// Cut where a capture is far above beta at a lower depth (ProbCut; Buro 1995, in the form of Stockfish 2011).
    probcut: bool = false;
    /// Least depth of ProbCut, in plies.
    probcut_min_depth: i32 = 5 in (4..=64);
    /// How far above beta, in centipawns.
    probcut_margin: i32 = 170 in (0..=1000);

    /// What the depth is that the four prunings of single moves below compare with: the node's, or what late move reductions
    /// would leave of it. With `nominal` an experiment on reductions changes nothing else.
    pruning_depth: PruningDepth = Nominal in (nominal | reduced);
    /// Skip quiet moves that cannot raise the static evaluation to alpha (futility pruning; Heinz 1998).
    futility: bool = true;
    /// Greatest depth of futility pruning, in plies.
    futility_max_depth: i32 = 7 in (1..=32);
    /// How far below alpha the static evaluation must be at depth 0, in centipawns ...
    futility_base: i32 = 90 in (0..=1000);
    /// ... and how much more for each ply.
    futility_margin: i32 = 50 in (0..=500);
    /// Skip the last quiet moves of shallow nodes (late move pruning, or move-count pruning; Stockfish 1.0, Romstad 2008).
    late_move_pruning: bool = true;
    /// Greatest depth of late move pruning, in plies.
    late_move_pruning_max_depth: i32 = 8 in (1..=32);
    /// Quiet moves searched at depth 0 ...
    late_move_pruning_base: i32 = 16 in (0..=64);
    /// ... and how many more for each squared ply, in hundredths; half of all that when not improving.
    late_move_pruning_growth: i32 = 320 in (0..=1000);
    /// Skip quiet moves with a bad history at shallow depth (history leaf pruning; Fruit 2.1, 2005).
    history_pruning: bool = false;
    /// Greatest depth of history pruning, in plies.
    history_pruning_max_depth: i32 = 4 in (1..=32);
    /// How bad the history must be, a ply of depth; histories of one move lie within 65536 of 0.
    history_pruning_margin: i32 = 2000 in (0..=65536);
    /// Skip moves that lose material at shallow depth, by static exchange evaluation.
    see_pruning: bool = true;
    /// Greatest depth of that, in plies.
    see_pruning_max_depth: i32 = 8 in (1..=32);
    /// What a quiet move may lose, in centipawns a squared ply.
    see_pruning_quiet_margin: i32 = 20 in (0..=500);
    /// What a capture may lose, in centipawns a ply.
    see_pruning_capture_margin: i32 = 90 in (0..=500);

    /// Try two moves that caused cutoffs at the same ply early (killer moves; Akl, Newborn 1977).
    killers: bool = true;
    /// Try the move early that refuted the last move before (counter-move heuristic; Uiterwijk 1992).
    counter_move: bool = true;
    /// Order quiet moves by how often they caused cutoffs (history heuristic; Schaeffer 1983).
    history: bool = true;
    /// Order quiet moves by how they fared after the moves one, two and four plies before (Stockfish 2014).
    continuation_history: bool = true;
    /// Order captures by how they fared, beside the victim (Stockfish 2016).
    capture_history: bool = true;
    /// What a cutoff adds to a history, and takes from those of the moves before, for each ply of depth.
    history_bonus: i32 = 170 in (1..=2000);
    /// The most that one cutoff changes a history by.
    history_bonus_max: i32 = 1600 in (1..=16384);
    /// Try captures that lose material, by static exchange evaluation, after all quiet moves.
    losing_captures_last: bool = true;

    /// Leave captures that lose material out of quiescence.
    quiescence_see_pruning: bool = true;
    /// Leave captures out of quiescence that cannot raise the evaluation to alpha (delta pruning).
    quiescence_delta_pruning: bool = true;
    /// What a capture may win beside its victim, in centipawns.
    quiescence_delta_margin: i32 = 150 in (0..=1000);
    /// Search all evasions when in check in quiescence; without it captures alone.
    quiescence_evasions: bool = true;
    /// Search quiet checks in the first ply of quiescence (Fruit 2.1, 2005).
    quiescence_checks: bool = false;
}

impl SearchParameters {
    /// Which terms the evaluation has.
    #[inline]
    pub fn evaluation_terms(&self) -> EvaluationTerms {
        if self.full_evaluation {
            EvaluationTerms::Full
        } else {
            EvaluationTerms::PieceSquare
        }
    }

    /// Sets a parameter by name from a text: a number, `true` or `false` for a switch, or the word of a choice.
    ///
    /// # Errors
    /// When there is no parameter of that name, or the text is no value of it.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        let kind = Declaration::named(name).map(|d| d.kind);
        let value = match (kind, text) {
            (Some(ParameterKind::Switch), "true") => Some(1),
            (Some(ParameterKind::Switch), "false") => Some(0),
            (Some(ParameterKind::Choice(words)), word) => {
                (0..).zip(words).find(|(_, w)| **w == word).map(|(i, _)| i)
            }
            // `set` says that there is no such parameter.
            (None, _) => Some(0),
            _ => text.parse().ok(),
        };
        let expected = match kind {
            Some(ParameterKind::Switch) => "true or false".to_owned(),
            Some(ParameterKind::Choice(words)) => words.join(" or "),
            _ => "an integer".to_owned(),
        };
        match value {
            Some(value) => self.set(name, value),
            None => Err(ParameterError(format!("`{text}` is not {expected}"))),
        }
    }

    /// Makes one change, as after an `@`: `name=value`, `+switch` or `-switch`.
    ///
    /// # Errors
    /// When there is no parameter of that name, the text is no value of it, or it is none of the three.
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
    /// When there is no parameter of that name, or the value is out of its range.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let Some(declaration) = Declaration::named(name) else {
            let near = nearest(name, DECLARATIONS.iter().map(|d| d.name));
            return Err(ParameterError(match near {
                Some(near) => format!("no search parameter `{name}`; did you mean `{near}`?"),
                None => format!("no search parameter `{name}`"),
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
    fn former_names_are_those_of_parameters() {
        for (former, name) in FORMER_NAMES {
            assert!(DECLARATIONS.iter().all(|d| d.name != former));
            assert_eq!(Declaration::named(former).map(|d| d.name), Some(name));
            let mut parameters = SearchParameters::default();
            parameters.set(former, 1).unwrap();
            assert_eq!(parameters.get(name), Some(1));
            assert_eq!(parameters.get(former), Some(1));
        }
        let mut parameters = SearchParameters::default();
        parameters.change("-exchange_pruning").unwrap();
        parameters
            .change("exchange_pruning_quiet_margin=35")
            .unwrap();
        assert!(!parameters.see_pruning);
        assert_eq!(parameters.see_pruning_quiet_margin, 35);
        let mut said = |name| parameters.set(name, 1).unwrap_err().to_string();
        assert!(said("see_prunin").ends_with("did you mean `see_pruning`?"));
        assert!(!said("exchange_prunin").contains("`exchange_pruning`"));
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
    }
}
