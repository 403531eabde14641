//! The facts about a move, as policies read them.

use cozy_chess::{Color, Move, Piece, Rank};
use lmrlab_policy::facts::{BooleanFact, Fact, Facts, FlagFact, Flags, NumberFact};

use super::kind::NodeType;
use super::memory::Memory;
use super::node_state::{MoveToSearch, Node, ReducedSearch};
use crate::depth::Depth;
use crate::evaluation::{
    FULL_PHASE, distance, evaluate_alone, king_safety, material_balance, passed_pawn_span, passed_pawns,
    piece_square_gain,
};
use crate::history::move_key::MoveKey;
use crate::position::Position;
use crate::score::Score;
use crate::search_parameters::EvaluationMethod;
use crate::see::{see, see_value};
use crate::threats::{creates_threat, escapes_threat};
use crate::transposition::Bound;

/// The state of the search that facts are read from, besides the node and the move.
#[derive(Clone, Copy)]
pub(super) struct FactSources<'s> {
    pub(super) memory: &'s Memory,
    pub(super) were_best: &'s [Move],
    pub(super) root_depth: Depth,
    pub(super) root_window: i32,
    pub(super) evaluation: EvaluationMethod,
}

/// The facts about one move. Flags are computed at once, the others when a policy reads them.
pub(super) struct MoveFacts<'s> {
    flags: Flags,
    sources: FactSources<'s>,
    position: &'s Position,
    after: &'s Position,
    node: &'s Node,
    mv: Move,
    piece: Piece,
    extension: i32,
    /// `None` before the reduced search of the move.
    reduced_search: Option<ReducedSearch>,
}

impl<'s> MoveFacts<'s> {
    pub(super) fn of<K: NodeType>(
        sources: FactSources<'s>,
        position: &'s Position,
        after: &'s Position,
        node: &'s Node,
        current: MoveToSearch,
    ) -> Self {
        let mv = current.mv;
        let piece = position.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let flags = Flags::from_values(|flag| match flag {
            FlagFact::Root => K::ROOT,
            FlagFact::Pv => K::PV,
            FlagFact::Cut => !K::PV && node.expected_cut,
            FlagFact::All => !K::PV && !node.expected_cut,
            FlagFact::Improving => node.improving,
            FlagFact::InCheck => node.in_check,
            FlagFact::GivesCheck => after.in_check(),
            FlagFact::Capture => current.captures,
            FlagFact::Quiet => current.quiet,
            FlagFact::Promotion => mv.promotion.is_some(),
            FlagFact::QueenPromotion => mv.promotion == Some(Piece::Queen),
            FlagFact::Castling => piece == Piece::King && position.is_castling(mv),
            FlagFact::PawnMove => piece == Piece::Pawn,
            FlagFact::TtMove => node.tt_move == Some(mv),
            FlagFact::TtHit => node.tt_entry.is_some(),
            FlagFact::TtHasMove => node.tt_move.is_some(),
            FlagFact::TtCapture => node.tt_move_captures,
            FlagFact::TtPv => node.tt_entry.is_some_and(|tt_entry| tt_entry.pv),
            FlagFact::TtExact => node.tt_entry.is_some_and(|tt_entry| tt_entry.bound == Bound::Exact),
            FlagFact::Killer => current.killer,
            FlagFact::Extended => current.extension > 0,
            FlagFact::AfterNull => node.after_null,
            FlagFact::NullMover => sources.memory.stack[node.ply.index()].null_mover == Some(position.side_to_move()),
        });
        Self {
            flags,
            sources,
            position,
            after,
            node,
            mv,
            piece,
            extension: current.extension.max(0),
            reduced_search: None,
        }
    }

    /// The same facts after the reduced search of the move.
    pub(super) fn with_reduced_search(mut self, reduced_search: ReducedSearch) -> Self {
        self.reduced_search = Some(reduced_search);
        self
    }

    /// The index of the move in history tables.
    fn key(&self) -> MoveKey {
        let previous = self.sources.memory.stack[self.node.ply.index()].piece_to;
        MoveKey::new(self.position, self.mv, previous)
    }

    /// The value of the move in a continuation history.
    fn continuation(&self, fact: Fact) -> i32 {
        let tables = &self.sources.memory.fact_tables;
        tables.continuation(fact, &self.key(), &self.node.context)
    }

    /// The static evaluation of the parent node, for the side to move in this one; `None` at the root and when it is unknown.
    fn parent_eval(&self) -> Option<Score> {
        let parent = self.node.ply.index().checked_sub(1)?;
        self.sources.memory.stack[parent].static_eval.map(|eval| -eval)
    }

    /// The static evaluations of this node and of its parent, both for the side to move in this one.
    fn eval_and_parents(&self) -> Option<(Score, Score)> {
        let now = self.sources.memory.stack[self.node.ply.index()].static_eval;
        now.zip(self.parent_eval())
    }

    /// The mover's own part of the evaluation after the move, minus the same before it.
    fn part_gain(&self, part: fn(&Position, Color) -> i32) -> i32 {
        let color = self.position.side_to_move();
        part(self.after, color) - part(self.position, color)
    }
}

