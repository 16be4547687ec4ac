/* The Python type Scan. */

#include "python/module.h"

#include "scan/best.h"
#include "scan/scan.h"

/* Nodes to visit between two checks for signals: a few hundredths of a second. */
#define NODES_WITHOUT_LOCK 1000000

typedef struct {
    PyObject_HEAD
    Scan *search;
    Best *best; /* the search with breaks, once it has begun */
    atomic_flag busy;
    atomic_int over; /* whether there are no more models; this and the copies below are read by other threads */
    atomic_ullong nodes;
    _Atomic double progress;
} ScanObject;

/* Copy the numbers of the search for other threads. */
static void publish(ScanObject *self) {
    atomic_store_explicit(&self->nodes, scan_nodes(self->search), memory_order_relaxed);
    atomic_store_explicit(&self->progress, scan_progress(self->search), memory_order_relaxed);
}

static PyObject *Scan_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    FormulaArguments formula;
    if (read_formula(args, kwargs, &formula) < 0) {
        return NULL;
    }
    EngineStatus status;
    Scan *search;
    Py_BEGIN_ALLOW_THREADS
    search = scan_new(formula.variables, formula.numbers, formula.count, formula.decisions, formula.decided, &status);
    Py_END_ALLOW_THREADS
    free_formula(&formula);
    if (!search) {
        raise_formula_status(status);
        return NULL;
    }
    ScanObject *self = (ScanObject *)type->tp_alloc(type, 0);
    if (self) {
        end_use(&self->busy);
        self->search = search;
        self->over = !scan_suits(search);
        publish(self);
    } else {
        scan_free(search);
    }
    return (PyObject *)self;
}

static void Scan_dealloc(ScanObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    best_free(self->best);
    scan_free(self->search);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

PyDoc_STRVAR(Scan_step_doc,
             "step(nodes, /)\n--\n\n"
             "Visit about this number of nodes, or fewer up to the next model. Returns the tuple of its true decision variables, or None.\n"
             "`over` states whether there are no more models.");

static PyObject *Scan_step(ScanObject *self, PyObject *argument) {
    unsigned long long nodes = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred() || begin_use(&self->busy) < 0) {
        return NULL;
    }
    ScanState state = self->over ? SCAN_DONE : SCAN_WORKING;
    int interrupted = 0;
    while (state == SCAN_WORKING && nodes && !interrupted) {
        const uint64_t now = nodes < NODES_WITHOUT_LOCK ? nodes : NODES_WITHOUT_LOCK;
        Py_BEGIN_ALLOW_THREADS
        state = scan_step(self->search, now);
        publish(self);
        Py_END_ALLOW_THREADS
        nodes -= now;
        interrupted = state == SCAN_WORKING && PyErr_CheckSignals();
    }
    self->over = state == SCAN_DONE;
    PyObject *result = NULL;
    if (state == SCAN_FOUND) {
        result = tuple_of(scan_options(self->search), scan_number(self->search));
    } else if (!interrupted) {
        result = Py_NewRef(Py_None);
    }
    end_use(&self->busy);
    return result;
}

PyDoc_STRVAR(Scan_size_doc,
             "size(probes, seed, /)\n--\n\n"
             "An estimate of the nodes of the search, from this number of random paths. Raises ValueError after the search has begun.");

static PyObject *Scan_size(ScanObject *self, PyObject *args) {
    int probes;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "iK", &probes, &seed) || begin_use(&self->busy) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (scan_nodes(self->search) || probes < 1) {
        PyErr_SetString(PyExc_ValueError, "this search has begun, or there are no probes");
    } else {
        uint64_t random = seed;
        double nodes = 0;
        Py_BEGIN_ALLOW_THREADS
        for (int i = 0; i < probes && !self->over; i++) {
            nodes += scan_probe(self->search, &random);
        }
        Py_END_ALLOW_THREADS
        result = PyFloat_FromDouble(nodes / probes);
    }
    end_use(&self->busy);
    return result;
}

PyDoc_STRVAR(Scan_release_doc,
             "release()\n--\n\n"
             "Give up a part of the search: the options not yet tried at the first cell of the current path that has any. Returns the items\n"
             "and the current options of the cells down to this one, and the options given up; None if there are none.");

/* The items of the first cells of the path. */
static PyObject *items_of_cells(const Scan *search, int levels) {
    PyObject *items = PyTuple_New(levels);
    for (int i = 0; items && i < levels; i++) {
        int size;
        const int *item = scan_item(search, i, &size);
        PyObject *options = tuple_of(item, size);
        if (!options) {
            Py_CLEAR(items);
            break;
        }
        PyTuple_SET_ITEM(items, i, options);
    }
    return items;
}

