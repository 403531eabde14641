/* The rules of chess: positions, moves, attacks, legal move generation. */
#ifndef CHESS_H
#define CHESS_H
#include <stdbool.h>
#include <stdint.h>

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NONE };
enum { MAX_MOVES = 256, FEN_SIZE = 96 };

typedef uint64_t Bitboard; /* bit 0 is a1, bit 63 is h8 */
typedef uint16_t Move;     /* from, to << 6, kind of the promoted piece << 12; 0 is no move */

typedef struct {
    Bitboard kinds[6], colors[2];
    uint8_t at[64]; /* the kind of the piece on each square, or NONE */
    int side;
    int castling;   /* 1: white, king's side; 2: white, queen's side; 4, 8: black */
    int en_passant; /* the square behind a pawn that can be captured so, or -1 */
    int fifty, move_number;
    uint64_t key;
} Board;

static inline int from_of(Move move) { return move & 63; }
static inline int to_of(Move move) { return move >> 6 & 63; }
static inline int promotion_of(Move move) { return move >> 12; }
static inline int count(Bitboard set) { return __builtin_popcountll(set); }
static inline int first(Bitboard set) { return __builtin_ctzll(set); }
static inline Bitboard bit(int square) { return (Bitboard)1 << square; }
static inline Bitboard occupied(const Board *b) { return b->colors[WHITE] | b->colors[BLACK]; }
static inline Bitboard pieces(const Board *b, int color, int kind) { return b->colors[color] & b->kinds[kind]; }
static inline int relative_rank(int color, int square) { return color == WHITE ? square >> 3 : 7 - (square >> 3); }
static inline bool is_en_passant(const Board *b, Move move) { return b->at[from_of(move)] == PAWN && to_of(move) == b->en_passant; }
static inline bool is_capture(const Board *b, Move move) { return b->at[to_of(move)] != NONE || is_en_passant(b, move); }
static inline bool is_quiet(const Board *b, Move move) { return !is_capture(b, move) && !promotion_of(move); }

extern const int piece_value[7]; /* centipawns, for exchanges */

void init_chess(void); /* once, before anything else */
bool parse_fen(Board *b, const char *fen);
void write_fen(const Board *b, char fen[FEN_SIZE]);
void write_move(Move move, char text[6]);
Move parse_move(const Board *b, const char *text); /* 0 when it is not legal */

Bitboard attacks(int kind, int square, Bitboard occupied); /* not of pawns */
Bitboard pawn_attacks(int color, int square);
Bitboard attackers(const Board *b, int square, Bitboard occupied); /* of both colors */
bool in_check(const Board *b);

int generate(const Board *b, Move *moves, bool noisy); /* some leave the king in check; noisy: captures and promotions to a queen */
bool make_move(const Board *before, Move move, Board *after); /* false when the king is left in check */
void make_null_move(const Board *before, Board *after);
int exchange(const Board *b, Move move); /* static exchange evaluation, in centipawns */
uint64_t perft(const Board *b, int depth);
#endif
