/* Reads broken policies, LmrParams and option values, and runs what is accepted. Built with sanitizers.
 *
 *   fuzz FIRST COUNT FILES..    COUNT mutations of the files, from the seed FIRST on; prints how many were accepted
 *
 * With -DLIBFUZZER and -fsanitize=fuzzer it is a target of libFuzzer instead: the bytes of a policy, then, after a byte 0,
 * LmrParams. */
#define _POSIX_C_SOURCE 200809L
#define LMRLAB_IMPLEMENTATION
#include "lmrlab.h"

static char facts[2048];

static void begin(void) {
    for (int id = 0; id < LMR_FACTS; ++id)
        if (!lmr_is_given(id)) strcat(strcat(facts, lmr_names[id]), " ");
    strcat(facts, "flag:blue number:mood*2");
    if (!lmr_init("fuzz", facts)) abort();
    strcpy(lmr_l.path, "fuzz");
}

static void require(bool holds) {
    if (!holds) abort();
}

/* What lmr_run relies on. */
static void check_code(void) {
    require(lmr_p.used <= LMR_CODE);
    for (uint32_t k = 0; k < lmr_p.used; ++k) {
        const lmr_op *o = &lmr_p.code[k];
        require(o->op <= LMR_OP_END);
        if (lmr_is_jump(o->op)) require(o->to > k && o->to < lmr_p.used);
        switch (o->op) {
        case LMR_OP_NUMBER: case LMR_OP_NEG_NUMBER: case LMR_OP_LN_NUMBER: require(o->arg < LMR_SLOTS); break;
        case LMR_OP_TEST: require(o->arg < LMR_SLOTS && o[1].op == LMR_OP_SECOND); break;
        case LMR_OP_FLAG: case LMR_OP_NOT_FLAG: case LMR_OP_UNLESS_FLAG: case LMR_OP_IF_FLAG: require(o->arg < LMR_BOOLEANS + LMR_OWN); break;
        case LMR_OP_SELECT: require(o->arg < LMR_BOOLEANS + LMR_OWN && o[1].op == LMR_OP_SECOND); break;
        case LMR_OP_TABLE: require(lmr_p.rows > 0 && lmr_p.columns > 0); break;
        default: break;
        }
    }
    require(lmr_p.code[lmr_p.used - 1].op == LMR_OP_END);
    require(lmr_p.tabulated <= LMR_TABLE_NUMBERS && lmr_p.rule_count <= LMR_MAX_RULES && lmr_p.bonus_count <= LMR_MAX_RULES);
    require(lmr_p.rows * lmr_p.columns <= LMR_MAX_CELLS);
}

