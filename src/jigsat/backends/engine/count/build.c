/* A new counting search, from a problem. */

#include "count/build.h"

void count_free(Count *c) {
    if (!c) {
        return;
    }
    for (size_t i = 0; i < c->chunk_count; i++) {
        engine_free(c->chunks[i]);
    }
    engine_free(c->chunks);
    engine_free(c->slots);
    engine_free(c->number);
    engine_free(c->first);
    engine_free(c->masks);
    engine_free(c->counted);
    engine_free(c->field_of);
    engine_free(c->field);
    engine_free(c->ending);
    engine_free(c->end);
    engine_free(c->relevant);
    engine_free(c->states);
    engine_free(c->numbers);
    engine_free(c->frames);
    count_forget_regions(c);
    engine_free(c);
}

static void free_plan(Plan *plan) {
    engine_free(plan->first_item);
    engine_free(plan->position);
    engine_free(plan->occurrences);
    engine_free(plan->common);
    engine_free(plan->irrelevant);
}

/* Sort the options by their first items. */
static EngineStatus sort_options(Count *c, Plan *plan) {
    const Problem *problem = plan->problem;
    c->number = engine_allocate((size_t)problem->options + 1, sizeof(int));
    c->first = engine_allocate((size_t)c->items + 2, sizeof(int));
    plan->first_item = engine_allocate((size_t)problem->options + 1, sizeof(int));
    plan->position = engine_allocate((size_t)problem->options + 1, sizeof(int));
    if (!c->number || !c->first || !plan->first_item || !plan->position) {
        return ENGINE_NO_MEMORY;
    }
    for (int o = 0; o < problem->options; o++) {
        plan->first_item[o] = -1;
        plan->position[o] = -1;
    }
    for (int i = c->items - 1; i >= 0; i--) {
        for (int j = problem->sets.start[i]; j < problem->sets.start[i + 1]; j++) {
            plan->first_item[problem->sets.number[j]] = i;
        }
    }
    for (int o = 0; o < problem->options; o++) {
        if (plan->first_item[o] >= 0) {
            c->first[plan->first_item[o] + 2]++;
            c->options++;
        }
    }
    for (int i = 0; i < c->items; i++) {
        c->first[i + 2] += c->first[i + 1];
    }
    for (int o = 0; o < problem->options; o++) {
        if (plan->first_item[o] >= 0) {
            plan->position[o] = c->first[plan->first_item[o] + 1]++; /* at the end this is the start of the next item */
            c->number[plan->position[o]] = o;
        }
    }
    return ENGINE_OK;
}

/* The literals of the options that can be chosen, in order. Returns NULL without memory. */
static Occurrence *choosable_occurrences(const Plan *plan, int *count) {
    Occurrence *occurrences = problem_occurrences(plan->problem);
    *count = 0;
    for (int i = 0; occurrences && i < plan->problem->literals.start[plan->problem->options]; i++) {
        if (plan->position[occurrences[i].option] >= 0) {
            occurrences[(*count)++] = occurrences[i];
        }
    }
    return occurrences;
}

/* Assign the bits of a state: one for each item, one for each literal that some option has and some option negates, and enough for
   each bound. */
static EngineStatus lay_out(Count *c, Plan *plan) {
    plan->bits = c->items;
    Run run = {0};
    while (next_run(plan->occurrences, plan->count, &run)) {
        if (run.first < run.negative && run.negative < run.end) {
            if (plan->bits > INT_MAX - 2) {
                return ENGINE_TOO_LARGE;
            }
            plan->bits += 2;
        }
    }
    c->field = engine_allocate((size_t)c->bounds + 1, sizeof(Field));
    if (!c->field) {
        return ENGINE_NO_MEMORY;
    }
    for (int i = 0; i < c->bounds; i++) {
        const Lists *sets = &plan->problem->sets;
        Field *field = c->field + i;
        const int size = sets->start[c->items + i + 1] - sets->start[c->items + i];
        const int can_exceed = plan->problem->most[i] < size;
        field->least = (Word)plan->problem->least[i];
        field->most = can_exceed ? (Word)plan->problem->most[i] : (Word)size;
        field->cap = can_exceed ? field->most : field->least < field->most ? field->least : field->most;
        int bits = 1;
        while (field->cap >> bits) {
            bits++;
        }
        if (plan->bits > INT_MAX - WORD_BITS - bits) {
            return ENGINE_TOO_LARGE;
        }
        if (plan->bits % WORD_BITS + bits > WORD_BITS) {
            plan->bits += WORD_BITS - plan->bits % WORD_BITS;
        }
        field->word = plan->bits / WORD_BITS;
        field->shift = plan->bits % WORD_BITS;
        field->mask = ((Word)1 << bits) - 1;
        field->last = -1;
        plan->bits += bits;
    }
    c->width = plan->bits / WORD_BITS + 1;
    return ENGINE_OK;
}

