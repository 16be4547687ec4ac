/* A new search for exact covers, from a problem. */

#include "cover/inner.h"

static void set_bits(const Cover *s, Word *bits, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        bits[s->bit[i] / WORD_BITS] |= (Word)1 << s->bit[i] % WORD_BITS;
    }
}

void cover_free(Cover *s) {
    if (!s) {
        return;
    }
    engine_free(s->conflicts);
    engine_free(s->alive);
    engine_free(s->looked);
    engine_free(s->common);
    engine_free(s->span);
    engine_free(s->bound);
    engine_free(s->option_at);
    engine_free(s->start);
    engine_free(s->set);
    engine_free(s->bit);
    engine_free(s->order);
    engine_free(s->place);
    engine_free(s->level);
    engine_free(s->chosen);
    engine_free(s);
}

/* Allocate `rows * columns` words; NULL without memory or if the product overflows. */
static Word *allocate_rows(int rows, int columns) {
    if (columns && (size_t)rows + 1 > SIZE_MAX / sizeof(Word) / (size_t)columns) {
        return NULL;
    }
    return engine_allocate(((size_t)rows + 1) * (size_t)columns + 1, sizeof(Word));
}

EngineStatus cover_check(const Cover *s, const int *options, int count) {
    for (int i = 0; i < count; i++) {
        if (options[i] < 0 || options[i] >= s->options) {
            return ENGINE_OUT_OF_RANGE;
        }
        if (i > 0 && options[i] <= options[i - 1]) {
            return ENGINE_NOT_ASCENDING;
        }
    }
    return ENGINE_OK;
}

/* Assign bits to each set. Small sets share a word; a set that does not fit into the rest of a word begins in the next one. */
static EngineStatus lay_out(Cover *s, const Lists *sets) {
    int used = WORD_BITS; /* bits of the last word */
    for (int i = 0; i < s->items + s->bounds; i++) {
        const int size = sets->start[i + 1] - sets->start[i];
        const int words = size ? (size - 1) / WORD_BITS + 1 : 1;
        if (used == WORD_BITS || size > WORD_BITS - used) {
            used = 0;
            s->width++;
        }
        if (s->width > INT_MAX / WORD_BITS - words) {
            return ENGINE_TOO_LARGE;
        }
        const int last = size - (words - 1) * WORD_BITS; /* bits in its last word */
        const Word mask = last == WORD_BITS ? ~(Word)0 : ((Word)1 << last) - 1;
        s->span[i].first = s->width - 1;
        s->span[i].words = words;
        s->span[i].mask = mask << used;
        s->width += words - 1;
        used += last;
    }
    return ENGINE_OK;
}

/* The sets and bits of each option, and the option of each bit. */
static void index_options(Cover *s, const Lists *sets) {
    for (int j = 0; j < sets->start[s->items + s->bounds]; j++) {
        s->start[sets->number[j] + 2]++;
    }
    for (int o = 0; o < s->options; o++) {
        s->start[o + 2] += s->start[o + 1];
    }
    for (int i = 0; i < s->items + s->bounds; i++) {
        const Span *span = s->span + i;
        int bit = span->first * WORD_BITS;
        if (span->words == 1 && span->mask) {
            bit += lowest_bit(span->mask);
        }
        for (int j = sets->start[i]; j < sets->start[i + 1]; j++) {
            const int option = sets->number[j];
            const int at = s->start[option + 1]++; /* at the end start[option + 1] has its final value */
            s->set[at] = i;
            s->bit[at] = bit;
            s->option_at[bit] = option;
            bit++;
        }
    }
}

/* Whether an option is in an item. One in no item is never chosen. */
static int in_items(const Cover *s, int option) {
    const int first = s->start[option];
    return first < s->start[option + 1] && s->set[first] < s->items;
}

/* Let each of two options remove the other. */
static void add_conflict(Cover *s, int one, int other) {
    if (!in_items(s, one) || !in_items(s, other)) {
        return;
    }
    Word *row = s->conflicts + (size_t)one * s->width;
    const int bit = s->bit[s->start[other]];
    if (row[bit / WORD_BITS] >> bit % WORD_BITS & 1) {
        return; /* most pairs occur several times */
    }
    set_bits(s, row, other);
    set_bits(s, s->conflicts + (size_t)other * s->width, one);
}

