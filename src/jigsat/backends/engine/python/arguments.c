/* Reading a problem from Python objects, and converting results to Python objects. */

#include "python/module.h"

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

int read_lists(PyObject *object, int least, int most, Lists *lists) {
    PyObject *rows = copy_rows(object);
    if (!rows) {
        return -1;
    }
    const int failed = fill_lists(rows, least, most, lists);
    const int count = failed ? -1 : (int)PyTuple_GET_SIZE(rows);
    Py_DECREF(rows);
    return count;
}

int read_numbers(PyObject *object, int least, int most, Lists *numbers) {
    PyObject *row = PyTuple_Pack(1, object);
    const int failed = !row || read_lists(row, least, most, numbers) < 0;
    Py_XDECREF(row);
    return failed ? -1 : numbers->start[1];
}

void free_lists(Lists *lists) {
    engine_free(lists->start);
    engine_free(lists->number);
}

void free_problem(Problem *problem) {
    free_lists(&problem->sets);
    free_lists(&problem->literals);
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
    free_lists(&limits);
    return failed ? -1 : 0;
}

int read_problem(PyObject *items, PyObject *implied, PyObject *limits, Problem *problem) {
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

void raise_status(EngineStatus status) {
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

PyObject *tuple_of(const int *options, int size) {
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

/* Copy the C ints in a buffer. Returns their number, or -1 and an exception if it has another size. */
static int copy_ints(const Py_buffer *buffer, int **copy) {
    if (buffer->len % (Py_ssize_t)sizeof(int) || buffer->len / (Py_ssize_t)sizeof(int) >= INT_MAX) {
        PyErr_SetString(PyExc_ValueError, "a buffer of at most 2**31 - 2 C ints is required");
        return -1;
    }
    *copy = engine_allocate((size_t)buffer->len + 1, 1);
    if (!*copy) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(*copy, buffer->buf, (size_t)buffer->len);
    return (int)(buffer->len / (Py_ssize_t)sizeof(int));
}

int read_formula(PyObject *args, PyObject *kwargs, FormulaArguments *formula) {
    static char *names[] = {"variables", "constraints", "decisions", NULL};
    Py_buffer numbers, decisions;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iy*y*", names, &formula->variables, &numbers, &decisions)) {
        return -1;
    }
    formula->numbers = formula->decisions = NULL;
    formula->count = copy_ints(&numbers, &formula->numbers);
    formula->decided = formula->count < 0 ? -1 : copy_ints(&decisions, &formula->decisions);
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&decisions);
    if (formula->decided < 0) {
        free_formula(formula);
        return -1;
    }
    return 0;
}

void free_formula(FormulaArguments *formula) {
    engine_free(formula->numbers);
    engine_free(formula->decisions);
}

void raise_formula_status(EngineStatus status) {
    if (status == ENGINE_OUT_OF_RANGE) {
        PyErr_SetString(PyExc_ValueError, "a constraint or a decision variable is wrong");
    } else {
        raise_status(status);
    }
}
