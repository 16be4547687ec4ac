/* The plan of a search in a fixed order: the order of the cells, and which of them are filled together.

   A table of the ways to fill several cells replaces the levels between them: the search looks at the ways that fit together, one
   after the other, which takes about a nanosecond each. A large table takes long to make, and most of its entries need pieces that
   are used already. So the cells are divided such that the estimated work is least. The estimate assumes that colours and pieces are
   independent.

   The cells are taken in the order of the constraints or, if that promises less work, in one that keeps the filled part compact. On
   boards that are numbered row by row, the former is better if there are special pieces for the rim, the latter if there are not. */

#include "scan/inner.h"

/* The work in units of one entry that is looked at. */
#define WORK_OF_NODE 20.0  /* an entry that fits */
#define WORK_OF_ENTRY 40.0 /* making an entry */
#define WORK_OF_ROW 1.0

#define USUAL_ROWS (1 << 20) /* limits for a table of several cells */
#define USUAL_ENTRIES (1 << 16)

#define MOST_NODES 1e200 /* larger numbers count as this */
#define ABOUT 1.5        /* the greatest ratio of numbers that are about the same */

typedef struct {
    Scan *s;
    double *options; /* of each cell: those with entries */
    double *match;   /* of each meeting: the probability that an option of one cell fits an option of the other */
    double *load;    /* of each resource: the expected fraction that is used */
    double *nodes;   /* by the number of cells: the expected number of ways to fill the first ones */
    double *least;   /* the least work for filling them */
    int *from;       /* and the first cell of the last level if they are divided in this way */
    double *growth;  /* of each cell: the number of options that are expected to fit all cells that have a position */
    int *earliest;   /* of each cell: the least position of the cells that it meets */
    int *position;   /* of each cell; -1 without one */
    int *order;
    Cell *cell; /* to sort the cells, and the meetings */
    Meeting *meeting;
} Plan;

/* ---- the expected number of ways to fill the first cells ---- */

static void count_options(Plan *p) {
    const Scan *s = p->s;
    for (int c = 0; c < s->cells; c++) {
        p->options[c] = 0;
        for (int o = 0; o < s->cell[c].count; o++) {
            p->options[c] += has_entries(s, s->cell + c, o);
        }
    }
}

static EngineStatus match_colours(Plan *p) {
    const Scan *s = p->s;
    for (int m = 0; m < s->meetings; m++) {
        const Meeting *meeting = s->meeting + m;
        const Cell *cells[2] = {s->cell + meeting->cell[0], s->cell + meeting->cell[1]};
        double *share = engine_allocate((size_t)meeting->colours + 1, sizeof(double));
        if (!share) {
            return ENGINE_NO_MEMORY;
        }
        for (int o = 0; o < cells[0]->count; o++) {
            share[meeting->colour[0][o]] += has_entries(s, cells[0], o) / p->options[meeting->cell[0]];
        }
        p->match[m] = 0;
        for (int o = 0; o < cells[1]->count; o++) {
            p->match[m] += has_entries(s, cells[1], o) * share[meeting->colour[1][o]] / p->options[meeting->cell[1]];
        }
        engine_free(share);
    }
    return ENGINE_OK;
}

/* The probability that an option of a cell uses only what the cells before leave. Then this cell is one of those. */
static double left_for(Plan *p, int c) {
    const Scan *s = p->s;
    const Cell *cell = s->cell + c;
    double left = 0;
    for (int o = 0; o < cell->count; o++) {
        double probability = has_entries(s, cell, o) / p->options[c];
        for (const int *use = s->uses + cell->use[o]; *use; use++) {
            probability *= p->load[*use] < 1 ? 1 - p->load[*use] : 0;
        }
        left += probability;
    }
    for (int o = 0; o < cell->count; o++) {
        for (const int *use = s->uses + cell->use[o]; *use; use++) {
            p->load[*use] += has_entries(s, cell, o) / p->options[c] / s->resource[*use].most;
        }
    }
    return left;
}

