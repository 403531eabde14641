/* A host that the tests drive. It fills every fact of the catalogue, a flag and a number of its own.
 *
 *   driver ask POLICY CHANGES INPUT OUTPUT    reads moves in binary, and writes what the policy says of them
 *   driver options             prints the options; then sets each line of its input, `Name value`, and says what is in force
 *   driver search MOVES        plays a search with traces and shadow searches; some copies crash or leave their move
 *   driver change              traces a move, changes an option, and traces another
 *   driver facts WORDS         lmr_init with these facts
 *   driver scaled WORDS VALUE  the bits of this `see`, with its factor
 */
#define LMRLAB_IMPLEMENTATION
#include "lmrlab.h"

static char every_fact[2048];

static void fill_names(void) {
    for (int id = 0; id < LMR_FACTS; ++id) {
        if (lmr_is_given(id)) continue;
        strcat(every_fact, lmr_names[id]);
        strcat(every_fact, " ");
    }
    strcat(every_fact, "flag:blue number:mood*2");
}

/* A move of the input: its booleans as bits, and its numbers; then facts of an engine's own, which are not read. */
static struct { uint64_t flags; double numbers[LMR_NUMBERS]; uint64_t own_flags; double own_numbers[16]; } row;

static void fill(lmr_move *m) {
#define FILL_FLAG(name) LMR_FLAG(m, name, row.flags >> LMR_##name & 1);
#define FILL_NUMBER(name) LMR_NUMBER(m, name, row.numbers[LMR_##name - LMR_BOOLEANS]);
    LMR_BOOLEAN_FACTS(FILL_FLAG)
    LMR_NUMBER_FACTS(FILL_NUMBER)
}

static int ask(const char *policy, const char *changes, const char *from, const char *to) {
    FILE *input = fopen(from, "rb"), *output = fopen(to, "wb");
    if (!input || !output) return 3;
    lmr_setoption("LmrParams", changes);
    lmr_setoption("LmrPolicy", policy);
    if (!lmr_policy()) return 4;
    while (fread(&row, sizeof row, 1, input) == 1) {
        lmr_move m;
        int16_t plies;
        signed char answer[2];
        lmr_open(&m, NULL);
        fill(&m);
        plies = (int16_t)lmr_reduction(&m);
        answer[0] = m.late;
        answer[1] = (signed char)lmr_depth_change(&m, (int)row.numbers[LMR_score - LMR_BOOLEANS], (int)row.numbers[LMR_best_score - LMR_BOOLEANS]);
        fwrite(&plies, sizeof plies, 1, output);
        fwrite(answer, sizeof answer, 1, output);
    }
    return fclose(output) != 0;
}

static int options(void) {
    static char line[70000];
    static lmr_move unsampled;
    lmr_print_options();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, ' ');
        if (value) *value++ = 0;
        if (!lmr_setoption(line, value)) printf("unknown %s\n", line);
        lmr_open(&unsampled, NULL);
        if (lmr_policy())
            printf("ladder %d trigger %d above %d reduction %d history %d feedback %d wants see %d mood %d blue %d\n", lmr_ladder(), lmr_trigger(),
                lmr_ladder_above(), lmr_ladder_reduction(), lmr_updates_history(), lmr_threat_feedback(), LMR_WANTS(&unsampled, see),
                lmr_wants_own_number(&unsampled, 0), lmr_wants_own_flag(&unsampled, 0));
        fflush(stdout);
    }
    return 0;
}

/* The reductions of moves inside a shadow search, which the trace shows as nodes. */
static uint64_t reductions_inside(void) {
    uint64_t sum = 0, random = 7;
    for (int i = 0; i < 10; ++i) {
        lmr_move m;
        if (lmr_open(&m, &random)) {
            row.numbers[LMR_depth - LMR_BOOLEANS] = 12;
            row.numbers[LMR_moves_searched - LMR_BOOLEANS] = 20;
            fill(&m);
        }
        if (m.sampled) sum += 1000000;
        if (lmr_policy()) sum += (uint64_t)lmr_reduction(&m);
        lmr_close(&m, 1, 0, 1);
    }
    return sum;
}

static int search(int moves) {
    uint64_t random = 1;
    printf("before\n"); /* stays in the buffer when the process is copied */
    for (int i = 0; i < moves; ++i) {
        lmr_move m;
        if (i % 100 == 0) lmr_new_search();
        memset(&row, 0, sizeof row);
        row.flags = (uint64_t)i;
        row.numbers[LMR_depth - LMR_BOOLEANS] = 3 + i % 20;
        row.numbers[LMR_moves_searched - LMR_BOOLEANS] = i % 30;
        row.numbers[LMR_move_number - LMR_BOOLEANS] = 1 + i % 30;
        row.numbers[LMR_see - LMR_BOOLEANS] = -i;
        if (lmr_open(&m, &random)) {
            fill(&m);
            lmr_own_flag(&m, 0, i % 3 == 0);
            lmr_own_flag(&m, 99, true);
            lmr_own_number(&m, 0, 0.5 * i);
            lmr_own_number(&m, -1, 1);
            if (lmr_wants_position(&m)) lmr_position(&m, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2");
        }
        if (lmr_policy()) {
            lmr_reduction(&m);
        } else {
            m.reduction = i % 5 - 1;
            m.late = i % 5 != 0;
        }
        if (lmr_shadow(&m)) {
            printf("a copy must not be heard\n");
            fflush(stdout);
            if (!lmr_is_copy()) return 4;
            if (i % 5 == 0) abort();
            if (i % 10 == 1) lmr_new_search();
            if (i % 10 == 2) lmr_setoption("Hash", "1");
            if (i % 10 == 3) lmr_close(&m, 1, 0, 1);
            lmr_judged(&m, i % 2, reductions_inside());
            return 4;
        }
        lmr_result(&m, i % 7 == 0, i % 11 == 0 ? (uint64_t)1 << 40 : (uint64_t)i);
        lmr_close(&m, 3 + i % 20 - 1, i % 3, (uint64_t)2 * (uint64_t)i);
    }
    printf("after\n");
    return 0;
}

static int change(void) {
    uint64_t random = 1;
    for (int i = 0; i < 2; ++i) {
        lmr_move m;
        lmr_open(&m, &random);
        lmr_close(&m, 1, 0, 1);
        if (i == 0) lmr_setoption("LmrShadow", "policy");
    }
    return 0;
}

int main(int count, char **words) {
    if (count == 3 && !strcmp(words[1], "facts")) return lmr_init("facts", words[2]) ? 0 : 1;
    if (count == 4 && !strcmp(words[1], "scaled")) {
        lmr_move m;
        uint64_t bits;
        if (!lmr_init("facts", words[2])) return 1;
        m.wanted_numbers = UINT64_MAX;
        LMR_NUMBER(&m, see, strtod(words[3], NULL));
        memcpy(&bits, &m.numbers[LMR_see - LMR_BOOLEANS], sizeof bits);
        printf("%016llx", (unsigned long long)bits);
        return 0;
    }
    fill_names();
    if (!lmr_init("Driver 1.0", every_fact)) return 2;
    if (count == 6 && !strcmp(words[1], "ask")) return ask(words[2], words[3], words[4], words[5]);
    if (count == 2 && !strcmp(words[1], "options")) return options();
    if (count == 2 && !strcmp(words[1], "change")) return change();
    if (count == 3 && !strcmp(words[1], "search")) return search(atoi(words[2]));
    return 2;
}
