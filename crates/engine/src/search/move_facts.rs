//! The facts about a move, as policies read them.

use cozy_chess::{Move, Piece, Rank};
use lmrlab_policy::facts::{Fact, Facts, Flags};

use super::Memory;
use super::kind::NodeKind;
use super::late_move::{LateMove, Outcome};
use super::node::Node;
use crate::depth::Depth;
use crate::evaluation::{
    FULL_PHASE, Parts, distance, evaluate_uncached, material_balance, parts_of, passed_pawn_span,
    piece_square_gain,
};
use crate::exchange::exchange;
use crate::move_key::MoveKey;
use crate::position::Position;
use crate::search_parameters::EvaluationTerms;
use crate::threats::{creates_threat, escapes_threat};
use crate::transposition::Bound;

/// What facts are read from, beside the node and the move.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'s> {
    pub(super) memory: &'s Memory,
    pub(super) were_best: &'s [Move],
    pub(super) root_depth: Depth,
    pub(super) root_window: i32,
    pub(super) terms: EvaluationTerms,
}

/// The facts about one move, computed when a policy asks.
pub(super) struct MoveFacts<'s> {
    flags: Flags,
    surroundings: Surroundings<'s>,
    position: &'s Position,
    after: &'s Position,
    node: &'s Node,
    mv: Move,
    piece: Piece,
    extension: i32,
    /// Known when the move has been searched reduced.
    outcome: Option<Outcome>,
}

impl<'s> MoveFacts<'s> {
    pub(super) fn of<K: NodeKind>(
        surroundings: Surroundings<'s>,
        position: &'s Position,
        after: &'s Position,
        node: &'s Node,
        late: LateMove,
    ) -> Self {
        let mv = late.mv;
        let piece = position.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let flags = Flags::NONE
            .with(Fact::Root, K::ROOT)
            .with(Fact::Pv, K::PV)
            .with(Fact::Cut, !K::PV && node.expected_cut)
            .with(Fact::All, !K::PV && !node.expected_cut)
            .with(Fact::Improving, node.improving)
            .with(Fact::InCheck, node.in_check)
            .with(Fact::GivesCheck, after.in_check())
            .with(Fact::Capture, late.captures)
            .with(Fact::Quiet, late.quiet)
            .with(Fact::Promotion, mv.promotion.is_some())
            .with(Fact::QueenPromotion, mv.promotion == Some(Piece::Queen))
            .with(
                Fact::Castling,
                piece == Piece::King && position.is_castling(mv),
            )
            .with(Fact::PawnMove, piece == Piece::Pawn)
            .with(Fact::TtMove, node.hash_move == Some(mv))
            .with(Fact::TtHit, node.known.is_some())
            .with(Fact::TtCapture, node.hash_move_captures)
            .with(Fact::TtPv, node.known.is_some_and(|known| known.pv))
            .with(
                Fact::TtExact,
                node.known.is_some_and(|known| known.bound == Bound::Exact),
            )
            .with(Fact::Killer, late.killer)
            .with(Fact::Extended, late.extension > 0)
            .with(Fact::AfterNull, node.after_null);
        Self {
            flags,
            surroundings,
            position,
            after,
            node,
            mv,
            piece,
            extension: late.extension.max(0),
            outcome: None,
        }
    }

    /// The same facts, once the move has been searched reduced.
    pub(super) fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = Some(outcome);
        self
    }

    /// What history tables know the move by.
    fn key(&self) -> MoveKey {
        let previous = self.surroundings.memory.frames[self.node.ply.index()].arrival;
        MoveKey::new(self.position, self.mv, previous)
    }

    /// The mover's own part of the evaluation after the move, minus the same before it.
    fn part_gain(&self, part: fn(&Parts) -> i32) -> i32 {
        let color = self.position.side_to_move();
        part(&parts_of(self.after, color)) - part(&parts_of(self.position, color))
    }
}

