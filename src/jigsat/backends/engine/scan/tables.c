/* The tables of a search in a fixed order. */

#include "scan/inner.h"

/* The options of one cell by their colour at a meeting with an earlier cell of the same level: those of colour k are
   option[start[k]], ..., option[start[k + 1] - 1]. Without such a meeting, `meeting` is NULL and all have colour 0. */
typedef struct {
    const Meeting *meeting;
    int *start;
    int *option;
    Word *use; /* of each option of the cell: a row of words */
} Choices;

typedef struct {
    Scan *s;
    int *place_of; /* of each cell */
    int *factor;   /* of each meeting: the values of a place's slots add up to the number of a row */
    int *slot;     /* of each meeting */
    Choices *choices; /* of each cell */
    int *chosen;      /* of each cell */
    Word *used;       /* by the number of cells of a level that are filled: a row of words */
    int64_t entries;  /* of the table that is being made, as well as: */
    int leaving;      /* the number of its meetings with later levels, */
    int *left_by;     /* these meetings, */
    int *column;      /* and the indexes of their slots in an entry */
} Tables;

/* ---- the uses of resources ---- */

/* The least number of bits that can count up to a number. */
static int bits_for(int number) {
    int bits = 0;
    while (number >> bits) {
        bits++;
    }
    return bits;
}

/* Give each resource a bit, or for those that can be used several times a counter with one bit more than its values need. */
EngineStatus scan_count_uses(Scan *s) {
    int bit = 0;
    for (int i = 1; i < s->resources; i++) {
        Resource *resource = s->resource + i;
        resource->most = resource->most < s->cells ? resource->most : s->cells; /* each cell uses a resource once */
        if (resource->most == 1) {
            resource->word = bit / WORD_BITS;
            resource->one = (Word)1 << bit % WORD_BITS;
            bit++;
        }
    }
    s->units = (bit + WORD_BITS - 1) / WORD_BITS;
    s->words = s->units;
    s->guard = engine_allocate((size_t)(s->units + s->resources) + 1, sizeof(Word));
    s->used = engine_allocate((size_t)(s->cells + 1) * (size_t)(s->units + s->resources), sizeof(Word));
    if (!s->guard || !s->used) {
        return ENGINE_NO_MEMORY;
    }
    bit = WORD_BITS;
    for (int i = 1; i < s->resources; i++) {
        Resource *resource = s->resource + i;
        if (resource->most == 1) {
            continue;
        }
        const int bits = bits_for(resource->most);
        if (bit + bits + 1 > WORD_BITS) {
            s->words++;
            bit = 0;
        }
        resource->word = s->words - 1;
        resource->one = (Word)1 << bit;
        s->guard[resource->word] |= resource->one << bits;
        s->used[resource->word] += resource->one * (((Word)1 << bits) - 1 - (Word)resource->most);
        bit += bits + 1;
    }
    return ENGINE_OK;
}

/* Write what an option uses. Returns 0 if there is not as much. */
static int write_use(const Scan *s, const int *use, Word *to) {
    for (int i = 0; use[i]; i++) {
        const Resource *resource = s->resource + use[i];
        int times = 0;
        for (int j = 0; use[j]; j++) {
            times += use[j] == use[i];
        }
        if (times > resource->most) {
            return 0;
        }
        to[resource->word] += resource->one;
    }
    return 1;
}

/* ---- slots ---- */

static void find_cells(Tables *t) {
    const Scan *s = t->s;
    for (int i = 0; i < s->places; i++) {
        for (int c = s->place[i].first; c < s->place[i].first + s->place[i].cells; c++) {
            t->place_of[c] = i;
        }
    }
}

/* The slot between two levels, which all of their meetings share. */
static int slot_between(Place *earlier, Place *later, int *slots) {
    for (int i = 0; i < later->ins; i++) {
        for (int j = 0; j < earlier->outs; j++) {
            if (later->in[i] == earlier->out[j]) {
                return later->in[i];
            }
        }
    }
    later->in[later->ins++] = *slots;
    earlier->out[earlier->outs++] = *slots;
    return (*slots)++;
}

/* The slots of all levels, and the number of rows of each table. Returns 0 if a table is too large. */
static int find_slots(Tables *t, int *rows) {
    Scan *s = t->s;
    int slots = 0;
    for (int i = 0; i < s->places; i++) {
        Place *place = s->place + i;
        rows[i] = 1;
        for (int m = s->meetings_from[place->first]; m < s->meetings_from[place->first + place->cells]; m++) {
            const Meeting *meeting = s->meeting + m;
            if (meeting->cell[0] >= place->first) {
                continue;
            }
            t->factor[m] = rows[i];
            t->slot[m] = slot_between(s->place + t->place_of[meeting->cell[0]], place, &slots);
            if (rows[i] > MOST_ENTRIES / meeting->colours) {
                return 0;
            }
            rows[i] *= meeting->colours;
        }
    }
    return 1;
}

