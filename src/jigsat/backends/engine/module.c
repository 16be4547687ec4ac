/* The searches of this folder as Python types. Only this file depends on Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>

#include "count.h"
#include "cover.h"

/* A step this short keeps the interpreter lock, because releasing it for each of many easy solutions costs too much time. */
#define NODES_WITH_LOCK 256
/* Nodes between two checks for signals: a few milliseconds, on large problems a few tenths of a second. */
#define NODES_WITHOUT_LOCK 4096

void *engine_allocate(size_t count, size_t size) {
    return PyMem_RawCalloc(count, size);
}

void engine_free(void *memory) {
    PyMem_RawFree(memory);
}

/* ---- a problem from Python's lists ---- */

/* A tuple of tuples: lists could change while their numbers are read. */
static PyObject *copy_rows(PyObject *rows) {
    PyObject *copies = PySequence_List(rows);
    if (!copies) {
        return NULL;
    }
    for (Py_ssize_t r = 0; r < PyList_GET_SIZE(copies); r++) {
        PyObject *copy = PySequence_Tuple(PyList_GET_ITEM(copies, r));
        if (!copy || PyList_SetItem(copies, r, copy) < 0) {
            Py_DECREF(copies);
            return NULL;
        }
    }
    PyObject *result = PyList_AsTuple(copies);
    Py_DECREF(copies);
    return result;
}

static int read_number(PyObject *object, Py_ssize_t row, int least, int most, int *number) {
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        return -1;
    }
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(index, &overflow);
    if (overflow || value < least || value > most) {
        PyErr_Format(PyExc_ValueError, "%R in row %zd is not within %d .. %d", index, row, least, most);
        Py_DECREF(index);
        return -1;
    }
    Py_DECREF(index);
    *number = (int)value;
    return 0;
}

static int fill_lists(PyObject *rows, int least, int most, Lists *lists) {
    const Py_ssize_t count = PyTuple_GET_SIZE(rows);
    Py_ssize_t total = 0;
    for (Py_ssize_t r = 0; r < count; r++) {
        total += PyTuple_GET_SIZE(PyTuple_GET_ITEM(rows, r));
        if (count >= INT_MAX || total >= INT_MAX) {
            PyErr_SetString(PyExc_OverflowError, "too many numbers for the engine");
            return -1;
        }
    }
    lists->start = engine_allocate((size_t)count + 1, sizeof(int));
    lists->number = engine_allocate((size_t)total + 1, sizeof(int));
    if (!lists->start || !lists->number) {
        PyErr_NoMemory();
        return -1;
    }
    int at = 0;
    for (Py_ssize_t r = 0; r < count; r++) {
        PyObject *row = PyTuple_GET_ITEM(rows, r);
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(row); i++) {
            if (read_number(PyTuple_GET_ITEM(row, i), r, least, most, lists->number + at) < 0) {
                return -1;
            }
            at++;
        }
        lists->start[r + 1] = at;
    }
    return 0;
}

/* Read rows of numbers from `least` to `most`. Returns the number of rows, or -1 and an exception. */
static int read_lists(PyObject *object, int least, int most, Lists *lists) {
    PyObject *rows = copy_rows(object);
    if (!rows) {
        return -1;
    }
    const int failed = fill_lists(rows, least, most, lists);
    const int count = failed ? -1 : (int)PyTuple_GET_SIZE(rows);
    Py_DECREF(rows);
    return count;
}

static void free_problem(Problem *problem) {
    engine_free(problem->sets.start);
    engine_free(problem->sets.number);
    engine_free(problem->literals.start);
    engine_free(problem->literals.number);
    engine_free(problem->least);
    engine_free(problem->most);
}

/* Read the pairs of the bounds. */
static int read_bounds(PyObject *pairs, Problem *problem) {
    Lists limits = {0};
    problem->bounds = read_lists(pairs, 0, INT_MAX, &limits);
    int failed = problem->bounds < 0;
    if (!failed) {
        problem->least = engine_allocate((size_t)problem->bounds + 1, sizeof(int));
        problem->most = engine_allocate((size_t)problem->bounds + 1, sizeof(int));
        failed = !problem->least || !problem->most;
        if (failed) {
            PyErr_NoMemory();
        }
    }
    for (int i = 0; i < problem->bounds && !failed; i++) {
        failed = limits.start[i + 1] - limits.start[i] != 2;
        if (failed) {
            PyErr_Format(PyExc_ValueError, "bound %d is not a pair", i);
        } else {
            problem->least[i] = limits.number[limits.start[i]];
            problem->most[i] = limits.number[limits.start[i] + 1];
        }
    }
    engine_free(limits.start);
    engine_free(limits.number);
    return failed ? -1 : 0;
}