/* The maximum words of a number, which is at most the product over the items of the number of options with this first item. */
static int most_limbs(const Count *c) {
    long long bits = 0;
    for (int i = 0; i < c->items; i++) {
        int options = c->first[i + 1] - c->first[i];
        for (; options; options >>= 1) {
            bits++;
        }
    }
    return (int)(bits / WORD_BITS) + 2;
}

static EngineStatus allocate_all(Count *c, Plan *plan) {
    c->limbs = most_limbs(c);
    if (c->options > INT_MAX / ROWS) {
        return ENGINE_TOO_LARGE;
    }
    c->masks = count_reserve_rows(c, c->options * ROWS, c->width);
    c->relevant = count_reserve_rows(c, c->items + 1, c->width);
    c->states = count_reserve_rows(c, c->items + 2, c->width);
    c->numbers = count_reserve_rows(c, c->items + 2, c->limbs);
    c->frames = engine_allocate((size_t)c->items + 2, sizeof(Frame));
    c->counted = engine_allocate((size_t)c->options + 2, sizeof(int));
    c->ending = engine_allocate((size_t)c->bounds + 1, sizeof(int));
    c->end = engine_allocate((size_t)c->items + 3, sizeof(int));
    c->most_chunks = c->limit / sizeof(Word) / CHUNK_WORDS;
    c->chunks = engine_allocate(c->most_chunks + 1, sizeof(Word *));
    plan->common = count_reserve_rows(c, 1, c->width);
    plan->irrelevant = count_reserve_rows(c, c->items + 1, c->width);
    const int rows = c->masks && c->relevant && c->states && c->numbers && plan->common && plan->irrelevant;
    const int others = c->frames && c->counted && c->ending && c->end && c->chunks;
    return rows && others && count_grow_table(c) ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* The bounds of each option, and the item after which a bound gets no more options. */
static EngineStatus index_bounds(Count *c, const Plan *plan) {
    const Lists *sets = &plan->problem->sets;
    const int begin = sets->start[c->items];
    const int entries = sets->start[c->items + c->bounds] - begin;
    c->field_of = engine_allocate((size_t)entries + 1, sizeof(int));
    if (!c->field_of) {
        return ENGINE_NO_MEMORY;
    }
    for (int j = begin; j < begin + entries; j++) {
        if (plan->position[sets->number[j]] >= 0) {
            c->counted[plan->position[sets->number[j]] + 2]++;
        }
    }
    for (int o = 0; o < c->options; o++) {
        c->counted[o + 2] += c->counted[o + 1];
    }
    for (int i = 0; i < c->bounds; i++) {
        Field *field = c->field + i;
        for (int j = sets->start[c->items + i]; j < sets->start[c->items + i + 1]; j++) {
            const int option = sets->number[j];
            if (plan->position[option] >= 0) {
                c->field_of[c->counted[plan->position[option] + 1]++] = i;
                field->last = plan->first_item[option] > field->last ? plan->first_item[option] : field->last;
            }
        }
    }
    return ENGINE_OK;
}

/* Order the bounds by the items after which they get no more options. Bounds without options come first. */
static void order_bounds(Count *c) {
    for (int i = 0; i < c->bounds; i++) {
        c->end[c->field[i].last + 2]++;
    }
    for (int i = 0; i <= c->items; i++) {
        c->end[i + 1] += c->end[i];
    }
    for (int i = 0; i < c->bounds; i++) {
        c->ending[c->end[c->field[i].last + 1]++] = i;
    }
    for (int i = c->items + 1; i > 0; i--) { /* each is now the start of the next one */
        c->end[i] = c->end[i - 1];
    }
    c->end[0] = 0;
    for (int i = 0; i < c->bounds; i++) {
        const Field *field = c->field + i;
        for (int item = 0; item <= field->last; item++) {
            c->relevant[(size_t)item * (size_t)c->width + (size_t)field->word] |= field->mask << field->shift;
        }
    }
}

static EngineStatus build(Count *c, Plan *plan) {
    EngineStatus status = problem_check(plan->problem, 1);
    if (status != ENGINE_OK) {
        return status;
    }
    c->all_options = plan->problem->options;
    c->items = plan->problem->items;
    c->bounds = plan->problem->bounds;
    status = sort_options(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    plan->occurrences = choosable_occurrences(plan, &plan->count);
    if (!plan->occurrences) {
        return ENGINE_NO_MEMORY;
    }
    status = lay_out(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    status = allocate_all(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    count_mask_options(c, plan);
    status = index_bounds(c, plan);
    if (status != ENGINE_OK) {
        return status;
    }
    order_bounds(c);
    count_start(c);
    return ENGINE_OK;
}

Count *count_new(const Problem *problem, size_t memory, EngineStatus *status) {
    Plan plan = {.problem = problem};
    Count *c = engine_allocate(1, sizeof(Count));
    *status = ENGINE_NO_MEMORY;
    if (c) {
        c->limit = memory;
        *status = build(c, &plan);
    }
    free_plan(&plan);
    if (*status != ENGINE_OK) {
        count_free(c);
        return NULL;
    }
    return c;
}
