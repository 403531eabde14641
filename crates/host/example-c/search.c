/* The search. `nodes` holds a record for each ply of the line that is searched. */
#define _POSIX_C_SOURCE 200809L
#include "search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../include/lmrlab.h"
#include "eval.h"

enum { INFINITE = 32000, MATE = 31000, WON = MATE - MAX_PLY, MAX_HISTORY = 16384 };
enum { UPPER = 1, LOWER = 2, EXACT = 3 };

typedef struct {
    uint64_t key;
    int16_t score;
    Move move;
    int8_t depth;
    uint8_t bound; /* 0: nothing is stored here */
    bool pv;       /* once a node of the principal variation */
} Entry;

typedef struct {
    const Board *board;
    int ply, depth, alpha, beta, entry_alpha, best, eval;
    int improvement; /* of the evaluation since two plies before; 0 when unknown */
    bool pv, cut, after_null, in_check;
    Entry entry; /* what the table holds of the position; bound 0: nothing */
    Move move;   /* the move that is searched; 0: a null move */
    int kind;    /* of its piece */
    int extension, searched, quiets, raises, best_changes;
    int reduction;   /* of the search that runs */
    int cutoffs;     /* at this ply, since the node two plies above was entered */
    int null_mover;  /* the side that made the last null move of the line, or -1 */
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
static uint64_t sample; /* which moves are traced: a random number */
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

bool init_search(void) {
    for (int depth = 1; depth < MAX_PLY; ++depth) {
        for (int number = 1; number < MAX_MOVES; ++number) reductions[depth][number] = (uint8_t)(0.5 + log(depth) * log(number) / 2);
    }
    return lmr_init("Example 1.0",
        "root pv cut all improving in_check gives_check capture quiet promotion queen_promotion castling pawn_move tt_move tt_hit "
        "tt_has_move tt_capture killer extended tt_pv tt_exact after_null null_mover advanced_pawn passed_pawn counter_move king_zone "
        "depth ply moves_searched move_number quiet_number tt_depth tt_score alpha best_score window improvement parent_reduction "
        "parent_move_number child_cutoffs iteration extension pawn_rank phase static_eval eval_minus_alpha alpha_raises best_changes "
        "capture_history ordering_history*4 material positional pst_delta see eval_delta flag:takes_last_moved");
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

static bool is_late(const Node *n, bool gives_check) {
    return n->depth >= 3 && n->searched >= 3 && !n->in_check && !gives_check && is_quiet(n->board, n->move);
}

/* The reduction of a late move, in plies. */
static int own_reduction(const Node *n) {
    const int plies = reductions[n->depth][n->searched + 1] - n->pv, most = n->depth - 2;
    return plies < 0 ? 0 : plies > most ? most : plies;
}

static int best_of(const Node *n) { return n->searched > 0 ? n->best : n->entry_alpha; }

static int distance(int one, int two) {
    const int files = abs(one % 8 - two % 8), ranks = abs(one / 8 - two / 8);
    return files > ranks ? files : ranks;
}

/* The facts about the node's move, for lmrlab. */
static void fill_facts(lmr_move *m, const Node *n, const Board *after, bool gives_check) {
    LMR_NUMBER(m, depth, n->depth);
    if (!lmr_wants_more(m)) return; /* the depth alone tells that the move is not late */
    const Board *b = n->board;
    const Entry *entry = &n->entry;
    const Move move = n->move;
    const int from = from_of(move), to = to_of(move), us = b->side, rank = relative_rank(us, to) + 1, past = *history_of(b, move);
    const bool capture = is_capture(b, move), quiet = is_quiet(b, move), pawn = n->kind == PAWN;
    LMR_FLAG(m, root, n->ply == 0); LMR_FLAG(m, pv, n->pv); LMR_FLAG(m, cut, n->cut); LMR_FLAG(m, all, !n->pv && !n->cut);
    LMR_FLAG(m, improving, n->improvement > 0); LMR_NUMBER(m, improvement, n->improvement);
    LMR_FLAG(m, in_check, n->in_check); LMR_FLAG(m, gives_check, gives_check);
    LMR_FLAG(m, capture, capture); LMR_FLAG(m, quiet, quiet); LMR_FLAG(m, castling, n->kind == KING && abs(to - from) == 2);
    LMR_FLAG(m, promotion, promotion_of(move)); LMR_FLAG(m, queen_promotion, promotion_of(move) == QUEEN);
    LMR_FLAG(m, pawn_move, pawn); LMR_NUMBER(m, pawn_rank, pawn ? rank : 0);
    LMR_FLAG(m, advanced_pawn, pawn && rank >= 6); LMR_FLAG(m, passed_pawn, pawn && is_passed(b, us, to));
    LMR_FLAG(m, tt_hit, entry->bound); LMR_FLAG(m, tt_exact, entry->bound == EXACT); LMR_FLAG(m, tt_pv, entry->pv);
    LMR_FLAG(m, tt_has_move, entry->move); LMR_FLAG(m, tt_move, move == entry->move);
    LMR_FLAG(m, tt_capture, entry->move && is_capture(b, entry->move));
    LMR_NUMBER(m, tt_depth, entry->depth); LMR_NUMBER(m, tt_score, entry->score);
    LMR_FLAG(m, killer, quiet && (move == n->killers[0] || move == n->killers[1]));
    LMR_FLAG(m, counter_move, n[-1].move && move == *counter_of(n));
    LMR_FLAG(m, extended, n->extension); LMR_NUMBER(m, extension, n->extension);
    LMR_FLAG(m, after_null, n->after_null); LMR_FLAG(m, null_mover, n->null_mover == us);
    LMR_FLAG(m, king_zone, distance(first(pieces(b, !us, KING)), to) <= 2);
    LMR_NUMBER(m, ply, n->ply); LMR_NUMBER(m, iteration, nodes[0].depth);
    LMR_NUMBER(m, moves_searched, n->searched); LMR_NUMBER(m, move_number, n->searched + 1); LMR_NUMBER(m, quiet_number, n->quiets);
    LMR_NUMBER(m, alpha, n->alpha); LMR_NUMBER(m, window, n->beta - n->alpha); LMR_NUMBER(m, best_score, best_of(n));
    LMR_NUMBER(m, alpha_raises, n->raises); LMR_NUMBER(m, best_changes, n->best_changes);
    LMR_NUMBER(m, static_eval, n->eval); LMR_NUMBER(m, eval_minus_alpha, n->eval - n->alpha);
    LMR_NUMBER(m, parent_reduction, n[-1].reduction); LMR_NUMBER(m, parent_move_number, n[-1].move ? n[-1].searched + 1 : 0);
    LMR_NUMBER(m, child_cutoffs, n[1].cutoffs);
    LMR_NUMBER(m, ordering_history, quiet ? past : past / 4.0); LMR_NUMBER(m, capture_history, capture ? past : 0);
    if (lmr_wants_position(m)) {
        char fen[FEN_SIZE], name[6];
        write_fen(b, fen);
        write_move(move, name);
        lmr_position(m, fen, name);
    }
    if (LMR_WANTS(m, phase)) LMR_NUMBER(m, phase, phase(b));
    if (LMR_WANTS(m, material)) LMR_NUMBER(m, material, material(b));
    if (LMR_WANTS(m, positional)) LMR_NUMBER(m, positional, n->eval - material(b));
    if (LMR_WANTS(m, pst_delta)) LMR_NUMBER(m, pst_delta, square_value(b, us, n->kind, to) - square_value(b, us, n->kind, from));
    if (LMR_WANTS(m, see)) LMR_NUMBER(m, see, exchange(b, move));
    if (LMR_WANTS(m, eval_delta)) LMR_NUMBER(m, eval_delta, -evaluate(after) - n->eval);
    lmr_own_flag(m, 0, n[-1].move && capture && to == to_of(n[-1].move)); /* takes_last_moved */
}

/* Sets the reduction of a late move, by the policy in force or by the engine's own scheme. */
static void ask(lmr_move *m, const Node *n, const Board *after, bool gives_check) {
    const bool wanted = lmr_open(m, n->depth > 1 ? &sample : NULL);
    if (n->depth == 1) return; /* a quiescence search follows, reduced or not */
    if (wanted) fill_facts(m, n, after, gives_check);
    if (lmr_policy()) {
        lmr_reduction(m);
    } else {
        m->late = is_late(n, gives_check);
        m->reduction = m->late ? own_reduction(n) : 0;
    }
}

/* In a copy of the process: searches the move without limits and without a reduction, and ends the copy. */
static void judge(const Node *n, const Board *after, int full, const lmr_move *lmr) {
    const uint64_t before = node_count;
    limits.nodes = UINT64_MAX, limits.hard = 0, limits.interrupted = NULL;
    const int score = -search(after, -n->alpha - 1, -n->alpha, full, n->ply + 1);
    lmr_judged(lmr, score > n->alpha, node_count - before);
}

/* Searches the node's move: the first with the node's window, a later one with a null window, and again if its score is
 * inside the window. */
static int search_move(Node *n, const Board *after) {
    const bool gives_check = in_check(after);
    n->extension = gives_check && n->ply < 2 * nodes[0].depth;
    int full = n->depth - 1 + n->extension;
    const int ply = n->ply + 1;
    if (n->searched == 0) return -search(after, -n->beta, -n->alpha, full, ply);
    lmr_move lmr;
    const uint64_t before = node_count;
    const int unreduced = full;
    ask(&lmr, n, after, gives_check);
    if (lmr_shadow(&lmr)) judge(n, after, full, &lmr);
    const int reduction = n->reduction = lmr.reduction;
    int score = -search(after, -n->alpha - 1, -n->alpha, full - reduction, ply);
    lmr_result(&lmr, score > n->alpha, node_count - before);
    n->reduction = 0;
    if (reduction > 0 && score > n->alpha && !stopped) {
        const int change = lmr_ladder() == LMR_LADDER_BY_SCORE ? lmr_depth_change(&lmr, score, best_of(n)) : 0;
        full += change;
        if (reduction + change > 0) score = -search(after, -n->alpha - 1, -n->alpha, full, ply);
        if (lmr_updates_history() && is_quiet(n->board, n->move) && !stopped) {
            reward(n->board, n->move, score > n->alpha ? bonus_at(n->depth) : -bonus_at(n->depth));
        }
    }
    if (score > n->alpha && score < n->beta) score = -search(after, -n->beta, -n->alpha, full, ply);
    if (!stopped) lmr_close(&lmr, unreduced, score <= n->alpha ? 0 : score < n->beta ? 1 : 2, node_count - before);
    return score;
}

static void cutoff(Node *n, const Move *tried, int count) {
    const int bonus = bonus_at(n->depth);
    const bool quiet = is_quiet(n->board, n->move);
    ++n->cutoffs;
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
    n->cut = !n->pv && (n[-1].pv || !n[-1].cut);
    n->after_null = ply > 0 && !n[-1].move;
    n->null_mover = ply == 0 ? -1 : n->after_null ? !b->side : n[-1].null_mover;
    n[2].cutoffs = 0;
    n->entry = table[b->key & table_mask];
    if (n->entry.key != b->key) n->entry = (Entry){ 0, 0, 0, -1, 0, false };
    n->entry.score = (int16_t)from_table(n->entry.score, ply);
    if (!n->pv && n->entry.depth >= depth) {
        if (n->entry.bound & (n->entry.score >= beta ? LOWER : UPPER)) return n->entry.score;
    }

    n->in_check = in_check(b);
    n->eval = n->in_check ? n[-2].eval : evaluate(b);
    n->improvement = ply >= 2 && !n->in_check && !n[-2].in_check ? n->eval - n[-2].eval : 0;
    if (!n->pv && !n->in_check && n->eval >= beta && abs(beta) < WON) {
        if (depth <= 5 && n->eval - 80 * (depth - (n->improvement > 0)) >= beta) return n->eval;
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
    n->searched = n->quiets = n->raises = n->best_changes = 0;
    Move best_move = 0;
    for (int i = 0; i < count; ++i) {
        Board after;
        n->move = pick(moves, values, i, count);
        n->kind = b->at[from_of(n->move)];
        if (!make_move(b, n->move, &after)) continue;
        n->quiets += is_quiet(b, n->move);
        const int score = search_move(n, &after);
        if (stopped) return 0;
        if (score > n->best) n->best = score;
        if (score > n->alpha) {
            n->alpha = score, ++n->raises;
            n->best_changes += best_move != 0;
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

    const uint8_t bound = n->best >= beta ? LOWER : n->alpha > n->entry_alpha ? EXACT : UPPER;
    const bool pv = n->pv || n->entry.pv;
    if (!best_move) best_move = n->entry.move;
    table[b->key & table_mask] = (Entry){ b->key, (int16_t)to_table(n->best, ply), best_move, (int8_t)depth, bound, pv };
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
    nodes[1].cutoffs = 0; /* no fact knows of the search before */
    lmr_new_search();
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
