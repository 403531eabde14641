//! The catalogue of the facts that an expression may mention. Error messages and documentation come from it, too.
//!
//! A search implements [`Facts`] for a move that it is about to search. Facts cost nothing unless a policy mentions them:
//! a compiled policy asks only for what it needs, and lazily.

use std::ops::RangeInclusive;

named! {
    /// Whether a fact is a number or a boolean. The names are those of messages.
    Kind {
        Number "a number" "A finite number.";
        Boolean "a boolean" "True or false.";
    }
}

named! {
    /// What the search pays when an expression reads a fact, from cheap to expensive.
    #[non_exhaustive]
    Cost {
        Free "free" "The search knows it anyway.";
        Cheap "cheap" "A few instructions, or one table lookup.";
        Work "work" "Work of its own for the move, such as a static exchange evaluation.";
    }
}

/// When a fact is known. An engine that makes the move before it asks the policy must read the facts of the earlier
/// position first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Moment {
    /// Known before the move is made: a fact of the node, the same for all its moves.
    Node,
    /// Known before the move is made: a fact of the move, or of what the node has searched before it.
    Before,
    /// A fact of the position after the move.
    After,
    /// Compares the position after the move with the one before it.
    Both,
    /// Known when the reduced search of the move has returned.
    Searched,
}

/// One row of the catalogue.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FactInfo {
    /// The fact.
    pub fact: Fact,
    /// Its name in expressions.
    pub name: &'static str,
    /// Number or boolean.
    pub kind: Kind,
    /// The unit of a number; empty for a boolean.
    pub unit: &'static str,
    /// What reading it costs.
    pub cost: Cost,
    /// When it is known, and which position it describes.
    pub moment: Moment,
    /// What it means.
    pub meaning: &'static str,
    /// The published scheme or the text that uses it.
    pub source: &'static str,
}

/// The range of counts of plies and moves. No position has more than 218 legal moves, and engines seldom search deeper
/// than 255 plies.
const COUNT: RangeInclusive<i32> = 0..=255;
/// Reductions; below 0 they are extensions.
const REDUCTION: RangeInclusive<i32> = -256..=256;
/// Scores, mates and the ends of an open window included.
const SCORE: RangeInclusive<i32> = -32_500..=32_500;
/// Differences of scores.
const DIFFERENCE: RangeInclusive<i32> = -65_000..=65_000;
/// A history with the bound of the search's own tables.
const HISTORY: RangeInclusive<i32> = -16_384..=16_384;

