/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * lmrlab.h, version 1: late move reductions from a file, for any UCI engine in C (C99) or C++ (C++11).
 *
 * The engine says what it knows about a late move, its facts. A policy of lmrlab, a text file, turns the facts into a
 * reduction in plies. The policy can change without a rebuild, and what the engine did can be written to a trace.
 *
 * In one .c or .cpp file write `#define LMRLAB_IMPLEMENTATION` before the include; link with -lm.
 *
 * At the start of the program:
 *     if (!lmr_init("Engine 1.0", "root pv cut quiet depth moves_searched move_number see*0.5 flag:my_flag")) return 1;
 * On `uci`, before `uciok`:                lmr_print_options();
 * On `setoption`, before your own options: if (lmr_setoption(name, value)) return;
 * On `go`:                                 lmr_new_search();
 *
 * In the search, for each move that may be late:
 *     lmr_move lmr;
 *     if (lmr_open(&lmr, thread->is_main ? &random : NULL)) {    // random: a uint64_t that starts at any value
 *         LMR_FLAG(&lmr, quiet, is_quiet);                       // once for each fact of lmr_init
 *         LMR_NUMBER(&lmr, depth, depth);
 *         LMR_NUMBER(&lmr, see, static_exchange(position, move)); // computed where the policy or the trace reads it
 *         if (lmr_wants_position(&lmr)) lmr_position(&lmr, fen_of(position), uci_move);
 *     }
 *     if (lmr_policy()) lmr_reduction(&lmr);                     // sets lmr.reduction and lmr.late
 *     else { lmr.reduction = my_reduction(); lmr.late = my_condition(); }
 *     if (lmr_shadow(&lmr)) {                                    // only in a copy of the process
 *         make(move); score = -search(full_depth, -alpha - 1, -alpha); if (stopped) _exit(1);
 *         lmr_judged(&lmr, score > alpha, nodes);                // does not return
 *     }
 *     // first search, at full_depth - lmr.reduction when lmr.late
 *     lmr_result(&lmr, score > alpha, nodes_of_it);
 *     // searches again, as lmr_ladder() says: with LMR_LADDER_BY_SCORE at full_depth + lmr_depth_change(..)
 *     lmr_close(&lmr, full_depth, score <= alpha ? 0 : score < beta ? 1 : 2, nodes_of_all);
 *
 * Facts are those before the move is made; docs/policy-language.md says what each means. Scores are those of the side
 * to move. Units are lmrlab's (centipawns, plies): `see*0.5` in lmr_init says that 1 of the engine's `see` is 0.5 of
 * lmrlab's.
 * Reductions are those of lmrlab to the ply. Only a policy with `exp`, `pow`, or a logarithm of anything but 0 to 255
 * may differ, where the last bit of the C library decides.
 * Threads may share a policy. Traces and shadow searches are for one thread: the others pass NULL to lmr_open.
 * Options must not change during a search. Nothing is allocated; the state is static.
 */
#ifndef LMRLAB_H
#define LMRLAB_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the policy files and of the traces. */
#define LMRLAB_VERSION 1

/* lmrlab's catalogue of facts, in its order. A test of lmrlab writes these lists. */
/* catalogue: begin */
#define LMR_BOOLEAN_FACTS(X) \
    X(root) X(pv) X(cut) X(all) X(improving) X(in_check) X(gives_check) X(capture) X(quiet) X(promotion) \
    X(queen_promotion) X(castling) X(pawn_move) X(tt_move) X(tt_hit) X(tt_has_move) X(tt_capture) X(killer) \
    X(extended) X(tt_pv) X(tt_exact) X(after_null) X(null_mover) X(advanced_pawn) X(passed_pawn) X(counter_move) \
    X(was_best) X(null_threat) X(null_mate) X(opponent_worsening) X(king_zone) X(creates_threat) \
    X(escapes_threat)
#define LMR_NUMBER_FACTS(X) \
    X(depth) X(ply) X(moves_searched) X(move_number) X(quiet_number) X(legal_moves) X(tt_depth) X(tt_score) \
    X(alpha) X(best_score) X(window) X(root_window) X(improvement) X(parent_reduction) X(parent_move_number) \
    X(child_cutoffs) X(iteration) X(extension) X(pawn_rank) X(phase) X(opponent_pieces) X(static_eval) \
    X(eval_minus_alpha) X(correction) X(parent_eval) X(alpha_raises) X(best_changes) X(history) \
    X(capture_history) X(continuation_history) X(continuation_history_2) X(continuation_history_4) \
    X(ordering_history) X(captured_value) X(material) X(positional) X(pst_delta) X(see) X(eval_delta) \
    X(passed_delta) X(king_safety_delta) X(so_far) X(score) X(reduction)
/* catalogue: end */

#define LMR_ONE_MORE(name) +1
#define LMR_ENUMERATOR(name) LMR_##name,

/* The facts: LMR_root, LMR_pv and so on. */
enum lmr_fact { LMR_BOOLEAN_FACTS(LMR_ENUMERATOR) LMR_NUMBER_FACTS(LMR_ENUMERATOR) LMR_FACTS };

enum {
    LMR_BOOLEANS = 0 LMR_BOOLEAN_FACTS(LMR_ONE_MORE),
    LMR_NUMBERS = 0 LMR_NUMBER_FACTS(LMR_ONE_MORE),
    LMR_OWN = 16, /* the most flags, and the most numbers, of an engine's own */
    LMR_SLOTS = LMR_NUMBERS + LMR_OWN,
    LMR_IDS = LMR_FACTS + 2 * LMR_OWN
};

/* A move that may be late. `reduction` and `late` are for the engine; the rest is filled by the functions below. */
typedef struct lmr_move {
    int reduction; /* in plies; below 0 an extension */
    bool late;     /* whether the policy's `when` holds; a late move may have a reduction of 0 */
    bool sampled;  /* whether the move goes into the trace */
    bool failed_high;
    uint64_t flags;
    uint64_t wanted_flags, wanted_numbers; /* the facts that are filled */
    double numbers[LMR_SLOTS];
    uint64_t id, first_nodes; /* used when sampled only, as are the next two */
    char move[8], fen[96];
} lmr_move;

/* How a reduced move is searched again; docs/policy-language.md describes the ladders. */
enum lmr_ladder {
    LMR_LADDER_NULL_THEN_FULL,
    LMR_LADDER_NONE,
    LMR_LADDER_FULL,
    LMR_LADDER_FULL_REDUCED_FIRST,
    LMR_LADDER_STEP_UP,
    LMR_LADDER_INTERMEDIATE,
    LMR_LADDER_BY_SCORE
};

/* Which score of the reduced search causes a second one. */
enum lmr_trigger {
    LMR_TRIGGER_ABOVE_ALPHA,
    LMR_TRIGGER_AT_OR_ABOVE_BETA,
    LMR_TRIGGER_ABOVE_ORIGINAL_ALPHA,
    LMR_TRIGGER_ABOVE_BEST_SCORE
};

/* Once, at the start. `facts`: the names of the facts that the engine fills, with spaces between them. `name*factor`:
 * the factor, a number or a fraction such as 16384/29952, turns the engine's unit into lmrlab's. `flag:NAME` and
 * `number:NAME` are facts of the engine's own. `score*factor` gives the unit of the scores of lmr_depth_change; without
 * it they have that of `alpha`.
 * Reads the environment variables LmrPolicy, LmrParams, LmrTrace, LmrTraceRate and LmrShadow, so that `./engine bench`
 * works. LmrPosition=1 writes positions into the trace, and lmr_open forgets the numbers of moves that are not traced.
 * False, after a message on stderr, when the list is wrong. */
bool lmr_init(const char *engine, const char *facts);

/* On `uci`, before `uciok`: prints five options and what the engine can. */
void lmr_print_options(void);

/* On `setoption`. True when the option is lmrlab's; prints the answer. */
bool lmr_setoption(const char *name, const char *value);

/* On `go`: numbers the searches in the trace. */
void lmr_new_search(void);

/* Whether a policy is in force. If not, the engine reduces by its own scheme. */
bool lmr_policy(void);

/* The reduction in plies, after the facts. Sets m->reduction and m->late. */
int lmr_reduction(lmr_move *m);

/* When the ladder is LMR_LADDER_BY_SCORE: by how many plies the second search is deeper (1) or shallower (-1).
 * `score`: the score of the reduced search. `best_score`: the best score of the node so far. 0 for a move that is not late. */
int lmr_depth_change(lmr_move *m, int score, int best_score);

/* The policy's [research]. The engine follows what it can. */
enum lmr_ladder lmr_ladder(void);
enum lmr_trigger lmr_trigger(void);
int lmr_ladder_above(void);     /* LMR_LADDER_INTERMEDIATE: the greatest reduction without an intermediate search */
int lmr_ladder_reduction(void); /* LMR_LADDER_INTERMEDIATE: the reduction of the intermediate search */
bool lmr_updates_history(void); /* whether the second search's result updates the move's history */
int lmr_threat_feedback(void);  /* plies of the feedback after a refuted null move; -1 for none */

/* Before the move's searches. True in a copy of the process: it searches the move at full depth, then lmr_judged. */
bool lmr_shadow(lmr_move *m);

/* In the copy: writes whether the move raises alpha, and ends the copy. */
void lmr_judged(const lmr_move *m, bool raises, uint64_t nodes);

/* For lmr_open, lmr_close, lmr_is_copy and the macros; not for engines. */
struct lmr_shared {
    bool policy, tracing, position, is_copy;
    uint64_t wanted_flags, wanted_numbers;
    double factors[LMR_SLOTS];
    double least_depth, least_moves; /* below either no move is late */
};
extern struct lmr_shared lmr_shared;
void lmr_sample(lmr_move *m, uint64_t *random);
void lmr_forget(lmr_move *m);
void lmr_end(const lmr_move *m, int full_depth, int outcome, uint64_t nodes);

/* Before the facts. False: neither a policy nor the trace wants them. `random` decides which moves go into the trace: a
 * number of the one traced thread; NULL elsewhere. */
static inline bool lmr_open(lmr_move *m, uint64_t *random) {
    m->flags = 0;
    m->reduction = 0;
    m->late = m->sampled = false;
    if (random && lmr_shared.tracing) lmr_sample(m, random);
    if (lmr_shared.position && !m->sampled) lmr_forget(m);
    m->wanted_flags = m->sampled ? UINT64_MAX : lmr_shared.wanted_flags;
    m->wanted_numbers = m->sampled ? UINT64_MAX : lmr_shared.wanted_numbers;
    return lmr_shared.policy || m->sampled;
}

/* Whether a fact is worth computing for this move. The macros that fill a fact ask it, too: where nothing reads the fact, they do
 * not compute their `value`. */
#define LMR_WANTS(m, name) lmr_wants(m, LMR_##name)
static inline bool lmr_wants(const lmr_move *m, int fact) {
    return ((fact < LMR_BOOLEANS ? m->wanted_flags >> fact : m->wanted_numbers >> (fact - LMR_BOOLEANS)) & 1) != 0;
}
static inline bool lmr_wants_own_flag(const lmr_move *m, int index) {
    return index >= 0 && index < LMR_OWN && (m->wanted_flags >> (LMR_BOOLEANS + index) & 1);
}
static inline bool lmr_wants_own_number(const lmr_move *m, int index) {
    return index >= 0 && index < LMR_OWN && (m->wanted_numbers >> (LMR_NUMBERS + index) & 1);
}

