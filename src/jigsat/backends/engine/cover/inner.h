/* The data of a search for exact covers, for the files that implement it. The search is described at the top of cover.c. */

#ifndef JIGSAT_ENGINE_COVER_INNER_H
#define JIGSAT_ENGINE_COVER_INNER_H

#include "cover/cover.h"

/* The bits of an item or of a bound: whole words from the first one on, and the bits of the mask in the last word. */
typedef struct {
    int first;
    int words;
    Word mask;
} Span;

typedef struct {
    int least;
    int most;
    int taken; /* options chosen so far */
} Bound;

/* A level of the search: the item that it branches on, and the position among the item's options. */
typedef struct {
    int item;
    int word;  /* the word of the item with the next option */
    Word left; /* the bits of this word that remain to be tried */
    int open;  /* the number of items that are open here */
    int tried; /* whether an option is chosen at this level */
} Level;

struct Cover {
    int options;
    int items;
    int bounds;
    int width;       /* words of a bit set */
    Word *conflicts; /* one row for each option: the bits that it removes, its own included */
    Word *alive;     /* one row for each level: the options left */
    Word *looked;    /* one row for each level: the options left at the last check of their item */
    Word *common;    /* temporary row */
    Span *span;      /* of each item, then of each bound */
    Bound *bound;
    int *option_at; /* the option of each bit */
    int *start;     /* entries start[o] to start[o + 1] - 1 of the next two are the sets and bits of option o */
    int *set;
    int *bit;
    int *order; /* all items, the open ones first */
    int *place; /* its inverse */
    int open;
    Level *level;
    int *chosen; /* one option for each level */
    int depth;   /* -1 at the end */
    int size;    /* of the last solution */
    int begun;
    uint64_t nodes;
};

/* Word j of an item. */
ALWAYS_INLINE Word part(const Span *span, const Word *bits, int j) {
    const Word mask = j == span->words - 1 ? span->mask : ~(Word)0;
    return bits[span->first + j] & mask;
}

/* The number of remaining options of an item. */
ALWAYS_INLINE int left_of(const Span *span, const Word *alive) {
    const Word *words = alive + span->first;
    const int last = span->words - 1;
    int count = count_bits(words[last] & span->mask);
    for (int j = 0; j < last; j++) {
        count += count_bits(words[j]);
    }
    return count;
}

/* The option of the lowest bit in `bits`, which is word j of an item. */
ALWAYS_INLINE int option_of(const Cover *s, const Span *span, int j, Word left) {
    return s->option_at[(span->first + j) * WORD_BITS + lowest_bit(left)];
}

ALWAYS_INLINE void clear_bits(const Cover *s, Word *bits, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        bits[s->bit[i] / WORD_BITS] &= ~((Word)1 << s->bit[i] % WORD_BITS);
    }
}

/* Clear all bits of each option of a set that is left in `left`. */
ALWAYS_INLINE void clear_set(const Cover *s, Word *bits, const Span *span, const Word *left) {
    for (int j = 0; j < span->words; j++) {
        for (Word rest = part(span, left, j); rest; rest &= rest - 1) {
            clear_bits(s, bits, option_of(s, span, j, rest));
        }
    }
}

/* Whether a list of options is ascending and within range. */
EngineStatus cover_check(const Cover *search, const int *options, int count);

/* The state before the search: all items are open, and all options remain except those in no item and those of bounds that allow
   none. */
void cover_reset(Cover *search);

/* Enter the level `depth` after the option chosen at the previous level. Returns 1 if this is a solution. */
int cover_enter(Cover *search);

/* Take an option out of the bounds in which it was counted. */
void cover_leave(Cover *search, int option);

#endif