static EngineStatus count_nodes(Plan *p) {
    const Scan *s = p->s;
    count_options(p);
    const EngineStatus status = match_colours(p);
    for (int i = 0; i < s->resources; i++) {
        p->load[i] = 0;
    }
    p->nodes[0] = 1;
    for (int c = 0; c < s->cells && status == ENGINE_OK; c++) {
        double nodes = p->nodes[c] * p->options[c] * left_for(p, c);
        for (int m = s->meetings_from[c]; m < s->meetings_from[c + 1]; m++) {
            nodes *= p->match[m];
        }
        p->nodes[c + 1] = nodes < MOST_NODES ? nodes : MOST_NODES;
    }
    return status;
}

/* ---- levels ---- */

/* Find the least work for the first cells, for each number of them, with levels of at most `together` cells. */
static EngineStatus divide(Plan *p, int together) {
    const Scan *s = p->s;
    const EngineStatus status = count_nodes(p);
    p->least[0] = 0;
    for (int c = 1; c <= s->cells; c++) {
        p->least[c] = -1;
    }
    for (int first = 0; first < s->cells && status == ENGINE_OK; first++) {
        double rows = 1;    /* of the table */
        double entries = 1; /* of the table */
        double fitting = 1; /* entries of a row */
        for (int c = first; c < s->cells && c < first + together; c++) {
            entries *= p->options[c];
            fitting *= p->options[c];
            for (int m = s->meetings_from[c]; m < s->meetings_from[c + 1]; m++) {
                const int inside = s->meeting[m].cell[0] >= first;
                fitting *= p->match[m];
                entries *= inside ? p->match[m] : 1;
                rows *= inside ? 1 : s->meeting[m].colours;
            }
            if (c > first && (entries > USUAL_ENTRIES || rows > USUAL_ROWS)) {
                break;
            }
            const double work =
                p->least[first] + p->nodes[first] * (WORK_OF_NODE + fitting) + WORK_OF_ENTRY * entries + WORK_OF_ROW * rows;
            if (p->least[c + 1] < 0 || work < p->least[c + 1]) {
                p->least[c + 1] = work;
                p->from[c + 1] = first;
            }
        }
    }
    return status;
}

static void list_places(const Plan *p) {
    Scan *s = p->s;
    s->places = 0;
    for (int c = s->cells; c > 0; c = p->from[c]) {
        s->places++;
    }
    int i = s->places;
    for (int c = s->cells; c > 0; c = p->from[c]) {
        i--;
        s->place[i] = (Place){.first = p->from[c], .cells = c - p->from[c]};
    }
}

/* ---- a compact order ---- */

/* Of the cells for which about the fewest options are expected to fit, the one that meets the earliest cell. */
static int next_cell(const Plan *p) {
    const Scan *s = p->s;
    int best = -1;
    double fewest = MOST_NODES;
    for (int c = 0; c < s->cells; c++) {
        fewest = p->position[c] < 0 && p->growth[c] < fewest ? p->growth[c] : fewest;
    }
    for (int c = 0; c < s->cells; c++) {
        if (p->position[c] < 0 && p->growth[c] <= ABOUT * fewest && (best < 0 || p->earliest[c] < p->earliest[best])) {
            best = c;
        }
    }
    return best;
}

static void find_order(Plan *p) {
    const Scan *s = p->s;
    for (int c = 0; c < s->cells; c++) {
        p->position[c] = -1;
        p->growth[c] = p->options[c];
        p->earliest[c] = s->cells;
    }
    for (int i = 0; i < s->cells; i++) {
        const int next = next_cell(p);
        p->order[i] = next;
        p->position[next] = i;
        for (int m = 0; m < s->meetings; m++) {
            const int *cells = s->meeting[m].cell;
            const int other = cells[0] == next ? cells[1] : cells[1] == next ? cells[0] : -1;
            if (other >= 0) {
                p->growth[other] *= p->match[m];
                p->earliest[other] = p->earliest[other] < i ? p->earliest[other] : i;
            }
        }
    }
}