static uint64_t state;
static uint64_t next(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static size_t below(size_t limit) { return (size_t)(next() % limit); }

/* Moves of all kinds, with numbers that no engine should give. */
static void ask(void) {
    const double odd[] = { 0, -1, 1, 63, 64, 0.5, 255, 256, -0.0, 1e9, -3e9, 1e300, -1e308, HUGE_VAL, -HUGE_VAL, (double)NAN, 5e-324 };
    for (int i = 0; i < 6; ++i) {
        lmr_move m;
        int plies, change;
        lmr_open(&m, NULL);
        m.flags = next();
        for (int slot = 0; slot < LMR_SLOTS; ++slot) m.numbers[slot] = below(4) ? (double)below(70) : odd[below(sizeof odd / sizeof *odd)];
        plies = lmr_reduction(&m);
        require(plies >= -272 && plies <= 256 && (m.late || plies == 0));
        change = lmr_depth_change(&m, (int)next(), (int)next());
        require(change >= -1 && change <= 1);
    }
}

/* Whether the bytes are a policy. */
static bool try_policy(const char *bytes, size_t size, const char *parameters) {
    FILE *file;
    bool good;
    lmr_copy(lmr_l.overrides, sizeof lmr_l.overrides, parameters, strlen(parameters));
    lmr_l.error[0] = 0;
    if (!size) return false;
    file = fmemopen((void *)bytes, size, "rb");
    if (!file) abort();
    good = lmr_read_file(file);
    fclose(file);
    require(good == lmr_shared.policy && good == !*lmr_l.error);
    for (int i = 0; i <= LMR_MAX_WORDS + 1; ++i) require(!lmr_marks[i].height && !lmr_marks[i].jumps);
    if (good) {
        check_code();
        ask();
    }
    return good;
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[1 << 16];
    const char *end;
    if (!*facts) begin();
    if (size >= sizeof text) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    end = (const char *)memchr(text, 0, size + 1);
    state = size;
    try_policy(text, (size_t)(end - text), end < text + size ? end + 1 : "");
    return 0;
}
#else
enum { SIZE = 1 << 18, FILES = 64 };
static char files[FILES][SIZE], text[2 * SIZE];
static size_t sizes[FILES];

static void replace(size_t *size, size_t at, size_t length, const char *by) {
    size_t added = strlen(by);
    if (at + length > *size || *size - length + added > sizeof text) return;
    memmove(text + at + added, text + at + length, *size - at - length);
    memcpy(text + at, by, added);
    *size += added - length;
}

/* One change at a random place: bytes, a word, or a line. */
static void mutate(size_t *size) {
    static const char *const words[] = { "", "+", "-", "*", "/", "%", "<", ">=", "==", "!=", "min", "max", "pow", "table", "dup", "drop", "neg", "not", "abs",
        "floor", "round", "sqrt", "ln", "log2", "exp", "?1", "?2", "?0", ":1", ":2", ":0", "&1", "&2", "|1", "|3", "?16384", "&99999999999", "@base", "@", "so_far",
        "depth", "pv", "see", "score", "reduction", "mood", "blue", "0", "1", "-1", "1e22", "1e999", "0x7ff0000000000000", "0x0010000000000000",
        "9007199254740993", "0.00000000000000000000001", "-", ".", "1.", "rule x on", "\nstop\n", "\nend\n", "\r\n", "\n", "  ", "flags +pv", "when 1", "none",
        "min=-256", "scale=100", "round=floor", "on", "off", "own flag blue", "own number mood", "own number nobody", "columns 3", "row 1 2 3", "units host", "\xff" };
    size_t at = below(*size), end = at;
    while (at && text[at - 1] != ' ' && text[at - 1] != '\n') --at;
    while (end < *size && text[end] != ' ' && text[end] != '\n') ++end;
    switch (below(20)) {
    case 0: text[below(*size)] = (char)next(); break;
    case 1: text[below(*size)] ^= (char)(1 << below(8)); break;
    case 2: case 3: case 4: case 5: replace(size, at, end - at, words[below(sizeof words / sizeof *words)]); break;
    case 6: case 7: replace(size, at, 0, words[below(sizeof words / sizeof *words)]); break;
    case 8: case 9: case 10: {
        char word[32];
        snprintf(word, sizeof word, "%c%d ", "?:&|"[below(4)], (int)below(12));
        replace(size, at, 0, word);
        break;
    }
    case 11: case 12: replace(size, at, end - at + 1, ""); break;
    case 13: case 14: case 15: case 16: case 17: {
        /* A line: twice, or left out. */
        static char line[4096];
        size_t length;
        while (at && text[at - 1] != '\n') --at;
        for (length = 0; at + length < *size && text[at + length] != '\n'; ++length) {}
        if (length + 2 > sizeof line) break;
        memcpy(line, text + at, length);
        line[length] = '\n';
        line[length + 1] = 0;
        replace(size, at, below(2) ? 0 : length + 1, below(2) ? line : "");
        break;
    }
    default: *size = 1 + below(*size); break;
    }
}

static void random_text(char *to, size_t size) {
    static const char letters[] = "base=0.9,-history+rule pv\xff\t";
    size_t length = below(size);
    for (size_t i = 0; i < length; ++i) to[i] = below(3) ? letters[below(sizeof letters - 1)] : (char)(1 + below(255));
    to[length] = 0;
}

int main(int count, char **words) {
    static char parameters[LMR_MAX_OVERRIDES + 500];
    static const char *const known[] = { "", "base=0.9", "base=0.9,-history", "+history,-history", "base=9", "divisor=2,,", "base", "-", "=", "base=1e", "base=0x3ff0000000000000",
        " base = 1 , -gives-check " };
    static const char *const options[] = { "LmrPolicy", "LmrParams", "LmrTrace", "LmrTraceRate", "LmrShadow", "Hash" };
    unsigned long accepted = 0, total = strtoul(words[2], NULL, 10), first = strtoul(words[1], NULL, 10);
    int files_read = 0;
    for (int i = 3; i < count && files_read < FILES; ++i) {
        FILE *file = fopen(words[i], "rb");
        if (!file) return 2;
        sizes[files_read] = fread(files[files_read], 1, SIZE, file);
        fclose(file);
        ++files_read;
    }
    begin();
    for (unsigned long i = 0; i < total; ++i) {
        size_t size;
        state = (first + i) * 0x2545f4914f6cdd1du;
        if (below(16) == 0) {
            size = 1 + below(600);
            for (size_t k = 0; k < size; ++k) text[k] = (char)next();
        } else {
            int chosen = (int)below((size_t)files_read);
            size = sizes[chosen];
            memcpy(text, files[chosen], size);
            for (size_t changes = below(3) ? 1 : below(6); changes && size; --changes) mutate(&size);
        }
        if (below(4)) *parameters = 0;
        else if (below(2)) strcpy(parameters, known[below(sizeof known / sizeof *known)]);
        else random_text(parameters, below(20) ? 60 : sizeof parameters);
        accepted += try_policy(text, size, parameters);
        if (below(200) == 0) {
            /* Values of options: those that could name a file are too long for one. */
            const char *option = options[below(6)];
            random_text(parameters, sizeof parameters);
            if (strlen(parameters) < 5000 && (!strcmp(option, "LmrPolicy") || !strcmp(option, "LmrTrace"))) continue;
            lmr_setoption(option, parameters);
            lmr_setoption("LmrPolicy", "");
            lmr_setoption("LmrParams", "");
            strcpy(lmr_l.path, "fuzz");
        }
    }
    printf("accepted %lu of %lu\n", accepted, total);
    return 0;
}
#endif
