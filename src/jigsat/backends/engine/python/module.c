/* The searches of this folder as a Python module. */

#include "python/module.h"

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
    PyType_Spec *specs[] = {&cover_spec, &count_spec, &dive_spec, &fill_spec, &scan_spec};
    int failed = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs && !failed; i++) {
        failed = add_type(module, specs[i]);
    }
    return failed;
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