/* Read the arguments (items, implied, limits), common to all searches. */
static int read_problem(PyObject *items, PyObject *implied, PyObject *limits, Problem *problem) {
    problem->options = read_lists(implied, -LARGEST_LITERAL, LARGEST_LITERAL, &problem->literals);
    if (problem->options < 0 || read_bounds(limits, problem) < 0) {
        return -1;
    }
    const int sets = read_lists(items, 0, problem->options - 1, &problem->sets);
    if (sets < 0) {
        return -1;
    }
    problem->items = sets - problem->bounds;
    if (problem->items < 0) {
        PyErr_SetString(PyExc_ValueError, "each of the limits belongs to one of the last items");
        return -1;
    }
    return 0;
}

static void raise_status(EngineStatus status) {
    switch (status) {
    case ENGINE_NO_MEMORY:
        PyErr_NoMemory();
        break;
    case ENGINE_TOO_LARGE:
        PyErr_SetString(PyExc_OverflowError, "the problem is too large for the engine");
        break;
    case ENGINE_NOT_ASCENDING:
        PyErr_SetString(PyExc_ValueError, "the options of an item are not in ascending order");
        break;
    default:
        PyErr_SetString(PyExc_ValueError, "0 is not a literal");
    }
}

/* Only one thread may use a search at a time. Returns -1 and an exception if it is in use. */
static int begin_use(atomic_flag *busy) {
    if (atomic_flag_test_and_set_explicit(busy, memory_order_acquire)) {
        PyErr_SetString(PyExc_RuntimeError, "this search is already running, in another thread or in a signal handler");
        return -1;
    }
    return 0;
}

static void end_use(atomic_flag *busy) {
    atomic_flag_clear_explicit(busy, memory_order_release);
}

/* ---- the type Cover ---- */

typedef struct {
    PyObject_HEAD
    Cover *search;
    atomic_flag busy;
    uint64_t checked;        /* the number of nodes at the last check for signals */
    uint64_t random;         /* the state of the random numbers */
    atomic_ullong nodes;     /* copies, for other threads to read while the search runs */
    _Atomic double progress;
} CoverObject;

static PyObject *Cover_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"items", "implied", "limits", NULL};
    PyObject *items, *implied, *limits;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO", names, &items, &implied, &limits)) {
        return NULL;
    }
    Problem problem = {0};
    CoverObject *self = NULL;
    if (read_problem(items, implied, limits, &problem) == 0) {
        self = (CoverObject *)type->tp_alloc(type, 0);
    }
    if (self) {
        end_use(&self->busy);
        EngineStatus status;
        Py_BEGIN_ALLOW_THREADS
        self->search = cover_new(&problem, &status);
        Py_END_ALLOW_THREADS
        if (!self->search) {
            raise_status(status);
            Py_CLEAR(self);
        }
    }
    free_problem(&problem);
    return (PyObject *)self;
}

