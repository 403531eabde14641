/* The search: iterative deepening, alpha-beta, transposition table. */
#ifndef SEARCH_H
#define SEARCH_H
#include "chess.h"

enum { MAX_PLY = 128, GAME_SIZE = 2048 };

typedef struct {
    Board board;
    uint64_t keys[GAME_SIZE + MAX_PLY + 1]; /* of the positions since the last move that cannot be undone, this one last */
    int count;
} Game;

typedef struct {
    int depth;
    uint64_t nodes;
    int64_t soft, hard;        /* milliseconds: no new iteration after the first, no search after the second; 0: none */
    bool (*interrupted)(void); /* asked now and then; NULL: never */
} Limits;

extern uint64_t node_count; /* of the last search */

bool init_search(void);      /* once, after init_eval; false when the host's facts are wrong */
bool set_hash(int mebibytes); /* false when there is not so much memory; the old table is kept */
void clear_tables(void);     /* for a new game */
void play(Game *game, Move move);
Move think(Game *game, Limits limits, bool silent); /* prints its progress unless silent; 0 without a legal move */
int64_t now(void);           /* milliseconds since some moment */
#endif
