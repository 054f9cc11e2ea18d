# cython: language_level=3
"""`Fields` compiled: the numbers of an object lie behind its header in one piece."""

from cpython.object cimport PyObject, PyTypeObject
from libc.string cimport memcpy

SCRATCH = "scratch"

cdef Py_ssize_t HEADER = sizeof(PyObject) + sizeof(void *)  # the object and its table of methods


cdef class Fields:
    """The base of everything that is copied often."""

    cpdef void clear_fields(self) noexcept:
        """New objects are zeroed by Python."""

    cdef void copy_fields(self, Fields c, type cls) noexcept:
        """Objects among the fields must be assigned before: their references are then the same ones."""
        cdef Py_ssize_t size = (<PyTypeObject *> cls).tp_basicsize - HEADER
        memcpy(<char *> <void *> c + HEADER, <char *> <void *> self + HEADER, size)
