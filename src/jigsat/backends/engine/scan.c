/* Depth-first search in a fixed order for all models of an exact cover with colours.

   Some items, the cells, contain each option once. Which options fit a cell depends only on the colours of the options of the cells
   that it meets, and on the resources that are left, such as pieces that can be used once. So the cells are taken in the order of
   the constraints, and tables give the options of a cell that fit the colours of the earlier ones. A node takes a few
   nanoseconds, hundreds of times less than with `cover.c`, whose order adapts to the search: on boards whose tiles have labels, that
   is usually faster even though there are more nodes. It is how the records for large framed boards are searched for. Exact covers
   with colours are from Knuth, The Art of Computer Programming 4B, section 7.2.2.1.

   Pieces that are alike, such as tiles that differ only in a picture, are used in one order; then all others follow. Propagation from
   the chosen options checks each model before it is given. */

#include "scan_inner.h"

/* The nodes that an assignment of resources counts if the constraints refuse it: checking it takes about as long. */
#define REFUSED 1000

/* ---- resources ---- */

/* Take what an option uses. Returns 0 if there is not enough left. */
static int take_all(const Scan *s, const int *use) {
    for (int i = 0; use[i]; i++) {
        if (!s->left[use[i]]) {
            while (i) {
                i--;
                s->left[use[i]]++;
            }
            return 0;
        }
        s->left[use[i]]--;
    }
    return 1;
}

ALWAYS_INLINE int take(const Scan *s, int resource) {
    if (resource < 0) {
        return take_all(s, s->uses - resource);
    }
    if (!s->left[resource]) {
        return 0;
    }
    s->left[resource]--;
    return 1;
}

ALWAYS_INLINE void give_back(const Scan *s, int resource) {
    if (resource >= 0) {
        s->left[resource]++;
        return;
    }
    for (const int *use = s->uses - resource; *use; use++) {
        s->left[*use]++;
    }
}

/* ---- models ---- */

/* The entry that is chosen at a level. */
static const int *chosen(const Scan *s, int depth) {
    return s->level[depth].at - s->place[depth].stride;
}

/* The next choice of a resource among those that are one with that of the chosen option. Returns 0 after the last. */
static int next_twin(Scan *s, int depth) {
    const int resource = chosen(s, depth)[0];
    if (resource <= 0 || !s->resource[resource].twin) {
        const int fresh = s->twin[depth] < 0;
        s->twin[depth] = 0;
        return fresh;
    }
    int next = s->twin[depth];
    if (next > 0) {
        s->taken[next] = 0;
    }
    do {
        next = next < 0 ? resource : s->resource[next].twin;
    } while (next && s->taken[next]);
    s->twin[depth] = next;
    s->taken[next] = 1; /* resource 0 stands for none */
    return next > 0;
}

/* Go to the next assignment of resources that are one; the first one if `fresh`. Returns 0 after the last. */
static int next_assignment(Scan *s, int fresh) {
    int depth = fresh ? 0 : s->cells - 1;
    if (fresh) {
        s->twin[0] = -1;
    }
    while (depth >= 0 && depth < s->cells) {
        if (next_twin(s, depth)) {
            depth++;
            if (depth < s->cells) {
                s->twin[depth] = -1;
            }
        } else {
            depth--;
        }
    }
    return depth == s->cells;
}

/* The option chosen at a level, or its twin. */
static int option_at(const Scan *s, int depth) {
    const int cell = s->place[depth].cell;
    const int option = chosen(s, depth)[1];
    if (s->twin[depth] <= 0) {
        return s->cell[cell].option[option];
    }
    const Resource *resource = s->resource + chosen(s, depth)[0];
    int i = 0;
    while (resource->cell[i] != cell || resource->index[i] != option) {
        i++;
    }
    return s->cell[cell].option[s->resource[s->twin[depth]].index[i]];
}

