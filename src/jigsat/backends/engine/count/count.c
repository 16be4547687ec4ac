/* Counting exact covers with memoised states (Nishino, Yasuda, Minato and Nagata, Dancing with Decision Diagrams, AAAI 2017).

   A state contains everything on which the number of completions depends:
   - one bit per open item;
   - one bit per literal of a chosen option that some selectable option negates;
   - for each bound, the number of its chosen options.
   Irrelevant bits are cleared, so that states with the same completions are equal. Whole states are compared, not only their
   hashes.

   The search branches on the first open item in the order of the problem, so it only tries options whose first item this is. */

#include "count/inner.h"

#define LOOKS 4096 /* after this many checks, regions are only checked if one check in WORTH found a misfit */
#define WORTH 4

/* Add to the number of a level. There is room for every sum: see `most_limbs`. */
static void add_number(Count *c, int level, const Word *words, int length) {
    Word *sum = c->numbers + (size_t)level * (size_t)c->limbs;
    Frame *frame = c->frames + level;
    Word carry = 0;
    for (int i = 0; i < length || carry; i++) {
        const Word word = i < length ? words[i] : 0;
        const Word partial = sum[i] + carry;
        carry = partial < carry;
        sum[i] = partial + word;
        carry += sum[i] < word;
        if (i >= frame->length && sum[i]) {
            frame->length = i + 1;
        }
    }
}

/* Count an option in its bounds. Returns 0 if a bound is exceeded. */
static int count_in_bounds(const Count *c, Word *state, int option) {
    for (int i = c->counted[option]; i < c->counted[option + 1]; i++) {
        const Field *field = c->field + c->field_of[i];
        const Word taken = (state[field->word] >> field->shift & field->mask) + 1;
        if (taken > field->most) {
            return 0;
        }
        if (taken <= field->cap) {
            state[field->word] += (Word)1 << field->shift;
        }
    }
    return 1;
}

/* Whether the bounds that get no options from the item `to` on, but did from the item `from` on, have enough options. */
static int bounds_reached(const Count *c, const Word *state, int from, int to) {
    for (int i = c->end[from + 1]; i < c->end[to + 1]; i++) {
        const Field *field = c->field + c->ending[i];
        if ((state[field->word] >> field->shift & field->mask) < field->least) {
            return 0;
        }
    }
    return 1;
}

/* Choose an option at a level and compute the state of the next level. Returns 0 if the option cannot be chosen. */
static int choose(Count *c, int level, int option) {
    const int width = c->width;
    const Word *state = c->states + (size_t)level * (size_t)width;
    const Word *need = mask_of(c, option, NEED);
    const Word *care = mask_of(c, option, CARE);
    const Word *keep = mask_of(c, option, KEEP);
    const Word *set = mask_of(c, option, SET);
    Word *next = c->states + (size_t)(level + 1) * (size_t)width;
    for (int w = 0; w < width; w++) {
        if ((state[w] ^ need[w]) & care[w]) {
            return 0;
        }
    }
    for (int w = 0; w < width; w++) {
        next[w] = (state[w] & keep[w]) | set[w];
    }
    if (c->bounds && !count_in_bounds(c, next, option)) {
        return 0;
    }
    const int item = first_open(c, next);
    if (c->bounds && !bounds_reached(c, next, c->frames[level].item, item)) {
        return 0;
    }
    const Word *relevant = c->relevant + (size_t)item * (size_t)width;
    for (int w = 0; w < width; w++) {
        next[w] &= relevant[w];
    }
    c->frames[level + 1].item = item;
    return 1;
}

/* Whether the number of items of each open region is a multiple of `unit`. */
static int regions_fit(Count *c, const Word *state) {
    c->looks++;
    for (int w = 0; w < c->item_width; w++) {
        c->rest[w] = state[w] & c->local[w];
    }
    for (int w = 0; w < c->item_width; w++) {
        while (c->rest[w]) {
            if (take_region(c, w) % c->unit) {
                c->misfits++;
                return 0;
            }
        }
    }
    return 1;
}

/* Begin a level whose state has been computed. */
static void enter(Count *c, int level, Word hash) {
    Frame *frame = c->frames + level;
    Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
    for (int i = 0; i < frame->length; i++) {
        number[i] = 0;
    }
    frame->length = 0;
    frame->option = c->first[frame->item];
    frame->live = 0;
    frame->hash = hash;
    c->depth = level;
    c->nodes++;
}