/* An option removes itself and the other options of its items. */
static void add_item_conflicts(Cover *s, const Lists *sets) {
    for (int i = 0; i < s->items; i++) {
        for (int j = sets->start[i]; j < sets->start[i + 1]; j++) {
            for (int k = sets->start[i]; k <= j; k++) {
                add_conflict(s, sets->number[j], sets->number[k]);
            }
        }
    }
}

/* Options with a literal and its negation remove each other. */
static EngineStatus add_literal_conflicts(Cover *s, const Problem *problem) {
    Occurrence *occurrences = problem_occurrences(problem);
    if (!occurrences) {
        return ENGINE_NO_MEMORY;
    }
    const int count = problem->literals.start[s->options];
    Run run = {0};
    while (next_run(occurrences, count, &run)) {
        for (int p = run.first; p < run.negative; p++) {
            for (int n = run.negative; n < run.end; n++) {
                add_conflict(s, occurrences[p].option, occurrences[n].option);
            }
        }
    }
    engine_free(occurrences);
    return ENGINE_OK;
}

/* The arrays whose sizes the problem gives. */
static int allocate_small(Cover *s, int entries) {
    const size_t items = (size_t)s->items + 1;
    const size_t options = (size_t)s->options + 2;
    s->span = engine_allocate(items + (size_t)s->bounds, sizeof(Span));
    s->bound = engine_allocate((size_t)s->bounds + 1, sizeof(Bound));
    s->start = engine_allocate(options, sizeof(int));
    s->set = engine_allocate((size_t)entries + 1, sizeof(int));
    s->bit = engine_allocate((size_t)entries + 1, sizeof(int));
    s->order = engine_allocate(items, sizeof(int));
    s->place = engine_allocate(items, sizeof(int));
    s->level = engine_allocate(items, sizeof(Level));
    s->chosen = engine_allocate(items, sizeof(int));
    return s->span && s->bound && s->start && s->set && s->bit && s->order && s->place && s->level && s->chosen;
}

/* The arrays whose sizes depend on the layout of the bits. */
static int allocate_large(Cover *s) {
    s->option_at = engine_allocate((size_t)s->width * WORD_BITS + 1, sizeof(int));
    s->conflicts = allocate_rows(s->options, s->width);
    s->alive = allocate_rows(s->items, s->width);
    s->looked = allocate_rows(s->items, s->width);
    s->common = allocate_rows(1, s->width);
    return s->option_at && s->conflicts && s->alive && s->looked && s->common;
}

void cover_reset(Cover *s) {
    for (int i = 0; i < s->items; i++) {
        s->order[i] = i;
        s->place[i] = i;
    }
    s->open = s->items;
    for (int k = 0; k < s->width; k++) {
        s->alive[k] = 0;
        s->looked[k] = 0;
    }
    for (int o = 0; o < s->options; o++) {
        if (in_items(s, o)) {
            set_bits(s, s->alive, o);
        }
    }
    for (int i = 0; i < s->bounds; i++) {
        s->bound[i].taken = 0;
        if (s->bound[i].most == 0) {
            clear_set(s, s->alive, s->span + s->items + i, s->alive);
        }
    }
    s->depth = 0;
    s->begun = 0;
    s->nodes = 0;
}

static void start_search(Cover *s, const Problem *problem) {
    for (int i = 0; i < s->bounds; i++) {
        s->bound[i].least = problem->least[i];
        s->bound[i].most = problem->most[i];
    }
    cover_reset(s);
}

/* Everything except the conflicts. */
static EngineStatus prepare(Cover *s, const Problem *problem) {
    s->options = problem->options;
    s->items = problem->items;
    s->bounds = problem->bounds;
    if (!allocate_small(s, problem->sets.start[s->items + s->bounds])) {
        return ENGINE_NO_MEMORY;
    }
    const EngineStatus status = lay_out(s, &problem->sets);
    if (status != ENGINE_OK) {
        return status;
    }
    if (!allocate_large(s)) {
        return ENGINE_NO_MEMORY;
    }
    index_options(s, &problem->sets);
    start_search(s, problem);
    return ENGINE_OK;
}

static EngineStatus build(Cover *s, const Problem *problem) {
    EngineStatus status = problem_check(problem, 0);
    if (status == ENGINE_OK) {
        status = prepare(s, problem);
    }
    if (status != ENGINE_OK) {
        return status;
    }
    add_item_conflicts(s, &problem->sets);
    return add_literal_conflicts(s, problem);
}

