//! The facts that an expression may mention: the one catalogue, from which error messages and documentation come.
//!
//! A search implements [`Facts`] for a move that it is about to search. Facts cost nothing unless a policy mentions them:
//! a compiled policy asks only for what it needs, and lazily.

/// Whether a fact is a number or a truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A finite number.
    Number,
    /// True or false.
    Boolean,
}

impl Kind {
    /// The word for it in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Boolean => "a boolean",
        }
    }
}

/// What the search pays when an expression reads a fact; the cheaper is the lesser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cost {
    /// The search knows it anyway.
    Free,
    /// A few instructions, or one look into a table.
    Cheap,
    /// Work of its own for the move, such as a static exchange evaluation.
    Work,
}

/// One row of the catalogue.
#[derive(Debug, Clone, Copy)]
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
    /// What it means.
    pub meaning: &'static str,
    /// Which published scheme, or which text, uses it.
    pub source: &'static str,
}

macro_rules! catalogue {
    ($($variant:ident $name:literal $kind:ident $unit:literal $cost:ident $meaning:literal $source:literal;)*) => {
        /// Something that an expression may mention. [`FactInfo`] says what each means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Fact {
            $(#[doc = $meaning] $variant,)*
        }

        /// Every fact, in the order of [`Fact`].
        pub const CATALOGUE: &[FactInfo] = &[
            $(FactInfo {
                fact: Fact::$variant,
                name: $name,
                kind: Kind::$kind,
                unit: $unit,
                cost: Cost::$cost,
                meaning: $meaning,
                source: $source,
            },)*
        ];
    };
}

