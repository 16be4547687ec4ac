/* Building a counting search. */

#ifndef JIGSAT_ENGINE_COUNT_BUILD_H
#define JIGSAT_ENGINE_COUNT_BUILD_H

#include "count/inner.h"

/* Temporary data for building a search. Options are identified by their position in the order by first items. */
typedef struct {
    const Problem *problem;
    int *first_item;  /* of each option of the problem; -1 for one in no item */
    int *position;    /* of each option in the order by first items; -1 for one in no item */
    Occurrence *occurrences;
    int count;        /* of the occurrences */
    int bits;         /* of a state */
    Word *common;     /* room for one row */
    Word *irrelevant; /* a row for each item: literals that are irrelevant when it is closed */
} Plan;

/* Compute the masks of all options, except for the bounds, and the bits that are relevant for items and literals. */
void count_mask_options(Count *search, Plan *plan);

#endif
