//! The facts that lmrlab knows: a copy of the catalogue of lmrlab's policies.

macro_rules! catalogue {
    (
        booleans { $($boolean:ident $Boolean:ident;)* }
        numbers { $($number:ident $Number:ident;)* }
    ) => {
        /// A fact about a move that an engine is about to search. `lmrlab policy facts` prints what each means, with its unit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Fact {
            $(#[doc = concat!("The boolean `", stringify!($boolean), "`.")] $Boolean,)*
            $(#[doc = concat!("The number `", stringify!($number), "`.")] $Number,)*
        }

        /// Every fact with its name: the booleans, then the numbers.
        pub const FACTS: &[(Fact, &str)] = &[
            $((Fact::$Boolean, stringify!($boolean)),)*
            $((Fact::$Number, stringify!($number)),)*
        ];

        /// The number of booleans.
        pub(crate) const BOOLEANS: usize = [$(Fact::$Boolean),*].len();
        /// The number of numbers.
        pub(crate) const NUMBERS: usize = [$(Fact::$Number),*].len();
    };
}

// A test writes these lists from the catalogue of the policies.
catalogue! {
    booleans {
        root Root;
        pv Pv;
        cut Cut;
        all All;
        improving Improving;
        in_check InCheck;
        gives_check GivesCheck;
        capture Capture;
        quiet Quiet;
        promotion Promotion;
        queen_promotion QueenPromotion;
        castling Castling;
        pawn_move PawnMove;
        tt_move TtMove;
        tt_hit TtHit;
        tt_has_move TtHasMove;
        tt_capture TtCapture;
        killer Killer;
        extended Extended;
        tt_pv TtPv;
        tt_exact TtExact;
        after_null AfterNull;
        null_mover NullMover;
        advanced_pawn AdvancedPawn;
        passed_pawn PassedPawn;
        counter_move CounterMove;
        was_best WasBest;
        null_threat NullThreat;
        null_mate NullMate;
        opponent_worsening OpponentWorsening;
        king_zone KingZone;
        creates_threat CreatesThreat;
        escapes_threat EscapesThreat;
    }
    numbers {
        depth Depth;
        ply Ply;
        moves_searched MovesSearched;
        move_number MoveNumber;
        quiet_number QuietNumber;
        legal_moves LegalMoves;
        tt_depth TtDepth;
        tt_score TtScore;
        alpha Alpha;
        best_score BestScore;
        window Window;
        root_window RootWindow;
        improvement Improvement;
        parent_reduction ParentReduction;
        parent_move_number ParentMoveNumber;
        child_cutoffs ChildCutoffs;
        iteration Iteration;
        extension Extension;
        pawn_rank PawnRank;
        phase Phase;
        opponent_pieces OpponentPieces;
        static_eval StaticEval;
        eval_minus_alpha EvalMinusAlpha;
        correction Correction;
        parent_eval ParentEval;
        alpha_raises AlphaRaises;
        best_changes BestChanges;
        history History;
        capture_history CaptureHistory;
        continuation_history ContinuationHistory;
        continuation_history_2 ContinuationHistory2;
        continuation_history_4 ContinuationHistory4;
        ordering_history OrderingHistory;
        captured_value CapturedValue;
        material Material;
        positional Positional;
        pst_delta PstDelta;
        see See;
        eval_delta EvalDelta;
        passed_delta PassedDelta;
        king_safety_delta KingSafetyDelta;
        so_far SoFar;
        score Score;
        reduction Reduction;
    }
}

impl Fact {
    /// Its name in policies.
    pub fn name(self) -> &'static str {
        FACTS.get(self as usize).map_or("", |(_, name)| name)
    }

    /// The fact with this name.
    pub fn named(name: &str) -> Option<Self> {
        FACTS.iter().find(|(_, known)| *known == name).map(|(fact, _)| *fact)
    }

    /// Whether the fact is a boolean rather than a number.
    #[inline]
    pub const fn is_boolean(self) -> bool {
        (self as usize) < BOOLEANS
    }

    /// Whether the engine does not fill the fact: a call passes it, or the policy computes it.
    pub(crate) fn is_given(self) -> bool {
        matches!(self, Self::SoFar | Self::Score | Self::Reduction)
    }

    /// Whether the fact is a small whole number.
    pub(crate) fn counts(self) -> bool {
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
}
