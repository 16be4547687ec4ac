/* Which cells of a search in a fixed order meet, and which options and resources are alike. */

#include "scan/inner.h"

/* ---- patterns ---- */

/* Different rows of words, found by comparing all of them. */
typedef struct {
    const Word *row[MOST_COLOURS];
    int count;
} Rows;

static int equal(const Word *one, const Word *other, int words) {
    for (int k = 0; k < words; k++) {
        if (one[k] != other[k]) {
            return 0;
        }
    }
    return 1;
}

/* The number of a row among the different ones; -1 if there are too many. */
static int number_of(Rows *rows, const Word *row, int words) {
    for (int i = 0; i < rows->count; i++) {
        if (equal(rows->row[i], row, words)) {
            return i;
        }
    }
    if (rows->count == MOST_COLOURS) {
        return -1;
    }
    rows->row[rows->count] = row;
    return rows->count++;
}

/* Copy some bits of the patterns of a cell, one row for each option. */
static void copy_bits(const Cell *cell, const int *bits, int count, Word *to, int words) {
    for (int o = 0; o < cell->count; o++) {
        const Word *pattern = cell->pattern + (size_t)o * (size_t)cell->words;
        Word *row = to + (size_t)o * (size_t)words;
        for (int i = 0; i < count; i++) {
            row[i / WORD_BITS] |= (pattern[bits[i] / WORD_BITS] >> bits[i] % WORD_BITS & 1) << i % WORD_BITS;
        }
    }
}

/* Number the bits of two cells that should be equal: the colours. Returns 0 without memory, and clears `suits` if there are too many. */
static int number_colours(Scan *s, Meeting *meeting, int *const bits[2], int count) {
    const int words = count / WORD_BITS + 1;
    const Cell *cells[2] = {s->cell + meeting->cell[0], s->cell + meeting->cell[1]};
    Rows *rows = engine_allocate(1, sizeof(Rows));
    Word *copied[2] = {NULL, NULL};
    int enough = rows != NULL;
    for (int i = 0; i < 2; i++) {
        copied[i] = engine_allocate((size_t)cells[i]->count * (size_t)words + 1, sizeof(Word));
        meeting->colour[i] = engine_allocate((size_t)cells[i]->count + 1, sizeof(int));
        enough = enough && copied[i] && meeting->colour[i];
    }
    for (int i = 0; i < 2 && enough; i++) {
        copy_bits(cells[i], bits[i], count, copied[i], words);
        for (int o = 0; o < cells[i]->count; o++) {
            meeting->colour[i][o] = number_of(rows, copied[i] + (size_t)o * (size_t)words, words);
            s->suits = s->suits && meeting->colour[i][o] >= 0;
        }
    }
    meeting->colours = enough ? rows->count : 0;
    engine_free(copied[0]);
    engine_free(copied[1]);
    engine_free(rows);
    return enough;
}

/* ---- meetings ---- */

/* One cell of an auxiliary variable. */
typedef struct {
    int cell;
    int bit;
} Share;

typedef struct {
    Scan *s;
    int *start; /* the shares of variable v are share[start[v]], ..., share[start[v + 1] - 1] */
    Share *share;
    int *count;  /* for each earlier cell, how many variables it shares with this one */
    int *bits[2]; /* the bits of these variables in the patterns of two cells */
} Sharing;

static void list_shares(Sharing *sharing) {
    const Scan *s = sharing->s;
    for (int c = 0; c < s->cells; c++) {
        for (int i = 0; i < s->cell[c].auxiliaries; i++) {
            sharing->start[s->cell[c].variable[i] + 2]++;
        }
    }
    for (int v = 2; v < s->dive->variables + 3; v++) {
        sharing->start[v] += sharing->start[v - 1];
    }
    for (int c = 0; c < s->cells; c++) {
        for (int i = 0; i < s->cell[c].auxiliaries; i++) {
            sharing->share[sharing->start[s->cell[c].variable[i] + 1]++] = (Share){.cell = c, .bit = s->cell[c].bit[i]};
        }
    }
}

/* The variables that a cell shares with an earlier one. Returns their number. */
static int shared_bits(Sharing *sharing, int c, int earlier) {
    const Cell *cell = sharing->s->cell + c;
    int count = 0;
    for (int i = 0; i < cell->auxiliaries; i++) {
        const int variable = cell->variable[i];
        for (int j = sharing->start[variable]; j < sharing->start[variable + 1]; j++) {
            if (sharing->share[j].cell == earlier) {
                sharing->bits[0][count] = sharing->share[j].bit;
                sharing->bits[1][count] = cell->bit[i];
                count++;
            }
        }
    }
    return count;
}

/* The meetings of a cell with earlier ones. Returns 0 without memory. */
static int meet_earlier(Sharing *sharing, int c) {
    Scan *s = sharing->s;
    const Cell *cell = s->cell + c;
    for (int other = 0; other < c; other++) {
        sharing->count[other] = 0;
    }
    for (int i = 0; i < cell->auxiliaries; i++) {
        const int variable = cell->variable[i];
        for (int j = sharing->start[variable]; j < sharing->start[variable + 1] && sharing->share[j].cell < c; j++) {
            sharing->count[sharing->share[j].cell]++;
        }
    }
    for (int other = 0; other < c && s->suits; other++) {
        if (!sharing->count[other]) {
            continue;
        }
        Meeting *meeting = s->meeting + s->meetings;
        if (s->meetings == MOST_MEETINGS * s->cells) {
            s->suits = 0;
            break;
        }
        s->meetings++;
        meeting->cell[0] = other;
        meeting->cell[1] = c;
        if (!number_colours(s, meeting, sharing->bits, shared_bits(sharing, c, other))) {
            return 0;
        }
    }
    return 1;
}

