/* Fills a grid with words: depth-first search for a word in each slot, so that slots agree in the cells that they share. `fill_search`
   in `fill.c` describes it. */

#ifndef JIGSAT_ENGINE_FILL_H
#define JIGSAT_ENGINE_FILL_H

#include "common/problem.h"

typedef struct Fill Fill;

typedef enum {
    FILL_LIMITED, /* the limit is reached */
    FILL_FOUND,   /* `fill_words` gives the words */
    FILL_NONE,    /* there is no fill */
} FillState;

#define LARGEST_LETTER 0x10ffff

/* A grid of slots, and words for them. */
typedef struct {
    int slots;
    int cells;
    int words;
    Lists slot;   /* for each slot its cells in ascending order, numbered from 0; a cell is in at most two slots */
    Lists given;  /* for each cell the letters that it must have: none or one; different ones leave no fill */
    Lists letter; /* for each word its letters, from 0 to LARGEST_LETTER; it fits slots with as many cells */
    int *score;   /* of each word: those with the highest scores come first and are tried first */
    int distinct; /* whether each word may be used once only */
} Grid;

/* A new search. Words without a partner in a crossing slot are removed, until each has one (arc consistency). Copies what it needs of the
   grid. Returns NULL and the reason if that is impossible. */
Fill *fill_new(const Grid *grid, EngineStatus *status);

/* The words that are left for a slot, in any order; `numbers` has room for all words. Returns their number. */
int fill_candidates(const Fill *fill, int slot, int *numbers);

/* Look for a fill in which a slot holds one of its words; or for any, if the slot is -1. In each slot, the first of its preferred
   words that is left is tried first; numbers that are no words of the slot are ignored. Tries up to about the given number of
   words. What failed makes later searches quicker. */
FillState fill_search(Fill *fill, int slot, int word, const Lists *preferred, uint64_t words);

/* The words that the last search tried. */
uint64_t fill_tried(const Fill *fill);

/* The word of each slot in the fill that the last search found. */
void fill_words(const Fill *fill, int *numbers);

/* Free the search and all of its memory. Accepts NULL. */
void fill_free(Fill *fill);

#endif
