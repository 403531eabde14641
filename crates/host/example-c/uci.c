/* The program: the UCI protocol and the bench. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <poll.h>
#endif

#include "../include/lmrlab.h"
#include "eval.h"
#include "search.h"

enum { LINE_SIZE = 65536, BENCH_DEPTH = 7, LATENCY = 20 }; /* LATENCY: milliseconds that a move loses on its way */

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static char line[LINE_SIZE];
static bool waiting, quitting; /* waiting: `line` came during a search and is not yet obeyed */
static bool endless;           /* the search has no limit */
static Game game;

static void set_position(const char *fen) {
    if (!parse_fen(&game.board, fen)) {
        printf("info string not a legal position: %s\n", fen);
        parse_fen(&game.board, START);
    }
    game.count = 1;
    game.keys[0] = game.board.key;
}

static bool read_line(void) {
    if (!fgets(line, sizeof line, stdin)) return false;
    line[strcspn(line, "\r\n")] = 0;
    return true;
}

/* Whether the search has to end. Other commands wait for its end, but an endless search ends for them. */
static bool interrupted(void) {
#ifndef _WIN32
    struct pollfd input = { 0, POLLIN, 0 };
    while (!waiting && poll(&input, 1, 0) > 0) {
        if (!read_line()) strcpy(line, "quit");
        if (!strcmp(line, "isready")) {
            printf("readyok\n");
            fflush(stdout);
            continue;
        }
        if (!strcmp(line, "stop")) return true;
        waiting = true;
    }
#endif
    return waiting && (endless || !strcmp(line, "quit"));
}

static void go(char *words) {
    Limits limits = { MAX_PLY - 1, UINT64_MAX, 0, 0, interrupted };
    long long time[2] = { 0, 0 }, increment[2] = { 0, 0 }, moves = 30, fixed = 0;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *text = strcmp(word, "infinite") ? strtok(NULL, " ") : NULL;
        const long long value = text && atoll(text) > 0 ? atoll(text) : 1;
        if (!strcmp(word, "depth")) limits.depth = value < MAX_PLY - 1 ? (int)value : MAX_PLY - 1;
        else if (!strcmp(word, "nodes")) limits.nodes = (uint64_t)value;
        else if (!strcmp(word, "movetime")) fixed = value;
        else if (!strcmp(word, "wtime")) time[WHITE] = value;
        else if (!strcmp(word, "btime")) time[BLACK] = value;
        else if (!strcmp(word, "winc")) increment[WHITE] = value;
        else if (!strcmp(word, "binc")) increment[BLACK] = value;
        else if (!strcmp(word, "movestogo")) moves = value < 30 ? value : 30;
    }
    if (fixed) {
        limits.hard = fixed > 2 * LATENCY ? fixed - LATENCY : fixed / 2 + 1;
    } else if (time[game.board.side]) {
        const long long left = time[game.board.side] > 2 * LATENCY ? time[game.board.side] - LATENCY : LATENCY;
        const long long share = left / (moves + 1) + increment[game.board.side] / 2;
        limits.soft = share / 2 + 1;
        limits.hard = share * 3 < left / 2 ? share * 3 : left / 2;
    }
    endless = limits.depth == MAX_PLY - 1 && limits.nodes == UINT64_MAX && !limits.hard;
    char text[6] = "0000";
    const Move best = think(&game, limits, false);
    if (best) write_move(best, text);
    printf("bestmove %s\n", text);
}

static void position(char *words) {
    char *moves = strstr(words, "moves");
    if (moves) moves[-1] = 0;
    if (!strncmp(words, "fen ", 4)) set_position(words + 4);
    else set_position(START);
    for (char *word = moves ? strtok(moves + 5, " ") : NULL; word; word = strtok(NULL, " ")) {
        const Move move = parse_move(&game.board, word);
        if (!move) {
            printf("info string not a legal move: %s\n", word);
            break;
        }
        play(&game, move);
    }
}

