/* Depth-first search in a fixed order for all models of an exact cover with colours.

   Some items, the cells, contain each option once. Which options fit a cell depends only on the colours of the options of the cells
   that it meets, and on the resources that are left, such as pieces that can be used once. So the cells are taken in an order that
   is fixed before the search (plan.c), one or several at each level, and tables give the ways to fill those of a level that
   fit the colours of the earlier ones. Looking at one takes a few nanoseconds, hundreds of times less than a node of `cover.c`,
   whose order adapts to the search: on boards whose tiles have labels, that is usually faster. Exact covers with colours are from
   Knuth, The Art of Computer Programming 4B, section 7.2.2.1.

   The size of a search is given in nodes: the entries of tables that it looks at, and the levels that it enters.

   Pieces that are alike, such as tiles that differ only in a picture, are used in one order; then all others follow. Propagation from
   the chosen options checks each model before it is given. */

#include "scan/inner.h"

/* The nodes that an assignment of resources counts if the constraints refuse it: checking it takes about as long. */
#define REFUSED 1000

/* ---- models ---- */

/* The resource of an option of a cell, if it can be another one that is alike; otherwise 0. */
static int exchangeable(const Scan *s, int c, int option) {
    const int resource = s->uses[s->cell[c].use[option]];
    return resource && s->resource[resource].twin ? resource : 0;
}

/* The next choice of a resource among those that are one with that of the chosen option. Returns 0 after the last. */
static int next_twin(Scan *s, int c) {
    const int resource = exchangeable(s, c, s->chosen[c]);
    if (!resource) {
        const int fresh = s->twin[c] < 0;
        s->twin[c] = 0;
        return fresh;
    }
    int next = s->twin[c];
    if (next > 0) {
        s->taken[next] = 0;
    }
    do {
        next = next < 0 ? resource : s->resource[next].twin;
    } while (next && s->taken[next]);
    s->twin[c] = next;
    s->taken[next] = 1; /* resource 0 stands for none */
    return next > 0;
}

/* Go to the next assignment of resources that are one; the first one if `fresh`. Returns 0 after the last. */
static int next_assignment(Scan *s, int fresh) {
    int c = fresh ? 0 : s->cells - 1;
    if (fresh) {
        s->twin[0] = -1;
    }
    while (c >= 0 && c < s->cells) {
        if (next_twin(s, c)) {
            c++;
            if (c < s->cells) {
                s->twin[c] = -1;
            }
        } else {
            c--;
        }
    }
    return c == s->cells;
}

/* The option of a twin of a resource that corresponds to that of number `option` of a cell. */
static int twin_option(const Scan *s, int c, int option, int resource, int twin) {
    const Resource *one = s->resource + resource;
    int i = 0;
    while (one->cell[i] != c || one->index[i] != option) {
        i++;
    }
    return s->cell[c].option[s->resource[twin].index[i]];
}

/* The option chosen for a cell, or its twin. */
static int option_of(const Scan *s, int c) {
    if (s->twin[c] <= 0) {
        return s->cell[c].option[s->chosen[c]];
    }
    return twin_option(s, c, s->chosen[c], exchangeable(s, c, s->chosen[c]), s->twin[c]);
}

/* Whether the chosen options are a model, whose true decision variables are then in `model`. */
static int is_model(Scan *s) {
    Dive *d = s->dive;
    int possible = 1;
    s->number = s->fixed;
    for (int c = 0; c < s->cells && possible; c++) {
        const int option = option_of(s, c);
        s->model[s->number++] = option;
        possible = dive_try(d, option);
    }
    dive_undo(d, s->assigned);
    return possible;
}

/* The next model with the chosen options or their twins. Returns SCAN_DONE after the last, and SCAN_WORKING if all nodes are used
   up; a further call continues. */
static ScanState next_model(Scan *s, uint64_t *nodes) {
    int more = next_assignment(s, !s->expanding);
    while (more && !is_model(s)) {
        s->expanding = 1;
        if (*nodes < REFUSED) {
            *nodes = 0;
            return SCAN_WORKING;
        }
        *nodes -= REFUSED;
        s->nodes += REFUSED;
        more = next_assignment(s, 0);
    }
    s->expanding = more;
    return more ? SCAN_FOUND : SCAN_DONE;
}

/* ---- the search ---- */

