
# constants, written by tools/pxd.py

# end of constants

cdef _objects(dict old, dict new, str path, list to)
cdef str _escaped(str key)
cdef _values(object old, object new, str path, list to)
cdef _lists(list old, list new, str path, list to)
cdef bint _equal(object old, object new)
cdef _element(object old, object new, str path, list to)
cdef _fields(dict old, dict new, str path, list to)
cdef bint _moved_on(list old, list new, str path, list to)