static void Cover_dealloc(CoverObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    cover_free(self->search);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static PyObject *tuple_of(const int *options, int size) {
    PyObject *solution = PyTuple_New(size);
    for (int i = 0; solution && i < size; i++) {
        PyObject *option = PyLong_FromLong(options[i]);
        if (!option) {
            Py_CLEAR(solution);
            break;
        }
        PyTuple_SET_ITEM(solution, i, option);
    }
    return solution;
}

/* Check for signals. Done before a step, so that no solution is lost. */
static int check_signals(CoverObject *self) {
    self->checked = cover_nodes(self->search);
    return PyErr_CheckSignals();
}

/* The next solution. After an exception, such as KeyboardInterrupt, the search can be continued. */
static PyObject *Cover_next(CoverObject *self) {
    if (begin_use(&self->busy) < 0) {
        return NULL;
    }
    int interrupted = 0; /* checked occasionally, even if solutions are found quickly, since `list` and others do not check */
    if (cover_nodes(self->search) - self->checked >= NODES_WITHOUT_LOCK) {
        atomic_store_explicit(&self->progress, cover_progress(self->search), memory_order_relaxed);
        interrupted = check_signals(self);
    }
    CoverState state = interrupted ? COVER_WORKING : cover_step(self->search, NODES_WITH_LOCK);
    while (state == COVER_WORKING && !interrupted) {
        Py_BEGIN_ALLOW_THREADS
        state = cover_step(self->search, NODES_WITHOUT_LOCK);
        atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
        atomic_store_explicit(&self->progress, cover_progress(self->search), memory_order_relaxed);
        Py_END_ALLOW_THREADS
        interrupted = state == COVER_WORKING && check_signals(self);
    }
    atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
    PyObject *solution = state == COVER_FOUND ? tuple_of(cover_options(self->search), cover_size(self->search)) : NULL;
    end_use(&self->busy);
    return solution;
}

static PyObject *Cover_nodes(CoverObject *self, void *unused) {
    return PyLong_FromUnsignedLongLong(atomic_load_explicit(&self->nodes, memory_order_relaxed));
}

static PyObject *Cover_progress(CoverObject *self, void *unused) {
    return PyFloat_FromDouble(atomic_load_explicit(&self->progress, memory_order_relaxed));
}

PyDoc_STRVAR(Cover_seed_doc, "seed(number, /)\n--\n\nRestart the random numbers of `probe`, modulo 2**64.");

static PyObject *Cover_seed(CoverObject *self, PyObject *argument) {
    const unsigned long long seed = PyLong_AsUnsignedLongLongMask(argument);
    if (PyErr_Occurred() || begin_use(&self->busy) < 0) {
        return NULL;
    }
    self->random = seed;
    end_use(&self->busy);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(Cover_probe_doc,
             "probe()\n--\n\n"
             "Follow a random path in the search tree: an estimate of the nodes, one of the solutions, and the options of the solution\n"
             "at its end, or None. Raises ValueError after the search has begun.");

static PyObject *Cover_probe(CoverObject *self, PyObject *unused) {
    if (begin_use(&self->busy) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (cover_begun(self->search)) {
        PyErr_SetString(PyExc_ValueError, "this search has begun");
    } else {
        double nodes, solutions;
        cover_probe(self->search, &self->random, &nodes, &solutions);
        PyObject *options = Py_NewRef(Py_None);
        if (solutions > 0) {
            Py_SETREF(options, tuple_of(cover_options(self->search), cover_size(self->search)));
        }
        result = options ? Py_BuildValue("ddN", nodes, solutions, options) : NULL;
    }
    end_use(&self->busy);
    return result;
}

static PyGetSetDef Cover_fields[] = {
    {"nodes", (getter)Cover_nodes, NULL, "the nodes of the search tree so far", NULL},
    {"progress", (getter)Cover_progress, NULL, "the part of the search that is done, from 0 to 1", NULL},
    {NULL},
};

PyDoc_STRVAR(Cover_doc,
             "Cover(items, implied, limits)\n--\n\n"
             "An iterator over the exact covers, each as a tuple of options.\n\n"
             "`items` holds ascending sequences of options, which are numbered from 0. `implied` holds, for each option, the literals\n"
             "that follow from it; two options conflict if one has a literal and the other its negation. `limits` holds pairs: the\n"
             "least and the greatest number of options of each of the last entries of `items`, which are bounds instead of items.\n"
             "Raises ValueError, OverflowError or MemoryError for numbers out of range and problems too large.");

static PyMethodDef Cover_methods[] = {
    {"seed", (PyCFunction)Cover_seed, METH_O, Cover_seed_doc},
    {"probe", (PyCFunction)Cover_probe, METH_NOARGS, Cover_probe_doc},
    {NULL},
};

static PyType_Slot Cover_slots[] = {
    {Py_tp_doc, (void *)Cover_doc},
    {Py_tp_new, Cover_new},
    {Py_tp_dealloc, Cover_dealloc},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, Cover_next},
    {Py_tp_methods, Cover_methods},
    {Py_tp_getset, Cover_fields},
    {0, NULL},
};

static PyType_Spec Cover_spec = {
    .name = "jigsat.backends.engine._engine.Cover",
    .basicsize = sizeof(CoverObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Cover_slots,
};

/* ---- the type Count ---- */

typedef struct {
    PyObject_HEAD
    Count *search;
    atomic_flag busy;
} CountObject;

/* Read the neighbours of each item, or none at all. */
static int read_graph(PyObject *near, const Problem *problem, Lists *graph) {
    const int rows = read_lists(near, 0, problem->items - 1, graph);
    if (rows > 0 && rows != problem->items) {
        PyErr_SetString(PyExc_ValueError, "the graph must have a row for each item");
        return -1;
    }
    return rows;
}

static PyObject *Count_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"items", "implied", "limits", "memory", "near", NULL};
    PyObject *items, *implied, *limits, *near = NULL;
    Py_ssize_t memory;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOn|O", names, &items, &implied, &limits, &memory, &near)) {
        return NULL;
    }
    if (memory < 0) {
        PyErr_SetString(PyExc_ValueError, "the memory limit is negative");
        return NULL;
    }
    Problem problem = {0};
    Lists graph = {0};
    int rows = 0;
    CountObject *self = NULL;
    if (read_problem(items, implied, limits, &problem) == 0) {
        rows = near ? read_graph(near, &problem, &graph) : 0;
        self = rows < 0 ? NULL : (CountObject *)type->tp_alloc(type, 0);
    }
    if (self) {
        end_use(&self->busy);
        EngineStatus status;
        Py_BEGIN_ALLOW_THREADS
        self->search = count_new(&problem, (size_t)memory, &status);
        if (self->search && rows) {
            status = count_regions(self->search, &graph);
        }
        Py_END_ALLOW_THREADS
        if (status != ENGINE_OK) {
            raise_status(status);
            Py_CLEAR(self);
        }
    }
    free_problem(&problem);
    engine_free(graph.start);
    engine_free(graph.number);
    return (PyObject *)self;
}

