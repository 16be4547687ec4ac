/* Depth-first search for exact covers under pairwise conflicts, on bit sets.

   There are options 0 … n-1 and items, sets of options. A solution is a set of options that meets each item exactly once and
   in which no two conflict: from no two follow a literal and its negation. The options that can still be chosen are one bit set
   a level of the search; choosing one strikes its conflicts from it, a row of a matrix of bits. The item with the fewest options
   left is branched on (Knuth, The Art of Computer Programming 4B, 7.2.2.1, calls this MRV); an item without any ends the branch.
   What conflicts with every option that is left of an item cannot be chosen either, and is struck as well where the item has few
   left.

   Besides, there are bounds: sets of which no more than so many options may be chosen, and no fewer than so many.

   An option has a bit for each of its items, so that the bits of an item lie side by side and are counted at one glance. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t word;

/* the compiler makes the search once for each of these and takes at run time what the processor has */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define VECTORISED __attribute__((target_clones("avx2", "popcnt", "default")))
#else
#define VECTORISED
#endif

#define BITS 64
#define FEW 4 /* with up to so many options left an item is looked at for what all of them exclude: measured, 3 to 6 are near */
#define NODES_BETWEEN_SIGNALS (1u << 18)

typedef struct {
    int first, words; /* where its bits are: in so many words from the first on, */
    word mask;        /* of the last only these */
} Item;

typedef struct {
    int least, most, taken; /* of its options so many have been chosen */
} Bound;

typedef struct {
    int next, count, open; /* the option to try next, their number, and how many items were open here */
    int *options;
} Level;

typedef struct {
    PyObject_HEAD
    int options, items, bounds, width; /* width: words of a bit set */
    word *conflicts;           /* a row for each option, itself included */
    word *alive, *looked;      /* for each level the options that are left, and those that were when their item was looked at */
    word *common;              /* room for one bit set */
    Item *item;                /* the items, and behind them the sets of the bounds */
    Bound *bound;
    int *of_bit;               /* the option of a bit */
    int *of_option, *bit, *start; /* the items and sets of option o with its bits, from start[o] up to before start[o + 1] */
    int *order, *place, open;  /* the open items come first in `order`; `place` is its inverse */
    Level *level;
    int depth;
    unsigned long long nodes;
} Search;

/* Take the items of an option from the open ones, by swapping each behind the last open one. */
static void close_items(Search *s, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        int item = s->of_option[i];
        if (item >= s->items) continue;
        int at = s->place[item], last = s->order[--s->open];
        s->order[at] = last, s->place[last] = at;
        s->order[s->open] = item, s->place[item] = s->open;
    }
}

static void set_bits(const Search *s, word *bits, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) bits[s->bit[i] / BITS] |= (word)1 << s->bit[i] % BITS;
}

static inline void clear_bits(const Search *s, word *bits, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) bits[s->bit[i] / BITS] &= ~((word)1 << s->bit[i] % BITS);
}

static inline word part(const Item *item, const word *bits, int j) {
    return bits[item->first + j] & (j == item->words - 1 ? item->mask : ~(word)0);
}

static inline __attribute__((always_inline)) int left_of(const Item *item, const word *alive) {
    int count = __builtin_popcountll(alive[item->first + item->words - 1] & item->mask);
    for (int j = 0; j < item->words - 1; j++) count += __builtin_popcountll(alive[item->first + j]);
    return count;
}

/* Count an option in its bounds, and strike the others where there may be no more. */
static void take(Search *s, word *alive, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++) {
        if (s->of_option[i] < s->items) continue;
        const Item *set = s->item + s->of_option[i];
        Bound *bound = s->bound + s->of_option[i] - s->items;
        if (++bound->taken < bound->most) continue;
        for (int j = 0; j < set->words; j++)
            for (word left = part(set, alive, j); left; left &= left - 1)
                clear_bits(s, alive, s->of_bit[(set->first + j) * BITS + __builtin_ctzll(left)]);
    }
}

static void put_back(Search *s, int option) {
    for (int i = s->start[option]; i < s->start[option + 1]; i++)
        if (s->of_option[i] >= s->items) s->bound[s->of_option[i] - s->items].taken--;
}