macro_rules! catalogue {
    (
        flags { $($flag:ident $Flag:ident $flag_moment:ident $flag_meaning:literal $flag_source:literal;)* }
        booleans { $($boolean:ident $Boolean:ident $boolean_cost:ident $boolean_moment:ident $boolean_meaning:literal $boolean_source:literal;)* }
        numbers { $($number:ident $Number:ident $unit:literal ($range:expr) $cost:ident $moment:ident $meaning:literal $source:literal;)* }
        own { numbers { $($OwnNumber:ident)* } flags { $($OwnFlag:ident)* } }
    ) => {
        /// Something that an expression may mention. [`FactInfo`] says what each means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Fact {
            $(#[doc = $flag_meaning] $Flag,)*
            $(#[doc = $boolean_meaning] $Boolean,)*
            $(#[doc = $meaning] $Number,)*
            $(#[doc = "A number of an engine's own."] $OwnNumber,)*
            $(#[doc = "A flag of an engine's own."] $OwnFlag,)*
        }

        /// Every fact but those of an engine's own, in the order of [`Fact`].
        pub const CATALOGUE: &[FactInfo] = &[
            $(row(Fact::$Flag, Cost::Free, Moment::$flag_moment, [stringify!($flag), "", $flag_meaning, $flag_source]),)*
            $(row(
                Fact::$Boolean,
                Cost::$boolean_cost,
                Moment::$boolean_moment,
                [stringify!($boolean), "", $boolean_meaning, $boolean_source],
            ),)*
            $(row(
                Fact::$Number,
                Cost::$cost,
                Moment::$moment,
                [stringify!($number), $unit, $meaning, $source],
            ),)*
        ];

        /// The number of facts that are flags. They come first in [`Fact`].
        const FLAG_COUNT: usize = [$(Fact::$Flag),*].len();

        /// The number of booleans. They come before the numbers in [`Fact`].
        pub(crate) const BOOLEAN_COUNT: usize = FLAG_COUNT + [$(Fact::$Boolean),*].len();

        impl Fact {
            /// The numbers of an engine's own, in the order of the engine's list or of the policy's `[host]`.
            pub const OWN_NUMBERS: [Self; MOST_OWN] = [$(Self::$OwnNumber),*];

            /// The flags of an engine's own, in the same order.
            pub const OWN_FLAGS: [Self; MOST_OWN] = [$(Self::$OwnFlag),*];
        }

        /// A flag. A search gives the values by a `match` without a catch-all arm. So a search that forgets a fact does
        /// not compile.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FlagFact {
            $(#[doc = $flag_meaning] $Flag,)*
        }

        impl Flags {
            /// The flags with the values that `value` gives them.
            #[inline]
            pub fn from_values(value: impl Fn(FlagFact) -> bool) -> Self {
                Self::NONE $(.with(Fact::$Flag, value(FlagFact::$Flag)))*
            }
        }

        /// A boolean that is not a flag; matched as [`FlagFact`] is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum BooleanFact {
            $(#[doc = $boolean_meaning] $Boolean = Fact::$Boolean as u8,)*
        }

        /// A number; matched as [`FlagFact`] is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum NumberFact {
            $(#[doc = $meaning] $Number = Fact::$Number as u8,)*
        }

        impl NumberFact {
            /// The values that the number can have, in the unit that the catalogue names. All are whole numbers. A
            /// history model narrows the range of `history`: see
            /// `HistoryModel::range` of lmrlab-policy.
            pub fn range(self) -> RangeInclusive<i32> {
                match self {
                    $(Self::$Number => $range,)*
                }
            }
        }

        impl Fact {
            /// The fact as a boolean that is not a flag; `None` for other facts.
            #[inline]
            pub const fn as_boolean(self) -> Option<BooleanFact> {
                match self {
                    $(Self::$Boolean => Some(BooleanFact::$Boolean),)*
                    _ => None,
                }
            }

            /// The fact as a number; `None` for booleans.
            #[inline]
            pub const fn as_number(self) -> Option<NumberFact> {
                match self {
                    $(Self::$Number => Some(NumberFact::$Number),)*
                    _ => None,
                }
            }
        }
    };
}

catalogue! {
    // Booleans that every search knows anyway. They are passed together in one word (see `Flags`).
    flags {
        root Root Node "The node is the root of the search." "Rebel (Schröder 2017)";
        pv Pv Node "The node is searched with an open window (a principal variation node)." "Chess Programming Wiki, Node Types";
        cut Cut Node "The node is searched with a null window and expected to fail high." "Chess Programming Wiki, Node Types";
        all All Node "The node is searched with a null window and expected to fail low." "Chess Programming Wiki, Node Types";
        improving Improving Node "The static evaluation is better than two plies before, for the same side; false when either side's king was in check there." "Stockfish 6 (2015)";
        in_check InCheck Node "The side to move is in check before the move." "Rebel (Schröder 2017)";
        gives_check GivesCheck After "The other side is in check after the move." "Mediocre (Pettersson 2007)";
        capture Capture Before "The move captures, en passant included." "Mediocre (Pettersson 2007)";
        quiet Quiet Before "The move neither captures nor promotes." "MadChess 2.0 (Madsen 2015)";
        promotion Promotion Before "A pawn promotes, to any piece." "Mediocre (Pettersson 2007)";
        queen_promotion QueenPromotion Before "A pawn promotes to a queen." "Rebel (Schröder 2017)";
        castling Castling Before "The move castles." "Glaurung (Romstad)";
        pawn_move PawnMove Before "The moving piece is a pawn." "micro-Max 4 (Muller)";
        tt_move TtMove Before "The move is the one that the transposition table holds for this position." "Rebel (Schröder 2017)";
        tt_hit TtHit Node "The transposition table holds this position." "Stockfish";
        tt_has_move TtHasMove Node "The transposition table holds a move for this position; at the root, an earlier iteration has found one." "Weiss (2021)";
        tt_capture TtCapture Node "The transposition table's move for this position is a capture." "Stockfish 8";
        killer Killer Before "The move is quiet and one of the two killer moves of this ply; always false when the preset has no killers." "Rebel (Schröder 2017)";
        extended Extended Before "The move is searched deeper than the nominal depth minus one, before any reduction." "Mediocre (Pettersson 2007)";
        tt_pv TtPv Node "The transposition table remembers this position from a principal variation node." "Stockfish 11 (2020)";
        tt_exact TtExact Node "The transposition table's score for this position is exact, not a bound." "Reckless (2026)";
        after_null AfterNull Node "The move that led to this node was a null move." "Stockfish";
        null_mover NullMover Node "The side to move made the last null move of the line from the root to this node; false when the line has none." "Weiss (2021)";
    }
    booleans {
        advanced_pawn AdvancedPawn Cheap Before "A pawn moves to its sixth rank or beyond, seen from its own side." "Rebel (Schröder 2017)";
        passed_pawn PassedPawn Cheap Before "A pawn moves that has no enemy pawn in front of it on its own or a neighbouring file, from where it arrives." "Chess Programming Wiki";
        counter_move CounterMove Cheap Before "The move is the one that last refuted the opponent's previous move." "Uiterwijk 1992, The countermove heuristic";
        was_best WasBest Cheap Before "At the root: the move was the best one at the end of an earlier iteration of this search. False elsewhere." "Rebel (Schröder 2017)";
        null_threat NullThreat Cheap Before "The move that refuted this node's null move captures the piece that moves; false when no null move was tried or none was refuted." "Chess Programming Wiki, Late Move Reductions";
        null_mate NullMate Cheap Before "This node's null-move search found a mate against the side to move." "Mediocre 0.5 (Pettersson)";
        opponent_worsening OpponentWorsening Cheap Node "The static evaluation is greater than `parent_eval`: the opponent's last move made its position worse. False at the root, and when a side to move is in check here or there." "Stockfish 17 (2024)";
        king_zone KingZone Cheap Before "The piece arrives on a square next to the enemy king, or next to one of those squares." "Chess Programming Wiki, Late Move Reductions";
        creates_threat CreatesThreat Work Both "After the move more enemy knights, bishops, rooks or queens are attacked by a lesser piece, or attacked and not defended, than before it." "Rebel (Schröder 2017)";
        escapes_threat EscapesThreat Work Both "After the move fewer own knights, bishops, rooks or queens are attacked by a lesser piece, or attacked and not defended, than before it." "Rebel (Schröder 2017)";
    }
    // The values that a number can have follow its unit. Eight pawns may promote, so a side has up to 15 pieces. Beta is
    // above alpha, and the unit of a host can be less than a centipawn. The window of the root is at most four times the greatest score.
    numbers {
        depth Depth "plies" (COUNT) Free Node "Remaining depth of the node before the move is made; quiescence is depth 0." "all";
        ply Ply "plies" (COUNT) Free Node "Distance of the node from the root; the root is 0." "all";
        moves_searched MovesSearched "moves" (COUNT) Free Before "Legal moves of this node searched before this one, of any kind." "Mediocre (Pettersson 2007)";
        move_number MoveNumber "moves" (COUNT) Free Before "Number of this move among the node's moves, of any kind, counted from 1." "Stockfish";
        quiet_number QuietNumber "moves" (COUNT) Free Before "Number of quiet moves up to and including this one, counted from 1; 0 when none was quiet yet." "MadChess 2.0 (Madsen 2015)";
        legal_moves LegalMoves "moves" (COUNT) Free Node "Number of legal moves of the node." "Chess Programming Wiki";
        tt_depth TtDepth "plies" (-1..=255) Free Node "Depth at which the transposition table knows this position; -1 when it does not." "Reckless";
        tt_score TtScore "centipawns" (SCORE) Free Node "Score of this position in the transposition table, for the side to move; 0 when unknown (see `tt_hit`)." "Reckless (2026)";
        alpha Alpha "centipawns" (SCORE) Free Before "Lower bound of the window, at the moment of the move." "Stockfish 15.1";
        best_score BestScore "centipawns" (SCORE) Free Before "Best score of this node so far; it can be below alpha. Before the first move has returned, the alpha with which the node was entered." "Stockfish";
        window Window "centipawns" (0..=65_000) Free Before "Width of the window, beta minus alpha, at the moment of the move." "Stockfish 15.1";
        root_window RootWindow "centipawns" (0..=130_000) Free Node "Width of the window, beta minus alpha, with which the root was entered in this iteration." "Stockfish 15.1";
        improvement Improvement "centipawns" (DIFFERENCE) Free Node "Static evaluation minus that of two plies before, for the same side; 0 when either is unknown." "Reckless (2026)";
        parent_reduction ParentReduction "plies" (REDUCTION) Free Node "Plies by which the move that led to this node was reduced; 0 at the root and after a null move." "Stockfish (2025)";
        parent_move_number ParentMoveNumber "moves" (COUNT) Free Node "Number, among its node's moves, of the move that led to this node, counted from 1; 0 at the root and after a null move." "Stockfish 11 (2020)";
        child_cutoffs ChildCutoffs "cutoffs" (0..=65_535) Free Before "Beta cutoffs one ply below this node, since the parent of this node was entered." "Stockfish 15.1, cutoffCnt";
        iteration Iteration "plies" (COUNT) Free Node "Nominal depth of the current iteration of the search." "Rebel (Schröder 2017)";
        extension Extension "plies" (COUNT) Free Before "Plies by which the move is extended, before any reduction." "Fruit Reloaded (2014)";
        pawn_rank PawnRank "rank" (0..=8) Free Before "Rank at which a pawn arrives, 1 to 8 from its own side; 0 for other pieces." "Toga II 3.0";
        phase Phase "0 to 24" (0..=24) Cheap Node "Pieces on the board, knights and bishops counting 1, rooks 2 and queens 4: 24 in the initial position, 0 with kings and pawns alone." "Fruit 2.1 (2005)";
        opponent_pieces OpponentPieces "pieces" (0..=15) Cheap Node "Knights, bishops, rooks and queens of the other side." "Weiss (2021)";
        static_eval StaticEval "centipawns" (SCORE) Free Node "Static evaluation of the node, for the side to move; the last one known for that side when in check." "Rebel (Schröder 2017)";
        eval_minus_alpha EvalMinusAlpha "centipawns" (DIFFERENCE) Free Before "Static evaluation minus alpha, at the moment of the move." "Rebel (Schröder 2017)";
        correction Correction "-192 to 192" (-192..=192) Free Node "What the correction history adds to the static evaluation of the node, in centipawns: its past error in similar positions; 0 in check, and when the preset keeps none." "Integral (2024)";
        parent_eval ParentEval "centipawns" (SCORE) Free Node "Static evaluation of the parent node, seen from the side to move in this node; 0 at the root, and when the other side was in check there." "Stockfish 17 (2024)";
        alpha_raises AlphaRaises "moves" (COUNT) Free Before "Moves of this node before this one that raised alpha." "Clockwork (2025)";
        best_changes BestChanges "moves" (COUNT) Free Before "How often this node's best move has changed so far." "Viridithas";
        history History "of the model" (-(1 << 30)..=1 << 30) Cheap Before "Value of the move in the history table that the policy's `[history]` declares." "Rebel (Schröder 2017)";
        capture_history CaptureHistory "-16384 to 16384" (HISTORY) Cheap Before "Value of the move in the engine's capture history (piece, destination, captured piece); 0 for a move that does not capture." "Stockfish 10 (2018)";
        continuation_history ContinuationHistory "-16384 to 16384" (HISTORY) Cheap Before "Value of the move in the engine's continuation history (the previous move's piece and destination, then this move's)." "Stockfish 7 (2016)";
        continuation_history_2 ContinuationHistory2 "-16384 to 16384" (HISTORY) Cheap Before "As `continuation_history`, by the move two plies before, which the same side made." "Stockfish 7 (2016)";
        continuation_history_4 ContinuationHistory4 "-16384 to 16384" (HISTORY) Cheap Before "As `continuation_history`, by the move four plies before, which the same side made." "Stockfish 7 (2016)";
        ordering_history OrderingHistory "-65536 to 65536" (-65_536..=65_536) Cheap Before "What the search's own move ordering knows of the move: for a quiet move butterfly history plus continuation history after the moves one, two and four plies before, for a capture its capture history (within 16384). What the preset does not keep counts 0." "Stockfish, statScore";
        captured_value CapturedValue "centipawns" (0..=2000) Cheap Before "Value of the piece that the move captures: pawn 100, knight 320, bishop 330, rook 500, queen 950; 0 for a move that does not capture." "Stockfish 17.1 (2025)";
        material Material "centipawns" (DIFFERENCE) Cheap Node "Material balance before the move, for the side to move." "Rebel (Schröder 2017)";
        positional Positional "centipawns" (DIFFERENCE) Cheap Node "Static evaluation minus material balance, for the side to move." "Rebel (Schröder 2017)";
        pst_delta PstDelta "centipawns" (DIFFERENCE) Cheap Before "Piece-square value of the destination minus that of the origin, for the moving piece." "Rebel (Schröder 2017)";
        see See "centipawns" (DIFFERENCE) Work Before "Static exchange evaluation of the move." "Rebel (Schröder 2017)";
        eval_delta EvalDelta "centipawns" (DIFFERENCE) Work Both "Static evaluation after the move minus before it, both from the side of the player who moves." "Rebel (Schröder 2017)";
        passed_delta PassedDelta "centipawns" (DIFFERENCE) Work Both "Evaluation of the mover's own passed pawns after the move minus before it." "Rebel (Schröder 2017)";
        king_safety_delta KingSafetyDelta "centipawns" (DIFFERENCE) Work Both "Evaluation of the safety of the mover's own king after the move minus before it." "Rebel (Schröder 2017)";
        so_far SoFar "plies" (REDUCTION) Free Before "The reduction so far, before the rule that asks; its unit is the file's, before `finish.scale`. Known in rules only." "Reckless (2026)";
        score Score "centipawns" (SCORE) Free Searched "What the reduced search returned, for the side that moved. Known in `[research]` only." "Stockfish 15.1";
        reduction Reduction "plies" (REDUCTION) Free Searched "Plies by which the move was reduced. Known in `[research]` only." "Viridithas 21";
    }
    // The names of these are those of the engine.
    own {
        numbers {
            OwnNumber0 OwnNumber1 OwnNumber2 OwnNumber3 OwnNumber4 OwnNumber5 OwnNumber6 OwnNumber7
            OwnNumber8 OwnNumber9 OwnNumber10 OwnNumber11 OwnNumber12 OwnNumber13 OwnNumber14 OwnNumber15
        }
        flags {
            OwnFlag0 OwnFlag1 OwnFlag2 OwnFlag3 OwnFlag4 OwnFlag5 OwnFlag6 OwnFlag7
            OwnFlag8 OwnFlag9 OwnFlag10 OwnFlag11 OwnFlag12 OwnFlag13 OwnFlag14 OwnFlag15
        }
    }
}

impl Fact {
    /// The fact's row in the catalogue.
    pub fn info(self) -> &'static FactInfo {
        let own = if self.is_boolean() { &OWN_FLAG } else { &OWN_NUMBER };
        CATALOGUE.get(self as usize).unwrap_or(own)
    }

    /// Whether it is a fact of an engine's own.
    #[inline]
    pub const fn is_own(self) -> bool {
        self as usize >= CATALOGUE.len()
    }

    /// The facts of an engine's own of a kind.
    pub const fn own(kind: Kind) -> &'static [Self; MOST_OWN] {
        match kind {
            Kind::Boolean => &Self::OWN_FLAGS,
            Kind::Number => &Self::OWN_NUMBERS,
        }
    }

    /// Its name in expressions.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The fact with this name.
    pub fn named(name: &str) -> Option<Self> {
        CATALOGUE.iter().find(|info| info.name == name).map(|info| info.fact)
    }

    /// Whether the fact is a boolean rather than a number.
    #[inline]
    pub const fn is_boolean(self) -> bool {
        (self as usize) < BOOLEAN_COUNT || self as usize >= FIRST_OWN_FLAG
    }

    /// Whether no search fills the fact: the policy computes it, or a call passes it.
    pub fn is_given(self) -> bool {
        self.is_of_rules() || self.is_of_research()
    }

    /// Whether the fact is a small whole number, so that tables of it pay.
    pub(crate) const fn counts(self) -> bool {
        matches!(
            self,
            Self::Depth
                | Self::Ply
                | Self::MovesSearched
                | Self::MoveNumber
                | Self::QuietNumber
                | Self::LegalMoves
                | Self::AlphaRaises
                | Self::BestChanges
        )
    }

    /// The values that a number can have; `None` for a boolean.
    pub fn range(self) -> Option<RangeInclusive<i32>> {
        self.as_number().map(NumberFact::range)
    }

    /// Whether the fact is known only after a reduced search. Only `[research]` may mention it.
    pub fn is_of_research(self) -> bool {
        self.info().moment == Moment::Searched
    }

    /// Whether only rules may mention the fact. The policy itself computes it and asks no search for it.
    pub fn is_of_rules(self) -> bool {
        self == Self::SoFar
    }

    /// Whether the fact is a boolean that is passed in [`Flags`].
    #[inline]
    pub const fn is_flag(self) -> bool {
        (self as usize) < FLAG_COUNT
    }
}

/// The free booleans about a move, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u32);

impl Flags {
    /// No flag set.
    pub const NONE: Self = Self(0);

    /// The flags of a word with a bit for each boolean, in the order of [`Fact`].
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits as u32 & ((1 << FLAG_COUNT) - 1))
    }

    /// The bit of a flag in the word; 0 for other facts.
    #[inline]
    const fn bit(fact: Fact) -> u32 {
        if fact.is_flag() { 1 << fact as u32 } else { 0 }
    }

    /// These flags and `fact`, if `value`. Facts that are not flags ([`Fact::is_flag`]) change nothing.
    #[inline]
    #[must_use]
    pub const fn with(self, fact: Fact, value: bool) -> Self {
        Self(self.0 | (value as u32 * Self::bit(fact)))
    }

    /// Whether `fact` is set; false for a fact that is not a flag.
    #[inline]
    pub const fn has(self, fact: Fact) -> bool {
        self.0 & Self::bit(fact) != 0
    }

    /// Whether all of `flags` are set.
    #[inline]
    pub const fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Whether exactly `wanted` are set among those in `mask`.
    #[inline]
    pub fn matches(self, mask: Self, wanted: Self) -> bool {
        self.0 & mask.0 == wanted.0
    }
}