/* Try the next option of the last level. */
static void try_option(Count *c) {
    static const Word one = 1;
    Frame *frame = c->frames + c->depth;
    const int option = frame->option++;
    if (!choose(c, c->depth, option)) {
        return;
    }
    frame->live = 1;
    if (frame[1].item == c->items) {
        add_number(c, c->depth, &one, 1);
        return;
    }
    const Word *next = c->states + (size_t)(c->depth + 1) * (size_t)c->width;
    const int looking = c->near && (c->looks < LOOKS || c->misfits >= c->looks / WORTH);
    if (looking && !regions_fit(c, next)) {
        return;
    }
    const Word hash = hash_state(next, c->width);
    const long long slot = find_slot(c, next, hash);
    if (slot >= 0) {
        int length;
        const Word *number = number_at(c, slot, &length);
        c->hits++;
        add_number(c, c->depth, number, length);
        return;
    }
    enter(c, c->depth + 1, hash);
}

/* The last level is done: store its number and add it to the previous level. Returns 0 if the memory is full. */
static int leave(Count *c) {
    const int level = c->depth;
    const Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
    const Frame *frame = c->frames + level;
    if (level == 0) {
        c->result_length = frame->length;
        c->depth = -1;
        return 1;
    }
    if (frame->live && !count_remember(c, level)) { /* if no option could be chosen, counting again is faster than storing */
        return 0;
    }
    add_number(c, level - 1, number, frame->length);
    c->depth--;
    return 1;
}

void count_start(Count *c) {
    Frame *frame = c->frames;
    for (int i = 0; i < c->items; i++) {
        set_bit(c->states, i);
    }
    frame->item = first_open(c, c->states);
    c->depth = -1;
    if (!bounds_reached(c, c->states, -1, frame->item)) {
        return;
    }
    if (!c->items) {
        c->numbers[0] = 1;
        c->result_length = 1;
        return;
    }
    enter(c, 0, 0);
}

CountState count_step(Count *c, uint64_t nodes) {
    const uint64_t before = c->nodes;
    while (c->depth >= 0) {
        if (c->nodes - before >= nodes) {
            return COUNT_WORKING;
        }
        const Frame *frame = c->frames + c->depth;
        if (frame->option < c->first[frame->item + 1]) {
            try_option(c);
        } else if (!leave(c)) {
            return COUNT_FULL;
        }
    }
    return COUNT_DONE;
}

const Word *count_choice(Count *c, int level, int option, int *length, long long *slot) {
    static const Word one = 1;
    *length = 0;
    *slot = -1;
    if (!choose(c, level, option)) {
        return NULL;
    }
    if (c->frames[level + 1].item == c->items) {
        *length = 1;
        return &one;
    }
    const Word *next = c->states + (size_t)(level + 1) * (size_t)c->width;
    *slot = find_slot(c, next, hash_state(next, c->width));
    return *slot < 0 ? NULL : number_at(c, *slot, length); /* states without solutions may not be stored */
}

int count_result(const Count *c, const Word **words) {
    *words = c->numbers;
    return c->depth < 0 ? c->result_length : -1;
}

uint64_t count_nodes(const Count *c) {
    return c->nodes;
}

uint64_t count_states(const Count *c) {
    return c->used;
}

uint64_t count_hits(const Count *c) {
    return c->hits;
}

size_t count_memory(const Count *c) {
    return c->memory;
}

double count_found(const Count *c) {
    double found = 0;
    for (int level = 0; level == 0 || level <= c->depth; level++) {
        const Word *number = c->numbers + (size_t)level * (size_t)c->limbs;
        double sum = 0;
        const int length = c->depth < 0 ? c->result_length : c->frames[level].length;
        for (int i = length - 1; i >= 0; i--) {
            sum = sum * 18446744073709551616.0 + (double)number[i];
        }
        found += sum;
    }
    return found;
}

double count_progress(const Count *c) {
    double done = c->depth < 0;
    double part = 1;
    for (int level = 0; level <= c->depth; level++) {
        const Frame *frame = c->frames + level;
        const int first = c->first[frame->item];
        const int number = c->first[frame->item + 1] - first;
        const int below = level < c->depth; /* the option tried last must be repeated */
        if (!number) {
            break;
        }
        part /= number;
        done += part * (frame->option - first - below);
    }
    return done;
}