// Booleans that cost nothing come first: they travel together in one word (see `Flags`).
catalogue! {
    Root "root" Boolean "" Free "The node is the root of the search." "Rebel (Schröder 2017)";
    Pv "pv" Boolean "" Free "The node is searched with an open window (a principal variation node)." "Chess Programming Wiki, Node Types";
    Cut "cut" Boolean "" Free "The node is searched with a null window and expected to fail high." "Chess Programming Wiki, Node Types";
    All "all" Boolean "" Free "The node is searched with a null window and expected to fail low." "Chess Programming Wiki, Node Types";
    Improving "improving" Boolean "" Free "The static evaluation is better than two plies before, for the same side; false when either side's king was in check there." "Stockfish 6 (2015)";
    InCheck "in_check" Boolean "" Free "The side to move is in check before the move." "Rebel (Schröder 2017)";
    GivesCheck "gives_check" Boolean "" Free "The other side is in check after the move." "Mediocre (Pettersson 2007)";
    Capture "capture" Boolean "" Free "The move captures, en passant included." "Mediocre (Pettersson 2007)";
    Quiet "quiet" Boolean "" Free "The move neither captures nor promotes." "MadChess 2.0 (Madsen 2015)";
    Promotion "promotion" Boolean "" Free "A pawn promotes, to any piece." "Mediocre (Pettersson 2007)";
    QueenPromotion "queen_promotion" Boolean "" Free "A pawn promotes to a queen." "Rebel (Schröder 2017)";
    Castling "castling" Boolean "" Free "The move castles." "Glaurung (Romstad)";
    PawnMove "pawn_move" Boolean "" Free "The moving piece is a pawn." "micro-Max 4 (Muller)";
    TtMove "tt_move" Boolean "" Free "The move is the one that the transposition table holds for this position." "Rebel (Schröder 2017)";
    TtHit "tt_hit" Boolean "" Free "The transposition table holds this position." "Stockfish";
    TtCapture "tt_capture" Boolean "" Free "The transposition table's move for this position is a capture." "Stockfish 8";
    Killer "killer" Boolean "" Free "The move is one of the two killer moves of this ply; always false when the preset has no killers." "Rebel (Schröder 2017)";
    Extended "extended" Boolean "" Free "The move is searched deeper than the nominal depth minus one, before any reduction." "Mediocre (Pettersson 2007)";
    TtPv "tt_pv" Boolean "" Free "The transposition table remembers this position from a principal variation node." "Stockfish 11 (2020)";
    TtExact "tt_exact" Boolean "" Free "The transposition table's score for this position is exact, not a bound." "Reckless (2026)";
    AfterNull "after_null" Boolean "" Free "The move that led to this node was a null move." "Stockfish";
    AdvancedPawn "advanced_pawn" Boolean "" Cheap "A pawn moves to its sixth rank or beyond, seen from its own side." "Rebel (Schröder 2017)";
    PassedPawn "passed_pawn" Boolean "" Cheap "A pawn moves that has no enemy pawn in front of it on its own or a neighbouring file, from where it arrives." "Chess Programming Wiki";
    CounterMove "counter_move" Boolean "" Cheap "The move is the one that last refuted the opponent's previous move." "Uiterwijk 1992, The countermove heuristic";
    WasBest "was_best" Boolean "" Cheap "At the root: the move was the best one at the end of an earlier iteration of this search. False elsewhere." "Rebel (Schröder 2017)";
    NullThreat "null_threat" Boolean "" Cheap "The move that refuted this node's null move captures the piece that moves; false when no null move was tried or none was refuted." "Chess Programming Wiki, Late Move Reductions";
    NullMate "null_mate" Boolean "" Cheap "This node's null-move search found a mate against the side to move." "Mediocre 0.5 (Pettersson)";
    KingZone "king_zone" Boolean "" Cheap "The piece arrives on a square next to the enemy king, or next to one of those squares." "Chess Programming Wiki, Late Move Reductions";
    CreatesThreat "creates_threat" Boolean "" Work "After the move more enemy knights, bishops, rooks or queens are attacked by a lesser piece, or attacked and not defended, than before it." "Rebel (Schröder 2017)";
    EscapesThreat "escapes_threat" Boolean "" Work "After the move fewer own knights, bishops, rooks or queens are attacked by a lesser piece, or attacked and not defended, than before it." "Rebel (Schröder 2017)";
    Depth "depth" Number "plies" Free "Remaining depth of the node before the move is made; quiescence is depth 0." "all";
    Ply "ply" Number "plies" Free "Distance of the node from the root; the root is 0." "all";
    MovesSearched "moves_searched" Number "moves" Free "Legal moves of this node searched before this one, of any kind." "Mediocre (Pettersson 2007)";
    MoveNumber "move_number" Number "moves" Free "Number of this move among the node's moves, of any kind, counted from 1." "Stockfish";
    QuietNumber "quiet_number" Number "moves" Free "Number of quiet moves up to and including this one, counted from 1; 0 when none was quiet yet." "MadChess 2.0 (Madsen 2015)";
    LegalMoves "legal_moves" Number "moves" Free "Number of legal moves of the node." "Chess Programming Wiki";
    TtDepth "tt_depth" Number "plies" Free "Depth at which the transposition table knows this position; -1 when it does not." "Reckless";
    TtScore "tt_score" Number "centipawns" Free "Score of this position in the transposition table, for the side to move; 0 when unknown (see `tt_hit`)." "Reckless (2026)";
    Alpha "alpha" Number "centipawns" Free "Lower bound of the window, at the moment of the move." "Stockfish 15.1";
    BestScore "best_score" Number "centipawns" Free "Best score of this node so far; before its first move has returned, the alpha with which the node was entered." "Stockfish";
    Window "window" Number "centipawns" Free "Width of the window, beta minus alpha, at the moment of the move." "Stockfish 15.1";
    RootWindow "root_window" Number "centipawns" Free "Width of the window, beta minus alpha, with which the root was entered in this iteration." "Stockfish 15.1";
    Improvement "improvement" Number "centipawns" Free "Static evaluation minus that of two plies before, for the same side; 0 when either is unknown." "Reckless (2026)";
    ParentReduction "parent_reduction" Number "plies" Free "Plies by which the move that led to this node was reduced; 0 at the root and after a null move." "Stockfish (2025)";
    ParentMoveNumber "parent_move_number" Number "moves" Free "Number, among its node's moves, of the move that led to this node, counted from 1; 0 at the root and after a null move." "Stockfish 11 (2020)";
    ChildCutoffs "child_cutoffs" Number "cutoffs" Free "Beta cutoffs one ply below this node, since the parent of this node was entered." "Stockfish 15.1, cutoffCnt";
    Iteration "iteration" Number "plies" Free "Nominal depth of the current iteration of the search." "Rebel (Schröder 2017)";
    Extension "extension" Number "plies" Free "Plies by which the move is extended, before any reduction." "Fruit Reloaded (2014)";
    PawnRank "pawn_rank" Number "rank" Free "Rank at which a pawn arrives, 1 to 8 from its own side; 0 for other pieces." "Toga II 3.0";
    Phase "phase" Number "0 to 24" Cheap "Pieces on the board, knights and bishops counting 1, rooks 2 and queens 4: 24 in the initial position, 0 with kings and pawns alone." "Fruit 2.1 (2005)";
    StaticEval "static_eval" Number "centipawns" Free "Static evaluation of the node, for the side to move; the last one known for that side when in check." "Rebel (Schröder 2017)";
    EvalMinusAlpha "eval_minus_alpha" Number "centipawns" Free "Static evaluation minus alpha, at the moment of the move." "Rebel (Schröder 2017)";
    BestChanges "best_changes" Number "moves" Free "How often this node's best move has changed so far." "Viridithas";
    History "history" Number "of the model" Cheap "Value of the move in the history table that the policy's `[history]` declares." "Rebel (Schröder 2017)";
    CaptureHistory "capture_history" Number "-16384 to 16384" Cheap "Value of the move in the engine's capture history (piece, destination, captured piece); 0 for a move that does not capture." "Stockfish 10 (2018)";
    ContinuationHistory "continuation_history" Number "-16384 to 16384" Cheap "Value of the move in the engine's continuation history (the previous move's piece and destination, then this move's)." "Stockfish 7 (2016)";
    OrderingHistory "ordering_history" Number "-65536 to 65536" Cheap "What the search's own move ordering knows of the move: for a quiet move butterfly history plus continuation history after the moves one, two and four plies before, for a capture its capture history (within 16384). What the preset does not keep counts 0." "Stockfish, statScore";
    Material "material" Number "centipawns" Cheap "Material balance before the move, for the side to move." "Rebel (Schröder 2017)";
    Positional "positional" Number "centipawns" Cheap "Static evaluation minus material balance, for the side to move." "Rebel (Schröder 2017)";
    PstDelta "pst_delta" Number "centipawns" Cheap "Piece-square value of the destination minus that of the origin, for the moving piece." "Rebel (Schröder 2017)";
    See "see" Number "centipawns" Work "Static exchange evaluation of the move." "Rebel (Schröder 2017)";
    EvalDelta "eval_delta" Number "centipawns" Work "Static evaluation after the move minus before it, both from the side of the player who moves." "Rebel (Schröder 2017)";
    PassedDelta "passed_delta" Number "centipawns" Work "Evaluation of the mover's own passed pawns after the move minus before it." "Rebel (Schröder 2017)";
    KingSafetyDelta "king_safety_delta" Number "centipawns" Work "Evaluation of the safety of the mover's own king after the move minus before it." "Rebel (Schröder 2017)";
    SoFar "so_far" Number "plies" Free "The reduction so far, before the rule that asks; its unit is the file's, before `finish.scale`. Known in rules only." "Reckless (2026)";
    Score "score" Number "centipawns" Free "What the reduced search returned, for the side that moved. Known in `[research]` only." "Stockfish 15.1";
    Reduction "reduction" Number "plies" Free "Plies by which the move was reduced. Known in `[research]` only." "Viridithas 21";
}

