/* Depth-first search for exact covers under pairwise conflicts, on bit sets.

   There are options 0 … n-1 and items, sets of options. A solution is a set of options that meets each item exactly once and
   in which no two conflict. The options that can still be chosen are one bit set a level of the search; choosing one
   strikes its conflicts from it, a row of a matrix of bits. The item with the fewest options left is branched on (Knuth, The Art
   of Computer Programming 4B, 7.2.2.1, calls this MRV); an item without any ends the branch. What conflicts with every
   option that is left of an item cannot be chosen either, and is struck as well where the item has few left. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t word;

/* the compiler makes the search once for each of these and takes at run time what the processor has */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define VECTORISED __attribute__((target_clones("avx2", "popcnt", "default")))
#else
#define VECTORISED
#endif

#define BITS 64
#define FEW 4    /* with up to so many options left an item is looked at for what all of them exclude: measured, 2 to 6 are near */
#define ROUNDS 2 /* and so often at one node, as long as something is struck */
#define NODES_BETWEEN_SIGNALS (1u << 18)

typedef struct {
    int words;     /* of its bit set that are not zero */
    int *index;    /* which words these are */
    word *mask;    /* and what is in them */
} Item;

typedef struct {
    int next, count, open; /* the option to try next, their number, and how many items were open here */
    int *options;
} Level;

typedef struct {
    PyObject_HEAD
    int options, items, width; /* width: words of a bit set */
    word *conflicts;           /* a row for each option, itself included */
    word *alive;               /* a bit set for each level */
    word *common;              /* room for one bit set */
    Item *item;
    int *of_option, *start;    /* the items of option o are of_option[start[o]] … of_option[start[o + 1] - 1] */
    int *order, *place, open;  /* the open items come first in `order`; `place` is its inverse */
    Level *level;
    int depth;
    unsigned long long nodes;
} Search;

/* Take the items of an option from the open ones, by swapping each behind the last open one. */
static void close_items(Search *s, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        int item = s->of_option[i], at = s->place[item], last = s->order[--s->open];
        s->order[at] = last, s->place[last] = at;
        s->order[s->open] = item, s->place[item] = s->open;
    }
}

/* Strike what conflicts with all options that are left of an item. Returns whether there was any such. */
static inline __attribute__((always_inline)) int strike(Search *s, word *restrict alive, Item *item) {
    const int width = s->width;
    word struck = 0, *restrict common = s->common;
    memset(common, 0xff, (size_t)width * sizeof(word));
    for (int j = 0; j < item->words; j++)
        for (word left = alive[item->index[j]] & item->mask[j]; left; left &= left - 1) {
            const word *restrict row = s->conflicts + (size_t)(item->index[j] * BITS + __builtin_ctzll(left)) * width;
            for (int k = 0; k < width; k++) common[k] &= row[k];
        }
    for (int j = 0; j < item->words; j++) common[item->index[j]] &= ~item->mask[j];
    for (int k = 0; k < width; k++) struck |= alive[k] & common[k], alive[k] &= ~common[k];
    return struck != 0;
}

/* Prepare a level for branching. Returns 1 if no item is open: what was chosen is a solution. */
VECTORISED static int branch(Search *s, int depth) {
    word *alive = s->alive + (size_t)depth * s->width;
    Level *level = s->level + depth;
    int best, fewest;
    s->nodes++;
    level->next = level->count = 0;
    level->open = s->open;
    for (int round = 0, struck = 1; struck; round++) {
        best = -1, fewest = s->options + 1, struck = 0;
        for (int i = 0; i < s->open; i++) {
            Item *item = s->item + s->order[i];
            int count = 0, enough = fewest > FEW ? fewest : FEW + 1;
            for (int j = 0; j < item->words && count < enough; j++)
                count += __builtin_popcountll(alive[item->index[j]] & item->mask[j]);
            if (count == 0) return 0;
            if (count < fewest) fewest = count, best = s->order[i];
            if (count > 1 && count <= FEW && round < ROUNDS) struck |= strike(s, alive, item);
        }
        if (fewest == 1) break;
    }
    if (best < 0) return 1;
    for (int j = 0; j < s->item[best].words; j++)
        for (word left = alive[s->item[best].index[j]] & s->item[best].mask[j]; left; left &= left - 1)
            level->options[level->count++] = s->item[best].index[j] * BITS + __builtin_ctzll(left);
    return 0;
}

