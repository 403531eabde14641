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

/// What the search pays when an expression reads a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    AfterNull "after_null" Boolean "" Free "The move that led to this node was a null move." "Stockfish";
    AdvancedPawn "advanced_pawn" Boolean "" Cheap "A pawn moves to its sixth rank or beyond, seen from its own side." "Rebel (Schröder 2017)";
    PassedPawn "passed_pawn" Boolean "" Cheap "A pawn moves that has no enemy pawn in front of it on its own or a neighbouring file, from where it arrives." "Chess Programming Wiki";
    Depth "depth" Number "plies" Free "Remaining depth of the node before the move is made; quiescence is depth 0." "all";
    Ply "ply" Number "plies" Free "Distance of the node from the root; the root is 0." "all";
    MovesSearched "moves_searched" Number "moves" Free "Legal moves of this node searched before this one, of any kind." "Mediocre (Pettersson 2007)";
    MoveNumber "move_number" Number "moves" Free "Number of this move among the node's moves, of any kind, counted from 1." "Stockfish";
    QuietNumber "quiet_number" Number "moves" Free "Number of quiet moves up to and including this one, counted from 1; 0 when none was quiet yet." "MadChess 2.0 (Madsen 2015)";
    LegalMoves "legal_moves" Number "moves" Free "Number of legal moves of the node." "Chess Programming Wiki";
    TtDepth "tt_depth" Number "plies" Free "Depth at which the transposition table knows this position; -1 when it does not." "Reckless";
    StaticEval "static_eval" Number "centipawns" Free "Static evaluation of the node, for the side to move; the last one known for that side when in check." "Rebel (Schröder 2017)";
    EvalMinusAlpha "eval_minus_alpha" Number "centipawns" Free "Static evaluation minus alpha, at the moment of the move." "Rebel (Schröder 2017)";
    BestChanges "best_changes" Number "moves" Free "How often this node's best move has changed so far." "Viridithas";
    History "history" Number "of the model" Cheap "Value of the move in the history table that the policy's `[history]` declares." "Rebel (Schröder 2017)";
    Material "material" Number "centipawns" Cheap "Material balance before the move, for the side to move." "Rebel (Schröder 2017)";
    Positional "positional" Number "centipawns" Cheap "Static evaluation minus material balance, for the side to move." "Rebel (Schröder 2017)";
    PstDelta "pst_delta" Number "centipawns" Cheap "Piece-square value of the destination minus that of the origin, for the moving piece." "Rebel (Schröder 2017)";
    See "see" Number "centipawns" Work "Static exchange evaluation of the move." "Rebel (Schröder 2017)";
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

    /// Whether the fact is a boolean that travels in [`Flags`].
    pub fn is_flag(self) -> bool {
        let info = self.info();
        info.kind == Kind::Boolean && info.cost == Cost::Free
    }
}

/// The free booleans about a move, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

/// A set of facts: those that a policy mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FactSet(u64);

impl FactSet {
    /// Adds a fact.
    pub fn insert(&mut self, fact: Fact) {
        self.0 |= 1 << fact as u64;
    }

    /// Whether the set holds `fact`.
    #[inline]
    pub fn contains(self, fact: Fact) -> bool {
        self.0 >> fact as u64 & 1 != 0
    }

    /// The facts of the set, in the catalogue's order.
    pub fn iter(self) -> impl Iterator<Item = Fact> {
        CATALOGUE
            .iter()
            .map(|info| info.fact)
            .filter(move |fact| self.contains(*fact))
    }
}

// Flags are a word of 32 bits and sets one of 64; every flag must stand before the other facts.
const _: () = assert!(CATALOGUE.len() <= 64);
const _: () = {
    let mut index = 0;
    while index < CATALOGUE.len() {
        let info = &CATALOGUE[index];
        let is_flag = matches!(info.kind, Kind::Boolean) && matches!(info.cost, Cost::Free);
        assert!(!is_flag || index < 32);
        index += 1;
    }
};
