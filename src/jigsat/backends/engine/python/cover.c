/* The Python type Cover. */

#include "python/module.h"

#include "cover/cover.h"

/* A step this short keeps the interpreter lock, because releasing it for each of many easy solutions costs too much time. */
#define NODES_WITH_LOCK 256
/* Nodes between two checks for signals: a few milliseconds, on large problems a few tenths of a second. */
#define NODES_WITHOUT_LOCK 4096

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

/* Check for signals. Done before a step, so that no solution is lost. */
static int check_signals(CoverObject *self) {
    self->checked = cover_nodes(self->search);
    return PyErr_CheckSignals();
}

/* Continue without the interpreter lock until the next solution or the end. Returns whether a signal interrupts. */
static int wait_for_solution(CoverObject *self, CoverState *state) {
    int interrupted = 0;
    while (*state == COVER_WORKING && !interrupted) {
        Py_BEGIN_ALLOW_THREADS
        *state = cover_step(self->search, NODES_WITHOUT_LOCK);
        atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
        atomic_store_explicit(&self->progress, cover_progress(self->search), memory_order_relaxed);
        Py_END_ALLOW_THREADS
        interrupted = *state == COVER_WORKING && check_signals(self);
    }
    return interrupted;
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
    if (!interrupted) {
        wait_for_solution(self, &state);
    }
    atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
    PyObject *solution = state == COVER_FOUND ? tuple_of(cover_options(self->search), cover_size(self->search)) : NULL;
    end_use(&self->busy);
    return solution;
}

PyDoc_STRVAR(Cover_batch_doc,
             "batch(most, /)\n--\n\n"
             "A list of up to `most` further covers. It returns soon after it has found one, and an empty list only at the end.");

static PyObject *Cover_batch(CoverObject *self, PyObject *argument) {
    const Py_ssize_t most = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || begin_use(&self->busy) < 0) {
        return NULL;
    }
    PyObject *found = PyList_New(0);
    CoverState state = COVER_WORKING;
    int failed = !found || check_signals(self) || wait_for_solution(self, &state);
    const uint64_t end = cover_nodes(self->search) + NODES_WITHOUT_LOCK;
    while (!failed && state == COVER_FOUND) {
        PyObject *solution = tuple_of(cover_options(self->search), cover_size(self->search));
        failed = !solution || PyList_Append(found, solution) < 0;
        Py_XDECREF(solution);
        if (failed || PyList_GET_SIZE(found) >= most || cover_nodes(self->search) >= end) {
            break;
        }
        state = cover_step(self->search, end - cover_nodes(self->search));
    }
    end_use(&self->busy);
    if (failed) {
        Py_CLEAR(found);
    }
    return found;
}

PyDoc_STRVAR(Cover_part_doc,
             "part(most, nodes, /)\n--\n\n"
             "Up to `most` further covers, searched for during about `nodes` nodes, and whether there may be more. It does not check\n"
             "for signals, so that any thread can call it.");

static PyObject *Cover_part(CoverObject *self, PyObject *args) {
    Py_ssize_t most;
    unsigned long long nodes;
    if (!PyArg_ParseTuple(args, "nK", &most, &nodes) || begin_use(&self->busy) < 0) {
        return NULL;
    }
    PyObject *found = PyList_New(0);
    CoverState state = COVER_WORKING;
    const uint64_t end = cover_nodes(self->search) + nodes;
    int failed = !found;
    while (!failed && state != COVER_DONE && PyList_GET_SIZE(found) < most && cover_nodes(self->search) < end) {
        Py_BEGIN_ALLOW_THREADS
        state = cover_step(self->search, end - cover_nodes(self->search));
        atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
        atomic_store_explicit(&self->progress, cover_progress(self->search), memory_order_relaxed);
        Py_END_ALLOW_THREADS
        if (state == COVER_FOUND) {
            PyObject *solution = tuple_of(cover_options(self->search), cover_size(self->search));
            failed = !solution || PyList_Append(found, solution) < 0;
            Py_XDECREF(solution);
        }
    }
    end_use(&self->busy);
    if (failed) {
        Py_XDECREF(found);
        return NULL;
    }
    return Py_BuildValue("NO", found, state == COVER_DONE ? Py_False : Py_True);
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
        atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
        PyObject *options = Py_NewRef(Py_None);
        if (solutions > 0) {
            Py_SETREF(options, tuple_of(cover_options(self->search), cover_size(self->search)));
        }
        result = options ? Py_BuildValue("ddN", nodes, solutions, options) : NULL;
    }
    end_use(&self->busy);
    return result;
}

