/* Depth-first search for a filling of all cells in which as many meetings as possible fit.

   The cells are taken in the order of the plan. A meeting that does not fit is a break. The first cells allow none, because there are
   many ways to fill them; towards the end, more and more are allowed, up to one less than the best filling has. After a number of nodes
   the options are shuffled and the search begins again, because how far it comes depends on the first cells. If all ways are tried,
   earlier cells allow breaks, too. */

#include "scan/best.h"
#include "scan/inner.h"

#define FREE_TENTHS 7 /* of the cells, the tenths that allow no breaks at first; with 6, 16×16 boards end with a few breaks more */
#define NODES_OF_TRY 50000000

/* How an option fits the first two meetings with earlier cells. */
enum { BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER, NO_MORE };

/* The options of a cell: sorted by their colours in the first two meetings, and by the second one. */
typedef struct {
    const Meeting *meeting; /* with earlier cells */
    int meetings;
    int colours[2]; /* of the first two; 1 without one */
    int *start[2];
    int *option[2];
} Sorted;

/* A filled cell, or the one that is being filled. */
typedef struct {
    int fit;
    int at; /* the next option of this fit, and the end of these */
    int end;
    int chosen;
    int breaks; /* of all cells up to this one */
    int need[MOST_MEETINGS]; /* colours */
} Step;

struct Best {
    const Scan *s;
    int cells; /* 0 if there is nothing to fill, or no way to do so */
    uint64_t random;
    Sorted *sorted;
    Step *step;
    int *allowed; /* breaks, by the number of the cell */
    int *left;    /* of each resource */
    int *order;   /* to shuffle options */
    int free;     /* tenths of the cells that allow no breaks */
    int depth;    /* -1 before a try */
    uint64_t nodes;
    int breaks;
    int *model;
};

/* ---- the options of the cells ---- */

static int colour(const Sorted *sorted, int i, int option) {
    return i < sorted->meetings ? sorted->meeting[i].colour[1][option] : 0;
}

static int key(const Sorted *sorted, int i, int option) {
    return (i ? 0 : colour(sorted, 0, option) * sorted->colours[1]) + colour(sorted, 1, option);
}

static int keys(const Sorted *sorted, int i) {
    return (i ? 1 : sorted->colours[0]) * sorted->colours[1];
}

/* Sort the options of a cell; those with the same colours are in a random order. */
static void shuffle(Best *b, int c) {
    const Sorted *sorted = b->sorted + c;
    const int count = b->s->cell[c].count;
    for (int o = 0; o < count; o++) {
        const int other = random_below(&b->random, o + 1);
        b->order[o] = b->order[other];
        b->order[other] = o;
    }
    for (int i = 0; i < 2; i++) {
        int *start = sorted->start[i];
        for (int k = 0; k < keys(sorted, i) + 2; k++) {
            start[k] = 0;
        }
        for (int o = 0; o < count; o++) {
            start[key(sorted, i, o) + 2]++;
        }
        for (int k = 2; k < keys(sorted, i) + 2; k++) {
            start[k] += start[k - 1];
        }
        for (int o = 0; o < count; o++) {
            sorted->option[i][start[key(sorted, i, b->order[o]) + 1]++] = b->order[o];
        }
    }
}

/* ---- the search ---- */

/* Find the options of the current fit. */
static void list_options(const Best *b, Step *step) {
    const Sorted *sorted = b->sorted + (step - b->step);
    const int *need = step->need;
    const int second = sorted->colours[1];
    const int by_second = step->fit == ONLY_SECOND;
    const int first = step->fit == NEITHER ? 0 : by_second ? need[1] : need[0] * second + (step->fit == BOTH ? need[1] : 0);
    const int after = step->fit == NEITHER ? keys(sorted, 0) : first + (step->fit == ONLY_FIRST ? second : 1);
    step->at = sorted->start[by_second][first];
    step->end = sorted->start[by_second][after];
}

/* Go to the next cell. */
static void enter(Best *b) {
    b->depth++;
    const Sorted *sorted = b->sorted + b->depth;
    Step *step = b->step + b->depth;
    step->need[0] = step->need[1] = 0;
    for (int m = 0; m < sorted->meetings; m++) {
        step->need[m] = sorted->meeting[m].colour[0][b->step[sorted->meeting[m].cell[0]].chosen];
    }
    step->fit = BOTH;
    step->chosen = -1;
    list_options(b, step);
}

static int is_left(const Best *b, const int *use) {
    while (*use && b->left[*use]) {
        use++;
    }
    return !*use;
}

static void take(Best *b, const int *use, int sign) {
    for (; *use; use++) {
        b->left[*use] -= sign;
    }
}

/* Whether an option fits as the step says; then count its breaks. */
static int fits(const Sorted *sorted, const Step *step, int option, int *breaks) {
    int broken = 0;
    for (int m = 0; m < sorted->meetings; m++) {
        broken |= (sorted->meeting[m].colour[1][option] != step->need[m]) << m;
    }
    *breaks = count_bits((Word)broken);
    return step->fit == (broken & 3 ? (broken & 1 ? (broken & 2 ? NEITHER : ONLY_SECOND) : ONLY_FIRST) : BOTH);
}

