//! The terms that look at the whole board: mobility, files, outposts, threats, attacks on the king, passed pawns,
//! space.

use cozy_chess::{
    BitBoard, Color, File, Piece, Rank, Square, get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves,
    get_rook_moves, get_rook_rays,
};

use super::geometry::{ahead, distance, forward, king_flank, king_zone, lone_blockers, pawn_attacks_of, relative_rank};
use super::pawns::Pawns;
use super::trace::{Trace, weight};
use crate::position::Position;
use crate::weights::terms::*;
use crate::weights::{Tapered, t};

/// The attack maps of one side, and the attackers of the enemy king.
#[derive(Debug, Clone, Copy)]
struct SideAttacks {
    pawn_attacks: BitBoard,
    /// Attacked by each kind of piece.
    attacks: [BitBoard; Piece::NUM],
    attacked: BitBoard,
    attacked_twice: BitBoard,
    king_zone: BitBoard,
    /// Knights, bishops, rooks and queens that attack the zone of the enemy king.
    attackers: [i32; 4],
    /// Their attacks on squares next to that king.
    attacks_on_king: i32,
}

/// The state of an evaluation.
pub(super) struct Sides<'p, T> {
    position: &'p Position,
    pawns: &'p Pawns,
    trace: &'p mut T,
    sides: [SideAttacks; 2],
}

impl<'p, T: Trace> Sides<'p, T> {
    /// The terms of both sides, from White's point of view.
    #[inline]
    pub(super) fn balance(position: &'p Position, pawns: &'p Pawns, trace: &'p mut T) -> Tapered {
        let mut sides = Self {
            position,
            pawns,
            trace,
            sides: [Self::side(position, Color::White), Self::side(position, Color::Black)],
        };
        let pieces = sides.pieces(Color::White) - sides.pieces(Color::Black);
        let rest = sides.rest(Color::White) - sides.rest(Color::Black);
        pieces + rest
    }

    #[inline(always)]
    fn side(position: &Position, us: Color) -> SideAttacks {
        let king = position.board().king(us);
        let pawn_attacks = pawn_attacks_of(position.pieces(us, Piece::Pawn), us);
        let king_moves = get_king_moves(king);
        let mut attacks = [BitBoard::EMPTY; Piece::NUM];
        attacks[Piece::Pawn as usize] = pawn_attacks;
        attacks[Piece::King as usize] = king_moves;
        SideAttacks {
            pawn_attacks,
            attacks,
            attacked: pawn_attacks | king_moves,
            attacked_twice: pawn_attacks & king_moves,
            king_zone: king_zone(king, us),
            attackers: [0; 4],
            attacks_on_king: 0,
        }
    }

    #[inline(always)]
    fn add(&mut self, us: Color, index: usize, count: i32) -> Tapered {
        weight(self.trace, us, index, count)
    }

    #[inline(always)]
    fn rest(&mut self, us: Color) -> Tapered {
        self.king_attack(us) + self.threats(us) + self.passed_pawns(us) + self.space(us)
    }

