//! Late move reductions: how deep one move is searched, and what happens when the reduced search is surprised.

use cozy_chess::{Move, Piece, Rank};
use lmrlab_policy::facts::{Fact, Facts, Flags};
use lmrlab_policy::research::{Ladder, Trigger};

use super::Search;
use super::node::{Node, NodeKind, NonPv, Pv};
use super::observer::Observer;
use super::window::Window;
use crate::depth::Depth;
use crate::evaluation::{material_balance, passed_pawn_span, piece_square_gain};
use crate::exchange::exchange;
use crate::history::PolicyHistory;
use crate::position::Position;
use crate::score::Score;

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct LateMove {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) captures: bool,
    pub(super) killer: bool,
}

impl<O: Observer> Search<'_, O> {
    /// Searches one move of a node, reduced where the policy says so. The score is from the node's point of view.
    pub(super) fn search_move<K: NodeKind>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        late: LateMove,
    ) -> Score {
        let extension = i32::from(
            self.parameters.check_extension
                && child.in_check()
                && node.ply.get() < 2 * self.root_depth.get(),
        );
        let full_depth = node.depth - 1 + extension;
        let reduction = if self.policy.never_reduces() {
            0
        } else {
            let facts = MoveFacts::of::<K>(
                self.memory.policy_history.as_ref(),
                position,
                child,
                node,
                late,
                extension > 0,
            );
            self.policy.reduction(&facts)
        };
        let reduced_depth = full_depth - reduction;
        let first = node.moves_searched == 0;
        let narrow = self.parameters.principal_variation_search && !first;
        let full = node.window;
        let scout = if narrow {
            full.null_above_alpha()
        } else {
            full
        };

        let mut score = self.child::<K>(child, node, scout, reduced_depth, narrow);
        if self.stopped {
            return score;
        }
        let research = self.policy.research();
        let surprised = |score: Score| match research.trigger {
            Trigger::AboveAlpha => score > full.alpha,
            Trigger::AtOrAboveBeta => score >= full.beta,
            Trigger::AboveOriginalAlpha => score > node.original_alpha,
            Trigger::AboveBestScore => score > node.best_score.max(node.original_alpha),
        };
        if reduction > 0 && surprised(score) {
            match research.ladder {
                Ladder::NullThenFull => {
                    score = self.child::<K>(child, node, scout, full_depth, narrow);
                }
                Ladder::Full => {
                    return self.child::<K>(child, node, full, full_depth, false);
                }
                Ladder::StepUp => {
                    let mut left = reduction;
                    while left > 0 && surprised(score) && !self.stopped {
                        left -= 1;
                        score = self.child::<K>(child, node, scout, full_depth - left, narrow);
                    }
                }
            }
        }
        // Principal variation search: what beats alpha inside an open window gets its exact score.
        if narrow && K::PV && full.contains(score) && !self.stopped {
            score = self.child::<K>(child, node, full, full_depth, false);
        }
        score
    }

    /// Searches the position after a move, with the node's window as its own side sees it.
    fn child<K: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        window: Window,
        depth: Depth,
        narrow: bool,
    ) -> Score {
        let ply = node.ply.next();
        // Without principal variation search every window is open; only the first move's line is the principal one.
        let principal = K::PV
            && !narrow
            && (self.parameters.principal_variation_search || node.moves_searched == 0);
        let score = if principal {
            self.node::<Pv>(child, window.flipped(), depth, ply, false, false)
        } else {
            let expected_cut = K::PV || !node.expected_cut;
            self.node::<NonPv>(child, window.flipped(), depth, ply, expected_cut, false)
        };
        -score
    }
}

/// The facts about one move, computed when a policy asks.
struct MoveFacts<'s> {
    flags: Flags,
    history: Option<&'s PolicyHistory>,
    position: &'s Position,
    node: &'s Node,
    mv: Move,
    piece: Piece,
}

impl<'s> MoveFacts<'s> {
    fn of<K: NodeKind>(
        history: Option<&'s PolicyHistory>,
        position: &'s Position,
        child: &Position,
        node: &'s Node,
        late: LateMove,
        extended: bool,
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
            .with(Fact::GivesCheck, child.in_check())
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
            .with(Fact::Killer, late.killer)
            .with(Fact::Extended, extended)
            .with(Fact::AfterNull, node.after_null);
        Self {
            flags,
            history,
            position,
            node,
            mv,
            piece,
        }
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
            flag => self.flags.has(flag),
        }
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        let (position, node) = (self.position, self.node);
        let value = match fact {
            Fact::Depth => node.depth.get(),
            Fact::Ply => node.ply.get(),
            Fact::MovesSearched => node.moves_searched as i32,
            Fact::MoveNumber => node.moves_searched as i32 + 1,
            Fact::QuietNumber => node.quiets_seen as i32,
            Fact::LegalMoves => node.legal_moves as i32,
            Fact::TtDepth => node.known.map_or(-1, |known| known.depth.get()),
            Fact::StaticEval => node.static_eval.get(),
            Fact::EvalMinusAlpha => node.static_eval - node.window.alpha,
            Fact::BestChanges => node.best_changes as i32,
            Fact::History => self.history.map_or(0, |history| {
                history.get(position.side_to_move(), self.piece, self.mv.to)
            }),
            Fact::Material => material_balance(position),
            Fact::Positional => node.static_eval.get() - material_balance(position),
            Fact::PstDelta => piece_square_gain(position, self.piece, self.mv.from, self.mv.to),
            Fact::See => exchange(position, self.mv),
            // The rest of the catalogue is boolean; the language's types keep it out of here.
            other => i32::from(self.boolean(other)),
        };
        f64::from(value)
    }
}