static PyObject *found(Search *s) {
    PyObject *chosen = PyTuple_New(s->depth);
    for (int d = 0; chosen && d < s->depth; d++) {
        PyObject *option = PyLong_FromLong(s->level[d].options[s->level[d].next - 1]);
        if (!option) { Py_CLEAR(chosen); break; }
        PyTuple_SET_ITEM(chosen, d, option);
    }
    return chosen;
}

static PyObject *search_next(Search *s) {
    if (s->depth < 0 && s->nodes == 0) {
        s->depth = 0;
        if (branch(s, 0)) { s->depth = -1; return PyTuple_New(0); }
    }
    while (s->depth >= 0) {
        Level *level = s->level + s->depth;
        s->open = level->open;
        if (level->next == level->count) { s->depth--; continue; }
        int option = level->options[level->next++];
        word *here = s->alive + (size_t)s->depth * s->width, *there = here + s->width;
        word *row = s->conflicts + (size_t)option * s->width;
        for (int k = 0; k < s->width; k++) there[k] = here[k] & ~row[k];
        close_items(s, option);
        s->depth++;
        if (branch(s, s->depth)) {
            PyObject *solution = found(s);
            s->depth--;
            return solution;
        }
        if (s->nodes % NODES_BETWEEN_SIGNALS == 0 && PyErr_CheckSignals()) return NULL;
    }
    return NULL;
}

/* Read a list of bit sets, each as little-endian bytes. */
static int read_rows(PyObject *list, int rows, int width, word *bits) {
    for (int r = 0; r < rows; r++) {
        PyObject *row = PyList_GET_ITEM(list, r);
        if (!PyBytes_Check(row) || PyBytes_GET_SIZE(row) != (Py_ssize_t)width * BITS / 8) {
            PyErr_Format(PyExc_ValueError, "row %d is no bytes of length %d", r, width * BITS / 8);
            return -1;
        }
        memcpy(bits + (size_t)r * width, PyBytes_AS_STRING(row), (size_t)width * BITS / 8);
    }
    return 0;
}

static void search_dealloc(Search *s) {
    for (int i = 0; s->item && i < s->items; i++) PyMem_Free(s->item[i].index), PyMem_Free(s->item[i].mask);
    for (int d = 0; s->level && d <= s->items; d++) PyMem_Free(s->level[d].options);
    PyMem_Free(s->item), PyMem_Free(s->level), PyMem_Free(s->conflicts), PyMem_Free(s->alive), PyMem_Free(s->common);
    PyMem_Free(s->of_option), PyMem_Free(s->start), PyMem_Free(s->order), PyMem_Free(s->place);
    Py_TYPE(s)->tp_free((PyObject *)s);
}

