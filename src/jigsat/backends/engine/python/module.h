/* What the files of the Python module share. Only the files in this folder depend on Python. */

#ifndef JIGSAT_ENGINE_MODULE_H
#define JIGSAT_ENGINE_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>

#include "common/problem.h"

extern PyType_Spec cover_spec;
extern PyType_Spec count_spec;
extern PyType_Spec dive_spec;
extern PyType_Spec fill_spec;
extern PyType_Spec scan_spec;

/* Read rows of numbers from `least` to `most`. Returns the number of rows, or -1 and an exception. */
int read_lists(PyObject *object, int least, int most, Lists *lists);

/* Read a sequence of numbers as the only list. Returns their number, or -1 and an exception. */
int read_numbers(PyObject *object, int least, int most, Lists *numbers);

void free_lists(Lists *lists);

/* Read the arguments (items, implied, limits), common to all searches. Returns -1 and an exception if they are wrong. */
int read_problem(PyObject *items, PyObject *implied, PyObject *limits, Problem *problem);

void free_problem(Problem *problem);

/* Set the exception for a status other than ENGINE_OK. */
void raise_status(EngineStatus status);

/* The arguments of a search of a formula: variables, constraints, decisions. The numbers are copies, because other threads may
   change the buffers while the search reads them. */
typedef struct {
    int variables, count, decided;
    int *numbers, *decisions;
} FormulaArguments;

/* Read them. Returns -1 and an exception if they are wrong; otherwise free them with `free_formula`. */
int read_formula(PyObject *args, PyObject *kwargs, FormulaArguments *formula);

void free_formula(FormulaArguments *formula);

/* Set the exception for the status of a search that could not be made from these arguments. */
void raise_formula_status(EngineStatus status);

PyObject *tuple_of(const int *options, int size);

/* Only one thread may use a search at a time. Returns -1 and an exception if it is in use. */
static inline int begin_use(atomic_flag *busy) {
    if (atomic_flag_test_and_set_explicit(busy, memory_order_acquire)) {
        PyErr_SetString(PyExc_RuntimeError, "this search is already running, in another thread or in a signal handler");
        return -1;
    }
    return 0;
}

static inline void end_use(atomic_flag *busy) {
    atomic_flag_clear_explicit(busy, memory_order_release);
}

#endif
