/* How many solutions have each option: one pass down the stored states.

   The solutions with an option of a state are the ways to the state, times the completions after the option, which the search has
   stored. States are visited in the order of their first open items, which each option increases. So a state comes after all
   states from which it is reached. */

#include "count/inner.h"

#define HALF (WORD_BITS / 2)
#define LOW (((Word)1 << HALF) - 1)

static inline Word half_of(const Word *words, int at) {
    return words[at / 2] >> (at % 2 * HALF) & LOW;
}

/* Add a product to a sum, half a word at a time. The last word of `b` is not 0, and no sum exceeds the number of all solutions. */
static void add_product(Word *sum, const Word *a, int a_length, const Word *b, int b_length) {
    const int halves = 2 * b_length - !(b[b_length - 1] >> HALF);
    for (int i = 0; i < 2 * a_length; i++) {
        const Word digit = half_of(a, i);
        Word carry = 0;
        for (int j = 0; digit && (j < halves || carry); j++) {
            const int shift = (i + j) % 2 * HALF;
            carry += half_of(sum, i + j) + (j < halves ? digit * half_of(b, j) : 0);
            sum[(i + j) / 2] = (sum[(i + j) / 2] & ~(LOW << shift)) | (carry & LOW) << shift;
            carry >>= HALF;
        }
    }
}

/* Add the solutions with each option of the state at a level, and the ways to the states after it. */
static void pass_on(Count *c, int level, const Word *ways_here, Word *ways, Word *numbers) {
    static const Word one = 1;
    const int item = c->frames[level].item;
    const int limbs = c->result_length;
    for (int option = c->first[item]; option < c->first[item + 1]; option++) {
        int length;
        long long slot;
        const Word *completions = count_choice(c, level, option, &length, &slot);
        if (length) {
            add_product(numbers + (size_t)c->number[option] * (size_t)limbs, ways_here, limbs, completions, length);
        }
        if (length && slot >= 0) {
            add_product(ways + (size_t)slot * (size_t)limbs, ways_here, limbs, &one, 1);
        }
    }
}

/* The slots in use, in the order of the first open items of their states. `start` has room for two words more than items. */
static void sort_slots(const Count *c, Word *order, Word *start) {
    for (size_t i = 0; i < c->capacity; i++) {
        if (c->slots[i]) {
            start[first_open(c, entry_at(c, c->slots[i])) + 1]++;
        }
    }
    for (int item = 0; item < c->items; item++) {
        start[item + 1] += start[item];
    }
    for (size_t i = 0; i < c->capacity; i++) {
        if (c->slots[i]) {
            order[start[first_open(c, entry_at(c, c->slots[i]))]++] = i;
        }
    }
}

int count_occurrences(Count *c, Word *numbers) {
    const size_t limbs = (size_t)c->result_length;
    const int level = c->items; /* a row that no state on the way to a solution uses */
    if (c->depth >= 0 || limbs == 0) {
        return 1;
    }
    const size_t size = (c->capacity + 1) * limbs + c->used + (size_t)c->items + 2;
    Word *ways = count_reserve(c, size);
    if (!ways) {
        return 0;
    }
    Word *begin = ways + c->capacity * limbs;
    Word *order = begin + limbs;
    sort_slots(c, order, order + c->used);
    *begin = 1;
    if (c->items) {
        pass_on(c, 0, begin, ways, numbers);
    }
    for (size_t i = 0; i < c->used; i++) {
        const Word *state = entry_at(c, c->slots[order[i]]);
        for (int w = 0; w < c->width; w++) {
            c->states[(size_t)level * (size_t)c->width + (size_t)w] = state[w];
        }
        c->frames[level].item = first_open(c, state);
        pass_on(c, level, ways + order[i] * limbs, ways, numbers);
    }
    engine_free(ways);
    c->memory -= size * sizeof(Word);
    return 1;
}