static void Count_dealloc(CountObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    count_free(self->search);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

PyDoc_STRVAR(Count_step_doc,
             "step(nodes, /)\n--\n\n"
             "Continue for about the given number of nodes. Returns whether the count is known now. Raises MemoryError at the limit.");

static PyObject *Count_step(CountObject *self, PyObject *argument) {
    const unsigned long long nodes = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred() || begin_use(&self->busy) < 0) {
        return NULL;
    }
    CountState state;
    Py_BEGIN_ALLOW_THREADS
    state = count_step(self->search, nodes);
    Py_END_ALLOW_THREADS
    end_use(&self->busy);
    if (state == COUNT_FULL) {
        PyErr_SetString(PyExc_MemoryError, "the stored states exceed the memory limit");
        return NULL;
    }
    return PyBool_FromLong(state == COUNT_DONE);
}

/* A Python integer from words in base 2^64. */
static PyObject *integer_of(const Word *words, int length) {
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length * 8);
    if (!bytes) {
        return NULL;
    }
    char *byte = PyBytes_AS_STRING(bytes);
    for (int i = 0; i < length * 8; i++) {
        byte[i] = (char)(words[i / 8] >> i % 8 * 8);
    }
    PyObject *integer = PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", bytes, "little");
    Py_DECREF(bytes);
    return integer;
}

PyDoc_STRVAR(Count_solution_doc,
             "solution(rank, /)\n--\n\n"
             "The solution of a rank from 0 to result - 1, as a tuple of options; each rank has another one. Raises IndexError for\n"
             "another number, and while the count is not known.");

static PyObject *Count_solution(CountObject *self, PyObject *rank) {
    const int limbs = count_limbs(self->search);
    const int most = count_items(self->search);
    PyObject *bytes = PyObject_CallMethod(rank, "to_bytes", "ns", (Py_ssize_t)limbs * 8, "little");
    if (!bytes) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_SetString(PyExc_IndexError, "there is no solution of this rank");
        }
        return NULL;
    }
    Word *words = engine_allocate((size_t)limbs, sizeof(Word));
    int *options = engine_allocate((size_t)most + 1, sizeof(int));
    PyObject *solution = NULL;
    if (!words || !options) {
        PyErr_NoMemory();
    } else if (begin_use(&self->busy) == 0) {
        const unsigned char *byte = (const unsigned char *)PyBytes_AS_STRING(bytes);
        for (int i = 0; i < limbs * 8; i++) {
            words[i / 8] |= (Word)byte[i] << i % 8 * 8;
        }
        const int size = count_solution(self->search, words, limbs, options);
        end_use(&self->busy);
        if (size < 0) {
            PyErr_SetString(PyExc_IndexError, "there is no solution of this rank");
        } else {
            solution = tuple_of(options, size);
        }
    }
    engine_free(words);
    engine_free(options);
    Py_DECREF(bytes);
    return solution;
}