/* Choose the next option of the current cell. Returns 0 after the last. */
static int choose(Best *b) {
    const int c = b->depth;
    const Sorted *sorted = b->sorted + c;
    const Cell *cell = b->s->cell + c;
    Step *step = b->step + c;
    const int before = c ? b->step[c - 1].breaks : 0;
    if (step->chosen >= 0) {
        take(b, b->s->uses + cell->use[step->chosen], -1);
        step->chosen = -1;
    }
    for (;;) {
        const int *option = sorted->option[step->fit == ONLY_SECOND];
        while (step->at < step->end) {
            const int o = option[step->at++];
            const int *use = b->s->uses + cell->use[o];
            int breaks;
            if (is_left(b, use) && fits(sorted, step, o, &breaks) && before + breaks <= b->allowed[c]) {
                take(b, use, 1);
                step->chosen = o;
                step->breaks = before + breaks;
                return 1;
            }
        }
        step->fit++;
        if (step->fit == NO_MORE || before + 1 + (step->fit == NEITHER) > b->allowed[c]) {
            return 0;
        }
        list_options(b, step);
    }
}

/* Begin again, with fewer breaks than the best filling has. */
static void begin(Best *b) {
    const Scan *s = b->s;
    const int most = b->breaks < 0 ? s->meetings : b->breaks - 1;
    for (int i = 1; i < s->resources; i++) {
        b->left[i] = s->resource[i].shared ? s->resource[i].most : 1; /* one of those that are alike has their sum */
    }
    for (int c = 0; c < s->cells; c++) {
        const double x = (10.0 * (c + 1) / s->cells - b->free) / (10 - b->free);
        b->allowed[c] = b->free == 0 ? most : x > 0 ? (int)(most * x * x) : 0;
        shuffle(b, c);
    }
    b->allowed[s->cells - 1] = most;
    b->nodes = NODES_OF_TRY;
    b->depth = -1;
    enter(b);
}

static void keep(Best *b) {
    const Scan *s = b->s;
    for (int c = 0; c < s->cells; c++) {
        b->model[s->fixed + c] = s->cell[c].option[b->step[c].chosen];
    }
    b->breaks = b->step[s->cells - 1].breaks;
    b->depth = -1;
}

int best_step(Best *b, uint64_t nodes) {
    if (b->cells == 0 || b->breaks == 0) {
        const int fixed = b->s->cells == 0 && !b->s->done && b->breaks < 0; /* nothing is left to fill */
        b->breaks = fixed ? 0 : b->breaks;
        return fixed;
    }
    for (; nodes; nodes--, b->nodes--) {
        if (b->nodes == 0) {
            b->free -= b->breaks < 0 && b->free; /* no way to fill the board was found */
            b->depth = -1;
        }
        if (b->depth < 0) {
            begin(b);
        }
        if (!choose(b)) {
            b->depth--;
            if (b->depth < 0 && b->free == 0) {
                b->cells = 0; /* all ways were tried */
                return 0;
            }
            b->free -= b->depth < 0;
        } else if (b->depth == b->cells - 1) {
            keep(b);
            return 1;
        } else {
            enter(b);
        }
    }
    return 0;
}

/* ---- making and freeing ---- */

static int sort_options(Best *b, int c) {
    const Scan *s = b->s;
    Sorted *sorted = b->sorted + c;
    int enough = 1;
    sorted->meeting = s->meeting + s->meetings_from[c];
    sorted->meetings = s->meetings_from[c + 1] - s->meetings_from[c];
    for (int i = 0; i < 2; i++) {
        sorted->colours[i] = i < sorted->meetings ? sorted->meeting[i].colours : 1;
    }
    for (int i = 0; i < 2; i++) {
        sorted->start[i] = engine_allocate((size_t)keys(sorted, i) + 2, sizeof(int));
        sorted->option[i] = engine_allocate((size_t)s->cell[c].count + 1, sizeof(int));
        enough = enough && sorted->start[i] && sorted->option[i];
    }
    return enough;
}

Best *best_new(const Scan *s, uint64_t seed) {
    Best *b = engine_allocate(1, sizeof(Best));
    if (!b) {
        return NULL;
    }
    int options = 1;
    *b = (Best){.s = s, .cells = s->done ? 0 : s->cells, .random = seed, .free = FREE_TENTHS, .depth = -1, .breaks = -1};
    for (int c = 0; c < s->cells; c++) {
        options = s->cell[c].count > options ? s->cell[c].count : options;
    }
    b->sorted = engine_allocate((size_t)s->cells + 1, sizeof(Sorted));
    b->step = engine_allocate((size_t)s->cells + 1, sizeof(Step));
    b->allowed = engine_allocate((size_t)s->cells + 1, sizeof(int));
    b->left = engine_allocate((size_t)s->resources + 1, sizeof(int));
    b->order = engine_allocate((size_t)options, sizeof(int));
    b->model = engine_allocate((size_t)(s->fixed + s->cells) + 1, sizeof(int));
    int enough = b->sorted && b->step && b->allowed && b->left && b->order && b->model;
    for (int c = 0; c < b->cells && enough; c++) {
        enough = sort_options(b, c);
    }
    for (int i = 0; i < s->fixed && enough; i++) {
        b->model[i] = s->model[i];
    }
    if (!enough) {
        best_free(b);
        b = NULL;
    }
    return b;
}

void best_free(Best *b) {
    for (int c = 0; b && b->sorted && c < b->s->cells; c++) {
        for (int i = 0; i < 2; i++) {
            engine_free(b->sorted[c].start[i]);
            engine_free(b->sorted[c].option[i]);
        }
    }
    if (b) {
        engine_free(b->sorted);
        engine_free(b->step);
        engine_free(b->allowed);
        engine_free(b->left);
        engine_free(b->order);
        engine_free(b->model);
    }
    engine_free(b);
}

int best_is_over(const Best *b) {
    return b->cells == 0 || b->breaks == 0;
}

int best_breaks(const Best *b) {
    return b->breaks;
}

const int *best_options(const Best *b) {
    return b->model;
}

int best_number(const Best *b) {
    return b->s->fixed + b->s->cells;
}
