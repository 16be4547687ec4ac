/* Enumerates the exact covers of a problem by depth-first search. */

#ifndef JIGSAT_ENGINE_COVER_H
#define JIGSAT_ENGINE_COVER_H

#include "problem.h"

typedef struct Cover Cover;

typedef enum {
    COVER_WORKING, /* the node limit of the step is reached; continue with another step */
    COVER_FOUND,   /* a solution is found; continue for the next one */
    COVER_DONE,    /* there are no more solutions */
} CoverState;

/* A new search. Copies what it needs of the problem. Returns NULL and the reason if that is impossible. */
Cover *cover_new(const Problem *problem, EngineStatus *status);

/* Continue to the next solution, the end, or for about the given number of nodes of the search tree (at least 1). The searches of
   different threads are independent; one search must not be used by two threads at once. */
CoverState cover_step(Cover *search, uint64_t nodes);

/* The options of the solution that the last step found, and their number. Valid until the next step. */
const int *cover_options(const Cover *search);
int cover_size(const Cover *search);

/* The nodes of the search tree so far. */
uint64_t cover_nodes(const Cover *search);

/* Free the search and all of its memory. Accepts NULL. */
void cover_free(Cover *search);

#endif