enum { COUNT_RESULT, COUNT_NODES, COUNT_STATES, COUNT_HITS, COUNT_MEMORY, COUNT_FOUND, COUNT_PROGRESS };

static PyObject *read_field(const Count *search, int field) {
    const Word *words;
    int length;
    switch (field) {
    case COUNT_NODES:
        return PyLong_FromUnsignedLongLong(count_nodes(search));
    case COUNT_STATES:
        return PyLong_FromUnsignedLongLong(count_states(search));
    case COUNT_HITS:
        return PyLong_FromUnsignedLongLong(count_hits(search));
    case COUNT_MEMORY:
        return PyLong_FromSize_t(count_memory(search));
    case COUNT_FOUND:
        return PyFloat_FromDouble(count_found(search));
    case COUNT_PROGRESS:
        return PyFloat_FromDouble(count_progress(search));
    default:
        length = count_result(search, &words);
        if (length < 0) {
            Py_RETURN_NONE;
        }
        return integer_of(words, length);
    }
}

static PyObject *Count_get(CountObject *self, void *field) {
    if (begin_use(&self->busy) < 0) {
        return NULL;
    }
    PyObject *value = read_field(self->search, (int)(intptr_t)field);
    end_use(&self->busy);
    return value;
}

static PyGetSetDef Count_fields[] = {
    {"result", (getter)Count_get, NULL, "the number of exact covers; None until it is known", (void *)COUNT_RESULT},
    {"nodes", (getter)Count_get, NULL, "the nodes of the search tree so far", (void *)COUNT_NODES},
    {"states", (getter)Count_get, NULL, "the states remembered", (void *)COUNT_STATES},
    {"hits", (getter)Count_get, NULL, "how often a remembered state was met", (void *)COUNT_HITS},
    {"memory", (getter)Count_get, NULL, "the bytes in use", (void *)COUNT_MEMORY},
    {"found", (getter)Count_get, NULL, "the solutions counted so far, rounded", (void *)COUNT_FOUND},
    {"progress", (getter)Count_get, NULL, "the part that is done, a guess from 0 to 1", (void *)COUNT_PROGRESS},
    {NULL},
};

static PyMethodDef Count_methods[] = {
    {"step", (PyCFunction)Count_step, METH_O, Count_step_doc},
    {"solution", (PyCFunction)Count_solution, METH_O, Count_solution_doc},
    {NULL},
};

PyDoc_STRVAR(Count_doc,
             "Count(items, implied, limits, memory, near=())\n--\n\n"
             "The number of exact covers, without a list. The arguments are those of Cover, except that limited sets may list an\n"
             "option several times; `memory`, the maximum bytes to use; and `near`, for each item its neighbours in a graph in which\n"
             "each option has connected items, for the search to see regions that cannot be covered. It takes the items in order.");

static PyType_Slot Count_slots[] = {
    {Py_tp_doc, (void *)Count_doc},
    {Py_tp_new, Count_new},
    {Py_tp_dealloc, Count_dealloc},
    {Py_tp_methods, Count_methods},
    {Py_tp_getset, Count_fields},
    {0, NULL},
};

static PyType_Spec Count_spec = {
    .name = "jigsat.backends.engine._engine.Count",
    .basicsize = sizeof(CountObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Count_slots,
};

/* ---- the module ---- */

static int add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    const int failed = !type || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static int add_types(PyObject *module) {
    return add_type(module, &Cover_spec) < 0 || add_type(module, &Count_spec) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_types},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_engine",
    .m_doc = "The searches in plain C.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__engine(void) {
    return PyModuleDef_Init(&definition);
}