/* Whether the chosen options are a model, whose true decision variables are then in `model`. */
static int is_model(Scan *s) {
    Dive *d = s->dive;
    int possible = 1;
    s->number = s->fixed;
    for (int depth = 0; depth < s->cells && possible; depth++) {
        const int option = option_at(s, depth);
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

/* Find the entries that fit at a level. */
ALWAYS_INLINE void enter(const Scan *s, int depth) {
    const Place *place = s->place + depth;
    int row = 0;
    for (int i = 0; i < place->ins; i++) {
        row += s->slot[place->in[i]];
    }
    Level *level = s->level + depth;
    level->begin = level->at = place->entry + place->start[row];
    level->end = place->entry + place->start[row + 1];
}

ScanState scan_step(Scan *s, uint64_t nodes) {
    if (s->done) {
        return SCAN_DONE;
    }
    if (s->expanding) {
        const ScanState state = next_model(s, &nodes);
        if (state != SCAN_DONE) {
            return state;
        }
    }
    if (!s->begun) {
        s->begun = 1;
        enter(s, 0);
    }
    const int last = s->cells - 1;
    int depth = s->depth;
    while (depth >= 0) {
        Level *level = s->level + depth;
        if (level->chosen) {
            give_back(s, chosen(s, depth)[0]);
            level->chosen = 0;
        }
        if (level->at == level->end) {
            depth--;
            continue;
        }
        if (!nodes) {
            s->depth = depth;
            return SCAN_WORKING;
        }
        const Place *place = s->place + depth;
        const int *entry = level->at;
        level->at += place->stride;
        if (!take(s, entry[0])) {
            continue;
        }
        nodes--;
        s->nodes++;
        level->chosen = 1;
        if (depth == last) {
            s->depth = depth;
            const ScanState state = next_model(s, &nodes);
            if (state != SCAN_DONE) {
                return state;
            }
            continue;
        }
        for (int i = 0; i < place->outs; i++) {
            s->slot[place->out[i]] = entry[2 + i];
        }
        depth++;
        enter(s, depth);
    }
    s->done = 1;
    return SCAN_DONE;
}

double scan_progress(const Scan *s) {
    double done = 0;
    double part = 1;
    for (int depth = 0; s->begun && depth <= s->depth; depth++) {
        const Level *level = s->level + depth;
        if (level->end == level->begin) {
            break;
        }
        const double all = (double)(level->end - level->begin);
        const int *at = level->at - (level->chosen ? s->place[depth].stride : 0);
        done += part * (double)(at - level->begin) / all;
        part *= s->place[depth].stride / all;
    }
    return s->done ? 1 : done;
}

/* ---- making and freeing ---- */

static EngineStatus prepare(Scan *s) {
    s->left = engine_allocate((size_t)s->resources + 1, sizeof(int));
    s->taken = engine_allocate((size_t)s->resources + 1, sizeof(int8_t));
    s->slot = engine_allocate((size_t)s->meetings + 1, sizeof(int));
    s->level = engine_allocate((size_t)s->cells + 1, sizeof(Level));
    s->twin = engine_allocate((size_t)s->cells + 1, sizeof(int));
    if (!s->left || !s->taken || !s->slot || !s->level || !s->twin) {
        return ENGINE_NO_MEMORY;
    }
    s->left[0] = INT_MAX / 2; /* for options without resources */
    for (int i = 1; i < s->resources; i++) {
        s->left[i] = s->resource[i].most;
    }
    return ENGINE_OK;
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
    if (status == ENGINE_OK && s->suits && !s->done) {
        status = scan_meet(s);
    }
    if (status == ENGINE_OK && s->suits && !s->done) {
        status = scan_unite(s);
    }
    if (status == ENGINE_OK && s->suits && !s->done) {
        status = scan_tables(s);
    }
    return status == ENGINE_OK && s->suits && !s->done ? prepare(s) : status;
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
    for (int i = 0; s->place && i < s->cells; i++) {
        engine_free(s->place[i].in);
        engine_free(s->place[i].out);
        engine_free(s->place[i].start);
        engine_free(s->place[i].entry);
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
    engine_free(s->resource);
    engine_free(s->uses);
    engine_free(s->left);
    engine_free(s->place);
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

const int *scan_options(const Scan *s) {
    return s->model;
}

int scan_number(const Scan *s) {
    return s->number;
}

uint64_t scan_nodes(const Scan *s) {
    return s->nodes;
}
