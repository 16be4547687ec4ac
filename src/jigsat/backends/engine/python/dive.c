/* The Python type Dive. */

#include "python/module.h"

#include "dive/dive.h"

/* Literals to assign between two checks for signals: a few tenths of a second. */
#define WORK_WITHOUT_LOCK 1000000

typedef struct {
    PyObject_HEAD
    Dive *search;
    int variables;
    atomic_int over; /* whether the search has ended */
    atomic_flag busy;
} DiveObject;

static PyObject *Dive_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    FormulaArguments formula;
    if (read_formula(args, kwargs, &formula) < 0) {
        return NULL;
    }
    EngineStatus status;
    Dive *search;
    Py_BEGIN_ALLOW_THREADS
    search = dive_new(formula.variables, formula.numbers, formula.count, formula.decisions, formula.decided, &status);
    Py_END_ALLOW_THREADS
    free_formula(&formula);
    if (!search) {
        raise_formula_status(status);
        return NULL;
    }
    DiveObject *self = (DiveObject *)type->tp_alloc(type, 0);
    if (self) {
        end_use(&self->busy);
        self->search = search;
        self->variables = formula.variables;
    } else {
        dive_free(search);
    }
    return (PyObject *)self;
}

static void Dive_dealloc(DiveObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    dive_free(self->search);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

/* The true variables of the model. */
static PyObject *model_of(const DiveObject *self) {
    PyObject *model = PyList_New(0);
    for (int variable = 1; model && variable <= self->variables; variable++) {
        if (!dive_value(self->search, variable)) {
            continue;
        }
        PyObject *number = PyLong_FromLong(variable);
        if (!number || PyList_Append(model, number) < 0) {
            Py_CLEAR(model);
        }
        Py_XDECREF(number);
    }
    return model;
}

PyDoc_STRVAR(Dive_step_doc,
             "step(work, /)\n--\n\n"
             "Search until about `work` further literals have been assigned. Returns the list of true variables if a model was found,\n"
             "else None. `over` states whether the search has ended: with a model, or because there is none.");

static PyObject *Dive_step(DiveObject *self, PyObject *argument) {
    unsigned long long work = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred() || begin_use(&self->busy) < 0) {
        return NULL;
    }
    DiveState state = self->over ? DIVE_NONE : DIVE_WORKING;
    int interrupted = 0;
    while (state == DIVE_WORKING && work && !interrupted) {
        const uint64_t now = work < WORK_WITHOUT_LOCK ? work : WORK_WITHOUT_LOCK;
        Py_BEGIN_ALLOW_THREADS
        state = dive_step(self->search, now);
        Py_END_ALLOW_THREADS
        work -= now;
        interrupted = state == DIVE_WORKING && PyErr_CheckSignals();
    }
    self->over = state != DIVE_WORKING;
    PyObject *result = NULL;
    if (state == DIVE_FOUND) {
        result = model_of(self);
    } else if (!interrupted) {
        result = Py_NewRef(Py_None);
    }
    end_use(&self->busy);
    return result;
}

static PyObject *Dive_over(DiveObject *self, void *unused) {
    return PyBool_FromLong(self->over);
}

static PyGetSetDef Dive_fields[] = {
    {"over", (getter)Dive_over, NULL, "whether the search has ended", NULL},
    {NULL},
};

PyDoc_STRVAR(Dive_doc,
             "Dive(variables, constraints, decisions)\n--\n\n"
             "A random search for one model. `constraints` and `decisions` are buffers of C ints, such as array('i'): the constraints as\n"
             "in `dive.h`, and the decision variables. Raises ValueError, OverflowError or MemoryError for wrong numbers and problems too\n"
             "large.");

static PyMethodDef Dive_methods[] = {
    {"step", (PyCFunction)Dive_step, METH_O, Dive_step_doc},
    {NULL},
};

static PyType_Slot Dive_slots[] = {
    {Py_tp_doc, (void *)Dive_doc},
    {Py_tp_new, Dive_new},
    {Py_tp_dealloc, Dive_dealloc},
    {Py_tp_methods, Dive_methods},
    {Py_tp_getset, Dive_fields},
    {0, NULL},
};

PyType_Spec dive_spec = {
    .name = "jigsat.backends.engine._engine.Dive",
    .basicsize = sizeof(DiveObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Dive_slots,
};