impl From<Fact> for Flags {
    /// The one flag; none for a fact that is not a flag.
    fn from(fact: Fact) -> Self {
        Self::NONE.with(fact, true)
    }
}

/// What a search knows about a move that it is about to search.
///
/// Implementations compute lazily: a fact that no policy mentions is never asked for.
pub trait Facts {
    /// All free booleans at once.
    fn flags(&self) -> Flags;
    /// A boolean that is not in [`Facts::flags`].
    fn boolean(&self, fact: Fact) -> bool;
    /// A number, in the unit that the catalogue names. lmrlab's own search knows no fact of another engine: these are false
    /// and 0.
    fn number(&self, fact: Fact) -> f64;
}

/// A fact of another engine that a policy declares in `[host]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnFact<'p> {
    /// Its name in expressions.
    pub name: &'p str,
    /// Its place among the declared facts of its kind: one of [`Fact::OWN_FLAGS`] or [`Fact::OWN_NUMBERS`].
    pub fact: Fact,
}

impl<F: Facts + ?Sized> Facts for &F {
    fn flags(&self) -> Flags {
        (**self).flags()
    }

    fn boolean(&self, fact: Fact) -> bool {
        (**self).boolean(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        (**self).number(fact)
    }
}

/// A set of facts: those that a policy mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FactSet(u128);

impl FactSet {
    /// The facts of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Adds a fact.
    pub fn insert(&mut self, fact: Fact) {
        self.0 |= 1 << fact as u32;
    }

