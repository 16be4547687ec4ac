/* Depth-first search for a filling of all cells in which as many meetings as possible fit: `best_step` in best.c describes it. */

#ifndef JIGSAT_ENGINE_BEST_H
#define JIGSAT_ENGINE_BEST_H

#include "scan/scan.h"

typedef struct Best Best;

/* A search among the cells of another one, which must suit its constraints and must not be freed before. Returns NULL without memory. */
Best *best_new(const Scan *scan, uint64_t seed);
void best_free(Best *best);

/* Continue for about the given number of nodes, or up to a better filling. Returns whether one was found. */
int best_step(Best *best, uint64_t nodes);

/* Whether there is nothing left to try. */
int best_is_over(const Best *best);

/* The breaks of the best filling: meetings of two cells that do not fit; -1 before the first one. */
int best_breaks(const Best *best);

/* Its true decision variables, and their number. Valid until the next step. */
const int *best_options(const Best *best);
int best_number(const Best *best);

#endif
