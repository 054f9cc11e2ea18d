cimport cython

# constants, written by tools/pxd.py
cdef int MOST
cdef int MOST_FIELDS
# end of constants

cdef bytes _kept_text(object value)
cdef str _escaped(str key)
cdef bint _equal(object old, object new)
cdef bytes _step(dict old, dict new)

@cython.final
cdef class Writer:
    cdef public list texts
    cdef public bint tells

    cdef put(self, str path, bytes text)
    cdef add(self, str path, bytes text)
    cdef remove(self, str path)
    cdef objects(self, dict old, dict new, str path)
    cdef values(self, object old, object new, str path)
    @cython.locals(place=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, stop=cython.Py_ssize_t, shorter=cython.Py_ssize_t)
    cdef lists(self, list old, list new, str path)
    @cython.locals(place=cython.Py_ssize_t)
    cdef bint asked_everywhere(self, list old, list new, Py_ssize_t shorter)
    cdef put_list(self, list new, str path)
    cdef bytes text_of(self, object value)
    cdef element(self, object old, object new, str path)
    cdef bint moved_on(self, list old, list new, str path)