/* Strike what conflicts with all options that are left of an item. Returns whether there was any such. */
static inline __attribute__((always_inline)) int strike(Search *s, word *restrict alive, const Item *item) {
    const int width = s->width;
    word struck = 0, *restrict common = s->common;
    memset(common, 0xff, (size_t)width * sizeof(word));
    for (int j = 0; j < item->words; j++)
        for (word left = part(item, alive, j); left; left &= left - 1) {
            const int option = s->of_bit[(item->first + j) * BITS + __builtin_ctzll(left)];
            const word *restrict row = s->conflicts + (size_t)option * width;
            for (int k = 0; k < width; k++) common[k] &= row[k];
        }
    for (int j = 0; j < item->words; j++) /* the options themselves are not meant */
        for (word left = part(item, alive, j); left; left &= left - 1)
            clear_bits(s, common, s->of_bit[(item->first + j) * BITS + __builtin_ctzll(left)]);
    for (int k = 0; k < width; k++) struck |= alive[k] & common[k], alive[k] &= ~common[k];
    return struck != 0;
}

/* Strike wherever an item has few options left and fewer than when it was last looked at. */
static inline __attribute__((always_inline)) int strike_all(Search *s, word *alive, word *looked) {
    int struck = 0;
    for (int i = 0; i < s->open; i++) {
        const Item *item = s->item + s->order[i];
        word news = 0;
        for (int j = 0; j < item->words; j++) news |= part(item, alive, j) ^ part(item, looked, j);
        if (!news || left_of(item, alive) > FEW) continue;
        for (int j = 0; j < item->words; j++) looked[item->first + j] ^= part(item, looked, j) ^ part(item, alive, j);
        struck |= strike(s, alive, item);
    }
    return struck;
}

/* Enter a level, from the one before by an option, and prepare it for branching. Returns 1 if no item is open: a solution. */
VECTORISED static int enter(Search *s, int depth, int option) {
    const int width = s->width;
    word *alive = s->alive + (size_t)depth * width, *looked = s->looked + (size_t)depth * width;
    Level *level = s->level + depth;
    int best, fewest;
    if (depth) {
        const word *restrict row = s->conflicts + (size_t)option * width;
        for (int k = 0; k < width; k++) alive[k] = alive[k - width] & ~row[k];
        memcpy(looked, looked - width, (size_t)width * sizeof(word));
        close_items(s, option);
        if (s->bounds) take(s, alive, option);
    }
    s->nodes++;
    level->next = level->count = 0;
    level->open = s->open;
    for (int looked_at = 0;; looked_at = 1) { /* a second look at one node was measured as no gain */
        best = -1, fewest = s->options + 1;
        for (int i = 0; i < s->open; i++) {
            int count = left_of(s->item + s->order[i], alive);
            if (count == 0) return 0;
            if (count < fewest) fewest = count, best = s->order[i];
        }
        for (int i = 0; i < s->bounds; i++)
            if (s->bound[i].taken + left_of(s->item + s->items + i, alive) < s->bound[i].least) return 0;
        if (best < 0) return 1;
        if (fewest == 1 || looked_at || !strike_all(s, alive, looked)) break;
    }
    const Item *item = s->item + best;
    for (int j = 0; j < item->words; j++)
        for (word left = part(item, alive, j); left; left &= left - 1)
            level->options[level->count++] = s->of_bit[(item->first + j) * BITS + __builtin_ctzll(left)];
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
        if (enter(s, 0, -1)) { s->depth = -1; return PyTuple_New(0); }
    }
    while (s->depth >= 0) {
        Level *level = s->level + s->depth;
        s->open = level->open;
        if (level->next) put_back(s, level->options[level->next - 1]);
        if (level->next == level->count) { s->depth--; continue; }
        s->depth++;
        if (enter(s, s->depth, level->options[level->next++])) {
            PyObject *solution = found(s);
            s->depth--;
            return solution;
        }
        if (s->nodes % NODES_BETWEEN_SIGNALS == 0 && PyErr_CheckSignals()) return NULL;
    }
    return NULL;
}

/* Lists of numbers, one behind the other: list r goes from start[r] up to before start[r + 1]. */
typedef struct {
    int *start, *number;
} Lists;

static void free_lists(Lists *lists) { PyMem_Free(lists->start), PyMem_Free(lists->number); }

/* Read a list of lists of numbers, of which none is beyond `most` nor below `least`. Returns 0, or -1 and an exception. */
static int read_lists(PyObject *list, long least, long most, Lists *lists) {
    Py_ssize_t rows = PyList_GET_SIZE(list), total = 0;
    for (Py_ssize_t r = 0; r < rows; r++) {
        if (!PyList_Check(PyList_GET_ITEM(list, r))) { PyErr_Format(PyExc_TypeError, "row %zd is no list", r); return -1; }
        total += PyList_GET_SIZE(PyList_GET_ITEM(list, r));
    }
    lists->start = PyMem_Calloc((size_t)rows + 1, sizeof(int)), lists->number = PyMem_Calloc((size_t)total + 1, sizeof(int));
    if (!lists->start || !lists->number) { PyErr_NoMemory(); return -1; }
    for (Py_ssize_t r = 0, at = 0; r < rows; r++) {
        PyObject *row = PyList_GET_ITEM(list, r);
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(row); i++) {
            long number = PyLong_AsLong(PyList_GET_ITEM(row, i));
            if (number == -1 && PyErr_Occurred()) return -1;
            if (number < least || number > most) {
                PyErr_Format(PyExc_ValueError, "%ld in row %zd is not within %ld .. %ld", number, r, least, most);
                return -1;
            }
            lists->number[at++] = (int)number;
        }
        lists->start[r + 1] = (int)at;
    }
    return 0;
}

