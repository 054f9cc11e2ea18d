# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.fields cimport Fields

cdef int ACTION_ROOM
cdef int CZAR_AND_CARPENTER
cdef int DUE_ROOM
cdef int FIRST
cdef int KINDS
cdef int KIN_ROOM
cdef int LAY_ROOM
cdef int NONE
cdef int PILE_ROOM
cdef int SECOND
cdef int SHIP_BUILDER_ANY

cdef class Tables(Fields):
    cdef public int edition
    cdef public int market
    cdef public int modules
    cdef public short cost[112]
    cdef public short worth[112]
    cdef public short rubles[112]
    cdef public short points[112]
    cdef public short pile[112]
    cdef public short colour[112]
    cdef public short exchange[112]
    cdef public short name[112]
    cdef public short index[112]
    cdef public short twin[112]
    cdef public short kin[896]
    cdef public short kin_n[112]
    cdef public short good[112]
    cdef public short goods[112]
    cdef public short any_card[112]
    cdef public short orange[112]
    cdef public short carpet[112]
    cdef public short reduces[112]
    cdef public short hand_bonus[112]
    cdef public short pub[112]
    cdef public short special[5]
    cdef public short lies_below[112]
    cdef public short below[112]
    cdef public short base_card[160]
    cdef public int worth_at_least[160]
    cdef public int replace_bits[112]
    cdef public short lay[112]
    cdef public short replaces[3584]
    cdef public short place[37]
    cdef public short names_from[5]
    cdef public short names_to[5]
    cdef public short deck[320]
    cdef public short deck_size[5]
    cdef public short verb[6144]
    cdef public short card[6144]
    cdef public short onto[6144]
    cdef public short arg[6144]
    cdef public short points_wanted[6144]
    cdef public short asks[32]
    cdef public short does[64]
