//! The terms of the evaluation, and the indices of their weights.

/// The part of the evaluation that a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// Piece values.
    Material,
    /// Piece-square values.
    PieceSquare,
    /// Pawn structure.
    PawnStructure,
    /// Passed pawns.
    PassedPawns,
    /// Piece activity: mobility, outposts, files, threats, space.
    Activity,
    /// The pawns around the king.
    Shelter,
    /// Attack units against the enemy king. They are summed, and the sum is squared.
    Danger,
    /// The right to move.
    Tempo,
}

/// One term: a weight, or weights that belong together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    /// Index of its first weight.
    pub(crate) first: usize,
    /// The number of its weights.
    pub(crate) count: usize,
    /// The part that it belongs to.
    pub(crate) group: Group,
}

macro_rules! terms {
    ($($group:ident: { $($(#[doc = $doc:literal])+ $name:ident[$count:literal],)+ })+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of constants, counted")]
        #[derive(Clone, Copy)]
        enum Number { $($($name,)+)+ }

        const COUNTS: &[usize] = &[$($($count,)+)+];

        $($($(#[doc = $doc])+ pub(crate) const $name: usize = first(Number::$name);)+)+

        /// Every term, in the order of the weights.
        pub(crate) static TERMS: &[Term] = &[$($(Term {
            first: $name,
            count: $count,
            group: Group::$group,
        },)+)+];
    };
}

/// The number of weights.
pub(crate) const WEIGHT_COUNT: usize = sum(COUNTS.len());

const fn first(number: Number) -> usize {
    sum(number as usize)
}

const fn sum(terms: usize) -> usize {
    let mut total = 0;
    let mut index = 0;
    while index < terms {
        total += COUNTS[index];
        index += 1;
    }
    total
}

terms! {
    Material: {
        /// A pawn, knight, bishop, rook, queen.
        MATERIAL[5],
        /// A knight, bishop, rook, queen, for each own pawn.
        PIECE_PAWNS[4],
        /// Two knights or more; two rooks or more.
        PIECE_PAIR[2],
    }
    PieceSquare: {
        /// A pawn by rank of its own side and by file: a or h, b or g, c or f, d or e.
        PAWN_SQUARE[32],
        /// A knight by rank and file.
        KNIGHT_SQUARE[32],
        /// A bishop by rank and file.
        BISHOP_SQUARE[32],
        /// A rook by rank and file.
        ROOK_SQUARE[32],
        /// A queen by rank and file.
        QUEEN_SQUARE[32],
        /// The king by rank and file.
        KING_SQUARE[32],
    }
    PawnStructure: {
        /// A pawn with another of its side in front of it on the same file.
        DOUBLED_PAWN[1],
        /// A pawn without own pawns on the neighbouring files: with an enemy pawn ahead on its own file, without.
        ISOLATED_PAWN[2],
        /// A pawn that its neighbours have left behind and that cannot safely advance: with an enemy pawn ahead,
        /// without.
        BACKWARD_PAWN[2],
        /// A pawn that an own pawn defends, by rank.
        DEFENDED_PAWN[8],
        /// A pawn with an own pawn beside it, by rank.
        PHALANX_PAWN[8],
    }
    PassedPawns: {
        /// A pawn that is not passed. Its file is free ahead, and it has as many helpers on the neighbouring files as
        /// enemy pawns stand in its way there, by rank.
        CANDIDATE_PAWN[8],
        /// A passed pawn, by rank.
        PASSED_PAWN[8],
        /// A passed pawn that an own pawn defends.
        PASSED_DEFENDED[1],
        /// A passed pawn with an enemy piece on its next square, by rank.
        PASSED_BLOCKED[8],
        /// A passed pawn that can advance without being captured at once, by rank.
        PASSED_SAFE_ADVANCE[8],
        /// A passed pawn with no enemy piece and no enemy attack on its way, by rank.
        PASSED_FREE_PATH[8],
        /// Distance of the own king to the square before a passed pawn, once for each rank from the fourth on.
        PASSED_OWN_KING[8],
        /// Distance of the enemy king to that square, counted the same way.
        PASSED_ENEMY_KING[8],
        /// A passed pawn with an own rook behind it.
        PASSED_ROOK_BEHIND[1],
    }
    Activity: {
        /// A knight by the number of squares that it can go to and that no enemy pawn attacks.
        KNIGHT_MOBILITY[9],
        /// A bishop by that number, seeing through own queens.
        BISHOP_MOBILITY[14],
        /// A rook by that number, seeing through own queens and rooks.
        ROOK_MOBILITY[15],
        /// A queen by that number.
        QUEEN_MOBILITY[28],
        /// Two bishops or more.
        BISHOP_PAIR[1],
        /// A bishop, for each own pawn on squares of its colour.
        BISHOP_PAWNS[1],
        /// A knight, bishop on a square that an own pawn defends and no enemy pawn can ever attack, ranks four to
        /// six.
        OUTPOST[2],
        /// A knight or bishop right behind a pawn of either side.
        MINOR_BEHIND_PAWN[1],
        /// A knight that can go to such a square.
        REACHABLE_OUTPOST[1],
        /// The distance to the own king of a knight, of a bishop, in king moves.
        MINOR_KING_DISTANCE[2],
        /// A bishop that sees two squares of the centre on a long diagonal, with nothing but pawns in its way.
        BISHOP_LONG_DIAGONAL[1],
        /// An enemy pawn on a diagonal of a bishop.
        BISHOP_XRAY_PAWN[1],
        /// A rook with a mobility of three or less between the own king and the nearer edge.
        TRAPPED_ROOK[1],
        /// A queen with a single piece between it and an enemy bishop or rook on its lines.
        QUEEN_EXPOSED[1],
        /// A rook on a file without own pawns: with enemy pawns, without any.
        ROOK_ON_FILE[2],
        /// A rook on the seventh rank, with enemy pawns there or the enemy king on the eighth.
        ROOK_ON_SEVENTH[1],
        /// An enemy knight, bishop, rook, queen that a pawn attacks.
        THREAT_BY_PAWN[4],
        /// An enemy pawn (not well defended), knight, bishop, rook, queen that a knight or bishop attacks.
        THREAT_BY_MINOR[5],
        /// What a rook attacks: an enemy pawn, knight, bishop or rook that is not well defended, or an enemy queen.
        THREAT_BY_ROOK[5],
        /// An enemy piece or pawn that is not well defended and that the king attacks.
        THREAT_BY_KING[1],
        /// An enemy piece or pawn that is attacked and not defended, or a piece attacked twice and not well defended.
        HANGING[1],
        /// An enemy piece that a pawn could attack after a safe step.
        THREAT_BY_PAWN_STEP[1],
        /// A safe square from which a knight, a slider attacks the enemy queen.
        THREAT_ON_QUEEN[2],
        /// A square that both sides attack, and that the enemy does not defend well.
        RESTRICTED_SQUARE[1],
        /// A square on the files c to f and the own ranks two to four that no own pawn occupies and no enemy pawn
        /// attacks.
        SPACE[1],
    }
    Shelter: {
        /// The rearmost own pawn before the king on its file or one beside it: by file (a or h, ...) and rank, 0 for
        /// none.
        KING_SHELTER[28],
        /// The foremost enemy pawn on such a file, not behind the king and not blocked by an own pawn: by file and
        /// rank from the king's side, 0 for none.
        KING_STORM[28],
        /// Such an enemy pawn that an own pawn blocks, by rank.
        KING_BLOCKED_STORM[7],
        /// The king on a file without pawns, without own pawns, without enemy pawns.
        KING_ON_FILE[3],
        /// The distance of the king to the nearest pawn, in king moves.
        KING_PAWN_DISTANCE[1],
        /// The king on a flank without pawns.
        KING_PAWNLESS_FLANK[1],
    }
    Danger: {
        /// A knight, bishop, rook, queen that attacks the zone around the king.
        DANGER_ATTACKER[4],
        /// One attack of a piece on a square next to the king.
        DANGER_ATTACK[1],
        /// A square of the zone that is attacked, and defended by nothing but king or queen.
        DANGER_WEAK_SQUARE[1],
        /// A square of the zone that its side defends twice.
        DANGER_DEFENCE[1],
        /// A safe check by a knight, bishop, rook, queen: one; two or more.
        DANGER_SAFE_CHECK[8],
        /// A check that would be answered by a capture.
        DANGER_UNSAFE_CHECK[1],
        /// A square of the king's flank, on the first five ranks of its side, that is attacked; that is attacked twice.
        DANGER_FLANK_ATTACK[2],
        /// Such a square that the king's side attacks.
        DANGER_FLANK_DEFENCE[1],
        /// A piece of either side that alone stands between the king and a bishop, rook or queen.
        DANGER_BLOCKER[1],
        /// No own pawn in the zone.
        DANGER_NO_PAWN[1],
        /// No queen to attack with.
        DANGER_NO_QUEEN[1],
        /// What every attack begins with.
        DANGER_BASE[1],
    }
    Tempo: {
        /// The right to move.
        TEMPO[1],
    }
}