/* Find the entries that fit at a level. Returns their number. */
ALWAYS_INLINE int enter(const Scan *s, int depth) {
    const Place *place = s->place + depth;
    int row = 0;
    for (int i = 0; i < place->ins; i++) {
        row += s->slot[place->in[i]];
    }
    Level *level = s->level + depth;
    level->begin = level->at = place->start[row];
    level->end = place->start[row + 1];
    return level->end - level->begin;
}

/* Go to the next cover. Returns the nodes that are left, or -1 if all are used up. At the end, the depth is negative. */
ALWAYS_INLINE int64_t next_cover(Scan *s, int64_t nodes, const int units, const int words) {
    const int last = s->places - 1;
    int depth = s->depth;
    while (depth >= 0 && nodes >= 0) {
        Level *level = s->level + depth;
        const Place *place = s->place + depth;
        const Word *used = s->used + (size_t)depth * (size_t)words;
        Word *sum = s->used + (size_t)(depth + 1) * (size_t)words;
        int at = level->at;
        while (at < level->end && !add_uses(used, place->use + (size_t)at * (size_t)words, sum, s->guard, units, words)) {
            at++;
        }
        level->at = at + 1;
        if (at == level->end) {
            depth--;
            continue;
        }
        if (depth == last) {
            break;
        }
        const int *value = place->value + (size_t)at * (size_t)place->outs;
        for (int i = 0; i < place->outs; i++) {
            s->slot[place->out[i]] = value[i];
        }
        depth++;
        nodes -= 1 + enter(s, depth);
    }
    s->depth = depth;
    return nodes;
}

static int64_t search(Scan *s, int64_t nodes) {
    const int counters = s->words - s->units;
    if (s->units == 1 && counters == 0) {
        return next_cover(s, nodes, 1, 1);
    }
    if (s->units == 2 && counters == 0) {
        return next_cover(s, nodes, 2, 2);
    }
    if (s->units == 1 && counters == 1) {
        return next_cover(s, nodes, 1, 2);
    }
    return next_cover(s, nodes, s->units, s->words);
}

/* The options of the entries that are chosen at all levels. */
static void list_chosen(Scan *s) {
    for (int depth = 0; depth < s->places; depth++) {
        const Place *place = s->place + depth;
        const int16_t *option = place->option + (size_t)(s->level[depth].at - 1) * (size_t)place->cells;
        for (int i = 0; i < place->cells; i++) {
            s->chosen[place->first + i] = option[i];
        }
    }
}

ScanState scan_step(Scan *s, uint64_t nodes) {
    if (s->done) {
        return SCAN_DONE;
    }
    if (!s->begun) {
        s->begun = 1;
        if (s->places) {
            s->nodes += 1 + (uint64_t)enter(s, 0);
        } else {
            s->depth = -1;
            s->expanding = next_assignment(s, 1) && is_model(s);
            if (s->expanding) {
                return SCAN_FOUND;
            }
        }
    }
    for (;;) {
        if (!s->expanding) {
            const int64_t most = nodes < INT64_MAX ? (int64_t)nodes : INT64_MAX;
            const int64_t left = search(s, most);
            s->nodes += (uint64_t)(most - left);
            if (s->depth < 0) {
                s->done = 1;
                return SCAN_DONE;
            }
            if (left < 0) {
                return SCAN_WORKING;
            }
            nodes = (uint64_t)left;
            list_chosen(s);
        }
        const ScanState state = next_model(s, &nodes);
        if (state != SCAN_DONE) {
            return state;
        }
    }
}

double scan_progress(const Scan *s) {
    double done = 0;
    double part = 1;
    for (int depth = 0; s->begun && depth <= s->depth; depth++) {
        const Level *level = s->level + depth;
        if (level->end == level->begin) {
            break;
        }
        const double all = level->end - level->begin;
        const int before = level->at - level->begin - 1;
        done += before > 0 ? part * before / all : 0;
        part /= all;
    }
    return s->done ? 1 : done;
}

/* ---- random paths, and parts that are given up ---- */

