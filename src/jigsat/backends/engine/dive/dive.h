/* Random depth-first search for one model of constraints between variables: `dive_step` in `dive.c` describes it. */

#ifndef JIGSAT_ENGINE_DIVE_H
#define JIGSAT_ENGINE_DIVE_H

#include "common/problem.h"

typedef struct Dive Dive;

typedef enum {
    DIVE_WORKING, /* the step is over */
    DIVE_FOUND,   /* `dive_value` gives a model */
    DIVE_NONE,    /* there is no model */
} DiveState;

/* The constraints are given as numbers, one after the other: clauses of one length as their length, their number, and all their
   literals; any other as -1, its length, the least and the greatest number of true literals, and its literals. The variables are numbered from 1; `decisions` are those on
   which the search branches. Returns NULL and a status if there is not enough memory, or if the numbers are wrong. The numbers are
   copied; free the search with `dive_free`, which accepts NULL. */
Dive *dive_new(int variables, const int *numbers, int count, const int *decisions, int decided, EngineStatus *status);
void dive_free(Dive *dive);

/* Search until about `work` further literals have been assigned. After DIVE_FOUND and DIVE_NONE, do not continue. */
DiveState dive_step(Dive *dive, uint64_t work);

/* Whether a variable is true in the model. */
int dive_value(const Dive *dive, int variable);

#endif