impl Facts for MoveFacts<'_> {
    #[inline]
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        let us = self.position.side_to_move();
        let Some(fact) = fact.as_boolean() else {
            return self.flags.has(fact);
        };
        match fact {
            BooleanFact::AdvancedPawn => self.piece == Piece::Pawn && self.mv.to.rank().relative_to(us) >= Rank::Sixth,
            BooleanFact::PassedPawn => {
                self.piece == Piece::Pawn
                    && (passed_pawn_span(self.mv.to, us) & self.position.pieces(!us, Piece::Pawn)).is_empty()
            }
            BooleanFact::CounterMove => {
                let previous = self.sources.memory.stack[self.node.ply.index()].piece_to;
                self.sources.memory.fact_tables.is_counter_move(self.mv, previous)
            }
            BooleanFact::WasBest => self.flags.has(Fact::Root) && self.sources.were_best.contains(&self.mv),
            BooleanFact::NullThreat => self
                .node
                .null_refutation
                .is_some_and(|refutation| refutation.to == self.mv.from),
            BooleanFact::NullMate => self.node.null_mate,
            BooleanFact::OpponentWorsening => self.eval_and_parents().is_some_and(|(now, parents)| now > parents),
            BooleanFact::KingZone => {
                let king = self.position.board().king(!us);
                distance(king, self.mv.to) <= 2
            }
            BooleanFact::CreatesThreat => creates_threat(self.position, self.after),
            BooleanFact::EscapesThreat => escapes_threat(self.position, self.after),
        }
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        let (position, node) = (self.position, self.node);
        let stack_entry = |offset: usize| &self.sources.memory.stack[node.ply.index() + offset];
        let Some(fact) = fact.as_number() else {
            return f64::from(u8::from(self.boolean(fact)));
        };
        let value = match fact {
            NumberFact::Depth => node.depth.get(),
            NumberFact::Ply => node.ply.get(),
            NumberFact::MovesSearched => node.moves_searched as i32,
            NumberFact::MoveNumber => node.moves_searched as i32 + 1,
            NumberFact::QuietNumber => node.quiets_seen as i32,
            NumberFact::LegalMoves => node.legal_moves as i32,
            NumberFact::TtDepth => node.tt_entry.map_or(-1, |tt_entry| tt_entry.depth.get()),
            NumberFact::TtScore => node.tt_entry.map_or(0, |tt_entry| tt_entry.score.get()),
            NumberFact::StaticEval => node.static_eval.get(),
            NumberFact::EvalMinusAlpha => node.static_eval - node.window.alpha,
            NumberFact::Alpha => node.window.alpha.get(),
            NumberFact::BestScore => node.best_so_far().get(),
            NumberFact::Window => node.window.beta - node.window.alpha,
            NumberFact::RootWindow => self.sources.root_window,
            NumberFact::Improvement => node.improvement,
            NumberFact::Correction => stack_entry(0).raw_eval.map_or(0, |raw| node.static_eval - raw),
            NumberFact::ParentEval => self.parent_eval().map_or(0, Score::get),
            NumberFact::AlphaRaises => node.alpha_raises as i32,
            NumberFact::BestChanges => node.best_changes as i32,
            NumberFact::ParentReduction => stack_entry(0).reduction,
            NumberFact::ParentMoveNumber => stack_entry(0).move_number as i32,
            NumberFact::ChildCutoffs => stack_entry(1).cutoffs as i32,
            NumberFact::Iteration => self.sources.root_depth.get(),
            NumberFact::Extension => self.extension,
            NumberFact::PawnRank => {
                if self.piece == Piece::Pawn {
                    self.mv.to.rank().relative_to(position.side_to_move()) as i32 + 1
                } else {
                    0
                }
            }
            NumberFact::Phase => position.phase.min(FULL_PHASE),
            NumberFact::OpponentPieces => position.piece_count(!position.side_to_move()) as i32,
            NumberFact::History => self
                .sources
                .memory
                .policy_history
                .as_ref()
                .map_or(0, |history| history.get(&self.key())),
            NumberFact::CaptureHistory => self.sources.memory.fact_tables.capture(&self.key()),
            NumberFact::ContinuationHistory => self.continuation(Fact::ContinuationHistory),
            NumberFact::ContinuationHistory2 => self.continuation(Fact::ContinuationHistory2),
            NumberFact::ContinuationHistory4 => self.continuation(Fact::ContinuationHistory4),
            NumberFact::OrderingHistory if self.flags.has(Fact::Quiet) => {
                self.sources.memory.ordering.quiet(position, self.mv, &node.context)
            }
            NumberFact::OrderingHistory => self.sources.memory.ordering.capture(position, self.mv),
            NumberFact::CapturedValue => position.captured(self.mv).map_or(0, see_value),
            NumberFact::Material => material_balance(position),
            NumberFact::Positional => node.static_eval.get() - material_balance(position),
            NumberFact::PstDelta => piece_square_gain(position, self.piece, self.mv.from, self.mv.to),
            NumberFact::See => see(position, self.mv),
            NumberFact::EvalDelta => {
                -evaluate_alone(self.after, self.sources.evaluation).get() - node.static_eval.get()
            }
            NumberFact::PassedDelta => self.part_gain(passed_pawns),
            NumberFact::KingSafetyDelta => self.part_gain(king_safety),
            NumberFact::Score => self
                .reduced_search
                .map_or(0, |reduced_search| reduced_search.score.get()),
            NumberFact::Reduction => self.reduced_search.map_or(0, |reduced_search| reduced_search.reduction),
            // The policy itself knows it, in its rules.
            NumberFact::SoFar => 0,
        };
        f64::from(value)
    }
}