Cover *cover_new(const Problem *problem, EngineStatus *status) {
    Cover *s = engine_allocate(1, sizeof(Cover));
    *status = s ? build(s, problem) : ENGINE_NO_MEMORY;
    if (*status != ENGINE_OK) {
        cover_free(s);
        return NULL;
    }
    return s;
}

/* ---- a search with some of the options of another ---- */

typedef struct {
    Problem problem; /* without literals */
    int *number;     /* for each option of the whole search its number plus 1, or 0 if it is left out */
    Word *first;     /* for each option that is kept one of its bits in the whole search */
} Restriction;

/* Number the options that are kept. */
static void number_kept(const Cover *whole, const int *kept, int count, Restriction *r) {
    for (int i = 0; i < count; i++) {
        r->number[kept[i]] = i + 1;
        if (in_items(whole, kept[i])) {
            const int bit = whole->bit[whole->start[kept[i]]];
            r->first[bit / WORD_BITS] |= (Word)1 << bit % WORD_BITS;
        }
    }
}

/* The items and bounds with the options that are kept. */
static void keep_sets(const Cover *whole, Restriction *r) {
    Lists *sets = &r->problem.sets;
    int at = 0;
    for (int i = 0; i < whole->items + whole->bounds; i++) {
        const Span *span = whole->span + i;
        for (int j = 0; j < span->words; j++) {
            for (Word left = j == span->words - 1 ? span->mask : ~(Word)0; left; left &= left - 1) {
                const int number = r->number[option_of(whole, span, j, left)];
                if (number) {
                    sets->number[at++] = number - 1;
                }
            }
        }
        sets->start[i + 1] = at;
    }
    for (int i = 0; i < whole->bounds; i++) {
        r->problem.least[i] = whole->bound[i].least;
        r->problem.most[i] = whole->bound[i].most;
    }
}

/* The conflicts between the options that are kept. */
static void keep_conflicts(Cover *s, const Cover *whole, const int *kept, const Restriction *r) {
    for (int o = 0; o < s->options; o++) {
        const Word *row = whole->conflicts + (size_t)kept[o] * whole->width;
        for (int k = 0; k < whole->width; k++) {
            for (Word left = row[k] & r->first[k]; left; left &= left - 1) {
                const int other = whole->option_at[(size_t)k * WORD_BITS + lowest_bit(left)];
                set_bits(s, s->conflicts + (size_t)o * s->width, r->number[other] - 1);
            }
        }
    }
}

static EngineStatus restrict_search(Cover *s, const Cover *whole, const int *kept, int count, Restriction *r) {
    const size_t sets = (size_t)whole->items + (size_t)whole->bounds;
    r->problem = (Problem){.options = count, .items = whole->items, .bounds = whole->bounds};
    r->number = engine_allocate((size_t)whole->options + 1, sizeof(int));
    r->first = engine_allocate((size_t)whole->width + 1, sizeof(Word));
    r->problem.sets.start = engine_allocate(sets + 1, sizeof(int));
    r->problem.sets.number = engine_allocate((size_t)whole->start[whole->options] + 1, sizeof(int));
    r->problem.least = engine_allocate((size_t)whole->bounds + 1, sizeof(int));
    r->problem.most = engine_allocate((size_t)whole->bounds + 1, sizeof(int));
    if (!r->number || !r->first || !r->problem.sets.start || !r->problem.sets.number || !r->problem.least || !r->problem.most) {
        return ENGINE_NO_MEMORY;
    }
    EngineStatus status = cover_check(whole, kept, count);
    if (status != ENGINE_OK) {
        return status;
    }
    number_kept(whole, kept, count, r);
    keep_sets(whole, r);
    status = prepare(s, &r->problem);
    if (status == ENGINE_OK) {
        keep_conflicts(s, whole, kept, r);
    }
    return status;
}

Cover *cover_restricted(const Cover *whole, const int *kept, int count, EngineStatus *status) {
    Cover *s = engine_allocate(1, sizeof(Cover));
    Restriction r = {0};
    *status = s ? restrict_search(s, whole, kept, count, &r) : ENGINE_NO_MEMORY;
    engine_free(r.number);
    engine_free(r.first);
    engine_free(r.problem.sets.start);
    engine_free(r.problem.sets.number);
    engine_free(r.problem.least);
    engine_free(r.problem.most);
    if (*status != ENGINE_OK) {
        cover_free(s);
        return NULL;
    }
    return s;
}