impl Facts for MoveFacts<'_> {
    #[inline]
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        let us = self.position.side_to_move();
        match fact {
            Fact::AdvancedPawn => {
                self.piece == Piece::Pawn && self.mv.to.rank().relative_to(us) >= Rank::Sixth
            }
            Fact::PassedPawn => {
                self.piece == Piece::Pawn
                    && (passed_pawn_span(self.mv.to, us) & self.position.pieces(!us, Piece::Pawn))
                        .is_empty()
            }
            Fact::CounterMove => {
                let previous = self.surroundings.memory.frames[self.node.ply.index()].arrival;
                self.surroundings
                    .memory
                    .fact_tables
                    .is_counter_move(self.mv, previous)
            }
            Fact::WasBest => {
                self.flags.has(Fact::Root) && self.surroundings.were_best.contains(&self.mv)
            }
            Fact::NullThreat => self
                .node
                .null_refutation
                .is_some_and(|refutation| refutation.to == self.mv.from),
            Fact::NullMate => self.node.null_mate,
            Fact::KingZone => {
                let king = self.position.board().king(!us);
                distance(king, self.mv.to) <= 2
            }
            Fact::CreatesThreat => creates_threat(self.position, self.after),
            Fact::EscapesThreat => escapes_threat(self.position, self.after),
            flag => self.flags.has(flag),
        }
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        let (position, node) = (self.position, self.node);
        let frame = |offset: usize| &self.surroundings.memory.frames[node.ply.index() + offset];
        let value = match fact {
            Fact::Depth => node.depth.get(),
            Fact::Ply => node.ply.get(),
            Fact::MovesSearched => node.moves_searched as i32,
            Fact::MoveNumber => node.moves_searched as i32 + 1,
            Fact::QuietNumber => node.quiets_seen as i32,
            Fact::LegalMoves => node.legal_moves as i32,
            Fact::TtDepth => node.known.map_or(-1, |known| known.depth.get()),
            Fact::TtScore => node.known.map_or(0, |known| known.score.get()),
            Fact::StaticEval => node.static_eval.get(),
            Fact::EvalMinusAlpha => node.static_eval - node.window.alpha,
            Fact::Alpha => node.window.alpha.get(),
            Fact::BestScore => node.best_score.max(node.original_alpha).get(),
            Fact::Window => node.window.beta - node.window.alpha,
            Fact::RootWindow => self.surroundings.root_window,
            Fact::Improvement => node.improvement,
            Fact::BestChanges => node.best_changes as i32,
            Fact::ParentReduction => frame(0).reduction,
            Fact::ParentMoveNumber => frame(0).move_number as i32,
            Fact::ChildCutoffs => frame(1).cutoffs as i32,
            Fact::Iteration => self.surroundings.root_depth.get(),
            Fact::Extension => self.extension,
            Fact::PawnRank => {
                if self.piece == Piece::Pawn {
                    self.mv.to.rank().relative_to(position.side_to_move()) as i32 + 1
                } else {
                    0
                }
            }
            Fact::Phase => position.phase.min(FULL_PHASE),
            Fact::History => self
                .surroundings
                .memory
                .policy_history
                .as_ref()
                .map_or(0, |history| history.get(&self.key())),
            Fact::CaptureHistory => self.surroundings.memory.fact_tables.capture(&self.key()),
            Fact::ContinuationHistory => self
                .surroundings
                .memory
                .fact_tables
                .continuation(&self.key()),
            Fact::OrderingHistory if self.flags.has(Fact::Quiet) => self
                .surroundings
                .memory
                .ordering
                .quiet(position, self.mv, &node.trail),
            Fact::OrderingHistory => self.surroundings.memory.ordering.capture(position, self.mv),
            Fact::Material => material_balance(position),
            Fact::Positional => node.static_eval.get() - material_balance(position),
            Fact::PstDelta => piece_square_gain(position, self.piece, self.mv.from, self.mv.to),
            Fact::See => exchange(position, self.mv),
            Fact::EvalDelta => {
                -evaluate_uncached(self.after, self.surroundings.terms).get()
                    - node.static_eval.get()
            }
            Fact::PassedDelta => self.part_gain(|parts| parts.passed_pawns),
            Fact::KingSafetyDelta => self.part_gain(|parts| parts.king_safety),
            Fact::Score => self.outcome.map_or(0, |outcome| outcome.score.get()),
            Fact::Reduction => self.outcome.map_or(0, |outcome| outcome.reduction),
            // The rest of the catalogue is boolean; the language's types keep it out of here.
            other => i32::from(self.boolean(other)),
        };
        f64::from(value)
    }
}
