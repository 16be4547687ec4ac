/* The data of a counting search, for the files that implement it. A state is described at the top of count.c. */

#ifndef JIGSAT_ENGINE_COUNT_INNER_H
#define JIGSAT_ENGINE_COUNT_INNER_H

#include "count/count.h"

#define CHUNK_WORDS ((size_t)1 << 16)
#define OFFSET_BITS 40 /* of a slot; the rest is part of the hash */
#define LONG_VALUE ((Word)1 << 63)

/* The bits of a state that hold the number of chosen options of a bound. */
typedef struct {
    int word;
    int shift;
    Word mask;
    Word least;
    Word most;
    Word cap; /* greater numbers are equivalent */
    int last; /* position of the last item from which an option of the bound can be chosen; -1 if there is none */
} Field;

/* A level of the search: a state, the options to try from it, and the number counted so far. */
typedef struct {
    int item;
    int option; /* the next option to try, as a position in the order by first items */
    int live;   /* whether any option could be chosen */
    int length; /* words of the number */
    Word hash;
} Frame;

struct Count {
    int options; /* without those in no item */
    int all_options;
    int items;
    int bounds;
    int width;      /* words of a state */
    int limbs;      /* maximum words of a number */
    int *number;    /* of each option its number in the problem */
    int *first;     /* options first[i] to first[i + 1] - 1 are those whose first item is i */
    Word *masks;    /* ROWS rows for each option */
    int *counted;   /* entries counted[o] to counted[o + 1] - 1 of `field_of` are the bounds of option o */
    int *field_of;
    Field *field;
    int *ending;    /* bounds ending[end[i + 1]] to ending[end[i + 2] - 1] can get no options from items after i */
    int *end;
    Word *relevant; /* a row for each item: the relevant bits when it is the first open one */
    Word *states;   /* a row for each level */
    Word *numbers;  /* the same for the numbers */
    Frame *frames;
    int depth; /* -1 at the end */
    Word *slots;
    size_t capacity; /* slots, a power of two */
    size_t used;
    Word **chunks;
    size_t chunk_count;
    size_t most_chunks;
    size_t top; /* words used in the last chunk */
    size_t memory;
    size_t limit;
    int result_length;
    uint64_t nodes;
    uint64_t hits;
    Word *near;  /* for each item its neighbours, a row of `item_width` words; NULL if regions are not checked */
    Word *local; /* the items that have neighbours */
    Word *rest;  /* temporary row */
    Word *edge;  /* temporary row */
    int item_width;
    int unit; /* divides the number of items of every region that can be covered */
    uint64_t looks; /* number of checks of regions */
    uint64_t misfits;
};

/* The effect of an option on a state: bits that must be set and are then cleared (its items), bits to compare (these and the ones
   that forbid it), bits to keep, bits to set. */
enum { NEED, CARE, KEEP, SET, ROWS };

ALWAYS_INLINE Word *mask_of(const Count *c, int option, int row) {
    return c->masks + ((size_t)option * ROWS + (size_t)row) * (size_t)c->width;
}

static inline void set_bit(Word *bits, int bit) {
    bits[bit / WORD_BITS] |= (Word)1 << bit % WORD_BITS;
}

/* The first open item of a state; `items` if none is open. */
static inline int first_open(const Count *c, const Word *state) {
    for (int w = 0; w * WORD_BITS < c->items; w++) {
        Word open = state[w];
        if ((w + 1) * WORD_BITS > c->items) {
            open &= ((Word)1 << c->items % WORD_BITS) - 1; /* other bits follow in the same word */
        }
        if (open) {
            return w * WORD_BITS + lowest_bit(open);
        }
    }
    return c->items;
}

/* Remove the region of the lowest item from `rest` and return its number of items. */
static inline int take_region(const Count *c, int word) {
    const int width = c->item_width;
    int size = 0;
    c->edge[word] = c->rest[word] & (~c->rest[word] + 1);
    c->rest[word] &= ~c->edge[word];
    for (int w = word; w < width;) {
        if (!c->edge[w]) {
            w++;
            continue;
        }
        const Word *near = c->near + (size_t)(w * WORD_BITS + lowest_bit(c->edge[w])) * (size_t)width;
        c->edge[w] &= c->edge[w] - 1;
        size++;
        for (int v = width - 1; v >= 0; v--) {
            const Word new = near[v] & c->rest[v];
            c->rest[v] &= ~new;
            c->edge[v] |= new;
            w = new && v < w ? v : w;
        }
    }
    return size;
}

/* ---- memoised states: states.c ---- */

static inline Word hash_state(const Word *state, int width) {
    Word hash = 0x9e3779b97f4a7c15u;
    for (int w = 0; w < width; w++) {
        hash = (hash ^ state[w]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    hash *= 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 29;
}

static inline Word *entry_at(const Count *c, Word slot) {
    const size_t offset = (size_t)((slot & (((Word)1 << OFFSET_BITS) - 1)) - 1);
    return c->chunks[offset / CHUNK_WORDS] + offset % CHUNK_WORDS;
}

/* The slot of a stored state; -1 if the state is new. */
static inline long long find_slot(const Count *c, const Word *state, Word hash) {
    const Word tag = hash >> OFFSET_BITS;
    for (size_t i = (size_t)hash & (c->capacity - 1);; i = (i + 1) & (c->capacity - 1)) {
        const Word slot = c->slots[i];
        if (!slot) {
            return -1;
        }
        if (slot >> OFFSET_BITS != tag) {
            continue;
        }
        const Word *entry = entry_at(c, slot);
        int w = 0;
        while (w < c->width && entry[w] == state[w]) {
            w++;
        }
        if (w == c->width) {
            return (long long)i;
        }
    }
}

/* The number that is stored in a slot: its words and their count. */
static inline const Word *number_at(const Count *c, long long slot, int *length) {
    const Word *value = entry_at(c, c->slots[slot]) + c->width;
    *length = *value & LONG_VALUE ? (int)(*value - LONG_VALUE) : *value != 0;
    return *value & LONG_VALUE ? value + 1 : value;
}

/* Allocate words; NULL if the memory limit does not allow it. */
Word *count_reserve(Count *search, size_t words);

/* Allocate rows of words; NULL without memory. */
Word *count_reserve_rows(Count *search, int rows, int columns);

/* Double the table of states. Returns 0 if the memory is full. */
int count_grow_table(Count *search);

/* Store the number of a level. Returns 0 if the memory is full. */
int count_remember(Count *search, int level);

/* ---- the search: count.c ---- */

/* Begin: all items are open, no literal is set, and no option is chosen. */
void count_start(Count *search);

/* After the search: choose an option at a level and look up the number of solutions that contain the options chosen at the levels
   up to this one. The option is given as a position in the order by first items. Returns the words of the number and their count;
   a count of 0 if there is no such solution. `slot` is that of the state after it; -1 if no state is stored. */
const Word *count_choice(Count *search, int level, int option, int *length, long long *slot);

/* ---- regions: regions.c ---- */

/* Let the search no longer check regions. */
void count_forget_regions(Count *search);

#endif
