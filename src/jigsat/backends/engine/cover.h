/* Every exact cover of a problem, one after the other, by depth-first search. */

#ifndef JIGSAT_ENGINE_COVER_H
#define JIGSAT_ENGINE_COVER_H

#include "problem.h"

typedef struct Cover Cover;

typedef enum {
    COVER_WORKING, /* the nodes are used up; go on with another step */
    COVER_FOUND,   /* there is another solution; go on for the next one */
    COVER_DONE,    /* there are no more solutions */
} CoverState;

/* A new search. Copies what it needs of the problem. Returns NULL and the reason where that is impossible. */
Cover *cover_new(const Problem *problem, EngineStatus *status);

/* Go on until the next solution, the end, or about the given number of nodes of the search tree (at least 1). The searches of
   different threads are independent; one search must not be used by two threads at once. */
CoverState cover_step(Cover *search, uint64_t nodes);

/* The options of the solution that the last step found, and their number. Valid until the next step. */
const int *cover_options(const Cover *search);
int cover_size(const Cover *search);

/* The nodes of the search tree so far. */
uint64_t cover_nodes(const Cover *search);

/* Free the search and all of its memory. Takes NULL too. */
void cover_free(Cover *search);

#endif
