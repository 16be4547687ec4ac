/* Depth-first search in a fixed order for all models of an exact cover with colours: `scan_step` in scan.c describes it. */

#ifndef JIGSAT_ENGINE_SCAN_H
#define JIGSAT_ENGINE_SCAN_H

#include "common/problem.h"

typedef struct Scan Scan;

typedef enum {
    SCAN_WORKING, /* the node limit of the step is reached; continue with another step */
    SCAN_FOUND,   /* `scan_options` gives a model; continue for the next one */
    SCAN_DONE,    /* there are no more models */
} ScanState;

/* Constraints and decision variables are given as for `dive_new`. Models are told apart by their decision variables. Returns NULL and
   a status if there is not enough memory, or if the numbers are wrong. The numbers are copied. */
Scan *scan_new(int variables, const int *numbers, int count, const int *decisions, int decided, EngineStatus *status);
void scan_free(Scan *scan);

/* Whether the search applies to the constraints. If not, take no steps. */
int scan_suits(const Scan *scan);

/* Whether each cell shares auxiliary variables with others, or nothing is left to search for. If not, the search applies, but is
   seldom fast. */
int scan_meets(const Scan *scan);

/* Continue to the next model, the end, or for about the given number of nodes (at least 1). */
ScanState scan_step(Scan *scan, uint64_t nodes);

/* The true decision variables of the model that the last step found, and their number. Valid until the next step. */
const int *scan_options(const Scan *scan);
int scan_number(const Scan *scan);

/* The nodes so far: the entries of tables that the search looked at, and the levels that it entered. */
uint64_t scan_nodes(const Scan *scan);

/* The fraction of the search that is done, from 0 to 1, assuming that all options of a node take the same time. */
double scan_progress(const Scan *scan);

/* Follow a random path in the search tree; returns an estimate of its nodes (Knuth 1975). Only before the first step. */
double scan_probe(Scan *scan, uint64_t *random);

/* Give up the options not yet tried at the first cell of the current path that has any. `path` gets the options of the cells down to
   this one, `levels` their number, and `released` what is given up; both have room for all decision variables. Returns the number of
   these options, 0 if all are finished or under way, or if they cannot be told apart because pieces are alike. */
int scan_release(Scan *scan, int *path, int *levels, int *released);

/* The number of variables. */
int scan_variables(const Scan *scan);

/* All options of the cell at one level of the path, and their number. */
const int *scan_item(const Scan *scan, int level, int *size);

#endif
