/* The data of a counting search, for the files that implement it. A state is described at the top of count.c. */

#ifndef JIGSAT_ENGINE_COUNT_INNER_H
#define JIGSAT_ENGINE_COUNT_INNER_H

#include "count.h"

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

/* After the search: choose an option at a level and look up the number of solutions that contain the options chosen at the levels
   up to this one. The option is given as a position in the order by first items. Returns the words of the number and their count;
   a count of 0 if there is no such solution. */
const Word *count_choice(Count *search, int level, int option, int *length);

#endif