/* An entry of a level that fits, chosen at random; -1 without any. Returns their number. */
static int pick_entry(const Scan *s, int depth, uint64_t *random, int *entry) {
    const Level *level = s->level + depth;
    const Word *use = s->place[depth].use;
    const size_t words = (size_t)s->words;
    const Word *used = s->used + (size_t)depth * words;
    Word *sum = s->used + (size_t)(depth + 1) * words;
    int fitting = 0;
    *entry = -1;
    if (depth == 0 && level->begin < level->end) { /* all of them fit */
        fitting = level->end - level->begin;
        *entry = level->begin + random_below(random, fitting);
    }
    for (int at = level->begin; at < level->end && depth; at++) {
        if (add_uses(used, use + (size_t)at * words, sum, s->guard, s->units, s->words)) {
            fitting++;
            *entry = random_below(random, fitting) ? *entry : at;
        }
    }
    if (fitting) {
        add_uses(used, use + (size_t)*entry * words, sum, s->guard, s->units, s->words);
    }
    return fitting;
}

double scan_probe(Scan *s, uint64_t *random) {
    double nodes = 0;
    double weight = 1;
    for (int depth = 0; !s->done && depth < s->places; depth++) {
        const Place *place = s->place + depth;
        int entry;
        nodes += weight * (1 + enter(s, depth));
        weight *= pick_entry(s, depth, random, &entry);
        if (entry < 0) {
            break;
        }
        for (int i = 0; i < place->outs; i++) {
            s->slot[place->out[i]] = place->value[(size_t)entry * (size_t)place->outs + (size_t)i];
        }
    }
    return nodes;
}

/* Append an option of a cell, and those of twins that correspond to it. Returns the new number of options. */
static int append_twins(const Scan *s, int c, int option, int *options, int count) {
    const int resource = exchangeable(s, c, option);
    options[count++] = s->cell[c].option[option];
    for (int twin = s->resource[resource].twin; resource && twin; twin = s->resource[twin].twin) {
        options[count++] = twin_option(s, c, option, resource, twin);
    }
    return count;
}

/* Give up the entries of a level that choose other options for a cell than the current one. The other cells of the level before it have
   the same options in all entries that are left; so those with the same option of this one come first. */
static int take_untried(const Scan *s, int depth, int i, int *released) {
    const Place *place = s->place + depth;
    Level *level = s->level + depth;
    const size_t cells = (size_t)place->cells;
    const int16_t *option = place->option + i;
    int at = level->at;
    while (at < level->end && option[(size_t)at * cells] == option[(size_t)(level->at - 1) * cells]) {
        at++;
    }
    int count = 0;
    for (int j = at; j < level->end; j++) {
        if (option[(size_t)j * cells] != option[(size_t)(j - 1) * cells]) {
            count = append_twins(s, place->first + i, option[(size_t)j * cells], released, count);
        }
    }
    level->end = at;
    return count;
}

int scan_release(Scan *s, int *path, int *levels, int *released) {
    *levels = 0;
    for (int depth = 0; s->begun && depth < s->depth; depth++) { /* the entry of the last level is finished */
        const Place *place = s->place + depth;
        for (int i = 0; i < place->cells; i++) {
            const int c = place->first + i;
            const int option = place->option[(size_t)(s->level[depth].at - 1) * (size_t)place->cells + (size_t)i];
            if (exchangeable(s, c, option)) {
                return 0; /* the search is in several branches at once */
            }
            path[(*levels)++] = s->cell[c].option[option];
            const int count = take_untried(s, depth, i, released);
            if (count) {
                return count;
            }
        }
    }
    return 0;
}

int scan_variables(const Scan *s) {
    return s->dive->variables;
}

const int *scan_item(const Scan *s, int level, int *size) {
    *size = s->cell[level].items;
    return s->cell[level].item;
}

/* ---- making and freeing ---- */

static EngineStatus prepare(Scan *s) {
    s->taken = engine_allocate((size_t)s->resources + 1, sizeof(int8_t));
    s->slot = engine_allocate((size_t)s->meetings + 1, sizeof(int));
    s->level = engine_allocate((size_t)s->places + 1, sizeof(Level));
    s->chosen = engine_allocate((size_t)s->cells + 1, sizeof(int));
    s->twin = engine_allocate((size_t)s->cells + 1, sizeof(int));
    return s->taken && s->slot && s->level && s->chosen && s->twin ? ENGINE_OK : ENGINE_NO_MEMORY;
}

/* The decision variables that hold before any choice begin each model. */
static EngineStatus list_fixed(Scan *s, const int8_t *decides) {
    const Dive *d = s->dive;
    s->model = engine_allocate((size_t)d->variables + 1, sizeof(int));
    if (!s->model) {
        return ENGINE_NO_MEMORY;
    }
    for (int i = 0; i < s->assigned; i++) {
        if (d->trail[i] > 0 && decides[d->trail[i]]) {
            s->model[s->fixed++] = d->trail[i];
        }
    }
    return ENGINE_OK;
}