    /// Mobility and piece terms; fills the attack maps.
    #[inline(always)]
    fn pieces(&mut self, us: Color) -> Tapered {
        let board = self.position.board();
        let occupied = board.occupied();
        let own_pawns = self.position.pieces(us, Piece::Pawn);
        let enemy_pawns = self.position.pieces(!us, Piece::Pawn);
        let queens = self.position.pieces(us, Piece::Queen);
        let rooks = self.position.pieces(us, Piece::Rook);
        let bishops = self.position.pieces(us, Piece::Bishop);
        let king = board.king(us).bitboard();
        let free = !(own_pawns | king | self.sides[!us as usize].pawn_attacks);
        let outposts =
            outpost_ranks(us) & self.sides[us as usize].pawn_attacks & !self.pawns.attack_spans[!us as usize];
        let behind_pawns = forward(own_pawns | enemy_pawns, !us);
        let mut score = Tapered::ZERO;

        for square in self.position.pieces(us, Piece::Knight) {
            let attacks = get_knight_moves(square);
            let mobility = self.attack(us, Piece::Knight, attacks, free);
            score += self.add(us, KNIGHT_MOBILITY + mobility, 1);
            if outposts.has(square) {
                score += self.add(us, OUTPOST, 1);
            } else if !(attacks & outposts & !board.colors(us)).is_empty() {
                score += self.add(us, REACHABLE_OUTPOST, 1);
            }
            score += self.add(us, MINOR_KING_DISTANCE, distance(board.king(us), square));
            if behind_pawns.has(square) {
                score += self.add(us, MINOR_BEHIND_PAWN, 1);
            }
        }
        for square in bishops {
            let attacks = get_bishop_moves(square, occupied ^ queens);
            let mobility = self.attack(us, Piece::Bishop, attacks, free);
            score += self.add(us, BISHOP_MOBILITY + mobility, 1);
            let colour = if BitBoard::DARK_SQUARES.has(square) {
                BitBoard::DARK_SQUARES
            } else {
                BitBoard::LIGHT_SQUARES
            };
            score += self.add(us, BISHOP_PAWNS, (own_pawns & colour).len() as i32);
            score += self.add(us, MINOR_KING_DISTANCE + 1, distance(board.king(us), square));
            let xray = (enemy_pawns & get_bishop_rays(square)).len() as i32;
            score += self.add(us, BISHOP_XRAY_PAWN, xray);
            if LONG_DIAGONALS.has(square) && (get_bishop_moves(square, own_pawns | enemy_pawns) & CENTRE).len() == 2 {
                score += self.add(us, BISHOP_LONG_DIAGONAL, 1);
            }
            if outposts.has(square) {
                score += self.add(us, OUTPOST + 1, 1);
            }
            if behind_pawns.has(square) {
                score += self.add(us, MINOR_BEHIND_PAWN, 1);
            }
        }
        if bishops.len() >= 2 {
            score += self.add(us, BISHOP_PAIR, 1);
        }
        for square in rooks {
            let attacks = get_rook_moves(square, occupied ^ queens ^ rooks);
            let mobility = self.attack(us, Piece::Rook, attacks, free);
            score += self.add(us, ROOK_MOBILITY + mobility, 1);
            let file = square.file().bitboard();
            if mobility <= 3 {
                let (king, rook) = (board.king(us).file() as usize, square.file() as usize);
                let outside = if king < 4 { rook < king } else { rook > king };
                if outside {
                    score += self.add(us, TRAPPED_ROOK, 1);
                }
            }
            if (own_pawns & file).is_empty() {
                let open = usize::from((enemy_pawns & file).is_empty());
                score += self.add(us, ROOK_ON_FILE + open, 1);
            }
            if relative_rank(square, us) == Rank::Seventh as usize {
                let seventh = square.rank().bitboard();
                let last = Rank::Eighth.relative_to(us).bitboard();
                if !(enemy_pawns & seventh).is_empty() || last.has(board.king(!us)) {
                    score += self.add(us, ROOK_ON_SEVENTH, 1);
                }
            }
        }
        for square in queens {
            let attacks = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
            let mobility = self.attack(us, Piece::Queen, attacks, free);
            score += self.add(us, QUEEN_MOBILITY + mobility, 1);
            let sliders = (get_bishop_rays(square) & self.position.pieces(!us, Piece::Bishop))
                | (get_rook_rays(square) & self.position.pieces(!us, Piece::Rook));
            if lone_blockers(square, sliders, occupied) > 0 {
                score += self.add(us, QUEEN_EXPOSED, 1);
            }
        }
        score + self.numbers(us)
    }