/* ---- choices ---- */

/* The colour of an option at the meeting by which the options of its cell are listed. */
static int colour_of(const Choices *choices, int option) {
    return choices->meeting ? choices->meeting->colour[1][option] : 0;
}

static EngineStatus list_choices(Tables *t, int c) {
    const Scan *s = t->s;
    const Cell *cell = s->cell + c;
    Choices *choices = t->choices + c;
    for (int m = s->meetings_from[c]; m < s->meetings_from[c + 1] && !choices->meeting; m++) {
        choices->meeting = s->meeting[m].cell[0] >= s->place[t->place_of[c]].first ? s->meeting + m : NULL;
    }
    const int colours = choices->meeting ? choices->meeting->colours : 1;
    choices->start = engine_allocate((size_t)colours + 2, sizeof(int));
    choices->option = engine_allocate((size_t)cell->count, sizeof(int));
    choices->use = engine_allocate((size_t)cell->count * (size_t)s->words + 1, sizeof(Word));
    int8_t *possible = engine_allocate((size_t)cell->count, sizeof(int8_t));
    const int enough = choices->start && choices->option && choices->use && possible;
    for (int o = 0; o < cell->count && enough; o++) {
        Word *use = choices->use + (size_t)o * (size_t)s->words;
        possible[o] = (int8_t)(has_entries(s, cell, o) && write_use(s, s->uses + cell->use[o], use));
        choices->start[colour_of(choices, o) + 2] += possible[o];
    }
    for (int k = 2; k < colours + 2 && enough; k++) {
        choices->start[k] += choices->start[k - 1];
    }
    for (int o = 0; o < cell->count && enough; o++) {
        if (possible[o]) {
            choices->option[choices->start[colour_of(choices, o) + 1]++] = o;
        }
    }
    engine_free(possible);
    return enough ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* ---- entries ---- */

/* Whether the option chosen for a cell fits those of the earlier cells of its level. */
static int fits(const Tables *t, const Place *place, int c) {
    const Scan *s = t->s;
    for (int m = s->meetings_from[c]; m < s->meetings_from[c + 1]; m++) {
        const Meeting *meeting = s->meeting + m;
        const int earlier = meeting->cell[0];
        if (earlier >= place->first && meeting->colour[0][t->chosen[earlier]] != meeting->colour[1][t->chosen[c]]) {
            return 0;
        }
    }
    return 1;
}

/* The row of the chosen options of a level. */
static int row_of(const Tables *t, const Place *place) {
    const Scan *s = t->s;
    int row = 0;
    for (int m = s->meetings_from[place->first]; m < s->meetings_from[place->first + place->cells]; m++) {
        const Meeting *meeting = s->meeting + m;
        if (meeting->cell[0] < place->first) {
            row += t->factor[m] * meeting->colour[1][t->chosen[meeting->cell[1]]];
        }
    }
    return row;
}

/* Write the chosen options of a level as the next entry of their row. */
static void write_entry(Tables *t, const Place *place) {
    const Scan *s = t->s;
    const int entry = place->start[row_of(t, place) + 1]++;
    int *value = place->value + (size_t)entry * (size_t)place->outs;
    for (int i = 0; i < t->leaving; i++) {
        const Meeting *meeting = s->meeting + t->left_by[i];
        value[t->column[i]] += t->factor[t->left_by[i]] * meeting->colour[0][t->chosen[meeting->cell[0]]];
    }
    for (int i = 0; i < place->cells; i++) {
        place->option[(size_t)entry * (size_t)place->cells + (size_t)i] = (int16_t)t->chosen[place->first + i];
    }
    const Word *used = t->used + (size_t)place->cells * (size_t)s->words;
    for (int i = 0; i < s->words; i++) {
        place->use[(size_t)entry * (size_t)s->words + (size_t)i] = used[i] - s->used[i];
    }
}

/* Find the ways to fill the cells of a level from a number of them on: count them by rows, or write them if there is memory for
   them. */
static void fill(Tables *t, Place *place, int filled) {
    const Scan *s = t->s;
    if (filled == place->cells) {
        t->entries++;
        if (place->use) {
            write_entry(t, place);
        } else {
            place->start[row_of(t, place) + 2]++;
        }
        return;
    }
    const int c = place->first + filled;
    const Choices *choices = t->choices + c;
    const int colour = choices->meeting ? choices->meeting->colour[0][t->chosen[choices->meeting->cell[0]]] : 0;
    const Word *used = t->used + (size_t)filled * (size_t)s->words;
    for (int i = choices->start[colour]; i < choices->start[colour + 1] && t->entries <= MOST_ENTRIES; i++) {
        t->chosen[c] = choices->option[i];
        const Word *use = choices->use + (size_t)t->chosen[c] * (size_t)s->words;
        if (fits(t, place, c) && add_uses(used, use, t->used + (size_t)(filled + 1) * (size_t)s->words, s->guard, s->units, s->words)) {
            fill(t, place, filled + 1);
        }
    }
}

/* The meetings of a level with later ones. */
static void list_leaving(Tables *t, const Place *place) {
    const Scan *s = t->s;
    t->leaving = 0;
    for (int m = s->meetings_from[place->first + place->cells]; m < s->meetings; m++) {
        if (t->place_of[s->meeting[m].cell[0]] != t->place_of[place->first]) {
            continue;
        }
        t->left_by[t->leaving] = m;
        t->column[t->leaving] = 0;
        while (place->out[t->column[t->leaving]] != t->slot[m]) {
            t->column[t->leaving]++;
        }
        t->leaving++;
    }
}

/* Make one table. Clears `suits` if it is too large. */
static EngineStatus fill_table(Tables *t, Place *place, int rows) {
    Scan *s = t->s;
    for (int c = place->first; c < place->first + place->cells; c++) {
        const EngineStatus status = list_choices(t, c);
        if (status != ENGINE_OK) {
            return status;
        }
    }
    list_leaving(t, place);
    place->start = engine_allocate((size_t)rows + 2, sizeof(int));
    if (!place->start) {
        return ENGINE_NO_MEMORY;
    }
    t->entries = 0;
    fill(t, place, 0);
    if (t->entries > MOST_ENTRIES) {
        s->suits = 0;
        return ENGINE_OK;
    }
    for (int i = 2; i < rows + 2; i++) {
        place->start[i] += place->start[i - 1];
    }
    const size_t entries = (size_t)t->entries;
    place->use = engine_allocate(entries * (size_t)s->words + 1, sizeof(Word));
    place->value = engine_allocate(entries * (size_t)place->outs + 1, sizeof(int));
    place->option = engine_allocate(entries * (size_t)place->cells + 1, sizeof(int16_t));
    if (!place->use || !place->value || !place->option) {
        return ENGINE_NO_MEMORY;
    }
    t->entries = 0;
    fill(t, place, 0);
    return ENGINE_OK;
}

static EngineStatus make_tables(Tables *t) {
    Scan *s = t->s;
    int rows[MOST_CELLS];
    find_cells(t);
    for (int i = 0; i < s->places; i++) {
        Place *place = s->place + i;
        place->in = engine_allocate((size_t)s->meetings + 1, sizeof(int));
        place->out = engine_allocate((size_t)s->meetings + 1, sizeof(int));
        if (!place->in || !place->out) {
            return ENGINE_NO_MEMORY;
        }
    }
    for (int i = 0; i < s->words; i++) {
        t->used[i] = s->used[i];
    }
    s->suits = s->suits && find_slots(t, rows);
    for (int i = 0; i < s->places && s->suits; i++) {
        const EngineStatus status = fill_table(t, s->place + i, rows[i]);
        if (status != ENGINE_OK) {
            return status;
        }
    }
    return ENGINE_OK;
}

EngineStatus scan_tables(Scan *s) {
    Tables t = {.s = s};
    int **arrays[] = {&t.place_of, &t.factor, &t.slot, &t.chosen, &t.left_by, &t.column};
    int enough = 1;
    for (int i = 0; i < 6; i++) {
        *arrays[i] = engine_allocate((size_t)(s->meetings + s->cells) + 2, sizeof(int));
        enough = enough && *arrays[i];
    }
    t.choices = engine_allocate((size_t)s->cells + 1, sizeof(Choices));
    t.used = engine_allocate((size_t)(MOST_TOGETHER + 1) * (size_t)s->words + 1, sizeof(Word));
    const EngineStatus status = enough && t.choices && t.used ? make_tables(&t) : ENGINE_NO_MEMORY;
    for (int c = 0; t.choices && c < s->cells; c++) {
        engine_free(t.choices[c].start);
        engine_free(t.choices[c].option);
        engine_free(t.choices[c].use);
    }
    for (int i = 0; i < 6; i++) {
        engine_free(*arrays[i]);
    }
    engine_free(t.choices);
    engine_free(t.used);
    return status;
}