static void free_places(Scan *s) {
    for (int i = 0; s->place && i < s->places; i++) {
        engine_free(s->place[i].in);
        engine_free(s->place[i].out);
        engine_free(s->place[i].start);
        engine_free(s->place[i].use);
        engine_free(s->place[i].value);
        engine_free(s->place[i].option);
    }
    engine_free(s->place);
    s->place = NULL;
}

/* Divide the cells into levels, and make their tables. Clears `suits` if these are too large. */
static EngineStatus divide(Scan *s, int together) {
    s->place = engine_allocate((size_t)s->cells + 1, sizeof(Place));
    const EngineStatus status = s->place ? scan_plan(s, together) : ENGINE_NO_MEMORY;
    return status == ENGINE_OK ? scan_tables(s) : status;
}

static EngineStatus make_levels(Scan *s) {
    const EngineStatus status = divide(s, MOST_TOGETHER);
    if (status != ENGINE_OK || s->suits || s->places == s->cells) {
        return status;
    }
    free_places(s); /* there are more entries than estimated */
    s->suits = 1;
    return divide(s, 1);
}

static EngineStatus build(Scan *s, const int *numbers, int count, const int8_t *decides) {
    if (s->dive->stuck) {
        s->suits = s->done = 1;
        return ENGINE_OK;
    }
    s->assigned = s->dive->assigned;
    EngineStatus status = list_fixed(s, decides);
    if (status == ENGINE_OK) {
        status = scan_read(s, numbers, count, decides);
    }
    EngineStatus (*const steps[])(Scan *) = {scan_meet, scan_unite, scan_count_uses, make_levels, prepare};
    for (int i = 0; i < 5 && status == ENGINE_OK && s->suits && !s->done; i++) {
        status = steps[i](s);
    }
    return status;
}

Scan *scan_new(int variables, const int *numbers, int count, const int *decisions, int decided, EngineStatus *status) {
    Dive *dive = dive_new(variables, numbers, count, decisions, decided, status);
    if (!dive) {
        return NULL;
    }
    Scan *s = engine_allocate(1, sizeof(Scan));
    int8_t *decides = engine_allocate((size_t)variables + 1, sizeof(int8_t));
    *status = ENGINE_NO_MEMORY;
    if (s && decides) {
        for (int i = 0; i < decided; i++) {
            decides[decisions[i]] = 1;
        }
        s->dive = dive;
        *status = build(s, numbers, count, decides);
    }
    engine_free(decides);
    if (!s) {
        dive_free(dive);
    } else if (*status != ENGINE_OK) {
        s->dive = dive;
        scan_free(s);
        s = NULL;
    }
    return s;
}

static void free_cells(Scan *s) {
    for (int c = 0; s->cell && c < s->cells; c++) {
        engine_free(s->cell[c].item);
        engine_free(s->cell[c].option);
        engine_free(s->cell[c].variable);
        engine_free(s->cell[c].bit);
        engine_free(s->cell[c].pattern);
        engine_free(s->cell[c].kind);
        engine_free(s->cell[c].use);
    }
    for (int i = 0; s->meeting && i < s->meetings; i++) {
        engine_free(s->meeting[i].colour[0]);
        engine_free(s->meeting[i].colour[1]);
    }
    for (int i = 1; s->resource && i < s->resources; i++) {
        engine_free(s->resource[i].cell);
        engine_free(s->resource[i].index);
    }
}

void scan_free(Scan *s) {
    if (!s) {
        return;
    }
    free_cells(s);
    dive_free(s->dive);
    engine_free(s->cell);
    engine_free(s->meeting);
    engine_free(s->meetings_from);
    engine_free(s->resource);
    engine_free(s->uses);
    free_places(s);
    engine_free(s->guard);
    engine_free(s->used);
    engine_free(s->chosen);
    engine_free(s->slot);
    engine_free(s->level);
    engine_free(s->twin);
    engine_free(s->taken);
    engine_free(s->model);
    engine_free(s);
}

int scan_suits(const Scan *s) {
    return s->suits;
}

int scan_meets(const Scan *s) {
    return s->meets || s->done;
}

const int *scan_options(const Scan *s) {
    return s->model;
}

int scan_number(const Scan *s) {
    return s->number;
}

uint64_t scan_nodes(const Scan *s) {
    return s->nodes;
}