    /// Whether the set holds any fact that the policy declares.
    pub fn has_own(self) -> bool {
        self.0 >> CATALOGUE.len() != 0
    }

    /// Takes a fact out.
    pub fn remove(&mut self, fact: Fact) {
        self.0 &= !(1 << fact as u32);
    }

    /// Whether the set holds `fact`.
    #[inline]
    pub fn contains(self, fact: Fact) -> bool {
        self.0 >> fact as u32 & 1 != 0
    }

    /// The facts of the catalogue in the set, in its order.
    pub fn iter(self) -> impl Iterator<Item = Fact> {
        CATALOGUE
            .iter()
            .map(|info| info.fact)
            .filter(move |fact| self.contains(*fact))
    }
}

impl Extend<Fact> for FactSet {
    fn extend<I: IntoIterator<Item = Fact>>(&mut self, facts: I) {
        facts.into_iter().for_each(|fact| self.insert(fact));
    }
}

/// The most flags, and the most numbers, that a policy declares in `[host]`.
pub const MOST_OWN: usize = 16;

/// The place of the first flag of an engine's own in [`Fact`].
pub(crate) const FIRST_OWN_FLAG: usize = Fact::OWN_FLAGS[0] as usize;

/// What is known of a number and of a flag of an engine's own.
const OWN_NUMBER: FactInfo = row(
    Fact::OWN_NUMBERS[0],
    Cost::Free,
    Moment::Before,
    ["own number", "", "", ""],
);
const OWN_FLAG: FactInfo = row(Fact::OWN_FLAGS[0], Cost::Free, Moment::Before, ["own flag", "", "", ""]);

/// A row of the catalogue.
const fn row(fact: Fact, cost: Cost, moment: Moment, [name, unit, meaning, source]: [&'static str; 4]) -> FactInfo {
    FactInfo {
        fact,
        name,
        kind: if fact.is_boolean() { Kind::Boolean } else { Kind::Number },
        unit,
        cost,
        moment,
        meaning,
        source,
    }
}

// Flags are a word of 32 bits, and sets of facts one of 128.
const _: () = assert!(FLAG_COUNT <= 32 && CATALOGUE.len() + 2 * MOST_OWN <= 128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_a_flag_or_a_boolean_or_a_number() {
        for info in CATALOGUE {
            let (boolean, number) = (info.fact.as_boolean(), info.fact.as_number());
            assert_eq!(number.is_some(), info.kind == Kind::Number);
            assert_eq!(boolean.is_none(), info.fact.is_flag() || number.is_some());
            assert!(boolean.is_none_or(|boolean| boolean as u8 == info.fact as u8));
            assert!(number.is_none_or(|number| number as u8 == info.fact as u8));
        }
    }

    #[test]
    fn a_fact_that_is_no_flag_reads_no_flag() {
        let all = CATALOGUE
            .iter()
            .fold(Flags::NONE, |flags, info| flags.with(info.fact, true));
        for info in CATALOGUE {
            assert_eq!(all.has(info.fact), info.fact.is_flag(), "{}", info.name);
        }
    }
}
