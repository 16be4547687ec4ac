/* What the files of the search in a fixed order share. */

#ifndef JIGSAT_ENGINE_SCAN_INNER_H
#define JIGSAT_ENGINE_SCAN_INNER_H

#include "dive/inner.h"
#include "scan/scan.h"

/* Limits beyond which the search does not apply. */
#define MOST_CELLS 1024
#define MOST_OPTIONS (1 << 14)  /* of a cell; an `int16_t` holds the index of each */
#define MOST_COLOURS (1 << 12)  /* of two cells that meet */
#define MOST_MEETINGS 8         /* for each cell */
#ifndef MOST_ENTRIES            /* and rows of a table; tests set a smaller limit */
#define MOST_ENTRIES (1 << 22)
#endif
#define MOST_TOGETHER 8         /* cells that are filled together */

/* An item of which one option is chosen at one level of the search. Each possible option determines the same auxiliary variables. */
typedef struct {
    int row;
    int *item;    /* all of its options */
    int items;
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

/* Resources are numbered from 1. Options of a resource can be chosen `most` times. Resources whose options are alike are one with
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
    int word;   /* where its uses are counted: in this word, by adding `one` */
    Word one;
} Resource;

/* A level of the search: one or several cells that are filled together. An entry chooses an option for each of these cells. The
   options fit together, and do not use up more than the resources have. The entries are sorted into rows: all entries of a row have
   the same colours where their cells meet cells of earlier levels. */
typedef struct {
    int first; /* its cells are first, ..., first + cells - 1 */
    int cells;
    int ins;
    int *in;   /* slots: the sum of their values is the number of the row that fits the earlier levels */
    int outs;
    int *out;  /* slots that an entry sets, for later levels */
    int *start;      /* row i has the entries start[i], ..., start[i + 1] - 1 */
    Word *use;       /* of each entry: a row of words */
    int *value;      /* of each entry: the values of the slots in `out` */
    int16_t *option; /* of each entry: the indexes of the options of the cells */
} Place;

typedef struct {
    int at; /* the next entry; the one before is chosen at all levels above the deepest */
    int begin;
    int end;
} Level;

struct Scan {
    Dive *dive;
    int assigned; /* the literals that hold before any choice */
    int suits;
    int meets; /* whether each cell meets others */
    int done;
    int cells;
    Cell *cell;
    int meetings;
    Meeting *meeting;   /* the first of its cells is the earlier one */
    int *meetings_from; /* those of cell c with earlier ones are meeting[meetings_from[c]], ..., meeting[meetings_from[c + 1] - 1] */
    int resources; /* one more than there are */
    Resource *resource;
    int *uses;
    int units; /* words with a bit for each resource that can be used once */
    int words; /* these and the words with counters, whose bits in `guard` are set if too much is used */
    Word *guard;
    int places;
    Place *place; /* in the order of the search */
    int *slot;
    Level *level;
    Word *used; /* by depth: a row of words */
    int depth;
    int begun;
    int expanding;  /* whether there may be more models with the chosen options or their twins */
    int *chosen;    /* of each cell: the index of its option in the last cover */
    int *twin;      /* of each cell: the resource in place of that of the chosen option */
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

/* Count the uses of resources in words. */
EngineStatus scan_count_uses(Scan *s);

/* Order the cells, and divide them into levels of at most `together` cells: sets the cells of each `place`. Needs `meetings_from`. */
EngineStatus scan_plan(Scan *s, int together);

/* Make the tables of all levels. */
EngineStatus scan_tables(Scan *s);

/* Whether an option has entries: of several resources that are alike, only the first has. */
static inline int has_entries(const Scan *s, const Cell *cell, int option) {
    const int resource = s->uses[cell->use[option]];
    return !resource || s->resource[resource].shared || s->resource[resource].first == resource;
}

/* Add what an option or an entry uses to what is used. Returns 0 if that is too much; then the sum has no meaning. */
ALWAYS_INLINE int add_uses(const Word *used, const Word *use, Word *sum, const Word *guard, int units, int words) {
    Word over = 0;
    for (int i = 0; i < units; i++) {
        over |= used[i] & use[i];
        sum[i] = used[i] | use[i];
    }
    for (int i = units; i < words; i++) {
        sum[i] = used[i] + use[i];
        over |= sum[i] & guard[i];
    }
    return !over;
}

#endif