/* Fills a fact. Flags are false after lmr_open. */
#define LMR_FLAG(m, name, value) \
    (LMR_WANTS(m, name) ? (void)((m)->flags |= (uint64_t)((value) ? 1 : 0) << LMR_##name) : (void)0)
#define LMR_NUMBER(m, name, value) (LMR_WANTS(m, name) ? lmr_number_is(m, LMR_##name, (double)(value)) : (void)0)
static inline void lmr_number_is(lmr_move *m, int fact, double value) {
    value *= lmr_shared.factors[fact - LMR_BOOLEANS];
    m->numbers[fact - LMR_BOOLEANS] = value;
    if (((fact == LMR_depth && value < lmr_shared.least_depth)
            || (fact == LMR_moves_searched && value < lmr_shared.least_moves))
        && !m->sampled)
        m->wanted_flags = m->wanted_numbers = 0;
}

/* Whether any fact is worth computing. Fill `depth` and `moves_searched` first: they tell that most moves cannot be late. Then
 * leave out the other facts where this is false. */
static inline bool lmr_wants_more(const lmr_move *m) { return (m->wanted_flags | m->wanted_numbers) != 0; }

/* Fills a fact of the engine's own. Flags and numbers are each counted from 0, in the order of lmr_init. */
#define lmr_own_flag(m, index, value) (lmr_wants_own_flag(m, index) ? lmr_own_flag_is(m, index, (value) ? 1 : 0) : (void)0)
#define lmr_own_number(m, index, value) \
    (lmr_wants_own_number(m, index) ? lmr_own_number_is(m, index, (double)(value)) : (void)0)
static inline void lmr_own_flag_is(lmr_move *m, int index, int value) {
    m->flags |= (uint64_t)value << (LMR_BOOLEANS + index);
}
static inline void lmr_own_number_is(lmr_move *m, int index, double value) {
    m->numbers[LMR_NUMBERS + index] = value * lmr_shared.factors[LMR_NUMBERS + index];
}

/* Whether this process is a copy for a shadow search. A limit of nodes or time is not for it. */
static inline bool lmr_is_copy(void) { return lmr_shared.is_copy; }

/* Whether the trace wants the position before the move, and the move as UCI writes it. */
static inline bool lmr_wants_position(const lmr_move *m) { return m->sampled && lmr_shared.position; }
void lmr_position(lmr_move *m, const char *fen, const char *uci_move);

/* After the move's first search. */
static inline void lmr_result(lmr_move *m, bool failed_high, uint64_t nodes) {
    m->failed_high = failed_high;
    m->first_nodes = nodes;
}

/* After the move's last search. `full_depth`: the depth without a reduction. `outcome`: 0 when the move failed low, 1
 * when its score is inside the window, 2 when it failed high. `nodes`: those of all its searches. */
static inline void lmr_close(lmr_move *m, int full_depth, int outcome, uint64_t nodes) {
    if (m->sampled) lmr_end(m, full_depth, outcome, nodes);
}

#ifdef __cplusplus
}
#endif
#endif

#ifdef LMRLAB_IMPLEMENTATION
#ifdef __FAST_MATH__
#error "lmrlab.h: compile the file with LMRLAB_IMPLEMENTATION without -ffast-math: else reductions differ"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "lmrlab.h: doubles must be computed as doubles; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The limits of the format. */
enum {
    LMR_MAX_NAME = 64,
    LMR_MAX_PARAMETERS = 256,
    LMR_MAX_RULES = 256,
    LMR_MAX_WORDS = 16384,
    LMR_MAX_STACK = 128,
    LMR_MAX_CELLS = 65536,
    LMR_MAX_LINE = 1 << 20,
    LMR_LOGARITHMS = 256
};

/* The limits of this reader. */
enum {
    LMR_MAX_PATH = 4096,
    LMR_MAX_OVERRIDES = 32768,
    LMR_WORD = 96, /* longer than any word of a policy */
    LMR_MAX_PLIES = 256,
    LMR_NO_LIMIT = 1 << 20,
    LMR_SIDE = 64,              /* tables reach from 0 to 63 */
    LMR_TABLE_FLAGS = 3,        /* the most flags that choose a table */
    LMR_TABLE_NUMBERS = 131072, /* numbers in all tables */
    LMR_TABLE_WORK = 1 << 20,   /* operations that filling the tables may take */
    LMR_CODE = LMR_MAX_WORDS + 6 * (LMR_MAX_RULES + 1),
    LMR_SHADOW_SECONDS = 3600, /* a copy that has not ended by then is ended */
    LMR_RECORD = 40 + 8 * LMR_SLOTS + 104
};

/* Operations. Those before LMR_OP_CONST are words of a policy file, in the order of lmr_words: of two values up to LMR_OP_TABLE,
 * of one from LMR_OP_NEG on. */
enum lmr_op_kind {
    LMR_OP_ADD, LMR_OP_SUB, LMR_OP_MUL, LMR_OP_DIV, LMR_OP_MOD, LMR_OP_LT, LMR_OP_LE, LMR_OP_GT, LMR_OP_GE, LMR_OP_EQ,
    LMR_OP_NE, LMR_OP_MIN, LMR_OP_MAX, LMR_OP_POW, LMR_OP_TABLE,
    LMR_OP_DUP, LMR_OP_DROP,
    LMR_OP_NEG, LMR_OP_NOT, LMR_OP_ABS, LMR_OP_FLOOR, LMR_OP_CEIL, LMR_OP_ROUND, LMR_OP_TRUNC, LMR_OP_SQRT, LMR_OP_LN,
    LMR_OP_LOG2, LMR_OP_EXP,
    LMR_OP_CONST,  /* pushes `c` */
    LMR_OP_NUMBER, /* pushes the number in slot `arg` */
    LMR_OP_FLAG,   /* pushes the flag in bit `arg` */
    LMR_OP_JUMP,   /* to `to` */
    LMR_OP_UNLESS, /* drops the top, and jumps when it is 0 */
    LMR_OP_AND,    /* jumps when the top is 0, else drops it */
    LMR_OP_OR,     /* jumps when the top is not 0, else drops it */
    /* Made of the others when a policy is read. */
    LMR_OP_NOT_FLAG, LMR_OP_NEG_NUMBER, LMR_OP_LN_NUMBER,
    LMR_OP_ADD_CONST, LMR_OP_MUL_CONST, LMR_OP_DIV_CONST, LMR_OP_MIN_CONST, LMR_OP_MAX_CONST,
    LMR_OP_LT_CONST, LMR_OP_LE_CONST, LMR_OP_GT_CONST, LMR_OP_GE_CONST,
    LMR_OP_TEST,        /* pushes whether a number is from `c` to `c` of the next operation, or the contrary if `to` */
    LMR_OP_SELECT,      /* pushes `c` when a flag is set, else `c` of the next operation */
    LMR_OP_UNLESS_FLAG, /* jumps when a flag is not set */
    LMR_OP_IF_FLAG,     /* jumps when a flag is set */
    LMR_OP_BELOW,       /* jumps when the top is below `c` */
    LMR_OP_SECOND,      /* the second part of TEST and SELECT */
    LMR_OP_MISSING,     /* a fact that the engine lacks: unless constants leave it out, the policy is refused */
    LMR_OP_END
};

typedef struct lmr_op {
    double c;
    uint16_t op, arg;
    uint32_t to;
} lmr_op;

/* A number of a policy. In every form its code is there, too. */
enum lmr_form {
    LMR_CONSTANT, /* c[0] */
    LMR_TABULATED,
    LMR_OF_NUMBER, /* the number in slot `row`, or its negation; `operation`; c[whether the flag flags[0] is set] */
    LMR_BY_CODE
};

typedef struct lmr_value {
    uint8_t form, operation, row, column, columns, flag_count;
    uint8_t flags[LMR_TABLE_FLAGS];
    bool negated;
    uint32_t code, cells;
    double c[2];
} lmr_value;

/* Whether a number is between bounds. `negated` rather than a strict bound: x > c is not(x <= c). */
typedef struct lmr_test {
    double low, high;
    uint16_t slot;
    bool negated;
} lmr_test;

/* A condition: a mask, up to two tests, and code for the rest. */
typedef struct lmr_condition {
    uint64_t mask, want;
    lmr_test tests[2];
    uint8_t test_count;
    bool has_code, always, never;
    uint32_t code;
} lmr_condition;

/* A rule that adds a constant while flags have wanted values: add[whether they have]. */
typedef struct lmr_bonus {
    uint64_t mask, want;
    double add[2];
} lmr_bonus;

/* The same, while a number lies between bounds, too. */
typedef struct lmr_tested {
    lmr_bonus bonus;
    lmr_test test;
} lmr_tested;

enum lmr_effect { LMR_NOTHING, LMR_ADD, LMR_MUL, LMR_SET };

/* Any other rule. */
typedef struct lmr_rule {
    bool capped, stop;
    uint8_t effect, else_effect;
    lmr_condition when;
    lmr_value amount, else_amount, cap;
} lmr_rule;

/* Neighbouring bonuses, neighbouring tested bonuses, or one other rule. */
enum lmr_step_kind { LMR_BONUSES, LMR_TESTED, LMR_RULE };

typedef struct lmr_step {
    uint16_t kind, first, end;
} lmr_step;

/* The policy that is in force or being read. */
static struct {
    char name[LMR_MAX_NAME + 1], hash[LMR_MAX_NAME + 1];
    bool own_units, never, limits_nodes, reads_extension;
    struct {
        char name[LMR_MAX_NAME + 1], min_text[LMR_WORD], max_text[LMR_WORD];
        double value;
    } parameters[LMR_MAX_PARAMETERS];
    int parameter_count;
    char rule_names[LMR_MAX_RULES][LMR_MAX_NAME + 1];
    int rule_name_count;
    struct {
        char name[LMR_MAX_NAME + 1];
        bool flag;
        int id; /* the engine's fact; -1 when it has none of the name and kind */
        bool missed;
    } own[2 * LMR_OWN];
    int own_count, own_flag_count;
    double ln[LMR_LOGARITHMS], log2[LMR_LOGARITHMS], cells[LMR_MAX_CELLS];
    bool has_ln, has_log2;
    uint32_t rows, columns;
    lmr_op code[LMR_CODE];
    uint32_t used, words;
    double tables[LMR_TABLE_NUMBERS];
    uint32_t tabulated, work;
    lmr_condition when, deeper, shallower;
    lmr_value reduce;
    lmr_bonus bonuses[LMR_MAX_RULES];
    lmr_tested tested[LMR_MAX_RULES];
    lmr_rule rules[LMR_MAX_RULES];
    lmr_step steps[LMR_MAX_RULES];
    int bonus_count, tested_count, rule_count, step_count;
    double scale;
    int round, min, max, max_at_root, max_in_pv, max_if_extended, floor, pv_bonus;
    int ladder, trigger, above, reduction, threat_feedback;
    bool updates_history;
    uint64_t flags_read, slots_read; /* by what is in force */
    bool missing[LMR_IDS];
} lmr_p;

/* What the engine told, and the options. */
static struct {
    char engine[256];
    bool fills[LMR_IDS];
    double factors[LMR_SLOTS];
    char own[2 * LMR_OWN][LMR_MAX_NAME + 1]; /* flags, then numbers */
    int own_flags, own_numbers;
    char path[LMR_MAX_PATH], overrides[LMR_MAX_OVERRIDES];
    char error[1024];
    char trace_path[LMR_MAX_PATH], rate_text[LMR_WORD];
    double threshold; /* the rate, of 2^32 */
    int shadow;
    FILE *trace;
    char buffer[2 * LMR_RECORD];
    bool has_records, unreduced;
    uint32_t searches;
} lmr_l;

struct lmr_shared lmr_shared;

#define LMR_NAME(name) #name,
static const char *const lmr_names[] = { LMR_BOOLEAN_FACTS(LMR_NAME) LMR_NUMBER_FACTS(LMR_NAME) };
static const char *const lmr_words[] = { "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "min", "max", "pow",
    "table", "dup", "drop", "neg", "not", "abs", "floor", "ceil", "round", "trunc", "sqrt", "ln", "log2", "exp" };
static const char *const lmr_shadows[] = { "none", "policy", "unreduced" };
static const char *const lmr_ladders[] = { "null_then_full", "none", "full", "full_reduced_first", "step_up",
    "intermediate", "by_score" };
static const char *const lmr_triggers[] = { "above_alpha", "at_or_above_beta", "above_original_alpha",
    "above_best_score" };
static const char *const lmr_roundings[] = { "trunc", "floor", "ceil", "nearest" };
enum { LMR_TRUNC, LMR_FLOOR, LMR_CEIL, LMR_NEAREST };

/* Flags and sets of slots are words of 64 bits. */
typedef char lmr_fits[LMR_BOOLEANS + LMR_OWN <= 64 && LMR_SLOTS <= 64 ? 1 : -1];

/* ---- Arithmetic: total, and the same to the bit as lmrlab's. ---- */

static inline double lmr_finite(double x) {
    x = x < DBL_MAX ? x : DBL_MAX;
    return x > -DBL_MAX ? x : -DBL_MAX;
}

/* Towards zero; what an int cannot hold is cut. */
static inline int lmr_int(double x) { return x > -1e9 ? x < 1e9 ? (int)x : 1000000000 : -1000000000; }

static double lmr_logarithm(double x, const double *table, double (*other)(double)) {
    if (!(x > 0)) return 0;
    if (x < LMR_LOGARITHMS && x == (double)(int)x) return table[(int)x];
    return other(x);
}

static double lmr_cell(double row, double column) {
    uint32_t y = !(row > 0) ? 0 : row >= (double)lmr_p.rows ? lmr_p.rows - 1 : (uint32_t)row;
    uint32_t x = !(column > 0) ? 0 : column >= (double)lmr_p.columns ? lmr_p.columns - 1 : (uint32_t)column;
    return lmr_p.cells[y * lmr_p.columns + x];
}

static double lmr_power(double x, double y) {
    double value = pow(x, y);
    return value != value || (x == 0 && y < 0) ? 0 : lmr_finite(value);
}

static double lmr_unary(int op, double x) {
    switch (op) {
    case LMR_OP_NEG: return -x;
    case LMR_OP_NOT: return x == 0;
    case LMR_OP_ABS: return fabs(x);
    case LMR_OP_FLOOR: return floor(x);
    case LMR_OP_CEIL: return ceil(x);
    case LMR_OP_ROUND: return round(x);
    case LMR_OP_TRUNC: return trunc(x);
    case LMR_OP_SQRT: return x > 0 ? sqrt(x) : 0;
    case LMR_OP_LN: return lmr_logarithm(x, lmr_p.ln, log);
    case LMR_OP_LOG2: return lmr_logarithm(x, lmr_p.log2, log2);
    default: return lmr_finite(exp(x));
    }
}

static double lmr_binary(int op, double x, double y) {
    switch (op) {
    case LMR_OP_ADD: return lmr_finite(x + y);
    case LMR_OP_SUB: return lmr_finite(x - y);
    case LMR_OP_MUL: return lmr_finite(x * y);
    case LMR_OP_DIV: return y == 0 ? 0 : lmr_finite(x / y);
    case LMR_OP_MOD: return y == 0 ? 0 : fmod(x, y);
    case LMR_OP_LT: return x < y;
    case LMR_OP_LE: return x <= y;
    case LMR_OP_GT: return x > y;
    case LMR_OP_GE: return x >= y;
    case LMR_OP_EQ: return x == y;
    case LMR_OP_NE: return x != y;
    case LMR_OP_MIN: return x < y ? x : y;
    case LMR_OP_MAX: return x > y ? x : y;
    case LMR_OP_POW: return lmr_power(x, y);
    default: return lmr_cell(x, y);
    }
}

static inline bool lmr_between(double x, double low, double high, bool negated) {
    return ((x >= low) & (x <= high)) != negated;
}

/* Runs code. It ends and stays inside its stack: jumps lead forward, and lmr_read_code has counted the stack. */
static double lmr_run(const lmr_op *o, uint64_t flags, const double *numbers) {
    double stack[LMR_MAX_STACK], *sp = stack, top = 0;
#define LMR_PUSH(value) (*sp++ = top, top = (value))
    for (;; ++o) {
        switch (o->op) {
        case LMR_OP_CONST: LMR_PUSH(o->c); break;
        case LMR_OP_NUMBER: LMR_PUSH(numbers[o->arg]); break;
        case LMR_OP_NEG_NUMBER: LMR_PUSH(-numbers[o->arg]); break;
        case LMR_OP_LN_NUMBER: LMR_PUSH(lmr_logarithm(numbers[o->arg], lmr_p.ln, log)); break;
        case LMR_OP_FLAG: LMR_PUSH((double)(int)(flags >> o->arg & 1)); break;
        case LMR_OP_NOT_FLAG: LMR_PUSH((double)(int)(~flags >> o->arg & 1)); break;
        case LMR_OP_TEST:
            LMR_PUSH(lmr_between(numbers[o->arg], o->c, o[1].c, o->to != 0));
            ++o;
            break;
        case LMR_OP_SELECT:
            LMR_PUSH(o[!(flags >> o->arg & 1)].c);
            ++o;
            break;
        case LMR_OP_ADD: --sp; top = lmr_finite(*sp + top); break;
        case LMR_OP_SUB: --sp; top = lmr_finite(*sp - top); break;
        case LMR_OP_MUL: --sp; top = lmr_finite(*sp * top); break;
        case LMR_OP_DIV: --sp; top = top == 0 ? 0 : lmr_finite(*sp / top); break;
        case LMR_OP_ADD_CONST: top = lmr_finite(top + o->c); break;
        case LMR_OP_MUL_CONST: top = lmr_finite(top * o->c); break;
        case LMR_OP_DIV_CONST: top = lmr_finite(top / o->c); break;
        case LMR_OP_MIN_CONST: top = top < o->c ? top : o->c; break;
        case LMR_OP_MAX_CONST: top = top > o->c ? top : o->c; break;
        case LMR_OP_LT_CONST: top = top < o->c; break;
        case LMR_OP_LE_CONST: top = top <= o->c; break;
        case LMR_OP_GT_CONST: top = top > o->c; break;
        case LMR_OP_GE_CONST: top = top >= o->c; break;
        case LMR_OP_DUP: *sp++ = top; break;
        case LMR_OP_DROP: top = *--sp; break;
        case LMR_OP_JUMP: o = &lmr_p.code[o->to] - 1; break;
        case LMR_OP_UNLESS: {
            double condition = top;
            top = *--sp;
            if (condition == 0) o = &lmr_p.code[o->to] - 1;
            break;
        }
        case LMR_OP_AND:
            if (top == 0) o = &lmr_p.code[o->to] - 1;
            else top = *--sp;
            break;
        case LMR_OP_OR:
            if (top != 0) o = &lmr_p.code[o->to] - 1;
            else top = *--sp;
            break;
        case LMR_OP_UNLESS_FLAG:
            if (!(flags >> o->arg & 1)) o = &lmr_p.code[o->to] - 1;
            break;
        case LMR_OP_IF_FLAG:
            if (flags >> o->arg & 1) o = &lmr_p.code[o->to] - 1;
            break;
        case LMR_OP_BELOW:
            if (top < o->c) o = &lmr_p.code[o->to] - 1;
            break;
        case LMR_OP_END: return top;
        default:
            if (o->op <= LMR_OP_TABLE) {
                --sp;
                top = lmr_binary(o->op, *sp, top);
            } else {
                top = lmr_unary(o->op, top);
            }
        }
    }
#undef LMR_PUSH
}

/* ---- The reduction of a move. ---- */

#define LMR_HAS(flags, name) (((flags) >> LMR_##name & 1) != 0)
#define LMR_SLOT(name) (LMR_##name - LMR_BOOLEANS)

/* The index of a number in a table; -1 when it has none. */
static inline int lmr_index(double x) { return x >= 0 && x < LMR_SIDE && x == (double)(int)x ? (int)x : -1; }

static inline double lmr_number(const lmr_value *v, uint64_t flags, const double *numbers) {
    if (v->form == LMR_CONSTANT) return v->c[0];
    if (v->form == LMR_OF_NUMBER) {
        double x = numbers[v->row], y = v->c[flags >> v->flags[0] & 1];
        if (v->negated) x = -x;
        return lmr_finite(v->operation == LMR_OP_DIV ? x / y : v->operation == LMR_OP_MUL ? x * y : x + y);
    }
    if (v->form == LMR_TABULATED) {
        int row = lmr_index(numbers[v->row]), column = v->columns > 1 ? lmr_index(numbers[v->column]) : 0, part = 0;
        if ((row | column) >= 0) {
            for (int i = 0; i < v->flag_count; ++i) part |= (int)(flags >> v->flags[i] & 1) << i;
            return lmr_p.tables[v->cells + (uint32_t)((part * LMR_SIDE + row) * v->columns + column)];
        }
    }
    return lmr_run(&lmr_p.code[v->code], flags, numbers);
}

static inline bool lmr_holds(const lmr_condition *c, uint64_t flags, const double *numbers) {
    if ((flags & c->mask) != c->want) return false;
    for (int i = 0; i < c->test_count; ++i) {
        const lmr_test *test = &c->tests[i];
        if (!lmr_between(numbers[test->slot], test->low, test->high, test->negated)) return false;
    }
    return !c->has_code || lmr_run(&lmr_p.code[c->code], flags, numbers) != 0;
}

static inline double lmr_apply(int effect, const lmr_value *amount, double x, uint64_t flags, const double *numbers) {
    if (effect == LMR_NOTHING) return x;
    double y = lmr_number(amount, flags, numbers);
    return effect == LMR_ADD ? lmr_finite(x + y) : effect == LMR_MUL ? lmr_finite(x * y) : y;
}

/* Applies a rule; false when it stops. */
static bool lmr_apply_rule(const lmr_rule *r, double *plies, uint64_t flags, double *numbers) {
    double x = *plies;
    numbers[LMR_SLOT(so_far)] = x;
    if (!lmr_holds(&r->when, flags, numbers)) {
        *plies = lmr_apply(r->else_effect, &r->else_amount, x, flags, numbers);
        return true;
    }
    x = lmr_apply(r->effect, &r->amount, x, flags, numbers);
    if (r->capped) {
        double cap = lmr_number(&r->cap, flags, numbers);
        x = x < cap ? x : cap;
    }
    *plies = x;
    return !r->stop;
}

/* What `reduce` and the rules make. */
static inline double lmr_raw(uint64_t flags, double *numbers) {
    double x = lmr_number(&lmr_p.reduce, flags, numbers);
    for (const lmr_step *s = lmr_p.steps, *end = s + lmr_p.step_count; s < end; ++s) {
        if (s->kind == LMR_BONUSES) {
            for (const lmr_bonus *b = lmr_p.bonuses + s->first, *last = lmr_p.bonuses + s->end; b < last; ++b)
                x += b->add[(flags & b->mask) == b->want];
        } else if (s->kind == LMR_TESTED) {
            for (const lmr_tested *t = lmr_p.tested + s->first, *last = lmr_p.tested + s->end; t < last; ++t) {
                bool between = lmr_between(numbers[t->test.slot], t->test.low, t->test.high, t->test.negated);
                x += t->bonus.add[((flags & t->bonus.mask) == t->bonus.want) & between];
            }
        } else if (!lmr_apply_rule(&lmr_p.rules[s->first], &x, flags, numbers)) {
            break;
        }
    }
    return x;
}

/* What does not depend on the move: `scale`, `round`, `min`, `max`. */
static inline int lmr_whole(double x) {
    const double most = LMR_MAX_PLIES;
    x *= lmr_p.scale;
    x = x < most ? x : most;
    x = x > -most ? x : -most;
    int plies = (int)x;
    double rest = x - (double)plies;
    if (lmr_p.round == LMR_FLOOR) plies -= rest < 0;
    else if (lmr_p.round == LMR_CEIL) plies += rest > 0;
    else if (lmr_p.round == LMR_NEAREST) plies += (rest >= 0.5) - (rest <= -0.5);
    if (plies < lmr_p.min) plies = lmr_p.min;
    return plies > lmr_p.max ? lmr_p.max : plies;
}

int lmr_reduction(lmr_move *m) {
    const uint64_t flags = m->flags;
    double *numbers = m->numbers;
    m->reduction = 0;
    m->late = !lmr_l.unreduced && lmr_shared.policy && lmr_holds(&lmr_p.when, flags, numbers);
    if (!m->late) return 0;
    int plies = lmr_whole(lmr_raw(flags, numbers));
    if (lmr_p.limits_nodes) {
        if (LMR_HAS(flags, root) && plies > lmr_p.max_at_root) plies = lmr_p.max_at_root;
        if (LMR_HAS(flags, pv) && plies > lmr_p.max_in_pv) plies = lmr_p.max_in_pv;
        if (LMR_HAS(flags, extended) && plies > lmr_p.max_if_extended) plies = lmr_p.max_if_extended;
    }
    if (plies > 0) {
        int room = lmr_int(numbers[LMR_SLOT(depth)]) - 1 - lmr_p.floor;
        if (LMR_HAS(flags, extended) && lmr_p.reads_extension) room += lmr_int(numbers[LMR_SLOT(extension)]);
        if (plies > room) plies = room > 0 ? room : 0;
    }
    if (LMR_HAS(flags, pv)) plies -= lmr_p.pv_bonus;
    return m->reduction = plies;
}

int lmr_depth_change(lmr_move *m, int score, int best_score) {
    if (!m->late || !lmr_shared.policy || lmr_l.unreduced) return 0;
    double *numbers = m->numbers, before = numbers[LMR_SLOT(best_score)];
    double factor = lmr_shared.factors[lmr_l.fills[LMR_best_score] ? LMR_SLOT(best_score) : LMR_SLOT(score)];
    numbers[LMR_SLOT(score)] = (double)score * lmr_shared.factors[LMR_SLOT(score)];
    numbers[LMR_SLOT(best_score)] = (double)best_score * factor;
    numbers[LMR_SLOT(reduction)] = (double)m->reduction;
    int change = (int)lmr_holds(&lmr_p.deeper, m->flags, numbers) - (int)lmr_holds(&lmr_p.shallower, m->flags, numbers);
    /* The trace has the facts at the time of the decision. */
    numbers[LMR_SLOT(best_score)] = before;
    return change;
}

bool lmr_policy(void) { return lmr_shared.policy; }
enum lmr_ladder lmr_ladder(void) { return (enum lmr_ladder)lmr_p.ladder; }
enum lmr_trigger lmr_trigger(void) { return (enum lmr_trigger)lmr_p.trigger; }
int lmr_ladder_above(void) { return lmr_p.above; }
int lmr_ladder_reduction(void) { return lmr_p.reduction; }
bool lmr_updates_history(void) { return lmr_p.updates_history; }
int lmr_threat_feedback(void) { return lmr_p.threat_feedback; }

/* ---- Words and messages. ---- */

/* Keeps the first error. Always false. */
static bool lmr_fail(const char *format, ...) {
    if (!*lmr_l.error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(lmr_l.error, sizeof lmr_l.error, format, arguments);
        va_end(arguments);
    }
    return false;
}

/* A line of a text that may hold anything. */
static void lmr_put(FILE *file, const char *text) {
    for (; *text; ++text) putc((unsigned char)*text < ' ' ? '?' : *text, file);
}

static void lmr_say(const char *what, const char *text) {
    fputs("info string lmrlab-host ", stdout);
    fputs(what, stdout);
    lmr_put(stdout, text);
    putchar('\n');
    fflush(stdout);
}

/* Copies a text into `size` bytes; false when it does not fit. */
static bool lmr_copy(char *to, size_t size, const char *text, size_t length) {
    bool fits = length < size;
    if (!fits) length = size - 1;
    memcpy(to, text, length);
    to[length] = 0;
    return fits;
}

static bool lmr_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool lmr_is_digit(char c) { return c >= '0' && c <= '9'; }

/* The name of a fact or a parameter: letters, digits and `_`, no digit first. */
static bool lmr_is_identifier(const char *word) {
    if (!lmr_is_letter(*word) || strlen(word) > LMR_MAX_NAME) return false;
    while (lmr_is_letter(*word) || lmr_is_digit(*word)) ++word;
    return !*word;
}

/* The name of a parameter, or of an element of a list: `w[2]`. */
static bool lmr_is_parameter(const char *word) {
    if (!lmr_is_letter(*word) || strlen(word) > LMR_MAX_NAME) return false;
    while (lmr_is_letter(*word) || lmr_is_digit(*word)) ++word;
    if (*word == '[' && lmr_is_digit(*++word)) {
        while (lmr_is_digit(*word)) ++word;
        return word[0] == ']' && !word[1];
    }
    return !*word;
}

/* The name of a policy or a rule: letters, digits, `_`, `-` and `.`, a letter or a digit first. */
static bool lmr_is_title(const char *word) {
    if (!(lmr_is_letter(*word) || lmr_is_digit(*word)) || *word == '_' || strlen(word) > LMR_MAX_NAME) return false;
    while (lmr_is_letter(*word) || lmr_is_digit(*word) || *word == '-' || *word == '.') ++word;
    return !*word;
}

/* A number, exact on every machine: strtod depends on the locale. Digits of at most 2^53, and a power of ten of at most
 * 22 that multiplies or divides them: one operation on two exact numbers. False when the word is no such number. */
static bool lmr_parse(const char *word, double *value) {
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
        1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const uint64_t most = (uint64_t)1 << 53;
    uint64_t digits = 0;
    int power = 0, zeros = 0, count = 0;
    bool negative = false, point = false;
    if (word[0] == '0' && word[1] == 'x') {
        for (word += 2; *word; ++word, ++count) {
            int digit = lmr_is_digit(*word)    ? *word - '0'
                : *word >= 'a' && *word <= 'f' ? *word - 'a' + 10
                : *word >= 'A' && *word <= 'F' ? *word - 'A' + 10
                                               : -1;
            if (digit < 0 || count == 16) return false;
            digits = digits << 4 | (uint64_t)digit;
        }
        if (count != 16) return false;
        memcpy(value, &digits, sizeof *value);
        /* NaN fails both comparisons. */
        return *value >= -DBL_MAX && *value <= DBL_MAX;
    }
    if (*word == '-') {
        negative = true;
        ++word;
    }
    for (; lmr_is_digit(*word) || (*word == '.' && !point && count); ++word) {
        if (*word == '.') {
            point = true;
            if (!lmr_is_digit(word[1])) return false;
            continue;
        }
        ++count;
        if (point) --power;
        /* Zeros at the end belong to the power. */
        if (*word == '0') {
            ++zeros;
            continue;
        }
        if (digits) {
            for (; zeros >= 0; --zeros) {
                if (digits > most / 10) return false;
                digits *= 10;
            }
        }
        zeros = 0;
        digits += (uint64_t)(*word - '0');
        if (digits > most) return false;
    }
    if (!count) return false;
    power += zeros;
    if (*word == 'e' || *word == 'E') {
        int exponent = 0;
        ++word;
        bool minus = *word == '-';
        if (*word == '-' || *word == '+') ++word;
        if (!lmr_is_digit(*word)) return false;
        for (; lmr_is_digit(*word); ++word) exponent = exponent < 1000 ? 10 * exponent + (*word - '0') : exponent;
        power += minus ? -exponent : exponent;
    }
    if (*word) return false;
    if (!digits) {
        *value = 0;
        return true;
    }
    if (power > 22 || power < -22) return false;
    double exact = (double)digits;
    exact = power < 0 ? exact / powers[-power] : exact * powers[power];
    *value = negative ? -exact : exact;
    return true;
}

/* How many letters to change, put in or take out. */
static int lmr_distance(const char *one, const char *two) {
    int row[LMR_MAX_NAME + 2], length = (int)strlen(two);
    if (length > LMR_MAX_NAME) return LMR_NO_LIMIT;
    for (int i = 0; i <= length; ++i) row[i] = i;
    for (; *one; ++one) {
        int corner = row[0]++;
        for (int i = 1; i <= length; ++i) {
            int best = corner + (*one != two[i - 1]);
            if (row[i] + 1 < best) best = row[i] + 1;
            if (row[i - 1] + 1 < best) best = row[i - 1] + 1;
            corner = row[i];
            row[i] = best;
        }
    }
    return row[length];
}

/* `; do you mean NAME?` for the nearest of some names, or nothing. */
typedef struct lmr_advice {
    char text[LMR_MAX_NAME + 32];
    int distance;
} lmr_advice;

static void lmr_consider(lmr_advice *advice, const char *word, const char *name) {
    int distance = lmr_distance(word, name);
    if (distance >= advice->distance || distance > 1 + (int)strlen(word) / 3) return;
    advice->distance = distance;
    snprintf(advice->text, sizeof advice->text, "; do you mean `%s`?", name);
}

static void lmr_no_advice(lmr_advice *advice) {
    advice->text[0] = 0;
    advice->distance = LMR_NO_LIMIT;
}

static int lmr_find(const char *word, const char *const *words, int count) {
    for (int i = 0; i < count; ++i)
        if (!strcmp(words[i], word)) return i;
    return -1;
}
#define LMR_FIND(word, words) lmr_find(word, words, (int)(sizeof(words) / sizeof *(words)))

/* A fact as a number from 0 to LMR_IDS - 1: the catalogue, the engine's own flags, its own numbers. */
static bool lmr_id_is_flag(int id) { return id < LMR_BOOLEANS || (id >= LMR_FACTS && id < LMR_FACTS + LMR_OWN); }
static int lmr_id_bit(int id) { return id < LMR_BOOLEANS ? id : LMR_BOOLEANS + id - LMR_FACTS; }
static int lmr_id_slot(int id) { return id < LMR_FACTS ? id - LMR_BOOLEANS : LMR_NUMBERS + id - LMR_FACTS - LMR_OWN; }
static int lmr_bit_id(int bit) { return bit < LMR_BOOLEANS ? bit : LMR_FACTS + bit - LMR_BOOLEANS; }
static int lmr_slot_id(int slot) {
    return slot < LMR_NUMBERS ? LMR_BOOLEANS + slot : LMR_FACTS + LMR_OWN + slot - LMR_NUMBERS;
}
static const char *lmr_id_name(int id) { return id < LMR_FACTS ? lmr_names[id] : lmr_l.own[id - LMR_FACTS]; }

/* The facts that the header gives itself. */
static bool lmr_is_given(int id) { return id == LMR_so_far || id == LMR_score || id == LMR_reduction; }

/* ---- Reading a policy. ---- */

static struct {
    FILE *file;
    int next; /* the byte that comes next; EOF at the end */
    long line, bytes;
    bool inside; /* whether a word of the line has been read */
    char word[LMR_WORD];
} lmr_r;

/* An error in the line that is being read. */
static bool lmr_wrong(const char *format, const char *what) {
    char text[400];
    snprintf(text, sizeof text, format, what);
    return lmr_fail("%.300s, line %ld: %s", lmr_l.path, lmr_r.line, text);
}

static void lmr_advance(void) {
    lmr_r.next = getc(lmr_r.file);
    ++lmr_r.bytes;
}

/* Reads the next word of the line. False at its end, and when something is wrong. */
static bool lmr_word(void) {
    size_t length = 0;
    if (*lmr_l.error) return false;
    if (lmr_r.inside) {
        if (lmr_r.next == '\r' || lmr_r.next == '\n') return false;
        if (lmr_r.next != ' ') return lmr_wrong("%s", "the file ends in the middle of a line");
        lmr_advance();
    }
    lmr_r.inside = true;
    while (lmr_r.next > ' ' && lmr_r.next < 127) {
        if (length + 1 >= sizeof lmr_r.word) return lmr_wrong("the word `%s..` is too long", lmr_r.word);
        lmr_r.word[length++] = (char)lmr_r.next;
        lmr_r.word[length] = 0;
        lmr_advance();
    }
    if (lmr_r.bytes > LMR_MAX_LINE) return lmr_wrong("%s", "a line may have at most 1 MiB");
    if (lmr_r.next != ' ' && lmr_r.next != '\r' && lmr_r.next != '\n' && lmr_r.next != EOF)
        return lmr_wrong("%s", "only ASCII text is allowed");
    if (!length)
        return lmr_wrong("%s",
            lmr_r.next == EOF ? "the file ends before the line `end`" : "exactly one space must stand between words");
    return true;
}

/* Goes to the next line and reads its first word, its key. */
static bool lmr_next_line(void) {
    if (*lmr_l.error) return false;
    if (lmr_word()) return lmr_wrong("the line should end before `%s`", lmr_r.word);
    if (*lmr_l.error) return false;
    if (lmr_r.next == '\r') lmr_advance();
    if (lmr_r.next != '\n') return lmr_wrong("%s", "only ASCII text is allowed");
    lmr_advance();
    ++lmr_r.line;
    lmr_r.bytes = 0;
    lmr_r.inside = false;
    return lmr_word();
}

/* Whether the key of the line is this one. */
static bool lmr_at(const char *key) { return !*lmr_l.error && !strcmp(lmr_r.word, key); }

/* Reads a word that must be there. */
static bool lmr_need(const char *what) {
    if (lmr_word()) return true;
    return *lmr_l.error ? false : lmr_wrong("%s is missing", what);
}

static bool lmr_need_number(const char *what, double *value) {
    if (!lmr_need(what)) return false;
    return lmr_parse(lmr_r.word, value)
        || lmr_wrong(
            "`%s` is no number that every machine reads alike: write `0x` and the 16 digits of its bits", lmr_r.word);
}

/* Reads `key=value` and leaves the value in the word. */
static bool lmr_need_key(const char *key) {
    size_t length = strlen(key);
    if (!lmr_need(key)) return false;
    if (strncmp(lmr_r.word, key, length) || lmr_r.word[length] != '=') return lmr_wrong("`%s=` is missing here", key);
    memmove(lmr_r.word, lmr_r.word + length + 1, strlen(lmr_r.word + length + 1) + 1);
    return true;
}

static bool lmr_need_int(const char *key, int low, int high, bool may_be_none, int none, int *value) {
    double number;
    if (!lmr_need_key(key)) return false;
    if (may_be_none && !strcmp(lmr_r.word, "none")) {
        *value = none;
        return true;
    }
    if (!lmr_parse(lmr_r.word, &number) || number < low || number > high || number != (double)lmr_int(number)) {
        char text[120];
        snprintf(text, sizeof text, "`%s` must be a whole number from %d to %d%s", key, low, high,
            may_be_none ? ", or `none`" : "");
        return lmr_wrong("%s", text);
    }
    *value = (int)number;
    return true;
}

static bool lmr_need_choice(const char *key, const char *const *words, int count, int *value) {
    if (!lmr_need_key(key)) return false;
    *value = lmr_find(lmr_r.word, words, count);
    return *value >= 0 || lmr_wrong("this header knows no `%s`: it is too old for the policy", lmr_r.word);
}

/* The fact with this name; -1 when there is none. `missing` says that the engine has no such fact of its own. */
static int lmr_fact_named(const char *word, int *missing, bool *flag) {
    int id = LMR_FIND(word, lmr_names);
    *missing = -1;
    if (id >= 0) {
        *flag = lmr_id_is_flag(id);
        return id;
    }
    for (int i = 0; i < lmr_p.own_count; ++i) {
        if (strcmp(lmr_p.own[i].name, word)) continue;
        if (lmr_p.own[i].id < 0) *missing = i;
        *flag = lmr_p.own[i].flag;
        return lmr_p.own[i].id < 0 ? 0 : lmr_p.own[i].id;
    }
    return -1;
}

/* What one part of a policy reads. */
typedef struct lmr_reads {
    uint64_t flags, slots;
    bool own[2 * LMR_OWN];
} lmr_reads;

/* For each word of the code that is being read: the height of the stack that jumps to it agree on, plus 1; how many
 * jumps lead to it; where its operation is. */
static struct {
    uint16_t height, jumps;
    uint32_t place;
} lmr_marks[LMR_MAX_WORDS + 2];

/* Where a fact may be read. */
enum lmr_place { LMR_IN_POLICY, LMR_IN_RULES, LMR_IN_RESEARCH };

/* Reads one word of code into an operation. `pops` and `pushes` say what it does to the stack. */
static bool lmr_read_word(lmr_op *o, enum lmr_place place, int *pops, int *pushes) {
    const char *word = lmr_r.word;
    int id, missing;
    bool flag;
    *pops = 0;
    *pushes = 1;
    o->arg = 0;
    o->to = 0;
    o->c = 0;
    if (lmr_is_digit(*word) || (*word == '-' && word[1])) {
        o->op = LMR_OP_CONST;
        return lmr_parse(word, &o->c)
            || lmr_wrong(
                "`%s` is no number that every machine reads alike: write `0x` and the 16 digits of its bits", word);
    }
    if (*word == '@') {
        o->op = LMR_OP_CONST;
        for (int i = 0; i < lmr_p.parameter_count; ++i) {
            if (strcmp(lmr_p.parameters[i].name, word + 1)) continue;
            o->c = lmr_p.parameters[i].value;
            return true;
        }
        return lmr_wrong("no line `param` declares `%s`", word + 1);
    }
    if ((*word == '?' || *word == ':' || *word == '&' || *word == '|') && lmr_is_digit(word[1])) {
        uint32_t words = 0;
        const char *digit = word + 1;
        for (; lmr_is_digit(*digit); ++digit)
            words = words <= LMR_MAX_WORDS ? 10 * words + (uint32_t)(*digit - '0') : words;
        if (*digit || words > LMR_MAX_WORDS) return lmr_wrong("`%s` is no jump inside its line", word);
        o->op = (uint16_t)(*word == '?' ? LMR_OP_UNLESS
                : *word == ':'          ? LMR_OP_JUMP
                : *word == '&'          ? LMR_OP_AND
                                        : LMR_OP_OR);
        o->to = words;
        *pops = *word == ':' ? 0 : 1;
        *pushes = 0;
        return true;
    }
    id = lmr_fact_named(word, &missing, &flag);
    if (id >= 0) {
        if (id == LMR_so_far && missing < 0 && place != LMR_IN_RULES)
            return lmr_wrong("%s", "only rules may read `so_far`");
        if ((id == LMR_score || id == LMR_reduction) && missing < 0 && place != LMR_IN_RESEARCH)
            return lmr_wrong("only `deeper` and `shallower` may read `%s`", word);
        o->op = (uint16_t)(missing >= 0 ? LMR_OP_MISSING : flag ? LMR_OP_FLAG : LMR_OP_NUMBER);
        o->arg = (uint16_t)(missing >= 0 ? missing : flag ? lmr_id_bit(id) : lmr_id_slot(id));
        return true;
    }
    id = LMR_FIND(word, lmr_words);
    if (id < 0)
        return lmr_wrong(
            "this header knows no fact and no function `%s`: it is too old for the policy, or the line is damaged",
            word);
    o->op = (uint16_t)id;
    *pops = id <= LMR_OP_TABLE ? 2 : 1;
    *pushes = id == LMR_OP_DROP ? 0 : id == LMR_OP_DUP ? 2 : 1;
    if (id == LMR_OP_LN && !lmr_p.has_ln) return lmr_wrong("%s", "the line `ln` is missing");
    if (id == LMR_OP_LOG2 && !lmr_p.has_log2) return lmr_wrong("%s", "the line `log2` is missing");
    if (id == LMR_OP_TABLE && !lmr_p.rows) return lmr_wrong("%s", "the lines `columns` and `row` are missing");
    return true;
}

/* Reads the words of a line to lmr_p.code[used], one operation a word, and verifies them; `count` says how many. */
static bool lmr_read_words(enum lmr_place place, uint32_t *count) {
    uint32_t n = 0, farthest = 0;
    int height = 0, pops, pushes;
    bool reachable = true;
    for (; lmr_word(); ++n) {
        lmr_op *o = &lmr_p.code[lmr_p.used + n];
        int expected = lmr_marks[n].height - 1;
        if (++lmr_p.words > LMR_MAX_WORDS) return lmr_wrong("%s", "a policy may have at most 16384 words of code");
        if (!reachable && expected < 0) return lmr_wrong("no way leads to `%s`", lmr_r.word);
        if (reachable && expected >= 0 && height != expected)
            return lmr_wrong("two ways lead to `%s` with different stacks", lmr_r.word);
        if (expected >= 0) height = expected;
        reachable = true;
        if (!lmr_read_word(o, place, &pops, &pushes)) return false;
        if (height < pops) return lmr_wrong("`%s` finds too little on the stack", lmr_r.word);
        if (o->op >= LMR_OP_JUMP && o->op <= LMR_OP_OR) {
            uint32_t target = n + 1 + o->to;
            int there = o->op == LMR_OP_UNLESS ? height - 1 : height;
            if (target > LMR_MAX_WORDS) return lmr_wrong("`%s` leads out of its line", lmr_r.word);
            if (lmr_marks[target].height && lmr_marks[target].height != there + 1)
                return lmr_wrong("`%s` leads to where another way leads with a different stack", lmr_r.word);
            lmr_marks[target].height = (uint16_t)(there + 1);
            o->to = target;
            if (target > farthest) farthest = target;
            reachable = o->op != LMR_OP_JUMP;
        }
        height += pushes - pops;
        if (height > LMR_MAX_STACK) return lmr_wrong("%s", "an expression may need at most 128 stack slots");
    }
    if (*lmr_l.error) return false;
    if (!n) return lmr_wrong("%s", "the expression is missing");
    if (farthest > n) return lmr_wrong("%s", "a jump leads out of its line");
    if (farthest == n) {
        if (reachable && height != lmr_marks[n].height - 1)
            return lmr_wrong("%s", "two ways lead to the end of the line with different stacks");
        height = lmr_marks[n].height - 1;
    }
    if (height != 1) return lmr_wrong("%s", "an expression must leave one value");
    *count = n;
    return true;
}

static bool lmr_is_jump(int op) {
    return (op >= LMR_OP_JUMP && op <= LMR_OP_OR) || op == LMR_OP_UNLESS_FLAG || op == LMR_OP_IF_FLAG
        || op == LMR_OP_BELOW;
}

/* Turns [number][constant] before a comparison into a test, in place. */
static void lmr_make_test(lmr_op *number, int comparison) {
    double c = number[1].c;
    bool below = comparison == LMR_OP_LE || comparison == LMR_OP_GT,
         above = comparison == LMR_OP_GE || comparison == LMR_OP_LT;
    number[0].op = LMR_OP_TEST;
    number[0].c = below ? -HUGE_VAL : c;
    number[0].to = comparison == LMR_OP_GT || comparison == LMR_OP_LT || comparison == LMR_OP_NE;
    number[1].op = LMR_OP_SECOND;
    number[1].c = above ? HUGE_VAL : c;
}

/* The operation with a constant as its right operand; LMR_OP_END when there is none. */
static int lmr_with_constant(int op, double c) {
    switch (op) {
    case LMR_OP_ADD: case LMR_OP_SUB: return LMR_OP_ADD_CONST;
    case LMR_OP_MUL: return LMR_OP_MUL_CONST;
    case LMR_OP_DIV: return c == 0 ? LMR_OP_END : LMR_OP_DIV_CONST;
    case LMR_OP_MIN: return LMR_OP_MIN_CONST;
    case LMR_OP_MAX: return LMR_OP_MAX_CONST;
    case LMR_OP_LT: return LMR_OP_LT_CONST;
    case LMR_OP_LE: return LMR_OP_LE_CONST;
    case LMR_OP_GT: return LMR_OP_GT_CONST;
    case LMR_OP_GE: return LMR_OP_GE_CONST;
    default: return LMR_OP_END;
    }
}

/* Folds constants, leaves out what is never reached, and fuses operations, from `start` on and in place. Nothing before
 * `barrier` is changed: a jump leads to it. Values stay the same to the bit. */
static void lmr_optimise(uint32_t start, uint32_t count) {
    lmr_op *code = lmr_p.code;
    uint32_t out = start, barrier = start, barrier_before = start;
    bool live = true;
    for (uint32_t i = 0; i <= count; ++i) {
        lmr_op in = code[start + (i < count ? i : count - 1)];
        /* if(flag, constant, constant) */
        if (live && lmr_marks[i].jumps == 1 && out >= barrier_before + 4 && barrier == out - 1
            && code[out - 1].op == LMR_OP_CONST && code[out - 2].op == LMR_OP_JUMP && code[out - 2].to == i
            && code[out - 3].op == LMR_OP_CONST
            && (code[out - 4].op == LMR_OP_UNLESS_FLAG || code[out - 4].op == LMR_OP_IF_FLAG)
            && lmr_marks[code[out - 4].to].place == out - 1 && lmr_marks[code[out - 4].to].jumps == 1) {
            lmr_op *choice = &code[out - 4];
            double set = choice[1].c, unset = choice[3].c;
            bool swap = choice->op == LMR_OP_IF_FLAG;
            choice[0].op = LMR_OP_SELECT;
            choice[0].c = swap ? unset : set;
            choice[1].op = LMR_OP_SECOND;
            choice[1].c = swap ? set : unset;
            out -= 2;
            barrier = barrier_before;
            lmr_marks[i].jumps = 0;
        }
        /* A jump over nothing. */
        while (!live && lmr_marks[i].jumps && out > start && code[out - 1].op == LMR_OP_JUMP && code[out - 1].to == i) {
            --out;
            if (barrier > out) barrier = out;
            --lmr_marks[i].jumps;
            live = true;
        }
        lmr_marks[i].place = out;
        if (lmr_marks[i].jumps) {
            if (barrier != out) barrier_before = barrier;
            barrier = out;
            live = true;
        }
        if (i == count || !live) continue;
        lmr_op *one = out >= barrier + 1 ? &code[out - 1] : NULL, *two = out >= barrier + 2 ? &code[out - 2] : NULL;
        bool constant = one && one->op == LMR_OP_CONST, constants = constant && two && two->op == LMR_OP_CONST;
        if (in.op <= LMR_OP_TABLE) {
            int fused = constant ? lmr_with_constant(in.op, one->c) : LMR_OP_END;
            if (constants) {
                two->c = lmr_binary(in.op, two->c, one->c);
                --out;
            } else if (constant && two && two->op == LMR_OP_NUMBER && in.op >= LMR_OP_LT && in.op <= LMR_OP_NE) {
                lmr_make_test(two, in.op);
            } else if (fused != LMR_OP_END) {
                if (in.op == LMR_OP_SUB) one->c = -one->c;
                one->op = (uint16_t)fused;
            } else if ((in.op == LMR_OP_ADD || in.op == LMR_OP_MUL) && two && two->op == LMR_OP_CONST
                && (one->op == LMR_OP_NUMBER || one->op == LMR_OP_LN_NUMBER || one->op == LMR_OP_FLAG)) {
                lmr_op operand = *one;
                *one = *two;
                *two = operand;
                one->op = (uint16_t)(in.op == LMR_OP_ADD ? LMR_OP_ADD_CONST : LMR_OP_MUL_CONST);
            } else {
                code[out++] = in;
            }
            continue;
        }
        if (in.op >= LMR_OP_NEG && in.op < LMR_OP_CONST) {
            if (constant) one->c = lmr_unary(in.op, one->c);
            else if (one && one->op == LMR_OP_NUMBER && in.op == LMR_OP_LN) one->op = LMR_OP_LN_NUMBER;
            else if (one && one->op == LMR_OP_NUMBER && in.op == LMR_OP_NEG) one->op = LMR_OP_NEG_NUMBER;
            else if (one && one->op == LMR_OP_FLAG && in.op == LMR_OP_NOT) one->op = LMR_OP_NOT_FLAG;
            else if (one && one->op == LMR_OP_NOT_FLAG && in.op == LMR_OP_NOT) one->op = LMR_OP_FLAG;
            else if (two && two->op == LMR_OP_TEST && in.op == LMR_OP_NOT) two->to = !two->to;
            else code[out++] = in;
            continue;
        }
        switch (in.op) {
        case LMR_OP_DUP:
            if (constant) in = *one;
            code[out++] = in;
            break;
        case LMR_OP_DROP:
            if (one && (one->op == LMR_OP_CONST || one->op == LMR_OP_NUMBER || one->op == LMR_OP_FLAG)) --out;
            else code[out++] = in;
            break;
        case LMR_OP_UNLESS:
            if (constant) {
                bool holds = one->c != 0;
                --out;
                if (holds) break;
                in.op = LMR_OP_JUMP;
                code[out++] = in;
                live = false;
            } else if (one && (one->op == LMR_OP_FLAG || one->op == LMR_OP_NOT_FLAG)) {
                one->op = (uint16_t)(one->op == LMR_OP_FLAG ? LMR_OP_UNLESS_FLAG : LMR_OP_IF_FLAG);
                one->to = in.to;
            } else if (one && one->op == LMR_OP_GE_CONST && two && two->op == LMR_OP_DUP) {
                two->op = LMR_OP_BELOW;
                two->c = one->c;
                two->to = in.to;
                --out;
            } else {
                code[out++] = in;
            }
            ++lmr_marks[in.to].jumps;
            break;
        case LMR_OP_AND: case LMR_OP_OR:
            if (constant && (one->c != 0) == (in.op == LMR_OP_AND)) {
                --out;
                break;
            }
            if (constant) {
                in.op = LMR_OP_JUMP;
                live = false;
            }
            code[out++] = in;
            ++lmr_marks[in.to].jumps;
            break;
        case LMR_OP_JUMP:
            code[out++] = in;
            ++lmr_marks[in.to].jumps;
            live = false;
            break;
        default: code[out++] = in;
        }
    }
    for (uint32_t k = start; k < out; ++k)
        if (lmr_is_jump(code[k].op)) code[k].to = lmr_marks[code[k].to].place;
    code[out].op = LMR_OP_END;
    lmr_p.used = out + 1;
    memset(lmr_marks, 0, (count + 1) * sizeof *lmr_marks);
}

/* Adds the facts that code reads. */
static void lmr_note_reads(uint32_t start, lmr_reads *reads) {
    for (uint32_t k = start; k < lmr_p.used; ++k) {
        const lmr_op *o = &lmr_p.code[k];
        switch (o->op) {
        case LMR_OP_NUMBER: case LMR_OP_NEG_NUMBER: case LMR_OP_LN_NUMBER: case LMR_OP_TEST:
            reads->slots |= (uint64_t)1 << o->arg;
            break;
        case LMR_OP_FLAG: case LMR_OP_NOT_FLAG: case LMR_OP_UNLESS_FLAG: case LMR_OP_IF_FLAG: case LMR_OP_SELECT:
            reads->flags |= (uint64_t)1 << o->arg;
            break;
        case LMR_OP_MISSING: reads->own[o->arg] = true; break;
        default: break;
        }
    }
}

/* Reads the code of a line. */
static bool lmr_read_code(enum lmr_place place, uint32_t *start, lmr_reads *reads) {
    uint32_t count = 0;
    *start = lmr_p.used;
    if (!lmr_read_words(place, &count)) return false;
    lmr_optimise(*start, count);
    lmr_note_reads(*start, reads);
    return true;
}

/* Small whole numbers, for which tables pay. */
static bool lmr_counts(int slot) {
    return slot == LMR_SLOT(depth) || slot == LMR_SLOT(ply) || slot == LMR_SLOT(moves_searched)
        || slot == LMR_SLOT(move_number) || slot == LMR_SLOT(quiet_number) || slot == LMR_SLOT(legal_moves);
}

/* Makes a table of code that reads one or two counting facts and few flags. */
static void lmr_tabulate(lmr_value *value, const lmr_reads *reads) {
    int slots[2] = { 0, 0 }, count = 0, flag_count = 0;
    uint32_t length = lmr_p.used - value->code;
    for (int slot = 0; slot < LMR_SLOTS; ++slot) {
        if (!(reads->slots >> slot & 1)) continue;
        if (count == 2 || !lmr_counts(slot)) return;
        slots[count++] = slot;
    }
    for (int bit = 0; bit < LMR_BOOLEANS + LMR_OWN; ++bit) {
        if (!(reads->flags >> bit & 1)) continue;
        if (flag_count == LMR_TABLE_FLAGS) return;
        value->flags[flag_count++] = (uint8_t)bit;
    }
    value->columns = (uint8_t)(count > 1 ? LMR_SIDE : 1);
    uint32_t size = (uint32_t)LMR_SIDE * value->columns << flag_count;
    if (length < 4 || !count || size > LMR_TABLE_NUMBERS - lmr_p.tabulated
        || length > (LMR_TABLE_WORK - lmr_p.work) / size)
        return;
    double numbers[LMR_SLOTS];
    memset(numbers, 0, sizeof numbers);
    value->row = (uint8_t)slots[0];
    value->column = (uint8_t)slots[1];
    value->flag_count = (uint8_t)flag_count;
    value->cells = lmr_p.tabulated;
    for (uint32_t k = 0; k < size; ++k) {
        uint32_t part = k / ((uint32_t)LMR_SIDE * value->columns);
        uint64_t flags = 0;
        for (int i = 0; i < flag_count; ++i) flags |= (uint64_t)(part >> i & 1) << value->flags[i];
        numbers[value->row] = (double)(k / value->columns % LMR_SIDE);
        if (count == 2) numbers[value->column] = (double)(k % value->columns);
        lmr_p.tables[value->cells + k] = lmr_run(&lmr_p.code[value->code], flags, numbers);
    }
    lmr_p.tabulated += size;
    lmr_p.work += size * length;
    value->form = LMR_TABULATED;
}

/* Recognises a number with one operation on constants, which may depend on a flag. */
static bool lmr_is_of_number(lmr_value *value) {
    const lmr_op *o = &lmr_p.code[value->code];
    bool select = o[1].op == LMR_OP_SELECT;
    int operation = o[select ? 3 : 1].op;
    if ((o[0].op != LMR_OP_NUMBER && o[0].op != LMR_OP_NEG_NUMBER) || o[select ? 4 : 2].op != LMR_OP_END) return false;
    if (select ? operation != LMR_OP_DIV && operation != LMR_OP_MUL && operation != LMR_OP_ADD
               : operation != LMR_OP_DIV_CONST && operation != LMR_OP_MUL_CONST && operation != LMR_OP_ADD_CONST)
        return false;
    value->c[0] = select ? o[2].c : o[1].c;
    value->c[1] = o[1].c;
    if (operation == LMR_OP_DIV && (value->c[0] == 0 || value->c[1] == 0)) return false;
    value->operation = (uint8_t)(select     ? operation
            : operation == LMR_OP_DIV_CONST ? LMR_OP_DIV
            : operation == LMR_OP_MUL_CONST ? LMR_OP_MUL
                                            : LMR_OP_ADD);
    value->flags[0] = (uint8_t)(select ? o[1].arg : 0);
    value->row = (uint8_t)o[0].arg;
    value->negated = o[0].op == LMR_OP_NEG_NUMBER;
    value->form = LMR_OF_NUMBER;
    return true;
}

/* Reads the code of a line as a number. */
static bool lmr_read_number(enum lmr_place place, lmr_value *value, lmr_reads *reads) {
    lmr_reads read;
    memset(&read, 0, sizeof read);
    memset(value, 0, sizeof *value);
    if (!lmr_read_code(place, &value->code, &read)) return false;
    value->form = LMR_BY_CODE;
    if (lmr_p.code[value->code].op == LMR_OP_CONST && lmr_p.code[value->code + 1].op == LMR_OP_END) {
        value->form = LMR_CONSTANT;
        value->c[0] = lmr_p.code[value->code].c;
    } else if (!lmr_is_of_number(value)) {
        bool missing = false;
        for (int i = 0; i < 2 * LMR_OWN; ++i) missing |= read.own[i];
        if (!missing) lmr_tabulate(value, &read);
    }
    reads->flags |= read.flags;
    reads->slots |= read.slots;
    for (int i = 0; i < 2 * LMR_OWN; ++i) reads->own[i] |= read.own[i];
    return true;
}

/* Reads the code of a line as the part of a condition that is not a conjunction of flags. */
static bool lmr_read_when(enum lmr_place place, lmr_condition *condition, lmr_reads *reads) {
    uint32_t at, end;
    if (!lmr_read_code(place, &at, reads)) return false;
    end = lmr_p.used - 1;
    /* Tests at the beginning of a conjunction need no code. */
    while (condition->test_count < 2 && lmr_p.code[at].op == LMR_OP_TEST) {
        const lmr_op *o = &lmr_p.code[at];
        bool last = o[2].op == LMR_OP_END;
        if (!last && !(o[2].op == LMR_OP_AND && o[2].to == end)) break;
        lmr_test *test = &condition->tests[condition->test_count++];
        test->low = o[0].c;
        test->high = o[1].c;
        test->slot = o[0].arg;
        test->negated = o[0].to != 0;
        at += last ? 2 : 3;
    }
    if (lmr_p.code[at].op == LMR_OP_CONST && lmr_p.code[at + 1].op == LMR_OP_END) {
        if (lmr_p.code[at].c == 0) condition->never = true;
    } else if (at < end) {
        condition->has_code = true;
        condition->code = at;
    }
    return true;
}

/* Reads the lines `flags` and `when`, if they are there, and goes to the line after them. */
static bool lmr_read_condition(enum lmr_place place, lmr_condition *condition, lmr_reads *reads) {
    memset(condition, 0, sizeof *condition);
    if (lmr_at("flags")) {
        if (!lmr_need("a flag")) return false;
        do {
            int missing, id;
            bool flag;
            if (*lmr_r.word != '+' && *lmr_r.word != '-')
                return lmr_wrong("`%s` should begin with `+` or `-`", lmr_r.word);
            id = lmr_fact_named(lmr_r.word + 1, &missing, &flag);
            if (id < 0 || !flag)
                return lmr_wrong("this header knows no flag `%s`: it is too old for the policy, or the line is damaged",
                    lmr_r.word + 1);
            if (missing >= 0) {
                reads->own[missing] = true;
                continue;
            }
            uint64_t bit = (uint64_t)1 << lmr_id_bit(id);
            if (condition->mask & bit) return lmr_wrong("`%s` is there twice", lmr_r.word + 1);
            condition->mask |= bit;
            if (*lmr_r.word == '+') condition->want |= bit;
        } while (lmr_word());
        reads->flags |= condition->mask;
        if (!lmr_next_line()) return false;
    }
    if (lmr_at("when")) {
        if (!lmr_read_when(place, condition, reads)) return false;
        if (!lmr_next_line()) return false;
    }
    condition->always = !condition->mask && !condition->test_count && !condition->has_code && !condition->never;
    if (condition->never) {
        condition->mask = 0;
        condition->want = 1;
    }
    return !*lmr_l.error;
}

/* What a part of the policy that is in force reads must be filled. */
static void lmr_want(const lmr_reads *reads) {
    lmr_p.flags_read |= reads->flags;
    lmr_p.slots_read |= reads->slots;
    for (int i = 0; i < lmr_p.own_count; ++i)
        if (reads->own[i]) lmr_p.own[i].missed = true;
}

static void lmr_want_fact(int id) {
    if (lmr_id_is_flag(id)) lmr_p.flags_read |= (uint64_t)1 << lmr_id_bit(id);
    else lmr_p.slots_read |= (uint64_t)1 << lmr_id_slot(id);
}

/* Copies a word without the spaces around it. */
static bool lmr_trim(char *to, const char *word, size_t length) {
    for (; length && *word == ' '; ++word) --length;
    while (length && word[length - 1] == ' ') --length;
    return lmr_copy(to, LMR_WORD, word, length);
}

/* The next override of LmrParams, from `*at` on: its name with the sign of a rule, and the value of a parameter. False
 * at the end, and when it is broken. */
static bool lmr_next_override(const char **at, char *name, char *value) {
    const char *word = *at;
    size_t length = strcspn(word, ","), name_length = strcspn(word, "=,");
    bool rule, good;
    if (!*word || *lmr_l.error) return false;
    good = lmr_trim(name, word, name_length);
    rule = *name == '+' || *name == '-';
    *value = 0;
    if (rule) good = good && name_length == length && lmr_is_title(name + 1);
    else
        good = good && name_length < length && lmr_is_parameter(name)
            && lmr_trim(value, word + name_length + 1, length - name_length - 1);
    *at = word + length;
    if (**at == ',' && *++*at == 0) good = false;
    return good
        || lmr_fail(
            "LmrParams: `%.*s` is broken; write `parameter=value`, `-rule` or `+rule`, with commas between them",
            (int)(length < 80 ? length : 80), word);
}

/* Sets the value of a parameter to what LmrParams says. */
static bool lmr_override_parameter(
    const char *name, double *value, double min, double max, const char *min_text, const char *max_text) {
    char word[LMR_WORD], text[LMR_WORD];
    for (const char *at = lmr_l.overrides; lmr_next_override(&at, word, text);) {
        if (strcmp(word, name)) continue;
        if (!lmr_parse(text, value))
            return lmr_fail("LmrParams: `%s=%s` is no decimal number of up to 15 digits", name, text);
        if (*value < min || *value > max)
            return lmr_fail(
                "LmrParams: `%s=%s` is out of bounds: `%s` may be from %s to %s", name, text, name, min_text, max_text);
    }
    return !*lmr_l.error;
}

static bool lmr_override_rule(const char *name, bool *on) {
    char word[LMR_WORD], text[LMR_WORD];
    for (const char *at = lmr_l.overrides; lmr_next_override(&at, word, text);)
        if ((*word == '+' || *word == '-') && !strcmp(word + 1, name)) *on = *word == '+';
    return !*lmr_l.error;
}

/* Refuses names in LmrParams that the policy does not have. */
static bool lmr_check_overrides(void) {
    char word[LMR_WORD], text[LMR_WORD];
    for (const char *at = lmr_l.overrides; lmr_next_override(&at, word, text);) {
        bool rule = *word == '+' || *word == '-', known = false;
        const char *name = rule ? word + 1 : word;
        lmr_advice advice;
        lmr_no_advice(&advice);
        for (int i = 0; i < (rule ? lmr_p.rule_name_count : lmr_p.parameter_count); ++i) {
            const char *other = rule ? lmr_p.rule_names[i] : lmr_p.parameters[i].name;
            known |= !strcmp(other, name);
            lmr_consider(&advice, name, other);
        }
        if (!known)
            return lmr_fail("LmrParams: the policy %s has no %s `%s`%s", lmr_p.name, rule ? "rule" : "parameter", name,
                advice.text);
    }
    return !*lmr_l.error;
}

static bool lmr_read_first_lines(void) {
    if (!lmr_word() || !lmr_at("lmrlab-policy")) {
        lmr_l.error[0] = 0;
        return lmr_fail("%.300s is no compiled policy; write one with `lmrlab policy compile`", lmr_l.path);
    }
    if (!lmr_need("the version")) return false;
    if (strcmp(lmr_r.word, "1"))
        return lmr_wrong("the policy has version %s of the format, and this header reads version 1; compile the policy "
                         "with the lmrlab of the header",
            lmr_r.word);
    if (!lmr_need("the name")) return false;
    if (!lmr_is_title(lmr_r.word)) return lmr_wrong("`%s` is no name of a policy", lmr_r.word);
    strcpy(lmr_p.name, lmr_r.word);
    if (!lmr_need("the hash")) return false;
    if (strlen(lmr_r.word) != 64 || strspn(lmr_r.word, "0123456789abcdef") != 64)
        return lmr_wrong("%s", "the hash must have 64 hexadecimal digits");
    strcpy(lmr_p.hash, lmr_r.word);
    if (!lmr_next_line()) return false;
    if (!lmr_at("units") || !lmr_need("`lmrlab` or `host`")) return lmr_wrong("%s", "the line `units` is missing here");
    if (!strcmp(lmr_r.word, "host")) lmr_p.own_units = true;
    else if (strcmp(lmr_r.word, "lmrlab")) return lmr_wrong("units are `lmrlab` or `host`, not `%s`", lmr_r.word);
    return lmr_next_line();
}

static bool lmr_read_own(void) {
    while (lmr_at("own")) {
        int i = lmr_p.own_count;
        if (!lmr_need("`flag` or `number`")) return false;
        bool flag = !strcmp(lmr_r.word, "flag");
        if (!flag && strcmp(lmr_r.word, "number"))
            return lmr_wrong("a fact is a `flag` or a `number`, not a `%s`", lmr_r.word);
        if (!lmr_need("the name")) return false;
        if ((flag ? lmr_p.own_flag_count : i - lmr_p.own_flag_count) == LMR_OWN)
            return lmr_wrong("%s", "a policy may read 16 flags and 16 numbers of the engine's own");
        if (!lmr_is_identifier(lmr_r.word) || LMR_FIND(lmr_r.word, lmr_words) >= 0
            || LMR_FIND(lmr_r.word, lmr_names) >= 0)
            return lmr_wrong("`%s` cannot be a fact of the engine's own", lmr_r.word);
        for (int k = 0; k < i; ++k)
            if (!strcmp(lmr_p.own[k].name, lmr_r.word)) return lmr_wrong("`%s` is there twice", lmr_r.word);
        strcpy(lmr_p.own[i].name, lmr_r.word);
        lmr_p.own[i].flag = flag;
        lmr_p.own[i].id = -1;
        lmr_p.own[i].missed = false;
        for (int k = 0; k < (flag ? lmr_l.own_flags : lmr_l.own_numbers); ++k) {
            int id = LMR_FACTS + (flag ? 0 : LMR_OWN) + k;
            if (!strcmp(lmr_id_name(id), lmr_r.word)) lmr_p.own[i].id = id;
        }
        ++lmr_p.own_count;
        lmr_p.own_flag_count += flag;
        if (!lmr_next_line()) return false;
    }
    return !*lmr_l.error;
}

static bool lmr_read_parameters(void) {
    while (lmr_at("param")) {
        int i = lmr_p.parameter_count;
        double min, max;
        if (i == LMR_MAX_PARAMETERS) return lmr_wrong("%s", "a policy may have at most 256 parameters");
        if (!lmr_need("the name")) return false;
        if (!lmr_is_parameter(lmr_r.word)) return lmr_wrong("`%s` is no name of a parameter", lmr_r.word);
        for (int k = 0; k < i; ++k)
            if (!strcmp(lmr_p.parameters[k].name, lmr_r.word)) return lmr_wrong("`%s` is there twice", lmr_r.word);
        strcpy(lmr_p.parameters[i].name, lmr_r.word);
        if (!lmr_need_number("the value", &lmr_p.parameters[i].value) || !lmr_need_number("the least value", &min))
            return false;
        strcpy(lmr_p.parameters[i].min_text, lmr_r.word);
        if (!lmr_need_number("the greatest value", &max)) return false;
        strcpy(lmr_p.parameters[i].max_text, lmr_r.word);
        if (!(min <= lmr_p.parameters[i].value && lmr_p.parameters[i].value <= max))
            return lmr_wrong("the value of `%s` is out of its bounds", lmr_p.parameters[i].name);
        ++lmr_p.parameter_count;
        if (!lmr_override_parameter(lmr_p.parameters[i].name, &lmr_p.parameters[i].value, min, max,
                lmr_p.parameters[i].min_text, lmr_p.parameters[i].max_text))
            return false;
        if (!lmr_next_line()) return false;
    }
    return !*lmr_l.error;
}

static bool lmr_read_logarithms(const char *key, bool *has, double *table) {
    if (!lmr_at(key)) return !*lmr_l.error;
    *has = true;
    for (int i = 0; i < LMR_LOGARITHMS; ++i)
        if (!lmr_need_number("a logarithm", &table[i])) return false;
    return lmr_next_line();
}

static bool lmr_read_table(void) {
    double columns;
    if (!lmr_at("columns")) return !*lmr_l.error;
    if (!lmr_need_number("the number of columns", &columns)) return false;
    if (columns < 1 || columns > LMR_MAX_CELLS || columns != (double)(int)columns)
        return lmr_wrong("%s", "a table has 1 to 65536 columns");
    lmr_p.columns = (uint32_t)columns;
    if (!lmr_next_line()) return false;
    while (lmr_at("row")) {
        if ((lmr_p.rows + 1) * (uint64_t)lmr_p.columns > LMR_MAX_CELLS)
            return lmr_wrong("%s", "a table may have at most 65536 cells");
        for (uint32_t i = 0; i < lmr_p.columns; ++i)
            if (!lmr_need_number("a cell", &lmr_p.cells[lmr_p.rows * lmr_p.columns + i])) return false;
        ++lmr_p.rows;
        if (!lmr_next_line()) return false;
    }
    return lmr_p.rows ? !*lmr_l.error : lmr_wrong("%s", "the line `row` is missing here");
}

/* Reads an effect line, if it is there: `prefix` and then add, mul or set. */
static bool lmr_read_effect(const char *prefix, uint8_t *effect, lmr_value *amount, lmr_reads *reads) {
    static const char *const effects[] = { "add", "mul", "set" };
    size_t length = strlen(prefix);
    *effect = LMR_NOTHING;
    if (*lmr_l.error || strncmp(lmr_r.word, prefix, length)) return !*lmr_l.error;
    int found = LMR_FIND(lmr_r.word + length, effects);
    if (found < 0) return true;
    *effect = (uint8_t)(LMR_ADD + found);
    return lmr_read_number(LMR_IN_RULES, amount, reads) && lmr_next_line();
}

/* Adds a rule that is on. */
static void lmr_append_rule(const lmr_rule *rule) {
    const lmr_condition *when = &rule->when;
    /* Adding less than this to a finite number cannot overflow. */
    bool adds_constant = rule->effect == LMR_ADD && rule->amount.form == LMR_CONSTANT && fabs(rule->amount.c[0]) < 1e290
        && !rule->else_effect && !rule->capped && !rule->stop && !when->has_code;
    int kind = adds_constant && when->test_count == 0                                       ? LMR_BONUSES
        : adds_constant && when->test_count == 1 && when->tests[0].slot != LMR_SLOT(so_far) ? LMR_TESTED
                                                                                            : LMR_RULE;
    int *count = kind == LMR_BONUSES ? &lmr_p.bonus_count
        : kind == LMR_TESTED         ? &lmr_p.tested_count
                                     : &lmr_p.rule_count;
    lmr_step *step = &lmr_p.steps[lmr_p.step_count ? lmr_p.step_count - 1 : 0];
    if (!lmr_p.step_count || step->kind != kind || kind == LMR_RULE) {
        step = &lmr_p.steps[lmr_p.step_count++];
        step->kind = (uint16_t)kind;
        step->first = (uint16_t)*count;
    }
    if (kind == LMR_RULE) {
        lmr_p.rules[*count] = *rule;
    } else {
        lmr_bonus *bonus = kind == LMR_BONUSES ? &lmr_p.bonuses[*count] : &lmr_p.tested[*count].bonus;
        bonus->mask = when->mask;
        bonus->want = when->want;
        bonus->add[0] = 0;
        bonus->add[1] = rule->amount.c[0];
        if (kind == LMR_TESTED) lmr_p.tested[*count].test = when->tests[0];
    }
    step->end = (uint16_t)++ * count;
}

static bool lmr_read_rules(void) {
    bool stopped = false; /* a rule that always stops: those after it never apply */
    while (lmr_at("rule")) {
        lmr_rule rule;
        lmr_reads reads;
        bool on;
        memset(&rule, 0, sizeof rule);
        memset(&reads, 0, sizeof reads);
        if (lmr_p.rule_name_count == LMR_MAX_RULES) return lmr_wrong("%s", "a policy may have at most 256 rules");
        if (!lmr_need("the name")) return false;
        if (!lmr_is_title(lmr_r.word)) return lmr_wrong("`%s` is no name of a rule", lmr_r.word);
        for (int k = 0; k < lmr_p.rule_name_count; ++k)
            if (!strcmp(lmr_p.rule_names[k], lmr_r.word)) return lmr_wrong("`%s` is there twice", lmr_r.word);
        const char *name = strcpy(lmr_p.rule_names[lmr_p.rule_name_count++], lmr_r.word);
        if (!lmr_need("`on` or `off`")) return false;
        on = !strcmp(lmr_r.word, "on");
        if (!on && strcmp(lmr_r.word, "off")) return lmr_wrong("a rule is `on` or `off`, not `%s`", lmr_r.word);
        if (!lmr_override_rule(name, &on) || !lmr_next_line()) return false;
        if (!lmr_read_condition(LMR_IN_RULES, &rule.when, &reads)) return false;
        if (!lmr_read_effect("", &rule.effect, &rule.amount, &reads)
            || !lmr_read_effect("else_", &rule.else_effect, &rule.else_amount, &reads))
            return false;
        if (lmr_at("cap")) {
            rule.capped = true;
            if (!lmr_read_number(LMR_IN_RULES, &rule.cap, &reads) || !lmr_next_line()) return false;
        }
        if (lmr_at("stop")) {
            rule.stop = true;
            if (!lmr_next_line()) return false;
        }
        if (!on || stopped || (rule.when.never && !rule.else_effect)) continue;
        lmr_append_rule(&rule);
        lmr_want(&reads);
        stopped = rule.stop && rule.when.always;
    }
    return !*lmr_l.error;
}

static bool lmr_read_finish(void) {
    if (!lmr_at("finish")) return lmr_wrong("`%s` is no line that can stand here", lmr_r.word);
    if (!lmr_need_key("scale")) return false;
    if (!lmr_parse(lmr_r.word, &lmr_p.scale) || fabs(lmr_p.scale) > 100)
        return lmr_wrong("`scale` must be a number from -100 to 100, not `%s`", lmr_r.word);
    return lmr_need_choice("round", lmr_roundings, 4, &lmr_p.round)
        && lmr_need_int("min", -LMR_MAX_PLIES, LMR_MAX_PLIES, false, 0, &lmr_p.min)
        && lmr_need_int("max", -LMR_MAX_PLIES, LMR_MAX_PLIES, true, LMR_NO_LIMIT, &lmr_p.max)
        && lmr_need_int("max_at_root", -LMR_MAX_PLIES, LMR_MAX_PLIES, true, LMR_NO_LIMIT, &lmr_p.max_at_root)
        && lmr_need_int("max_in_pv", -LMR_MAX_PLIES, LMR_MAX_PLIES, true, LMR_NO_LIMIT, &lmr_p.max_in_pv)
        && lmr_need_int("max_if_extended", -LMR_MAX_PLIES, LMR_MAX_PLIES, true, LMR_NO_LIMIT, &lmr_p.max_if_extended)
        && lmr_need_int("floor", -LMR_MAX_PLIES, LMR_MAX_PLIES, false, 0, &lmr_p.floor)
        && lmr_need_int("pv_bonus", 0, 16, false, 0, &lmr_p.pv_bonus) && lmr_next_line();
}

static bool lmr_read_research(lmr_reads *reads) {
    int history;
    if (!lmr_at("research")) return lmr_wrong("%s", "the line `research` is missing here");
    if (!lmr_need_choice("ladder", lmr_ladders, 7, &lmr_p.ladder)
        || !lmr_need_choice("trigger", lmr_triggers, 4, &lmr_p.trigger)
        || !lmr_need_int("updates_history", 0, 1, false, 0, &history)
        || !lmr_need_int("above", 1, 64, false, 0, &lmr_p.above)
        || !lmr_need_int("reduction", 1, 64, false, 0, &lmr_p.reduction)
        || !lmr_need_int("threat_feedback", 1, 128, true, -1, &lmr_p.threat_feedback) || !lmr_next_line())
        return false;
    lmr_p.updates_history = history != 0;
    memset(&lmr_p.deeper, 0, sizeof lmr_p.deeper);
    lmr_p.deeper.want = 1; /* never */
    lmr_p.shallower = lmr_p.deeper;
    for (int i = 0; i < 2; ++i) {
        lmr_condition *condition = i ? &lmr_p.shallower : &lmr_p.deeper;
        if (!lmr_at(i ? "shallower" : "deeper")) continue;
        condition->want = 0;
        if (!lmr_read_when(LMR_IN_RESEARCH, condition, reads) || !lmr_next_line()) return false;
        if (condition->never) condition->want = 1;
    }
    return !*lmr_l.error;
}

/* Reads the file from its first byte to its last. */
static bool lmr_read_lines(void) {
    lmr_reads reads, research;
    memset(&reads, 0, sizeof reads);
    memset(&research, 0, sizeof research);
    if (!lmr_read_first_lines() || !lmr_read_own() || !lmr_read_parameters()
        || !lmr_read_logarithms("ln", &lmr_p.has_ln, lmr_p.ln)
        || !lmr_read_logarithms("log2", &lmr_p.has_log2, lmr_p.log2) || !lmr_read_table()
        || !lmr_read_condition(LMR_IN_POLICY, &lmr_p.when, &reads))
        return false;
    if (!lmr_at("reduce")) return lmr_wrong("`%s` is no line that can stand here", lmr_r.word);
    if (!lmr_read_number(LMR_IN_POLICY, &lmr_p.reduce, &reads) || !lmr_next_line() || !lmr_read_rules()
        || !lmr_read_finish() || !lmr_read_research(&research))
        return false;
    if (!lmr_at("end")) return lmr_wrong("`%s` is no line that can stand here", lmr_r.word);
    if (lmr_word()) return lmr_wrong("the line should end before `%s`", lmr_r.word);
    if (lmr_r.next == '\r') lmr_advance();
    if (lmr_r.next == '\n') lmr_advance();
    if (*lmr_l.error || lmr_r.next != EOF) return lmr_wrong("%s", "the file should end after the line `end`");
    if (lmr_p.when.never) {
        lmr_p.flags_read = lmr_p.slots_read = 0;
        for (int i = 0; i < lmr_p.own_count; ++i) lmr_p.own[i].missed = false;
    } else {
        lmr_want(&reads);
        /* lmr_depth_change gives it. */
        research.slots &= ~((uint64_t)1 << LMR_SLOT(best_score));
        lmr_want(&research);
        lmr_want_fact(LMR_depth);
    }
    lmr_p.limits_nodes =
        lmr_p.max_at_root < LMR_NO_LIMIT || lmr_p.max_in_pv < LMR_NO_LIMIT || lmr_p.max_if_extended < LMR_NO_LIMIT;
    if (!lmr_p.when.never) {
        if (lmr_p.max_at_root < LMR_NO_LIMIT) lmr_want_fact(LMR_root);
        if (lmr_p.max_in_pv < LMR_NO_LIMIT || lmr_p.pv_bonus) lmr_want_fact(LMR_pv);
        if (lmr_p.max_if_extended < LMR_NO_LIMIT) lmr_want_fact(LMR_extended);
    }
    return lmr_check_overrides();
}

/* Refuses a policy that reads what the engine does not fill. */
static bool lmr_check_facts(void) {
    char names[640];
    size_t length = 0;
    names[0] = 0;
    for (int id = 0; id < LMR_IDS; ++id) {
        bool read =
            lmr_id_is_flag(id) ? lmr_p.flags_read >> lmr_id_bit(id) & 1 : lmr_p.slots_read >> lmr_id_slot(id) & 1;
        if (!read) continue;
        if (lmr_l.fills[id] || lmr_is_given(id)) continue;
        length += (size_t)snprintf(names + length, sizeof names - length, " %s", lmr_id_name(id));
        if (length >= sizeof names) length = sizeof names - 1;
    }
    for (int i = 0; i < lmr_p.own_count; ++i) {
        if (!lmr_p.own[i].missed) continue;
        length += (size_t)snprintf(
            names + length, sizeof names - length, " %s:%s", lmr_p.own[i].flag ? "flag" : "number", lmr_p.own[i].name);
        if (length >= sizeof names) length = sizeof names - 1;
    }
    return !length || lmr_fail("the policy %s reads facts that this engine does not fill:%s", lmr_p.name, names);
}

/* No policy: the engine's own scheme. */
static void lmr_clear(void) {
    lmr_shared.policy = false;
    lmr_shared.wanted_flags = lmr_shared.wanted_numbers = 0;
    lmr_shared.least_depth = lmr_shared.least_moves = -HUGE_VAL;
    memcpy(lmr_shared.factors, lmr_l.factors, sizeof lmr_shared.factors);
    lmr_p.name[0] = lmr_p.hash[0] = 0;
    lmr_p.own_units = lmr_p.has_ln = lmr_p.has_log2 = lmr_p.limits_nodes = lmr_p.reads_extension = false;
    lmr_p.parameter_count = lmr_p.rule_name_count = lmr_p.own_count = lmr_p.own_flag_count = lmr_p.bonus_count =
        lmr_p.tested_count = 0;
    lmr_p.rule_count = lmr_p.step_count = 0;
    lmr_p.rows = lmr_p.columns = lmr_p.used = lmr_p.words = lmr_p.tabulated = lmr_p.work = 0;
    lmr_p.flags_read = lmr_p.slots_read = 0;
    lmr_p.ladder = LMR_LADDER_NULL_THEN_FULL;
    lmr_p.trigger = LMR_TRIGGER_ABOVE_ALPHA;
    lmr_p.above = 2;
    lmr_p.reduction = 1;
    lmr_p.threat_feedback = -1;
    lmr_p.updates_history = false;
    memset(lmr_marks, 0, sizeof lmr_marks);
}

/* Reads a policy from an open file. False after lmr_fail; then none is in force. */
static bool lmr_read_file(FILE *file) {
    bool good;
    lmr_clear();
    lmr_r.file = file;
    lmr_r.line = 1;
    lmr_r.bytes = 0;
    lmr_r.inside = false;
    lmr_r.word[0] = 0;
    lmr_advance();
    good = lmr_read_lines() && lmr_check_facts();
    if (!good) {
        lmr_clear();
        return false;
    }
    lmr_p.reads_extension = lmr_l.fills[LMR_extended] && lmr_l.fills[LMR_extension];
    for (int i = 0; i < lmr_p.when.test_count; ++i) {
        const lmr_test *test = &lmr_p.when.tests[i];
        /* x > c is not(x <= c). */
        bool above = test->negated && test->low == -HUGE_VAL;
        double least = above ? nextafter(test->high, HUGE_VAL) : test->negated ? -HUGE_VAL : test->low;
        if (test->slot == LMR_SLOT(depth)) lmr_shared.least_depth = least;
        if (test->slot == LMR_SLOT(moves_searched)) lmr_shared.least_moves = least;
    }
    lmr_shared.wanted_flags = lmr_p.flags_read;
    lmr_shared.wanted_numbers = lmr_p.slots_read;
    if (lmr_p.reads_extension) {
        lmr_shared.wanted_flags |= (uint64_t)1 << LMR_extended;
        lmr_shared.wanted_numbers |= (uint64_t)1 << LMR_SLOT(extension);
    }
    if (lmr_p.own_units)
        for (int i = 0; i < LMR_SLOTS; ++i) lmr_shared.factors[i] = 1;
    return lmr_shared.policy = true;
}

/* Reads the policy of LmrPolicy with LmrParams. */
static bool lmr_read_policy(void) {
    FILE *file;
    bool good;
    lmr_clear();
    if (!*lmr_l.path) return true;
    file = fopen(lmr_l.path, "rb");
    if (!file) return lmr_fail("%.300s cannot be opened", lmr_l.path);
    good = lmr_read_file(file);
    fclose(file);
    return good;
}

/* ---- Traces and shadow searches. ---- */

static void lmr_end_trace(void) {
    if (lmr_l.trace) fclose(lmr_l.trace);
    lmr_l.trace = NULL;
    lmr_shared.tracing = false;
    lmr_l.trace_path[0] = 0;
}

static void lmr_put_facts(FILE *file, const char *key, bool flags) {
    fputs(key, file);
    for (int id = 0; id < LMR_IDS; ++id)
        if (lmr_l.fills[id] && lmr_id_is_flag(id) == flags)
            fprintf(file, " %s%s", id < LMR_FACTS ? "" : "own:", lmr_id_name(id));
    putc('\n', file);
}

static size_t lmr_record_size(void) {
    size_t size = 40;
    for (int id = 0; id < LMR_IDS; ++id)
        if (lmr_l.fills[id] && !lmr_id_is_flag(id)) size += 8;
    return size + (lmr_shared.position ? 104 : 0);
}

/* Begins the file of LmrTrace with its header. Then it is opened to append: records are written whole, also by copies. */
static bool lmr_begin_trace(void) {
    FILE *file;
    lmr_shared.tracing = lmr_l.has_records = false;
    if (lmr_l.trace) fclose(lmr_l.trace);
    lmr_l.trace = NULL;
    if (!*lmr_l.trace_path) return true;
    file = fopen(lmr_l.trace_path, "wb");
    if (file) {
        fprintf(file, "lmrlab-trace %d\nengine ", LMRLAB_VERSION);
        lmr_put(file, lmr_l.engine);
        fputs("\npolicy ", file);
        if (lmr_shared.policy) {
            fprintf(file, "%s %s ", lmr_p.name, lmr_p.hash);
            lmr_put(file, *lmr_l.overrides ? lmr_l.overrides : "-");
        } else {
            putc('-', file);
        }
        fprintf(file, "\nunits %s\nrate %s\nshadow %s\n", lmr_p.own_units ? "host" : "lmrlab", lmr_l.rate_text,
            lmr_shadows[lmr_l.shadow]);
        lmr_put_facts(file, "flags", true);
        lmr_put_facts(file, "numbers", false);
        fprintf(file, "position %d\nrecord %d\nend\n", (int)lmr_shared.position, (int)lmr_record_size());
        if (fclose(file) == 0) lmr_l.trace = fopen(lmr_l.trace_path, "ab");
    }
    if (!lmr_l.trace || setvbuf(lmr_l.trace, lmr_l.buffer, _IOFBF, sizeof lmr_l.buffer)) {
        lmr_fail("%.300s cannot be written", lmr_l.trace_path);
        lmr_end_trace();
        return false;
    }
    return lmr_shared.tracing = true;
}

/* After a change of an option: a header that is no longer true is written again, or the trace ends. */
static bool lmr_options_changed(const char *option) {
    if (!lmr_shared.tracing) return true;
    if (!lmr_l.has_records) return lmr_begin_trace();
    lmr_fail("the trace %.300s ends, because %s has changed; set LmrTrace again", lmr_l.trace_path, option);
    lmr_end_trace();
    return false;
}

void lmr_sample(lmr_move *m, uint64_t *random) {
    uint64_t z = *random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    m->id = z ^ z >> 31;
    m->sampled = (double)(m->id >> 32) < lmr_l.threshold;
    if (!m->sampled) return;
    m->first_nodes = 0;
    m->failed_high = false;
    memset(m->numbers, 0, sizeof m->numbers);
    memset(m->move, 0, sizeof m->move);
    memset(m->fen, 0, sizeof m->fen);
}

/* While lmrlab looks for mistakes: a number that a policy reads and the engine does not fill is far from any right one. */
void lmr_forget(lmr_move *m) {
    for (int slot = 0; slot < LMR_SLOTS; ++slot) m->numbers[slot] = -1e9;
}

void lmr_position(lmr_move *m, const char *fen, const char *uci_move) {
    size_t fen_length = strlen(fen), move_length = strlen(uci_move);
    if (fen_length > sizeof m->fen || move_length > sizeof m->move) return;
    memcpy(m->fen, fen, fen_length);
    memcpy(m->move, uci_move, move_length);
}

static unsigned char *lmr_bytes(unsigned char *at, uint64_t value, int count) {
    for (int i = 0; i < count; ++i) *at++ = (unsigned char)(value >> 8 * i & 255);
    return at;
}

static uint64_t lmr_nodes(uint64_t nodes) { return nodes < UINT32_MAX ? nodes : UINT32_MAX; }

static void lmr_write(const lmr_move *m, char kind, int full_depth, int outcome, uint64_t nodes) {
    unsigned char record[LMR_RECORD], *at = record;
    uint64_t flags = 0, bits;
    int count = 0;
    if (!lmr_l.trace) return;
    for (int bit = 0; bit < LMR_BOOLEANS + LMR_OWN; ++bit)
        if (lmr_l.fills[lmr_bit_id(bit)]) flags |= (m->flags >> bit & 1) << count++;
    at = lmr_bytes(at, (uint64_t)(unsigned char)kind, 1);
    at = lmr_bytes(at, m->late, 1);
    at = lmr_bytes(at, m->failed_high, 1);
    at = lmr_bytes(at, (uint64_t)(int64_t)outcome, 1);
    at = lmr_bytes(at, (uint64_t)(int64_t)m->reduction, 2);
    at = lmr_bytes(at, (uint64_t)(int64_t)full_depth, 2);
    at = lmr_bytes(at, lmr_l.searches, 4);
    at = lmr_bytes(at, lmr_nodes(m->first_nodes), 4);
    at = lmr_bytes(at, lmr_nodes(nodes), 4);
    at = lmr_bytes(at, 0, 4);
    at = lmr_bytes(at, m->id, 8);
    at = lmr_bytes(at, flags, 8);
    for (int slot = 0; slot < LMR_SLOTS; ++slot) {
        if (!lmr_l.fills[lmr_slot_id(slot)]) continue;
        memcpy(&bits, &m->numbers[slot], sizeof bits);
        at = lmr_bytes(at, bits, 8);
    }
    if (lmr_shared.position) {
        memcpy(at, m->move, sizeof m->move);
        memcpy(at + sizeof m->move, m->fen, sizeof m->fen);
        at += sizeof m->move + sizeof m->fen;
    }
    lmr_l.has_records = true;
    if (fwrite(record, (size_t)(at - record), 1, lmr_l.trace) == 1 && fflush(lmr_l.trace) == 0) return;
    if (lmr_shared.is_copy) return;
    lmr_say("error the trace ends, because it cannot be written: ", lmr_l.trace_path);
    lmr_end_trace();
}

#ifdef _WIN32
bool lmr_shadow(lmr_move *m) {
    (void)m;
    return false;
}

void lmr_judged(const lmr_move *m, bool raises, uint64_t nodes) {
    (void)m;
    (void)raises;
    (void)nodes;
}

static void lmr_end_copy(void) {}
#else
enum { LMR_SHADOW_UNREDUCED = 2 };

/* In a copy: no output, and no input that never comes. */
static void lmr_be_copy(void) {
    int input[2], nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, 1);
        dup2(nowhere, 2);
    }
    if (pipe(input) == 0) dup2(input[0], 0);
    signal(SIGALRM, SIG_DFL);
    alarm(LMR_SHADOW_SECONDS);
    lmr_shared.is_copy = true;
    lmr_shared.tracing = false;
}

