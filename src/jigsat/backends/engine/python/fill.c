/* The Python type Fill. */

#include "python/module.h"

#include "fill/fill.h"

typedef struct {
    PyObject_HEAD
    Fill *search;
    int slots, words;
    unsigned long long tried;
    int refuted;
    atomic_flag busy;
} FillObject;

/* Read the letters of words. Returns the number of words, or -1 and an exception. */
static int read_words(PyObject *object, Lists *letters) {
    PyObject *words = PySequence_Tuple(object);
    if (!words) {
        return -1;
    }
    const Py_ssize_t count = PyTuple_GET_SIZE(words);
    Py_ssize_t total = 0;
    int failed = 0;
    for (Py_ssize_t w = 0; w < count && !failed; w++) {
        PyObject *word = PyTuple_GET_ITEM(words, w);
        total += PyUnicode_Check(word) ? PyUnicode_GET_LENGTH(word) : INT_MAX;
        failed = count >= INT_MAX || total >= INT_MAX;
    }
    if (failed) {
        PyErr_SetString(PyExc_ValueError, "fewer than 2**31 - 1 words are required, with as many letters in all");
    } else {
        letters->start = engine_allocate((size_t)count + 1, sizeof(int));
        letters->number = engine_allocate((size_t)total + 1, sizeof(int));
        failed = !letters->start || !letters->number;
        if (failed) {
            PyErr_NoMemory();
        }
    }
    for (Py_ssize_t w = 0; w < count && !failed; w++) {
        PyObject *word = PyTuple_GET_ITEM(words, w);
        const int length = (int)PyUnicode_GET_LENGTH(word);
        for (int i = 0; i < length; i++) {
            letters->number[letters->start[w] + i] = (int)PyUnicode_READ_CHAR(word, i);
        }
        letters->start[w + 1] = letters->start[w] + length;
    }
    Py_DECREF(words);
    return failed ? -1 : (int)count;
}

static int read_grid(PyObject *args, PyObject *kwargs, Grid *grid, Lists *scores) {
    static char *names[] = {"slots", "given", "words", "scores", "distinct", NULL};
    PyObject *slots, *given, *words, *score;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOp", names, &slots, &given, &words, &score, &grid->distinct)) {
        return -1;
    }
    grid->cells = read_lists(given, 0, LARGEST_LETTER, &grid->given);
    grid->slots = grid->cells < 0 ? -1 : read_lists(slots, 0, grid->cells - 1, &grid->slot);
    grid->words = grid->slots < 0 ? -1 : read_words(words, &grid->letter);
    if (grid->words < 0) {
        return -1;
    }
    const int number = read_numbers(score, INT_MIN, INT_MAX, scores);
    if (number >= 0 && number != grid->words) {
        PyErr_SetString(PyExc_ValueError, "each word must have a score");
    }
    grid->score = scores->number;
    return number == grid->words ? 0 : -1;
}

static PyObject *Fill_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    Grid grid = {0};
    Lists scores = {0};
    FillObject *self = NULL;
    if (read_grid(args, kwargs, &grid, &scores) == 0) {
        self = (FillObject *)type->tp_alloc(type, 0);
    }
    if (self) {
        end_use(&self->busy);
        self->slots = grid.slots;
        self->words = grid.words;
        EngineStatus status;
        Py_BEGIN_ALLOW_THREADS
        self->search = fill_new(&grid, &status);
        Py_END_ALLOW_THREADS
        if (!self->search) {
            if (status == ENGINE_OUT_OF_RANGE) {
                PyErr_SetString(PyExc_ValueError, "a cell is in more than two slots");
            } else {
                raise_status(status);
            }
            Py_CLEAR(self);
        }
    }
    free_lists(&grid.slot);
    free_lists(&grid.given);
    free_lists(&grid.letter);
    free_lists(&scores);
    return (PyObject *)self;
}

