/* The number of exact covers of a problem, without listing them: depth-first search that remembers what it counted. */

#ifndef JIGSAT_ENGINE_COUNT_H
#define JIGSAT_ENGINE_COUNT_H

#include "problem.h"

typedef struct Count Count;

typedef enum {
    COUNT_WORKING, /* the nodes are used up; go on with another step */
    COUNT_DONE,    /* the number is known */
    COUNT_FULL,    /* the memory limit is reached; the search cannot go on */
} CountState;

/* A new search that takes at most about `memory` bytes for what it remembers. The search always branches on the first open item,
   in the order of the problem. The order does not change the number, but decides how often states repeat. In bounds, an option
   may be named several times and counts as often. Copies what it needs of the problem. Returns NULL and the reason where that is
   impossible. */
Count *count_new(const Problem *problem, size_t memory, EngineStatus *status);

/* Let the search leave states in which a region of open items cannot be covered. `near` is an undirected graph on some of the items,
   such as the cells of a board: for each item its neighbours. An option must close connected items of it, so that each region of open
   items is covered by itself, and has a multiple of as many items as divide the numbers of all options. Call it before the first step.
   Raises no error where the graph is not of that kind; then nothing is left out. */
EngineStatus count_regions(Count *search, const Lists *near);

/* Go on until the end or for about the given number of nodes. One search must not be used by two threads at once. */
CountState count_step(Count *search, uint64_t nodes);

/* The number of solutions: words in base 2^64, the lowest first. Returns how many they are, or -1 where it is not known yet. */
int count_result(const Count *search, const Word **words);

/* Nodes of the search so far, states remembered, how often one was met again, and the bytes they take. */
uint64_t count_nodes(const Count *search);
uint64_t count_states(const Count *search);
uint64_t count_hits(const Count *search);
size_t count_memory(const Count *search);

/* The solutions counted so far, about. */
double count_found(const Count *search);

/* The part of the search that is done, from 0 to 1, if all options of an item take the same time. */
double count_progress(const Count *search);

/* Free the search and all of its memory. Takes NULL too. */
void count_free(Count *search);

#endif