/* Ends a copy that has left its move. */
static void lmr_end_copy(void) {
    if (lmr_shared.is_copy) _exit(1);
}

/* Waits for a copy. Its status; -1 when there is none, as the engine ignores SIGCHLD. */
static int lmr_wait(pid_t copy) {
    int status = 0;
    pid_t ended;
    do ended = waitpid(copy, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? -1 : status;
}

bool lmr_shadow(lmr_move *m) {
    int status;
    pid_t copy;
    if (!m->sampled || !lmr_l.shadow || lmr_shared.is_copy) return false;
    lmr_l.has_records = true;
    copy = fork();
    if (copy == 0) {
        lmr_be_copy();
        lmr_l.unreduced = lmr_l.shadow == LMR_SHADOW_UNREDUCED;
        if (lmr_l.unreduced) {
            /* The engine asks for every reduction, and gets 0. */
            lmr_shared.policy = true;
            lmr_shared.wanted_flags = lmr_shared.wanted_numbers = 0;
        }
        return true;
    }
    if (copy > 0) {
        status = lmr_wait(copy);
        /* Without a status the copy has done its work or not: the record says it. */
        if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return false;
    }
    lmr_write(m, 'S', 0, -1, 0);
    return false;
}

void lmr_judged(const lmr_move *m, bool raises, uint64_t nodes) {
    if (!lmr_shared.is_copy) return;
    lmr_write(m, 'S', 0, raises, nodes);
    _exit(ferror(lmr_l.trace) ? 1 : 0);
}
#endif

void lmr_end(const lmr_move *m, int full_depth, int outcome, uint64_t nodes) {
    lmr_end_copy();
    lmr_write(m, 'D', full_depth, outcome, nodes);
}

void lmr_new_search(void) {
    lmr_end_copy();
    ++lmr_l.searches;
}

/* ---- The start, and options. ---- */

/* A factor: a number other than 0, or a fraction. The factor `b/a` times `a` is `b`; where rounding would give more, it is
 * the last bit less. So a number up to the engine's bound stays within lmrlab's. */
static bool lmr_parse_factor(char *word, double *factor) {
    char *slash = strchr(word, '/');
    if (slash) *slash = 0;
    bool good = lmr_parse(word, factor);
    if (slash) {
        double above = *factor, below = 0;
        *slash = '/';
        if (!good || !lmr_parse(slash + 1, &below) || below == 0) return false;
        *factor = above / below;
        good = fabs(*factor) <= DBL_MAX;
        if (fabs(*factor * below) > fabs(above)) *factor = nextafter(*factor, 0);
    }
    return good && *factor != 0;
}

/* Reads one word of the facts of lmr_init. */
static bool lmr_declare(char *word) {
    char *times = strchr(word, '*');
    double factor = 1;
    bool own_flag = !strncmp(word, "flag:", 5), own_number = !strncmp(word, "number:", 7);
    const char *name = own_flag ? word + 5 : own_number ? word + 7 : word;
    int id;
    if (times) {
        *times++ = 0;
        if (!lmr_parse_factor(times, &factor))
            return lmr_fail("the factor of `%s` must be a number or a fraction, and not 0, as in `%s*0.5` or `%s*100/208`",
                name, name, name);
    }
    id = LMR_FIND(name, lmr_names);
    if (own_flag || own_number) {
        int *count = own_flag ? &lmr_l.own_flags : &lmr_l.own_numbers;
        if (id >= 0)
            return lmr_fail(
                "`%s` is in lmrlab's catalogue: write it without `%s`", name, own_flag ? "flag:" : "number:");
        if (!lmr_is_identifier(name) || LMR_FIND(name, lmr_words) >= 0)
            return lmr_fail(
                "`%s` cannot be the name of a fact: use letters, digits and `_`, with a letter first", name);
        if (*count == LMR_OWN) return lmr_fail("`%s`: an engine may have 16 flags and 16 numbers of its own", name);
        for (int k = 0; k < 2 * LMR_OWN; ++k)
            if (!strcmp(lmr_l.own[k], name)) return lmr_fail("`%s` is there twice", name);
        id = LMR_FACTS + (own_flag ? 0 : LMR_OWN) + (*count)++;
        strcpy(lmr_l.own[id - LMR_FACTS], name);
    } else if (id < 0) {
        lmr_advice advice;
        lmr_no_advice(&advice);
        for (int k = 0; k < LMR_FACTS; ++k) lmr_consider(&advice, name, lmr_names[k]);
        return lmr_fail("lmrlab knows no fact `%s`%s", name,
            *advice.text ? advice.text : "; a fact of your own is `flag:NAME` or `number:NAME`");
    }
    if (id == LMR_so_far || id == LMR_reduction || (id == LMR_score && !times))
        return lmr_fail("the header itself fills `%s`: take it out", name);
    if (times && lmr_id_is_flag(id)) return lmr_fail("`%s` is a flag: it has no unit, so take out `*%s`", name, times);
    if (lmr_l.fills[id]) return lmr_fail("`%s` is there twice", name);
    if (!lmr_id_is_flag(id)) lmr_l.factors[lmr_id_slot(id)] = factor;
    lmr_l.fills[id] = id != LMR_score;
    return true;
}

bool lmr_init(const char *engine, const char *facts) {
    static const char *const options[] = { "LmrParams", "LmrPolicy", "LmrTraceRate", "LmrShadow", "LmrTrace" };
    const char *position = getenv("LmrPosition");
    if (lmr_l.trace) fclose(lmr_l.trace);
    memset(&lmr_l, 0, sizeof lmr_l);
    memset(&lmr_shared, 0, sizeof lmr_shared);
    for (int i = 0; i < LMR_SLOTS; ++i) lmr_l.factors[i] = 1;
    lmr_copy(lmr_l.engine, sizeof lmr_l.engine, engine, strlen(engine));
    strcpy(lmr_l.rate_text, "0.01");
    lmr_l.threshold = 0.01 * 4294967296.0;
    lmr_shared.position = position && !strcmp(position, "1");
    while (*facts) {
        char word[LMR_WORD];
        size_t length = strcspn(facts, " \t\r\n");
        if (length
            && (lmr_copy(word, sizeof word, facts, length) ? !lmr_declare(word)
                                                           : !lmr_fail("the word `%s..` is too long", word))) {
            fprintf(stderr, "lmrlab.h: lmr_init: %s\n", lmr_l.error);
            memset(&lmr_l, 0, sizeof lmr_l);
            return false;
        }
        facts += length;
        if (*facts) ++facts;
    }
    /* Without a factor of its own `score` has that of `alpha`. */
    if (lmr_l.factors[LMR_SLOT(score)] == 1) lmr_l.factors[LMR_SLOT(score)] = lmr_l.factors[LMR_SLOT(alpha)];
    lmr_clear();
    for (int i = 0; i < 5; ++i) {
        const char *value = getenv(options[i]);
        if (value && *value) lmr_setoption(options[i], value);
    }
    return true;
}

void lmr_print_options(void) {
    fputs("option name LmrPolicy type string default <empty>\n"
          "option name LmrParams type string default <empty>\n"
          "option name LmrTrace type string default <empty>\n"
          "option name LmrTraceRate type string default 0.01\n"
          "option name LmrShadow type combo default none var none var policy var unreduced\n",
        stdout);
    printf("info string lmrlab-host %d facts", LMRLAB_VERSION);
    for (int id = 0; id < LMR_IDS; ++id)
        if (lmr_l.fills[id])
            printf(" %s%s", id < LMR_FACTS ? "" : lmr_id_is_flag(id) ? "flag:" : "number:", lmr_id_name(id));
    putchar('\n');
    fflush(stdout);
}

/* Answers what is in force, or the error. */
static void lmr_answer_policy(bool good) {
    if (!good) {
        lmr_say("error ", lmr_l.error);
    } else if (lmr_shared.policy) {
        printf("info string lmrlab-host policy %s %s ", lmr_p.name, lmr_p.hash);
        lmr_put(stdout, *lmr_l.overrides ? lmr_l.overrides : "-");
        putchar('\n');
        fflush(stdout);
    } else {
        lmr_say("policy -", "");
    }
}

/* Whether two names of options are the same: UCI does not distinguish capital letters. */
static bool lmr_same(const char *one, const char *two) {
    for (; *one && *two; ++one, ++two) {
        char a = *one >= 'A' && *one <= 'Z' ? (char)(*one + 32) : *one,
             b = *two >= 'A' && *two <= 'Z' ? (char)(*two + 32) : *two;
        if (a != b) return false;
    }
    return *one == *two;
}

/* Sets a text option, or clears it when the value is too long. */
static bool lmr_set_text(char *text, size_t size, const char *option, const char *value) {
    if (lmr_copy(text, size, value, strlen(value))) return true;
    *text = 0;
    return lmr_fail("the value of %s is too long: at most %d bytes", option, (int)size - 1);
}

bool lmr_setoption(const char *name, const char *value) {
    bool good = true;
    lmr_end_copy();
    if (!value || !strcmp(value, "<empty>")) value = "";
    lmr_l.error[0] = 0;
    if (lmr_same(name, "LmrPolicy") || lmr_same(name, "LmrParams")) {
        bool policy = lmr_same(name, "LmrPolicy");
        good = policy ? lmr_set_text(lmr_l.path, sizeof lmr_l.path, name, value)
                      : lmr_set_text(lmr_l.overrides, sizeof lmr_l.overrides, name, value);
        if (good) good = lmr_read_policy();
        else lmr_clear();
        lmr_answer_policy(good);
        lmr_l.error[0] = 0;
        if (!lmr_options_changed(name)) lmr_say("error ", lmr_l.error);
        return true;
    }
    if (lmr_same(name, "LmrTraceRate")) {
        double rate;
        if (!*value) value = "0.01";
        good = (strlen(value) < sizeof lmr_l.rate_text && !strchr(value, 'x') && lmr_parse(value, &rate) && rate >= 0
                   && rate <= 1)
            || lmr_fail("LmrTraceRate must be a number from 0 to 1, as in 0.01");
        if (good) {
            strcpy(lmr_l.rate_text, value);
            lmr_l.threshold = rate * 4294967296.0;
            good = lmr_options_changed(name);
        }
    } else if (lmr_same(name, "LmrShadow")) {
        int shadow = *value ? LMR_FIND(value, lmr_shadows) : 0;
        good = shadow >= 0 || lmr_fail("LmrShadow is none, policy or unreduced");
#ifdef _WIN32
        if (shadow > 0) good = lmr_fail("LmrShadow: this system cannot copy a process, so only none is possible");
#endif
        if (good) {
            lmr_l.shadow = shadow;
            good = lmr_options_changed(name);
        }
    } else if (lmr_same(name, "LmrTrace")) {
        lmr_end_trace();
        good = lmr_set_text(lmr_l.trace_path, sizeof lmr_l.trace_path, name, value) && lmr_begin_trace();
    } else {
        return false;
    }
    if (good) lmr_say("trace ", *lmr_l.trace_path ? lmr_l.trace_path : "-");
    else lmr_say("error ", lmr_l.error);
    return true;
}

#ifdef __cplusplus
}
#endif
#endif
