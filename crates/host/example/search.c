/* The search. `nodes` holds a record for each ply of the line that is searched. */
#define _POSIX_C_SOURCE 200809L
#include "search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "eval.h"

enum { INFINITE = 32000, MATE = 31000, WON = MATE - MAX_PLY, MAX_HISTORY = 16384 };
enum { UPPER = 1, LOWER = 2, EXACT = 3 };

typedef struct {
    uint64_t key;
    int16_t score;
    Move move;
    int8_t depth;
    uint8_t bound; /* 0: nothing is stored here */
} Entry;

typedef struct {
    const Board *board;
    int ply, depth, alpha, beta, entry_alpha, best, eval;
    bool pv, in_check, improving;
    Entry entry; /* what the table holds of the position; bound 0: nothing */
    Move move;   /* the move that is searched; 0: a null move */
    int kind;    /* of its piece */
    int extension, searched;
    Move killers[2];
    Move line[MAX_PLY + 1]; /* the principal variation from here, 0 at its end */
} Node;

static Node records[MAX_PLY + 4], *const nodes = records + 2; /* two more for what lies before the root */
static Entry *table;
static uint64_t table_mask;
static int16_t history[2][64][64], capture_history[2][6][64][7];
static Move counter_moves[2][6][64];
static uint8_t reductions[MAX_PLY][MAX_MOVES];

static Game *game;
static Limits limits;
static int64_t start;
static bool stopped;
uint64_t node_count;

static int search(const Board *b, int alpha, int beta, int depth, int ply);

