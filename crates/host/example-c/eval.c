/* The static evaluation: material, squares, mobility, passed pawns, the bishop pair. Each number is a pair, for the
 * middlegame and for the endgame, and the phase of the game says how the two are mixed. */
#include "eval.h"

typedef struct { int middle, end; } Value;

static const int phase_of[7] = { 0, 1, 1, 2, 4, 0, 0 };
static const Value worth[6] = { { 90, 110 }, { 330, 300 }, { 345, 320 }, { 470, 530 }, { 980, 960 }, { 0, 0 } };
static const Value per_target[6] = { { 0, 0 }, { 5, 4 }, { 4, 4 }, { 2, 4 }, { 1, 3 }, { 0, 0 } };
static const Value passed_by_rank[8] = { { 0, 0 }, { 2, 10 }, { 4, 15 }, { 10, 30 }, { 25, 55 }, { 50, 95 }, { 80, 150 }, { 0, 0 } };
static const Value bishop_pair = { 25, 45 };
enum { TEMPO = 12 };

static Value squares[6][64]; /* from White's side */
static Bitboard in_front[2][64];

void init_eval(void) {
    for (int s = 0; s < 64; ++s) {
        const int file = s & 7, rank = s >> 3;
        /* 0 on the edge, 3 in the centre. */
        const int by_file = file < 4 ? file : 7 - file, by_rank = rank < 4 ? rank : 7 - rank;
        const int centre = by_file + by_rank;
        squares[PAWN][s] = (Value){ (rank - 1) * 3 + (rank >= 3 && rank <= 4 ? by_file * 7 - 4 : 0), (rank - 1) * 6 };
        squares[KNIGHT][s] = (Value){ centre * 9 - 30 - (rank == 0) * 8, centre * 7 - 22 };
        squares[BISHOP][s] = (Value){ centre * 4 - 10 - (rank == 0) * 10, centre * 3 - 8 };
        squares[ROOK][s] = (Value){ by_file * 3 - 5 + (rank == 6) * 18, (rank == 6) * 10 };
        squares[QUEEN][s] = (Value){ centre * 2 - 6 - (rank > 3) * 4, centre * 5 - 15 };
        squares[KING][s] = (Value){ (rank == 0 ? 28 : rank == 1 ? 5 : -30) - by_file * (rank == 0 ? 11 : 8), centre * 10 - 30 };
        for (int to = 0; to < 64; ++to) {
            const int ahead = (to >> 3) - rank, beside = (to & 7) - file;
            if (beside >= -1 && beside <= 1 && ahead != 0) in_front[ahead > 0 ? WHITE : BLACK][s] |= bit(to);
        }
    }
}

int phase(const Board *b) {
    int sum = 0;
    for (int kind = KNIGHT; kind <= QUEEN; ++kind) sum += phase_of[kind] * count(b->kinds[kind]);
    return sum < 24 ? sum : 24;
}

static int mix(const Board *b, Value value) {
    const int p = phase(b);
    return (value.middle * p + value.end * (24 - p)) / 24;
}

static void add(Value *sum, Value value, int times) {
    sum->middle += value.middle * times;
    sum->end += value.end * times;
}

int material(const Board *b) {
    Value sum = { 0, 0 };
    for (int kind = PAWN; kind <= QUEEN; ++kind) add(&sum, worth[kind], count(pieces(b, b->side, kind)) - count(pieces(b, !b->side, kind)));
    return mix(b, sum);
}

int square_value(const Board *b, int color, int kind, int square) { return mix(b, squares[kind][color == WHITE ? square : square ^ 56]); }

bool is_passed(const Board *b, int color, int square) { return !(in_front[color][square] & pieces(b, !color, PAWN)); }

int evaluate(const Board *b) {
    Value sum = { TEMPO, TEMPO };
    const Bitboard all = occupied(b);
    const bool pawnless = !(b->kinds[PAWN] | b->kinds[ROOK] | b->kinds[QUEEN]);
    if (pawnless && count(all) <= 3) return 0; /* a lone minor piece cannot mate */
    for (int side = 0; side < 2; ++side) {
        const int color = side == 0 ? b->side : !b->side, sign = side == 0 ? 1 : -1;
        for (Bitboard rest = b->colors[color]; rest; rest &= rest - 1) {
            const int square = first(rest), kind = b->at[square], seen = color == WHITE ? square : square ^ 56;
            add(&sum, worth[kind], sign);
            add(&sum, squares[kind][seen], sign);
            if (kind == PAWN) {
                if (is_passed(b, color, square)) add(&sum, passed_by_rank[seen >> 3], sign);
            } else if (kind != KING) {
                add(&sum, per_target[kind], sign * count(attacks(kind, square, all) & ~b->colors[color]));
            }
        }
        if (count(pieces(b, color, BISHOP)) >= 2) add(&sum, bishop_pair, sign);
    }
    return mix(b, sum);
}