static void search_dealloc(Search *s) {
    for (int d = 0; s->level && d <= s->items; d++) PyMem_Free(s->level[d].options);
    PyMem_Free(s->item), PyMem_Free(s->level), PyMem_Free(s->conflicts), PyMem_Free(s->alive), PyMem_Free(s->looked);
    PyMem_Free(s->common), PyMem_Free(s->of_bit), PyMem_Free(s->of_option), PyMem_Free(s->bit), PyMem_Free(s->start);
    PyMem_Free(s->order), PyMem_Free(s->place), PyMem_Free(s->bound);
    Py_TYPE(s)->tp_free((PyObject *)s);
}

/* Give each item its bits: small ones share a word, none begins in a word in which it does not end or that it does not fill.
   Returns the size of the largest item, or -1 without memory. */
static int lay_out(Search *s, const Lists *items) {
    int largest = 0, used = 0; /* bits of the last word that are taken */
    for (int i = 0; i < s->items + s->bounds; i++) {
        int size = items->start[i + 1] - items->start[i];
        if (size > largest) largest = size;
        if (s->width == 0 || used + size > BITS) used = 0, s->width++;
        s->item[i].first = s->width - 1, s->item[i].words = size ? (size + BITS - 1) / BITS : 1;
        s->width += s->item[i].words - 1;
        int last = size - (s->item[i].words - 1) * BITS; /* so many bits are in its last word */
        s->item[i].mask = last == BITS ? ~(word)0 : last ? (((word)1 << last) - 1) << used : 0;
        for (int j = 0; j < size; j++) s->start[items->number[items->start[i] + j] + 1]++;
        used += last;
    }
    for (int o = 0; o < s->options; o++) s->start[o + 1] += s->start[o];
    size_t total = (size_t)s->start[s->options] + 1;
    s->of_bit = PyMem_Calloc((size_t)s->width * BITS + 1, sizeof(int));
    s->of_option = PyMem_Calloc(total, sizeof(int)), s->bit = PyMem_Calloc(total, sizeof(int));
    int *filled = PyMem_Calloc((size_t)s->options + 1, sizeof(int));
    if (!s->of_bit || !s->of_option || !s->bit || !filled) { PyMem_Free(filled); return -1; }
    for (int i = 0; i < s->items + s->bounds; i++) {
        int bit = s->item[i].first * BITS + (s->item[i].words == 1 && s->item[i].mask ? __builtin_ctzll(s->item[i].mask) : 0);
        for (int j = items->start[i]; j < items->start[i + 1]; j++, bit++) {
            int o = items->number[j], at = s->start[o] + filled[o]++;
            s->of_option[at] = i, s->bit[at] = bit, s->of_bit[bit] = o;
        }
    }
    PyMem_Free(filled);
    return largest;
}

/* Fill the rows of conflicts. Returns -1 without memory. */
static int fill_conflicts(Search *s, const Lists *items, const Lists *literals) {
    int top = 0, total = literals->start[s->options];
    for (int i = 0; i < total; i++) {
        int variable = abs(literals->number[i]);
        if (variable > top) top = variable;
    }
    /* the options from which a literal follows, and before them where they end; literal l stands at top + l */
    int *end = PyMem_Calloc(2 * (size_t)top + 2, sizeof(int)), *from = PyMem_Calloc((size_t)total + 1, sizeof(int));
    if (!end || !from) { PyMem_Free(end), PyMem_Free(from); return -1; }
    for (int i = 0; i < total; i++) end[top + literals->number[i] + 1]++;
    for (int l = 0; l <= 2 * top; l++) end[l + 1] += end[l];
    for (int o = 0; o < s->options; o++)
        for (int i = literals->start[o]; i < literals->start[o + 1]; i++) from[end[top + literals->number[i]]++] = o;
    for (int o = 0; o < s->options; o++) {
        word *row = s->conflicts + (size_t)o * s->width;
        for (int i = literals->start[o]; i < literals->start[o + 1]; i++) {
            int negation = top - literals->number[i];
            for (int j = negation ? end[negation - 1] : 0; j < end[negation]; j++) set_bits(s, row, from[j]);
        }
        /* choosing an option strikes itself and the other options of its items as well */
        for (int i = s->start[o]; i < s->start[o + 1] && s->of_option[i] < s->items; i++)
            for (int j = items->start[s->of_option[i]]; j < items->start[s->of_option[i] + 1]; j++) set_bits(s, row, items->number[j]);
        set_bits(s, s->alive, o);
    }
    PyMem_Free(end), PyMem_Free(from);
    return 0;
}