int64_t now(void) {
#ifdef _WIN32
    return (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
#endif
}

void init_search(void) {
    for (int depth = 1; depth < MAX_PLY; ++depth) {
        for (int number = 1; number < MAX_MOVES; ++number) reductions[depth][number] = (uint8_t)(0.5 + log(depth) * log(number) / 2);
    }
}

bool set_hash(int mebibytes) {
    uint64_t entries = 1;
    while (entries * 2 * sizeof(Entry) <= (uint64_t)mebibytes << 20) entries *= 2;
    Entry *fresh = calloc(entries, sizeof(Entry));
    if (!fresh) return false;
    free(table);
    table = fresh;
    table_mask = entries - 1;
    return true;
}

void clear_tables(void) {
    memset(table, 0, (table_mask + 1) * sizeof(Entry));
    memset(records, 0, sizeof records);
    memset(history, 0, sizeof history);
    memset(capture_history, 0, sizeof capture_history);
    memset(counter_moves, 0, sizeof counter_moves);
}

void play(Game *g, Move move) {
    const Board before = g->board;
    make_move(&before, move, &g->board);
    if (g->board.fifty == 0 || g->count == GAME_SIZE) g->count = 0;
    g->keys[g->count++] = g->board.key;
}

/* Counts a node; false when the search has to end. */
static bool enter_node(void) {
    ++node_count;
    if (node_count >= limits.nodes) stopped = true;
    if (node_count % 1024 == 0) {
        if (limits.hard && now() - start >= limits.hard) stopped = true;
        if (limits.interrupted && limits.interrupted()) stopped = true;
    }
    return !stopped;
}

/* Mates are stored with their distance from the node, not from the root. */
static int to_table(int score, int ply) { return score >= WON ? score + ply : score <= -WON ? score - ply : score; }
static int from_table(int score, int ply) { return score >= WON ? score - ply : score <= -WON ? score + ply : score; }

static bool can_move(const Board *b) {
    Move moves[MAX_MOVES];
    Board after;
    for (int i = 0, n = generate(b, moves, false); i < n; ++i) {
        if (make_move(b, moves[i], &after)) return true;
    }
    return false;
}

/* A position that occurred before, in the game or in the line, or fifty moves without a capture or a pawn move. */
static bool is_draw(const Board *b, int ply) {
    const int here = game->count - 1 + ply;
    for (int back = 4; back <= b->fifty && back <= here; back += 2) {
        if (game->keys[here - back] == b->key) return true;
    }
    return b->fifty >= 100 && (!in_check(b) || can_move(b));
}

static int16_t *history_of(const Board *b, Move move) {
    if (is_quiet(b, move)) return &history[b->side][from_of(move)][to_of(move)];
    return &capture_history[b->side][b->at[from_of(move)]][to_of(move)][b->at[to_of(move)]];
}

static void reward(const Board *b, Move move, int bonus) {
    int16_t *value = history_of(b, move);
    *value = (int16_t)(*value + bonus - *value * abs(bonus) / MAX_HISTORY);
}

static int bonus_at(int depth) { return depth < 10 ? 16 * depth * depth : 1600; }

static Move *counter_of(const Node *n) { return &counter_moves[n->board->side][n[-1].kind][to_of(n[-1].move)]; }

static int order(const Node *n, Move move) {
    const Board *b = n->board;
    if (move == n->entry.move) return 1 << 30;
    if (!is_quiet(b, move)) {
        const int gain = 16 * piece_value[b->at[to_of(move)]] + *history_of(b, move) / 8;
        return (exchange(b, move) >= 0 ? 1 << 20 : -(1 << 20)) + gain;
    }
    if (move == n->killers[0] || move == n->killers[1]) return (1 << 19) + (move == n->killers[0]);
    if (n[-1].move && move == *counter_of(n)) return (1 << 19) - 1;
    return *history_of(b, move);
}

/* Moves the best of the remaining moves to place i. */
static Move pick(Move *moves, int *values, int i, int count) {
    int best = i;
    for (int j = i + 1; j < count; ++j) {
        if (values[j] > values[best]) best = j;
    }
    const Move move = moves[best];
    const int value = values[best];
    moves[best] = moves[i], values[best] = values[i];
    moves[i] = move, values[i] = value;
    return move;
}

/* Captures and promotions that do not lose material; in check, every move. */
static int quiesce(const Board *b, int alpha, int beta, int ply) {
    Node *n = &nodes[ply];
    Move moves[MAX_MOVES];
    int values[MAX_MOVES];
    n->line[0] = 0;
    if (!enter_node()) return 0;
    if (ply >= MAX_PLY) return evaluate(b);
    const bool check = in_check(b);
    int best = check ? ply - MATE : evaluate(b);
    if (best >= beta) return best;
    if (best > alpha) alpha = best;
    const int count = generate(b, moves, !check);
    n->board = b;
    n->entry.move = 0;
    for (int i = 0; i < count; ++i) values[i] = order(n, moves[i]);
    for (int i = 0; i < count; ++i) {
        Board after;
        n->move = pick(moves, values, i, count);
        n->kind = b->at[from_of(n->move)];
        if (!check && values[i] < 0) break;
        if (!make_move(b, n->move, &after)) continue;
        const int score = -quiesce(&after, -beta, -alpha, ply + 1);
        if (stopped) return 0;
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (score >= beta) break;
    }
    return best;
}

/* The reduction of a move that is searched late, in plies. */
static int reduction_of(const Node *n, bool gives_check) {
    if (n->depth < 3 || n->searched < 3 || n->in_check || gives_check || !is_quiet(n->board, n->move)) return 0;
    const int plies = reductions[n->depth][n->searched + 1] - n->pv, most = n->depth - 2;
    return plies < 0 ? 0 : plies > most ? most : plies;
}

/* Searches the node's move, with a null window and reduced if it is late, and again as its score asks for. */
static int search_move(Node *n, const Board *after) {
    const bool gives_check = in_check(after), is_first = n->searched == 0;
    n->extension = gives_check && n->ply < 2 * nodes[0].depth;
    const int full = n->depth - 1 + n->extension, scout = is_first ? n->beta : n->alpha + 1;
    const int reduction = reduction_of(n, gives_check);
    int score = -search(after, -scout, -n->alpha, full - reduction, n->ply + 1);
    if (reduction > 0 && score > n->alpha) score = -search(after, -scout, -n->alpha, full, n->ply + 1);
    if (!is_first && score > n->alpha && score < n->beta) score = -search(after, -n->beta, -n->alpha, full, n->ply + 1);
    return score;
}

static void cutoff(Node *n, const Move *tried, int count) {
    const int bonus = bonus_at(n->depth);
    const bool quiet = is_quiet(n->board, n->move);
    reward(n->board, n->move, bonus);
    for (int i = 0; i < count; ++i) {
        if (quiet || !is_quiet(n->board, tried[i])) reward(n->board, tried[i], -bonus);
    }
    if (!quiet) return;
    if (n->killers[0] != n->move) n->killers[1] = n->killers[0];
    n->killers[0] = n->move;
    if (n[-1].move) *counter_of(n) = n->move;
}

static int search(const Board *b, int alpha, int beta, int depth, int ply) {
    Node *n = &nodes[ply];
    if (depth <= 0) return quiesce(b, alpha, beta, ply);
    n->line[0] = 0;
    if (!enter_node()) return 0;
    game->keys[game->count - 1 + ply] = b->key;
    if (ply > 0 && is_draw(b, ply)) return 0;
    if (ply >= MAX_PLY) return evaluate(b);

    n->board = b;
    n->ply = ply, n->depth = depth;
    n->alpha = n->entry_alpha = alpha, n->beta = beta;
    n->pv = beta - alpha > 1;
    n->entry = table[b->key & table_mask];
    if (n->entry.key != b->key) n->entry = (Entry){ 0, 0, 0, -1, 0 };
    n->entry.score = (int16_t)from_table(n->entry.score, ply);
    if (!n->pv && n->entry.depth >= depth) {
        if (n->entry.bound & (n->entry.score >= beta ? LOWER : UPPER)) return n->entry.score;
    }

    n->in_check = in_check(b);
    n->eval = n->in_check ? n[-2].eval : evaluate(b);
    n->improving = ply >= 2 && !n->in_check && !n[-2].in_check && n->eval > n[-2].eval;
    if (!n->pv && !n->in_check && n->eval >= beta && abs(beta) < WON) {
        if (depth <= 5 && n->eval - 80 * (depth - n->improving) >= beta) return n->eval;
        if (depth >= 3 && n[-1].move && phase(b) > 0) {
            Board after;
            n->move = 0;
            make_null_move(b, &after);
            const int score = -search(&after, -beta, 1 - beta, depth - 3 - depth / 4, ply + 1);
            if (stopped) return 0;
            if (score >= beta) return score < WON ? score : beta;
        }
    }

    Move moves[MAX_MOVES], tried[MAX_MOVES];
    int values[MAX_MOVES];
    const int count = generate(b, moves, false);
    for (int i = 0; i < count; ++i) values[i] = order(n, moves[i]);
    n->best = -INFINITE;
    n->searched = 0;
    Move best_move = 0;
    for (int i = 0; i < count; ++i) {
        Board after;
        n->move = pick(moves, values, i, count);
        n->kind = b->at[from_of(n->move)];
        if (!make_move(b, n->move, &after)) continue;
        const int score = search_move(n, &after);
        if (stopped) return 0;
        if (score > n->best) n->best = score;
        if (score > n->alpha) {
            n->alpha = score;
            best_move = n->line[0] = n->move;
            memcpy(n->line + 1, n[1].line, sizeof n->line - sizeof(Move));
            if (score >= beta) {
                cutoff(n, tried, n->searched);
                break;
            }
        }
        tried[n->searched++] = n->move;
    }
    if (n->best == -INFINITE) return n->in_check ? ply - MATE : 0;

    Entry *entry = &table[b->key & table_mask];
    if (!best_move) best_move = n->entry.move;
    *entry = (Entry){ b->key, (int16_t)to_table(n->best, ply), best_move, (int8_t)depth, n->best >= beta ? LOWER : n->alpha > n->entry_alpha ? EXACT : UPPER };
    return n->best;
}

static void report(int depth, int score) {
    const int64_t passed = now() - start;
    printf("info depth %d score ", depth);
    if (abs(score) < WON) printf("cp %d", score);
    else printf("mate %d", score > 0 ? (MATE - score + 1) / 2 : -(MATE + score) / 2);
    printf(" nodes %" PRIu64 " nps %" PRIu64 " time %" PRId64 " pv", node_count, node_count * 1000 / (uint64_t)(passed + 1), passed);
    for (const Move *move = nodes[0].line; *move; ++move) {
        char text[6];
        write_move(*move, text);
        printf(" %s", text);
    }
    printf("\n");
    fflush(stdout);
}

Move think(Game *g, Limits l, bool silent) {
    Move moves[MAX_MOVES], best = 0;
    Board after;
    game = g, limits = l, start = now(), stopped = false, node_count = 0;
    for (int i = generate(&g->board, moves, false); i-- > 0;) {
        if (make_move(&g->board, moves[i], &after)) best = moves[i];
    }
    for (int depth = 1; best && depth <= limits.depth && !stopped; ++depth) {
        const int score = search(&g->board, -INFINITE, INFINITE, depth, 0);
        if (nodes[0].line[0]) best = nodes[0].line[0];
        if (!silent && !stopped) report(depth, score);
        if (limits.soft && now() - start >= limits.soft) break;
    }
    return best;
}
