/* The tables of a search in a fixed order. */

#include "scan_inner.h"

typedef struct {
    Scan *s;
    int *factor; /* of each meeting: the numbers of the later cell's slots add up to the number of a row */
    int *row;    /* of each option of a cell */
} Tables;

/* The side of a meeting at which a cell is; -1 if at none. */
static int side_of(const Meeting *meeting, int cell) {
    return meeting->cell[0] == cell ? 0 : meeting->cell[1] == cell ? 1 : -1;
}

/* The slots of a place and the size of its table; 0 if this is too large. Each meeting has one slot. */
static int find_slots(Tables *t, Place *place) {
    const Scan *s = t->s;
    int size = 1;
    for (int i = 0; i < s->meetings; i++) {
        const Meeting *meeting = s->meeting + i;
        const int side = side_of(meeting, place->cell);
        if (side < 0) {
            continue;
        }
        if (meeting->cell[!side] > place->cell) {
            place->out[place->outs++] = i;
            continue;
        }
        place->in[place->ins++] = i;
        t->factor[i] = size;
        if (size > MOST_ENTRIES / meeting->colours) {
            return 0;
        }
        size *= meeting->colours;
    }
    return size;
}

/* Whether an option has an entry: of several resources that are alike, only the first has. */
static int has_entry(const Scan *s, const Cell *cell, int option) {
    const int resource = s->uses[cell->use[option]];
    return !resource || s->resource[resource].shared || s->resource[resource].first == resource;
}

static void write_entry(const Tables *t, const Place *place, int option, int *entry) {
    const Scan *s = t->s;
    const Cell *cell = s->cell + place->cell;
    const int *use = s->uses + cell->use[option];
    entry[0] = use[0] && use[1] ? -cell->use[option] : use[0];
    entry[1] = option;
    for (int i = 0; i < place->outs; i++) {
        const Meeting *meeting = s->meeting + place->out[i];
        entry[2 + i] = t->factor[place->out[i]] * meeting->colour[side_of(meeting, place->cell)][option];
    }
}

/* The entries in the order of their rows. */
static int fill_table(Tables *t, Place *place, int size) {
    const Scan *s = t->s;
    const Cell *cell = s->cell + place->cell;
    place->stride = 2 + place->outs;
    place->start = engine_allocate((size_t)size + 2, sizeof(int));
    place->entry = engine_allocate((size_t)cell->count * (size_t)place->stride, sizeof(int));
    if (!place->start || !place->entry) {
        return 0;
    }
    for (int o = 0; o < cell->count; o++) {
        t->row[o] = 0;
        for (int i = 0; i < place->ins; i++) {
            const Meeting *meeting = s->meeting + place->in[i];
            t->row[o] += t->factor[place->in[i]] * meeting->colour[side_of(meeting, place->cell)][o];
        }
        place->start[t->row[o] + 2] += has_entry(s, cell, o) ? place->stride : 0;
    }
    for (int i = 2; i < size + 2; i++) {
        place->start[i] += place->start[i - 1];
    }
    for (int o = 0; o < cell->count; o++) {
        if (has_entry(s, cell, o)) {
            write_entry(t, place, o, place->entry + place->start[t->row[o] + 1]);
            place->start[t->row[o] + 1] += place->stride;
        }
    }
    return 1;
}

static EngineStatus make_tables(Tables *t) {
    Scan *s = t->s;
    int size[MOST_CELLS];
    for (int i = 0; i < s->cells; i++) { /* all slots first, because entries contain factors of later places */
        Place *place = s->place + i;
        place->cell = i;
        place->in = engine_allocate((size_t)s->meetings + 1, sizeof(int));
        place->out = engine_allocate((size_t)s->meetings + 1, sizeof(int));
        if (!place->in || !place->out) {
            return ENGINE_NO_MEMORY;
        }
        size[i] = find_slots(t, place);
        s->suits = s->suits && size[i] && place->ins + place->outs;
    }
    for (int i = 0; i < s->cells && s->suits; i++) {
        if (!fill_table(t, s->place + i, size[i])) {
            return ENGINE_NO_MEMORY;
        }
    }
    return ENGINE_OK;
}

EngineStatus scan_tables(Scan *s) {
    size_t most = 0;
    for (int c = 0; c < s->cells; c++) {
        most = (size_t)s->cell[c].count > most ? (size_t)s->cell[c].count : most;
    }
    s->place = engine_allocate((size_t)s->cells, sizeof(Place));
    Tables t = {.s = s};
    t.factor = engine_allocate((size_t)s->meetings + 1, sizeof(int));
    t.row = engine_allocate(most, sizeof(int));
    const int enough = s->place && t.factor && t.row;
    const EngineStatus status = enough ? make_tables(&t) : ENGINE_NO_MEMORY;
    engine_free(t.factor);
    engine_free(t.row);
    return status;
}
