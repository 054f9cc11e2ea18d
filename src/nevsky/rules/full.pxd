from nevsky.rules.modules.obstacles cimport Obstacles

cdef class FullPosition(Obstacles):
    pass