static PyObject *search_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *items, *conflicts;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &items, &PyList_Type, &conflicts)) return NULL;
    Search *s = (Search *)type->tp_alloc(type, 0);
    if (!s) return NULL;
    s->items = (int)PyList_GET_SIZE(items), s->options = (int)PyList_GET_SIZE(conflicts);
    s->width = (s->options + BITS - 1) / BITS, s->open = s->items, s->depth = -1;
    size_t rows = (size_t)s->items + 1;
    word *members = PyMem_Calloc(rows * s->width + 1, sizeof(word));
    s->conflicts = PyMem_Calloc((size_t)s->options * s->width + 1, sizeof(word));
    s->alive = PyMem_Calloc(rows * s->width + 1, sizeof(word));
    s->common = PyMem_Calloc((size_t)s->width + 1, sizeof(word));
    s->item = PyMem_Calloc(rows, sizeof(Item)), s->level = PyMem_Calloc(rows, sizeof(Level));
    s->order = PyMem_Calloc(rows, sizeof(int)), s->place = PyMem_Calloc(rows, sizeof(int));
    s->start = PyMem_Calloc((size_t)s->options + 2, sizeof(int));
    if (!members || !s->conflicts || !s->alive || !s->common || !s->item || !s->level || !s->order || !s->place || !s->start) goto memory;
    if (read_rows(items, s->items, s->width, members) ||
        read_rows(conflicts, s->options, s->width, s->conflicts)) goto fail;

    int total = 0;
    for (int i = 0; i < s->items; i++) {
        word *bits = members + (size_t)i * s->width;
        s->order[i] = s->place[i] = i;
        for (int k = 0; k < s->width; k++) s->item[i].words += bits[k] != 0, total += __builtin_popcountll(bits[k]);
        s->item[i].index = PyMem_Calloc((size_t)s->item[i].words + 1, sizeof(int));
        s->item[i].mask = PyMem_Calloc((size_t)s->item[i].words + 1, sizeof(word));
        if (!s->item[i].index || !s->item[i].mask) goto memory;
        for (int k = 0, j = 0; k < s->width; k++)
            if (bits[k]) s->item[i].index[j] = k, s->item[i].mask[j++] = bits[k];
    }
    if (!(s->of_option = PyMem_Calloc((size_t)total + 1, sizeof(int)))) goto memory;
    for (int o = 0, n = 0; o < s->options; o++) {
        for (int i = 0; i < s->items; i++)
            if (members[(size_t)i * s->width + o / BITS] >> o % BITS & 1) s->of_option[n++] = i;
        s->start[o + 1] = n;
        /* an option that conflicts with itself can never be chosen */
        if (!(s->conflicts[(size_t)o * s->width + o / BITS] >> o % BITS & 1)) s->alive[o / BITS] |= (word)1 << o % BITS;
    }
    for (int d = 0; d <= s->items; d++)
        if (!(s->level[d].options = PyMem_Calloc((size_t)s->options + 1, sizeof(int)))) goto memory;
    /* from here on an option strikes itself and the other options of its items as well */
    for (int o = 0; o < s->options; o++)
        for (int i = s->start[o]; i < s->start[o + 1]; i++)
            for (int k = 0; k < s->width; k++)
                s->conflicts[(size_t)o * s->width + k] |= members[(size_t)s->of_option[i] * s->width + k];
    PyMem_Free(members);
    return (PyObject *)s;
memory:
    PyErr_NoMemory();
fail:
    PyMem_Free(members);
    Py_DECREF(s);
    return NULL;
}

static PyObject *search_nodes(Search *s, void *unused) { return PyLong_FromUnsignedLongLong(s->nodes); }

static PyGetSetDef search_fields[] = {{"nodes", (getter)search_nodes, NULL, "nodes of the search so far", NULL}, {NULL}};

static PyTypeObject SearchType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "jigsat._cover.Search",
    .tp_doc = "Search(items, conflicts): iterate for the exact covers, each a tuple of options.\n\n"
              "`items` is a list of sets of options; `conflicts` a list with, for each option, the set of those it excludes, itself\n"
              "among them if it can never be chosen. A set is bytes, bit i of them little-endian, in whole words of 8 bytes.",
    .tp_basicsize = sizeof(Search),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = search_new,
    .tp_dealloc = (destructor)search_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)search_next,
    .tp_getset = search_fields,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_cover", "Exact covers under pairwise conflicts.", -1, NULL};

PyMODINIT_FUNC PyInit__cover(void) {
    PyObject *m = PyModule_Create(&module);
    if (!m || PyModule_AddType(m, &SearchType) < 0) return NULL;
    return m;
}
