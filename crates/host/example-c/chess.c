/* The rules of chess, on bitboards. A move is made on a copy of the position, so nothing has to be taken back. */
#include "chess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int piece_value[7] = { 100, 320, 330, 500, 950, 20000, 0 };

static const char KINDS[] = "pnbrqk";
static Bitboard rays[8][64]; /* the first four directions lead to higher squares */
static Bitboard knight_attacks[64], king_attacks[64], pawns[2][64];
static uint64_t piece_keys[2][6][64], castling_keys[16], en_passant_keys[64], side_key;
static uint8_t rights[64]; /* the castling rights that a move from or to a square leaves */

static uint64_t next_key(void) { /* splitmix64 */
    static uint64_t state = 2024;
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static Bitboard step(int square, int files, int ranks) {
    int file = (square & 7) + files, rank = (square >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : bit(rank * 8 + file);
}

void init_chess(void) {
    static const int directions[8][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { -1, 1 }, { 0, -1 }, { -1, 0 }, { -1, -1 }, { 1, -1 } };
    static const int jumps[8][2] = { { 1, 2 }, { 2, 1 }, { 2, -1 }, { 1, -2 }, { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };
    for (int s = 0; s < 64; ++s) {
        for (int d = 0; d < 8; ++d) {
            for (int n = 1; n < 8; ++n) rays[d][s] |= step(s, n * directions[d][0], n * directions[d][1]);
            king_attacks[s] |= step(s, directions[d][0], directions[d][1]);
            knight_attacks[s] |= step(s, jumps[d][0], jumps[d][1]);
        }
        pawns[WHITE][s] = step(s, -1, 1) | step(s, 1, 1);
        pawns[BLACK][s] = step(s, -1, -1) | step(s, 1, -1);
        rights[s] = 15;
        en_passant_keys[s] = next_key();
        for (int kind = 0; kind < 6; ++kind) {
            piece_keys[WHITE][kind][s] = next_key();
            piece_keys[BLACK][kind][s] = next_key();
        }
    }
    for (int i = 0; i < 16; ++i) castling_keys[i] = next_key();
    side_key = next_key();
    rights[0] = 13, rights[4] = 12, rights[7] = 14, rights[56] = 7, rights[60] = 3, rights[63] = 11;
}

static Bitboard ray(int direction, int square, Bitboard occupied) {
    Bitboard all = rays[direction][square], blockers = all & occupied;
    if (!blockers) return all;
    return all ^ rays[direction][direction < 4 ? first(blockers) : 63 - __builtin_clzll(blockers)];
}

Bitboard attacks(int kind, int square, Bitboard occupied) {
    Bitboard set = 0;
    if (kind == KNIGHT) return knight_attacks[square];
    if (kind == KING) return king_attacks[square];
    if (kind != BISHOP) set |= ray(0, square, occupied) | ray(1, square, occupied) | ray(4, square, occupied) | ray(5, square, occupied);
    if (kind != ROOK) set |= ray(2, square, occupied) | ray(3, square, occupied) | ray(6, square, occupied) | ray(7, square, occupied);
    return set;
}

Bitboard pawn_attacks(int color, int square) { return pawns[color][square]; }

static Bitboard diagonal_sliders(const Board *b) { return b->kinds[BISHOP] | b->kinds[QUEEN]; }
static Bitboard straight_sliders(const Board *b) { return b->kinds[ROOK] | b->kinds[QUEEN]; }

Bitboard attackers(const Board *b, int square, Bitboard occupied) {
    return (pawns[BLACK][square] & pieces(b, WHITE, PAWN)) | (pawns[WHITE][square] & pieces(b, BLACK, PAWN)) |
           (knight_attacks[square] & b->kinds[KNIGHT]) | (king_attacks[square] & b->kinds[KING]) |
           (attacks(BISHOP, square, occupied) & diagonal_sliders(b)) | (attacks(ROOK, square, occupied) & straight_sliders(b));
}

/* Whether `color` attacks the square. */
static bool attacked(const Board *b, int square, int color) { return (attackers(b, square, occupied(b)) & b->colors[color]) != 0; }

bool in_check(const Board *b) { return attacked(b, first(pieces(b, b->side, KING)), !b->side); }

static Move *add_pawn_moves(Move *end, Bitboard targets, int back, bool noisy) {
    for (; targets; targets &= targets - 1) {
        int to = first(targets);
        Move move = (Move)((to - back) | to << 6);
        if (to >= 8 && to < 56) {
            *end++ = move;
            continue;
        }
        for (int kind = QUEEN; kind >= (noisy ? QUEEN : KNIGHT); --kind) *end++ = (Move)(move | kind << 12);
    }
    return end;
}

int generate(const Board *b, Move *moves, bool noisy) {
    const Bitboard not_a = 0xFEFEFEFEFEFEFEFEu, not_h = 0x7F7F7F7F7F7F7F7Fu, ends = 0xFF000000000000FFu;
    const int us = b->side;
    const Bitboard all = occupied(b), own = b->colors[us], enemies = b->colors[!us];
    Move *end = moves;

    const Bitboard movers = pieces(b, us, PAWN), targets = enemies | (b->en_passant >= 0 ? bit(b->en_passant) : 0);
    Bitboard push = (us == WHITE ? movers << 8 : movers >> 8) & ~all;
    Bitboard twice = (us == WHITE ? push << 8 & 0xFF000000u : push >> 8 & 0xFF00000000u) & ~all;
    Bitboard west = us == WHITE ? (movers & not_a) << 7 : (movers & not_a) >> 9;
    Bitboard east = us == WHITE ? (movers & not_h) << 9 : (movers & not_h) >> 7;
    end = add_pawn_moves(end, west & targets, us == WHITE ? 7 : -9, noisy);
    end = add_pawn_moves(end, east & targets, us == WHITE ? 9 : -7, noisy);
    end = add_pawn_moves(end, noisy ? push & ends : push, us == WHITE ? 8 : -8, noisy);
    if (!noisy) end = add_pawn_moves(end, twice, us == WHITE ? 16 : -16, noisy);

    for (Bitboard rest = own & ~b->kinds[PAWN]; rest; rest &= rest - 1) {
        int from = first(rest);
        Bitboard set = attacks(b->at[from], from, all) & (noisy ? enemies : ~own);
        for (; set; set &= set - 1) *end++ = (Move)(from | first(set) << 6);
    }
    for (int side = 0; side < 2 && !noisy; ++side) {
        int king = us == WHITE ? 4 : 60, to = side == 0 ? king + 2 : king - 2, middle = (king + to) / 2;
        Bitboard between = side == 0 ? bit(king + 1) | bit(king + 2) : bit(king - 1) | bit(king - 2) | bit(king - 3);
        if (!(b->castling & (side + 1) << 2 * us) || (all & between)) continue;
        if (!attacked(b, king, !us) && !attacked(b, middle, !us)) *end++ = (Move)(king | to << 6);
    }
    return (int)(end - moves);
}

static void toggle(Board *b, int color, int kind, int square) {
    b->kinds[kind] ^= bit(square);
    b->colors[color] ^= bit(square);
    b->key ^= piece_keys[color][kind][square];
}

void make_null_move(const Board *before, Board *after) {
    *after = *before;
    if (after->en_passant >= 0) after->key ^= en_passant_keys[after->en_passant];
    after->en_passant = -1;
    after->side = !before->side;
    after->key ^= side_key;
    ++after->fifty;
}

bool make_move(const Board *before, Move move, Board *after) {
    const int us = before->side, from = from_of(move), to = to_of(move), kind = before->at[from];
    make_null_move(before, after);
    Board *b = after;
    if (kind == PAWN || b->at[to] != NONE) b->fifty = 0;
    if (us == BLACK) ++b->move_number;
    if (b->at[to] != NONE) toggle(b, !us, b->at[to], to);
    toggle(b, us, kind, from);
    b->at[from] = NONE;
    b->at[to] = (uint8_t)(promotion_of(move) ? promotion_of(move) : kind);
    toggle(b, us, b->at[to], to);
    if (is_en_passant(before, move)) {
        toggle(b, !us, PAWN, to ^ 8);
        b->at[to ^ 8] = NONE;
    } else if (kind == PAWN && (from ^ to) == 16) {
        int middle = (from + to) / 2;
        if (pawns[us][middle] & pieces(b, !us, PAWN)) b->en_passant = middle;
    } else if (kind == KING && (to - from == 2 || from - to == 2)) {
        int rook = to > from ? to + 1 : to - 2, target = (from + to) / 2;
        toggle(b, us, ROOK, rook);
        toggle(b, us, ROOK, target);
        b->at[rook] = NONE;
        b->at[target] = ROOK;
    }
    if (b->en_passant >= 0) b->key ^= en_passant_keys[b->en_passant];
    b->key ^= castling_keys[b->castling];
    b->castling &= rights[from] & rights[to];
    b->key ^= castling_keys[b->castling];
    return !attacked(b, first(pieces(b, us, KING)), !us);
}

int exchange(const Board *b, Move move) {
    const int from = from_of(move), to = to_of(move);
    int gain[32], depth = 0, side = b->side, kind = b->at[from];
    Bitboard all = occupied(b) ^ bit(from);
    gain[0] = piece_value[b->at[to]];
    if (is_en_passant(b, move)) {
        all ^= bit(to ^ 8);
        gain[0] = piece_value[PAWN];
    }
    if (promotion_of(move)) {
        gain[0] += piece_value[promotion_of(move)] - piece_value[kind];
        kind = promotion_of(move);
    }
    for (Bitboard set; (set = attackers(b, to, all) & all, side = !side, set & b->colors[side]) != 0;) {
        int next = PAWN;
        while (!(set & pieces(b, side, next))) ++next;
        if (next == KING && (set & b->colors[!side])) break;
        ++depth;
        gain[depth] = piece_value[kind] - gain[depth - 1];
        all ^= bit(first(set & pieces(b, side, next)));
        kind = next;
    }
    for (; depth > 0; --depth) {
        if (-gain[depth] < gain[depth - 1]) gain[depth - 1] = -gain[depth];
    }
    return gain[0];
}

uint64_t perft(const Board *b, int depth) {
    Move moves[MAX_MOVES];
    uint64_t leaves = 0;
    if (depth == 0) return 1;
    for (int i = 0, n = generate(b, moves, false); i < n; ++i) {
        Board after;
        if (make_move(b, moves[i], &after)) leaves += perft(&after, depth - 1);
    }
    return leaves;
}

void write_move(Move move, char text[6]) {
    const int squares[2] = { from_of(move), to_of(move) };
    char *end = text;
    for (int i = 0; i < 2; ++i) {
        *end++ = (char)('a' + (squares[i] & 7));
        *end++ = (char)('1' + (squares[i] >> 3));
    }
    if (promotion_of(move)) *end++ = KINDS[promotion_of(move)];
    *end = 0;
}

Move parse_move(const Board *b, const char *text) {
    Move moves[MAX_MOVES];
    for (int i = 0, n = generate(b, moves, false); i < n; ++i) {
        char name[6];
        Board after;
        write_move(moves[i], name);
        if (!strcmp(name, text) && make_move(b, moves[i], &after)) return moves[i];
    }
    return 0;
}

/* Takes out castling rights without a king and rook in their places, and an en passant square that no pawn can use. */
static void complete(Board *b) {
    static const int corners[4] = { 7, 0, 63, 56 };
    for (int i = 0; i < 4; ++i) {
        const int color = i / 2, home = color == WHITE ? 4 : 60;
        if (!(pieces(b, color, ROOK) & bit(corners[i])) || !(pieces(b, color, KING) & bit(home))) b->castling &= ~(1 << i);
    }
    if (b->en_passant >= 0) {
        const int square = b->en_passant, them = !b->side;
        bool right = relative_rank(them, square) == 2 && b->at[square] == NONE && (pieces(b, them, PAWN) & bit(square ^ 8));
        if (!right || !(pawns[them][square] & pieces(b, b->side, PAWN))) b->en_passant = -1;
    }
    if (b->side == BLACK) b->key ^= side_key;
    b->key ^= castling_keys[b->castling];
    if (b->en_passant >= 0) b->key ^= en_passant_keys[b->en_passant];
}

bool parse_fen(Board *b, const char *fen) {
    char places[80], side, castling[8], en_passant[4];
    int square = 56;
    memset(b, 0, sizeof *b);
    memset(b->at, NONE, sizeof b->at);
    b->en_passant = -1;
    b->move_number = 1;
    if (sscanf(fen, "%79s %c %7s %3s %d %d", places, &side, castling, en_passant, &b->fifty, &b->move_number) < 4) return false;
    for (const char *p = places; *p; ++p) {
        const char lower = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p), *kind = strchr(KINDS, lower);
        if (*p == '/') {
            if (square % 8 || square < 16) return false;
            square -= 16;
        } else if (*p >= '1' && *p <= '8') {
            square += *p - '0';
        } else if (kind && square < 64) {
            toggle(b, *p == lower, (int)(kind - KINDS), square);
            b->at[square++] = (uint8_t)(kind - KINDS);
        } else {
            return false;
        }
    }
    for (const char *p = castling; *p; ++p) b->castling |= *p == 'K' ? 1 : *p == 'Q' ? 2 : *p == 'k' ? 4 : *p == 'q' ? 8 : 0;
    if (en_passant[0] >= 'a' && en_passant[0] <= 'h' && en_passant[1] >= '1' && en_passant[1] <= '8') {
        b->en_passant = (en_passant[1] - '1') * 8 + en_passant[0] - 'a';
    }
    b->side = side == 'b';
    if (b->fifty < 0 || b->fifty > 1000) b->fifty = 0;
    if (b->move_number < 1 || b->move_number > 10000) b->move_number = 1;
    complete(b);
    const bool kings = count(pieces(b, WHITE, KING)) == 1 && count(pieces(b, BLACK, KING)) == 1;
    return kings && !(b->kinds[PAWN] & 0xFF000000000000FFu) && !attacked(b, first(pieces(b, !b->side, KING)), b->side);
}

void write_fen(const Board *b, char fen[FEN_SIZE]) {
    char *end = fen;
    for (int rank = 7; rank >= 0; --rank) {
        for (int file = 0, empty = 0; file < 8; ++file) {
            const int square = rank * 8 + file;
            if (b->at[square] == NONE) {
                ++empty;
                if (file < 7 && b->at[square + 1] == NONE) continue;
                *end++ = (char)('0' + empty);
                empty = 0;
            } else {
                const char kind = KINDS[b->at[square]];
                *end++ = (char)(b->colors[WHITE] & bit(square) ? kind - 'a' + 'A' : kind);
            }
        }
        *end++ = rank > 0 ? '/' : ' ';
    }
    *end++ = b->side == WHITE ? 'w' : 'b';
    *end++ = ' ';
    for (int i = 0; i < 4; ++i) {
        if (b->castling >> i & 1) *end++ = "KQkq"[i];
    }
    if (!b->castling) *end++ = '-';
    *end++ = ' ';
    if (b->en_passant >= 0) {
        *end++ = (char)('a' + b->en_passant % 8);
        *end++ = (char)('1' + b->en_passant / 8);
    } else {
        *end++ = '-';
    }
    sprintf(end, " %d %d", b->fifty, b->move_number);
}
