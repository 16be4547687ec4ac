/* What the files of the search in a fixed order share. */

#ifndef JIGSAT_ENGINE_SCAN_INNER_H
#define JIGSAT_ENGINE_SCAN_INNER_H

#include "dive_inner.h"
#include "scan.h"

/* Limits beyond which the search does not apply. */
#define MOST_CELLS 1024
#define MOST_OPTIONS (1 << 14)  /* of a cell */
#define MOST_COLOURS (1 << 12)  /* of two cells that meet */
#define MOST_MEETINGS 8         /* for each cell */
#define MOST_ENTRIES (1 << 22)  /* of a table */

/* An item of which one option is chosen at one level of the search. Each possible option determines the same auxiliary variables. */
typedef struct {
    int row;
    int count;    /* its possible options */
    int *option;  /* their variables */
    int auxiliaries;
    int *variable; /* the auxiliary variables */
    int *bit;      /* and their bits in the patterns */
    int words;
    Word *pattern; /* for each option a row of words: the values that it gives the auxiliary variables */
    int *kind;     /* for each option the number of its pattern among the different ones of this cell */
    int *use;      /* for each option the first of its resources in `uses`, which 0 follows */
} Cell;

/* Two cells that determine the same auxiliary variables. Their options fit together if their colours are equal. */
typedef struct {
    int cell[2];
    int colours;
    int *colour[2]; /* of each option of the two cells */
} Meeting;

/* Resources are numbered from 1. Options of a resource can be chosen `left` times. Resources whose options are alike are one with
   several members. */
typedef struct {
    int row;
    int most;
    int options;
    int shared;  /* whether it cannot have twins: options have other resources too, or it can be used several times */
    Word alike;  /* resources whose options are alike have the same number here */
    int twin;   /* the next of the resources that are one, or 0 */
    int first;  /* the first of them */
    int *cell;  /* its options in an order in which those of twins correspond: the cell and the index in it */
    int *index;
} Resource;

/* A level of the search: the table of its cell. An entry is a row of `stride` numbers: the resource or, if there are several, minus
   their index in `uses`; the index of the option; and for each later cell that it meets a number for its slot. The sum of the slots
   of the earlier cells is the number of the row of entries that fit. */
typedef struct {
    int cell;
    int stride;
    int ins;
    int *in;
    int outs;
    int *out;
    int *start;
    int *entry;
} Place;

typedef struct {
    const int *at;
    const int *end;
    const int *begin;
    int chosen; /* whether the entry before `at` is chosen */
} Level;

struct Scan {
    Dive *dive;
    int assigned; /* the literals that hold before any choice */
    int suits;
    int done;
    int cells;
    Cell *cell;
    int meetings;
    Meeting *meeting;
    int resources; /* one more than there are */
    Resource *resource;
    int *uses;
    int *left; /* of each resource */
    Place *place; /* in the order of the search */
    int *slot;
    Level *level;
    int depth;
    int begun;
    int expanding;  /* whether there may be more models with the chosen options or their twins */
    int *twin;      /* by depth: the resource in place of that of the chosen option */
    int8_t *taken;  /* resources that have others as twins */
    int *model;
    int fixed; /* its variables that hold before any choice */
    int number;
    uint64_t nodes;
};

/* Read the cells and resources from constraints that were given to `dive`. Sets `suits`. */
EngineStatus scan_read(Scan *s, const int *numbers, int count, const int8_t *decides);

/* Find the cells that meet, and their colours. */
EngineStatus scan_meet(Scan *s);

/* Unite resources whose options are alike. */
EngineStatus scan_unite(Scan *s);

/* Make the tables. The cells are taken in the order of the constraints: on boards that are numbered row by row, this leaves fewer
   sides open than other orders, and closes many edges early. */
EngineStatus scan_tables(Scan *s);

#endif