    /// The terms of the numbers of pieces and pawns.
    #[inline(always)]
    fn numbers(&mut self, us: Color) -> Tapered {
        let [pawns, knights, bishops, rooks, queens] =
            [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
                .map(|piece| self.position.pieces(us, piece).len() as i32);
        let mut score = Tapered::ZERO;
        for (kind, count) in [knights, bishops, rooks, queens].into_iter().enumerate() {
            score += self.add(us, PIECE_PAWNS + kind, count * pawns);
        }
        if knights >= 2 {
            score += self.add(us, PIECE_PAIR, 1);
        }
        if rooks >= 2 {
            score += self.add(us, PIECE_PAIR + 1, 1);
        }
        score
    }

    /// Adds the attacks of a piece to the attack maps. Returns its mobility.
    #[inline(always)]
    fn attack(&mut self, us: Color, piece: Piece, attacks: BitBoard, free: BitBoard) -> usize {
        let [near, zone] = {
            let enemy = &self.sides[!us as usize];
            [enemy.attacks[Piece::King as usize], enemy.king_zone]
        };
        let side = &mut self.sides[us as usize];
        side.attacked_twice |= side.attacked & attacks;
        side.attacked |= attacks;
        side.attacks[piece as usize] |= attacks;
        if !attacks.is_disjoint(zone) {
            side.attackers[piece as usize - Piece::Knight as usize] += 1;
            side.attacks_on_king += (attacks & near).len() as i32;
        }
        (attacks & free).len() as usize
    }

    /// The attack of `us` on the enemy king: the square of its attack units.
    #[inline(always)]
    fn king_attack(&mut self, us: Color) -> Tapered {
        let (own, enemy) = (self.sides[us as usize], self.sides[!us as usize]);
        let no_queen = self.position.pieces(us, Piece::Queen).is_empty();
        // A single attacker other than a queen does not count.
        if own.attackers.iter().sum::<i32>() < if no_queen { 2 } else { 1 } {
            return Tapered::ZERO;
        }
        let board = self.position.board();
        let king = board.king(!us);
        let mut units = self.add(us, DANGER_BASE, 1);
        for (kind, count) in own.attackers.into_iter().enumerate() {
            units += self.add(us, DANGER_ATTACKER + kind, count);
        }
        units += self.add(us, DANGER_ATTACK, own.attacks_on_king);

        let zone = enemy.king_zone;
        let last_defence = enemy.attacks[Piece::King as usize] | enemy.attacks[Piece::Queen as usize];
        let weak = own.attacked & !enemy.attacked_twice & (last_defence | !enemy.attacked);
        units += self.add(us, DANGER_WEAK_SQUARE, (weak & zone).len() as i32);
        units += self.add(us, DANGER_DEFENCE, (enemy.attacked_twice & zone).len() as i32);
        let flank = king_flank(king) & camp(!us);
        units += self.add(us, DANGER_FLANK_ATTACK, (flank & own.attacked).len() as i32);
        units += self.add(us, DANGER_FLANK_ATTACK + 1, (flank & own.attacked_twice).len() as i32);
        units += self.add(us, DANGER_FLANK_DEFENCE, (flank & enemy.attacked).len() as i32);
        let queen = self.position.pieces(us, Piece::Queen);
        let sliders = (get_bishop_rays(king) & (self.position.pieces(us, Piece::Bishop) | queen))
            | (get_rook_rays(king) & (self.position.pieces(us, Piece::Rook) | queen));
        units += self.add(us, DANGER_BLOCKER, lone_blockers(king, sliders, board.occupied()));
        if (zone & self.position.pieces(!us, Piece::Pawn)).is_empty() {
            units += self.add(us, DANGER_NO_PAWN, 1);
        }
        if no_queen {
            units += self.add(us, DANGER_NO_QUEEN, 1);
        }

        let safe = !board.colors(us) & (!enemy.attacked | (weak & own.attacked_twice));
        let occupied = board.occupied() ^ self.position.pieces(!us, Piece::Queen);
        let straight = get_rook_moves(king, occupied);
        let diagonal = get_bishop_moves(king, occupied);
        let checks = [
            get_knight_moves(king) & own.attacks[Piece::Knight as usize],
            diagonal & own.attacks[Piece::Bishop as usize],
            straight & own.attacks[Piece::Rook as usize],
            (straight | diagonal) & own.attacks[Piece::Queen as usize],
        ];
        let mut unsafe_checks = BitBoard::EMPTY;
        for (kind, checks) in checks.into_iter().enumerate() {
            let count = (checks & safe).len() as usize;
            if count > 0 {
                units += self.add(us, DANGER_SAFE_CHECK + 2 * kind + usize::from(count > 1), 1);
            } else {
                unsafe_checks |= checks & !board.colors(us);
            }
        }
        units += self.add(us, DANGER_UNSAFE_CHECK, unsafe_checks.len() as i32);
        danger(units)
    }

    /// Threats against enemy pieces and pawns.
    #[inline(always)]
    fn threats(&mut self, us: Color) -> Tapered {
        let (own, enemy) = (self.sides[us as usize], self.sides[!us as usize]);
        let board = self.position.board();
        let theirs = board.colors(!us) & !board.pieces(Piece::King);
        let pieces = theirs & !board.pieces(Piece::Pawn);
        let well_defended = enemy.pawn_attacks | (enemy.attacked_twice & !own.attacked_twice);
        let weak = theirs & !well_defended & own.attacked;
        let mut score = Tapered::ZERO;

        for victim in pieces & own.pawn_attacks {
            let kind = self.kind(victim).saturating_sub(1);
            score += self.add(us, THREAT_BY_PAWN + kind, 1);
        }
        let by_minors = own.attacks[Piece::Knight as usize] | own.attacks[Piece::Bishop as usize];
        for victim in (pieces | weak) & by_minors {
            score += self.add(us, THREAT_BY_MINOR + self.kind(victim), 1);
        }
        let queens = self.position.pieces(!us, Piece::Queen);
        for victim in (queens | weak) & own.attacks[Piece::Rook as usize] {
            score += self.add(us, THREAT_BY_ROOK + self.kind(victim), 1);
        }
        if !weak.is_empty() {
            let by_king = weak & own.attacks[Piece::King as usize];
            score += self.add(us, THREAT_BY_KING, by_king.len() as i32);
            let hanging = weak & (!enemy.attacked | (pieces & own.attacked_twice));
            score += self.add(us, HANGING, hanging.len() as i32);
        }
        if let Some(queen) = queens.next_square()
            && queens.len() == 1
        {
            let safe = !(board.colors(us) & board.pieces(Piece::Pawn)) & !well_defended;
            let knights = own.attacks[Piece::Knight as usize] & get_knight_moves(queen) & safe;
            score += self.add(us, THREAT_ON_QUEEN, knights.len() as i32);
            let diagonal = own.attacks[Piece::Bishop as usize] & get_bishop_moves(queen, board.occupied());
            let straight = own.attacks[Piece::Rook as usize] & get_rook_moves(queen, board.occupied());
            let sliders = (diagonal | straight) & safe & own.attacked_twice;
            score += self.add(us, THREAT_ON_QUEEN + 1, sliders.len() as i32);
        }
        let restricted = enemy.attacked & !well_defended & own.attacked;
        score += self.add(us, RESTRICTED_SQUARE, restricted.len() as i32);

        let empty = !board.occupied();
        let third = Rank::Third.relative_to(us).bitboard();
        let mut steps = forward(self.position.pieces(us, Piece::Pawn), us) & empty;
        steps |= forward(steps & third, us) & empty;
        steps &= !enemy.pawn_attacks & (own.attacked | !enemy.attacked);
        let threatened = pawn_attacks_of(steps, us) & pieces;
        score + self.add(us, THREAT_BY_PAWN_STEP, threatened.len() as i32)
    }

    /// The kind of the piece on an occupied square, as a number.
    #[inline(always)]
    fn kind(&self, square: Square) -> usize {
        // A king is never attacked here. The minimum proves it to the compiler.
        (self.position.piece_on(square).unwrap_or(Piece::Pawn) as usize).min(Piece::Queen as usize)
    }

    /// The terms of passed pawns that depend on other pieces.
    #[inline(always)]
    fn passed_pawns(&mut self, us: Color) -> Tapered {
        let (own, enemy) = (self.sides[us as usize], self.sides[!us as usize]);
        let board = self.position.board();
        let rooks = self.position.pieces(us, Piece::Rook);
        let mut score = Tapered::ZERO;
        for square in self.pawns.passed[us as usize] {
            let rank = relative_rank(square, us);
            let path = ahead(square, us);
            let stop = forward(square.bitboard(), us);
            if !(stop & board.colors(!us)).is_empty() {
                score += self.add(us, PASSED_BLOCKED + rank, 1);
            }
            if (path & (enemy.attacked | board.colors(!us))).is_empty() {
                score += self.add(us, PASSED_FREE_PATH + rank, 1);
            } else if (stop & (board.occupied() | (enemy.attacked & !own.attacked))).is_empty() {
                score += self.add(us, PASSED_SAFE_ADVANCE + rank, 1);
            }
            if !(ahead(square, !us) & rooks).is_empty() {
                score += self.add(us, PASSED_ROOK_BEHIND, 1);
            }
            if rank >= Rank::Fourth as usize
                && let Some(stop) = stop.next_square()
            {
                let times = rank as i32 - 2;
                let own_king = distance(board.king(us), stop) as usize;
                score += self.add(us, PASSED_OWN_KING + own_king, times);
                let enemy_king = distance(board.king(!us), stop) as usize;
                score += self.add(us, PASSED_ENEMY_KING + enemy_king, times);
            }
        }
        score
    }

    /// Space: safe squares in the own half of the centre files.
    #[inline(always)]
    fn space(&mut self, us: Color) -> Tapered {
        let files = File::C.bitboard() | File::D.bitboard() | File::E.bitboard() | File::F.bitboard();
        let ranks = [Rank::Second, Rank::Third, Rank::Fourth].map(|rank| rank.relative_to(us).bitboard());
        let room = files
            & (ranks[0] | ranks[1] | ranks[2])
            & !self.position.pieces(us, Piece::Pawn)
            & !self.sides[!us as usize].pawn_attacks;
        self.add(us, SPACE, room.len() as i32)
    }
}

/// The diagonals from corner to corner.
const LONG_DIAGONALS: BitBoard = BitBoard(0x8142_2418_1824_4281);
/// The four squares in the middle of the board.
const CENTRE: BitBoard = BitBoard(0x0000_0018_1800_0000);

/// The first five ranks of a side.
fn camp(us: Color) -> BitBoard {
    BitBoard(match us {
        Color::White => 0x0000_00ff_ffff_ffff,
        Color::Black => 0xffff_ffff_ff00_0000,
    })
}

/// The value of attack units.
#[inline]
pub(super) fn danger(units: Tapered) -> Tapered {
    let squared = |units: i32| {
        // 64 bits, because a position that was set up by hand can have more queens than any game.
        let units = i64::from(units.max(0));
        (units * units / DANGER_DIVISOR) as i32
    };
    t(squared(units.middlegame()), squared(units.endgame()))
}

/// The divisor of squared attack units that gives centipawns.
const DANGER_DIVISOR: i64 = 2048;

#[inline]
fn outpost_ranks(us: Color) -> BitBoard {
    let [fourth, fifth, sixth] = [Rank::Fourth, Rank::Fifth, Rank::Sixth].map(|rank| rank.relative_to(us).bitboard());
    fourth | fifth | sixth
}
