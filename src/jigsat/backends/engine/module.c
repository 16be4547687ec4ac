/* The searches of this folder as a Python module. */

#include "module.h"

void *engine_allocate(size_t count, size_t size) {
    return PyMem_RawCalloc(count, size);
}

void engine_free(void *memory) {
    PyMem_RawFree(memory);
}

static int add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    const int failed = !type || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static int add_types(PyObject *module) {
    return add_type(module, &cover_spec) < 0 || add_type(module, &count_spec) < 0 || add_type(module, &dive_spec) < 0 ? -1 : 0;
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