static void Fill_dealloc(FillObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    fill_free(self->search);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

PyDoc_STRVAR(Fill_candidates_doc,
             "candidates(slot, /)\n--\n\n"
             "The words that can stand in a slot beside some of those of the crossing slots, by their numbers, in any order.");

static PyObject *Fill_candidates(FillObject *self, PyObject *argument) {
    const long slot = PyLong_AsLong(argument);
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (slot < 0 || slot >= self->slots) {
        PyErr_SetString(PyExc_IndexError, "there is no such slot");
        return NULL;
    }
    int *numbers = engine_allocate((size_t)self->words + 1, sizeof(int));
    if (!numbers) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    if (begin_use(&self->busy) == 0) {
        result = tuple_of(numbers, fill_candidates(self->search, (int)slot, numbers));
        end_use(&self->busy);
    }
    engine_free(numbers);
    return result;
}

/* The words of the last fill. */
static PyObject *read_fill(const FillObject *self) {
    int *numbers = engine_allocate((size_t)self->slots + 1, sizeof(int));
    if (!numbers) {
        return PyErr_NoMemory();
    }
    fill_words(self->search, numbers);
    PyObject *result = tuple_of(numbers, self->slots);
    engine_free(numbers);
    return result;
}

PyDoc_STRVAR(Fill_search_doc,
             "search(slot, word, preferred, words, /)\n--\n\n"
             "A fill in which a slot holds one of its words, or any fill if the slot is -1: the number of the word in each slot. In each\n"
             "slot, the first of its preferred words that is left is tried first. None if no fill was found by trying about `words`\n"
             "words; `refuted` then states whether there is none, and `tried` how many words were tried. It does not check for signals.");

static PyObject *Fill_search(FillObject *self, PyObject *args) {
    int slot, word;
    PyObject *rows;
    unsigned long long words;
    if (!PyArg_ParseTuple(args, "iiOK", &slot, &word, &rows, &words)) {
        return NULL;
    }
    if (slot < -1 || slot >= self->slots || (slot >= 0 && (word < 0 || word >= self->words))) {
        PyErr_SetString(PyExc_IndexError, "there is no such slot, or no such word");
        return NULL;
    }
    Lists preferred = {0};
    const int count = read_lists(rows, 0, self->words - 1, &preferred);
    PyObject *result = NULL;
    if (count >= 0 && count != self->slots) {
        PyErr_SetString(PyExc_ValueError, "each slot must have a row of preferred words");
    } else if (count >= 0 && begin_use(&self->busy) == 0) {
        FillState state;
        Py_BEGIN_ALLOW_THREADS
        state = fill_search(self->search, slot, word, &preferred, words);
        Py_END_ALLOW_THREADS
        self->tried = fill_tried(self->search);
        self->refuted = state == FILL_NONE;
        result = state == FILL_FOUND ? read_fill(self) : Py_NewRef(Py_None);
        end_use(&self->busy);
    }
    free_lists(&preferred);
    return result;
}

static PyObject *Fill_tried(FillObject *self, void *unused) {
    return PyLong_FromUnsignedLongLong(self->tried);
}

static PyObject *Fill_refuted(FillObject *self, void *unused) {
    return PyBool_FromLong(self->refuted);
}

static PyGetSetDef Fill_fields[] = {
    {"tried", (getter)Fill_tried, NULL, "the number of words that the last search tried", NULL},
    {"refuted", (getter)Fill_refuted, NULL, "whether the last search showed that there is no such fill", NULL},
    {NULL},
};

PyDoc_STRVAR(Fill_doc,
             "Fill(slots, given, words, scores, distinct)\n--\n\n"
             "A search for words that fill a grid. `slots` gives the cells of each slot in ascending order; a cell is in at most two of\n"
             "them. `given` has the letters that each cell must have, as code points. Words with the highest scores come first. Raises\n"
             "ValueError, OverflowError or MemoryError for wrong numbers and grids too large.");

static PyMethodDef Fill_methods[] = {
    {"candidates", (PyCFunction)Fill_candidates, METH_O, Fill_candidates_doc},
    {"search", (PyCFunction)Fill_search, METH_VARARGS, Fill_search_doc},
    {NULL},
};

static PyType_Slot Fill_slots[] = {
    {Py_tp_doc, (void *)Fill_doc},
    {Py_tp_new, Fill_new},
    {Py_tp_dealloc, Fill_dealloc},
    {Py_tp_methods, Fill_methods},
    {Py_tp_getset, Fill_fields},
    {0, NULL},
};

PyType_Spec fill_spec = {
    .name = "jigsat.backends.engine._engine.Fill",
    .basicsize = sizeof(FillObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = Fill_slots,
};
