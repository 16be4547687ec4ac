/* The number of exact covers of a problem, without listing them, by memoised depth-first search. */

#ifndef JIGSAT_ENGINE_COUNT_H
#define JIGSAT_ENGINE_COUNT_H

#include "common/problem.h"

typedef struct Count Count;

typedef enum {
    COUNT_WORKING, /* the node limit of the step is reached; continue with another step */
    COUNT_DONE,    /* the number is known */
    COUNT_FULL,    /* the memory limit is reached; the search cannot continue */
} CountState;

/* A new search that uses at most about `memory` bytes for stored states. The search always branches on the first open item in the
   order of the problem. The order does not affect the number, but how often states repeat. An option that is listed several times
   in a bound is counted several times. Copies what it needs of the problem. Returns NULL and the reason if that is impossible. */
Count *count_new(const Problem *problem, size_t memory, EngineStatus *status);

/* Let the search skip states in which a region of open items cannot be covered. `near` is an undirected graph on some of the items,
   such as the cells of a board: for each item its neighbours. Each option must close connected items of the graph, so that each
   region of open items is covered separately; then its number of items is a multiple of the greatest common divisor over all options.
   Call it before the first step. If the graph does not have this property, nothing is skipped. */
EngineStatus count_regions(Count *search, const Lists *near);

/* Continue to the end or for about the given number of nodes. One search must not be used by two threads at once. */
CountState count_step(Count *search, uint64_t nodes);

/* The number of solutions as words in base 2^64, the lowest first. Returns the number of words, or -1 if it is not known yet. */
int count_result(const Count *search, const Word **words);

/* After the search: the solution of a rank, a number less than the number of solutions, as words in base 2^64, the lowest first.
   Different ranks have different solutions. Writes the options and returns their number, which is at most that of the items.
   Returns -1 if the search is not done or there is no such rank. */
int count_solution(Count *search, const Word *rank, int length, int *options);

/* After the search: add to `numbers`, which are 0, the number of solutions with each option of the problem. Each has as many words as
   the number of all solutions, the lowest first. Returns 0 if the memory is full. */
int count_occurrences(Count *search, Word *numbers);

/* The maximum words of a number, the number of items, and that of the options of the problem. */
int count_limbs(const Count *search);
int count_items(const Count *search);
int count_options(const Count *search);

/* Nodes of the search so far, stored states, how often a state was found again, and the memory in bytes. */
uint64_t count_nodes(const Count *search);
uint64_t count_states(const Count *search);
uint64_t count_hits(const Count *search);
size_t count_memory(const Count *search);

/* The approximate number of solutions counted so far. */
double count_found(const Count *search);

/* The fraction of the search that is done, from 0 to 1, assuming that all options of an item take the same time. */
double count_progress(const Count *search);

/* Free the search and all of its memory. Accepts NULL. */
void count_free(Count *search);

#endif