/* Whether each cell meets others. */
static int all_meet(const Scan *s, int *meets) {
    for (int c = 0; c < s->cells; c++) {
        meets[c] = 0;
    }
    for (int m = 0; m < s->meetings; m++) {
        meets[s->meeting[m].cell[0]] = meets[s->meeting[m].cell[1]] = 1;
    }
    int all = s->cells > 0;
    for (int c = 0; c < s->cells; c++) {
        all = all && meets[c];
    }
    return all;
}

EngineStatus scan_meet(Scan *s) {
    const size_t variables = (size_t)s->dive->variables;
    size_t shares = 1;
    for (int c = 0; c < s->cells; c++) {
        shares += (size_t)s->cell[c].auxiliaries;
    }
    Sharing sharing = {.s = s};
    sharing.start = engine_allocate(variables + 4, sizeof(int));
    sharing.share = engine_allocate(shares, sizeof(Share));
    sharing.count = engine_allocate((size_t)s->cells + 1, sizeof(int));
    sharing.bits[0] = engine_allocate(shares, sizeof(int));
    sharing.bits[1] = engine_allocate(shares, sizeof(int));
    s->meeting = engine_allocate((size_t)s->cells * MOST_MEETINGS + 1, sizeof(Meeting));
    s->meetings_from = engine_allocate((size_t)s->cells + 2, sizeof(int));
    int enough = sharing.start && sharing.share && sharing.count && sharing.bits[0] && sharing.bits[1];
    enough = enough && s->meeting && s->meetings_from;
    if (enough) {
        list_shares(&sharing);
    }
    for (int c = 0; c < s->cells && enough && s->suits; c++) {
        enough = meet_earlier(&sharing, c);
    }
    s->meets = enough && s->suits && all_meet(s, sharing.count);
    engine_free(sharing.start);
    engine_free(sharing.share);
    engine_free(sharing.count);
    engine_free(sharing.bits[0]);
    engine_free(sharing.bits[1]);
    return enough ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* ---- resources whose options are alike ---- */

/* Number the patterns of the options of a cell. */
static EngineStatus number_kinds(Scan *s, Cell *cell) {
    Rows *rows = engine_allocate(1, sizeof(Rows));
    cell->kind = engine_allocate((size_t)cell->count + 1, sizeof(int));
    if (rows && cell->kind) {
        for (int o = 0; o < cell->count; o++) {
            cell->kind[o] = number_of(rows, cell->pattern + (size_t)o * (size_t)cell->words, cell->words);
            s->suits = s->suits && cell->kind[o] >= 0;
        }
    }
    const int enough = rows && cell->kind;
    engine_free(rows);
    return enough ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* The options of each resource that is the only one of all of its options; others get none. */
static int list_options(Scan *s) {
    for (int c = 0; c < s->cells; c++) {
        for (int o = 0; o < s->cell[c].count; o++) {
            const int *use = s->uses + s->cell[c].use[o];
            for (int i = 0; use[i]; i++) {
                s->resource[use[i]].options++;
                s->resource[use[i]].shared |= use[0] && use[1];
            }
        }
    }
    for (int i = 1; i < s->resources; i++) {
        Resource *resource = s->resource + i;
        resource->shared |= resource->most != 1;
        const size_t size = resource->shared ? 1 : (size_t)resource->options + 1;
        resource->cell = engine_allocate(size, sizeof(int));
        resource->index = engine_allocate(size, sizeof(int));
        if (!resource->cell || !resource->index) {
            return 0;
        }
        resource->options = 0;
    }
    for (int c = 0; c < s->cells; c++) {
        for (int o = 0; o < s->cell[c].count; o++) {
            Resource *resource = s->resource + s->uses[s->cell[c].use[o]];
            if (resource > s->resource && !resource->shared) {
                resource->cell[resource->options] = c;
                resource->index[resource->options] = o;
                resource->options++;
                resource->alike += ((Word)c * 0x9e3779b97f4a7c15u ^ (Word)s->cell[c].kind[o]) * 0xbf58476d1ce4e5b9u;
            }
        }
    }
    return 1;
}

/* Arrange the options of a resource so that they correspond to those of another. Returns 0 if that is impossible. */
static int arrange(const Scan *s, const Resource *one, Resource *other) {
    if (one->alike != other->alike || one->options != other->options) {
        return 0;
    }
    for (int i = 0; i < one->options; i++) {
        const int *kind = s->cell[one->cell[i]].kind;
        int j = i;
        while (j < other->options && (other->cell[j] != one->cell[i] || kind[other->index[j]] != kind[one->index[i]])) {
            j++;
        }
        if (j == other->options) {
            return 0;
        }
        const int cell = other->cell[i];
        const int index = other->index[i];
        other->cell[i] = other->cell[j];
        other->index[i] = other->index[j];
        other->cell[j] = cell;
        other->index[j] = index;
    }
    return 1;
}

EngineStatus scan_unite(Scan *s) {
    EngineStatus status = ENGINE_OK;
    for (int c = 0; c < s->cells && status == ENGINE_OK; c++) {
        status = number_kinds(s, s->cell + c);
    }
    if (status != ENGINE_OK || !s->suits) {
        return status;
    }
    if (!list_options(s)) {
        return ENGINE_NO_MEMORY;
    }
    for (int i = 1; i < s->resources; i++) {
        Resource *resource = s->resource + i;
        resource->first = i;
        for (int j = 1; j < i && !resource->shared && resource->options; j++) {
            Resource *earlier = s->resource + j;
            if (earlier->first == j && !earlier->shared && arrange(s, earlier, resource)) {
                resource->first = j;
                resource->twin = earlier->twin;
                earlier->twin = i;
                earlier->most++;
                break;
            }
        }
    }
    return ENGINE_OK;
}