/* Sort the meetings by their later cells. */
static void sort_meetings(Plan *p) {
    Scan *s = p->s;
    for (int m = 0; m < s->meetings; m++) {
        p->meeting[m] = s->meeting[m];
    }
    int *from = s->meetings_from;
    for (int c = 0; c <= s->cells + 1; c++) {
        from[c] = 0;
    }
    for (int m = 0; m < s->meetings; m++) {
        from[p->meeting[m].cell[1] + 2]++;
    }
    for (int c = 2; c <= s->cells + 1; c++) {
        from[c] += from[c - 1];
    }
    for (int m = 0; m < s->meetings; m++) {
        s->meeting[from[p->meeting[m].cell[1] + 1]++] = p->meeting[m];
    }
}

/* Renumber the cells: number i is for the cell that now has the number order[i]. Afterwards `position` undoes this. */
static void renumber(Plan *p, const int *order) {
    Scan *s = p->s;
    for (int c = 0; c < s->cells; c++) {
        p->cell[c] = s->cell[c];
        p->position[order[c]] = c;
    }
    for (int c = 0; c < s->cells; c++) {
        s->cell[c] = p->cell[order[c]];
    }
    for (int m = 0; m < s->meetings; m++) {
        Meeting *meeting = s->meeting + m;
        const Meeting old = *meeting;
        const int swapped = p->position[old.cell[0]] > p->position[old.cell[1]];
        for (int i = 0; i < 2; i++) {
            meeting->cell[i] = p->position[old.cell[i ^ swapped]];
            meeting->colour[i] = old.colour[i ^ swapped];
        }
    }
    for (int i = 1; i < s->resources; i++) {
        for (int j = 0; j < s->resource[i].options && !s->resource[i].shared; j++) {
            s->resource[i].cell[j] = p->position[s->resource[i].cell[j]];
        }
    }
    sort_meetings(p);
}

/* ---- all ---- */

static EngineStatus make_plan(Plan *p, int together) {
    Scan *s = p->s;
    sort_meetings(p);
    EngineStatus status = divide(p, together);
    const double work = p->least[s->cells];
    if (status == ENGINE_OK && together > 1) {
        find_order(p);
        renumber(p, p->order);
        status = divide(p, together);
        if (status == ENGINE_OK && p->least[s->cells] >= work) {
            for (int c = 0; c < s->cells; c++) {
                p->order[c] = p->position[c];
            }
            renumber(p, p->order);
            status = divide(p, together);
        }
    }
    if (status == ENGINE_OK) {
        list_places(p);
    }
    return status;
}

EngineStatus scan_plan(Scan *s, int together) {
    Plan p = {.s = s};
    double **numbers[] = {&p.options, &p.match, &p.load, &p.nodes, &p.least, &p.growth};
    int **indexes[] = {&p.from, &p.earliest, &p.position, &p.order};
    const size_t size = (size_t)(s->cells + s->meetings + s->resources) + 2;
    int enough = s->place && s->meetings_from;
    for (int i = 0; i < 6; i++) {
        *numbers[i] = engine_allocate(size, sizeof(double));
        enough = enough && *numbers[i];
    }
    for (int i = 0; i < 4; i++) {
        *indexes[i] = engine_allocate(size, sizeof(int));
        enough = enough && *indexes[i];
    }
    p.cell = engine_allocate(size, sizeof(Cell));
    p.meeting = engine_allocate(size, sizeof(Meeting));
    const EngineStatus status = enough && p.cell && p.meeting ? make_plan(&p, together) : ENGINE_NO_MEMORY;
    for (int i = 0; i < 6; i++) {
        engine_free(*numbers[i]);
    }
    for (int i = 0; i < 4; i++) {
        engine_free(*indexes[i]);
    }
    engine_free(p.cell);
    engine_free(p.meeting);
    return status;
}
