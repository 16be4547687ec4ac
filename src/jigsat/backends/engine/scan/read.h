/* What the files that read constraints for the search in a fixed order share. */

#ifndef JIGSAT_ENGINE_SCAN_READ_H
#define JIGSAT_ENGINE_SCAN_READ_H

#include "scan/inner.h"

/* States of a row: nothing can violate it if it is safe; no option of some cell violates it if it is settled. */
enum { OPEN, SAFE, SETTLED, RESOURCE };

typedef struct {
    Scan *s;
    const Dive *d;
    const int8_t *decides;
    Row *row; /* the constraints */
    int rows;
    const int *literal;
    int *from; /* the rows of a literal with code c are in[from[c]], ..., in[from[c + 1] - 1] */
    int *in;
    int *item; /* the rows of which exactly one literal is true, all of them decision variables */
    int items;
    int *cell_of;    /* of each decision variable */
    int8_t *state;   /* of each row */
    int8_t *is_pure; /* of each row, whether it has no decision variables */
    int *next;       /* lists of the rows of each cell */
    int *first;
    int mark;        /* to mark rows and variables */
    int *row_mark;
    int *variable_mark;
    int *position;   /* of a marked variable */
    int *implied;    /* by position: how many options of the cell determine the variable */
    int *local;      /* the rows of the cell that is being read */
    int locals;
    int *numbers;    /* these rows as `dive_new` reads them */
    int count;
    int *settled;    /* of each of these rows: how many options of the cell make it safe */
    int *score;      /* of each item, or whether it is a cell */
} Reading;

/* The number of literals of a row that are true (sign 1) or false (sign -1). */
static inline int count_of(const Dive *d, const Row *row, const int *literals, int sign) {
    int count = 0;
    for (int i = row->start; i < row->start + row->length; i++) {
        count += (literals[i] > 0 ? d->value[literals[i]] : -d->value[-literals[i]]) == sign;
    }
    return count;
}

/* Whether the literals that are not decided cannot violate a row. */
static inline int is_safe(const Dive *d, const Row *row, const int *literals) {
    return count_of(d, row, literals, 1) >= row->least && row->length - count_of(d, row, literals, -1) <= row->most;
}

static inline int variable_of(int literal) {
    return literal > 0 ? literal : -literal;
}

/* Read the numbers, which `dive_new` has checked, and list the rows of each literal. */
void scan_list(Reading *r, int count);

/* Choose the cells, and sort the other rows. Returns 0 if that is impossible. */
int scan_sort(Reading *r);

#endif