impl Fact {
    /// The fact's row in the catalogue.
    pub fn info(self) -> &'static FactInfo {
        &CATALOGUE[self as usize]
    }

    /// The fact with this name.
    pub fn named(name: &str) -> Option<Self> {
        CATALOGUE
            .iter()
            .find(|info| info.name == name)
            .map(|info| info.fact)
    }

    /// Whether the fact is known only when a reduced search has returned: in `[research]`.
    pub fn is_of_research(self) -> bool {
        matches!(self, Self::Score | Self::Reduction)
    }

    /// Whether the fact is known only in a rule, to the policy itself: no search is asked for it.
    pub fn is_of_rules(self) -> bool {
        self == Self::SoFar
    }

    /// Whether the fact is a boolean that travels in [`Flags`].
    pub fn is_flag(self) -> bool {
        let info = self.info();
        info.kind == Kind::Boolean && info.cost == Cost::Free
    }
}

/// The free booleans about a move, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u32);

impl Flags {
    /// No flag set.
    pub const NONE: Self = Self(0);

    /// These flags and `fact`, if `value`. `fact` must be a flag ([`Fact::is_flag`]); others are ignored by readers.
    #[inline]
    #[must_use]
    pub fn with(self, fact: Fact, value: bool) -> Self {
        Self(self.0 | (u32::from(value) << (fact as u32 & 31)))
    }

    /// Whether `fact` is set.
    #[inline]
    pub fn has(self, fact: Fact) -> bool {
        self.0 >> (fact as u32 & 31) & 1 != 0
    }

    /// Whether exactly `wanted` are set among those in `mask`.
    #[inline]
    pub fn matches(self, mask: Self, wanted: Self) -> bool {
        self.0 & mask.0 == wanted.0
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
    /// A number, in the unit that the catalogue names.
    fn number(&self, fact: Fact) -> f64;
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
    /// Adds a fact.
    pub fn insert(&mut self, fact: Fact) {
        self.0 |= 1 << fact as u32;
    }

    /// Takes a fact out.
    pub(crate) fn remove(&mut self, fact: Fact) {
        self.0 &= !(1 << fact as u32);
    }

    /// Whether the set holds `fact`.
    #[inline]
    pub fn contains(self, fact: Fact) -> bool {
        self.0 >> fact as u32 & 1 != 0
    }

    /// The facts of the set, in the catalogue's order.
    pub fn iter(self) -> impl Iterator<Item = Fact> {
        CATALOGUE
            .iter()
            .map(|info| info.fact)
            .filter(move |fact| self.contains(*fact))
    }
}

// Flags are a word of 32 bits and sets one of 128; every flag must stand before the other facts.
const _: () = assert!(CATALOGUE.len() <= 128);
const _: () = {
    let mut index = 0;
    while index < CATALOGUE.len() {
        let info = &CATALOGUE[index];
        let is_flag = matches!(info.kind, Kind::Boolean) && matches!(info.cost, Cost::Free);
        assert!(!is_flag || index < 32);
        index += 1;
    }
};
