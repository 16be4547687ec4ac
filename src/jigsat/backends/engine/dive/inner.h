/* What the files of the random search share. */

#ifndef JIGSAT_ENGINE_DIVE_INNER_H
#define JIGSAT_ENGINE_DIVE_INNER_H

#include "dive/dive.h"

/* At least `least` and at most `most` of the literals are true. */
typedef struct {
    int start; /* of its literals in `literal` */
    int length;
    int least;
    int most;
    int yes; /* the number of literals that are true, and that are false, as far as propagation has counted them */
    int no;  /* not counted if `least` is 0 */
} Row;

/* What happens when the literal with code c becomes true concerns entry[from[c]], ..., entry[from[c + 1] - 1]. */
typedef struct {
    int *from;
    int *entry;
} Index;

struct Dive {
    int variables;
    int rows;
    int items;
    Row *row;
    int *literal;
    Index implied; /* literals that follow: the clauses of two literals, which are not rows */
    Index gains;   /* rows that gain a true literal */
    Index loses;   /* rows that lose a possible literal, and need at least one */
    int *item;   /* the rows of which exactly one literal is true, all of them decision variables */
    int8_t *value; /* of each variable: 1 true, -1 false, 0 undecided */
    int *trail;  /* the literals that are true, in the order in which they were assigned */
    int assigned;
    int propagated; /* how many of them the rows have counted */
    int *chosen; /* by depth: the literal, and the number of literals assigned before it */
    int *before;
    int depth;
    int stuck; /* whether the constraints have no model */
    uint64_t work;
    uint64_t failures; /* left before the next restart */
    uint64_t restarts;
    uint64_t random;
};

/* Assign what the constraints imply before any choice. */
void dive_begin(Dive *d);

/* Make a literal true with all that follows by unit propagation. Returns 0 if a constraint fails. */
int dive_try(Dive *d, int literal);

/* Take back all literals but the first ones. */
void dive_undo(Dive *d, int first);

static inline int code_of(int literal) {
    return literal > 0 ? 2 * literal : -2 * literal + 1;
}

#endif
