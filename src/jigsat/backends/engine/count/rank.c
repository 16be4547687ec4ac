/* The solution of a rank ("unranking"), from the numbers that a counting search has stored.

   The solutions with the first option of the first item come first, then those with its second option, and so on at each level. So
   the option that the solution has is the first one for which the numbers of solutions, added up, exceed the rank. */

#include "count/inner.h"

/* Subtract a number from the rank unless it is larger. Returns whether it was subtracted. */
static int subtract(Word *rank, int limbs, const Word *words, int length) {
    for (int i = limbs - 1; i >= 0; i--) {
        const Word word = i < length ? words[i] : 0;
        if (rank[i] > word) {
            break;
        }
        if (rank[i] < word) {
            return 0;
        }
    }
    Word borrow = 0;
    for (int i = 0; i < limbs; i++) {
        const Word word = i < length ? words[i] : 0;
        const Word rest = rank[i] - word;
        const Word next = rank[i] < word || rest < borrow;
        rank[i] = rest - borrow;
        borrow = next;
    }
    return 1;
}

int count_limbs(const Count *c) {
    return c->limbs;
}

int count_items(const Count *c) {
    return c->items;
}

int count_options(const Count *c) {
    return c->all_options;
}

int count_solution(Count *c, const Word *rank, int length, int *options) {
    Word *rest = c->numbers + ((size_t)c->items + 1) * (size_t)c->limbs; /* no level uses this row */
    if (c->depth >= 0 || length < 0 || length > c->limbs) {
        return -1;
    }
    for (int i = 0; i < c->limbs; i++) {
        rest[i] = i < length ? rank[i] : 0;
    }
    if (c->result_length == 0) {
        return -1;
    }
    int size = 0;
    while (c->frames[size].item < c->items) {
        const int item = c->frames[size].item;
        int option = c->first[item];
        int found = 0;
        while (!found) {
            if (option == c->first[item + 1]) {
                return -1;
            }
            int words;
            long long slot;
            const Word *number = count_choice(c, size, option, &words, &slot);
            found = words && !subtract(rest, c->limbs, number, words);
            option += !found;
        }
        options[size++] = c->number[option];
    }
    for (int i = 0; i < c->limbs; i++) { /* the only solution without items */
        if (rest[i]) {
            return -1;
        }
    }
    return size;
}