static PyObject *search_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *item_list, *literal_list, *limit_list;
    Lists items = {0}, literals = {0}, limits = {0};
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyList_Type, &item_list, &PyList_Type, &literal_list, &PyList_Type, &limit_list))
        return NULL;
    Search *s = (Search *)type->tp_alloc(type, 0);
    if (!s) return NULL;
    s->options = (int)PyList_GET_SIZE(literal_list), s->bounds = (int)PyList_GET_SIZE(limit_list), s->depth = -1;
    s->items = s->open = (int)PyList_GET_SIZE(item_list) - s->bounds;
    if (read_lists(item_list, 0, s->options - 1, &items) || read_lists(literal_list, -INT_MAX / 4, INT_MAX / 4, &literals) ||
        read_lists(limit_list, 0, INT_MAX, &limits))
        goto fail;
    if (s->items < 0 || limits.start[s->bounds] != 2 * s->bounds) {
        PyErr_SetString(PyExc_ValueError, "each of the limits is a pair, and belongs to one of the last items");
        goto fail;
    }
    for (int i = 0; i < s->items + s->bounds; i++)
        for (int j = items.start[i] + 1; j < items.start[i + 1]; j++)
            if (items.number[j] <= items.number[j - 1]) {
                PyErr_Format(PyExc_ValueError, "item %d is not in ascending order", i);
                goto fail;
            }
    size_t rows = (size_t)s->items + 1;
    s->item = PyMem_Calloc(rows + s->bounds, sizeof(Item)), s->bound = PyMem_Calloc((size_t)s->bounds + 1, sizeof(Bound)), s->level = PyMem_Calloc(rows, sizeof(Level));
    s->order = PyMem_Calloc(rows, sizeof(int)), s->place = PyMem_Calloc(rows, sizeof(int));
    s->start = PyMem_Calloc((size_t)s->options + 2, sizeof(int));
    if (!s->item || !s->bound || !s->level || !s->order || !s->place || !s->start) goto memory;
    for (int i = 0; i < s->bounds; i++) s->bound[i].least = limits.number[2 * i], s->bound[i].most = limits.number[2 * i + 1];
    int largest = lay_out(s, &items);
    if (largest < 0) goto memory;
    s->conflicts = PyMem_Calloc((size_t)s->options * s->width + 1, sizeof(word));
    s->alive = PyMem_Calloc(rows * s->width + 1, sizeof(word)), s->looked = PyMem_Calloc(rows * s->width + 1, sizeof(word));
    s->common = PyMem_Calloc((size_t)s->width + 1, sizeof(word));
    if (!s->conflicts || !s->alive || !s->looked || !s->common || fill_conflicts(s, &items, &literals)) goto memory;
    for (int d = 0; d <= s->items; d++) {
        if (!(s->level[d].options = PyMem_Calloc((size_t)largest + 1, sizeof(int)))) goto memory;
        if (d < s->items) s->order[d] = s->place[d] = d;
    }
    free_lists(&items), free_lists(&literals), free_lists(&limits);
    return (PyObject *)s;
memory:
    PyErr_NoMemory();
fail:
    free_lists(&items), free_lists(&literals), free_lists(&limits);
    Py_DECREF(s);
    return NULL;
}

static PyObject *search_nodes(Search *s, void *unused) { return PyLong_FromUnsignedLongLong(s->nodes); }

static PyGetSetDef search_fields[] = {{"nodes", (getter)search_nodes, NULL, "nodes of the search so far", NULL}, {NULL}};

static PyTypeObject SearchType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "jigsat._cover.Search",
    .tp_doc = "Search(items, implied, limits): iterate for the exact covers, each a tuple of options.\n\n"
              "`items` is a list of ascending lists of options, numbers from 0; `implied` a list with, for each option, the list of literals\n"
              "that follow from it. Two options conflict if a literal follows from one and its negation from the other. `limits` has\n"
              "pairs, the least and the most options of each of the last lists of items, which are no items then but bounds.",
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
