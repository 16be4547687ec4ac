/* What all tests of the plain-C searches share: memory that is counted and can run out, and checks. */

#ifndef JIGSAT_TEST_CHECKS_H
#define JIGSAT_TEST_CHECKS_H

#include <stdio.h>
#include <stdlib.h>

#include "common/problem.h"

static long allocations_left = -1; /* how many calls succeed; -1 for all */
static long in_use;                /* pieces of memory that are not freed */
static int failures;

void *engine_allocate(size_t count, size_t size) {
    if (allocations_left == 0) {
        return NULL;
    }
    if (allocations_left > 0) {
        allocations_left--;
    }
    void *memory = calloc(count, size);
    in_use += memory != NULL;
    return memory;
}

void engine_free(void *memory) {
    in_use -= memory != NULL;
    free(memory);
}

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
            failures++;                                                       \
            if (failures >= 10) {                                             \
                exit(1);                                                      \
            }                                                                 \
        }                                                                     \
    } while (0)

#endif