PyDoc_STRVAR(Cover_restricted_doc,
             "restricted(options, /)\n--\n\n"
             "A new search for the covers that have only these options, which are given in ascending order. In the new search, they\n"
             "are numbered by their places in the list.");

static PyObject *Cover_restricted(CoverObject *self, PyObject *options) {
    Lists kept = {0};
    CoverObject *restricted = NULL;
    if (read_numbers(options, 0, cover_number(self->search) - 1, &kept) >= 0 && begin_use(&self->busy) == 0) {
        restricted = (CoverObject *)Py_TYPE(self)->tp_alloc(Py_TYPE(self), 0);
        EngineStatus status = ENGINE_OK;
        if (restricted) {
            end_use(&restricted->busy);
            Py_BEGIN_ALLOW_THREADS
            restricted->search = cover_restricted(self->search, kept.number, kept.start[1], &status);
            Py_END_ALLOW_THREADS
        }
        end_use(&self->busy);
        if (status != ENGINE_OK) {
            raise_status(status);
            Py_CLEAR(restricted);
        }
    }
    free_lists(&kept);
    return (PyObject *)restricted;
}

PyDoc_STRVAR(Cover_restart_doc,
             "restart(chosen, /)\n--\n\n"
             "Start over, for the covers that have these options, which are given in ascending order; they are stated without them.");

static PyObject *Cover_restart(CoverObject *self, PyObject *chosen) {
    Lists lists = {0};
    PyObject *result = NULL;
    if (read_numbers(chosen, 0, cover_number(self->search) - 1, &lists) >= 0 && begin_use(&self->busy) == 0) {
        const EngineStatus status = cover_restart(self->search, lists.number, lists.start[1]);
        self->checked = 0;
        atomic_store_explicit(&self->nodes, cover_nodes(self->search), memory_order_relaxed);
        end_use(&self->busy);
        if (status == ENGINE_OK) {
            result = Py_NewRef(Py_None);
        } else {
            raise_status(status);
        }
    }
    free_lists(&lists);
    return result;
}

PyDoc_STRVAR(Cover_release_doc,
             "release()\n--\n\n"
             "Give up a part of the search: the options not yet tried at the first level of the current path that has any. Returns\n"
             "the items and the current options of the levels down to this one, and the options given up; None if there are none.");

/* The items on which the first levels branch. */
static PyObject *items_of_levels(const Cover *search, int levels) {
    PyObject *items = PyTuple_New(levels);
    for (int i = 0; items && i < levels; i++) {
        PyObject *item = PyLong_FromLong(cover_item(search, i));
        if (!item) {
            Py_CLEAR(items);
            break;
        }
        PyTuple_SET_ITEM(items, i, item);
    }
    return items;
}

static PyObject *Cover_release(CoverObject *self, PyObject *unused) {
    int *released = engine_allocate((size_t)cover_number(self->search) + 1, sizeof(int));
    if (!released) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    if (begin_use(&self->busy) == 0) {
        int levels;
        const int count = cover_release(self->search, released, &levels);
        PyObject *items = items_of_levels(self->search, levels);
        PyObject *path = tuple_of(cover_path(self->search), levels);
        PyObject *rest = tuple_of(released, count);
        if (items && path && rest) {
            result = count ? PyTuple_Pack(3, items, path, rest) : Py_NewRef(Py_None);
        }
        Py_XDECREF(items);
        Py_XDECREF(path);
        Py_XDECREF(rest);
        end_use(&self->busy);
    }
    engine_free(released);
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
    {"batch", (PyCFunction)Cover_batch, METH_O, Cover_batch_doc},
    {"part", (PyCFunction)Cover_part, METH_VARARGS, Cover_part_doc},
    {"seed", (PyCFunction)Cover_seed, METH_O, Cover_seed_doc},
    {"probe", (PyCFunction)Cover_probe, METH_NOARGS, Cover_probe_doc},
    {"restricted", (PyCFunction)Cover_restricted, METH_O, Cover_restricted_doc},
    {"restart", (PyCFunction)Cover_restart, METH_O, Cover_restart_doc},
    {"release", (PyCFunction)Cover_release, METH_NOARGS, Cover_release_doc},
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

PyType_Spec cover_spec = {
    .name = "jigsat.backends.engine._engine.Cover",
    .basicsize = sizeof(CoverObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Cover_slots,
};
