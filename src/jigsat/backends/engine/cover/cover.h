/* Enumerates the exact covers of a problem by depth-first search. */

#ifndef JIGSAT_ENGINE_COVER_H
#define JIGSAT_ENGINE_COVER_H

#include "common/problem.h"

typedef struct Cover Cover;

typedef enum {
    COVER_WORKING, /* the node limit of the step is reached; continue with another step */
    COVER_FOUND,   /* a solution is found; continue for the next one */
    COVER_DONE,    /* there are no more solutions */
} CoverState;

/* A new search. Copies what it needs of the problem. Returns NULL and the reason if that is impossible. */
Cover *cover_new(const Problem *problem, EngineStatus *status);

/* A new search for the solutions that have only options of an ascending list. In it, they are numbered by their places in the list;
   items and bounds keep their numbers. It does not matter what the given search has found. Returns NULL and the reason if that is
   impossible. */
Cover *cover_restricted(const Cover *whole, const int *kept, int count, EngineStatus *status);

/* Start over, for the solutions that have all options of an ascending list, which are then stated without them. Returns ENGINE_OK, or
   what is wrong with the list; then nothing has changed. This is faster than `cover_restricted` for a short search. */
EngineStatus cover_restart(Cover *search, const int *chosen, int count);

/* Continue to the next solution, the end, or for about the given number of nodes of the search tree (at least 1). The searches of
   different threads are independent; one search must not be used by two threads at once. */
CoverState cover_step(Cover *search, uint64_t nodes);

/* The options of the solution that the last step found, and their number. Valid until the next step. */
const int *cover_options(const Cover *search);
int cover_size(const Cover *search);

/* The nodes of the search tree so far. */
uint64_t cover_nodes(const Cover *search);

/* The fraction of the search that is done, from 0 to 1, assuming that all options of a node take the same time. */
double cover_progress(const Cover *search);

/* Follow a random path from the root of the search tree to a leaf, choosing each of the d options of a node with the probability 1/d
   (Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975). The expected value of `nodes` is the
   number of nodes that the whole search visits, and that of `solutions` the number of solutions. `solutions` is not 0 if the leaf is
   a solution; then it is available as after a step. `random` is the state of the random numbers, any number at first. The search must
   not have begun. */
void cover_probe(Cover *search, uint64_t *random, double *nodes, double *solutions);

/* Whether a step has been made. */
int cover_begun(const Cover *search);

/* The number of all options. */
int cover_number(const Cover *search);

/* Give up a part of the search: the options not yet tried at the first level of the current path that has any. They are written to
   `released`, which has room for all options. Returns their number, and the number of levels from the root to this one. At these
   levels, the search is now below the options `cover_path`, of the items `cover_item`, and it has tried all others. */
int cover_release(Cover *search, int *released, int *levels);
int cover_item(const Cover *search, int level);
const int *cover_path(const Cover *search);

/* Free the search and all of its memory. Accepts NULL. */
void cover_free(Cover *search);

#endif