/* A policy says how a reduced move is searched again. This engine knows two ladders and one trigger. */
static void check_research(void) {
    const bool known = lmr_ladder() == LMR_LADDER_NULL_THEN_FULL || lmr_ladder() == LMR_LADDER_BY_SCORE;
    if (known && lmr_trigger() == LMR_TRIGGER_ABOVE_ALPHA && lmr_threat_feedback() < 0) return;
    printf("info string this engine plays null_then_full or by_score, above_alpha: it leaves out the rest of [research]\n");
}

static void set_option(char *words) {
    char *name = words + 5, *value = strstr(words, " value ");
    if (strncmp(words, "name ", 5)) return;
    if (value) *value = 0, value += 7;
    if (lmr_setoption(name, value ? value : "")) {
        check_research();
        return;
    }
    if (!strcmp(name, "Hash")) {
        const int size = value ? atoi(value) : 0;
        if (size < 1 || size > 4096) printf("info string Hash is 1 to 4096\n");
        else if (!set_hash(size)) printf("info string there is no memory for a table of %d MiB\n", size);
    } else {
        printf("info string no such option: %s\n", name);
    }
}

/* Searches fixed positions. The number of nodes is a fingerprint of the search. */
static void bench(int depth) {
    static const char *const positions[] = {
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1BN2N2/PP3PPP/R1BQR1K1 b - - 3 13",
        "2rr2k1/pb3ppp/1p2pn2/8/2P5/1P2PN2/PB3PPP/2RR2K1 w - - 0 19",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5pk1/6p1/3R3p/p6P/5PP1/r4PK1/8 w - - 0 40",
        "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 50",
    };
    uint64_t nodes = 0;
    const int64_t start = now();
    for (size_t i = 0; i < sizeof positions / sizeof *positions; ++i) {
        const Limits limits = { depth, UINT64_MAX, 0, 0, NULL };
        clear_tables();
        set_position(positions[i]);
        think(&game, limits, true);
        nodes += node_count;
    }
    printf("%" PRIu64 " nodes %" PRIu64 " nps\n", nodes, nodes * 1000 / (uint64_t)(now() - start + 1));
    clear_tables();
    set_position(START);
}

static void obey(char *command) {
    char *rest = strchr(command, ' ');
    if (rest) *rest++ = 0;
    else rest = command + strlen(command);
    if (!strcmp(command, "uci")) {
        printf("id name Example\nid author the lmrlab authors\noption name Hash type spin default 16 min 1 max 4096\n");
        lmr_print_options();
        printf("uciok\n");
    } else if (!strcmp(command, "isready")) {
        printf("readyok\n");
    } else if (!strcmp(command, "ucinewgame")) {
        clear_tables();
    } else if (!strcmp(command, "position")) {
        position(rest);
    } else if (!strcmp(command, "go")) {
        go(rest);
    } else if (!strcmp(command, "setoption")) {
        set_option(rest);
    } else if (!strcmp(command, "bench")) {
        bench(*rest ? atoi(rest) : BENCH_DEPTH);
    } else if (!strcmp(command, "perft")) {
        printf("%" PRIu64 "\n", perft(&game.board, atoi(rest)));
    } else if (!strcmp(command, "quit")) {
        quitting = true;
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    init_chess();
    init_eval();
    if (!init_search() || !set_hash(16)) return 1;
    check_research();
    set_position(START);
    setvbuf(stdin, NULL, _IONBF, 0); /* so that poll sees all that is not yet read */
    if (argc > 1) {
        snprintf(line, sizeof line, "%s %s", argv[1], argc > 2 ? argv[2] : "");
        obey(line);
        return 0;
    }
    while (!quitting && (waiting || read_line())) {
        static char command[LINE_SIZE];
        waiting = false;
        strcpy(command, line);
        obey(command);
    }
    return 0;
}