static PyObject *Scan_release(ScanObject *self, PyObject *unused) {
    const size_t size = (size_t)scan_variables(self->search) + 1;
    int *path = engine_allocate(size, sizeof(int));
    int *released = engine_allocate(size, sizeof(int));
    PyObject *result = path && released ? NULL : PyErr_NoMemory();
    if (path && released && begin_use(&self->busy) == 0) {
        int levels;
        const int count = scan_release(self->search, path, &levels, released);
        if (count) {
            result = Py_BuildValue("NNN", items_of_cells(self->search, levels), tuple_of(path, levels), tuple_of(released, count));
        } else {
            result = Py_NewRef(Py_None);
        }
        end_use(&self->busy);
    }
    engine_free(path);
    engine_free(released);
    return result;
}

PyDoc_STRVAR(Scan_best_doc,
             "best(nodes, seed, /)\n--\n\n"
             "Continue a search that fills all cells such that as many as possible fit, for this number of nodes. Returns the tuple of the\n"
             "true decision variables and the number of meetings that do not fit if that is a better filling, None if there was none among these\n"
             "nodes, or False if all ways were tried. The first seed counts.");

static PyObject *Scan_best(ScanObject *self, PyObject *args) {
    unsigned long long nodes, seed;
    if (!PyArg_ParseTuple(args, "KK", &nodes, &seed) || begin_use(&self->busy) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!scan_suits(self->search)) {
        PyErr_SetString(PyExc_ValueError, "the search does not apply to the constraints");
    } else if (!self->best && !(self->best = best_new(self->search, seed))) {
        PyErr_NoMemory();
    } else {
        int found = 0, interrupted = 0;
        while (nodes && !found && !interrupted) {
            const uint64_t now = nodes < NODES_WITHOUT_LOCK ? nodes : NODES_WITHOUT_LOCK;
            Py_BEGIN_ALLOW_THREADS
            found = best_step(self->best, now);
            Py_END_ALLOW_THREADS
            nodes -= now;
            interrupted = PyErr_CheckSignals();
        }
        if (found && !interrupted) {
            result = Py_BuildValue("Ni", tuple_of(best_options(self->best), best_number(self->best)), best_breaks(self->best));
        } else if (!interrupted) {
            result = Py_NewRef(best_is_over(self->best) ? Py_False : Py_None);
        }
    }
    end_use(&self->busy);
    return result;
}

static PyObject *Scan_suits(ScanObject *self, void *unused) {
    return PyBool_FromLong(scan_suits(self->search));
}

static PyObject *Scan_meets(ScanObject *self, void *unused) {
    return PyBool_FromLong(scan_meets(self->search));
}

static PyObject *Scan_nodes(ScanObject *self, void *unused) {
    return PyLong_FromUnsignedLongLong(atomic_load_explicit(&self->nodes, memory_order_relaxed));
}

static PyObject *Scan_progress(ScanObject *self, void *unused) {
    return PyFloat_FromDouble(atomic_load_explicit(&self->progress, memory_order_relaxed));
}

static PyObject *Scan_over(ScanObject *self, void *unused) {
    return PyBool_FromLong(self->over);
}

static PyGetSetDef Scan_fields[] = {
    {"over", (getter)Scan_over, NULL, "whether there are no more models", NULL},
    {"suits", (getter)Scan_suits, NULL, "whether the search applies to the constraints; if not, it finds nothing", NULL},
    {"meets", (getter)Scan_meets, NULL, "whether each cell shares auxiliary variables with others", NULL},
    {"nodes", (getter)Scan_nodes, NULL, "the entries of tables that the search looked at, and the levels that it entered", NULL},
    {"progress", (getter)Scan_progress, NULL, "the fraction of the search that is done, from 0 to 1", NULL},
    {NULL},
};

PyDoc_STRVAR(Scan_doc,
             "Scan(variables, constraints, decisions)\n--\n\n"
             "A search for all models of an exact cover with colours; see `scan.c`. The arguments are those of `Dive`.");

static PyMethodDef Scan_methods[] = {
    {"step", (PyCFunction)Scan_step, METH_O, Scan_step_doc},
    {"size", (PyCFunction)Scan_size, METH_VARARGS, Scan_size_doc},
    {"best", (PyCFunction)Scan_best, METH_VARARGS, Scan_best_doc},
    {"release", (PyCFunction)Scan_release, METH_NOARGS, Scan_release_doc},
    {NULL},
};

static PyType_Slot Scan_slots[] = {
    {Py_tp_doc, (void *)Scan_doc},
    {Py_tp_new, Scan_new},
    {Py_tp_dealloc, Scan_dealloc},
    {Py_tp_methods, Scan_methods},
    {Py_tp_getset, Scan_fields},
    {0, NULL},
};

PyType_Spec scan_spec = {
    .name = "jigsat.backends.engine._engine.Scan",
    .basicsize = sizeof(ScanObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Scan_slots,
};
