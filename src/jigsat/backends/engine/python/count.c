/* The Python type Count. */

#include "python/module.h"

#include "count/count.h"

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
    free_lists(&graph);
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
    PyObject *number = PyNumber_Index(rank); /* of exactly the type int, whose `to_bytes` can be trusted */
    PyObject *bytes = number ? PyObject_CallMethod(number, "to_bytes", "ns", (Py_ssize_t)limbs * 8, "little") : NULL;
    Py_XDECREF(number);
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

PyDoc_STRVAR(Count_occurrences_doc,
             "occurrences()\n--\n\n"
             "The number of solutions with each option, as a list; 0 while the count is not known. Raises MemoryError at the limit.");

static PyObject *Count_occurrences(CountObject *self, PyObject *Py_UNUSED(ignored)) {
    const int options = count_options(self->search);
    const Word *words;
    if (begin_use(&self->busy) < 0) {
        return NULL;
    }
    const int limbs = count_result(self->search, &words) < 0 ? 0 : count_result(self->search, &words);
    Word *numbers = engine_allocate((size_t)options * (size_t)limbs + 1, sizeof(Word));
    int done = 0;
    if (numbers) {
        Py_BEGIN_ALLOW_THREADS
        done = count_occurrences(self->search, numbers);
        Py_END_ALLOW_THREADS
    }
    end_use(&self->busy);
    PyObject *list = done ? PyList_New(options) : PyErr_NoMemory();
    for (int i = 0; list && i < options; i++) {
        PyObject *number = integer_of(numbers + (size_t)i * (size_t)limbs, limbs);
        if (number) {
            PyList_SET_ITEM(list, i, number);
        } else {
            Py_CLEAR(list);
        }
    }
    engine_free(numbers);
    return list;
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
    {"occurrences", (PyCFunction)Count_occurrences, METH_NOARGS, Count_occurrences_doc},
    {NULL},
};

PyDoc_STRVAR(Count_doc,
             "Count(items, implied, limits, memory, near=())\n--\n\n"
             "The number of exact covers, without a list. The arguments are those of Cover, except that limited sets may list an\n"
             "option several times; `memory`, the maximum bytes to use; and `near`, for each item its neighbours in a graph in which\n"
             "each option has connected items, so that regions that cannot be covered are detected. It takes the items in order.");

static PyType_Slot Count_slots[] = {
    {Py_tp_doc, (void *)Count_doc},
    {Py_tp_new, Count_new},
    {Py_tp_dealloc, Count_dealloc},
    {Py_tp_methods, Count_methods},
    {Py_tp_getset, Count_fields},
    {0, NULL},
};

PyType_Spec count_spec = {
    .name = "jigsat.backends.engine._engine.Count",
    .basicsize = sizeof(CountObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Count_slots,
};
